//! Complex logarithm: log |z| and the argument.

use crate::arith::{Arith, Plain, by_size, estrin, fast_two_sum, flip, mask, sign_bit, two_sum};
use crate::block::Kernel;
use crate::coefficients::*;
use crate::log::log_sum;
use crate::root::{squares_fit, sum_of_squares};
use crate::scale::{exponent, ldexp};

pub(crate) struct CLog;

impl Kernel<2, 2> for CLog {
    #[inline(always)]
    fn ok([x, y]: [f64; 2]) -> bool {
        squares_fit(x, y) & ((x != 0.0) | (y != 0.0))
    }

    /// x² + y² in two doubles, so that log |z| is exact enough where |z| is near 1.
    #[inline(always)]
    fn fast<A: Arith>([x, y]: [f64; 2]) -> [f64; 2] {
        let (s, e) = sum_of_squares::<A>(x, y);
        let (s, e) = fast_two_sum(s, e);
        [0.5 * log_sum::<A>(s, e), argument::<A>(y, x)]
    }

    fn slow([x, y]: [f64; 2]) -> [f64; 2] {
        clog_slow(x, y)
    }
}

/// The angle of x + iy to about 1.5 ulp, for finite x, y not both 0; y = ±0 keeps its sign on the negative axis.
#[inline(always)]
fn argument<A: Arith>(y: f64, x: f64) -> f64 {
    let (large, small) = by_size(x, y);
    // atan(small/large) = π/4 + atan((small − large)/(small + large)) where the ratio is above tan π/8.
    let upper = small > TAN_EIGHTH_PI * large;
    let (num, den) = if upper { (small - large, small + large) } else { (small, large) };
    let t = num / den;
    let z = t * t;
    let p = estrin!(A, z, z * z, ATAN; [0 1 2 3] [4 5 6 7] [8 9 10]);
    let pick = |v: f64, condition: bool| f64::from_bits(v.to_bits() & mask(condition));
    let low = A::madd(t * z, p, pick(QUARTER_PI_2, upper));
    // The reflections at the diagonal and at the imaginary axis: a sign and an offset.
    let steep = x.abs() < y.abs();
    let sign = (steep as u64) << 63;
    let left = sign_bit(x);
    let base = pick(QUARTER_PI_1, upper);
    // angle = offset ± (base + t + low), offset 0, π/2 or π.
    let offset = pick(HALF_PI_1, steep) + pick(if steep { 0.0 } else { PI_1 }, left != 0);
    let offset_low = pick(HALF_PI_2, steep) + pick(if steep { 0.0 } else { PI_2 }, left != 0);
    let turn = if steep { sign ^ left } else { left };
    let (hi, lo) = fast_two_sum(offset, flip(base, turn));
    let (hi, lo2) = two_sum(hi, flip(t, turn));
    let angle = hi + (lo + lo2 + offset_low + flip(low, turn));
    flip(angle, sign_bit(y))
}

/// C99 Annex G, and scaling where squares do not fit.
fn clog_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_infinite() || y.is_infinite() {
        // The angle of (±inf or finite, ±inf or finite) is that of (±1 or 0, ±1 or 0).
        let unit = |v: f64| {
            if v.is_infinite() { 1.0_f64.copysign(v) } else { 0.0_f64.copysign(v) }
        };
        let nan = x.is_nan() || y.is_nan();
        return [f64::INFINITY, if nan { f64::NAN } else { argument::<Plain>(unit(y), unit(x)) }];
    }
    if x.is_nan() || y.is_nan() {
        return [f64::NAN, f64::NAN];
    }
    if x == 0.0 && y == 0.0 {
        let angle = if x.is_sign_negative() { PI_1 } else { 0.0 };
        return [f64::NEG_INFINITY, angle.copysign(y)];
    }
    let (large, _) = by_size(x, y);
    let n = exponent(large);
    let (a, b) = (ldexp(x, -n), ldexp(y, -n));
    let (s, e) = sum_of_squares::<Plain>(a, b);
    let half = 0.5 * log_sum::<Plain>(s, e);
    [f64::from(n) * LN_2_1 + (f64::from(n) * LN_2_2 + half), argument::<Plain>(b, a)]
}
