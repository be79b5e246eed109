//! The SVD family by its defining equations: dtypes, layouts, batches, threads, empty
//! matrices, and errors that name the matrix.

mod support;

use std::sync::atomic::AtomicUsize;

use support::array::{Array, Num};
use support::{After, Random, engine, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Complex64, DType, Error, ExecutionEngine, NoInterrupt, Prim, Result, Tensor};
use tenferro_linalg::{Svd, SvdSolve, SvdTrunc, SvdVals};

const INEXACT: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];
const SVD: Svd = Svd { narrow: false };

/// A matrix in C order.
#[derive(Clone, Debug)]
struct M(usize, usize, Vec<Complex64>);

impl M {
    fn new(m: usize, n: usize, f: impl Fn(usize, usize) -> Complex64) -> Self {
        Self(m, n, (0..m * n).map(|i| f(i / n, i % n)).collect())
    }

    fn at(&self, i: usize, j: usize) -> Complex64 {
        self.2[i * self.1 + j]
    }

    fn h(&self) -> Self {
        Self::new(self.1, self.0, |i, j| self.at(j, i).conj())
    }

    fn mul(&self, b: &Self) -> Self {
        Self::new(self.0, b.1, |i, j| (0..self.1).map(|k| self.at(i, k) * b.at(k, j)).sum())
    }

    fn sub(&self, b: &Self) -> Self {
        Self::new(self.0, self.1, |i, j| self.at(i, j) - b.at(i, j))
    }

    /// Columns times values.
    fn scaled(&self, s: &Self) -> Self {
        Self::new(self.0, self.1, |i, j| self.at(i, j) * s.at(0, j))
    }

    /// What is left outside the columns of `u`.
    fn outside(&self, u: &Self) -> Self {
        self.sub(&u.mul(&u.h().mul(self)))
    }

    fn norm(&self) -> f64 {
        self.2.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
    }

    fn identity(n: usize) -> Self {
        Self::new(n, n, |i, j| f64::from(u8::from(i == j)).into())
    }

    fn assert_small(&self, tol: f64, what: &str) {
        assert!(self.norm() <= tol, "{what}: {} > {tol}", self.norm());
    }
}

/// The matrices of the last `axes` axes; a vector is one row.
fn matrices(x: &Array, axes: usize) -> Vec<M> {
    let tail = &x.shape[x.shape.len() - axes..];
    let (m, n) = if axes == 2 { (tail[0], tail[1]) } else { (1, tail[0]) };
    let count: usize = x.shape[..x.shape.len() - axes].iter().product();
    let number = |x: &Num| match *x {
        Num::R(x) => x.into(),
        Num::C(x, y) => Complex64::new(x, y),
        other => panic!("{other:?}"),
    };
    (0..count).map(|b| M(m, n, x.data[b * m * n..][..m * n].iter().map(number).collect())).collect()
}

fn outputs(engine: &mut CpuEngine, prim: impl Into<Prim>, inputs: &[Tensor]) -> Result<Vec<Array>> {
    let prim = prim.into();
    let p = program(inputs, |b, v| b.emit(prim, v).expect("fits").to_vec());
    Ok(run(engine, &p, inputs)?.iter().map(|o| Array::of(o.tensor())).collect())
}

fn tolerance(d: DType, n: usize) -> f64 {
    20.0 * (1.0 + n as f64) * if d.real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON }
}

/// u, s, vh of `a`: orthonormal, descending, and what they make.
fn check_triplets(a: &M, [u, s, vh]: [&M; 3], tol: f64, what: &str) {
    u.h().mul(u).sub(&M::identity(u.1)).assert_small(tol, what);
    vh.mul(&vh.h()).sub(&M::identity(vh.0)).assert_small(tol, what);
    assert!(s.2.iter().all(|x| x.re >= 0.0) && s.2.windows(2).all(|w| w[0].re >= w[1].re), "{what}: {s:?}");
    a.mul(&vh.h()).sub(&u.scaled(s)).assert_small(tol * (1.0 + a.norm()), what);
    a.h().mul(u).sub(&vh.h().scaled(s)).assert_small(tol * (1.0 + a.norm()), what);
}

const SHAPES: [&[usize]; 14] = [
    &[1, 1],
    &[4, 4],
    &[7, 3],
    &[3, 7],
    &[0, 3],
    &[3, 0],
    &[0, 0],
    &[3, 5, 4],
    &[2, 3, 4, 4],
    &[40, 9, 12],
    &[0, 3, 3],
    &[3, 0, 2],
    &[2, 0, 3, 3],
    &[60, 60],
];

