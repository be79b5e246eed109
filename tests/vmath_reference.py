"""Writes the reference data of `crates/vmath/tests/data`, from mpmath.

    python tests/vmath_reference.py [--points 600] [--seed 1] [--out crates/vmath/tests/data] [names]

One file a function.  Real functions: `x [y] result residual` with doubles as hexadecimal bits, `result` correctly
rounded, and `residual` the exact value minus it, in 1/10000 ulp of the result.  Complex ones: the parts of the
arguments, then those of the correctly rounded result.  The float32 files hold float32 arguments as double bits and the
float64 value of the function.
"""

import argparse
import math
import random
import struct
from pathlib import Path

import mpmath as mp

mp.mp.prec = 240
TINY, HUGE = 5e-324, 1.7976931348623157e308


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def double(n):
    return struct.unpack("<d", struct.pack("<Q", n))[0]


def single(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.inf


def spacing(x):
    return mp.mpf(math.ulp(x))


def rounded(value):
    """The double nearest to an mpf (ties and overflow as IEEE), correct for subnormals too."""
    if value == 0:
        return 0.0
    exponent = int(mp.floor(mp.log(abs(value), 2)))
    if exponent > 1023:
        return math.copysign(math.inf, value)
    unit = max(exponent - 52, -1074)
    return math.copysign(float(mp.ldexp(mp.nint(mp.ldexp(value, -unit)), unit)), value)


def any_bits(rng):
    while True:
        x = double(rng.getrandbits(64))
        if math.isfinite(x):
            return x


def log_uniform(rng, low, high):
    return rng.choice((-1, 1)) * math.exp(rng.uniform(math.log(low), math.log(high)))


def near_half_pi(rng):
    """A double next to a multiple of pi/2, from small to huge."""
    n = rng.choice((rng.randrange(1, 64), rng.randrange(1, 2**20), rng.getrandbits(rng.randrange(20, 900)) + 1))
    with mp.workprec(1400):
        x = float(n * mp.pi / 2)
    return rng.choice((-1, 1)) * double(bits(x) + rng.randrange(-1, 2))


# Doubles that are exceptionally close to multiples of pi/2 (Muller, Elementary Functions, ch. 11, and fdlibm's tests).
HARD_TRIG = [6381956970095103.0 * 2.0**797, 5319372648326541.0 * 2.0**-52, 1e22, 16367173.0 * 2.0**72, 1e6, 1000000.5]


def trig_points(rng, count):
    out = [0.0, -0.0, TINY, -TINY, 2.2250738585072014e-308, HUGE, -HUGE, *HARD_TRIG]
    kinds = [
        lambda: rng.uniform(-4, 4),
        lambda: rng.uniform(-1000, 1000),
        lambda: rng.uniform(-1.2e6, 1.2e6),
        lambda: near_half_pi(rng),
        lambda: log_uniform(rng, 1e-9, 1e9),
        lambda: log_uniform(rng, 1e5, 1e308),
        lambda: any_bits(rng),
    ]
    return out + [kinds[i % len(kinds)]() for i in range(count)]


def exp_points(rng, count):
    out = [0.0, -0.0, TINY, -TINY, 709.782712893384, -708.3964185322641, -745.1332191019411, -744.9, 1.0, -1.0]
    kinds = [
        lambda: rng.uniform(-1, 1),
        lambda: rng.uniform(-30, 30),
        lambda: rng.uniform(-745, 709.78),
        lambda: rng.uniform(-746, -708),
        lambda: log_uniform(rng, 1e-20, 1),
        lambda: (rng.randrange(-1000, 1000) + 0.5) * math.log(2) * (1 + rng.uniform(-1e-9, 1e-9)),
    ]
    return out + [kinds[i % len(kinds)]() for i in range(count)]


def log_points(rng, count):
    out = [1.0, TINY, 2.2250738585072014e-308, HUGE, 2.0, 0.5, math.sqrt(0.5), math.sqrt(2.0)]
    kinds = [
        lambda: rng.uniform(0.5, 2),
        lambda: 1 + log_uniform(rng, 2**-52, 0.5),
        lambda: rng.uniform(0.3, 1.1),
        lambda: abs(log_uniform(rng, 1e-300, 1e300)),
        lambda: double(rng.getrandbits(52) + 1),
        lambda: abs(any_bits(rng)) or 1.0,
    ]
    return out + [kinds[i % len(kinds)]() for i in range(count)]


def pair_points(rng, count):
    """Pairs for hypot and the parts of complex arguments of clog and csqrt."""

    def scaled(size):
        return size * rng.uniform(-1, 1), size * rng.uniform(-1, 1)

    def circle():
        angle = rng.uniform(-4, 4)
        return math.cos(angle), math.sin(angle)

    kinds = [
        lambda: scaled(1),
        lambda: scaled(10.0 ** rng.randrange(-300, 300)),
        lambda: scaled(rng.choice((1e308, 1.2e308, 1e-308, 1e-310, 1e-322))),
        lambda: (log_uniform(rng, 1e-12, 1e12), log_uniform(rng, 1e-12, 1e12)),
        circle,
        lambda: (1 + log_uniform(rng, 1e-15, 0.1), log_uniform(rng, 1e-15, 0.1)),
        lambda: (any_bits(rng), any_bits(rng)),
    ]
    return [(3.0, 4.0), (1.0, 0.0), (0.0, 1.0), (-1.0, TINY)] + [kinds[i % len(kinds)]() for i in range(count)]


def strip_points(rng, count):
    """Complex arguments of exp; sin and cos take them with the parts exchanged."""
    kinds = [
        lambda: (rng.uniform(-2, 2), rng.uniform(-4, 4)),
        lambda: (rng.uniform(-700, 700), rng.uniform(-100, 100)),
        lambda: (rng.uniform(-745, 720), near_half_pi(rng)),
        lambda: (log_uniform(rng, 1e-12, 1), log_uniform(rng, 1e-12, 1)),
        lambda: (rng.uniform(-710, 710), rng.uniform(-1.2e6, 1.2e6)),
        lambda: (rng.uniform(700, 712), log_uniform(rng, 1e-300, 1e300)),
    ]
    return [(1.0, 1.0), (0.0, 1.0), (1e-300, 2.0)] + [kinds[i % len(kinds)]() for i in range(count)]


def exact(function, prec):
    def call(*args):
        with mp.workprec(prec):
            return +function(*[mp.mpf(a) for a in args])

    return call


def mixed(specials, *kinds):
    """Points: the specials, then draws from each kind in turn."""

    def points(rng, count):
        return list(specials) + [kinds[i % len(kinds)](rng) for i in range(count - len(specials))]

    return points


def uniform(low, high):
    return lambda rng: rng.uniform(low, high)


def logarithmic(low, high):
    return lambda rng: log_uniform(rng, low, high)


def near(*centres, width=0.1):
    """Next to a centre, from the last bit on."""

    def point(rng):
        c = rng.choice(centres)
        return c * (1 + log_uniform(rng, 2.0**-53, width)) if c else log_uniform(rng, 1e-300, width)

    return point


def inside(points, low, high):
    """Only points of an open interval, where the function is finite and real."""
    return lambda rng, count: [x for x in points(rng, count) if low < x < high]


SMALL = (0.0, -0.0, TINY, -TINY, 2.2250738585072014e-308, -1e-300)
UNIT = (0.5, -0.5, 1.0 - 2.0**-53, 2.0**-53 - 1.0)
anywhere = mixed((*SMALL, HUGE, -HUGE, 1.0, -1.0), uniform(-3, 3), uniform(-40, 40), logarithmic(1e-20, 1e20), any_bits)
hyperbolic = mixed((*SMALL, 710.4758600739439, -710.4758600739439, 709.0), uniform(-1, 1), uniform(-30, 30), uniform(-710.47, 710.47), logarithmic(1e-20, 1))
unit = inside(mixed((*SMALL, *UNIT), uniform(-1, 1), logarithmic(1e-30, 1), near(1.0, -1.0, 0.5, -0.5, width=0.01)), -1, 1)
positive = mixed((1.0, TINY, 2.2250738585072014e-308, HUGE), uniform(0, 3), lambda rng: abs(log_uniform(rng, 1e-300, 1e300)), lambda rng: abs(any_bits(rng)) or 1.0)


def pow_points(rng, count):
    """Ordinary powers, and ones whose result is next to 1, to either end of the range, or exact."""

    def reaching():
        x = abs(log_uniform(rng, 1e-300, 1e300))
        return x, rng.uniform(-745, 709.78) / math.log(x)

    def slow_growth():
        x = 1 + log_uniform(rng, 2.0**-52, 0.1)
        return x, rng.uniform(-745, 709.78) / math.log(x)

    kinds = [
        lambda: (rng.uniform(0, 10), rng.uniform(-10, 10)),
        lambda: (rng.uniform(-10, 10), float(rng.randrange(-20, 20))),
        lambda: (abs(log_uniform(rng, 1e-10, 1e10)), rng.choice((0.5, 1.5, 2.0, 3.0, -1.0, 1 / 3))),
        reaching,
        slow_growth,
        lambda: (abs(any_bits(rng)) or 1.0, log_uniform(rng, 1e-300, 1)),
    ]
    return [(3.0, 4.0), (-2.0, 3.0), (TINY, 0.5)] + [kinds[i % len(kinds)]() for i in range(count - 3)]


def angle_points(rng, count):
    kinds = [
        lambda: (rng.uniform(-2, 2), rng.uniform(-2, 2)),
        lambda: (log_uniform(rng, 1e-20, 1e20), log_uniform(rng, 1e-20, 1e20)),
        lambda: (any_bits(rng), any_bits(rng)),
    ]
    return [(1.0, 1.0), (TINY, 1.0), (TINY, TINY), (-TINY, HUGE), (1.0, -HUGE)] + [kinds[i % 3]() for i in range(count - 5)]


def remainder_points(rng, count):
    kinds = [
        lambda: (rng.uniform(-20, 20), rng.uniform(-3, 3)),
        lambda: (float(rng.randrange(-50, 50)), float(rng.randrange(1, 9)) * rng.choice((0.1, -1.0, 0.25))),
        lambda: (log_uniform(rng, 1e-10, 1e20), log_uniform(rng, 1e-5, 1e5)),
        lambda: (any_bits(rng), any_bits(rng)),
    ]
    return [(5.0, 3.0), (-5.0, 3.0), (HUGE, TINY), (TINY, HUGE), (1.0, 0.1)] + [kinds[i % 4]() for i in range(count - 5)]


def sum_points(rng, count):
    kinds = [
        lambda: (rng.uniform(-5, 5), rng.uniform(-5, 5)),
        lambda: (rng.uniform(-700, 700), rng.uniform(-700, 700)),
        lambda: (log_uniform(rng, 1e-20, 1e300), log_uniform(rng, 1e-20, 1e300)),
        lambda: (0.0, rng.uniform(-745, 0)),
    ]
    return [(1.0, 1.0), (0.0, 0.0), (1000.0, 1000.0)] + [kinds[i % 4]() for i in range(count - 3)]


def floored(x, y):
    return x - y * mp.floor(x / y)


def truncated(x, y):
    q = abs(x) / abs(y)
    return mp.sign(x) * (abs(x) - abs(y) * mp.floor(q))


def erf_inverse(x):
    """By Newton's method on the logarithm of erfc, whose start mpmath's own function gives."""
    if abs(x) < mp.mpf("1e-30"):
        return x * mp.sqrt(mp.pi) / 2
    y = mp.erfinv(x)
    for _ in range(2):
        y -= (mp.erf(y) - x) * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
    return y


def log_gamma(x):
    """log |gamma(x)|, by reflection below 0."""
    if x > 0:
        return mp.loggamma(x)
    return mp.log(mp.pi / abs(mp.sin(mp.pi * x))) - mp.loggamma(1 - x)


def digamma(x):
    return mp.digamma(x) if x > 0 else mp.digamma(1 - x) - mp.pi * mp.cot(mp.pi * x)


# Zeros of lgamma and digamma, and next to poles.
GAMMA_CENTRES = (1.0, 2.0, 1.4616321449683622, -0.504083008264455, -2.4570247382208006, -2.747682646727413, -1.0, -2.0, -3.0, 0.0)
gamma_points = mixed((1.0, 2.0, 0.5, 1.5, 2.5, 8.0, 1e-300), uniform(0, 10), uniform(-20, 20), near(*GAMMA_CENTRES), lambda rng: abs(log_uniform(rng, 1e-290, 1e300)), uniform(-3.999, 3))

REAL = {
    "sin": (trig_points, exact(mp.sin, 1300)),
    "cos": (trig_points, exact(mp.cos, 1300)),
    "tan": (trig_points, exact(mp.tan, 1300)),
    "exp": (exp_points, exact(mp.exp, 200)),
    "exp2": (mixed((0.0, -0.0, 10.0, -1074.0, 1023.9999999999999), uniform(-1, 1), uniform(-1075, 1024), uniform(-1075, -1020), logarithmic(1e-20, 1)), exact(lambda x: mp.mpf(2) ** x, 200)),
    "expm1": (exp_points, exact(mp.expm1, 1300)),
    "log": (log_points, exact(mp.log, 200)),
    "log2": (log_points, exact(lambda x: mp.log(x) / mp.log(2), 200)),
    "log10": (log_points, exact(lambda x: mp.log10(x), 200)),
    "log1p": (inside(mixed((*SMALL, *UNIT, HUGE), uniform(-1, 2), logarithmic(1e-20, 1), near(-1.0, width=0.01), lambda rng: abs(any_bits(rng)), any_bits), -1, math.inf), exact(mp.log1p, 1300)),
    "hypot": (pair_points, exact(lambda x, y: mp.sqrt(x * x + y * y), 2300)),
    "asin": (unit, exact(mp.asin, 1300)),
    "acos": (unit, exact(mp.acos, 1300)),
    "atan": (anywhere, exact(mp.atan, 1300)),
    "atan2": (angle_points, exact(mp.atan2, 2400)),
    "sinh": (hyperbolic, exact(mp.sinh, 1300)),
    "cosh": (hyperbolic, exact(mp.cosh, 1300)),
    "tanh": (mixed((*SMALL, HUGE, -HUGE), uniform(-1, 1), uniform(-20, 20), logarithmic(1e-20, 1), any_bits), lambda x: exact(mp.tanh, 1300)(max(-300.0, min(x, 300.0)))),
    "asinh": (anywhere, exact(mp.asinh, 2400)),
    "acosh": (inside(mixed((1.0 + 2.0**-52, HUGE), uniform(1, 4), near(1.0), lambda rng: abs(log_uniform(rng, 1, 1e300))), 1, math.inf), exact(mp.acosh, 2400)),
    "atanh": (unit, exact(mp.atanh, 2400)),
    "pow": (pow_points, exact(mp.power, 400)),
    "cbrt": (anywhere, exact(lambda x: mp.sign(x) * mp.cbrt(abs(x)), 200)),
    "rsqrt": (positive, exact(lambda x: 1 / mp.sqrt(x), 200)),
    "erf": (mixed((*SMALL, 1.0, 6.0, -HUGE), uniform(-1.2, 1.2), uniform(-6, 6), logarithmic(1e-20, 1), any_bits), exact(lambda x: mp.erf(x) if abs(x) < 50 else mp.sign(x), 1300)),
    "erfc": (inside(mixed((*SMALL, 1.0, 26.5), uniform(-1.2, 1.2), uniform(-6, 27.2), uniform(0.5, 1.5), logarithmic(1e-20, 1), uniform(26, 27.22)), -math.inf, 27.22), exact(mp.erfc, 300)),
    "erfinv": (unit, exact(erf_inverse, 400)),
    "lgamma": (gamma_points, exact(log_gamma, 300)),
    "digamma": (gamma_points, exact(digamma, 300)),
    "i0e": (mixed((*SMALL, 12.0, 1e300), uniform(-15, 15), uniform(-100, 100), logarithmic(1e-20, 1e10)), exact(lambda x: mp.besseli(0, abs(x)) * mp.exp(-abs(x)) if abs(x) < 1e5 else large_bessel(0, abs(x)), 200)),
    "i1e": (mixed((*SMALL, 12.0, 1e300), uniform(-15, 15), uniform(-100, 100), logarithmic(1e-20, 1e10)), exact(lambda x: mp.besseli(1, x) * mp.exp(-abs(x)) if abs(x) < 1e5 else mp.sign(x) * large_bessel(1, abs(x)), 200)),
    "sigmoid": (mixed((0.0, -745.0, 40.0, HUGE), uniform(-5, 5), uniform(-745, 50), logarithmic(1e-20, 1)), exact(lambda x: 1 / (1 + mp.exp(-x)), 1300)),
    "softplus": (mixed((0.0, -745.0, 40.0, HUGE), uniform(-5, 5), uniform(-745, 50), uniform(-40, 800)), exact(lambda x: mp.log1p(mp.exp(x)) if x < 1000 else x, 1300)),
    "log_sigmoid": (mixed((0.0, 745.0, -40.0, -HUGE), uniform(-5, 5), uniform(-50, 745), uniform(-800, 40)), exact(lambda x: -mp.log1p(mp.exp(-x)) if x > -1000 else x, 1300)),
    "logaddexp": (sum_points, exact(lambda a, b: max(a, b) + mp.log1p(mp.exp(-abs(a - b))), 1300)),
    "fmod": (remainder_points, exact(truncated, 2300)),
    "remainder": (remainder_points, exact(floored, 2300)),
}


def large_bessel(order, x):
    """The asymptotic series of e^(-x) I(x): its terms fall below any accuracy here."""
    total, term = mp.mpf(1), mp.mpf(1)
    for k in range(1, 30):
        term *= -(4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x)
        total += term
    return total / mp.sqrt(2 * mp.pi * x)


def csin(x, y):
    return mp.sin(x) * mp.cosh(y), mp.cos(x) * mp.sinh(y)


def ccos(x, y):
    return mp.cos(x) * mp.cosh(y), -mp.sin(x) * mp.sinh(y)


def cexp(x, y):
    return mp.exp(x) * mp.cos(y), mp.exp(x) * mp.sin(y)


def clog(x, y):
    return mp.log(x * x + y * y) / 2, mp.atan2(y, x)


def csqrt(x, y):
    r = mp.sqrt(x * x + y * y)
    if y == 0:
        return (mp.sqrt(x), mp.mpf(0)) if x >= 0 else (mp.mpf(0), mp.sqrt(-x))
    big = mp.sqrt((r + abs(x)) / 2)
    small = abs(y) / (2 * big)
    re, im = (big, small) if x >= 0 else (small, big)
    return re, mp.sign(y) * im


def cdiv(a, b, c, d):
    norm = c * c + d * d
    return (a * c + b * d) / norm, (b * c - a * d) / norm


def swapped(rng, count):
    return [(b, a) for a, b in strip_points(rng, count)]


def quotients(rng, count):
    tops, bottoms = pair_points(rng, count), pair_points(rng, count)
    rng.shuffle(bottoms)
    return [t + b for t, b in zip(tops, bottoms, strict=True)]


def of_mpc(function, prec=2400):
    """Parts of a function of a complex number."""

    def call(x, y):
        with mp.workprec(prec):
            w = function(mp.mpc(x, y))
            return w.real, w.imag

    return call


def catanh(x, y):
    """By logarithms of moduli and angles, exact next to the branch points."""
    top, bottom = (1 + x) ** 2 + y * y, (1 - x) ** 2 + y * y
    return mp.log(top / bottom) / 4, mp.atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2


def catan(x, y):
    im, re = catanh(y, x)
    return re, im


def cexpm1(x, y):
    return mp.exp(x) * mp.cos(y) - 1, mp.exp(x) * mp.sin(y)


def cexp2(x, y):
    return cexp(x * mp.log(2), y * mp.log(2))


def cpow(a, b, c, d):
    with mp.workprec(3000):
        l, t = clog(a, b)
        return cexp(c * l - d * t, c * t + d * l)


def plane_points(rng, count):
    """Everywhere, and next to 0, ±1, ±i and the cuts."""

    def branch():
        x, y = log_uniform(rng, 1e-16, 0.3), log_uniform(rng, 1e-16, 0.3)
        s = rng.choice((-1, 1))
        return (s + x, y) if rng.random() < 0.5 else (x, s + y)

    kinds = [
        lambda: (rng.uniform(-2, 2), rng.uniform(-2, 2)),
        lambda: (log_uniform(rng, 1e-12, 1e12), log_uniform(rng, 1e-12, 1e12)),
        branch,
        lambda: (rng.uniform(-5, 5), log_uniform(rng, 1e-300, 1e-3)),
        lambda: (log_uniform(rng, 1e-300, 1e-3), rng.uniform(-5, 5)),
        lambda: (log_uniform(rng, 1e-300, 1e308), log_uniform(rng, 1e-300, 1e308)),
    ]
    return [kinds[i % len(kinds)]() for i in range(count)]


def power_points(rng, count):
    """Ordinary complex powers whose exponent of e stays below 100 or so."""

    def whole():
        return float(rng.randrange(-9, 10) or 1), float(rng.randrange(-9, 10) or 1), float(rng.randrange(1, 12)), TINY

    kinds = [
        lambda: tuple(rng.uniform(-3, 3) for _ in range(4)),
        lambda: (rng.uniform(-30, 30), rng.uniform(-30, 30), rng.uniform(-10, 10), rng.uniform(-10, 10)),
        whole,
        lambda: (log_uniform(rng, 1e-300, 1e300), log_uniform(rng, 1e-300, 1e300), rng.uniform(-0.9, 0.9), rng.uniform(-1, 1)),
    ]
    return [kinds[i % len(kinds)]() for i in range(count)]


COMPLEX = {
    "csin": (swapped, csin),
    "ccos": (swapped, ccos),
    "cexp": (strip_points, cexp),
    "clog": (pair_points, clog),
    "csqrt": (pair_points, csqrt),
    "cdiv": (quotients, cdiv),
    "cpow": (power_points, cpow),
    "ctan": (swapped, of_mpc(mp.tan, 2600)),
    "csinh": (strip_points, lambda x, y: (mp.sinh(x) * mp.cos(y), mp.cosh(x) * mp.sin(y))),
    "ccosh": (strip_points, lambda x, y: (mp.cosh(x) * mp.cos(y), mp.sinh(x) * mp.sin(y))),
    "ctanh": (strip_points, of_mpc(mp.tanh, 2600)),
    "casin": (plane_points, of_mpc(mp.asin)),
    "cacos": (plane_points, of_mpc(mp.acos)),
    "catan": (plane_points, catan),
    "casinh": (plane_points, of_mpc(mp.asinh)),
    "cacosh": (plane_points, of_mpc(mp.acosh)),
    "catanh": (plane_points, catanh),
    "cexp2": (strip_points, cexp2),
    "cexpm1": (strip_points, cexpm1),
    "clog1p": (plane_points, lambda x, y: clog(1 + x, y)),
    "clog2": (pair_points, lambda x, y: tuple(v / mp.log(2) for v in clog(x, y))),
    "clog10": (pair_points, lambda x, y: tuple(v / mp.log(10) for v in clog(x, y))),
}


def real_line(args, value, name):
    result = rounded(value)
    head = " ".join(f"{bits(a):016x}" for a in args)
    if math.isinf(result):
        return f"{head} {bits(result):016x} 0"
    if value == 0:
        # Odd functions keep the sign of zero, and so does C's remainder; hypot is +0.
        signed = len(args) == 1 or name in ("fmod", "remainder")
        zero = math.copysign(0.0, args[name == "remainder"]) if signed else 0.0
        return f"{head} {bits(zero):016x} 0"
    residual = int(mp.nint((value - mp.mpf(result)) / spacing(result) * 10000))
    return f"{head} {bits(result):016x} {residual}"


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")


def write_real(options, name):
    points, function = REAL[name]
    rng = random.Random(f"{name}{options.seed}")
    rows = [a if isinstance(a, tuple) else (a,) for a in points(rng, options.points)]
    rows = [a for a in rows if 0.0 not in a[1:] or name not in ("fmod", "remainder")]
    write(options.out / f"{name}.txt", [real_line(a, function(*a), name) for a in rows])
    narrow = points(rng, options.points // 2)
    floats = [tuple(map(single, a if isinstance(a, tuple) else (a,))) for a in narrow]
    write(options.out / f"{name}_f32.txt", [real_line(a, function(*a), name) for a in floats if single_fits(name, a)])


def single_fits(name, a):
    """Rounding to float32 may leave the domain."""
    if not all(map(math.isfinite, a)):
        return False
    if name in ("log", "log2", "log10", "rsqrt", "lgamma", "digamma"):
        return a[0] > 0
    if name in ("asin", "acos", "atanh", "erfinv", "log1p"):
        return -1 < a[0] and (a[0] < 1 or name == "log1p")
    if name == "acosh":
        return a[0] > 1
    if name == "atan2":
        return all(a)
    if name == "pow":
        return a[0] > 0 or (a[0] < 0 and a[1] == int(a[1]))
    return not (name in ("fmod", "remainder") and a[1] == 0)


def write_complex(options, name):
    points, function = COMPLEX[name]
    rng = random.Random(f"{name}{options.seed}")
    rows = []
    for a in points(rng, options.points // 2):
        # mpmath has no signed zero; zeros are the special-value tests' business.
        if not all(a):
            continue
        with mp.workprec(4400):
            value = [+v for v in function(*[mp.mpf(x) for x in a])]
        rows.append(" ".join(f"{bits(v):016x}" for v in (*a, *map(rounded, value))))
    write(options.out / f"{name}.txt", rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("crates/vmath/tests/data"))
    parser.add_argument("names", nargs="*", help="functions; all by default")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or (*REAL, *COMPLEX):
        (write_real if name in REAL else write_complex)(options, name)


if __name__ == "__main__":
    main()
