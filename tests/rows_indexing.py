"""Rows of the op table: shapes, indices and updates."""

import numpy as np
from draws import ALL, INEXACT, INTEGERS, NUMBERS, REAL, Row, away_from_zero, distinct, numbers, shapes

import tenferro_py as tn

X = tn.TracedTensor.input
NUMBERS_OF_ROWS = np.array([2, 0, -1, 2])
GRID = (np.array([[0], [2]]), np.array([1, 1, 3]))
MASK = np.array([True, False, True])


def same(name, *args, dims=((3, 4),), dtypes=ALL, eps=0, **kwargs):
    """`tn.name` against `np.name` with the same further arguments."""
    return Row(
        name,
        lambda *x: getattr(tn, name)(*x, *args, **kwargs),
        lambda *x: getattr(np, name)(*x, *args, **kwargs),
        shapes(*dims),
        dtypes,
        order=2 if set(dtypes) & set(INEXACT) else 0,
        eps=eps,
    )


def named(row, name):
    return Row(name, row.call, row.reference, row.draw, row.dtypes, row.order, row.errors, row.eps)


def joined(name):
    return Row(name, lambda *x: getattr(tn, name)(x), lambda *x: getattr(np, name)(x), shapes((3, 4), (3, 4)), ALL)


def part(name, index, dims=(3, 4)):
    return Row(name, lambda x: x[index], lambda x: x[index], shapes(dims), ALL)


def changed(method, ufunc, index, dims, dtypes=NUMBERS, draw=shapes):
    """`x.at[index].method(u)` against NumPy's unbuffered `ufunc.at`."""

    def reference(x, u):
        y = x.copy()
        if ufunc is None:
            y[index] = u
        else:
            ufunc.at(y, index, u)
        return y

    return Row(f"at_{method}", lambda x, u: getattr(x.at[index], method)(u), reference, draw((3, 4), dims), dtypes)


def padded(mode, **kwargs):
    ordered = mode in ("maximum", "minimum", "median")
    dtypes = REAL if ordered else INEXACT
    draw = distinct((3, 4)) if ordered else shapes((3, 4))
    widths = ((2, 1), (3, 5))
    call = Row(
        f"pad_{mode}",
        lambda x: tn.pad(x, widths, mode=mode, **kwargs),
        lambda x: np.pad(x, widths, mode=mode, **kwargs),
        draw,
        dtypes,
        eps=16 if mode in ("linear_ramp", "mean", "median") else 0,
    )
    return call


def with_mask(rng, dtype):
    return [numbers(rng, "bool", (3, 4)), numbers(rng, dtype, (3, 4))]


def dynamic(x):
    return tn.dynamic_slice(x, (1, 9), (2, 2))


def dynamic_update(x, u):
    return tn.dynamic_update_slice(x, u, (1, 9))


def updated_box(x, u):
    y = x.copy()
    y[1:3, 2:4] = u
    return y


# Shorter than the array outside axis 1, with a place that stands twice.
PLACES = np.array([[3, 0, 0, -1], [2, 1, 2, 0]])


def scattered_along(name, ufunc, dtypes=NUMBERS, draw=shapes):
    """`tn.name` along axis 1 against NumPy's unbuffered `ufunc.at` on a grid."""
    row = changed(name, ufunc, (np.arange(2)[:, None], PLACES), (2, 4), dtypes, draw)
    return Row(name, lambda x, u: getattr(tn, name)(x, 1, PLACES, u), row.reference, row.draw, dtypes)


def put_along(x, u):
    y = x.copy()
    np.put_along_axis(y, PLACES[:1, :2], u, 1)
    return y


def filled(places, size, fill):
    return np.concatenate([places, np.full(max(size - len(places), 0), fill)])[:size]


def scattered(method, ufunc):
    return changed(method, ufunc, (NUMBERS_OF_ROWS,), (4, 4))


