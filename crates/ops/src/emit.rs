//! Applying primitives, and what every definition needs.

use tenferro_graph::{Aval, DType, Error, Prim, Primitive, Result, Rule, Val, Value};

use crate::{BroadcastInDim, Expr};

pub(crate) type Tangents = Vec<Option<Val>>;

/// One output of `prim` on x and `more`.
pub(crate) fn apply<V: Value>(prim: impl Primitive, x: &V, more: &[&V]) -> Result<V> {
    let prim = Prim::new(prim);
    let args: tenferro_graph::SmallVec<[&V; 4]> = std::iter::once(x).chain(more.iter().copied()).collect();
    let mut outs = x.emit(prim, &args)?;
    outs.truncate(1);
    outs.pop().ok_or_else(|| Error::program("an op without outputs was asked for one"))
}

/// The rule of an op that is linear in its one input: itself on the tangent.
pub(crate) fn linear_jvp(prim: impl Primitive, r: Rule<'_>, t: &[Option<Val>]) -> Tangents {
    vec![t[0].map(|t| r.b.emit_one(Prim::new(prim), &[t]))]
}

/// Maps the one cotangent, if there is one.
pub(crate) fn map_ct<'b>(r: Rule<'b>, ct: &[Option<Val>], f: impl FnOnce(Expr<'b>) -> Expr<'b>) -> Tangents {
    vec![ct[0].map(|ct| f(Expr::new(r.b, ct)).val())]
}

/// The number of inputs that an op takes.
pub(crate) fn arity<const N: usize>(op: &str, x: &[Aval]) -> Result<()> {
    if x.len() == N {
        return Ok(());
    }
    Err(Error::program(format!("{op}: takes {N} inputs, got {}", x.len())))
}

/// The dtypes that an op takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Number,
    Real,
    Inexact,
    Float,
    /// Bool and integers.
    Bits,
}

impl Class {
    pub fn check(self, op: &str, dtype: DType) -> Result<()> {
        let (ok, wanted) = match self {
            Self::Number => (dtype != DType::Bool, "a number dtype"),
            Self::Real => (dtype.is_float() || dtype.is_integer(), "a real number dtype"),
            Self::Inexact => (dtype.is_inexact(), "a floating or complex dtype"),
            Self::Float => (dtype.is_float(), "a real floating dtype"),
            Self::Bits => (dtype.is_integer() || dtype == DType::Bool, "an integer dtype or bool"),
        };
        if ok {
            return Ok(());
        }
        Err(Error::dtype(op.to_owned(), format!("needs {wanted}, got {dtype}; cast it first")))
    }
}

/// Batches an op that works element by element: operands without the batch are
/// repeated along it.
pub(crate) fn batch_elementwise(prim: impl Primitive, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
    let args = with_batch(r, batched, &[])?;
    Ok(r.b.emit(Prim::new(prim), &args)?.into_iter().map(|v| (v, true)).collect())
}

/// The inputs, each with the batch as axis 0 (but not those in `except`).
pub(crate) fn with_batch(r: Rule<'_>, batched: &[bool], except: &[usize]) -> Result<Vec<Val>> {
    let with = batched.iter().position(|b| *b);
    let size = with.and_then(|i| r.b.aval(r.inputs[i]).shape.first().cloned());
    let size = size.ok_or_else(|| Error::program("batch: no input carries the batch"))?;
    let mut args = r.inputs.to_vec();
    for (i, v) in args.iter_mut().enumerate() {
        if !batched[i] && !except.contains(&i) {
            let mut shape = r.b.aval(*v).shape;
            let dims = (1..=shape.rank()).collect();
            shape.insert(0, size.clone());
            *v = r.b.emit_one(Prim::new(BroadcastInDim { shape, dims }), &[*v]);
        }
    }
    Ok(args)
}
