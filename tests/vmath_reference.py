"""Writes the reference data of `crates/vmath/tests/data`, from mpmath.

    python tests/vmath_reference.py [--points 2000] [--seed 1] [--out crates/vmath/tests/data]

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
    return float(mp.ldexp(mp.nint(mp.ldexp(value, -unit)), unit))


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


REAL = {
    "sin": (trig_points, exact(mp.sin, 1300)),
    "cos": (trig_points, exact(mp.cos, 1300)),
    "exp": (exp_points, exact(mp.exp, 200)),
    "log": (log_points, exact(mp.log, 200)),
    "hypot": (pair_points, exact(lambda x, y: mp.sqrt(x * x + y * y), 2300)),
}


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


COMPLEX = {
    "csin": (swapped, csin),
    "ccos": (swapped, ccos),
    "cexp": (strip_points, cexp),
    "clog": (pair_points, clog),
    "csqrt": (pair_points, csqrt),
    "cdiv": (quotients, cdiv),
}


def real_line(args, value):
    result = rounded(value)
    head = " ".join(f"{bits(a):016x}" for a in args)
    if math.isinf(result):
        return f"{head} {bits(result):016x} 0"
    if value == 0:
        # Odd functions keep the sign of zero; hypot is +0.
        zero = math.copysign(0.0, args[0]) if len(args) == 1 else 0.0
        return f"{head} {bits(zero):016x} 0"
    residual = int(mp.nint((value - mp.mpf(result)) / spacing(result) * 10000))
    return f"{head} {bits(result):016x} {residual}"


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("crates/vmath/tests/data"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, (points, function) in REAL.items():
        rng = random.Random(f"{name}{options.seed}")
        rows = [a if isinstance(a, tuple) else (a,) for a in points(rng, options.points)]
        write(options.out / f"{name}.txt", [real_line(a, function(*a)) for a in rows])
        narrow = points(rng, options.points // 2)
        floats = [tuple(map(single, a if isinstance(a, tuple) else (a,))) for a in narrow]
        floats = [a for a in floats if all(map(math.isfinite, a)) and not (name == "log" and a[0] == 0)]
        write(options.out / f"{name}_f32.txt", [real_line(a, function(*a)) for a in floats])
    for name, (points, function) in COMPLEX.items():
        rng = random.Random(f"{name}{options.seed}")
        rows = []
        for a in points(rng, options.points // 4):
            # mpmath has no signed zero; zeros are the special-value tests' business.
            if not all(a):
                continue
            with mp.workprec(4400):
                value = [+v for v in function(*[mp.mpf(x) for x in a])]
            rows.append(" ".join(f"{bits(v):016x}" for v in (*a, *map(rounded, value))))
        write(options.out / f"{name}.txt", rows)


if __name__ == "__main__":
    main()
