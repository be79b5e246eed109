//! What known singular triplets do to the adjoint system: projections, and the exact inverse on
//! their span.

use crate::error::DenseError;
use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::scratch::{Scratch, bytes};
use crate::view::{MatMut, MatRef};

/// An element (x, y) of the space the system lives in: m×k and n×k, column-major.
pub(crate) struct Pair<'a, T> {
    pub(crate) x: &'a mut [T],
    pub(crate) y: &'a mut [T],
    m: usize,
    n: usize,
}

/// Singular triplets.
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

    pub(crate) fn fill_zero(&mut self) {
        self.x.fill(T::ZERO);
        self.y.fill(T::ZERO);
    }

    pub(crate) fn copy_from(&mut self, from: &Pair<'_, T>) {
        self.x.copy_from_slice(from.x);
        self.y.copy_from_slice(from.y);
    }

    pub(crate) fn add(&mut self, other: &Pair<'_, T>) {
        self.x.iter_mut().zip(&*other.x).for_each(|(to, from)| *to += *from);
        self.y.iter_mut().zip(&*other.y).for_each(|(to, from)| *to += *from);
    }

    /// self -= other · diag(s), except where s counts as zero: there self becomes zero.
    pub(crate) fn subtract_scaled(&mut self, other: &Pair<'_, T>, s: &[T::Real]) {
        for (to, from, rows) in [(&mut *self.x, &*other.x, self.m), (&mut *self.y, &*other.y, self.n)] {
            let columns = to.chunks_exact_mut(rows).zip(from.chunks_exact(rows));
            for ((to, from), s_j) in columns.zip(s) {
                to.iter_mut().zip(from).for_each(|(to, from)| *to -= from.scale(*s_j));
            }
        }
    }

    /// Frobenius norm.
    pub(crate) fn norm(&self) -> f64 {
        (sum2(self.x) + sum2(self.y)).sqrt()
    }
}

fn sum2<T: Scalar>(x: &[T]) -> f64 {
    crate::simd::norm2(x).to_f64()
}

impl<T: Scalar> Known<'_, T> {
    /// x -= u (u* x), y -= v (v* y).
    pub(crate) fn project_out(&self, pair: &mut Pair<'_, T>, work: &mut [&mut [T]; 4]) {
        let (a, b) = self.coefficients(pair, work);
        self.add(pair, work[a], work[b], -T::ONE);
    }

    /// Coefficients u* x and v* y to the first two work arrays, whose numbers it returns.
    fn coefficients(&self, pair: &Pair<'_, T>, work: &mut [&mut [T]; 4]) -> (usize, usize) {
        let (rows, k) = (self.s.len(), pair.x.len() / pair.m);
        let (x, y) = (MatRef::col_major(pair.x, pair.m, k), MatRef::col_major(pair.y, pair.n, k));
        let to_a = MatMut::col_major(work[0], rows, k);
        add_product(to_a, false, self.u.t(), true, x, false, T::ONE);
        let to_b = MatMut::col_major(work[1], rows, k);
        add_product(to_b, false, self.vh, false, y, false, T::ONE);
        (0, 1)
    }

    /// x += factor · u a, y += factor · v b.
    fn add(&self, pair: &mut Pair<'_, T>, a: &[T], b: &[T], factor: T) {
        let (rows, k) = (self.s.len(), pair.x.len() / pair.m);
        let (a, b) = (MatRef::col_major(a, rows, k), MatRef::col_major(b, rows, k));
        let x = MatMut::col_major(pair.x, pair.m, k);
        add_product(x, true, self.u, false, a, false, factor);
        let y = MatMut::col_major(pair.y, pair.n, k);
        add_product(y, true, self.vh.t(), true, b, false, factor);
    }

    /// Replaces a residual by the correction it asks for: the inverse of the system on the span
    /// of these triplets, 1/s elsewhere. Returns the norm of the residual without its singular
    /// part, and whether there is a singular part.
    pub(crate) fn precondition(&self, kept: &[T::Real], error: &mut Pair<'_, T>, work: &mut [&mut [T]; 4]) -> (f64, bool) {
        self.coefficients(error, work);
        self.add(error, work[0], work[1], -T::ONE);
        let top = kept[0];
        let rows = self.s.len();
        let (mut square, mut cut) = (0.0, false);
        let [a, b, c, d] = work;
        for (j, s) in kept.iter().enumerate() {
            let null = *s <= T::Real::NULL * top;
            let inverse = if null { T::Real::ZERO } else { T::Real::ONE / *s };
            for (part, len) in [(&mut *error.x, error.m), (&mut *error.y, error.n)] {
                let column = &mut part[j * len..(j + 1) * len];
                if !null {
                    square += sum2(column);
                }
                for x in column.iter_mut() {
                    *x = x.scale(inverse);
                }
            }
            for (i, t) in self.s.iter().enumerate() {
                let at = j * rows + i;
                if null {
                    (c[at], d[at]) = (T::ZERO, T::ZERO);
                    continue;
                }
                let (plus, minus) = (a[at] + b[at], a[at] - b[at]);
                let half = T::Real::from_f64(0.5);
                // The system is s − t on (1, 1) and s + t on (1, −1).
                let tied = (*s - *t).abs() <= T::Real::GAP * top;
                cut |= tied && *s > T::Real::GAP * top;
                let along = if tied { T::ZERO } else { plus.scale(half / (*s - *t)) };
                let across = minus.scale(half / (*s + *t));
                square += 0.5 * minus.abs2().to_f64();
                if !tied {
                    square += 0.5 * plus.abs2().to_f64();
                }
                (c[at], d[at]) = (along + across, along - across);
            }
        }
        self.add(error, work[2], work[3], T::ONE);
        (square.sqrt(), cut)
    }
}
