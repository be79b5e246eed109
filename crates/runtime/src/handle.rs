//! Engines shared between threads and sessions: one holder at a time.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use tenferro_graph::{Error, ExecutionEngine, Interrupt, Registration, Result, Target};

/// An engine that several threads may use in turn. Whoever wants it while another
/// thread holds it waits; the thread that holds it is refused (re-entry).
#[derive(Clone)]
pub struct EngineHandle(Arc<Shared>);

struct Shared {
    /// The [`Holder`] in bits; 0 if free.
    holder: AtomicU64,
    /// Threads that wait: nobody is woken, which is a system call, where there are none.
    waiting: AtomicUsize,
    gate: Mutex<()>,
    released: Condvar,
    engine: Mutex<Box<dyn ExecutionEngine>>,
    registration: Registration,
}

/// From one question to `Interrupt` to the next while waiting.
const WAIT: Duration = Duration::from_millis(20);

/// Forks between the first process and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// To be called in a forked child before anything else here: what threads of the
/// parent held is free, since they do not exist in the child.
pub fn forked() {
    FORKS.fetch_add(1, Ordering::SeqCst);
}

/// A thread, and the process that it took the engine in.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Holder {
    forks: u32,
    thread: u32,
}

impl Holder {
    fn me() -> Self {
        thread_local! { static ME: Cell<u32> = const { Cell::new(0) } }
        static NEXT: AtomicU32 = AtomicU32::new(1);
        if ME.get() == 0 {
            ME.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        Self { forks: FORKS.load(Ordering::Relaxed), thread: ME.get() }
    }

    fn bits(self) -> u64 {
        u64::from(self.forks) << 32 | u64::from(self.thread)
    }

    fn from_bits(bits: u64) -> Self {
        Self { forks: (bits >> 32) as u32, thread: bits as u32 }
    }
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
            holder: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            gate: Mutex::new(()),
            released: Condvar::new(),
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

    /// Whether a thread that this forked process does not have was running the engine.
    pub fn is_lost(&self) -> bool {
        let holder = self.0.holder.load(Ordering::Acquire);
        holder != 0 && Holder::from_bits(holder).forks != Holder::me().forks && self.is_running()
    }

    fn is_running(&self) -> bool {
        matches!(self.0.engine.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Takes the engine until the lease is dropped; waits for other threads and polls
    /// `stop` meanwhile.
    ///
    /// # Errors
    /// `Engine` if this thread holds it already, or if it is lost in another process; or
    /// what `stop` says.
    pub fn lease(&self, stop: &dyn Interrupt) -> Result<Lease> {
        self.take(stop)?;
        Ok(Lease { handle: self.clone() })
    }

    /// [`EngineHandle::lease`] that ends before the handle does.
    ///
    /// # Errors
    /// As for [`EngineHandle::lease`].
    pub(crate) fn hold(&self, stop: &dyn Interrupt) -> Result<Hold<'_>> {
        self.take(stop)?;
        Ok(Hold(&self.0))
    }

    fn take(&self, stop: &dyn Interrupt) -> Result<()> {
        let me = Holder::me();
        let mut expected = 0;
        while let Err(bits) = self.0.holder.compare_exchange(expected, me.bits(), Ordering::SeqCst, Ordering::Relaxed) {
            expected = match Holder::from_bits(bits) {
                _ if bits == 0 => 0,
                h if h.thread == me.thread => return Err(reentry(&self.target())),
                h if h.forks == me.forks => {
                    self.0.wait();
                    stop.poll()?;
                    0
                }
                _ if self.is_running() => {
                    let what = "another thread was running it when this process was forked; make a new one";
                    return Err(Error::engine(format!("engine {}: {what}", self.target())));
                }
                _ => bits,
            };
        }
        Ok(())
    }
}

impl Shared {
    /// Until the engine is given back, perhaps; not longer than [`WAIT`]. A forked child
    /// may find the gate locked for ever, so nobody insists on it.
    fn wait(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        match self.gate.try_lock() {
            Ok(gate) if self.holder.load(Ordering::SeqCst) != 0 => drop(self.released.wait_timeout(gate, WAIT)),
            Ok(_) => {}
            Err(_) => std::thread::sleep(Duration::from_micros(50)),
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    fn release(&self) {
        self.holder.store(0, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            // Not between a waiter's last look and its sleep.
            let _ = (0..1000).find(|_| {
                std::hint::spin_loop();
                self.gate.try_lock().is_ok()
            });
            self.released.notify_one();
        }
    }
}

/// The right to use an engine for one run.
pub(crate) struct Hold<'a>(&'a Shared);

impl Hold<'_> {
    pub fn engine(&self) -> MutexGuard<'_, Box<dyn ExecutionEngine>> {
        unpoisoned(self.0.engine.lock())
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.release();
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
        self.handle.0.release();
    }
}
