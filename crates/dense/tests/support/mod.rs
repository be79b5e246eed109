//! Plain matrices, random ones, and what must hold of a decomposition.
#![allow(dead_code)]

use num_complex::Complex;
use tenferro_dense::{MatMut, MatRef, RealScalar, Scalar};

/// A column-major matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Mat<T> {
    pub data: Vec<T>,
    pub m: usize,
    pub n: usize,
}

impl<T: Scalar> Mat<T> {
    pub fn zeros(m: usize, n: usize) -> Self {
        Self { data: vec![T::ZERO; m * n], m, n }
    }
    pub fn from_fn(m: usize, n: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let mut a = Self::zeros(m, n);
        for j in 0..n {
            for i in 0..m {
                a.data[j * m + i] = f(i, j);
            }
        }
        a
    }
    pub fn real(m: usize, n: usize, mut f: impl FnMut(usize, usize) -> f64) -> Self {
        Self::from_fn(m, n, |i, j| real(f(i, j)))
    }
    pub fn at(&self, i: usize, j: usize) -> T {
        self.data[j * self.m + i]
    }
    pub fn rf(&self) -> MatRef<'_, T> {
        MatRef::col_major(&self.data, self.m, self.n)
    }
    pub fn mt(&mut self) -> MatMut<'_, T> {
        MatMut::col_major(&mut self.data, self.m, self.n)
    }
    pub fn adjoint(&self) -> Self {
        Self::from_fn(self.n, self.m, |i, j| self.at(j, i).conj())
    }
    pub fn times(&self, b: &Self) -> Self {
        assert_eq!(self.n, b.m);
        let mut c = Self::zeros(self.m, b.n);
        for j in 0..b.n {
            for l in 0..self.n {
                let x = b.at(l, j);
                for i in 0..self.m {
                    c.data[j * self.m + i] += self.at(i, l) * x;
                }
            }
        }
        c
    }
    pub fn plus(&self, b: &Self, factor: f64) -> Self {
        let f = T::Real::from_f64(factor);
        Self::from_fn(self.m, self.n, |i, j| self.at(i, j) + b.at(i, j).scale(f))
    }
    pub fn power(&self, e: i32) -> Self {
        Self::from_fn(self.m, self.n, |i, j| T::new(self.at(i, j).re().times_power(e), self.at(i, j).im().times_power(e)))
    }
    pub fn identity(n: usize) -> Self {
        Self::real(n, n, |i, j| f64::from(i == j))
    }
    pub fn scaled_columns(&self, s: &[T::Real]) -> Self {
        Self::from_fn(self.m, self.n, |i, j| self.at(i, j).scale(s[j]))
    }
    pub fn cols(&self, from: usize, to: usize) -> Self {
        Self { data: self.data[from * self.m..to * self.m].to_vec(), m: self.m, n: to - from }
    }
    pub fn max(&self) -> f64 {
        self.data.iter().map(|x| x.abs2().to_f64().sqrt()).fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
    }
    pub fn norm(&self) -> f64 {
        self.data.iter().map(|x| x.abs2().to_f64()).sum::<f64>().sqrt()
    }
    /// Re Σ conj(a) b.
    pub fn inner(&self, b: &Self) -> f64 {
        self.data.iter().zip(&b.data).map(|(x, y)| (x.conj() * *y).re().to_f64()).sum()
    }
}

pub fn real<T: Scalar>(x: f64) -> T {
    T::new(T::Real::from_f64(x), T::Real::ZERO)
}

pub fn eps<T: Scalar>() -> f64 {
    T::Real::EPS.to_f64()
}

/// a_ij = (7i + 3j + ij) mod 11 − 5, in complex types plus i((2i + 5j + 3ij) mod 7 − 3): small
/// integers for which NumPy and LAPACK have been asked.
pub fn integers<T: Scalar>(m: usize, n: usize) -> Mat<T> {
    Mat::from_fn(m, n, |i, j| {
        let (re, im) = ((7 * i + 3 * j + i * j) % 11, (2 * i + 5 * j + 3 * i * j) % 7);
        T::new(T::Real::from_f64(re as f64 - 5.0), T::Real::from_f64(im as f64 - 3.0))
    })
}

/// Runs a generic test for the four types.
#[allow(unused_macros)]
macro_rules! for_types {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            cases::$name::<f32>();
            cases::$name::<f64>();
            cases::$name::<Complex<f32>>();
            cases::$name::<Complex<f64>>();
        }
    )*};
}

/// A 64-bit linear congruential generator.
pub struct Rng(pub u64);

