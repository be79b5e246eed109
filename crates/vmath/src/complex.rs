//! Complex exponential, sine and cosine on separate real and imaginary parts.

use crate::arith::{Arith, Plain, flip, sign_bit};
use crate::block::Kernel;
use crate::exp::{self, Exp, exp_parts, expm1_short};
use crate::scale::scaled;
use crate::trig::{self, sincos, sincos_slow};

pub(crate) struct CExp;
pub(crate) struct CSin;
pub(crate) struct CCos;

impl Kernel<2, 2> for CExp {
    #[inline(always)]
    fn ok([x, y]: [f64; 2]) -> bool {
        exp::in_range(x) & trig::in_range(y)
    }

    #[inline(always)]
    fn fast<A: Arith>([x, y]: [f64; 2]) -> [f64; 2] {
        let [e] = Exp::fast::<A>([x]);
        let (s, c) = sincos::<A>(y);
        [e * c, e * s]
    }

    fn slow([x, y]: [f64; 2]) -> [f64; 2] {
        cexp_slow(x, y)
    }
}

impl Kernel<2, 2> for CSin {
    #[inline(always)]
    fn ok([x, y]: [f64; 2]) -> bool {
        trig::in_range(x) & exp::in_range(y)
    }

    #[inline(always)]
    fn fast<A: Arith>([x, y]: [f64; 2]) -> [f64; 2] {
        let (s, c) = sincos::<A>(x);
        let (sh, ch) = sinhcosh::<A>(y);
        [s * ch, c * sh]
    }

    fn slow([x, y]: [f64; 2]) -> [f64; 2] {
        csin_slow(x, y)
    }
}

impl Kernel<2, 2> for CCos {
    #[inline(always)]
    fn ok([x, y]: [f64; 2]) -> bool {
        trig::in_range(x) & exp::in_range(y)
    }

    #[inline(always)]
    fn fast<A: Arith>([x, y]: [f64; 2]) -> [f64; 2] {
        let (s, c) = sincos::<A>(x);
        let (sh, ch) = sinhcosh::<A>(y);
        [c * ch, -(s * sh)]
    }

    fn slow([x, y]: [f64; 2]) -> [f64; 2] {
        ccos_slow(x, y)
    }
}

/// sinh y and cosh y, from m = e^|y| − 1: sinh = (m + m/(1 + m))/2 keeps its digits at 0.
#[inline(always)]
pub(crate) fn sinhcosh<A: Arith>(y: f64) -> (f64, f64) {
    let m = expm1_short::<A>(y.abs());
    let e = 1.0 + m;
    let inverse = 1.0 / e;
    let sh = 0.5 * A::madd(m, inverse, m);
    (flip(sh, sign_bit(y)), 0.5 * (e + inverse))
}

/// C99 Annex G, and results outside the normal numbers.
pub(crate) fn cexp_slow(x: f64, y: f64) -> [f64; 2] {
    if y == 0.0 {
        let [e] = Exp::slow([x]);
        return [e, y];
    }
    if !y.is_finite() {
        return match x {
            f64::NEG_INFINITY => [0.0, 0.0_f64.copysign(y)],
            f64::INFINITY => [x, f64::NAN],
            _ => [f64::NAN, f64::NAN],
        };
    }
    let (s, c) = sincos_slow(y);
    let (m, n) = exp_parts(x);
    [scaled(m, c, n), scaled(m, s, n)]
}

/// sin and cos of x with sinh and cosh of y, multiplied without overflow on the way:
/// (sin x cosh y, cos x sinh y, cos x cosh y, sin x sinh y) for finite x, y.
fn products(x: f64, y: f64) -> (f64, f64, f64, f64) {
    let (s, c) = sincos_slow(x);
    if exp::in_range(y) {
        let (sh, ch) = sinhcosh::<Plain>(y);
        return (s * ch, c * sh, c * ch, s * sh);
    }
    // sinh |y| and cosh y are e^|y|/2 to the last bit here; beyond what any sine brings back, a
    // finite factor keeps the zero of an axis.
    let (m, n) = exp_parts(y.abs().min(1500.0));
    let (big_s, big_c) = (scaled(m, s, n - 1), scaled(m, c, n - 1));
    (big_s, flip(big_c, sign_bit(y)), big_c, flip(big_s, sign_bit(y)))
}

/// C99 Annex G through sin z = −i sinh(iz).
fn csin_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_finite() && y.is_finite() {
        let (re, im, _, _) = products(x, y);
        return [re, im];
    }
    if x == 0.0 {
        return [x, y];
    }
    if y == 0.0 {
        return [f64::NAN, y];
    }
    if y.is_infinite() {
        let (s, c) = sincos_slow(x);
        return [f64::INFINITY * s, if x.is_finite() { y * c } else { y }];
    }
    [f64::NAN, f64::NAN]
}

/// C99 Annex G through cos z = cosh(iz).
fn ccos_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_finite() && y.is_finite() {
        let (_, _, re, im) = products(x, y);
        return [re, -im];
    }
    if x == 0.0 {
        // −sin x sinh y is a zero with the sign of −x·y; a NaN leaves the sign open.
        let im = flip(x, if y.is_nan() { 0 } else { sign_bit(y) ^ (1 << 63) });
        return [if y.is_nan() { f64::NAN } else { f64::INFINITY }, im];
    }
    if y == 0.0 {
        return [f64::NAN, 0.0_f64.copysign(y)];
    }
    if y.is_infinite() {
        let (s, c) = sincos_slow(x);
        return if x.is_finite() { [f64::INFINITY * c, -(y * s)] } else { [f64::INFINITY, f64::NAN] };
    }
    [f64::NAN, f64::NAN]
}
