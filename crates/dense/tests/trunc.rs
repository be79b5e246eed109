//! The truncated SVD against known spectra and against the full one.

mod support;

use num_complex::Complex;
use support::{Bytes, Mat, Rng, Svd, orthogonality};
use tenferro_dense::{DenseError, MatRef, RealScalar, Scalar, TruncInfo, TruncMethod, svd_trunc, svd_trunc_scratch};

/// Kept and extra triplets side by side, and what the routine says of them.
fn truncated<T: Scalar>(a: MatRef<'_, T>, k: usize, extra: usize) -> (Svd<T>, TruncInfo) {
    let (m, n) = (a.rows(), a.cols());
    let mut out = Svd::<T>::zeros(m, n, k + extra);
    let mut scratch = Bytes::new(svd_trunc_scratch::<T>(m, n, k, extra));
    let (s, se) = out.s.split_at_mut(k);
    let (mut left, mut right) = (out.u.clone(), out.u.clone());
    let (mut top, mut bottom) = (out.vh.clone(), out.vh.clone());
    let (u, ue) = (left.mt().cols_range(0, k), right.mt().cols_range(k, k + extra));
    let (vh, vhe) = (top.mt().rows_range(0, k), bottom.mt().rows_range(k, k + extra));
    let info = svd_trunc(a, k, extra, u, s, vh, ue, se, vhe, true, scratch.get()).expect("trunc");
    out.u = left.plus(&right, 1.0);
    out.vh = top.plus(&bottom, 1.0);
    (out, info)
}

/// Residuals on both sides, orthonormality of all, and known values of the kept.
fn check<T: Scalar>(a: &Mat<T>, k: usize, extra: usize, values: &[f64]) -> TruncInfo {
    let (out, info) = truncated(a.rf(), k, extra);
    out.check_factors(64.0);
    let v = out.vh.adjoint();
    let top = values[0];
    let left = a.times(&v.cols(0, k)).plus(&out.u.cols(0, k).scaled_columns(&out.s[..k]), -1.0);
    let right = a.adjoint().times(&out.u.cols(0, k)).plus(&v.cols(0, k).scaled_columns(&out.s[..k]), -1.0);
    let bound = 100.0 * support::eps::<T>() * top;
    assert!(left.max() <= bound, "A v - s u: {:e}", left.max());
    assert!(right.max() <= bound, "A* u - s v: {:e}", right.max());
    for (i, (s, want)) in out.values().iter().zip(values).take(k).enumerate() {
        assert!((s - want).abs() <= 64.0 * support::eps::<T>() * top, "s[{i}] = {s:e}, not {want:e}");
    }
    info
}

fn padded(mut s: Vec<f64>, n: usize) -> Vec<f64> {
    s.resize(n.max(s.len()), 0.0);
    s
}

/// Spectra that must not cost a full SVD.
const FAST: [&str; 5] = ["steep", "rank 5", "rank 20", "all equal", "cut through a cluster"];

fn hard_spectra<T: Scalar>() {
    let mut rng = Rng(11);
    let n = 200;
    let spectra: Vec<(&str, Vec<f64>)> = vec![
        ("decaying", (0..n).map(|i| 0.8f64.powi(i)).collect()),
        ("graded over 15 orders", (0..n).map(|i| 10f64.powf(-15.0 * f64::from(i) / 30.0)).collect()),
        ("steep", (0..20).map(|i| 0.1f64.powi(i)).collect()),
        ("rank 5", vec![5.0, 4.0, 3.0, 2.0, 1.0]),
        ("rank 20", (0..20).map(|i| 1.0 / f64::from(1 + i)).collect()),
        ("all equal", vec![1.0; 200]),
        ("pairs", (0..n).map(|i| 0.7f64.powi(i / 2)).collect()),
        (
            "cut through a cluster",
            (0..n)
                .map(|i| {
                    if i < 4 {
                        2.0
                    } else if i < 12 {
                        1.0
                    } else {
                        1e-3
                    }
                })
                .collect(),
        ),
        ("one large", (0..n).map(|i| if i == 0 { 1.0 } else { 1e-9 }).collect()),
        ("near cluster", (0..n).map(|i| if i < 20 { 1.0 - 1e-12 * f64::from(i) } else { 1e-2 }).collect()),
        ("flat", (0..n).map(|i| 1.0 - f64::from(i) / 400.0).collect()),
    ];
    for (name, s) in spectra {
        for (m, n) in [(200, 200), (260, 200), (200, 700)] {
            let a = rng.with_values::<T>(m, n, &s);
            let info = check(&a, 8, 16, &padded(s.clone(), 24));
            if FAST.contains(&name) {
                assert_eq!(info.method, TruncMethod::Subspace, "{name} {m}x{n}");
            }
        }
    }
}

