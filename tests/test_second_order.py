"""Linear algebra to second order where the rows of the op table do not go: single numbers,
tall and wide, batches, and matrices of nothing."""

import numpy as np
import optable
import pytest
import running
from rows_linalg import hermitian, positive_definite, regular

import tenferro_py as tn

LA = tn.linalg
ROWS = {str(r): r for r in optable.ROWS}
ONE, FEW = (1, 1), (3, 1, 1)
TALL, WIDE, STACK = (4, 2), (2, 4), (2, 1, 3)

# Rows of the op table by the matrices they are given here.
SQUARE = ("eig", "eigvals", "lu", "inv", "det", "slogdet", "matrix_power", "matrix_power_negative", "expm", "cond_1")
DEFINITE = ("cholesky", "cholesky_upper", "sqrtm", "logm")
HERMITIAN = ("eigh", "eigh_upper", "eigvalsh")
WITH_SIDE = ("solve", "lu_solve", "solve_triangular", "solve_triangular_adjoint", "cho_solve")
ANY = (
    "svd_square",
    "svd_vals",
    "svd_full",
    "svd_lift",
    "svd_raise",
    "qr",
    "lq",
    "pinv",
    "polar",
    "cond",
    "matrix_norm_nuc",
    "matrix_norm_2",
)
CASES = [
    *((name, regular(s)) for name in SQUARE for s in (ONE, FEW)),
    *((name, positive_definite(s)) for name in DEFINITE for s in (ONE, FEW, (2, 3, 3))),
    *((name, hermitian(s)) for name in HERMITIAN for s in (ONE, FEW, (2, 2, 2))),
    *((name, positive_definite(ONE, (1, 2))) for name in WITH_SIDE),
    *((name, positive_definite(FEW, (3, 1, 2))) for name in WITH_SIDE),
    *((name, regular(s)) for name in ANY for s in (ONE, FEW, TALL, WIDE, STACK)),
    *(("lu_tall", regular(s)) for s in (TALL, WIDE, STACK)),
    ("lstsq", regular((2, 4, 2), (2, 4, 1))),
    ("lstsq", regular(ONE, ONE)),
]


ORDINARY = [(n, draw, d) for n, draw in CASES for d in ("float64", "complex128") if d in ROWS[n].dtypes]


@pytest.mark.parametrize(("name", "draw", "dtype"), ORDINARY, ids=[f"{n}-{d}-{i}" for i, (n, _, d) in enumerate(ORDINARY)])
def test_shapes(name, draw, dtype, rng):
    running.check_derivatives(ROWS[name].call, draw(rng, dtype), rng)


OF_SQUARE = {
    "eigh": LA.eigh,
    "eigvalsh": LA.eigvalsh,
    "eig": LA.eig,
    "eigvals": LA.eigvals,
    "cholesky": LA.cholesky,
    "lu_solve": lambda a: LA.lu_solve(LA.lu_factor(a), a),
    "solve": lambda a: LA.solve(a, a),
    "solve_triangular": lambda a: LA.solve_triangular(a, a),
    "cho_solve": lambda a: LA.cho_solve((a, True), a),
    "inv": LA.inv,
    "det": LA.det,
    "slogdet": LA.slogdet,
    "expm": LA.expm,
    "sqrtm": LA.sqrtm,
    "logm": LA.logm,
    "matrix_power": lambda a: LA.matrix_power(a, -2),
}
OF_ANY = {
    "svd": LA.svd,
    "svd thin": lambda a: LA.svd(a, full_matrices=False),
    "svd lifted": lambda a: LA.svd(a, False, degeneracy="lift"),
    "svdvals": LA.svdvals,
    "qr": LA.qr,
    "qr complete": lambda a: LA.qr(a, "complete"),
    "lq": LA.lq,
    "lu": lambda a: LA.lu(a)[1:],
    "pinv": LA.pinv,
    "polar": LA.polar,
    "frobenius": LA.matrix_norm,
    "nuclear": lambda a: LA.matrix_norm(a, ord="nuc"),
    "orth": lambda a: LA.orth(a, rank=0),
}
EMPTY = [(n, f, s) for n, f in OF_SQUARE.items() for s in ((0, 0), (3, 0, 0), (0, 2, 2))]
EMPTY += [(n, f, s) for n, f in OF_ANY.items() for s in ((0, 3), (3, 0), (2, 0, 0), (0, 3, 2))]
EMPTY += [("svd_trunc", lambda a: LA.svd_trunc(a, 1), (0, 3, 2))]


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize(("name", "f", "shape"), EMPTY, ids=[f"{n}-{s}" for n, _, s in EMPTY])
def test_derivatives_of_nothing(name, f, shape, dtype):
    """Gradients of no elements, twice, traced and eager."""
    a = np.zeros(shape, dtype)

    def loss(x):
        ys = [tn.sum(tn.real(y)) for y in running.as_list(f(x))]
        return sum(ys[1:], ys[0])

    second = lambda x: tn.sum(tn.real(tn.grad(loss)(x)))  # noqa: E731
    for g in (loss, second):
        got = tn.grad(g)(a)
        assert (got.shape, got.dtype) == (shape, dtype)
        rt = tn.EagerRuntime()
        x = rt.variable_from(a)
        y = g(x)
        assert float(y.detach()) == float(g(tn.asarray(a)))
        if y.requires_grad:
            y.backward()
            assert x.grad() is None or (x.grad().shape, x.grad().dtype) == (shape, dtype)
