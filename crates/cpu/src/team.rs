//! Threads of one engine: a rayon pool started at first need. The caller takes part,
//! chunks are claimed, and nobody waits for a thread that holds none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tenferro_graph::{Error, Result};

pub(crate) struct Team {
    threads: usize,
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

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
    /// Claims and runs chunks until there are none.
    fn work(&self) {
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            if i >= self.chunks {
                return;
            }
            // SAFETY: chunk i is claimed and not done, so the caller still waits.
            let task = unsafe { &*self.task };
            if catch_unwind(AssertUnwindSafe(|| task(i))).is_err() {
                self.panicked.store(true, Ordering::Relaxed);
            }
            self.done.fetch_add(1, Ordering::Release);
        }
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
    /// parent's, whose threads it does not have, alone.
    fn pool(&self) -> Result<Arc<ThreadPool>> {
        let pid = std::process::id();
        let mut slot = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((owner, pool)) = slot.take() {
            if owner == pid {
                *slot = Some((pid, pool.clone()));
                return Ok(pool);
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
        Ok(pool)
    }

    /// Runs `task(0) … task(chunks − 1)`, in any order, on this and other threads.
    ///
    /// # Errors
    /// `Engine` if a chunk panicked.
    pub fn run(&self, chunks: usize, task: &Task<'_>) -> Result<()> {
        let task: *const Task<'_> = task;
        // SAFETY: only the lifetime changes; see `Job`.
        let task = unsafe { std::mem::transmute::<*const Task<'_>, *const Task<'static>>(task) };
        let job = Job { task, chunks, next: AtomicUsize::new(0), done: AtomicUsize::new(0), panicked: AtomicBool::new(false) };
        let job = Arc::new(job);
        if self.threads > 1 && chunks > 1 {
            let pool = self.pool()?;
            for _ in 1..self.threads.min(chunks) {
                let job = job.clone();
                pool.spawn(move || job.work());
            }
        }
        job.work();
        let mut spins = 0_u32;
        while job.done.load(Ordering::Acquire) < chunks {
            spins += 1;
            if spins < 2000 { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        if job.panicked.load(Ordering::Relaxed) {
            return Err(Error::engine("cpu: a kernel panicked"));
        }
        Ok(())
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

/// Threads worth having: the user's wish, at most what the machine grants.
pub(crate) fn granted(wish: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if wish == 0 { cores } else { wish.min(cores.max(1) * 4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_runs_once() {
        let team = Team::new(3);
        for chunks in [0, 1, 2, 7, 1000] {
            let counts: Vec<AtomicUsize> = (0..chunks).map(|_| AtomicUsize::new(0)).collect();
            team.run(chunks, &|i| {
                counts[i].fetch_add(1, Ordering::Relaxed);
            })
            .expect("no panic");
            assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let team = Team::new(2);
        assert!(team.run(4, &|i| assert!(i != 2)).is_err());
        assert!(team.run(4, &|_| ()).is_ok());
    }
}
