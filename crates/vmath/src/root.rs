//! Square root and hypotenuse.

use crate::arith::{Arith, Plain, by_size, fast_two_sum};
use crate::block::Kernel;
use crate::scale::{exponent, ldexp};

pub(crate) struct Sqrt;
pub(crate) struct Hypot;

impl Kernel<1, 1> for Sqrt {
    #[inline(always)]
    fn ok(_: [f64; 1]) -> bool {
        true
    }

    /// The processor's, correctly rounded; through float64 it is correctly rounded in float32 too.
    #[inline(always)]
    fn fast<A: Arith>([x]: [f64; 1]) -> [f64; 1] {
        [x.sqrt()]
    }

    fn slow([x]: [f64; 1]) -> [f64; 1] {
        [x.sqrt()]
    }
}

impl Kernel<2, 1> for Hypot {
    #[inline(always)]
    fn ok([x, y]: [f64; 2]) -> bool {
        squares_fit(x, y)
    }

    #[inline(always)]
    fn fast<A: Arith>([x, y]: [f64; 2]) -> [f64; 1] {
        [hypot::<A>(x, y)]
    }

    /// Squares of float32 numbers are exact in float64.
    #[inline(always)]
    fn short<A: Arith>([x, y]: [f64; 2]) -> [f64; 1] {
        [A::madd(x, x, y * y).sqrt()]
    }

    fn slow([x, y]: [f64; 2]) -> [f64; 1] {
        [hypot_slow(x, y)]
    }
}

/// Whether x² + y² neither overflows nor loses bits to underflow (or both are 0).
#[inline(always)]
pub(crate) fn squares_fit(x: f64, y: f64) -> bool {
    let large = |v: f64| v.abs() >= f64::from_bits((1023 - 450) << 52);
    let small = |v: f64| v.abs() <= f64::from_bits((1023 + 500) << 52);
    let zero = (x == 0.0) & (y == 0.0);
    small(x) & small(y) & (large(x) | large(y) | zero)
}

/// x² + y² as a head and a tail, where `squares_fit`.
#[inline(always)]
pub(crate) fn sum_of_squares<A: Arith>(x: f64, y: f64) -> (f64, f64) {
    let (large, small) = by_size(x, y);
    let (p, p_tail) = A::two_prod(large, large);
    let (q, q_tail) = A::two_prod(small, small);
    let (s, e) = fast_two_sum(p, q);
    (s, e + (p_tail + q_tail))
}

/// √(x² + y²) where `squares_fit`: with the sum rounded once, 0.86 ulp.
#[inline(always)]
pub(crate) fn hypot<A: Arith>(x: f64, y: f64) -> f64 {
    let (s, e) = sum_of_squares::<A>(x, y);
    (s + e).sqrt()
}

/// `hypot` of any two doubles.
pub(crate) fn hypot_slow(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (large, _) = by_size(x, y);
    let n = exponent(large);
    ldexp(hypot::<Plain>(ldexp(x, -n), ldexp(y, -n)), n)
}
