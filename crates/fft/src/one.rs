//! NumPy's transforms of one axis.
//!
//! `n` is the length that is transformed: the input is cut or filled with zeros at the end to
//! have it. float32 and complex64 stay single; bool and integers become float64 or complex128.
//! All fail with `Index` for an axis out of range, with `Value` for no points, and with `Shape`
//! where the size of the axis is symbolic.

use tenferro_graph::{DType, Error, Prim, Result, Value};
use tenferro_ops::{cast, conj, normalise_axis, pad, scalar_like, slice_axis};

use crate::norm::Norm;
use crate::transform::{Fft, Irfft, Rfft};

fn apply<V: Value>(prim: Prim, x: &V) -> Result<V> {
    let mut outs = x.emit(prim, &[x])?;
    outs.pop().ok_or_else(|| Error::program("fft: no output"))
}

/// In the floating dtype that transforms of it have.
fn floating(dtype: DType) -> DType {
    if dtype.is_inexact() { dtype } else { DType::F64 }
}

fn complex<V: Value>(x: &V) -> Result<V> {
    let dtype = floating(x.aval().dtype);
    cast(x, dtype.complex().unwrap_or(dtype))
}

fn real<V: Value>(op: &'static str, x: &V) -> Result<V> {
    let dtype = x.aval().dtype;
    if dtype.is_complex() {
        return Err(Error::dtype(op, format!("needs a real dtype, got {dtype}; fft takes complex numbers")));
    }
    cast(x, floating(dtype))
}

/// The axis from the front, and its length.
pub(crate) fn length<V: Value>(op: &'static str, x: &V, axis: isize) -> Result<(usize, usize)> {
    let shape = x.aval().shape;
    let axis = normalise_axis(op, axis, shape.rank())?;
    let n = &shape[axis];
    n.as_const().map(|n| (axis, n)).ok_or_else(|| Error::shape(op, format!("the size of axis {axis}, {n}, must be a number")))
}

fn points(op: &'static str, n: usize) -> Result<usize> {
    if n == 0 { Err(Error::value(op, "the number of points must be at least 1, got 0")) } else { Ok(n) }
}

/// Cut or filled with zeros to n elements along the axis.
fn fitted<V: Value>(x: &V, axis: usize, n: usize) -> Result<V> {
    let shape = x.aval().shape;
    let have = shape[axis].as_const().unwrap_or(n);
    if have >= n {
        return if have == n { Ok(x.clone()) } else { slice_axis(x, axis, 0, n) };
    }
    let mut widths = vec![(0, 0); shape.rank()];
    widths[axis] = (0, n - have);
    pad(x, &widths, &scalar_like(x, 0.0)?)
}

fn both<V: Value>(op: &'static str, x: &V, n: Option<usize>, axis: isize, norm: Norm, inverse: bool) -> Result<V> {
    let x = complex(x)?;
    let (axis, size) = length(op, &x, axis)?;
    let n = points(op, n.unwrap_or(size))?;
    apply(Fft::new(axis, inverse, norm.scale(n, inverse)).into(), &fitted(&x, axis, n)?)
}

/// The forward transform, of `n` points (default: all) along `axis`.
///
/// # Errors
/// See the module.
pub fn fft<V: Value>(x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    both("fft", x, n, axis, norm, false)
}

/// The inverse transform, of `n` points (default: all) along `axis`.
///
/// # Errors
/// See the module.
pub fn ifft<V: Value>(x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    both("ifft", x, n, axis, norm, true)
}

fn from_real<V: Value>(op: &'static str, x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    let x = real(op, x)?;
    let (axis, size) = length(op, &x, axis)?;
    let n = points(op, n.unwrap_or(size))?;
    apply(Rfft::new(axis, norm.scale(n, false), 1.0).into(), &fitted(&x, axis, n)?)
}

/// The bins 0 … n/2 of the forward transform of a real array; the others are conjugate to them.
///
/// # Errors
/// See the module; `DType` for complex input.
pub fn rfft<V: Value>(x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    from_real("rfft", x, n, axis, norm)
}

fn to_real<V: Value>(op: &'static str, x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    let x = complex(x)?;
    let (axis, bins) = length(op, &x, axis)?;
    let n = points(op, n.unwrap_or(2 * bins.saturating_sub(1)))?;
    apply(Irfft::new(axis, n, norm.scale(n, true), 1.0).into(), &fitted(&x, axis, n / 2 + 1)?)
}

/// The inverse of [`rfft`]: `n` real points (default: 2(m − 1)) from the first n/2 + 1 of m bins.
///
/// # Errors
/// See the module.
pub fn irfft<V: Value>(x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    to_real("irfft", x, n, axis, norm)
}

/// The forward transform, `n` real points (default: 2(m − 1)), of a signal with conjugate
/// symmetry of which x has the first half.
///
/// # Errors
/// See the module.
pub fn hfft<V: Value>(x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    to_real("hfft", &conj(&complex(x)?)?, n, axis, norm.swapped())
}

/// The inverse of [`hfft`]: half of a signal with conjugate symmetry, from a real spectrum.
///
/// # Errors
/// See the module; `DType` for complex input.
pub fn ihfft<V: Value>(x: &V, n: Option<usize>, axis: isize, norm: Norm) -> Result<V> {
    conj(&from_real("ihfft", x, n, axis, norm.swapped())?)
}
