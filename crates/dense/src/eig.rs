//! Eigenvalues and right vectors of general square matrices.

use crate::balance::balance;
use crate::eigenvectors::{Columns, normalise};
use crate::error::{DenseError, require};
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{copy_scaled, largest, store, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::simd::norm2;
use crate::view::{MatMut, MatRef};

/// The algorithms in the order they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rung {
    /// Hessenberg form, then QR iteration with many shifts and early deflation.
    Faer,
    /// The same with rows and columns reversed: another Hessenberg form.
    Reversed,
    /// QR iteration with one or two shifts at a time.
    Plain,
    /// Nothing is left.
    #[cfg_attr(not(test), allow(dead_code))]
    Failure,
}

/// Bytes of scratch that [`eig`] needs for an n×n matrix.
pub fn eig_scratch<T: Scalar>(n: usize) -> usize {
    let faer = if n > 0 { T::faer_eig_scratch(n) } else { 0 };
    let squares = bytes::<T>(n, n).saturating_mul(2).saturating_add(bytes::<T::Complex>(n, n).saturating_mul(3));
    let vectors = [bytes::<T>(n, 1), bytes::<T>(n, 1), bytes::<T::Real>(n, 1), bytes::<usize>(n, 1).saturating_mul(2)];
    total(&[squares, total(&vectors), faer])
}

/// Eigenvalues and right eigenvectors, `a v = v diag(w)`, of an n×n matrix.
///
/// `w` has n elements in no particular order, conjugate pairs of a real matrix side by side, the
/// one above the real axis first. The columns of `v` (n×n) have norm 1 and a largest component
/// that is real; they are nearly dependent where the matrix is nearly defective. Not computed if
/// not wanted. n may be 0. The matrix is scaled and balanced by powers of two first. Where an
/// algorithm does not converge another is tried.
///
/// Errors: `NonFinite` (without `check_finite` all results are NaN), `NoConvergence`, `Shape`,
/// `Scratch`, `TooLarge`; `scratch` is [`eig_scratch`] bytes.
pub fn eig<T: Scalar>(
    a: MatRef<'_, T>,
    w: &mut [T::Complex],
    v: Option<MatMut<'_, T::Complex>>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<(), DenseError> {
    eig_from(Rung::Faer, a, w, v, check_finite, scratch)
}

/// [`eig`] with the ladder entered at `first`.
pub(crate) fn eig_from<T: Scalar>(
    first: Rung,
    a: MatRef<'_, T>,
    w: &mut [T::Complex],
    v: Option<MatMut<'_, T::Complex>>,
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
    let mut scratch = Scratch::new(scratch, eig_scratch::<T>(n))?;
    let (max, finite) = largest(a);
    if !finite {
        let nan = T::Real::from_f64(f64::NAN);
        w.fill(<T::Complex as Scalar>::new(nan, nan));
        v.into_iter().for_each(store_nan);
        return if check_finite { Err(DenseError::NonFinite) } else { Ok(()) };
    }
    let e = if max == T::Real::ZERO { 0 } else { max.exponent() };
    let m = Matrix { a: scratch.take(n, n)?, n };
    copy_scaled(m.a, a, -e);
    let d: &mut [T::Real] = scratch.take(n, 1)?;
    balance(m.a, n, d);
    let mut columns = if v.is_some() { Some(Columns::take(n, &mut scratch)?) } else { None };
    m.ladder(first, w, columns.as_mut(), &mut scratch)?;
    for w in w.iter_mut() {
        *w = w.power(e);
    }
    if let (Some(v), Some(columns)) = (v, columns) {
        for column in columns.x.chunks_exact_mut(n) {
            column.iter_mut().zip(&*d).for_each(|(x, d)| *x = x.scale(*d));
            normalise(column);
        }
        store(v, columns.x, false);
    }
    Ok(())
}

/// A scaled and balanced matrix, column-major.
struct Matrix<'a, T> {
    a: &'a mut [T],
    n: usize,
}

impl<T: Scalar> Matrix<'_, T> {
    fn ladder(
        &self,
        first: Rung,
        w: &mut [T::Complex],
        mut columns: Option<&mut Columns<'_, T::Complex>>,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), DenseError> {
        let n = self.n;
        for rung in [Rung::Faer, Rung::Reversed, Rung::Plain] {
            if first > rung {
                continue;
            }
            let mut room = scratch.lend();
            let (re, im) = (room.take(n, 1)?, room.take(n, 1)?);
            let vectors: &mut [T] = room.take(n, n)?;
            let (mut a, mut v) = (MatRef::col_major(self.a, n, n), MatMut::col_major(vectors, n, n));
            if rung == Rung::Reversed {
                (a, v) = (a.flip_rows().t().flip_rows().t(), v.flip_rows());
            }
            if !T::faer_eig(a, re, im, columns.is_some().then_some(v), rung != Rung::Plain, room) {
                continue;
            }
            for (w, (re, im)) in w.iter_mut().zip(re.iter().zip(im.iter())) {
                let im = if T::COMPLEX { re.im() } else { im.re() };
                *w = <T::Complex as Scalar>::new(re.re(), im);
            }
            let accepted = match columns.as_deref_mut() {
                None => self.sums_to_trace(w),
                Some(columns) => {
                    columns.assemble(vectors, w);
                    columns.check(self.a, w)
                }
            };
            if accepted {
                return Ok(());
            }
        }
        Err(DenseError::NoConvergence)
    }

    /// What can be said of values alone: the routine does not report that it gave up.
    fn sums_to_trace(&self, w: &[T::Complex]) -> bool {
        let n = self.n;
        let mut sum = <T::Complex as Scalar>::ZERO;
        for (i, w) in w.iter().enumerate() {
            let a = self.a[i * n + i];
            sum += *w - <T::Complex as Scalar>::new(a.re(), a.im());
        }
        sum.abs1() <= norm2(self.a).sqrt() * T::Real::EPS * T::Real::from_f64(1000.0 * n as f64)
    }
}

#[cfg(test)]
mod tests;
