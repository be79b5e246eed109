//! Complex powers.

use crate::arith::{Plain, by_size, flip, sign_bit};
use crate::block::kernels;
use crate::coefficients::*;
use crate::coefficients_special::*;
use crate::complex::cexp_slow;
use crate::complex_log::clog_slow;
use crate::exp::exp_pair_parts;
use crate::log::log_of_pair;
use crate::pair::Pair;
use crate::root::sum_of_squares;
use crate::scale::{exponent, ldexp};
use crate::trig::sincos_of_any_pair;

kernels! {
    // Scalar throughout: correctness first.
    CPow<A>[a, b, c, d] 4 -> 2 {
        ok: true,
        fast: cpow(a, b, c, d),
        slow: cpow(a, b, c, d),
    }
}

/// Largest integer exponent that is multiplied out: small Gaussian integers then have exact powers.
const MULTIPLIED: f64 = 64.0;

/// z^w = exp(w log z), z = a + ib, w = c + id; 0^w is 0 for c > 0, 1 at w = 0, else NaN (NumPy).
fn cpow(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
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
    let (l, t) = log_and_angle(a, b);
    let times = |p: Pair, x: f64| p.times::<Plain>(x);
    let (re, im) = (times(l, c).add(times(t, d).neg()), times(t, c).add(times(l, d)));
    // Far beyond both ends of the range the angle still decides the signs.
    let clamped = re.hi.clamp(-1500.0, 1500.0);
    let (m, n) = exp_pair_parts(clamped, if clamped == re.hi { re.lo } else { 0.0 });
    let (s, c) = sincos_of_any_pair(im);
    [ldexp(m.value() * c, n), ldexp(m.value() * s, n)]
}

/// A complex number in pairs.
type Pairs = (Pair, Pair);

fn multiply((a, b): Pairs, (c, d): Pairs) -> Pairs {
    let mul = |p: Pair, q: Pair| p.mul::<Plain>(q);
    (mul(a, c).add(mul(b, d).neg()), mul(a, d).add(mul(b, c)))
}

/// z^c for an integer c ≠ 0 by squaring in pairs.
fn multiplied(a: f64, b: f64, c: f64) -> [f64; 2] {
    let mut n = c.abs() as u32;
    let mut square = (Pair::new(a, 0.0), Pair::new(b, 0.0));
    let mut result = (Pair::new(1.0, 0.0), Pair::new(0.0, 0.0));
    let mut first = true;
    while n > 0 {
        if n & 1 == 1 {
            // Starting from z, not 1·z, keeps the signs of zeros.
            result = if first { square } else { multiply(result, square) };
            first = false;
        }
        n >>= 1;
        if n > 0 {
            square = multiply(square, square);
        }
    }
    let (re, im) = result;
    if c > 0.0 {
        return [re.value(), im.value()];
    }
    let norm = re.mul::<Plain>(re).add(im.mul::<Plain>(im));
    [re.div::<Plain>(norm).value(), im.neg().div::<Plain>(norm).value()]
}

/// log |z| and the angle of a finite z ≠ 0, to 2⁻⁶⁰.
fn log_and_angle(x: f64, y: f64) -> Pairs {
    let (large, _) = by_size(x, y);
    let n = exponent(large);
    let (a, b) = (ldexp(x, -n), ldexp(y, -n));
    let (s, e) = sum_of_squares::<Plain>(a, b);
    let half = log_of_pair::<Plain>(Pair::ordered(s, e)).scale(0.5);
    (Pair::new(LN_2_FULL_1, LN_2_FULL_2).times::<Plain>(f64::from(n)).add(half), angle(b, a))
}

/// The angle of x + iy for parts within 1 in size.
fn angle(y: f64, x: f64) -> Pair {
    let (large, small) = by_size(x, y);
    let upper = small > TAN_EIGHTH_PI * large;
    let (num, den) =
        if upper { (Pair::sum(small, -large), Pair::sum(small, large)) } else { (Pair::new(small, 0.0), Pair::new(large, 0.0)) };
    let mut angle = atan_pair(num.div::<Plain>(den));
    if upper {
        angle = angle.add(Pair::new(QUARTER_PI_1, QUARTER_PI_2));
    }
    if x.abs() < y.abs() {
        angle = Pair::new(HALF_PI_1, HALF_PI_2).add(angle.neg());
    }
    if x.is_sign_negative() {
        angle = Pair::new(PI_1, PI_2).add(angle.neg());
    }
    Pair::new(flip(angle.hi, sign_bit(y)), flip(angle.lo, sign_bit(y)))
}

/// atan t for |t| ≤ tan π/8: t − t³(1/3 − t²R), the first two terms in pairs.
fn atan_pair(t: Pair) -> Pair {
    let square = t.mul::<Plain>(t);
    let z = square.hi;
    let mut r = 0.0;
    for c in ATAN_QUINTIC.iter().rev() {
        r = r * z + c;
    }
    let w = Pair::product::<Plain>(z, r).add(Pair::new(-THIRD_1, -THIRD_2));
    t.add(t.mul::<Plain>(square.mul::<Plain>(w)))
}
