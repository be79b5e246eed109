//! Matrix algebra on expressions, over the last two axes. All operands of one
//! call have the same leading axes.

use num_complex::{Complex32, Complex64};
use tenferro_graph::{Aval, Builder, DType, Dim, Prim, Shape, Tensor, Val};
use tenferro_ops::{BroadcastInDim, Constant, DotGeneral, Expr, Reduce, ReduceOp, Reshape, Slice, StopGradient, Transpose};

use crate::parts;

pub(crate) fn aval(x: Expr<'_>) -> Aval {
    x.b().aval(x.val())
}

/// Applies an operation with one output.
pub(crate) fn apply<'b>(prim: impl Into<Prim>, x: Expr<'b>, more: &[Expr<'b>]) -> Expr<'b> {
    let args: Vec<Val> = std::iter::once(x.val()).chain(more.iter().map(Expr::val)).collect();
    Expr::new(x.b(), x.b().emit_one(prim.into(), &args))
}

/// Contracts axis `rank − from_l` of `l` with axis `rank − from_r` of `r`.
fn dot<'b>(l: Expr<'b>, from_l: usize, r: Expr<'b>, from_r: usize) -> Expr<'b> {
    let rank = aval(l).rank().max(2);
    let batch: Vec<usize> = (0..rank - 2).collect();
    let prim =
        DotGeneral { lhs_batch: batch.clone(), rhs_batch: batch, lhs_contract: vec![rank - from_l], rhs_contract: vec![rank - from_r] };
    apply(prim, l, &[r])
}

/// l r
pub(crate) fn mul<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    dot(l, 1, r, 2)
}

/// l\* r
pub(crate) fn adjoint_mul<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    dot(conj(l), 2, r, 2)
}

/// l r\*
pub(crate) fn mul_adjoint<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    dot(l, 1, conj(r), 1)
}

/// x\*
pub(crate) fn adjoint(x: Expr<'_>) -> Expr<'_> {
    let rank = aval(x).rank().max(2);
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.swap(rank - 1, rank - 2);
    apply(Transpose { axes }, conj(x), &[])
}

pub(crate) fn conj(x: Expr<'_>) -> Expr<'_> {
    if aval(x).dtype.is_complex() { x.conj() } else { x }
}

pub(crate) fn cast(x: Expr<'_>, dtype: DType) -> Expr<'_> {
    if aval(x).dtype == dtype { x } else { x.cast(dtype) }
}

/// Re of the sum over rows: (…, m, k) to real (…, k).
pub(crate) fn real_column_sums(x: Expr<'_>) -> Expr<'_> {
    let rank = aval(x).rank().max(2);
    let sums = apply(Reduce { op: ReduceOp::Sum, axes: vec![rank - 2] }, x, &[]);
    if aval(x).dtype.is_complex() { sums.real() } else { sums }
}

/// (…, k) to (…, 1, k): one number a column.
pub(crate) fn per_column(x: Expr<'_>) -> Expr<'_> {
    let mut shape = aval(x).shape;
    shape.insert(shape.rank().max(1) - 1, Dim::Const(1));
    apply(Reshape { shape }, x, &[])
}

/// (…, k) to (…, k, 1): one number a row.
pub(crate) fn per_row(x: Expr<'_>) -> Expr<'_> {
    let mut shape = aval(x).shape;
    shape.push(Dim::Const(1));
    apply(Reshape { shape }, x, &[])
}

/// Element 0 of the last axis, which stays with length 1.
pub(crate) fn first(x: Expr<'_>) -> Expr<'_> {
    let mut limits: Vec<Dim> = aval(x).shape.to_vec();
    if let Some(last) = limits.last_mut() {
        *last = Dim::Const(1);
    }
    apply(Slice { starts: vec![0; limits.len()], steps: vec![1; limits.len()], limits }, x, &[])
}

pub(crate) fn stop_gradient(x: Expr<'_>) -> Expr<'_> {
    apply(StopGradient, x, &[])
}

/// An array of one number, with the shape and dtype of `x`.
pub(crate) fn full_like(x: Expr<'_>, value: f64) -> Expr<'_> {
    full(x.b(), &aval(x), value)
}

pub(crate) fn full<'b>(b: &'b Builder, aval: &Aval, value: f64) -> Expr<'b> {
    let scalar = match aval.dtype {
        DType::F32 => Tensor::scalar(value as f32),
        DType::C64 => Tensor::scalar(Complex32::new(value as f32, 0.0)),
        DType::C128 => Tensor::scalar(Complex64::new(value, 0.0)),
        _ => Tensor::scalar(value),
    };
    let scalar = Expr::new(b, b.emit_one(Prim::new(Constant::new(scalar)), &[]));
    if aval.rank() == 0 { scalar } else { broadcast(scalar, aval.shape.clone(), vec![]) }
}

/// Input axis j becomes axis `dims[j]` of `shape`.
pub(crate) fn broadcast(x: Expr<'_>, shape: Shape, dims: Vec<usize>) -> Expr<'_> {
    apply(BroadcastInDim { shape, dims }, x, &[])
}

/// 1/x where `mask`, else exactly 0, with finite derivatives of every order.
pub(crate) fn inverse_where<'b>(mask: Expr<'b>, x: Expr<'b>) -> Expr<'b> {
    let one = full_like(x, 1.0);
    mask.select(one / mask.select(x, one), full_like(x, 0.0))
}

/// Element −1 of the last axis, which stays with length 1.
pub(crate) fn last(x: Expr<'_>) -> Expr<'_> {
    x.keep(parts::size("last", &x, 1).and_then(|n| parts::columns(&x, n.saturating_sub(1), n)))
}

pub(crate) fn triangle<'b>(op: &str, x: Expr<'b>, part: parts::Part) -> Expr<'b> {
    x.keep(parts::triangle(op, &x, part))
}

pub(crate) fn rows(x: Expr<'_>, from: usize, to: usize) -> Expr<'_> {
    x.keep(parts::rows(&x, from, to))
}

pub(crate) fn columns(x: Expr<'_>, from: usize, to: usize) -> Expr<'_> {
    x.keep(parts::columns(&x, from, to))
}

/// Matrices joined along their columns (axis 1 from the end) or rows (2).
pub(crate) fn joined<'b>(parts: &[Expr<'b>], from_end: isize) -> Expr<'b> {
    parts[0].keep(tenferro_ops::concatenate(parts, -from_end))
}

pub(crate) fn hermitian_part(x: Expr<'_>) -> Expr<'_> {
    (x + adjoint(x)) * 0.5
}

/// The largest of the last axis, which becomes 1, as a scale without derivative; 1 if it is 0.
pub(crate) fn scale_of(largest: Expr<'_>) -> Expr<'_> {
    let top = stop_gradient(largest);
    top.gt(full_like(top, 0.0)).select(top, full_like(top, 1.0))
}

/// tr(x y), without the product.
pub(crate) fn trace_of_product<'b>(x: Expr<'b>, y: Expr<'b>) -> Expr<'b> {
    let product = conj(adjoint(x)) * y;
    let rank = aval(product).rank().max(2);
    apply(Reduce { op: ReduceOp::Sum, axes: vec![rank - 2, rank - 1] }, product, &[])
}

/// (…) to (…, 1, 1).
pub(crate) fn as_matrix(x: Expr<'_>) -> Expr<'_> {
    per_row(per_row(x))
}
