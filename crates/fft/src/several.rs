//! NumPy's transforms of several axes: one axis after the other.
//!
//! `sizes` are the lengths that are transformed, −1 for all there is; `axes` count from the end
//! where negative. Without axes, all, or as many of the last as there are sizes. An axis named
//! twice is transformed twice. Errors are those of the functions of one axis, and `Value` for
//! sizes that do not match the axes.

use tenferro_graph::{Error, Result, Value};

use crate::norm::Norm;
use crate::one::{fft, ifft, irfft, rfft};

/// Lengths to transform and their axes.
type Lines = Vec<(Option<usize>, isize)>;

fn lines<V: Value>(op: &'static str, x: &V, sizes: Option<&[isize]>, axes: Option<&[isize]>) -> Result<Lines> {
    let rank = x.aval().rank();
    let count = sizes.map_or(rank, <[isize]>::len);
    if axes.is_none() && count > rank {
        return Err(Error::value(op, format!("{count} sizes given for {rank} axes")));
    }
    let axes: Vec<isize> = axes.map_or_else(|| (0..count as isize).map(|i| i - count as isize).collect(), <[isize]>::to_vec);
    if sizes.is_some_and(|s| s.len() != axes.len()) {
        return Err(Error::value(op, format!("{count} sizes given for {} axes", axes.len())));
    }
    let size = |i: usize| match sizes.map_or(-1, |s| s[i]) {
        -1 => Ok(None),
        n => usize::try_from(n).map(Some).map_err(|_| Error::value(op, format!("the number of points must be at least 1, got {n}"))),
    };
    axes.iter().enumerate().map(|(i, axis)| Ok((size(i)?, *axis))).collect()
}

/// The forward transform along several axes.
///
/// # Errors
/// See the module.
pub fn fftn<V: Value>(x: &V, sizes: Option<&[isize]>, axes: Option<&[isize]>, norm: Norm) -> Result<V> {
    let lines = lines("fftn", x, sizes, axes)?;
    lines.iter().rev().try_fold(x.clone(), |x, (n, axis)| fft(&x, *n, *axis, norm))
}

/// The inverse transform along several axes.
///
/// # Errors
/// See the module.
pub fn ifftn<V: Value>(x: &V, sizes: Option<&[isize]>, axes: Option<&[isize]>, norm: Norm) -> Result<V> {
    let lines = lines("ifftn", x, sizes, axes)?;
    lines.iter().rev().try_fold(x.clone(), |x, (n, axis)| ifft(&x, *n, *axis, norm))
}

fn last(op: &'static str, mut lines: Lines) -> Result<(Lines, (Option<usize>, isize))> {
    let last = lines.pop().ok_or_else(|| Error::value(op, "needs at least one axis"))?;
    Ok((lines, last))
}

/// The transform of a real array along several axes; of the last of them, bins 0 … n/2.
///
/// # Errors
/// See the module; `DType` for complex input.
pub fn rfftn<V: Value>(x: &V, sizes: Option<&[isize]>, axes: Option<&[isize]>, norm: Norm) -> Result<V> {
    let (others, (n, axis)) = last("rfftn", lines("rfftn", x, sizes, axes)?)?;
    others.iter().rev().try_fold(rfft(x, n, axis, norm)?, |x, (n, axis)| fft(&x, *n, *axis, norm))
}

/// The inverse of [`rfftn`]; without a size the last axis has 2(m − 1) points.
///
/// # Errors
/// See the module.
pub fn irfftn<V: Value>(x: &V, sizes: Option<&[isize]>, axes: Option<&[isize]>, norm: Norm) -> Result<V> {
    let (others, (n, axis)) = last("irfftn", lines("irfftn", x, sizes, axes)?)?;
    let x = others.iter().try_fold(x.clone(), |x, (n, axis)| ifft(&x, *n, *axis, norm))?;
    irfft(&x, n, axis, norm)
}

macro_rules! planes {
    ($($(#[$doc:meta])* $name:ident = $of:ident),*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// See the module.
        pub fn $name<V: Value>(x: &V, sizes: Option<&[isize]>, axes: [isize; 2], norm: Norm) -> Result<V> {
            $of(x, sizes, Some(&axes), norm)
        }
    )*};
}
planes!(
    /// [`fftn`] of two axes.
    fft2 = fftn,
    /// [`ifftn`] of two axes.
    ifft2 = ifftn,
    /// [`rfftn`] of two axes.
    rfft2 = rfftn,
    /// [`irfftn`] of two axes.
    irfft2 = irfftn
);
