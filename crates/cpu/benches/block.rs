//! Fused groups and reductions on one thread: Σ sin(x)·x², its gradient, and simple maps.

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Aval, Builder, DType, ExecutionEngine, NoInterrupt, Program, Tensor, Val};
use tenferro_ops::{Binary, BinaryOp, Reduce, ReduceOp, Unary, UnaryOp};

const SIZES: [usize; 4] = [3, 1000, 65_536, 1_000_000];

fn one(b: &Builder, op: UnaryOp, x: Val) -> Val {
    b.emit_one(Unary(op).into(), &[x])
}

fn two(b: &Builder, op: BinaryOp, x: Val, y: Val) -> Val {
    b.emit_one(Binary(op).into(), &[x, y])
}

fn sum(b: &Builder, x: Val) -> Val {
    b.emit_one(Reduce { op: ReduceOp::Sum, axes: (0..b.aval(x).rank()).collect() }.into(), &[x])
}

fn gradient(b: &Builder, x: Val) -> [Val; 2] {
    use BinaryOp::{Add, Mul};
    let (s, q, c) = (one(b, UnaryOp::Sin, x), two(b, Mul, x, x), one(b, UnaryOp::Cos, x));
    let y = two(b, Mul, s, q);
    let left = two(b, Mul, two(b, Add, x, x), s);
    [y, two(b, Add, left, two(b, Mul, q, c))]
}

fn program(n: usize, f: impl Fn(&Builder, Val) -> Vec<Val>) -> Arc<Program> {
    let b = Builder::new();
    let x = b.input(Aval::new(DType::F64, [n]));
    let outs = f(&b, x);
    Arc::new(b.finish(outs).expect("a valid program"))
}

fn all(c: &mut Criterion) {
    let programs: [(&str, fn(&Builder, Val) -> Vec<Val>); 5] = [
        ("gradient of Σ sin(x)x²", |b, x| vec![gradient(b, x)[1]]),
        ("Σ sin(x)x² and gradient", |b, x| {
            let [y, g] = gradient(b, x);
            vec![sum(b, y), g]
        }),
        ("Σ x²", |b, x| vec![sum(b, two(b, BinaryOp::Mul, x, x))]),
        ("Σ x", |b, x| vec![sum(b, x)]),
        ("x + x", |b, x| vec![two(b, BinaryOp::Add, x, x)]),
    ];
    let mut engine = CpuEngine::serial();
    for (name, f) in programs {
        let mut group = c.benchmark_group(name);
        for n in SIZES {
            let data: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin() * 3.0).collect();
            let x = [Tensor::from_slice(&[n], &data).expect("memory")];
            let p = program(n, f);
            let plan = engine.planner().plan(&p, &p.input_avals()).expect("plans");
            group.bench_function(BenchmarkId::from_parameter(n), |b| b.iter(|| engine.run(&*plan, &x, &NoInterrupt).expect("runs")));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(500));
    targets = all
}
criterion_main!(benches);
