//! The full SVD on matrices that are known to be hard, in all four types.

#[macro_use]
mod support;

use num_complex::Complex;
use support::{Bytes, Mat, Rng, Svd};
use tenferro_dense::{DenseError, MatRef, RealScalar, Scalar, svd, svd_full, svd_full_scratch, svd_scratch};

for_types! {
    random_shapes known_spectra kahan hilbert_like diagonal scales strides values_only square_factors
    not_finite empty zero errors near_dependent_tall
}

mod cases {
    use super::*;

    pub fn random_shapes<T: Scalar>() {
        let mut rng = Rng(1);
        let shapes = [
            (1, 1),
            (1, 7),
            (7, 1),
            (2, 2),
            (3, 3),
            (5, 5),
            (8, 3),
            (3, 8),
            (16, 16),
            (31, 40),
            (130, 20),
            (20, 130),
            (64, 64),
            (500, 4),
            (4, 500),
            (150, 150),
            (200, 129),
            (300, 17),
        ];
        for (m, n) in shapes {
            let a = rng.matrix::<T>(m, n);
            Svd::of(&a).check(&a, 64.0);
        }
        for n in 2..40 {
            let a = rng.matrix::<T>(n, n + n % 3);
            Svd::of(&a).check(&a, 64.0);
        }
    }

    pub fn known_spectra<T: Scalar>() {
        let mut rng = Rng(2);
        let graded = |k: usize| (0..k).map(move |i| 10f64.powf(-15.0 * i as f64 / (k - 1) as f64));
        let spectra: [Vec<f64>; 6] = [
            graded(30).collect(),
            vec![1.0; 30],
            (0..30).map(|i| if i < 10 { 2.0 } else { 1.0 - 1e-13 * i as f64 }).collect(),
            (0..30).map(|i| if i == 0 { 1.0 } else { 1e-8 }).collect(),
            (0..7).map(|i| 1.0 / (1 + i) as f64).collect(),
            vec![3.0, 2.0, 1.0, 1.0],
        ];
        for s in &spectra {
            for (m, n) in [(30, 30), (200, 30), (30, 200), (45, 30), (30, 45)] {
                let a = rng.with_values::<T>(m, n, s);
                let out = Svd::of(&a);
                out.check(&a, 64.0);
                out.check_values(s, 64.0);
            }
        }
    }

    /// Columns that depend on others to rounding level, which a QR that skips them gets wrong.
    pub fn near_dependent_tall<T: Scalar>() {
        let mut rng = Rng(3);
        for small in [1e-5, 1e-9, 1e-12, 1e-13, 1e-14] {
            let s: Vec<f64> = (0..12).map(|i| if i < 6 { 1.0 / (1 + i) as f64 } else { small }).collect();
            let a = rng.with_values::<T>(2000, 12, &s);
            let out = Svd::of(&a);
            out.check(&a, 64.0);
            out.check_values(&s, 64.0);
        }
        let mut a = rng.matrix::<T>(300, 9);
        for i in 0..300 {
            a.data[300 * 4 + i] = a.data[300 + i];
            a.data[300 * 7 + i] = T::ZERO;
        }
        let out = Svd::of(&a);
        out.check(&a, 64.0);
        assert!(out.s[7].to_f64() <= 64.0 * support::eps::<T>() * out.s[0].to_f64());
    }

    /// Kahan, Can. Math. Bull. 9, 757 (1966): triangular, no small diagonal, nearly singular.
    pub fn kahan<T: Scalar>() {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let (sin, cos) = (1.2f64.sin(), 1.2f64.cos());
        let a = Mat::<T>::real(60, 60, |i, j| {
            let d = sin.powi(i as i32);
            match i.cmp(&j) {
                Equal => d,
                Less => -cos * d,
                Greater => 0.0,
            }
        });
        Svd::of(&a).check(&a, 64.0);
    }

    /// Hilbert 8: first, middle and last value from 50-digit arithmetic.
    pub fn hilbert_like<T: Scalar>() {
        let a = Mat::<T>::real(8, 8, |i, j| 1.0 / (i + j + 1) as f64);
        let out = Svd::of(&a);
        out.check(&a, 64.0);
        for (i, want) in HILBERT8 {
            assert!((out.s[i].to_f64() - want).abs() <= 8.0 * support::eps::<T>());
        }
    }

    pub fn diagonal<T: Scalar>() {
        let d = [1.0, 1.0, -2.0, 3.0];
        let a = Mat::<T>::real(4, 4, |i, j| if i == j { d[i] } else { 0.0 });
        let out = Svd::of(&a);
        out.check(&a, 8.0);
        out.check_values(&[3.0, 2.0, 1.0, 1.0], 4.0);
    }

