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
from pathlib import Path

import mpmath as mp
from vmath_points import (
    HUGE,
    SMALL,
    UNIT,
    angle_points,
    any_bits,
    anywhere,
    bits,
    exp_points,
    gamma_points,
    hyperbolic,
    inside,
    log_points,
    log_uniform,
    logarithmic,
    mixed,
    near,
    pair_points,
    plane_points,
    positive,
    pow_points,
    power_points,
    quotients,
    remainder_points,
    single,
    strip_points,
    sum_points,
    swapped,
    trig_points,
    uniform,
    unit,
)

mp.mp.prec = 240


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


def exact(function, prec):
    def call(*args):
        with mp.workprec(prec):
            return +function(*[mp.mpf(a) for a in args])

    return call


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


REAL = {
    "sin": (trig_points, exact(mp.sin, 1300)),
    "cos": (trig_points, exact(mp.cos, 1300)),
    "tan": (trig_points, exact(mp.tan, 1300)),
    "exp": (exp_points, exact(mp.exp, 200)),
    "exp2": (
        mixed(
            (0.0, -0.0, 10.0, -1074.0, 1023.9999999999999),
            uniform(-1, 1),
            uniform(-1075, 1024),
            uniform(-1075, -1020),
            logarithmic(1e-20, 1),
        ),
        exact(lambda x: mp.mpf(2) ** x, 200),
    ),
    "expm1": (exp_points, exact(mp.expm1, 1300)),
    "log": (log_points, exact(mp.log, 200)),
    "log2": (log_points, exact(lambda x: mp.log(x) / mp.log(2), 200)),
    "log10": (log_points, exact(lambda x: mp.log10(x), 200)),
    "log1p": (
        inside(
            mixed(
                (*SMALL, *UNIT, HUGE),
                uniform(-1, 2),
                logarithmic(1e-20, 1),
                near(-1.0, width=0.01),
                lambda rng: abs(any_bits(rng)),
                any_bits,
            ),
            -1,
            math.inf,
        ),
        exact(mp.log1p, 1300),
    ),
    "hypot": (pair_points, exact(lambda x, y: mp.sqrt(x * x + y * y), 2300)),
    "asin": (unit, exact(mp.asin, 1300)),
    "acos": (unit, exact(mp.acos, 1300)),
    "atan": (anywhere, exact(mp.atan, 1300)),
    "atan2": (angle_points, exact(mp.atan2, 2400)),
    "sinh": (hyperbolic, exact(mp.sinh, 1300)),
    "cosh": (hyperbolic, exact(mp.cosh, 1300)),
    "tanh": (
        mixed((*SMALL, HUGE, -HUGE), uniform(-1, 1), uniform(-20, 20), logarithmic(1e-20, 1), any_bits),
        lambda x: exact(mp.tanh, 1300)(max(-300.0, min(x, 300.0))),
    ),
    "asinh": (anywhere, exact(mp.asinh, 2400)),
    "acosh": (
        inside(mixed((1.0 + 2.0**-52, HUGE), uniform(1, 4), near(1.0), lambda rng: abs(log_uniform(rng, 1, 1e300))), 1, math.inf),
        exact(mp.acosh, 2400),
    ),
    "atanh": (unit, exact(mp.atanh, 2400)),
    "pow": (pow_points, exact(mp.power, 400)),
    "cbrt": (anywhere, exact(lambda x: mp.sign(x) * mp.cbrt(abs(x)), 200)),
    "rsqrt": (positive, exact(lambda x: 1 / mp.sqrt(x), 200)),
    "erf": (
        mixed((*SMALL, 1.0, 6.0, -HUGE), uniform(-1.2, 1.2), uniform(-6, 6), logarithmic(1e-20, 1), any_bits),
        exact(lambda x: mp.erf(x) if abs(x) < 50 else mp.sign(x), 1300),
    ),
    "erfc": (
        inside(
            mixed((*SMALL, 1.0, 26.5), uniform(-1.2, 1.2), uniform(-6, 27.2), uniform(0.5, 1.5), logarithmic(1e-20, 1), uniform(26, 27.22)),
            -math.inf,
            27.22,
        ),
        exact(mp.erfc, 300),
    ),
    "erfinv": (unit, exact(erf_inverse, 400)),
    "lgamma": (gamma_points, exact(log_gamma, 300)),
    "digamma": (gamma_points, exact(digamma, 300)),
    "i0e": (
        mixed((*SMALL, 12.0, 1e300), uniform(-15, 15), uniform(-100, 100), logarithmic(1e-20, 1e10)),
        exact(lambda x: mp.besseli(0, abs(x)) * mp.exp(-abs(x)) if abs(x) < 1e5 else large_bessel(0, abs(x)), 200),
    ),
    "i1e": (
        mixed((*SMALL, 12.0, 1e300), uniform(-15, 15), uniform(-100, 100), logarithmic(1e-20, 1e10)),
        exact(lambda x: mp.besseli(1, x) * mp.exp(-abs(x)) if abs(x) < 1e5 else mp.sign(x) * large_bessel(1, abs(x)), 200),
    ),
    "sigmoid": (
        mixed((0.0, -745.0, 40.0, HUGE), uniform(-5, 5), uniform(-745, 50), logarithmic(1e-20, 1)),
        exact(lambda x: 1 / (1 + mp.exp(-x)), 1300),
    ),
    "softplus": (
        mixed((0.0, -745.0, 40.0, HUGE), uniform(-5, 5), uniform(-745, 50), uniform(-40, 800)),
        exact(lambda x: mp.log1p(mp.exp(x)) if x < 1000 else x, 1300),
    ),
    "log_sigmoid": (
        mixed((0.0, 745.0, -40.0, -HUGE), uniform(-5, 5), uniform(-50, 745), uniform(-800, 40)),
        exact(lambda x: -mp.log1p(mp.exp(-x)) if x > -1000 else x, 1300),
    ),
    "logaddexp": (sum_points, exact(lambda a, b: max(a, b) + mp.log1p(mp.exp(-abs(a - b))), 1300)),
    "fmod": (remainder_points, exact(truncated, 2300)),
    "remainder": (remainder_points, exact(floored, 2300)),
    "floor_divide": (remainder_points, exact(lambda x, y: mp.floor(x / y), 2300)),
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
        size, angle = clog(a, b)
        return cexp(c * size - d * angle, c * angle + d * size)


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
        # Odd functions keep the sign of zero, and so does C's remainder; a quotient has both signs; hypot is +0.
        signed = len(args) == 1 or name in ("fmod", "remainder")
        zero = math.copysign(0.0, args[name == "remainder"]) if signed else 0.0
        if name == "floor_divide":
            zero = math.copysign(0.0, math.copysign(1.0, args[0]) * args[1])
        return f"{head} {bits(zero):016x} 0"
    residual = int(mp.nint((value - mp.mpf(result)) / spacing(result) * 10000))
    return f"{head} {bits(result):016x} {residual}"


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")


def write_real(options, name):
    points, function = REAL[name]
    rng = random.Random(f"{name}{options.seed}")
    rows = [a if isinstance(a, tuple) else (a,) for a in points(rng, options.points)]
    rows = [a for a in rows if 0.0 not in a[1:] or name not in ("fmod", "remainder", "floor_divide")]
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
        return a[0] > -1 and (a[0] < 1 or name == "log1p")
    if name == "acosh":
        return a[0] > 1
    if name == "atan2":
        return all(a)
    if name == "pow":
        return a[0] > 0 or (a[0] < 0 and a[1] == int(a[1]))
    return not (name in ("fmod", "remainder", "floor_divide") and a[1] == 0)


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
