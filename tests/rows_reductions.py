"""Rows of the op table: reductions, scans, order and statistics."""

import numpy as np
import scipy.special as sp
from draws import ALL, INEXACT, INTEGERS, NUMBERS, REAL, Row, away_from_zero, distinct, numbers, shapes

import tenferro_py as tn

ORDERED = (*INTEGERS, *REAL)


def tied(rng, dtype):
    """Few different values, so that the first of equals matters."""
    if dtype == "bool":
        return [rng.integers(0, 2, (4, 7)).astype(bool)]
    return [rng.integers(0, 4, (4, 7)).astype(dtype)]


def apart(*dims):
    """Numbers whose real parts differ by 0.25 at least: the order holds for small steps."""

    def draw(rng, dtype):
        if dtype == "bool":
            return shapes(*dims)(rng, dtype)
        if not dtype.startswith("c"):
            return distinct(*dims)(rng, dtype)
        real = distinct(*dims)(rng, "float64")
        return [(x + 1j * rng.standard_normal(x.shape)).astype(dtype) for x in real]

    return draw


def factors(*dims):
    """Numbers of size 0.5 … 1.5, and small integers: products stay ordinary."""

    def draw(rng, dtype):
        if dtype not in INEXACT:
            return [rng.integers(0, 2 if dtype == "bool" else 3, d).astype(dtype) for d in dims]
        return [(numbers(rng, dtype, d) * 0.3 + 1).astype(dtype) for d in dims]

    return draw


def with_zeros(rng, dtype):
    (x,) = factors((3, 5))(rng, dtype)
    x[0, 1] = x[1, 2] = x[1, 3] = 0
    return [x]


def holes(rng, dtype):
    x = numbers(rng, dtype, (3, 5))
    if dtype in INEXACT:
        x[1, 2] = x[2, 4] = np.nan
    return [x]


def accumulate(f):
    return lambda x: f.accumulate(x, axis=1)


def backwards(f):
    return lambda x: np.flip(f(np.flip(x, 1)), 1)


def sized(f, dtype=np.int64):
    """NumPy's positions, which are of the machine's index type."""
    return lambda *x: np.asarray(f(*x), dtype)


def in_float(f):
    """NumPy's or SciPy's function where integers of up to 16 bits become float32."""

    def g(x):
        narrow = x.dtype.kind in "biu" and x.dtype.itemsize <= 2
        return np.asarray(f(x.astype("float32" if narrow else "float64") if x.dtype.kind in "biu" else x))

    return g


def sorted_pair(rng, dtype):
    x = np.sort(tied(rng, dtype)[0].ravel())
    return [x, tied(rng, dtype)[0]]


def top_k(x):
    order = np.argsort(-x, axis=1, kind="stable")[:, :2]
    return [np.take_along_axis(x, order, 1), order.astype(np.int64)]


def norm(order, **keywords):
    return lambda x: np.linalg.norm(x, order, **keywords)


def real_norm(order, **keywords):
    """NumPy's norm, of integers in float64."""
    return lambda x: np.asarray(np.linalg.norm(x, order, **keywords), np.result_type(x.real.dtype if x.dtype.kind in "fc" else "float64"))


def _empty(f):
    return lambda: f(tn.TracedTensor.input("float64", (0, 3)), axis=0)


