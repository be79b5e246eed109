//! Complex logarithm: log |z| and the argument.

use crate::arith::{Arith, Plain, by_size, fast_two_sum};
use crate::block::Kernel;
use crate::coefficients::*;
use crate::inverse_trig::argument;
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

/// C99 Annex G, and scaling where squares do not fit.
pub(crate) fn clog_slow(x: f64, y: f64) -> [f64; 2] {
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
