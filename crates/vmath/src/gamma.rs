//! log |Γ| and digamma.

use crate::arith::{Arith, Plain, estrin};
use crate::block::{Kernel, kernels};
use crate::coefficients::PI_1;
use crate::coefficients_special::*;
use crate::log::{Log, log_slow};
use crate::trig::sincos_slow;

/// Smallest and largest argument of the fast kernels.
const RANGE: std::ops::RangeInclusive<f64> = 1e-290..=1e305;

/// From here on Stirling's series serves.
const STIRLING_FROM: f64 = 8.0;

kernels! {
    Lgamma<A>[x] 1 -> 1 {
        ok: RANGE.contains(&x),
        fast: [lgamma::<A>(x)],
        slow: [lgamma_slow(x)],
    }
    Digamma<A>[x] 1 -> 1 {
        ok: RANGE.contains(&x),
        fast: [digamma::<A>(x)],
        slow: [digamma_slow(x)],
    }
}

/// log Γ(x) for x in RANGE.  Below 8 it is moved to [3/2, 5/2] by the recurrence, with one logarithm of a product.
#[inline(always)]
fn lgamma<A: Arith>(x: f64) -> f64 {
    let far = x >= STIRLING_FROM;
    let (t, up, down) = near_two(x);
    let z = t * t;
    let near = t * estrin!(A, t, z, LGAMMA; [0 1 2 3] [4 5 6 7] [8 9 10 11] [12 13 14 15] [16 17 18 19]);
    let product = if x < 1.5 { down } else { up };
    let [l] = Log::fast::<A>([if far { x } else { product }]);
    let moved = if x < 1.5 { near - l } else { near + l };
    let w = 1.0 / x;
    let z = w * w;
    let series = w * estrin!(A, z, z * z, STIRLING; [0 1 2 3] [4 5 6]);
    // (x − ½)(log x − 1) is finite wherever log Γ is.
    let stirling = A::madd(x - 0.5, l - 1.0, (HALF_LN_TWO_PI - 0.5) + series);
    if far { stirling } else { moved }
}

/// x < 8 brought next to 2: (y − 2, product to multiply by, product to divide by).
#[inline(always)]
fn near_two(x: f64) -> (f64, f64, f64) {
    // x + 1 − 2 and x + 2 − 2, without rounding where x is small.
    let up = if x < 0.5 { x } else { x - 1.0 };
    let down = if x < 0.5 { x * (x + 1.0) } else { x };
    let mut y = if x < STIRLING_FROM { x } else { 2.0 };
    let mut product = 1.0;
    for _ in 0..6 {
        let step = y > 2.5;
        y = if step { y - 1.0 } else { y };
        product *= if step { y } else { 1.0 };
    }
    (if x < 1.5 { up } else { y - 2.0 }, product, down)
}

/// sin πx and cos πx; exact at integers and half integers.
fn sincos_pi(x: f64) -> (f64, f64) {
    let r = x - 2.0 * (0.5 * x).round_ties_even();
    // |r| ≤ 1: fold to |r| ≤ 1/2.
    let (r, sign) = if r.abs() > 0.5 { (1.0_f64.copysign(r) - r, -1.0) } else { (r, 1.0) };
    let (s, c) = sincos_slow(PI_1 * r);
    (s, if r.abs() == 0.5 { 0.0 } else { sign * c })
}

/// Poles, reflection Γ(x)Γ(1 − x) = π/sin πx, both ends.
fn lgamma_slow(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() || x > 1e305 {
        return if (0.0..=2.556e305).contains(&x) { lgamma::<Plain>(x) } else { f64::INFINITY };
    }
    if x.abs() < 1e-290 {
        return -log_slow(x.abs());
    }
    let (s, _) = sincos_pi(x);
    if s == 0.0 {
        return f64::INFINITY;
    }
    if x > -4.0 {
        // Γ(x) = Γ(x + n)/(x (x + 1) …): no cancellation of large logarithms near the zeros.
        return lgamma_shifted(x);
    }
    log_slow(PI_1 / s.abs()) - lgamma::<Plain>(1.0 - x)
}

/// log |Γ(x)| for −4 < x < 0 by the recurrence.
fn lgamma_shifted(x: f64) -> f64 {
    let (mut y, mut product) = (x, 1.0_f64);
    while y < 0.5 {
        product *= y;
        y += 1.0;
    }
    lgamma::<Plain>(y) - log_slow(product.abs())
}

/// ψ(x) for x in RANGE: eight steps of the recurrence as one fraction below 8, then the asymptotic series.
#[inline(always)]
fn digamma<A: Arith>(x: f64) -> f64 {
    let near = x < STIRLING_FROM;
    let (mut num, mut den) = (1.0, x);
    for k in 1..8 {
        let y = x + f64::from(k);
        num = A::madd(num, y, den);
        den *= y;
    }
    let y = if near { x + 8.0 } else { x };
    let [l] = Log::fast::<A>([y]);
    let w = 1.0 / y;
    let z = w * w;
    let series = z * estrin!(A, z, z * z, DIGAMMA; [0 1 2 3] [4 5 6 7]);
    let far = l - A::madd(0.5, w, series);
    if near { far - num / den } else { far }
}

fn digamma_slow(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY.copysign(-x);
    }
    if x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if x.abs() < 1e-290 {
        return -1.0 / x;
    }
    if x > 0.0 {
        return log_slow(x);
    }
    let (s, c) = sincos_pi(x);
    if s == 0.0 {
        return f64::NAN;
    }
    digamma_of(1.0 - x) - PI_1 * c / s
}

fn digamma_of(x: f64) -> f64 {
    if RANGE.contains(&x) { digamma::<Plain>(x) } else { log_slow(x) }
}
