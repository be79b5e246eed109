"""One row an op: how to call it, what NumPy or SciPy gives, which inputs it takes.

`draw(rng, dtype)` makes inputs in the op's smooth domain. `order` is how often it
can be differentiated there (0: no derivative). `errors` are calls that must raise,
with the exception's name and a word of its message.
"""

import numpy as np
import rows_elementwise
import rows_fft
import rows_indexing
import rows_linalg
import rows_numpy
import rows_numpy_more
import rows_reductions
import rows_sets
from draws import ALL, INEXACT, INTEGERS, NUMBERS, REAL, Row, away_from_zero, distinct, numbers, positive, shapes

import tenferro_py as tn


def mask_draw(rng, dtype):
    return [rng.integers(0, 2, (3, 4)).astype(bool), numbers(rng, dtype, (3, 4)), numbers(rng, dtype, (4,))]


def _two(shape_a, shape_b, dtype_a="float64", dtype_b="float64"):
    return lambda f: f(tn.TracedTensor.input(dtype_a, shape_a), tn.TracedTensor.input(dtype_b, shape_b))


ELEMENTWISE = [
    Row(
        "add",
        lambda x, y: tn.add(x, y),
        np.add,
        shapes((3, 4), (4,)),
        NUMBERS,
        errors=((lambda: _two((3,), (4,))(tn.add), "ShapeError", "add"),),
    ),
    Row(
        "sub",
        lambda x, y: tn.subtract(x, y),
        np.subtract,
        shapes((3, 1), (3, 4)),
        NUMBERS,
        errors=((lambda: _two((3,), (4,))(tn.subtract), "ShapeError", "sub"),),
    ),
    Row(
        "mul",
        lambda x, y: tn.multiply(x, y),
        np.multiply,
        shapes((3, 4), ()),
        NUMBERS,
        errors=((lambda: _two((2, 3), (3, 2))(tn.multiply), "ShapeError", "mul"),),
    ),
    Row(
        "div",
        lambda x, y: tn.divide(x, y),
        np.divide,
        lambda r, d: shapes((3, 4))(r, d) + away_from_zero((3, 4))(r, d),
        errors=((lambda: _two((3,), (4,))(tn.divide), "ShapeError", "div"),),
    ),
    Row(
        "neg",
        lambda x: tn.negative(x),
        np.negative,
        shapes((3, 4)),
        NUMBERS,
        errors=((lambda: tn.negative(tn.TracedTensor.input("bool", (2,))), "DTypeError", "neg"),),
    ),
    Row(
        "abs",
        lambda x: tn.abs(x),
        np.abs,
        away_from_zero((3, 4)),
        NUMBERS,
    ),
    Row("conj", lambda x: tn.conj(x), np.conj, shapes((3, 4))),
    Row("real", lambda x: tn.real(x), np.real, shapes((3, 4))),
    Row("imag", lambda x: tn.imag(x), np.imag, shapes((3, 4))),
    Row(
        "sin",
        lambda x: tn.sin(x),
        np.sin,
        shapes((3, 4)),
    ),
    Row("cos", lambda x: tn.cos(x), np.cos, shapes((3, 4))),
    Row("exp", lambda x: tn.exp(x), np.exp, shapes((3, 4))),
    Row("log", lambda x: tn.log(x), np.log, positive((3, 4))),
    Row("sqrt", lambda x: tn.sqrt(x), np.sqrt, positive((3, 4))),
    Row("square", lambda x: tn.square(x), np.square, shapes((3, 4)), NUMBERS),
    Row("cosh", lambda x: tn.cosh(x), np.cosh, shapes((3, 4))),
    Row("sinh", lambda x: tn.sinh(x), np.sinh, shapes((3, 4))),
    Row(
        "maximum",
        lambda x, y: tn.maximum(x, y),
        np.maximum,
        distinct((3, 4), (3, 4)),
        (*INTEGERS, *REAL),
        errors=((lambda: _two((2,), (2,), "complex128", "complex128")(tn.maximum), "DTypeError", "maximum"),),
    ),
    Row("eq", lambda x, y: tn.equal(x, y), np.equal, shapes((3, 4), (3, 4)), ALL, order=0),
    Row("ne", lambda x, y: tn.not_equal(x, y), np.not_equal, shapes((3, 4), (3, 4)), ALL, order=0),
    Row(
        "lt",
        lambda x, y: tn.less(x, y),
        np.less,
        shapes((3, 4), (4,)),
        (*INTEGERS, *REAL),
        order=0,
        errors=((lambda: _two((2,), (2,), "complex128", "complex128")(tn.less), "DTypeError", "lt"),),
    ),
    Row("le", lambda x, y: tn.less_equal(x, y), np.less_equal, shapes((3, 4), (4,)), (*INTEGERS, *REAL), order=0),
    Row("gt", lambda x, y: tn.greater(x, y), np.greater, shapes((3, 4), (4,)), (*INTEGERS, *REAL), order=0),
    Row("ge", lambda x, y: tn.greater_equal(x, y), np.greater_equal, shapes((3, 4), (4,)), (*INTEGERS, *REAL), order=0),
    Row(
        "select",
        lambda m, x, y: tn.where(m, x, y),
        np.where,
        mask_draw,
        ALL,
        errors=(
            (
                lambda: tn.where(tn.TracedTensor.input("float64", (2,)), tn.TracedTensor.input("float64", (2,)), 0.0),
                "DTypeError",
                "select",
            ),
        ),
    ),
    Row("cast", lambda x: tn.astype(x, "complex128"), lambda x: x.astype("complex128"), shapes((3, 4)), ALL),
    Row("stop_gradient", lambda x: tn.stop_gradient(x), lambda x: x, shapes((3, 4)), order=0),
]

