//! The ladder, entered at each of its rungs as if those before had failed.

use num_complex::Complex;

use super::*;

/// A small generator of test matrices; the same values for every type.
fn matrix<T: Scalar>(m: usize, n: usize, rank: usize) -> Vec<T> {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        T::Real::from_f64((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    let x: Vec<T> = (0..m * rank).map(|_| T::new(next(), next())).collect();
    let y: Vec<T> = (0..rank * n).map(|_| T::new(next(), next())).collect();
    let mut a = vec![T::ZERO; m * n];
    let (x, y) = (MatRef::col_major(&x, m, rank), MatRef::col_major(&y, rank, n));
    crate::gemm::gemm(MatMut::col_major(&mut a, m, n), x, false, y, false, false);
    a
}

/// Largest errors of u s vh − a over s₀, of u* u − 1 and of vh vh* − 1.
fn errors<T: Scalar>(a: &[T], u: &[T], s: &[T::Real], vh: &[T], m: usize, n: usize) -> f64 {
    let k = s.len();
    let get = |x: &[T], rows: usize, i: usize, j: usize| x[j * rows + i];
    let mut worst = 0.0f64;
    for i in 0..m {
        for j in 0..n {
            let mut sum = T::ZERO;
            for (l, s) in s.iter().enumerate() {
                sum += get(u, m, i, l).scale(*s) * get(vh, k, l, j);
            }
            let off = (sum - get(a, m, i, j)).abs2().sqrt();
            worst = worst.max(off.to_f64() / s[0].to_f64());
        }
    }
    for i in 0..k {
        for j in 0..k {
            let one = if i == j { T::ONE } else { T::ZERO };
            let (mut left, mut right) = (-one, -one);
            for l in 0..m {
                left += get(u, m, l, i).conj() * get(u, m, l, j);
            }
            for l in 0..n {
                right += get(vh, k, i, l) * get(vh, k, j, l).conj();
            }
            worst = worst.max(left.abs2().sqrt().to_f64()).max(right.abs2().sqrt().to_f64());
        }
    }
    worst
}

fn every_rung<T: Scalar>() {
    for (m, n, rank) in [(1, 1, 1), (6, 6, 6), (11, 11, 11), (12, 9, 9), (9, 12, 4), (40, 8, 5), (8, 40, 8), (30, 30, 11)] {
        let a = matrix::<T>(m, n, rank);
        let k = m.min(n);
        let mut first: Option<Vec<T::Real>> = None;
        for rung in [Rung::Faer, Rung::Reversed, Rung::Jacobi] {
            let (mut u, mut vh) = (vec![T::ZERO; m * k], vec![T::ZERO; k * n]);
            let mut s = vec![T::Real::ZERO; k];
            let mut scratch = vec![0xff; svd_scratch::<T>(m, n)];
            let (x, y) = (MatMut::col_major(&mut u, m, k), MatMut::col_major(&mut vh, k, n));
            let a_view = MatRef::col_major(&a, m, n);
            svd_from(rung, a_view, Some(x), &mut s, Some(y), true, &mut scratch).expect("svd");
            // Jacobi multiplies hundreds of rotations.
            let bound = 150.0 * T::Real::EPS.to_f64();
            let (off, top) = (errors(&a, &u, &s, &vh, m, n), s[0].to_f64());
            assert!(off <= bound, "{rung:?} {m}x{n} rank {rank}: {off:e}");
            for (s, want) in s.iter().zip(first.get_or_insert(s.clone())) {
                assert!((s.to_f64() - want.to_f64()).abs() <= bound * top);
            }
            let mut values = vec![T::Real::ZERO; k];
            svd_from(rung, a_view, None, &mut values, None, true, &mut scratch).expect("svd");
            for (s, want) in values.iter().zip(&s) {
                assert!((s.to_f64() - want.to_f64()).abs() <= bound * top);
            }
        }
    }
}

#[test]
fn every_rung_gives_the_same_answer() {
    every_rung::<f32>();
    every_rung::<f64>();
    every_rung::<Complex<f32>>();
    every_rung::<Complex<f64>>();
}

#[test]
fn the_end_of_the_ladder_is_an_error() {
    let a = matrix::<f64>(5, 4, 4);
    let mut s = [0.0; 4];
    let mut scratch = vec![0; svd_scratch::<f64>(5, 4)];
    let view = MatRef::col_major(&a, 5, 4);
    let end = svd_from(Rung::Failure, view, None, &mut s, None, true, &mut scratch);
    assert_eq!(end, Err(DenseError::NoConvergence));
}

#[test]
fn jacobi_takes_graded_columns_and_extreme_ratios() {
    let n = 7;
    let a: Vec<f64> = (0..n * n).map(|l| matrix::<f64>(n, n, n)[l] * 10f64.powi(-40 * (l / n) as i32)).collect();
    let (mut u, mut vh, mut s) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n]);
    let mut scratch = vec![0; svd_scratch::<f64>(n, n)];
    let (x, y) = (MatMut::col_major(&mut u, n, n), MatMut::col_major(&mut vh, n, n));
    let view = MatRef::col_major(&a, n, n);
    svd_from(Rung::Jacobi, view, Some(x), &mut s, Some(y), true, &mut scratch).expect("svd");
    let off = errors(&a, &u, &s, &vh, n, n);
    assert!(off <= 1e-14, "{off:e}");
}
