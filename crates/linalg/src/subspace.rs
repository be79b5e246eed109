//! Rank, pseudoinverse, least squares, polar factors and bases of ranges and null spaces.

use tenferro_graph::{DType, Error, Result, Shape, Value};
use tenferro_ops::{
    broadcast_to, cast, div, full_like, gt, matmul, mul, reduce_sum, scalar_like, select, slice_axis, square, stop_gradient, sub,
    zeros_like,
};

use crate::Degeneracy;
use crate::attached::{LeastSquares, Pinv, Polar};
use crate::functions::{svd, svd_with, svdvals};
use crate::parts;
use crate::triangular::with_right_side;

/// max(m, n) times the precision of the dtype: NumPy's default.
fn default_rtol(dtype: DType, m: usize, n: usize) -> f64 {
    let eps = if matches!(dtype, DType::F32 | DType::C64) { f64::from(f32::EPSILON) } else { f64::EPSILON };
    m.max(n) as f64 * eps
}

/// Which singular values exceed rtol times the largest; (…, k) with k > 0.
fn significant<V: Value>(s: &V, rtol: f64) -> Result<V> {
    let top = slice_axis(s, s.aval().rank() - 1, 0, 1)?;
    gt(s, &mul(&top, &scalar_like(&top, rtol)?)?)
}

/// How many singular values of a (…, m, n) exceed rtol times the largest: int64 (…). Without
/// `rtol`, max(m, n) times the precision of the dtype.
///
/// # Errors
/// As [`crate::svdvals`].
pub fn matrix_rank<V: Value>(a: &V, rtol: Option<f64>) -> Result<V> {
    let a = parts::finite("matrix_rank", a)?;
    let (m, n) = parts::sizes("matrix_rank", &a)?;
    let s = stop_gradient(&svdvals(&a)?)?;
    let counted = if m.min(n) == 0 { s.clone() } else { significant(&s, rtol.unwrap_or_else(|| default_rtol(a.aval().dtype, m, n)))? };
    reduce_sum(&cast(&counted, DType::I64)?, &[s.aval().rank() - 1])
}

/// 1/s where `kept`, else 0.
fn inverses<V: Value>(s: &V, kept: &V) -> Result<V> {
    let one = full_like(s, 1.0)?;
    select(kept, &div(&one, &select(kept, s, &one)?)?, &zeros_like(s)?)
}

/// The pseudoinverse (…, n, m) of a (…, m, n); singular values up to rtol times the largest count
/// as 0 (`None`: as in [`matrix_rank`]). The derivative is that at constant rank.
///
/// # Errors
/// As [`crate::svd`].
pub fn pinv<V: Value>(a: &V, rtol: Option<f64>) -> Result<V> {
    let a = parts::finite("pinv", a)?;
    let (m, n) = parts::sizes("pinv", &a)?;
    if m.min(n) == 0 {
        return parts::adjoint(&a);
    }
    let [u, s, vh] = svd(&stop_gradient(&a)?, false)?;
    let kept = significant(&s, rtol.unwrap_or_else(|| default_rtol(a.aval().dtype, m, n)))?;
    let p = parts::recompose(&parts::adjoint(&vh)?, &inverses(&s, &kept)?, &parts::adjoint(&u)?)?;
    parts::one(Pinv, &[&a, &p])
}

/// Least squares: x that minimises |a x − b| for a (…, m, n) and b (m,) or (…, m, k), of several
/// the shortest; residuals, the sums of squares (…, k) where m > n, else empty; the rank of a; and
/// its singular values. Singular values up to rtol times the largest count as 0 (`None`: as in
/// [`matrix_rank`]). The derivative is that at constant rank.
///
/// # Errors
/// `Shape` unless a and b fit; at run `LinAlg` if a holds NaN or infinity.
pub fn lstsq<V: Value>(a: &V, b: &V, rtol: Option<f64>) -> Result<[V; 4]> {
    let (a, b) = parts::common(a, b)?;
    let (m, n) = parts::sizes("lstsq", &a)?;
    let a = parts::finite("lstsq", &a)?;
    let [u, s, vh] = svd(&a, false)?;
    let values = stop_gradient(&s)?;
    let (inverse, rank) = if m.min(n) == 0 {
        (values.clone(), values)
    } else {
        let kept = significant(&values, rtol.unwrap_or_else(|| default_rtol(a.aval().dtype, m, n)))?;
        (inverses(&values, &kept)?, kept)
    };
    let (u, vh) = (stop_gradient(&u)?, stop_gradient(&vh)?);
    let batch = a.aval().shape;
    let x = with_right_side("lstsq", &a, &b, |a, b| {
        let with = |x: &V, axes: usize| aligned_to(x, &batch, &a.aval().shape, axes);
        let (u, inverse, vh) = (with(&u, 2)?, with(&inverse, 1)?, with(&vh, 2)?);
        let across = mul(&matmul(&parts::adjoint(&u)?, &stop_gradient(b)?)?, &cast(&parts::per_row(&inverse)?, u.aval().dtype)?)?;
        let x = matmul(&parts::adjoint(&vh)?, &across)?;
        parts::one(LeastSquares, &[a, b, &u, &inverse, &vh, &x])
    })?;
    let residuals = residuals(&a, &b, &x, m > n)?;
    let axis = rank.aval().rank() - 1;
    Ok([x, residuals, reduce_sum(&cast(&rank, DType::I64)?, &[axis])?, s])
}