REDUCTIONS = [
    Row(
        "reduce_sum",
        lambda x: tn.sum(x, axis=(0, 2)),
        lambda x: np.sum(x, axis=(0, 2)),
        shapes((3, 4, 5)),
        NUMBERS,
        eps=32,
        errors=(
            (lambda: tn.sum(tn.TracedTensor.input("float64", (2, 3)), axis=2), "AxisError", "sum"),
            (lambda: tn.sum(tn.TracedTensor.input("float64", (2, 3)), axis=(0, 0)), "ValueError", "sum"),
        ),
    ),
    Row(
        "sum_keepdims",
        lambda x: tn.sum(x, axis=1, keepdims=True),
        lambda x: np.sum(x, axis=1, keepdims=True),
        shapes((3, 4)),
        NUMBERS,
        eps=32,
    ),
    Row("sum_all", lambda x: tn.sum(x), np.sum, shapes((3, 4)), NUMBERS, eps=32),
    Row("sum_empty", lambda x: tn.sum(x, axis=0), lambda x: np.sum(x, axis=0), shapes((0, 4)), NUMBERS),
    Row(
        "reduce_max",
        lambda x: tn.max(x, axis=1),
        lambda x: np.max(x, axis=1),
        distinct((3, 4)),
        (*INTEGERS, *REAL),
        errors=(
            (lambda: tn.max(tn.TracedTensor.input("float64", (0, 3)), axis=0), "ValueError", "max"),
            (lambda: tn.max(tn.TracedTensor.input("complex128", (2, 3))), "DTypeError", "max"),
        ),
    ),
    Row("mean", lambda x: tn.mean(x, axis=0), lambda x: np.mean(x, axis=0), shapes((3, 4)), INEXACT, eps=32),
]

SHAPE = [
    Row(
        "reshape",
        lambda x: tn.reshape(x, (6, -1)),
        lambda x: x.reshape(6, -1),
        shapes((3, 4)),
        ALL,
        errors=((lambda: tn.reshape(tn.TracedTensor.input("float64", (2, 3)), (4,)), "ShapeError", "reshape"),),
    ),
    Row(
        "transpose",
        lambda x: tn.permute_dims(x, (2, 0, 1)),
        lambda x: x.transpose(2, 0, 1),
        shapes((2, 3, 4)),
        ALL,
        errors=((lambda: tn.permute_dims(tn.TracedTensor.input("float64", (2, 3)), (0, 0)), "ValueError", "transpose"),),
    ),
    Row(
        "broadcast_in_dim",
        lambda x: tn.broadcast_to(x, (2, 3, 4)),
        lambda x: np.broadcast_to(x, (2, 3, 4)),
        shapes((3, 1)),
        ALL,
        errors=((lambda: tn.broadcast_to(tn.TracedTensor.input("float64", (3,)), (4,)), "ShapeError", "broadcast"),),
    ),
    Row(
        "slice",
        lambda x: x[1:, ::2],
        lambda x: x[1:, ::2],
        shapes((3, 5)),
        ALL,
        errors=((lambda: tn.TracedTensor.input("float64", (3,))[5], "IndexError", "index"),),
    ),
    Row("slice_index", lambda x: x[..., -1, None], lambda x: x[..., -1, None], shapes((3, 5)), ALL),
    Row("pad", lambda x: tn.pad(x, ((1, 2), (0, 1))), lambda x: np.pad(x, ((1, 2), (0, 1))), shapes((3, 4)), ALL),
    Row(
        "concatenate",
        lambda x, y: tn.concat([x, y], axis=1),
        lambda x, y: np.concatenate([x, y], axis=1),
        shapes((2, 3), (2, 4)),
        ALL,
        errors=((lambda: _two((2, 3), (3, 3))(lambda a, b: tn.concat([a, b], axis=1)), "ShapeError", "concatenate"),),
    ),
    Row("stack", lambda x, y: tn.stack([x, y], axis=1), lambda x, y: np.stack([x, y], axis=1), shapes((2, 3), (2, 3)), ALL),
    Row("constant", lambda x: x + tn.Tensor(np.arange(4.0)), lambda x: x + np.arange(4.0), shapes((3, 4)), ("float64", "complex128")),
]

