//! NumPy's ways to continue an array over its ends.

use tenferro_graph::{DType, Dim, Error, Result, Tensor, Value};

use crate::arrange::pick;
use crate::{add, broadcast_to, cast, concatenate, constant, max, mean, min, mul, rint, slice_axis, sub};

/// What the new elements are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PadMode {
    /// The element at the end.
    Edge,
    /// The array read backwards from its end element, which is not repeated.
    Reflect,
    /// The array read backwards, its end element first.
    Symmetric,
    /// The array again from its other end.
    Wrap,
    /// A straight line from the end element to these numbers, before and behind.
    LinearRamp(f64, f64),
    /// The largest of so many elements from the end on; of all if `None`.
    Maximum(Option<usize>),
    /// The smallest of them.
    Minimum(Option<usize>),
    /// Their mean; rounded for integers.
    Mean(Option<usize>),
}

/// `x` with (before, behind) new elements on each axis, one axis after the other.
///
/// # Errors
/// `Value` for another number of widths than axes, or an empty axis to be continued.
pub fn pad_mode<V: Value>(x: &V, widths: &[(usize, usize)], mode: PadMode) -> Result<V> {
    let shape = x.aval().shape;
    if widths.len() != shape.rank() {
        return Err(Error::value("pad", format!("{} pairs of widths for {} axes", widths.len(), shape.rank())));
    }
    let mut y = x.clone();
    for (axis, (low, high)) in widths.iter().copied().enumerate().filter(|(_, w)| *w != (0, 0)) {
        let n =
            shape[axis].as_const().ok_or_else(|| Error::shape("pad", format!("the size of axis {axis} must be a number, got {shape}")))?;
        if n == 0 {
            return Err(Error::value("pad", format!("axis {axis} is empty and cannot be continued; use mode \"constant\"")));
        }
        y = match mode {
            PadMode::Edge | PadMode::Reflect | PadMode::Symmetric | PadMode::Wrap => pick(&y, axis, &continued(mode, n, low, high))?,
            _ => {
                let parts = [side(&y, axis, n, low, mode, false)?, y.clone(), side(&y, axis, n, high, mode, true)?];
                concatenate(&parts, axis as isize)?
            }
        };
    }
    Ok(y)
}

/// Which element stands at each place of a continued axis.
fn continued(mode: PadMode, n: usize, low: usize, high: usize) -> Vec<i64> {
    let n = n as i64;
    let at = |i: i64| match mode {
        PadMode::Wrap => i.rem_euclid(n),
        PadMode::Symmetric => {
            let k = i.rem_euclid(2 * n);
            k.min(2 * n - 1 - k)
        }
        PadMode::Reflect if n > 1 => {
            let k = i.rem_euclid(2 * n - 2);
            k.min(2 * n - 2 - k)
        }
        _ => i.clamp(0, n - 1),
    };
    (-(low as i64)..n + high as i64).map(at).collect()
}

/// The new elements before or behind an axis, computed from those at that end.
fn side<V: Value>(x: &V, axis: usize, n: usize, width: usize, mode: PadMode, behind: bool) -> Result<V> {
    let mut shape = x.aval().shape;
    shape.set(axis, Dim::Const(width));
    let part = |count: usize| {
        let count = count.clamp(1, n);
        if behind { slice_axis(x, axis, n - count, n) } else { slice_axis(x, axis, 0, count) }
    };
    let axes = [axis as isize];
    let value = match mode {
        PadMode::LinearRamp(before, after) => return ramp(x, &part(1)?, axis, width, if behind { after } else { before }, behind),
        PadMode::Maximum(count) => max(&part(count.unwrap_or(n))?, Some(&axes), true)?,
        PadMode::Minimum(count) => min(&part(count.unwrap_or(n))?, Some(&axes), true)?,
        PadMode::Mean(count) => {
            let mean = mean(&part(count.unwrap_or(n))?, Some(&axes), true)?;
            let dtype = x.aval().dtype;
            cast(&if dtype.is_inexact() { mean } else { rint(&mean)? }, dtype)?
        }
        _ => part(1)?,
    };
    broadcast_to(&value, shape)
}

/// `width` elements on the line between `end`, which is reached, and the edge, which is not.
fn ramp<V: Value>(x: &V, edge: &V, axis: usize, width: usize, end: f64, behind: bool) -> Result<V> {
    let dtype = x.aval().dtype;
    let real = if dtype.is_inexact() { dtype } else { DType::F64 };
    let edge = cast(edge, real)?;
    let mut weights: Vec<f64> = (0..width).map(|k| k as f64 / width as f64).collect();
    if behind {
        weights.reverse();
    }
    let mut along = vec![1; x.aval().rank()];
    along[axis] = width;
    let weights = cast(&constant(x, Tensor::from_slice(&along, &weights)?)?, real)?;
    let end = crate::scalar_like(&edge, end)?;
    let y = add(&mul(&sub(&edge, &end)?, &weights)?, &end)?;
    // As NumPy's linspace: whole numbers below.
    cast(&if dtype.is_inexact() { y } else { crate::floor(&y)? }, dtype)
}
