//! Every op on its own, for every dtype and layout, against its definition.

mod support;

use support::array::{Array, DTYPES, Num};
use support::{Random, naive, run, single};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{DType, Dim, Prim, Shape, Tensor};
use tenferro_ops::{
    Binary, BinaryOp, BroadcastInDim, Cast, Compare, CompareOp, Concatenate, DotGeneral, Pad, Reduce, ReduceOp, Reshape, Select, Slice,
    StopGradient, Transpose, Unary, UnaryOp,
};

/// Ranks 0 to 4, lengths 0 and 1, more than a block, more than a chunk.
const SHAPES: &[&[usize]] = &[&[], &[0], &[1], &[7], &[300], &[3, 0], &[5, 4], &[2, 1, 3], &[2, 3, 2, 5], &[19, 17], &[4100]];

fn tolerance(prim: &Prim, d: DType) -> f64 {
    let eps = if d.real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let exact = match (prim.downcast(), prim.downcast()) {
        (Some(Unary(UnaryOp::Sin | UnaryOp::Cos | UnaryOp::Exp | UnaryOp::Log)), _) => false,
        (Some(Unary(UnaryOp::Sqrt | UnaryOp::Abs)), _) | (_, Some(Binary(BinaryOp::Div))) => !d.is_complex(),
        _ => !prim.is::<Reduce>() && !prim.is::<DotGeneral>(),
    };
    if exact { 0.0 } else { 8.0 * eps }
}

/// Runs `prim` with each input in each layout; false if the op refuses the dtypes.
fn check(engine: &mut CpuEngine, prim: &Prim, inputs: &[Array]) -> bool {
    let layouts: Vec<Vec<Tensor>> = inputs.iter().map(Array::layouts).collect();
    let plain: Vec<Tensor> = inputs.iter().map(Array::tensor).collect();
    let Some(program) = single(prim, &plain) else { return false };
    let expected = &naive(&program, inputs)[0];
    let d = if inputs[0].dtype.is_complex() { inputs[0].dtype } else { expected.dtype };
    let n = inputs.len();
    for shift in 0..5 {
        // The inputs in one layout each: all the same, then all different.
        for spread in [0, 1, 2] {
            let x: Vec<Tensor> = (0..n).map(|i| layouts[i][(shift + i * spread) % 5].clone()).collect();
            let out = run(engine, &program, &x).unwrap_or_else(|e| panic!("{prim}: {e}"));
            let tol = tolerance(prim, d) * if prim.is::<Reduce>() { 1.0 + (inputs[0].data.len() as f64).sqrt() } else { 1.0 };
            let what = format!("{prim} of {:?}, layout {shift} {spread}", x.iter().map(Tensor::aval).collect::<Vec<_>>());
            Array::of(out[0].tensor()).assert_close(expected, tol, &what);
            Array::of(&out[0].clone().into_tensor().expect("memory")).assert_close(expected, tol, &what);
            if n == 1 {
                break;
            }
        }
    }
    true
}

/// Checks `prim` of `n` arguments of one dtype at every shape; returns the dtypes that it accepts.
fn elementwise(prim: impl Into<Prim>, n: usize) -> Vec<DType> {
    let (prim, mut engine, mut r) = (prim.into(), CpuEngine::serial(), Random(1));
    let mut accepted = vec![];
    for d in DTYPES {
        let all = SHAPES.iter().all(|shape| {
            let x: Vec<Array> = (0..n).map(|_| Array::random(&mut r, d, shape, true)).collect();
            check(&mut engine, &prim, &x)
        });
        if all {
            accepted.push(d);
        }
    }
    accepted
}

const NUMBERS: &[DType] = &[DType::I64, DType::F32, DType::F64, DType::C64, DType::C128];
const REALS: &[DType] = &[DType::I64, DType::F32, DType::F64];
const INEXACT: &[DType] = &[DType::F32, DType::F64, DType::C64, DType::C128];

