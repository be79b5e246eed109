"""Reductions, running reductions and order at special values, against NumPy and SciPy; casts of everything to everything."""

import math

import numpy as np
import pytest
import scipy.special as sp
from draws import ALL, INTEGERS, REAL
from special_values import complexes, integers, joined, misfit, points, reals, report

import tenferro_py as tn

NAN, INF = np.nan, np.inf

# Rows along axis 1: NaN first, last and alone, infinities of one and of both signs, zeros of both signs, overflow, subnormals, ties.
ROWS = [
    [1, 2, 3, 4],
    [1, NAN, 3, NAN],
    [NAN, 1, 2, 3],
    [3, 2, 1, NAN],
    [INF, 1, 2, -1],
    [INF, -INF, 1, 2],
    [-INF, -INF, -INF, -INF],
    [INF, INF, INF, INF],
    [0.0, -0.0, 0.0, -0.0],
    ["max", "max", "-max", 1],
    ["tiny", "-tiny", "tiny", 0.0],
    [NAN, NAN, NAN, NAN],
    [-INF, 1, 2, 3],
    [INF, NAN, -INF, 0],
    [3, 1, 3, 1],
    [2, 2, 2, 2],
]


def rows(dtype):
    f = np.finfo(dtype)
    words = {"max": f.max / 1.5, "-max": -f.max / 1.5, "tiny": f.smallest_subnormal, "-tiny": -f.smallest_subnormal}
    return np.array([[words.get(v, v) for v in r] for r in ROWS], dtype)


def softmax(x, axis):
    """exp(log_softmax): beside ∞ the rest is 0, where SciPy's quotient is NaN throughout."""
    return np.exp(sp.log_softmax(x, axis=axis))


def stable_argsort(x, axis):
    return np.argsort(x, axis=axis, stable=True)


REFERENCES = {
    "sum": np.sum,
    "prod": np.prod,
    "max": np.max,
    "min": np.min,
    "mean": np.mean,
    "var": np.var,
    "std": np.std,
    "any": np.any,
    "all": np.all,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "count_nonzero": np.count_nonzero,
    "median": np.median,
    "ptp": np.ptp,
    "cumsum": np.cumsum,
    "cumprod": np.cumprod,
    "cummax": np.maximum.accumulate,
    "cummin": np.minimum.accumulate,
    "cumlogsumexp": np.logaddexp.accumulate,
    "logsumexp": sp.logsumexp,
    "softmax": softmax,
    "log_softmax": sp.log_softmax,
    "sort": np.sort,
    "argsort": stable_argsort,
    "diff": np.diff,
    "cumulative_sum": np.cumsum,
    "cumulative_prod": np.cumprod,
    "nanmax": np.nanmax,
    "nanmin": np.nanmin,
    "nanmedian": np.nanmedian,
    "nansum": np.nansum,
    "nanprod": np.nanprod,
    "nanmean": np.nanmean,
    "nanvar": np.nanvar,
    "nanstd": np.nanstd,
}
# Sums of products: a mean with weights, an integral. The norm is tested with linear algebra.
OF_TWO = {"average", "trapezoid", "norm"}
# Tested below: a row of NaN has no answer.
POSITIONS_BESIDE_NAN = {"nanargmax": np.nanargmax, "nanargmin": np.nanargmin}


def test_every_reduction_has_a_reference():
    """A reduction is what takes a matrix and axis=1 to a vector."""
    x, missing = np.array([[0.3, -1.0, 2.0], [4.0, 0.5, 0.1]]), set()
    known = {getattr(tn, n) for n in REFERENCES}
    for name in set(tn.__all__) - OF_TWO - set(POSITIONS_BESIDE_NAN):
        f = getattr(tn, name)
        if not callable(f) or isinstance(f, type) or f in known:
            continue
        try:
            y = f(x, axis=1)
        except (TypeError, ValueError):
            continue
        if getattr(y, "shape", None) == (2,):
            missing.add(name)
    assert not missing, "give them references"


