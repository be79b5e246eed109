"""Arguments for `vmath_reference.py`: each maker takes a random generator and a count."""

import math
import struct

import mpmath as mp

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
hyperbolic = mixed(
    (*SMALL, 710.4758600739439, -710.4758600739439, 709.0),
    uniform(-1, 1),
    uniform(-30, 30),
    uniform(-710.47, 710.47),
    logarithmic(1e-20, 1),
)
unit = inside(mixed((*SMALL, *UNIT), uniform(-1, 1), logarithmic(1e-30, 1), near(1.0, -1.0, 0.5, -0.5, width=0.01)), -1, 1)
positive = mixed(
    (1.0, TINY, 2.2250738585072014e-308, HUGE),
    uniform(0, 3),
    lambda rng: abs(log_uniform(rng, 1e-300, 1e300)),
    lambda rng: abs(any_bits(rng)) or 1.0,
)


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


# Zeros of lgamma and digamma, and next to poles.
GAMMA_CENTRES = (1.0, 2.0, 1.4616321449683622, -0.504083008264455, -2.4570247382208006, -2.747682646727413, -1.0, -2.0, -3.0, 0.0)
gamma_points = mixed(
    (1.0, 2.0, 0.5, 1.5, 2.5, 8.0, 1e-300),
    uniform(0, 10),
    uniform(-20, 20),
    near(*GAMMA_CENTRES),
    lambda rng: abs(log_uniform(rng, 1e-290, 1e300)),
    uniform(-3.999, 3),
)


def swapped(rng, count):
    return [(b, a) for a, b in strip_points(rng, count)]


def quotients(rng, count):
    tops, bottoms = pair_points(rng, count), pair_points(rng, count)
    rng.shuffle(bottoms)
    return [t + b for t, b in zip(tops, bottoms, strict=True)]


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
