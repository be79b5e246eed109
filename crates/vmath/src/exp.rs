//! Exponential.

use crate::arith::{Arith, Plain, ROUNDER, estrin, fast_two_sum};
use crate::block::{Kernel, kernels};
use crate::coefficients::*;
use crate::coefficients_special::{EXP_CUBIC, LN_2_FULL_1, LN_2_FULL_2};
use crate::pair::Pair;
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
        let r = reduce::<A>(x, 0.0);
        let q = tail::<A>(&r);
        // 1 + r rounds; what it loses joins the small terms.
        let (s, e) = fast_two_sum(1.0, r.r);
        [r.scale(s + (e + q))]
    }

    #[inline(always)]
    fn short<A: Arith>([x]: [f64; 1]) -> [f64; 1] {
        let r = reduce::<A>(x, 0.0);
        let zz = r.r * r.r;
        let p = estrin!(A, r.r, zz, EXP_SHORT; [0 1 2 3] [4 5]);
        [r.scale(A::madd(zz, p, r.r) + 1.0)]
    }

    fn slow([x]: [f64; 1]) -> [f64; 1] {
        [exp_slow(x)]
    }
}

/// Whether the fast kernels of this file hold.
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

/// The reduction of x + low, |low| ≲ ulp(x).
#[inline(always)]
fn reduce<A: Arith>(x: f64, low: f64) -> Reduced {
    let shifted = A::madd(x, LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    // n·LN_2_1 has at most 53 bits and the difference cancels: exact with and without FMA.
    let hi = A::madd(-n, LN_2_1, x);
    let low = A::madd(-n, LN_2_2, low);
    let r = hi + low;
    Reduced { r, lost: (hi - r) + low, n_bits: shifted.to_bits(), n }
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
    let r = reduce::<Plain>(x, 0.0);
    let (s, e) = fast_two_sum(1.0, r.r);
    (s + (e + tail::<Plain>(&r)), r.n as i32)
}

/// eˣ − 1 for −60 ≤ x ≤ LIMIT, to 2 ulp or so, relative also at 0: for float32 and for the parts of complex functions.
#[inline(always)]
pub(crate) fn expm1_short<A: Arith>(x: f64) -> f64 {
    let r = reduce::<A>(x, 0.0);
    let power = r.scale(1.0);
    A::madd(power, r.r + tail::<A>(&r), power - 1.0)
}

/// e^(x + low) for |x| ≤ LIMIT and |low| ≲ ulp(x), to 2⁻⁶⁰.
#[inline(always)]
pub(crate) fn exp_pair<A: Arith>(x: f64, low: f64) -> Pair {
    let r = reduce::<A>(x, low);
    on_interval::<A>(r.r, r.lost).scale(r.scale(1.0))
}

/// `exp_pair` for |x| ≤ 1500 without its power of two: (m, n) with e^(x + low) = m·2ⁿ.
pub(crate) fn exp_pair_parts(x: f64, low: f64) -> (Pair, i32) {
    let r = reduce::<Plain>(x, low);
    (on_interval::<Plain>(r.r, r.lost), r.n as i32)
}

/// 2^x for |x| ≤ 1021.
#[inline(always)]
pub(crate) fn exp2_pair<A: Arith>(x: f64) -> Pair {
    let (n, m) = exp2_reduced::<A>(x);
    m.scale(f64::from_bits(1023u64.wrapping_add(n) << 52))
}

/// (m, n) with 2^x = m·2ⁿ.
pub(crate) fn exp2_parts(x: f64) -> (Pair, i32) {
    let (n, m) = exp2_reduced::<Plain>(x);
    (m, n as i32)
}

/// The low bits of the integer next to x, and 2 to the rest.
#[inline(always)]
fn exp2_reduced<A: Arith>(x: f64) -> (u64, Pair) {
    let shifted = x + ROUNDER;
    let t = Pair::new(LN_2_FULL_1, LN_2_FULL_2).times::<A>(x - (shifted - ROUNDER));
    (shifted.to_bits(), on_interval::<A>(t.hi, t.lo))
}

/// e^(r + lost) for |r| ≤ ln 2 / 2: 1 + r + r²/2 exactly, then the small rest.
#[inline(always)]
fn on_interval<A: Arith>(r: f64, lost: f64) -> Pair {
    let square = Pair::product::<A>(r, r);
    let zz = square.hi;
    let p = estrin!(A, r, zz, EXP_CUBIC; [0 1 2 3] [4 5 6 7] [8 9]);
    let (s, e) = fast_two_sum(1.0, r);
    let (s, f) = fast_two_sum(s, 0.5 * zz);
    let rest = A::madd(r * zz, p, A::madd(0.5, square.lo, A::madd(lost, r, lost)));
    Pair::ordered(s, (e + f) + rest)
}

kernels! {
    Exp2<A>[x] 1 -> 1 {
        ok: x.abs() <= 1021.0,
        fast: [exp2_pair::<A>(x).value()],
        short: Exp::short::<A>([x * LN_2_FULL_1]),
        slow: [exp2_slow(x)],
    }
    Expm1<A>[x] 1 -> 1 {
        ok: x <= LIMIT,
        fast: [expm1_pair::<A>(if x < -60.0 { -60.0 } else { x }).value().copysign(x)],
        short: [expm1_short::<A>(if x < -60.0 { -60.0 } else { x }).copysign(x)],
        slow: [if x.is_nan() { x } else { exp_slow(x) }],
    }
}

fn exp2_slow(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let (m, n) = exp2_parts(x.clamp(-2000.0, 2000.0));
    ldexp(m.value(), n)
}

/// eˣ − 1 for |x| ≤ LIMIT.
#[inline(always)]
pub(crate) fn expm1_pair<A: Arith>(x: f64) -> Pair {
    let e = exp_pair::<A>(x, 0.0);
    let less = Pair::sum(e.hi, -1.0);
    Pair::ordered(less.hi, less.lo + e.lo)
}
