"""einsum of many operands and its paths, against numpy.einsum and opt_einsum's published costs."""

import numpy as np
import pytest

import tenferro_py as tn

SPECS = [
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
    ("ea,fb,abcd,gc,hd->efgh", [(2, 3), (3, 2), (3, 2, 2, 3), (2, 2), (2, 3)]),
    ("ai,bi,ci->abc", [(2, 4), (3, 4), (2, 4)]),
    ("iij->j", [(3, 3, 2)]),
    ("ii", [(3, 3)]),
    ("ba", [(2, 3)]),
    ("...ij,...jk->...ik", [(4, 1, 3, 2), (3, 2, 5)]),
    ("...ij,...jk", [(4, 1, 3, 2), (3, 2, 5)]),
    ("i...->...", [(2, 3, 4)]),
    ("ij,jk", [(2, 1), (3, 4)]),
    ("ab,cd,ef->fcadbe", [(2, 3), (2, 2), (3, 2)]),
    ("a,a,a->", [(3,), (3,), (3,)]),
    (" i j , j -> i ", [(2, 3), (3,)]),
]


@pytest.mark.parametrize(("spec", "dims"), SPECS)
@pytest.mark.parametrize("optimize", ["auto", "greedy", "optimal", False, True])
def test_values(spec, dims, optimize, rng):
    x = [rng.standard_normal(d) for d in dims]
    np.testing.assert_allclose(tn.einsum(spec, *x, optimize=optimize).numpy(), np.einsum(spec, *x), rtol=1e-12, atol=1e-13)


def test_interleaved_operands(rng):
    a, b = rng.standard_normal((2, 3)), rng.standard_normal((3, 4))
    for tail in ([], [[2, 0]]):
        np.testing.assert_allclose(tn.einsum(a, [0, 1], b, [1, 2], *tail).numpy(), np.einsum(a, [0, 1], b, [1, 2], *tail), rtol=1e-14)
    c, d = rng.standard_normal((5, 2, 3)), rng.standard_normal((3, 4))
    got = tn.einsum(c, [..., 0, 1], d, [1, 2], [..., 2, 0])
    np.testing.assert_allclose(got.numpy(), np.einsum(c, [..., 0, 1], d, [1, 2], [..., 2, 0]), rtol=1e-13)


def test_the_common_dtype_comes_first():
    big = np.array([2**40, 2**41])
    x = np.array([0.5, 2.0**-41])
    for optimize in ("auto", False):
        assert float(tn.einsum("a,a,a->", big, big, x, optimize=optimize)) == float(np.einsum("a,a,a->", big, big, x))


def test_bool_is_and_and_or(rng):
    x, y = rng.integers(0, 2, (3, 4)).astype(bool), rng.integers(0, 2, (4, 5)).astype(bool)
    got = tn.einsum("ij,jk->ik", x, y).numpy()
    assert got.dtype == np.bool_
    np.testing.assert_array_equal(got, np.einsum("ij,jk->ik", x, y))


# NumPy's documentation of einsum_path, and the README of opt_einsum.
def test_documented_paths():
    path, text = tn.einsum_path("ij,jk,kl->il", np.ones((2, 2)), np.ones((2, 5)), np.ones((5, 2)), optimize="greedy")
    assert [tuple(step) for step in path[1:]] == [(1, 2), (0, 1)]
    assert "naive flops: 1.200e2" in text
    assert "optimized flops: 5.600e1" in text
    x = [np.ones((10, 10))] * 4
    _, text = tn.einsum_path("pi,qj,ijkl,rk,sl->pqrs", x[0], x[1], np.ones((10,) * 4), x[2], x[3], optimize="optimal")
    assert "naive flops: 5.000e8" in text
    assert "optimized flops: 8.000e5" in text


def test_a_path_serves_again(rng):
    x = [rng.standard_normal(d) for d in ((2, 3), (3, 4), (4, 5))]
    path, _ = tn.einsum_path("ij,jk,kl->il", *x)
    np.testing.assert_allclose(tn.einsum("ij,jk,kl->il", *x, optimize=path).numpy(), np.einsum("ij,jk,kl->il", *x), rtol=1e-13)
    with pytest.raises(ValueError, match="leaves 2 operands"):
        tn.einsum("ij,jk,kl->il", *x, optimize=[(0, 1)])


@pytest.mark.parametrize(
    ("spec", "dims", "word"),
    [
        ("ij,jk->ik", [(2, 3), (4, 5)], "letter 'j' .* 3 in operand 0 and 4 in operand 1"),
        ("ii->i", [(2, 3)], "both 2 and 3 in operand 0"),
        ("ij->ijk", [(2, 3)], "output letter 'k'"),
        ("...i->i", [(2, 3)], "ellipsis"),
        ("ij,jk->ik", [(2, 3)], "names 2 operands"),
        ("i,j", [(2,), (3, 4)], "operand 1 .* 2 axes for 1 letters"),
    ],
)
def test_errors_name_operand_and_letter(spec, dims, word):
    with pytest.raises(ValueError, match=word):
        tn.einsum(spec, *(np.ones(d) for d in dims))
