//! Gradients as eager tensors, to any order.

mod support;

use support::{Naive, close, data, tensor};
use tenferro_graph::Error;
use tenferro_ops::{mul, reduce_sum, sin};
use tenferro_runtime::{EagerRuntime, EagerTensor, EngineHandle};

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

fn one(y: &EagerTensor, x: &EagerTensor, create_graph: bool) -> EagerTensor {
    let all = EagerTensor::gradients(&[y.clone()], &[x.clone()], &[None], create_graph).expect("a gradient");
    all[0].clone().expect("y depends on x")
}

/// d³/dx³ of x² sin x is 6 cos x − 6 x sin x − x² cos x.
#[test]
fn three_derivatives_in_a_row() {
    with_session(|rt| {
        let values = [0.3, 1.1, -2.0];
        let x = variable(rt, &values);
        let mut y = mul(&mul(&x, &x).expect("mul"), &sin(&x).expect("sin")).expect("mul");
        for _ in 0..3 {
            y = one(&sum(&y), &x, true);
        }
        let expected = values.map(|x: f64| 6.0 * x.cos() - 6.0 * x * x.sin() - x * x * x.cos());
        close(&data(y.data()), &expected);
        assert!(x.grad().is_none(), "nothing accumulates");
        sum(&y).backward().expect("goes on");
        // − 12 sin x − 8 x cos x + x² sin x
        let fourth = values.map(|x: f64| -12.0 * x.sin() - 8.0 * x * x.cos() + x * x * x.sin());
        close(&data(&x.grad().expect("a gradient")), &fourth);
    });
}

#[test]
fn inputs_on_the_way_and_beside_it() {
    with_session(|rt| {
        let (a, b, c) = (variable(rt, &[2.0]), variable(rt, &[3.0]), variable(rt, &[5.0]));
        let inner = mul(&a, &b).expect("mul");
        let y = sum(&mul(&inner, &inner).expect("mul"));
        let inputs = [a.clone(), inner, c, a];
        let all = EagerTensor::gradients(&[y.clone(), y], &inputs, &[None, None], false).expect("gradients");
        let values: Vec<Option<f64>> = all.iter().map(|g| g.as_ref().map(|g| data(g.data())[0])).collect();
        assert_eq!(values, [Some(72.0), Some(24.0), None, Some(72.0)]);
        assert!(all.iter().flatten().all(|g| !g.requires_grad()));
    });
}

#[test]
fn mistakes_are_told() {
    with_session(|rt| {
        let x = variable(rt, &[1.0, 2.0]);
        let y = mul(&x, &x).expect("mul");
        let fixed = rt.constant_from(tensor(&[2], &[1.0, 1.0]));
        let grad = |y: &EagerTensor, x: &EagerTensor, ct| EagerTensor::gradients(&[y.clone()], &[x.clone()], &[ct], false);
        assert!(matches!(grad(&y, &x, None), Err(Error::Shape { .. })));
        assert!(matches!(grad(&y, &fixed, None), Err(Error::Value { .. })));
        assert!(matches!(grad(&fixed, &x, None), Err(Error::Value { .. })));
        assert!(matches!(grad(&y, &x, Some(sum(&fixed))), Err(Error::Shape { .. })));
        let pulled = grad(&y, &x, Some(fixed)).expect("fits");
        assert_eq!(data(pulled[0].as_ref().expect("depends").data()), [2.0, 4.0]);
    });
}
