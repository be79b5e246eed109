//! Cheaper ops where only a part of the outputs is read, and equal steps merged.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;
use tenferro_graph::{Aval, Builder, Dim, Narrowed, Prim, Program, Result, SmallVec, Step, Use, Val, Vals};
use tenferro_ops::Slice;

/// A rewritten program and the new numbers of the old values ([`Val::NONE`] where a
/// value is gone).
pub(crate) struct Rewritten {
    pub program: Program,
    pub map: Vec<Val>,
}

/// Narrows multi-output steps by how they are used, merges equal steps and drops dead
/// ones. Inputs stay. Values in `keep` count as used whole.
pub(crate) fn narrow_and_merge(program: &Program, keep: &[Val]) -> Result<Rewritten> {
    let plan = Uses::of(program, keep);
    let b = Builder::new();
    b.guard(program.guards());
    let mut map = vec![Val::NONE; program.n_values()];
    for v in program.inputs() {
        map[v.index()] = b.input(program.aval(v).clone());
    }
    let mut known: HashMap<(Prim, SmallVec<[Val; 4]>), Vals, BuildHasherDefault<FxHasher>> = HashMap::default();
    for (i, step) in program.steps().enumerate() {
        let gone = map[step.out(0).index()] != Val::NONE || !step.outs().any(|v| plan.live[v.index()]);
        if gone {
            // Dead, or a slice whose value a narrowed step gives already.
            continue;
        }
        let args: SmallVec<[Val; 4]> = step.args.iter().map(|a| map[a.index()]).collect();
        let narrowed = plan.narrowed.get(&i);
        let prim = narrowed.map_or(step.prim, |n| &n.prim);
        let mut key_args = args.clone();
        if prim.commutative() {
            key_args.sort_unstable();
        }
        let outs = if let Some(outs) = known.get(&(prim.clone(), key_args.clone())) {
            outs.clone()
        } else {
            let outs = b.emit(prim.clone(), &args)?;
            known.insert((prim.clone(), key_args), outs.clone());
            outs
        };
        match narrowed {
            None => step.outs().zip(outs).for_each(|(v, new)| map[v.index()] = new),
            Some(n) => plan.place(&step, n, &outs, &mut map),
        }
    }
    let outputs = program.outputs().iter().map(|v| map[v.index()]).collect();
    Ok(Rewritten { program: b.finish(outputs)?, map })
}

struct Uses {
    live: Vec<bool>,
    /// For outputs of multi-output steps: their leading slices.
    slices: HashMap<u32, Vec<Val>>,
    by_value: HashMap<u32, Use>,
    narrowed: HashMap<usize, Narrowed>,
}

impl Uses {
    fn of(program: &Program, keep: &[Val]) -> Self {
        let live = program.with_outputs(program.outputs().iter().chain(keep).copied().collect()).live();
        let mut this = Self { live, slices: HashMap::new(), by_value: HashMap::new(), narrowed: HashMap::new() };
        for step in program.steps().filter(|s| s.outs().len() > 1) {
            this.by_value.extend(step.outs().map(|v| (v.index() as u32, Use::Dead)));
        }
        if this.by_value.is_empty() {
            return this;
        }
        for step in program.steps() {
            if step.outs().any(|v| this.live[v.index()]) {
                for a in step.args {
                    this.note(program, *a, &step);
                }
            }
        }
        for v in program.outputs().iter().chain(keep) {
            this.by_value.entry(v.index() as u32).and_modify(|u| *u = Use::Whole);
        }
        this.ask(program);
        this
    }

    fn note(&mut self, program: &Program, v: Val, user: &Step<'_>) {
        let Some(old) = self.by_value.get_mut(&(v.index() as u32)) else { return };
        let new = leading(user, program.aval(v)).unwrap_or(Use::Whole);
        *old = if *old == Use::Dead || *old == new { new } else { Use::Whole };
        if new != Use::Whole {
            self.slices.entry(v.index() as u32).or_default().push(user.out(0));
        }
    }

    fn ask(&mut self, program: &Program) {
        for (i, step) in program.steps().enumerate() {
            if step.outs().len() < 2 || !step.outs().any(|v| self.live[v.index()]) {
                continue;
            }
            let uses: Vec<Use> = step.outs().map(|v| self.by_value[&(v.index() as u32)]).collect();
            let inputs: Vec<Aval> = step.args.iter().map(|a| program.aval(*a).clone()).collect();
            if let Some(n) = step.prim.narrow(&uses, &inputs) {
                self.narrowed.insert(i, n);
            }
        }
    }

    /// Sets the values that a narrowed step gives: outputs used whole, and the slices
    /// of outputs of which only the leading part is used.
    fn place(&self, step: &Step<'_>, n: &Narrowed, outs: &Vals, map: &mut [Val]) {
        for (v, at) in step.outs().zip(&n.outputs) {
            let Some(new) = at.map(|i| outs[i]) else { continue };
            match self.by_value[&(v.index() as u32)] {
                Use::Leading { .. } => self.slices[&(v.index() as u32)].iter().for_each(|s| map[s.index()] = new),
                Use::Whole => map[v.index()] = new,
                // Nothing reads it, and the narrowed output may be another value.
                Use::Dead => {}
            }
        }
    }
}

/// Whether `user` reads only the first k of its argument along one axis.
fn leading(user: &Step<'_>, aval: &Aval) -> Option<Use> {
    let slice = user.prim.downcast::<Slice>()?;
    if slice.starts.iter().any(|s| *s != 0) || slice.steps.iter().any(|s| *s != 1) {
        return None;
    }
    let mut cut = slice.limits.iter().zip(aval.shape.iter()).enumerate().filter(|(_, (l, n))| l != n);
    let (axis, (limit, _)) = cut.next()?;
    match (limit, cut.next()) {
        (Dim::Const(k), None) => Some(Use::Leading { axis, k: *k }),
        _ => None,
    }
}
