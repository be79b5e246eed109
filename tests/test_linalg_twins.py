"""The rules of the factorizations, written out as formulas: the checker takes each as it
stands and refuses it with a term, a conjugate or a diagonal missing.

A twin has the value of the function and, as its derivative, a formula: f(x₀) + L(x − x₀)
with x₀ = x held constant. The formulas are the sources of the rules in `linalg`.
"""

import numpy as np
import pytest
import running
from rows_linalg import _h, _sym, positive_definite, regular

import tenferro_py as tn

LA = tn.linalg


def diagonal(x):
    return tn.diagonal(x, axis1=-2, axis2=-1)


def strictly_upper(x):
    return tn.triu(x, 1)


def half(x, complex_):
    """Re diag x on a diagonal."""
    d = tn.diag(tn.real(diagonal(x)))
    return tn.astype(d, "complex128") if complex_ else d


def twin(factors, formula, wrong=None):
    """f with the derivative of `formula(factors, dx…, wrong)`."""

    def f(*xs):
        held = [tn.stop_gradient(x) for x in xs]
        values = [tn.stop_gradient(y) for y in running.as_list(factors(*held))]
        slopes = formula(values, held, [x - h for x, h in zip(xs, held, strict=True)], wrong)
        return [y + s for y, s in zip(values, slopes, strict=True)]

    return f


def gaps(w):
    """1/(w_j − w_i), zero on the diagonal, as constants."""
    d = w[None, :] - w[:, None]
    zero = d == 0
    return tn.where(zero, 0.0, 1.0 / tn.where(zero, 1.0, d))


def eigh_factors(a):
    """Eigenvalues and Σ cᵢ vᵢ vᵢ*, which does not see phases."""
    w, v = LA.eigh(_sym(a))
    return [w, (v * np.arange(1.0, 4)) @ _h(v)]


def eigh(values, held, steps, wrong):
    w, v = LA.eigh(_sym(held[0]))
    left = tn.matrix_transpose(v) if wrong == "conjugate" else _h(v)
    inner = left @ _sym(steps[0]) @ v
    moved = v @ (gaps(w) * (0.5 if wrong == "factor" else 1.0) * inner)
    one = (moved * np.arange(1.0, 4)) @ _h(v)
    dw = tn.real(diagonal(inner))
    return [tn.sum(dw) / 3 + 0 * dw if wrong == "diagonal" else dw, one if wrong == "second side" else one + _h(one)]


def svd_factors(a):
    u, s, vh = LA.svd(a, full_matrices=False)
    return [s, (u * np.arange(1.0, 4)) @ vh]


def svd(values, held, steps, wrong):
    u, s, vh = LA.svd(held[0], full_matrices=False)
    dm, v, c = steps[0], _h(vh), np.arange(1.0, 4)
    p = _h(u) @ dm @ v
    h, a = (p + _h(p)) * 0.5, (p - _h(p)) * 0.5
    g, k = gaps(s), 1.0 / (s[None, :] + s[:, None])
    k = tn.where(np.eye(3, dtype=bool), 0.0, k) if wrong == "diagonal" else k
    k = 0 * k if wrong == "antihermitian part" else k
    du = u @ (g * h + k * a)
    dv = -v @ _h(g * h - k * a) if wrong != "sign" else v @ _h(g * h - k * a)
    if wrong != "space outside":
        du = du + (dm @ v - u @ p) / s
        dv = dv + (_h(dm) @ u - v @ _h(p)) / s
    return [tn.real(diagonal(p)), (du * c) @ vh + (u * c) @ _h(dv)]


def eig_factors(a):
    """Σ f(wᵢ) of right vectors: v w² v⁻¹, which does not see lengths."""
    w, v = LA.eig(a)
    return [(v * (w * w)) @ LA.inv(v)]


def eig(values, held, steps, wrong):
    w, v = LA.eig(held[0])
    inverse = _h(v) if wrong == "inverse" else LA.inv(v)
    c = inverse @ tn.astype(steps[0], "complex128") @ v
    z = 0 * c if wrong == "vectors" else gaps(w) * c
    dw = 0 * diagonal(c) if wrong == "values" else diagonal(c)
    f = w * w
    return [(v @ z * f + v * (2 * w * dw) - (v * f) @ z) @ LA.inv(v)]


def qr(values, held, steps, wrong):
    q, r = values
    da = steps[0]
    over = da @ LA.inv(r)
    s = _h(q) @ over
    top = strictly_upper(s + (0 * s if wrong == "hermitian part" else _h(s)))
    top = top if wrong == "diagonal" else top + half(s, s.dtype == "complex128")
    return [over - (0 * over if wrong == "space inside" else q @ top), top @ r]


def cholesky_factor(a):
    return LA.cholesky(_sym(a))


def cholesky(values, held, steps, wrong):
    (factor,) = values
    inverse = LA.inv(factor)
    inner = inverse @ _sym(steps[0]) @ (tn.matrix_transpose(inverse) if wrong == "conjugate" else _h(inverse))
    scale = np.tril(np.ones((3, 3)), -1) + np.eye(3) * (1.0 if wrong == "half" else 0.5)
    return [factor @ (inner if wrong == "triangle" else inner * scale)]


def lu_factors(a):
    return list(LA.lu(a))[1:]


def lu(values, held, steps, wrong):
    lower, upper = values
    p = LA.lu(held[0])[0]
    da = steps[0] if wrong == "permutation" else tn.matrix_transpose(p) @ steps[0]
    f = LA.inv(lower) @ da @ LA.inv(upper)
    return [lower @ tn.tril(f, 0 if wrong == "diagonal" else -1), tn.triu(f) @ upper]


