//! What the engine refuses, and that it goes on afterwards.

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::{engine, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{
    Aval, Builder, DType, Dim, Error, ExecutionEngine, Guards, Interrupt, NoInterrupt, Plan, Primitive, Result, Target, Tensor,
};
use tenferro_linalg::SvdVals;
use tenferro_ops::{Binary, BinaryOp, Unary, UnaryOp};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Wobble;

impl Primitive for Wobble {
    fn name(&self) -> &'static str {
        "wobble"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(x.to_vec())
    }
}

fn vector(n: usize) -> Tensor {
    Tensor::from_slice(&[n], &vec![1.0; n]).expect("memory")
}

fn negation(x: &Tensor) -> Arc<tenferro_graph::Program> {
    program(std::slice::from_ref(x), |b, v| vec![b.emit_one(Unary(UnaryOp::Neg).into(), v)])
}

#[test]
fn an_op_without_a_lowering_is_named_when_planned() {
    let x = vector(3);
    let p = program(std::slice::from_ref(&x), |b, v| vec![b.emit_one(Wobble.into(), v)]);
    let e = CpuEngine::serial().planner().plan(&p, &p.input_avals()).expect_err("no kernel");
    assert_eq!(e.to_string(), "wobble: engine cpu has no kernel for it");
}

#[test]
fn inputs_must_fit_the_plan() {
    let (mut engine, x) = (CpuEngine::serial(), vector(3));
    let p = negation(&x);
    let plan = engine.planner().plan(&p, &p.input_avals()).expect("plans");
    assert!(matches!(engine.run(&*plan, &[], &NoInterrupt), Err(Error::Binding { .. })));
    assert!(matches!(engine.run(&*plan, &[vector(4)], &NoInterrupt), Err(Error::Shape { .. })));
    let ints = Tensor::from_slice(&[3], &[1_i64, 2, 3]).expect("memory");
    assert!(matches!(engine.run(&*plan, &[ints], &NoInterrupt), Err(Error::DType { .. })));
    assert!(engine.run(&*plan, &[x], &NoInterrupt).is_ok());
}

#[derive(Debug)]
struct Foreign;

impl Plan for Foreign {
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn target(&self) -> Target {
        Target::new("other")
    }
}

#[test]
fn the_plan_must_be_this_engines() {
    assert!(matches!(CpuEngine::serial().run(&Foreign, &[], &NoInterrupt), Err(Error::Engine { .. })));
}

#[test]
fn symbolic_sizes_are_refused() {
    let b = Builder::new();
    let x = b.input(Aval::new(DType::F64, [Dim::symbol("n")].as_slice()));
    let p = Arc::new(b.finish(vec![x]).expect("valid"));
    assert!(matches!(CpuEngine::serial().planner().plan(&p, &p.input_avals()), Err(Error::Shape { .. })));
}

#[test]
fn nan_in_a_factorization_is_an_error_and_the_engine_goes_on() {
    let mut engine = CpuEngine::serial();
    let bad = Tensor::from_slice(&[2, 2], &[1.0, f64::NAN, 0.0, 1.0]).expect("memory");
    let p = program(std::slice::from_ref(&bad), |b, v| vec![b.emit_one(SvdVals.into(), v)]);
    let e = run(&mut engine, &p, &[bad]).expect_err("NaN");
    assert!(matches!(e, Error::LinAlg { .. }) && e.to_string().starts_with("svdvals: "), "{e}");
    let good = Tensor::from_slice(&[2, 2], &[3.0, 0.0, 0.0, 4.0]).expect("memory");
    let s = run(&mut engine, &p, &[good]).expect("runs")[0].tensor().to_vec::<f64>().expect("reals");
    assert!((s[0] - 4.0).abs() < 1e-14 && (s[1] - 3.0).abs() < 1e-14);
}

/// Asks to stop at the n-th poll.
struct After(usize, AtomicUsize);

impl Interrupt for After {
    fn poll(&self) -> Result<()> {
        if self.1.fetch_add(1, Ordering::Relaxed) >= self.0 { Err(Error::value("run", "stopped")) } else { Ok(()) }
    }
}

#[test]
fn an_interrupt_ends_a_run_between_blocks_and_the_engine_goes_on() {
    for threads in [1, 2] {
        let (mut engine, x) = (engine(threads), vector(1_000_000));
        let p = program(std::slice::from_ref(&x), |b, v| {
            let y = b.emit_one(Binary(BinaryOp::Mul).into(), &[v[0], v[0]]);
            vec![b.emit_one(Unary(UnaryOp::Neg).into(), &[y])]
        });
        let plan = engine.planner().plan(&p, &p.input_avals()).expect("plans");
        let stop = After(0, AtomicUsize::new(0));
        let e = engine.run(&*plan, std::slice::from_ref(&x), &stop).expect_err("stopped");
        assert_eq!(e.to_string(), "run: stopped");
        assert!(engine.run(&*plan, &[x], &NoInterrupt).is_ok());
    }
}

/// Panics when asked, as a faulty kernel would.
struct Panics;

impl Interrupt for Panics {
    fn poll(&self) -> Result<()> {
        panic!("a fault in the middle of a run")
    }
}

#[test]
fn a_panic_breaks_the_engine_and_it_says_so() {
    let (mut engine, x) = (CpuEngine::serial(), vector(1_000_000));
    let p = negation(&x);
    let plan = engine.planner().plan(&p, &p.input_avals()).expect("plans");
    let e = engine.run(&*plan, std::slice::from_ref(&x), &Panics).expect_err("panicked");
    assert_eq!(e.to_string(), "cpu: a kernel panicked; the engine is broken");
    let e = engine.run(&*plan, std::slice::from_ref(&x), &NoInterrupt).expect_err("broken");
    assert_eq!(e.to_string(), "cpu: the engine is broken by an earlier panic; make a new one");
    assert!(CpuEngine::serial().run(&*plan, &[x], &NoInterrupt).is_ok(), "the plan is unharmed");
}
