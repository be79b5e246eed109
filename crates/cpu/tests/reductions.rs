//! Reductions over some axes: alone, fused, threaded, in every layout.

mod support;

use support::array::Array;
use support::{Random, engine, naive, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Builder, DType, Tensor, Val};
use tenferro_ops::{Binary, BinaryOp, BroadcastInDim, Reduce, ReduceOp, Unary, UnaryOp};

const DTYPES: [DType; 5] = [DType::I64, DType::F32, DType::F64, DType::C64, DType::C128];

/// Short and long rows, less and more than a block, a tile and a chunk, axes of length 1.
const SHAPES: [&[usize]; 16] = [
    &[5, 7],
    &[40, 33],
    &[3, 300],
    &[300, 3],
    &[130, 257],
    &[2, 9000],
    &[9000, 2],
    &[700, 100],
    &[4, 5, 6],
    &[3, 1, 70],
    &[30, 40, 5],
    &[5, 200, 6],
    &[2, 3, 2, 3],
    &[70, 3, 90],
    &[19, 1030],
    &[2, 75, 140],
];

fn subsets(rank: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1_usize << rank).map(move |set| (0..rank).filter(|a| set >> a & 1 == 1).collect())
}

fn reduce(b: &Builder, op: ReduceOp, axes: &[usize], x: Val) -> Val {
    b.emit_one(Reduce { op, axes: axes.to_vec() }.into(), &[x])
}

/// x·row + x with the row broadcast, reduced, beside what was reduced.
fn fused(b: &Builder, axes: &[usize], x: Val, row: Val) -> [Val; 3] {
    let aval = b.aval(x);
    let dims = vec![aval.rank() - 1];
    let row = b.emit_one(BroadcastInDim { shape: aval.shape, dims }.into(), &[row]);
    let product = b.emit_one(Binary(BinaryOp::Mul).into(), &[x, row]);
    let y = b.emit_one(Binary(BinaryOp::Add).into(), &[product, x]);
    let square = b.emit_one(Unary(UnaryOp::Square).into(), &[y]);
    [y, reduce(b, ReduceOp::Sum, axes, y), reduce(b, ReduceOp::Sum, axes, square)]
}

fn assert_same(a: &Tensor, b: &Tensor, what: &str) {
    Array::of(a).assert_close(&Array::of(b), 0.0, what);
}

fn tolerance(d: DType) -> f64 {
    match d.real() {
        DType::F32 => 2e-3,
        DType::F64 => 1e-11,
        _ => 0.0,
    }
}

#[test]
fn every_set_of_axes_agrees_with_the_definition() {
    let (mut r, mut engine) = (Random(21), CpuEngine::serial());
    for d in DTYPES {
        for shape in SHAPES {
            let x = Array::random(&mut r, d, shape, false);
            let row = Array::random(&mut r, d, &shape[shape.len() - 1..], false);
            let (layouts, row_tensor) = (x.layouts(), row.tensor());
            for axes in subsets(shape.len()) {
                let p = program(&[layouts[0].clone(), row_tensor.clone()], |b, v| fused(b, &axes, v[0], v[1]).to_vec());
                let expected = naive(&p, &[x.clone(), row.clone()]);
                for (k, t) in layouts.iter().enumerate().filter(|(k, _)| *k == 0 || shape.len() < 4 && d == DType::F64) {
                    let outs = run(&mut engine, &p, &[t.clone(), row_tensor.clone()]).expect("runs");
                    for (out, e) in outs.iter().zip(&expected) {
                        Array::of(out.tensor()).assert_close(e, tolerance(d), &format!("{d} {shape:?} over {axes:?}, layout {k}"));
                    }
                }
            }
        }
    }
}

