"""Tensors and engines as Python objects: what a scientist expects of an array."""

import copy
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tenferro_py as tn

SPECIAL = [
    np.arange(3.0),
    np.arange(12.0).reshape(3, 4) / 7,
    np.arange(24).reshape(2, 3, 4),
    np.array([1e10, 1.0]),
    np.array([np.nan, 1, -np.inf]),
    np.array([1 + 2j, 3.5 - 1j]),
    np.array([True, False]),
    np.zeros((0,)),
    np.zeros((2, 0)),
    np.array(3.5),
    np.linspace(-3, 3, 25).reshape(5, 5) ** 3,
    np.sin(np.arange(2000.0)),
    np.cos(np.arange(1600.0)).reshape(40, 40),
    np.arange(3, dtype="f4") / 3,
    np.array([1e-5, 2e-5]),
    np.sin(np.arange(30.0)),
    np.array([-1.0, 100.25]),
    np.array([[1e-12 + 1j, 2]]),
    np.array([1e300, 1e-300]),
    np.array([0.1 + 2j, -3.25 + 0.5j], dtype="c8"),
    np.array([np.nan]),
    np.array([1, -20, 300]),
    np.zeros((1, 1)),
    np.array([np.nan + 1j, 2]),
]


@pytest.mark.parametrize("a", SPECIAL, ids=range(len(SPECIAL)))
def test_text_is_numpys(a):
    t = tn.Tensor(a)
    assert str(t) == str(a)
    numpys = np.array_repr(a)
    if a.size > 1000 and np.lib.NumpyVersion(np.__version__) < "2.2.0":
        pytest.skip("NumPy names the shape of a summarised array from 2.2 on")
    wanted = "\n".join(" " + line if i and line else line for i, line in enumerate(numpys.replace("array(", "tensor(").split("\n")))
    assert repr(t) == wanted


def test_attributes():
    t = tn.Tensor(np.zeros((2, 3)))
    assert (t.shape, t.ndim, t.size, len(t)) == ((2, 3), 2, 6, 2)
    assert t.T.shape == t.mT.shape == (3, 2)
    assert tn.Tensor(np.zeros((2, 3, 4))).mT.shape == (2, 4, 3)
    assert t.dtype.itemsize == 8
    assert t.dtype.kind == "f"
    traced = tn.TracedTensor.input("complex64", (4, "n", None), "z")
    assert traced.shape[:2] == (4, "n")
    assert (traced.ndim, traced.name, traced.dtype) == (3, "z", "complex64")


@pytest.mark.parametrize("name", ["bool", "int64", "float32", "float64", "complex64", "complex128"])
def test_dtype_equality(name):
    d = tn.DType(name)
    assert d == name == str(d)
    assert d == np.dtype(name)
    assert np.dtype(name).type == d
    assert d == getattr(np, name)
    assert d == tn.DType(d)
    assert d != "float16"
    assert d != 3
    assert hash(d) == hash(tn.DType(np.dtype(name)))
    assert pickle.loads(pickle.dumps(d)) == d
    assert sum(d == other for other in (bool, int, float, complex)) == (name in ("bool", "int64", "float64", "complex128"))
    for bad in ("float16", np.dtype("datetime64"), 3, None):
        with pytest.raises(TypeError):
            tn.DType(bad)


def test_python_numbers():
    assert float(tn.Tensor(2.5)) == 2.5
    assert float(tn.Tensor([[2.5]])) == 2.5
    assert int(tn.Tensor(2.9)) == 2
    assert complex(tn.Tensor(1j)) == 1j
    assert range(5)[tn.Tensor(3)] == 3
    assert bool(tn.Tensor(1.0))
    assert not bool(tn.Tensor([0]))
    assert type(tn.Tensor(3).item()) is int
    assert tn.Tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    for f, bad, error in [(float, [1.0, 2.0], ValueError), (bool, [1, 2], ValueError), (float, 1j, TypeError), (len, 1.0, TypeError),
                          (iter, 1.0, TypeError), (range(3).__getitem__, 1.0, TypeError)]:  # fmt: skip
        with pytest.raises(error):
            f(tn.Tensor(bad))


