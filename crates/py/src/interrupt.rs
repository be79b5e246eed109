//! Signals during long runs, and when to let go of the interpreter lock.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tenferro_graph::{Interrupt, Result};

use crate::errors::carry;

/// How often a run looks for signals.
const EVERY: Duration = Duration::from_millis(50);
/// The first polls of a run do not look at the clock.
const FREE_POLLS: u32 = 4;
/// Elements touched in about 50 µs: below, letting go of the lock costs more than it
/// gives (a contended retake can wait 5 ms).
const LIGHT: usize = 1 << 16;

#[derive(Clone, Copy, Default)]
struct Run {
    /// Whether this thread came here from Python; an engine's own threads did not.
    inside: bool,
    attached: bool,
    polls: u32,
    last: Option<Instant>,
}

thread_local! {
    static RUN: Cell<Run> = const { Cell::new(Run { inside: false, attached: false, polls: 0, last: None }) };
    /// Sessions that this thread has open.
    static SESSIONS: Cell<usize> = const { Cell::new(0) };
}

/// Threads that hold an engine while others may run Python: sessions, and runs
/// without the lock.
static HOLDERS: AtomicUsize = AtomicUsize::new(0);

/// Stops a run when Python has a signal to handle.
pub struct Signals;

impl Interrupt for Signals {
    fn poll(&self) -> Result<()> {
        let mut run = RUN.get();
        if !run.inside {
            return Ok(());
        }
        run.polls += 1;
        let due = run.polls > FREE_POLLS && {
            let now = Instant::now();
            let last = *run.last.get_or_insert(now);
            let due = now - last >= EVERY;
            if due {
                run.last = Some(now);
            }
            due
        };
        RUN.set(run);
        if due { look(run.attached) } else { Ok(()) }
    }
}

fn look(attached: bool) -> Result<()> {
    let looked = Python::try_attach(|py| {
        py.check_signals().map_err(carry)?;
        if attached {
            // Whoever has what is waited for may need the lock to give it back.
            py.detach(std::thread::yield_now);
        }
        Ok(())
    });
    looked.unwrap_or(Ok(()))
}

struct Restore(Run);

impl Drop for Restore {
    fn drop(&mut self) {
        RUN.set(self.0);
    }
}

struct Held;

impl Held {
    fn new() -> Self {
        HOLDERS.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HOLDERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs `f`, which may need an engine and touches about `work` elements: without the
/// interpreter lock if that takes long or another thread holds an engine.
#[inline]
pub fn run<R: Send>(work: usize, f: impl FnOnce() -> R + Send) -> R {
    let light = work <= LIGHT && HOLDERS.load(Ordering::Relaxed) == SESSIONS.get();
    let _restore = Restore(RUN.replace(Run { inside: true, attached: light, ..Run::default() }));
    if light {
        return f();
    }
    let held = Held::new();
    Python::attach(|py| {
        py.detach(|| {
            let _held = held;
            f()
        })
    })
}

/// In a forked child: threads of the parent hold nothing here.
pub fn forked() {
    HOLDERS.store(SESSIONS.get(), Ordering::Relaxed);
}

/// Counts a session of this thread while it lives.
pub struct OpenSession {
    _held: Held,
}

impl OpenSession {
    pub fn new() -> Self {
        SESSIONS.set(SESSIONS.get() + 1);
        Self { _held: Held::new() }
    }
}

impl Drop for OpenSession {
    fn drop(&mut self) {
        SESSIONS.set(SESSIONS.get() - 1);
    }
}