#[test]
fn unary() {
    // The others are functions of vmath, tested there and in Python's op table.
    use UnaryOp::{Abs, Conj, Cos, Exp, Imag, Log, Neg, Real, Sin, Sqrt, Square};
    for op in &[Neg, Abs, Conj, Real, Imag, Sin, Cos, Exp, Log, Sqrt, Square] {
        let expected = match op {
            Neg | Abs | Square => NUMBERS,
            _ => INEXACT,
        };
        assert_eq!(elementwise(Unary(*op), 1), expected, "{op:?}");
    }
}

#[test]
fn binary() {
    use BinaryOp::{Add, Div, Maximum, Mul, Sub};
    for op in &[Add, Sub, Mul, Div, Maximum] {
        let expected = match op {
            Div => INEXACT,
            Maximum => REALS,
            _ => NUMBERS,
        };
        assert_eq!(elementwise(Binary(*op), 2), expected, "{op:?}");
    }
}

#[test]
fn compare() {
    for op in CompareOp::ALL {
        let expected: &[DType] =
            if matches!(op, CompareOp::Eq | CompareOp::Ne) { &DTYPES } else { &[DType::Bool, DType::I64, DType::F32, DType::F64] };
        assert_eq!(elementwise(Compare(*op), 2), expected, "{op:?}");
    }
}

#[test]
fn cast_and_stop_gradient() {
    for to in DTYPES {
        assert_eq!(elementwise(Cast { to }, 1), DTYPES, "to {to}");
    }
    assert_eq!(elementwise(StopGradient, 1), DTYPES);
}

#[test]
fn select() {
    let (prim, mut engine, mut r) = (Prim::new(Select), CpuEngine::serial(), Random(2));
    for (d, shape) in DTYPES.into_iter().flat_map(|d| SHAPES.iter().map(move |s| (d, *s))) {
        let mask = Array::random(&mut r, DType::Bool, shape, false);
        let [x, y] = [0, 1].map(|_| Array::random(&mut r, d, shape, true));
        assert!(check(&mut engine, &prim, &[mask, x, y]));
    }
}

#[test]
fn reduce() {
    let (mut engine, mut r) = (CpuEngine::serial(), Random(3));
    let mut count = 0;
    for (d, shape) in NUMBERS.iter().flat_map(|d| SHAPES.iter().map(move |s| (*d, *s))) {
        for bits in 0_usize..1 << shape.len() {
            let axes: Vec<usize> = (0..shape.len()).filter(|a| bits >> a & 1 == 1).collect();
            for op in [ReduceOp::Sum, ReduceOp::Max] {
                let mut x = Array::random(&mut r, d, shape, op == ReduceOp::Max);
                if op == ReduceOp::Max && d.is_float() && bits % 3 == 0 {
                    // Without NaN most of the time.
                    x.data.iter_mut().for_each(|v| {
                        if matches!(v, Num::R(x) if x.is_nan()) {
                            *v = Num::R(-3.0);
                        }
                    });
                }
                count += usize::from(check(&mut engine, &Reduce { op, axes: axes.clone() }.into(), &[x]));
            }
        }
    }
    // Per dtype 47 sums; maxima need an order and no empty axis.
    assert_eq!(count, 5 * 47 + 3 * (47 - 3));
}

fn structural(prim: impl Into<Prim>, shapes: &[&[usize]]) {
    let (prim, mut engine, mut r) = (prim.into(), CpuEngine::serial(), Random(4));
    for d in DTYPES {
        let x: Vec<Array> = shapes.iter().map(|s| Array::random(&mut r, d, s, true)).collect();
        assert!(check(&mut engine, &prim, &x), "{prim} refuses {d}");
    }
}

