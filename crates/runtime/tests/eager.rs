//! Ops that run at once, and going back over them.

mod support;

use support::call::Call;
use support::spectrum::Spectrum;
use support::{Naive, close, data, tensor};
use tenferro_graph::{Aval, Builder, DType, Error, Prim, Tensor, Value};
use tenferro_ops::{Unary, UnaryOp, reduce_sum, sin};
use tenferro_runtime::{EagerRuntime, EagerTensor, EngineHandle};

const X: [f64; 3] = [1.0, 2.0, 3.0];

fn with_session(f: impl FnOnce(&EagerRuntime)) {
    let rt = EagerRuntime::new();
    let engine = EngineHandle::new(Naive::new());
    let _session = rt.session(&engine).expect("the engine is free");
    f(&rt);
}

fn variable(rt: &EagerRuntime, values: &[f64]) -> EagerTensor {
    rt.variable_from(tensor(&[values.len()], values)).expect("float64")
}

fn sum(x: &EagerTensor) -> EagerTensor {
    reduce_sum(x, &[0]).expect("a sum")
}

fn grad(x: &EagerTensor) -> Vec<f64> {
    data(&x.grad().expect("a gradient"))
}

#[test]
fn the_gradient_of_a_sum_of_squares() {
    with_session(|rt| {
        let x = variable(rt, &X);
        let y = sum(&(&x * &x).expect("mul"));
        assert_eq!(data(y.data()), [14.0]);
        assert!(x.grad().is_none());
        y.backward().expect("backward");
        assert_eq!(grad(&x), [2.0, 4.0, 6.0]);
    });
}

#[test]
fn gradients_accumulate_until_cleared() {
    with_session(|rt| {
        let x = variable(rt, &X);
        let y = sum(&(&x + &x).expect("add"));
        y.backward().expect("backward");
        assert_eq!(grad(&x), [2.0; 3]);
        y.backward().expect("backward again");
        assert_eq!(grad(&x), [4.0; 3]);
        x.clear_grad();
        assert!(x.grad().is_none());
        y.backward().expect("backward once more");
        assert_eq!(grad(&x), [2.0; 3]);
    });
}

#[test]
fn the_golden_function_and_a_diamond() {
    with_session(|rt| {
        let x = variable(rt, &X);
        let f = sum(&(sin(&x).expect("sin") * (&x * &x)).expect("mul"));
        f.backward().expect("backward");
        close(&grad(&x), &X.map(|x| x.cos() * x * x + 2.0 * x * x.sin()), 1e-15);
        // s is read twice, and its cotangents are summed before going on.
        let z = variable(rt, &X);
        let s = sin(&z).expect("sin");
        let t = (&s * &s).expect("mul");
        sum(&(&t * &s).expect("mul")).backward().expect("backward");
        close(&grad(&z), &X.map(|x| 3.0 * x.sin().powi(2) * x.cos()), 1e-15);
    });
}

#[test]
fn several_variables_constants_and_multi_output_ops() {
    with_session(|rt| {
        let (x, unused) = (variable(rt, &X), variable(rt, &X));
        let c = rt.constant_from(tensor(&[3], &[10.0, 20.0, 30.0]));
        let outs = x.emit(Prim::new(Spectrum), &[&x]).expect("x² and x³");
        sum(&(&outs[1] * &c).expect("mul")).backward().expect("only one output is read");
        close(&grad(&x), &[30.0, 240.0, 810.0], 1e-15);
        assert!(unused.grad().is_none() && c.grad().is_none());
        x.clear_grad();
        sum(&(&outs[1] + &outs[0]).expect("add")).backward().expect("both are read");
        close(&grad(&x), &X.map(|x| 3.0 * x * x + 2.0 * x), 1e-15);
    });
}

#[test]
fn a_called_program_has_a_pullback() {
    with_session(|rt| {
        let b = Builder::new();
        let p = b.input(Aval::new(DType::F64, [3]));
        let s = b.emit_one(Unary(UnaryOp::Sin).into(), &[p]);
        let call = Prim::new(Call::new(b.finish(vec![s]).expect("a program")));
        let x = variable(rt, &X);
        sum(&x.emit(call, &[&x]).expect("runs")[0]).backward().expect("backward");
        close(&grad(&x), &X.map(f64::cos), 1e-15);
    });
}

