"""Rows of the op table: what NumPy's users reach for beyond the array API."""

import numpy as np
from draws import INEXACT, REAL, Row, distinct, numbers, positive, shapes
from rows_sets import ALL, INTEGERS, NUMBERS, both

import tenferro_py as tn

X = tn.TracedTensor.input
POSITIONS = np.array([0.0, 0.5, 1.75, 2.0])


def with_nan(rng, dtype):
    """Rows with no NaN, one, and nothing else."""
    x = distinct((3, 4))(rng, dtype)[0]
    if dtype in INEXACT:
        x[1, 2] = x[2] = np.nan
    return [x]


def with_some_nan(rng, dtype):
    x = numbers(rng, dtype, (3, 4))
    x[1, 2] = x[2, :2] = np.nan
    return [x]


def parts(name, *args, reference=None, dims=((4, 4),), dtypes=ALL):
    """A function that gives several."""
    numpys = reference or (lambda *x: getattr(np, name)(*x, *args))
    return Row(name, lambda *x: list(getattr(tn, name)(*x, *args)), lambda *x: list(numpys(*x)), shapes(*dims), dtypes)


def stacked(name, *dims):
    return Row(name, lambda *x: getattr(tn, name)(x), lambda *x: getattr(np, name)(x), shapes(*dims), ALL)


NAN = [
    both("nansum", axis=1, draw=with_some_nan, dtypes=INEXACT),
    both("nanprod", axis=0, draw=with_some_nan, dtypes=INEXACT),
    both("nanmean", axis=1, draw=with_some_nan, dtypes=INEXACT),
    both("nanvar", axis=1, draw=with_some_nan, dtypes=INEXACT),
    both("nanstd", axis=1, draw=with_some_nan, dtypes=INEXACT, ddof=1),
    both("nansum", draw=with_nan, dtypes=(*INTEGERS, *REAL), order=0, label="nansum_all"),
    both("nanmax", axis=0, draw=with_nan, dtypes=(*INTEGERS, *REAL)),
    both("nanmin", axis=0, keepdims=True, draw=with_nan, dtypes=(*INTEGERS, *REAL)),
]

Q = (0.0, 0.3, 0.5, 1.0)


def quantile(method, label):
    return Row(
        label,
        lambda x: tn.quantile(x, np.array(Q, str(x.dtype) if x.dtype.kind == "f" else None), axis=(0, 2), method=method),
        lambda x: np.quantile(x, np.array(Q, x.dtype if x.dtype.kind == "f" else None), axis=(0, 2), method=method),
        distinct((2, 3, 4)),
        (*INTEGERS, *REAL),
        eps=32,
    )


STATISTICS = [
    quantile("linear", "quantile"),
    *[quantile(method, f"quantile_{method}") for method in ("lower", "higher", "midpoint", "nearest")],
    both("percentile", 30, axis=1, keepdims=True, draw=distinct((3, 4)), dtypes=(*INTEGERS, *REAL)),
    Row(
        "quantile_of_q",
        lambda x, q: tn.quantile(x, q),
        lambda x, q: np.quantile(x, q),
        lambda r, d: [*distinct((9,))(r, d), np.asarray([0.1, 0.77], d)],
        REAL,
        errors=(
            (lambda: tn.quantile([1.0], 1.5), "ArgumentError", "quantile"),
            (lambda: tn.quantile([1.0], 0.5, method="best"), "ArgumentError", "best"),
            (lambda: tn.quantile(X("float64", (0,)), 0.5), "ArgumentError", "no elements"),
            (lambda: tn.quantile([1.0], 0.5, axis=1), "AxisError", "axis 1"),
        ),
    ),
    Row(
        "average",
        lambda x, w: list(tn.average(x, axis=1, weights=w, returned=True)),
        lambda x, w: list(np.average(x, axis=1, weights=w, returned=True)),
        lambda r, d: shapes((3, 4))(r, d) + positive((4,))(r, d),
        NUMBERS,
        eps=32,
        errors=((lambda: tn.average([1.0, 2.0], weights=[1.0]), "ShapeError", "weights"),),
    ),
    Row(
        "average_axes",
        lambda x, w: tn.average(x, axis=(2, 0), weights=w, keepdims=True),
        lambda x, w: np.average(x, axis=(2, 0), weights=w, keepdims=True),
        lambda r, d: shapes((2, 3, 4))(r, d) + positive((4, 2))(r, d),
        eps=32,
    ),
    both("average", axis=0, dtypes=INEXACT, label="average_plain"),
    both("cov", draw=shapes((3, 5), (5,)), eps=64, errors=((lambda: tn.cov(np.zeros((2, 2, 2))), "ShapeError", "cov"),)),
    both("cov", rowvar=False, bias=True, draw=shapes((5, 2)), eps=64, label="cov_columns"),
    both("corrcoef", draw=shapes((3, 5)), dtypes=INEXACT, eps=64),
]


def angles(rng, dtype):
    return [np.cumsum(rng.choice([-4.0, -1.0, 0.5, 2.5, 5.0], (3, 6)), axis=1).astype(dtype)]


