//! Householder QR of tall matrices, column-major, blocked in the compact WY form
//! (Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10, 53, 1989).
//!
//! Q has orthonormal columns whatever the rank. Entries are expected to be at most about 1.

use crate::error::DenseError;
use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::scratch::{Scratch, bytes};
use crate::simd::{axpy, dispatched, dot, norm2};
use crate::view::{MatMut, MatRef};

/// Columns factored by plain loops before the rest of their block is updated by products.
const PANEL: usize = 8;
/// Columns whose reflectors are applied to the rest together.
const BLOCK: usize = 32;

/// A factorization in place: R in the upper triangle, the reflectors below.
pub(crate) struct Qr<'a, T> {
    tau: &'a mut [T],
    v: &'a mut [T],
    t: &'a mut [T],
    work: &'a mut [T],
    p: usize,
    q: usize,
}

/// Bytes for [`Qr::new`].
pub(crate) fn qr_bytes<T>(p: usize, q: usize) -> usize {
    let b = BLOCK.min(q);
    [bytes::<T>(q, 1), bytes::<T>(p, b), bytes::<T>(b, b), bytes::<T>(2 * b, q)].iter().fold(0, |sum, part| sum.saturating_add(*part))
}

impl<'a, T: Scalar> Qr<'a, T> {
    /// Work arrays for matrices of p rows and q ≤ p columns.
    pub(crate) fn new(p: usize, q: usize, scratch: &mut Scratch<'a>) -> Result<Self, DenseError> {
        let b = BLOCK.min(q);
        Ok(Self { tau: scratch.take(q, 1)?, v: scratch.take(p, b)?, t: scratch.take(b, b)?, work: scratch.take(2 * b, q)?, p, q })
    }

    /// Factors `a` (p×q) in place.
    pub(crate) fn factor(&mut self, a: &mut [T]) {
        for start in (0..self.q).step_by(BLOCK) {
            let end = (start + BLOCK).min(self.q);
            for inner in (start..end).step_by(PANEL) {
                let next = (inner + PANEL).min(end);
                panel(a, self.p, inner, &mut self.tau[inner..next]);
                self.update(a, inner, next, end);
            }
            self.update(a, start, end, self.q);
        }
    }

    /// Applies reflectors `start .. end` to columns `end .. to`.
    fn update(&mut self, a: &mut [T], start: usize, end: usize, to: usize) {
        if end < to {
            self.load_block(a, start, end - start);
            let (p, q) = (self.p, self.q);
            self.apply(MatMut::col_major(a, p, q).cols_range(end, to), start, end - start, true);
        }
    }

    /// Copies R (q×q, zeros below the diagonal) out of a factored `a`.
    pub(crate) fn copy_r(&self, a: &[T], r: &mut [T]) {
        let (p, q) = (self.p, self.q);
        for (j, (r, a)) in r.chunks_exact_mut(q).zip(a.chunks_exact(p)).enumerate() {
            r[..=j].copy_from_slice(&a[..=j]);
            r[j + 1..].fill(T::ZERO);
        }
    }

    /// `c = Q c` for a `c` of p rows, with Q as its full p×p product of reflectors.
    pub(crate) fn apply_q(&mut self, a: &[T], c: &mut [T], columns: usize) {
        self.for_blocks_backwards(a, |qr, start, nb| {
            qr.apply(MatMut::col_major(c, qr.p, columns), start, nb, false);
        });
    }

    /// `c = Q* c`, likewise.
    pub(crate) fn apply_q_adjoint(&mut self, a: &[T], c: &mut [T], columns: usize) {
        for start in (0..self.q).step_by(BLOCK) {
            let nb = BLOCK.min(self.q - start);
            self.load_block(a, start, nb);
            self.apply(MatMut::col_major(c, self.p, columns), start, nb, true);
        }
    }

    /// Replaces a factored `a` by the first q columns of Q; `out` (p×q) receives them.
    pub(crate) fn form_q(&mut self, a: &[T], out: &mut [T]) {
        for (j, column) in out.chunks_exact_mut(self.p).enumerate() {
            column.fill(T::ZERO);
            column[j] = T::ONE;
        }
        // Block i only touches columns from its own start on: the others are still unit vectors
        // with zeros where it acts.
        self.for_blocks_backwards(a, |qr, start, nb| {
            let c = MatMut::col_major(out, qr.p, qr.q).cols_range(start, qr.q);
            qr.apply(c, start, nb, false);
        });
    }

    fn for_blocks_backwards(&mut self, a: &[T], mut f: impl FnMut(&mut Self, usize, usize)) {
        let mut start = self.q.next_multiple_of(BLOCK);
        while start > 0 {
            start -= BLOCK;
            let nb = BLOCK.min(self.q - start);
            self.load_block(a, start, nb);
            f(self, start, nb);
        }
    }