def solve(values, held, steps, wrong):
    (x,), (a, _), (da, db) = values, held, steps
    return [LA.solve(a, (0 * db if wrong == "right side" else db) - (0 * x if wrong == "matrix" else da @ x))]


def triangular(a, b):
    return LA.solve_triangular(a, b, lower=True)


def solve_triangular(values, held, steps, wrong):
    (x,), (a, _), (da, db) = values, held, steps
    return [triangular(a, db - (da if wrong == "triangle" else tn.tril(da)) @ x)]


def inv(values, held, steps, wrong):
    (y,) = values
    return [-(steps[0] @ y if wrong == "left factor" else y @ steps[0] @ (_h(y) if wrong == "conjugate" else y))]


def det(values, held, steps, wrong):
    inner = LA.inv(held[0]) @ (tn.matrix_transpose(steps[0]) if wrong == "transpose" else steps[0])
    return [(1.0 if wrong == "value" else values[0]) * tn.trace(inner)]


def slogdet(values, held, steps, wrong):
    inner = tn.trace(LA.inv(held[0]) @ steps[0])
    turn = tn.complex(tn.zeros(()), tn.imag(inner)) if inner.dtype == "complex128" else 0 * inner
    return [0 * turn if wrong == "phase" else turn * values[0], tn.real(inner) * (2.0 if wrong == "factor" else 1.0)]


def pinv(values, held, steps, wrong):
    """The three terms of Golub and Pereyra, SIAM J. Numer. Anal. 10, 413 (1973), of full column rank."""
    (y,), (a,), (da,) = values, held, steps
    left = (0 * y if wrong == "range" else y @ _h(y) @ _h(da) @ (np.eye(5) - a @ y)) if wrong != "conjugate" else y @ _h(y) @ da.mT
    return [-(y @ da @ y) + left]


def square(rng, dtype):
    return regular((3, 3))(rng, dtype)


def definite(rng, dtype):
    return positive_definite((3, 3))(rng, dtype)


def with_sides(rng, dtype):
    return regular((3, 3), (3, 2))(rng, dtype)


BOTH = ("float64", "complex128")
# Function, formula, matrices, dtypes, and what to leave out; a complex term has no part in real ones.
RULES = {
    "eigh": (eigh_factors, eigh, definite, BOTH, ("factor", "diagonal", "second side", "conjugate")),
    "svd square": (svd_factors, svd, square, BOTH, ("antihermitian part", "sign", "diagonal")),
    "svd tall": (svd_factors, svd, regular((5, 3)), BOTH, ("space outside", "sign")),
    "svd wide": (svd_factors, svd, regular((3, 5)), BOTH, ("space outside", "antihermitian part")),
    "eig": (eig_factors, eig, square, BOTH, ("vectors", "values", "inverse")),
    "qr": (LA.qr, qr, regular((5, 3)), BOTH, ("hermitian part", "diagonal", "space inside")),
    "cholesky": (cholesky_factor, cholesky, definite, BOTH, ("half", "triangle", "conjugate")),
    "lu": (lu_factors, lu, square, BOTH, ("permutation", "diagonal")),
    "solve": (LA.solve, solve, with_sides, BOTH, ("right side", "matrix")),
    "solve_triangular": (triangular, solve_triangular, with_sides, BOTH, ("triangle",)),
    "inv": (LA.inv, inv, square, BOTH, ("left factor", "conjugate")),
    "det": (LA.det, det, square, BOTH, ("value", "transpose")),
    "slogdet": (lambda a: list(LA.slogdet(a)), slogdet, square, BOTH, ("factor", "phase")),
    "pinv": (LA.pinv, pinv, regular((5, 3)), BOTH, ("range", "conjugate")),
}
COMPLEX = {("eigh", "conjugate"), ("svd square", "diagonal"), ("cholesky", "conjugate"), ("slogdet", "phase")}
CASES = [(n, d) for n, r in RULES.items() for d in r[3]]
WRONG = [(n, d, w) for n, r in RULES.items() for d in r[3] for w in r[4] if d == "complex128" or (n, w) not in COMPLEX]


def prepared(name, dtype, rng):
    """The function of the factors as a list, its formula, arrays."""
    factors, formula, draw, _, _ = RULES[name]
    return lambda *x: list(running.as_list(factors(*x))), formula, draw(rng, dtype)


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_the_formula(name, dtype, rng):
    factors, formula, arrays = prepared(name, dtype, rng)
    running.check_derivatives(twin(factors, formula), arrays, rng, order=1)


@pytest.mark.parametrize(("name", "dtype", "wrong"), WRONG)
def test_the_formula_with_something_missing(name, dtype, wrong, rng):
    factors, formula, arrays = prepared(name, dtype, rng)
    with pytest.raises(AssertionError, match="jvp against differences"):
        running.check_derivatives(twin(factors, formula, wrong), arrays, rng, order=1)


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_the_rule_is_the_formula(name, dtype, rng):
    """The same jvp and vjp, to rounding."""
    factors, formula, arrays = prepared(name, dtype, rng)
    cts = [running.random_like(rng, v) for v in running.traced(factors, arrays)]
    tangents = [running.random_like(rng, a) for a in arrays]
    ours, theirs = (running.jvp_and_vjp(f, arrays, tangents, cts) for f in (factors, twin(factors, formula)))
    for a, b in zip([*ours[0], *ours[1]], [*theirs[0], *theirs[1]], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10 * (1 + np.max(np.abs(a))))