SHAPE = [
    same("squeeze", dims=((3, 1, 4),)),
    same("expand_dims", 1),
    same("moveaxis", 0, -1, dims=((2, 3, 4),)),
    same("swapaxes", 0, 2, dims=((2, 3, 4),)),
    same("flip", 1),
    same("roll", (1, -2), (0, 1)),
    named(same("roll", 5), "roll_flat"),
    same("tile", (2, 1, 2)),
    same("repeat", 2, axis=0),
    named(same("repeat", [2, 0, 1, 3], axis=1), "repeat_counts"),
    Row("split", lambda x: tn.split(x, 2, axis=1), lambda x: np.split(x, 2, axis=1), shapes((3, 4)), ALL),
    Row("array_split", lambda x: tn.array_split(x, 3, axis=1), lambda x: np.array_split(x, 3, axis=1), shapes((3, 4)), ALL),
    Row("unstack", lambda x: tn.unstack(x, axis=1), lambda x: list(np.unstack(x, axis=1)), shapes((3, 2)), ALL),
    joined("vstack"),
    joined("hstack"),
    joined("dstack"),
    Row(
        "broadcast_arrays", lambda x, y: tn.broadcast_arrays(x, y), lambda x, y: list(np.broadcast_arrays(x, y)), shapes((3, 1), (4,)), ALL
    ),
    Row("meshgrid", lambda x, y: tn.meshgrid(x, y), lambda x, y: list(np.meshgrid(x, y)), shapes((3,), (4,)), ALL),
    Row("reshape_f", lambda x: tn.reshape(x, (4, 3), order="F"), lambda x: x.reshape((4, 3), order="F"), shapes((3, 4)), ALL),
    same("ravel"),
    same("diag", 1, dims=((4,),)),
    same("diagonal", -1),
    same("trace", 1, dtypes=NUMBERS, eps=16),
    same("tril", -1),
    same("triu", 1),
    *(padded(mode) for mode in ("edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum", "minimum", "mean", "median")),
]

PRODUCTS = [
    same("tensordot", 1, dims=((3, 4), (4, 5)), dtypes=NUMBERS, eps=32),
    same("vecdot", dims=((3, 4), (4,)), dtypes=NUMBERS, eps=32),
    same("dot", dims=((2, 3), (4, 3, 2)), dtypes=NUMBERS, eps=32),
    same("outer", dims=((3,), (4,)), dtypes=NUMBERS, eps=8),
    same("inner", dims=((3, 4), (2, 4)), dtypes=NUMBERS, eps=32),
    same("kron", dims=((2, 3), (3, 2)), dtypes=NUMBERS, eps=8),
    same("cross", dims=((4, 3), (3,)), dtypes=INEXACT, eps=16),
    # NumPy takes float32 to float64 here.
    Row("vander", lambda x: tn.vander(x, 4), lambda x: np.vander(x, 4).astype(x.dtype), shapes((3,)), INEXACT, eps=16),
    Row("polyval", lambda p, x: tn.polyval(p, x), np.polyval, shapes((4,), (3,)), INEXACT, eps=64),
    *(
        named(same("convolve", mode, dims=((7,), (3,)), dtypes=NUMBERS, eps=32), name)
        for mode, name in (("full", "convolve"), ("same", "convolve_same"), ("valid", "convolve_valid"))
    ),
    Row(
        "interp",
        lambda x, f: tn.interp(x, [0.0, 1.0, 2.5], f),
        lambda x, f: np.interp(x, [0.0, 1.0, 2.5], f),
        lambda r, d: [r.uniform(0.1, 0.9, 5).astype(d), numbers(r, d, (3,))],
        ("float64",),
        eps=32,
    ),
]

