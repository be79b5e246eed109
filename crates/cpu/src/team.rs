//! Threads of one engine: a rayon pool started at first need. The caller takes part,
//! chunks are claimed, and nobody waits for a thread that holds none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tenferro_graph::{Error, Interrupt, NoInterrupt, Result};

pub(crate) struct Team {
    threads: usize,
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

/// Turns of waiting before other threads of the machine go first.
const SPINS: u32 = 2000;
/// Turns of waiting from one question to `Interrupt` to the next.
const POLL_EVERY: u32 = 256;

type Task<'a> = dyn Fn(usize) + Sync + 'a;

struct Job {
    task: *const Task<'static>,
    chunks: usize,
    next: AtomicUsize,
    done: AtomicUsize,
    panicked: AtomicBool,
}

// SAFETY: `task` is touched only for a claimed chunk, and the caller of `run` keeps
// it alive until all claimed chunks are done.
unsafe impl Send for Job {}
// SAFETY: as above; the task itself is Sync.
unsafe impl Sync for Job {}

impl Job {
    /// Claims a chunk and runs it; false if there was none.
    fn work_one(&self) -> bool {
        // Each claim is a single atomic step, so chunk i has one owner. The counter stays far
        // below overflow: a thread adds to it once per chunk and once more.
        let i = self.next.fetch_add(1, Ordering::Relaxed);
        if i >= self.chunks {
            return false;
        }
        // SAFETY: chunk i is claimed and not done, so the caller of `run` still waits.
        let task = unsafe { &*self.task };
        if catch_unwind(AssertUnwindSafe(|| task(i))).is_err() {
            self.panicked.store(true, Ordering::Relaxed);
        }
        self.done.fetch_add(1, Ordering::Release);
        true
    }
}

impl Team {
    pub fn new(threads: usize) -> Self {
        Self { threads: threads.max(1), pool: Mutex::new(None) }
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The pool of this process: a forked child starts a fresh one and leaves the
    /// parent's, whose threads it does not have, alone. `None` while another thread is
    /// here, which in a child forked at such a moment is for ever.
    fn pool(&self) -> Result<Option<Arc<ThreadPool>>> {
        let pid = std::process::id();
        let mut slot = match self.pool.try_lock() {
            Ok(slot) => slot,
            Err(TryLockError::Poisoned(e)) => e.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        if let Some((owner, pool)) = slot.take() {
            if owner == pid {
                *slot = Some((pid, pool.clone()));
                return Ok(Some(pool));
            }
            std::mem::forget(pool);
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.threads - 1)
            .thread_name(|i| format!("tenferro-{i}"))
            .build()
            .map_err(|e| Error::engine(format!("cpu: cannot start {} threads: {e}", self.threads)))?;
        let pool = Arc::new(pool);
        *slot = Some((pid, pool.clone()));
        Ok(Some(pool))
    }

    /// Runs `task(0) … task(chunks − 1)`, in any order, on this and other threads.
    ///
    /// # Errors
    /// `Engine` if a chunk panicked.
    pub fn run(&self, chunks: usize, task: &Task<'_>) -> Result<()> {
        self.run_until(chunks, &NoInterrupt, task)
    }

    /// [`Team::run`] that asks `stop`, on this thread only, before each of its own chunks
    /// and while it waits for others. When told to stop no further chunk starts, and those
    /// that have started end first.
    ///
    /// # Errors
    /// What `stop` says; `Engine` if a chunk panicked.
    pub fn run_until(&self, chunks: usize, stop: &dyn Interrupt, task: &Task<'_>) -> Result<()> {
        if self.threads == 1 || chunks < 2 {
            return alone(chunks, stop, task);
        }
        let Some(pool) = self.pool()? else { return alone(chunks, stop, task) };
        let task: *const Task<'_> = task;
        #[expect(clippy::transmute_ptr_to_ptr, reason = "a cast cannot lengthen the lifetime of a trait object")]
        // SAFETY: only the lifetime changes; see `Job`.
        let task = unsafe { std::mem::transmute::<*const Task<'_>, *const Task<'static>>(task) };
        let job = Arc::new(Job { task, chunks, next: AtomicUsize::new(0), done: AtomicUsize::new(0), panicked: AtomicBool::new(false) });
        // On every way out, a panic of `stop` included, the chunks in hand are waited for.
        let closing = Closing(&job);
        for _ in 1..self.threads.min(chunks) {
            let job = job.clone();
            pool.spawn(move || while job.work_one() {});
        }
        let mut told = stop.poll();
        while told.is_ok() && job.work_one() {
            told = stop.poll();
        }
        let mut waits = 0_u32;
        while told.is_ok() && job.done.load(Ordering::Acquire) < chunks {
            pause(&mut waits);
            if waits.is_multiple_of(POLL_EVERY) {
                told = stop.poll();
            }
        }
        drop(closing);
        told?;
        if job.panicked.load(Ordering::Relaxed) { Err(panicked()) } else { Ok(()) }
    }

    /// [`Team::run_until`] of tasks that ask for a stop themselves and can fail. Of the errors of
    /// several chunks that of the lowest goes on.
    ///
    /// # Errors
    /// What `stop` says, or else a chunk; `Engine` if one panicked.
    pub fn try_until(
        &self,
        chunks: usize,
        stop: &dyn Interrupt,
        task: &(dyn Fn(usize, &dyn Interrupt) -> Result<()> + Sync),
    ) -> Result<()> {
        let failed: Mutex<Vec<(usize, Error)>> = Mutex::default();
        let stop = Latch::new(stop);
        let done = self.run_until(chunks, &stop, &|i| {
            if let Err(e) = task(i, &stop) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).push((i, e));
            }
        });
        stop.end(done)?;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.into_iter().min_by_key(|(i, _)| *i).map_or(Ok(()), |(_, e)| Err(e))
    }
}

/// All chunks on this thread.
fn alone(chunks: usize, stop: &dyn Interrupt, task: &Task<'_>) -> Result<()> {
    for i in 0..chunks {
        stop.poll()?;
        catch_unwind(AssertUnwindSafe(|| task(i))).map_err(|_| panicked())?;
    }
    Ok(())
}

fn panicked() -> Error {
    Error::engine("cpu: a kernel panicked")
}

/// Spins for some microseconds, then lets other threads of the machine go first.
fn pause(waits: &mut u32) {
    *waits = waits.wrapping_add(1);
    if *waits < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Ends a job: no chunk is claimed any more, and the claimed ones are done when it is dropped.
struct Closing<'a>(&'a Job);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let claimed = self.0.next.swap(self.0.chunks, Ordering::Relaxed).min(self.0.chunks);
        let mut waits = 0;
        while self.0.done.load(Ordering::Acquire) < claimed {
            pause(&mut waits);
        }
    }
}