#[test]
fn hard_spectra_in_f64() {
    hard_spectra::<f64>();
}

#[test]
fn hard_spectra_in_f32() {
    hard_spectra::<f32>();
}

#[test]
fn hard_spectra_in_complex_f64() {
    hard_spectra::<Complex<f64>>();
}

#[test]
fn decaying_spectra_take_the_iteration_and_flat_ones_the_full_svd() {
    let mut rng = Rng(12);
    let fast: Vec<f64> = (0..256).map(|i| 0.85f64.powi(i)).collect();
    let a = rng.with_values::<f64>(256, 256, &fast);
    let info = check(&a, 16, 16, &fast);
    assert_eq!(info.method, TruncMethod::Subspace);
    assert!(info.residual <= 1e-13 && info.iterations <= 2, "{info:?}");
    let flat: Vec<f64> = (0..256).map(|i| 1.0 - f64::from(i) * 1e-3).collect();
    let a = rng.with_values::<f64>(256, 256, &flat);
    assert_eq!(check(&a, 16, 16, &flat).method, TruncMethod::Full);
}

#[test]
fn small_matrices_and_all_splits_of_them() {
    let mut rng = Rng(13);
    for (m, n) in [(6, 6), (9, 4), (4, 9), (1, 1), (1, 5)] {
        let a = rng.matrix::<Complex<f64>>(m, n);
        let full = Svd::of(&a);
        for k in 0..=m.min(n) {
            for extra in 0..=m.min(n) - k {
                let (out, info) = truncated(a.rf(), k, extra);
                assert_eq!(info.method, TruncMethod::Full);
                assert!(out.s == full.s[..k + extra] && out.u == full.u.cols(0, k + extra));
            }
        }
    }
}

#[test]
fn scale_changes_the_values_only() {
    let s: Vec<f64> = (0..200).map(|i| 0.8f64.powi(i)).collect();
    let a = Rng(14).with_values::<f64>(200, 200, &s);
    let (base, info) = truncated(a.rf(), 8, 16);
    assert_eq!(info.method, TruncMethod::Subspace);
    for e in [1000, -900, 500, -500] {
        let b = Mat { data: a.data.iter().map(|x| x.times_power(e)).collect(), ..a.clone() };
        let (out, _) = truncated(b.rf(), 8, 16);
        assert!(out.u == base.u && out.vh == base.vh);
        assert!(out.s.iter().zip(&base.s).all(|(x, y)| *x == y.times_power(e)));
    }
    let rows: Vec<f64> = (0..200 * 200).map(|l| a.at(l / 200, l % 200)).collect();
    let (out, _) = truncated(MatRef::row_major(&rows, 200, 200), 8, 16);
    assert!(out.u == base.u && out.vh == base.vh && out.s == base.s);
}

#[test]
fn zero_and_bad_input() {
    let (out, _) = truncated(Mat::<f64>::zeros(250, 200).rf(), 5, 16);
    assert!(out.s.iter().all(|s| *s == 0.0));
    assert_eq!(orthogonality(&out.u), 0.0);
    assert_eq!(orthogonality(&out.vh.adjoint()), 0.0);

    let mut a = Mat::<f64>::zeros(4, 3);
    a.data[5] = f64::NAN;
    let (mut u, mut s, mut vh) = (Mat::zeros(4, 2), [0.0; 2], Mat::zeros(2, 3));
    let (mut ue, mut vhe) = (Mat::zeros(4, 0), Mat::zeros(0, 3));
    let mut scratch = Bytes::new(svd_trunc_scratch::<f64>(4, 3, 2, 0));
    let mut call =
        |a: &Mat<f64>, k, bytes: &mut [u8]| svd_trunc(a.rf(), k, 0, u.mt(), &mut s, vh.mt(), ue.mt(), &mut [], vhe.mt(), true, bytes);
    assert_eq!(call(&a, 2, scratch.get()), Err(DenseError::NonFinite));
    assert!(matches!(call(&a, 3, scratch.get()), Err(DenseError::Shape(_))));
    assert!(matches!(call(&a, 4, scratch.get()), Err(DenseError::Shape(_))));
    assert!(matches!(call(&a, 2, &mut []), Err(DenseError::Scratch { .. })));
}
