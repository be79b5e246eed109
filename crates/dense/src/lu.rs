//! LU factorization with partial pivoting.

use crate::elimination::factor;
use crate::error::{DenseError, require};
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{copy_scaled, largest, store, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::view::{MatMut, MatRef};

/// Bytes of scratch that [`lu`] needs for an m×n matrix.
pub fn lu_scratch<T: Scalar>(m: usize, n: usize) -> usize {
    total(&[bytes::<T>(m, n), bytes::<usize>(m.min(n), 1)])
}

/// LU factorization with partial pivoting, `a[perm[i], :] = (l u)[i, :]`, of an m×n matrix.
///
/// `packed` (m×n) gets u in its upper trapezoid and l below, without the ones of its diagonal;
/// `perm` (m) the row of `a` that stands at each place. Returns whether the permutation is odd.
/// The pivot is the element of a column with the largest |re| + |im|. A singular matrix is no
/// error: u has a 0 on its diagonal. m or n may be 0.
///
/// Errors: `NonFinite` (without `check_finite` the factors are NaN), `Shape`, `Scratch`,
/// `TooLarge`.
pub fn lu<T: Scalar>(
    a: MatRef<'_, T>,
    packed: MatMut<'_, T>,
    perm: &mut [usize],
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<bool, DenseError> {
    let (m, n) = (a.rows, a.cols);
    require(packed.rows == m && packed.cols == n, "the factors must be as large as a")?;
    require(perm.len() == m, "perm must have m elements")?;
    perm.iter_mut().enumerate().for_each(|(i, p)| *p = i);
    if m == 0 || n == 0 {
        return Ok(false);
    }
    let mut scratch = Scratch::new(scratch, lu_scratch::<T>(m, n))?;
    let (max, finite) = largest(a);
    if !finite {
        store_nan(packed);
        return if check_finite { Err(DenseError::NonFinite) } else { Ok(false) };
    }
    let w: &mut [T] = scratch.take(m, n)?;
    let pivots = scratch.take_indices(m.min(n))?;
    copy_scaled(w, a, 0);
    factor(w, m, n, pivots);
    if max > T::Real::ZERO && !largest(MatRef::col_major(w, m, n)).1 {
        // Growth has passed the end of the range: only what is out of it in the end may be.
        let e = max.exponent();
        copy_scaled(w, a, -e);
        factor(w, m, n, pivots);
        for (j, column) in w.chunks_exact_mut(m).enumerate() {
            column.iter_mut().take(j + 1).for_each(|x| *x = x.power(e));
        }
    }
    store(packed, w, false);
    let mut odd = false;
    for (i, pivot) in pivots.iter().enumerate() {
        perm.swap(i, *pivot);
        odd ^= i != *pivot;
    }
    Ok(odd)
}
