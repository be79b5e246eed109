//! What eager ops keep, tapes that come again, and gradients from several threads.

mod support;

use support::spectrum::Spectrum;
use support::{Naive, close, data, tensor};
use tenferro_graph::{Prim, Result, Tensor, Value};
use tenferro_ops::{broadcast_to, exp, mul, reduce_sum, sin};
use tenferro_runtime::{EagerRuntime, EagerTensor, EngineHandle};

fn variable(rt: &EagerRuntime, values: &[f64]) -> EagerTensor {
    rt.variable_from(tensor(&[values.len()], values)).expect("float64")
}

fn sum(x: &EagerTensor) -> EagerTensor {
    reduce_sum(x, &[0]).expect("a sum")
}

fn grad(x: &EagerTensor) -> Vec<f64> {
    data(&x.grad().expect("a gradient"))
}

/// Who holds the memory, besides the tensor that it is asked of.
fn holders(t: &Tensor) -> usize {
    t.holders()
}

#[test]
fn only_what_the_pullback_reads_is_kept() {
    let rt = EagerRuntime::new();
    let _session = rt.session(&EngineHandle::new(Naive::new())).expect("free");
    let x = variable(&rt, &[1.0, 2.0, 3.0]);
    let before = holders(x.data());
    let doubled = (&x + &x).expect("add");
    assert_eq!(holders(x.data()), before, "a sum's pullback reads nothing");
    let total = sum(&doubled);
    assert_eq!(holders(doubled.data()), 0, "nor does that of a total");
    let s = sin(&x).expect("sin");
    assert_eq!(holders(x.data()), before + 1, "cos x is wanted");
    assert_eq!(holders(s.data()), 0);
    let e = exp(&x).expect("exp");
    assert_eq!(holders(x.data()), before + 1, "exp is its own derivative");
    assert_eq!(holders(e.data()), 1);
    let c = rt.constant_from(tensor(&[3], &[1.0, 2.0, 3.0]));
    let product = (&c * &doubled).expect("mul");
    assert_eq!((holders(c.data()), holders(doubled.data())), (1, 0), "only the constant factor");
    drop((total, s, e, product));
    assert_eq!(holders(x.data()), before);
}

/// The same three ops, wired in different ways.
fn wirings() -> [fn(&EagerTensor, &EagerTensor) -> Result<EagerTensor>; 4] {
    [
        |x, y| (x * y)? * sin(x),
        |x, y| (x * x)? * sin(y),
        |x, _| (x * x)? * sin(x),
        |x, y| {
            let s = sin(y)?;
            mul(&s, &mul(&s, x)?)
        },
    ]
}

#[test]
fn a_tape_that_comes_again_gives_the_gradients_of_its_own_data_and_wiring() {
    let rt = EagerRuntime::new();
    let _session = rt.session(&EngineHandle::new(Naive::new())).expect("free");
    for pass in 0..4 {
        let (a, b) = ([0.3 + f64::from(pass), -1.2], [1.7, 0.4 * f64::from(pass)]);
        for (i, f) in wirings().into_iter().enumerate() {
            let (x, y) = (variable(&rt, &a), variable(&rt, &b));
            sum(&f(&x, &y).expect("runs")).backward().expect("backward");
            let each = |g: fn(f64, f64) -> f64| [g(a[0], b[0]), g(a[1], b[1])];
            let (gx, gy) = match i {
                0 => (each(|x, y| y * x.sin() + x * y * x.cos()), Some(each(|x, _| x * x.sin()))),
                1 => (each(|x, y| 2.0 * x * y.sin()), Some(each(|x, y| x * x * y.cos()))),
                2 => (each(|x, _| 2.0 * x * x.sin() + x * x * x.cos()), None),
                _ => (each(|_, y| y.sin().powi(2)), Some(each(|x, y| 2.0 * x * y.sin() * y.cos()))),
            };
            close(&grad(&x), &gx, 1e-14);
            assert_eq!(y.grad().is_some(), gy.is_some(), "wiring {i}");
            if let Some(gy) = gy {
                close(&grad(&y), &gy, 1e-14);
            }
        }
    }
}

#[test]
fn tapes_of_multi_output_ops_and_constants() {
    let rt = EagerRuntime::new();
    let _session = rt.session(&EngineHandle::new(Naive::new())).expect("free");
    for pass in 0..4 {
        let k = f64::from(pass) + 1.0;
        let x = variable(&rt, &[k, 2.0]);
        let c = rt.constant_from(tensor(&[2], &[10.0 * k, 20.0]));
        let outs = x.emit(Prim::new(Spectrum), &[&x]).expect("x² and x³");
        let y = if pass % 2 == 0 { &outs[1] * &c } else { (&outs[1] * &c).and_then(|y| &y + &outs[0]) };
        sum(&y.expect("mul")).backward().expect("backward");
        let more = if pass % 2 == 0 { 0.0 } else { 1.0 };
        close(&grad(&x), &[30.0 * k * k * k + more * 2.0 * k, 240.0 + more * 4.0], 1e-14);
    }
}

#[test]
fn a_long_tape_goes_node_by_node() {
    let rt = EagerRuntime::new();
    let _session = rt.session(&EngineHandle::new(Naive::new())).expect("free");
    for _ in 0..2 {
        let x = variable(&rt, &[1.0]);
        let mut y = x.clone();
        for _ in 0..5000 {
            y = (&y + &x).expect("add");
        }
        sum(&y).backward().expect("backward");
        assert_eq!(grad(&x), [5001.0]);
    }
}

#[test]
fn no_gradient_of_two_threads_is_lost() {
    let rt = EagerRuntime::new();
    let x = variable(&rt, &[1.0, 2.0]);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let _session = rt.session(&EngineHandle::new(Naive::new())).expect("its own");
                for _ in 0..200 {
                    sum(&(&x * &x).expect("mul")).backward().expect("backward");
                }
            });
        }
    });
    assert_eq!(grad(&x), [1200.0, 2400.0]);
}

#[test]
fn a_repetition_is_a_view_with_a_gradient() {
    let rt = EagerRuntime::new();
    let naive = Naive::new();
    let count = naive.counter();
    let _session = rt.session(&EngineHandle::new(naive)).expect("free");
    let c = rt.constant_from(tensor(&[3, 1], &[1.0, 2.0, 3.0]));
    let wide = broadcast_to(&c, [2, 3, 2].as_slice().into()).expect("fits");
    assert_eq!(data(wide.data()), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    assert_eq!((holders(c.data()), count()), (1, 0), "no memory and no program");
    assert!(broadcast_to(&c, [2, 4, 2].as_slice().into()).is_err());
    for _ in 0..3 {
        let x = rt.variable_from(Tensor::scalar(2.0)).expect("float64");
        let y = broadcast_to(&x, [3].as_slice().into()).expect("fits");
        sum(&(&y * &y).expect("mul")).backward().expect("backward");
        assert_eq!(grad(&x), [12.0]);
    }
}
