"""Rows of the op table: elementwise functions beyond those of the first programs."""

import numpy as np
import scipy.special as sp
from draws import INEXACT, INTEGERS, NUMBERS, REAL, Row, away_from_zero, distinct, numbers, shapes

import tenferro_py as tn

BITS = ("bool", *INTEGERS)


def within(low, high, *dims):
    """Uniform numbers between two bounds; complex ones with small imaginary parts."""

    def draw(rng, dtype):
        out = []
        for d in dims:
            x = rng.uniform(low, high, d)
            out.append(np.asarray(x + 0.3j * rng.standard_normal(d) if dtype.startswith("c") else x, dtype))
        return out

    return draw


def off_integers(*dims):
    """Numbers at least 0.2 from an integer, where steps and poles lie."""
    return lambda rng, dtype: [(rng.integers(-4, 5, d) + rng.uniform(0.2, 0.8, d)).astype(dtype) for d in dims]


def specials(rng, dtype):
    x = numbers(rng, dtype, (3, 4))
    if dtype.startswith(("f", "c")):
        x[0, :3] = np.nan, np.inf, -np.inf
        x[1, :2] = 0.0, -0.0
    return [x]


def unary(name, reference, draw, dtypes=INEXACT, order=2, eps=8):
    return Row(name, lambda x: getattr(tn, name)(x), reference, draw, dtypes, order, eps=eps)


def binary(name, reference, draw, dtypes=REAL, order=2, eps=8):
    return Row(name, lambda x, y: getattr(tn, name)(x, y), reference, draw, dtypes, order, eps=eps)


def small_shift(rng, dtype):
    x, y = numbers(rng, dtype, (3, 4)), rng.integers(0, 5, (3, 4)).astype(dtype)
    return [x.astype(dtype), y]


def nonzero_integers(rng, dtype):
    x, y = numbers(rng, dtype, (3, 4)), numbers(rng, dtype, (3, 4))
    return [x, np.where(y == 0, 3, y).astype(dtype)] if dtype not in REAL else [x, away_from_zero((3, 4))(rng, dtype)[0]]


def off_steps(rng, dtype):
    """Pairs whose quotient is not within 0.2 of an integer."""
    (q,) = off_integers((3, 4))(rng, dtype)
    (y,) = away_from_zero((3, 4))(rng, dtype)
    return [(q * y).astype(dtype), y]


def small_powers(rng, dtype):
    """Integers whose powers fit."""
    if dtype in INEXACT:
        return within(0.3, 2.0, (3, 4))(rng, dtype) + shapes((3, 4))(rng, dtype)
    x = rng.integers(-3, 4, (3, 4)) if np.dtype(dtype).kind == "i" else rng.integers(0, 4, (3, 4))
    return [x.astype(dtype), rng.integers(0, 4, (3, 4)).astype(dtype)]


def gelu(x):
    return x * sp.ndtr(x)


