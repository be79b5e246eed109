//! The frequencies of bins, and the order with frequency 0 in the middle.

use tenferro_graph::{Error, Result, Tensor, Value};
use tenferro_ops::{concatenate, normalise_axes, slice_axis};

use crate::one::length;

fn frequencies(op: &'static str, n: usize, spacing: f64, bins: impl Iterator<Item = i64>) -> Result<Tensor> {
    if n == 0 || spacing == 0.0 {
        return Err(Error::value(op, format!("needs at least one point and a spacing other than 0, got {n} and {spacing}")));
    }
    // As NumPy: one reciprocal, then products.
    let unit = 1.0 / (n as f64 * spacing);
    let mut values: Vec<f64> = vec![];
    let room = |_| Error::memory(op, format!("not enough memory for the frequencies of {n} points"));
    values.try_reserve_exact(bins.size_hint().0).map_err(room)?;
    values.extend(bins.map(|k| k as f64 * unit));
    Tensor::from_slice(&[values.len()], &values)
}

/// The frequencies of [`crate::fft`]'s bins: 0 … (n−1)/2, then −n/2 … −1, over n·spacing; float64.
///
/// # Errors
/// `Value` for n = 0 or spacing 0.
pub fn fftfreq(n: usize, spacing: f64) -> Result<Tensor> {
    let positive = n.div_ceil(2) as i64;
    frequencies("fftfreq", n, spacing, (0..positive).chain(-(n as i64 / 2)..0))
}

/// The frequencies of [`crate::rfft`]'s bins: 0 … n/2, over n·spacing; float64.
///
/// # Errors
/// `Value` for n = 0 or spacing 0.
pub fn rfftfreq(n: usize, spacing: f64) -> Result<Tensor> {
    frequencies("rfftfreq", n, spacing, 0..=n as i64 / 2)
}

/// Element `first(n)` comes first, on each of the axes; those before it go to the end.
fn turned<V: Value>(op: &'static str, x: &V, axes: Option<&[isize]>, first: impl Fn(usize) -> usize) -> Result<V> {
    let axes = normalise_axes(op, axes, x.aval().rank())?;
    axes.into_iter().try_fold(x.clone(), |x, axis| {
        let (_, n) = length(op, &x, axis as isize)?;
        let at = first(n);
        if at == 0 || at == n {
            return Ok(x);
        }
        concatenate(&[slice_axis(&x, axis, at, n)?, slice_axis(&x, axis, 0, at)?], axis as isize)
    })
}

/// Frequency 0 moves to the middle of each axis (all if `None`).
///
/// # Errors
/// `Index` for an axis out of range, `Value` for one named twice, `Shape` for a symbolic size.
pub fn fftshift<V: Value>(x: &V, axes: Option<&[isize]>) -> Result<V> {
    turned("fftshift", x, axes, |n| n.div_ceil(2))
}

/// Undoes [`fftshift`]; for odd lengths the two differ.
///
/// # Errors
/// As [`fftshift`].
pub fn ifftshift<V: Value>(x: &V, axes: Option<&[isize]>) -> Result<V> {
    turned("ifftshift", x, axes, |n| n / 2)
}
