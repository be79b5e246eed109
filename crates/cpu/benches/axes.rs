//! Reductions over one axis, fused and op by op, and permutations that copy.

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Builder, ExecutionEngine, NoInterrupt, Plan, Program, Shape, Tensor, Val};
use tenferro_ops::{Binary, BinaryOp, Reduce, ReduceOp, Reshape, Transpose, Unary, UnaryOp};

fn array(shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let data: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin()).collect();
    Tensor::from_slice(shape, &data).expect("memory")
}

fn program(inputs: &[Tensor], f: impl FnOnce(&Builder, &[Val]) -> Val) -> Arc<Program> {
    let b = Builder::new();
    let v: Vec<Val> = inputs.iter().map(|t| b.input(t.aval())).collect();
    let out = f(&b, &v);
    Arc::new(b.finish(vec![out]).expect("valid"))
}

fn plan(engine: &CpuEngine, p: &Arc<Program>) -> Arc<dyn Plan> {
    engine.planner().plan(p, &p.input_avals()).expect("plans")
}

/// Σ cos(x)·x + x over one axis.
fn reduced(b: &Builder, x: Val, axis: usize) -> Val {
    let cos = b.emit_one(Unary(UnaryOp::Cos).into(), &[x]);
    let product = b.emit_one(Binary(BinaryOp::Mul).into(), &[cos, x]);
    let y = b.emit_one(Binary(BinaryOp::Add).into(), &[product, x]);
    b.emit_one(Reduce { op: ReduceOp::Sum, axes: vec![axis] }.into(), &[y])
}

fn reductions(c: &mut Criterion) {
    let mut group = c.benchmark_group("sum over an axis of cos(x)·x + x");
    let cases: [(&[usize], usize); 6] =
        [(&[1000, 1000], 0), (&[1000, 1000], 1), (&[100, 100, 100], 1), (&[30, 30], 0), (&[30, 30], 1), (&[100_000, 3], 1)];
    for (threads, (shape, axis)) in [1, 2].into_iter().flat_map(|t| cases.map(|c| (t, c))) {
        let x = [array(shape)];
        let mut engine = CpuEngine::new(threads);
        let p = program(&x, |b, v| reduced(b, v[0], axis));
        let fused = plan(&engine, &p);
        let name = format!("{shape:?} over {axis}, {threads} threads");
        group.bench_function(BenchmarkId::new("fused", &name), |b| b.iter(|| engine.run(&*fused, &x, &NoInterrupt).expect("runs")));
        let steps: Vec<_> = p
            .steps()
            .map(|s| {
                let b = Builder::new();
                let v: Vec<Val> = s.args.iter().map(|a| b.input(p.aval(*a).clone())).collect();
                let out = b.emit_one(s.prim.clone(), &v);
                (plan(&engine, &Arc::new(b.finish(vec![out]).expect("valid"))), s.args.to_vec())
            })
            .collect();
        let alone = |engine: &mut CpuEngine| {
            let mut values = x.to_vec();
            for (plan, args) in &steps {
                let inputs: Vec<Tensor> = args.iter().map(|a| values[a.index()].clone()).collect();
                values.push(engine.run(&**plan, &inputs, &NoInterrupt).expect("runs").remove(0).tensor().clone());
            }
            values.pop()
        };
        group.bench_function(BenchmarkId::new("op by op", &name), |b| b.iter(|| alone(&mut engine)));
    }
}

fn permutations(c: &mut Criterion) {
    let mut group = c.benchmark_group("permuted copy");
    let cases: [(&[usize], &[usize]); 4] =
        [(&[1000, 1000], &[1, 0]), (&[2048, 2048], &[1, 0]), (&[16; 4], &[3, 2, 1, 0]), (&[16; 4], &[0, 2, 1, 3])];
    for (shape, axes) in cases {
        let x = [array(shape)];
        let mut engine = CpuEngine::serial();
        // A reshape to one axis needs the elements in order.
        let p = program(&x, |b, v| {
            let t = b.emit_one(Transpose { axes: axes.to_vec() }.into(), &[v[0]]);
            let n: usize = shape.iter().product();
            b.emit_one(Reshape { shape: Shape::from([n].as_slice()) }.into(), &[t])
        });
        let plan = plan(&engine, &p);
        let id = BenchmarkId::from_parameter(format!("{shape:?} to {axes:?}"));
        group.bench_function(id, |b| b.iter(|| engine.run(&*plan, &x, &NoInterrupt).expect("runs")));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(500));
    targets = reductions, permutations
}
criterion_main!(benches);