def test_iteration_and_identity():
    t = tn.Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert [row.tolist() for row in t] == [[1, 2], [3, 4]]
    assert all(np.shares_memory(row.numpy(), t.numpy()) for row in t)
    a, b = t[0]
    assert (float(a), float(b)) == (1, 2)
    assert len({t, tn.Tensor([1.0]), t}) == 2
    assert (t == 2.0).tolist() == [[False, True], [False, False]]
    assert (t != None) is True  # noqa: E711
    assert (t == "a") is False


INDICES = [0, -1, (1, 2), (..., 0), (None, 1), slice(1, None), (slice(None), slice(None, None, 2)), (slice(None, None, -1),), (slice(-2, 100), None),
           (..., None), (slice(2, 1),), (slice(None, None, -2), 1, slice(3, 0, -2)), (), (slice(10, None),), (0, 0, 0), (slice(None, -1),)]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=map(str, INDICES))
def test_basic_indexing(index):
    a = np.arange(60).reshape(3, 4, 5)
    got = tn.Tensor(a, copy=False)[index]
    np.testing.assert_array_equal(got.numpy(), a[index])
    assert got.size == 0 or np.shares_memory(got.numpy(), a)
    entries = index if isinstance(index, tuple) else (index,)
    if not any(isinstance(i, slice) and (i.step or 1) < 0 for i in entries):
        assert tn.TracedTensor.input("int64", a.shape)[index].shape == a[index].shape


@pytest.mark.parametrize("index", [3, -4, (0, 4), (0, 0, 0, 0), (..., ...), slice(None, None, 0)])
def test_bad_index(index):
    for t in (tn.Tensor(np.zeros((3, 4, 5))), tn.TracedTensor.input("float64", (3, 4, 5))):
        with pytest.raises((IndexError, ValueError), match="index"):
            t[index]
    for bad in (1.5, "a", np.array([0.5, 1.0])):
        with pytest.raises(TypeError):
            tn.Tensor(np.zeros(3))[bad]


def test_methods_and_operators_match_numpy():
    a = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
    t = tn.Tensor(a)
    pairs = [(-t, -a), (+t, a), (abs(t), abs(a)), (t**2, a**2), (t**3, a**3), (t**4, a**4), (t**-1, a**-1.0), (abs(t) ** 0.5, abs(a) ** 0.5),
             (t @ t.T, a @ a.T), (2 - t, 2 - a), (1 / t, 1 / a), (t <= 3, a <= 3), (t > 3, a > 3), (t.sum(), a.sum()), (t.sum(0), a.sum(0)),
             (t.sum(axis=1, keepdims=True), a.sum(1, keepdims=True)), (t.max(axis=-1), a.max(-1)), (t.mean(), a.mean()),
             (t.reshape(3, 2), a.reshape(3, 2)), (t.reshape((6,)), a.reshape(6)), (t.reshape(-1), a.reshape(-1)), (t.T, a.T),
             (t.transpose(1, 0), a.T), (t.transpose(), a.T), (t.astype(complex).imag, a.astype(complex).imag), (t.real, a.real),
             (t.conj(), a.conj()), (t.reduce_sum(), a.sum()), (t.reduce_sum([0, 1]), a.sum()), (t.reduce_max(), a.max())]  # fmt: skip
    for got, wanted in pairs:
        np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-15)
        assert got.dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose((abs(t) ** 2.5).numpy(), np.abs(t.numpy()) ** 2.5, rtol=4e-16)
    with pytest.raises(TypeError, match="modulus"):
        pow(t, 2, 3)