/// A factor of matrices of shape `of`, of which `axes` axes are its own, for the leading axes of
/// matrices of shape `to`.
fn aligned_to<V: Value>(x: &V, of: &Shape, to: &Shape, axes: usize) -> Result<V> {
    if parts::leading(of) == parts::leading(to) {
        return Ok(x.clone());
    }
    let own = x.aval().shape;
    broadcast_to(x, parts::leading(to).iter().chain(&own[own.rank() - axes..]).cloned().collect())
}

fn residuals<V: Value>(a: &V, b: &V, x: &V, wanted: bool) -> Result<V> {
    let vector = b.aval().rank() == 1;
    let (b, x) = if vector { (parts::per_row(b)?, parts::per_row(x)?) } else { (b.clone(), x.clone()) };
    let off = sub(&b, &matmul(a, &x)?)?;
    let rank = off.aval().rank();
    let sums = reduce_sum(&tenferro_ops::add(&square(&tenferro_ops::real(&off)?)?, &square(&tenferro_ops::imag(&off)?)?)?, &[rank - 2])?;
    if wanted { Ok(sums) } else { slice_axis(&sums, rank - 2, 0, 0) }
}

/// Polar decomposition of a (…, m, n): q (…, m, n) with orthonormal columns or rows, and p
/// Hermitian positive semidefinite, a = q p, or, if `left`, a = p q.
///
/// First derivatives are exact also where singular values tie; of a matrix without full rank q is
/// not unique.
///
/// # Errors
/// As [`crate::svd`].
pub fn polar<V: Value>(a: &V, left: bool) -> Result<[V; 2]> {
    let a = parts::finite("polar", a)?;
    let (m, n) = parts::sizes("polar", &a)?;
    if m.min(n) == 0 {
        let side = if left { m } else { n };
        return Ok([a.clone(), zeros_like(&parts::eye_like(&a, side, side)?)?]);
    }
    let [u, s, vh] = svd(&a, false)?;
    let q = matmul(&stop_gradient(&u)?, &stop_gradient(&vh)?)?;
    let q = parts::one(Polar, &[&a, &u, &s, &vh, &q])?;
    let adjoint = parts::adjoint(&q)?;
    let p = if left { matmul(&a, &adjoint)? } else { matmul(&adjoint, &a)? };
    Ok([q, parts::hermitian_part(&p)?])
}

/// An orthonormal basis (…, m, rank) of the range of a (…, m, n): the leading left singular vectors.
///
/// # Errors
/// As [`crate::svd`]; `Value` if rank exceeds min(m, n).
pub fn orth<V: Value>(a: &V, rank: usize) -> Result<V> {
    let a = parts::finite("orth", a)?;
    let (m, n) = parts::sizes("orth", &a)?;
    check_rank("orth", rank, m.min(n))?;
    let [u, ..] = svd(&a, true)?;
    parts::columns(&u, 0, rank)
}

/// An orthonormal basis (…, n, n − rank) of the null space of a (…, m, n) of that rank: the last right
/// singular vectors. Its derivative has no component inside the space.
///
/// # Errors
/// As [`crate::svd`]; `Value` if rank exceeds min(m, n).
pub fn null_space<V: Value>(a: &V, rank: usize) -> Result<V> {
    let a = parts::finite("null_space", a)?;
    let (m, n) = parts::sizes("null_space", &a)?;
    check_rank("null_space", rank, m.min(n))?;
    let [_, _, vh] = svd_with(&a, m < n, false, Degeneracy::Mask)?;
    parts::adjoint(&parts::rows(&vh, rank, n)?)
}

fn check_rank(op: &'static str, rank: usize, most: usize) -> Result<()> {
    if rank <= most {
        return Ok(());
    }
    Err(Error::value(op, format!("the rank is at most min(m, n) = {most}, got {rank}")))
}
