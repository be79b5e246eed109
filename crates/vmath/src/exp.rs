//! Exponential.

use crate::arith::{Arith, Plain, ROUNDER, estrin, fast_two_sum};
use crate::block::Kernel;
use crate::coefficients::*;
use crate::scale::ldexp;

/// Largest |x| whose exponential the fast kernel scales in one step (results stay normal).
const LIMIT: f64 = 708.0;

pub(crate) struct Exp;

impl Kernel<1, 1> for Exp {
    #[inline(always)]
    fn ok([x]: [f64; 1]) -> bool {
        in_range(x)
    }

    #[inline(always)]
    fn fast<A: Arith>([x]: [f64; 1]) -> [f64; 1] {
        let r = reduce::<A>(x);
        let q = tail::<A>(&r);
        // 1 + r rounds; what it loses joins the small terms.
        let (s, e) = fast_two_sum(1.0, r.r);
        [r.scale(s + (e + q))]
    }

    #[inline(always)]
    fn short<A: Arith>([x]: [f64; 1]) -> [f64; 1] {
        let r = reduce::<A>(x);
        let zz = r.r * r.r;
        let p = estrin!(A, r.r, zz, EXP_SHORT; [0 1 2 3] [4 5]);
        [r.scale(A::madd(zz, p, r.r) + 1.0)]
    }

    fn slow([x]: [f64; 1]) -> [f64; 1] {
        [exp_slow(x)]
    }
}

/// Whether `exp` and `expm1` hold.
#[inline(always)]
pub(crate) fn in_range(x: f64) -> bool {
    x.abs() <= LIMIT
}

/// x = n·ln 2 + r + lost.
struct Reduced {
    r: f64,
    lost: f64,
    /// n, as the low bits of a double near `ROUNDER`, and as a double.
    n_bits: u64,
    n: f64,
}

impl Reduced {
    /// y·2ⁿ for y near 1.
    #[inline(always)]
    fn scale(&self, y: f64) -> f64 {
        f64::from_bits(y.to_bits().wrapping_add(self.n_bits << 52))
    }
}

#[inline(always)]
fn reduce<A: Arith>(x: f64) -> Reduced {
    let shifted = A::madd(x, LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    // n·LN_2_1 has at most 53 bits and the difference cancels: exact with and without FMA.
    let hi = A::madd(-n, LN_2_1, x);
    let r = A::madd(-n, LN_2_2, hi);
    Reduced { r, lost: A::madd(-n, LN_2_2, hi - r), n_bits: shifted.to_bits(), n }
}

/// e^(r + lost) − 1 − r.
#[inline(always)]
fn tail<A: Arith>(x: &Reduced) -> f64 {
    let zz = x.r * x.r;
    let p = estrin!(A, x.r, zz, EXP; [0 1 2 3] [4 5 6 7] [8 9]);
    A::madd(zz, p, x.lost)
}

/// eˣ of any double.
pub(crate) fn exp_slow(x: f64) -> f64 {
    let (m, n) = exp_parts(x);
    ldexp(m, n)
}

/// eˣ = m·2ⁿ with m near 1 (m is 0, inf or NaN where eˣ is, to a factor of 2^1000 beyond the range of doubles).
pub(crate) fn exp_parts(x: f64) -> (f64, i32) {
    if x.is_nan() {
        return (x, 0);
    }
    if x > 1500.0 {
        return (f64::INFINITY, 0);
    }
    if x < -1500.0 {
        return (0.0, 0);
    }
    let r = reduce::<Plain>(x);
    let (s, e) = fast_two_sum(1.0, r.r);
    (s + (e + tail::<Plain>(&r)), r.n as i32)
}

/// eˣ − 1 for 0 ≤ x ≤ LIMIT, to 1.5 ulp or so, relative also at 0; for the hyperbolic parts of complex functions.
#[inline(always)]
pub(crate) fn expm1<A: Arith>(x: f64) -> f64 {
    let r = reduce::<A>(x);
    let power = r.scale(1.0);
    A::madd(power, r.r + tail::<A>(&r), power - 1.0)
}
