//! The ladder, entered at each of its rungs as if those before had failed.

use num_complex::Complex;

use super::*;

fn general<T: Scalar>(n: usize) -> Vec<T> {
    let mut state = 5u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        T::Real::from_f64((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    (0..n * n).map(|_| T::new(next(), next())).collect()
}

/// Largest element of a v − v w.
fn residual<T: Scalar>(a: &[T], w: &[T::Complex], v: &[T::Complex]) -> f64 {
    let n = w.len();
    let mut worst = 0.0f64;
    for i in 0..n {
        for j in 0..n {
            let mut off = -(v[j * n + i] * w[j]);
            for l in 0..n {
                off += <T::Complex as Scalar>::new(a[l * n + i].re(), a[l * n + i].im()) * v[j * n + l];
            }
            worst = worst.max(off.abs2().to_f64().sqrt());
        }
    }
    worst
}

fn every_rung<T: Scalar>() {
    for n in [1, 2, 3, 8, 20, 90] {
        let a = general::<T>(n);
        for rung in [Rung::Faer, Rung::Reversed, Rung::Plain] {
            let zero = <T::Complex as Scalar>::ZERO;
            let (mut w, mut v) = (vec![zero; n], vec![zero; n * n]);
            let mut scratch = vec![0xff; eig_scratch::<T>(n)];
            let view = MatRef::col_major(&a, n, n);
            let out = MatMut::col_major(&mut v, n, n);
            eig_from(rung, view, &mut w, Some(out), true, &mut scratch).expect("eig");
            let off = residual(&a, &w, &v);
            assert!(off <= 100.0 * T::Real::EPS.to_f64() * n as f64, "{rung:?} {n}: {off:e}");
            let mut alone = vec![zero; n];
            eig_from(rung, view, &mut alone, None, true, &mut scratch).expect("eig");
            for x in &alone {
                let near = w.iter().map(|w| (*w - *x).abs2().to_f64().sqrt()).fold(f64::INFINITY, f64::min);
                assert!(near <= 1e4 * T::Real::EPS.to_f64() * n as f64, "{rung:?} {n}: {near:e}");
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
    let a = general::<f64>(4);
    let mut scratch = vec![0; eig_scratch::<f64>(4)];
    let mut w = [Complex::new(0.0, 0.0); 4];
    let end = eig_from(Rung::Failure, MatRef::col_major(&a, 4, 4), &mut w, None, true, &mut scratch);
    assert_eq!(end, Err(DenseError::NoConvergence));
}

/// Wrong values are seen, for the library that computes them does not tell; wrong vectors are
/// found again by inverse iteration, which cannot do it for a value that is none.
#[test]
fn wrong_results_are_seen_and_mended() {
    let n = 5;
    let mut a = general::<f64>(n);
    let zero = Complex::new(0.0, 0.0);
    let mut w = vec![zero; n];
    let mut scratch = vec![0; 2 * eig_scratch::<f64>(n)];
    let mut scratch = Scratch::new(&mut scratch, 0).expect("scratch");
    let mut columns = Columns::take(n, &mut scratch).expect("scratch");
    let m = Matrix { a: &mut a, n };
    m.ladder(Rung::Faer, &mut w, Some(&mut columns), &mut scratch).expect("eig");
    assert!(m.sums_to_trace(&w));
    let good = columns.x.to_vec();
    for bad in [f64::NAN, f64::INFINITY, 0.0] {
        let at = (0..n).rfind(|j| w[*j].im <= 0.0).expect("a real value or the second of a pair");
        let at = if w[at].im < 0.0 { at - 1 } else { at };
        columns.x[at * n..(at + 1) * n].fill(Complex::new(bad, 0.0));
        assert!(columns.check(m.a, &w));
        assert!(residual(m.a, &w, columns.x) <= 1e-14);
    }
    columns.x.copy_from_slice(&good);
    w[0] += 1e-6;
    assert!(!m.sums_to_trace(&w));
    assert!(!columns.check(m.a, &w));
}
