//! Pieces of matrices, over any kind of value. Errors speak of `op`.

use tenferro_graph::{DType, Dim, Error, Prim, Result, Shape, SmallVec, Tensor, Value};
use tenferro_ops::{
    broadcast_shapes, broadcast_to, cast, conj, constant, matmul, mul, reshape, scalar_like, slice_axis, swap_last, tril, triu,
};

/// The one output of a primitive.
pub(crate) fn one<V: Value>(prim: impl Into<Prim>, args: &[&V]) -> Result<V> {
    let mut outs = all(prim, args)?;
    outs.truncate(1);
    outs.pop().ok_or_else(|| Error::program("an op without outputs was asked for one"))
}

/// All outputs of a primitive.
pub(crate) fn all<V: Value>(prim: impl Into<Prim>, args: &[&V]) -> Result<SmallVec<[V; 3]>> {
    let [first, ..] = args else {
        return Err(Error::program("a factorization without inputs"));
    };
    first.emit(prim.into(), args)
}

/// `N` outputs of a primitive.
pub(crate) fn several<V: Value, const N: usize>(prim: impl Into<Prim>, args: &[&V]) -> Result<[V; N]> {
    let outs: Vec<V> = all(prim, args)?.into_iter().take(N).collect();
    outs.try_into().map_err(|_| Error::program("a factorization has too few outputs"))
}

/// Floating or complex: bool and integers become float64, as in NumPy.
pub(crate) fn inexact<V: Value>(x: &V) -> Result<V> {
    if x.aval().dtype.is_inexact() { Ok(x.clone()) } else { cast(x, DType::F64) }
}

/// Matrices of floating or complex numbers; errors at run about NaN and infinity speak of `op`.
pub(crate) fn finite<V: Value>(op: &'static str, x: &V) -> Result<V> {
    let x = inexact(x)?;
    size(op, &x, 2)?;
    one(crate::attached::Finite { what: op }, &[&x])
}

/// Two operands in their common floating or complex dtype.
pub(crate) fn common<V: Value>(x: &V, y: &V) -> Result<(V, V)> {
    let (x, y) = (inexact(x)?, inexact(y)?);
    let dtype = x.aval().dtype.promote(y.aval().dtype);
    Ok((cast(&x, dtype)?, cast(&y, dtype)?))
}

/// The numeric size of the axis `from_end` before the end.
pub(crate) fn size<V: Value>(op: &str, x: &V, from_end: usize) -> Result<usize> {
    let shape = x.aval().shape;
    let Some(axis) = shape.rank().checked_sub(from_end) else {
        return Err(Error::shape(op.to_owned(), format!("needs at least {from_end} axes, got shape {shape}")));
    };
    let n = shape[axis].as_const();
    n.ok_or_else(|| Error::shape(op.to_owned(), format!("size {} is not known; give the last two axes numbers", shape[axis])))
}

/// Rows and columns.
pub(crate) fn sizes<V: Value>(op: &str, x: &V) -> Result<(usize, usize)> {
    Ok((size(op, x, 2)?, size(op, x, 1)?))
}

/// The order of a square matrix.
pub(crate) fn order<V: Value>(op: &str, x: &V) -> Result<usize> {
    let (m, n) = sizes(op, x)?;
    if m == n { Ok(n) } else { Err(Error::shape(op.to_owned(), format!("needs square matrices, got shape {}", x.aval().shape))) }
}

/// x\*
pub(crate) fn adjoint<V: Value>(x: &V) -> Result<V> {
    swap_last(&conj(x)?)
}

/// (x + x\*)/2
pub(crate) fn hermitian_part<V: Value>(x: &V) -> Result<V> {
    scaled(&tenferro_ops::add(x, &adjoint(x)?)?, 0.5)
}

pub(crate) fn scaled<V: Value>(x: &V, by: f64) -> Result<V> {
    mul(x, &scalar_like(x, by)?)
}

/// Which triangle of a matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Lower,
    StrictlyLower,
    Upper,
    StrictlyUpper,
}

/// `x` with zeros outside a triangle.
pub(crate) fn triangle<V: Value>(op: &str, x: &V, part: Part) -> Result<V> {
    sizes(op, x)?;
    match part {
        Part::Lower => tril(x, 0),
        Part::StrictlyLower => tril(x, -1),
        Part::Upper => triu(x, 0),
        Part::StrictlyUpper => triu(x, 1),
    }
}

/// The m×n matrix with ones on its diagonal, real or complex as `dtype` says.
pub(crate) fn eye<V: Value>(context: &V, m: usize, n: usize, dtype: DType) -> Result<V> {
    let one = cast(&constant(context, Tensor::scalar(1.0))?, dtype)?;
    tril(&triu(&broadcast_to(&one, Shape::from([m, n]))?, 0)?, 0)
}

/// [`eye`] behind the leading axes of `like`, in its dtype.
pub(crate) fn eye_like<V: Value>(like: &V, m: usize, n: usize) -> Result<V> {
    let aval = like.aval();
    let shape: Shape = leading(&aval.shape).iter().cloned().chain([Dim::Const(m), Dim::Const(n)]).collect();
    broadcast_to(&eye(like, m, n, aval.dtype)?, shape)
}

/// Rows `from .. to`.
pub(crate) fn rows<V: Value>(x: &V, from: usize, to: usize) -> Result<V> {
    slice_axis(x, x.aval().rank().saturating_sub(2), from, to)
}

/// Columns `from .. to`.
pub(crate) fn columns<V: Value>(x: &V, from: usize, to: usize) -> Result<V> {
    slice_axis(x, x.aval().rank().saturating_sub(1), from, to)
}

/// (…, k) to (…, 1, k).
pub(crate) fn per_column<V: Value>(x: &V) -> Result<V> {
    let mut shape = x.aval().shape;
    shape.insert(shape.rank().max(1) - 1, Dim::Const(1));
    reshape(x, &shape)
}

/// (…, k) to (…, k, 1).
pub(crate) fn per_row<V: Value>(x: &V) -> Result<V> {
    let mut shape = x.aval().shape;
    shape.push(Dim::Const(1));
    reshape(x, &shape)
}

/// u diag(s) vh for real s.
pub(crate) fn recompose<V: Value>(u: &V, s: &V, vh: &V) -> Result<V> {
    matmul(&mul(u, &cast(&per_column(s)?, u.aval().dtype)?)?, vh)
}

/// All axes but the last two.
pub(crate) fn leading(shape: &Shape) -> &[Dim] {
    &shape[..shape.rank().saturating_sub(2)]
}

/// Two stacks of matrices with their leading axes broadcast.
pub(crate) fn aligned<V: Value>(op: &str, x: &V, y: &V) -> Result<(V, V)> {
    let (a, b) = (x.aval().shape, y.aval().shape);
    if leading(&a) == leading(&b) {
        return Ok((x.clone(), y.clone()));
    }
    let batch = broadcast_shapes(op, &Shape::from(leading(&a)), &Shape::from(leading(&b)))?;
    let with = |s: &Shape| -> Shape { batch.iter().chain(&s[s.rank() - 2..]).cloned().collect() };
    Ok((broadcast_to(x, with(&a))?, broadcast_to(y, with(&b))?))
}
