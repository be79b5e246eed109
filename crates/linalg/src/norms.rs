//! Norms and condition numbers.

use tenferro_graph::{DType, Dim, Error, Result, Value};
use tenferro_ops::{
    abs, add, cast, div, eq, full_like, imag, max, mul, ne, neg, normalise_axes, pow, real, scalar_like, select, sqrt, square, sum,
    zeros_like,
};

use crate::functions::svdvals;
use crate::lu::inv;
use crate::parts;

/// Which norm of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixOrd {
    /// The root of the sum of squares.
    Fro,
    /// The sum of singular values.
    Nuc,
    /// The largest sum of a column's absolute values.
    One,
    /// The smallest such sum.
    MinusOne,
    /// The largest singular value.
    Two,
    /// The smallest singular value.
    MinusTwo,
    /// The largest sum of a row's absolute values.
    Inf,
    /// The smallest such sum.
    MinusInf,
}

fn min<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    neg(&max(&neg(x)?, axes, keepdims)?)
}

/// |x|², real.
fn squares<V: Value>(x: &V) -> Result<V> {
    if x.aval().dtype.is_complex() { add(&square(&real(x)?)?, &square(&imag(x)?)?) } else { square(x) }
}

/// f(x), and 0 with derivative 0 where x is 0.
fn zero_at_zero<V: Value>(x: &V, f: impl FnOnce(&V) -> Result<V>) -> Result<V> {
    let zero = eq(x, &zeros_like(x)?)?;
    select(&zero, &zeros_like(x)?, &f(&select(&zero, &full_like(x, 1.0)?, x)?)?)
}

/// The norm of each matrix of a (…, m, n): real (…), or (…, 1, 1) if `keepdims`. The derivative of
/// the Frobenius norm of a zero matrix is 0.
///
/// # Errors
/// `Shape` below two axes; `Value` for a maximum over no elements; at run `LinAlg` if a norm of singular
/// values meets NaN or infinity.
pub fn matrix_norm<V: Value>(a: &V, ord: MatrixOrd, keepdims: bool) -> Result<V> {
    let a = parts::inexact(a)?;
    parts::size("matrix_norm", &a, 2)?;
    // The axis to sum over and the one to take the extreme along, before and after the first is gone.
    let sums = |axis: isize| sum(&abs(&a)?, Some(&[axis]), true);
    let (last, row) = (Some([-1].as_slice()), Some([-2].as_slice()));
    let norm = match ord {
        MatrixOrd::Fro => zero_at_zero(&sum(&squares(&a)?, Some(&[-2, -1]), true)?, sqrt)?,
        MatrixOrd::One => max(&sums(-2)?, last, true)?,
        MatrixOrd::MinusOne => min(&sums(-2)?, last, true)?,
        MatrixOrd::Inf => max(&sums(-1)?, row, true)?,
        MatrixOrd::MinusInf => min(&sums(-1)?, row, true)?,
        MatrixOrd::Nuc => parts::per_row(&sum(&svdvals(&a)?, last, true)?)?,
        MatrixOrd::Two => parts::per_row(&max(&svdvals(&a)?, last, true)?)?,
        MatrixOrd::MinusTwo => parts::per_row(&min(&svdvals(&a)?, last, true)?)?,
    };
    if keepdims { Ok(norm) } else { sum(&norm, Some(&[-2, -1]), false) }
}

/// The vector norm of order `ord` over axes (all if `None`, as if flattened): 0 counts what is not 0,
/// ±∞ take the extreme of |x|, others are (Σ|x|ᵖ)^(1/p). The derivative at 0 is 0.
///
/// # Errors
/// `Index` for an axis out of range; `Value` for NaN as an order or the smallest of no elements.
pub fn vector_norm<V: Value>(x: &V, ord: f64, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let x = parts::inexact(x)?;
    let chosen = normalise_axes("vector_norm", axes, x.aval().rank())?;
    if ord.is_nan() {
        return Err(Error::value("vector_norm", "the order is NaN"));
    }
    if ord == 2.0 {
        return zero_at_zero(&sum(&squares(&x)?, axes, keepdims)?, sqrt);
    }
    let size = abs(&x)?;
    if ord == 1.0 {
        return sum(&size, axes, keepdims);
    }
    if ord == 0.0 {
        return sum(&cast(&ne(&size, &zeros_like(&size)?)?, size.aval().dtype)?, axes, keepdims);
    }
    if ord.is_infinite() {
        let shape = size.aval().shape;
        // The largest of no elements is 0, as in NumPy.
        let none = chosen.iter().any(|a| shape[*a] == Dim::Const(0));
        return match ord > 0.0 {
            true if none => sum(&size, axes, keepdims),
            true => max(&size, axes, keepdims),
            false => min(&size, axes, keepdims),
        };
    }
    let power = |x: &V, p: f64| pow(x, &scalar_like(x, p)?);
    if ord > 0.0 {
        let terms = zero_at_zero(&size, |x| power(x, ord))?;
        return zero_at_zero(&sum(&terms, axes, keepdims)?, |x| power(x, 1.0 / ord));
    }
    // One element that is 0 makes the sum infinite and the norm 0.
    let zero = eq(&size, &zeros_like(&size)?)?;
    let terms = power(&select(&zero, &full_like(&size, 1.0)?, &size)?, ord)?;
    let norm = power(&sum(&terms, axes, keepdims)?, 1.0 / ord)?;
    let any = max(&cast(&zero, DType::I64)?, axes, keepdims)?;
    select(&cast(&any, DType::Bool)?, &zeros_like(&norm)?, &norm)
}

/// The condition number of each matrix: |a|·|a⁻¹| in a norm, or, for the norms of singular values
/// (the default), their quotient, also of matrices that are not square; ∞ for singular ones.
///
/// # Errors
/// As [`matrix_norm`]; with other norms `Shape` unless square and at run `LinAlg` for a singular matrix.
pub fn cond<V: Value>(a: &V, ord: Option<MatrixOrd>) -> Result<V> {
    let norm = |ord| matrix_norm(a, ord, false);
    match ord {
        None | Some(MatrixOrd::Two) => div(&norm(MatrixOrd::Two)?, &norm(MatrixOrd::MinusTwo)?),
        Some(MatrixOrd::MinusTwo) => div(&norm(MatrixOrd::MinusTwo)?, &norm(MatrixOrd::Two)?),
        Some(ord) => {
            parts::order("cond", a)?;
            mul(&norm(ord)?, &matrix_norm(&inv(a, true)?, ord, false)?)
        }
    }
}
