"""Products over axes, convolution, polynomials, interpolation and bounds against NumPy."""

import numpy as np
import pytest
import running

import tenferro_py as tn


def draw(rng, shape, dtype="float64"):
    a = rng.uniform(-4, 4, shape)
    return (a + 1j * rng.uniform(-4, 4, shape) if dtype.startswith("c") else a).astype(dtype)


def same(got, wanted, tol=1e-13):
    np.testing.assert_allclose(got.numpy(), wanted, rtol=tol, atol=tol, strict=True)


@pytest.mark.parametrize("dtype", ["float64", "int64", "complex128", "int8"])
@pytest.mark.parametrize(
    ("left", "right"),
    [((2,), (3,)), ((2, 3), (3,)), ((3,), (2, 2)), ((2, 1, 2), (2, 3)), ((), (2,)), ((2, 0), (2, 2)), ((2, 2), (1, 2, 3))],
)
def test_kron(left, right, dtype, rng):
    x, y = draw(rng, left, dtype), draw(rng, right, dtype)
    same(tn.kron(x, y), np.kron(x, y))


@pytest.mark.parametrize(
    ("left", "right", "axes"),
    [
        ((2, 3), (3, 4), 1),
        ((2, 3), (2, 3), 2),
        ((2, 3), (4,), 0),
        ((2, 3), (3, 4), np.int64(1)),
        ((2, 3), (3, 4), (1, 0)),
        ((2, 3), (3, 4), (np.int64(-1), 0)),
        ((2, 3, 4), (4, 3), ((1, 2), (1, 0))),
        ((2, 3, 4), (4, 3), [np.array([1, 2]), np.array([1, 0])]),
        ((2, 0), (0, 4), 1),
    ],
)
def test_tensordot(left, right, axes, rng):
    x, y = draw(rng, left), draw(rng, right)
    same(tn.tensordot(x, y, axes), np.tensordot(x, y, axes))
    same(tn.tensordot(x, y, axes=axes), np.tensordot(x, y, axes=axes))


@pytest.mark.parametrize(
    ("axes", "word"), [(-1, "negative"), (((0,), (0,), (0,)), "neither"), (((0, 1), (0,)), "tensordot"), (((0, 0), (0, 0)), "tensordot")]
)
def test_tensordot_refuses(axes, word):
    with pytest.raises(ValueError, match=word):
        tn.tensordot(np.ones((2, 2)), np.ones((2, 2)), axes)


@pytest.mark.parametrize(
    ("left", "right", "axis"),
    [((3,), (3,), -1), ((4, 3), (3,), -1), ((3, 4), (3, 4), 0), ((3, 4), (3, 1), 0), ((2, 3, 4), (2, 3, 4), 1), ((2, 3, 4), (3, 1), -2)],
)
@pytest.mark.parametrize("dtype", ["float64", "int64", "complex128"])
def test_cross(left, right, axis, dtype, rng):
    x, y = draw(rng, left, dtype), draw(rng, right, dtype)
    same(tn.cross(x, y, axis=axis), np.linalg.cross(x, y, axis=axis))


def test_cross_takes_three_components():
    for a in (np.ones(2), np.ones(4)):
        with pytest.raises(tn.ShapeError, match="cross: vectors need 3 components"):
            tn.cross(a, a)
    with pytest.raises(tn.AxisError, match="cross"):
        tn.cross(np.ones(3), np.ones(3), axis=1)


@pytest.mark.parametrize(("left", "right", "axis"), [((3,), (3,), -1), ((2, 3), (3,), -1), ((3, 2), (3, 2), 0), ((3, 1), (3, 4), -2)])
def test_vecdot(left, right, axis, rng):
    x, y = draw(rng, left, "complex128"), draw(rng, right, "complex128")
    same(tn.vecdot(x, y, axis=axis), np.vecdot(x, y, axis=axis))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("size", [1, 3, 17, 64])
def test_products_of_integers_are_exact(size, dtype, rng):
    # Beyond 2^53, and over the ends of the dtype, where they wrap.
    limits = np.iinfo(dtype)
    x, y = (rng.integers(limits.min, limits.max, s, dtype=dtype, endpoint=True) for s in ((5, size), (size, 4)))
    np.testing.assert_array_equal(tn.matmul(x, y).numpy(), x @ y, strict=True)
    np.testing.assert_array_equal(tn.einsum("ij,jk->ki", x, y).numpy(), (x @ y).T, strict=True)
    np.testing.assert_array_equal(tn.dot_general(x, y, contract=([1], [0])).numpy(), x @ y, strict=True)
    np.testing.assert_array_equal(tn.convolve(x[0], y[:, 0]).numpy(), np.convolve(x[0], y[:, 0]), strict=True)


