"""einsum of many operands and its paths, against numpy.einsum and opt_einsum's published costs."""

import numpy as np
import path_costs
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


@pytest.mark.parametrize(("spec", "best", "greedy"), path_costs.EXPRESSIONS)
def test_orders_cost_no_more_than_opt_einsums(spec, best, greedy):
    x = [np.broadcast_to(1.0, [path_costs.SIZES[c] for c in term]) for term in spec.split("->")[0].split(",")]
    assert tn.einsum_path(spec, *x, optimize="optimal")[1].flops <= best
    assert tn.einsum_path(spec, *x, optimize="greedy")[1].flops <= greedy


@pytest.mark.parametrize(("spec", "dims", "best", "greedy"), path_costs.NETWORKS, ids=lambda v: v[:20] if isinstance(v, str) else "")
def test_orders_of_networks(spec, dims, best, greedy):
    x = [np.broadcast_to(1.0, d) for d in dims]
    if len(x) <= 16:
        assert tn.einsum_path(spec, *x, optimize="optimal")[1].flops <= best
    assert tn.einsum_path(spec, *x, optimize="greedy")[1].flops <= greedy
    if len(x) <= 10:
        assert tn.einsum_path(spec, *x)[1].flops <= best


def naive(spec, dims):
    """Operations of one loop over all letters."""
    terms = spec.split("->")[0].split(",")
    size = {c: n for t, d in zip(terms, dims, strict=True) for c, n in zip(t, d, strict=True)}
    repeated = sum(len(set(t)) for t in terms) > len(size)
    return np.prod([float(n) for n in size.values()]) * (max(len(terms) - 1, 1) + repeated)


def test_figures_are_attributes():
    for spec, dims, *_ in path_costs.NETWORKS:
        x = [np.broadcast_to(1.0, d) for d in dims]
        path, info = tn.einsum_path(spec, *x, optimize="greedy")
        assert isinstance(info, str)
        assert info.path == path[1:]
        assert [step[0] for step in info.steps] == path[1:]
        assert info.flops == info.opt_cost == sum(step[2] for step in info.steps)
        assert info.naive_flops == info.naive_cost == pytest.approx(naive(spec, dims))
        assert info.largest_intermediate == max(step[3] for step in info.steps)
        assert info.speedup == pytest.approx(info.naive_flops / info.flops)
        # The sums in the text are those of the search itself.
        for name, figure in (("naive", info.naive_flops), ("optimized", info.flops), ("largest", info.largest_intermediate)):
            line = next(line for line in info.splitlines() if line.startswith(name))
            assert float(line.split(": ")[1].split()[0]) == pytest.approx(figure, rel=1e-3)


def test_steps_say_what_is_contracted():
    c, g = np.ones((10, 10)), np.ones((10,) * 4)
    info = tn.einsum_path("ea,fb,abcd,gc,hd->efgh", c, c, g, c, c)[1]
    assert info.largest_intermediate == 10**4
    for k, (positions, expression, flops, elements) in enumerate(info.steps):
        assert (len(positions), flops, elements) == (2, 2 * 10**5, 10**4)
        left, right = expression.split("->")
        assert len(set(left) - {","} - set(right)) == 1
        assert expression in info
        assert (right == "efgh") == (k == 3)


# Each is (arguments, the expression of the only step).
FORMS = [
    ((np.ones((2, 3)), [5, 1], np.ones((3, 4)), [1, 9], [9, 5]), "ba,ac->cb"),
    ((np.ones((2, 3)), [5, 1], np.ones((3, 4)), [1, 9]), "ba,ac->bc"),
    ((np.ones((7, 2, 3)), [Ellipsis, 0, 1], np.ones((3, 4)), [1, 2], [Ellipsis, 2]), "cab,bd->cd"),
    ((" ...ij , ...jk ", np.ones((7, 2, 3)), np.ones((1, 3, 4))), "aij,ajk->aik"),
    (("...a,...b->...", np.ones((5, 7, 2)), np.ones((7, 3))), "cda,db->cd"),
    (("iij->j", np.ones((3, 3, 2))), "iij->j"),
]


@pytest.mark.parametrize(("args", "wanted"), FORMS, ids=[w for _, w in FORMS])
def test_steps_of_every_form(args, wanted):
    ((_, expression, _, elements),) = tn.einsum_path(*args)[1].steps
    assert sorted(expression) == sorted(wanted)
    # As an expression of its own, the step gives what the whole gives.
    arrays = [a for a in args if isinstance(a, np.ndarray)]
    got = np.einsum(expression, *arrays)
    np.testing.assert_allclose(got, np.einsum(*args))
    assert got.size == elements


def test_sizes_of_placeholders_count():
    x = tn.TracedTensor.input("float64", ("n", 3))
    assert tn.einsum_path("ij,jk->ik", x, np.ones((3, 5)))[1].flops == 2 * 64 * 3 * 5


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
