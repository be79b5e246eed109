"""Derivatives of factorizations where eigenvalues or singular values coincide."""

import numpy as np
import pytest

import tenferro_py as tn

LA = tn.linalg


def difference(f, a, direction, h=1e-5):
    return (f(a + h * direction) - f(a - h * direction)) / (2 * h)


def symmetric(rng, n):
    d = rng.standard_normal((n, n))
    return d + d.T


def test_eigh_of_a_double_eigenvalue(rng):
    """At diag(4, 1, 1) functions of the spectral projectors are smooth, and so is their derivative."""
    a, w = np.diag([4.0, 1.0, 1.0]), rng.standard_normal((3, 3))

    def projector(x):
        v = LA.eigh(x)[1][:, 2:]
        return tn.sum(w * tn.matmul(v, tn.transpose(v)))

    def weighted(x):
        values, v = LA.eigh(x)
        return tn.sum(tn.square(tn.matmul(v * values, tn.transpose(v)))) + tn.sum(values * values * values)

    for f in (projector, weighted, lambda x: LA.eigvalsh(x)[2], lambda x: tn.sum(tn.log(LA.eigvalsh(x)))):
        g = np.array(tn.grad(f)(a))
        assert np.all(np.isfinite(g))
        for _ in range(3):
            d = symmetric(rng, 3)
            assert abs(np.sum(g * d) - difference(lambda x, f=f: float(f(x)), a, d)) < 1e-7


def test_roots_and_logarithms_at_the_identity(rng):
    """d√A = dA/2 and d log A = dA at A = 1; d polar(A).q = anti(dA)."""
    w = symmetric(rng, 3)
    for f, factor in ((LA.sqrtm, 0.5), (LA.logm, 1.0), (lambda x: LA.polar(x)[1], 1.0)):
        np.testing.assert_allclose(np.array(tn.grad(lambda x, f=f: tn.sum(w * f(x)))(np.eye(3))), factor * w, atol=1e-13)
    w = rng.standard_normal((3, 3))
    np.testing.assert_allclose(np.array(tn.grad(lambda x: tn.sum(w * LA.polar(x)[0]))(np.eye(3))), (w - w.T) / 2, atol=1e-13)


def rebuilt(w, **kwargs):
    def f(x):
        u, s, vh = LA.svd(x, full_matrices=False, **kwargs)
        return tn.sum(w * tn.matmul(u * s, vh))

    return f


@pytest.mark.parametrize(("dtype", "tol"), [("float64", 1e-6), ("float32", 2e-2)])
def test_lift_at_the_identity(dtype, tol, rng):
    """Σ w∘(u s vh) is Σ w∘a: its gradient is w, which only the lifted contract finds."""
    w, a = rng.standard_normal((3, 3)).astype(dtype), np.eye(3, dtype=dtype)
    np.testing.assert_allclose(np.array(tn.grad(rebuilt(w, degeneracy="lift"))(a)), w, atol=tol)
    assert np.max(np.abs(np.array(tn.grad(rebuilt(w))(a)) - w)) > 0.01
    with pytest.raises(tn.LinAlgError, match="svd"):
        tn.grad(rebuilt(w, degeneracy="raise"))(a)


def test_lift_of_a_rank_deficient_matrix(rng):
    w = rng.standard_normal((4, 3))
    a = np.zeros((4, 3))
    a[0, 0] = a[1, 1] = 2.0
    np.testing.assert_allclose(np.array(tn.grad(rebuilt(w, degeneracy="lift", gap=1e-7))(a)), w, atol=1e-4)


def test_raise_lets_good_functions_pass(rng):
    a = np.diag([3.0, 1.0, 1.0])
    f = lambda x: tn.sum(tn.square(tn.matmul(*(lambda u, s, vh: (u * s, vh))(*LA.svd(x, False, degeneracy="raise")))))  # noqa: E731
    np.testing.assert_allclose(np.array(tn.grad(f)(a)), 2 * a, atol=1e-13)


def test_the_residual_finds_functions_of_the_basis(rng):
    u, s, vh = (np.array(x) for x in LA.svd(np.eye(3), full_matrices=False))
    w = rng.standard_normal((3, 3))
    assert float(LA.svd_gauge_residual((u, s, vh), (w @ vh.T * s, (u * s).T @ w))) < 1e-13
    assert float(LA.svd_gauge_residual((u, s, vh), (w, np.zeros((3, 3))))) > 0.01


def test_the_gap_tells_where_k_cuts_a_multiplet():
    a = np.stack([np.diag([4.0, 2.0, 2.0, 1.0]), np.diag([4.0, 3.0, 1.0, 1.0])])
    np.testing.assert_allclose(np.array(LA.svd_cut_gap(a, 2)), [0.0, 0.5], atol=1e-15)
    with pytest.raises(tn.ArgumentError, match="svd_cut_gap"):
        LA.svd_cut_gap(a, 4)


def test_determinant_of_singular_matrices():
    np.testing.assert_allclose(np.array(tn.grad(LA.det)([[1.0, 2.0], [2.0, 4.0]])), [[4.0, -2.0], [-2.0, 1.0]], atol=1e-14)
    np.testing.assert_allclose(np.array(tn.grad(LA.det)(np.diag([3.0, 0.0, 0.0]))), np.zeros((3, 3)), atol=1e-14)
    with pytest.raises(tn.LinAlgError, match="singular"):
        tn.grad(lambda x: LA.slogdet(x)[1])(np.ones((2, 2)))
