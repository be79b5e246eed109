//! Rebuilding a program: dead code dropped, sizes filled in.

use crate::aval::Aval;
use crate::builder::{Builder, Val, Vals};
use crate::error::{Error, Result};
use crate::guards::DimEnv;
use crate::program::{Program, Step};

impl Program {
    /// The program without steps that no output needs. Inputs stay.
    pub fn pruned(&self) -> Result<Self> {
        let live = self.live();
        self.rebuild(&self.input_avals(), |b, step, args| if_live(&live, b, step, args))
    }

    /// The program with only the inputs and steps that are marked, among them all that
    /// its outputs need.
    pub fn with_live_inputs(&self, live: &[bool]) -> Result<Self> {
        let b = Builder::new();
        b.guard(self.guards());
        let input = |v: Val| if live[v.index()] { b.input(self.aval(v).clone()) } else { Val::NONE };
        let inputs = self.inputs().map(input).collect();
        self.replay(b, inputs, |b, step, args| if_live(live, b, step, args))
    }

    /// The program for inputs of these very shapes: symbols replaced by numbers,
    /// guards checked.
    pub fn specialised(&self, inputs: &[Aval]) -> Result<Self> {
        if inputs.len() != self.n_inputs() {
            return Err(Error::binding(format!("the program has {} inputs, got {}", self.n_inputs(), inputs.len())));
        }
        let env = DimEnv::match_inputs(&self.input_avals(), inputs)?;
        for guard in self.guards().as_slice() {
            guard.check(&env)?;
        }
        self.rebuild(inputs, |b, step, args| {
            let prim = step.prim.bind(&env)?.unwrap_or_else(|| step.prim.clone());
            b.emit(prim, args)
        })
    }

    /// Whether a size is symbolic anywhere.
    pub fn is_symbolic(&self) -> bool {
        self.avals.iter().any(|a| a.shape.concrete().is_none())
    }

    /// Replays every step through `emit`, which gets the step and its arguments
    /// in the new program and returns as many outputs (none if the step is dead).
    pub fn rebuild(&self, inputs: &[Aval], emit: impl FnMut(&Builder, &Step<'_>, &[Val]) -> Result<Vals>) -> Result<Self> {
        let b = Builder::new();
        let inputs = inputs.iter().map(|a| b.input(a.clone())).collect();
        self.replay(b, inputs, emit)
    }

    fn replay(&self, b: Builder, inputs: Vec<Val>, mut emit: impl FnMut(&Builder, &Step<'_>, &[Val]) -> Result<Vals>) -> Result<Self> {
        let mut map = inputs;
        map.resize(self.n_values(), Val::NONE);
        let mut args = Vals::new();
        for step in self.steps() {
            args.clear();
            args.extend(step.args.iter().map(|a| map[a.index()]));
            for (old, new) in step.outs().zip(emit(&b, &step, &args)?) {
                map[old.index()] = new;
            }
        }
        b.finish(self.outputs.iter().map(|v| map[v.index()]).collect())
    }
}

/// The step, if one of its outputs is marked.
fn if_live(live: &[bool], b: &Builder, step: &Step<'_>, args: &[Val]) -> Result<Vals> {
    if step.outs().any(|v| live[v.index()]) { b.emit(step.prim.clone(), args) } else { Ok(Vals::new()) }
}
