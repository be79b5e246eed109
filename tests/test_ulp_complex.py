"""Complex functions: 4 eps of the modulus, over random bit patterns of both parts."""

import mpmath as mp
import numpy as np
import pytest
import vmath_reference
from special_values import joined
from test_ulp import EXTENDED, band, evaluate, random_bits
from vmath_reference import COMPLEX, rounded

import tenferro_py as tn

COUNT = 10_000
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
# Those which NumPy has in extended precision, accurate.
WIDE = ["exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", *NUMPY]
# Those of which NumPy loses digits: mpmath only.
OTHERS = ["exp2", "expm1", "log1p", "log2", "log10", "reciprocal"]
# exp x and its like, real or imaginary part of the argument first.
STRIPS = {"exp": 0, "sinh": 0, "cosh": 0, "expm1": 0, "exp2": 0, "sin": 1, "cos": 1}


def points(name, dtype, count):
    """Half of the parts uniform over all bits, half between 2⁻³⁰ and 100; no overflow, no phase without digits."""
    rng = np.random.default_rng(12)
    part = np.finfo(dtype).dtype
    n = count // 2
    anywhere = [random_bits(rng, part, 2 * n)[:n] for _ in range(2)]
    z = joined(*(np.concatenate([a, band(rng, part, n, 2.0**-30, 100.0)]) for a in anywhere))
    if name in STRIPS:
        size, angle = (z.real, z.imag) if STRIPS[name] == 0 else (z.imag, z.real)
        top = np.log(np.finfo(part).max) - 2
        z = z[(np.abs(size) < top) & ((name != "exp2") | (np.abs(angle) < 1e9))]
    return z[(z.real != 0) & (z.imag != 0)]


def distances(got, want):
    """|got − want| in eps of |want|, where that is a normal number of the dtype; subnormals count from the smallest."""
    f = np.finfo(got.dtype)
    wide = want.astype(np.clongdouble)
    with np.errstate(all="ignore"):
        size = np.abs(wide)
        d = np.abs(got.astype(np.clongdouble) - wide) / (f.eps * np.maximum(size, f.tiny))
    fits = np.maximum(np.abs(wide.real), np.abs(wide.imag)) < f.max * 0.999
    return np.where(fits, d, 0).astype("float64")


def by_mpmath(name, z):
    function = COMPLEX["cdiv" if name == "reciprocal" else f"c{name}"][1]
    with mp.workprec(2400):
        parts = [mp.mpf(float(z.real)), mp.mpf(float(z.imag))]
        return function(mp.mpf(1), mp.mpf(0), *parts) if name == "reciprocal" else function(*parts)


def check_by_mpmath(name, z, got, eps=4):
    f = np.finfo(got.dtype)
    for x, y in zip(z, got, strict=True):
        with mp.workprec(2400):
            want = mp.mpc(*by_mpmath(name, x))
            if max(abs(rounded(want.real)), abs(rounded(want.imag))) > f.max * 0.999:
                continue
            error = abs(mp.mpc(float(y.real), float(y.imag)) - want) / max(abs(want), mp.mpf(float(f.tiny)))
        assert error <= eps * f.eps, f"{name}({x}): {y}, {float(error / f.eps):.2f} eps"


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", WIDE)
def test_against_higher_precision(name, dtype):
    if dtype == "complex128" and not EXTENDED:
        pytest.skip("this machine's long double is double")
    z = points(name, dtype, COUNT)
    got = np.asarray(getattr(tn, name)(z))
    assert got.dtype == dtype
    want = evaluate(getattr(np, NUMPY.get(name, name)), z.astype("complex128" if dtype == "complex64" else np.clongdouble))
    d = distances(got, want)
    worst = np.nanargmax(np.where(np.isnan(d), np.inf, d))
    # What is further off must be NumPy's error.
    check_by_mpmath(name, z[[worst, 0, 1]], got[[worst, 0, 1]])
    check_by_mpmath(name, z[d > 4], got[d > 4])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", OTHERS)
def test_against_mpmath(name, dtype):
    z = points(name, dtype, 240)
    check_by_mpmath(name, z, np.asarray(getattr(tn, name)(z)))


@pytest.mark.skipif(not EXTENDED, reason="this machine's long double is double")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_products_and_quotients(dtype):
    """Quotients of all sizes; products where no part overflows."""
    x, y = points("", dtype, COUNT), points("", dtype, COUNT)[::-1]
    got = np.asarray(tn.divide(x, y))
    a, b = x.astype(np.clongdouble), y.astype(np.clongdouble)
    with np.errstate(all="ignore"):
        assert np.max(distances(got, a / b)) <= 4
        product = a * b
        fits = (np.abs(product) < np.finfo(dtype).max / 4) & (np.abs(product) > np.finfo(dtype).tiny * 4)
        assert np.max(distances(np.asarray(tn.multiply(x, y)), product)[fits]) <= 4


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_powers(dtype):
    """Where the exponent of e stays below 80, and small whole powers."""
    rng = np.random.default_rng(13)
    part = np.finfo(dtype).dtype
    x, y = (joined(*(band(rng, part, 140, 2.0**-6, 8.0) for _ in range(2))) for _ in range(2))
    whole = joined(rng.integers(-6, 7, 140).astype(part), np.zeros(140, part))
    y = np.where(np.arange(140) % 4 == 0, whole, y)
    exponent = y.astype("complex128") * np.log(x.astype("complex128"))
    keep = (np.abs(exponent.real) < 80) & (y != 0)
    x, y = x[keep], y[keep]
    for a, b, got in zip(x, y, np.asarray(tn.pow(x, y)), strict=True):
        want = mp.mpc(*vmath_reference.cpow(*(mp.mpf(float(v)) for v in (a.real, a.imag, b.real, b.imag))))
        error = abs(mp.mpc(float(got.real), float(got.imag)) - want) / abs(want)
        assert error <= 4 * np.finfo(dtype).eps, f"{a} ** {b}: {got}, {float(error / np.finfo(dtype).eps):.1f} eps"
