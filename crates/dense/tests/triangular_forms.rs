//! QR, Cholesky, LU and triangular systems on matrices that are known to be hard.

#[macro_use]
mod support;

use num_complex::Complex;
use support::{Bytes, Mat, Rng, eps, integers, orthogonality};
use tenferro_dense::{DenseError, MatRef, Op, RealScalar, Scalar, cholesky, lu, lu_scratch, qr, qr_scratch, solve_triangular};

for_types! {
    qr_of_every_shape qr_of_dependent_columns qr_scales qr_against_lapack qr_refuses
    cholesky_of_every_size cholesky_names_the_minor cholesky_at_the_ends_of_the_range cholesky_against_lapack
    lu_of_every_shape lu_of_singular_matrices lu_at_the_ends_of_the_range lu_against_lapack
    triangles triangles_at_the_ends_of_the_range triangles_refuse strides_change_nothing
}

fn try_qr<T: Scalar>(a: MatRef<'_, T>, full: bool) -> Result<(Mat<T>, Mat<T>), DenseError> {
    let (m, n) = (a.rows(), a.cols());
    let k = if full { m } else { m.min(n) };
    let (mut q, mut r) = (Mat::zeros(m, k), Mat::zeros(k, n));
    let mut scratch = Bytes::new(qr_scratch::<T>(m, n));
    qr(a, Some(q.mt()), r.mt(), true, scratch.get())?;
    let mut alone = Mat::zeros(k, n);
    qr(a, None, alone.mt(), true, scratch.get())?;
    assert_eq!(alone, r);
    Ok((q, r))
}

/// The factors, after a look at all that must hold of them.
fn checked_qr<T: Scalar>(a: &Mat<T>, full: bool) -> (Mat<T>, Mat<T>) {
    let (q, r) = try_qr(a.rf(), full).expect("qr");
    let units = 16.0 + 2.0 * (a.m as f64).sqrt();
    assert!(orthogonality(&q) <= units * eps::<T>(), "{}x{}: {:e}", a.m, a.n, orthogonality(&q));
    let off = q.times(&r).plus(a, -1.0).max();
    assert!(off <= units * eps::<T>() * a.norm(), "{}x{}: {off:e}", a.m, a.n);
    for j in 0..r.n {
        for i in 0..r.m {
            let x = r.at(i, j);
            assert!(i <= j || x == T::ZERO);
            assert!(i != j || (x.im() == T::Real::ZERO && x.re() >= T::Real::ZERO), "diagonal {x:?}");
        }
    }
    (q, r)
}

fn try_cholesky<T: Scalar>(a: &Mat<T>) -> Result<Mat<T>, DenseError> {
    let mut l = Mat::zeros(a.n, a.n);
    cholesky(a.rf(), l.mt(), true).map(|()| l)
}

/// l, u, the permutation as a matrix, and whether it is odd.
fn parts<T: Scalar>(a: &Mat<T>) -> (Mat<T>, Mat<T>, Vec<usize>, bool) {
    let (m, n) = (a.m, a.n);
    let k = m.min(n);
    let (mut packed, mut perm) = (Mat::zeros(m, n), vec![9; m]);
    let odd = lu(a.rf(), packed.mt(), &mut perm, true, Bytes::new(lu_scratch::<T>(m, n)).get()).expect("lu");
    let l = Mat::from_fn(m, k, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => T::ZERO,
        std::cmp::Ordering::Equal => T::ONE,
        std::cmp::Ordering::Greater => packed.at(i, j),
    });
    let u = Mat::from_fn(k, n, |i, j| if i <= j { packed.at(i, j) } else { T::ZERO });
    (l, u, perm, odd)
}

fn checked_lu<T: Scalar>(a: &Mat<T>) -> (Mat<T>, Mat<T>, Vec<usize>, bool) {
    let (l, u, perm, odd) = parts(a);
    let moved = Mat::from_fn(a.m, a.n, |i, j| a.at(perm[i], j));
    let (off, top) = (l.times(&u).plus(&moved, -1.0).max(), a.max());
    assert!(off <= 8.0 * (1 + a.m) as f64 * eps::<T>() * top, "{}x{}: {off:e}", a.m, a.n);
    assert!(l.max() <= 1.5, "a multiplier above 1 in |re| + |im|: {}", l.max());
    let mut seen = perm.clone();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..a.m));
    let inversions = (0..a.m).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|(j, i)| perm[*j] > perm[*i]).count();
    assert_eq!(odd, inversions % 2 == 1);
    (l, u, perm, odd)
}