#[test]
fn maxima_keep_nan_and_the_rest_is_exact() {
    let (mut r, mut engine) = (Random(22), CpuEngine::serial());
    for d in [DType::I64, DType::F32, DType::F64] {
        for shape in SHAPES {
            let x = Array::random(&mut r, d, shape, true);
            for axes in subsets(shape.len()) {
                let p = program(&[x.tensor()], |b, v| vec![reduce(b, ReduceOp::Max, &axes, v[0])]);
                let expected = naive(&p, std::slice::from_ref(&x));
                for t in x.layouts() {
                    let outs = run(&mut engine, &p, &[t]).expect("runs");
                    // Which of two zeros is the larger depends on the order of the tree.
                    Array::of(outs[0].tensor()).assert_close(&expected[0], 1e-300, &format!("{d} {shape:?} over {axes:?}"));
                }
            }
        }
    }
}

#[test]
fn fused_reductions_have_the_bits_of_ops_run_one_by_one() {
    let (mut r, mut engine) = (Random(23), CpuEngine::serial());
    for shape in SHAPES {
        let x = Array::random(&mut r, DType::F64, shape, false);
        let row = Array::random(&mut r, DType::F64, &shape[shape.len() - 1..], false).tensor();
        for axes in subsets(shape.len()) {
            for t in &x.layouts()[..2] {
                let inputs = [t.clone(), row.clone()];
                let p = program(&inputs, |b, v| fused(b, &axes, v[0], v[1])[1..].to_vec());
                let together = run(&mut engine, &p, &inputs).expect("runs");
                let mut values: Vec<Option<Tensor>> = inputs.iter().cloned().map(Some).collect();
                values.resize(p.n_values(), None);
                for step in p.steps() {
                    let args: Vec<Tensor> = step.args.iter().map(|a| values[a.index()].clone().expect("made")).collect();
                    let q = program(&args, |b, v| b.emit(step.prim.clone(), v).expect("valid").to_vec());
                    values[step.out(0).index()] = Some(run(&mut engine, &q, &args).expect("runs")[0].tensor().clone());
                }
                for (out, v) in together.iter().zip(p.outputs()) {
                    assert_same(out.tensor(), values[v.index()].as_ref().expect("made"), &format!("{shape:?} over {axes:?}"));
                }
            }
        }
    }
}

/// Across rows of more than half a block each column is one chain, up to 64 rows of it.
#[test]
fn columns_are_added_in_the_order_of_their_rows() {
    let mut engine = CpuEngine::serial();
    for (rows, columns) in [(1, 129), (2, 300), (7, 1025), (8, 256), (9, 1024), (23, 2049), (63, 131), (64, 260)] {
        let x = Array::random(&mut Random(25), DType::F64, &[rows, columns], false);
        let t = x.tensor();
        let data: Vec<f64> = t.to_vec().expect("reals");
        let chain = |f: &dyn Fn(f64) -> f64| -> Vec<f64> {
            (0..columns).map(|j| (1..rows).fold(f(data[j]), |s, i| s + f(data[i * columns + j]))).collect()
        };
        let p = program(std::slice::from_ref(&t), |b, v| vec![reduce(b, ReduceOp::Sum, &[0], v[0])]);
        let q = program(std::slice::from_ref(&t), |b, v| {
            vec![reduce(b, ReduceOp::Sum, &[0], b.emit_one(Unary(UnaryOp::Square).into(), &[v[0]]))]
        });
        for (p, wanted) in [(p, chain(&|x| x)), (q, chain(&|x| x * x))] {
            let out = run(&mut engine, &p, std::slice::from_ref(&t)).expect("runs")[0].tensor().to_vec::<f64>().expect("reals");
            assert!(out.iter().zip(&wanted).all(|(a, b)| a.to_bits() == b.to_bits()), "{rows} × {columns}");
        }
    }
}

