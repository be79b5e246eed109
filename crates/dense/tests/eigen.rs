//! Eigenvalues and vectors of Hermitian and of general matrices.

#[macro_use]
mod support;

use num_complex::Complex;
use support::{Bytes, Mat, Rng, eps, integers, orthogonality};
use tenferro_dense::{DenseError, MatRef, RealScalar, Scalar, eig, eig_scratch, eigh, eigh_scratch};

for_types! {
    hermitian_of_every_size hermitian_spectra hermitian_scales hermitian_known hermitian_refuses
    general_of_every_size general_known general_defective general_scales general_badly_scaled general_refuses
}

fn try_eigh<T: Scalar>(a: MatRef<'_, T>, check: bool) -> Result<(Vec<f64>, Mat<T>), DenseError> {
    let n = a.rows();
    let (mut w, mut v) = (vec![T::Real::ZERO; n], Mat::zeros(n, n));
    let mut scratch = Bytes::new(eigh_scratch::<T>(n));
    eigh(a, &mut w, Some(v.mt()), check, scratch.get())?;
    Ok((w.iter().map(|w| w.to_f64()).collect(), v))
}

fn checked_eigh<T: Scalar>(a: &Mat<T>) -> (Vec<f64>, Mat<T>) {
    let (w, v) = try_eigh(a.rf(), true).expect("eigh");
    let n = a.n;
    let bound = (16.0 + 4.0 * (n as f64).sqrt()) * eps::<T>();
    assert!(orthogonality(&v) <= bound, "{n}: {:e}", orthogonality(&v));
    assert!(w.windows(2).all(|w| w[0] <= w[1]), "order");
    let s: Vec<T::Real> = w.iter().map(|w| T::Real::from_f64(*w)).collect();
    let off = a.times(&v).plus(&v.scaled_columns(&s), -1.0).max();
    let norm = w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    assert!(off <= bound * norm, "{n}: {off:e} of {norm:e}");
    let mut alone = vec![T::Real::ZERO; n];
    eigh(a.rf(), &mut alone, None, true, Bytes::new(eigh_scratch::<T>(n)).get()).expect("values");
    for (x, y) in alone.iter().zip(&w) {
        assert!((x.to_f64() - y).abs() <= bound * norm, "values only");
    }
    (w, v)
}

fn hermitian<T: Scalar>(rng: &mut Rng, n: usize) -> Mat<T> {
    let x = rng.matrix::<T>(n, n);
    let a = x.plus(&x.adjoint(), 1.0);
    Mat::from_fn(n, n, |i, j| if i == j { T::new(a.at(i, i).re(), T::Real::ZERO) } else { a.at(i, j) })
}

/// q diag(w) q* made in double precision, Hermitian to the last bit.
fn with_spectrum<T: Scalar>(rng: &mut Rng, w: &[f64]) -> Mat<T> {
    fn of<D: Scalar<Real = f64>, T: Scalar>(rng: &mut Rng, w: &[f64]) -> Mat<T> {
        let q = rng.orthonormal::<D>(w.len(), w.len());
        let a = q.scaled_columns(w).times(&q.adjoint());
        let a = a.plus(&a.adjoint(), 1.0);
        let half = |x: f64| T::Real::from_f64(0.5 * x);
        Mat::from_fn(w.len(), w.len(), |i, j| T::new(half(a.at(i, j).re()), half(a.at(i, j).im())))
    }
    if T::COMPLEX { of::<Complex<f64>, T>(rng, w) } else { of::<f64, T>(rng, w) }
}

type Values<T> = Vec<<T as Scalar>::Complex>;

fn try_eig<T: Scalar>(a: MatRef<'_, T>, check: bool) -> Result<(Values<T>, Mat<T::Complex>), DenseError> {
    let n = a.rows();
    let (mut w, mut v) = (vec![<T::Complex as Scalar>::ZERO; n], Mat::zeros(n, n));
    let mut scratch = Bytes::new(eig_scratch::<T>(n));
    eig(a, &mut w, Some(v.mt()), check, scratch.get())?;
    Ok((w, v))
}

fn widened<T: Scalar>(a: &Mat<T>) -> Mat<T::Complex> {
    Mat::from_fn(a.m, a.n, |i, j| <T::Complex as Scalar>::new(a.at(i, j).re(), a.at(i, j).im()))
}

fn size<C: Scalar>(x: C) -> f64 {
    x.re().to_f64().hypot(x.im().to_f64())
}

