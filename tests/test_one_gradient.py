"""The thinnest path, stage by stage: Σ x² and Σ sin(x)·x² in both front ends."""

import numpy as np
import pytest
import running

import tenferro_py as tn


def walk(graph):
    """All fragments reachable through parents."""
    seen, todo = {}, [graph]
    while todo:
        g = todo.pop()
        if g.id not in seen:
            seen[g.id] = g
            todo.extend(g.parents())
    return list(seen.values())


def sum_of_squares(n=3):
    x = tn.TracedTensor.from_vec_col_major([n], np.arange(1.0, n + 1))
    return x, (x * x).reduce_sum([0])


def prepared_run(outputs, engine):
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    compiled = tn.GraphCompiler().compile(outputs)
    prepared = runtime.prepare(compiled, [], [engine.target()])
    return [np.array(o.into_tensor(engine).numpy()) for o in runtime.run([engine], prepared, [])]


def test_forward_graph():
    _, y = sum_of_squares()
    fragments = walk(y.graph)
    assert len(fragments) == 3
    assert sum(len(f.operations()) for f in fragments) == 2
    (op,) = y.graph.operations()
    assert op.name == "ReduceSum"
    assert op.attributes["axes"] == "[0]"
    assert op.role == "Primary"
    assert len(op.inputs) == 1


def test_gradient_graph():
    x, y = sum_of_squares()
    g = y.grad(x)
    (fragment,) = walk(g.graph)
    ops = fragment.operations()
    assert [op.name for op in ops] == ["BroadcastInDim", "Mul", "Mul", "Add"]
    assert ops[0].attributes["shape"] == "[Const(3)]"
    assert ops[0].attributes["dims"] == "[]"


def test_compiled_gradient():
    x, y = sum_of_squares()
    g = y.grad(x)
    compiled = tn.GraphCompiler().compile(g)
    assert len(compiled.inputs) == 2
    assert len(set(compiled.input_keys)) == 2
    assert len(compiled.bindings) == 2
    assert len(compiled.outputs) == 1
    program = compiled.program()
    assert repr(program) == "SemanticProgram { inputs: 2, outputs: 1, values: 5, operations: 3, shape_guards: 0 }"
    assert [op.name for op in program.operations()] == ["BroadcastInDim", "Mul", "Add"]
    assert len(compiled.fingerprint) == 16
    assert tn.GraphCompiler().compile(g).fingerprint == compiled.fingerprint
    x2, y2 = sum_of_squares(10**6)
    assert tn.GraphCompiler().compile(y2.grad(x2)).fingerprint != compiled.fingerprint


def test_values(engine):
    x, y = sum_of_squares()
    t = tn.TracedTensor.from_vec_col_major([3], [0.1, 1.0, -2.0])
    value, gradient, along = prepared_run([y, y.grad(x), y.jvp(x, t)], engine)
    assert value == 14
    np.testing.assert_array_equal(gradient, [2, 4, 6])
    assert abs(along + 7.8) < 1e-15


def test_prepare_once_run_many():
    x = tn.TracedTensor.input("float64", (3,))
    g = (x * x).reduce_sum([0]).grad(x)
    compiled = tn.GraphCompiler().compile(g)
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(compiled, [("float64", (3,))], [engine.target()])
    runtime.warm_up([engine], prepared, [np.zeros(3)])
    for k in range(50):
        (out,) = runtime.run([engine], prepared, [np.full(3, float(k))])
        np.testing.assert_array_equal(out.into_tensor(engine).numpy(), np.full(3, 2.0 * k))
    other = tn.CpuEngine(threads=2)
    (out,) = runtime.run([other], prepared, [np.ones(3)])
    np.testing.assert_array_equal(out.into_tensor(other).numpy(), [2, 2, 2])
    second = tn.Runtime.builder().register_engine(other.registration()).build()
    again = second.prepare(compiled, [("float64", (3,))], [other.target()])
    (out,) = second.run([other], again, [np.ones(3)])
    np.testing.assert_array_equal(out.into_tensor(other).numpy(), [2, 2, 2])
    np.testing.assert_array_equal(prepared(np.ones(3)).numpy(), [2, 2, 2])