#[test]
fn no_grad_and_detach_cut() {
    with_session(|rt| {
        let x = variable(rt, &X);
        let y = EagerRuntime::no_grad(|| sum(&x));
        assert!(!y.requires_grad());
        assert!(sum(&x).requires_grad(), "only inside");
        let d = sin(&x).expect("sin").detach();
        assert!(!d.requires_grad());
        sum(&(&d * &x).expect("mul")).backward().expect("backward");
        close(&grad(&x), &X.map(f64::sin), 1e-15);
    });
}

#[test]
fn mistakes_are_named_and_leave_gradients_as_they_were() {
    with_session(|rt| {
        let x = variable(rt, &X);
        let e = x.backward().expect_err("not a scalar");
        assert!(matches!(e, Error::Shape { .. }));
        assert_eq!(e.to_string(), "backward: needs a scalar, got shape (3,); sum it first");
        let c = rt.constant_from(tensor(&[1], &[1.0]));
        assert!(matches!(sum(&c).backward(), Err(Error::Value { .. })));
        assert!(matches!(rt.variable_from(Tensor::scalar(1_i64)), Err(Error::DType { .. })));
        assert!(matches!(&x + &variable(rt, &[1.0, 2.0]), Err(Error::Shape { .. })));
        assert!(x.grad().is_none());
        sum(&x).backward().expect("the session goes on");
        assert_eq!(grad(&x), [1.0; 3]);
    });
}

#[test]
fn a_scalar_variable_is_its_own_loss() {
    with_session(|rt| {
        let x = rt.variable_from(Tensor::scalar(2.0)).expect("float64");
        x.backward().expect("backward");
        x.backward().expect("backward");
        assert_eq!(grad(&x), [2.0]);
    });
}

#[test]
fn a_session_holds_its_engine_and_nothing_runs_outside() {
    let rt = EagerRuntime::new();
    let engine = EngineHandle::new(Naive::new());
    let x = variable(&rt, &X);
    assert!(matches!(sin(&x), Err(Error::Engine { .. })), "no session, no default engine");
    let session = rt.session(&engine).expect("free");
    assert!(EagerRuntime::in_session_on(&engine));
    assert!(matches!(rt.session(&engine), Err(Error::Engine { .. })), "re-entry");
    sin(&x).expect("runs in the session");
    drop(session);
    assert!(!EagerRuntime::in_session_on(&engine));
    rt.session(&engine).expect("free again");
}

#[test]
fn a_plan_is_made_once_per_op_and_shape() {
    let rt = EagerRuntime::new();
    let naive = Naive::new();
    let count = naive.counter();
    let engine = EngineHandle::new(naive);
    let _session = rt.session(&engine).expect("free");
    let x = variable(&rt, &X);
    let step = || sum(&sin(&x).expect("sin")).backward().expect("backward");
    step();
    let first = count();
    step();
    // New the second time: the whole tape, and the sum of old and new gradient.
    assert_eq!(count(), first + 2);
    step();
    assert_eq!(count(), first + 2);
}

#[test]
fn gradients_as_values_go_to_any_order() {
    with_session(|rt| {
        let (x, other) = (variable(rt, &X), variable(rt, &X));
        let square = (&x * &x).expect("mul");
        let mut y = sum(&(&square * &square).expect("mul"));
        for wanted in [[4.0, 32.0, 108.0], [12.0, 48.0, 108.0], [24.0, 48.0, 72.0]] {
            let g = rt.grad(&[y], &[x.clone(), other.clone()], None, true).expect("a gradient");
            let first = g[0].clone().expect("x is reached");
            assert_eq!(data(first.data()), wanted);
            assert!(first.requires_grad() && g[1].is_none());
            y = sum(&first);
        }
        assert!(x.grad().is_none(), "nothing accumulates");
        let on_the_way = rt.grad(&[sum(&(&square * &x).expect("mul"))], &[square.clone(), x.clone()], None, false).expect("gradients");
        let values: Vec<Vec<f64>> = on_the_way.into_iter().map(|g| data(g.expect("reached").data())).collect();
        assert_eq!(values, [vec![1.0, 2.0, 3.0], vec![3.0, 12.0, 27.0]]);
        let ct = rt.constant_from(tensor(&[3], &[1.0, 0.0, 2.0]));
        let g = rt.grad(std::slice::from_ref(&square), std::slice::from_ref(&x), Some(&[ct]), false).expect("a gradient");
        assert_eq!(data(g[0].as_ref().expect("reached").data()), [2.0, 0.0, 12.0]);
        assert!(matches!(rt.grad(&[square], std::slice::from_ref(&x), None, false), Err(Error::Shape { .. })));
        assert!(matches!(rt.grad(&[rt.constant_from(Tensor::scalar(1.0))], &[x], None, false), Err(Error::Value { .. })));
    });
}
