"""Rows of the op table: numbers in a row, masked reductions, distinct elements, closeness."""

import numpy as np
from draws import INEXACT, REAL, Row, distinct, numbers, positive, shapes

import tenferro_py as tn

# Functions made of others, which have rows for every dtype: some are enough.
INTEGERS = ("int8", "uint64")
NUMBERS = (*INTEGERS, *INEXACT)
ALL = ("bool", *NUMBERS)
X = tn.TracedTensor.input
MASK = np.array([[True, False, True, True], [False, False, True, False], [True, True, True, True]])


def few(rng, dtype):
    """Numbers of which some are equal."""
    return [rng.integers(0, 2 if dtype == "bool" else 4, (3, 4)).astype(dtype)]


def few_and_others(rng, dtype):
    return [*few(rng, dtype), few(rng, dtype)[0][0, :2]]


def near(rng, dtype):
    x = numbers(rng, dtype, (3, 4))
    return [x, (x * np.asarray(rng.choice([1, 1 + 1e-6, 2], (3, 4)))).astype(dtype)]


def both(name, *args, draw=None, dtypes=NUMBERS, order=2, eps=32, label=None, errors=(), **kwargs):
    """`tn.name` against `np.name` with the same further arguments."""
    return Row(
        label or name,
        lambda *x: getattr(tn, name)(*x, *args, **kwargs),
        lambda *x: getattr(np, name)(*x, *args, **kwargs),
        draw or shapes((3, 4)),
        dtypes,
        order if set(dtypes) & set(INEXACT) else 0,
        errors,
        eps,
    )


def geomspace(start, stop):
    """NumPy's, in the dtype of the ends."""
    return np.geomspace(start, stop, 4, axis=1, dtype=np.result_type(start, stop))


RANGES = [
    both(
        "linspace",
        5,
        draw=shapes((3, 1), (4,)),
        errors=((lambda: tn.linspace(X("float64", (2,)), X("float64", (3,))), "ShapeError", "sub"),),
    ),
    both("linspace", 5, draw=shapes((3, 1), (4,)), endpoint=False, axis=-1, label="linspace_axis"),
    both("logspace", 4, draw=shapes((3, 1), (4,)), dtypes=INEXACT),
    Row("geomspace", lambda x, y: tn.geomspace(x, y, 4, axis=1), geomspace, positive((3, 1), (4,)), eps=32),
]

MASKED = [
    both("sum", where=MASK, axis=1, initial=2, label="sum_where"),
    both("prod", where=MASK, axis=0, initial=2, label="prod_where", dtypes=INEXACT),
    both("mean", where=MASK, axis=1, label="mean_where"),
    both("var", where=MASK, axis=1, label="var_where", dtypes=INEXACT),
    both("std", where=MASK[0], axis=1, ddof=1, label="std_where", dtypes=INEXACT),
    both("any", where=MASK, axis=0, label="any_where", dtypes=ALL, order=0),
    both("all", where=MASK, axis=1, label="all_where", dtypes=ALL, order=0),
    both("max", where=MASK, axis=1, initial=2, keepdims=True, draw=distinct((3, 4)), dtypes=(*INTEGERS, *REAL), label="max_where"),
    both(
        "min",
        initial=3,
        axis=1,
        draw=distinct((3, 4)),
        dtypes=(*INTEGERS, *REAL),
        label="min_initial",
        errors=(
            (lambda: tn.min(X("float64", (2, 3)), where=[True, False, True]), "ArgumentError", "initial"),
            (lambda: tn.sum(X("float64", (3,)), where=[[True], [False]]), "ShapeError", "where"),
            (lambda: tn.sum(X("float64", (3,)), where=[1, 0, 1]), "DTypeError", "select"),
        ),
    ),
]


def few_rows(rng, dtype):
    return [rng.integers(0, 2, (7, 2)).astype(dtype)]


def unique_with_size(x):
    return list(tn.unique(x, True, True, True, size=13, fill_value=True))


def unique_rows_with_size(x):
    return list(tn.unique(x, True, True, True, 0, size=6, fill_value=True))


def filled(size, axis=None):
    """NumPy's, filled: the place of the smallest element, and no counts."""

    def reference(x):
        values, places, inverse, counts = np.unique(x, True, True, True, axis)
        missing = size - len(values)
        return [
            np.concatenate([values, np.ones((missing, *values.shape[1:]), x.dtype)]),
            np.concatenate([places, np.full(missing, places[0])]),
            inverse,
            np.concatenate([counts, np.zeros(missing, "int64")]),
        ]

    return reference


SETS = [
    Row("unique_parts", unique_with_size, filled(13), few, ALL, order=0),
    Row("unique_axis", unique_rows_with_size, filled(6, 0), few_rows, ALL, order=0),
    Row("unique_axis_values", lambda x: tn.unique(x, axis=1, size=3), lambda x: np.unique(x, axis=1), distinct((4, 3)), REAL),
    both("isin", draw=few_and_others, dtypes=ALL, order=0),
    both("isin", invert=True, draw=few_and_others, dtypes=ALL, order=0, label="isin_not"),
    Row(
        "bincount",
        lambda x: tn.bincount(tn.ravel(x), length=5),
        lambda x: np.bincount(x.ravel(), minlength=5),
        few,
        ("int8", "uint32", "int64"),
        order=0,
        errors=(
            (lambda: tn.bincount(X("int64", (3,))), "ArgumentError", "length"),
            (lambda: tn.bincount([1, -1]), "ArgumentError", "negative"),
            (lambda: tn.bincount([[1]]), "ShapeError", "axes"),
            (lambda: tn.bincount([1.0]), "DTypeError", "float64"),
        ),
    ),
    Row(
        "bincount_weights",
        lambda w: tn.bincount([0, 2, 2, 1], w, length=4),
        lambda w: np.bincount([0, 2, 2, 1], w, minlength=4),
        shapes((4,)),
        ("float64",),
    ),
]

CLOSENESS = [
    both("isclose", draw=near, dtypes=ALL, order=0),
    both("isclose", 0.9, 0.5, draw=near, dtypes=ALL, order=0, label="isclose_wide"),
    both("allclose", 1.1, draw=near, dtypes=ALL, order=0),
    both("array_equal", draw=lambda r, d: few(r, d) * 2, dtypes=ALL, order=0),
    both("array_equal", draw=near, dtypes=NUMBERS, order=0, label="array_equal_not"),
]

ROWS = RANGES + MASKED + SETS + CLOSENESS
