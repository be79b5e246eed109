"""Threads, forks and signals."""

import os
import signal
import threading
import time

import ising_trg
import numpy as np
import pytest
import running

import tenferro_py as tn


def test_same_bits_for_any_number_of_threads(rng):
    def f(x, m):
        u, s, vh = tn.linalg.svd(m, full_matrices=False)
        return [tn.sum(tn.sin(x) * x), tn.exp(x) * tn.cos(x), tn.sum(x, axis=0), tn.matmul(m, m), u * s, vh]

    arrays = [rng.standard_normal((700, 500)), rng.standard_normal((300, 300))]
    one = running.traced(f, arrays, tn.CpuEngine.serial())
    two = running.traced(f, arrays, tn.CpuEngine(threads=2))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)


def test_an_engine_shared_by_threads():
    engine = tn.CpuEngine(threads=2)
    x = tn.TracedTensor.input("float64", (1000,))
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(tn.GraphCompiler().compile(tn.sum(x * x)), [("float64", (1000,))], [engine.target()])
    wrong = []

    def work(k):
        for _ in range(50):
            (out,) = runtime.run([engine], prepared, [np.full(1000, float(k))])
            if float(out.into_tensor(engine)) != 1000.0 * k * k:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert not wrong
    assert not any(t.is_alive() for t in threads)


def test_reentry_raises():
    engine = tn.CpuEngine.serial()
    x = tn.TracedTensor.from_array(np.ones(3))
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(tn.GraphCompiler().compile(x + x), [], [engine.target()])
    with tn.EagerRuntime().eager_session(engine), pytest.raises(tn.EngineError, match="re-entry"):
        runtime.run([engine], prepared, [])
    runtime.run([engine], prepared, [])


def exit_code(child):
    """Waits for a forked child; one that hangs is ended."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked child hangs")


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_after_use_does_not_hang(rng):
    engine = tn.CpuEngine(threads=2)
    a = rng.standard_normal((600, 600))
    run = lambda: running.traced(lambda x: tn.sum(tn.exp(tn.matmul(x, x) * 1e-3)), [a], engine)[0]  # noqa: E731
    before = run()
    child = os.fork()
    if child == 0:
        os._exit(0 if run() == before else 1)
    assert exit_code(child) == 0


def slow(engine, steps=400):
    """A run of some seconds, made of short steps."""
    x = tn.TracedTensor.input("float64", (300, 300))
    y = x
    for _ in range(steps):
        u, s, vh = tn.linalg.svd(y, full_matrices=False)
        y = tn.matmul(u * s, vh)
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(tn.GraphCompiler().compile(y), [("float64", (300, 300))], [engine.target()])
    a = np.random.default_rng(0).standard_normal((300, 300))
    return lambda: runtime.run([engine], prepared, [a])


class Busy:
    """Another thread runs the engine until the block is left."""

    def __init__(self, engine):
        self.run, self.over = slow(engine, 4), threading.Event()
        self.thread = threading.Thread(target=self.work)

    def work(self):
        while not self.over.is_set():
            self.run()

    def __enter__(self):
        self.thread.start()
        time.sleep(0.1)

    def __exit__(self, *_):
        self.over.set()
        self.thread.join(60)


def child_outcome(engine):
    """In a forked child: 0 if the engine says what has become of it and others work, 1 if it worked."""
    try:
        running.traced(lambda x: x + x, [np.ones(3)], engine)
        code = 1
    except tn.EngineError as e:
        code = 0 if "forked; make a new one" in str(e) else 2
    fresh = running.traced(lambda x: x + x, [np.ones(3)], tn.CpuEngine(threads=2))[0]
    default = tn.grad(lambda x: tn.sum(tn.sin(x)))(np.zeros(3)).tolist()
    eager = (tn.Tensor([1.0]) + 1).tolist()
    right = fresh.tolist() == [2.0] * 3 and default == [1.0] * 3 and eager == [2.0]
    return code if right else 3


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_another_thread_runs_the_engine():
    engine = tn.CpuEngine(threads=2)
    codes = []
    with Busy(engine):
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(child_outcome(engine))
            codes.append(exit_code(child))
            time.sleep(0.03)
    # Between two runs of the other thread the child finds the engine free.
    assert set(codes) <= {0, 1}
    assert 0 in codes
    assert running.traced(lambda x: x + x, [np.ones(2)], engine)[0].tolist() == [2.0, 2.0]


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_another_thread_runs_the_default_engine():
    x = tn.Tensor(np.random.default_rng(0).standard_normal((300, 300)))
    over = threading.Event()

    def work():
        while not over.is_set():
            tn.linalg.svdvals(x)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    child = os.fork()
    if child == 0:
        os._exit(0 if (tn.Tensor([1.0, 2.0]) * 2).tolist() == [2.0, 4.0] else 1)
    code = exit_code(child)
    over.set()
    thread.join(60)
    assert code == 0


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_inside_a_session():
    engine = tn.CpuEngine.serial()
    rt = tn.EagerRuntime()
    with rt.eager_session(engine):
        x = rt.variable_from([1.0, 2.0])
        child = os.fork()
        if child == 0:
            tn.sum(x * x).backward()
            os._exit(0 if x.grad().tolist() == [2.0, 4.0] else 1)
        assert exit_code(child) == 0


def interrupted(f):
    """Seconds that f goes on after a signal sent while it runs."""
    sent = []

    def send():
        sent.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    timer = threading.Timer(0.5, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f()
    return time.monotonic() - sent[0]


def test_interrupt_ends_a_long_run():
    engine = tn.CpuEngine(threads=2)
    assert interrupted(slow(engine)) < 1
    # The engine goes on.
    assert np.isfinite(running.traced(lambda b: ising_trg.log_z(b, 4, 4), [np.array(0.4)], engine)[0])


def test_interrupt_ends_waiting_for_a_busy_engine():
    engine = tn.CpuEngine.serial()
    entered, leave = threading.Event(), threading.Event()

    def hold():
        with tn.EagerRuntime().eager_session(engine):
            entered.set()
            leave.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    entered.wait(60)
    assert interrupted(lambda: running.traced(lambda x: x + x, [np.ones(3)], engine)) < 0.5
    leave.set()
    holder.join(60)
    assert running.traced(lambda x: x + x, [np.ones(1)], engine)[0].tolist() == [2.0]


def test_sessions_of_many_threads_take_turns():
    engine, runtime, a = tn.CpuEngine(threads=2), tn.EagerRuntime(), np.ones(200)

    def work():
        for _ in range(50):
            with runtime.eager_session(engine):
                v = runtime.variable_from(a)
                tn.sum(v * v).backward()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(timeout=60)
    assert not any(t.is_alive() for t in threads)