#[test]
fn svd_and_svdvals() {
    let (mut r, mut engines) = (Random(1), [CpuEngine::serial(), engine(2)]);
    for (d, shape) in INEXACT.into_iter().flat_map(|d| SHAPES.map(|s| (d, s))) {
        let x = Array::random(&mut r, d, shape, false);
        let (a, tol) = (matrices(&x, 2), tolerance(d, shape[shape.len() - 1]));
        for (i, layout) in x.layouts().into_iter().enumerate() {
            let engine = &mut engines[i % 2];
            let what = format!("svd of {d} {shape:?} {:?}", layout.strides());
            let out = outputs(engine, SVD, std::slice::from_ref(&layout)).expect("runs");
            let (u, s, vh) = (matrices(&out[0], 2), matrices(&out[1], 1), matrices(&out[2], 2));
            assert_eq!(u.len(), a.len(), "{what}");
            for (i, a) in a.iter().enumerate() {
                check_triplets(a, [&u[i], &s[i], &vh[i]], tol, &what);
                u[i].scaled(&s[i]).mul(&vh[i]).sub(a).assert_small(tol * (1.0 + a.norm()), &what);
            }
            let values = &outputs(engine, SvdVals, &[layout]).expect("runs")[0];
            values.assert_close(&out[1], tol * 3.0, &what);
        }
    }
}

/// A matrix whose singular values fall by half from one to the next, so that a cut is sharp.
fn graded(r: &mut Random, d: DType, shape: &[usize], q: usize) -> Array {
    let n = shape.len();
    let batch = &shape[..n - 2];
    let (left, right) = ([batch, &[shape[n - 2], q]].concat(), [batch, &[q, shape[n - 1]]].concat());
    let mut factor = |shape: &[usize]| {
        let x = Array::random(r, d, shape, false).tensor();
        outputs(&mut CpuEngine::serial(), SVD, &[x]).expect("runs")
    };
    let (u, vh) = (factor(&left)[0].clone(), factor(&right)[2].clone());
    let products = matrices(&u, 2).into_iter().zip(matrices(&vh, 2));
    let s = M::new(1, q, |_, j| 0.5_f64.powi(j as i32).into());
    let all: Vec<Complex64> = products.flat_map(|(u, vh)| u.scaled(&s).mul(&vh).2).collect();
    let data = all.iter().map(|z| if d.is_complex() { Num::C(z.re, z.im) } else { Num::R(z.re) }.to(d)).collect();
    Array { dtype: d, shape: shape.to_vec(), data }
}

#[test]
fn svd_trunc_and_its_solve() {
    let (mut r, mut engines) = (Random(2), [CpuEngine::serial(), engine(2)]);
    for (d, shape) in INEXACT.into_iter().flat_map(|d| [&[9_usize, 7][..], &[6, 8], &[5, 7, 7], &[2, 9, 30, 12]].map(|s| (d, s))) {
        let n = shape.len();
        let (rows, cols, q) = (shape[n - 2], shape[n - 1], shape[n - 2].min(shape[n - 1]));
        let (x, k, extra, tol) = (graded(&mut r, d, shape, q), 3, 2, tolerance(d, cols));
        let with = |a: usize, b: usize| [&shape[..n - 2], &[a, b]].concat();
        let right = [Array::random(&mut r, d, &with(rows, k), false), Array::random(&mut r, d, &with(cols, k), false)];
        for (i, layout) in x.layouts().into_iter().enumerate() {
            let (engine, what) = (&mut engines[i % 2], format!("{d} {shape:?} {:?}", layout.strides()));
            let parts = outputs(engine, SvdTrunc { k, extra }, std::slice::from_ref(&layout)).expect("runs");
            let mut inputs = vec![layout];
            inputs.extend(parts.iter().map(|p| p.layouts().swap_remove(i)));
            inputs.extend(right.iter().map(|p| p.layouts().swap_remove(i)));
            let solved = outputs(engine, SvdSolve, &inputs).expect("runs");
            let of = |x: &Array, axes| matrices(x, axes);
            let a = of(&x, 2);
            let t = [of(&parts[0], 2), of(&parts[1], 1), of(&parts[2], 2)];
            let [r1, r2, xs, ys] = [&right[0], &right[1], &solved[0], &solved[1]].map(|m| of(m, 2));
            for b in 0..a.len() {
                let (u, s, vh) = (&t[0][b], &t[1][b], &t[2][b]);
                check_triplets(&a[b], [u, s, vh], tol, &what);
                for j in 0..k {
                    assert!((s.at(0, j).re - 0.5_f64.powi(j as i32)).abs() <= tol, "{what}: {s:?}");
                }
                let v = vh.h();
                let (xb, yb) = (&xs[b], &ys[b]);
                // The norm of the map is at most 1 / (s_k − s_(k+1)) = 8.
                let tol = 30.0 * tol * (1.0 + r1[b].norm() + r2[b].norm());
                u.h().mul(xb).assert_small(tol, &what);
                v.h().mul(yb).assert_small(tol, &what);
                xb.scaled(s).sub(&a[b].mul(yb).outside(u)).sub(&r1[b].outside(u)).assert_small(tol, &what);
                yb.scaled(s).sub(&a[b].h().mul(xb).outside(&v)).sub(&r2[b].outside(&v)).assert_small(tol, &what);
            }
        }
    }
}

