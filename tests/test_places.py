"""An elementwise function gives the same bits wherever a number stands: in every lane, block, tail, layout and program."""

import numpy as np
import pytest
import running
from draws import ALL
from special_references import BINARY, UNARY
from special_values import points

import tenferro_py as tn

# Longer than two blocks of the block machine (256 doubles) by an odd tail.
LONG = 2 * 256 + 77


def cases(table, dtypes=ALL):
    return [
        pytest.param(name, dtype, id=f"{name}-{dtype}") for name, r in table.items() for dtype in dtypes if np.dtype(dtype).kind in r.kinds
    ]


def bits(x):
    """The bytes of an array's numbers, all NaNs made one."""
    x = np.ascontiguousarray(x)
    parts = x.view(np.empty(0, x.dtype).real.dtype) if x.dtype.kind == "c" else x
    if parts.dtype.kind == "f":
        parts = np.where(np.isnan(parts), np.array(np.nan, parts.dtype), parts)
    return np.ascontiguousarray(parts).view(f"uint{8 * parts.dtype.itemsize}")


def same(got, want):
    got = np.asarray(got)
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(bits(got), bits(want))


def layouts(x):
    """The same numbers, laid out differently: pairs of an array and the places of x that it shows."""
    n = x.size
    i = np.arange(n)
    even = i[: n - n % 2].reshape(2, -1)
    gaps = np.repeat(x, 3)[1::3]
    wide = np.concatenate([x[:1], x, x[-1:]])[1:-1]
    return {
        "reversed": (x[::-1], i[::-1]),
        "gaps": (gaps, i),
        "offset": (wide, i),
        "F order": (np.asfortranarray(x[even]), even),
        "transposed": (x[even].T, even.T),
        "broadcast": (np.broadcast_to(x[n // 2], (3, 90)), np.full((3, 90), n // 2)),
        "inner broadcast": (np.broadcast_to(x[:, None], (n, 5)), np.repeat(i[:, None], 5, 1)),
        "columns": (x[even][:, ::-2], even[:, ::-2]),
        "0-d": (x[n // 2], np.array(n // 2)),
        "empty": (x[:0].reshape(3, 0), i[:0].reshape(3, 0)),
    }


def some(dtype, n=81):
    """Not more than n points, all kinds of them."""
    x = points(dtype)
    return x[:: max(1, x.size // n)]


@pytest.mark.parametrize(("name", "dtype"), cases(UNARY))
def test_unary_in_every_place(name, dtype):
    f, x = getattr(tn, name), some(dtype)
    want = np.array([f(v) for v in x])
    for first in (0, 1, 3):
        places = (first + np.arange(LONG)) % x.size
        same(f(x[places]), want[places])
    for view, places in layouts(x).values():
        same(f(view), want[places])


@pytest.mark.parametrize(("name", "dtype"), cases(BINARY))
def test_binary_in_every_place(name, dtype):
    f, x, y = getattr(tn, name), some(dtype, 23), some(dtype, 17)[::-1]
    want = np.array([[f(a, b) for b in y] for a in x])
    rows, columns = np.arange(LONG) % x.size, np.arange(LONG) // 3 % y.size
    same(f(x[rows], y[columns]), want[rows, columns])
    same(f(x[:, None], y), want)
    same(f(np.asfortranarray(np.broadcast_to(x[:, None], want.shape)), y[::-1][::-1]), want)
    same(f(x[:, None], y[0]), want[:, :1])
    same(f(x[0], y), want[0])
    same(f(x[:0, None], y), want[:0])
    same(f(np.broadcast_to(x[0], (300,)), y[0]), np.full(300, want[0, 0]))
    for (view, places), k in zip(layouts(x).values(), np.arange(12) % y.size, strict=False):
        same(f(view, y[k]), want[places, k])


@pytest.mark.parametrize("dtype", ALL)
def test_in_one_program(dtype):
    """All functions of one dtype fused into one program give the bits of each alone."""
    x, y = (np.resize(some(dtype, n), LONG) for n in (81, 79))
    calls = [(name, (0,)) for name, r in UNARY.items() if np.dtype(dtype).kind in r.kinds]
    calls += [(name, (0, 1)) for name, r in BINARY.items() if np.dtype(dtype).kind in r.kinds]
    got = running.traced(lambda *v: [getattr(tn, name)(*(v[i] for i in which)) for name, which in calls], [x, y])
    for (name, which), g in zip(calls, got, strict=True):
        np.testing.assert_array_equal(bits(g), bits(np.asarray(getattr(tn, name)(*([x, y][i] for i in which)))), err_msg=name)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int16"])
def test_in_parallel(dtype):
    """Long enough for two threads."""
    x, places = some(dtype), np.arange(100_003) % some(dtype).size
    long = x[places]
    with tn.threads(2):
        for name, r in UNARY.items():
            if np.dtype(dtype).kind in r.kinds:
                f = getattr(tn, name)
                same(f(long), np.asarray(f(x))[places])
