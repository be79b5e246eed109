//! Functions of 1 + e^(−|x|): sigmoid, softplus, logaddexp.

use crate::arith::Arith;
use crate::block::{Kernel, kernels};
use crate::exp::{Exp, exp_pair, exp_slow};
use crate::log::{log_of_pair, log1p_short};
use crate::pair::Pair;

/// Beyond this, e^(−x) is left to the scalar routine (or is nothing beside 1).
const FAR: f64 = 708.0;

kernels! {
    Sigmoid<A>[x] 1 -> 1 {
        ok: x >= -FAR,
        fast: [sigmoid::<A>(x)],
        short: { let [e] = Exp::fast::<A>([if x > FAR { -FAR } else { -x }]); [1.0 / (1.0 + e)] },
        slow: [exp_slow(x)],
    }
    Softplus<A>[x] 1 -> 1 {
        ok: x.abs() <= FAR,
        fast: [softplus::<A>(x)],
        short: [softplus_short::<A>(x)],
        slow: [if x > 0.0 { x } else { exp_slow(x) }],
    }
    LogSigmoid<A>[x] 1 -> 1 {
        ok: x.abs() <= FAR,
        fast: [-softplus::<A>(-x)],
        short: [-softplus_short::<A>(-x)],
        slow: [if x < 0.0 { x } else { -exp_slow(-x) }],
    }
    LogAddExp<A>[a, b] 2 -> 1 {
        ok: (a - b).abs() <= FAR,
        fast: [logaddexp::<A>(a, b)],
        short: [if a < b { b } else { a } + tail_short::<A>((a - b).abs())],
        slow: [logaddexp_slow(a, b)],
    }
}

/// e^(−a − low) and 1 + that, for 0 ≤ a ≤ FAR.
#[inline(always)]
fn terms<A: Arith>(a: f64, low: f64) -> (Pair, Pair) {
    let e = exp_pair::<A>(-a, -low);
    let d = Pair::ordered(1.0, e.hi);
    (e, Pair::new(d.hi, d.lo + e.lo))
}

#[inline(always)]
fn sigmoid<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let (e, d) = terms::<A>(if a > FAR { FAR } else { a }, 0.0);
    let left = x < 0.0;
    Pair::new(if left { e.hi } else { 1.0 }, if left { e.lo } else { 0.0 }).div::<A>(d).value()
}

/// max(x, 0) + log(1 + e^(−|x|)).
#[inline(always)]
fn softplus<A: Arith>(x: f64) -> f64 {
    let (_, d) = terms::<A>(x.abs(), 0.0);
    log_of_pair::<A>(d).plus(if x > 0.0 { x } else { 0.0 }).value()
}

/// log(1 + e^(−a)), 0 ≤ a ≤ FAR.
#[inline(always)]
fn tail_short<A: Arith>(a: f64) -> f64 {
    let [e] = Exp::fast::<A>([-a]);
    log1p_short::<A>(e)
}

#[inline(always)]
fn softplus_short<A: Arith>(x: f64) -> f64 {
    tail_short::<A>(x.abs()) + if x > 0.0 { x } else { 0.0 }
}

/// max + log(1 + e^(−|a − b|)), the difference in a pair; next to its zero the absolute error is 2⁻⁵⁹.
#[inline(always)]
fn logaddexp<A: Arith>(a: f64, b: f64) -> f64 {
    let swap = a < b;
    let (large, small) = if swap { (b, a) } else { (a, b) };
    let d = Pair::sum(large, -small);
    let (_, t) = terms::<A>(d.hi, d.lo);
    log_of_pair::<A>(t).plus(large).value()
}

fn logaddexp_slow(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if a == b {
        // Infinities of one sign.
        return a;
    }
    let (large, small) = if a < b { (b, a) } else { (a, b) };
    if large.is_infinite() { large } else { large + exp_slow(small - large) }
}
