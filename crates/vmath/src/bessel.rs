//! Exponentially scaled modified Bessel functions e^(−|x|)·I₀(x) and e^(−|x|)·I₁(x).

use crate::arith::{Arith, estrin, flip, sign_bit};
use crate::block::kernels;
use crate::coefficients_special::*;
use crate::exp::exp_pair;
use crate::pair::Pair;

/// Where the power series hands over to the expansion in 1/x.
const CUT: f64 = 12.0;

kernels! {
    I0e<A>[x] 1 -> 1 {
        ok: !x.is_nan(),
        fast: [i0e::<A>(x.abs())],
        slow: [x],
    }
    I1e<A>[x] 1 -> 1 {
        ok: !x.is_nan(),
        fast: [flip(i1e::<A>(x.abs()), sign_bit(x))],
        slow: [x],
    }
}

/// The argument of each branch, kept in its range: (x ≤ CUT, 1/x ≤ 1/CUT).
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    (if x < CUT { x } else { CUT }, 1.0 / if x > CUT { x } else { CUT })
}

/// e^(−a)·f(a²) for a power series f with positive terms.  The logarithm of f rises by `slope` per unit of a², so the
/// rounding of the square is worth six ulp at the end of the range: it is put back through the exponential.
#[inline(always)]
fn damped<A: Arith, const N: usize>(a: f64, series: &[f64; N], slope: f64) -> f64 {
    let square = Pair::product::<A>(a, a);
    // Horner's rule: the powers of a² that Estrin's takes would round too often.
    let mut p = series[N - 1];
    for c in series.iter().rev().skip(1) {
        p = A::madd(p, square.hi, *c);
    }
    exp_pair::<A>(-a, square.lo * slope).value() * p
}

#[inline(always)]
fn i0e<A: Arith>(x: f64) -> f64 {
    let (a, u) = split(x);
    // I₁/(2a I₀) to a third.
    let slope = A::madd(a, A::madd(a, 0.0013, -0.033), 0.25);
    let near = damped::<A, 20>(a, &I0_SMALL, slope);
    let q = estrin!(A, u, u * u, I0_LARGE; [0 1 2 3] [4 5 6 7] [8 9 10 11] [12 13 14 15] [16 17]);
    if x < CUT { near } else { u.sqrt() * q }
}

#[inline(always)]
fn i1e<A: Arith>(x: f64) -> f64 {
    let (a, u) = split(x);
    let slope = A::madd(a, A::madd(a, 0.00043, -0.0125), 0.125);
    let near = a * damped::<A, 19>(a, &I1_SMALL, slope);
    let q = estrin!(A, u, u * u, I1_LARGE; [0 1 2 3] [4 5 6 7] [8 9 10 11] [12 13 14 15] [16 17]);
    if x < CUT { near } else { u.sqrt() * q }
}
