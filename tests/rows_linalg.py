"""Rows of the op table: factorizations and what is made of them."""

import numpy as np
import scipy.linalg as sl
from draws import INEXACT, INTEGERS, REAL, Row, away_from_zero, numbers, shapes

import tenferro_py as tn


def _wide(dtype):
    return "complex128" if dtype.startswith("c") else "float64"


def hermitian(*dims):
    """Hermitian matrices with eigenvalues −1, 0.5, 2, …"""

    def draw(rng, dtype):
        out = []
        for d in dims:
            q, _ = np.linalg.qr(numbers(rng, _wide(dtype), d))
            out.append(((q * (1.5 * np.arange(d[-1]) - 1)) @ q.conj().swapaxes(-1, -2)).astype(dtype))
        return out

    return draw


def positive_definite(*dims):
    """Eigenvalues 1, 2, …; then right sides, if any, of one axis or more rows than columns."""

    def draw(rng, dtype):
        first, *others = dims
        q, _ = np.linalg.qr(numbers(rng, _wide(dtype), first))
        a = (q * np.arange(1.0, first[-1] + 1)) @ q.conj().swapaxes(-1, -2)
        return [a.astype(dtype), *(numbers(rng, dtype, d) for d in others)]

    return draw


def regular(*dims):
    """A matrix with singular values 1, 1.5, …; then right sides."""

    def draw(rng, dtype):
        first, *others = dims
        u, s, vh = np.linalg.svd(numbers(rng, _wide(dtype), first), full_matrices=False)
        a = (u * (1 + np.arange(s.shape[-1], 0, -1) / 2)) @ vh
        return [a.astype(dtype), *(numbers(rng, dtype, d) for d in others)]

    return draw


def _h(x):
    return x.conj().swapaxes(-1, -2) if isinstance(x, np.ndarray) else tn.matrix_transpose(tn.conj(x))


def _sym(x):
    """Derivatives are along Hermitian directions."""
    return (x + _h(x)) * 0.5


def _weights(v):
    return np.cos(np.arange(v.shape[-1], dtype="float64")).astype(str(v.dtype))


def _projectors(w, v):
    """What of eigenvalues and orthonormal vectors does not depend on phases."""
    return [w, (v * _weights(v)) @ _h(v)]


def _by_value(w, v):
    """Σ f(w) of right vectors in any order: v f(w) v⁻¹."""
    inverse = np.linalg.inv(v) if isinstance(v, np.ndarray) else tn.linalg.inv(v)
    return [(v * (w * w)[..., None, :]) @ inverse]


def _np_qr(x):
    q, r = np.linalg.qr(x)
    d = np.diagonal(r, axis1=-2, axis2=-1)
    phase = np.where(d == 0, 1, d / np.where(d == 0, 1, np.abs(d)))
    return [q * phase[..., None, :], r * phase.conj()[..., :, None]]


def _np_lq(x):
    q, r = _np_qr(_h(x))
    return [_h(r), _h(q)]


def _tails(u, s, vh):
    """The spaces that square factors add."""
    k = s.shape[-1]
    return [s, u[..., k:] @ _h(u[..., k:]), _h(vh[..., k:, :]) @ vh[..., k:, :]]


def _np_lstsq(a, b):
    x, residuals, _, _ = np.linalg.lstsq(a, b, rcond=None)
    return [x, residuals]


def _project(basis):
    return basis @ _h(basis)


def _norm(order):
    reference = lambda x: np.linalg.norm(x, order, axis=(-2, -1))  # noqa: E731
    return Row(f"matrix_norm_{order}", lambda x: tn.linalg.matrix_norm(x, ord=order), reference, regular((2, 4, 3)), eps=128)


def _vector_norm(order):
    return Row(
        f"vector_norm_{order}",
        lambda x: tn.linalg.vector_norm(x, ord=order, axis=0),
        lambda x: np.linalg.vector_norm(x, ord=order, axis=0).astype(x.real.dtype),
        away_from_zero((4, 3)),
        order=0 if order == 0 else 2,
        eps=64,
    )


def _input(shape, dtype="float64"):
    return tn.TracedTensor.input(dtype, shape)


def _singular():
    a = np.ones((3, 2, 2))
    a[0], a[1] = np.eye(2), np.eye(2)
    return a


