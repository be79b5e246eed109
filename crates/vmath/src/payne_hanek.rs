//! Reduction of huge arguments modulo π/2 with as many bits of 2/π as it takes (Payne and Hanek, SIGNUM 18, 1983).

use crate::arith::{Arith, Plain, fast_two_sum};
use crate::coefficients::{HALF_PI_1, HALF_PI_2, TWO_OVER_PI_BITS};
use crate::scale::pow2;

/// x = n·π/2 + r + tail for finite x ≥ 2¹⁹: (n mod 4, r, tail), |r| ≤ π/4, relative error below 2⁻⁷⁰.
pub(crate) fn reduce(x: f64) -> (u64, f64, f64) {
    reduce_by(x, &TWO_OVER_PI_BITS)
}

/// The same for x times a constant, `table` being 64 zero bits and those of the constant over π/2.
pub(crate) fn reduce_by(x: f64, table: &[u64; 21]) -> (u64, f64, f64) {
    let bits = x.to_bits();
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let exponent = (bits >> 52) as i64 - 1075;
    // x = mantissa·2^exponent.  Bits of 2/π of weight above 2^(2−exponent) give multiples of 4: drop them.
    let [w2, w1, w0] = window(table, (64 + exponent - 2) as usize);
    // The product modulo 2¹⁹², which is x·2/π modulo 4 in units of 2⁻¹⁹⁰.
    let m = u128::from(mantissa);
    let low = m * u128::from(w0);
    let middle = m * u128::from(w1) + (low >> 64);
    let high = (m as u64).wrapping_mul(w2).wrapping_add((middle >> 64) as u64);
    let quadrant = high >> 62;
    let (p0, p1) = (low as u64, middle as u64);
    // The fraction in units of 2⁻¹⁹²: 128 bits are kept above, 64 below.
    let top = (u128::from((high << 2) | (p1 >> 62)) << 64) | u128::from((p1 << 2) | (p0 >> 62));
    let bottom = p0 << 2;
    let negative = top >> 127 == 1;
    let (top, bottom) = if negative { negate(top, bottom) } else { (top, bottom) };
    let (f, f_tail) = to_pair(top, bottom);
    let (r, tail) = times_half_pi(f, f_tail);
    let sign = if negative { -1.0 } else { 1.0 };
    ((quadrant + u64::from(negative)) & 3, sign * r, sign * tail)
}

/// 192 bits of the table from bit `position`, highest word first.
fn window(table: &[u64; 21], position: usize) -> [u64; 3] {
    let (word, shift) = (position / 64, position % 64);
    std::array::from_fn(|i| {
        let pair = (u128::from(table[word + i]) << 64) | u128::from(table[word + i + 1]);
        (pair >> (64 - shift)) as u64
    })
}

/// Two's complement of a 192-bit number.
fn negate(top: u128, bottom: u64) -> (u128, u64) {
    ((!top).wrapping_add(u128::from(bottom == 0)), bottom.wrapping_neg())
}

/// A 192-bit fraction as an unevaluated sum of two doubles.
fn to_pair(top: u128, bottom: u64) -> (f64, f64) {
    let zeros = top.leading_zeros();
    // A double is never so close to a multiple of π/2 that 64 leading bits cancel.
    let whole = if zeros == 0 { top } else { (top << zeros) | u128::from(bottom >> (64 - zeros.min(63))) };
    let unit = pow2(-(zeros as i32));
    let hi = (whole >> 75) as f64 * pow2(-53);
    let lo = ((whole >> 22) & ((1 << 53) - 1)) as f64 * pow2(-106);
    (hi * unit, lo * unit)
}

fn times_half_pi(f: f64, tail: f64) -> (f64, f64) {
    let (p, e) = Plain::two_prod(f, HALF_PI_1);
    fast_two_sum(p, e + (f * HALF_PI_2 + tail * HALF_PI_1))
}
