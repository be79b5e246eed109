//! Reductions over axes.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Shape, Val, Value};

use crate::broadcast::broadcast_in_dim;
use crate::emit::{Class, Tangents, apply, arity, linear_jvp, map_ct};
use crate::{Expr, RuleExt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// The sum; of no elements, 0.
    Sum,
    /// The largest element, NaN if one is NaN. Ties share the derivative equally.
    Max,
}

/// Reduces over `axes` (sorted, distinct), which are removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    pub op: ReduceOp,
    pub axes: Vec<usize>,
}

impl Reduce {
    fn kept(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|a| !self.axes.contains(a)).collect()
    }
}

impl Primitive for Reduce {
    fn name(&self) -> &str {
        match self.op {
            ReduceOp::Sum => "reduce_sum",
            ReduceOp::Max => "reduce_max",
        }
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>(self.name(), x)?;
        let class = if self.op == ReduceOp::Sum { Class::Number } else { Class::Real };
        class.check(self.name(), x[0].dtype)?;
        if let Some(a) = self.axes.iter().find(|a| **a >= x[0].rank()) {
            return Err(Error::index(self.name().to_owned(), format!("axis {a} is out of range for {} axes", x[0].rank())));
        }
        if !self.axes.windows(2).all(|w| w[0] < w[1]) {
            return Err(Error::value(self.name().to_owned(), format!("axes {:?} repeat or are not sorted", self.axes)));
        }
        if self.op == ReduceOp::Max && self.axes.iter().any(|a| x[0].shape[*a] == Dim::Const(0)) {
            return Err(Error::value(self.name().to_owned(), format!("no elements to take the maximum of, shape {}", x[0].shape)));
        }
        let shape: Shape = self.kept(x[0].rank()).into_iter().map(|a| x[0].shape[a].clone()).collect();
        Ok(vec![Aval { dtype: x[0].dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if self.op == ReduceOp::Sum {
            return Ok(linear_jvp(self.clone(), r, t));
        }
        let Some(t) = t[0].map(|t| r.expr(t)) else { return Ok(vec![None]) };
        let x = r.x(0);
        let y = x.keep(broadcast_in_dim(&r.y(0), x.aval().shape, &self.kept(x.aval().rank())));
        let at = x.eq(y).select(x.full_like(1.0), x.full_like(0.0));
        let sum = |e: Expr<'_>| r.b.emit_one(Self { op: ReduceOp::Sum, axes: self.axes.clone() }.into(), &[e.val()]);
        Ok(vec![Some((r.expr(sum(at * t)) / r.expr(sum(at))).val())])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        if self.op != ReduceOp::Sum {
            return Err(Error::missing_rule(self.name().to_owned(), "transpose"));
        }
        let shape = r.avals[0].shape.clone();
        let dims = self.kept(shape.rank());
        Ok(map_ct(r, ct, |ct| ct.keep(broadcast_in_dim(&ct, shape, &dims))))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let axes = self.axes.iter().map(|a| a + 1).collect();
        Ok(vec![(r.b.emit_one(Self { op: self.op, axes }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&self.axes);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axes", format!("{:?}", self.axes))]
    }
}

fn reduce<V: Value>(op: ReduceOp, x: &V, axes: &[usize]) -> Result<V> {
    if axes.is_empty() {
        return Ok(x.clone());
    }
    let mut axes = axes.to_vec();
    axes.sort_unstable();
    apply(Reduce { op, axes }, x, &[])
}

/// The sum over `axes`, which are removed.
pub fn reduce_sum<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    reduce(ReduceOp::Sum, x, axes)
}

/// The maximum over `axes`, which are removed.
pub fn reduce_max<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    reduce(ReduceOp::Max, x, axes)
}

/// Axes as NumPy counts them, from the end where negative; `None` means all.
pub fn normalise_axes(op: &str, axes: Option<&[isize]>, rank: usize) -> Result<Vec<usize>> {
    let Some(axes) = axes else { return Ok((0..rank).collect()) };
    let mut out = Vec::with_capacity(axes.len());
    for a in axes {
        out.push(normalise_axis(op, *a, rank)?);
    }
    let mut sorted = out.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|w| w[0] == w[1]) {
        return Err(Error::value(op.to_owned(), format!("axes {axes:?} repeat")));
    }
    Ok(out)
}

pub fn normalise_axis(op: &str, axis: isize, rank: usize) -> Result<usize> {
    let wrapped = if axis < 0 { axis + rank as isize } else { axis };
    usize::try_from(wrapped)
        .ok()
        .filter(|a| *a < rank)
        .ok_or_else(|| Error::index(op.to_owned(), format!("axis {axis} is out of range for {rank} axes")))
}

fn over<V: Value>(op: &'static str, kind: ReduceOp, x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let aval = x.aval();
    let axes = normalise_axes(op, axes, aval.rank())?;
    let y = reduce(kind, x, &axes)?;
    if !keepdims {
        return Ok(y);
    }
    let mut shape = aval.shape;
    for a in axes {
        shape.set(a, Dim::Const(1));
    }
    crate::reshape(&y, &shape)
}

/// The sum over axes (all if `None`). Bool and integers are added in the 64-bit integers of
/// their signedness.
pub fn sum<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let dtype = match x.aval().dtype {
        d if d.is_unsigned() => DType::U64,
        d if d.is_integer() || d == DType::Bool => DType::I64,
        d => d,
    };
    over("sum", ReduceOp::Sum, &crate::cast(x, dtype)?, axes, keepdims)
}

/// The maximum over axes (all if `None`).
pub fn max<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("max", ReduceOp::Max, x, axes, keepdims)
}

/// The mean over axes (all if `None`); integers and bool are averaged in float64.
pub fn mean<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let aval = x.aval();
    let dtype = if aval.dtype.is_inexact() { aval.dtype } else { DType::F64 };
    let chosen = normalise_axes("mean", axes, aval.rank())?;
    let mut n = 1.0;
    for a in chosen {
        let size = aval.shape[a].as_const();
        n *= size.ok_or_else(|| Error::shape("mean", format!("the size of axis {a} is symbolic; use sum")))? as f64;
    }
    let total = sum(&crate::cast(x, dtype)?, axes, keepdims)?;
    crate::div(&total, &crate::scalar_like(&total, n)?)
}