#[test]
fn views() {
    for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        structural(Transpose { axes: axes.to_vec() }, &[&[3, 4, 5]]);
        structural(Transpose { axes: axes.to_vec() }, &[&[3, 0, 5]]);
    }
    for (from, to) in
        [(vec![6, 4], vec![24]), (vec![24], vec![2, 3, 4]), (vec![6, 4], vec![4, 6]), (vec![1, 6], vec![6, 1, 1]), (vec![], vec![1, 1])]
    {
        structural(Reshape { shape: Shape::from(to.as_slice()) }, &[&from]);
    }
    structural(Reshape { shape: Shape::from([0, 5]) }, &[&[3, 0]]);
    for (from, to, dims) in [
        (vec![], vec![3, 2], vec![]),
        (vec![4], vec![3, 4], vec![1]),
        (vec![4], vec![4, 3], vec![0]),
        (vec![3, 1], vec![2, 3, 5], vec![1, 2]),
    ] {
        structural(BroadcastInDim { shape: Shape::from(to.as_slice()), dims }, &[&from]);
    }
    structural(BroadcastInDim { shape: Shape::from([0, 4]), dims: vec![1] }, &[&[4]]);
    let slice = |starts: [usize; 2], limits: [usize; 2], steps: [usize; 2]| Slice {
        starts: starts.to_vec(),
        limits: limits.map(Dim::Const).to_vec(),
        steps: steps.to_vec(),
    };
    for (s, l, k) in
        [([0, 0], [6, 7], [1, 1]), ([1, 2], [5, 7], [2, 3]), ([5, 0], [6, 7], [1, 7]), ([6, 0], [6, 7], [1, 1]), ([2, 3], [2, 3], [1, 2])]
    {
        structural(slice(s, l, k), &[&[6, 7]]);
    }
}

#[test]
fn copies() {
    for (low, high, interior) in [([0, 0], [0, 0], [0, 0]), ([1, 2], [3, 0], [0, 1]), ([0, 1], [1, 1], [2, 3])] {
        let pad = Pad { low: low.to_vec(), high: high.to_vec(), interior: interior.to_vec() };
        for shape in [[3, 4], [1, 1], [2, 300]] {
            structural(pad.clone(), &[&shape, &[]]);
        }
    }
    structural(Pad { low: vec![2], high: vec![1], interior: vec![3] }, &[&[0], &[]]);
    structural(Concatenate { axis: 0 }, &[&[2, 3], &[1, 3], &[0, 3], &[4, 3]]);
    structural(Concatenate { axis: 1 }, &[&[3, 2, 2], &[3, 300, 2]]);
    structural(Concatenate { axis: 0 }, &[&[0], &[0]]);
}

#[test]
fn products() {
    let (mut engine, mut r) = (CpuEngine::serial(), Random(5));
    let rows: &[(&[usize], &[usize], [&[usize]; 4])] = &[
        (&[3, 4], &[4, 5], [&[], &[], &[1], &[0]]),
        (&[3, 4], &[5, 4], [&[], &[], &[1], &[1]]),
        (&[4], &[4], [&[], &[], &[0], &[0]]),
        (&[3], &[2, 2], [&[], &[], &[], &[]]),
        (&[2, 3, 4], &[2, 4, 3], [&[0], &[0], &[1, 2], &[2, 1]]),
        (&[5, 2, 3], &[3, 5, 4], [&[0], &[1], &[2], &[0]]),
        (&[3, 0], &[0, 2], [&[], &[], &[1], &[0]]),
        (&[0, 3], &[3, 2], [&[], &[], &[1], &[0]]),
        (&[], &[2], [&[], &[], &[], &[]]),
        (&[2, 2, 2, 2], &[2, 2, 2], [&[], &[], &[1, 3], &[2, 0]]),
    ];
    for (d, (l, rhs, [lb, rb, lc, rc])) in NUMBERS.iter().flat_map(|d| rows.iter().map(move |row| (*d, row))) {
        let v = |x: &[usize]| x.to_vec();
        let prim = DotGeneral { lhs_batch: v(lb), rhs_batch: v(rb), lhs_contract: v(lc), rhs_contract: v(rc) };
        let x = [Array::random(&mut r, d, l, false), Array::random(&mut r, d, rhs, false)];
        assert!(check(&mut engine, &prim.into(), &x));
    }
}
