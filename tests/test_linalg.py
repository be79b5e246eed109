"""Linear algebra where a row of the op table does not reach: batches, empty matrices, arguments, results."""

import pickle

import numpy as np
import pytest
import scipy.linalg

import tenferro_py as tn

LA = tn.linalg


def arrays(result):
    return [np.array(x) for x in (result if isinstance(result, tuple) else (result,))]


def spd(rng, *shape):
    a = rng.standard_normal(shape)
    return a @ a.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])


OF_SQUARE = {
    "eigh": LA.eigh,
    "eigvalsh": LA.eigvalsh,
    "eig": LA.eig,
    "eigvals": LA.eigvals,
    "cholesky": LA.cholesky,
    "lu": LA.lu,
    "lu_factor": LA.lu_factor,
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
    "svdvals": LA.svdvals,
    "svd_trunc": lambda a: LA.svd_trunc(a, 2),
    "qr": LA.qr,
    "qr complete": lambda a: LA.qr(a, "complete"),
    "lq": LA.lq,
    "pinv": LA.pinv,
    "polar": LA.polar,
    "matrix_rank": LA.matrix_rank,
    "cond": LA.cond,
}


@pytest.mark.parametrize("name", [*OF_SQUARE, *OF_ANY])
def test_a_batch_is_its_matrices(name, rng):
    f = OF_SQUARE.get(name) or OF_ANY[name]
    for shape in ((2, 3, 4, 4), (5, 4, 4), (2, 40, 40)) if name in OF_SQUARE else ((2, 2, 4, 3), (2, 3, 5), (2, 40, 30)):
        a = spd(rng, *shape) if name in OF_SQUARE else rng.standard_normal(shape)
        whole = arrays(f(a))
        for i in np.ndindex(*shape[:-2]):
            for w, one in zip(whole, arrays(f(a[i])), strict=True):
                np.testing.assert_allclose(w[i], one, rtol=1e-11, atol=1e-11 * np.max(np.abs(one), initial=1))


@pytest.mark.parametrize("name", [n for n in (*OF_SQUARE, *OF_ANY) if n not in ("svd_trunc", "cond")])
def test_empty(name):
    f = OF_SQUARE.get(name) or OF_ANY[name]
    for shape in ((0, 0), (3, 0, 0), (0, 3, 3)) if name in OF_SQUARE else ((0, 3), (3, 0), (2, 0, 0), (0, 3, 2)):
        for x in arrays(f(np.zeros(shape))):
            assert x.shape[: len(shape) - 2] == shape[:-2], (name, shape, x.shape)


