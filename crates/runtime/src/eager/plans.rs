//! Prepared single-op programs and their pullbacks, bounded and cached.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHasher;
use tenferro_graph::{Aval, Builder, Plan, Prim, Program, Registration, Result, SmallVec, Target, Val};

use crate::compile::with_live_inputs;

/// Entries kept of each kind; a full cache starts anew.
const CACHE: usize = 1024;

type Avals = SmallVec<[Aval; 3]>;
type Map<K, V> = Mutex<HashMap<K, V, BuildHasherDefault<FxHasher>>>;

#[derive(Default)]
pub(crate) struct Plans {
    ops: Map<(Prim, Avals, Target), Arc<dyn Plan>>,
    pullbacks: Map<(Prim, Avals, Mask, Mask, Target), Arc<Pullback>>,
}

pub(crate) type Mask = SmallVec<[bool; 4]>;

/// The derivative of one op: which of (inputs, outputs, cotangents) its program reads,
/// in this order, and which active input each of its results belongs to.
pub(crate) struct Pullback {
    pub plan: Option<Arc<dyn Plan>>,
    pub reads: Vec<usize>,
    /// Per op input, which output of the program is its cotangent.
    pub results: Vec<Option<usize>>,
}

fn cached<K: std::hash::Hash + Eq, V: Clone>(map: &Map<K, V>, key: K, make: impl FnOnce(&K) -> Result<V>) -> Result<V> {
    let lock = || map.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(v) = lock().get(&key) {
        return Ok(v.clone());
    }
    let v = make(&key)?;
    let mut map = lock();
    if map.len() >= CACHE {
        map.clear();
    }
    map.insert(key, v.clone());
    Ok(v)
}

/// The program of one op; its outputs are those marked.
fn program(prim: &Prim, avals: &[Aval], outs: Option<&[bool]>) -> Result<Program> {
    let b = Builder::new();
    let inputs: Vec<Val> = avals.iter().map(|a| b.input(a.clone())).collect();
    let values = b.emit(prim.clone(), &inputs)?;
    let chosen = values.iter().enumerate().filter(|(i, _)| outs.is_none_or(|m| m[*i])).map(|(_, v)| *v).collect();
    b.finish(chosen)
}

impl Plans {
    pub fn op(&self, prim: &Prim, avals: &[Aval], registration: &Registration) -> Result<Arc<dyn Plan>> {
        let key = (prim.clone(), avals.into(), registration.target.clone());
        cached(&self.ops, key, |(prim, avals, _)| {
            let program = program(prim, avals, None)?;
            registration.planner.plan(&Arc::new(program), avals)
        })
    }

    /// The pullback for inputs marked `active`, given cotangents of the outputs marked
    /// `with_ct`.
    pub fn pullback(&self, prim: &Prim, avals: &[Aval], active: Mask, with_ct: Mask, registration: &Registration) -> Result<Arc<Pullback>> {
        let key = (prim.clone(), avals.into(), active, with_ct, registration.target.clone());
        cached(&self.pullbacks, key, |(prim, avals, active, with_ct, _)| {
            let forward = program(prim, avals, Some(with_ct))?;
            let wrt: Vec<Val> = (0..avals.len()).filter(|i| active[*i]).map(Val::from_index).collect();
            let (derived, which) = tenferro_ad::vjp(&forward, &wrt)?;
            pullback(&derived, active, &which, registration).map(Arc::new)
        })
    }
}

fn pullback(derived: &Program, active: &[bool], which: &[Option<usize>], registration: &Registration) -> Result<Pullback> {
    let live = derived.live();
    let reads: Vec<usize> = (0..derived.n_inputs()).filter(|i| live[*i]).collect();
    let mut of_active = which.iter();
    let results = active.iter().map(|a| if *a { of_active.next().copied().flatten() } else { None }).collect();
    if derived.outputs().is_empty() {
        return Ok(Pullback { plan: None, reads: vec![], results });
    }
    let program = with_live_inputs(derived, &live)?;
    let sig = program.input_avals();
    let plan = registration.planner.plan(&Arc::new(program), &sig)?;
    Ok(Pullback { plan: Some(plan), reads, results })
}
