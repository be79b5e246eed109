//! Products of every axis configuration, dtype and layout, and large ones cut into panels.

mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use support::array::Array;
use support::{After, Random, engine, naive, run, single};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{DType, Error, ExecutionEngine, Program, Tensor};
use tenferro_ops::DotGeneral;

const NUMBERS: [DType; 5] = [DType::I64, DType::F32, DType::F64, DType::C64, DType::C128];

fn product(p: &DotGeneral, inputs: &[Tensor]) -> Arc<Program> {
    single(&p.clone().into(), inputs).unwrap_or_else(|| panic!("{p:?} is refused"))
}

fn shuffle(r: &mut Random, axes: &mut [usize]) {
    for i in (1..axes.len()).rev() {
        axes.swap(i, r.below(i + 1));
    }
}

/// Axes in random order, and the shapes of both sides.
fn configuration(r: &mut Random) -> (DotGeneral, [Vec<usize>; 2]) {
    let length = |r: &mut Random| *r.pick(&[0, 1, 1, 2, 2, 3, 3, 4, 5]);
    let [nb, nc, lf, rf] = [3, 3, 3, 3].map(|n| r.below(n));
    let mut axes: [Vec<usize>; 2] = [(0..nb + nc + lf).collect(), (0..nb + nc + rf).collect()];
    for a in &mut axes {
        shuffle(r, a);
    }
    let mut shapes = axes.clone().map(|a| a.iter().map(|_| length(r)).collect::<Vec<_>>());
    for i in 0..nb + nc {
        shapes[1][axes[1][i]] = shapes[0][axes[0][i]];
    }
    let [l, rhs] = &axes;
    let (lb, rb) = (l[..nb].to_vec(), rhs[..nb].to_vec());
    let (lc, rc) = (l[nb..nb + nc].to_vec(), rhs[nb..nb + nc].to_vec());
    (DotGeneral { lhs_batch: lb, rhs_batch: rb, lhs_contract: lc, rhs_contract: rc }, shapes)
}

/// The array as it is, or repeated along an axis without a copy.
fn repeated(r: &mut Random, x: &Array, t: &Tensor) -> (Array, Tensor) {
    if t.size() == 0 || t.rank() == 0 || r.below(3) > 0 {
        return (x.clone(), t.clone());
    }
    let mut strides = t.strides().to_vec();
    for s in strides.iter_mut().filter(|_| r.below(2) == 0) {
        *s = 0;
    }
    let t = t.restride(&x.shape, &strides, 0).expect("inside");
    (Array::of(&t), t)
}

#[test]
fn every_axis_configuration() {
    let mut r = Random(11);
    let mut engines = [CpuEngine::serial(), engine(2)];
    for round in 0..600 {
        let (p, shapes) = configuration(&mut r);
        for d in NUMBERS {
            let sides = shapes.each_ref().map(|shape| {
                let x = Array::random(&mut r, d, shape, false);
                let layouts = x.layouts();
                repeated(&mut r, &x, &layouts[round % layouts.len()])
            });
            let (arrays, tensors): (Vec<Array>, Vec<Tensor>) = sides.into_iter().unzip();
            let program = product(&p, &tensors);
            let expected = &naive(&program, &arrays)[0];
            let eps = if d.real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            for engine in &mut engines {
                let out = run(engine, &program, &tensors).expect("runs");
                let what = format!("{p:?} of {d} {shapes:?}");
                Array::of(out[0].tensor()).assert_close(expected, if d == DType::I64 { 0.0 } else { 200.0 * eps }, &what);
            }
        }
    }
}

#[test]
fn bool_has_no_products() {
    let x = Array::random(&mut Random(1), DType::Bool, &[2, 2], false).tensor();
    assert!(single(&plain(0).into(), &[x.clone(), x]).is_none());
}

/// (batch, m, k) · (batch, k, n) with `n` batch axes.
fn plain(n: usize) -> DotGeneral {
    let b: Vec<usize> = (0..n).collect();
    DotGeneral { lhs_batch: b.clone(), rhs_batch: b, lhs_contract: vec![n + 1], rhs_contract: vec![n] }
}

fn real(r: &mut Random, shape: &[usize]) -> (Vec<f64>, Tensor) {
    let data: Vec<f64> = (0..shape.iter().product()).map(|_| r.real()).collect();
    let t = Tensor::from_slice(shape, &data).expect("memory");
    (data, t)
}