/// Every reduction of every dtype over long rows, in order and backwards, against a fold.
#[test]
fn every_fold_of_long_rows() {
    fn check<T: tenferro_graph::Element + PartialEq + std::fmt::Debug>(of: fn(usize) -> T, folds: &[(ReduceOp, fn(T, T) -> T)]) {
        for (rows, columns) in [(8, 1100), (21, 517), (130, 140)] {
            let data: Vec<T> = (0..rows * columns).map(of).collect();
            let x = Tensor::from_slice(&[rows, columns], &data).expect("memory");
            let back = x.restride(&[rows, columns], &[-(columns as isize), -1], (rows * columns) as isize - 1).expect("inside");
            let turned: Vec<T> = data.iter().rev().copied().collect();
            for (op, f) in folds {
                let p = program(std::slice::from_ref(&x), |b, v| vec![reduce(b, *op, &[0], v[0])]);
                for (t, data) in [(&x, &data), (&back, &turned)] {
                    let fold = |j: usize| (1..rows).fold(data[j], |s, i| f(s, data[i * columns + j]));
                    let out = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(t)).expect("runs");
                    let wanted: Vec<T> = (0..columns).map(fold).collect();
                    assert_eq!(out[0].tensor().to_vec::<T>().expect("its dtype"), wanted, "{op:?} of {rows} × {columns}");
                }
            }
        }
    }
    use ReduceOp::{Max, Min, Prod, Sum};
    macro_rules! integers {
        ($($t:ident)*) => {$(check::<$t>(
            |i| ((i * i * 7919 + i * 31) % 1009 % 7 + 1) as $t,
            &[(Sum, $t::wrapping_add), (Prod, $t::wrapping_mul), (Max, std::cmp::max), (Min, std::cmp::min)],
        );)*};
    }
    integers!(i8 i16 i32 i64 u8 u16 u32 u64);
    check::<bool>(|i| i * i % 5 == 4, &[(Max, |x, y| x | y), (Min, |x, y| x & y)]);
    // Sums of few small integers and products of powers of two are exact.
    check::<f32>(|i| (i * 37 % 11) as f32, &[(Sum, |x, y| x + y), (Max, f32::max), (Min, f32::min)]);
    check::<f32>(|i| if i % 2 == 0 { 2.0 } else { 0.5 }, &[(Prod, |x, y| x * y)]);
    check::<f64>(|i| (i * 37 % 11) as f64, &[(Sum, |x, y| x + y), (Max, f64::max), (Min, f64::min)]);
    check::<f64>(|i| if i % 2 == 0 { 2.0 } else { 0.5 }, &[(Prod, |x, y| x * y)]);
}

#[test]
fn threads_do_not_change_bits() {
    let mut r = Random(24);
    let shapes: [&[usize]; 6] = [&[1000, 700], &[300_000, 3], &[3, 300_000], &[40, 90, 200], &[2000, 300], &[20_000, 5, 6]];
    for shape in shapes {
        let n = shape.len();
        let x = Array::random(&mut r, DType::F64, shape, false).tensor();
        let row = Array::random(&mut r, DType::F64, &shape[n - 1..], false).tensor();
        let inputs = [x, row];
        for axes in subsets(n) {
            let p = program(&inputs, |b, v| fused(b, &axes, v[0], v[1]).to_vec());
            let serial = run(&mut CpuEngine::serial(), &p, &inputs).expect("runs");
            for threads in [2, 3] {
                let outs = run(&mut engine(threads), &p, &inputs).expect("runs");
                for (a, b) in outs.iter().zip(&serial) {
                    assert_same(a.tensor(), b.tensor(), &format!("{shape:?} over {axes:?}, {threads} threads"));
                }
            }
        }
    }
}

/// Pairwise: the error of a sum of many does not grow with their number.
#[test]
fn long_sums_are_accurate_in_every_direction() {
    let n = 1_000_000;
    let data = vec![0.1; n];
    for (shape, axis) in [([n, 1], 0), ([1, n], 1), ([n / 4, 4], 0), ([4, n / 4], 1), ([n / 500, 500], 0)] {
        let x = Tensor::from_slice(&shape, &data).expect("memory");
        let p = program(std::slice::from_ref(&x), |b, v| vec![reduce(b, ReduceOp::Sum, &[axis], v[0])]);
        let out = run(&mut CpuEngine::serial(), &p, &[x]).expect("runs")[0].tensor().to_vec::<f64>().expect("reals");
        let exact = shape[axis] as f64 * 0.1;
        assert!(out.iter().all(|y| (y - exact).abs() <= 4e-14 * exact), "{shape:?}: {}", out[0] - exact);
    }
}
