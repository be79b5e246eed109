//! Complex inverse functions: scalar, after Kahan, "Branch cuts for complex elementary functions" (1987).

use crate::arith::{Plain, by_size};
use crate::block::{Kernel, kernels};
use crate::coefficients::{HALF_PI_1, LN_2_1, LN_2_2};
use crate::complex_log::clog_slow;
use crate::complex_root::csqrt_slow;
use crate::hyperbolic::{Atanh, asinh_slow};
use crate::inverse_trig::atan2_slow;
use crate::log::{Log1p, log_slow};
use crate::root::hypot_slow;

/// Beyond this modulus asin, acos and atanh are given by their logarithms.
const LARGE: f64 = 1e100;

kernels! {
    CAsin<A>[x, y] 2 -> 2 { ok: true, fast: swapped(casinh, x, y), slow: swapped(casinh, x, y) }
    CAcos<A>[x, y] 2 -> 2 { ok: true, fast: cacos(x, y), slow: cacos(x, y) }
    CAtan<A>[x, y] 2 -> 2 { ok: true, fast: swapped(catanh, x, y), slow: swapped(catanh, x, y) }
    CAsinh<A>[x, y] 2 -> 2 { ok: true, fast: casinh(x, y), slow: casinh(x, y) }
    CAcosh<A>[x, y] 2 -> 2 { ok: true, fast: cacosh(x, y), slow: cacosh(x, y) }
    CAtanh<A>[x, y] 2 -> 2 { ok: true, fast: catanh(x, y), slow: catanh(x, y) }
}

/// The trigonometric twin of an odd hyperbolic inverse: f(iz) = i·g(z).
fn swapped(f: fn(f64, f64) -> [f64; 2], x: f64, y: f64) -> [f64; 2] {
    let [a, b] = f(y, x);
    [b, a]
}

/// log 2z.
fn log_twice(x: f64, y: f64) -> [f64; 2] {
    let [re, im] = clog_slow(x, y);
    [re + LN_2_1 + LN_2_2, im]
}

/// √(1 − z) and √(1 + z); a zero imaginary part keeps its sign, which says on which side of the cut z is.
fn roots(x: f64, y: f64) -> ([f64; 2], [f64; 2]) {
    (csqrt_slow(1.0 - x, -y), csqrt_slow(1.0 + x, y))
}

/// asinh z = i asin(−iz), C99 Annex G at infinities and NaN.
fn casinh(x: f64, y: f64) -> [f64; 2] {
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
    // Of asin(y + ix): no term of the sums below cancels.
    let ([a, b], [c, d]) = roots(y, x);
    [asinh_slow(a * d - b * c), atan2_slow(y, a * c - b * d)]
}

fn cacos(x: f64, y: f64) -> [f64; 2] {
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

/// acosh z = ±i acos z with a non-negative real part.
fn cacosh(x: f64, y: f64) -> [f64; 2] {
    let [re, im] = cacos(x, y);
    if re.is_nan() && im.is_nan() {
        return [im, re];
    }
    if re.is_nan() {
        return [im.abs(), re];
    }
    if im.is_nan() {
        return [im, im];
    }
    [im.abs(), re.copysign(y)]
}

/// log1p(4x/((1 − x)² + y²))/4 and half the angle of (1 − x)(1 + x) − y² + 2iy, for x ≥ 0.
fn catanh(x: f64, y: f64) -> [f64; 2] {
    if x.is_nan() || y.is_nan() {
        return if x.is_infinite() {
            [0.0_f64.copysign(x), f64::NAN]
        } else if y.is_infinite() {
            [0.0_f64.copysign(x), HALF_PI_1.copysign(y)]
        } else {
            [if x == 0.0 { x } else { f64::NAN }, f64::NAN]
        };
    }
    if y == 0.0 && x.abs() <= 1.0 {
        let [re] = if Atanh::ok([x]) { Atanh::fast::<Plain>([x]) } else { Atanh::slow([x]) };
        return [re, y];
    }
    let a = x.abs();
    if by_size(x, y).0 > LARGE {
        let norm = hypot_slow(x, y);
        let re = if norm.is_infinite() { 0.0 } else { a / norm / norm };
        return [re.copysign(x), HALF_PI_1.copysign(y)];
    }
    let norm = (1.0 - a) * (1.0 - a) + y * y;
    let re = if norm < 1e-280 {
        // At the pole 4a is 4, and the square may underflow.
        0.5 * (std::f64::consts::LN_2 - log_slow(hypot_slow(1.0 - a, y)))
    } else {
        let [l] = Log1p::slow([4.0 * a / norm]);
        0.25 * l
    };
    [re.copysign(x), 0.5 * atan2_slow(2.0 * y, (1.0 - a) * (1.0 + a) - y * y)]
}
