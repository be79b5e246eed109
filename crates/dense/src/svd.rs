//! Full thin SVD: scaling, the ladder of algorithms, and the way back to the caller's views.

use crate::error::{DenseError, require};
use crate::householder::{Qr, qr_bytes};
use crate::jacobi::jacobi_svd;
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{copy_scaled, largest, store, store_identity, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::view::{MatMut, MatRef};

/// Up to this many columns Jacobi rotations are faster than a bidiagonal form.
const SMALL: usize = 4;

/// The algorithms in the order they are tried; few columns start with the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rung {
    /// Bidiagonalization, then divide and conquer.
    Faer,
    /// The same on the transpose with rows and columns reversed: other rounding, other splits.
    Reversed,
    /// One-sided Jacobi.
    Jacobi,
    /// Nothing is left.
    #[cfg_attr(not(test), allow(dead_code))]
    Failure,
}

impl Rung {
    /// Where to start with q columns.
    pub(crate) fn first(q: usize) -> Self {
        if q <= SMALL { Self::Jacobi } else { Self::Faer }
    }
}

/// Bytes of scratch that [`svd`] needs for an m×n matrix.
pub fn svd_scratch<T: Scalar>(m: usize, n: usize) -> usize {
    let (p, q) = (m.max(n), m.min(n));
    if q == 0 {
        return 0;
    }
    let arrays = [bytes::<T>(p, q), bytes::<T>(p, q), bytes::<T>(q, q), bytes::<T>(q, 1)];
    total(&arrays).saturating_add(tall_bytes::<T>(p, q))
}

/// Thin SVD, `a = u · diag(s) · vh`, of an m×n matrix with k = min(m, n).
///
/// `u` is m×k, `s` has k elements, descending and ≥ 0, `vh` is k×n, already conjugated; a factor
/// that is not wanted is not computed. Views may have any strides, m or n may be 0. The matrix is
/// scaled by a power of two first, so results are as good near overflow and among subnormals as
/// they are near 1. Signs and phases are arbitrary but depend on the values only. Where an
/// algorithm does not converge another is tried. `scratch` is [`svd_scratch`] bytes, best aligned
/// to 64.
///
/// Errors: `NonFinite` if the matrix holds NaN or infinity (without `check_finite` all results
/// are NaN then), `NoConvergence`, `Shape`, `Scratch`, `TooLarge`.
pub fn svd<T: Scalar>(
    a: MatRef<'_, T>,
    u: Option<MatMut<'_, T>>,
    s: &mut [T::Real],
    vh: Option<MatMut<'_, T>>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    svd_from(Rung::first(a.rows.min(a.cols)), a, u, s, vh, check_finite, scratch)
}

/// [`svd`] with the ladder entered at `first`.
pub(crate) fn svd_from<T: Scalar>(
    first: Rung,
    a: MatRef<'_, T>,
    u: Option<MatMut<'_, T>>,
    s: &mut [T::Real],
    vh: Option<MatMut<'_, T>>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    let (m, n) = (a.rows, a.cols);
    let k = m.min(n);
    require(s.len() == k, "s must have min(m, n) elements")?;
    require(u.as_ref().is_none_or(|u| u.rows == m && u.cols == k), "u must be (m, k)")?;
    require(vh.as_ref().is_none_or(|v| v.rows == k && v.cols == n), "vh must be (k, n)")?;
    if k == 0 {
        return Ok(());
    }
    let mut scratch = Scratch::new(scratch, svd_scratch::<T>(m, n))?;
    let (max, finite) = largest(a);
    if !finite || max == T::Real::ZERO {
        if check_finite && !finite {
            return Err(DenseError::NonFinite);
        }
        let fill = if finite { store_identity } else { store_nan };
        s.fill(if finite { T::Real::ZERO } else { T::Real::from_f64(f64::NAN) });
        u.into_iter().chain(vh).for_each(fill);
        return Ok(());
    }

    // A = U S V* is found from a tall matrix, A itself or its transpose = conj(V) S conj(U)*.
    let tall = m >= n;
    let (p, q) = (m.max(n), k);
    let e = max.exponent();
    let w = scratch.take(p, q)?;
    copy_scaled(w, if tall { a } else { a.t() }, -e);
    let (left, right) = if tall { (u, vh.map(MatMut::t)) } else { (vh.map(MatMut::t), u) };
    let mut x: Option<&mut [T]> = left.as_ref().map(|_| scratch.take(p, q)).transpose()?;
    let mut y: Option<&mut [T]> = right.as_ref().map(|_| scratch.take(q, q)).transpose()?;
    svd_tall(first, w, p, q, x.as_deref_mut(), s, y.as_deref_mut(), scratch)?;

    for s in s.iter_mut() {
        *s = s.times_power(e);
    }
    if let (Some(left), Some(x)) = (left, x) {
        store(left, x, false);
    }
    if let (Some(right), Some(y)) = (right, y) {
        store(right, y, true);
    }
    Ok(())
}

