"""Minimax fits and constants of `src/coefficients_special.rs`: the wider vocabulary (powers, erf, gamma, Bessel).

Needs mpmath only.  Run `python special.py | rustfmt > ../src/coefficients_special.rs`.
"""

import mpmath as mp
from fit import constant, emit, remez, split

ONE = mp.mpf(1)
SMALL = mp.mpf("1e-8")


def fit(name, doc, f, weight, degree, low, high, rounds=7):
    """A fit on a coarser grid than `fit.py`'s: these functions are costly."""
    coefficients, worst = remez(f, weight, degree, mp.mpf(low), mp.mpf(high), rounds, density=14)
    emit(name, doc, coefficients, worst)


def exp_cubic(r):
    """(e^r - 1 - r - r^2/2) / r^3."""
    return sum(r**k / mp.factorial(k + 3) for k in range(30))


def atanh_quintic(z):
    """(2 atanh s - 2 s - 2 s^3/3) / s^5 at z = s^2."""
    return sum(2 * z**k / (2 * k + 5) for k in range(40))


def asin_tail(z):
    """(asin x - x) / x^3 at z = x^2."""
    x = mp.sqrt(z)
    return (mp.asin(x) - x) / x**3


def atan_quintic(z):
    """(atan t - t + t^3/3) / t^5 at z = t^2."""
    return sum((-1) ** k * z**k / (2 * k + 5) for k in range(90))


def erf_tail(z):
    """(erf x - 2/sqrt(pi) x) / x^3 at z = x^2."""
    return 2 / mp.sqrt(mp.pi) * sum((-1) ** (k + 1) * z**k / (mp.factorial(k + 1) * (2 * k + 3)) for k in range(40))


def erfcx_scaled(q):
    """(1 + 2a) e^(a^2) erfc(a) where q = (a - 2)/(a + 2)."""
    a = 2 * (1 + q) / (1 - q)
    return (1 + 2 * a) * mp.exp(a * a) * mp.erfc(a)


def lgamma_at_two(t):
    """lgamma(2 + t) / t."""
    if abs(t) < mp.mpf("1e-20"):
        return 1 - mp.euler + (mp.zeta(2) - 1) / 2 * t
    return mp.loggamma(2 + t) / t


def stirling(z):
    """x (lgamma(x) - (x - 1/2) log x + x - log sqrt(2 pi)) at z = 1/x^2."""
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def digamma_tail(z):
    """(log x - 1/(2x) - digamma(x)) x^2 at z = 1/x^2."""
    x = 1 / mp.sqrt(z)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) * x * x


def inverse_erf(x):
    return mp.findroot(lambda y: mp.erf(y) - x, mp.erfinv(mp.mpf(float(x))))


def erfinv_centre(w):
    """erfinv(x) / x where w = -log(1 - x^2)."""
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


def erfinv_tail(s):
    """erfinv(x) where s^2 = -log(1 - x^2): the root of log erfc by Newton's steps, as x is 1 to many digits."""
    c = -mp.expm1(mp.log1p(-mp.exp(-s * s)) / 2)
    y = s
    for _ in range(8):
        y += mp.log(mp.erfc(y) / c) * mp.erfc(y) * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
    return y


def i0_small(z):
    return mp.besseli(0, mp.sqrt(z))


def i1_small(z):
    return mp.besseli(1, mp.sqrt(z)) / mp.sqrt(z)


def bessel_large(order):
    return lambda u: mp.besseli(order, 1 / u) * mp.exp(-1 / u) / mp.sqrt(u)


