//! A million ops are recorded, differentiated, compiled, run and dropped without
//! deep recursion; times go to stderr.
#![allow(clippy::print_stderr)]

mod support;

use std::time::Instant;

use support::{Naive, compiled, data, runtime, vector};
use tenferro_graph::{NoInterrupt, Target, Tensor};
use tenferro_ops::{neg, sin};
use tenferro_runtime::{EagerRuntime, EngineHandle, TracedTensor};

const DEEP: usize = 1_000_000;

/// Runs on a thread with a small stack, so that recursion over even a few thousand
/// fragments overflows.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(f);
    thread.expect("a thread").join().expect("no panic");
}

fn timed<R>(what: &str, f: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let out = f();
    eprintln!("{what}: {:.0} ns an op", start.elapsed().as_secs_f64() * 1e9 / DEEP as f64);
    out
}

#[test]
fn a_traced_chain_of_a_million() {
    on_a_small_stack(|| {
        let x = TracedTensor::from_tensor(Tensor::scalar(0.5));
        let y = timed("record", || (0..DEEP).fold(x.clone(), |y, i| if i % 2 == 0 { neg(&y) } else { sin(&y) }.expect("recorded")));
        let g = timed("differentiate", || y.grad(&x).expect("grad"));
        let c = timed("compile", || compiled(&[y.clone(), g.clone()]));
        assert!(c.program().n_steps() >= 2 * DEEP);
        let mut engine = Naive::new();
        let p = timed("prepare", || runtime(&engine).prepare(&c, &[], &[Target::new("naive")]).expect("prepares"));
        let out = timed("run", || p.run(&mut engine, &[], &NoInterrupt).expect("runs"));
        let (mut want, mut slope) = (0.5_f64, 1.0);
        for i in 0..DEEP {
            slope *= if i % 2 == 0 { -1.0 } else { want.cos() };
            want = if i % 2 == 0 { -want } else { want.sin() };
        }
        assert_eq!(data(out[0].tensor()), [want]);
        let got = data(out[1].tensor())[0];
        assert!((got - slope).abs() <= 1e-9 * slope.abs(), "{got} {slope}");
        timed("drop", || drop((y, g, x, c, p, out)));
    });
}

#[test]
fn time_grows_linearly() {
    let time = |n: usize| {
        let start = Instant::now();
        let x = vector(&[0.5]);
        let y = (0..n).fold(x.clone(), |y, _| sin(&y).expect("sin"));
        compiled(&[support::sum(&y).grad(&x).expect("grad")]);
        start.elapsed().as_secs_f64()
    };
    let best = |n| (0..3).map(|_| time(n)).fold(f64::INFINITY, f64::min);
    let (one, four) = (best(50_000), best(200_000));
    eprintln!("t(4n)/t(n) = {:.2}", four / one);
    assert!(four / one < 10.0, "{one} s and {four} s");
}

#[test]
fn an_eager_chain_goes_back_and_is_dropped() {
    on_a_small_stack(|| {
        let rt = EagerRuntime::new();
        let _session = rt.session(&EngineHandle::new(Naive::new())).expect("free");
        let x = rt.variable_from(Tensor::scalar(0.5)).expect("float64");
        let y = (0..100_000).fold(x.clone(), |y, _| neg(&y).expect("neg"));
        y.backward().expect("backward");
        assert_eq!(data(&x.grad().expect("a gradient")), [1.0]);
        drop(y);
    });
}
