"""Elementwise functions at special arguments, in every dtype, place and layout.

Which functions there are is found out from `tn.__all__`: those that give f(x)[i] = f(x[i]). Each needs a row of
`special_references.py`.
"""

import functools

import mpmath as mp
import numpy as np
import pytest
from draws import ALL, INTEGERS
from special_references import BINARY, DIFFERENCES, UNARY, Reference, gelu
from special_values import misfit, pairs, points, report

import tenferro_py as tn

# Functions of shapes, dtypes or something else than the values, which pass for elementwise.
OF_SHAPES = {"array", "asarray", "block", "broadcast_arrays", "empty_like", "full_like", "ones_like", "squeeze", "zeros_like"}
# Tested below, with their parameters.
WITH_PARAMETERS = {"clip", "divmod", "modf"}

PROBES = {
    "float64": np.array([[0.2, -0.3, 0.4], [0.7, 0.8, -0.9]]),
    "int64": np.array([[1, 2, 3], [5, 4, 2]]),
    "complex128": np.array([[0.3 + 1j, -0.3, 0.4], [0.7, 0.8, -0.9j]]),
}


def listed(x):
    return [np.asarray(v) for v in x] if isinstance(x, (tuple, list)) else [np.asarray(x)]


def same_place(whole, one, i):
    return whole.shape == (2, 3) and one.shape == () and (whole[i] == one or (whole[i] != whole[i] and one != one))


def is_elementwise(f, count):
    for x in PROBES.values():
        arguments = [x, x[:, ::-1]][:count]
        try:
            whole = listed(f(*arguments))
            one = {i: listed(f(*(a[i] for a in arguments))) for i in np.ndindex(2, 3)}
        except (TypeError, ValueError, IndexError):
            continue
        if all(len(v) == len(whole) and all(map(same_place, whole, v, [i] * len(v))) for i, v in one.items()):
            return True
    return False


def elementwise_names(count):
    functions = {n: getattr(tn, n) for n in tn.__all__}
    plain = {n: f for n, f in functions.items() if callable(f) and not isinstance(f, type) and n not in OF_SHAPES}
    return {n for n, f in plain.items() if is_elementwise(f, count)}


@pytest.mark.parametrize(("count", "table"), [(1, UNARY), (2, BINARY)], ids=["unary", "binary"])
def test_every_elementwise_function_has_a_row(count, table):
    functions = {getattr(tn, n) for n in table}
    missing = {n for n in elementwise_names(count) - WITH_PARAMETERS if getattr(tn, n) not in functions}
    assert not missing, "give them rows of special_references.py"


def cases(table):
    return [
        pytest.param(name, dtype, id=f"{name}-{dtype}") for name, r in table.items() for dtype in ALL if np.dtype(dtype).kind in r.kinds
    ]


def refusals(table):
    return [
        pytest.param(name, dtype, id=f"{name}-{dtype}")
        for name, r in table.items()
        for dtype in ("bool", "int32", "uint8", "float32", "complex64")
        if np.dtype(dtype).kind not in r.kinds
    ]


def float_of(dtype):
    """What integers become in functions of floats: NumPy's answer, but float32 where that is float16."""
    return "float32" if np.dtype(dtype).itemsize <= 2 else "float64"


def in_floats(row, arguments):
    """Integers as the floats that tn makes of them."""
    dtype = str(arguments[0].dtype)
    return [a.astype(float_of(dtype)) for a in arguments] if row.mode != "own" and dtype in ("bool", *INTEGERS) else arguments


def wanted(row, arguments):
    """The reference's values, in the dtype that tn must give."""
    with np.errstate(all="ignore"):
        if row.mode != "wide":
            return np.array(row.function(*arguments))
        dtype = arguments[0].dtype
        out = np.asarray(row.function(*(a.astype("complex128" if dtype.kind == "c" else "float64") for a in arguments)))
        narrow = {"c": dtype, "f": np.empty(0, dtype).real.dtype}
        return out.astype(narrow.get(out.dtype.kind, out.dtype))


def amend(name, arguments, want, got):
    """The reference with the documented differences put in."""
    for d in DIFFERENCES:
        if name != d.name or arguments[0].dtype.kind not in d.kinds:
            continue
        with np.errstate(all="ignore"):
            where = d.where(*arguments)
            if d.value is not None:
                want = np.where(where, d.value(*arguments).astype(want.dtype), want)
            elif d.accept is not None:
                want = np.where(where & d.accept(arguments, want, got), got, want)
            else:
                to, of = getattr(want, d.part), getattr(got, d.part)
                to[where] = np.copysign(to[where], of[where])
    return want


@functools.cache
def case(name, dtype):
    """Arguments, what tn gives, and the reference's values."""
    row = UNARY.get(name) or BINARY[name]
    arguments = [points(dtype)] if name in UNARY else pairs(dtype)
    got = np.asarray(getattr(tn, name)(*arguments))
    arguments = in_floats(row, arguments)
    return arguments, got, wanted(row, arguments)


@pytest.mark.parametrize(("name", "dtype"), cases(UNARY) + cases(BINARY))
def test_values(name, dtype):
    row = UNARY.get(name) or BINARY[name]
    arguments, got, want = case(name, dtype)
    assert got.dtype == want.dtype
    want = amend(name, arguments, want.copy(), got)
    wrong = misfit(got, want, row.ulps, row.zeros)
    if row.absolute:
        with np.errstate(all="ignore"):
            wrong &= ~(np.abs(got - want) <= max(row.absolute, 2 * np.finfo(got.dtype).eps) * (1 + np.abs(want)))
    assert not np.any(wrong), report(wrong, arguments, got, want)


