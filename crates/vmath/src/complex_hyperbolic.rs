//! Complex sinh, cosh, tanh and tan.

use crate::arith::Plain;
use crate::block::kernels;
use crate::complex::{CCos, CSin, sinhcosh};
use crate::trig::{self, sincos, sincos_slow};

/// Largest real part whose sinh is squared; beyond it tanh is ±1.
const FAR: f64 = 300.0;

kernels! {
    CSinh<A>[x, y] 2 -> 2 {
        ok: CSin::ok([y, x]),
        fast: { let [b, a] = CSin::fast::<A>([y, x]); [a, b] },
        slow: { let [b, a] = CSin::slow([y, x]); [a, b] },
    }
    CCosh<A>[x, y] 2 -> 2 {
        ok: CCos::ok([y, -x]),
        fast: CCos::fast::<A>([y, -x]),
        slow: CCos::slow([y, -x]),
    }
    CTanh<A>[x, y] 2 -> 2 {
        ok: (x.abs() <= FAR) & trig::in_range(y),
        fast: ctanh(sinhcosh::<A>(x), sincos::<A>(y)),
        slow: ctanh_slow(x, y),
    }
    CTan<A>[x, y] 2 -> 2 {
        ok: CTanh::ok([-y, x]),
        fast: { let [a, b] = CTanh::fast::<A>([-y, x]); [b, -a] },
        slow: { let [a, b] = CTanh::slow([-y, x]); [b, -a] },
    }
}

/// (sinh x cosh x + i sin y cos y)/(sinh² x + cos² y): nothing cancels.
#[inline(always)]
fn ctanh((sh, ch): (f64, f64), (s, c): (f64, f64)) -> [f64; 2] {
    let d = sh * sh + c * c;
    [sh * ch / d, s * c / d]
}

/// C99 Annex G (as C17 has it at 0 + i·inf).
fn ctanh_slow(x: f64, y: f64) -> [f64; 2] {
    if x.is_nan() {
        return [x, if y == 0.0 { y } else { f64::NAN }];
    }
    if !y.is_finite() && x.is_finite() {
        return [if x == 0.0 { x } else { f64::NAN }, f64::NAN];
    }
    let (s, c) = if y.is_finite() { sincos_slow(y) } else { (0.0, 1.0) };
    if x.abs() > FAR {
        return [1.0_f64.copysign(x), 0.0_f64.copysign(s * c)];
    }
    ctanh(sinhcosh::<Plain>(x), (s, c))
}
