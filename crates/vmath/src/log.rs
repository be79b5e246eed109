//! Natural logarithm.

use crate::arith::{Arith, Plain, estrin, fast_two_sum, two_sum};
use crate::block::{Kernel, kernels};
use crate::coefficients::*;
use crate::coefficients_special::*;
use crate::pair::Pair;

pub(crate) struct Log;

impl Kernel<1, 1> for Log {
    #[inline(always)]
    fn ok([x]: [f64; 1]) -> bool {
        (f64::MIN_POSITIVE..=f64::MAX).contains(&x)
    }

    #[inline(always)]
    fn fast<A: Arith>([x]: [f64; 1]) -> [f64; 1] {
        [log::<A>(x, 0.0)]
    }

    #[inline(always)]
    fn short<A: Arith>([x]: [f64; 1]) -> [f64; 1] {
        let (k, m) = split(x);
        let f = m - 1.0;
        let s = f / (2.0 + f);
        let z = s * s;
        let p = estrin!(A, z, z * z, LOG_SHORT; [0 1 2 3]);
        [A::madd(k, LN_2_1, A::madd(s * z, p, s + s))]
    }

    fn slow([x]: [f64; 1]) -> [f64; 1] {
        [log_slow(x)]
    }
}

/// log x + extra·ln 2 for a positive normal x.
#[inline(always)]
fn log<A: Arith>(x: f64, extra: f64) -> f64 {
    let (k, m) = split(x);
    on_octave::<A>(k + extra, m - 1.0, 0.0)
}

pub(crate) fn log_slow(x: f64) -> f64 {
    slow_by(x, log::<Plain>)
}

/// A logarithm of any double; `log(x, e)` is that of x·2ᵉ for a positive normal x.
fn slow_by(x: f64, log: impl Fn(f64, f64) -> f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x < f64::MIN_POSITIVE {
        return log(x * 18_014_398_509_481_984.0, -54.0);
    }
    // +inf and NaN are their own logarithms.
    if x <= f64::MAX { log(x, 0.0) } else { x }
}

/// Bits of √½, below which a significand is doubled.
const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// x = 2ᵏ·m, m in [√½, √2), for a positive normal x.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let shifted = x.to_bits().wrapping_sub(ROOT_HALF).wrapping_add(1023 << 52);
    let biased = shifted >> 52;
    // An integer below 2⁵² put under the exponent of 2⁵² is that double: AVX2 converts no 64-bit integers.
    let k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits(x.to_bits().wrapping_sub(biased.wrapping_sub(1023) << 52));
    (k, m)
}

/// log(x + tail) for a positive normal x and |tail| ≤ ulp(x): the logarithm of a sum of squares, which keeps full
/// relative accuracy near 1.
#[inline(always)]
pub(crate) fn log_sum<A: Arith>(x: f64, tail: f64) -> f64 {
    let (k, m) = split(x);
    // m = x·2⁻ᵏ, and the difference of their bits is k in the exponent's place.
    let inverse = f64::from_bits((1023u64 << 52).wrapping_sub(x.to_bits().wrapping_sub(m.to_bits())));
    let (f, f_tail) = two_sum(m - 1.0, tail * inverse);
    on_octave::<A>(k, f, f_tail)
}

/// k·ln 2 + log(1 + f + f_tail), −0.3 < f < 0.42.
///
/// With s = f/(2 + f): log(1 + f) = f − f²/2 + s·(f²/2 + R(s²)), fdlibm's arrangement of 2 atanh s.
#[inline(always)]
fn on_octave<A: Arith>(k: f64, f: f64, f_tail: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    let p = estrin!(A, z, z * z, LOG; [0 1 2 3] [4 5 6]);
    let (hi, lo) = fast_two_sum(k * LN_2_1, f);
    let small = A::madd(k, LN_2_2, lo + f_tail);
    hi + (small - A::madd(-s, A::madd(z, p, half), half))
}

/// log x for a positive normal x, to 2⁻⁶⁶ relative.
#[inline(always)]
pub(crate) fn log_pair<A: Arith>(x: f64) -> Pair {
    let (k, m) = split(x);
    whole(k, long_octave::<A>(Pair::new(m - 1.0, 0.0)))
}

/// log x for a positive pair up to 2¹⁰⁰⁰, to 2⁻⁵⁶; relative also where x − 1 is tiny.
#[inline(always)]
pub(crate) fn log_of_pair<A: Arith>(x: Pair) -> Pair {
    let (k, f) = split_pair(x);
    whole(k, octave::<A>(f))
}

/// `log_of_pair` to 2⁻⁶⁶.
#[inline(always)]
pub(crate) fn long_log_of_pair<A: Arith>(x: Pair) -> Pair {
    let (k, f) = split_pair(x);
    whole(k, long_octave::<A>(f))
}

/// (k, f) with x = 2ᵏ(1 + f).
#[inline(always)]
fn split_pair(x: Pair) -> (f64, Pair) {
    let (k, m) = split(x.hi);
    let inverse = f64::from_bits((1023u64 << 52).wrapping_sub(x.hi.to_bits().wrapping_sub(m.to_bits())));
    (k, Pair::sum(m - 1.0, x.lo * inverse))
}

