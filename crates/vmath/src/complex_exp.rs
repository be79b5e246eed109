//! Complex expm1, exp2, log1p, log2, log10.

use crate::arith::{Arith, Plain};
use crate::block::{Kernel, kernels};
use crate::coefficients_special::*;
use crate::complex::cexp_slow;
use crate::complex_log::{CLog, clog_slow};
use crate::exp::{self, Exp2, exp_pair, exp2_pair, exp2_parts};
use crate::inverse_trig::argument;
use crate::log::log_of_pair;
use crate::pair::Pair;
use crate::root::sum_of_squares;
use crate::scale::ldexp;
use crate::trig::{self, sincos, sincos_pair, sincos_slow, sincos_turns};

/// Largest part whose square log1p forms.
const LARGE: f64 = 1e150;

kernels! {
    CExpm1<A>[x, y] 2 -> 2 {
        ok: exp::in_range(x) & trig::in_range(y),
        fast: cexpm1::<A>(x, sincos::<A>(y)),
        slow: cexpm1_slow(x, y),
    }
    CExp2<A>[x, y] 2 -> 2 {
        ok: (x.abs() <= 1021.0) & trig::in_range(y),
        fast: cexp2::<A>(x, y),
        slow: cexp2_slow(x, y),
    }
    CLog1p<A>[x, y] 2 -> 2 {
        ok: (x.abs() <= LARGE) & (y.abs() <= LARGE) & ((1.0 + x != 0.0) | (y.abs() >= 1.0 / LARGE)),
        fast: clog1p::<A>(x, y),
        slow: clog_slow(1.0 + x, y),
    }
    CLog2<A>[x, y] 2 -> 2 {
        ok: CLog::ok([x, y]),
        fast: clog_to::<A>(x, y, Pair::new(INVERSE_LN_2_1, INVERSE_LN_2_2)),
        slow: clog_slow(x, y).map(|v| v * INVERSE_LN_2_1),
    }
    CLog10<A>[x, y] 2 -> 2 {
        ok: CLog::ok([x, y]),
        fast: clog_to::<A>(x, y, Pair::new(INVERSE_LN_10_1, INVERSE_LN_10_2)),
        slow: clog_slow(x, y).map(|v| v * INVERSE_LN_10_1),
    }
}

/// Real part (eˣ − 1) cos y + (cos y − 1), where cos y − 1 is −sin² y/(1 + cos y) if it would cancel.
#[inline(always)]
fn cexpm1<A: Arith>(x: f64, (s, c): (f64, f64)) -> [f64; 2] {
    let e = exp_pair::<A>(x, 0.0);
    let less = Pair::sum(e.hi, -1.0);
    let m = less.hi + (less.lo + e.lo);
    let turned = if c > 0.0 { -(s * s) / (1.0 + c) } else { c - 1.0 };
    // x itself at y = 0 keeps the sign of zero.
    let re = if s == 0.0 { m.copysign(x) } else { A::madd(m, c, turned) };
    [re, e.hi * s]
}

fn cexpm1_slow(x: f64, y: f64) -> [f64; 2] {
    if exp::in_range(x) && y.is_finite() {
        return cexpm1::<Plain>(x, sincos_slow(y));
    }
    let [re, im] = cexp_slow(x, y);
    [re - 1.0, im]
}

/// 2ˣ·e^(iy ln 2), y ln 2 in a pair: its rounding would turn the result.
#[inline(always)]
fn cexp2<A: Arith>(x: f64, y: f64) -> [f64; 2] {
    let e = exp2_pair::<A>(x).value();
    let turn = Pair::new(LN_2_FULL_1, LN_2_FULL_2).times::<A>(y);
    let (s, c) = sincos_pair::<A>(turn);
    // y itself at 0 keeps its sign.
    [e * c, if y == 0.0 { y } else { e * s }]
}

fn cexp2_slow(x: f64, y: f64) -> [f64; 2] {
    if y == 0.0 {
        let [e] = Exp2::slow([x]);
        return [e, y];
    }
    if !y.is_finite() {
        return cexp_slow(x, y);
    }
    let (s, c) = if trig::in_range(y) {
        sincos_pair::<Plain>(Pair::new(LN_2_FULL_1, LN_2_FULL_2).times::<Plain>(y))
    } else {
        sincos_turns(y, &LN_2_OVER_HALF_PI_BITS)
    };
    if x.is_nan() {
        return [x, x];
    }
    let (m, n) = exp2_parts(x.clamp(-3000.0, 3000.0));
    [ldexp(m.value() * c, n), ldexp(m.value() * s, n)]
}

/// (1 + x)² + y² in a pair, so that the logarithm is right where it is near 0.
#[inline(always)]
fn clog1p<A: Arith>(x: f64, y: f64) -> [f64; 2] {
    let u = Pair::sum(1.0, x);
    let norm = u.mul::<A>(u).add(Pair::product::<A>(y, y));
    let re = 0.5 * log_of_pair::<A>(norm).value();
    [if (x == 0.0) & (y == 0.0) { x } else { re }, argument::<A>(y, u.hi)]
}

/// The logarithm times a constant.
#[inline(always)]
fn clog_to<A: Arith>(x: f64, y: f64, factor: Pair) -> [f64; 2] {
    let (s, e) = sum_of_squares::<A>(x, y);
    let re = log_of_pair::<A>(Pair::ordered(s, e)).mul::<A>(factor).value();
    [0.5 * re, argument::<A>(y, x) * factor.hi]
}
