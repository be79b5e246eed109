"""Minimax fits and split constants of `src/coefficients.rs`.

Needs mpmath only.  Run `python fit.py > ../src/coefficients.rs`; every line of that file comes from here.
Each fit is a Remez exchange in 60 digits, on a weight that makes the error relative to the function that is
evaluated; the attained error is printed as a comment beside the coefficients.
"""

import mpmath as mp

mp.mp.dps = 60


def remez(f, weight, degree, low, high, rounds=12, density=60):
    """Coefficients of the polynomial that minimises max |weight * (f - p)| on [low, high], and that maximum."""
    count = degree + 2
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle - half * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    for _ in range(rounds):
        rows = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for i, x in enumerate(nodes):
            for j in range(degree + 1):
                rows[i, j] = x**j
            rows[i, degree + 1] = (-1) ** i / weight(x)
            right[i] = f(x)
        solved = mp.lu_solve(rows, right)
        coefficients = [solved[j] for j in range(degree + 1)]

        def error(x, c=coefficients):
            return weight(x) * (f(x) - mp.polyval(c[::-1], x))

        nodes, worst = exchange(error, low, high, count, nodes, density)
    return coefficients, worst


def exchange(error, low, high, count, nodes, density):
    """Extrema of alternating sign on a fine Chebyshev grid: the next nodes of the exchange."""
    size = density * count
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / size) for i in range(size + 1)]
    values = [error(x) for x in grid]
    found = []
    for x, v in zip(grid, values, strict=False):
        if found and mp.sign(found[-1][1]) == mp.sign(v):
            if abs(v) > abs(found[-1][1]):
                found[-1] = (x, v)
        else:
            found.append((x, v))
    while len(found) > count:
        found.pop(0 if abs(found[0][1]) < abs(found[-1][1]) else -1)
    if len(found) < count:
        return nodes, max(abs(v) for v in values)
    return [x for x, _ in found], max(abs(v) for _, v in found)


def literal(x):
    return repr(float(x))


def emit(name, doc, coefficients, worst):
    print(f"\n/// {doc}; largest error 2^{float(mp.log(worst, 2)):.1f}.")
    print(f"pub(crate) const {name}: [f64; {len(coefficients)}] = [")
    for c in coefficients:
        print(f"    {literal(c)},")
    print("];")


def constant(name, doc, value):
    print(f"\n/// {doc}.")
    print(f"pub(crate) const {name}: f64 = {literal(value)};")


def leading(x, bits):
    """`x` cut to its `bits` leading bits."""
    exponent = mp.floor(mp.log(abs(x), 2))
    unit = mp.mpf(2) ** (exponent + 1 - bits)
    return mp.floor(x / unit) * unit


def split(name, doc, value, widths):
    """Constants NAME_1 … that add up to `value`; a width of None rounds to double."""
    rest = value
    for i, bits in enumerate(widths, 1):
        part = mp.mpf(float(rest)) if bits is None else leading(rest, bits)
        constant(f"{name}_{i}", f"{doc}, part {i} of {len(widths)}", part)
        rest -= part


def sin_tail(z):
    """(sin r - r) / r^3 at z = r^2, by its series: no cancellation at 0."""
    return sum((-1) ** (k + 1) * z**k / mp.factorial(2 * k + 3) for k in range(24))


def cos_tail(z):
    """(cos r - 1 + r^2/2) / r^4 at z = r^2."""
    return sum((-1) ** k * z**k / mp.factorial(2 * k + 4) for k in range(24))


def exp_tail(r):
    """(e^r - 1 - r) / r^2."""
    return sum(r**k / mp.factorial(k + 2) for k in range(40))


def atanh_tail(z):
    """(2 atanh s - 2 s) / s^3 at z = s^2."""
    return sum(2 * z**k / (2 * k + 3) for k in range(60))


def atan_tail(z):
    """(atan t - t) / t^3 at z = t^2."""
    return sum((-1) ** (k + 1) * z**k / (2 * k + 3) for k in range(200))


def two_over_pi_words(count):
    """A word of zeros, then the leading bits of 2/pi in words of 64."""
    with mp.workdps(500):
        bits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * (count - 1))))
    return [(bits >> (64 * (count - 1 - i))) & (2**64 - 1) for i in range(count)]


def main():
    print("//! Coefficients and split constants, written by `fit/fit.py`: change that script, not this file.")
    print("// The values are fits and splits; std's constants differ from some in the last digits or in meaning.")
    print("#![allow(clippy::approx_constant)]")
    quarter = (mp.pi / 4 * mp.mpf("1.0005")) ** 2
    root = mp.sqrt
    # sin r = r + r^3 S(z): relative to sin r.
    for suffix, degree in (("", 5), ("_SHORT", 3)):
        c, e = remez(sin_tail, lambda z: root(z) ** 3 / mp.sin(root(z)), degree, mp.mpf("1e-6"), quarter)
        emit(f"SIN{suffix}", "(sin r - r)/r³ in r², |r| ≤ π/4", c, e)
    for suffix, degree in (("", 5), ("_SHORT", 3)):
        c, e = remez(cos_tail, lambda z: z**2, degree, mp.mpf("1e-3"), quarter)
        emit(f"COS{suffix}", "(cos r - 1 + r²/2)/r⁴ in r², |r| ≤ π/4", c, e)
    half_ln2 = mp.log(2) / 2 * mp.mpf("1.0005")
    for suffix, degree in (("", 9), ("_SHORT", 5)):
        c, e = remez(exp_tail, lambda r: r**2 * mp.exp(-r) + mp.mpf("1e-4"), degree, -half_ln2, half_ln2)
        emit(f"EXP{suffix}", "(eʳ - 1 - r)/r² in r, |r| ≤ ln 2 / 2", c, e)
    reach = ((root(2) - 1) / (root(2) + 1) * mp.mpf("1.0005")) ** 2
    for suffix, degree in (("", 6), ("_SHORT", 3)):
        c, e = remez(atanh_tail, lambda z: z, degree, mp.mpf("1e-6"), reach)
        emit(f"LOG{suffix}", "(2 atanh s - 2s)/s³ in s², |s| ≤ 3 - 2√2", c, e)
    eighth = (mp.tan(mp.pi / 8) * mp.mpf("1.0005")) ** 2
    c, e = remez(atan_tail, lambda z: z, 10, mp.mpf("1e-6"), eighth)
    emit("ATAN", "(atan t - t)/t³ in t², |t| ≤ tan π/8", c, e)

    constant("TWO_OVER_PI", "2/π", 2 / mp.pi)
    constant("LOG2_E", "1/ln 2", 1 / mp.log(2))
    split("HALF_PI", "π/2 in doubles (for FMA)", mp.pi / 2, [None, None, None])
    split("HALF_PI_CUT", "π/2 in parts whose products with 20-bit integers are exact", mp.pi / 2, [33, 33, 33, None])
    split("LN_2", "ln 2, the first part exact in products with 11-bit integers", mp.log(2), [42, None])
    split("QUARTER_PI", "π/4", mp.pi / 4, [None, None])
    split("PI", "π", mp.pi, [None, None])
    constant("TAN_EIGHTH_PI", "tan π/8", mp.tan(mp.pi / 8))
    words = two_over_pi_words(21)
    print("\n/// 64 zero bits, then the bits of 2/π.")
    print(f"pub(crate) const TWO_OVER_PI_BITS: [u64; {len(words)}] = [")
    for w in words:
        print(f"    0x{w:016x},")
    print("];")


if __name__ == "__main__":
    main()
