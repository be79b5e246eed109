//! Complex powers.

use crate::arith::{Arith, Plain, ROUNDER, by_size, estrin, flip, sign_bit};
use crate::block::kernels;
use crate::coefficients::*;
use crate::coefficients_special::*;
use crate::complex::cexp_slow;
use crate::complex_log::clog_slow;
use crate::exp::{exp_pair, exp_pair_parts};
use crate::log::long_log_of_pair;
use crate::pair::Pair;
use crate::root::{squares_fit, sum_of_squares};
use crate::scale::{exponent, ldexp, pow2};
use crate::trig::{sincos_of_any_pair, sincos_pair};

kernels! {
    CPow<A>[a, b, c, d] 4 -> 2 {
        ok: squares_fit(a, b) & ((a != 0.0) | (b != 0.0)) & power_fits(a, b, c, d),
        fast: power::<A>(a, b, c, d),
        slow: cpow_slow(a, b, c, d),
    }
}

/// Largest integer exponent that is multiplied out: small Gaussian integers then have exact powers.
const MULTIPLIED: f64 = 64.0;

/// Whether both parts of w log z stay within 700 and w is no integer to multiply out.
#[inline(always)]
fn power_fits(a: f64, b: f64, c: f64, d: f64) -> bool {
    let (large, _) = by_size(a, b);
    // |log |z|| ≤ 0.7·(|k| + 1) with the exponent k of the larger part, and the angle is below 3.2.
    let k = f64::from_bits((large.to_bits() >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let bound = 0.7 * (k.abs() + 1.0) + 3.2;
    let whole = (d == 0.0) & ((c + ROUNDER) - ROUNDER == c);
    ((c.abs() + d.abs()) * bound <= 700.0) & !whole
}

/// exp(w log z) with everything in pairs: the parts of w log z may be hundreds.
#[inline(always)]
fn power<A: Arith>(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
    let (s, e) = sum_of_squares::<A>(a, b);
    let l = long_log_of_pair::<A>(Pair::ordered(s, e)).scale(0.5);
    let t = angle::<A>(b, a);
    let (re, im) = exponent_of_e::<A>((l, t), c, d);
    let m = exp_pair::<A>(re.hi, re.lo).value();
    let (s, c) = sincos_pair::<A>(im);
    [m * c, m * s]
}

/// A complex number in pairs.
type Pairs = (Pair, Pair);

/// w·(l + it), w = c + id.
#[inline(always)]
fn exponent_of_e<A: Arith>((l, t): Pairs, c: f64, d: f64) -> Pairs {
    (l.times::<A>(c).add(t.times::<A>(-d)), t.times::<A>(c).add(l.times::<A>(d)))
}

/// 0^w is 0 where Re w > 0, 1 at w = 0, else NaN (NumPy); integers are multiplied out; then whatever over- or underflows.
fn cpow_slow(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
    if c == 0.0 && d == 0.0 {
        return [1.0, 0.0];
    }
    if a == 0.0 && b == 0.0 {
        return if c > 0.0 { [0.0, 0.0] } else { [f64::NAN, f64::NAN] };
    }
    if ![a, b, c, d].iter().all(|v| v.is_finite()) {
        let [l, t] = clog_slow(a, b);
        return cexp_slow(c * l - d * t, c * t + d * l);
    }
    if d == 0.0 && c.abs() <= MULTIPLIED && c.trunc() == c {
        let whole = multiplied(a, b, c);
        if whole.iter().all(|v| v.is_finite()) && whole != [0.0, 0.0] {
            return whole;
        }
    }
    let (re, im) = far_exponent(log_and_angle(a, b), c, d);
    // Far beyond both ends of the range the angle still decides the signs.
    let clamped = re.hi.clamp(-1500.0, 1500.0);
    let (m, n) = exp_pair_parts(clamped, if clamped == re.hi { re.lo } else { 0.0 });
    let (s, c) = sincos_of_any_pair(im);
    [ldexp(m.value() * c, n), ldexp(m.value() * s, n)]
}

/// [`exponent_of_e`] of any finite w. Beyond 2⁹⁰⁰ products of pairs overflow: the real part is then
/// known to its sign, by which the power is 0 or infinite, and the angle not at all.
fn far_exponent(log: Pairs, c: f64, d: f64) -> Pairs {
    let by = if c.abs().max(d.abs()) > pow2(900) { pow2(-200) } else { 1.0 };
    let (re, im) = exponent_of_e::<Plain>(log, c * by, d * by);
    if by == 1.0 { (re, im) } else { (Pair::new((re.hi / by).clamp(-f64::MAX, f64::MAX), 0.0), im) }
}

fn multiply((a, b): Pairs, (c, d): Pairs) -> Pairs {
    let mul = |p: Pair, q: Pair| p.mul::<Plain>(q);
    (mul(a, c).add(mul(b, d).scale(-1.0)), mul(a, d).add(mul(b, c)))
}

/// z^c for an integer c ≠ 0 by squaring in pairs.
fn multiplied(a: f64, b: f64, c: f64) -> [f64; 2] {
    let mut n = c.abs() as u32;
    let mut square = (Pair::new(a, 0.0), Pair::new(b, 0.0));
    // Starting from a power of z, not from 1·z, keeps the signs of zeros.
    let mut result = None;
    loop {
        if n & 1 == 1 {
            result = Some(result.map_or(square, |r| multiply(r, square)));
        }
        n >>= 1;
        if n == 0 {
            break;
        }
        square = multiply(square, square);
    }
    let (re, im) = result.unwrap_or(square);
    if c > 0.0 {
        return [re.value(), im.value()];
    }
    let norm = re.mul::<Plain>(re).add(im.mul::<Plain>(im));
    [re.div::<Plain>(norm).value(), im.scale(-1.0).div::<Plain>(norm).value()]
}

/// log |z| and the angle of a finite z ≠ 0, to 2⁻⁶⁰.
fn log_and_angle(x: f64, y: f64) -> Pairs {
    let (large, _) = by_size(x, y);
    let n = exponent(large);
    let (a, b) = (ldexp(x, -n), ldexp(y, -n));
    let (s, e) = sum_of_squares::<Plain>(a, b);
    let half = long_log_of_pair::<Plain>(Pair::ordered(s, e)).scale(0.5);
    (Pair::new(LN_2_FULL_1, LN_2_FULL_2).times::<Plain>(f64::from(n)).add(half), angle::<Plain>(b, a))
}

/// The angle of x + iy ≠ 0 where the squares fit: `argument`, in pairs.
#[inline(always)]
fn angle<A: Arith>(y: f64, x: f64) -> Pair {
    let (large, small) = by_size(x, y);
    let upper = small > TAN_EIGHTH_PI * large;
    let pick = |condition: bool, p: Pair, q: Pair| Pair::new(if condition { p.hi } else { q.hi }, if condition { p.lo } else { q.lo });
    let num = pick(upper, Pair::sum(small, -large), Pair::new(small, 0.0));
    let den = pick(upper, Pair::sum(small, large), Pair::new(large, 0.0));
    let zero = Pair::new(0.0, 0.0);
    let eighth = pick(upper, Pair::new(QUARTER_PI_1, QUARTER_PI_2), zero).add(atan_pair::<A>(num.div::<A>(den)));
    let steep = x.abs() < y.abs();
    let quarter = pick(steep, Pair::new(HALF_PI_1, HALF_PI_2).add(eighth.scale(-1.0)), eighth);
    let half = pick(x.is_sign_negative(), Pair::new(PI_1, PI_2).add(quarter.scale(-1.0)), quarter);
    Pair::new(flip(half.hi, sign_bit(y)), flip(half.lo, sign_bit(y)))
}

/// atan t for |t| ≤ tan π/8: t − t³(1/3 − t²R), the first two terms in pairs.
#[inline(always)]
fn atan_pair<A: Arith>(t: Pair) -> Pair {
    let square = t.mul::<A>(t);
    let z = square.hi;
    let r = estrin!(A, z, z * z, ATAN_QUINTIC; [0 1 2 3] [4 5 6 7] [8 9 10]);
    let w = Pair::product::<A>(z, r).add(Pair::new(-THIRD_1, -THIRD_2));
    t.add(t.mul::<A>(square.mul::<A>(w)))
}