LINALG = [
    Row(
        "eigh",
        lambda x: _projectors(*tn.linalg.eigh(_sym(x))),
        lambda x: _projectors(*np.linalg.eigh(x)),
        hermitian((4, 4)),
        eps=128,
        errors=(
            (lambda: tn.linalg.eigh(_input((2, 3))), "ShapeError", "eigh"),
            (lambda: tn.linalg.eigh(np.full((2, 2), np.nan)), "LinAlgError", "eigh"),
        ),
    ),
    Row(
        "eigh_batch",
        lambda x: _projectors(*tn.linalg.eigh(_sym(x))),
        lambda x: _projectors(*np.linalg.eigh(x)),
        hermitian((2, 3, 3)),
        eps=128,
    ),
    Row(
        "eigh_upper",
        lambda x: _projectors(*tn.linalg.eigh(_sym(x), UPLO="U")),
        lambda x: _projectors(*np.linalg.eigh(x, "U")),
        hermitian((3, 3)),
        eps=128,
    ),
    Row("eigvalsh", lambda x: tn.linalg.eigvalsh(_sym(x)), np.linalg.eigvalsh, hermitian((4, 4)), (*INTEGERS[2:4], *INEXACT), eps=128),
    Row(
        "eig", lambda x: _by_value(*tn.linalg.eig(x)), lambda x: [(x @ x).astype(np.result_type(x, "complex64"))], regular((3, 3)), eps=4096
    ),
    Row(
        "eigvals",
        lambda x: tn.sum(tn.linalg.eigvals(x) ** 3),
        lambda x: np.trace(x @ x @ x).astype(np.result_type(x, "complex64")),
        regular((3, 3)),
        eps=1024,
    ),
    Row("qr", lambda x: tn.linalg.qr(x), _np_qr, regular((5, 3)), eps=128),
    Row("qr_wide", lambda x: tn.linalg.qr(x), _np_qr, regular((2, 3, 4)), eps=128),
    Row(
        "qr_complete",
        lambda x: _project(tn.linalg.qr(x, mode="complete")[0][..., 3:]),
        lambda x: _project(np.linalg.qr(x, "complete")[0][..., 3:]),
        regular((5, 3)),
        eps=128,
    ),
    Row("lq", lambda x: tn.linalg.lq(x), _np_lq, regular((3, 5)), eps=128),
    Row(
        "cholesky",
        lambda x: tn.linalg.cholesky(_sym(x)),
        np.linalg.cholesky,
        positive_definite((2, 4, 4)),
        eps=64,
        errors=((lambda: tn.linalg.cholesky(np.stack([np.eye(2), -np.eye(2)])), "LinAlgError", "batch index 1"),),
    ),
    Row(
        "cholesky_upper",
        lambda x: tn.linalg.cholesky(_sym(x), upper=True),
        lambda x: _h(np.linalg.cholesky(x)),
        positive_definite((3, 3)),
        eps=64,
    ),
    Row("lu", lambda x: tn.linalg.lu(x), lambda x: list(sl.lu(x)), regular((3, 3)), REAL, eps=64),
    Row("lu_tall", lambda x: tn.linalg.lu(x), lambda x: list(sl.lu(x)), regular((2, 5, 3)), REAL, eps=64),
    Row("lu_wide", lambda x: tn.linalg.lu(x), lambda x: list(sl.lu(x)), regular((3, 5)), REAL, eps=64),
    Row("lu_solve", lambda a, b: tn.linalg.lu_solve(tn.linalg.lu_factor(a), b), np.linalg.solve, regular((3, 3), (3, 2)), eps=256),
    Row(
        "solve",
        lambda a, b: tn.linalg.solve(a, b),
        np.linalg.solve,
        regular((2, 3, 3), (3, 2)),
        eps=256,
        errors=(
            (lambda: tn.linalg.solve(_singular(), np.ones((2, 1))), "LinAlgError", "batch index 2"),
            (lambda: tn.linalg.solve(_input((3, 3)), _input((4,))), "ShapeError", "solve"),
        ),
    ),
    Row("solve_vector", lambda a, b: tn.linalg.solve(a, b), np.linalg.solve, regular((3, 3), (3,)), eps=256),
    Row(
        "solve_triangular",
        lambda a, b: tn.linalg.solve_triangular(a, b, lower=True),
        lambda a, b: sl.solve_triangular(a, b, lower=True),
        positive_definite((3, 3), (3, 2)),
        eps=256,
    ),
    Row(
        "solve_triangular_adjoint",
        lambda a, b: tn.linalg.solve_triangular(a, b, trans="C"),
        lambda a, b: sl.solve_triangular(a, b, trans="C"),
        positive_definite((3, 3), (3,)),
        eps=256,
    ),
    Row(
        "cho_solve",
        lambda a, b: tn.linalg.cho_solve((tn.linalg.cholesky(_sym(a)), True), b),
        np.linalg.solve,
        positive_definite((3, 3), (3, 2)),
        eps=256,
    ),
    Row("inv", lambda x: tn.linalg.inv(x), np.linalg.inv, regular((2, 3, 3)), eps=256),
    Row("det", lambda x: tn.linalg.det(x), np.linalg.det, regular((2, 3, 3)), eps=256),
    Row("slogdet", lambda x: list(tn.linalg.slogdet(x)), lambda x: list(np.linalg.slogdet(x)), regular((2, 3, 3)), eps=256),
    Row("lstsq", lambda a, b: list(tn.linalg.lstsq(a, b))[:2], _np_lstsq, regular((5, 3), (5, 2)), eps=512),
    Row("lstsq_wide", lambda a, b: list(tn.linalg.lstsq(a, b))[:1], lambda a, b: _np_lstsq(a, b)[:1], regular((3, 5), (3, 2)), eps=512),
    Row("pinv", lambda x: tn.linalg.pinv(x), np.linalg.pinv, regular((2, 4, 3)), eps=256),
    Row("matrix_rank", lambda x: tn.linalg.matrix_rank(x), lambda x: np.linalg.matrix_rank(x).astype("int64"), regular((2, 4, 3)), order=0),
    Row("cond", lambda x: tn.linalg.cond(x), np.linalg.cond, regular((2, 4, 3)), eps=256),
    Row("cond_1", lambda x: tn.linalg.cond(x, 1), lambda x: np.linalg.cond(x, 1), regular((3, 3)), eps=512),
    Row("matrix_power", lambda x: tn.linalg.matrix_power(x, 5), lambda x: np.linalg.matrix_power(x, 5), regular((3, 3)), eps=512),
    Row(
        "matrix_power_negative", lambda x: tn.linalg.matrix_power(x, -2), lambda x: np.linalg.matrix_power(x, -2), regular((3, 3)), eps=512
    ),
    Row("expm", lambda x: tn.linalg.expm(x), lambda x: sl.expm(x).astype(x.dtype), shapes((2, 3, 3)), eps=512),
    Row("sqrtm", lambda x: tn.linalg.sqrtm(_sym(x)), lambda x: sl.sqrtm(x).astype(x.dtype), positive_definite((3, 3)), eps=256),
    Row(
        "logm",
        lambda x: tn.linalg.logm(_sym(x)),
        lambda x: sl.logm(x.astype("complex128")).astype(x.dtype) if x.dtype.kind == "c" else sl.logm(x.astype("float64")).astype(x.dtype),
        positive_definite((3, 3)),
        eps=512,
    ),
    Row("polar", lambda x: list(tn.linalg.polar(x)), lambda x: [y.astype(x.dtype) for y in sl.polar(x)], regular((4, 3)), eps=256),
    Row("null_space", lambda x: _project(tn.linalg.null_space(x, rank=2)), lambda x: _project(sl.null_space(x)), regular((2, 4)), eps=256),
    Row("orth", lambda x: _project(tn.linalg.orth(x, rank=2)), lambda x: _project(sl.orth(x)), regular((4, 2)), eps=256),
    Row(
        "multi_dot",
        lambda a, b, c: tn.linalg.multi_dot([a, b, c]),
        lambda a, b, c: np.linalg.multi_dot([a, b, c]),
        shapes((2, 5), (5, 3), (3,)),
        eps=128,
    ),
    Row("svd_full", lambda x: _tails(*tn.linalg.svd(x)), lambda x: _tails(*np.linalg.svd(x)), regular((5, 3)), eps=128),
    Row("svd_full_wide", lambda x: _tails(*tn.linalg.svd(x)), lambda x: _tails(*np.linalg.svd(x)), regular((2, 3, 5)), eps=128),
    Row(
        "diagonal_last",
        lambda x: tn.linalg.diagonal(x, offset=1),
        lambda x: np.linalg.diagonal(x, offset=1),
        shapes((2, 3, 4)),
        ("bool", *INTEGERS, *INEXACT),
    ),
    Row(
        "trace_last",
        lambda x: tn.linalg.trace(x, offset=-1),
        lambda x: np.linalg.trace(x, offset=-1),
        shapes((2, 3, 4)),
        (*INTEGERS, *INEXACT),
        eps=16,
    ),
    *[_norm(order) for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)],
    *[_vector_norm(order) for order in (0, 1, 2, 3.5, -1.5, np.inf, -np.inf)],
]