@pytest.mark.parametrize("name", ["matmul", "dot", "inner", "tensordot", "dot_general", "operator"])
def test_bool_products(name, rng):
    x, y = rng.integers(0, 2, (3, 4)).astype(bool), rng.integers(0, 2, (4, 5)).astype(bool)
    got = {
        "matmul": lambda: tn.matmul(x, y),
        "dot": lambda: tn.dot(x, y),
        "inner": lambda: tn.inner(x, y.T),
        "tensordot": lambda: tn.tensordot(x, y, 1),
        "dot_general": lambda: tn.dot_general(x, y, contract=([1], [0])),
        "operator": lambda: tn.Tensor(x) @ y,
    }[name]()
    np.testing.assert_array_equal(got.numpy(), x @ y, strict=True)


def test_bool_vecdot(rng):
    x, y = rng.integers(0, 2, (3, 4)).astype(bool), rng.integers(0, 2, (3, 4)).astype(bool)
    np.testing.assert_array_equal(tn.vecdot(x, y).numpy(), np.vecdot(x, y), strict=True)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(("m", "n"), [(7, 3), (3, 7), (1, 1), (4, 4), (1, 5), (6, 4), (4, 6)])
@pytest.mark.parametrize("dtype", ["float64", "int64", "complex128", "bool", "uint8"])
def test_convolve(m, n, mode, dtype, rng):
    x, y = (rng.integers(0, 3, k).astype(dtype) if dtype == "bool" else draw(rng, (k,), dtype) for k in (m, n))
    if dtype == "uint8":
        x, y = np.arange(m, dtype="uint8") * 50, np.arange(n, dtype="uint8") + 7
    same(tn.convolve(x, y, mode), np.convolve(x, y, mode))
    same(tn.convolve(x, y, mode=mode), np.convolve(x, y, mode=mode))


def test_convolve_takes_scalars():
    same(tn.convolve(2.0, [1.0, 2.0]), np.convolve(2.0, [1.0, 2.0]))
    same(tn.convolve([1, 2], [0.5, 1.0]), np.convolve([1, 2], [0.5, 1.0]))


@pytest.mark.parametrize(
    ("x", "y", "mode", "error"),
    [
        ([], [1.0], "full", ValueError),
        ([1.0], [], "full", ValueError),
        ([1.0], [1.0], "half", ValueError),
        ([[1.0]], [1.0], "full", tn.ShapeError),
    ],
)
def test_convolve_refuses(x, y, mode, error):
    with pytest.raises(error, match="convolve"):
        tn.convolve(x, y, mode)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolve_has_derivatives_whichever_is_longer(mode, rng):
    for m, n in ((3, 6), (6, 3)):
        running.check_derivatives(lambda x, y: tn.convolve(x, y, mode), [draw(rng, (m,)), draw(rng, (n,))], rng)


@pytest.mark.parametrize("x", [2.0, np.array(2), np.arange(3.0), np.arange(6.0).reshape(2, 3), np.array([1j, 0.5])], ids=str)
@pytest.mark.parametrize("p", [[1.0, 2.0, 3.0], [1, 2, 3], [2.0], [1j, 1.0]], ids=str)
def test_polyval(p, x):
    same(tn.polyval(p, x), np.polyval(p, x))


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int64", "int8", "uint64", "bool"])
@pytest.mark.parametrize("increasing", [False, True])
@pytest.mark.parametrize("n", [None, 0, 1, 5])
def test_vander(n, increasing, dtype):
    x = np.array([1, 2, 3]).astype(dtype)
    same(tn.vander(x, n, increasing=increasing), np.vander(x, n, increasing))


def test_vander_keeps_single_precision():
    assert np.vander(np.float32([1, 2])).dtype == "float64"
    assert tn.vander(np.float32([1, 2])).dtype == tn.float32
    with pytest.raises(tn.ArgumentError, match="N is negative"):
        tn.vander([1.0], -1)


XP, FP = np.array([0.0, 1.0, 2.5, 2.5, 4.0]), np.array([1.0, 4.0, -2.0, 3.0, 0.0])
X = np.array([[-1.0, 0.0, 0.3, 1.0], [2.0, 2.5, 3.0, 4.0], [5.0, np.nan, np.inf, -np.inf]])


