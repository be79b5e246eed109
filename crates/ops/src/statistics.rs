//! Averages and spreads over axes; functions of sums of exponentials.

use tenferro_graph::{DType, Dim, Error, Result, Shape, Value};

use crate::composite::largest;
use crate::reduce::{keep_axes, normalise_axes, normalise_axis};
use crate::sort::in_order;
use crate::{
    add, cast, div, eq, exp, full_like, isfinite, isnan, log, max, minimum, mul, ne, nextafter, real, reduce_max, reduce_sum, reshape,
    scalar_like, select, slice_axis, sqrt, square, stop_gradient, sub, sum, transpose, zeros_like,
};

/// x in the dtype of averages: float64 for bool and integers.
fn averaged<V: Value>(x: &V) -> Result<V> {
    let dtype = x.aval().dtype;
    cast(x, if dtype.is_inexact() { dtype } else { DType::F64 })
}

/// The number of elements over axes.
fn count(op: &'static str, shape: &Shape, axes: &[usize]) -> Result<f64> {
    let mut n = 1.0;
    for a in axes {
        let size = shape[*a].as_const();
        n *= size.ok_or_else(|| Error::shape(op, format!("the size of axis {a} is symbolic; use sum")))? as f64;
    }
    Ok(n)
}

/// The mean over axes (all if `None`); integers and bool are averaged in float64. Of nothing, NaN.
pub fn mean<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let shape = x.aval().shape;
    let n = count("mean", &shape, &normalise_axes("mean", axes, shape.rank())?)?;
    let total = sum(&averaged(x)?, axes, keepdims)?;
    div(&total, &scalar_like(&total, n)?)
}

/// The variance over axes (all if `None`), Σ|x − mean|²/(n − correction); real for complex x.
/// NaN or ∞ where n ≤ correction, as in NumPy.
pub fn var<V: Value>(x: &V, axes: Option<&[isize]>, correction: f64, keepdims: bool) -> Result<V> {
    let (x, shape) = (averaged(x)?, x.aval().shape);
    let chosen = normalise_axes("var", axes, shape.rank())?;
    let n = count("var", &shape, &chosen)?;
    let total = sum(&squared(&sub(&x, &mean(&x, axes, true)?)?)?, axes, keepdims)?;
    div(&total, &scalar_like(&total, (n - correction).max(0.0))?)
}

/// The standard deviation, √[`var`]. Derivative 0 where it is 0.
pub fn std<V: Value>(x: &V, axes: Option<&[isize]>, correction: f64, keepdims: bool) -> Result<V> {
    root(&var(x, axes, correction, keepdims)?)
}

/// |x|², real.
fn squared<V: Value>(x: &V) -> Result<V> {
    if x.aval().dtype.is_complex() {
        return add(&square(&real(x)?)?, &square(&crate::imag(x)?)?);
    }
    square(x)
}

/// √x of x ≥ 0 with derivative 0 at 0.
fn root<V: Value>(x: &V) -> Result<V> {
    let zero = eq(x, &zeros_like(x)?)?;
    select(&zero, &zeros_like(x)?, &sqrt(&select(&zero, &full_like(x, 1.0)?, x)?)?)
}

/// The largest real part over axes as a constant of differentiation, with length 1; −∞ of nothing.
fn top<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    let re = stop_gradient(&if x.aval().dtype.is_complex() { real(x)? } else { x.clone() })?;
    let shape = re.aval().shape;
    if axes.iter().any(|a| shape[*a] == Dim::Const(0)) {
        return full_like(&keep_axes(&reduce_sum(&re, axes)?, shape, axes)?, f64::NEG_INFINITY);
    }
    keep_axes(&reduce_max(&re, axes)?, shape, axes)
}

/// What exponentials subtract: their `top`, the largest number for +∞, 0 for −∞ and NaN.
fn shift<V: Value>(top: &V) -> Result<V> {
    let bounded = minimum(top, &scalar_like(top, largest(top.aval().dtype))?)?;
    select(&isfinite(&bounded)?, &bounded, &zeros_like(top)?)
}

/// The largest number for +∞, else x; derivative 1 everywhere.
fn below_infinity<V: Value>(x: &V) -> Result<V> {
    let fixed = stop_gradient(x)?;
    // The step from ∞ ends at the largest number, that from x to itself at x.
    nextafter(x, &minimum(&fixed, &scalar_like(&fixed, largest(fixed.aval().dtype))?)?)
}

/// log Σ eˣ over axes (all if `None`) without overflow; −∞ of nothing or where all are −∞, with
/// derivative 0; real +∞ share the derivative. Integers are taken as floats.
pub fn logsumexp<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let dtype = x.aval().dtype.inexact();
    let (x, shape) = (cast(x, dtype)?, x.aval().shape);
    let axes = normalise_axes("logsumexp", axes, shape.rank())?;
    let top = top(&x, &axes)?;
    let by = shift(&top)?;
    let x = if dtype.is_complex() { x } else { below_infinity(&x)? };
    let total = keep_axes(&reduce_sum(&exp(&sub(&x, &cast(&by, dtype)?)?)?, &axes)?, shape.clone(), &axes)?;
    let zero = eq(&total, &zeros_like(&total)?)?;
    let safe = log(&select(&zero, &full_like(&total, 1.0)?, &total)?)?;
    let back = select(&eq(&top, &full_like(&top, f64::INFINITY)?)?, &top, &by)?;
    let y = add(&select(&zero, &full_like(&total, f64::NEG_INFINITY)?, &safe)?, &cast(&back, dtype)?)?;
    if keepdims {
        return Ok(y);
    }
    let kept: Vec<Dim> = (0..shape.rank()).filter(|a| !axes.contains(a)).map(|a| shape[a].clone()).collect();
    reshape(&y, &kept)
}