    /// Unpacks the reflectors of one panel to `v` and builds their triangular factor `t`.
    fn load_block(&mut self, a: &[T], start: usize, nb: usize) {
        let rows = self.p - start;
        for j in 0..nb {
            let column = &a[(start + j) * self.p + start..(start + j + 1) * self.p];
            let v = &mut self.v[j * rows..(j + 1) * rows];
            v[..j].fill(T::ZERO);
            v[j] = T::ONE;
            v[j + 1..].copy_from_slice(&column[j + 1..]);
        }
        let products = &mut self.work[..nb * nb];
        let v = MatRef::col_major(self.v, rows, nb);
        add_product(MatMut::col_major(products, nb, nb), false, v.t(), true, v, false, T::ONE);
        for j in 0..nb {
            let tau = self.tau[start + j];
            for i in 0..j {
                let mut sum = T::ZERO;
                for l in i..j {
                    sum += self.t[l * nb + i] * products[j * nb + l];
                }
                self.t[j * nb + i] = -(tau * sum);
            }
            self.t[j * nb + j] = tau;
            self.t[j * nb + j + 1..(j + 1) * nb].fill(T::ZERO);
        }
    }

    /// `c -= V T V* c`, or with T* for the adjoint, on rows `start ..` of `c`.
    fn apply(&mut self, c: MatMut<'_, T>, start: usize, nb: usize, adjoint: bool) {
        let (rows, columns) = (self.p - start, c.cols());
        let mut c = c.rows_range(start, self.p);
        // Columns beyond q (of the full Q) come in slabs that fit the work array.
        for from in (0..columns).step_by(self.q) {
            let to = (from + self.q).min(columns);
            let mut c = c.rb_mut().cols_range(from, to);
            let (w, tw) = self.work.split_at_mut(nb * (to - from));
            let v = MatRef::col_major(self.v, rows, nb);
            let t = MatRef::col_major(self.t, nb, nb);
            let t = if adjoint { t.t() } else { t };
            let view = MatMut::col_major(w, nb, to - from);
            add_product(view, false, v.t(), true, c.rb(), false, T::ONE);
            let w = MatRef::col_major(w, nb, to - from);
            add_product(MatMut::col_major(tw, nb, to - from), false, t, adjoint, w, false, T::ONE);
            let tw = MatRef::col_major(tw, nb, to - from);
            add_product(c.rb_mut(), true, v, false, tw, false, -T::ONE);
        }
    }
}

dispatched! {
    /// Factors columns `start .. start + tau.len()` from row `start` on by single reflectors.
    fn panel<T: Scalar>(a: &mut [T], p: usize, start: usize, tau: &mut [T]) = panel_body;
}

#[inline(always)]
fn panel_body<T: Scalar>(a: &mut [T], p: usize, start: usize, tau: &mut [T]) {
    let nb = tau.len();
    let columns = &mut a[start * p..(start + nb) * p];
    for j in 0..nb {
        let (head, rest) = columns.split_at_mut((j + 1) * p);
        let pivot = &mut head[j * p + start + j..];
        tau[j] = reflector(pivot);
        if tau[j] == T::ZERO {
            continue;
        }
        let v = &pivot[1..];
        for column in rest.chunks_exact_mut(p) {
            let (top, below) = column[start + j..].split_at_mut(1);
            let sum = tau[j].conj() * (top[0] + dot(v, below));
            top[0] -= sum;
            axpy(-sum, v, below);
        }
    }
}

/// Turns `x` into (β, v) with (1 − τ̄ (1, v)(1, v)*) x = β e₁, β real; returns τ (0: leave it).
#[inline(always)]
fn reflector<T: Scalar>(x: &mut [T]) -> T {
    let alpha = x[0];
    let below = norm2(&x[1..]);
    // Squares this small are inexact, and would make a reflector that is not unitary; the
    // entries are below the rounding of 1.
    if below < T::Real::MIN_NORMAL / T::Real::EPS {
        x[1..].fill(T::ZERO);
        if alpha.im() == T::Real::ZERO {
            return T::ZERO;
        }
    }
    let norm = (alpha.abs2() + below).sqrt();
    if norm == T::Real::ZERO {
        x[0] = T::ZERO;
        return T::ZERO;
    }
    let beta = if alpha.re() > T::Real::ZERO { -norm } else { norm };
    let shifted = alpha - T::new(beta, T::Real::ZERO);
    let one = T::Real::ONE;
    let factor = shifted.conj().scale(one / shifted.abs2());
    for x in &mut x[1..] {
        *x = *x * factor;
    }
    x[0] = T::new(beta, T::Real::ZERO);
    T::new(-(shifted.re() / beta), -(alpha.im() / beta))
}
