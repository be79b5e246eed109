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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_after_use_does_not_hang(rng):
    engine = tn.CpuEngine(threads=2)
    a = rng.standard_normal((600, 600))
    run = lambda: running.traced(lambda x: tn.sum(tn.exp(tn.matmul(x, x) * 1e-3)), [a], engine)[0]  # noqa: E731
    before = run()
    child = os.fork()
    if child == 0:
        os._exit(0 if run() == before else 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked child hangs")


def test_interrupt_ends_a_long_run():
    engine = tn.CpuEngine(threads=2)
    x = tn.TracedTensor.input("float64", (300, 300))
    y = x
    for _ in range(400):
        u, s, vh = tn.linalg.svd(y, full_matrices=False)
        y = tn.matmul(u * s, vh)
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(tn.GraphCompiler().compile(y), [("float64", (300, 300))], [engine.target()])
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        runtime.run([engine], prepared, [np.random.default_rng(0).standard_normal((300, 300))])
    assert time.monotonic() - start < 5
    # The engine goes on.
    assert np.isfinite(running.traced(lambda b: ising_trg.log_z(b, 4, 4), [np.array(0.4)], engine)[0])
