//! Functions that look values up: linear interpolation, distinct elements, elements by position.

use tenferro_graph::{DType, Dim, Error, Result, Shape, Tensor, Value};

use crate::sort::ordered;
use crate::take::{OutOfBounds, normalise_index};
use crate::take_along::take_along;
use crate::{
    ScatterOp, add, argsort, bitwise_and, bitwise_not, broadcast_to, cast, clip, concatenate, constant, div, eq, gt, isnan, lt, mul, ne,
    ones_like, ravel, remainder, reshape, scatter_rows, searchsorted, select, slice_axis, sub, take_rows, zeros_like,
};

/// The elements of `x` at the positions `i` along an axis; the other axes broadcast.
///
/// # Errors
/// `Shape` for another rank; `DType` for positions that are not integers; `Index`, when it
/// runs, for a position outside.
pub fn take_along_axis<V: Value>(x: &V, i: &V, axis: Option<isize>) -> Result<V> {
    let Some(axis) = axis else { return take_along_axis(&ravel(x)?, i, Some(0)) };
    let (mut a, mut b) = (x.aval().shape, i.aval().shape);
    let axis = crate::normalise_axis("take_along_axis", axis, a.rank())?;
    if a.rank() != b.rank() {
        return Err(Error::shape("take_along_axis", format!("shapes {a} and {b} of the positions have not as many axes")));
    }
    let (n, k) = (a[axis].clone(), b[axis].clone());
    a.set(axis, Dim::Const(1));
    b.set(axis, Dim::Const(1));
    let mut whole = crate::broadcast_shapes("take_along_axis", &a, &b)?;
    whole.set(axis, n.clone());
    let x = broadcast_to(x, whole.clone())?;
    whole.set(axis, k);
    take_along(&x, &broadcast_to(&normalise_index(i, axis, &n, OutOfBounds::Raise)?, whole)?, axis)
}

fn line(op: &'static str, x: &impl Value) -> Result<usize> {
    let shape = x.aval().shape;
    let n = if shape.rank() == 1 { shape[0].as_const() } else { None };
    n.filter(|n| *n > 0).ok_or_else(|| Error::shape(op, format!("the points need one axis with elements, got shape {shape}")))
}

fn scalar_at<V: Value>(x: &V, i: usize) -> Result<V> {
    reshape(&slice_axis(x, 0, i, i + 1)?, &[])
}

/// At `x` the lines through the points (xpᵢ, fpᵢ), xp increasing; before the first point `left`
/// and behind the last `right`, by default the outermost fp. With a `period` x and xp are taken
/// modulo it, and the line closes.
///
/// # Errors
/// `Shape` if xp and fp are not 1-D arrays of one length; `Value` for a period of 0.
pub fn interp<V: Value>(x: &V, xp: &V, fp: &V, left: Option<&V>, right: Option<&V>, period: Option<f64>) -> Result<V> {
    let n = line("interp", xp)?;
    if line("interp", fp)? != n {
        return Err(Error::shape("interp", format!("{n} points but {} values", fp.aval().shape)));
    }
    let real = x.aval().dtype.promote(xp.aval().dtype).inexact();
    if real.is_complex() {
        return Err(Error::dtype("interp", "x and the points must be real"));
    }
    let (x, xp) = (cast(x, real)?, cast(xp, real)?);
    match period {
        None => between(&x, &xp, fp, n, left, right),
        Some(p) if p == 0.0 || !p.is_finite() => Err(Error::value("interp", format!("the period is {p}"))),
        Some(p) => {
            let p = crate::scalar_like(&xp, p.abs())?;
            let xp = remainder(&xp, &p)?;
            let order = argsort(&xp, Some(0), false)?;
            let (xp, fp) = (take_rows(&xp, &order)?, take_rows(fp, &order)?);
            let (first, last) = (slice_axis(&xp, 0, 0, 1)?, slice_axis(&xp, 0, n - 1, n)?);
            let closed = concatenate(&[sub(&last, &p)?, xp, add(&first, &p)?], 0)?;
            let values = concatenate(&[slice_axis(&fp, 0, n - 1, n)?, fp.clone(), slice_axis(&fp, 0, 0, 1)?], 0)?;
            between(&remainder(&x, &p)?, &closed, &values, n + 2, None, None)
        }
    }
}

