"""The SVD where others go wrong: ties, zeros, rank deficiency, scale, hard spectra."""

import numpy as np
import pytest
import running
import scipy.linalg

import tenferro_py as tn


def reconstruct(a):
    """Σ ((u s) vh)² = Σ a², whatever the bases: its gradient is 2A (2A for complex, too)."""
    u, s, vh = tn.linalg.svd(a, full_matrices=False)
    m = tn.matmul(u * s if not a.dtype.name.startswith("complex") else u * tn.astype(s, a.dtype), vh)
    return tn.sum(tn.square(m)) if not a.dtype.name.startswith("complex") else tn.sum(tn.real(tn.conj(m) * m))


def gradient(f, a):
    leaf = tn.TracedTensor.input(str(a.dtype), a.shape)
    return running.run([f(leaf).grad(leaf)], [leaf], [a])[0]


def rotated_ties(rng, dtype):
    q, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    p, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    return ((q * [3.0, 3.0, 3.0, 1.0]) @ p).astype(dtype)


@pytest.mark.parametrize(("dtype", "tol"), [("float64", 1e-11), ("float32", 1e-5)])
def test_exact_ties(dtype, tol, rng):
    for a in (np.diag([1.0, 1.0, 2.0, 3.0]).astype(dtype), rotated_ties(rng, dtype)):
        g = gradient(reconstruct, a)
        np.testing.assert_allclose(g, 2 * a, atol=tol * (1 if dtype == "float64" else 10))
        (e,) = running.eager_gradients(reconstruct, [a], [np.asarray(1.0, dtype)])
        np.testing.assert_allclose(e, 2 * a, atol=tol * (1 if dtype == "float64" else 10))


def test_zero_matrix():
    np.testing.assert_array_equal(gradient(reconstruct, np.zeros((3, 4))), np.zeros((3, 4)))


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5)])
def test_rank_deficient(shape, dtype, rng):
    a = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1]))
    if dtype == "complex128":
        a = a * (1 + 1j) + (rng.standard_normal((shape[0], 1)) * 1j) @ np.zeros((1, shape[1]))
    np.testing.assert_allclose(gradient(reconstruct, a.astype(dtype)), 2 * a, atol=1e-11)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_scale(scale, rng):
    """The gradient of the nuclear norm does not depend on scale."""
    a = rng.standard_normal((5, 3))
    f = lambda x: tn.sum(tn.linalg.svd(x, full_matrices=False)[1])  # noqa: E731
    np.testing.assert_allclose(gradient(f, a * scale), gradient(f, a), atol=1e-12)
    u = lambda x: tn.sum(tn.linalg.svd(x, full_matrices=False)[0][:, :1] * np.arange(5.0)[:, None])  # noqa: E731
    np.testing.assert_allclose(gradient(u, a * scale) * scale, gradient(u, a), rtol=1e-9, atol=1e-12)


def truncated_norm(x, k):
    u, s, vh = tn.linalg.svd_trunc(x, k)
    return tn.sum(tn.square(tn.matmul(u * s, vh)))


def test_cut_through_a_multiplet_is_finite(rng):
    a = rotated_ties(rng, "float64")
    for k in (1, 2, 3):
        assert np.all(np.isfinite(gradient(lambda x, k=k: truncated_norm(x, k), a)))


def hard_matrices(rng):
    q, _ = np.linalg.qr(rng.standard_normal((40, 40)))
    p, _ = np.linalg.qr(rng.standard_normal((40, 40)))
    yield "graded", (q * np.logspace(0, -15, 40)) @ p
    yield "clustered", (q * np.repeat([1.0, 1e-3], 20)) @ p
    yield "rank 3", q[:, :3] @ p[:3]
    yield "hilbert", scipy.linalg.hilbert(40)
    yield "huge", rng.standard_normal((30, 20)) * 1e300
    yield "tiny", rng.standard_normal((20, 30)) * 1e-305
    yield "wide", rng.standard_normal((3, 200))
    yield "iterated", (lambda a, b: (a * 0.7 ** np.arange(256)) @ b)(*(np.linalg.qr(rng.standard_normal((256, 256)))[0] for _ in range(2)))


def test_against_lapack(rng):
    for name, a in hard_matrices(rng):
        s_ref = scipy.linalg.svd(a, compute_uv=False)
        u, s, vh = (np.array(x) for x in tn.linalg.svd(a, full_matrices=False))
        scale = s_ref[0]
        assert np.max(np.abs(s - s_ref)) <= 1e-14 * scale * len(s), name
        assert np.max(np.abs(((u * (s / scale)) @ vh) - a / scale)) <= 1e-13, name
        assert np.max(np.abs(u.T @ u - np.eye(len(s)))) < 1e-13, name
        k = 2
        u, s, vh = (np.array(x) for x in tn.linalg.svd_trunc(a, k))
        assert np.max(np.abs(s - s_ref[:k])) <= 1e-13 * scale, name
        assert np.max(np.abs((a / scale) @ vh.T - u * (s / scale))) <= 1e-12, name


def test_empty_and_batched(rng):
    u, s, vh = tn.linalg.svd(np.zeros((0, 3)), full_matrices=False)
    assert (u.shape, s.shape, vh.shape) == ((0, 0), (0,), (0, 3))
    a = rng.standard_normal((2, 3, 4, 5))
    np.testing.assert_allclose(np.array(tn.linalg.svdvals(a)), np.linalg.svd(a, compute_uv=False), rtol=1e-13)


def test_not_finite_names_op_and_batch():
    a = np.zeros((3, 2, 2))
    a[1, 0, 0] = np.nan
    with pytest.raises(tn.LinAlgError, match=r"svd.*batch index 1"):
        tn.linalg.svd(a, full_matrices=False)


def test_narrow_false_keeps_the_full_factorization():
    x = tn.TracedTensor.input("float64", (8, 8))
    for narrow, name in ((True, "SvdTrunc"), (False, "Svd")):
        u, s, vh = tn.linalg.svd(x, full_matrices=False, narrow=narrow)
        program = tn.GraphCompiler().compile(tn.sum(u[:, :2] * s[:2]) + tn.sum(vh[:2])).program()
        assert name in [op.name for op in program.operations()]
