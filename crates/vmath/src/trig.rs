//! Sine and cosine.

use crate::arith::{Arith, Plain, ROUNDER, estrin, flip, mask, sign_bit, two_sum};
use crate::block::{Kernel, kernels};
use crate::coefficients::*;
use crate::pair::Pair;
use crate::payne_hanek;

/// Largest |x| of the fast reduction: its quotient has 20 bits.
const LIMIT: f64 = 1e6;

/// A kernel that takes its results from the pair (sin, cos).
macro_rules! circular {
    ($($name:ident<$o:literal>: |$s:ident, $c:ident| $pick:expr;)+) => {$(
        pub(crate) struct $name;

        impl Kernel<1, $o> for $name {
            const STAGED: bool = true;

            #[inline(always)]
            fn ok([x]: [f64; 1]) -> bool {
                in_range(x)
            }

            #[inline(always)]
            fn fast<A: Arith>([x]: [f64; 1]) -> [f64; $o] {
                let ($s, $c) = sincos::<A>(x);
                $pick
            }

            #[inline(always)]
            fn reduce<A: Arith>([x]: [f64; 1]) -> [f64; 3] {
                reduce::<A>(x.abs())
            }

            #[inline(always)]
            fn finish<A: Arith>([x]: [f64; 1], state: [f64; 3]) -> [f64; $o] {
                let ($s, $c) = finish::<A>(x, state);
                $pick
            }

            #[inline(always)]
            fn short<A: Arith>([x]: [f64; 1]) -> [f64; $o] {
                let ($s, $c) = sincos_short::<A>(x);
                $pick
            }

            fn slow([x]: [f64; 1]) -> [f64; $o] {
                let ($s, $c) = sincos_slow(x);
                $pick
            }
        }
    )+};
}

circular! {
    Sin<1>: |s, _c| [s];
    Cos<1>: |_s, c| [c];
    SinCos<2>: |s, c| [s, c];
}

/// Whether the fast reduction holds.
#[inline(always)]
pub(crate) fn in_range(x: f64) -> bool {
    x.abs() <= LIMIT
}

/// sin and cos for |x| ≤ LIMIT.  The sign of x is set aside: results are exactly odd and even, and −0 is kept.
#[inline(always)]
pub(crate) fn sincos<A: Arith>(x: f64) -> (f64, f64) {
    finish::<A>(x, reduce::<A>(x.abs()))
}

/// sin and cos of x, reduced to `state`.
#[inline(always)]
fn finish<A: Arith>(x: f64, [shifted, r, tail]: [f64; 3]) -> (f64, f64) {
    let (s, c) = on_eighth::<A>(r, tail);
    turn(s, c, shifted.to_bits(), sign_bit(x))
}

/// sin and cos of any double.
pub(crate) fn sincos_slow(x: f64) -> (f64, f64) {
    if !x.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    if in_range(x) {
        return sincos::<Plain>(x);
    }
    sincos_turns(x, &TWO_OVER_PI_BITS)
}

/// sin and cos of a pair, |hi| ≤ LIMIT.
#[inline(always)]
pub(crate) fn sincos_pair<A: Arith>(x: Pair) -> (f64, f64) {
    let [shifted, r, tail] = reduce::<A>(x.hi.abs());
    // The low part may be far above ulp(r), and `on_eighth` wants a tail below.
    let (r, tail) = two_sum(r, tail + flip(x.lo, sign_bit(x.hi)));
    finish::<A>(x.hi, [shifted, r, tail])
}

/// sin and cos of any finite pair.
pub(crate) fn sincos_of_any_pair(x: Pair) -> (f64, f64) {
    if in_range(x.hi) {
        return sincos_pair::<Plain>(x);
    }
    if !x.hi.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    // The low part of a number beyond 2⁵³ may be many turns.
    if x.lo.abs() > 0.25 {
        let ((s, c), (t, k)) = (sincos_slow(x.hi), sincos_slow(x.lo));
        return (s * k + c * t, c * k - s * t);
    }
    let (quadrant, r, tail) = payne_hanek::reduce(x.hi.abs());
    let (r, tail) = two_sum(r, tail + flip(x.lo, sign_bit(x.hi)));
    let (s, c) = on_eighth::<Plain>(r, tail);
    turn(s, c, quadrant, sign_bit(x.hi))
}

/// sin and cos of a finite x beyond LIMIT times the constant of `table` (as `payne_hanek::reduce_by` takes it).
pub(crate) fn sincos_turns(x: f64, table: &[u64; 21]) -> (f64, f64) {
    let (quadrant, r, tail) = payne_hanek::reduce_by(x.abs(), table);
    let (s, c) = on_eighth::<Plain>(r, tail);
    turn(s, c, quadrant, sign_bit(x))
}

/// x = n·π/2 + r + tail with |r| ≤ π/4: a number whose low two bits are those of n, r, and tail.  Cody and Waite's reduction; the
/// parts of π/2 make the first difference exact, and the tail keeps r good to 2⁻¹⁰⁰ next to multiples of π/2.
#[inline(always)]
fn reduce<A: Arith>(x: f64) -> [f64; 3] {
    let shifted = A::madd(x, TWO_OVER_PI, ROUNDER);
    let n = shifted - ROUNDER;
    if A::FUSED {
        // For |x| ≥ 1/2 both x and n·HALF_PI_1 are multiples of 2⁻⁵³, and the difference is below 1.
        let t = A::madd(-n, HALF_PI_1, x);
        let (p, p_tail) = A::two_prod(n, HALF_PI_2);
        let (r, e) = two_sum(t, -p);
        [shifted, r, A::madd(-n, HALF_PI_3, e - p_tail)]
    } else {
        let t = x - n * HALF_PI_CUT_1;
        let (t, e) = two_sum(t, -(n * HALF_PI_CUT_2));
        let (r, f) = two_sum(t, -(n * HALF_PI_CUT_3));
        [shifted, r, (e + f) - n * HALF_PI_CUT_4]
    }
}

