//! Kernels at the sizes that matter: tiny, cache-sized, and those of a TRG step at χ = 16.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use num_complex::Complex;
use tenferro_dense::{
    MatMut, MatRef, Op, cholesky, eig, eig_scratch, eigh, eigh_scratch, gemm, lu, lu_scratch, qr, qr_scratch, solve_triangular, svd,
    svd_scratch, svd_solve, svd_solve_scratch, svd_trunc, svd_trunc_scratch,
};

fn random(len: usize, mut state: u64) -> Vec<f64> {
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..len).map(|_| next()).collect()
}

/// n×n with singular values that fall by about 0.8 a step.
fn decaying(n: usize) -> Vec<f64> {
    let (mut x, y) = (random(n * n, 1), random(n * n, 2));
    for (j, column) in x.chunks_exact_mut(n).enumerate() {
        for x in column {
            *x *= 0.8f64.powi(j as i32);
        }
    }
    let mut a = vec![0.0; n * n];
    let (x, y) = (MatRef::col_major(&x, n, n), MatRef::col_major(&y, n, n));
    gemm(MatMut::col_major(&mut a, n, n), x, false, y, false, false);
    a
}

fn products(c: &mut Criterion) {
    let mut group = c.benchmark_group("gemm");
    let squares = [2, 4, 8, 16, 64, 256, 512].map(|n| (n, n, n));
    let others = [(256, 256, 16), (256, 1, 256), (1, 256, 256), (256, 256, 1)];
    for (m, n, k) in squares.into_iter().chain(others) {
        let (a, b, mut out) = (random(m * k, 1), random(k * n, 2), vec![0.0; m * n]);
        let (a, b) = (MatRef::col_major(&a, m, k), MatRef::col_major(&b, k, n));
        group.bench_function(BenchmarkId::from_parameter(format!("{m}x{n}x{k}")), |bench| {
            bench.iter(|| gemm(MatMut::col_major(&mut out, m, n), a, false, b, false, false));
        });
    }
    group.finish();
}

fn factorizations(c: &mut Criterion) {
    let mut group = c.benchmark_group("svd");
    group.sample_size(20);
    for n in [4, 16, 64, 256] {
        let a = random(n * n, 3);
        let (mut u, mut s, mut vh) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n * n]);
        let mut scratch = vec![0; svd_scratch::<f64>(n, n)];
        group.bench_function(BenchmarkId::from_parameter(n), |bench| {
            bench.iter(|| {
                let (x, y) = (MatMut::col_major(&mut u, n, n), MatMut::col_major(&mut vh, n, n));
                svd(MatRef::col_major(&a, n, n), Some(x), &mut s, Some(y), true, &mut scratch)
            });
        });
    }
    group.finish();
}

/// One-sided factorizations and triangular systems.
fn triangular(c: &mut Criterion) {
    let mut group = c.benchmark_group("triangular");
    group.sample_size(20);
    for n in [4, 32, 256] {
        let (a, b) = (random(n * n, 3), random(n * n, 4));
        let view = MatRef::col_major(&a, n, n);
        let mut definite = vec![0.0; n * n];
        gemm(MatMut::col_major(&mut definite, n, n), view, false, view.t(), false, false);
        (0..n).for_each(|i| definite[i * n + i] += 1.0);
        let (mut x, mut r, mut perm) = (vec![0.0; n * n], vec![0.0; n * n], vec![0; n]);
        let mut scratch = vec![0; qr_scratch::<f64>(n, n).max(lu_scratch::<f64>(n, n))];
        group.bench_function(BenchmarkId::new("qr", n), |bench| {
            bench.iter(|| {
                let (q, r) = (MatMut::col_major(&mut x, n, n), MatMut::col_major(&mut r, n, n));
                qr(view, Some(q), r, true, &mut scratch)
            });
        });
        group.bench_function(BenchmarkId::new("lu", n), |bench| {
            bench.iter(|| lu(view, MatMut::col_major(&mut x, n, n), &mut perm, true, &mut scratch));
        });
        group.bench_function(BenchmarkId::new("cholesky", n), |bench| {
            bench.iter(|| cholesky(MatRef::col_major(&definite, n, n), MatMut::col_major(&mut r, n, n), true));
        });
        group.bench_function(BenchmarkId::new("solve", n), |bench| {
            bench.iter(|| {
                x.copy_from_slice(&b);
                solve_triangular(MatRef::col_major(&r, n, n), true, Op::Plain, false, MatMut::col_major(&mut x, n, n), true)
            });
        });
    }
    group.finish();
}

