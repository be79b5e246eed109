//! The rewrites that the engine allows itself: those that keep every bit, for −0, NaN
//! and infinities too. x + 0 (−0 + 0 is 0), x − x and 0·x (NaN, infinity) are not here,
//! nor is x·1 of complex numbers (∞·0 in the other part).
//!
//! Transposes need no rewrite to enter contractions: they are strides, which a matrix
//! product reads as they are.

use std::sync::Arc;

use tenferro_graph::{Builder, DType, Prim, Program, Result, Val, Vals};
use tenferro_ops::{Binary, BinaryOp, BroadcastInDim, Cast, Constant, Number, Reshape, Select, StopGradient, Transpose, Unary, UnaryOp};

/// What an instruction becomes.
enum Form {
    /// A value that is there already.
    Value(Val),
    /// Another instruction of one argument.
    Other(Prim, Val),
}

/// The program being built, and what made its values.
struct Known<'a> {
    b: &'a Builder,
    made: &'a [Option<(Prim, Vals)>],
}

type Rule = fn(&Known<'_>, &Prim, &[Val]) -> Option<Form>;

/// The list of rewrites.
const RULES: [(&str, Rule); 9] = [
    ("a transpose of a transpose is one", transposes),
    ("a reshape of a reshape is the last one", reshapes),
    ("a broadcast of a broadcast is one", broadcasts),
    ("a cast to the same dtype", cast),
    ("times or divided by 1", one),
    ("negated or conjugated twice", twice),
    ("the conjugate or real part of reals", of_reals),
    ("a choice between equals", choice),
    ("a marker for derivatives", marker),
];

impl Known<'_> {
    /// What made `v`, if it is a `P`.
    fn made_by<P: tenferro_graph::Primitive>(&self, v: Val) -> Option<(&P, Val)> {
        let (prim, args) = self.made.get(v.index())?.as_ref()?;
        Some((prim.downcast()?, args.first().copied().unwrap_or(Val::NONE)))
    }

    /// Whether every element of `v` is 1.
    fn is_one(&self, v: Val) -> bool {
        if let Some((_, x)) = self.made_by::<BroadcastInDim>(v) {
            return self.is_one(x);
        }
        let Some((c, _)) = self.made_by::<Constant>(v) else { return false };
        c.tensor().rank() == 0 && Number::Int(1).tensor(c.tensor().dtype()).is_ok_and(|one| *c == Constant::new(one))
    }
}

/// `v` itself where `prim` of it is idle.
fn unless(idle: bool, prim: impl Into<Prim>, v: Val) -> Form {
    if idle { Form::Value(v) } else { Form::Other(prim.into(), v) }
}

fn identity(axes: &[usize]) -> bool {
    axes.iter().enumerate().all(|(i, a)| i == *a)
}

fn transposes(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let outer: &Transpose = prim.downcast()?;
    if let Some((inner, x)) = k.made_by::<Transpose>(args[0]) {
        let axes: Vec<usize> = outer.axes.iter().map(|a| inner.axes[*a]).collect();
        let idle = identity(&axes);
        return Some(unless(idle, Transpose { axes }, x));
    }
    identity(&outer.axes).then_some(Form::Value(args[0]))
}

fn reshapes(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let outer: &Reshape = prim.downcast()?;
    if let Some((_, x)) = k.made_by::<Reshape>(args[0]) {
        return Some(unless(k.b.aval(x).shape == outer.shape, outer.clone(), x));
    }
    (k.b.aval(args[0]).shape == outer.shape).then_some(Form::Value(args[0]))
}

fn broadcasts(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let outer: &BroadcastInDim = prim.downcast()?;
    if let Some((inner, x)) = k.made_by::<BroadcastInDim>(args[0]) {
        let dims = inner.dims.iter().map(|d| outer.dims[*d]).collect();
        return Some(Form::Other(BroadcastInDim { shape: outer.shape.clone(), dims }.into(), x));
    }
    (k.b.aval(args[0]).shape == outer.shape).then_some(Form::Value(args[0]))
}

fn cast(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let Cast { to } = prim.downcast()?;
    (k.b.aval(args[0]).dtype == *to).then_some(Form::Value(args[0]))
}

fn one(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let Binary(op) = prim.downcast()?;
    if k.b.aval(args[0]).dtype.is_complex() {
        return None;
    }
    match op {
        BinaryOp::Mul | BinaryOp::Div if k.is_one(args[1]) => Some(Form::Value(args[0])),
        BinaryOp::Mul if k.is_one(args[0]) => Some(Form::Value(args[1])),
        _ => None,
    }
}

fn twice(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let Unary(outer) = prim.downcast()?;
    let (Unary(inner), x) = k.made_by(args[0])?;
    (outer == inner && matches!(outer, UnaryOp::Neg | UnaryOp::Conj)).then_some(Form::Value(x))
}

fn of_reals(k: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    let Unary(op) = prim.downcast()?;
    let real = matches!(k.b.aval(args[0]).dtype, DType::F32 | DType::F64);
    (real && matches!(op, UnaryOp::Conj | UnaryOp::Real)).then_some(Form::Value(args[0]))
}

fn choice(_: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    (prim.is::<Select>() && args[1] == args[2]).then(|| Form::Value(args[1]))
}

fn marker(_: &Known<'_>, prim: &Prim, args: &[Val]) -> Option<Form> {
    prim.is::<StopGradient>().then(|| Form::Value(args[0]))
}

/// The program after all rewrites, without what nothing needs any more.
pub(crate) fn simplified(program: &Arc<Program>) -> Result<Arc<Program>> {
    if program.n_steps() < 2 {
        return Ok(program.clone());
    }
    let mut made: Vec<Option<(Prim, Vals)>> = vec![None; program.n_inputs()];
    let mut changed = false;
    let new = program.rebuild(&program.input_avals(), |b, step, args| {
        let known = Known { b, made: &made };
        let form = RULES.iter().find_map(|(_, rule)| rule(&known, step.prim, args));
        let (prim, args) = match form {
            Some(Form::Value(v)) => {
                changed = true;
                return Ok([v].into_iter().collect());
            }
            Some(Form::Other(prim, v)) => {
                changed = true;
                (prim, [v].into_iter().collect())
            }
            None => (step.prim.clone(), args.iter().copied().collect::<Vals>()),
        };
        let outs = b.emit(prim.clone(), &args)?;
        let one = outs.len() == 1;
        made.extend(outs.iter().map(|_| one.then(|| (prim.clone(), args.clone()))));
        Ok(outs)
    })?;
    if changed { new.pruned().map(Arc::new) } else { Ok(program.clone()) }
}

#[cfg(test)]
mod tests;