/// A well conditioned Hermitian positive definite matrix.
fn definite<T: Scalar>(rng: &mut Rng, n: usize) -> Mat<T> {
    let x = rng.matrix::<T>(n, n + 3);
    x.times(&x.adjoint()).plus(&Mat::identity(n), 0.5)
}

/// One of the two halves of a matrix with a diagonal away from 0.
fn triangle<T: Scalar>(rng: &mut Rng, n: usize, lower: bool) -> Mat<T> {
    let x = rng.matrix::<T>(n, n);
    Mat::from_fn(n, n, |i, j| {
        let inside = if lower { i > j } else { i < j };
        if i == j {
            x.at(i, i) + support::real(3.0 + (n as f64).sqrt())
        } else if inside {
            x.at(i, j).scale(T::Real::from_f64(0.5))
        } else {
            T::ZERO
        }
    })
}

mod cases {
    use super::*;

    pub fn qr_of_every_shape<T: Scalar>() {
        let mut rng = Rng(31);
        let sizes = [0, 1, 2, 3, 4, 7, 8, 9, 17, 33, 70];
        for m in sizes {
            for n in sizes {
                let a = rng.matrix::<T>(m, n);
                let (q, r) = checked_qr(&a, false);
                let (q_full, r_full) = checked_qr(&a, true);
                let k = m.min(n);
                assert_eq!(q_full.cols(0, k), q);
                assert_eq!(Mat::from_fn(k, n, |i, j| r_full.at(i, j)), r);
            }
        }
    }

    pub fn qr_of_dependent_columns<T: Scalar>() {
        let mut rng = Rng(32);
        for small in [0.0, 1e-5, 1e-9, 1e-13, 1e-30] {
            let s: Vec<f64> = (0..12).map(|i| if i < 6 { 1.0 / (1 + i) as f64 } else { small }).collect();
            checked_qr(&rng.with_values::<T>(200, 12, &s), true);
            checked_qr(&rng.with_values::<T>(12, 30, &s), false);
        }
        let mut a = rng.matrix::<T>(9, 6);
        a.data[9..18].fill(T::ZERO);
        let (_, r) = checked_qr(&a, false);
        assert_eq!(r.at(1, 1), T::ZERO);
        let hilbert = Mat::<T>::real(12, 12, |i, j| 1.0 / (i + j + 1) as f64);
        checked_qr(&hilbert, false);
        checked_qr(&Mat::<T>::zeros(4, 3), true);
    }

    /// A power of two scales r and leaves q as it is.
    pub fn qr_scales<T: Scalar>() {
        let a = Rng(33).matrix::<T>(8, 6);
        let (q, r) = checked_qr(&a, false);
        let ends: [i32; 2] = if eps::<T>() > 1e-10 { [115, -115] } else { [1010, -1010] };
        for e in ends {
            let (q_e, r_e) = try_qr(a.power(e).rf(), false).expect("qr");
            assert!(q_e == q && r_e == r.power(e));
        }
    }

    pub fn qr_against_lapack<T: Scalar>() {
        let (_, r) = checked_qr(&integers::<T>(5, 5), false);
        let want = if T::COMPLEX {
            [9.1104335791443, 7.9114070458915915, 7.032852921236306, 2.052565682389118, 3.484386259778543]
        } else {
            [7.681145747868608, 6.754784870302518, 5.813853414944398, 1.6045149064768407, 0.0]
        };
        for (i, want) in want.into_iter().enumerate() {
            assert!((r.at(i, i).re().to_f64() - want).abs() <= 60.0 * eps::<T>(), "{i}: {:?}", r.at(i, i));
        }
        let (re, im) = if T::COMPLEX { (-0.6585855599381425, 4.171041879608233) } else { (-2.8641560415781253, 0.0) };
        assert!((r.at(0, 2).re().to_f64() - re).abs() <= 30.0 * eps::<T>());
        assert!((r.at(0, 2).im().to_f64() - im).abs() <= 30.0 * eps::<T>());
    }

