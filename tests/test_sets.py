"""Distinct elements: how many there are depends on the data, so that these run op by op."""

import pickle

import numpy as np
import pytest

import tenferro_py as tn

NAN, INF = float("nan"), float("inf")
FLOATS = np.array([1, NAN, -0.0, 0.0, NAN, INF, -INF, 1])
COMPLEX = np.array([1 + 1j, NAN, 1j * NAN, complex(NAN, NAN), 1, 1 + 1j])
DTYPES = ["bool", "int8", "uint64", "float32", "float64", "complex64", "complex128"]


def check_unique(x, **kwargs):
    got = tn.unique(x, True, True, True, **kwargs)
    wanted = np.unique(x, True, True, True, **kwargs)
    assert len(got) == 4
    for g, w in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(g.numpy(), w, strict=True)
    np.testing.assert_array_equal(tn.unique(x, **kwargs).numpy(), wanted[0], strict=True)
    _, counts = tn.unique(x, return_counts=True, **kwargs)
    np.testing.assert_array_equal(counts.numpy(), wanted[3])


@pytest.mark.parametrize("dtype", DTYPES)
def test_unique_is_numpys(dtype, rng):
    x = rng.integers(0, 4, (3, 4)).astype(dtype)
    for part in (x, x[:0], x[0, 0]):
        check_unique(part)


@pytest.mark.parametrize("equal_nan", [True, False])
@pytest.mark.parametrize("x", [FLOATS, FLOATS.astype("float32"), COMPLEX])
def test_unique_at_nan(x, equal_nan):
    check_unique(x, equal_nan=equal_nan)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_unique_parts_along_an_axis(axis, rng):
    for dtype in DTYPES:
        x = rng.integers(0, 2, (4, 5, 2)).astype(dtype)
        for part in (x, x[:1], x[:, :1, :1], x[..., :0] if axis == 1 else x[:0]):
            check_unique(part, axis=axis)
    x = np.array([[1.0, NAN], [1.0, NAN], [-0.0, 2.0], [0.0, 2.0]])
    check_unique(x, axis=0)
    for equal_nan in (True, False):
        check_unique(np.array([1.0, NAN, -0.0, NAN, 0.0]), axis=0, equal_nan=equal_nan)
    with pytest.raises(IndexError, match="axis"):
        tn.unique(x, axis=2)


def test_unique_of_the_array_api():
    x = np.array([[3, 1, 3], [2, 1, 3]])
    everything = tn.unique_all(x)
    values, indices, inverse, counts = everything
    assert (values.tolist(), indices.tolist()) == ([1, 2, 3], [1, 3, 0])
    assert (inverse.tolist(), counts.tolist()) == ([[2, 0, 2], [1, 0, 2]], [2, 1, 3])
    assert (everything.values, everything.indices, everything.inverse_indices, everything.counts) == (values, indices, inverse, counts)
    assert tn.unique_counts(x).counts.tolist() == [2, 1, 3]
    assert tn.unique_inverse(x).inverse_indices.tolist() == inverse.tolist()
    assert tn.unique_values(x).tolist() == [1, 2, 3]
    with pytest.raises(AttributeError, match="places"):
        _ = everything.places
    assert repr(tn.unique_counts([2])) == "UniqueCountsResult(values=tensor([2]), counts=tensor([1]))"
    again = pickle.loads(pickle.dumps(everything))
    assert type(again) is type(everything)
    assert again.counts.tolist() == [2, 1, 3]


def test_every_nan_counts_in_the_array_api():
    assert tn.unique_values(FLOATS).shape == (6,)
    assert tn.unique_counts(FLOATS).counts.tolist() == [1, 2, 2, 1, 1, 1]


@pytest.mark.parametrize("name", ["unique", "unique_values", "unique_counts", "unique_inverse", "unique_all", "union1d", "setdiff1d"])
def test_traced_tensors_need_a_size(name):
    x = tn.TracedTensor.input("float64", (4,))
    with pytest.raises(ValueError, match=f"^{name}: how many .* size="):
        getattr(tn, name)(x, *[[1.0]] * name.endswith("1d"))


@pytest.mark.parametrize("name", ["union1d", "intersect1d", "setdiff1d"])
def test_two_sets(name, rng):
    for dtype in DTYPES:
        x, y = rng.integers(0, 5, (3, 4)).astype(dtype), rng.integers(2, 9, 6).astype(dtype)
        for a, b in ((x, y), (y, x), (x, y[:0]), (x[:0], y), (x, [2.0, 4.5])):
            np.testing.assert_array_equal(getattr(tn, name)(a, b).numpy(), getattr(np, name)(a, b), strict=True)