fn real(r: &mut Random, shape: &[usize]) -> Vec<f64> {
    (0..shape.iter().product()).map(|_| r.real()).collect()
}

#[test]
fn batches_have_the_same_bits_for_any_number_of_threads() {
    let shape = [50, 20, 17];
    let x = Tensor::from_slice(&shape, &real(&mut Random(4), &shape)).expect("memory");
    let one = outputs(&mut engine(1), SVD, std::slice::from_ref(&x)).expect("runs");
    for threads in [2, 4] {
        let many = outputs(&mut engine(threads), SVD, std::slice::from_ref(&x)).expect("runs");
        one.iter().zip(&many).for_each(|(a, b)| a.assert_close(b, 0.0, "svd"));
    }
}

#[test]
fn the_first_matrix_that_fails_is_named() {
    let cases: [(&[usize], &[usize], &str); 4] = [
        (&[12, 12], &[0], ""),
        (&[40, 12, 12], &[31, 7, 8], " (batch index 7)"),
        (&[4, 10, 12, 12], &[25, 39], " (batch index (2, 5))"),
        (&[2, 3, 2, 2], &[4, 5], " (batch index (1, 1))"),
    ];
    for (shape, bad, place) in cases {
        let mut data = real(&mut Random(5), shape);
        let size = shape[shape.len() - 2] * shape[shape.len() - 1];
        for (i, b) in bad.iter().enumerate() {
            data[b * size + 1] = [f64::NAN, f64::INFINITY][i % 2];
        }
        let x = Tensor::from_slice(shape, &data).expect("memory");
        let prims: [Prim; 3] = [SVD.into(), SvdVals.into(), SvdTrunc { k: 1, extra: 0 }.into()];
        for (threads, prim) in [1, 2, 4].into_iter().flat_map(|t| prims.clone().map(|p| (t, p))) {
            let mut engine = engine(threads);
            let e = outputs(&mut engine, prim.clone(), std::slice::from_ref(&x)).expect_err("not finite");
            assert!(matches!(e, Error::LinAlg { .. }));
            assert_eq!(e.to_string(), format!("{}: NaN or infinity in the input{place}", prim.name()));
            let fine = Tensor::from_slice(&[1, 1], &[2.0]).expect("memory");
            assert!(outputs(&mut engine, prim, &[fine]).is_ok(), "the engine goes on");
        }
    }
}

#[test]
fn a_large_batch_can_be_stopped() {
    let shape = [200, 20, 20];
    let x = Tensor::from_slice(&shape, &real(&mut Random(6), &shape)).expect("memory");
    for threads in [1, 2] {
        let mut engine = engine(threads);
        let p = program(std::slice::from_ref(&x), |b, v| vec![b.emit_one(SvdVals.into(), v)]);
        let plan = engine.planner().plan(&p, &p.input_avals()).expect("plans");
        let stop = After(5, AtomicUsize::new(0));
        let e = engine.run(&*plan, std::slice::from_ref(&x), &stop).expect_err("stopped");
        assert!(matches!(e, Error::Interrupted), "{e}");
        assert!(stop.1.into_inner() < 50, "it goes on after it was stopped");
        assert!(engine.run(&*plan, std::slice::from_ref(&x), &NoInterrupt).is_ok());
    }
}