REDUCTIONS = [
    Row("reduce_prod", lambda x: tn.prod(x, axis=1), lambda x: np.prod(x, axis=1), factors((3, 5)), ALL, eps=32),
    Row("prod_zeros", lambda x: tn.prod(x, axis=1), lambda x: np.prod(x, axis=1), with_zeros, INEXACT, eps=32),
    Row("prod_all", lambda x: tn.prod(x), np.prod, factors((3, 4)), ALL, eps=32),
    Row("prod_empty", lambda x: tn.prod(x, axis=0), lambda x: np.prod(x, axis=0), shapes((0, 4)), NUMBERS),
    Row(
        "reduce_min",
        lambda x: tn.min(x, axis=(0, 1), keepdims=True),
        lambda x: np.min(x, axis=(0, 1), keepdims=True),
        distinct((3, 4)),
        ORDERED,
        errors=(
            (_empty(lambda x, axis: tn.min(x, axis=axis)), "ValueError", "axis 0"),
            (lambda: tn.min(tn.TracedTensor.input("complex128", (2, 3))), "DTypeError", "min"),
        ),
    ),
    Row("max_bool", lambda x: tn.max(x, axis=1), lambda x: np.max(x, axis=1), shapes((3, 4)), ("bool",), order=0),
    Row("min_nan", lambda x: tn.min(x, axis=1), lambda x: np.min(x, axis=1), holes, REAL, order=0),
    Row("any", lambda x: tn.any(x, axis=1), lambda x: np.any(x, axis=1), shapes((3, 4)), ALL, order=0),
    Row("all", lambda x: tn.all(x, axis=1), lambda x: np.all(x, axis=1), shapes((3, 4)), ALL, order=0),
    Row("all_empty", lambda x: tn.all(x, axis=0), lambda x: np.all(x, axis=0), shapes((0, 4)), ALL, order=0),
    Row(
        "argmax",
        lambda x: tn.argmax(x, axis=1),
        sized(lambda x: np.argmax(x, axis=1)),
        tied,
        ALL,
        order=0,
        errors=((_empty(lambda x, axis: tn.argmax(x, axis=axis)), "ValueError", "argmax"),),
    ),
    Row("argmin", lambda x: tn.argmin(x, axis=0), sized(lambda x: np.argmin(x, axis=0)), tied, ALL, order=0),
    Row("argmax_flat", lambda x: tn.argmax(x, keepdims=True), sized(lambda x: np.argmax(x, keepdims=True)), holes, REAL, order=0),
    Row(
        "count_nonzero",
        lambda x: tn.count_nonzero(x, axis=0),
        sized(lambda x: np.count_nonzero(x, axis=0)),
        tied,
        ALL,
        order=0,
    ),
]

STATISTICS = [
    Row(
        "mean_keepdims",
        lambda x: tn.mean(x, axis=1, keepdims=True),
        lambda x: np.mean(x, axis=1, keepdims=True),
        shapes((3, 4)),
        ALL,
        eps=32,
    ),
    Row("var", lambda x: tn.var(x, axis=1), lambda x: np.var(x, axis=1), shapes((3, 5)), ALL, eps=64),
    Row("var_correction", lambda x: tn.var(x, correction=1.5), lambda x: np.var(x, ddof=1.5), shapes((3, 5)), INEXACT, eps=64),
    Row("std", lambda x: tn.std(x, axis=0, correction=1), lambda x: np.std(x, axis=0, ddof=1), shapes((4, 3)), INEXACT, eps=64),
    Row("median_odd", lambda x: tn.median(x, axis=1), lambda x: np.median(x, axis=1), distinct((3, 5)), ORDERED),
    Row("median_even", lambda x: tn.median(x), np.median, distinct((3, 4)), ORDERED),
    Row("median_nan", lambda x: tn.median(x, axis=1), lambda x: np.median(x, axis=1), holes, REAL, order=0),
    Row(
        "vector_norm",
        lambda x: tn.linalg.vector_norm(x, axis=1),
        lambda x: np.linalg.norm(x, axis=1),
        away_from_zero((3, 4)),
        INEXACT,
        eps=32,
    ),
    Row("vector_norm_3", lambda x: tn.linalg.vector_norm(x, ord=3, axis=0), norm(3, axis=0), away_from_zero((3, 4)), REAL, eps=64),
    Row("vector_norm_inf", lambda x: tn.linalg.vector_norm(x, ord=float("inf"), axis=0), norm(np.inf, axis=0), distinct((3, 4)), REAL),
    Row("vector_norm_1", lambda x: tn.linalg.vector_norm(x, ord=1, axis=0), real_norm(1, axis=0), away_from_zero((3, 4)), REAL, eps=32),
    Row("logsumexp", lambda x: tn.logsumexp(x, axis=1), in_float(lambda x: sp.logsumexp(x, axis=1)), shapes((3, 5)), REAL, eps=32),
    Row("softmax", lambda x: tn.softmax(x, axis=-1), lambda x: sp.softmax(x, axis=-1), shapes((3, 5)), REAL, eps=32),
    Row("log_softmax", lambda x: tn.log_softmax(x, axis=0), lambda x: sp.log_softmax(x, axis=0), shapes((3, 5)), REAL, eps=64),
    Row("diff", lambda x: tn.diff(x, n=2, axis=0), lambda x: np.diff(x, n=2, axis=0), shapes((5, 3)), NUMBERS, eps=32),
    Row("diff_bool", lambda x: tn.diff(x), np.diff, shapes((5, 3)), ("bool",), order=0),
    Row("ptp", lambda x: tn.ptp(x, axis=1), lambda x: np.ptp(x, axis=1), distinct((3, 5)), ORDERED),
]

