//! Reductions over axes.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Shape, Val, Value};

use crate::broadcast::broadcast_in_dim;
use crate::emit::{Class, Tangents, apply, arity, linear_jvp, map_ct};
use crate::slice::{concatenate, slice_axis};
use crate::{Expr, RuleExt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// The sum; of no elements, 0.
    Sum,
    /// The product; of no elements, 1.
    Prod,
    /// The largest element, NaN if one is NaN; of bool, whether one holds. Ties share the
    /// derivative equally.
    Max,
    /// The smallest element, NaN if one is NaN; of bool, whether all hold. Ties as for `Max`.
    Min,
}

impl ReduceOp {
    pub const ALL: [Self; 4] = [Self::Sum, Self::Prod, Self::Max, Self::Min];

    /// Whether the result is one of the elements.
    pub const fn chooses(self) -> bool {
        matches!(self, Self::Max | Self::Min)
    }
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

    /// No maximum of no elements, unless nobody asks for one; bool has any and all of nothing.
    fn not_empty(&self, x: &Aval) -> Result<()> {
        let empty = |a: &usize| x.shape[*a] == Dim::Const(0);
        if !self.op.chooses() || x.dtype == DType::Bool || self.kept(x.rank()).iter().any(empty) {
            return Ok(());
        }
        let Some(axis) = self.axes.iter().copied().find(empty) else { return Ok(()) };
        let text = if self.op == ReduceOp::Max { "maximum" } else { "minimum" };
        Err(Error::value(self.name().to_owned(), format!("axis {axis} has no elements to take the {text} of, shape {}", x.shape)))
    }

    /// Ties share the tangent.
    fn chosen<'b>(&self, r: Rule<'b>, t: Expr<'b>) -> Expr<'b> {
        let x = r.x(0);
        let y = x.keep(broadcast_in_dim(&r.y(0), x.aval().shape, &self.kept(x.aval().rank())));
        let at = x.eq(y).select(x.full_like(1.0), x.full_like(0.0));
        let sum = |e: Expr<'b>| r.expr(r.b.emit_one(Self { op: ReduceOp::Sum, axes: self.axes.clone() }.into(), &[e.val()]));
        sum(at * t) / sum(at)
    }

    /// The axes joined into one, which comes last.
    fn gathered<V: Value>(&self, x: &V) -> Result<V> {
        let shape = x.aval().shape;
        let kept = self.kept(shape.rank());
        let order: Vec<usize> = kept.iter().chain(&self.axes).copied().collect();
        let length = self.axes.iter().fold(Dim::Const(1), |n, a| &n * &shape[*a]);
        let joined: Vec<Dim> = kept.iter().map(|a| shape[*a].clone()).chain([length]).collect();
        crate::reshape(&crate::transpose(x, &order)?, &joined)
    }

    /// The tangent of a product through a tree of pairs, (p, t) ⊗ (q, u) = (pq, tq + pu): no
    /// division, so that zeros are right to every order.
    fn product<'b>(&self, r: Rule<'b>, t: Expr<'b>) -> Result<Option<Expr<'b>>> {
        let (mut p, mut t) = (self.gathered(&r.x(0))?, self.gathered(&t)?);
        let shape = p.aval().shape;
        let axis = shape.rank() - 1;
        let n = shape[axis].as_const();
        let mut n = n.ok_or_else(|| Error::shape("reduce_prod", "the derivative needs numeric sizes of the reduced axes"))?;
        if n == 0 {
            return Ok(None);
        }
        while n > 1 {
            let half = n / 2;
            let part = |x: &Expr<'b>, i: usize| slice_axis(x, axis, i * half, (i + 1) * half);
            let (p0, p1, t0, t1) = (part(&p, 0)?, part(&p, 1)?, part(&t, 0)?, part(&t, 1)?);
            let rest = |x: &Expr<'b>, y: Expr<'b>| match n % 2 {
                0 => Ok(y),
                _ => concatenate(&[y, slice_axis(x, axis, n - 1, n)?], axis as isize),
            };
            (p, t) = (rest(&p, p0 * p1)?, rest(&t, t0 * p1 + p0 * t1)?);
            n -= half;
        }
        Ok(Some(crate::reshape(&t, &shape[..axis])?))
    }
}

