//! A program over a batch: every step by its batch rule.

use tenferro_graph::{Aval, Builder, Dim, Error, Program, Result, Rule, Val};

use crate::linearize::kept_error;

/// The program over inputs of which those marked `batched` carry a batch of
/// `size` as a new axis 0; says which outputs carry one. Steps that depend on no
/// batched input stay as they are.
///
/// # Errors
/// `Missing` if an op has no batch rule; `Binding` if `batched` has another length
/// than the program has inputs.
pub fn batch(program: &Program, batched: &[bool], size: &Dim) -> Result<(Program, Vec<bool>)> {
    if batched.len() != program.n_inputs() {
        return Err(Error::binding(format!("batch: {} inputs expected, got {}", program.n_inputs(), batched.len())));
    }
    let b = Builder::new();
    let mut map = vec![(Val::NONE, false); program.n_values()];
    for (v, with) in program.inputs().zip(batched) {
        let mut aval = program.aval(v).clone();
        if *with {
            aval.shape.insert(0, size.clone());
        }
        map[v.index()] = (b.input(aval), *with);
    }
    let mut inputs: Vec<Val> = vec![];
    let mut mask: Vec<bool> = vec![];
    for step in program.steps() {
        inputs.clear();
        inputs.extend(step.args.iter().map(|a| map[a.index()].0));
        mask.clear();
        mask.extend(step.args.iter().map(|a| map[a.index()].1));
        let outs: Vec<(Val, bool)> = if mask.contains(&true) {
            let avals: Vec<Aval> = inputs.iter().map(|v| b.aval(*v)).collect();
            step.prim.batch(Rule { b: &b, inputs: &inputs, outputs: &[], avals: &avals }, &mask)?
        } else {
            b.emit(step.prim.clone(), &inputs)?.into_iter().map(|v| (v, false)).collect()
        };
        if b.failed() {
            return Err(kept_error(b));
        }
        if outs.len() != step.outs().len() {
            return Err(Error::program(format!(
                "{}: the batch rule gave {} outputs of {}",
                step.prim.name(),
                outs.len(),
                step.outs().len()
            )));
        }
        for (v, out) in step.outs().zip(outs) {
            map[v.index()] = out;
        }
    }
    let outputs: Vec<(Val, bool)> = program.outputs().iter().map(|v| map[v.index()]).collect();
    let program = b.finish(outputs.iter().map(|o| o.0).collect())?;
    Ok((program, outputs.into_iter().map(|o| o.1).collect()))
}
