//! Complex inverse functions, after Kahan, "Branch cuts for complex elementary functions" (1987).

use crate::arith::{Arith, Plain, by_size};
use crate::block::kernels;
use crate::coefficients::{HALF_PI_1, LN_2_1, LN_2_2};
use crate::complex_log::clog_slow;
use crate::complex_root::{csqrt, csqrt_slow};
use crate::hyperbolic::{asinh, asinh_slow};
use crate::inverse_trig::{argument, atan2_slow};
use crate::log::{log_slow, log1p};
use crate::root::{hypot_slow, squares_fit};

/// Beyond this modulus asin, acos and atanh are given by their logarithms.
const LARGE: f64 = 1e100;

kernels! {
    CAsin<A>[x, y] 2 -> 2 {
        ok: roots_fit(x, y),
        fast: swapped(casinh::<A>(y, x)),
        slow: swapped(casinh_slow(y, x)),
    }
    CAcos<A>[x, y] 2 -> 2 {
        ok: roots_fit(x, y),
        fast: cacos::<A>(x, y),
        slow: cacos_slow(x, y),
    }
    CAtan<A>[x, y] 2 -> 2 {
        ok: atanh_fits(y, x),
        fast: swapped(catanh::<A>(y, x)),
        slow: swapped(catanh_slow(y, x)),
    }
    CAsinh<A>[x, y] 2 -> 2 {
        ok: roots_fit(y, x),
        fast: casinh::<A>(x, y),
        slow: casinh_slow(x, y),
    }
    CAcosh<A>[x, y] 2 -> 2 {
        ok: roots_fit(x, y),
        fast: from_cacos(cacos::<A>(x, y), y),
        slow: cacosh_slow(x, y),
    }
    CAtanh<A>[x, y] 2 -> 2 {
        ok: atanh_fits(x, y),
        fast: catanh::<A>(x, y),
        slow: catanh_slow(x, y),
    }
}

/// The trigonometric twin of an odd hyperbolic inverse from its value at (y, x): f(iz) = i·g(z).
#[inline(always)]
fn swapped([a, b]: [f64; 2]) -> [f64; 2] {
    [b, a]
}

/// Whether the fast square roots of 1 − z and 1 + z hold.
#[inline(always)]
fn roots_fit(x: f64, y: f64) -> bool {
    let fits = |u: f64| squares_fit(u, y) & ((u != 0.0) | (y != 0.0));
    (x.abs() <= LARGE) & (y.abs() <= LARGE) & fits(1.0 - x) & fits(1.0 + x)
}

/// asinh z = i asin(−iz) from √(1 ∓ w), w = y + ix; a zero keeps its sign, which says on which side of the cut z is.
/// No term of the sums cancels.
#[inline(always)]
fn casinh<A: Arith>(x: f64, y: f64) -> [f64; 2] {
    let ([a, b], [c, d]) = (csqrt::<A>(1.0 - y, -x), csqrt::<A>(1.0 + y, x));
    [asinh::<A>(a * d - b * c), argument::<A>(y, a * c - b * d)]
}

#[inline(always)]
fn cacos<A: Arith>(x: f64, y: f64) -> [f64; 2] {
    let ([a, b], [c, d]) = (csqrt::<A>(1.0 - x, -y), csqrt::<A>(1.0 + x, y));
    [2.0 * argument::<A>(a, c), asinh::<A>(c * b - d * a)]
}

/// log 2z.
fn log_twice(x: f64, y: f64) -> [f64; 2] {
    let [re, im] = clog_slow(x, y);
    [re + LN_2_1 + LN_2_2, im]
}

/// √(1 − z) and √(1 + z) of any finite z.
fn roots(x: f64, y: f64) -> ([f64; 2], [f64; 2]) {
    (csqrt_slow(1.0 - x, -y), csqrt_slow(1.0 + x, y))
}

