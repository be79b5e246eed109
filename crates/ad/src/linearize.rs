//! Forward mode: one pass over the steps, calling their jvp rules.

use tenferro_graph::{Aval, Builder, Error, Prim, Program, Result, Rule, Step, Val};
use tenferro_ops::{Binary, BinaryOp};

use crate::activity::{active, check_wrt};

/// A derivative program before transposition. Its inputs are all values of the
/// forward program, then one tangent per `wrt`; steps that depend on a tangent
/// are linear in the tangents, the others compute coefficients.
#[derive(Clone, Debug)]
pub struct Linearized {
    /// Its outputs are the tangents of the forward outputs that are not identically zero.
    pub program: Program,
    /// For each forward output, which output of `program` is its tangent; `None` is exactly zero.
    pub tangents: Vec<Option<usize>>,
}

/// Tangents of the outputs of `forward` along tangents of `wrt`.
///
/// `wrt` are any values of `forward` with a floating or complex dtype; an
/// intermediate one is cut: what it was computed from does not matter. The
/// program's inputs are all values of `forward`, then one tangent per `wrt`; its
/// outputs are the tangents that are not identically zero, and the second result
/// says for each forward output which of them is its tangent.
///
/// # Errors
/// `DType` for a `wrt` of bool or integer dtype, `Missing` if an op has no jvp rule.
pub fn jvp(forward: &Program, wrt: &[Val]) -> Result<(Program, Vec<Option<usize>>)> {
    check_wrt("jvp", forward, wrt)?;
    let Linearized { program, tangents } = linearize(forward, wrt)?;
    Ok((without_dead_steps(program)?, tangents))
}

/// The linear program that [`jvp`] prunes and [`crate::transpose`] turns around.
///
/// # Errors
/// As [`jvp`].
pub fn linearize(forward: &Program, wrt: &[Val]) -> Result<Linearized> {
    check_wrt("linearize", forward, wrt)?;
    let mut pass = Pass::new(forward, wrt)?;
    let active = active(forward, wrt);
    for step in forward.steps() {
        if step.outs().any(|v| active[v.index()]) {
            pass.step(forward, &step, &active)?;
        }
    }
    pass.finish(forward)
}

/// Drops what no output needs; a program without dead steps is returned as it is.
pub(crate) fn without_dead_steps(program: Program) -> Result<Program> {
    let live = program.live();
    if program.steps().all(|s| s.outs().any(|v| live[v.index()])) {
        return Ok(program);
    }
    program.pruned()
}

pub(crate) fn add() -> Prim {
    Prim::new(Binary(BinaryOp::Add))
}

/// The error that a rule left in the builder.
pub(crate) fn kept_error(b: Builder) -> Error {
    b.finish(vec![]).err().unwrap_or_else(|| Error::program("a rule failed without an error"))
}

struct Pass {
    b: Builder,
    /// By forward value; `NONE` is zero.
    tangent: Vec<Val>,
    // Reused from step to step.
    t: Vec<Option<Val>>,
    outputs: Vec<Val>,
    avals: Vec<Aval>,
}

impl Pass {
    fn new(forward: &Program, wrt: &[Val]) -> Result<Self> {
        let b = Builder::over(forward);
        let seeds: Vec<Val> = wrt.iter().map(|v| b.input(forward.aval(*v).clone())).collect();
        let mut tangent = vec![Val::NONE; forward.n_values()];
        for (v, seed) in wrt.iter().zip(seeds) {
            let slot = &mut tangent[v.index()];
            // A value listed twice moves along both tangents.
            *slot = if *slot == Val::NONE { seed } else { b.emit(add(), &[*slot, seed])?[0] };
        }
        Ok(Self { b, tangent, t: vec![], outputs: vec![], avals: vec![] })
    }

    fn step(&mut self, forward: &Program, step: &Step<'_>, active: &[bool]) -> Result<()> {
        let tangent = &self.tangent;
        self.t.clear();
        self.t.extend(step.args.iter().map(|a| Some(tangent[a.index()]).filter(|t| *t != Val::NONE)));
        if self.t.iter().all(Option::is_none) {
            return Ok(());
        }
        self.outputs.clear();
        self.outputs.extend(step.outs());
        copy_avals(&mut self.avals, step.args.iter().map(|a| forward.aval(*a)));
        let rule = Rule { b: &self.b, inputs: step.args, outputs: &self.outputs, avals: &self.avals };
        let out = step.prim.jvp(rule, &self.t)?;
        if self.b.failed() {
            return Err(kept_error(std::mem::take(&mut self.b)));
        }
        if out.len() != self.outputs.len() {
            return Err(Error::program(format!(
                "{}: the jvp rule gave {} tangents for {} outputs",
                step.prim.name(),
                out.len(),
                self.outputs.len()
            )));
        }
        for (v, t) in self.outputs.iter().zip(out) {
            if let Some(t) = t.filter(|_| active[v.index()]) {
                self.tangent[v.index()] = t;
            }
        }
        Ok(())
    }

    fn finish(self, forward: &Program) -> Result<Linearized> {
        let mut outputs = vec![];
        let tangents = forward
            .outputs()
            .iter()
            .map(|v| {
                let t = self.tangent[v.index()];
                (t != Val::NONE).then(|| {
                    outputs.push(t);
                    outputs.len() - 1
                })
            })
            .collect();
        let program = self.b.finish(outputs)?;
        check_tangents(forward, &program, &self.tangent)?;
        Ok(Linearized { program, tangents })
    }
}

/// A tangent has its value's dtype and rank, whatever the rule.
fn check_tangents(forward: &Program, linear: &Program, tangent: &[Val]) -> Result<()> {
    let wrong = |v: usize| {
        let t = tangent[v];
        t != Val::NONE && !same_kind(forward.aval(Val::from_index(v)), linear.aval(t))
    };
    let Some(v) = (0..tangent.len()).find(|v| wrong(*v)) else {
        return Ok(());
    };
    let by = forward.definitions()[v].map_or("an input", |i| forward.step(i as usize).prim.name());
    let (want, got) = (forward.aval(Val::from_index(v)), linear.aval(tangent[v]));
    Err(Error::program(format!("{by}: the jvp rule gave {got} as the tangent of {want}")))
}

pub(crate) fn same_kind(a: &Aval, b: &Aval) -> bool {
    a.dtype == b.dtype && a.rank() == b.rank()
}

/// Makes `to` the avals of `from`; most often they are the last step's, and then
/// comparing is cheaper than copying.
pub(crate) fn copy_avals<'a>(to: &mut Vec<Aval>, from: impl ExactSizeIterator<Item = &'a Aval>) {
    to.truncate(from.len());
    for (i, aval) in from.enumerate() {
        match to.get_mut(i) {
            Some(old) if old == aval => {}
            Some(old) => old.clone_from(aval),
            None => to.push(aval.clone()),
        }
    }
}
