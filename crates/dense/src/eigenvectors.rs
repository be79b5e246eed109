//! Right eigenvectors as complex columns: their norm and phase, a look at their residuals, and
//! inverse iteration for those that the library lost.

use crate::elimination::factor;
use crate::error::DenseError;
use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::scratch::Scratch;
use crate::simd::norm2;
use crate::view::{MatMut, MatRef};

/// Columns and work arrays, n×n and of n numbers.
pub(crate) struct Columns<'a, C: Scalar> {
    /// The vectors.
    pub(crate) x: &'a mut [C],
    a: &'a mut [C],
    image: &'a mut [C],
    pivots: &'a mut [usize],
    lost: &'a mut [usize],
    n: usize,
}

impl<'a, C: Scalar> Columns<'a, C> {
    pub(crate) fn take(n: usize, scratch: &mut Scratch<'a>) -> Result<Self, DenseError> {
        Ok(Self {
            x: scratch.take(n, n)?,
            a: scratch.take(n, n)?,
            image: scratch.take(n, n)?,
            pivots: scratch.take_indices(n)?,
            lost: scratch.take_indices(n)?,
            n,
        })
    }

    /// Normalised columns from the library's: a real matrix has the parts of the first vector of
    /// a pair in two columns.
    pub(crate) fn assemble<T: Scalar<Real = C::Real>>(&mut self, vectors: &[T], w: &[C]) {
        let n = self.n;
        let mut j = 0;
        while j < n {
            let count = pair::<T, C>(w, j);
            let (x, y) = (&vectors[j * n..(j + 1) * n], &vectors[(j + count - 1) * n..(j + count) * n]);
            let (first, second) = self.x[j * n..(j + count) * n].split_at_mut(n);
            for ((to, x), y) in first.iter_mut().zip(x).zip(y) {
                *to = C::new(x.re(), if count == 2 { y.re() } else { x.im() });
            }
            normalise(first);
            second.iter_mut().zip(first).for_each(|(to, from)| *to = from.conj());
            j += count;
        }
    }

    /// Whether all columns satisfy a x = w x as well as rounding allows, after another try by
    /// inverse iteration for those that do not.
    pub(crate) fn check<T: Scalar<Real = C::Real>>(&mut self, a: &[T], w: &[C]) -> bool {
        let n = self.n;
        let norm = norm2(a).sqrt();
        self.a.iter_mut().zip(a).for_each(|(to, a)| *to = C::new(a.re(), a.im()));
        let bound = norm * C::Real::EPS * C::Real::from_f64(100.0 * n as f64);
        let (view, x) = (MatRef::col_major(self.a, n, n), MatRef::col_major(self.x, n, n));
        add_product(MatMut::col_major(self.image, n, n), false, view, false, x, false, C::ONE);
        // Inverse iteration uses the image, so all residuals come first.
        for (j, w) in w.iter().enumerate() {
            let good = residual(&self.image[j * n..], &self.x[j * n..(j + 1) * n], *w) <= bound;
            self.lost[j] = usize::from(!good);
        }
        let mut j = 0;
        while j < n {
            let count = pair::<T, C>(w, j);
            if self.lost[j] == 1 {
                if !self.invert(j, w[j], norm, bound) {
                    return false;
                }
                let (first, second) = self.x[j * n..(j + count) * n].split_at_mut(n);
                second.iter_mut().zip(first).for_each(|(to, from)| *to = from.conj());
            }
            j += count;
        }
        true
    }

    /// Inverse iteration for column j.
    fn invert(&mut self, j: usize, w: C, norm: C::Real, bound: C::Real) -> bool {
        let n = self.n;
        self.image.copy_from_slice(self.a);
        for i in 0..n {
            self.image[i * n + i] -= w;
        }
        factor(self.image, n, n, self.pivots);
        let x = &mut self.x[j * n..(j + 1) * n];
        x.fill(C::ONE);
        // No more steps than are needed: in a defective space the next one leads away again.
        for step in 0..3 {
            if step > 0 {
                forward(self.image, n, self.pivots, x);
            }
            backward(self.image, n, norm * C::Real::EPS, x);
            normalise(x);
            let mut off = C::Real::ZERO;
            for i in 0..n {
                let image = (0..n).fold(C::ZERO, |sum, l| sum + self.a[l * n + i] * x[l]);
                off += (image - w * x[i]).abs1();
            }
            if off <= bound {
                return true;
            }
        }
        false
    }
}

/// How many columns belong to value j: two for the first of a conjugate pair of a real matrix.
fn pair<T: Scalar, C: Scalar>(w: &[C], j: usize) -> usize {
    if !T::COMPLEX && w[j].im() != C::Real::ZERO && j + 1 < w.len() { 2 } else { 1 }
}

/// Sum of |a x − w x|; NaN if x is not a unit vector.
fn residual<C: Scalar>(image: &[C], x: &[C], w: C) -> C::Real {
    let half = C::Real::from_f64(0.5);
    let unit = norm2(x) > half;
    if !unit {
        return C::Real::from_f64(f64::NAN);
    }
    image.iter().zip(x).fold(C::Real::ZERO, |sum, (y, x)| sum + (*y - w * *x).abs1())
}

/// x = L⁻¹ P x.
fn forward<C: Scalar>(lu: &[C], n: usize, pivots: &[usize], x: &mut [C]) {
    for (j, pivot) in pivots[..n].iter().enumerate() {
        x.swap(j, *pivot);
    }
    for j in 0..n {
        let found = x[j];
        for i in j + 1..n {
            x[i] -= lu[j * n + i] * found;
        }
    }
}

/// x = U⁻¹ x up to a factor that keeps it in range; pivots below `least` count as that.
fn backward<C: Scalar>(lu: &[C], n: usize, least: C::Real, x: &mut [C]) {
    for j in (0..n).rev() {
        let pivot = lu[j * n + j];
        let pivot = if pivot.abs1() < least { C::new(least, C::Real::ZERO) } else { pivot };
        x[j] = x[j].over(pivot);
        let found = x[j];
        for i in 0..j {
            x[i] -= lu[j * n + i] * found;
        }
        let top = x.iter().fold(C::Real::ZERO, |top, x| top.larger(x.abs1()));
        if top > C::Real::ONE / C::Real::EPS {
            let e = top.exponent();
            for x in x.iter_mut() {
                *x = x.power(-e);
            }
        }
    }
}

/// Norm 1, largest component real; the others keep their phase to it. Zero and what is not finite
/// stay as they are.
pub(crate) fn normalise<C: Scalar>(x: &mut [C]) {
    let top = x.iter().fold(C::Real::ZERO, |top, x| top.larger(x.abs1()));
    if top == C::Real::ZERO || !top.finite() {
        return;
    }
    let e = top.exponent();
    for x in x.iter_mut() {
        *x = x.power(-e);
    }
    let (mut at, mut size) = (0, C::Real::ZERO);
    for (i, x) in x.iter().enumerate() {
        if x.abs2() > size {
            (at, size) = (i, x.abs2());
        }
    }
    let scale = C::Real::ONE / norm2(x).sqrt();
    if x[at].im() == C::Real::ZERO {
        for x in x.iter_mut() {
            *x = x.scale(scale);
        }
    } else {
        let turn = x[at].conj().scale(scale / size.sqrt());
        for x in x.iter_mut() {
            *x = *x * turn;
        }
        x[at] = C::new(x[at].re(), C::Real::ZERO);
    }
}
