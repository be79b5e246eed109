//! The order in memory of a product's result saves copies.

mod support;

use std::sync::Arc;

use support::array::Array;
use support::{Random, naive, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{DType, ExecutionEngine, Program, Shape, Tensor};
use tenferro_ops::{DotGeneral, Reshape, Transpose};

fn dot(lhs_contract: &[usize], rhs_contract: &[usize]) -> DotGeneral {
    DotGeneral { lhs_batch: vec![], rhs_batch: vec![], lhs_contract: lhs_contract.into(), rhs_contract: rhs_contract.into() }
}

fn random(d: DType, shapes: &[&[usize]]) -> Vec<Array> {
    let mut r = Random(5);
    shapes.iter().map(|s| Array::random(&mut r, d, s, false)).collect()
}

/// Runs the program, compares it, and counts products and other steps of its plan.
fn steps(p: &Arc<Program>, arrays: &[Array]) -> (usize, usize) {
    let inputs: Vec<Tensor> = arrays.iter().map(Array::tensor).collect();
    let mut engine = CpuEngine::serial();
    let out = run(&mut engine, p, &inputs).expect("runs");
    Array::of(out[0].tensor()).assert_close(&naive(p, arrays)[0], 1e-12, "in another order");
    let plan = format!("{:?}", engine.planner().plan(p, &p.input_avals()).expect("plans"));
    let others = ["Permute {", "Loop {"].map(|step| plan.matches(step).count()).iter().sum();
    (plan.matches("Product {").count(), others)
}

#[test]
fn a_transposed_result_is_made_transposed() {
    let arrays = random(DType::F64, &[&[20, 30], &[30, 40]]);
    let p = program(&arrays.iter().map(Array::tensor).collect::<Vec<_>>(), |b, v| {
        let y = b.emit_one(dot(&[1], &[0]).into(), &[v[0], v[1]]);
        let t = b.emit_one(Transpose { axes: vec![1, 0] }.into(), &[y]);
        vec![b.emit_one(Reshape { shape: Shape::from([800].as_slice()) }.into(), &[t])]
    });
    assert_eq!(steps(&p, &arrays), (1, 0));
}

#[test]
fn an_operand_with_its_free_axes_in_turn_is_not_copied() {
    let arrays = random(DType::C128, &[&[4, 5, 6], &[6, 7]]);
    let p = program(&arrays.iter().map(Array::tensor).collect::<Vec<_>>(), |b, v| {
        let t = b.emit_one(Transpose { axes: vec![1, 0, 2] }.into(), &[v[0]]);
        vec![b.emit_one(dot(&[2], &[0]).into(), &[t, v[1]])]
    });
    assert_eq!(steps(&p, &arrays), (1, 0));
}

/// The next product contracts the last axis of the first with the first one, as one.
#[test]
fn the_next_product_is_thought_of() {
    let arrays = random(DType::F64, &[&[4, 5, 6], &[6, 7], &[7, 4, 3]]);
    let p = program(&arrays.iter().map(Array::tensor).collect::<Vec<_>>(), |b, v| {
        let y = b.emit_one(dot(&[2], &[0]).into(), &[v[0], v[1]]);
        vec![b.emit_one(dot(&[2, 0], &[0, 1]).into(), &[y, v[2]])]
    });
    assert_eq!(steps(&p, &arrays), (2, 0));
}

/// Batches, readers that want different orders, and results of the program.
#[test]
fn every_reader_gets_the_right_elements() {
    for d in [DType::I64, DType::F32, DType::F64, DType::C64] {
        let arrays = random(d, &[&[3, 4, 5], &[3, 5, 6], &[3, 6, 4]]);
        let p = program(&arrays.iter().map(Array::tensor).collect::<Vec<_>>(), |b, v| {
            let batched =
                |l: usize, r: usize| DotGeneral { lhs_batch: vec![0], rhs_batch: vec![0], lhs_contract: vec![l], rhs_contract: vec![r] };
            let y = b.emit_one(batched(2, 1).into(), &[v[0], v[1]]);
            let t = b.emit_one(Transpose { axes: vec![0, 2, 1] }.into(), &[y]);
            let flat = b.emit_one(Reshape { shape: Shape::from([3, 24].as_slice()) }.into(), &[t]);
            let z = b.emit_one(batched(1, 1).into(), &[t, v[2]]);
            vec![z, y, t, flat]
        });
        let inputs: Vec<Tensor> = arrays.iter().map(Array::tensor).collect();
        let outs = run(&mut CpuEngine::serial(), &p, &inputs).expect("runs");
        let tol = if d == DType::I64 { 0.0 } else { 1e-5 };
        for (out, expected) in outs.iter().zip(naive(&p, &arrays)) {
            Array::of(out.tensor()).assert_close(&expected, tol, &format!("{d}"));
        }
    }
}
