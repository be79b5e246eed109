//! Whole programs: fusion, views, memory reuse, threads.

mod support;

use std::sync::Arc;

use support::array::Array;
use support::{Random, engine, naive, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Aval, Builder, DType, Dim, Prim, Program, Shape, Tensor, Val};
use tenferro_ops::{
    Binary, BinaryOp, BroadcastInDim, Cast, Compare, CompareOp, Concatenate, DotGeneral, Pad, Reduce, ReduceOp, Reshape, Select, Slice,
    Transpose, Unary, UnaryOp,
};

/// Instructions drawn at random over values of one dtype.
struct Draw<'a> {
    b: &'a Builder,
    r: &'a mut Random,
    dtype: DType,
    values: Vec<Val>,
}

impl Draw<'_> {
    fn shape(&self, v: Val) -> Vec<usize> {
        self.b.aval(v).shape.concrete().expect("numbers").to_vec()
    }

    fn emit(&mut self, prim: impl Into<Prim>, args: &[Val]) -> Val {
        let v = self.b.emit_one(prim.into(), args);
        if self.b.aval(v).dtype == self.dtype {
            self.values.push(v);
        }
        v
    }

    fn any(&mut self) -> Val {
        // Recent values more often, so that chains become long.
        let n = self.values.len();
        let back = self.r.below(n).min(self.r.below(n));
        self.values[n - 1 - back]
    }

    /// Another value of the shape of `x`, by a broadcast if need be.
    fn like(&mut self, x: Val) -> Val {
        let shape = self.shape(x);
        for _ in 0..6 {
            let y = self.any();
            let s = self.shape(y);
            if s == shape {
                return y;
            }
            if s.len() <= shape.len() {
                let dims: Vec<usize> = (shape.len() - s.len()..shape.len()).collect();
                if s.iter().zip(&dims).all(|(n, a)| *n == 1 || *n == shape[*a]) {
                    return self.emit(BroadcastInDim { shape: Shape::from(shape.as_slice()), dims }, &[y]);
                }
            }
        }
        x
    }

    fn step(&mut self) {
        let x = self.any();
        let shape = self.shape(x);
        match self.r.below(14) {
            0..=2 => {
                let all = if self.dtype == DType::I64 {
                    [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Square]
                } else {
                    [UnaryOp::Sin, UnaryOp::Cos, UnaryOp::Abs]
                };
                let op = *self.r.pick(&all);
                self.emit(Unary(op), &[x]);
            }
            3..=6 => {
                let y = self.like(x);
                let op = *self.r.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Maximum]);
                let z = self.emit(Binary(op), &[x, y]);
                if self.dtype == DType::F64 && op == BinaryOp::Mul {
                    self.emit(Unary(UnaryOp::Sin), &[z]);
                }
            }
            7 => {
                // Order of equal numbers only: rounding must not decide.
                let y = self.like(x);
                let op = if self.dtype == DType::I64 { *self.r.pick(&[CompareOp::Lt, CompareOp::Ge]) } else { CompareOp::Eq };
                let mask = if op == CompareOp::Eq { self.emit(Compare(op), &[x, x]) } else { self.emit(Compare(op), &[x, y]) };
                self.emit(Select, &[mask, x, y]);
                let ones = self.emit(Cast { to: self.dtype }, &[mask]);
                self.emit(Binary(BinaryOp::Add), &[ones, x]);
            }
            _ => self.structural(x, &shape),
        }
    }

    fn structural(&mut self, x: Val, shape: &[usize]) {
        let rank = shape.len();
        match self.r.below(7) {
            0 if rank > 1 => {
                let mut axes: Vec<usize> = (0..rank).collect();
                axes.rotate_left(1);
                axes.swap(0, self.r.below(rank));
                self.emit(Transpose { axes }, &[x]);
            }
            1 if rank > 0 => {
                let op = if self.r.below(4) == 0 && !shape.contains(&0) { ReduceOp::Max } else { ReduceOp::Sum };
                let axes = (0..rank).filter(|_| self.r.below(2) == 0).collect();
                self.emit(Reduce { op, axes }, &[x]);
            }
            2 => {
                let to: Vec<usize> =
                    if self.r.below(2) == 0 { vec![shape.iter().product()] } else { shape.iter().rev().copied().collect() };
                self.emit(Reshape { shape: Shape::from(to.as_slice()) }, &[x]);
            }
            3 if rank > 0 && shape[0] > 2 => {
                let starts: Vec<usize> = shape.iter().map(|n| self.r.below(*n / 2)).collect();
                let steps: Vec<usize> = shape.iter().map(|_| 1 + self.r.below(2)).collect();
                self.emit(Slice { starts, limits: shape.iter().map(|n| Dim::Const(*n)).collect(), steps }, &[x]);
            }
            4 if rank > 0 && shape.iter().product::<usize>() < 3000 => {
                let y = self.like(x);
                let axis = self.r.below(rank);
                self.emit(Concatenate { axis }, &[x, y]);
            }
            5 if rank > 0 && shape.iter().product::<usize>() < 3000 => {
                let mut width = || shape.iter().map(|_| self.r.below(2)).collect::<Vec<_>>();
                let pad = Pad { low: width(), high: width(), interior: width() };
                let fill = self.values[0];
                self.emit(pad, &[x, fill]);
            }
            6 if rank == 2 && shape[0] * shape[0] < 5000 => {
                let p = DotGeneral { lhs_batch: vec![], rhs_batch: vec![], lhs_contract: vec![1], rhs_contract: vec![1] };
                let y = self.emit(p, &[x, x]);
                if self.dtype == DType::F64 {
                    self.emit(Unary(UnaryOp::Sin), &[y]);
                }
            }
            _ => {}
        }
    }
}

