//! Complex square root and division.

use crate::arith::{Arith, Plain, by_size, flip, sign_bit};
use crate::block::Kernel;
use crate::root::{hypot, squares_fit};
use crate::scale::{exponent, ldexp};

pub(crate) struct CSqrt;
pub(crate) struct CDiv;

impl Kernel<2, 2> for CSqrt {
    #[inline(always)]
    fn ok([x, y]: [f64; 2]) -> bool {
        squares_fit(x, y) & ((x != 0.0) | (y != 0.0))
    }

    #[inline(always)]
    fn fast<A: Arith>([x, y]: [f64; 2]) -> [f64; 2] {
        csqrt::<A>(x, y)
    }

    fn slow([x, y]: [f64; 2]) -> [f64; 2] {
        csqrt_slow(x, y)
    }
}

impl Kernel<4, 2> for CDiv {
    #[inline(always)]
    fn ok([a, b, c, d]: [f64; 4]) -> bool {
        let zero = (c == 0.0) & (d == 0.0);
        squares_fit(a, b) & squares_fit(c, d) & !zero
    }

    #[inline(always)]
    fn fast<A: Arith>([a, b, c, d]: [f64; 4]) -> [f64; 2] {
        quotient::<A>(a, b, c, d)
    }

    fn slow([a, b, c, d]: [f64; 4]) -> [f64; 2] {
        cdiv_slow(a, b, c, d)
    }
}

/// w = √((|x| + |z|)/2) is the larger part in modulus; the other is |y|/2w.
#[inline(always)]
pub(crate) fn csqrt<A: Arith>(x: f64, y: f64) -> [f64; 2] {
    let w = (0.5 * (x.abs() + hypot::<A>(x, y))).sqrt();
    let v = 0.5 * y.abs() / w;
    let left = x < 0.0;
    let (re, im) = if left { (v, w) } else { (w, v) };
    [re, flip(im, sign_bit(y))]
}

/// C99 Annex G, and scaling by a power of four where squares do not fit.
pub(crate) fn csqrt_slow(x: f64, y: f64) -> [f64; 2] {
    if y.is_infinite() {
        return [f64::INFINITY, y];
    }
    if x == f64::INFINITY {
        return [x, if y.is_nan() { y } else { 0.0_f64.copysign(y) }];
    }
    if x == f64::NEG_INFINITY {
        return if y.is_nan() { [y, f64::INFINITY] } else { [0.0, f64::INFINITY.copysign(y)] };
    }
    if x.is_nan() || y.is_nan() {
        return [f64::NAN, f64::NAN];
    }
    if x == 0.0 && y == 0.0 {
        return [0.0, y];
    }
    let (large, _) = by_size(x, y);
    let n = exponent(large) & !1;
    let [re, im] = csqrt::<Plain>(ldexp(x, -n), ldexp(y, -n));
    [ldexp(re, n / 2), ldexp(im, n / 2)]
}

/// (a + ib)/(c + id) by the textbook formula, where the squares fit.
#[inline(always)]
fn quotient<A: Arith>(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
    let norm = A::madd(c, c, d * d);
    [A::madd(a, c, b * d) / norm, A::madd(b, c, -(a * d)) / norm]
}

/// Scaled division with the recoveries of C99 Annex G (its example G.5.1).
fn cdiv_slow(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
    let nan = [a, b, c, d].iter().any(|v| v.is_nan());
    let unit = |v: f64| {
        if v.is_infinite() { 1.0_f64.copysign(v) } else { 0.0_f64.copysign(v) }
    };
    if c == 0.0 && d == 0.0 && !(a.is_nan() && b.is_nan()) {
        let infinity = f64::INFINITY.copysign(c);
        return [infinity * a, infinity * b];
    }
    if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        let (a, b) = (unit(a), unit(b));
        return [f64::INFINITY * (a * c + b * d), f64::INFINITY * (b * c - a * d)];
    }
    if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
        let (c, d) = (unit(c), unit(d));
        return [0.0 * (a * c + b * d), 0.0 * (b * c - a * d)];
    }
    if nan || [a, b, c, d].iter().any(|v| v.is_infinite()) {
        return [f64::NAN, f64::NAN];
    }
    let of = |x: f64, y: f64| {
        let (large, _) = by_size(x, y);
        if large == 0.0 { 0 } else { exponent(large) }
    };
    let (n, m) = (of(a, b), of(c, d));
    let [re, im] = quotient::<Plain>(ldexp(a, -n), ldexp(b, -n), ldexp(c, -m), ldexp(d, -m));
    [ldexp(re, n - m), ldexp(im, n - m)]
}
