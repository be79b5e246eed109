//! A recorded computation on other arguments.

use tenferro_graph::{Error, Program, Result, SmallVec, Tensor, Value};

use crate::compile::{CompiledGraph, Input};
use crate::derive::Sources;
use crate::eager::EagerTensor;
use crate::fragment::{LeafKey, Recorder, Role, Source};
use crate::resolve::resolve;
use crate::traced::{TracedTensor, check_like};

impl TracedTensor {
    /// `outputs` with `args` in the places of the placeholders `leaves`: how a function
    /// that was traced by itself, its derivatives included, enters another trace.
    ///
    /// # Errors
    /// `Binding`, `Shape` or `DType` if leaves and arguments do not fit each other.
    pub fn substitute(outputs: &[Self], leaves: &[Self], args: &[Self]) -> Result<Vec<Self>> {
        if leaves.len() != args.len() {
            return Err(Error::binding(format!("substitute: {} placeholders and {} arguments", leaves.len(), args.len())));
        }
        for (leaf, arg) in leaves.iter().zip(args) {
            check_like("substitute", "argument", arg, leaf)?;
        }
        let resolved = resolve(outputs)?;
        let program = &resolved.program;
        // What becomes of each value; `None`: it does not depend on the leaves and stays.
        let mut now: Vec<Option<Source>> = vec![None; program.n_values()];
        let mut sources = Sources::default();
        for (leaf, arg) in leaves.iter().zip(args) {
            if let Some(v) = resolved.find(leaf) {
                now[v.index()] = Some(sources.of(arg));
            }
        }
        let mut changed: Vec<bool> = now.iter().map(Option::is_some).collect();
        for step in program.steps() {
            let depends = step.args.iter().any(|a| changed[a.index()]);
            step.outs().for_each(|v| changed[v.index()] = depends);
        }
        for step in program.steps().filter(|s| s.outs().any(|v| changed[v.index()])) {
            for a in step.args.iter().filter(|a| !changed[a.index()]) {
                now[a.index()] = resolved.origin[a.index()].as_ref().map(|t| sources.of(t));
            }
        }
        let n_parents = sources.fragments.len();
        let mut recorder = Recorder::new(sources.fragments, n_parents);
        for step in program.steps().filter(|s| s.outs().any(|v| changed[v.index()])) {
            let inputs: Option<SmallVec<[Source; 2]>> = step.args.iter().map(|a| now[a.index()]).collect();
            let inputs = inputs.ok_or_else(|| Error::program("substitute: a value is not recorded"))?;
            let first = recorder.push(step.prim.clone(), inputs, step.outs().map(|v| program.aval(v).clone()), Role::Primary);
            for (i, v) in step.outs().enumerate() {
                now[v.index()] = Some(Source::Own(first + i as u32));
            }
        }
        recorder.guard(program.guards());
        let fragment = recorder.finish();
        let tensor = |(v, old): (&tenferro_graph::Val, &Self)| match now[v.index()].filter(|_| changed[v.index()]) {
            Some(Source::Own(value)) => Self { fragment: fragment.clone(), value },
            Some(Source::Of { fragment: f, value }) => Self { fragment: fragment.sources[f as usize].clone(), value },
            None => old.clone(),
        };
        Ok(program.outputs().iter().zip(outputs).map(tensor).collect())
    }
}

impl CompiledGraph {
    /// The outputs as eager tensors: every step runs at once, and gradients flow through.
    /// `args` are the unbound inputs by their keys.
    ///
    /// # Errors
    /// `Binding` if an input has no argument, and what the steps say.
    pub fn run_eager(&self, args: &[(LeafKey, EagerTensor)]) -> Result<Vec<EagerTensor>> {
        let Some((_, like)) = args.first() else {
            return Err(Error::binding("run: needs an eager argument"));
        };
        let constant = |t: &Tensor| like.runtime().constant_from(t.clone());
        let input = |(i, input): (usize, &Input)| {
            let key = input.leaf.key;
            let given = || args.iter().find(|(k, _)| *k == key).map(|(_, t)| t.clone());
            let value = self.bindings().get(&key).map(constant).or_else(given);
            value.ok_or_else(|| Error::binding(format!("run: {} has no value", input.describe(i))))
        };
        let values = self.inputs().iter().enumerate().map(input).collect::<Result<Vec<_>>>()?;
        replay(self.program(), values, like)
    }
}

/// The outputs of a program on values of any kind, step by step.
pub(crate) fn replay<V: Value>(program: &Program, mut values: Vec<V>, like: &V) -> Result<Vec<V>> {
    for step in program.steps() {
        let outs = {
            let args: SmallVec<[&V; 4]> = step.args.iter().map(|a| &values[a.index()]).collect();
            like.emit(step.prim.clone(), &args)?
        };
        values.extend(outs);
    }
    Ok(program.outputs().iter().map(|v| values[v.index()].clone()).collect())
}
