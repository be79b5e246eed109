"""Bounds on rounding errors over random bit patterns.

Double precision is compared with NumPy's extended precision, whose own error is about 1/1000 ulp, and with mpmath at
points drawn and at the worst found; single precision with double. Half of the patterns are uniform over the
representation, half over that of the interval where the function is neither trivial nor saturated.
"""

from dataclasses import dataclass

import mpmath as mp
import numpy as np
import pytest
import scipy.special as sp
import vmath_reference

import tenferro_py as tn

EXTENDED = np.finfo(np.longdouble).nmant >= 63
COUNT = 50_000


def random_bits(rng, dtype, count):
    """Finite numbers, uniform over all bit patterns."""
    bits = rng.integers(0, 2 ** (8 * np.dtype(dtype).itemsize), count, dtype=f"uint{8 * np.dtype(dtype).itemsize}")
    x = bits.view(dtype)
    return x[np.isfinite(x)]


def band(rng, dtype, count, low, high):
    """Uniform over the bit patterns between two positive numbers, of both signs."""
    ends = np.array([low, high], dtype).view(f"uint{8 * np.dtype(dtype).itemsize}")
    x = rng.integers(ends[0], ends[1], count, endpoint=True, dtype=ends.dtype).view(dtype)
    return np.where(rng.integers(0, 2, count) == 1, x, -x)