    pub fn qr_refuses<T: Scalar>() {
        let mut a = Rng(34).matrix::<T>(4, 3);
        let mut scratch = Bytes::new(qr_scratch::<T>(4, 3));
        let (mut q, mut r) = (Mat::zeros(4, 3), Mat::zeros(3, 3));
        let wrong = qr(a.rf(), Some(Mat::zeros(4, 4).mt()), r.mt(), true, scratch.get());
        assert!(matches!(wrong, Err(DenseError::Shape(_))));
        let short = qr(a.rf(), Some(q.mt()), r.mt(), true, &mut scratch.get()[..9]);
        assert!(matches!(short, Err(DenseError::Scratch { .. })));
        a.data[7] = support::real(f64::INFINITY);
        assert_eq!(qr(a.rf(), Some(q.mt()), r.mt(), true, scratch.get()), Err(DenseError::NonFinite));
        qr(a.rf(), Some(q.mt()), r.mt(), false, scratch.get()).expect("unchecked");
        assert!(q.max().is_nan() && r.max().is_nan());
    }

    pub fn cholesky_of_every_size<T: Scalar>() {
        let mut rng = Rng(35);
        for n in [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33, 65, 100] {
            let mut a = definite::<T>(&mut rng, n);
            let top = a.max();
            // What stands above the diagonal, and beside the reals on it, is not read.
            for j in 0..n {
                for i in 0..=j {
                    let junk = if i == j { a.at(i, i).re() } else { T::Real::from_f64(f64::NAN) };
                    a.data[j * n + i] = T::new(junk, T::Real::from_f64(7.0));
                }
            }
            let l = try_cholesky(&a).expect("definite");
            let back = l.times(&l.adjoint());
            for j in 0..n {
                assert!(l.at(j, j).im() == T::Real::ZERO && l.at(j, j).re() > T::Real::ZERO);
                for i in 0..n {
                    assert!(i >= j || l.at(i, j) == T::ZERO);
                    let want = if i == j { T::new(a.at(i, i).re(), T::Real::ZERO) } else { a.at(i, j) };
                    let off = (back.at(i, j) - want).abs2().to_f64().sqrt();
                    assert!(i < j || off <= 4.0 * (2 + n) as f64 * eps::<T>() * top, "{n}: {off:e}");
                }
            }
        }
    }

    pub fn cholesky_names_the_minor<T: Scalar>() {
        let mut rng = Rng(36);
        for n in [1, 2, 5, 8, 9, 40, 70] {
            for order in [1, n / 2, n].into_iter().filter(|o| *o > 0) {
                for bad in [0.0, -1.0] {
                    let mut a = definite::<T>(&mut rng, n);
                    let at = order - 1;
                    a.data[at * n + at] = support::real(bad);
                    assert_eq!(try_cholesky(&a).err(), Some(DenseError::NotPositive { order }), "{n}");
                }
            }
        }
        // [[1, 2], [2, 1]] has minors 1 and -3; the zero matrix fails at once.
        let a = Mat::<T>::real(2, 2, |i, j| if i == j { 1.0 } else { 2.0 });
        assert_eq!(try_cholesky(&a), Err(DenseError::NotPositive { order: 2 }));
        assert_eq!(try_cholesky(&Mat::<T>::zeros(3, 3)), Err(DenseError::NotPositive { order: 1 }));
        let nan = Mat::<T>::real(3, 3, |i, j| if i == 2 && j == 0 { f64::NAN } else { f64::from(i == j) });
        assert_eq!(try_cholesky(&nan), Err(DenseError::NonFinite));
        let mut l = Mat::<T>::zeros(3, 3);
        assert!(matches!(cholesky(Mat::<T>::zeros(3, 2).rf(), l.mt(), true), Err(DenseError::Shape(_))));
    }

