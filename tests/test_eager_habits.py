"""Eager tensors in the hands of a NumPy user: numbers, loops, indices, text, higher orders."""

import math

import numpy as np
import pytest

import tenferro_py as tn

A = np.array([[0.5, -1.0, 2.0], [3.0, 4.0, -5.0]])


@pytest.fixture
def rt():
    return tn.EagerRuntime()


KINDS = {
    "variable": lambda rt, a: rt.variable_from(a),
    "constant": lambda rt, a: rt.constant_from(a),
    "result": lambda rt, a: rt.variable_from(a) * 1.0,
}


@pytest.mark.parametrize("kind", KINDS)
def test_text(kind, rt, capsys):
    x, s = KINDS[kind](rt, A), KINDS[kind](rt, np.array(2.0 / 3))
    assert str(x) == str(A)
    assert f"{x}" == str(A)
    assert repr(x) == repr(tn.Tensor(A))
    assert f"{s:.3f} {s:8.1e}" == "0.667  6.7e-01"
    print(x[0])
    assert capsys.readouterr().out == f"{A[0]}\n"


@pytest.mark.parametrize("kind", KINDS)
def test_numbers(kind, rt):
    x = KINDS[kind](rt, np.array(2.5))
    assert (float(x), int(x), complex(x), bool(x), x.item(), x.tolist()) == (2.5, 2, 2.5 + 0j, True, 2.5, 2.5)
    assert (type(float(x)), type(x.item())) == (float, float)
    assert math.sin(x) == math.sin(2.5)
    assert math.isclose(x, 2.5)
    assert not KINDS[kind](rt, np.array([0.0]))
    many = KINDS[kind](rt, A)
    for f in (float, int, complex, bool, lambda x: x.item()):
        with pytest.raises((TypeError, ValueError)):
            f(many)
    with pytest.raises(TypeError, match="len"):
        len(x)
    with pytest.raises(TypeError):
        iter(x)
    with pytest.raises(TypeError, match="integer"):
        range(5)[x]
    assert range(5)[rt.constant_from(3)] == 3


def test_numpy_of_constants_is_their_memory_and_of_variables_refused(rt):
    c, x = rt.constant_from(A), rt.variable_from(A)
    for t in (c, x.detach()):
        np.testing.assert_array_equal(t.numpy(), A, strict=True)
        assert np.shares_memory(t.numpy(), np.asarray(t))
        assert not t.numpy().flags.writeable
        assert np.asarray(t, dtype="float32").dtype == "float32"
        assert np.array([t, t]).shape == (2, 2, 3)
        np.testing.assert_allclose(t, A)
    for t in (x, x * 2.0):
        for f in (lambda t: t.numpy(), np.asarray, np.array, lambda t: np.testing.assert_allclose(t, A)):
            with pytest.raises(TypeError, match="detach"):
                f(t)
    with rt.no_grad():
        np.testing.assert_array_equal((x * 2.0).numpy(), 2 * A)


@pytest.mark.parametrize("kind", KINDS)
def test_iteration(kind, rt):
    x = KINDS[kind](rt, A)
    assert len(x) == 2
    assert [row.tolist() for row in x] == A.tolist()
    a, (b, c, d) = x
    assert (a.tolist(), float(b), float(c), float(d)) == (A[0].tolist(), *A[1])
    assert [i for i, _ in enumerate(x)] == [0, 1]
    assert sum(x).tolist() == A.sum(0).tolist()
    assert (float(max(a)), float(min(a)), [float(v) for v in sorted(a)]) == (2.0, -1.0, sorted(A[0]))
    assert tn.stack(list(x)).tolist() == A.tolist()
    assert any(a > 1)
    assert not all(a > 1)


@pytest.mark.parametrize("kind", KINDS)
def test_membership_and_reversal(kind, rt):
    x = KINDS[kind](rt, A)
    assert 4.0 in x
    assert 7.0 not in x
    assert [row.tolist() for row in reversed(x)] == A[::-1].tolist()


def test_identity(rt):
    x = rt.variable_from(A)
    assert {x: 1}[x] == 1
    assert len({x, rt.variable_from(A)}) == 2
    assert (x == None) is False  # noqa: E711
    assert (x != "a") is True
    assert isinstance(x, tn.Array)
    assert (x.shape, x.ndim, x.size, x.dtype) == ((2, 3), 2, 6, np.float64)
    with pytest.raises(TypeError, match="item assignment"):
        x[0] = 1.0
    y = x
    y += 1.0
    assert (x.tolist(), y.tolist()) == (A.tolist(), (A + 1).tolist())