def close(got, want, eps=16):
    """Equal NaN, infinities and zeros; finite numbers to some eps, relative to the largest."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want)
        return
    np.testing.assert_allclose(got, want, rtol=eps * np.finfo(got.dtype).eps, atol=0, equal_nan=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("name", REFERENCES)
def test_along_an_axis(name, dtype):
    f, reference, x = getattr(tn, name), REFERENCES[name], rows(dtype)
    want = np.asarray(reference(x, axis=1))
    if name in ("var", "std", "mean", "ptp", "nanvar", "nanstd", "nanmean"):
        # Sums of the largest numbers overflow in an order of their own.
        keep = ~np.any(np.abs(x) == np.abs(x[9, 0]), axis=1)
        x, want = x[keep], want[keep]
    close(f(x, axis=1), want)
    close(f(np.asfortranarray(x), axis=-1), want)
    moved = np.moveaxis(want, 1, 0) if want.ndim == 2 else want
    close(f(x.T, axis=0), moved)
    close(f(np.ascontiguousarray(x.T), axis=0), moved)
    close(f(np.repeat(x, 2, axis=1)[:, ::2], axis=1), want)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("length", [1, 7, 300, 4099, 9000])
@pytest.mark.parametrize("special", [NAN, INF, -INF, "both"])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "argmax", "argmin", "mean", "logsumexp", "cummax", "sort", "argsort", "any"])
def test_one_special_value_in_a_long_axis(name, special, length):
    """A NaN or an infinity at any place of vectors, blocks and tails is seen."""
    x = np.cos(np.arange(float(length)))
    if name == "prod":
        # Partial products stay finite.
        x = np.exp2(x) * np.sign(x)
    for place in {0, length // 3, length - 1}:
        y = x.copy()
        y[place] = INF if special == "both" else special
        if special == "both":
            y[place // 2] = -INF if place else INF
        close(getattr(tn, name)(y), np.asarray(REFERENCES[name](y, axis=0)), eps=4 * length)


def test_zeros_keep_their_sign_in_sums():
    """−0 is the neutral number of addition; NumPy starts at +0."""
    for f in (tn.sum, tn.mean, tn.median):
        assert math.copysign(1, f(np.array([-0.0] * 5)).item()) == -1
        assert math.copysign(1, f(np.array([-0.0, 0.0])).item()) == 1
    assert math.copysign(1, tn.sum(np.zeros(0)).item()) == 1
    assert np.signbit(np.asarray(tn.cumsum(np.array([-0.0, -0.0, 0.0])))).tolist() == [True, True, False]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0, 3)])
@pytest.mark.parametrize("name", REFERENCES)
def test_empty(name, shape):
    x, axis, f = np.zeros(shape), shape.index(0), getattr(tn, name)
    if name in ("max", "min", "argmax", "argmin", "ptp", "nanmax", "nanmin", "nanmedian"):
        for call in (lambda: f(x, axis=axis), lambda: f(x)):
            with pytest.raises(ValueError, match="no elements"):
                call()
        return
    if name == "logsumexp":
        want = np.full(shape[:axis] + shape[axis + 1 :], -INF)
    elif name in ("softmax", "log_softmax", "cummax", "cummin", "cumlogsumexp"):
        want = x
    else:
        want = np.asarray(REFERENCES[name](x, axis=axis))
    close(f(x, axis=axis), want)
    if want.ndim < x.ndim:
        close(f(x), np.asarray(REFERENCES[name](x, axis=None) if name != "logsumexp" else np.float64(-INF)))


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
@pytest.mark.parametrize("name", ["sum", "prod", "cumsum", "cumprod", "max", "min", "ptp", "argmax", "argmin", "sort", "count_nonzero"])
def test_integers_wrap_as_in_numpy(name, dtype):
    x = integers(dtype)
    if name == "ptp" and dtype == "bool":
        return
    for a in (x, np.repeat(x[-1:], 300), np.stack([x, x[::-1]])):
        close(getattr(tn, name)(a, axis=-1), np.asarray(REFERENCES[name](a, axis=-1)))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_means_of_large_integers(dtype):
    x = np.full(1000, np.iinfo(dtype).max, dtype)
    close(tn.mean(x), np.asarray(np.mean(x)))
    close(tn.var(x[:1]), np.asarray(0.0))
    close(tn.median(x), np.asarray(np.float64(np.iinfo(dtype).max)))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sums_are_accurate(dtype, rng):
    """Pairwise: the error grows with the logarithm of the length."""
    x = (rng.standard_normal(100_000) * 10.0 ** rng.integers(-3, 4, 100_000)).astype(dtype)
    bound = 8 * np.finfo(dtype).eps * math.fsum(np.abs(x.astype("float64")))
    assert abs(float(tn.sum(x)) - math.fsum(x.astype("float64"))) < bound
    steps = np.asarray(tn.cumsum(x)).astype("float64")
    assert abs(steps[-1] - math.fsum(x.astype("float64"))) < 300 * bound


SPECIAL_ORDER = np.array([3, NAN, -INF, INF, 1, NAN, -0.0, 0.0, 3])


def test_order_of_nan_infinities_and_zeros():
    """NaN last, also in descending order; −0 and +0 are equal and keep their places."""
    x = SPECIAL_ORDER
    close(tn.sort(x, descending=True), np.array([INF, 3, 3, 1, -0.0, 0.0, -INF, NAN, NAN]))
    assert tn.argsort(x, descending=True).tolist() == [3, 0, 8, 4, 6, 7, 2, 1, 5]
    assert np.signbit(np.asarray(tn.sort(x)))[1:3].tolist() == [True, False]
    values, places = tn.top_k(x, 4)
    close(values, np.array([INF, 3, 3, 1]))
    assert places.tolist() == [3, 0, 8, 4]
    sorted_x = np.sort(x)
    for side in ("left", "right"):
        close(tn.searchsorted(sorted_x, x, side=side), np.searchsorted(sorted_x, x, side=side))
    for name in ("argmax", "argmin"):
        assert getattr(tn, name)(np.array([1.0, NAN, NAN])).item() == 1
    many = np.resize(x, 1003)
    close(tn.sort(many), np.sort(many))
    close(tn.argsort(many), np.argsort(many, stable=True))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_order_of_complex_numbers(dtype):
    """By real, then imaginary part, those with a NaN last, as NumPy."""
    z = complexes(dtype)[::3]
    close(tn.sort(z), np.sort(z, stable=True))
    close(tn.argsort(z), np.argsort(z, stable=True))


def test_unique_tells_nans_apart():
    """As the array API; NumPy's `unique` has one NaN."""
    close(tn.unique_values(SPECIAL_ORDER), np.array([-INF, -0.0, 1, 3, INF, NAN, NAN]))