@pytest.mark.parametrize("f", [lambda x: x, lambda x: tn.permute_dims(x, (1, 0))], ids=["identity", "transposed"])
def test_borrowed_outputs(f, engine):
    x = tn.TracedTensor.input("float64", (2, 3))
    compiled = tn.GraphCompiler().compile(f(x))
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(compiled, [("float64", (2, 3))], [engine.target()])
    a = np.arange(6.0).reshape(2, 3)
    (out,) = runtime.run([engine], prepared, [a])
    assert out.is_borrowed
    assert np.shares_memory(out.numpy(), a)
    np.testing.assert_array_equal(out.numpy(), a if f(x).shape == (2, 3) else a.T)
    a[0, 1] = 100.0
    assert 100.0 in out.numpy()
    kept = out.into_tensor(engine).numpy()
    assert not np.shares_memory(kept, a)
    a[0, 1] = -1.0
    assert 100.0 in kept


def test_eager_matches():
    rt = tn.EagerRuntime()
    engine = tn.CpuEngine.serial()
    x = rt.variable_from(np.array([1.0, 2.0, 3.0]))
    with rt.eager_session(engine) as s:
        y = s.mul(x, x).reduce_sum([0])
        y.backward()
    np.testing.assert_array_equal(x.grad().numpy(), [2, 4, 6])
    assert float(y.detach()) == 14


def test_backward_accumulates_and_clears():
    rt = tn.EagerRuntime()
    engine = tn.CpuEngine.serial()
    x = rt.variable_from(np.array([1.0, 2.0, 3.0]))
    with rt.eager_session(engine):
        y = (x + x).sum()
        y.backward(engine)
        y.backward()
    np.testing.assert_array_equal(x.grad().numpy(), [4, 4, 4])
    x.clear_grad()
    assert x.grad() is None
    with rt.eager_session(engine), pytest.raises(ValueError, match="backward"):
        (x + x).backward()


def test_no_grad_and_detach():
    rt = tn.EagerRuntime()
    x = rt.variable_from(np.array([1.0, 2.0, 3.0]))
    c = rt.constant_from(np.array([2.0, 2.0, 2.0]))
    with rt.eager_session(tn.CpuEngine.serial()):
        with rt.no_grad():
            frozen = x * x
        ((frozen + x.detach()) * x * c).sum().backward()
    np.testing.assert_array_equal(x.grad().numpy(), [4, 12, 24])
    assert c.grad() is None


def f(x):
    return tn.sum(tn.sin(x) * x * x)


def test_sin_goldens():
    x = np.linspace(-2, 2, 1000)
    leaf = tn.TracedTensor.input("float64", (1000,))
    y = f(leaf)
    g = y.grad(leaf)
    (gradient,) = running.run([g], [leaf], [x])
    assert abs(gradient[0] - 1.972602361114157) < 1e-14
    assert abs(gradient.sum() - 1818.745425877291) < 1e-10
    v = np.cos(7 * x)
    along = tn.TracedTensor.from_array(v)
    jvp, hvp = running.run([y.jvp(leaf, along), g.jvp(leaf, along)], [leaf], [x])
    np.testing.assert_allclose(jvp, (np.cos(x) * x**2 + 2 * x * np.sin(x)) @ v, rtol=1e-13)
    np.testing.assert_allclose(hvp, v * (4 * x * np.cos(x) + (2 - x * x) * np.sin(x)), rtol=1e-13, atol=1e-15)
    (eager,) = running.eager_gradients(f, [x], [np.float64(1.0)])
    np.testing.assert_allclose(eager, gradient, rtol=0, atol=4e-15)
    np.testing.assert_allclose(tn.grad(f)(x).numpy(), gradient, rtol=0, atol=1e-15)
    value, gradient2 = tn.value_and_grad(f)(x)
    assert abs(float(value) - np.sum(np.sin(x) * x * x)) < 1e-12
    np.testing.assert_array_equal(gradient2.numpy(), gradient)
