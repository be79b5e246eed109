//! SVD with square factors: the thin one, completed to orthonormal bases.

use crate::error::{DenseError, require};
use crate::householder::{Qr, qr_bytes};
use crate::scalar::{RealScalar, Scalar};
use crate::scale::store_nan;
use crate::scratch::{Scratch, bytes, total};
use crate::svd::{svd, svd_scratch};
use crate::view::{MatMut, MatRef};

/// Bytes of scratch that [`svd_full`] needs for an m×n matrix.
pub fn svd_full_scratch<T: Scalar>(m: usize, n: usize) -> usize {
    let (p, q) = (m.max(n), m.min(n));
    let complete = if q == 0 || p == q { 0 } else { total(&[bytes::<T>(p, q), bytes::<T>(p, p), qr_bytes::<T>(p, q)]) };
    svd_scratch::<T>(m, n).max(complete)
}

/// SVD with square factors, `a = u · diag(s) · vh` with an m×n diagonal matrix in the middle.
///
/// `u` is m×m, `s` has min(m, n) elements, descending, `vh` is n×n; else as [`svd`], whose
/// triplets come first. The other columns of the longer factor are any orthonormal basis of what
/// is left.
///
/// Errors as [`svd`]; `scratch` is [`svd_full_scratch`] bytes.
pub fn svd_full<T: Scalar>(
    a: MatRef<'_, T>,
    mut u: MatMut<'_, T>,
    s: &mut [T::Real],
    mut vh: MatMut<'_, T>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    let (m, n) = (a.rows, a.cols);
    let k = m.min(n);
    require(s.len() == k, "s must have min(m, n) elements")?;
    require(u.rows == m && u.cols == m, "u must be (m, m)")?;
    require(vh.rows == n && vh.cols == n, "vh must be (n, n)")?;
    let (left, right) = (u.rb_mut().cols_range(0, k), vh.rb_mut().rows_range(0, k));
    svd(a, Some(left), s, Some(right), check_finite, scratch)?;
    if m == n {
        return Ok(());
    }
    let longer = if m > n { u } else { vh.t() };
    if s.first().is_some_and(|s| !s.finite()) {
        store_nan(longer);
        return Ok(());
    }
    complete(longer, k, Scratch::new(scratch, svd_full_scratch::<T>(m, n))?)
}

/// Fills columns `k ..` of a square matrix whose first k are orthonormal. (Right vectors come as
/// conjugates; a basis of conjugates is as good.)
fn complete<T: Scalar>(mut square: MatMut<'_, T>, k: usize, mut scratch: Scratch<'_>) -> Result<(), DenseError> {
    let p = square.rows;
    if k == 0 {
        square.fill_with(|i, j| if i == j { T::ONE } else { T::ZERO });
        return Ok(());
    }
    let known: &mut [T] = scratch.take(p, k)?;
    let rest: &mut [T] = &mut scratch.take(p, p)?[..p * (p - k)];
    MatMut::col_major(known, p, k).fill_with(|i, j| square.at(i, j));
    MatMut::col_major(rest, p, p - k).fill_with(|i, j| if i == j + k { T::ONE } else { T::ZERO });
    let mut reflectors = Qr::new(p, k, &mut scratch)?;
    reflectors.factor(known);
    reflectors.apply_q(known, rest, p - k);
    let rest = MatRef::col_major(rest, p, p - k);
    square.rb_mut().cols_range(k, p).fill_with(|i, j| rest.at(i, j));
    Ok(())
}
