//! Engines shared between threads and sessions: one holder at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use tenferro_graph::{Error, ExecutionEngine, Interrupt, Registration, Result, Target};

/// An engine that several threads may use in turn. Whoever wants it while another
/// thread holds it waits; the thread that holds it is refused (re-entry).
#[derive(Clone)]
pub struct EngineHandle(Arc<Shared>);

struct Shared {
    holder: Mutex<Option<ThreadId>>,
    released: Condvar,
    /// Threads that wait: nobody is woken, which is a system call, where there are none.
    waiting: AtomicUsize,
    engine: Mutex<Box<dyn ExecutionEngine>>,
    registration: Registration,
}

fn unpoisoned<T>(r: std::result::Result<T, PoisonError<T>>) -> T {
    r.unwrap_or_else(PoisonError::into_inner)
}

fn reentry(target: &Target) -> Error {
    Error::engine(format!("engine {target}: re-entry; it is in use on this thread"))
}

impl EngineHandle {
    pub fn new(engine: impl ExecutionEngine + 'static) -> Self {
        Self(Arc::new(Shared {
            holder: Mutex::new(None),
            released: Condvar::new(),
            waiting: AtomicUsize::new(0),
            registration: Registration::of(&engine),
            engine: Mutex::new(Box::new(engine)),
        }))
    }

    pub fn target(&self) -> Target {
        self.0.registration.target.clone()
    }

    pub fn registration(&self) -> Registration {
        self.registered().clone()
    }

    /// The registration itself, for callers in a hurry.
    pub(crate) fn registered(&self) -> &Registration {
        &self.0.registration
    }

    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Takes the engine until the lease is dropped; waits for other threads and polls
    /// `stop` meanwhile.
    ///
    /// # Errors
    /// `Engine` if this thread holds it already, or what `stop` says.
    pub fn lease(&self, stop: &dyn Interrupt) -> Result<Lease> {
        let me = thread::current().id();
        let mut holder = unpoisoned(self.0.holder.lock());
        loop {
            match *holder {
                None => break,
                Some(id) if id == me => {
                    return Err(reentry(&self.target()));
                }
                Some(_) => {
                    self.0.waiting.fetch_add(1, Ordering::Relaxed);
                    let wait = self.0.released.wait_timeout(holder, Duration::from_millis(20));
                    self.0.waiting.fetch_sub(1, Ordering::Relaxed);
                    holder = wait.map_or_else(|e| e.into_inner().0, |w| w.0);
                    drop(holder);
                    stop.poll()?;
                    holder = unpoisoned(self.0.holder.lock());
                }
            }
        }
        *holder = Some(me);
        Ok(Lease { handle: self.clone() })
    }
}

/// The right to use an engine.
pub struct Lease {
    handle: EngineHandle,
}

impl Lease {
    pub fn handle(&self) -> &EngineHandle {
        &self.handle
    }

    /// The engine, for one run of a fresh lease.
    pub fn engine(&self) -> MutexGuard<'_, Box<dyn ExecutionEngine>> {
        unpoisoned(self.handle.0.engine.lock())
    }

    /// The engine, for one run of a lease that is shared by nested calls.
    ///
    /// # Errors
    /// `Engine` if it is running already: code that a run calls back wants it again.
    pub(crate) fn idle_engine(&self) -> Result<MutexGuard<'_, Box<dyn ExecutionEngine>>> {
        match self.handle.0.engine.try_lock() {
            Ok(guard) => Ok(guard),
            // The engine itself knows whether a panic broke it.
            Err(TryLockError::Poisoned(e)) => Ok(e.into_inner()),
            Err(TryLockError::WouldBlock) => Err(reentry(&self.handle.target())),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        *unpoisoned(self.handle.0.holder.lock()) = None;
        if self.handle.0.waiting.load(Ordering::Relaxed) > 0 {
            self.handle.0.released.notify_one();
        }
    }
}
