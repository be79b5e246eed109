//! QR factorization with a real, non-negative diagonal of R.

use crate::error::{DenseError, require};
use crate::householder::{Qr, qr_bytes};
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{copy_scaled, largest, store, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::view::{MatMut, MatRef};

/// Bytes of scratch that [`qr`] needs for an m×n matrix, with a full q or a thin one.
pub fn qr_scratch<T: Scalar>(m: usize, n: usize) -> usize {
    let k = m.min(n);
    if k == 0 {
        return 0;
    }
    total(&[bytes::<T>(m, n), bytes::<T>(m, m), qr_bytes::<T>(m, k)])
}

/// QR factorization, `a = q r`, of an m×n matrix; k = min(m, n).
///
/// Thin, with `q` m×k and `r` k×n, or full, with `q` m×m and `r` m×n: the shape of `r` says which.
/// `r` is upper triangular (trapezoidal) with a real, non-negative diagonal, so that both factors
/// of a matrix of full rank are unique; `q` has orthonormal columns whatever the rank. Without `q`
/// only `r` is computed. m or n may be 0. The matrix is scaled by a power of two first.
///
/// Errors: `NonFinite` (without `check_finite` the factors are NaN), `Shape`, `Scratch`,
/// `TooLarge`; `scratch` is [`qr_scratch`] bytes.
pub fn qr<T: Scalar>(
    a: MatRef<'_, T>,
    q: Option<MatMut<'_, T>>,
    r: MatMut<'_, T>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    let (m, n) = (a.rows, a.cols);
    let (k, rows) = (m.min(n), r.rows);
    require(r.cols == n && (rows == k || rows == m), "r must be (min(m, n), n) or (m, n)")?;
    require(q.as_ref().is_none_or(|q| q.rows == m && q.cols == rows), "q must be (m, rows of r)")?;
    if k == 0 {
        r.fill_with(|_, _| T::ZERO);
        if let Some(q) = q {
            q.fill_with(|i, j| if i == j { T::ONE } else { T::ZERO });
        }
        return Ok(());
    }
    let mut scratch = Scratch::new(scratch, qr_scratch::<T>(m, n))?;
    let (max, finite) = largest(a);
    if !finite {
        store_nan(r);
        q.into_iter().for_each(store_nan);
        return if check_finite { Err(DenseError::NonFinite) } else { Ok(()) };
    }
    let e = if max == T::Real::ZERO { 0 } else { max.exponent() };
    let w: &mut [T] = scratch.take(m, n)?;
    copy_scaled(w, a, -e);
    let (head, tail) = w.split_at_mut(m * k);
    let mut reflectors = Qr::new(m, k, &mut scratch)?;
    reflectors.factor(head);
    reflectors.apply_q_adjoint(head, tail, n - k);

    // The reflectors leave real numbers of either sign on the diagonal.
    let negative = |i: usize| head[i * m + i].re() < T::Real::ZERO;
    let sign = |i: usize, x: T| if negative(i) { -x } else { x };
    let from = |i: usize, j: usize| if j < k { head[j * m + i] } else { tail[(j - k) * m + i] };
    r.fill_with(|i, j| if i > j || i >= k { T::ZERO } else { sign(i, from(i, j)).power(e) });
    if let Some(q) = q {
        let columns: &mut [T] = &mut scratch.take::<T>(m, m)?[..m * rows];
        if rows == k {
            reflectors.form_q(head, columns);
        } else {
            MatMut::col_major(columns, m, m).fill_with(|i, j| if i == j { T::ONE } else { T::ZERO });
            reflectors.apply_q(head, columns, m);
        }
        for j in (0..k).filter(|j| negative(*j)) {
            for x in &mut columns[j * m..(j + 1) * m] {
                *x = -*x;
            }
        }
        store(q, columns, false);
    }
    Ok(())
}
