"""Einstein summation against NumPy: both forms, orders, paths, mistakes."""

import numpy as np
import pytest
import running

import tenferro_py as tn

EXPRESSIONS = [
    ("ij,jk->ik", ((2, 3), (3, 4))),
    ("ij,jk", ((2, 3), (3, 4))),
    ("ba", ((2, 3),)),
    ("ii->i", ((3, 3),)),
    ("ii", ((3, 3),)),
    ("i,i,i->i", ((3,), (3,), (3,))),
    ("ij,ik,il->jkl", ((2, 3), (2, 4), (2, 2))),
    ("i,j,k->kji", ((2,), (3,), (4,))),
    ("...ij,...jk->...ik", ((5, 1, 2, 3), (4, 3, 2))),
    ("...,...", ((2, 3), (3,))),
    ("i...->...", ((3, 2, 2),)),
    ("ij,kl->", ((2, 3), (4, 2))),
    ("ab,bc,cd,de,ea->", ((2, 3), (3, 4), (4, 2), (2, 5), (5, 2))),
    (" i j , j k -> i k ", ((2, 3), (3, 4))),
    ("ij,j->i", ((0, 3), (3,))),
    ("ij,j->i", ((2, 0), (0,))),
]
ORDERS = (True, False, "auto", "greedy", "optimal")


def draw(rng, dims, dtype):
    x = [rng.standard_normal(d) + (1j * rng.standard_normal(d) if dtype == "complex128" else 0) for d in dims]
    return [(a * 4).astype(dtype) for a in x]


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int64"])
@pytest.mark.parametrize(("text", "dims"), EXPRESSIONS)
def test_against_numpy(text, dims, dtype, rng):
    arrays = draw(rng, dims, dtype)
    wanted = np.einsum(text, *arrays)
    for optimize in (*ORDERS, tn.einsum_path(text, *arrays)[0]):
        got = np.array(tn.einsum(text, *arrays, optimize=optimize))
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def test_interleaved(rng):
    a, b = draw(rng, ((5, 2, 3), (3, 4)), "float64")
    for args in (
        (a, [7, 0, 1], b, [1, 2], [2, 7, 0]),
        (a, [7, 0, 1], b, [1, 2]),
        (a, [Ellipsis, 1], b, [1, 2], [Ellipsis, 2]),
        (a, (0, 1, 2)),
        (a, np.array([2, 1, 0])),
    ):
        np.testing.assert_allclose(np.array(tn.einsum(*args)), np.einsum(*args), rtol=1e-13)
    assert tn.einsum_path(a, [0, 1, 2], b, [2, 3])[0] == ["einsum_path", (0, 1)]


def test_derivatives_do_not_depend_on_the_order(rng):
    arrays = draw(rng, ((2, 3), (3, 4), (4, 2), (2, 3)), "float64")
    of = lambda optimize: tn.grad(lambda *x: tn.sum(tn.square(tn.einsum("ab,bc,cd,eb->ade", *x, optimize=optimize))), argnums=1)  # noqa: E731
    first = np.array(of(True)(*arrays))
    for optimize in (False, "greedy", [(2, 3), (0, 2), (0, 1)]):
        np.testing.assert_allclose(np.array(of(optimize)(*arrays)), first, rtol=1e-12)


# Letters in many operands, diagonals, traces, ellipses over axes that broadcast, letters of length 1, outer products.
DIFFERENTIATED = [
    *((text, dims) for text, dims in EXPRESSIONS if 0 not in sum(dims, ())),
    ("ai,bi,ci->abc", ((2, 3), (2, 3), (2, 3))),
    ("ai,bi,ci,i->", ((2, 3), (2, 3), (2, 3), (3,))),
    ("iij,jk->k", ((2, 2, 3), (3, 2))),
    ("ii,ij->j", ((3, 3), (3, 2))),
    ("...i,...ij->...j", ((2, 1, 3), (4, 3, 2))),
    ("ij,jk", ((2, 1), (3, 4))),
    ("i...,...->i...", ((2, 3), (1,))),
]


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize(("text", "dims"), DIFFERENTIATED, ids=[text for text, _ in DIFFERENTIATED])
def test_derivatives(text, dims, dtype, rng):
    arrays = [a / 4 for a in draw(rng, dims, dtype)]
    np.testing.assert_allclose(running.traced(lambda *x: tn.einsum(text, *x), arrays)[0], np.einsum(text, *arrays), rtol=1e-12, atol=1e-12)
    running.check_derivatives(lambda *x: tn.einsum(text, *x), arrays, rng)