def cast_reference(x, dtype):
    """NumPy's cast where C defines it; beyond the range of an integer its ends, and 0 for NaN."""
    if x.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
        x = x.real
    if x.dtype.kind == "f" and np.dtype(dtype).kind in "iu":
        i = np.iinfo(dtype)
        whole = [0 if math.isnan(v) else i.max if v >= i.max else i.min if v <= i.min else int(v) for v in x.tolist()]
        return np.array(whole, dtype)
    with np.errstate(all="ignore"):
        return x.astype(dtype)


@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize("source", ALL)
def test_casts(source, target):
    x = points(source)
    want = cast_reference(x, target)
    for places in (np.arange(x.size), np.arange(700) % x.size):
        got = np.asarray(tn.astype(x[places], target))
        assert got.dtype == target
        wrong = misfit(got, want[places], 0)
        assert not np.any(wrong), report(wrong, [x[places]], got, want[places])


@pytest.mark.parametrize("dtype", REAL)
def test_casts_near_the_ends_of_integers(dtype):
    ends = np.array([v for n in (7, 8, 15, 16, 31, 32, 63, 64) for v in (2.0**n, -(2.0**n))], dtype)
    x = np.concatenate([ends, np.nextafter(ends, np.array(0, dtype)), np.nextafter(ends, np.array(INF, dtype)), ends + 1, ends - 1])
    for target in INTEGERS:
        np.testing.assert_array_equal(np.asarray(tn.astype(x, target)), cast_reference(x, target))


@pytest.mark.parametrize("dtype", REAL)
def test_parts_and_casts_keep_signs(dtype):
    x = reals(dtype)
    z = np.asarray(tn.complex(x, -x))
    assert not np.any(misfit(z, joined(x, -x), 0))
    assert not np.any(misfit(np.asarray(tn.astype(x, z.dtype)), joined(x, np.zeros_like(x)), 0))


@pytest.mark.parametrize("name", POSITIONS_BESIDE_NAN)
def test_positions_beside_nan(name):
    f, x = getattr(tn, name), rows("float64")
    answered = x[~np.all(np.isnan(x), axis=1)]
    close(f(answered, axis=1), POSITIONS_BESIDE_NAN[name](answered, axis=1))
    close(f(answered), np.asarray(POSITIONS_BESIDE_NAN[name](answered)))
    with pytest.raises(ValueError, match=name):
        f(x, axis=1)
