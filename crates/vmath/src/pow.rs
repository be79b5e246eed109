//! Powers and roots: pow, cbrt, rsqrt.

use crate::arith::{Arith, Plain, ROUNDER, estrin, flip, sign_bit};
use crate::block::kernels;
use crate::coefficients_special::*;
use crate::exp::{Exp, exp_pair, exp_pair_parts};
use crate::log::{Log, log_pair};
use crate::pair::Pair;
use crate::scale::{exponent, ldexp};

kernels! {
    Pow<A>[x, y] 2 -> 1 {
        ok: pow_fits(x, y),
        fast: [flip(pow::<A>(x.abs(), y), odd(y) & sign_bit(x))],
        short: {
            let [l] = Log::fast::<A>([x.abs()]);
            let [p] = Exp::fast::<A>([y * l]);
            [flip(p, odd(y) & sign_bit(x))]
        },
        slow: [pow_slow(x, y)],
    }
    Cbrt<A>[x] 1 -> 1 {
        ok: (x.abs() >= f64::MIN_POSITIVE) & (x.abs() <= f64::MAX) | (x == 0.0),
        fast: [flip(if x == 0.0 { 0.0 } else { cbrt::<A>(x.abs()) }, sign_bit(x))],
        slow: [if x.is_finite() { ldexp(flip(cbrt::<Plain>(x.abs() * 18_014_398_509_481_984.0), sign_bit(x)), -18) } else { x }],
    }
    Rsqrt<A>[x] 1 -> 1 {
        ok: (1e-290..=1e290).contains(&x),
        fast: [rsqrt::<A>(x)],
        short: [1.0 / x.sqrt()],
        slow: [rsqrt_slow(x)],
    }
}

/// Whether x^y is between 2⁻¹⁰⁰⁰ and 2¹⁰⁰⁰ by the exponent of x, and real.
#[inline(always)]
fn pow_fits(x: f64, y: f64) -> bool {
    let a = x.abs();
    // The biased exponent under that of 2⁵², as in `split`.
    let k = f64::from_bits((a.to_bits() >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let normal = (f64::MIN_POSITIVE..=f64::MAX).contains(&a);
    let small = (k.abs() + 1.0) * y.abs() <= 1000.0;
    normal & small & ((x > 0.0) | ((y + ROUNDER) - ROUNDER == y))
}

/// The sign bit of (−1)^y for an integer |y| < 2⁵¹.
#[inline(always)]
fn odd(y: f64) -> u64 {
    (y + ROUNDER).to_bits() << 63
}

/// x^y for x > 0: the logarithm to 2⁻⁶⁶ leaves 2⁻⁵⁶ after multiplication by y log x ≤ 700.
#[inline(always)]
fn pow<A: Arith>(x: f64, y: f64) -> f64 {
    let p = log_pair::<A>(x).times::<A>(y);
    exp_pair::<A>(p.hi, p.lo).value()
}

/// C99 F.10.4.4, and whatever over- or underflows.
fn pow_slow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let a = x.abs();
    if y.is_infinite() {
        return if a == 1.0 {
            1.0
        } else if (a > 1.0) == (y > 0.0) {
            f64::INFINITY
        } else {
            0.0
        };
    }
    let integer = y.trunc() == y;
    let is_odd = integer && y.abs() < 9_007_199_254_740_992.0 && (y as i64) & 1 != 0;
    let sign = if is_odd { sign_bit(x) } else { 0 };
    if a == 0.0 || a.is_infinite() {
        return flip(if (a == 0.0) == (y > 0.0) { 0.0 } else { f64::INFINITY }, sign);
    }
    if x < 0.0 && !integer {
        return f64::NAN;
    }
    flip(pow_positive(a, y), sign)
}

/// x^y for finite positive x and finite y.
fn pow_positive(x: f64, y: f64) -> f64 {
    if x == 1.0 {
        return 1.0;
    }
    let subnormal = x < f64::MIN_POSITIVE;
    let n = if subnormal { 54 } else { 0 };
    let l = log_pair::<Plain>(ldexp(x, n)).add(Pair::new(LN_2_FULL_1, LN_2_FULL_2).times::<Plain>(-f64::from(n)));
    // |log x| ≥ 2⁻⁵³ unless it is 0.
    if (y * l.hi).abs() > 1500.0 {
        return if y * l.hi > 0.0 { f64::INFINITY } else { 0.0 };
    }
    let p = l.times::<Plain>(y);
    let (m, n) = exp_pair_parts(p.hi, p.lo);
    ldexp(m.value(), n)
}

/// ∛x for a positive normal x: m^(−1/3) by a polynomial and two steps of third order, then one correction of m·y².
#[inline(always)]
fn cbrt<A: Arith>(x: f64) -> f64 {
    // x = 2^(3j)·m with m in [1/2, 4): the exponent over three, rounded, as integers held in doubles.
    let e = f64::from_bits((x.to_bits() >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let shifted = A::madd(e, THIRD_1, ROUNDER);
    let j = shifted.to_bits();
    let m = f64::from_bits(x.to_bits().wrapping_sub(j.wrapping_mul(3) << 52));
    let y = estrin!(A, m, m * m, CBRT; [0 1 2 3] [4]);
    let y = inverse_step::<A>(inverse_step::<A>(y, m), m);
    let yy = y * y;
    let t = m * yy;
    let square = Pair::product::<A>(t, t);
    let cube = Pair::product::<A>(square.hi, t);
    let rest = (m - cube.hi) - A::madd(square.lo, t, cube.lo);
    let root = A::madd(rest, yy * THIRD_1, t);
    f64::from_bits(root.to_bits().wrapping_add(j << 52))
}

/// y(1 + h/3 + 2h²/9), h = 1 − m·y³: an error e of m^(−1/3) becomes about 5e³.
#[inline(always)]
fn inverse_step<A: Arith>(y: f64, m: f64) -> f64 {
    let h = A::madd(-(m * y), y * y, 1.0);
    A::madd(y * h, A::madd(h, 2.0 / 9.0, THIRD_1), y)
}

#[inline(always)]
fn rsqrt<A: Arith>(x: f64) -> f64 {
    let y = 1.0 / x.sqrt();
    let square = Pair::product::<A>(y, y);
    let p = Pair::product::<A>(x, square.hi);
    let rest = (1.0 - p.hi) - A::madd(x, square.lo, p.lo);
    A::madd(0.5 * y, rest, y)
}

fn rsqrt_slow(x: f64) -> f64 {
    if x == 0.0 || x.is_infinite() {
        return 1.0 / x.sqrt();
    }
    if x < 0.0 || x.is_nan() {
        return f64::NAN;
    }
    let n = exponent(x) & !1;
    ldexp(rsqrt::<Plain>(ldexp(x, -n)), -n / 2)
}