@pytest.mark.parametrize("kwargs", [{}, {"left": -7.0}, {"right": 9}, {"left": np.nan, "right": 1.5}], ids=str)
@pytest.mark.parametrize("fp", [FP, FP * 1j + 2, FP.astype(int)], ids=["real", "complex", "int"])
def test_interp(fp, kwargs):
    got, wanted = tn.interp(X, XP, fp, **kwargs).numpy(), np.interp(X, XP, fp, **kwargs)
    known = ~np.isnan(X)
    np.testing.assert_allclose(got[known], wanted[known], rtol=1e-14, atol=1e-14, strict=True)
    assert np.isnan(got[~known]).all()


def test_interp_beside_infinite_points():
    xp, fp = np.arange(6.0), np.array([1.0, np.nan, 2.0, np.inf, np.inf, 0.0])
    x = np.arange(0, 5.1, 0.5)
    same(tn.interp(x, xp, fp), np.interp(x, xp, fp))


@pytest.mark.parametrize("period", [4.5, -4.5, 3.0, 360])
def test_interp_with_a_period(period):
    xp, fp = np.array([190.0, -190.0, 350.0, -350.0, 1.25]) / 100, np.array([5.0, 10.0, 3.0, 4.0, -1.0])
    x = np.linspace(-9, 9, 41)
    same(tn.interp(x, xp, fp, period=period), np.interp(x, xp, fp, period=period))
    same(tn.interp(x, xp, fp * 1j, period=period), np.interp(x, xp, fp * 1j, period=period))
    # NumPy's documentation: left and right do not count then.
    same(tn.interp(x=x, xp=xp, fp=fp, left=1.0, right=2.0, period=period), np.interp(x, xp, fp, left=1.0, right=2.0, period=period))


def test_interp_of_few_points():
    same(tn.interp([0.0, 1.0, 2.0], [1.0], [5.0]), np.interp([0.0, 1.0, 2.0], [1.0], [5.0]))
    same(tn.interp(1, [0, 4], [0, 4]), np.interp(1, [0, 4], [0, 4]))
    same(tn.interp([], [0.0, 1.0], [1.0, 2.0]), np.interp([], [0.0, 1.0], [1.0, 2.0]))
    assert tn.interp(np.float32([0.5]), np.float32([0, 1]), np.float32([1, 2])).dtype == tn.float32
    for xp, fp, kwargs in (([], [], {}), ([1.0], [1.0, 2.0], {}), ([[1.0]], [[1.0]], {}), ([1.0], [1.0], {"period": 0})):
        with pytest.raises(ValueError, match="interp"):
            tn.interp([0.0], xp, fp, **kwargs)


def test_interp_takes_symbolic_places_but_not_points():
    x = tn.TracedTensor.input("float64", ("n",))
    assert tn.interp(x, XP, FP).shape == ("n",)
    with pytest.raises(ValueError, match="interp: the length of axis 0 is symbolic"):
        tn.interp(1.0, x, x)


@pytest.mark.parametrize("period", [None, 3.5])
def test_interp_has_derivatives(period, rng):
    x, xp, fp = rng.uniform(0.1, 2.9, 6), np.array([0.0, 0.7, 1.9, 3.0]), rng.standard_normal(4)
    running.check_derivatives(lambda x, xp, fp: tn.interp(x, xp, fp, period=period), [x, xp, fp], rng)
    ends = tn.grad(lambda left: tn.sum(tn.interp([-1.0, -2.0, 1.0], xp, fp, left=left)))(2.0)
    assert float(ends) == 2.0


def test_interp_is_traced():
    x = np.linspace(-1, 5, 13)
    (got,) = running.traced(tn.interp, [x, XP, FP])
    np.testing.assert_allclose(got, np.interp(x, XP, FP), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint8", "int64"])
@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0, 1),
        (None, 1),
        (0, None),
        (1, 0),
        ([0] * 4, [1] * 4),
        (0.5, 2),
        (np.float32(0), np.float64(1)),
        (-1000, 1000),
        (-129, 100),
        (0, 256),
        (np.int16(-3), 300),
    ],
)
def test_clip(low, high, dtype):
    x = np.array([[3, 1, 0, 100], [7, 120, 2, 4]]).astype(dtype)
    same(tn.clip(x, low, high), np.clip(x, low, high))
    same(tn.clip(x, min=low, max=high), np.clip(x, min=low, max=high))


def test_clip_with_nothing_to_bound():
    same(tn.clip(np.array([np.nan, 1.0]), 0, np.nan), np.array([np.nan, np.nan]))
    same(tn.clip(np.array([1.5, -2.0])), np.array([1.5, -2.0]))
    with pytest.raises(ValueError, match="300"):
        tn.clip(np.int8([1]), 300, None)