    /// A power of two changes nothing but the values, up to the ends of the range.
    pub fn scales<T: Scalar>() {
        let mut rng = Rng(4);
        let a = rng.with_values::<T>(20, 14, &(1..15).map(f64::from).collect::<Vec<_>>());
        let base = Svd::of(&a);
        let ends: [i32; 4] = if support::eps::<T>() > 1e-10 { [110, -110, 60, -90] } else { [990, -1000, 500, -800] };
        for e in ends {
            let by = |x: T| T::new(x.re().times_power(e), x.im().times_power(e));
            let b = Mat { data: a.data.iter().map(|x| by(*x)).collect(), ..a.clone() };
            let out = Svd::of(&b);
            assert_eq!(out.u, base.u);
            assert_eq!(out.vh, base.vh);
            let want: Vec<_> = base.s.iter().map(|s| s.times_power(e)).collect();
            assert_eq!(out.s, want);
        }
        // Subnormals: few bits, but no zeros and no failure.
        let tiny = T::Real::MIN_NORMAL.times_power(-12);
        let b = Mat::<T>::from_fn(6, 6, |i, j| {
            T::new(tiny, T::Real::ZERO).scale(T::Real::from_f64(((i * 7 + j * 3) % 5) as f64 + f64::from(i == j) * 9.0))
        });
        let out = Svd::of(&b);
        out.check_factors(32.0);
        let c = Mat::<T>::real(6, 6, |i, j| ((i * 7 + j * 3) % 5) as f64 + f64::from(i == j) * 9.0);
        let unit = tiny.to_f64();
        for (x, y) in out.values().iter().zip(Svd::of(&c).values()) {
            assert!((x / unit - y).abs() <= 2.0 * 0.5f64.powi(10) * y.max(1.0), "{x:e} {y:e}");
        }
    }

    /// Any layout of the same values gives the same bits.
    pub fn strides<T: Scalar>() {
        let mut rng = Rng(5);
        for (m, n) in [(9, 6), (6, 9), (7, 7), (70, 5)] {
            let a = rng.matrix::<T>(m, n);
            let base = Svd::of(&a);
            let rows: Vec<T> = (0..m * n).map(|l| a.at(l / n, l % n)).collect();
            let back: Vec<T> = a.data.iter().rev().copied().collect();
            let mut wide = vec![T::ZERO; 3 * m * n];
            for (l, x) in a.data.iter().enumerate() {
                wide[3 * l] = *x;
            }
            // SAFETY: all elements are inside their vectors.
            let views = unsafe {
                [
                    MatRef::row_major(&rows, m, n),
                    MatRef::from_raw_parts(&raw const back[m * n - 1], m, n, -1, -(m as isize)),
                    MatRef::from_raw_parts(wide.as_ptr(), m, n, 3, 3 * m as isize),
                ]
            };
            for view in views {
                let out = Svd::try_of(view, true).expect("svd");
                assert!(out.u == base.u && out.s == base.s && out.vh == base.vh);
            }
            // One column, repeated without memory of its own.
            // SAFETY: stride 0 stays on the first column.
            let same = unsafe { MatRef::from_raw_parts(a.data.as_ptr(), m, n, 1, 0) };
            let out = Svd::try_of(same, true).expect("svd");
            out.check(&Mat::from_fn(m, n, |i, _| a.at(i, 0)), 32.0);
        }
        // Results in row-major views.
        let a = rng.matrix::<T>(8, 5);
        let base = Svd::of(&a);
        let (mut u, mut s, mut vh) = (Mat::<T>::zeros(5, 8), vec![T::Real::ZERO; 5], Mat::<T>::zeros(5, 5));
        let mut scratch = Bytes::new(svd_scratch::<T>(8, 5));
        svd(a.rf(), Some(u.mt().t()), &mut s, Some(vh.mt().t()), true, scratch.get()).expect("svd");
        assert_eq!(Mat::from_fn(8, 5, |i, j| u.at(j, i)), base.u);
        assert_eq!(Mat::from_fn(5, 5, |i, j| vh.at(j, i)), base.vh);
    }