fn random_program(r: &mut Random, dtype: DType) -> (Arc<Program>, Vec<Array>) {
    let shapes: &[&[usize]] = &[&[], &[7], &[3, 5], &[5], &[2, 3, 5], &[1, 5], &[20, 30], &[0, 5]];
    let mut inputs = vec![Array::random(r, dtype, &[], false)];
    for _ in 0..=r.below(4) {
        let shape = *r.pick(shapes);
        inputs.push(Array::random(r, dtype, shape, false));
    }
    let b = Builder::new();
    let values = inputs.iter().map(|x| b.input(Aval::new(dtype, x.shape.as_slice()))).collect();
    let mut draw = Draw { b: &b, r, dtype, values };
    for _ in 0..40 {
        draw.step();
    }
    let outs: Vec<Val> = (0..=draw.r.below(8)).map(|_| draw.any()).collect();
    (Arc::new(b.finish(outs).expect("valid")), inputs)
}

/// Random programs against the definition, as exactly as they are stable, in other layouts of the inputs too, for one and three threads.
fn random_programs(dtype: DType, seeds: std::ops::Range<u64>, tol: f64) {
    let (mut one, mut three) = (CpuEngine::serial(), engine(3));
    for seed in seeds {
        let mut r = Random(seed * 7919 + 1);
        let (p, inputs) = random_program(&mut r, dtype);
        let expected = naive(&p, &inputs);
        let tols: Vec<f64> = naive(&p, &inputs.iter().map(Array::nudged).collect::<Vec<_>>())
            .iter()
            .zip(&expected)
            .map(|(near, e)| tol + 4.0 * near.distance(e))
            .collect();
        for layout in 0..3 {
            let x: Vec<Tensor> =
                inputs.iter().enumerate().map(|(i, a)| a.layouts()[if layout == 0 { 0 } else { (layout + i * 2) % 5 }].clone()).collect();
            let outs = run(&mut one, &p, &x).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let again = run(&mut three, &p, &x).expect("runs");
            for (k, ((out, other), e)) in outs.iter().zip(&again).zip(&expected).enumerate() {
                let got = Array::of(out.tensor());
                got.assert_close(e, tols[k], &format!("seed {seed}, layout {layout}, output {k}"));
                Array::of(other.tensor()).assert_close(&got, 0.0, &format!("threads, seed {seed}, output {k}"));
            }
        }
    }
}

#[test]
fn random_integer_programs_are_exact() {
    random_programs(DType::I64, 0..400, 0.0);
}