fn between<V: Value>(x: &V, xp: &V, fp: &V, n: usize, left: Option<&V>, right: Option<&V>) -> Result<V> {
    let fp = cast(fp, fp.aval().dtype.promote(xp.aval().dtype))?;
    let (first, last) = (scalar_at(xp, 0)?, scalar_at(xp, n - 1)?);
    let or_end = |given: Option<&V>, i| given.map_or_else(|| scalar_at(&fp, i), |v| Ok(v.clone()));
    let inside = if n == 1 {
        broadcast_to(&scalar_at(&fp, 0)?, x.aval().shape)?
    } else {
        let number = |i: usize| constant(x, Tensor::scalar(i as i64));
        let i = clip(&sub(&searchsorted(xp, x, true, None)?, &number(1)?)?, Some(&number(0)?), Some(&number(n - 2)?))?;
        let next = add(&i, &number(1)?)?;
        let (x0, x1, y0, y1) = (take_rows(xp, &i)?, take_rows(xp, &next)?, take_rows(&fp, &i)?, take_rows(&fp, &next)?);
        let width = sub(&x1, &x0)?;
        let flat = eq(&width, &zeros_like(&width)?)?;
        let slope = div(&sub(&y1, &y0)?, &select(&flat, &ones_like(&width)?, &width)?)?;
        // From the nearer end at the last point, where the value is then exact.
        let from_left = add(&mul(&slope, &sub(x, &x0)?)?, &y0)?;
        let from_right = add(&mul(&slope, &sub(x, &x1)?)?, &y1)?;
        select(&eq(x, &last)?, &from_right, &from_left)?
    };
    let y = select(&lt(x, &first)?, &or_end(left, 0)?, &inside)?;
    let y = select(&gt(x, &last)?, &or_end(right, n - 1)?, &y)?;
    select(&isnan(x)?, &cast(x, y.aval().dtype)?, &y)
}

/// The distinct elements of an array in order, and where they stand in it.
#[derive(Clone, Debug)]
pub struct Unique<V> {
    pub values: V,
    /// Of each value the first place in the flattened array.
    pub index: V,
    /// Of each element of the array its place among the values; of the array's shape.
    pub inverse: V,
    /// How often each value stands in the array.
    pub counts: V,
}

/// The first `size` distinct elements; where there are fewer, `fill` (the smallest element if
/// `None`), with the index 0 and the count 0. NaN counts as one element, the last.
///
/// # Errors
/// `Shape` for symbolic sizes or an empty array.
pub fn unique<V: Value>(x: &V, size: usize, fill: Option<&V>) -> Result<Unique<V>> {
    let shape = x.aval().shape;
    let flat = ravel(x)?;
    let n = line("unique", &flat)?;
    let [values, order] = ordered(&flat, 0, false)?;
    let new = {
        let (before, after) = (slice_axis(&values, 0, 0, n - 1)?, slice_axis(&values, 0, 1, n)?);
        let both_nan = bitwise_and(&isnan(&before)?, &isnan(&after)?)?;
        let changed = bitwise_and(&ne(&before, &after)?, &bitwise_not(&both_nan)?)?;
        concatenate(&[constant(x, Tensor::from_slice(&[1], &[true])?)?, changed], 0)?
    };
    // One more place says where the last value ends.
    let places = crate::flatnonzero(&new, size + 1, n as i64)?;
    let (first, end) = (slice_axis(&places, 0, 0, size)?, slice_axis(&places, 0, 1, size + 1)?);
    let total = constant(x, Tensor::scalar(n as i64))?;
    let missing = eq(&first, &total)?;
    let inside = select(&missing, &zeros_like(&first)?, &first)?;
    let fill = fill.map_or_else(|| scalar_at(&values, 0), |f| cast(f, x.aval().dtype))?;
    let ranks = sub(&crate::cumsum(&cast(&new, DType::I64)?, Some(0), false, false)?, &constant(x, Tensor::scalar(1_i64))?)?;
    let inverse = scatter_rows(ScatterOp::Set, &zeros_like(&ranks)?, &order, &ranks)?;
    Ok(Unique {
        values: select(&missing, &fill, &take_rows(&values, &inside)?)?,
        index: select(&missing, &zeros_like(&first)?, &take_rows(&order, &inside)?)?,
        inverse: reshape(&inverse, &shape)?,
        counts: sub(&end, &first)?,
    })
}

/// Whether the elements of `x` are among those of `among`.
pub fn isin<V: Value>(x: &V, among: &V) -> Result<V> {
    let flat = ravel(among)?;
    if flat.aval().shape == Shape::from([0]) {
        return cast(&zeros_like(x)?, DType::Bool);
    }
    let n = line("isin", &flat)?;
    let [values, _] = ordered(&flat, 0, false)?;
    let at = searchsorted(&values, x, false, None)?;
    let inside = clip(&at, None, Some(&constant(x, Tensor::scalar(n as i64 - 1))?))?;
    eq(&take_rows(&values, &inside)?, x)
}