def test_copies_and_pickles():
    for a in (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.ones((2, 2), "c8")), np.zeros((0, 2)), np.array(True), np.arange(5)[::-2]):
        t = tn.Tensor(a, copy=False)
        assert copy.copy(t) is t
        for u in (copy.deepcopy(t), t.copy(), *(pickle.loads(pickle.dumps(t, p)) for p in range(2, 6))):
            assert type(u) is tn.Tensor
            assert u.dtype == t.dtype
            np.testing.assert_array_equal(u.numpy(), a)
            assert not np.shares_memory(u.numpy(), a)


def machinery():
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    x = tn.TracedTensor.input("float64", (3,))
    compiled = tn.GraphCompiler().compile(x * x)
    prepared = runtime.prepare(compiled, [("float64", (3,))], [engine.target()])
    eager = tn.EagerRuntime()
    return [engine, runtime, compiled, prepared, engine.registration(), eager, eager.variable_from([1.0]), x]


@pytest.mark.parametrize("thing", machinery(), ids=lambda t: type(t).__name__)
def test_machinery_refuses_pickling(thing):
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(thing)
    with pytest.raises(TypeError):
        copy.deepcopy(thing)


def test_targets_are_values():
    a, b = tn.CpuEngine.serial().target(), tn.CpuEngine(threads=2).target()
    assert a == b == tn.Target("cpu")
    assert hash(a) == hash(b)
    assert a != tn.Target("gpu")


def test_exceptions_are_builtin_ones_too():
    for name, base in [("ShapeError", ValueError), ("DTypeError", TypeError), ("AxisError", IndexError), ("AxisError", ValueError), ("EngineError", RuntimeError),
                       ("MissingRuleError", NotImplementedError), ("BindingError", ValueError), ("LinAlgError", ValueError)]:  # fmt: skip
        error = getattr(tn, name)
        assert issubclass(error, base)
        assert issubclass(error, tn.TenferroError)
        assert repr(error) == f"<class 'tenferro_py.{name}'>"


def test_default_engine_threads():
    x = np.arange(4.0)
    with tn.threads(1):
        one = (tn.Tensor(x) * 3).tolist()
        with tn.threads(2):
            assert (tn.Tensor(x) * 3).tolist() == one
    with pytest.raises(ValueError, match="thread"):
        tn.threads(0)
    with pytest.raises(ValueError, match="thread"):
        tn.CpuEngine(threads=0)


def heavy():
    """About a second of work in many instructions, prepared."""
    x = tn.TracedTensor.input("float64", (300, 300))
    y = x
    for _ in range(100):
        u, s, vh = tn.linalg.svd(y + x, full_matrices=False)
        y = u * s + vh
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(tn.GraphCompiler().compile(y), [("float64", (300, 300))], [engine.target()])
    return engine, runtime, prepared, np.random.default_rng(0).standard_normal((300, 300))


INTERRUPTED = """
import os, signal, sys, threading, time
sys.path.insert(0, {tests!r})
import numpy as np
import tenferro_py as tn
from test_python_objects import heavy
signal.signal(signal.SIGINT, signal.default_int_handler)
engine, runtime, prepared, a = heavy()
sent = []
def interrupt():
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer(0.3, interrupt)
timer.start()
try:
    runtime.run([engine], prepared, [a])
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - sent[0])
    small = tn.TracedTensor.input("float64", (2,))
    p = runtime.prepare(tn.GraphCompiler().compile(small * small), [("float64", (2,))], [engine.target()])
    print(runtime.run([engine], p, [np.array([2.0, 3.0])])[0].numpy().tolist())
"""


def script(text):
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_control_c_ends_a_run_and_leaves_the_engine_usable():
    out = script(INTERRUPTED.format(tests=str(pathlib.Path(__file__).parent)))
    words = out.split()
    assert words[0] == "interrupted", "the run ended before the signal: make it longer"
    assert float(words[1]) < 1.0
    assert "[4.0, 9.0]" in out