def test_two_sets_at_nan():
    for name in ("union1d", "setdiff1d"):
        np.testing.assert_array_equal(getattr(tn, name)(FLOATS, [NAN, 1.0]).numpy(), getattr(np, name)(FLOATS, [NAN, 1.0]))


def test_falling_bins():
    x = np.array([-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
    for bins in ([2.0, 1.0, 0.0], [0.0, 1.0, 1.0, 2.0], [2.0, 2.0, 0.0], [1.0, 1.0], [1.0], []):
        for right in (False, True):
            assert tn.digitize(x, bins, right).tolist() == np.digitize(x, bins, right).tolist(), (bins, right)
    assert tn.digitize([0.5, NAN], [0.0, 1.0, NAN]).tolist() == np.digitize([0.5, NAN], [0.0, 1.0, NAN]).tolist()
    with pytest.raises(ValueError, match="digitize"):
        tn.digitize(x, [0.0, 2.0, 1.0])
    with pytest.raises(ValueError, match="searchsorted"):
        tn.digitize(x, [[0.0]])


def test_sizes_below_and_above():
    x = [5, 3, 5, 1, 3, 5]
    values, places, inverse, counts = tn.unique(x, True, True, True, size=2)
    assert (values.tolist(), places.tolist(), counts.tolist()) == ([1, 3], [3, 1], [1, 2])
    assert inverse.tolist() == [2, 1, 2, 0, 1, 2]
    assert tn.unique(x, return_counts=True, size=5)[1].tolist() == [1, 2, 3, 0, 0]
    assert tn.unique(x, size=5).tolist() == [1, 3, 5, 1, 1]


def test_gradients_go_to_the_first_of_equals():
    rt = tn.EagerRuntime()
    with rt.eager_session(tn.CpuEngine.serial()):
        x = rt.variable_from([3.0, 1.0, 3.0])
        tn.sum(tn.unique(x) * [10.0, 1.0]).backward()
        assert x.grad().tolist() == [1.0, 10.0, 0.0]
        x.clear_grad()
        tn.sum(tn.unique_all(x).values * [10.0, 1.0]).backward()
        assert x.grad().tolist() == [1.0, 10.0, 0.0]


def test_isin():
    assert tn.isin(FLOATS, [NAN, 0, INF]).tolist() == np.isin(FLOATS, [NAN, 0, INF]).tolist()
    assert tn.isin([1, 2], []).tolist() == [False, False]
    assert tn.isin([1, 2], [], invert=True).tolist() == [True, True]
    assert tn.isin(2, [1, 2]).tolist() is True
    assert tn.isin([1, 2], 1.5).tolist() == [False, False]
    assert tn.isin([True, False], 1).tolist() == [True, False]


def test_bincount():
    for x, kwargs in (([0, 3, 3, 1], {}), ([], {}), ([1], {"minlength": 4}), ([True, False, True], {}), ([2, 0], {"weights": [1, 2]})):
        x = np.array(x, dtype=None if x else "int64")
        np.testing.assert_array_equal(tn.bincount(x, **kwargs).numpy(), np.bincount(x, **kwargs), strict=True)
    assert tn.bincount([0, 1], [1j, 2.0]).tolist() == [1j, 2]
    with pytest.raises(ValueError, match="weights"):
        tn.bincount([0, 1], [1.0])


CLOSE = [
    (FLOATS, FLOATS),
    (FLOATS, INF),
    (INF, FLOATS),
    (COMPLEX, COMPLEX),
    (COMPLEX, 1),
    (1, 1.0 + 1e-6),
    ([True], [False]),
    (2**62, 2**62 + 1),
]


@pytest.mark.parametrize(("x", "y"), CLOSE)
@pytest.mark.parametrize("equal_nan", [False, True])
def test_closeness_is_numpys(x, y, equal_nan):
    np.testing.assert_array_equal(tn.isclose(x, y, equal_nan=equal_nan).numpy(), np.isclose(x, y, equal_nan=equal_nan), strict=True)
    assert bool(tn.allclose(x, y, equal_nan=equal_nan)) is np.allclose(x, y, equal_nan=equal_nan)
    assert bool(tn.array_equal(x, y, equal_nan=equal_nan)) is np.array_equal(x, y, equal_nan=equal_nan)


SYMBOLIC = {
    "unique": lambda x: tn.unique(x, size=3),
    "isin": lambda x: tn.isin([1.0], x),
    "quantile": lambda x: tn.quantile(x, 0.5),
    "gradient": tn.gradient,
    "trapezoid": tn.trapezoid,
    "unwrap": tn.unwrap,
}


@pytest.mark.parametrize("name", SYMBOLIC)
def test_symbolic_lengths(name):
    with pytest.raises(ValueError, match=f"^{name}: the length of axis -?[01] is symbolic, n"):
        SYMBOLIC[name](tn.TracedTensor.input("float64", ("n",)))


def test_what_takes_symbolic_lengths():
    m = tn.TracedTensor.input("float64", ("n", 3))
    x = m[:, 0]
    assert tn.quantile(m, [0.5, 0.9], axis=1, keepdims=True).shape == (2, "n", 1)
    assert tn.average(m, axis=0, weights=x).shape == (3,)
    assert tn.isin(m, [1.0, 2.0]).shape == ("n", 3)
    assert tn.linspace(x, 1.0, 4).shape == (4, "n")
    assert tn.sum(m, axis=0, where=m > 0, initial=1.0).shape == (3,)
    assert tn.nanvar(m, axis=0).shape == (3,)


def test_kinds():
    for x in (1.0, 1j, [1, 2], np.zeros(2, "complex64")):
        assert tn.iscomplexobj(x) is np.iscomplexobj(x)
        assert tn.isrealobj(x) is np.isrealobj(x)
    assert tn.iscomplexobj(tn.TracedTensor.input("complex64", (2,)))


def test_argwhere():
    for x in ([[0, 1], [2, 0]], [0, 0], [[[1]]], 3.0, 0.0):
        np.testing.assert_array_equal(tn.argwhere(x).numpy(), np.argwhere(x), strict=True)


def test_roots():
    for p in ([0, 0, 1, -3, 2, 0], [2.0], [], [0.0, 0.0], [1.0, 0.0, 1.0]):
        got, wanted = np.sort_complex(tn.roots(p).numpy()), np.sort_complex(np.roots(p))
        np.testing.assert_allclose(got, wanted, atol=1e-14)
        assert got.dtype == "complex128"


def test_modf_and_heaviside_at_special_values():
    x = np.array([NAN, INF, -INF, -0.0, 0.0, -2.0, 2.0, 1e300, 5e-324])
    for got, wanted in zip(tn.modf(x), np.modf(x), strict=True):
        np.testing.assert_array_equal(got.numpy(), wanted)
        np.testing.assert_array_equal(np.signbit(got.numpy()[1:]), np.signbit(wanted[1:]))
    rt = tn.EagerRuntime()
    y = rt.variable_from([-2.0, -0.5, 0.0, 3.0])
    tn.sum(tn.modf(y)[0]).backward()
    assert y.grad().tolist() == [1.0, 1.0, 1.0, 1.0]
    for h in (0.5, NAN):
        np.testing.assert_array_equal(tn.heaviside(x, h).numpy(), np.heaviside(x, h))


def test_all_nan():
    with pytest.raises(ValueError, match="nanargmax"):
        tn.nanargmax([[NAN, NAN], [1.0, NAN]], axis=1)
    assert np.isnan(float(tn.nanmedian([NAN, NAN])))
    assert tn.nanquantile([NAN, INF, 1.0, INF], 0.75).tolist() == INF


@pytest.mark.parametrize("q", [0.0, 0.2, 0.25, 0.5, 0.6, 0.9, 1.0])
def test_quantiles_between_infinities(q):
    """Between a number and an infinity stands the infinity; between two that differ, NaN."""
    for low, high, between in ((1.0, INF, INF), (-INF, 1.0, -INF), (INF, INF, INF), (-INF, -INF, -INF), (-INF, INF, NAN)):
        wanted = {0.0: low, 1.0: high}.get(q, between)
        for y in (tn.quantile([high, low], q), tn.nanquantile([NAN, high, low], q)):
            np.testing.assert_array_equal(y.numpy(), wanted)
    assert tn.nanmedian([1.0, INF]).tolist() == INF


def test_complex_numbers_have_no_quantiles():
    for f in (tn.quantile, tn.percentile, tn.nanquantile, tn.nanpercentile):
        with pytest.raises(TypeError, match="quantile: complex128 has no order"):
            f([1j, 2.0], 0.5)