/// Residual a v − v w over ‖a‖, unit columns whose largest component is real, pairs side by side.
fn checked_eig<T: Scalar>(a: &Mat<T>) -> (Values<T>, Mat<T::Complex>) {
    let (w, v) = try_eig(a.rf(), true).unwrap_or_else(|e| panic!("{e} {a:?}"));
    let n = a.n;
    let w_v = Mat::from_fn(n, n, |i, j| v.at(i, j) * w[j]);
    let off = widened(a).times(&v).plus(&w_v, -1.0).max();
    let bound = (20.0 + 4.0 * n as f64) * eps::<T>();
    assert!(off <= bound * a.norm(), "{n}: {off:e} of {:e}", a.norm());
    for j in 0..n {
        let column = v.cols(j, j + 1);
        assert!((column.norm() - 1.0).abs() <= 16.0 * eps::<T>());
        let top = column.data.iter().fold(0.0, |top: f64, x| top.max(size(*x)));
        let real = column.data.iter().filter(|x| size(**x) >= top * (1.0 - 1e-5)).any(|x| x.im().to_f64() == 0.0);
        assert!(real, "the largest component has an imaginary part");
        if !T::COMPLEX && w[j].im().to_f64() > 0.0 {
            assert!(
                w[j + 1] == w[j].conj()
                    && v.cols(j + 1, j + 2).data.iter().eq(column.data.iter().map(|x| x.conj()).collect::<Vec<_>>().iter())
            );
        }
    }
    let mut alone = vec![<T::Complex as Scalar>::ZERO; n];
    eig(a.rf(), &mut alone, None, true, Bytes::new(eig_scratch::<T>(n)).get()).expect("values");
    let sum = alone.iter().fold(<T::Complex as Scalar>::ZERO, |sum, w| sum + *w);
    let trace = (0..n).fold(T::ZERO, |sum, i| sum + a.at(i, i));
    let trace = <T::Complex as Scalar>::new(trace.re(), trace.im());
    assert!(size(sum - trace) <= bound * (n as f64) * (1.0 + a.norm()), "trace");
    (w, v)
}

