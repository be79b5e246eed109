//! Copies of transposed arrays, tile by tile.

mod support;

use support::array::{Array, DTYPES};
use support::{Random, engine, naive, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{DType, Shape, Tensor};
use tenferro_ops::{Pad, Reshape, Transpose};

fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let shorter = orders(n - 1);
    shorter.iter().flat_map(|o| (0..n).map(|at| [&o[..at], &[n - 1], &o[at..]].concat())).collect()
}

/// The elements of a transpose in C order, which is a copy.
fn flat(x: &Tensor, axes: &[usize]) -> std::sync::Arc<tenferro_graph::Program> {
    program(std::slice::from_ref(x), |b, v| {
        let t = b.emit_one(Transpose { axes: axes.to_vec() }.into(), &[v[0]]);
        vec![b.emit_one(Reshape { shape: Shape::from([x.size()].as_slice()) }.into(), &[t])]
    })
}

#[test]
fn every_order_of_axes_and_every_dtype() {
    let mut r = Random(31);
    let shapes: [&[usize]; 6] = [&[40, 33], &[8, 100], &[7, 64], &[9, 34, 20], &[16, 1, 12, 9], &[10, 11, 12, 8]];
    for d in DTYPES {
        for shape in shapes {
            let x = Array::random(&mut r, d, shape, true);
            for axes in orders(shape.len()) {
                let p = flat(&x.tensor(), &axes);
                let expected = naive(&p, std::slice::from_ref(&x));
                for t in x.layouts() {
                    let outs = run(&mut CpuEngine::serial(), &p, &[t]).expect("runs");
                    Array::of(outs[0].tensor()).assert_close(&expected[0], 0.0, &format!("{d} {shape:?} as {axes:?}"));
                }
            }
        }
    }
}

#[test]
fn threads_share_large_ones() {
    let (n, m) = (1030, 777);
    let data: Vec<f64> = (0..n * m).map(|i| i as f64).collect();
    let x = Tensor::from_slice(&[n, m], &data).expect("memory");
    let p = flat(&x, &[1, 0]);
    for threads in [1, 2, 3] {
        let out = run(&mut engine(threads), &p, std::slice::from_ref(&x)).expect("runs")[0].tensor().to_vec::<f64>().expect("reals");
        assert!((0..n * m).all(|i| out[i] == (i % n * m + i / n) as f64), "{threads} threads");
    }
}

/// The target of a padded transpose has gaps, which keep the fill.
#[test]
fn a_target_with_gaps() {
    let x = Array::random(&mut Random(32), DType::F64, &[50, 40], false);
    let p = program(&[x.tensor()], |b, v| {
        let t = b.emit_one(Transpose { axes: vec![1, 0] }.into(), &[v[0]]);
        let one = b.emit_one(tenferro_ops::Reduce { op: tenferro_ops::ReduceOp::Max, axes: vec![0, 1] }.into(), &[v[0]]);
        vec![b.emit_one(Pad { low: vec![1, 2], high: vec![3, 0], interior: vec![1, 0] }.into(), &[t, one])]
    });
    let out = run(&mut CpuEngine::serial(), &p, &[x.tensor()]).expect("runs");
    Array::of(out[0].tensor()).assert_close(&naive(&p, &[x])[0], 0.0, "padded");
}

/// Runs of every length that stay together, from a few bytes to long ones, also out of a source with gaps.
#[test]
fn runs_stay_together() {
    let mut r = Random(33);
    for d in DTYPES {
        for length in [1, 2, 3, 5, 16, 33, 70] {
            let x = Array::random(&mut r, d, &[3, 4, 2, length], true);
            for axes in [[1, 0, 2, 3], [2, 1, 0, 3], [0, 2, 1, 3]] {
                let p = flat(&x.tensor(), &axes);
                let expected = naive(&p, std::slice::from_ref(&x));
                for t in x.layouts() {
                    let outs = run(&mut CpuEngine::serial(), &p, &[t]).expect("runs");
                    Array::of(outs[0].tensor()).assert_close(&expected[0], 0.0, &format!("{d} runs of {length} as {axes:?}"));
                }
            }
        }
    }
}

#[test]
fn threads_share_runs() {
    let (n, m, k) = (90, 110, 24);
    let data: Vec<f64> = (0..n * m * k).map(|i| i as f64).collect();
    let x = Tensor::from_slice(&[n, m, k], &data).expect("memory");
    let p = flat(&x, &[1, 0, 2]);
    for threads in [1, 2, 3] {
        let out = run(&mut engine(threads), &p, std::slice::from_ref(&x)).expect("runs")[0].tensor().to_vec::<f64>().expect("reals");
        let wanted = |i: usize| (i / k % n * m + i / (n * k)) * k + i % k;
        assert!((0..n * m * k).all(|i| out[i] == wanted(i) as f64), "{threads} threads");
    }
}