DOT = [
    Row(
        "dot_general",
        lambda x, y: tn.dot_general(x, y, contract=([2], [1]), batch=([0], [0])),
        lambda x, y: np.einsum("bik,bkj->bij", x, y),
        shapes((2, 3, 4), (2, 4, 5)),
        NUMBERS,
        eps=64,
        errors=((lambda: _two((2, 3), (4, 5))(tn.matmul), "ShapeError", "matmul"),),
    ),
    Row("matmul", lambda x, y: tn.matmul(x, y), np.matmul, shapes((2, 1, 3, 4), (5, 4, 2)), NUMBERS, eps=64),
    Row("matmul_vector", lambda x, y: tn.matmul(x, y), np.matmul, shapes((3, 4), (4,)), NUMBERS, eps=64),
    Row(
        "einsum",
        lambda x, y, z: tn.einsum("ij,jk,kl->il", x, y, z),
        lambda x, y, z: np.einsum("ij,jk,kl->il", x, y, z),
        shapes((2, 3), (3, 4), (4, 2)),
        INEXACT,
        eps=64,
        errors=((lambda: _two((2, 3), (4, 5))(lambda a, b: tn.einsum("ij,jk->ik", a, b)), "ShapeError", "einsum"),),
    ),
    Row("einsum_trace", lambda x: tn.einsum("iij->j", x), lambda x: np.einsum("iij->j", x), shapes((3, 3, 2)), INEXACT, eps=32),
]


def _spread(*dims):
    """Matrices with well separated singular values."""

    def draw(rng, dtype):
        out = []
        for *batch, m, n in dims:
            k = min(m, n)
            a = numbers(rng, dtype, (*batch, m, n)).astype("complex128" if dtype.startswith("c") else "float64")
            u, _, vh = np.linalg.svd(a, full_matrices=False)
            out.append(((u * (1.0 + np.arange(k, 0, -1) / 2)) @ vh).astype(dtype))
        return out

    return draw


def _svd_invariants(factors):
    """What of (u, s, vh) does not depend on the phases of the singular vectors."""
    u, s, vh = factors
    weights = np.cos(np.arange(s.shape[-1], dtype="float64")).astype(str(s.dtype))
    return [s, (u * weights) @ vh]


def _cut(k):
    return lambda x: _svd_invariants(tn.linalg.svd_trunc(x, k))


def _np_cut(k):
    def f(x):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        return _svd_invariants((u[..., :, :k], s[..., :k], vh[..., :k, :]))

    return f


def _np_gap(x):
    s = np.linalg.svd(x, compute_uv=False)
    return (s[..., 1] - s[..., 2]) / s[..., 0]


LINALG = [
    Row(
        "svd_square",
        lambda x: _svd_invariants(tn.linalg.svd(x, full_matrices=False)),
        _np_cut(4),
        _spread((4, 4)),
        eps=64,
        errors=((lambda: tn.linalg.svd(tn.TracedTensor.input("float64", (3,)), full_matrices=False), "ShapeError", "svd"),),
    ),
    Row("svd_tall", lambda x: _svd_invariants(tn.linalg.svd(x, full_matrices=False)), _np_cut(3), _spread((5, 3)), eps=64),
    Row("svd_wide", lambda x: _svd_invariants(tn.linalg.svd(x, full_matrices=False)), _np_cut(3), _spread((3, 5)), eps=64),
    Row("svd_batch", lambda x: _svd_invariants(tn.linalg.svd(x, full_matrices=False)), _np_cut(3), _spread((2, 4, 3)), eps=64),
    Row(
        "svd_vals",
        lambda x: tn.linalg.svdvals(x),
        lambda x: np.linalg.svd(x, compute_uv=False),
        _spread((4, 3)),
        ("int64", *INEXACT),
        eps=64,
    ),
    Row(
        "svd_trunc",
        _cut(2),
        _np_cut(2),
        _spread((5, 4)),
        eps=64,
        errors=((lambda: tn.linalg.svd_trunc(tn.TracedTensor.input("float64", (3, 4)), 4), "ValueError", "svd_trunc"),),
    ),
    Row("svd_trunc_batch", _cut(2), _np_cut(2), _spread((2, 4, 4)), eps=64),
    Row("svd_lift", lambda x: _svd_invariants(tn.linalg.svd(x, False, degeneracy="lift")), _np_cut(3), _spread((4, 3)), eps=64),
    Row("svd_raise", lambda x: _svd_invariants(tn.linalg.svd(x, False, degeneracy="raise")), _np_cut(3), _spread((3, 4)), eps=64),
    Row("svd_cut_gap", lambda x: tn.linalg.svd_cut_gap(x, 2), _np_gap, _spread((2, 4, 3)), eps=64),
]

ROWS = ELEMENTWISE + rows_elementwise.ELEMENTWISE + REDUCTIONS + rows_reductions.ROWS + SHAPE + rows_indexing.ROWS + DOT + LINALG
ROWS += rows_linalg.LINALG + rows_fft.ROWS + rows_sets.ROWS + rows_numpy.ROWS + rows_numpy_more.ROWS