    pub fn cholesky_at_the_ends_of_the_range<T: Scalar>() {
        let a = definite::<T>(&mut Rng(37), 12);
        let l = try_cholesky(&a).expect("definite");
        let ends: [i32; 3] = if eps::<T>() > 1e-10 { [120, -100, -60] } else { [1010, -1000, -600] };
        for e in ends {
            assert_eq!(try_cholesky(&a.power(e)).expect("definite"), l.power(e / 2));
        }
        // Graded: no scaling may push the small end out of the range.
        let (big, small): (i32, i32) = if eps::<T>() > 1e-10 { (120, -120) } else { (1000, -1000) };
        let power = |e: i32| T::new(T::Real::ONE.times_power(e), T::Real::ZERO);
        let a = Mat::from_fn(2, 2, |i, j| if i == j { power(if i == 0 { big } else { small }) } else { T::ZERO });
        let l = try_cholesky(&a).expect("definite");
        assert!(l.at(0, 0) == power(big / 2) && l.at(1, 1) == power(small / 2));
    }

    pub fn cholesky_against_lapack<T: Scalar>() {
        let a = integers::<T>(5, 5);
        let l = try_cholesky(&a.times(&a.adjoint()).plus(&Mat::identity(5), 1.0)).expect("definite");
        let want: [(f64, f64); 5] = if T::COMPLEX {
            [
                (4.027991944024168, 1.483997032008904),
                (2.5094746237073244, 0.1324397162614559),
                (-3.4156848432089806, -0.1093356330010283),
                (-0.35560073432696004, -2.8528826840187858),
                (4.6166851552376125, 0.0),
            ]
        } else {
            [
                (2.6457513110645903, 0.0),
                (3.0005358578233325, 0.0),
                (-2.3145722518719145, 0.0),
                (-0.16183333236182337, 0.0),
                (4.649016006567158, 0.0),
            ]
        };
        for (j, (re, im)) in want.into_iter().enumerate() {
            let x = l.at(4, j);
            let off = (x.re().to_f64() - re).abs().max((x.im().to_f64() - im).abs());
            assert!(off <= 100.0 * eps::<T>(), "{j}: {x:?}");
        }
    }

    pub fn lu_of_every_shape<T: Scalar>() {
        let mut rng = Rng(38);
        let sizes = [0, 1, 2, 3, 7, 8, 9, 16, 17, 40, 75];
        for m in sizes {
            for n in sizes {
                checked_lu(&rng.matrix::<T>(m, n));
            }
        }
        for n in [12, 30] {
            checked_lu(&Mat::<T>::real(n, n, |i, j| 1.0 / (i + j + 1) as f64));
            checked_lu(&rng.orthonormal::<T>(n, n));
        }
    }

    pub fn lu_of_singular_matrices<T: Scalar>() {
        for (m, n) in [(3, 3), (20, 20), (9, 4), (4, 9)] {
            let (l, u, perm, odd) = checked_lu(&Mat::<T>::zeros(m, n));
            assert!(u.max() == 0.0 && l.max() == 1.0 && !odd && perm.into_iter().eq(0..m));
            // A column of zeros, and one that repeats another exactly.
            let mut a = Rng(39).matrix::<T>(m, n);
            a.data[m..2 * m].fill(T::ZERO);
            let (first, rest) = a.data.split_at_mut(2 * m);
            rest[..m].copy_from_slice(&first[..m]);
            let (_, u, ..) = checked_lu(&a);
            assert!(u.at(1, 1) == T::ZERO && u.at(2, 2).abs1().to_f64() <= 8.0 * eps::<T>());
        }
    }