def test_other_threads_run_python_meanwhile():
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    x = tn.TracedTensor.input("float64", (3,))
    small = runtime.prepare(tn.GraphCompiler().compile(x * 2.0), [("float64", (3,))], [engine.target()])
    ticks = []

    def count():
        while len(ticks) < 20:
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    counter = threading.Thread(target=count)
    runner = threading.Thread(target=runtime.run, args=([engine], small, [np.ones(3)]))
    counter.start()
    runner.start()
    matrix = tn.TracedTensor.input("float64", (400, 400))
    long = runtime.prepare(tn.GraphCompiler().compile(tn.linalg.svdvals(matrix)), [("float64", (400, 400))], [engine.target()])
    start = time.perf_counter()
    runtime.run([engine], long, [np.random.default_rng(0).standard_normal((400, 400))])
    end = time.perf_counter()
    counter.join()
    runner.join()
    assert sum(start < t < end for t in ticks) >= 2, "Python stood still during a run"


def test_one_engine_from_several_threads():
    engine = tn.CpuEngine(threads=2)
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    x = tn.TracedTensor.input("float64", (2000,))
    prepared = runtime.prepare(tn.GraphCompiler().compile(tn.sum(tn.sin(x) * x)), [("float64", (2000,))], [engine.target()])
    a = [np.linspace(0, k, 2000) for k in range(1, 9)]
    wanted = [float(runtime.run([engine], prepared, [v])[0].into_tensor(engine)) for v in a]
    got = [[] for _ in a]

    def work(i):
        for _ in range(50):
            got[i].append(float(runtime.run([engine], prepared, [a[i]])[0].into_tensor(engine)))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(a))]
    for t in threads:
        t.start()
    for t in threads:
        t.join(30)
    assert got == [[w] * 50 for w in wanted]


def test_session_makes_other_threads_wait_and_itself_refuse():
    engine = tn.CpuEngine.serial()
    rt = tn.EagerRuntime()
    order = []

    def other():
        with rt.eager_session(engine):
            order.append("other")
            assert float(rt.constant_from(2.0) * 3.0) == 6.0

    thread = threading.Thread(target=other)
    with rt.eager_session(engine):
        thread.start()
        time.sleep(0.1)
        order.append("first")
        with pytest.raises(tn.EngineError, match="re-entry"):
            rt.eager_session(engine).__enter__()
    thread.join(10)
    assert not thread.is_alive()
    assert order == ["first", "other"]
    assert float(rt.with_eager_session(engine, lambda s: s.mul(rt.constant_from(2.0), 4.0))) == 8.0


FORKED = """
import os, sys
import numpy as np
import tenferro_py as tn
engine = tn.CpuEngine(threads=2)
runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
x = tn.TracedTensor.input("float64", (1 << 20,))
prepared = runtime.prepare(tn.GraphCompiler().compile(tn.sum(tn.sin(x) * x * x)), [("float64", (1 << 20,))], [engine.target()])
a = np.linspace(0, 1, 1 << 20)
one = float(runtime.run([engine], prepared, [a])[0].into_tensor(engine))
default = float(prepared(a))
pid = os.fork()
if pid == 0:
    same = float(runtime.run([engine], prepared, [a])[0].into_tensor(engine)) == one == float(prepared(a))
    os._exit(0 if same else 1)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status), one == default)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_fork_after_use():
    assert script(FORKED).split() == ["0", "True"]


def test_signal_handler_runs_during_a_run():
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        pytest.skip("needs signals on the main thread")
    engine, runtime, prepared, a = heavy()

    class Enough(Exception):
        pass

    def enough(*_):
        # The engine is in use on this very thread.
        with pytest.raises(tn.EngineError, match="re-entry"):
            runtime.run([engine], prepared, [a])
        raise Enough

    old = signal.signal(signal.SIGALRM, enough)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Enough):
            runtime.run([engine], prepared, [a])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
