"""Rows of the op table: polynomials, correlations, choices, windows, and order without NaN."""

import numpy as np
import scipy.signal
from draws import INEXACT, REAL, Row, away_from_zero, distinct, numbers, shapes
from rows_numpy import with_nan, with_some_nan
from rows_sets import ALL, INTEGERS, NUMBERS, both

import tenferro_py as tn

X = tn.TracedTensor.input
POINTS = np.array([-1.0, -0.5, 0.25, 0.5, 1.0, 1.5])


def simple_roots(rng, dtype):
    """Coefficients with the zeros −2, 0.5, 1 and 3, scaled."""
    return [(np.poly([-2.0, 0.5, 1.0, 3.0]) * 1.5).astype(dtype)]


def in_order(z):
    """What of zeros does not depend on their order: sums of powers."""
    return [(z**k).sum() for k in (1, 2, 3)]


def numpys_roots(p):
    single = p.dtype in ("float32", "complex64")
    return [y.astype("complex64" if single else "complex128") for y in in_order(np.roots(p.astype("complex128")))]


def fitted(**kwargs):
    return (lambda y: tn.polyfit(POINTS.astype(str(y.dtype)), y, 2, **kwargs)), (
        lambda y: np.polyfit(POINTS.astype(y.dtype), y, 2, **kwargs).astype(y.dtype)
    )


POLYNOMIALS = [
    both("polyadd", draw=shapes((3,), (5,)), dtypes=NUMBERS),
    both("polysub", draw=shapes((4,), (2,)), dtypes=NUMBERS),
    both("polymul", draw=shapes((4,), (3,)), dtypes=NUMBERS),
    both("polyder", 2, draw=shapes((5,)), dtypes=("int64", *INEXACT[1::2])),
    both("polyint", 2, draw=shapes((3,)), dtypes=("int64", *INEXACT[1::2])),
    both("polyint", k=1.5, draw=shapes((3,)), dtypes=("float64",), label="polyint_constant"),
    Row(
        "polyfit",
        *fitted(),
        shapes((6,)),
        ("float64",),
        eps=256,
        errors=(
            (lambda: tn.polyfit([1.0, 2.0], [1.0], 1), "ShapeError", "polyfit"),
            (lambda: tn.polyfit([1.0], [1.0], -1), "ArgumentError", "degree"),
            (lambda: tn.polyfit([1.0, 2.0], [1.0, 2.0], 1, w=[1.0]), "ShapeError", "weights"),
        ),
    ),
    Row("polyfit_weights", *fitted(w=[1.0, 2.0, 3.0, 1.0, 0.5, 1.0]), shapes((6, 2)), ("float64",), eps=256),
    Row(
        "polyfit_places",
        lambda x, y: tn.polyfit(x, y, 1),
        lambda x, y: np.polyfit(x, y, 1),
        lambda r, d: distinct((6,))(r, d) + shapes((6,))(r, d),
        ("float64",),
        eps=256,
    ),
    Row("roots", lambda p: in_order(tn.roots(p)), numpys_roots, simple_roots, INEXACT, eps=512),
]

PRODUCTS = [
    both("vdot", draw=shapes((2, 3), (3, 2)), dtypes=NUMBERS),
    both("matvec", draw=shapes((2, 1, 3, 4), (5, 4)), errors=((lambda: tn.matvec([1.0], [1.0]), "ShapeError", "matvec"),)),
    both("vecmat", draw=shapes((2, 1, 3), (3, 4)), errors=((lambda: tn.vecmat([1.0], [1.0]), "ShapeError", "vecmat"),)),
    *[both("correlate", mode, draw=shapes((5,), (3,)), label=f"correlate_{mode}") for mode in ("full", "same")],
    both("correlate", draw=shapes((2,), (5,)), errors=((lambda: tn.correlate([1.0], [[1.0]]), "ShapeError", "correlate"),)),
    both("correlate", "same", draw=shapes((3,), (6,)), label="correlate_short"),
]


