//! Ops and whole tapes as prepared programs, cached.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHasher;
use tenferro_graph::{Aval, Builder, Error, Plan, Prim, Program, Registration, Result, SmallVec, Tensor, Val};

use super::tape::Tape;
use crate::cache::{Cache, hash_of};
use crate::compile::fits;
use crate::work::work_of;

/// Ops and tapes that one runtime keeps.
const OPS: usize = 4096;
const TAPES: usize = 256;

pub(crate) struct Plans {
    ops: Mutex<Cache<Arc<Op>>>,
    tapes: Mutex<Cache<Arc<Tape>>>,
}

impl Default for Plans {
    fn default() -> Self {
        Self { ops: Mutex::new(Cache::new(OPS)), tapes: Mutex::new(Cache::new(TAPES)) }
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which of several values: active inputs, or outputs with cotangents.
pub(crate) type Mask = SmallVec<[bool; 4]>;

/// A primitive on arrays of given dtypes and shapes, planned for a kind of engine.
pub(crate) struct Op {
    /// No other op ever has the same.
    pub id: u64,
    pub prim: Prim,
    pub avals: SmallVec<[Aval; 3]>,
    pub outs: SmallVec<[Aval; 1]>,
    pub registration: Registration,
    pub plan: Arc<dyn Plan>,
    /// About how many elements it touches.
    pub work: usize,
    kept: Mutex<Vec<(Mask, Arc<[usize]>)>>,
    pullbacks: Mutex<Vec<(Mask, Mask, Arc<Pullback>)>>,
}

/// The derivative of an op. Its program reads some of inputs, outputs and cotangents,
/// numbered in this order.
pub(crate) struct Pullback {
    program: Option<Arc<Program>>,
    plan: OnceLock<Arc<dyn Plan>>,
    pub reads: Vec<usize>,
    /// Per op input, which output of the program is its cotangent.
    pub results: Vec<Option<usize>>,
}

impl Plans {
    pub fn op(&self, prim: &Prim, inputs: &[Tensor], registration: &Registration) -> Result<Arc<Op>> {
        let mut h = FxHasher::default();
        prim.hash(&mut h);
        for t in inputs {
            t.dtype().hash(&mut h);
            t.shape().hash(&mut h);
        }
        let hash = h.finish();
        let same = |op: &Arc<Op>| {
            op.avals.len() == inputs.len()
                && op.avals.iter().zip(inputs).all(|(a, t)| fits(a, t))
                && op.prim == *prim
                && op.registration.target == registration.target
        };
        if let Some(op) = lock(&self.ops).get(hash, same) {
            return Ok(op);
        }
        let op = Arc::new(Op::new(prim, inputs.iter().map(Tensor::aval).collect(), registration)?);
        lock(&self.ops).insert(hash, op.clone());
        Ok(op)
    }

    /// The same op for another kind of engine.
    pub fn op_for(&self, op: &Op, registration: &Registration) -> Result<Arc<Op>> {
        let hash = hash_of(&(op.id, registration.target.name()));
        let same = |other: &Arc<Op>| other.prim == op.prim && other.avals == op.avals && other.registration.target == registration.target;
        if let Some(op) = lock(&self.ops).get(hash, same) {
            return Ok(op);
        }
        let op = Arc::new(Op::new(&op.prim, op.avals.clone(), registration)?);
        lock(&self.ops).insert(hash, op.clone());
        Ok(op)
    }

    /// The tape of this key, and whether it was seen before.
    pub fn tape(&self, hash: u64, key: &[u64]) -> (Arc<Tape>, bool) {
        let mut tapes = lock(&self.tapes);
        if let Some(tape) = tapes.get(hash, |t| *t.key == *key) {
            return (tape, true);
        }
        let tape = Arc::new(Tape::new(key));
        tapes.insert(hash, tape.clone());
        (tape, false)
    }
}

impl Op {
    fn new(prim: &Prim, avals: SmallVec<[Aval; 3]>, registration: &Registration) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let program = program(prim, &avals, None)?;
        let outs = program.output_avals().into();
        let program = Arc::new(program);
        let plan = registration.planner.plan(&program, &avals)?;
        Ok(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            prim: prim.clone(),
            avals,
            outs,
            registration: registration.clone(),
            plan,
            work: work_of(&program),
            kept: Mutex::default(),
            pullbacks: Mutex::default(),
        })
    }