#[test]
fn random_float_programs() {
    random_programs(DType::F64, 0..400, 1e-9);
}

/// x ↦ Σ sin(x)·x² and its derivative 2x·sin x + x²·cos x.
fn gradient(b: &Builder, x: Val) -> [Val; 2] {
    let one = |op, x| b.emit_one(Unary(op).into(), &[x]);
    let two = |op, x, y| b.emit_one(Binary(op).into(), &[x, y]);
    let (sin, square, cos) = (one(UnaryOp::Sin, x), two(BinaryOp::Mul, x, x), one(UnaryOp::Cos, x));
    let y = two(BinaryOp::Mul, sin, square);
    let rank = b.aval(x).rank();
    let sum = b.emit_one(Reduce { op: ReduceOp::Sum, axes: (0..rank).collect() }.into(), &[y]);
    let first = two(BinaryOp::Mul, two(BinaryOp::Add, x, x), sin);
    [sum, two(BinaryOp::Add, first, two(BinaryOp::Mul, square, cos))]
}

#[test]
fn a_fused_group_has_the_bits_of_its_ops_run_one_by_one() {
    let (mut r, mut engine) = (Random(11), CpuEngine::serial());
    for (d, n) in [DType::F32, DType::F64, DType::C64, DType::C128]
        .into_iter()
        .flat_map(|d| [1, 3, 255, 256, 257, 1000, 4097, 9000, 20000].map(|n| (d, n)))
    {
        let x = Array::random(&mut r, d, &[n], false).tensor();
        let p = program(std::slice::from_ref(&x), |b, v| gradient(b, v[0]).to_vec());
        let fused = run(&mut engine, &p, std::slice::from_ref(&x)).expect("runs");
        let mut values: Vec<Option<Tensor>> = vec![None; p.n_values()];
        values[0] = Some(x);
        for step in p.steps() {
            let args: Vec<Tensor> = step.args.iter().map(|a| values[a.index()].clone().expect("made")).collect();
            let q = program(&args, |b, v| b.emit(step.prim.clone(), v).expect("valid").to_vec());
            values[step.out(0).index()] = Some(run(&mut engine, &q, &args).expect("runs")[0].tensor().clone());
        }
        for (out, v) in fused.iter().zip(p.outputs()) {
            let alone = Array::of(values[v.index()].as_ref().expect("made"));
            Array::of(out.tensor()).assert_close(&alone, 0.0, &format!("{d} {n}"));
        }
    }
}

#[test]
fn large_results_have_the_same_bits_for_any_number_of_threads() {
    let mut r = Random(12);
    for shape in [vec![300_001], vec![700, 500], vec![40, 90, 100]] {
        let x = Array::random(&mut r, DType::F64, &shape, false).tensor();
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        let p = program(std::slice::from_ref(&x), |b, v| {
            let [sum, g] = gradient(b, v[0]);
            let mut outs = vec![sum, g];
            for a in 0..shape.len() {
                outs.push(b.emit_one(Reduce { op: ReduceOp::Sum, axes: vec![a] }.into(), &[g]));
                outs.push(b.emit_one(Reduce { op: ReduceOp::Max, axes: vec![a] }.into(), &[g]));
            }
            outs
        });
        axes.reverse();
        for t in [x.clone(), x.permute(&axes).expect("axes").compact().expect("memory").permute(&axes).expect("axes")] {
            let serial = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&t)).expect("runs");
            let expected = naive(&p, &[Array::of(&t)]);
            for threads in [2, 3, 4] {
                let outs = run(&mut engine(threads), &p, std::slice::from_ref(&t)).expect("runs");
                for (i, ((a, b), e)) in outs.iter().zip(&serial).zip(&expected).enumerate() {
                    Array::of(a.tensor()).assert_close(&Array::of(b.tensor()), 0.0, &format!("{shape:?} {threads} {i}"));
                    Array::of(b.tensor()).assert_close(e, 1e-11, &format!("{shape:?} {i}"));
                }
            }
        }
    }
}

