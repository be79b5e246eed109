"""Mistakes: a specific exception with op and facts, and the engine usable afterwards."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import tenferro_py as tn


@pytest.fixture
def usable(engine):
    yield engine
    x = tn.TracedTensor.from_array(np.ones(3))
    runtime, prepared = prepare([x + x], engine)
    (out,) = runtime.run([engine], prepared, [])
    np.testing.assert_array_equal(out.into_tensor(engine).numpy(), [2, 2, 2])


def prepare(outputs, engine, signature=()):
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    return runtime, runtime.prepare(tn.GraphCompiler().compile(outputs), list(signature), [engine.target()])


def test_shapes_and_dtypes():
    x = tn.TracedTensor.input("float64", (2, 3))
    with pytest.raises(tn.ShapeError, match=r"add: .*\(2, 3\).*\(4,\)"):
        x + np.zeros(4)
    with pytest.raises(tn.AxisError, match="axis 5"):
        tn.sum(x, axis=5)
    with pytest.raises(tn.DTypeError, match="erf"):
        tn.erf(tn.TracedTensor.input("complex128", (2,)))
    with pytest.raises(IndexError, match="index 7"):
        x[7]


def test_gradients_of_the_wrong_thing():
    x = tn.TracedTensor.input("float64", (2,))
    with pytest.raises(tn.ShapeError, match="scalar"):
        x.grad(x)
    z = tn.TracedTensor.input("complex128", ())
    with pytest.raises(tn.DTypeError, match="complex128"):
        z.grad(z)
    n = tn.TracedTensor.input("int64", ())
    with pytest.raises(tn.DTypeError, match="int64"):
        tn.astype(n, "float64").grad(n)


def test_bindings(usable):
    x, y = tn.TracedTensor.input("float64", (3,), "x"), tn.TracedTensor.input("float64", (3,), "y")
    runtime = tn.Runtime.builder().register_engine(usable.registration()).build()
    compiled = tn.GraphCompiler().compile(x + y)
    with pytest.raises(tn.BindingError, match="unbound"):
        runtime.prepare(compiled, [("float64", (3,))], [usable.target()])
    with pytest.raises(tn.DTypeError, match="x"):
        runtime.prepare(compiled, [("float32", (3,)), ("float64", (3,))], [usable.target()])
    bound = compiled.bind(compiled.input_keys[0], np.ones(3))
    with pytest.raises(tn.BindingError, match="bound already"):
        bound.bind(compiled.input_keys[0], np.ones(3))
    with pytest.raises(tn.BindingError, match="not an input"):
        compiled.bind(10**15, np.ones(3))
    prepared = runtime.prepare(bound, [("float64", (3,))], [usable.target()])
    with pytest.raises(tn.BindingError, match="1 inputs expected, got 2"):
        runtime.run([usable], prepared, [np.ones(3), np.ones(3)])
    with pytest.raises(tn.ShapeError, match=r"\(4,\)"):
        runtime.run([usable], prepared, [np.ones(4)])
    with pytest.raises(tn.DTypeError, match="float32"):
        runtime.run([usable], prepared, [np.ones(3, "float32")])


def test_targets(usable):
    x = tn.TracedTensor.input("float64", (3,))
    runtime = tn.Runtime.builder().register_engine(usable.registration()).build()
    with pytest.raises(tn.EngineError, match="gpu"):
        runtime.prepare(tn.GraphCompiler().compile(x + x), [("float64", (3,))], [tn.Target("gpu")])
    prepared = runtime.prepare(tn.GraphCompiler().compile(x + x), [("float64", (3,))], [usable.target()])
    with pytest.raises(tn.EngineError, match="slot"):
        runtime.run([usable, usable], prepared, [np.ones(3)])


def test_not_finite_into_a_factorization(usable):
    x = tn.TracedTensor.input("float64", (3, 3))
    runtime, prepared = prepare(list(tn.linalg.svd(x)), usable, [("float64", (3, 3))])
    for bad in (np.nan, np.inf):
        with pytest.raises(tn.LinAlgError, match="svd"):
            runtime.run([usable], prepared, [np.full((3, 3), bad)])
    out = runtime.run([usable], prepared, [np.eye(3)])
    np.testing.assert_allclose(out[1].numpy(), [1, 1, 1])


def test_values_from_nowhere():
    x = tn.TracedTensor.input("float64", ())
    y = tn.TracedTensor.input("float64", ())
    # Not an ancestor: the gradient is zero, as in JAX.
    assert tn.GraphCompiler().compile(x.grad(y)).program().n_inputs == 0
    with pytest.raises(TypeError):
        tn.grad(lambda x: 3.0)(1.0)
    with pytest.raises(tn.BindingError):
        tn.GraphCompiler().compile([])


@pytest.mark.parametrize("make", [tn.CpuEngine.serial, tn.GraphCompiler().compile], ids=["engine", "compiled"])
def test_no_pickles(make, engine):
    thing = make() if make is tn.CpuEngine.serial else make(tn.TracedTensor.input("float64", ()))
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(thing)


def test_traced_tensors_have_no_data():
    x = tn.TracedTensor.input("float64", ())
    for f in (bool, float, np.asarray):
        with pytest.raises(TypeError):
            f(x)
    rt = tn.EagerRuntime()
    with pytest.raises(TypeError, match="detach"):
        np.asarray(rt.variable_from(np.ones(2)))


def test_what_cannot_fit_into_memory():
    for call in (
        lambda: tn.pad([1.0], ((2**61, 0),)),
        lambda: tn.pad([1.0], ((2**62, 2**62),)),
        lambda: tn.broadcast_to(tn.Tensor([1.0]), (2**55,)).tolist(),
        lambda: tn.broadcast_to(tn.Tensor([1.0]), (2**60,)) + 1.0,
    ):
        with pytest.raises((MemoryError, ValueError)):
            call()
    assert tn.sum([1.0, 2.0]).item() == 3.0


def test_inputs_keep_the_order_in_which_they_were_made():
    a, b = tn.TracedTensor.input("float64", (2,)), tn.TracedTensor.input("float64", (2,))
    compiled = tn.GraphCompiler().compile(b - 2 * a)
    assert [i.key for i in compiled.inputs] == [a.key, b.key]


def test_lengths_and_objects_of_the_wrong_kind():
    for call in (
        lambda: tn.broadcast_to([1.0], (-1,)),
        lambda: tn.pad([1.0], ((-1, 0),)),
        lambda: tn.CpuEngine(threads=-1),
        lambda: tn.linalg.svd_trunc([[1.0]], -1),
        lambda: tn.TracedTensor.input("float64", (-1,)),
    ):
        with pytest.raises(ValueError, match="got -1"):
            call()
    with pytest.raises(TypeError, match="compile: needs traced tensors"):
        tn.GraphCompiler().compile(None)
    t = tn.Tensor([1.0])
    assert (t == object()) is False
    assert f"{tn.Tensor(1.25):.1f}" == "1.2"
    with pytest.raises(TypeError, match="float64"):
        tn.Tensor([1 + 2j], "float64")
    with pytest.raises(TypeError, match="int64"):
        tn.Tensor([float("nan")], "int64")


def test_memory_that_is_not_there_is_an_error():
    """In a process of its own with little memory: an array that does not fit ends the call, not the process."""
    text = """
import resource
import tenferro_py as tn
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
for make in (tn.empty, tn.zeros, tn.ones, lambda n: tn.full(n, 2.5), tn.arange, tn.eye, lambda n: tn.linspace(0.0, 1.0, n)):
    for n in (2**17 if make is tn.eye else 2**31, 2**62):
        try:
            make(n)
        except MemoryError as e:
            assert "memory" in str(e)
        else:
            raise SystemExit("made")
print(tn.zeros(3).tolist())
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[0.0, 0.0, 0.0]\n", done.stderr


def test_orders_of_polygamma_are_bounded():
    with pytest.raises(tn.ArgumentError, match="polygamma: the order is at most"):
        tn.polygamma(2**40, [1.0])