def test_a_loop_over_rows_has_their_gradient(rt):
    x = rt.variable_from(A)
    total = 0.0
    for i, row in enumerate(x):
        for v in row:
            if v > 0:
                total = total + (i + 1) * v * v
    total.backward()
    np.testing.assert_array_equal(x.grad().numpy(), np.where(A > 0, 2 * A * [[1], [2]], 0))


def test_a_loop_that_ends_by_value(rt):
    """Newton's method for √a: the derivative comes through all steps."""
    a = rt.variable_from(np.array(2.0))
    y, steps = a, 0
    while abs(y * y - a) > 1e-14:
        y, steps = (y + a / y) / 2, steps + 1
    y.backward()
    assert steps < 10
    assert float(y) == pytest.approx(math.sqrt(2), rel=1e-14)
    assert float(a.grad()) == pytest.approx(0.5 / math.sqrt(2), rel=1e-10)


INDICES = [
    np.s_[1],
    np.s_[-1, ::-1],
    np.s_[..., 0],
    np.s_[None, :, 1:],
    np.s_[[0, 0, 1]],
    np.s_[[0, 0], [1, 1]],
    np.s_[:, [2, 2]],
    np.s_[A > 0],
    np.s_[np.array([True, False]), 1:],
    np.s_[True],
    np.s_[False],
]


@pytest.mark.parametrize("index", INDICES, ids=range(len(INDICES)))
def test_indices_and_their_gradients(index, rt):
    """The gradient counts how often an element is read."""
    x = rt.variable_from(A)
    y = x[index]
    assert y.tolist() == A[index].tolist()
    tn.sum(y).backward()
    counts = np.zeros(A.shape)
    np.add.at(counts, index, 1.0)
    np.testing.assert_array_equal(np.zeros(A.shape) if x.grad() is None else x.grad().numpy(), counts)


def test_masks_by_comparison(rt):
    x = rt.variable_from(A)
    (x[x > 0] ** 2).sum().backward()
    np.testing.assert_array_equal(x.grad().numpy(), np.where(A > 0, 2 * A, 0))
    with pytest.raises(IndexError, match="5"):
        x[5]
    with pytest.raises(IndexError, match="mask"):
        x[np.array([True, False, True])]


def test_gradients_of_gradients_as_functions(rt):
    x = rt.variable_from(np.array(1.5))
    f = lambda x: tn.exp(x) * x * x  # noqa: E731
    third = tn.grad(tn.grad(tn.grad(f)))(x)
    third.backward()
    e = math.exp(1.5)
    assert float(third) == pytest.approx(e * (1.5**2 + 6 * 1.5 + 6), rel=1e-14)
    assert float(x.grad()) == pytest.approx(e * (1.5**2 + 8 * 1.5 + 12), rel=1e-14)


def test_functional_gradients_to_third_order(rt):
    x = rt.variable_from(np.array([1.0, 2.0]))
    y = tn.sum(x * x * x * x)
    for factor, power in ((4, 3), (12, 2), (24, 1)):
        (g,) = rt.grad(y, [x], create_graph=True)
        np.testing.assert_allclose(g.detach().numpy(), factor * np.array([1.0, 2.0]) ** power)
        y = tn.sum(g)
    assert x.grad() is None
    y.backward()
    np.testing.assert_allclose(x.grad().numpy(), [24.0, 24.0])


def test_functional_gradients_of_several(rt):
    a, b, c = (rt.variable_from(np.array(v)) for v in (2.0, 3.0, 5.0))
    inner = a * b
    y = inner * inner
    ga, gi, gc = rt.grad(y, [a, inner, c])
    assert (float(ga), float(gi), gc) == (36.0, 12.0, None)
    assert not ga.requires_grad
    assert [t.grad() for t in (a, b, c)] == [None, None, None]
    with pytest.raises(ValueError, match="grad"):
        rt.grad(rt.constant_from(1.0), [a])
    with pytest.raises(ValueError, match="scalar"):
        rt.grad(tn.stack([a, b]), [a])
    penalty = y + sum(g * g for g in rt.grad(y, [a, b], create_graph=True))
    penalty.backward()
    # y = a²b²: y + (2ab²)² + (2a²b)².
    assert float(a.grad()) == 2 * 2 * 9 + 8 * 2 * 81 + 16 * 8 * 9