#[test]
fn views_of_inputs_are_borrowed_and_fresh_results_are_not() {
    let x = Array::random(&mut Random(13), DType::F64, &[3, 4], false).tensor();
    let p = program(std::slice::from_ref(&x), |b, v| {
        let t = b.emit_one(Transpose { axes: vec![1, 0] }.into(), &[v[0]]);
        let s = b.emit_one(Slice { starts: vec![1, 0], limits: vec![Dim::Const(4), Dim::Const(3)], steps: vec![2, 1] }.into(), &[t]);
        let n = b.emit_one(Unary(UnaryOp::Neg).into(), &[t]);
        vec![v[0], t, s, n, n, b.emit_one(Transpose { axes: vec![1, 0] }.into(), &[n])]
    });
    let expected = naive(&p, &[Array::of(&x)]);
    let outs = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&x)).expect("runs");
    for (out, e) in outs.iter().zip(&expected) {
        Array::of(out.tensor()).assert_close(e, 0.0, "view");
    }
    assert_eq!(outs.iter().map(tenferro_graph::Output::is_borrowed).collect::<Vec<_>>(), [true, true, true, false, false, false]);
    assert_eq!(outs[1].tensor().as_ptr(), x.as_ptr(), "no copy");
    let own = outs[2].clone().into_tensor().expect("memory");
    assert!(own.is_c_contiguous() || own.is_f_contiguous());
    assert_ne!(own.as_ptr(), outs[2].tensor().as_ptr());
}

#[test]
fn fresh_results_follow_the_order_of_their_input() {
    let x = Array::random(&mut Random(14), DType::F64, &[3, 4], false);
    let layouts = x.layouts();
    let p = program(&layouts[..1], |b, v| vec![b.emit_one(Unary(UnaryOp::Neg).into(), v)]);
    for (i, t) in layouts.iter().enumerate() {
        let out = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(t)).expect("runs");
        // F order, and F order with gaps, backwards.
        let f = i == 1 || i == 4;
        assert_eq!((out[0].tensor().is_c_contiguous(), out[0].tensor().is_f_contiguous()), (!f, f), "layout {i}");
    }
}

#[test]
fn a_chain_of_ten_thousand_ops_runs() {
    let x = Array::random(&mut Random(15), DType::F64, &[3], false).tensor();
    let p = program(std::slice::from_ref(&x), |b, v| {
        let mut y = v[0];
        for i in 0..10_000 {
            y = if i % 2 == 0 {
                b.emit_one(Unary(UnaryOp::Sin).into(), &[y])
            } else {
                b.emit_one(Binary(BinaryOp::Add).into(), &[y, v[0]])
            };
        }
        vec![y]
    });
    let out = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&x)).expect("runs");
    Array::of(out[0].tensor()).assert_close(&naive(&p, &[Array::of(&x)])[0], 1e-12, "chain");
}

#[test]
fn super_instructions_round_as_their_parts_do() {
    // x·x − x·x is exactly 0 with two roundings, and not with one.
    let mut r = Random(16);
    for d in [DType::F32, DType::F64, DType::C64, DType::C128] {
        let x = Array::random(&mut r, d, &[777], false).tensor();
        let p = program(std::slice::from_ref(&x), |b, v| {
            let two = |op, x, y| b.emit_one(Binary(op).into(), &[x, y]);
            let minus = b.emit_one(Unary(UnaryOp::Neg).into(), &[two(BinaryOp::Mul, v[0], v[0])]);
            let again = two(BinaryOp::Mul, v[0], v[0]);
            let shared = two(BinaryOp::Mul, v[0], again);
            vec![
                two(BinaryOp::Add, again, minus),
                two(BinaryOp::Add, minus, two(BinaryOp::Mul, v[0], minus)),
                two(BinaryOp::Add, shared, shared),
            ]
        });
        let outs = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&x)).expect("runs");
        for (out, e) in outs.iter().zip(naive(&p, &[Array::of(&x)])) {
            Array::of(out.tensor()).assert_close(&e, 0.0, "multiply-add");
        }
        assert!(outs[0].tensor().to_vec::<f64>().is_none_or(|v| v.iter().all(|x| *x == 0.0)));
    }
}