/// eˣ / Σ eˣ over axes (all if `None`) without overflow.
pub fn softmax<V: Value>(x: &V, axes: Option<&[isize]>) -> Result<V> {
    let x = cast(x, x.aval().dtype.inexact())?;
    let chosen = normalise_axes("softmax", axes, x.aval().rank())?;
    let e = exp(&sub(&x, &cast(&shift(&top(&x, &chosen)?)?, x.aval().dtype)?)?)?;
    div(&e, &sum(&e, axes, true)?)
}

/// log [`softmax`], accurate where that is small.
pub fn log_softmax<V: Value>(x: &V, axes: Option<&[isize]>) -> Result<V> {
    let x = cast(x, x.aval().dtype.inexact())?;
    let chosen = normalise_axes("log_softmax", axes, x.aval().rank())?;
    let x = sub(&x, &cast(&shift(&top(&x, &chosen)?)?, x.aval().dtype)?)?;
    sub(&x, &log(&sum(&exp(&x)?, axes, true)?)?)
}

/// The median over axes (all if `None`): of an even number the mean of the middle two; NaN if
/// one is NaN or there are none. Integers and bool in float64.
pub fn median<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    let (x, shape) = (averaged(x)?, x.aval().shape);
    let axes = normalise_axes("median", axes, shape.rank())?;
    let n = count("median", &shape, &axes)? as usize;
    let kept: Vec<usize> = (0..shape.rank()).filter(|a| !axes.contains(a)).collect();
    let order: Vec<usize> = kept.iter().chain(&axes).copied().collect();
    let mut lengths: Vec<Dim> = kept.iter().map(|a| shape[*a].clone()).collect();
    let last = kept.len();
    if n == 0 {
        // The mean of nothing is NaN.
        let whole: Vec<isize> = axes.iter().map(|a| *a as isize).collect();
        return mean(&x, Some(&whole), keepdims);
    }
    let gathered = transpose(&x, &order)?;
    lengths.push(Dim::Const(n));
    let sorted = in_order(&reshape(&gathered, &lengths)?, last, false)?;
    lengths.pop();
    let at = |i: usize| reshape(&slice_axis(&sorted, last, i, i + 1)?, &lengths);
    let middle = at(n / 2)?;
    let y = if n % 2 == 1 {
        middle
    } else {
        let total = add(&at(n / 2 - 1)?, &middle)?;
        mul(&total, &scalar_like(&total, 0.5)?)?
    };
    let top = at(n - 1)?;
    let y = select(&isnan(&top)?, &top, &y)?;
    if keepdims { keep_axes(&y, shape, &axes) } else { Ok(y) }
}

/// The `n`-th differences along `axis`, after `prepend` and `append` are joined to x where given.
/// Of bool, whether neighbours differ. Scalars are joined as one element.
pub fn diff<V: Value>(x: &V, n: usize, axis: isize, prepend: Option<&V>, append: Option<&V>) -> Result<V> {
    let rank = x.aval().rank();
    let axis = normalise_axis("diff", axis, rank)?;
    let mut one = x.aval().shape;
    one.set(axis, Dim::Const(1));
    let end = |v: &V| if v.aval().rank() == 0 { crate::broadcast_to(v, one.clone()) } else { Ok(v.clone()) };
    let mut parts = vec![];
    if let Some(v) = prepend {
        parts.push(end(v)?);
    }
    parts.push(x.clone());
    if let Some(v) = append {
        parts.push(end(v)?);
    }
    let mut x = crate::concatenate(&parts, axis as isize)?;
    // Once nothing is left, nothing changes.
    let most = x.aval().shape[axis].as_const().unwrap_or(n);
    for _ in 0..n.min(most) {
        let shape = x.aval().shape;
        let size = shape[axis].as_const().ok_or_else(|| Error::shape("diff", format!("the size of axis {axis} is symbolic")))?;
        let (high, low) = (slice_axis(&x, axis, size.min(1), size)?, slice_axis(&x, axis, 0, size.saturating_sub(1))?);
        x = if x.aval().dtype == DType::Bool { ne(&high, &low)? } else { sub(&high, &low)? };
    }
    Ok(x)
}

/// The largest minus the smallest element over axes (all if `None`).
pub fn ptp<V: Value>(x: &V, axes: Option<&[isize]>, keepdims: bool) -> Result<V> {
    sub(&max(x, axes, keepdims)?, &crate::min(x, axes, keepdims)?)
}
