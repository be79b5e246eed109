//! Reverse mode: the linear steps of a linearized program, backwards.

use tenferro_graph::{Aval, Builder, Error, Prim, Program, Result, Rule, Step, Val};
use tenferro_ops::{Cast, Unary, UnaryOp};

use crate::activity::check_wrt;
use crate::linearize::{Linearized, add, copy_avals, kept_error, linearize, same_kind, without_dead_steps};

/// Cotangents of `wrt` from cotangents of the outputs of `forward`: the adjoint
/// of [`crate::jvp`] in Re⟨·,·⟩, so a real loss has the gradient 2∂L/∂z̄.
///
/// The program's inputs are all values of `forward`, then one cotangent per
/// forward output; its outputs are the cotangents of `wrt`, and the second result
/// says for each `wrt` which of them it is (`None` where no output depends on it).
/// A `wrt` that is an output itself gets the cotangent input unchanged.
///
/// # Errors
/// `DType` for a `wrt` of bool or integer dtype, `Missing` if an op has no jvp or
/// transpose rule.
pub fn vjp(forward: &Program, wrt: &[Val]) -> Result<(Program, Vec<Option<usize>>)> {
    check_wrt("vjp", forward, wrt)?;
    transpose(forward, &linearize(forward, wrt)?)
}

/// The adjoint of a linearized program; see [`vjp`] for inputs and outputs.
///
/// # Errors
/// `Missing` if a linear op has no transpose rule.
pub fn transpose(forward: &Program, linear: &Linearized) -> Result<(Program, Vec<Option<usize>>)> {
    let mut pass = Pass::new(forward, &linear.program);
    let seeds: Vec<Val> = forward.outputs().iter().map(|v| pass.b.input(forward.aval(*v).clone())).collect();
    for (seed, tangent) in seeds.into_iter().zip(&linear.tangents) {
        if let Some(i) = tangent {
            pass.accumulate(linear.program.outputs()[*i], seed)?;
        }
    }
    for i in (0..linear.program.n_steps()).rev() {
        pass.step(&linear.program.step(i))?;
    }
    pass.finish()
}

struct Pass<'a> {
    b: Builder,
    linear: &'a Program,
    /// Values from this number on belong to the linear program; smaller ones are forward values.
    base: usize,
    // By value of the linear program, from `base` on.
    is_linear: Vec<bool>,
    ct: Vec<Val>,
    /// Where a coefficient stands in the new program, once it is there.
    moved: Vec<Val>,
    defined_by: Vec<u32>,
    /// Whether there are both real and complex linear values.
    mixed: bool,
    add: Prim,
    // Reused from step to step.
    inputs: Vec<Val>,
    avals: Vec<Aval>,
    mask: Vec<bool>,
    cts: Vec<Option<Val>>,
    stack: Vec<u32>,
}

impl<'a> Pass<'a> {
    fn new(forward: &Program, linear: &'a Program) -> Self {
        let base = forward.n_values();
        let n = linear.n_values() - base;
        let mut is_linear = vec![false; n];
        is_linear[..linear.n_inputs() - base].fill(true);
        let mut defined_by = vec![0; n];
        for (i, step) in linear.steps().enumerate() {
            let depends = step.args.iter().any(|a| a.index() >= base && is_linear[a.index() - base]);
            for v in step.outs() {
                is_linear[v.index() - base] = depends;
                defined_by[v.index() - base] = i as u32;
            }
        }
        let complex = |i: &usize| linear.aval(Val::from_index(*i + base)).dtype.is_complex();
        let n_linear = is_linear.iter().filter(|l| **l).count();
        let n_complex = (0..n).filter(|i| is_linear[*i] && complex(i)).count();
        Self {
            b: Builder::over(forward),
            linear,
            base,
            is_linear,
            ct: vec![Val::NONE; n],
            moved: vec![Val::NONE; n],
            defined_by,
            mixed: n_complex != 0 && n_complex != n_linear,
            add: add(),
            inputs: vec![],
            avals: vec![],
            mask: vec![],
            cts: vec![],
            stack: vec![],
        }
    }

    fn depends_on_tangents(&self, v: Val) -> bool {
        v.index() >= self.base && self.is_linear[v.index() - self.base]
    }

