//! Rayleigh–Ritz steps of the truncated SVD, with the residual that decides when to stop.

use crate::error::DenseError;
use crate::gemm::add_product;
use crate::householder::{Qr, qr_bytes};
use crate::scalar::{RealScalar, Scalar};
use crate::scratch::{Scratch, bytes};
use crate::svd::{Rung, svd_tall, tall_bytes};
use crate::view::{MatMut, MatRef};

/// b approximate singular triplets of a p×q matrix, p ≥ q ≥ b, and the room to improve them.
pub(crate) struct Ritz<'a, T: Scalar> {
    /// Left vectors, p×b, orthonormal.
    pub(crate) u: &'a mut [T],
    /// Ritz values, descending.
    pub(crate) s: &'a mut [T::Real],
    /// Right vectors, q×b, orthonormal (before the first step: any basis).
    pub(crate) v: &'a mut [T],
    /// A v, p×b.
    pub(crate) z: &'a mut [T],
    w: &'a mut [T],
    r: [&'a mut [T]; 3],
    tall_qr: Qr<'a, T>,
    wide_qr: Qr<'a, T>,
    p: usize,
    q: usize,
    b: usize,
}

/// Bytes for [`Ritz::new`] and its steps.
pub(crate) fn ritz_bytes<T: Scalar>(p: usize, q: usize, b: usize) -> usize {
    let parts = [
        2usize.saturating_mul(bytes::<T>(p, b)),
        2usize.saturating_mul(bytes::<T>(q, b)),
        bytes::<T>(b, 1),
        3usize.saturating_mul(bytes::<T>(b, b)),
        qr_bytes::<T>(p, b),
        qr_bytes::<T>(q, b),
        tall_bytes::<T>(b, b),
    ];
    parts.iter().fold(0, |sum, part| sum.saturating_add(*part))
}

impl<'a, T: Scalar> Ritz<'a, T> {
    pub(crate) fn new(p: usize, q: usize, b: usize, scratch: &mut Scratch<'a>) -> Result<Self, DenseError> {
        Ok(Self {
            u: scratch.take(p, b)?,
            s: scratch.take(b, 1)?,
            v: scratch.take(q, b)?,
            z: scratch.take(p, b)?,
            w: scratch.take(q, b)?,
            r: [scratch.take(b, b)?, scratch.take(b, b)?, scratch.take(b, b)?],
            tall_qr: Qr::new(p, b, scratch)?,
            wide_qr: Qr::new(q, b, scratch)?,
            p,
            q,
            b,
        })
    }

    /// z = A v for columns `from .. to`.
    pub(crate) fn image(&mut self, a: MatRef<'_, T>, from: usize, to: usize) {
        let v = MatRef::col_major(self.v, self.q, self.b).cols_range(from, to);
        let z = MatMut::col_major(self.z, self.p, self.b).cols_range(from, to);
        add_product(z, false, a, false, v, false, T::ONE);
    }

    /// From z: U = orth(z), A* U = Q R, R = X S Y*; then the triplets are (U Y, S, Q X), for
    /// which A* u = s v holds. The residual and the next step want the image of v.
    pub(crate) fn step(&mut self, a: MatRef<'_, T>, scratch: Scratch<'_>) -> Result<(), DenseError> {
        let (p, q, b) = (self.p, self.q, self.b);
        self.tall_qr.factor(self.z);
        self.tall_qr.form_q(self.z, self.u);
        let u = MatRef::col_major(self.u, p, b);
        add_product(MatMut::col_major(self.w, q, b), false, a.t(), true, u, false, T::ONE);
        let [r, x, y] = &mut self.r;
        self.wide_qr.factor(self.w);
        self.wide_qr.copy_r(self.w, r);
        self.wide_qr.form_q(self.w, self.v);
        svd_tall(Rung::Faer, r, b, b, Some(x), self.s, Some(y), scratch)?;

        let (x, y) = (MatRef::col_major(x, b, b), MatRef::col_major(y, b, b));
        let v = MatRef::col_major(self.v, q, b);
        add_product(MatMut::col_major(self.z, p, b), false, u, false, y, false, T::ONE);
        add_product(MatMut::col_major(self.w, q, b), false, v, false, x, false, T::ONE);
        std::mem::swap(&mut self.u, &mut self.z);
        std::mem::swap(&mut self.v, &mut self.w);
        Ok(())
    }

    /// The largest ‖A v − s u‖ over the first k triplets.
    pub(crate) fn residual(&self, k: usize) -> f64 {
        let columns = self.z.chunks_exact(self.p).zip(self.u.chunks_exact(self.p));
        let squares = columns.zip(self.s.iter()).take(k).map(|((z, u), s)| {
            let sum = z.iter().zip(u).fold(T::Real::ZERO, |sum, (z, u)| sum + (*z - u.scale(*s)).abs2());
            sum.to_f64()
        });
        squares.fold(0.0, f64::max).sqrt()
    }
}