@pytest.mark.parametrize(("name", "dtype"), refusals(UNARY) + refusals(BINARY))
def test_other_dtypes_are_refused(name, dtype):
    x = np.ones(3, dtype)
    with pytest.raises(TypeError, match=dtype) as caught:
        getattr(tn, name)(*([x] if name in UNARY else [x, x]))
    assert isinstance(caught.value, tn.DTypeError)


def test_gelu_by_erf():
    """In the tail a rounded x/√2 counts x² times."""
    x = points("float64")
    got, want = np.asarray(tn.gelu(x, approximate=False)), wanted(Reference(gelu, ulps=16), [x])
    wrong = misfit(got, want, 16 + np.clip(np.nan_to_num(x), -40, 0) ** 2)
    assert not np.any(wrong), report(wrong, [x], got, want)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_divmod_is_floor_divide_and_remainder(dtype):
    x, y = pairs(dtype)
    quotient, rest = tn.divmod(x, y)
    assert not np.any(misfit(np.asarray(quotient), np.asarray(tn.floor_divide(x, y)), 0))
    assert not np.any(misfit(np.asarray(rest), np.asarray(tn.remainder(x, y)), 0))


BOUNDS = [(0.5, 2.0), (-np.inf, np.inf), (np.nan, 1.0), (0.0, np.nan), (2.0, -2.0), (None, 1.5), (-1.5, None), (None, None), (-0.0, 0.0)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_clip(bounds, dtype):
    x = points(dtype)
    got, want = np.asarray(tn.clip(x, *bounds)), np.clip(x, *bounds)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, want)
    arrays = [None if b is None else np.full(x.shape, b, dtype) for b in bounds]
    np.testing.assert_array_equal(np.asarray(tn.clip(x, *arrays)), want)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_clip_of_integers(dtype):
    x = points(dtype)
    for low, high in ((1, 7), (7, 1), (np.iinfo(dtype).min, np.iinfo(dtype).max), (None, 0), (3, None)):
        got = np.asarray(tn.clip(x, low, high))
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, np.clip(x, low, high))
    # Python integers beyond the dtype bound nothing.
    np.testing.assert_array_equal(np.asarray(tn.clip(x, -(2**70), 2**70)), x)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("to", [{}, {"nan": -1.5}, {"posinf": 7.0, "neginf": -0.0}, {"nan": np.inf, "posinf": np.nan}], ids=str)
def test_nan_to_num(to, dtype):
    x = points(dtype)
    assert not np.any(misfit(np.asarray(tn.nan_to_num(x, **to)), np.nan_to_num(x, **to), 0))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("decimals", [0, 1, 3, -1, -2, 20])
def test_round(decimals, dtype):
    """Halves go to even; by scaling with a power of ten, which may overflow, as in NumPy."""
    x = np.array([0.5, 1.5, 2.5, -0.5, 0.25, 0.35, 1e5 + 0.05, 25.0, 35.0, 250.0, -15.0, 1e15 + 0.5, -0.0, 1e30, np.inf, np.nan], dtype)
    with np.errstate(all="ignore"):
        want = np.round(x, decimals)
    got = np.asarray(tn.round(x, decimals))
    assert got.dtype == dtype
    wrong = misfit(got, want, 1)
    assert not np.any(wrong), report(wrong, [x], got, want)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint8", "int64"])
@pytest.mark.parametrize("decimals", [0, 2, -1, -2])
def test_round_of_integers(decimals, dtype):
    x = np.array([0, 5, 15, 25, 35, 44, 45, 46, 50, 100, 120], dtype)
    x = x if dtype == "uint8" else np.concatenate([x, -x])
    got = np.asarray(tn.round(x, decimals))
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.round(x, decimals))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_polygamma(n):
    x = np.array([1e-3, 0.1, 0.5, 1.0, 1.5, 3.3, 10.0, 170.0, 1e5, -0.5, -1.5, -7.25])
    with mp.workprec(200):
        want = np.array([float(mp.polygamma(n, mp.mpf(v))) for v in x])
    np.testing.assert_allclose(np.asarray(tn.polygamma(n, x)), want, rtol=1e-12, atol=1e-14)
    assert np.isnan(np.asarray(tn.polygamma(n, np.nan)))


@pytest.mark.parametrize("dtype", ALL)
def test_where_keeps_bits(dtype):
    x = points(dtype)
    y = x[::-1].copy()
    for mask in (np.arange(x.size) % 2 == 0, np.ones(x.size, bool), np.zeros(x.size, bool)):
        got = np.asarray(tn.where(mask, x, y))
        assert got.tobytes() == np.where(mask, x, y).tobytes()


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda d: d.name)
def test_differences_are_differences(difference):
    """Each row of the table is needed: without it the reference does not fit."""
    arguments, got, want = case(difference.name, {"f": "float64", "c": "complex128"}[difference.kinds])
    with np.errstate(all="ignore"):
        assert np.any(misfit(got, want, 0)[difference.where(*arguments)])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_modf(dtype):
    x = points(dtype)
    with np.errstate(all="ignore"):
        want = np.modf(x)
    for got, part in zip(tn.modf(x), want, strict=True):
        assert not np.any(misfit(np.asarray(got), part, 0, True))
