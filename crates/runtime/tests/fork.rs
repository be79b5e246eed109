//! What a forked child finds: here threads that wait for ever stand for those that a
//! child does not have.

mod support;

use std::sync::mpsc;

use support::Naive;
use tenferro_graph::{Error, NoInterrupt};
use tenferro_runtime::{EngineHandle, forked};

/// Leaves an engine in the hands of a thread that never gives it back.
fn held_for_ever(running: bool) -> EngineHandle {
    let engine = EngineHandle::new(Naive::new());
    let (ready, wait) = mpsc::channel();
    let theirs = engine.clone();
    std::thread::spawn(move || {
        let lease = theirs.lease(&NoInterrupt).expect("free");
        let _engine = running.then(|| lease.engine());
        ready.send(()).expect("the test waits");
        loop {
            std::thread::park();
        }
    });
    wait.recv().expect("the thread has the engine");
    engine
}

#[test]
fn a_child_takes_idle_engines_over_and_refuses_running_ones() {
    let (idle, running, mine) = (held_for_ever(false), held_for_ever(true), EngineHandle::new(Naive::new()));
    let lease = mine.lease(&NoInterrupt).expect("free");
    forked();
    assert!(!idle.is_lost() && running.is_lost());
    drop(idle.lease(&NoInterrupt).expect("its thread is gone"));
    drop(idle.lease(&NoInterrupt).expect("and again"));
    for _ in 0..2 {
        let e = running.lease(&NoInterrupt).err().expect("in the middle of a run");
        assert!(matches!(&e, Error::Engine { message } if message.contains("forked; make a new one")), "{e}");
    }
    // What the forking thread held it still holds.
    assert!(matches!(mine.lease(&NoInterrupt), Err(Error::Engine { message }) if message.contains("re-entry")));
    drop(lease);
    drop(mine.lease(&NoInterrupt).expect("given back"));
}