def errors(got, want):
    """|got − want| in ulps of `want` rounded to the dtype of `got`; 0 where both are infinite."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        unit = np.abs(np.spacing(np.where(np.isfinite(rounded), rounded, 0)))
        e = np.abs(got.astype(want.dtype) - want) / unit.astype(want.dtype)
        top = np.finfo(got.dtype).max
        beyond = np.where(np.isinf(got) & (np.abs(want) > top * (1 - 1e-7)), 0.0, e)
        return np.where((got == rounded) & ~np.isfinite(rounded), 0.0, np.where(np.isinf(got), beyond, e)).astype("float64")


def exact_error(name, got, *args):
    """The same by mpmath."""
    exact = vmath_reference.REAL[name][1](*(float(a) for a in args))
    rounded = vmath_reference.rounded(exact)
    if not np.isfinite(rounded) or not np.isfinite(got):
        return 0.0 if got == rounded else np.inf
    return float(abs(mp.mpf(float(got)) - exact) / np.spacing(abs(rounded)))


def rsqrt(x):
    return 1 / np.sqrt(x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.logaddexp(x, x.dtype.type(0))


def log_sigmoid(x):
    return -softplus(-x)


@dataclass(frozen=True)
class Bound:
    """ulps allowed of a function, and NumPy's or SciPy's function in higher precision.

    `low`, `high`: the interval of the second half of the patterns;
    `inside`: where the function is real and finite."""

    ulps: float
    function: object
    low: float = 2.0**-30
    high: float = 1e9
    inside: object = np.isfinite


def below(limit):
    return lambda x: np.abs(x) < limit


def between(low, high):
    return lambda x: (x > low) & (x < high)


positive = between(0, np.inf)

# Each function's bound is said where `vmath` lists it.
REAL = {
    "sin": Bound(1, np.sin),
    "cos": Bound(1, np.cos),
    "tan": Bound(1, np.tan),
    "exp": Bound(1, np.exp, high=745, inside=between(-745.2, 709.8)),
    "exp2": Bound(1, np.exp2, high=1075, inside=between(-1075, 1024)),
    "expm1": Bound(1, np.expm1, high=709, inside=between(-745, 709.8)),
    "log": Bound(1, np.log, low=0.25, high=4, inside=positive),
    "log2": Bound(1, np.log2, low=0.25, high=4, inside=positive),
    "log10": Bound(1, np.log10, low=0.25, high=4, inside=positive),
    "log1p": Bound(1, np.log1p, high=10, inside=between(-1, np.inf)),
    "sqrt": Bound(0.5, np.sqrt, low=0.5, high=4, inside=positive),
    "rsqrt": Bound(1, rsqrt, low=0.5, high=4, inside=positive),
    "cbrt": Bound(1, np.cbrt, low=0.5, high=8),
    "sinh": Bound(1, np.sinh, high=711, inside=below(711)),
    "cosh": Bound(1, np.cosh, high=711, inside=below(711)),
    "tanh": Bound(1, np.tanh, high=22, inside=below(400)),
    "asinh": Bound(1, np.arcsinh),
    "acosh": Bound(1, np.arccosh, low=1, high=100, inside=between(1, np.inf)),
    "atanh": Bound(1, np.arctanh, high=1, inside=below(1)),
    "asin": Bound(1, np.arcsin, high=1, inside=below(1)),
    "acos": Bound(1, np.arccos, high=1, inside=below(1)),
    "atan": Bound(1, np.arctan),
    "sigmoid": Bound(1, sigmoid, high=745, inside=between(-745, 800)),
    "softplus": Bound(1, softplus, high=745, inside=between(-745, 800)),
    "log_sigmoid": Bound(1, log_sigmoid, high=745, inside=between(-800, 745)),
}

# No extended precision: double is compared with mpmath at fewer points, single precision with SciPy.
SPECIAL = {
    "erf": Bound(1, sp.erf, high=6),
    "erfc": Bound(2, sp.erfc, high=27.2, inside=below(27.2)),
    "erfinv": Bound(4, sp.erfinv, high=1, inside=below(1)),
    "i0e": Bound(4, sp.i0e, high=1e3),
    "i1e": Bound(4, sp.i1e, high=1e3),
}
# An error of 1e-14 (1 + |result|): these have zeros that are no numbers of any format.
MIXED = {"lgamma": Bound(1e-14, sp.gammaln, high=200), "digamma": Bound(1e-14, sp.psi, high=200)}


def patterns(dtype, bound, count=COUNT):
    rng = np.random.default_rng(7)
    x = np.concatenate([random_bits(rng, dtype, count), band(rng, dtype, count, bound.low, bound.high)])
    return x[bound.inside(x)]


def evaluate(function, *args):
    with np.errstate(all="ignore"):
        return function(*args)


needs_extended = pytest.mark.skipif(not EXTENDED, reason="this machine's long double is double")


def check_against_extended(name, bound, *args):
    """And the worst points, with others, by mpmath."""
    got = np.asarray(getattr(tn, name)(*args))
    e = errors(got, evaluate(bound.function, *(a.astype(np.longdouble) for a in args)))
    worst = np.argmax(e)
    assert e[worst] <= bound.ulps + 2e-3, f"{name}{tuple(a[worst] for a in args)}: {got[worst]}, {e[worst]:.3f} ulp"
    check_against_mpmath(name, bound.ulps, got, *args, at=[worst, *range(0, got.size, got.size // 6)])


def check_against_mpmath(name, ulps, got, *args, at):
    for i in at:
        point = [a[i] for a in args]
        assert exact_error(name, got[i], *point) <= ulps, f"{name}{tuple(point)}: {got[i]}"


def test_the_measure_sees_one_ulp():
    x = patterns("float64", Bound(1, np.exp), 1000)
    x = x[(np.abs(x) < 1e300) & (np.abs(x) > 1e-300)]
    wide = x.astype(np.longdouble)
    assert np.max(errors(x, wide)) == 0
    assert np.min(errors(np.nextafter(x, np.inf), wide)) >= 0.5
    assert np.isinf(errors(np.array([np.inf]), wide[:1])[0])
    assert np.isnan(errors(np.array([np.nan]), wide[:1])[0])
    assert exact_error("sin", np.nextafter(np.sin(1.0), 2), 1.0) > 0.5


@needs_extended
@pytest.mark.parametrize("name", REAL)
def test_double(name):
    bound = REAL[name]
    x = patterns("float64", bound)
    if name == "sqrt":
        np.testing.assert_array_equal(np.asarray(tn.sqrt(x)), np.sqrt(x))
    else:
        check_against_extended(name, bound, x)


@pytest.mark.parametrize("name", {**REAL, **SPECIAL})
def test_single(name):
    bound = {**REAL, **SPECIAL}[name]
    x = patterns("float32", bound)
    got = np.asarray(getattr(tn, name)(x))
    e = errors(got, evaluate(bound.function, x.astype("float64")))
    worst = np.argmax(e)
    assert e[worst] <= bound.ulps, f"{name}({x[worst]}): {got[worst]}, {e[worst]:.3f} ulp"


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions_in_double(name):
    bound = SPECIAL[name]
    x = patterns("float64", bound, 150)
    check_against_mpmath(name, bound.ulps, np.asarray(getattr(tn, name)(x)), x, at=range(x.size))


@pytest.mark.parametrize("name", MIXED)
def test_gamma_functions(name):
    bound = MIXED[name]
    x = patterns("float64", bound, 150)
    x = x[(np.abs(x) < 1e300) & ((x > 0) | (x != np.floor(x)))]
    got = np.asarray(getattr(tn, name)(x))
    for v, g in zip(x, got, strict=True):
        exact = vmath_reference.REAL[name][1](float(v))
        assert abs(mp.mpf(float(g)) - exact) <= bound.ulps * (1 + abs(exact)), f"{name}({v}): {g}"
    single = patterns("float32", bound)
    single = single[(single > 0) | (single != np.floor(single))]
    want = evaluate(bound.function, single.astype("float64"))
    got = np.asarray(getattr(tn, name)(single)).astype("float64")
    fits = np.abs(want) < np.finfo("float32").max
    assert np.all(np.abs(got - want)[fits] <= 2.0**-23 * (1 + np.abs(want[fits])))


def neighbours(rng, dtype, count):
    """Pairs of numbers with about the same size, of all sizes."""
    a = random_bits(rng, dtype, count)
    with np.errstate(all="ignore"):
        b = (a * band(rng, dtype, a.size, 0.1, 10)).astype(dtype)
    return a[np.isfinite(b)], b[np.isfinite(b)]


def any_pairs(dtype):
    rng = np.random.default_rng(8)
    a, b = neighbours(rng, dtype, COUNT)
    x, y = random_bits(rng, dtype, COUNT), random_bits(rng, dtype, COUNT)
    n = min(x.size, y.size)
    return np.concatenate([a, x[:n]]), np.concatenate([b, y[:n]])


def power_pairs(dtype):
    """Bases of all sizes and next to 1, with exponents that keep the result finite."""
    rng = np.random.default_rng(9)
    x = np.abs(np.concatenate([random_bits(rng, dtype, COUNT), 1 + band(rng, dtype, COUNT, np.finfo(dtype).eps, 0.5)]))
    limit = np.log(float(np.finfo(dtype).max))
    y = band(rng, dtype, x.size, 2.0**-20, 1) * limit / np.log(x.astype("float64"))
    y = y.astype(dtype)
    keep = np.isfinite(y) & (x != 1) & (x != 0)
    return x[keep], y[keep]


def sums(dtype):
    rng = np.random.default_rng(10)
    a = np.concatenate([random_bits(rng, dtype, COUNT), band(rng, dtype, COUNT, 2.0**-20, 800)])
    with np.errstate(all="ignore"):
        b = a + band(rng, dtype, a.size, 2.0**-20, 50)
    return a[np.isfinite(b)], b[np.isfinite(b)]


TWO = {"hypot": (Bound(1, np.hypot), any_pairs), "atan2": (Bound(2, np.arctan2), any_pairs), "pow": (Bound(1, np.power), power_pairs)}


@needs_extended
@pytest.mark.parametrize("name", TWO)
def test_two_arguments_in_double(name):
    bound, pairs = TWO[name]
    check_against_extended(name, bound, *pairs("float64"))


@pytest.mark.parametrize("name", TWO)
def test_two_arguments_in_single(name):
    bound, pairs = TWO[name]
    x, y = pairs("float32")
    e = errors(np.asarray(getattr(tn, name)(x, y)), evaluate(bound.function, x.astype("float64"), y.astype("float64")))
    worst = np.argmax(e)
    assert e[worst] <= bound.ulps, (name, x[worst], y[worst], e[worst])


@needs_extended
def test_logaddexp():
    """2 ulp, but next to its zeros 2⁻⁵⁸ absolutely."""
    x, y = sums("float64")
    got = np.asarray(tn.logaddexp(x, y))
    want = np.logaddexp(x.astype(np.longdouble), y.astype(np.longdouble))
    near = np.abs(got - want) <= 2.0**-58
    e = np.where(near, 0, errors(got, want))
    worst = np.argmax(e)
    assert e[worst] <= 2.002, (x[worst], y[worst], e[worst])
    x, y = sums("float32")
    want = np.logaddexp(x.astype("float64"), y.astype("float64"))
    assert np.max(errors(np.asarray(tn.logaddexp(x, y)), want)) <= 2


EXACT = ["add", "subtract", "multiply", "divide", "fmod", "remainder", "maximum", "minimum", "fmax", "fmin", "copysign", "nextafter"]
EXACT += ["less", "less_equal", "equal"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_exactly_rounded(name, dtype):
    x, y = any_pairs(dtype)
    got, want = np.asarray(getattr(tn, name)(x, y)), evaluate(getattr(np, name), x, y)
    np.testing.assert_array_equal(got, want)
    if want.dtype != bool:
        numbers = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "square", "reciprocal", "abs", "negative", "sqrt"])
def test_exactly_rounded_of_one_argument(name, dtype):
    rng = np.random.default_rng(11)
    x = np.concatenate([random_bits(rng, dtype, COUNT), band(rng, dtype, COUNT, 0.1, 2.0**24)])
    got, want = np.asarray(getattr(tn, name)(x)), evaluate(getattr(np, name), x)
    np.testing.assert_array_equal(got, want)
    numbers = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))
