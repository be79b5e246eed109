//! Exact functions: rounding to integers, remainders, neighbours, signs.

use crate::arith::{Arith, sign_bit};
use crate::block::kernels;

kernels! {
    Floor<A>[x] 1 -> 1 { ok: true, fast: [x.floor()], slow: [x.floor()] }
    Ceil<A>[x] 1 -> 1 { ok: true, fast: [x.ceil()], slow: [x.ceil()] }
    Trunc<A>[x] 1 -> 1 { ok: true, fast: [x.trunc()], slow: [x.trunc()] }
    Rint<A>[x] 1 -> 1 { ok: true, fast: [x.round_ties_even()], slow: [x.round_ties_even()] }
    Fmod<A>[x, y] 2 -> 1 {
        ok: quotient_fits(x, y),
        fast: [fmod::<A>(x, y)],
        slow: [x % y],
    }
    Remainder<A>[x, y] 2 -> 1 {
        ok: quotient_fits(x, y),
        fast: [with_sign_of(fmod::<A>(x, y), y)],
        slow: [remainder_slow(x, y)],
    }
    FloorDivide<A>[x, y] 2 -> 1 {
        ok: quotient_fits(x, y),
        fast: [floor_quotient(x, y, fmod::<A>(x, y))],
        slow: [floor_divide_slow(x, y)],
    }
    NextAfter<A>[x, y] 2 -> 1 {
        ok: true,
        fast: [next_after(x, y)],
        short: [next_after_short(x, y)],
        slow: [next_after(x, y)],
    }
    Copysign<A>[x, y] 2 -> 1 { ok: true, fast: [x.copysign(y)], slow: [x.copysign(y)] }
}

/// Whether x/y is below 2⁵⁰ and nothing in `fmod` over- or underflows.
#[inline(always)]
fn quotient_fits(x: f64, y: f64) -> bool {
    let (a, b) = (x.abs(), y.abs());
    (b >= 1e-250) & (a <= 1e250) & (b <= 1e250) & (a <= b * (1u64 << 50) as f64)
}

/// The quotient may round up to the next integer; then the difference is negative, exact still, and one divisor is added.
#[inline(always)]
fn fmod<A: Arith>(x: f64, y: f64) -> f64 {
    let (a, b) = (x.abs(), y.abs());
    let q = (a / b).trunc();
    let r = if A::FUSED {
        A::madd(-q, b, a)
    } else {
        let (p, e) = A::two_prod(q, b);
        (a - p) - e
    };
    let r = if r < 0.0 { r + b } else { r };
    r.copysign(x)
}

/// Python's remainder from C's: the sign of the divisor.
#[inline(always)]
fn with_sign_of(r: f64, y: f64) -> f64 {
    let moved = if (r < 0.0) == (y < 0.0) { r } else { r + y };
    if r == 0.0 { r.copysign(y) } else { moved }
}

fn remainder_slow(x: f64, y: f64) -> f64 {
    let r = x % y;
    if y == 0.0 || r.is_nan() { f64::NAN } else { with_sign_of(r, y) }
}

/// floor(x/y) by way of x − (x mod y), which y divides (NumPy's definition).
#[inline(always)]
fn floor_quotient(x: f64, y: f64, r: f64) -> f64 {
    let moved = (r != 0.0) & ((r < 0.0) != (y < 0.0));
    let q = (x - r) / y - if moved { 1.0 } else { 0.0 };
    let whole = q.floor();
    let whole = if q - whole > 0.5 { whole + 1.0 } else { whole };
    let zero = f64::from_bits(sign_bit(x) ^ sign_bit(y));
    if q == 0.0 { zero } else { whole }
}

fn floor_divide_slow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x.is_nan() || y.is_nan() || x.is_infinite() {
        // As NumPy: the quotient itself at a divisor 0, NaN at an infinite dividend.
        return if y == 0.0 { x / y } else { f64::NAN };
    }
    floor_quotient(x, y, x % y)
}

/// The next double after x in the direction of y.
#[inline(always)]
fn next_after(x: f64, y: f64) -> f64 {
    // Bits of one sign are ordered as integers: a step away from zero adds one.
    let away = (y > x) == (x > 0.0);
    let bits = x.to_bits();
    let moved = f64::from_bits(if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) });
    let from_zero = f64::from_bits(1 | sign_bit(y));
    let moved = if x == 0.0 { from_zero } else { moved };
    let moved = if x == y { y } else { moved };
    if x.is_nan() | y.is_nan() { x + y } else { moved }
}

/// `next_after` among float32 numbers.
#[inline(always)]
fn next_after_short(x: f64, y: f64) -> f64 {
    let away = (y > x) == (x > 0.0);
    let bits = (x as f32).to_bits();
    let moved = f64::from(f32::from_bits(if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) }));
    let from_zero = f64::from(f32::from_bits(1)).copysign(y);
    let moved = if x == 0.0 { from_zero } else { moved };
    let moved = if x == y { y } else { moved };
    if x.is_nan() | y.is_nan() { x + y } else { moved }
}