/// Every wanted value has a computed one near it, and each is used once.
fn near<C: Scalar>(w: &[C], want: &[(f64, f64)], tolerance: f64) {
    let mut left: Vec<(f64, f64)> = w.iter().map(|w| (w.re().to_f64(), w.im().to_f64())).collect();
    assert_eq!(left.len(), want.len());
    for (re, im) in want {
        let (at, off) =
            left.iter().map(|x| (x.0 - re).hypot(x.1 - im)).enumerate().fold((0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
        assert!(off <= tolerance, "({re}, {im}) is not among {left:?}: {off:e}");
        left.swap_remove(at);
    }
}

mod cases {
    use super::*;

    pub fn hermitian_of_every_size<T: Scalar>() {
        let mut rng = Rng(51);
        for n in (0..=20).chain([33, 64, 100]) {
            checked_eigh(&hermitian::<T>(&mut rng, n));
        }
        // The upper triangle and imaginary parts of the diagonal are not read.
        let a = hermitian::<T>(&mut rng, 12);
        let nan = T::Real::from_f64(f64::NAN);
        let junk = Mat::from_fn(12, 12, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => T::new(nan, nan),
            std::cmp::Ordering::Equal => T::new(a.at(i, i).re(), T::Real::from_f64(3.0)),
            std::cmp::Ordering::Greater => a.at(i, j),
        });
        assert_eq!(try_eigh(junk.rf(), true).expect("eigh"), try_eigh(a.rf(), true).expect("eigh"));
    }

    pub fn hermitian_spectra<T: Scalar>() {
        let mut rng = Rng(52);
        for n in [2, 5, 8, 30, 60] {
            let x = |i: usize| i as f64 / n as f64;
            let spectra: [Vec<f64>; 6] = [
                (0..n).map(|i| 10f64.powf(-15.0 * x(i))).collect(),
                vec![1.0; n],
                (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect(),
                (0..n).map(|i| if i < n / 3 { 2.0 } else { 1.0 - 1e-13 * i as f64 }).collect(),
                (0..n).map(|i| if i == 0 { -3.0 } else { 0.0 }).collect(),
                (0..n).map(|i| 1.0 + 1e-9 * i as f64).collect(),
            ];
            for mut want in spectra {
                let (w, _) = checked_eigh(&with_spectrum::<T>(&mut rng, &want));
                want.sort_by(f64::total_cmp);
                let top = want.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
                for (w, want) in w.iter().zip(&want) {
                    assert!((w - want).abs() <= 32.0 * eps::<T>() * top, "{n}: {w:e}, not {want:e}");
                }
            }
        }
    }

    pub fn hermitian_scales<T: Scalar>() {
        let mut rng = Rng(53);
        for n in [3, 8, 20] {
            let a = hermitian::<T>(&mut rng, n);
            let (w, v) = checked_eigh(&a);
            let ends: [i32; 3] = if eps::<T>() > 1e-10 { [115, -110, -60] } else { [1010, -1000, -500] };
            for e in ends {
                let (w_e, v_e) = try_eigh(a.power(e).rf(), true).expect("eigh");
                assert_eq!(v_e, v);
                assert!(w_e.iter().zip(&w).all(|(x, y)| *x == y.times_power(e)));
            }
            let subnormal = T::Real::MIN_NORMAL.exponent() - 8;
            let (_, v) = try_eigh(a.power(subnormal).rf(), true).expect("eigh");
            assert!(orthogonality(&v) <= 64.0 * eps::<T>());
        }
    }

    pub fn hermitian_known<T: Scalar>() {
        let a = integers::<T>(5, 5);
        let (w, _) = checked_eigh(&a.plus(&a.adjoint(), 1.0));
        // NumPy 2.4, LAPACK.
        let want = if T::COMPLEX {
            [-21.64927301211401, -13.637455112923616, -9.76732924662812, -0.3549720605539774, 13.409029432219718]
        } else {
            [-17.3625831676568, -13.806702206230623, -7.990305841672383, -2.6828244231753002, 9.842415638735106]
        };
        for (w, want) in w.iter().zip(want) {
            assert!((w - want).abs() <= 60.0 * eps::<T>(), "{w:e}, not {want:e}");
        }
        // The second difference: 2 − 2 cos(π j/(n+1)).
        for n in [4, 8, 25] {
            let a = Mat::<T>::real(n, n, |i, j| if i == j { 2.0 } else { -f64::from(i.abs_diff(j) == 1) });
            for (j, w) in checked_eigh(&a).0.iter().enumerate() {
                let want = 2.0 - 2.0 * (std::f64::consts::PI * (j + 1) as f64 / (n + 1) as f64).cos();
                assert!((w - want).abs() <= 32.0 * eps::<T>(), "{n}: {w:e}, not {want:e}");
            }
        }
        let d = [4.0, 1.0, 1.0];
        let (w, _) = checked_eigh(&Mat::<T>::real(3, 3, |i, j| if i == j { d[i] } else { 0.0 }));
        assert_eq!(w, [1.0, 1.0, 4.0]);
        let (w, v) = checked_eigh(&Mat::<T>::zeros(9, 9));
        assert!(w.iter().all(|w| *w == 0.0) && orthogonality(&v) == 0.0);
    }

    pub fn hermitian_refuses<T: Scalar>() {
        let mut a = hermitian::<T>(&mut Rng(54), 10);
        a.data[3] = support::real(f64::INFINITY);
        assert_eq!(try_eigh(a.rf(), true).err(), Some(DenseError::NonFinite));
        let (w, v) = try_eigh(a.rf(), false).expect("unchecked");
        assert!(w.iter().all(|w| w.is_nan()) && v.max().is_nan());
        let mut w = vec![T::Real::ZERO; 10];
        assert!(matches!(eigh(a.rf(), &mut w[..9], None, true, &mut []), Err(DenseError::Shape(_))));
        assert!(matches!(eigh(a.rf(), &mut w, None, true, &mut []), Err(DenseError::Scratch { .. })));
    }

    pub fn general_of_every_size<T: Scalar>() {
        let mut rng = Rng(55);
        for n in (0..=14).chain([31, 64, 100]) {
            checked_eig(&rng.matrix::<T>(n, n));
        }
        checked_eig(&rng.orthonormal::<T>(20, 20));
        checked_eig(&hermitian::<T>(&mut rng, 20));
    }

    pub fn general_known<T: Scalar>() {
        let (w, _) = checked_eig(&integers::<T>(5, 5));
        // NumPy 2.4, LAPACK.
        let want = if T::COMPLEX {
            [
                (-10.155164175134342, -4.04460636123415),
                (-4.827481984604514, 5.314182915982802),
                (-4.229855663743236, -2.767658335244998),
                (-1.152372460598017, -0.09250543742430219),
                (4.364874284080111, 6.590587217920658),
            ]
        } else {
            [
                (-6.500804320917039, -2.3778931933325733),
                (-6.500804320917039, 2.3778931933325733),
                (-1.4991956790829692, -2.8024397342560787),
                (-1.4991956790829692, 2.8024397342560787),
                (0.0, 0.0),
            ]
        };
        near(&w, &want, 200.0 * eps::<T>());
        // A cyclic shift: the roots of 1; a companion matrix: (x − 1)(x − 2)(x − 3).
        let shift = Mat::<T>::real(6, 6, |i, j| f64::from(i == (j + 1) % 6));
        let roots: Vec<_> = (0..6).map(|j| f64::from(j) * std::f64::consts::PI / 3.0).map(|x| (x.cos(), x.sin())).collect();
        near(&checked_eig(&shift).0, &roots, 32.0 * eps::<T>());
        let top = [6.0, -11.0, 6.0];
        let companion = Mat::<T>::real(3, 3, |i, j| if i == 0 { top[j] } else { f64::from(i == j + 1) });
        near(&checked_eig(&companion).0, &[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], 2000.0 * eps::<T>());
        let triangle = Mat::<T>::real(8, 8, |i, j| if i <= j { (1 + i + 2 * j) as f64 } else { 0.0 });
        let diagonal: Vec<_> = (0..8).map(|i| ((1 + 3 * i) as f64, 0.0)).collect();
        near(&checked_eig(&triangle).0, &diagonal, 200.0 * eps::<T>());
    }

    /// Jordan blocks: the values to the root that theory allows, vectors finite and of norm 1.
    pub fn general_defective<T: Scalar>() {
        for n in [2, 3, 6, 12] {
            for value in [0.0, 1.0, -2.0] {
                let jordan = Mat::<T>::real(n, n, |i, j| if i == j { value } else { f64::from(j == i + 1) });
                for a in [jordan.clone(), Mat::from_fn(n, n, |i, j| jordan.at(j, i))] {
                    let (w, _) = checked_eig(&a);
                    let root = (64.0 * eps::<T>()).powf(1.0 / n as f64) * 2.0;
                    assert!(w.iter().all(|w| (w.re().to_f64() - value).hypot(w.im().to_f64()) <= root), "{n}: {w:?}");
                }
            }
        }
        let zero = checked_eig(&Mat::<T>::zeros(5, 5));
        assert!(zero.0.iter().all(|w| size(*w) == 0.0) && orthogonality(&zero.1) <= eps::<T>());
        let rank_one = Mat::<T>::real(6, 6, |i, _| (1 + i) as f64);
        let (w, _) = checked_eig(&rank_one);
        assert!((w.iter().map(|w| size(*w)).fold(0.0, f64::max) - 21.0).abs() <= 1000.0 * eps::<T>());
    }

    pub fn general_scales<T: Scalar>() {
        let a = Rng(56).matrix::<T>(9, 9);
        let (w, v) = checked_eig(&a);
        let ends: [i32; 3] = if eps::<T>() > 1e-10 { [115, -100, -60] } else { [1010, -1000, -500] };
        for e in ends {
            let (w_e, v_e) = try_eig(a.power(e).rf(), true).expect("eig");
            assert_eq!(v_e, v);
            let power = |x: <T::Complex as Scalar>::Real| x.times_power(e);
            assert!(w_e.iter().zip(&w).all(|(x, y)| x.re() == power(y.re()) && x.im() == power(y.im())));
        }
    }

    /// d⁻¹ a d with powers of ten on d: balancing brings the eigenvalues of a back.
    pub fn general_badly_scaled<T: Scalar>() {
        let a = Mat::<T>::real(4, 4, |i, j| if i == j { 2.0 } else { -f64::from(i.abs_diff(j) == 1) });
        let want: Vec<_> = (1..5).map(|j| (2.0 - 2.0 * (std::f64::consts::PI * f64::from(j) / 5.0).cos(), 0.0)).collect();
        let step = T::Real::ONE.times_power(13);
        let d: Vec<T::Real> = (0..4).map(|i| (0..i).fold(T::Real::ONE, |d, _| d * step)).collect();
        let scaled = Mat::from_fn(4, 4, |i, j| a.at(i, j).scale(d[j] / d[i]));
        let (w, _) = try_eig(scaled.rf(), true).expect("eig");
        near(&w, &want, 64.0 * eps::<T>());
    }

    pub fn general_refuses<T: Scalar>() {
        let mut a = Rng(57).matrix::<T>(10, 10);
        a.data[30] = support::real(f64::NAN);
        assert_eq!(try_eig(a.rf(), true).err(), Some(DenseError::NonFinite));
        let (w, v) = try_eig(a.rf(), false).expect("unchecked");
        assert!(w.iter().all(|w| w.re().to_f64().is_nan()) && v.max().is_nan());
        let mut w = vec![<T::Complex as Scalar>::ZERO; 10];
        assert!(matches!(eig(a.rf(), &mut w[..9], None, true, &mut []), Err(DenseError::Shape(_))));
        assert!(matches!(eig(a.rf(), &mut w, None, true, &mut []), Err(DenseError::Scratch { .. })));
    }
}