impl Drop for Team {
    /// A forked child must not join threads that it does not have.
    fn drop(&mut self) {
        let slot = self.pool.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some((owner, pool)) = slot.take()
            && owner != std::process::id()
        {
            std::mem::forget(pool);
        }
    }
}

/// What somebody says who asks to stop, for many who listen: once it was said, all are
/// told, whichever thread they ask on.
struct Latch<'a> {
    of: &'a dyn Interrupt,
    stopped: AtomicBool,
    said: Mutex<Option<Error>>,
}

impl<'a> Latch<'a> {
    pub fn new(of: &'a dyn Interrupt) -> Self {
        Self { of, stopped: AtomicBool::new(false), said: Mutex::new(None) }
    }

    /// What was said, or else `done`.
    pub fn end<T>(self, done: Result<T>) -> Result<T> {
        self.said.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(done, Err)
    }
}

impl Interrupt for Latch<'_> {
    fn poll(&self) -> Result<()> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        self.of.poll().map_err(|e| {
            self.stopped.store(true, Ordering::Relaxed);
            self.said.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
            Error::Interrupted
        })
    }
}

/// Threads worth having: the user's wish (0: no wish), at most as many as the affinity
/// mask and the cgroup's quota grant.
pub(crate) fn granted(wish: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if wish == 0 { cores } else { wish.min(cores) }
}

#[cfg(test)]
mod tests;