    pub fn lu_at_the_ends_of_the_range<T: Scalar>() {
        let a = Rng(40).matrix::<T>(20, 20);
        let (l, u, perm, _) = checked_lu(&a);
        let (up, down, below): (i32, i32, i32) = if eps::<T>() > 1e-10 { (123, -115, -129) } else { (1018, -1010, -1050) };
        for e in [up, down, below] {
            let (l_e, u_e, perm_e, _) = parts(&a.power(e));
            assert_eq!(perm_e, perm);
            // Among subnormals the matrix itself has few bits.
            let units = if e < down { 0.5f64.powi(12) } else { 64.0 * eps::<T>() };
            assert!(l_e.plus(&l, -1.0).max() <= units * 30.0, "{e}");
            assert!(u_e.power(-e).plus(&u, -1.0).max() <= units * 100.0 * u.max(), "{e}");
        }
        // Pivots whose reciprocals overflow, and one that is much larger.
        let tiny = T::Real::MIN_NORMAL.times_power(-8);
        let d = [T::Real::ONE, tiny, tiny.times_power(-2)];
        let a = Mat::from_fn(3, 3, |i, j| if i < j { T::ZERO } else { T::new(d[i], T::Real::ZERO) });
        let (l, u, ..) = parts(&a);
        assert!(l.max() <= 1.0 && u.at(1, 1) == T::new(tiny, T::Real::ZERO), "{u:?}");
        // Growth: entries near the end of the range whose factors still fit.
        let most = T::Real::ONE.times_power(if eps::<T>() > 1e-10 { 127 } else { 1023 });
        let a = Mat::from_fn(2, 2, |i, j| T::new(if i == 1 && j == 0 { -most } else { most }, T::Real::ZERO));
        let mut packed = Mat::zeros(2, 2);
        let out = lu(a.rf(), packed.mt(), &mut [0; 2], true, Bytes::new(lu_scratch::<T>(2, 2)).get());
        assert_eq!(out, Ok(false));
        assert!(packed.at(0, 1) == a.at(0, 1) && packed.at(1, 0) == -T::ONE && !packed.at(1, 1).re().finite());
        let mut nan = Mat::<T>::identity(3);
        nan.data[4] = support::real(f64::NAN);
        let out = lu(nan.rf(), Mat::zeros(3, 3).mt(), &mut [0; 3], true, Bytes::new(lu_scratch::<T>(3, 3)).get());
        assert_eq!(out, Err(DenseError::NonFinite));
    }

    pub fn lu_against_lapack<T: Scalar>() {
        if T::COMPLEX {
            return;
        }
        let (l, u, perm, _) = checked_lu(&integers::<T>(5, 5));
        assert_eq!(perm[..3], [0, 1, 4]);
        for (i, want) in [-5.0, -5.8, 4.551724137931035, 1.833333333333333].into_iter().enumerate() {
            assert!((u.at(i, i).re().to_f64() - want).abs() <= 30.0 * eps::<T>(), "{i}");
        }
        assert!((l.at(4, 1).re().to_f64() + 0.6551724137931034).abs() <= 8.0 * eps::<T>());
    }

    pub fn triangles<T: Scalar>() {
        let mut rng = Rng(41);
        for n in [0, 1, 2, 5, 8, 16, 17, 32, 50, 90] {
            for columns in [0, 1, 3, 20] {
                for flags in 0..12 {
                    let (lower, unit) = (flags & 1 > 0, flags & 2 > 0);
                    let op = [Op::Plain, Op::Transposed, Op::Adjoint][flags / 4];
                    one_triangle::<T>(&mut rng, n, columns, lower, unit, op);
                }
            }
        }
    }

    fn one_triangle<T: Scalar>(rng: &mut Rng, n: usize, columns: usize, lower: bool, unit: bool, op: Op) {
        let mut full = triangle::<T>(rng, n, lower);
        if unit {
            let small = T::Real::from_f64(0.1);
            full = Mat::from_fn(n, n, |i, j| if i == j { T::ONE } else { full.at(i, j).scale(small) });
        }
        let b = rng.matrix::<T>(n, columns);
        // What is not read may be anything.
        let a = Mat::from_fn(n, n, |i, j| {
            let outside = if lower { i < j } else { i > j };
            if outside || (unit && i == j) { support::real(f64::NAN) } else { full.at(i, j) }
        });
        let applied = match op {
            Op::Plain => full.clone(),
            Op::Transposed => Mat::from_fn(n, n, |i, j| full.at(j, i)),
            Op::Adjoint => full.adjoint(),
        };
        let mut x = b.clone();
        solve_triangular(a.rf(), lower, op, unit, x.mt(), true).expect("solve");
        let bound = 4.0 * (2 + n) as f64 * eps::<T>();
        let off = applied.times(&x).plus(&b, -1.0).max();
        assert!(off <= bound * (1.0 + applied.max() * x.max()), "{n} {columns} {lower} {unit} {op:?}: {off:e}");
        // From the right, by transposes: y op(a) = c.
        let c = rng.matrix::<T>(columns, n);
        let mut y = c.clone();
        if op == Op::Transposed {
            solve_triangular(a.rf(), lower, Op::Plain, unit, y.mt().t(), true).expect("solve");
            let off = y.times(&applied).plus(&c, -1.0).max();
            assert!(off <= bound * (1.0 + applied.max() * y.max()), "right {n} {columns} {lower} {unit}: {off:e}");
        }
    }