SCANS = [
    Row(
        "cumsum",
        lambda x: tn.cumsum(x, axis=1),
        lambda x: np.cumsum(x, axis=1),
        shapes((3, 5)),
        ALL,
        eps=32,
        errors=((lambda: tn.cumsum(tn.TracedTensor.input("float64", (3,)), axis=1), "AxisError", "cumsum"),),
    ),
    Row("cumsum_flat", lambda x: tn.cumsum(x), np.cumsum, shapes((3, 5)), ALL, eps=32),
    Row(
        "cumulative_sum_initial",
        lambda x: tn.cumulative_sum(x, axis=1, include_initial=True),
        lambda x: np.cumulative_sum(x, axis=1, include_initial=True),
        shapes((3, 5)),
        ALL,
        eps=32,
    ),
    Row("cumprod", lambda x: tn.cumprod(x, axis=1), lambda x: np.cumprod(x, axis=1), factors((3, 6)), ALL, eps=32),
    Row("cumprod_zeros", lambda x: tn.cumprod(x, axis=1), lambda x: np.cumprod(x, axis=1), with_zeros, INEXACT, eps=32),
    Row("cummax", lambda x: tn.cummax(x, axis=1), accumulate(np.maximum), distinct((3, 6)), ORDERED),
    Row("cummin", lambda x: tn.cummin(x, axis=1, reverse=True), backwards(accumulate(np.minimum)), distinct((3, 6)), ORDERED),
    Row("cumlogsumexp", lambda x: tn.cumlogsumexp(x, axis=1), accumulate(np.logaddexp), shapes((3, 6)), REAL, eps=32),
]

ORDER = [
    Row(
        "sort",
        lambda x: tn.sort(x, axis=0),
        lambda x: np.sort(x, axis=0, stable=True),
        apart((5, 3)),
        ALL,
        errors=((lambda: tn.sort(tn.TracedTensor.input("float64", (3,)), axis=1), "AxisError", "sort"),),
    ),
    Row("sort_nan", lambda x: tn.sort(x), np.sort, holes, INEXACT, order=0),
    Row("argsort", lambda x: tn.argsort(x, axis=1), sized(lambda x: np.argsort(x, axis=1, stable=True)), tied, ALL, order=0),
    Row(
        "argsort_descending",
        lambda x: tn.argsort(x, axis=1, descending=True),
        sized(lambda x: np.argsort(-x, axis=1, stable=True)),
        tied,
        ("int64", *REAL),
        order=0,
    ),
    Row(
        "top_k",
        lambda x: list(tn.top_k(x, 2, axis=1)),
        top_k,
        distinct((3, 5)),
        ("int64", *REAL),
        errors=((lambda: tn.top_k(tn.TracedTensor.input("float64", (3,)), 4), "ValueError", "top_k"),),
    ),
    Row("searchsorted", lambda x, v: tn.searchsorted(x, v), sized(np.searchsorted), sorted_pair, ALL, order=0),
    Row(
        "searchsorted_right",
        lambda x, v: tn.searchsorted(x, v, side="right"),
        sized(lambda x, v: np.searchsorted(x, v, side="right")),
        sorted_pair,
        ALL,
        order=0,
    ),
]

REDUCTION_ROWS = REDUCTIONS + STATISTICS + SCANS + ORDER
