//! Known singular triplets in the adjoint system: projections, and the inverse on their span.

use crate::error::DenseError;
use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::scratch::{Scratch, bytes};
use crate::simd::norm2;
use crate::view::{MatMut, MatRef};

/// An element (x, y) of the space the system lives in: m×k and n×k, column-major.
pub(crate) struct Pair<'a, T> {
    pub(crate) x: &'a mut [T],
    pub(crate) y: &'a mut [T],
    pub(crate) m: usize,
    pub(crate) n: usize,
}

/// Singular triplets.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a, T: Scalar> {
    pub(crate) u: MatRef<'a, T>,
    pub(crate) s: &'a [T::Real],
    pub(crate) vh: MatRef<'a, T>,
}

impl<'a, T: Scalar> Pair<'a, T> {
    pub(crate) fn bytes(m: usize, n: usize, k: usize) -> usize {
        bytes::<T>(m, k).saturating_add(bytes::<T>(n, k))
    }

    pub(crate) fn take(m: usize, n: usize, k: usize, scratch: &mut Scratch<'a>) -> Result<Self, DenseError> {
        Ok(Self { x: scratch.take(m, k)?, y: scratch.take(n, k)?, m, n })
    }

    /// Frobenius norm.
    pub(crate) fn norm(&self) -> f64 {
        (norm2(self.x).to_f64() + norm2(self.y).to_f64()).sqrt()
    }
}

impl<T: Scalar> Known<'_, T> {
    /// x -= u (u* x), y -= v (v* y); `work` holds two arrays of (triplets × k).
    pub(crate) fn project_out(&self, pair: &mut Pair<'_, T>, work: &mut [&mut [T]; 2]) {
        self.coefficients(pair, work);
        self.add(pair, work[0], work[1], -T::ONE);
    }

    /// Coefficients u* x and v* y.
    pub(crate) fn coefficients(&self, pair: &Pair<'_, T>, work: &mut [&mut [T]; 2]) {
        let (rows, k) = (self.s.len(), pair.x.len() / pair.m);
        let (x, y) = (MatRef::col_major(pair.x, pair.m, k), MatRef::col_major(pair.y, pair.n, k));
        let to_a = MatMut::col_major(work[0], rows, k);
        add_product(to_a, false, self.u.t(), true, x, false, T::ONE);
        let to_b = MatMut::col_major(work[1], rows, k);
        add_product(to_b, false, self.vh, false, y, false, T::ONE);
    }

    /// x += factor · u a, y += factor · v b.
    pub(crate) fn add(&self, pair: &mut Pair<'_, T>, a: &[T], b: &[T], factor: T) {
        let (rows, k) = (self.s.len(), pair.x.len() / pair.m);
        let (a, b) = (MatRef::col_major(a, rows, k), MatRef::col_major(b, rows, k));
        let x = MatMut::col_major(pair.x, pair.m, k);
        add_product(x, true, self.u, false, a, false, factor);
        let y = MatMut::col_major(pair.y, pair.n, k);
        add_product(y, true, self.vh.t(), true, b, false, factor);
    }
}

/// The approximate inverse of s² − M M*: exact on the span of known triplets, 1/s² elsewhere, 0
/// on the kept ones and on those that tie with s.
pub(crate) struct Preconditioner<'a, T: Scalar> {
    /// Kept and then known left vectors, m×(k + known), column-major.
    pub(crate) basis: &'a [T],
    pub(crate) m: usize,
    /// Number of kept vectors.
    pub(crate) kept: usize,
    /// The value of each column of the system, none of them 0.
    pub(crate) s: &'a [T::Real],
    /// Known values.
    pub(crate) t: &'a [T::Real],
}

/// Whether two values count as one multiplet.
pub(crate) fn tied<R: RealScalar>(s: R, t: R, top: R) -> bool {
    (s - t).abs() <= R::GAP * top
}

impl<T: Scalar> Preconditioner<'_, T> {
    /// `z` = inverse · `r` for columns `from ..`; `work` holds (kept + known) elements a column.
    pub(crate) fn apply(&self, r: &[T], z: &mut [T], from: usize, work: &mut [T]) {
        let m = self.m;
        let (rows, columns) = (self.kept + self.t.len(), self.s.len() - from);
        let basis = MatRef::col_major(self.basis, m, rows);
        let (r, z) = (&r[from * m..], &mut z[from * m..]);
        let right = MatRef::col_major(r, m, columns);
        add_product(MatMut::col_major(work, rows, columns), false, basis.t(), true, right, false, T::ONE);
        for (j, s) in self.s[from..].iter().enumerate() {
            let inverse = T::Real::ONE / (*s * *s);
            let (kept, known) = work[j * rows..(j + 1) * rows].split_at_mut(self.kept);
            for c in kept.iter_mut() {
                *c = c.scale(-inverse);
            }
            for (c, t) in known.iter_mut().zip(self.t) {
                let exact = if tied(*s, *t, self.s[0]) { T::Real::ZERO } else { T::Real::ONE / ((*s - *t) * (*s + *t)) };
                *c = c.scale(exact - inverse);
            }
            let columns = z[j * m..(j + 1) * m].iter_mut().zip(&r[j * m..]);
            columns.for_each(|(z, r)| *z = r.scale(inverse));
        }
        let work = MatRef::col_major(work, rows, columns);
        add_product(MatMut::col_major(z, m, columns), true, basis, false, work, false, T::ONE);
    }
}