def test_empty_against_numpy():
    for shape in ((0, 0), (3, 0, 0)):
        a = np.zeros(shape)
        for name in ("det", "inv", "slogdet", "eigh", "eigvalsh", "cholesky", "pinv", "matrix_rank"):
            wanted = getattr(np.linalg, name)(a)
            for x, y in zip(arrays(getattr(LA, name)(a)), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
                np.testing.assert_array_equal(x, y, err_msg=name)
    for shape in ((0, 3), (3, 0)):
        for full in (True, False):
            for x, y in zip(arrays(LA.svd(np.zeros(shape), full)), np.linalg.svd(np.zeros(shape), full), strict=True):
                assert x.shape == y.shape
    assert LA.solve(np.zeros((0, 0)), np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("name", [*OF_SQUARE, *OF_ANY])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_not_finite(name, value):
    a = np.stack([np.eye(3)] * 3)
    a[1, 2, 2] = value
    with pytest.raises(tn.LinAlgError, match=rf"^{name.split(' ')[0]}.*batch index 1" if name not in WITHIN else r"batch index 1"):
        (OF_SQUARE.get(name) or OF_ANY[name])(a)


# Functions whose errors may come from the factorization inside.
WITHIN = ("matrix_power", "cond", "lq", "cho_solve")


def test_singular_and_indefinite_name_the_matrix():
    a = np.stack([np.eye(2), np.ones((2, 2)), np.eye(2)])
    for name, call in {
        "solve": lambda: LA.solve(a, np.ones((3, 2, 1))),
        "inv": lambda: LA.inv(a),
        "cholesky": lambda: LA.cholesky(np.stack([np.eye(2), np.diag([1.0, -1.0])])),
        "solve_triangular": lambda: LA.solve_triangular(np.stack([np.eye(2), np.diag([1.0, 0.0])]), np.ones((2, 2, 1))),
        "lu_solve": lambda: LA.lu_solve(LA.lu_factor(a), np.ones((3, 2, 1))),
        "sqrtm": lambda: LA.sqrtm(np.stack([np.eye(2), np.diag([1.0, -1.0])])),
        "logm": lambda: LA.logm(np.stack([np.eye(2), np.diag([1.0, 0.0])])),
        "lstsq": lambda: LA.lstsq(np.stack([np.eye(2), np.full((2, 2), np.nan)]), np.ones((2, 2, 1))),
    }.items():
        with pytest.raises(tn.LinAlgError, match=rf"{name}.*batch index 1"):
            call()
    with pytest.raises(tn.LinAlgError, match=r"inv(?!.*batch)"):
        LA.inv(np.zeros((2, 2)))


@pytest.mark.parametrize(("m", "n", "rank"), [(5, 3, 2), (3, 5, 2), (4, 4, 1), (4, 2, 0), (3, 3, 3), (6, 2, 2), (2, 6, 2)])
@pytest.mark.parametrize("vector", [True, False])
def test_lstsq_of_any_rank(m, n, rank, vector):
    rng = np.random.default_rng(m * 10 + n)
    a = rng.standard_normal((m, rank)) @ rng.standard_normal((rank, n))
    b = rng.standard_normal(m if vector else (m, 2))
    x, _, r, s = LA.lstsq(a, b)
    x0, _, r0, s0 = np.linalg.lstsq(a, b, rcond=None)
    np.testing.assert_allclose(x, x0, rtol=0, atol=1e-13 * max(1.0, np.abs(x0).max()))
    np.testing.assert_allclose(s, s0, rtol=0, atol=1e-14 * max(1.0, s0.max()))
    assert int(r) == r0 == rank


def test_without_the_check_nan_spreads():
    a = np.array([[np.nan, 1.0], [1.0, 2.0]])
    for f in (LA.eigvalsh, LA.inv, LA.eigvals, lambda a, **k: LA.qr(a, "r", **k), lambda a, **k: LA.solve(a, np.ones(2), **k)):
        with pytest.raises(tn.LinAlgError):
            f(a)
        assert np.isnan(np.array(f(a, check_finite=False))).any()


def test_results_have_names(rng):
    a = spd(rng, 3, 3)
    for result, fields in (
        (LA.svd(a), ("U", "S", "Vh")),
        (LA.eigh(a), ("eigenvalues", "eigenvectors")),
        (LA.eig(a), ("eigenvalues", "eigenvectors")),
        (LA.qr(a), ("Q", "R")),
        (LA.slogdet(a), ("sign", "logabsdet")),
    ):
        assert result._fields == fields
        assert repr(result).startswith(f"{type(result).__name__}({fields[0]}=")
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is type(result)
        for i, name in enumerate(fields):
            assert getattr(result, name) is result[i]
            np.testing.assert_array_equal(np.array(again[i]), np.array(result[i]))


def test_integers_become_float64():
    a = [[2, 1], [1, 3]]
    for name in (
        "svd",
        "eigh",
        "eig",
        "qr",
        "cholesky",
        "lu",
        "inv",
        "det",
        "slogdet",
        "expm",
        "sqrtm",
        "logm",
        "pinv",
        "polar",
        "norm",
        "cond",
    ):
        assert arrays(getattr(LA, name)(a))[-1].dtype in ("float64", "complex128"), name
    assert LA.solve(a, [1, 2]).dtype == "float64"
    assert LA.solve(np.eye(2, dtype="float32"), np.ones(2, "complex64")).dtype == "complex64"
    assert LA.matrix_power(np.array(a), 3).dtype == "int64"
    assert LA.multi_dot([np.array(a), np.array(a)]).dtype == "int64"


def test_svd_arguments(rng):
    a = rng.standard_normal((4, 3))
    assert [x.shape for x in LA.svd(a)] == [(4, 4), (3,), (3, 3)]
    assert [x.shape for x in LA.svd(a.T, True)] == [(3, 3), (3,), (4, 4)]
    np.testing.assert_allclose(np.array(LA.svd(a, compute_uv=False)), np.linalg.svd(a, compute_uv=False), rtol=1e-13)
    for call, word in (
        (lambda: LA.svd(a, degeneracy="lift"), "full_matrices=False"),
        (lambda: LA.svd(a, False, gap=1e-3), "lift"),
        (lambda: LA.svd(a, False, degeneracy="lift", gap=2.0), "between 0 and 1"),
        (lambda: LA.svd(a, False, degeneracy="broaden"), "'mask', 'lift' or 'raise'"),
        (lambda: LA.svd_trunc(a, 4), "svd_trunc"),
        (lambda: LA.svd_trunc(a, -1), "got -1"),
        (lambda: LA.qr(a, "raw"), "mode"),
        (lambda: LA.lq(a, "r"), "mode"),
        (lambda: LA.eigh(a, "X"), "UPLO"),
        (lambda: LA.polar(a, "up"), "side"),
        (lambda: LA.matrix_norm(a, ord=3), "matrix_norm"),
        (lambda: LA.cond(a, "all"), "cond"),
        (lambda: LA.solve_triangular(np.eye(2), np.ones(2), trans=3), "trans"),
        (lambda: LA.norm(a, "fro", axis=0), "vectors"),
        (lambda: LA.norm(np.zeros((2, 2, 2)), 1), "axis"),
        (lambda: LA.norm(a, axis=(0, 0)), "twice"),
        (lambda: LA.norm(a, axis=(0, 2)), "axis 2"),
        (lambda: LA.null_space(tn.TracedTensor.input("float64", (2, 3))), "rank="),
        (lambda: LA.orth(np.stack([np.eye(2), np.ones((2, 2))])), "ranks"),
        (lambda: LA.orth(a, rank=4), "rank"),
        (lambda: LA.multi_dot([a]), "two"),
    ):
        with pytest.raises(ValueError, match=word):
            call()


@pytest.mark.parametrize("keepdims", [False, True])
def test_norm_as_numpy(keepdims, rng):
    a = rng.standard_normal((2, 3, 4))
    for ord_, axis in (
        (None, None),
        (None, 1),
        (1, -1),
        (0, 0),
        (np.inf, 2),
        (None, (0, 1)),
        ("fro", (2, 0)),
        ("nuc", (1, 2)),
        (1, (1, 0)),
        (-np.inf, (-1, 0)),
        (2, (0, 2)),
    ):
        got = LA.norm(a, ord_, axis, keepdims)
        np.testing.assert_allclose(np.array(got), np.linalg.norm(a, ord_, axis, keepdims), rtol=1e-12, err_msg=str((ord_, axis)))
    for x, ord_ in ((a[0], None), (a[0], 2), (a[0, 0], 3), (a[0, 0], -np.inf)):
        np.testing.assert_allclose(np.array(LA.norm(x, ord_)), np.linalg.norm(x, ord_), rtol=1e-12)
    np.testing.assert_array_equal(np.array(tn.grad(LA.norm)(np.zeros(3))), np.zeros(3))
    np.testing.assert_array_equal(np.array(tn.grad(LA.matrix_norm)(np.zeros((2, 2)))), np.zeros((2, 2)))


def test_bases_find_their_rank(rng):
    a = rng.standard_normal((5, 2)) @ rng.standard_normal((2, 4))
    q, z = np.array(LA.orth(a)), np.array(LA.null_space(a))
    assert (q.shape, z.shape) == ((5, 2), (4, 2))
    reference = scipy.linalg.null_space(a)
    np.testing.assert_allclose(z @ z.T, reference @ reference.T, atol=1e-13)
    np.testing.assert_allclose(q @ q.T @ a, a, atol=1e-13)
    assert int(LA.matrix_rank(a, rtol=1e-6)) == 2
    assert int(LA.matrix_rank(a, rtol=2.0)) == 0


def test_solutions_in_every_form(rng):
    a, b = rng.standard_normal((2, 3, 3)), rng.standard_normal((3, 2))
    z = a + 1j * rng.standard_normal((2, 3, 3))
    for m in (a, z):
        for trans, form in ((0, m), ("T", m.swapaxes(-1, -2)), (2, m.conj().swapaxes(-1, -2))):
            np.testing.assert_allclose(np.array(LA.lu_solve(LA.lu_factor(m), b, trans)), np.linalg.solve(form, b), rtol=1e-10)
        upper = np.array(LA.cholesky(m @ m.conj().swapaxes(-1, -2), upper=True))
        np.testing.assert_allclose(upper.conj().swapaxes(-1, -2) @ upper, m @ m.conj().swapaxes(-1, -2), atol=1e-12)
        x = np.array(LA.cho_solve((upper, False), b))
        np.testing.assert_allclose(m @ (m.conj().swapaxes(-1, -2) @ x), np.broadcast_to(b, x.shape), atol=1e-9)
    t = np.triu(a[0]) + 3 * np.eye(3)
    np.testing.assert_allclose(
        np.array(LA.solve_triangular(t, b, unit_diagonal=True)), scipy.linalg.solve_triangular(t, b, unit_diagonal=True), rtol=1e-12
    )
    assert np.isinf(float(LA.cond(np.zeros((2, 2)) + np.diag([1.0, 0.0]))))
