//! Error function, its complement and its inverse.

use crate::arith::{Arith, Plain, estrin, flip, sign_bit};
use crate::block::{Kernel, kernels};
use crate::coefficients_special::*;
use crate::exp::{Exp, exp_pair, exp_pair_parts};
use crate::log::Log;
use crate::pair::Pair;
use crate::scale::ldexp;

/// Beyond this the parts of erfc come near the subnormal numbers.
const FAR: f64 = 26.0;

/// Where the series of erf hands over to erfc.
const CUT: f64 = 0.75;

/// Below this the terms of erf behind 2x/√π are nothing, and its pair would underflow.
const TINY: f64 = 1e-280;

kernels! {
    Erf<A>[x] 1 -> 1 {
        ok: !x.is_nan(),
        fast: [erf::<A>(x)],
        short: [erf_short::<A>(x)],
        slow: [x],
    }
    Erfc<A>[x] 1 -> 1 {
        ok: x <= FAR,
        fast: [erfc::<A>(x)],
        short: [erfc_short::<A>(x)],
        slow: [erfc_slow(x)],
    }
    Erfinv<A>[x] 1 -> 1 {
        ok: x.abs() < 1.0,
        fast: [erfinv::<A>(x)],
        short: [erfinv_short::<A>(x)],
        slow: [if x.abs() == 1.0 { f64::INFINITY.copysign(x) } else { f64::NAN }],
    }
}

/// erf x for |x| ≤ CUT: 2x/√π exactly, and the rest of the series.
#[inline(always)]
fn centre<A: Arith>(x: f64) -> Pair {
    let z = x * x;
    let p = estrin!(A, z, z * z, ERF; [0 1 2 3] [4 5 6 7] [8 9]);
    let line = Pair::product::<A>(x, TWO_OVER_ROOT_PI_1);
    Pair::ordered(line.hi, A::madd(x * z, p, A::madd(x, TWO_OVER_ROOT_PI_2, line.lo)))
}

/// e^(−a²).
#[inline(always)]
fn bell<A: Arith>(a: f64) -> Pair {
    let square = Pair::product::<A>(a, a);
    exp_pair::<A>(-square.hi, -square.lo)
}

/// erfc a for CUT ≤ a ≤ 27.5, `bell` being e^(−a²): its product with (1 + 2a)·e^(a²)·erfc a, which is 1.1 to 1.3, over 1 + 2a.
#[inline(always)]
fn tail<A: Arith>(a: f64, bell: Pair) -> Pair {
    bell.mul::<A>(scaled_tail::<A>(a)).div::<A>(Pair::ordered(2.0 * a, 1.0))
}

/// (1 + 2a)·e^(a²)·erfc a.
#[inline(always)]
fn scaled_tail<A: Arith>(a: f64) -> Pair {
    let q = (a - 2.0) / (a + 2.0);
    let rest = estrin!(A, q, q * q, ERFCX; [1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16] [17 18 19 20] [21 22 23 24]);
    Pair::ordered(ERFCX[0], q * rest)
}

/// `a` moved into [low, high].
#[inline(always)]
fn clamped(a: f64, low: f64, high: f64) -> f64 {
    let a = if a < low { low } else { a };
    if a > high { high } else { a }
}

#[inline(always)]
fn erf<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let b = clamped(a, CUT, 6.0);
    let t = tail::<A>(b, bell::<A>(b));
    let outer = (1.0 - t.hi) - t.lo;
    let inner = centre::<A>(clamped(a, 0.0, CUT)).value();
    let inner = if a < TINY { a * TWO_OVER_ROOT_PI_1 } else { inner };
    flip(if a < CUT { inner } else { outer }, sign_bit(x))
}

