"""What every elementwise function of tn must give, for `test_special_values.py`.

`UNARY` and `BINARY` hold a reference for each. `kinds` are the dtype kinds that the function takes (b bool, i signed and
u unsigned integers, f real, c complex); it must refuse the others. Where tn does not do as NumPy or SciPy,
`DIFFERENCES` says where, what it gives instead, and why.
"""

import math
from dataclasses import dataclass
from functools import partial

import mpmath as mp
import numpy as np
import scipy.special as sp
import vmath_reference
from special_values import joined
from vmath_reference import COMPLEX, rounded


def by_mpmath(name, numpy_function, *args):
    """NumPy's or SciPy's values, the finite ones but 0 replaced by mpmath's, correctly rounded."""
    out = numpy_function(*args)
    exact = vmath_reference.REAL[name][1]
    finite = np.logical_and.reduce([np.isfinite(a) for a in (*args, out)])
    for i in np.flatnonzero(finite & (out != 0)):
        out[i] = rounded(exact(*(float(a[i]) for a in args)))
    return out


def mpmath_plane(name, numpy_function, z):
    """Of finite complex numbers mpmath's values, which know no signed zero, else NumPy's.

    All three functions are real on the real axis (log1p on its right half) and take the sign of the imaginary part there.
    """
    out = numpy_function(z)
    if z.dtype.kind == "c":
        for i in np.flatnonzero(np.isfinite(z) & (z != -1) & ((z.real < 2000) | (name == "clog1p"))):
            with mp.workprec(2400 if abs(z[i]) > 1e20 or 0 < abs(z[i]) < 1e-20 else 300):
                re, im = COMPLEX[name][1](mp.mpf(float(z.real[i])), mp.mpf(float(z.imag[i])))
            out.real[i] = rounded(re) if re else 0.0 if z.real[i] else z.real[i]
            out.imag[i] = rounded(im) if im and z.imag[i] else math.copysign(rounded(im), z.imag[i])
    return out


def odd(function):
    """SciPy loses the sign of zero in some odd functions."""
    return lambda x: np.copysign(function(x), x)