    /// Inputs and outputs, numbered in this order, that some pullback for these active
    /// inputs reads; all of them if there is no rule, which `backward` will say.
    pub fn kept(&self, active: &Mask) -> Arc<[usize]> {
        if let Some((_, kept)) = lock(&self.kept).iter().find(|(m, _)| m == active) {
            return kept.clone();
        }
        let with_ct: Mask = self.outs.iter().map(|a| a.dtype.is_inexact()).collect();
        let values = self.avals.len() + self.outs.len();
        let kept: Arc<[usize]> = match self.pullback(active, &with_ct) {
            Ok(p) => p.reads.iter().copied().filter(|i| *i < values).collect(),
            Err(_) => (0..values).collect(),
        };
        lock(&self.kept).push((active.clone(), kept.clone()));
        kept
    }

    /// The pullback to inputs marked `active` from cotangents of the outputs marked
    /// `with_ct`.
    pub fn pullback(&self, active: &Mask, with_ct: &Mask) -> Result<Arc<Pullback>> {
        if let Some((_, _, p)) = lock(&self.pullbacks).iter().find(|(a, c, _)| a == active && c == with_ct) {
            return Ok(p.clone());
        }
        let forward = program(&self.prim, &self.avals, Some(with_ct))?;
        let wrt: Vec<Val> = (0..active.len()).filter(|i| active[*i]).map(Val::from_index).collect();
        let (derived, which) = tenferro_ad::vjp(&forward, &wrt)?;
        let mut of_active = which.iter();
        let results = active.iter().map(|a| if *a { of_active.next().copied().flatten() } else { None }).collect();
        let p = Arc::new(Pullback::new(&derived, results)?);
        lock(&self.pullbacks).push((active.clone(), with_ct.clone(), p.clone()));
        Ok(p)
    }
}

impl Pullback {
    fn new(derived: &Program, results: Vec<Option<usize>>) -> Result<Self> {
        let live = derived.live();
        let reads: Vec<usize> = (0..derived.n_inputs()).filter(|i| live[*i]).collect();
        let program = if derived.outputs().is_empty() { None } else { Some(Arc::new(derived.with_live_inputs(&live)?)) };
        Ok(Self { program, plan: OnceLock::new(), reads, results })
    }

    pub fn program(&self) -> Option<&Program> {
        self.program.as_deref()
    }

    /// Its plan; `None` if no input gets a cotangent.
    pub fn plan(&self, registration: &Registration) -> Result<Option<&Arc<dyn Plan>>> {
        let Some(program) = &self.program else { return Ok(None) };
        if let Some(plan) = self.plan.get() {
            return Ok(Some(plan));
        }
        let plan = registration.planner.plan(program, &program.input_avals())?;
        Ok(Some(self.plan.get_or_init(|| plan)))
    }
}

/// The program of one op; its outputs are those marked.
fn program(prim: &Prim, avals: &[Aval], outs: Option<&Mask>) -> Result<Program> {
    let b = Builder::new();
    let inputs: Vec<Val> = avals.iter().map(|a| b.input(a.clone())).collect();
    let values = b.emit(prim.clone(), &inputs)?;
    let chosen = values.iter().enumerate().filter(|(i, _)| outs.is_none_or(|m| m[*i])).map(|(_, v)| *v).collect();
    b.finish(chosen)
}

/// A tensor that `backward` wants and the forward pass did not keep.
pub(crate) fn not_kept(op: &Op) -> Error {
    Error::program(format!("backward: the pullback of {} reads what was not kept", op.prim.name()))
}
