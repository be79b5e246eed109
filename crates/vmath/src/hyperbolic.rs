//! Hyperbolic functions and their inverses.

use crate::arith::{Arith, Plain, flip, sign_bit};
use crate::block::kernels;
use crate::coefficients_special::{LN_2_FULL_1, LN_2_FULL_2};
use crate::complex::sinhcosh;
use crate::exp::{exp_pair, exp_parts, expm1_pair, expm1_short};
use crate::log::{log_of_pair, log_pair, log1p_short};
use crate::pair::Pair;
use crate::scale::ldexp;

/// Beyond this sinh |x| and cosh x are e^|x|/2, and e^|x| times 2²⁷ overflows in the products of the baseline.
const FAR: f64 = 690.0;

/// Largest |x| whose square the inverse functions form.
const LARGE: f64 = 1e150;

/// Below this, asinh x, atanh x and x are the same double.
const TINY: f64 = 1.0 / (1u64 << 28) as f64;

kernels! {
    Sinh<A>[x] 1 -> 1 {
        ok: x.abs() <= FAR,
        fast: [sinh::<A>(x)],
        short: [sinhcosh::<A>(x).0],
        slow: [flip(half_exp(x), sign_bit(x))],
    }
    Cosh<A>[x] 1 -> 1 {
        ok: x.abs() <= FAR,
        fast: [cosh::<A>(x)],
        short: [sinhcosh::<A>(x).1],
        slow: [half_exp(x)],
    }
    Tanh<A>[x] 1 -> 1 {
        ok: !x.is_nan(),
        fast: [tanh::<A>(x)],
        short: { let m = expm1_short::<A>(saturated(x)); [flip(m / (m + 2.0), sign_bit(x))] },
        slow: [x],
    }
    Asinh<A>[x] 1 -> 1 {
        ok: x.abs() <= LARGE,
        fast: [asinh::<A>(x)],
        short: [asinh_short::<A>(x)],
        slow: [flip(log_twice(x.abs()), sign_bit(x))],
    }
    Acosh<A>[x] 1 -> 1 {
        ok: (1.0..=LARGE).contains(&x),
        fast: [acosh::<A>(x)],
        short: { let t = x - 1.0; [log1p_short::<A>(t + (t * (x + 1.0)).sqrt())] },
        slow: [if x < 1.0 { f64::NAN } else { log_twice(x) }],
    }
    Atanh<A>[x] 1 -> 1 {
        ok: x.abs() < 1.0,
        fast: [atanh::<A>(x)],
        short: { let a = x.abs(); [flip(0.5 * log1p_short::<A>(2.0 * a / (1.0 - a)), sign_bit(x))] },
        slow: [if x.abs() == 1.0 { f64::INFINITY.copysign(x) } else { f64::NAN }],
    }
}

/// e^|x|/2 for |x| beyond FAR, where it is sinh |x| and cosh x.
fn half_exp(x: f64) -> f64 {
    let (m, n) = exp_parts(x.abs());
    ldexp(m, n - 1)
}

/// (m + m/(1 + m))/2 with m = e^|x| − 1: no cancellation.
#[inline(always)]
fn sinh<A: Arith>(x: f64) -> f64 {
    let m = expm1_pair::<A>(x.abs());
    let e = Pair::sum(m.hi, 1.0);
    let sum = m.add(m.div::<A>(Pair::new(e.hi, e.lo + m.lo)));
    flip(0.5 * sum.value(), sign_bit(x))
}

#[inline(always)]
fn cosh<A: Arith>(x: f64) -> f64 {
    let e = exp_pair::<A>(x.abs(), 0.0);
    let inverse = Pair::new(1.0, 0.0).div::<A>(e);
    let s = Pair::ordered(e.hi, inverse.hi);
    0.5 * (s.hi + (s.lo + (e.lo + inverse.lo)))
}

/// 2|x|, cut off where tanh is 1.
#[inline(always)]
fn saturated(x: f64) -> f64 {
    let a = 2.0 * x.abs();
    if a > 40.0 { 40.0 } else { a }
}

#[inline(always)]
fn tanh<A: Arith>(x: f64) -> f64 {
    let m = expm1_pair::<A>(saturated(x));
    let d = Pair::sum(m.hi, 2.0);
    flip(m.div::<A>(Pair::new(d.hi, d.lo + m.lo)).value(), sign_bit(x))
}

/// log 2x for x > LARGE, infinity and NaN.
fn log_twice(x: f64) -> f64 {
    if x <= f64::MAX { log_pair::<Plain>(x).add(Pair::new(LN_2_FULL_1, LN_2_FULL_2)).value() } else { x }
}

#[inline(always)]
pub(crate) fn asinh<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let root = Pair::product::<A>(a, a).plus(1.0).sqrt::<A>();
    let y = log_of_pair::<A>(root.plus(a)).value();
    flip(if a < TINY { a } else { y }, sign_bit(x))
}

/// log(1 + a + (√(a² + 1) − 1)), to 2⁻⁴⁸.
#[inline(always)]
fn asinh_short<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let z = a * a;
    flip(log1p_short::<A>(a + z / (1.0 + (1.0 + z).sqrt())), sign_bit(x))
}

#[inline(always)]
fn acosh<A: Arith>(x: f64) -> f64 {
    let root = Pair::product::<A>(x, x).plus(-1.0).sqrt::<A>();
    log_of_pair::<A>(root.plus(x)).value()
}

/// log((1 + x)/(1 − x))/2.
#[inline(always)]
fn atanh<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let ratio = Pair::sum(1.0, a).div::<A>(Pair::sum(1.0, -a));
    let y = 0.5 * log_of_pair::<A>(ratio).value();
    flip(if a < TINY { a } else { y }, sign_bit(x))
}

/// asinh of any double.
pub(crate) fn asinh_slow(x: f64) -> f64 {
    if x.abs() <= LARGE { asinh::<Plain>(x) } else { flip(log_twice(x.abs()), sign_bit(x)) }
}