def product(x, y):
    """The textbook formula, without fused multiply-add, which NumPy may use."""
    if x.dtype.kind != "c":
        return x * y
    return joined(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def quotient(x, y):
    """The textbook formula in extended precision, and C99's infinities and zeros where it gives NaN twice (G.5.1)."""
    if x.dtype.kind != "c":
        return x / y
    a, b, c, d = (v.astype(np.longdouble) for v in (x.real, x.imag, y.real, y.imag))

    def box(v):
        return np.copysign(np.where(np.isinf(v), 1.0, 0.0), v)

    def formula(a, b, c, d, factor=None):
        re, im = a * c + b * d, b * c - a * d
        return (re / (c * c + d * d), im / (c * c + d * d)) if factor is None else (factor * re, factor * im)

    re, im = formula(a, b, c, d)
    lost = np.isnan(re) & np.isnan(im)
    infinity = np.copysign(np.longdouble(np.inf), c)
    rules = (
        (lost & (c == 0) & (d == 0) & ~(np.isnan(a) & np.isnan(b)), (infinity * a, infinity * b)),
        (lost & (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d), formula(box(a), box(b), c, d, np.inf)),
        (lost & (np.isinf(c) | np.isinf(d)) & np.isfinite(a) & np.isfinite(b), formula(a, b, box(c), box(d), 0.0)),
    )
    for where, value in rules[::-1]:
        re, im = np.where(where, value[0], re), np.where(where, value[1], im)
    own = x.real.dtype
    return joined(re.astype(own), im.astype(own))


def xlogy(x, y):
    if x.dtype.kind != "c":
        return sp.xlogy(x, y)
    return np.where((x == 0) & ~np.isnan(y), 0, product(x, np.log(y)))


def silu(x):
    """In extended precision: subnormal results keep their bits."""
    wide = x.astype(np.longdouble)
    return (wide / (1 + np.exp(-wide))).astype(x.dtype)


def gelu(x):
    """x Φ(x) = x erfc(−x/√2)/2."""
    out = x * sp.ndtr(x)
    for i in np.flatnonzero((np.abs(x) < 60) & (x != 0)):
        with mp.workprec(300):
            v = mp.mpf(float(x[i]))
            out[i] = rounded(v * mp.erfc(-v / mp.sqrt(2)) / 2)
    return out


def gelu_by_tanh(x):
    """In extended precision, its tail by tanh's exponential form."""
    wide = x.astype(np.longdouble)
    u = np.sqrt(2 / np.longdouble(np.pi)) * (wide + np.longdouble(0.044715) * wide**3)
    return (wide / (1 + np.exp(-2 * u))).astype(x.dtype)


def sinc(x):
    """By mpmath where x is finite, and so is πx not always."""
    out = np.sinc(x)
    for i in np.flatnonzero(np.isfinite(x) & (x != 0)):
        with mp.workprec(2400):
            v = mp.sincpi(mp.mpmathify(x[i].item()))
            out[i] = complex(rounded(v.real), rounded(v.imag)) if x.dtype.kind == "c" else rounded(v)
    return out


def extended(function):
    """In extended precision, rounded."""
    return lambda *args: function(*(a.astype(np.longdouble) for a in args)).astype(np.result_type(*args))


def floats_or_same(function):
    """Of integers the identity."""
    return lambda x: function(x) if x.dtype.kind == "f" else x


def integer_power(x, y):
    """Wrapping; the integer part of a negative power, 0 for 0."""
    bits = 8 * x.dtype.itemsize
    out = [pow(int(a), int(b), 2**bits) if b >= 0 else (abs(int(a)) == 1) * int(a) ** (int(b) % 2) for a, b in zip(x, y, strict=True)]
    return np.array([v % 2**bits for v in out], f"uint{bits}").view(x.dtype)


def exponent(x, y):
    """y log x, in double precision."""
    return y.astype("complex128") * np.log(x.astype("complex128"))


def is_moderate(x, y):
    """Where a complex power is finite and its angle has digits."""
    e = exponent(x, y)
    return np.isfinite(x) & np.isfinite(y) & (x != 0) & (np.abs(e.real) < 80) & (np.abs(e.imag) < 1e6)


def power(x, y):
    if x.dtype.kind in "iu":
        return integer_power(x, y)
    out = np.power(x, y)
    if x.dtype.kind == "c":
        for i in np.flatnonzero(is_moderate(x, y)):
            with mp.workprec(300):
                # mpmath has no signed zero: below the cut is the conjugate of above.
                log = mp.log(mp.mpmathify(complex(x[i])))
                v = mp.exp(mp.mpmathify(complex(y[i])) * (mp.conj(log) if x.imag[i] == 0 and np.signbit(x.imag[i]) else log))
                out[i] = complex(rounded(v.real), rounded(v.imag))
        out[y == 0] = 1
        zero = (x == 0) & (y != 0)
        out[zero] = np.where(y.real[zero] > 0, 0, complex(np.nan, np.nan))
    return out


@dataclass(frozen=True)
class Reference:
    """`wide`: single precision is compared with the rounded value of the double function; integers become floats.
    `own`: the reference is given the arrays as they are. `floats`: as they are, but integers become floats.
    """

    function: object
    kinds: str = "biufc"
    ulps: float = 4
    mode: str = "wide"
    # Whether signs of zeros in complex results are compared.
    zeros: bool = True
    # An error allowed beside the ulps.
    absolute: float = 0.0


own = partial(Reference, mode="own", ulps=0)
floats = partial(Reference, mode="floats", ulps=0)
real = partial(Reference, kinds="biuf")

UNARY = {
    "abs": own(np.abs, ulps=1),
    "acos": Reference(np.arccos),
    "acosh": Reference(np.arccosh),
    "angle": Reference(np.angle),
    "asin": Reference(np.arcsin),
    "asinh": Reference(np.arcsinh),
    "atan": Reference(np.arctan),
    "atanh": Reference(np.arctanh),
    "bitwise_invert": own(np.invert, "biu"),
    "cbrt": real(np.cbrt),
    "ceil": own(np.ceil, "biuf"),
    "conj": own(lambda x: np.conj(x) if x.dtype.kind == "c" else x),
    "cos": Reference(np.cos),
    "cosh": Reference(np.cosh),
    "deg2rad": real(np.deg2rad),
    "digamma": real(partial(by_mpmath, "digamma", sp.psi), absolute=1e-14),
    "erf": real(partial(by_mpmath, "erf", sp.erf), ulps=1),
    "erfc": real(partial(by_mpmath, "erfc", sp.erfc), ulps=2),
    "erfinv": real(odd(partial(by_mpmath, "erfinv", sp.erfinv))),
    "exp": Reference(np.exp),
    "exp2": Reference(partial(mpmath_plane, "cexp2", np.exp2)),
    "expm1": Reference(partial(mpmath_plane, "cexpm1", np.expm1)),
    "floor": own(np.floor, "biuf"),
    "gelu": real(gelu_by_tanh, ulps=16),
    "i0e": real(partial(by_mpmath, "i0e", sp.i0e)),
    "i1e": real(odd(partial(by_mpmath, "i1e", sp.i1e))),
    "imag": own(np.imag),
    "iscomplex": own(np.iscomplex),
    "isfinite": own(np.isfinite),
    "isinf": own(np.isinf),
    "isnan": own(np.isnan),
    "isneginf": own(np.isneginf, "biuf"),
    "isposinf": own(np.isposinf, "biuf"),
    "isreal": own(np.isreal),
    "lgamma": real(partial(by_mpmath, "lgamma", sp.gammaln), absolute=1e-14),
    "log": Reference(np.log),
    "log10": Reference(np.log10),
    "log1p": Reference(partial(mpmath_plane, "clog1p", np.log1p)),
    "log2": Reference(np.log2),
    "log_sigmoid": real(sp.log_expit),
    "logical_not": own(np.logical_not),
    "nan_to_num": own(np.nan_to_num),
    "negative": own(np.negative, "iufc"),
    "positive": own(np.positive, "iufc"),
    "rad2deg": real(np.rad2deg),
    "real": own(np.real),
    "reciprocal": floats(lambda x: quotient(np.ones_like(x), x), ulps=4, zeros=False),
    "relu": own(lambda x: np.maximum(x, x.dtype.type(0)), "biuf"),
    "rint": own(floats_or_same(np.rint), "biuf"),
    "round": own(lambda x: x if x.dtype == bool else np.round(x)),
    "rsqrt": Reference(lambda x: quotient(np.ones_like(x), np.sqrt(x)), zeros=False),
    "sigmoid": real(sp.expit),
    "sign": own(np.sign, "iufc", ulps=4, zeros=False),
    "signbit": own(np.signbit, "biuf"),
    "silu": real(silu),
    "sin": Reference(np.sin),
    "sinc": Reference(sinc, absolute=1e-15, zeros=False),
    "sinh": Reference(np.sinh),
    "softplus": real(lambda x: np.logaddexp(x, x.dtype.type(0))),
    "sqrt": Reference(np.sqrt),
    "square": own(lambda x: product(x, x)),
    "stop_gradient": own(np.array),
    "tan": Reference(np.tan),
    "tanh": Reference(np.tanh),
    "trunc": own(np.trunc, "biuf"),
}

BINARY = {
    "add": own(np.add),
    "atan2": real(np.arctan2, ulps=2),
    "bitwise_and": own(np.bitwise_and, "biu"),
    "bitwise_left_shift": own(np.left_shift, "biu"),
    "bitwise_or": own(np.bitwise_or, "biu"),
    "bitwise_right_shift": own(np.right_shift, "biu"),
    "bitwise_xor": own(np.bitwise_xor, "biu"),
    "complex": floats(joined, "biuf"),
    "copysign": floats(np.copysign, "biuf"),
    "divide": own(quotient, ulps=4, zeros=False),
    "equal": own(np.equal),
    "floor_divide": own(np.floor_divide, "biuf", ulps=1),
    "fmax": own(np.fmax, "biuf"),
    "fmin": own(np.fmin, "biuf"),
    "fmod": own(np.fmod, "biuf"),
    "greater": own(np.greater, "biuf"),
    "greater_equal": own(np.greater_equal, "biuf"),
    "heaviside": floats(np.heaviside, "biuf"),
    "hypot": real(np.hypot, ulps=1),
    "isclose": own(np.isclose),
    "less": own(np.less, "biuf"),
    "less_equal": own(np.less_equal, "biuf"),
    "logaddexp": real(extended(np.logaddexp), ulps=2, absolute=2.0**-58),
    "logical_and": own(np.logical_and),
    "logical_or": own(np.logical_or),
    "logical_xor": own(np.logical_xor),
    "maximum": own(np.maximum, "biuf"),
    "minimum": own(np.minimum, "biuf"),
    "multiply": own(product),
    "nextafter": floats(np.nextafter, "biuf"),
    "not_equal": own(np.not_equal),
    "pow": own(power, ulps=4, zeros=False),
    "remainder": own(np.remainder, "biuf"),
    "subtract": own(np.subtract, "iufc"),
    "xlogy": floats(xlogy, ulps=8, zeros=False),
}


@dataclass(frozen=True)
class Difference:
    """Where `where(*arguments)` holds, tn gives `value(*arguments)`, or what `accept(arguments, want, got)` takes,
    or the sign of a `part` is free.
    """

    name: str
    kinds: str
    where: object
    why: str
    value: object = None
    accept: object = None
    part: str = ""


ANNEX_G = "C99 Annex G leaves this sign open; tn keeps the symmetries of the function, NumPy asks the C library"
STANDARD = "the array API's special values of a complex expm1; NumPy multiplies out"


def within(bound):
    return lambda arguments, want, got: np.abs(got - want) <= bound(*arguments)


def same_modulus(arguments, want, got):
    a, b = np.abs(got), np.abs(want)
    return (a == b) | (np.abs(a - b) <= 4 * np.spacing(b))


def no_nan(arguments, want, got):
    return ~np.isnan(got)


def fits_exponent(arguments, want, got):
    """0, infinite or between as the real part of the exponent says, and no NaN unless the angle is infinite."""
    e = exponent(*arguments)
    end = 800 if got.dtype == "complex128" else 120
    size = np.where(e.real > end, np.isinf(got), np.where(e.real < -end, got == 0, True))
    return size & ~np.isnan(got) | ~np.isfinite(e)


DIFFERENCES = [
    Difference("sign", "f", lambda x: x == 0, "as jax.numpy: −0 has the sign −0; NumPy gives +0", lambda x: x),
    Difference(
        "gelu",
        "f",
        lambda x: (x < -3) & (x > -60),
        "x eᵘ with a rounded u in the tail",
        accept=lambda arguments, want, got: np.abs(got - want) <= (16 + np.abs(arguments[0]) ** 3 / 12) * np.spacing(np.abs(want)),
    ),
    Difference("lgamma", "f", lambda x: x == -np.inf, "C99 F.9.5.3: lgamma(−∞) = +∞; SciPy gives −∞", lambda x: -x),
    Difference(
        "lgamma",
        "f",
        lambda x: (np.abs(x) < 1e-300) & (x != 0),
        "−log|x| to the last bit, where SciPy overflows",
        lambda x: -np.log(np.abs(np.where(x == 0, 1, x))),
    ),
    Difference(
        "silu",
        "f",
        lambda x: x < -80,
        "x times a subnormal sigmoid",
        accept=within(lambda x: np.abs(x) * np.finfo(x.dtype).smallest_subnormal),
    ),
    Difference(
        "exp2",
        "c",
        lambda z: np.isfinite(z.imag) & ~np.isnan(z.real) & (np.abs(z.imag) > 1e14),
        "the phase y log 2 has no digits left after the point; the modulus is right",
        accept=same_modulus,
    ),
    Difference("expm1", "c", lambda z: (z.real > 2000) & (z.imag == 0), STANDARD, lambda z: joined(np.full_like(z.real, np.inf), z.imag)),
    Difference("expm1", "c", lambda z: np.isposinf(z.real) & ~np.isfinite(z.imag), STANDARD, lambda z: joined(z.real, z.real * np.nan)),
    Difference(
        "expm1",
        "c",
        lambda z: np.isneginf(z.real) & ~np.isfinite(z.imag),
        STANDARD,
        lambda z: joined(-np.ones_like(z.real), np.copysign(np.zeros_like(z.imag), z.imag)),
    ),
    Difference("expm1", "c", lambda z: np.isnan(z.real) & (z.imag == 0), STANDARD, lambda z: z),
    Difference("asin", "c", lambda z: np.isinf(z.real) & np.isnan(z.imag), ANNEX_G, part="imag"),
    Difference("asinh", "c", lambda z: np.isnan(z.real) & np.isinf(z.imag), ANNEX_G, part="real"),
    Difference("sin", "c", lambda z: ~np.isfinite(z.real) & np.isinf(z.imag), ANNEX_G, part="imag"),
    Difference("cos", "c", lambda z: ~np.isfinite(z.real) & (z.imag == 0), ANNEX_G, part="imag"),
    Difference("cosh", "c", lambda z: (z.real == 0) & ~np.isfinite(z.imag), ANNEX_G, part="imag"),
    Difference("sinh", "c", lambda z: np.isinf(z.real) & ~np.isfinite(z.imag), ANNEX_G, part="real"),
    Difference("tan", "c", lambda z: np.isinf(z.real) & np.isinf(z.imag), ANNEX_G, part="real"),
    Difference("tanh", "c", lambda z: np.isinf(z.real) & np.isinf(z.imag), ANNEX_G, part="imag"),
    Difference("expm1", "c", lambda z: (z.real == 0) & (np.abs(z.imag) < 1e-150), "the sign of an underflowed cos y − 1", part="real"),
    Difference(
        "sinc",
        "c",
        lambda z: np.isfinite(z) & (np.abs(z) > 50) & (np.abs(z.imag) < 25),
        "πz loses the angle's digits, as in NumPy",
        accept=no_nan,
    ),
    Difference(
        "sinc",
        "c",
        lambda z: np.isfinite(z) & (np.abs(z) <= 50) & (np.abs(z.imag) > 1),
        "a rounded πy in the exponential",
        accept=lambda arguments, want, got: np.abs(got - want) <= 4 * np.pi * np.abs(arguments[0].imag) * np.spacing(np.abs(want)),
    ),
    Difference(
        "sinc",
        "c",
        lambda z: np.isfinite(z) & (np.abs(z.imag) > (250 if z.dtype == "complex128" else 30)),
        "infinite; the quotient of an infinity may have a NaN part, as in NumPy",
        accept=lambda arguments, want, got: ~np.isfinite(got),
    ),
    Difference(
        "divide",
        "c",
        lambda x, y: np.isinf(x) & np.isfinite(y),
        "C99 Annex G asks for an infinity, with either part",
        accept=lambda arguments, want, got: np.isinf(got),
    ),
    Difference(
        "pow",
        "c",
        lambda x, y: np.isfinite(x) & np.isfinite(y) & (x != 0) & ~is_moderate(x, y),
        "the angle's digits are lost, or the result is 0 or infinite",
        accept=fits_exponent,
    ),
    Difference(
        "pow",
        "c",
        lambda x, y: ~np.isfinite(x) | ~np.isfinite(y),
        "exp(y log x), whatever C99 and NumPy make of infinite powers",
        accept=lambda arguments, want, got: arguments[1] != 0,
    ),
    Difference("xlogy", "f", lambda x, y: x == 0, "0 has the sign of the product x log y; SciPy gives +0", part="real"),
]
