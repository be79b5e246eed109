//! Eigenvalues and vectors of Hermitian matrices: scaling and the ladder of algorithms.

use crate::error::{DenseError, require};
use crate::hermitian_jacobi::jacobi_eigh;
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{largest, store, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::view::{MatMut, MatRef};

/// Up to this size Jacobi rotations are faster than a tridiagonal form.
const SMALL: usize = 5;

/// The algorithms in the order they are tried; small matrices start with the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rung {
    /// Tridiagonal form, then divide and conquer.
    Faer,
    /// The same with rows and columns reversed: other rounding, other splits.
    Reversed,
    /// Jacobi rotations.
    Jacobi,
    /// Nothing is left.
    #[cfg_attr(not(test), allow(dead_code))]
    Failure,
}

/// Bytes of scratch that [`eigh`] needs for an n×n matrix.
pub fn eigh_scratch<T: Scalar>(n: usize) -> usize {
    let faer = if n > 0 { T::faer_eigh_scratch(n) } else { 0 };
    total(&[bytes::<T>(n, n), bytes::<T>(n, n), bytes::<T>(n, 1), faer])
}

/// Eigendecomposition, `a = v diag(w) v*`, of a Hermitian n×n matrix.
///
/// `w` has n elements, ascending; `v` is n×n with orthonormal columns, not computed if not
/// wanted. Only the lower triangle of `a` is read, and of the diagonal the real parts. n may be 0.
/// The matrix is scaled by a power of two first. Phases of vectors are arbitrary but depend on the
/// values only. Where an algorithm does not converge another is tried.
///
/// Errors: `NonFinite` (without `check_finite` all results are NaN), `NoConvergence`, `Shape`,
/// `Scratch`, `TooLarge`; `scratch` is [`eigh_scratch`] bytes.
pub fn eigh<T: Scalar>(
    a: MatRef<'_, T>,
    w: &mut [T::Real],
    v: Option<MatMut<'_, T>>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    let first = if a.rows <= SMALL { Rung::Jacobi } else { Rung::Faer };
    eigh_from(first, a, w, v, check_finite, scratch)
}

/// [`eigh`] with the ladder entered at `first`.
pub(crate) fn eigh_from<T: Scalar>(
    first: Rung,
    a: MatRef<'_, T>,
    w: &mut [T::Real],
    v: Option<MatMut<'_, T>>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    let n = a.rows;
    require(a.cols == n, "a must be square")?;
    require(w.len() == n, "w must have n elements")?;
    require(v.as_ref().is_none_or(|v| v.rows == n && v.cols == n), "v must be as large as a")?;
    if n == 0 {
        return Ok(());
    }
    let mut scratch = Scratch::new(scratch, eigh_scratch::<T>(n))?;
    let full: &mut [T] = scratch.take(n, n)?;
    for j in 0..n {
        full[j * n + j] = T::new(a.at(j, j).re(), T::Real::ZERO);
        for i in j + 1..n {
            let x = a.at(i, j);
            full[j * n + i] = x;
            full[i * n + j] = x.conj();
        }
    }
    let (max, finite) = largest(MatRef::col_major(full, n, n));
    if !finite {
        w.fill(T::Real::from_f64(f64::NAN));
        v.into_iter().for_each(store_nan);
        return if check_finite { Err(DenseError::NonFinite) } else { Ok(()) };
    }
    let e = if max == T::Real::ZERO { 0 } else { max.exponent() };
    if e != 0 {
        for x in full.iter_mut() {
            *x = x.power(-e);
        }
    }
    let vectors: &mut [T] = scratch.take(n, n)?;
    ladder(first, full, n, w, vectors, v.is_some(), scratch)?;
    for w in w.iter_mut() {
        *w = w.times_power(e);
    }
    if let Some(v) = v {
        store(v, vectors, false);
    }
    Ok(())
}

fn ladder<T: Scalar>(
    first: Rung,
    full: &mut [T],
    n: usize,
    w: &mut [T::Real],
    vectors: &mut [T],
    wanted: bool,
    mut scratch: Scratch<'_>,
) -> Result<(), DenseError> {
    let values: &mut [T] = scratch.take(n, 1)?;
    for rung in [Rung::Faer, Rung::Reversed] {
        if first > rung {
            continue;
        }
        let (mut a, mut v) = (MatRef::col_major(full, n, n), MatMut::col_major(vectors, n, n));
        if rung == Rung::Reversed {
            (a, v) = (a.flip_rows().t().flip_rows().t(), v.flip_rows());
        }
        if T::faer_eigh(a, values, wanted.then_some(v), scratch.lend()) && accept(values, w) {
            return Ok(());
        }
    }
    if first <= Rung::Jacobi && jacobi_eigh(full, n, w, wanted.then_some(vectors)) {
        return Ok(());
    }
    Err(DenseError::NoConvergence)
}

/// Copies eigenvalues out if they are what they must be.
fn accept<T: Scalar>(values: &[T], w: &mut [T::Real]) -> bool {
    w.iter_mut().zip(values).for_each(|(w, value)| *w = value.re());
    w.iter().all(|w| w.finite()) && w.windows(2).all(|w| w[0] <= w[1])
}

#[cfg(test)]
mod tests;