SAMPLES = [
    Row("gradient", lambda x: list(tn.gradient(x)), lambda x: list(np.gradient(x)), shapes((3, 4)), INEXACT),
    both("gradient", 0.5, axis=1, edge_order=2, dtypes=INEXACT, label="gradient_edges"),
    both("gradient", POSITIONS, axis=1, edge_order=2, dtypes=("float64", "complex128"), label="gradient_positions", eps=64),
    Row(
        "gradient_spacings",
        lambda x: list(tn.gradient(x, 0.25, POSITIONS)),
        lambda x: list(np.gradient(x, 0.25, POSITIONS)),
        shapes((3, 4)),
        ("int64", "float64"),
        eps=64,
        errors=(
            (lambda: tn.gradient(np.zeros((2, 2)), 1.0, 1.0, 1.0), "ArgumentError", "spacings"),
            (lambda: tn.gradient([1.0]), "ShapeError", "samples"),
            (lambda: tn.gradient([1.0, 2.0], axis=1), "AxisError", "gradient"),
            (lambda: tn.gradient([1.0, 2.0], [1.0, 2.0, 3.0]), "ShapeError", "positions"),
        ),
    ),
    both("trapezoid", 0.5 * POSITIONS, axis=1, dtypes=("int64", "float64", "complex128")),
    both("trapezoid", dx=0.5, axis=0, dtypes=NUMBERS, label="trapezoid_even"),
    both("unwrap", axis=1, draw=angles, dtypes=REAL),
    both("unwrap", discont=3.5, period=6.0, draw=angles, dtypes=REAL, label="unwrap_period"),
    both("deg2rad", dtypes=("int32", "int64", *REAL)),
    both("rad2deg", dtypes=("int32", "int64", *REAL), errors=((lambda: tn.rad2deg(1j), "DTypeError", "rad2deg"),)),
]

BLOCKS = [
    parts("atleast_1d", dims=((), (2,), (2, 3))),
    parts("atleast_2d", dims=((), (2,), (2, 3, 4))),
    parts("atleast_3d", dims=((), (2,), (2, 3), (1, 2, 3, 4))),
    stacked("column_stack", (3,), (3, 2), (3,)),
    both("append", draw=shapes((2, 3), (4,)), dtypes=ALL),
    both("append", axis=1, draw=shapes((2, 3), (2, 1)), dtypes=ALL, label="append_axis"),
    Row(
        "block",
        lambda a, b, c: tn.block([[a, b], [c]]),
        lambda a, b, c: np.block([[a, b], [c]]),
        shapes((2, 2), (2, 1), (3,)),
        ALL,
        errors=((lambda: tn.block([[1.0], 2.0]), "ArgumentError", "block"), (lambda: tn.block([]), "ArgumentError", "nothing")),
    ),
    Row("block_deep", lambda a, b: tn.block([[[a]], [[b]]]), lambda a, b: np.block([[[a]], [[b]]]), shapes((2, 2), (2, 2)), ALL),
    parts("hsplit", 2),
    parts("vsplit", [1, 2]),
    parts("dsplit", 2, dims=((2, 3, 4),)),
    both("fliplr", dtypes=ALL),
    both("flipud", dtypes=ALL),
    *[both("rot90", k, dtypes=ALL, label=label) for k, label in ((1, "rot90"), (2, "rot90_2"), (3, "rot90_3"), (-4, "rot90_4"))],
    both("rot90", 1, (2, 0), draw=shapes((2, 3, 4)), dtypes=ALL, label="rot90_axes"),
]


PLACES = [
    Row("lexsort", lambda x, y: tn.lexsort([x, y], axis=0), lambda x, y: np.lexsort([x, y], axis=0), shapes((9, 2), (9, 2)), ALL, order=0),
    Row("lexsort_array", lambda x: tn.lexsort(x), lambda x: np.lexsort(x), shapes((2, 9)), ALL, order=0),
    Row("digitize", lambda x, b: tn.digitize(x, tn.sort(b)), lambda x, b: np.digitize(x, np.sort(b)), shapes((3, 4), (5,)), REAL, order=0),
    Row(
        "unravel_index",
        lambda x: list(tn.unravel_index(tn.abs(x), (2, 3, 4))),
        lambda x: [i.astype("int64") for i in np.unravel_index(abs(x), (2, 3, 4))],
        shapes((3, 4)),
        INTEGERS,
        order=0,
        errors=((lambda: tn.unravel_index([6], (2, 3)), "ArgumentError", "outside"),),
    ),
    Row(
        "ravel_multi_index",
        lambda x: tn.ravel_multi_index((x, x), (10, 12)),
        lambda x: np.ravel_multi_index((x.astype("int64"), x.astype("int64")), (10, 12)),
        shapes((3, 4)),
        ("uint8", "uint64"),
        order=0,
        errors=(
            (lambda: tn.ravel_multi_index(([2], [0]), (2, 3)), "ArgumentError", "outside"),
            (lambda: tn.ravel_multi_index(([2],), (2, 3)), "ArgumentError", "1 indices"),
        ),
    ),
]

ROWS = NAN + STATISTICS + SAMPLES + BLOCKS + PLACES