fn eigenvalues(c: &mut Criterion) {
    let mut group = c.benchmark_group("eigen");
    group.sample_size(10);
    for n in [4, 32, 256] {
        let a = random(n * n, 3);
        let view = MatRef::col_major(&a, n, n);
        let (mut w, mut v) = (vec![0.0; n], vec![0.0; n * n]);
        let mut scratch = vec![0; eigh_scratch::<f64>(n).max(eig_scratch::<f64>(n))];
        group.bench_function(BenchmarkId::new("eigh", n), |bench| {
            bench.iter(|| eigh(view, &mut w, Some(MatMut::col_major(&mut v, n, n)), true, &mut scratch));
        });
        let zero = Complex::new(0.0, 0.0);
        let (mut w, mut v) = (vec![zero; n], vec![zero; n * n]);
        group.bench_function(BenchmarkId::new("eig", n), |bench| {
            bench.iter(|| eig(view, &mut w, Some(MatMut::col_major(&mut v, n, n)), true, &mut scratch));
        });
    }
    group.finish();
}

fn truncated(c: &mut Criterion) {
    let mut group = c.benchmark_group("truncated");
    group.sample_size(40);
    let (n, k, extra) = (256, 16, 16);
    let a = decaying(n);
    let view = MatRef::col_major(&a, n, n);
    let (mut u, mut s, mut vh) = (vec![0.0; n * k], vec![0.0; k], vec![0.0; n * k]);
    let (mut ue, mut se, mut vhe) = (vec![0.0; n * extra], vec![0.0; extra], vec![0.0; n * extra]);
    let mut scratch = vec![0; svd_trunc_scratch::<f64>(n, n, k, extra)];
    group.bench_function("svd_trunc 256, 16", |bench| {
        bench.iter(|| {
            let (x, y) = (MatMut::col_major(&mut u, n, k), MatMut::col_major(&mut vh, k, n));
            let (xe, ye) = (MatMut::col_major(&mut ue, n, extra), MatMut::col_major(&mut vhe, extra, n));
            svd_trunc(view, k, extra, x, &mut s, y, xe, &mut se, ye, true, &mut scratch)
        });
    });
    let (r1, r2) = (random(n * k, 5), random(n * k, 6));
    let (mut x, mut y) = (vec![0.0; n * k], vec![0.0; n * k]);
    let mut scratch = vec![0; svd_solve_scratch::<f64>(n, n, k, extra)];
    group.bench_function("svd_solve 256, 16", |bench| {
        bench.iter(|| {
            let (u, ue) = (MatRef::col_major(&u, n, k), MatRef::col_major(&ue, n, extra));
            let (vh, vhe) = (MatRef::col_major(&vh, k, n), MatRef::col_major(&vhe, extra, n));
            let (r1, r2) = (MatRef::col_major(&r1, n, k), MatRef::col_major(&r2, n, k));
            let (x, y) = (MatMut::col_major(&mut x, n, k), MatMut::col_major(&mut y, n, k));
            svd_solve(view, u, &s, vh, ue, &se, vhe, r1, r2, x, y, &mut scratch)
        });
    });
    group.finish();
}

criterion_group!(
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(500));
    targets = products, factorizations, triangular, eigenvalues, truncated
);
criterion_main!(benches);