/// Above the size from which products are cut: along rows, columns, and batches.
#[test]
fn panels_and_batches_have_the_right_elements_and_the_same_bits_for_any_threads() {
    let mut r = Random(7);
    for (batch, m, k, n) in [
        (1, 301, 150, 129),
        (1, 65, 130, 1003),
        (1, 4000, 1100, 1),
        (1, 1, 1100, 4000),
        (3, 190, 200, 180),
        (700, 13, 11, 9),
        (1, 3, 500_000, 3),
    ] {
        let (x, l) = real(&mut r, &[batch, m, k]);
        let (y, rhs) = real(&mut r, &[batch, k, n]);
        let inputs = [l, rhs];
        let program = product(&plain(1), &inputs);
        let mut bits = vec![];
        for threads in [1, 2, 4] {
            let out = run(&mut engine(threads), &program, &inputs).expect("runs");
            bits.push(out[0].tensor().to_vec::<f64>().expect("reals"));
        }
        assert!(bits.iter().all(|b| b.iter().zip(&bits[0]).all(|(a, b)| a.to_bits() == b.to_bits())), "({batch}, {m}, {k}, {n})");
        for (at, z) in bits[0].iter().enumerate() {
            let (b, i, j) = (at / (m * n), at / n % m, at % n);
            let (row, column) = (&x[(b * m + i) * k..][..k], &y[b * k * n + j..]);
            let terms = || row.iter().zip(column.iter().step_by(n));
            let (sum, size) = terms().fold((0.0, 0.0), |(s, t), (x, y)| (s + x * y, t + (x * y).abs()));
            // Both sums are off by rounding: at most k eps in theory, some √k in fact.
            let tol = f64::EPSILON * size * (8.0 + (k as f64).sqrt());
            assert!((z - sum).abs() <= tol, "({batch}, {m}, {k}, {n}) at {at}: {z} for {sum}");
        }
    }
}

/// Few results of many terms, from lines side by side, apart, backwards and repeated.
#[test]
fn long_inner_products() {
    let mut r = Random(9);
    for (d, k) in NUMBERS.into_iter().flat_map(|d| [63, 64, 65, 4095, 4097, 9001].map(|k| (d, k))) {
        for (m, n) in [(1, 1), (1, 5), (2, 4), (3, 2)] {
            let arrays = [&[m, k], &[k, n]].map(|s| Array::random(&mut r, d, s, false));
            let (left, right) = (arrays[0].layouts(), arrays[1].layouts());
            for i in 0..5 {
                let inputs = [left[i].clone(), right[(i + m) % 5].clone()];
                let program = product(&plain(0), &inputs);
                let out = run(&mut CpuEngine::serial(), &program, &inputs).expect("runs");
                // The naive sum is as far off as k roundings of numbers below 4 k can be.
                let eps = if d.real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
                let tol = if d == DType::I64 { 0.0 } else { eps * k as f64 };
                Array::of(out[0].tensor()).assert_close(&naive(&program, &arrays)[0], tol, &format!("{d} ({m}, {k}, {n})"));
            }
        }
    }
}

/// Integers wrap as NumPy's do, in whatever order they are added.
#[test]
fn integers_are_exact_modulo_two_to_the_64() {
    let x = [i64::MAX, 3, i64::MIN, -1, 1 << 40, 7];
    let y = [2, i64::MIN, 5, 1 << 40, -9, i64::MAX];
    let inputs = [Tensor::from_slice(&[2, 3], &x), Tensor::from_slice(&[3, 2], &y)].map(|t| t.expect("memory"));
    let out = run(&mut CpuEngine::serial(), &product(&plain(0), &inputs), &inputs).expect("runs");
    let expected: Vec<i64> =
        (0..4).map(|at| (0..3).map(|k| i128::from(x[at / 2 * 3 + k]) * i128::from(y[k * 2 + at % 2])).sum::<i128>() as i64).collect();
    assert_eq!(out[0].tensor().to_vec::<i64>().expect("integers"), expected);
}

#[test]
fn a_large_batch_can_be_stopped() {
    for threads in [1, 2] {
        let (_, x) = real(&mut Random(3), &[400, 60, 60]);
        let inputs = [x.clone(), x];
        let mut engine = engine(threads);
        let program = product(&plain(1), &inputs);
        let plan = engine.planner().plan(&program, &program.input_avals()).expect("plans");
        let e = engine.run(&*plan, &inputs, &After(2, AtomicUsize::new(0))).expect_err("stopped");
        assert!(matches!(e, Error::Interrupted), "{e}");
        assert!(engine.run(&*plan, &inputs, &tenferro_graph::NoInterrupt).is_ok());
    }
}