/// Whether QR first pays: then the SVD is of a small square.
fn is_very_tall(p: usize, q: usize) -> bool {
    p / 11 > q / 6 || p.saturating_mul(6) > q.saturating_mul(11)
}

/// Bytes that [`svd_tall`] needs.
pub(crate) fn tall_bytes<T: Scalar>(p: usize, q: usize) -> usize {
    let very_tall = is_very_tall(p, q);
    let r = if very_tall { q } else { p };
    let small = bytes::<T>(q, q);
    let faer = T::faer_svd_scratch(r, q).max(T::faer_svd_scratch(q, r)).max(small);
    let before = if very_tall { qr_bytes::<T>(p, q).saturating_add(2 * small) } else { 0 };
    total(&[bytes::<T>(q, 1), before, faer])
}

/// Thin SVD of a tall column-major `w` (p×q, p ≥ q ≥ 1) whose largest entry is about 1; `u` is
/// p×q, `v` (not its adjoint) q×q. Destroys `w`.
pub(crate) fn svd_tall<T: Scalar>(
    first: Rung,
    w: &mut [T],
    p: usize,
    q: usize,
    u: Option<&mut [T]>,
    s: &mut [T::Real],
    v: Option<&mut [T]>,
    mut scratch: Scratch<'_>,
) -> Result<(), DenseError> {
    if !is_very_tall(p, q) {
        return ladder(first, w, p, q, u, s, v, scratch);
    }
    let mut qr = Qr::new(p, q, &mut scratch)?;
    let r: &mut [T] = scratch.take(q, q)?;
    qr.factor(w);
    qr.copy_r(w, r);
    let Some(u) = u else {
        return ladder(first, r, q, q, None, s, v, scratch);
    };
    let small: &mut [T] = scratch.take(q, q)?;
    ladder(first, r, q, q, Some(small), s, v, scratch)?;
    for (to, from) in u.chunks_exact_mut(p).zip(small.chunks_exact(q)) {
        to[..q].copy_from_slice(from);
        to[q..].fill(T::ZERO);
    }
    qr.apply_q(w, u, q);
    Ok(())
}

/// Tries one algorithm after the other.
fn ladder<T: Scalar>(
    first: Rung,
    w: &mut [T],
    p: usize,
    q: usize,
    mut u: Option<&mut [T]>,
    s: &mut [T::Real],
    mut v: Option<&mut [T]>,
    mut scratch: Scratch<'_>,
) -> Result<(), DenseError> {
    let values: &mut [T] = scratch.take(q, 1)?;
    let a = MatRef::col_major(w, p, q);
    if first <= Rung::Faer {
        let x = u.as_deref_mut().map(|u| MatMut::col_major(u, p, q));
        let y = v.as_deref_mut().map(|v| MatMut::col_major(v, q, q));
        if T::faer_svd(a, x, values, y, scratch.lend()) && accept(values, s) {
            return Ok(());
        }
    }
    if first <= Rung::Reversed {
        let b = a.flip_rows().t().flip_rows();
        let x = v.as_deref_mut().map(|v| MatMut::col_major(v, q, q).flip_rows());
        let y = u.as_deref_mut().map(|u| MatMut::col_major(u, p, q).flip_rows());
        if T::faer_svd(b, x, values, y, scratch.lend()) && accept(values, s) {
            for x in u.into_iter().chain(v).flatten() {
                *x = x.conj();
            }
            return Ok(());
        }
    }
    if first <= Rung::Jacobi {
        let v = match v {
            Some(v) => v,
            None => scratch.take(q, q)?,
        };
        if jacobi_svd(w, p, q, s, v) {
            if let Some(u) = u {
                u.copy_from_slice(w);
            }
            return Ok(());
        }
    }
    Err(DenseError::NoConvergence)
}

/// Copies singular values out if they are what singular values must be.
fn accept<T: Scalar>(values: &[T], s: &mut [T::Real]) -> bool {
    let mut last = None;
    for (s, value) in s.iter_mut().zip(values) {
        *s = value.re();
        let descending = last.is_none_or(|last| *s <= last);
        if !(*s >= T::Real::ZERO && s.finite() && descending) {
            return false;
        }
        last = Some(*s);
    }
    true
}

#[cfg(test)]
mod tests;