def chosen(m):
    return lambda x, y: m.select([x < 0, x > y], [x * 2, y], 7)


def broken(rng, dtype):
    return [np.array([-1.5, -0.75, -0.25, 0.25, 2.5, 3.25, 0.75]).astype(dtype)]


CHOICES = [
    Row(
        "select_choice",
        chosen(tn),
        chosen(np),
        shapes((3, 4), (4,)),
        (*INTEGERS, *REAL),
        errors=((lambda: tn.select([[True]], []), "ArgumentError", "select"), (lambda: tn.select([1.0], [1.0]), "DTypeError", "select")),
    ),
    both(
        "heaviside",
        0.5,
        draw=away_from_zero((3, 4)),
        dtypes=("int32", "int64", *REAL),
        errors=((lambda: tn.heaviside(1j, 0.0), "DTypeError", "heaviside"),),
    ),
    Row("heaviside_at_zero", lambda h: tn.heaviside(0.0, h), lambda h: np.heaviside(np.zeros((), h.dtype), h), shapes((3,)), ("float64",)),
    both("isreal", dtypes=ALL, order=0),
    both("iscomplex", dtypes=ALL, order=0),
    both("isposinf", dtypes=(*INTEGERS, *REAL), order=0),
    both("isneginf", dtypes=(*INTEGERS, *REAL), order=0),
    Row(
        "modf",
        lambda x: list(tn.modf(x)),
        lambda x: list(np.modf(x)),
        broken,
        ("int64", *REAL),
        errors=((lambda: tn.modf(1j), "DTypeError", "modf"),),
    ),
    Row(
        "argwhere",
        lambda x: tn.argwhere(x, size=12, fill_value=-1),
        lambda x: np.concatenate([np.argwhere(x), np.full((12 - np.count_nonzero(x), 2), -1)]),
        lambda r, d: [np.where(r.integers(0, 2, (3, 4)), numbers(r, d, (3, 4)), 0).astype(d)],
        ALL,
        order=0,
        errors=((lambda: tn.argwhere(X("float64", (3,))), "ArgumentError", "size"),),
    ),
]

Q = np.array([[0.0, 0.3], [0.5, 1.0]])

NAN = [
    Row(
        "nanquantile",
        lambda x: tn.nanquantile(x, Q.astype(str(x.dtype)), axis=0),
        lambda x: np.nanquantile(x, Q.astype(x.dtype), axis=0),
        lambda r, d: [with_nan(r, d)[0][:2].T.copy()],
        REAL,
        eps=32,
    ),
    both(
        "nanquantile", 0.4, axis=(0, 1), keepdims=True, method="nearest", draw=with_nan, dtypes=(*INTEGERS, *REAL), label="nanquantile_all"
    ),
    both("nanpercentile", 70, draw=with_nan, dtypes=(*INTEGERS, *REAL)),
    both("nanmedian", axis=1, draw=lambda r, d: [with_nan(r, d)[0][:2]], dtypes=(*INTEGERS, *REAL)),
    both("nancumsum", axis=1, draw=with_some_nan, dtypes=INEXACT),
    both("nancumprod", axis=0, draw=with_some_nan, dtypes=INEXACT),
    both("nanargmax", axis=0, draw=with_nan, dtypes=(*INTEGERS, *REAL), order=0),
    both("nanargmin", axis=0, keepdims=True, draw=with_nan, dtypes=(*INTEGERS, *REAL), order=0),
]

WINDOWS = [
    Row(
        "kaiser",
        lambda beta: tn.kaiser(9, beta),
        lambda beta: scipy.signal.windows.kaiser(9, float(beta)),
        lambda r, d: [np.asarray(r.uniform(0.5, 20.0), d)],
        ("float64",),
        eps=32,
    ),
]

ROWS = POLYNOMIALS + PRODUCTS + CHOICES + NAN + WINDOWS