def cost(text, dims, path):
    """Multiplications and additions of a path, counted as opt_einsum does."""
    terms, out = text.split("->")
    size = {c: n for t, d in zip(terms.split(","), dims, strict=True) for c, n in zip(t, d, strict=True)}
    live, total = [set(t) for t in terms.split(",")], 0
    for step in path:
        parts = [live.pop(i) for i in sorted(step, reverse=True)]
        union = set().union(*parts)
        kept = union & set(out).union(*live)
        total += np.prod([size[c] for c in union]) * (max(len(parts) - 1, 1) + (kept != union))
        live.append(kept)
    return total


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("ab,bc,cd->ad", ((10, 100), (100, 5), (5, 50))),
        ("ab,ac,bd,cd,de->e", ((8, 9), (8, 7), (9, 6), (7, 6), (6, 3))),
        ("ea,fb,abcd,gc,hd->efgh", ((10, 10), (10, 10), (10, 10, 10, 10), (10, 10), (10, 10))),
    ],
)
def test_paths_cost_no_more_than_numpys(text, dims, rng):
    arrays = draw(rng, dims, "float64")
    path, printed = tn.einsum_path(text, *arrays, optimize="optimal")
    theirs = np.einsum_path(text, *arrays, optimize="optimal")[0]
    assert path[0] == "einsum_path"
    assert cost(text, dims, path[1:]) <= cost(text, dims, theirs[1:])
    greedy = tn.einsum_path(text, *arrays, optimize="greedy")[0]
    assert cost(text, dims, path[1:]) <= cost(text, dims, greedy[1:])
    assert f"{cost(text, dims, path[1:]):.3e}".replace("e+0", "e") in printed
    np.testing.assert_allclose(np.einsum(text, *arrays, optimize=path), np.array(tn.einsum(text, *arrays)), rtol=1e-10, atol=1e-10)


X = np.zeros((2, 3))


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        (lambda: tn.einsum(), tn.ArgumentError, "needs"),
        (lambda: tn.einsum(X), tn.ArgumentError, "needs"),
        (lambda: tn.einsum("ij,jk->ik", X), tn.ArgumentError, "2 operands"),
        (lambda: tn.einsum("ij->k", X), tn.ArgumentError, "no operand"),
        (lambda: tn.einsum("ij->ii", X), tn.ArgumentError, "repeated"),
        (lambda: tn.einsum("i%->i", X), tn.ArgumentError, "not a letter"),
        (lambda: tn.einsum("i..->i", X), tn.ArgumentError, "ellipsis"),
        (lambda: tn.einsum("ijk->i", X), tn.ShapeError, "einsum"),
        (lambda: tn.einsum("ij,ij->ij", X, np.zeros((3, 3))), tn.ShapeError, "einsum"),
        (lambda: tn.einsum(X, [0, -1]), tn.ArgumentError, "-1"),
        (lambda: tn.einsum(X, [0, 1.5]), tn.ArgumentError, "1.5"),
        (lambda: tn.einsum("ij->i", X, optimize="best"), tn.ArgumentError, "optimize"),
        (lambda: tn.einsum("ij,jk->ik", X, np.zeros((3, 3)), optimize=[(0, 2)]), tn.ArgumentError, "path"),
        (lambda: tn.einsum("ij,jk->ik", X, np.zeros((3, 3)), optimize=("greedy", 1e9)), tn.ArgumentError, "path"),
    ],
)
def test_mistakes(call, error, word):
    with pytest.raises(error, match=word):
        call()