/// sin and cos of r + tail, |r| ≤ π/4.
#[inline(always)]
fn on_eighth<A: Arith>(r: f64, tail: f64) -> (f64, f64) {
    let z = r * r;
    let zz = z * z;
    let half = 0.5 * z;
    let ps = estrin!(A, z, zz, SIN; [0 1 2 3] [4 5]);
    let pc = estrin!(A, z, zz, COS; [0 1 2 3] [4 5]);
    // sin(r + t) = r + (r³S + t(1 − r²/2)); what is added to r is below r/8, so its rounding hardly counts.
    let s = r + A::madd(r * z, ps, A::madd(-half, tail, tail));
    // cos(r + t) = (1 − r²/2) + (r⁴C − r t), with the rounding of the first difference put back.
    let w = 1.0 - half;
    let lost = (1.0 - w) - half;
    let c = w + A::madd(zz, pc, A::madd(-r, tail, lost));
    (s, c)
}

/// sin and cos of r + tail in pairs, to 2⁻⁵⁷.
#[inline(always)]
fn eighth_pair<A: Arith>(r: f64, tail: f64) -> (Pair, Pair) {
    let square = Pair::product::<A>(r, r);
    let z = square.hi;
    let zz = z * z;
    let half = 0.5 * z;
    let ps = estrin!(A, z, zz, SIN; [0 1 2 3] [4 5]);
    let pc = estrin!(A, z, zz, COS; [0 1 2 3] [4 5]);
    let s = Pair::ordered(r, A::madd(r * z, ps, A::madd(-half, tail, tail)));
    let w = Pair::ordered(1.0, -half);
    let low = A::madd(zz, pc, A::madd(-r, tail, A::madd(-0.5, square.lo, w.lo)));
    (s, Pair::ordered(w.hi, low))
}

/// tan of ±(n·π/2 + r + tail), n in the low bits of `quadrant`.
#[inline(always)]
fn tan_reduced<A: Arith>(quadrant: u64, r: f64, tail: f64, sign: u64) -> f64 {
    let (s, c) = eighth_pair::<A>(r, tail);
    let swap = mask(quadrant & 1 != 0);
    let choose = |a: f64, b: f64| f64::from_bits(a.to_bits() ^ ((a.to_bits() ^ b.to_bits()) & swap));
    let num = Pair::new(choose(s.hi, c.hi), choose(s.lo, c.lo));
    let den = Pair::new(choose(c.hi, s.hi), choose(c.lo, s.lo));
    flip(num.div::<A>(den).value(), sign ^ (quadrant << 63))
}

/// tan x for |x| ≤ LIMIT.
#[inline(always)]
fn tan<A: Arith>(x: f64) -> f64 {
    let [shifted, r, tail] = reduce::<A>(x.abs());
    tan_reduced::<A>(shifted.to_bits(), r, tail, sign_bit(x))
}

kernels! {
    Tan<A>[x] 1 -> 1 {
        ok: in_range(x),
        fast: [tan::<A>(x)],
        short: { let (s, c) = sincos_short::<A>(x); [s / c] },
        slow: [tan_slow(x)],
    }
}

fn tan_slow(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if in_range(x) {
        return tan::<Plain>(x);
    }
    let (quadrant, r, tail) = payne_hanek::reduce(x.abs());
    tan_reduced::<Plain>(quadrant, r, tail, sign_bit(x))
}

/// Moves (sin r, cos r) to its quadrant; `sign` is the sign bit of the original argument.
#[inline(always)]
fn turn(s: f64, c: f64, quadrant: u64, sign: u64) -> (f64, f64) {
    let (a, b) = (s.to_bits(), c.to_bits());
    let swap = (a ^ b) & mask(quadrant & 1 != 0);
    let sin = (a ^ swap) ^ ((quadrant & 2) << 62) ^ sign;
    let cos = (b ^ swap) ^ ((quadrant.wrapping_add(1) & 2) << 62);
    (f64::from_bits(sin), f64::from_bits(cos))
}

/// `sincos` good to 2⁻³⁷ for float32 arguments, whose distance from multiples of π/2 is above 2⁻⁴⁸.
#[inline(always)]
fn sincos_short<A: Arith>(x: f64) -> (f64, f64) {
    let sign = sign_bit(x);
    let x = x.abs();
    let shifted = A::madd(x, TWO_OVER_PI, ROUNDER);
    let n = shifted - ROUNDER;
    let t = A::madd(-n, HALF_PI_CUT_1, x);
    let r = A::madd(-n, HALF_PI_CUT_2 + HALF_PI_CUT_3, t);
    let z = r * r;
    let zz = z * z;
    let s = A::madd(r * z, estrin!(A, z, zz, SIN_SHORT; [0 1 2 3]), r);
    let c = A::madd(zz, estrin!(A, z, zz, COS_SHORT; [0 1 2 3]), 1.0 - 0.5 * z);
    turn(s, c, shifted.to_bits(), sign)
}
