//! Binding, preparing and running: what is refused, and that it goes on afterwards.

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};

use support::{Naive, compiled, prepare, runtime, sum, tensor, vector};
use tenferro_graph::{DType, Dim, Error, Interrupt, NoInterrupt, Registration, Result, Shape, Target, Tensor};
use tenferro_ops::sin;
use tenferro_runtime::{CompiledGraph, EngineHandle, GraphCompiler, Runtime, TracedTensor};

fn product() -> (TracedTensor, CompiledGraph) {
    let x = TracedTensor::input(DType::F64, [2], Some("x"));
    let y = (&x * vector(&[10.0, 20.0])).expect("mul");
    let c = compiled(&[y]);
    (x, c)
}

fn message<T>(r: Result<T>) -> String {
    match r {
        Ok(_) => panic!("accepted"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn prepare_says_what_does_not_fit() {
    let (_, c) = product();
    let engine = Naive::new();
    let rt = runtime(&engine);
    let ok = (DType::F64, vec![2]);
    let naive = [Target::new("naive")];
    let of = |sig: &[(DType, Vec<usize>)], t: &[Target]| message(rt.prepare(&c, sig, t));
    assert_eq!(of(&[], &naive), "prepare: 1 unbound inputs [input 0 (x)], got 0 signatures");
    assert_eq!(of(&[ok.clone(), ok.clone()], &naive), "prepare: 1 unbound inputs [input 0 (x)], got 2 signatures");
    assert_eq!(of(&[(DType::F32, vec![2])], &naive), "prepare: input 0 (x) is float32 and must be float64");
    assert_eq!(of(&[(DType::F64, vec![3])], &naive), "prepare: input 0 (x) has shape (3,) and must have (2,)");
    let unknown = of(std::slice::from_ref(&ok), &[Target::new("gpu")]);
    assert_eq!(unknown, "prepare: no engine is registered for target gpu; registered: [naive]");
    assert_eq!(of(&[ok], &[]), "prepare: needs one target, got 0");
}

#[test]
fn run_says_what_does_not_fit_and_goes_on() {
    let (_, c) = product();
    let (mut engine, mut other) = (Naive::new(), Naive::named("other"));
    let rt = runtime(&engine);
    let good = tensor(&[2], &[1.0, 2.0]);
    let p = prepare(&rt, &c, std::slice::from_ref(&good)).expect("prepares");
    assert_eq!(p.free_inputs().map(|(n, a)| format!("{n}: {a}")).collect::<Vec<_>>(), ["input 0 (x): float64[2]"]);
    let stop = NoInterrupt;
    assert_eq!(message(p.run(&mut engine, &[], &stop)), "run: 1 inputs expected, got 0");
    assert_eq!(message(p.run(&mut engine, &[good.clone(), good.clone()], &stop)), "run: 1 inputs expected, got 2");
    let e = message(p.run(&mut engine, &[tensor(&[1], &[1.0])], &stop));
    assert_eq!(e, "run: input 0 (x) has shape (1,) and must have (2,)");
    let e = message(p.run(&mut engine, &[Tensor::from_slice(&[2], &[1_i64, 2]).expect("ints")], &stop));
    assert_eq!(e, "run: input 0 (x) is int64 and must be float64");
    let e = message(p.run(&mut other, std::slice::from_ref(&good), &stop));
    assert_eq!(e, "run: prepared for target naive, got an engine of other");
    assert_eq!(message(rt.run(&mut [], &p, std::slice::from_ref(&good), &stop)), "run: the program has 1 slot, got 0 engines");
    let out = p.run(&mut engine, &[good], &stop).expect("runs");
    assert_eq!(support::data(out[0].tensor()), [10.0, 40.0]);
}

#[test]
fn a_placeholder_is_bound_once() {
    let (x, c) = product();
    let key = x.leaf().expect("a leaf").key;
    let bound = c.bind(key, tensor(&[2], &[1.0, 2.0])).expect("binds");
    assert_eq!((bound.unbound().count(), c.unbound().count()), (0, 1), "the original is as it was");
    assert_eq!(support::run(&bound, &[]), [[10.0, 40.0]]);
    assert_eq!(message(bound.bind(key, tensor(&[2], &[1.0, 2.0]))), "bind: input 0 (x) is bound already");
    let two = [tensor(&[2], &[1.0, 2.0])];
    let engine = Naive::new();
    assert!(message(prepare(&runtime(&engine), &bound, &two)).starts_with("prepare: 0 unbound inputs"));
    assert!(matches!(c.bind(key, tensor(&[3], &[0.0; 3])), Err(Error::Shape { .. })));
    let stranger = TracedTensor::input(DType::F64, [2], None);
    let e = message(c.bind(stranger.leaf().expect("a leaf").key, tensor(&[2], &[0.0; 2])));
    assert_eq!(e, "bind: the key is not an input of this program");
    assert!(matches!(GraphCompiler::new().compile(&[]), Err(Error::Binding { .. })));
}

#[test]
fn shapes_are_checked_while_recording() {
    let (x, y) = (vector(&[1.0, 2.0]), vector(&[1.0, 2.0, 3.0]));
    let e = message(&x + &y);
    assert!(e.starts_with("add: ") && e.contains("(2,)") && e.contains("(3,)"), "{e}");
    assert!(matches!(tenferro_ops::reduce_sum(&x, &[1]), Err(Error::Index { .. })));
}

#[test]
fn the_cache_is_bounded_and_keeps_what_is_used() {
    let x = TracedTensor::input(DType::F64, Shape::from([Dim::symbol("n")].as_slice()), None);
    let c = compiled(&[sin(&x).expect("sin")]);
    let engine = Naive::new();
    let rt = runtime(&engine);
    let of = |n: usize| rt.prepare(&c, &[(DType::F64, vec![n])], &[Target::new("naive")]).expect("prepares");
    for n in 1..=300 {
        of(n);
        of(1);
    }
    assert_eq!(engine.planned(), 300, "size 1 was never planned again");
    of(2);
    assert_eq!(engine.planned(), 301, "size 2 was forgotten");
}

/// Stops at the n-th question.
struct After(usize, AtomicUsize);

impl Interrupt for After {
    fn poll(&self) -> Result<()> {
        if self.1.fetch_add(1, Ordering::Relaxed) >= self.0 { Err(Error::Interrupted) } else { Ok(()) }
    }
}

#[test]
fn a_run_can_be_stopped_and_the_engine_goes_on() {
    let x = vector(&[1.0]);
    let mut y = x.clone();
    for _ in 0..10 {
        y = sin(&y).expect("sin");
    }
    let c = compiled(&[sum(&y)]);
    let mut engine = Naive::new();
    let p = prepare(&runtime(&engine), &c, &[]).expect("prepares");
    let stop = After(5, AtomicUsize::new(0));
    assert!(matches!(p.run(&mut engine, &[], &stop), Err(Error::Interrupted)));
    assert_eq!(stop.1.load(Ordering::Relaxed), 6);
    p.run(&mut engine, &[], &NoInterrupt).expect("runs");
}

#[test]
fn an_engine_has_one_holder_at_a_time() {
    let handle = EngineHandle::new(Naive::new());
    let lease = handle.lease(&NoInterrupt).expect("free");
    assert!(message(handle.lease(&NoInterrupt)).contains("re-entry"));
    let (there, done) = (handle.clone(), AtomicUsize::new(0));
    std::thread::scope(|s| {
        let waiting = s.spawn(|| {
            let got = there.lease(&NoInterrupt).map(drop);
            done.fetch_add(1, Ordering::SeqCst);
            got
        });
        let impatient = s.spawn(|| handle.lease(&After(0, AtomicUsize::new(0))).map(drop));
        assert!(matches!(impatient.join().expect("no panic"), Err(Error::Interrupted)));
        assert_eq!(done.load(Ordering::SeqCst), 0, "it waits");
        lease.engine().synchronize().expect("idle");
        drop(lease);
        waiting.join().expect("no panic").expect("its turn");
    });
    handle.lease(&NoInterrupt).expect("free again");
}

#[test]
fn a_second_registration_of_a_target_replaces_the_first() {
    let (first, second) = (Naive::new(), Naive::new());
    let (a, b) = (Registration::of(&first), Registration::of(&second));
    let rt = Runtime::builder().register_engine(a).register_engine(b).build();
    let (_, c) = product();
    prepare(&rt, &c, &[tensor(&[2], &[0.0; 2])]).expect("prepares");
    assert_eq!((first.planned(), second.planned()), (0, 1));
}