impl Rng {
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn gauss(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
    pub fn matrix<T: Scalar>(&mut self, m: usize, n: usize) -> Mat<T> {
        Mat::from_fn(m, n, |_, _| T::new(T::Real::from_f64(self.gauss()), T::Real::from_f64(self.gauss())))
    }
    /// Orthonormal columns, by Gram–Schmidt done twice.
    pub fn orthonormal<T: Scalar>(&mut self, m: usize, k: usize) -> Mat<T> {
        let mut q = self.matrix::<T>(m, k);
        for j in 0..k {
            for _ in 0..2 {
                let mut x = q.cols(j, j + 1);
                if j > 0 {
                    let before = q.cols(0, j);
                    x = x.plus(&before.times(&before.adjoint().times(&x)), -1.0);
                }
                let norm = T::Real::from_f64(1.0 / x.norm());
                for i in 0..m {
                    q.data[j * m + i] = x.data[i].scale(norm);
                }
            }
        }
        q
    }
    /// A matrix with the given singular values, made in double precision.
    pub fn with_values<T: Scalar>(&mut self, m: usize, n: usize, s: &[f64]) -> Mat<T> {
        if T::COMPLEX { self.product::<Complex<f64>, T>(m, n, s) } else { self.product::<f64, T>(m, n, s) }
    }
    fn product<D: Scalar<Real = f64>, T: Scalar>(&mut self, m: usize, n: usize, s: &[f64]) -> Mat<T> {
        let u = self.orthonormal::<D>(m, s.len());
        let v = self.orthonormal::<D>(n, s.len());
        let a = u.scaled_columns(s).times(&v.adjoint());
        let narrow = |x: f64| T::Real::from_f64(x);
        Mat::from_fn(m, n, |i, j| T::new(narrow(a.at(i, j).re()), narrow(a.at(i, j).im())))
    }
}

/// ‖q* q − 1‖, largest element.
pub fn orthogonality<T: Scalar>(q: &Mat<T>) -> f64 {
    let one = Mat::<T>::real(q.n, q.n, |i, j| f64::from(i == j));
    q.adjoint().times(q).plus(&one, -1.0).max()
}

/// 64-byte aligned scratch.
pub struct Bytes {
    data: Vec<u8>,
    start: usize,
    len: usize,
}

impl Bytes {
    pub fn new(len: usize) -> Self {
        // 0xff makes NaNs of all that is read before it is written.
        let data = vec![0xff; len + 64];
        let start = data.as_ptr().align_offset(64);
        Self { data, start, len }
    }
    pub fn get(&mut self) -> &mut [u8] {
        &mut self.data[self.start..self.start + self.len]
    }
}

/// A thin SVD.
pub struct Svd<T: Scalar> {
    pub u: Mat<T>,
    pub s: Vec<T::Real>,
    pub vh: Mat<T>,
}

impl<T: Scalar> Svd<T> {
    pub fn zeros(m: usize, n: usize, k: usize) -> Self {
        Self { u: Mat::zeros(m, k), s: vec![T::Real::ZERO; k], vh: Mat::zeros(k, n) }
    }
    pub fn of(a: &Mat<T>) -> Self {
        Self::try_of(a.rf(), true).expect("svd")
    }
    pub fn try_of(a: MatRef<'_, T>, check: bool) -> Result<Self, tenferro_dense::DenseError> {
        let (m, n) = (a.rows(), a.cols());
        let mut out = Self::zeros(m, n, m.min(n));
        let mut scratch = Bytes::new(tenferro_dense::svd_scratch::<T>(m, n));
        let (u, vh) = (Some(out.u.mt()), Some(out.vh.mt()));
        tenferro_dense::svd(a, u, &mut out.s, vh, check, scratch.get())?;
        Ok(out)
    }
    pub fn values(&self) -> Vec<f64> {
        self.s.iter().map(|s| s.to_f64()).collect()
    }
    /// Orthonormality and order; in units of eps.
    pub fn check_factors(&self, units: f64) {
        let (left, right) = (orthogonality(&self.u), orthogonality(&self.vh.adjoint()));
        let bound = units * eps::<T>();
        assert!(left <= bound, "u: {left:e} > {bound:e}, {}x{}", self.u.m, self.u.n);
        assert!(right <= bound, "vh: {right:e} > {bound:e}, {}x{}", self.vh.m, self.vh.n);
        assert!(self.s.windows(2).all(|w| w[0] >= w[1]), "order");
        assert!(self.s.iter().all(|s| *s >= T::Real::ZERO), "sign");
    }
    /// ‖a − u s vh‖ over s₀ within `units` of eps; and the factors.
    pub fn check(&self, a: &Mat<T>, units: f64) {
        self.check_factors(units);
        let back = self.u.scaled_columns(&self.s).times(&self.vh);
        let top = self.s.first().map_or(0.0, |s| s.to_f64());
        let off = back.plus(a, -1.0).max();
        let bound = units * eps::<T>() * top;
        assert!(off <= bound, "reconstruction {off:e} > {bound:e}, {}x{}", a.m, a.n);
    }
    /// |s − expected| over the largest one within `units` of eps.
    pub fn check_values(&self, expected: &[f64], units: f64) {
        let top = expected.iter().fold(0.0, |a: f64, b| a.max(*b));
        for (i, s) in self.values().into_iter().enumerate() {
            let want = expected.get(i).copied().unwrap_or(0.0);
            let off = (s - want).abs();
            assert!(off <= units * eps::<T>() * top, "s[{i}] = {s:e}, not {want:e}");
        }
    }
}