INDEXING = [
    part("index_negative_step", np.s_[::-1, 3:0:-2]),
    part("index_array", np.s_[NUMBERS_OF_ROWS]),
    part("index_arrays", GRID),
    part("index_array_and_slice", np.s_[::-1, NUMBERS_OF_ROWS]),
    part("index_separated", np.s_[GRID[1] - 1, None, [0, 1, 3]]),
    part("index_mask", np.s_[MASK]),
    part("index_mask_and_slice", np.s_[MASK, 1:]),
    Row("take", lambda x: tn.take(x, NUMBERS_OF_ROWS, axis=0), lambda x: np.take(x, NUMBERS_OF_ROWS, axis=0), shapes((3, 4)), ALL),
    Row(
        "take_wrap",
        lambda x: tn.take(x, [5, -7], axis=1, mode="wrap"),
        lambda x: np.take(x, [5, -7], axis=1, mode="wrap"),
        shapes((3, 4)),
        ALL,
    ),
    changed("set", None, np.s_[1:, ::-2], (2, 2), ALL),
    named(changed("set", None, (np.array([2, 0]),), (4,), ALL), "at_set_rows"),
    named(changed("set", None, (np.array([True, False, True]), 1), (2,), ALL), "at_set_mask"),
    scattered("add", np.add),
    scattered("multiply", np.multiply),
    scattered("mul", np.multiply),
    scattered("subtract", np.subtract),
    changed("min", np.minimum, (NUMBERS_OF_ROWS,), (4, 4), (*INTEGERS, *REAL), distinct),
    changed("max", np.maximum, (NUMBERS_OF_ROWS,), (4, 4), (*INTEGERS, *REAL), distinct),
    changed("divide", np.divide, (NUMBERS_OF_ROWS,), (4, 4), INEXACT, lambda *d: away_from_zero(*d)),
    Row(
        "at_apply",
        lambda x: x.at[1:, 0].apply(tn.square),
        lambda x: np.where((np.arange(3)[:, None] >= 1) & (np.arange(4) == 0), x * x, x),
        shapes((3, 4)),
        NUMBERS,
    ),
    Row(
        "gather",
        lambda x: tn.gather(x, 1, PLACES),
        lambda x: np.take_along_axis(x[:2], PLACES, 1),
        shapes((3, 4)),
        ALL,
        errors=(
            (lambda: tn.gather(np.zeros((3, 4)), 1, np.zeros((4, 1), int)), "ShapeError", "gather"),
            (lambda: tn.gather(np.zeros((3, 4)), 2, PLACES), "AxisError", "gather"),
            (lambda: tn.gather(np.zeros((3, 4)), 1, [[4]]), "IndexError", "axis 1 with size 4"),
            (lambda: tn.gather(np.zeros((3, 4)), 0, [[0.5]]), "DTypeError", "gather"),
        ),
    ),
    scattered_along("scatter", None, ALL),
    scattered_along("scatter_add", np.add),
    scattered_along("scatter_mul", np.multiply),
    scattered_along("scatter_min", np.minimum, (*INTEGERS, *REAL), distinct),
    scattered_along("scatter_max", np.maximum, (*INTEGERS, *REAL), distinct),
    Row("put_along_axis", lambda x, u: tn.put_along_axis(x, PLACES[:1, :2], u, axis=1), put_along, shapes((3, 4), (3, 2)), ALL),
    Row("dynamic_slice", dynamic, lambda x: x[1:3, 2:4], shapes((3, 4)), ALL),
    Row("dynamic_update_slice", dynamic_update, updated_box, shapes((3, 4), (2, 2)), ALL),
    Row(
        "nonzero",
        lambda m: tn.nonzero(m, size=14, fill_value=-1),
        lambda m: [filled(i, 14, -1) for i in np.nonzero(m)],
        shapes((3, 4)),
        ALL,
        order=0,
    ),
    Row(
        "flatnonzero",
        lambda m: tn.flatnonzero(m, size=3, fill_value=7),
        lambda m: filled(np.flatnonzero(m), 3, 7),
        shapes((3, 4)),
        ALL,
        order=0,
    ),
]

REFUSED = [
    Row(
        "index_errors",
        lambda x: x[0],
        lambda x: x[0],
        shapes((3, 4)),
        ("float64",),
        errors=(
            (lambda: tn.asarray(np.zeros((3, 4)))[np.array([0, 7])], "IndexError", "index 7 is out of bounds for axis 0 with size 3"),
            (lambda: X("float64", (3,))[X("bool", (3,))], "ValueError", "nonzero"),
            (lambda: X("float64", (3,))[::0], "ValueError", "step"),
            (lambda: X("float64", (3,)).at[0].set(1j), "DTypeError", "at.set"),
        ),
    ),
]

ROWS = SHAPE + PRODUCTS + INDEXING + REFUSED
