"""Rows of the op table: reductions, running reductions, statistics and order."""

import numpy as np
import scipy.special as sp
from draws import ALL, INEXACT, INTEGERS, NUMBERS, REAL, Row, distinct, numbers, shapes

import tenferro_py as tn

ORDERED = ("bool", *INTEGERS, *REAL)
X = tn.TracedTensor.input


def row(name, reference=None, draw=None, dtypes=NUMBERS, order=2, eps=32, errors=(), **kwargs):
    """`tn.name` with keywords against NumPy's function of the same name, or another."""
    return Row(
        name,
        lambda x: getattr(tn, name)(x, **kwargs),
        reference or (lambda x: getattr(np, name)(x, **kwargs)),
        draw or shapes((3, 4)),
        dtypes,
        order if set(dtypes) & set(INEXACT) else 0,
        errors,
        eps,
    )


def named(r, name):
    return Row(name, r.call, r.reference, r.draw, r.dtypes, r.order, r.errors, r.eps)


def with_zeros(rng, dtype):
    """Columns with no zero, one and two."""
    x = numbers(rng, dtype, (3, 3))
    x[0, 1] = x[0, 2] = x[2, 2] = 0
    return [x]


def sparse(rng, dtype):
    """About half of the elements are 0."""
    return [np.where(rng.integers(0, 2, (3, 4)), numbers(rng, dtype, (3, 4)), 0).astype(dtype)]


def small(rng, dtype):
    """Integers whose products fit."""
    return (
        [rng.integers(-2 if np.dtype(dtype).kind == "i" else 0, 3, (3, 4)).astype(dtype)]
        if dtype in INTEGERS
        else shapes((3, 4))(rng, dtype)
    )


def softmax(x):
    return sp.softmax(x, axis=-1)


def running_logsumexp(x):
    return np.log(np.cumsum(np.exp(x), axis=1))


def flat_diff(x):
    return np.diff(x, n=2, axis=0, prepend=x[:1])


REDUCTIONS = [
    row("prod", draw=small, axis=1),
    named(row("prod", draw=with_zeros, dtypes=INEXACT, axis=0), "prod_zeros"),
    named(row("prod", dtypes=NUMBERS, draw=small), "reduce_prod"),
    named(row("sum", dtypes=NUMBERS, axis=0, dtype="float64"), "sum_dtype"),
    row(
        "min",
        draw=distinct((3, 4)),
        dtypes=(*INTEGERS, *REAL),
        axis=1,
        errors=(
            (lambda: tn.min(X("float64", (0, 3)), axis=0), "ValueError", "min"),
            (lambda: tn.min(X("complex128", (2, 3))), "DTypeError", "min"),
        ),
    ),
    named(row("min", draw=distinct((2, 3, 2)), dtypes=(*INTEGERS, *REAL), axis=(0, 2), keepdims=True), "reduce_min"),
    row("ptp", draw=distinct((3, 4)), dtypes=(*INTEGERS, *REAL), axis=0),
    row("any", draw=sparse, dtypes=ALL, order=0, axis=1),
    row("all", draw=sparse, dtypes=ALL, order=0, axis=1),
    named(row("any", draw=shapes((0, 4)), dtypes=ALL, order=0, axis=0), "any_empty"),
    row("count_nonzero", draw=sparse, dtypes=ALL, order=0, axis=0),
    row("logsumexp", lambda x: sp.logsumexp(x, axis=1), dtypes=INEXACT, axis=1),
    row(
        "argmax",
        draw=distinct((3, 4)),
        dtypes=ORDERED,
        order=0,
        axis=1,
        errors=((lambda: tn.argmax(X("float64", (2, 3)), axis=2), "AxisError", "argmax"),),
    ),
    row("argmin", draw=distinct((3, 4)), dtypes=ORDERED, order=0, axis=0, keepdims=True),
    named(row("argmin", draw=distinct((3, 4)), dtypes=ORDERED, order=0), "argmin_flat"),
]

STATISTICS = [
    row("var", dtypes=INEXACT, axis=0, correction=1),
    row("std", dtypes=INEXACT, axis=1),
    row("median", draw=distinct((3, 4)), dtypes=REAL, axis=1),
    named(row("median", draw=distinct((3, 5)), dtypes=REAL), "median_odd"),
    row("softmax", softmax, dtypes=REAL),
    row("log_softmax", lambda x: sp.log_softmax(x, axis=0), dtypes=REAL, axis=0),
]

CUMULATIVE = [
    row("cumsum", axis=1),
    named(row("cumsum"), "cumsum_flat"),
    row("cumprod", draw=small, axis=0),
    named(row("cumprod", draw=with_zeros, dtypes=INEXACT, axis=0), "cumprod_zeros"),
    row(
        "cumulative_sum",
        axis=1,
        include_initial=True,
        errors=((lambda: tn.cumulative_sum(X("float64", (2, 3))), "ArgumentError", "cumulative_sum"),),
    ),
    row("cumulative_prod", draw=small, axis=0),
    row("cummax", lambda x: np.maximum.accumulate(x, axis=1), distinct((3, 4)), (*INTEGERS, *REAL), axis=1),
    row(
        "cummin",
        lambda x: np.flip(np.minimum.accumulate(np.flip(x, 0), axis=0), 0),
        distinct((3, 4)),
        (*INTEGERS, *REAL),
        axis=0,
        reverse=True,
    ),
    row("cumlogsumexp", running_logsumexp, dtypes=REAL, axis=1),
]

ORDER = [
    row("sort", draw=distinct((3, 4)), dtypes=ORDERED, axis=1),
    named(row("sort", lambda x: np.flip(np.sort(x, axis=0), 0), distinct((3, 4)), ORDERED, axis=0, descending=True), "sort_descending"),
    row("argsort", lambda x: np.argsort(x, axis=0, stable=True), dtypes=ALL, order=0, axis=0),
    Row(
        "top_k",
        lambda x: tn.top_k(x, 2),
        lambda x: [np.flip(np.sort(x, axis=-1), -1)[..., :2], np.argsort(-x.astype("float64"), axis=-1, stable=True)[..., :2]],
        distinct((3, 4)),
        (*INTEGERS, *REAL),
        errors=((lambda: tn.top_k(X("float64", (3,)), 4), "ValueError", "top_k"),),
    ),
    Row(
        "searchsorted",
        lambda x, v: tn.searchsorted(tn.sort(x), v, side="right"),
        lambda x, v: np.searchsorted(np.sort(x), v, side="right"),
        shapes((5,), (3, 4)),
        ORDERED,
        order=0,
        errors=((lambda: tn.searchsorted(X("float64", (2, 3)), 1.0), "ShapeError", "searchsorted"),),
    ),
    row("diff", axis=1),
    Row("diff_prepend", lambda x: tn.diff(x, 2, axis=0, prepend=x[:1]), flat_diff, shapes((3, 4)), NUMBERS),
    row("unique", lambda x: np.concatenate([np.unique(x), np.full(20, 7)])[:20].astype(x.dtype), dtypes=REAL, size=20, fill_value=7),
    Row(
        "take_along_axis",
        lambda x: tn.take_along_axis(x, np.array([[0, -1], [1, 1], [2, 0]]), axis=1),
        lambda x: np.take_along_axis(x, np.array([[0, -1], [1, 1], [2, 0]]), axis=1),
        shapes((3, 4)),
        ALL,
        errors=((lambda: tn.take_along_axis(X("float64", (2, 3)), [0]), "ShapeError", "take_along_axis"),),
    ),
]

ROWS = REDUCTIONS + STATISTICS + CUMULATIVE + ORDER
