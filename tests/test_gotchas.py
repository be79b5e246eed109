"""Derivatives where textbooks are silent: ties, zeros, branches, infinities, repeats, nothing.

The table is in `edges` and `edges_structure`; each edge runs traced and eager, to second
order where the table says it.
"""

import edges
import edges_structure
import numpy as np
import pytest
import running

import tenferro_py as tn

EDGES = edges.EDGES + edges_structure.EDGES
SECOND = [e for e in EDGES if e.second is not None]
INF = np.inf


def loss(call):
    return lambda *xs: tn.sum(tn.real(call(*xs)))


def gradients(call, n):
    """The gradients of the loss by each of n arguments, as a function."""
    g = tn.grad(loss(call), argnums=tuple(range(n)))
    return lambda *xs: g(*xs)


def total(call, n):
    """The sum of all elements of the gradients."""
    g = gradients(call, n)

    def f(*xs):
        parts = [tn.sum(tn.real(x)) for x in g(*xs)]
        return sum(parts[1:], parts[0])

    return f


def backward(f, args):
    """Gradients of a scalar function by eager backward; zeros where it does not depend."""
    rt = tn.EagerRuntime()
    with rt.eager_session(tn.CpuEngine.serial()):
        xs = [rt.variable_from(a) for a in args]
        y = f(*xs)
        if y.requires_grad:
            y.backward()
        return [np.zeros_like(a) if x.grad() is None else x.grad().numpy() for x, a in zip(xs, args, strict=True)]


def compare(got, wanted, args):
    for g, w, a in zip(got, wanted, args, strict=True):
        g = np.asarray(g)
        assert (g.shape, g.dtype) == (a.shape, a.dtype)
        np.testing.assert_allclose(g, np.broadcast_to(np.asarray(w, a.dtype), a.shape), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("edge", EDGES, ids=str)
def test_first_derivative(edge):
    compare(gradients(edge.call, len(edge.args))(*edge.args), edge.gradients, edge.args)
    compare(backward(loss(edge.call), edge.args), edge.gradients, edge.args)


@pytest.mark.parametrize("edge", SECOND, ids=str)
def test_second_derivative(edge):
    f = total(edge.call, len(edge.args))
    compare(tn.grad(f, argnums=tuple(range(len(edge.args))))(*edge.args), edge.second, edge.args)
    compare(backward(f, edge.args), edge.second, edge.args)


FORWARD = [e for e in EDGES if all(np.all(np.isfinite(np.asarray(g))) for g in e.gradients) and not e.name.startswith("empty")]


@pytest.mark.parametrize("edge", FORWARD, ids=str)
def test_pushed_forward(edge, rng):
    """⟨gradient, t⟩ is the derivative along t: jvp has the same convention."""
    tangents = [running.random_like(rng, a) for a in edge.args]
    values = running.traced(edge.call, edge.args)
    jv, _ = running.jvp_and_vjp(edge.call, edge.args, tangents, [np.ones_like(v) for v in values])
    wanted = sum(running.inner(np.broadcast_to(g, t.shape), t) for g, t in zip(edge.gradients, tangents, strict=True))
    got = sum(float(np.sum(np.real(j))) for j in jv)
    assert got == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("dtype", "scale"), [("float32", 1e-25), ("float32", 1e25), ("float64", 1e-200), ("float64", 1e200)])
def test_the_angle_far_from_one(dtype, scale):
    """x/(x² + y²) where the squares underflow or overflow."""
    y, x = np.array([3 * scale], dtype), np.array([4 * scale], dtype)
    a, b = tn.grad(lambda y, x: tn.sum(tn.atan2(y, x)), argnums=(0, 1))(y, x)
    np.testing.assert_allclose([a.numpy() * x, b.numpy() * y], [[0.64], [-0.36]], rtol=1e-5)


VALUES = {"sum": 0.0, "prod": 1.0, "mean": np.nan, "var": np.nan, "std": np.nan, "median": np.nan, "logsumexp": -INF}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_nothing(name):
    for run in (running.traced, running.eager):
        for shape, axis in (((0,), None), ((2, 0), 1), ((0, 3), 0)):
            (y,) = run(lambda x, axis=axis: getattr(tn, name)(x, axis=axis), [np.zeros(shape)])
            np.testing.assert_array_equal(y, np.full(y.shape, VALUES[name]))
    assert float(tn.linalg.vector_norm(np.zeros(0))) == 0.0
    assert float(tn.linalg.det(np.zeros((0, 0)))) == 1.0


@pytest.mark.parametrize("name", ["max", "min", "ptp", "argmax", "argmin"])
def test_extremes_of_nothing_are_refused(name):
    for make in (np.asarray, tn.TracedTensor.from_array, tn.EagerRuntime().variable_from):
        with pytest.raises(ValueError, match="no elements"):
            getattr(tn, name)(make(np.zeros((2, 0))), axis=1)


def test_singular_matrices_are_refused_or_right():
    """No derivative is a NaN or a number of rounding."""
    singular = np.array([[1.0, 2.0], [2.0, 4.0]])
    ones = np.ones((3, 2))
    for f in (
        lambda x: tn.linalg.slogdet(x)[1],
        lambda x: tn.sum(tn.linalg.lu(x)[1]),
        lambda x: tn.sum(tn.linalg.qr(x)[1]),
        lambda x: tn.sum(tn.linalg.inv(x)),
        lambda x: tn.sum(tn.linalg.cholesky(x)),
        lambda x: tn.sum(tn.linalg.sqrtm(x)),
    ):
        with pytest.raises(tn.LinAlgError):
            tn.grad(f)(singular)
    with pytest.raises(tn.LinAlgError, match="rank"):
        tn.grad(lambda x: tn.sum(tn.linalg.lstsq(x, np.ones(3))[0]))(ones)


@pytest.mark.parametrize("a", [[[0.0, 1.0], [0.0, 0.0]], [[2.0, 1.0], [0.0, 2.0]], [[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]]])
def test_defective_matrices_are_refused(a):
    """Without a basis of eigenvectors eigenvalues have no derivative, and even their sums no way to it."""
    for f in (lambda x: tn.linalg.eigvals(x) ** 2, lambda x: tn.linalg.eig(x)[1]):
        with pytest.raises(tn.LinAlgError, match="eig"):
            tn.grad(lambda x, f=f: tn.sum(tn.real(f(x))))(np.array(a))


def test_the_second_derivative_of_det_at_a_singular_matrix():
    """Refused, or the exact [[1, −1], [−1, 1]] of the sum of the adjugate."""
    try:
        second = tn.grad(total(tn.linalg.det, 1))(np.array([[1.0, 2.0], [2.0, 4.0]]))
    except tn.LinAlgError as error:
        assert "singular" in str(error)  # noqa: PT017
    else:
        np.testing.assert_allclose(second.numpy(), [[1, -1], [-1, 1]], atol=1e-13)