/// C99 Annex G at infinities and NaN; large arguments; branch points.
fn casinh_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_nan() || y.is_nan() {
        return if x.is_infinite() || y == 0.0 {
            [x, y]
        } else if y.is_infinite() {
            [y, f64::NAN]
        } else {
            [f64::NAN, f64::NAN]
        };
    }
    if by_size(x, y).0 > LARGE {
        let [re, im] = log_twice(x.abs(), y.abs());
        return [re.copysign(x), im.copysign(y)];
    }
    let ([a, b], [c, d]) = roots(y, x);
    [asinh_slow(a * d - b * c), atan2_slow(y, a * c - b * d)]
}

fn cacos_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_nan() || y.is_nan() {
        return if x.is_infinite() {
            [f64::NAN, f64::NEG_INFINITY]
        } else if y.is_infinite() {
            [f64::NAN, -y]
        } else if x == 0.0 {
            [HALF_PI_1, f64::NAN]
        } else {
            [f64::NAN, f64::NAN]
        };
    }
    if by_size(x, y).0 > LARGE {
        let [re, im] = log_twice(x, y);
        return [im.abs(), re.copysign(-y)];
    }
    let ([a, b], [c, d]) = roots(x, y);
    [2.0 * atan2_slow(a, c), asinh_slow(c * b - d * a)]
}

/// acosh z = ±i acos z with a non-negative real part; a NaN of acos alone says nothing of the other part.
#[inline(always)]
fn from_cacos([re, im]: [f64; 2], y: f64) -> [f64; 2] {
    [im.abs(), if im.is_nan() { im } else { re.copysign(y) }]
}

fn cacosh_slow(x: f64, y: f64) -> [f64; 2] {
    // C17 G.6.2.1: the imaginary axis goes to π/2, whatever the height.
    if x == 0.0 && y.is_nan() { [y, HALF_PI_1] } else { from_cacos(cacos_slow(x, y), y) }
}

/// Whether `catanh` holds: away from the poles, where the square below may underflow.
#[inline(always)]
fn atanh_fits(x: f64, y: f64) -> bool {
    (x.abs() <= LARGE) & (y.abs() <= LARGE) & (distance_squared(x.abs(), y) >= 1e-280)
}

/// |1 − z|².
#[inline(always)]
fn distance_squared(x: f64, y: f64) -> f64 {
    (1.0 - x) * (1.0 - x) + y * y
}

/// log1p(4x/((1 − x)² + y²))/4 and half the angle of (1 − x)(1 + x) − y² + 2iy, with |x| for x.
#[inline(always)]
fn catanh<A: Arith>(x: f64, y: f64) -> [f64; 2] {
    let a = x.abs();
    let re = 0.25 * log1p::<A>(4.0 * a / distance_squared(a, y));
    [re.copysign(x), 0.5 * argument::<A>(2.0 * y, (1.0 - a) * (1.0 + a) - y * y)]
}

fn catanh_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_nan() || y.is_nan() {
        return if x.is_infinite() {
            [0.0_f64.copysign(x), f64::NAN]
        } else if y.is_infinite() {
            [0.0_f64.copysign(x), HALF_PI_1.copysign(y)]
        } else {
            [if x == 0.0 { x } else { f64::NAN }, f64::NAN]
        };
    }
    let a = x.abs();
    if by_size(x, y).0 > LARGE {
        let norm = hypot_slow(x, y);
        let re = if norm.is_infinite() { 0.0 } else { a / norm / norm };
        return [re.copysign(x), HALF_PI_1.copysign(y)];
    }
    if atanh_fits(x, y) {
        return catanh::<Plain>(x, y);
    }
    if a == 1.0 && y == 0.0 {
        return [f64::INFINITY.copysign(x), y];
    }
    // At the pole 4a is 4.
    let re = 0.5 * (std::f64::consts::LN_2 - log_slow(hypot_slow(1.0 - a, y)));
    [re.copysign(x), 0.5 * atan2_slow(2.0 * y, (1.0 - a) * (1.0 + a) - y * y)]
}