def elementary():
    half_ln2 = mp.log(2) / 2 * mp.mpf("1.0005")
    fit(
        "EXP_CUBIC",
        "(eʳ - 1 - r - r²/2)/r³ in r, |r| ≤ ln 2 / 2",
        exp_cubic,
        lambda r: abs(r) ** 3 + mp.mpf("1e-5"),
        9,
        -half_ln2,
        half_ln2,
    )
    reach = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * mp.mpf("1.0005")) ** 2
    fit("LOG_QUINTIC", "(2 atanh s - 2s - 2s³/3)/s⁵ in s², |s| ≤ 3 - 2√2", atanh_quintic, lambda z: z * z + SMALL, 7, 0, reach)
    fit("ASIN", "(asin x - x)/x³ in x², |x| ≤ 1/2", asin_tail, lambda z: z, 12, "1e-6", "0.2501")
    eighth = (mp.tan(mp.pi / 8) * mp.mpf("1.0005")) ** 2
    fit("ATAN_QUINTIC", "(atan t - t + t³/3)/t⁵ in t², |t| ≤ tan π/8", atan_quintic, lambda z: z * z + SMALL, 10, 0, eighth)
    fit("CBRT", "m^(-1/3), 1/2 ≤ m ≤ 4", lambda m: m ** (-ONE / 3), lambda m: m ** (ONE / 3), 4, "0.4999", "4.001")
    split("TWO_THIRDS", "2/3", mp.mpf(2) / 3, [None, None])
    split("THIRD", "1/3", mp.mpf(1) / 3, [None, None])
    split("INVERSE_LN_2", "1/ln 2", 1 / mp.log(2), [None, None])
    split("INVERSE_LN_10", "1/ln 10", 1 / mp.log(10), [None, None])
    split("LN_2_FULL", "ln 2", mp.log(2), [None, None])
    split("LOG10_2", "log10 2, the first part exact in products with 11-bit integers", mp.log(2) / mp.log(10), [42, None])
    constant("CUT_ATAN", "1/tan π/8", 1 / mp.tan(mp.pi / 8))
    with mp.workdps(500):
        bits = int(mp.floor(mp.log(2) * 2 / mp.pi * mp.mpf(2) ** (64 * 20)))
    print("\n/// 64 zero bits, then the bits of ln 2 · 2/π: periods of 2^(iy).")
    print("pub(crate) const LN_2_OVER_HALF_PI_BITS: [u64; 21] = [")
    for i in range(21):
        print(f"    0x{(bits >> (64 * (20 - i))) & (2**64 - 1):016x},")
    print("];")


def special():
    fit("ERF", "(erf x - 2x/√π)/x³ in x², |x| ≤ 3/4", erf_tail, lambda z: z + mp.mpf("1e-6"), 9, 0, "0.5626")
    low = (mp.mpf("0.749") - 2) / (mp.mpf("0.749") + 2)
    high = (mp.mpf("27.5") - 2) / (mp.mpf("27.5") + 2)
    fit("ERFCX", "(1 + 2a) exp(a²) erfc(a) in (a - 2)/(a + 2), 3/4 ≤ a ≤ 27.5", erfcx_scaled, lambda q: ONE, 24, low, high)
    split("TWO_OVER_ROOT_PI", "2/√π", 2 / mp.sqrt(mp.pi), [None, None])
    fit("LGAMMA", "lgamma(2 + t)/t, |t| ≤ 1/2", lgamma_at_two, lambda t: ONE, 19, "-0.5001", "0.5001")
    eighth = mp.mpf(1) / 64
    fit("STIRLING", "x (lgamma(x) - (x - ½) log x + x - log √2π) in 1/x², x ≥ 8", stirling, lambda z: mp.sqrt(z), 6, "1e-6", eighth)
    fit("DIGAMMA", "x² (log x - 1/2x - digamma x) in 1/x², x ≥ 8", digamma_tail, lambda z: z, 7, "1e-6", eighth)
    constant("HALF_LN_TWO_PI", "log √2π", mp.log(2 * mp.pi) / 2)
    constant("ROOT_PI_HALF", "√π/2", mp.sqrt(mp.pi) / 2)
    fit("ERFINV", "erfinv(x)/x in -log(1 - x²) - 2.5, to 5", lambda w: erfinv_centre(w + mp.mpf("2.5")), lambda w: ONE, 7, "-2.4999", "2.5")
    fit(
        "ERFINV_TAIL",
        "erfinv(x) in √(-log(1 - x²)) - 4, from √5 to 6.2",
        lambda s: erfinv_tail(s + 4),
        lambda s: 1 / (s + 4),
        8,
        "-1.77",
        "2.2",
    )


def bessel():
    fit("I0_SMALL", "I0(x) in x², |x| ≤ 12", i0_small, lambda z: 1 / i0_small(z), 19, 0, 144)
    fit("I1_SMALL", "I1(x)/x in x², |x| ≤ 12", i1_small, lambda z: 1 / i1_small(z), 18, "1e-6", 144)
    fit("I0_LARGE", "√x exp(-x) I0(x) in 1/x, x ≥ 12", bessel_large(0), lambda u: 1 / bessel_large(0)(u), 17, "1e-5", "0.08334")
    fit("I1_LARGE", "√x exp(-x) I1(x) in 1/x, x ≥ 12", bessel_large(1), lambda u: 1 / bessel_large(1)(u), 17, "1e-5", "0.08334")


def main():
    print("//! Coefficients and constants of the wider vocabulary, written by `fit/special.py`: change that script, not this file.")
    print("// The values are fits and splits; std's constants differ from some in the last digits or in meaning.")
    print("#![allow(clippy::approx_constant)]")
    elementary()
    special()
    bessel()


if __name__ == "__main__":
    main()
