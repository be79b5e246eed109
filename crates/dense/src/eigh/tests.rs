//! The ladder, entered at each of its rungs as if those before had failed.

use num_complex::Complex;

use super::*;

/// A Hermitian matrix, the same values for every type.
fn hermitian<T: Scalar>(n: usize) -> Vec<T> {
    let mut state = 3u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        T::Real::from_f64((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    let x: Vec<T> = (0..n * n).map(|_| T::new(next(), next())).collect();
    (0..n * n).map(|l| x[l] + x[l % n * n + l / n].conj()).collect()
}

/// Largest elements of a v − v w and of v* v − 1.
fn errors<T: Scalar>(a: &[T], w: &[T::Real], v: &[T]) -> f64 {
    let n = w.len();
    let mut worst = 0.0f64;
    for i in 0..n {
        for j in 0..n {
            let mut off = -v[j * n + i].scale(w[j]);
            let mut one = if i == j { -T::ONE } else { T::ZERO };
            for l in 0..n {
                off += a[l * n + i] * v[j * n + l];
                one += v[i * n + l].conj() * v[j * n + l];
            }
            worst = worst.max(off.abs2().to_f64().sqrt()).max(one.abs2().to_f64().sqrt());
        }
    }
    worst
}

fn every_rung<T: Scalar>() {
    for n in [1, 2, 3, 7, 12, 30] {
        let a = hermitian::<T>(n);
        let mut first: Option<Vec<T::Real>> = None;
        for rung in [Rung::Faer, Rung::Reversed, Rung::Jacobi] {
            let (mut w, mut v) = (vec![T::Real::ZERO; n], vec![T::ZERO; n * n]);
            let mut scratch = vec![0xff; eigh_scratch::<T>(n)];
            let view = MatRef::col_major(&a, n, n);
            let out = MatMut::col_major(&mut v, n, n);
            eigh_from(rung, view, &mut w, Some(out), true, &mut scratch).expect("eigh");
            let bound = 40.0 * T::Real::EPS.to_f64() * (n as f64).sqrt();
            let off = errors(&a, &w, &v);
            assert!(off <= bound, "{rung:?} {n}: {off:e}");
            let mut alone = vec![T::Real::ZERO; n];
            eigh_from(rung, view, &mut alone, None, true, &mut scratch).expect("eigh");
            for ((w, want), alone) in w.iter().zip(first.get_or_insert(w.clone())).zip(&alone) {
                assert!((w.to_f64() - want.to_f64()).abs() <= bound, "{rung:?} {n}");
                assert!((alone.to_f64() - want.to_f64()).abs() <= bound, "{rung:?} {n}, values only");
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
    let a = hermitian::<f64>(4);
    let mut scratch = vec![0; eigh_scratch::<f64>(4)];
    let end = eigh_from(Rung::Failure, MatRef::col_major(&a, 4, 4), &mut [0.0; 4], None, true, &mut scratch);
    assert_eq!(end, Err(DenseError::NoConvergence));
}