/// k·ln 2 + low.
#[inline(always)]
fn whole(k: f64, low: Pair) -> Pair {
    let s = Pair::ordered(k * LN_2_1, low.hi);
    Pair::ordered(s.hi, s.lo + (k * LN_2_2 + low.lo))
}

/// log(1 + f), −0.3 < f < 0.42, as `on_octave` has it, but for f − f²/2 in a pair.
#[inline(always)]
fn octave<A: Arith>(f: Pair) -> Pair {
    let s = f.hi / (2.0 + f.hi);
    let z = s * s;
    let p = estrin!(A, z, z * z, LOG; [0 1 2 3] [4 5 6]);
    let half = Pair::product::<A>(f.hi, 0.5 * f.hi);
    let line = Pair::ordered(f.hi, -half.hi);
    // The derivative 1/(1 + f) is (1 − s)/(1 + s).
    let moved = f.lo * A::madd(2.0 * s, s - 1.0, 1.0);
    Pair::ordered(line.hi, A::madd(s, A::madd(z, p, half.hi), line.lo - half.lo + moved))
}

/// log(1 + f), −0.3 < f < 0.42, from s = f/(2 + f): 2s + s³(2/3 + s²T), the first two terms in pairs.
#[inline(always)]
fn long_octave<A: Arith>(f: Pair) -> Pair {
    let d = Pair::ordered(2.0, f.hi);
    let s = f.div::<A>(Pair::new(d.hi, d.lo + f.lo));
    let z = Pair::product::<A>(s.hi, s.hi);
    let z = Pair::new(z.hi, A::madd(2.0 * s.hi, s.lo, z.lo));
    let t = estrin!(A, z.hi, z.hi * z.hi, LOG_QUINTIC; [0 1 2 3] [4 5 6 7]);
    let p = Pair::product::<A>(z.hi, t);
    let w = Pair::ordered(TWO_THIRDS_1, p.hi);
    let w = Pair::new(w.hi, w.lo + (A::madd(z.lo, t, p.lo) + TWO_THIRDS_2));
    let q = Pair::product::<A>(z.hi, w.hi);
    let q = Pair::new(q.hi, q.lo + A::madd(z.hi, w.lo, z.lo * w.hi));
    let u = Pair::product::<A>(s.hi, q.hi);
    let u = Pair::new(u.hi, u.lo + A::madd(s.hi, q.lo, s.lo * q.hi));
    let h = Pair::ordered(2.0 * s.hi, u.hi);
    Pair::new(h.hi, h.lo + A::madd(2.0, s.lo, u.lo))
}

/// Logarithm to the base 2: exact at powers of two.
#[inline(always)]
fn log2<A: Arith>(x: f64, extra: f64) -> f64 {
    let (k, m) = split(x);
    let l = octave::<A>(Pair::new(m - 1.0, 0.0)).mul::<A>(Pair::new(INVERSE_LN_2_1, INVERSE_LN_2_2));
    let s = Pair::ordered(k + extra, l.hi);
    s.hi + (s.lo + l.lo)
}

#[inline(always)]
fn log10<A: Arith>(x: f64, extra: f64) -> f64 {
    let (k, m) = split(x);
    let k = k + extra;
    let l = octave::<A>(Pair::new(m - 1.0, 0.0)).mul::<A>(Pair::new(INVERSE_LN_10_1, INVERSE_LN_10_2));
    let s = Pair::ordered(k * LOG10_2_1, l.hi);
    s.hi + (s.lo + A::madd(k, LOG10_2_2, l.lo))
}

/// Where 1 + x is x: log1p is log.
const LARGE: f64 = 1e300;

/// log(1 + x) for −1 < x ≤ LARGE.
#[inline(always)]
pub(crate) fn log1p<A: Arith>(x: f64) -> f64 {
    let y = log_of_pair::<A>(Pair::sum(1.0, x)).value();
    // The quotient inside loses bits of subnormals, and +0 + −0 the sign.
    if x.abs() < f64::EPSILON / 8.0 { x } else { y }
}

/// log(1 + x) to 2⁻⁵⁰.
#[inline(always)]
pub(crate) fn log1p_short<A: Arith>(x: f64) -> f64 {
    let u = Pair::sum(1.0, x);
    let y = log_sum::<A>(u.hi, u.lo);
    if x == 0.0 { x } else { y }
}

kernels! {
    Log2<A>[x] 1 -> 1 {
        ok: Log::ok([x]),
        fast: [log2::<A>(x, 0.0)],
        short: { let [y] = Log::short::<A>([x]); [y * LOG2_E] },
        slow: [slow_by(x, log2::<Plain>)],
    }
    Log10<A>[x] 1 -> 1 {
        ok: Log::ok([x]),
        fast: [log10::<A>(x, 0.0)],
        short: { let [y] = Log::short::<A>([x]); [y * INVERSE_LN_10_1] },
        slow: [slow_by(x, log10::<Plain>)],
    }
    Log1p<A>[x] 1 -> 1 {
        ok: (x > -1.0) & (x <= LARGE),
        fast: [log1p::<A>(x)],
        short: [log1p_short::<A>(x)],
        slow: [if x > -1.0 && x <= LARGE { log1p::<Plain>(x) } else { log_slow(if x < LARGE { 1.0 + x } else { x }) }],
    }
}