    pub fn triangles_at_the_ends_of_the_range<T: Scalar>() {
        let ends: [i32; 2] = if eps::<T>() > 1e-10 { [120, -140] } else { [1015, -1050] };
        let a = triangle::<T>(&mut Rng(42), 20, true);
        let b = Rng(43).matrix::<T>(20, 2);
        let mut want = b.clone();
        solve_triangular(a.rf(), true, Op::Plain, false, want.mt(), true).expect("solve");
        for e in ends {
            let mut x = b.power(e);
            solve_triangular(a.power(e).rf(), true, Op::Plain, false, x.mt(), true).expect("solve");
            let units = if e < 0 { 0.5f64.powi(7) } else { 64.0 * eps::<T>() };
            assert!(x.plus(&want, -1.0).max() <= units * (1.0 + want.max()), "{e}");
        }
    }

    pub fn triangles_refuse<T: Scalar>() {
        let mut a = Mat::<T>::identity(20);
        a.data[20 * 17 + 17] = T::ZERO;
        let b = Mat::<T>::real(20, 1, |i, _| i as f64);
        let mut x = b.clone();
        let out = solve_triangular(a.rf(), true, Op::Plain, false, x.mt(), true);
        assert_eq!(out, Err(DenseError::Singular { index: 17 }));
        assert_eq!(x, b);
        solve_triangular(a.rf(), true, Op::Plain, true, x.mt(), true).expect("a unit diagonal is not read");
        assert_eq!(x, b);
        a.data[3] = support::real(f64::NAN);
        assert_eq!(solve_triangular(a.rf(), true, Op::Plain, true, x.mt(), true), Err(DenseError::NonFinite));
        solve_triangular(a.rf(), false, Op::Plain, true, x.mt(), true).expect("the other half");
        let wrong = solve_triangular(a.rf(), true, Op::Plain, true, Mat::zeros(3, 1).mt(), true);
        assert!(matches!(wrong, Err(DenseError::Shape(_))));
        x.data[0] = support::real(f64::INFINITY);
        assert_eq!(solve_triangular(a.rf(), false, Op::Plain, true, x.mt(), true), Err(DenseError::NonFinite));
    }

    /// A row-major view of the same values gives the same factors.
    pub fn strides_change_nothing<T: Scalar>() {
        for n in [5, 40] {
            let a = definite::<T>(&mut Rng(44), n);
            let rows: Vec<T> = (0..n * n).map(|l| a.at(l / n, l % n)).collect();
            let view = MatRef::row_major(&rows, n, n);
            let (q, r) = try_qr(a.rf(), false).expect("qr");
            assert!(try_qr(view, false).expect("qr") == (q, r));
            let (mut l, mut other) = (Mat::zeros(n, n), Mat::zeros(n, n));
            cholesky(a.rf(), l.mt(), true).expect("definite");
            cholesky(view, other.mt(), true).expect("definite");
            assert_eq!(l, other);
            // Into a row-major factor: the same to rounding.
            cholesky(a.rf(), other.mt().t(), true).expect("definite");
            let off = Mat::from_fn(n, n, |i, j| other.at(j, i)).plus(&l, -1.0).max();
            assert!(off <= 64.0 * eps::<T>() * l.max());
            let (mut packed, mut again) = (Mat::zeros(n, n), Mat::zeros(n, n));
            let (mut p, mut p_again) = (vec![0; n], vec![0; n]);
            let mut scratch = Bytes::new(lu_scratch::<T>(n, n));
            lu(a.rf(), packed.mt(), &mut p, true, scratch.get()).expect("lu");
            lu(view, again.mt(), &mut p_again, true, scratch.get()).expect("lu");
            assert!(packed == again && p == p_again);
        }
    }
}
