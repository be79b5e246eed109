"""grad and value_and_grad: composition, traces, eager tensors, and what they remember."""

import numpy as np
import pytest

import tenferro_py as tn


def quartic(x):
    return tn.sum(x * x * x * x)


@pytest.mark.parametrize("x", [2.0, np.float64(-1.5)])
def test_gradients_of_gradients(x):
    f = lambda x: x * x * x * x  # noqa: E731
    d2 = tn.grad(tn.grad(f))
    d3 = tn.grad(tn.grad(tn.grad(f)))
    assert float(tn.grad(f)(x)) == pytest.approx(4 * x**3, rel=1e-14)
    assert float(d2(x)) == pytest.approx(12 * x**2, rel=1e-14)
    assert float(d3(x)) == pytest.approx(24 * x, rel=1e-14)
    # A second call runs what the first one prepared.
    assert float(d2(2 * x)) == pytest.approx(48 * x**2, rel=1e-14)


def test_hessian_vector_product_against_differences(rng):
    x, v = rng.standard_normal(5), rng.standard_normal(5)
    f = lambda x: tn.sum(tn.sin(x) * tn.exp(x * tn.sum(x) * 0.1))  # noqa: E731
    g = tn.grad(f)
    hv = tn.grad(lambda x: tn.sum(g(x) * v))(x).numpy()
    h = 1e-5
    np.testing.assert_allclose(hv, (g(x + h * v).numpy() - g(x - h * v).numpy()) / (2 * h), rtol=1e-8, atol=1e-9)


def test_value_and_gradient_inside_a_gradient():
    def penalty(x):
        value, g = tn.value_and_grad(quartic)(x)
        return value + tn.sum(g * g)

    x = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(tn.grad(penalty)(x).numpy(), 4 * x**3 + 2 * 4 * x**3 * 12 * x**2, rtol=1e-13)


def test_no_confusion_of_inner_and_outer():
    # d/dx [x · d/dy (x y)] = d/dx [x · x] = 2x; the inner derivative must not see the x outside.
    outer = tn.grad(lambda x: x * tn.grad(lambda y: x * y)(x))
    assert float(outer(3.0)) == 6.0
    # The same value as both arguments: only one of them is differentiated by.
    both = tn.grad(lambda x: tn.grad(lambda a, b: a * a * b)(x, x))
    assert float(both(3.0)) == 12.0
    # A constant argument inside, the trace's value by closure.
    assert float(tn.grad(lambda x: tn.grad(lambda y: x * x * y)(5.0))(3.0)) == 6.0


def test_several_arguments_and_unused_ones():
    f = lambda a, b, c: tn.sum(a * b)  # noqa: E731
    g = tn.grad(f, argnums=(0, 1, 2))
    second = tn.grad(lambda a, b, c: tn.sum(sum(g(a, b, c)) * a), argnums=1)
    a, b, c = np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.array([np.inf, np.nan])
    # Zeros, not 0 · inf.
    assert [x.tolist() for x in g(a, b, c)] == [b.tolist(), a.tolist(), [0.0, 0.0]]
    np.testing.assert_array_equal(second(a, b, np.zeros(2)).numpy(), a)


def test_in_a_trace_by_hand():
    x = tn.TracedTensor.input("float64", (None,))
    g = tn.grad(quartic)(x)
    assert isinstance(g, tn.TracedTensor)
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    compiled = tn.GraphCompiler().compile([g, tn.sum(g).grad(x)])
    for n in (2, 3):
        a = np.arange(1.0, n + 1)
        prepared = runtime.prepare(compiled, [("float64", (n,))], [engine.target()])
        first, second = (o.into_tensor(engine).numpy() for o in runtime.run([engine], prepared, [a]))
        np.testing.assert_array_equal(first, 4 * a**3)
        np.testing.assert_array_equal(second, 12 * a**2)


def test_through_a_decomposition(rng):
    a = rng.standard_normal((3, 3))
    f = lambda a: tn.sum(tn.linalg.svd(a, full_matrices=False)[1][:2] ** 3)  # noqa: E731
    g = tn.grad(f)
    w = rng.standard_normal((3, 3))
    hw = tn.grad(lambda a: tn.sum(g(a) * w))(a).numpy()
    h = 1e-5
    np.testing.assert_allclose(hw, (g(a + h * w).numpy() - g(a - h * w).numpy()) / (2 * h), rtol=1e-6, atol=1e-8)


def test_on_eager_tensors():
    rt = tn.EagerRuntime()
    for scale in (1.0, 2.0, 3.0):
        x = rt.variable_from(scale * np.array([1.0, 2.0]))
        value, g = tn.value_and_grad(quartic)(x)
        assert isinstance(g, tn.EagerTensor)
        np.testing.assert_array_equal(g.detach().numpy(), 4 * x.detach().numpy() ** 3)
        (tn.sum(g) + value).backward()
        a = x.detach().numpy()
        np.testing.assert_allclose(x.grad().numpy(), 12 * a**2 + 4 * a**3, rtol=1e-15)
    x = tn.TracedTensor.input("float64", (2,))
    v = rt.variable_from([1.0, 2.0])
    with pytest.raises(ValueError, match="eager tensor meets a traced one"):
        tn.grad(lambda a, b: tn.sum(a * b))(x, v)


def test_signatures_are_remembered_one_by_one():
    traces = []

    def f(x):
        traces.append(x.shape)
        return tn.sum(x * x)

    g = tn.grad(f)
    for n in range(1, 80):
        g(np.zeros(n))
        assert len(traces) == n
    g(np.zeros(79))
    assert len(traces) == 79, "the newest is still known"
    g(np.zeros(79, dtype=np.float32))
    assert len(traces) == 80, "another dtype is another signature"


def test_arguments_are_read_at_every_call():
    g = tn.grad(lambda x: tn.sum(x * x))
    a = np.array([1.0, 2.0])
    first = g(a)
    a[:] = [3.0, 4.0]
    assert (first.tolist(), g(a).tolist()) == ([2.0, 4.0], [6.0, 8.0])
    # The gradient may be an argument itself: then it is a copy of its memory.
    same = tn.grad(lambda x, y: tn.sum(x * y))(a, a)
    a[:] = 0
    assert same.tolist() == [3.0, 4.0]


@pytest.mark.parametrize(
    "build", [lambda x: [x[1], 2.0 * x[0]], lambda x: [[1.0, x[1]], [x[0] * x[1], 3]], lambda x: (np.float64(2.0), x[0])]
)
def test_lists_of_recorded_numbers_are_arrays(build):
    """As `jnp.array([x[0], 2 * x[1]])`: a stack that gradients flow through, traced and eager."""
    at = np.array([0.5, 1.5])
    f = lambda x: tn.sum(tn.square(tn.asarray(build(x))))  # noqa: E731
    h = 1e-6
    expected = [(float(f(tn.Tensor(at + d))) - float(f(tn.Tensor(at - d)))) / (2 * h) for d in np.eye(2) * h]
    np.testing.assert_allclose(tn.grad(f)(at).numpy(), expected, atol=1e-8)
    v = tn.EagerRuntime().variable_from(at)
    f(v).backward()
    np.testing.assert_allclose(v.grad().numpy(), expected, atol=1e-8)
