//! Checks that factorizations share, and batching.

use tenferro_graph::{Aval, Dim, Error, Guards, Prim, Result, Rule, Shape, Val};
use tenferro_ops::Expr;

use crate::algebra::broadcast;

/// The aval of a stack of matrices, taken apart.
pub(crate) struct Matrix {
    pub batch: Shape,
    pub m: Dim,
    pub n: Dim,
}

impl Matrix {
    /// # Errors
    /// `DType` unless floating or complex, `Shape` below two axes.
    pub fn of(op: &'static str, x: &[Aval]) -> Result<Self> {
        let [a] = x else {
            return Err(Error::program(format!("{op}: takes 1 input, got {}", x.len())));
        };
        if !a.dtype.is_inexact() {
            return Err(Error::dtype(op, format!("needs a floating or complex dtype, got {}; cast it first", a.dtype)));
        }
        let Some(r) = a.rank().checked_sub(2) else {
            return Err(Error::shape(op, format!("needs at least 2 axes, got shape {}", a.shape)));
        };
        Ok(Self { batch: Shape::from(&a.shape[..r]), m: a.shape[r].clone(), n: a.shape[r + 1].clone() })
    }

    /// [`Matrix::of`] a square matrix.
    ///
    /// # Errors
    /// As [`Matrix::of`]; `Shape` unless square.
    pub fn square(op: &'static str, x: &[Aval], g: &mut Guards) -> Result<Self> {
        let a = Self::of(op, x)?;
        if !g.equal(&a.m, &a.n) {
            return Err(Error::shape(op, format!("needs square matrices, got shape {}", x[0].shape)));
        }
        Ok(a)
    }

    /// min(m, n).
    ///
    /// # Errors
    /// `Shape` if it cannot be told because of a symbolic size.
    pub fn min(&self, op: &'static str) -> Result<Dim> {
        match (&self.m, &self.n) {
            (Dim::Const(m), Dim::Const(n)) => Ok(Dim::Const(*m.min(n))),
            (m, n) if m == n => Ok(m.clone()),
            (m, n) => Err(Error::shape(op, format!("min({m}, {n}) is not known; give the last two axes numbers"))),
        }
    }

    /// The batch axes and then `last`.
    pub fn shape(&self, last: &[&Dim]) -> Shape {
        self.batch.iter().chain(last.iter().copied()).cloned().collect()
    }
}

/// The batch rule of an op that maps matrices one by one and has one input.
pub(crate) fn batch_one(prim: impl Into<Prim>, r: Rule<'_>) -> Result<Vec<(Val, bool)>> {
    Ok(r.b.emit(prim.into(), r.inputs)?.into_iter().map(|v| (v, true)).collect())
}

/// The same for several inputs: those without the batch are repeated along it.
pub(crate) fn batch_all(prim: impl Into<Prim>, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
    let with = batched.iter().position(|b| *b);
    let Some(size) = with.and_then(|i| r.b.aval(r.inputs[i]).shape.first().cloned()) else {
        return Err(Error::program("batch: no input carries the batch"));
    };
    let repeat = |(v, batched): (&Val, &bool)| {
        if *batched {
            return *v;
        }
        let mut shape = r.b.aval(*v).shape;
        let dims = (1..=shape.rank()).collect();
        shape.insert(0, size.clone());
        broadcast(Expr::new(r.b, *v), shape, dims).val()
    };
    let args: Vec<Val> = r.inputs.iter().zip(batched).map(repeat).collect();
    Ok(r.b.emit(prim.into(), &args)?.into_iter().map(|v| (v, true)).collect())
}