ELEMENTWISE = [
    unary("tan", np.tan, within(-1.2, 1.2, (3, 4)), eps=16),
    unary("asin", np.arcsin, within(-0.9, 0.9, (3, 4)), eps=16),
    unary("acos", np.arccos, within(-0.9, 0.9, (3, 4)), eps=16),
    unary("atan", np.arctan, within(-3, 3, (3, 4)), eps=16),
    unary("tanh", np.tanh, within(-2, 2, (3, 4)), eps=16),
    unary("asinh", np.arcsinh, within(-3, 3, (3, 4)), eps=16),
    unary("acosh", np.arccosh, within(1.2, 4, (3, 4)), eps=16),
    unary("atanh", np.arctanh, within(-0.9, 0.9, (3, 4)), eps=16),
    unary("exp2", np.exp2, shapes((3, 4)), REAL),
    unary("expm1", np.expm1, shapes((3, 4)), eps=16),
    unary("log1p", np.log1p, within(-0.7, 3, (3, 4)), eps=16),
    unary("log2", np.log2, within(0.3, 4, (3, 4)), eps=16),
    unary("log10", np.log10, within(0.3, 4, (3, 4)), eps=16),
    unary("cbrt", np.cbrt, away_from_zero((3, 4)), REAL),
    unary("rsqrt", lambda x: 1 / np.sqrt(x), within(0.3, 4, (3, 4)), eps=16),
    unary("reciprocal", np.reciprocal, away_from_zero((3, 4))),
    unary("sign", np.sign, away_from_zero((3, 4)), (*INTEGERS, *INEXACT)),
    unary("angle", np.angle, away_from_zero((3, 4)), INEXACT),
    Row("sign_real", lambda x: tn.sign(x), np.sign, specials, (*INTEGERS, *REAL), order=0),
    unary("rint", np.rint, off_integers((3, 4)), REAL, order=0),
    Row("bitwise_not", lambda x: ~x, np.invert, shapes((3, 4)), BITS, order=0),
    Row("polygamma", lambda x: tn.polygamma(1, x), lambda x: sp.polygamma(1, x).astype(x.dtype), within(0.3, 6, (3, 4)), REAL, eps=64),
    unary("positive", np.positive, shapes((3, 4)), NUMBERS),
    unary("erf", sp.erf, shapes((3, 4)), REAL),
    unary("erfc", sp.erfc, shapes((3, 4)), REAL, eps=16),
    unary("erfinv", sp.erfinv, within(-0.9, 0.9, (3, 4)), REAL, eps=32),
    unary("lgamma", sp.gammaln, within(0.3, 6, (3, 4)), REAL, eps=64),
    unary("digamma", sp.psi, within(0.3, 6, (3, 4)), REAL, eps=64),
    unary("sigmoid", sp.expit, shapes((3, 4)), REAL),
    unary("log_sigmoid", sp.log_expit, shapes((3, 4)), REAL, eps=16),
    unary("softplus", lambda x: np.logaddexp(x, x.dtype.type(0)), shapes((3, 4)), REAL, eps=16),
    unary("relu", lambda x: np.maximum(x, 0), away_from_zero((3, 4)), (*INTEGERS, *REAL)),
    unary("silu", lambda x: x * sp.expit(x), shapes((3, 4)), REAL, eps=16),
    Row("gelu", lambda x: tn.gelu(x, approximate=False), gelu, shapes((3, 4)), REAL, eps=64),
    unary("sinc", np.sinc, within(-2.3, 2.3, (3, 4)), REAL, eps=32),
    unary("i0e", sp.i0e, away_from_zero((3, 4)), REAL, eps=32),
    unary("i1e", sp.i1e, away_from_zero((3, 4)), REAL, eps=32),
    unary("floor", np.floor, off_integers((3, 4)), REAL, order=0),
    unary("ceil", np.ceil, off_integers((3, 4)), REAL, order=0),
    unary("trunc", np.trunc, off_integers((3, 4)), REAL, order=0),
    unary("round", np.round, off_integers((3, 4)), (*INTEGERS, *REAL), order=0),
    Row("round_2", lambda x: tn.round(x, 2), lambda x: np.round(x, 2), shapes((3, 4)), INEXACT, order=0),
    unary("isnan", np.isnan, specials, NUMBERS, order=0),
    unary("isinf", np.isinf, specials, NUMBERS, order=0),
    unary("isfinite", np.isfinite, specials, NUMBERS, order=0),
    unary("signbit", np.signbit, specials, REAL, order=0),
    unary("nan_to_num", np.nan_to_num, specials, (*INTEGERS, *INEXACT), order=0),
    unary("logical_not", np.logical_not, shapes((3, 4)), ("bool", *NUMBERS), order=0),
    unary("bitwise_invert", np.invert, shapes((3, 4)), BITS, order=0),
    binary("minimum", np.minimum, distinct((3, 4), (3, 4)), (*INTEGERS, *REAL)),
    binary("fmax", np.fmax, distinct((3, 4), (3, 4)), (*INTEGERS, *REAL)),
    binary("fmin", np.fmin, distinct((3, 4), (3, 4)), (*INTEGERS, *REAL)),
    binary("floor_divide", np.floor_divide, nonzero_integers, INTEGERS, order=0),
    Row("floor_divide_float", lambda x, y: tn.floor_divide(x, y), np.floor_divide, off_steps, REAL, order=0),
    binary("remainder", np.remainder, nonzero_integers, INTEGERS, order=0),
    Row("remainder_float", lambda x, y: tn.remainder(x, y), np.remainder, off_steps, REAL, eps=16),
    binary("fmod", np.fmod, nonzero_integers, INTEGERS, order=0),
    Row("fmod_float", lambda x, y: tn.fmod(x, y), np.fmod, off_steps, REAL, eps=16),
    Row("divmod", lambda x, y: tn.divmod(x, y), lambda x, y: list(np.divmod(x, y)), off_steps, REAL, order=0),
    binary("pow", np.power, small_powers, (*INTEGERS, *INEXACT), eps=32),
    binary("hypot", np.hypot, away_from_zero((3, 4), (3, 4))),
    binary("atan2", np.arctan2, away_from_zero((3, 4), (4,)), eps=16),
    binary("logaddexp", np.logaddexp, shapes((3, 4), (3, 4)), eps=16),
    binary("copysign", np.copysign, away_from_zero((3, 4), (3, 4))),
    binary("nextafter", np.nextafter, shapes((3, 4), (3, 4))),
    binary("xlogy", sp.xlogy, within(0.3, 3, (3, 4), (3, 4)), eps=16),
    binary("logical_and", np.logical_and, shapes((3, 4), (3, 4)), ("bool", *NUMBERS), order=0),
    binary("logical_or", np.logical_or, shapes((3, 4), (3, 4)), ("bool", *NUMBERS), order=0),
    binary("logical_xor", np.logical_xor, shapes((3, 4), (3, 4)), ("bool", *NUMBERS), order=0),
    binary("bitwise_and", np.bitwise_and, shapes((3, 4), (3, 4)), BITS, order=0),
    binary("bitwise_or", np.bitwise_or, shapes((3, 4), (3, 4)), BITS, order=0),
    binary("bitwise_xor", np.bitwise_xor, shapes((3, 4), (3, 4)), BITS, order=0),
    binary("bitwise_left_shift", np.left_shift, small_shift, INTEGERS, order=0),
    binary("bitwise_right_shift", np.right_shift, small_shift, INTEGERS, order=0),
    Row(
        "clip",
        lambda x: tn.clip(x, -0.6, 0.7),
        lambda x: np.clip(x, x.dtype.type(-0.6), x.dtype.type(0.7)),
        distinct((3, 4)),
        REAL,
    ),
    Row("complex", lambda x, y: tn.complex(x, y), lambda x, y: x + np.asarray(1j, "complex64") * y, shapes((3, 4), (3, 4)), REAL),
]