#[inline(always)]
fn erfc<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let b = clamped(a, CUT, FAR);
    let t = tail::<A>(b, bell::<A>(b));
    let outer = if x < 0.0 { (2.0 - t.hi) - t.lo } else { t.value() };
    let c = centre::<A>(clamped(x, -CUT, CUT));
    let less = Pair::sum(1.0, -c.hi);
    if a < CUT { less.hi + (less.lo - c.lo) } else { outer }
}

/// erf x for |x| ≤ CUT, to 2⁻⁵⁰.
#[inline(always)]
fn centre_short<A: Arith>(x: f64) -> f64 {
    let z = x * x;
    x * A::madd(z, estrin!(A, z, z * z, ERF; [0 1 2 3] [4 5 6 7] [8 9]), TWO_OVER_ROOT_PI_1)
}

/// `tail`, to 2⁻⁴².
#[inline(always)]
fn tail_short<A: Arith>(a: f64) -> f64 {
    let [e] = Exp::fast::<A>([-a * a]);
    e * scaled_tail::<A>(a).value() / A::madd(2.0, a, 1.0)
}

#[inline(always)]
fn erf_short<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let inner = centre_short::<A>(clamped(a, 0.0, CUT));
    let outer = 1.0 - tail_short::<A>(clamped(a, CUT, 6.0));
    flip(if a < CUT { inner } else { outer }, sign_bit(x))
}

#[inline(always)]
fn erfc_short<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let t = tail_short::<A>(clamped(a, CUT, FAR));
    let outer = if x < 0.0 { 2.0 - t } else { t };
    if a < CUT { 1.0 - centre_short::<A>(clamped(x, -CUT, CUT)) } else { outer }
}

/// Results below the normal numbers, rounded once.
fn erfc_slow(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 27.3 {
        return 0.0;
    }
    let square = Pair::product::<Plain>(x, x);
    let (m, n) = exp_pair_parts(-square.hi, -square.lo);
    ldexp(tail::<Plain>(x, m).value(), n)
}

/// erfinv a to 2⁻²¹, for 0 ≤ a < 1.
#[inline(always)]
fn erfinv_fit<A: Arith>(a: f64) -> f64 {
    let [l] = Log::short::<A>([(1.0 - a) * (1.0 + a)]);
    let w = -l;
    let z = w - 2.5;
    let inner = a * estrin!(A, z, z * z, ERFINV; [0 1 2 3] [4 5 6 7]);
    let s = (if w > 5.0 { w } else { 5.0 }).sqrt() - 4.0;
    let outer = estrin!(A, s, s * s, ERFINV_TAIL; [0 1 2 3] [4 5 6 7] [8]);
    if w < 5.0 { inner } else { outer }
}

/// A fit and one step of Halley's method, on erf or, near 1, on erfc.
#[inline(always)]
fn erfinv<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let y = erfinv_fit::<A>(a);
    let e = bell::<A>(y);
    let c = centre::<A>(clamped(y, 0.0, CUT));
    let t = tail::<A>(clamped(y, CUT, 6.5), e);
    let rest = if y < CUT { (c.hi - a) + c.lo } else { ((1.0 - a) - t.hi) - t.lo };
    flip(if a < TINY { a * ROOT_PI_HALF } else { improved::<A>(y, rest, e.hi) }, sign_bit(x))
}

/// `erfinv` by the short functions.
#[inline(always)]
fn erfinv_short<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let y = erfinv_fit::<A>(a);
    let t = tail_short::<A>(clamped(y, CUT, 6.5));
    let rest = if y < CUT { centre_short::<A>(clamped(y, 0.0, CUT)) - a } else { (1.0 - a) - t };
    let [e] = Exp::fast::<A>([-y * y]);
    flip(improved::<A>(y, rest, e), sign_bit(x))
}

/// Halley's step from y, where erf y is too large by `rest` and `bell` is e^(−y²).
#[inline(always)]
fn improved<A: Arith>(y: f64, rest: f64, bell: f64) -> f64 {
    let u = rest * ROOT_PI_HALF / bell;
    y - u / A::madd(y, u, 1.0)
}
