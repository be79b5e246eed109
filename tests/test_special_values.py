"""Elementwise functions at special arguments, in every dtype, place and layout.

Which functions there are is found out from `tn.__all__`: those that give f(x)[i] = f(x[i]). Each needs a row of
`special_references.py`.
"""

import numpy as np
import pytest
import running
from draws import ALL, INTEGERS
from special_references import BINARY, DIFFERENCES, UNARY
from special_values import COMPLEX, misfit, pairs, points, report

import tenferro_py as tn

# Functions of shapes, dtypes or something else than the values, which pass for elementwise.
OF_SHAPES = {"asarray", "broadcast_arrays", "empty_like", "full_like", "ones_like", "squeeze", "zeros_like"}
# Tested below, with their parameters.
WITH_PARAMETERS = {"clip", "divmod"}

PROBES = {
    "float64": np.array([[0.2, -0.3, 0.4], [0.7, 0.8, -0.9]]),
    "int64": np.array([[1, 2, 3], [5, 4, 2]]),
    "complex128": np.array([[0.3 + 1j, -0.3, 0.4], [0.7, 0.8, -0.9j]]),
}


def listed(x):
    return [np.asarray(v) for v in x] if isinstance(x, (tuple, list)) else [np.asarray(x)]


def is_elementwise(f, count):
    for x in PROBES.values():
        arguments = [x, x[:, ::-1]][:count]
        try:
            whole = listed(f(*arguments))
            one = {i: listed(f(*(a[i] for a in arguments))) for i in np.ndindex(2, 3)}
        except (TypeError, ValueError, IndexError):
            continue
        if all(w.shape == (2, 3) and np.array_equal(w[i], v, equal_nan=True) for i in one for w, v in zip(whole, one[i], strict=True)):
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
    return [pytest.param(name, dtype, id=f"{name}-{dtype}") for name, r in table.items() for dtype in ALL if np.dtype(dtype).kind in r.kinds]


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
        if name not in d.names or arguments[0].dtype.kind not in d.kinds:
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


def check(name, row, arguments):
    got = np.asarray(getattr(tn, name)(*arguments))
    arguments = in_floats(row, arguments)
    want = wanted(row, arguments)
    assert got.dtype == want.dtype
    want = amend(name, arguments, want, got)
    wrong = misfit(got, want, row.ulps, row.zeros)
    if row.absolute:
        with np.errstate(all="ignore"):
            wrong &= ~(np.abs(got - want) <= max(row.absolute, 2 * np.finfo(got.dtype).eps) * (1 + np.abs(want)))
    assert not np.any(wrong), report(wrong, arguments, got, want)


@pytest.mark.parametrize(("name", "dtype"), cases(UNARY))
def test_unary(name, dtype):
    check(name, UNARY[name], [points(dtype)])


@pytest.mark.parametrize(("name", "dtype"), cases(BINARY))
def test_binary(name, dtype):
    check(name, BINARY[name], pairs(dtype))


@pytest.mark.parametrize(("name", "dtype"), refusals(UNARY) + refusals(BINARY))
def test_other_dtypes_are_refused(name, dtype):
    x = np.ones(3, dtype)
    with pytest.raises(TypeError, match=dtype) as caught:
        getattr(tn, name)(*([x] if name in UNARY else [x, x]))
    assert isinstance(caught.value, tn.DTypeError)