    fn step(&mut self, step: &Step<'_>) -> Result<()> {
        self.cts.clear();
        for v in step.outs() {
            self.cts.push(Some(self.ct[v.index() - self.base]).filter(|c| *c != Val::NONE));
        }
        if self.cts.iter().all(Option::is_none) {
            return Ok(());
        }
        self.inputs.clear();
        copy_avals(&mut self.avals, step.args.iter().map(|a| self.linear.aval(*a)));
        self.mask.clear();
        for a in step.args {
            let linear = self.depends_on_tangents(*a);
            let input = if linear { Val::NONE } else { self.coefficient(*a)? };
            self.inputs.push(input);
            self.mask.push(linear);
        }
        let rule = Rule { b: &self.b, inputs: &self.inputs, outputs: &[], avals: &self.avals };
        let out = step.prim.transpose(rule, &self.mask, &self.cts)?;
        if self.b.failed() {
            return Err(kept_error(std::mem::take(&mut self.b)));
        }
        if out.len() != step.args.len() {
            return Err(Error::program(format!(
                "{}: the transpose rule gave {} cotangents for {} inputs",
                step.prim.name(),
                out.len(),
                step.args.len()
            )));
        }
        for (i, ct) in out.into_iter().enumerate() {
            if let Some(ct) = ct.filter(|_| self.mask[i]) {
                let ct = if self.mixed { self.fitted(i, ct)? } else { ct };
                self.accumulate(step.args[i], ct)?;
            }
        }
        Ok(())
    }

    /// A complex cotangent of a real value is projected to its real part.
    fn fitted(&self, input: usize, ct: Val) -> Result<Val> {
        let (want, got) = (self.avals[input].dtype, self.b.aval(ct).dtype);
        let prim = match (got.is_complex(), want.is_complex()) {
            (true, false) => Prim::new(Unary(UnaryOp::Real)),
            (false, true) => Prim::new(Cast { to: want }),
            _ => return Ok(ct),
        };
        Ok(self.b.emit(prim, &[ct])?[0])
    }

    fn accumulate(&mut self, v: Val, ct: Val) -> Result<()> {
        if !self.depends_on_tangents(v) {
            return Ok(());
        }
        let slot = &mut self.ct[v.index() - self.base];
        *slot = if *slot == Val::NONE { ct } else { self.b.emit(self.add.clone(), &[*slot, ct])?[0] };
        Ok(())
    }

    /// The value of a coefficient in the new program; the steps that compute it
    /// are copied when first needed, so that unused ones never appear.
    fn coefficient(&mut self, v: Val) -> Result<Val> {
        if v.index() < self.base {
            return Ok(v);
        }
        let at = v.index() - self.base;
        if self.moved[at] == Val::NONE {
            self.stack.push(self.defined_by[at]);
            self.copy_steps()?;
        }
        Ok(self.moved[at])
    }

    fn copy_steps(&mut self) -> Result<()> {
        let mut args = tenferro_graph::Vals::new();
        while let Some(&i) = self.stack.last() {
            let step = self.linear.step(i as usize);
            args.clear();
            let pending = self.stack.len();
            for a in step.args {
                let here = if a.index() < self.base { *a } else { self.moved[a.index() - self.base] };
                if here == Val::NONE {
                    self.stack.push(self.defined_by[a.index() - self.base]);
                }
                args.push(here);
            }
            if self.stack.len() > pending {
                continue;
            }
            self.stack.pop();
            let first = step.out(0).index() - self.base;
            if self.moved[first] == Val::NONE {
                let outs = self.b.emit(step.prim.clone(), &args)?;
                self.moved[first..first + outs.len()].copy_from_slice(&outs);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(Program, Vec<Option<usize>>)> {
        let mut outputs = vec![];
        let n_wrt = self.linear.n_inputs() - self.base;
        let found = self.ct[..n_wrt]
            .iter()
            .map(|ct| {
                (*ct != Val::NONE).then(|| {
                    outputs.push(*ct);
                    outputs.len() - 1
                })
            })
            .collect();
        let program = self.b.finish(outputs)?;
        check_cotangents(self.linear, self.base, &program, &self.ct)?;
        Ok((without_dead_steps(program)?, found))
    }
}

/// A cotangent has its value's dtype and rank, whatever the rule.
fn check_cotangents(linear: &Program, base: usize, program: &Program, ct: &[Val]) -> Result<()> {
    let value = |i: usize| Val::from_index(base + i);
    let wrong = |i: usize| ct[i] != Val::NONE && !same_kind(linear.aval(value(i)), program.aval(ct[i]));
    let Some(i) = (0..ct.len()).rev().find(|i| wrong(*i)) else {
        return Ok(());
    };
    let user = linear.steps().rev().find(|s| s.args.contains(&value(i)));
    let by = user.map_or("an output", |s| s.prim.name());
    let (want, got) = (linear.aval(value(i)), program.aval(ct[i]));
    Err(Error::program(format!("{by}: the transpose rule gave {got} as the cotangent of {want}")))
}
