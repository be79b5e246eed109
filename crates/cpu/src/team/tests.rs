//! Claims, panics, interrupts, busy workers, nesting and forks.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::*;

/// Asks to stop from the n-th poll on.
struct After(usize, AtomicUsize);

impl Interrupt for After {
    fn poll(&self) -> Result<()> {
        if self.1.fetch_add(1, Ordering::Relaxed) >= self.0 { Err(Error::Interrupted) } else { Ok(()) }
    }
}

fn counters(n: usize) -> Vec<AtomicUsize> {
    (0..n).map(|_| AtomicUsize::new(0)).collect()
}

fn count(team: &Team, chunks: usize) -> Vec<usize> {
    let counts = counters(chunks);
    team.run(chunks, &|i| {
        counts[i].fetch_add(1, Ordering::Relaxed);
    })
    .expect("no panic");
    counts.into_iter().map(AtomicUsize::into_inner).collect()
}

#[test]
fn every_chunk_runs_once() {
    for threads in [1, 2, 3, 8] {
        let team = Team::new(threads);
        for chunks in [0, 1, 2, 7, 1000] {
            assert_eq!(count(&team, chunks), vec![1; chunks]);
        }
    }
}

#[test]
fn many_short_jobs_in_a_row() {
    let team = Team::new(3);
    for round in 0..20_000 {
        let sum = AtomicUsize::new(0);
        team.run(4, &|i| {
            sum.fetch_add(i + 1, Ordering::Relaxed);
        })
        .expect("no panic");
        assert_eq!(sum.into_inner(), 10, "round {round}");
    }
}

#[test]
fn a_panic_becomes_an_error_and_the_team_goes_on() {
    for threads in [1, 2, 3] {
        let team = Team::new(threads);
        for bad in 0..4 {
            let e = team.run(4, &|i| assert!(i != bad, "a fault in a kernel")).expect_err("panicked");
            assert_eq!(e.to_string(), "cpu: a kernel panicked");
        }
        assert_eq!(count(&team, 9), [1; 9]);
    }
}

#[test]
fn a_job_inside_a_chunk_runs_too() {
    let team = Team::new(3);
    let counts = counters(40);
    let inner = |i: usize| {
        team.run(10, &|j| {
            counts[10 * i + j].fetch_add(1, Ordering::Relaxed);
        })
        .expect("no panic");
    };
    team.run(4, &inner).expect("no panic");
    assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1));
}

#[test]
fn an_interrupt_starts_no_further_chunk_and_waits_for_those_begun() {
    for threads in [1, 2] {
        let team = Team::new(threads);
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let task = |_| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(2));
            ended.fetch_add(1, Ordering::Relaxed);
        };
        let e = team.run_until(1000, &After(3, AtomicUsize::new(0)), &task).expect_err("stopped");
        assert!(matches!(e, Error::Interrupted));
        let n = begun.load(Ordering::Relaxed);
        assert!(n < 1000, "{n} chunks ran");
        assert_eq!(n, ended.load(Ordering::Relaxed));
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(n, begun.load(Ordering::Relaxed), "a chunk started after the end");
    }
}

/// The only worker sleeps in another job; this one must not wait for it.
#[test]
fn a_busy_worker_delays_nobody() {
    let team = Arc::new(Team::new(2));
    let pool = team.pool().expect("threads").expect("nobody else is here");
    let (tell, told) = mpsc::channel();
    pool.spawn(move || {
        tell.send(()).expect("the test waits");
        std::thread::sleep(Duration::from_millis(500));
    });
    told.recv().expect("the worker starts");
    let start = Instant::now();
    assert_eq!(count(&team, 64), vec![1; 64]);
    let took = start.elapsed();
    assert!(took < Duration::from_millis(250), "waited {took:?} for a worker that holds no chunk");
}

/// As in a child that was forked while another thread fetched the pool.
#[test]
fn a_team_whose_pool_is_out_of_reach_works_alone() {
    let team = Team::new(2);
    let held = team.pool.lock().expect("free");
    assert_eq!(count(&team, 64), vec![1; 64]);
    drop(held);
}

#[test]
fn threads_are_at_most_what_the_machine_grants() {
    let cores = std::thread::available_parallelism().expect("known here").get();
    assert_eq!(granted(0), cores);
    assert_eq!(granted(1), 1);
    assert_eq!(granted(cores + 1), cores);
}

#[test]
fn what_one_listener_heard_all_are_told() {
    let said = After(1, AtomicUsize::new(0));
    let latch = Latch::new(&said);
    assert!(latch.poll().is_ok());
    std::thread::scope(|s| s.spawn(|| assert!(latch.poll().is_err())).join().expect("no panic"));
    said.1.store(0, Ordering::Relaxed);
    assert!(latch.poll().is_err(), "the source would let go on");
    assert!(latch.end(Ok(())).is_err());
}

#[cfg(unix)]
#[test]
fn a_forked_child_has_threads_of_its_own() {
    unsafe extern "C" {
        fn fork() -> i32;
        fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
        fn kill(pid: i32, signal: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    const NO_HANG: i32 = 1;
    const KILL: i32 = 9;
    let team = Team::new(2);
    assert_eq!(count(&team, 100), vec![1; 100]);
    // SAFETY: the child calls the code under test, then leaves at once.
    let child = unsafe { fork() };
    assert!(child >= 0, "no fork");
    if child == 0 {
        let here = std::thread::current().id();
        let elsewhere = AtomicBool::new(false);
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut fine = true;
        while fine && !elsewhere.load(Ordering::Relaxed) && Instant::now() < deadline {
            let task = |_| {
                std::thread::sleep(Duration::from_millis(1));
                elsewhere.fetch_or(std::thread::current().id() != here, Ordering::Relaxed);
            };
            fine = team.run(8, &task).is_ok();
        }
        let fine = fine && elsewhere.load(Ordering::Relaxed);
        drop(team);
        // SAFETY: ends the child without the parent's exit handlers.
        unsafe { _exit(i32::from(!fine)) };
    }
    let deadline = Instant::now() + Duration::from_mins(1);
    let mut status = 0;
    // SAFETY: the child is this process's and `status` is live.
    while unsafe { waitpid(child, &raw mut status, NO_HANG) } == 0 {
        if Instant::now() > deadline {
            // SAFETY: as above.
            unsafe { kill(child, KILL) };
            panic!("the forked child hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(status, 0, "the child failed");
    assert_eq!(count(&team, 100), vec![1; 100], "the parent goes on");
}