impl Primitive for Reduce {
    fn name(&self) -> &str {
        match self.op {
            ReduceOp::Sum => "reduce_sum",
            ReduceOp::Prod => "reduce_prod",
            ReduceOp::Max => "reduce_max",
            ReduceOp::Min => "reduce_min",
        }
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>(self.name(), x)?;
        let class = if self.op.chooses() { Class::Real } else { Class::Number };
        if !(self.op.chooses() && x[0].dtype == DType::Bool) {
            class.check(self.name(), x[0].dtype)?;
        }
        if let Some(a) = self.axes.iter().find(|a| **a >= x[0].rank()) {
            return Err(Error::index(self.name().to_owned(), format!("axis {a} is out of range for {} axes", x[0].rank())));
        }
        if !self.axes.windows(2).all(|w| w[0] < w[1]) {
            return Err(Error::value(self.name().to_owned(), format!("axes {:?} repeat or are not sorted", self.axes)));
        }
        self.not_empty(&x[0])?;
        let shape: Shape = self.kept(x[0].rank()).into_iter().map(|a| x[0].shape[a].clone()).collect();
        Ok(vec![Aval { dtype: x[0].dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if self.op == ReduceOp::Sum {
            return Ok(linear_jvp(self.clone(), r, t));
        }
        let Some(t) = t[0].map(|t| r.expr(t)) else { return Ok(vec![None]) };
        let tangent = if self.op == ReduceOp::Prod { self.product(r, t)? } else { Some(self.chosen(r, t)) };
        Ok(vec![tangent.map(|t| t.val())])
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

/// The minimum over `axes`, which are removed.
pub fn reduce_min<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    reduce(ReduceOp::Min, x, axes)
}

/// The product over `axes`, which are removed.
pub fn reduce_prod<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    reduce(ReduceOp::Prod, x, axes)
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

/// Reduced axes put back with length 1.
pub(crate) fn keep_axes<V: Value>(y: &V, mut shape: Shape, axes: &[usize]) -> Result<V> {
    for a in axes {
        shape.set(*a, Dim::Const(1));
    }
    crate::reshape(y, &shape)
}

fn over<V: Value>(op: &'static str, kind: ReduceOp, x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let aval = x.aval();
    let axes = normalise_axes(op, axes, aval.rank())?;
    let y = reduce(kind, x, &axes)?;
    if keepdims { keep_axes(&y, aval.shape, &axes) } else { Ok(y) }
}

/// The dtype in which NumPy adds and multiplies: bool and integers in 64 bits of their signedness.
pub(crate) fn accumulator(dtype: DType) -> DType {
    match dtype {
        d if d.is_unsigned() => DType::U64,
        d if d.is_integer() || d == DType::Bool => DType::I64,
        d => d,
    }
}

/// The sum over axes (all if `None`). Bool and integers are added in the 64-bit integers of
/// their signedness.
pub fn sum<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("sum", ReduceOp::Sum, &crate::cast(x, accumulator(x.aval().dtype))?, axes, keepdims)
}

/// The product over axes (all if `None`); dtypes as for [`sum`].
pub fn prod<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("prod", ReduceOp::Prod, &crate::cast(x, accumulator(x.aval().dtype))?, axes, keepdims)
}

/// The maximum over axes (all if `None`), NaN if one is NaN.
pub fn max<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("max", ReduceOp::Max, x, axes, keepdims)
}

/// The minimum over axes (all if `None`), NaN if one is NaN.
pub fn min<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("min", ReduceOp::Min, x, axes, keepdims)
}

/// Whether one element over axes (all if `None`) is not 0; of none, false. Gives bool.
pub fn any<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("any", ReduceOp::Max, &crate::cast(x, DType::Bool)?, axes, keepdims)
}

/// Whether no element over axes (all if `None`) is 0; of none, true. Gives bool.
pub fn all<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    over("all", ReduceOp::Min, &crate::cast(x, DType::Bool)?, axes, keepdims)
}

/// How many elements over axes (all if `None`) are not 0, as int64.
pub fn count_nonzero<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let ones = crate::cast(&crate::cast(x, DType::Bool)?, DType::I64)?;
    over("count_nonzero", ReduceOp::Sum, &ones, axes, keepdims)
}