    pub fn values_only<T: Scalar>() {
        let mut rng = Rng(6);
        for (m, n) in [(12, 12), (60, 7), (7, 60), (150, 140)] {
            let a = rng.matrix::<T>(m, n);
            let want = Svd::of(&a);
            let mut scratch = Bytes::new(svd_scratch::<T>(m, n));
            let mut s = want.s.clone();
            for which in 0..3 {
                s.fill(T::Real::ZERO);
                let (mut u, mut vh) = (want.u.clone(), want.vh.clone());
                let x = (which == 1).then(|| u.mt());
                let y = (which == 2).then(|| vh.mt());
                svd(a.rf(), x, &mut s, y, true, scratch.get()).expect("svd");
                let out = Svd::<T> { u, s: s.clone(), vh };
                out.check_factors(64.0);
                out.check_values(&want.values(), 32.0);
                // Whichever factor was asked for: the columns of A v (u* A) have norms s.
                let image = match which {
                    1 => out.u.adjoint().times(&a).adjoint(),
                    2 => a.times(&out.vh.adjoint()),
                    _ => continue,
                };
                let norms: Vec<f64> = (0..image.n).map(|j| image.cols(j, j + 1).norm()).collect();
                out.check_values(&norms, 64.0);
            }
        }
    }

    /// Both factors unitary whatever the shape and the rank, and the thin factors in front.
    pub fn square_factors<T: Scalar>() {
        let mut rng = Rng(8);
        for (m, n, rank) in [(5, 5, 5), (9, 4, 4), (4, 9, 4), (9, 4, 2), (40, 3, 1), (3, 70, 3), (6, 4, 0), (0, 3, 0), (3, 0, 0)] {
            let s: Vec<f64> = (0..rank).map(|i| 2.0 / (1 + i) as f64).collect();
            let a = rng.with_values::<T>(m, n, &s);
            let k = m.min(n);
            let (mut u, mut vh, mut s) = (Mat::<T>::zeros(m, m), Mat::<T>::zeros(n, n), vec![T::Real::ZERO; k]);
            let mut scratch = Bytes::new(svd_full_scratch::<T>(m, n));
            svd_full(a.rf(), u.mt(), &mut s, vh.mt(), true, scratch.get()).expect("svd");
            let bound = 64.0 * support::eps::<T>();
            assert!(support::orthogonality(&u) <= bound && support::orthogonality(&vh) <= bound, "{m}x{n}");
            let thin = Svd::of(&a);
            assert!(u.cols(0, k) == thin.u && s == thin.s);
            assert_eq!(vh.adjoint().cols(0, k), thin.vh.adjoint());
            assert!(u.cols(0, k).scaled_columns(&s).times(&thin.vh).plus(&a, -1.0).max() <= bound * 2.0);
            if m * n > 0 {
                let wrong = svd_full(a.rf(), Mat::zeros(m + 1, m).mt(), &mut s, vh.mt(), true, scratch.get());
                assert!(matches!(wrong, Err(DenseError::Shape(_))));
            }
        }
    }

    pub fn not_finite<T: Scalar>() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut a = Rng(7).matrix::<T>(9, 5);
            a.data[11] = support::real(bad);
            assert_eq!(Svd::try_of(a.rf(), true).err(), Some(DenseError::NonFinite));
            let out = Svd::try_of(a.rf(), false).expect("unchecked");
            assert!(out.values().iter().all(|s| s.is_nan()));
            assert!(out.u.max().is_nan() && out.vh.max().is_nan());
        }
    }

    pub fn empty<T: Scalar>() {
        for (m, n) in [(0, 0), (0, 4), (4, 0)] {
            assert!(Svd::of(&Mat::<T>::zeros(m, n)).s.is_empty());
        }
    }

    pub fn zero<T: Scalar>() {
        for (m, n) in [(1, 1), (5, 3), (3, 5)] {
            let a = Mat::<T>::zeros(m, n);
            let out = Svd::of(&a);
            out.check(&a, 0.0);
            assert!(out.values().iter().all(|s| *s == 0.0));
        }
    }

    pub fn errors<T: Scalar>() {
        let a = Mat::<T>::real(4, 3, |i, j| (i + 2 * j) as f64);
        let need = svd_scratch::<T>(4, 3);
        let mut s = vec![T::Real::ZERO; 3];
        let mut scratch = Bytes::new(need);
        let short = svd(a.rf(), None, &mut s, None, true, &mut scratch.get()[1..]);
        assert_eq!(short, Err(DenseError::Scratch { needed: need, got: need - 1 }));
        let wrong = svd(a.rf(), None, &mut s[..2], None, true, scratch.get());
        assert!(matches!(wrong, Err(DenseError::Shape(_))));
        let mut u = Mat::<T>::zeros(3, 3);
        let wrong = svd(a.rf(), Some(u.mt()), &mut s, None, true, scratch.get());
        assert!(matches!(wrong, Err(DenseError::Shape(_))));
    }
}

/// Index and singular value of the 8×8 Hilbert matrix, mpmath.
const HILBERT8: [(usize, f64); 3] = [(0, 1.6959389969219495), (3, 0.0014676881177418673), (7, 1.1115389663724424e-10)];
