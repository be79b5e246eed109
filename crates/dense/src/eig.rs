//! Eigenvalues and right vectors of general square matrices.

use crate::balance::balance;
use crate::error::{DenseError, require};
use crate::gemm::add_product;
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
    let square = bytes::<T>(n, n).saturating_mul(3);
    total(&[square, bytes::<T::Complex>(n, n), bytes::<T>(n, 1), bytes::<T>(n, 1), bytes::<T::Real>(n, 1), faer])
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
    let mut m = Matrix { a: scratch.take(n, n)?, n };
    copy_scaled(m.a, a, -e);
    let d: &mut [T::Real] = scratch.take(n, 1)?;
    balance(m.a, n, d);
    let vectors = if v.is_some() { Some(scratch.take(n, n)?) } else { None };
    let vectors = m.ladder(first, w, vectors, &mut scratch)?;
    w.iter_mut().for_each(|w| *w = w.power(e));
    if let (Some(v), Some(vectors)) = (v, vectors) {
        let columns: &mut [T::Complex] = scratch.take(n, n)?;
        assemble(columns, vectors, w, d);
        store(v, columns, false);
    }
    Ok(())
}

/// Complex vectors of norm 1 from those of the balanced matrix.
fn assemble<T: Scalar>(columns: &mut [T::Complex], vectors: &[T], w: &[T::Complex], d: &[T::Real]) {
    let n = w.len();
    let new = <T::Complex as Scalar>::new;
    let mut j = 0;
    while j < n {
        let x = &vectors[j * n..(j + 1) * n];
        // A real matrix has the parts of a pair's first vector in two columns.
        if !T::COMPLEX && w[j].im() != T::Real::ZERO && j + 1 < n {
            let y = &vectors[(j + 1) * n..(j + 2) * n];
            let (first, second) = columns[j * n..(j + 2) * n].split_at_mut(n);
            for i in 0..n {
                first[i] = new(x[i].re() * d[i], y[i].re() * d[i]);
            }
            normalise(first);
            for (to, from) in second.iter_mut().zip(first) {
                *to = from.conj();
            }
            j += 2;
        } else {
            let column = &mut columns[j * n..(j + 1) * n];
            for i in 0..n {
                column[i] = new(x[i].re() * d[i], x[i].im() * d[i]);
            }
            normalise(column);
            j += 1;
        }
    }
}

/// Norm 1, largest component real; the other components keep their phase to it.
fn normalise<C: Scalar>(x: &mut [C]) {
    let top = x.iter().fold(C::Real::ZERO, |top, x| top.larger(x.abs1()));
    if top == C::Real::ZERO {
        return;
    }
    let e = top.exponent();
    x.iter_mut().for_each(|x| *x = x.power(-e));
    let (mut at, mut size) = (0, C::Real::ZERO);
    for (i, x) in x.iter().enumerate() {
        if x.abs2() > size {
            (at, size) = (i, x.abs2());
        }
    }
    let scale = C::Real::ONE / norm2(x).sqrt();
    if x[at].im() == C::Real::ZERO {
        x.iter_mut().for_each(|x| *x = x.scale(scale));
    } else {
        let turn = x[at].conj().scale(scale / size.sqrt());
        x.iter_mut().for_each(|x| *x = *x * turn);
        x[at] = C::new(x[at].re(), C::Real::ZERO);
    }
}

/// A scaled and balanced matrix, column-major.
struct Matrix<'a, T> {
    a: &'a mut [T],
    n: usize,
}

impl<T: Scalar> Matrix<'_, T> {
    fn ladder<'v>(
        &mut self,
        first: Rung,
        w: &mut [T::Complex],
        mut vectors: Option<&'v mut [T]>,
        scratch: &mut Scratch<'_>,
    ) -> Result<Option<&'v mut [T]>, DenseError> {
        let n = self.n;
        for rung in [Rung::Faer, Rung::Reversed, Rung::Plain] {
            if first > rung {
                continue;
            }
            let mut room = scratch.lend();
            let (re, im) = (room.take(n, 1)?, room.take(n, 1)?);
            let image: &mut [T] = room.take(n, n)?;
            let mut a = MatRef::col_major(self.a, n, n);
            let mut v = vectors.as_deref_mut().map(|v| MatMut::col_major(v, n, n));
            if rung == Rung::Reversed {
                a = a.flip_rows().t().flip_rows().t();
                v = v.map(MatMut::flip_rows);
            }
            if T::faer_eig(a, re, im, v, rung != Rung::Plain, room) && self.accept(re, im, vectors.as_deref(), image) {
                for (w, (re, im)) in w.iter_mut().zip(re.iter().zip(im.iter())) {
                    let im = if T::COMPLEX { re.im() } else { im.re() };
                    *w = <T::Complex as Scalar>::new(re.re(), im);
                }
                return Ok(vectors);
            }
        }
        Err(DenseError::NoConvergence)
    }

    /// Whether values and vectors satisfy the equation to what rounding allows: the routine does
    /// not report that it gave up. Of values alone the sum is looked at.
    fn accept(&self, re: &[T], im: &[T], vectors: Option<&[T]>, image: &mut [T]) -> bool {
        let n = self.n;
        let norm = norm2(self.a).sqrt();
        let bound = norm * T::Real::EPS * T::Real::from_f64(1000.0 * n as f64);
        let Some(v) = vectors else {
            let mut sum = T::ZERO;
            for i in 0..n {
                sum += re[i] - self.a[i * n + i];
            }
            return sum.abs1() <= bound;
        };
        let (view, a) = (MatRef::col_major(v, n, n), MatRef::col_major(self.a, n, n));
        add_product(MatMut::col_major(image, n, n), false, a, false, view, false, T::ONE);
        let column = |x: &[T], j: usize| -> std::ops::Range<usize> {
            debug_assert!(x.len() == n * n);
            j * n..(j + 1) * n
        };
        let mut j = 0;
        while j < n {
            let x = &v[column(v, j)];
            let pair = !T::COMPLEX && im[j] != T::ZERO && j + 1 < n;
            let y = if pair { &v[column(v, j + 1)] } else { x };
            let size = norm2(x).sqrt() + norm2(y).sqrt();
            let (ax, ay) = (&image[j * n..], &image[if pair { j + 1 } else { j } * n..]);
            let mut worst = T::Real::ZERO;
            for i in 0..n {
                let (r, s) = if pair {
                    (ax[i] - re[j] * x[i] + im[j] * y[i], ay[i] - re[j] * y[i] - im[j] * x[i])
                } else {
                    (ax[i] - re[j] * x[i], T::ZERO)
                };
                worst = worst + r.abs1() + s.abs1();
            }
            if !(size > T::Real::ZERO && size.finite() && worst <= bound * size) {
                return false;
            }
            j += if pair { 2 } else { 1 };
        }
        true
    }
}

#[cfg(test)]
mod tests;
