//! Natural logarithm.

use crate::arith::{Arith, Plain, estrin, fast_two_sum, two_sum};
use crate::block::Kernel;
use crate::coefficients::*;

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

fn log_slow(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x < f64::MIN_POSITIVE {
        return log::<Plain>(x * 18_014_398_509_481_984.0, -54.0);
    }
    // +inf and NaN are their own logarithms.
    if x <= f64::MAX { log::<Plain>(x, 0.0) } else { x }
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
