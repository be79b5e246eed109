//! asin, acos, atan, atan2.

use crate::arith::{Arith, Plain, by_size, estrin, fast_two_sum, flip, mask, sign_bit, two_sum};
use crate::block::kernels;
use crate::coefficients::*;
use crate::coefficients_special::{ASIN, CUT_ATAN};
use crate::pair::Pair;
use crate::scale::{exponent, ldexp};

kernels! {
    Asin<A>[x] 1 -> 1 {
        ok: true,
        fast: [asin::<A>(x)],
        short: [asin_short::<A>(x)],
        slow: [asin::<Plain>(x)],
    }
    Acos<A>[x] 1 -> 1 {
        ok: true,
        fast: [acos::<A>(x)],
        short: [HALF_PI_1 - asin_short::<A>(x)],
        slow: [acos::<Plain>(x)],
    }
    Atan<A>[x] 1 -> 1 {
        ok: true,
        fast: [atan::<A>(x)],
        short: [angle_short::<A>(x, 1.0)],
        slow: [atan::<Plain>(x)],
    }
    Atan2<A>[y, x] 2 -> 1 {
        ok: ratio_fits(y, x),
        fast: [argument::<A>(y, x)],
        short: [angle_short::<A>(y, x)],
        slow: [atan2_slow(y, x)],
    }
}

/// (asin x − x)/x at z = x² ≤ 1/4.
#[inline(always)]
fn asin_rest<A: Arith>(z: f64) -> f64 {
    z * estrin!(A, z, z * z, ASIN; [0 1 2 3] [4 5 6 7] [8 9 10 11] [12])
}

/// √((1 − a)/2) for a > 1/2 and the square itself: asin a = π/2 − 2 asin of it.  NaN where a > 1.
#[inline(always)]
fn half_chord<A: Arith>(a: f64) -> (Pair, f64) {
    let z = 0.5 * (1.0 - a);
    (Pair::new(z, 0.0).sqrt::<A>(), z)
}

#[inline(always)]
fn asin<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let (s, z) = half_chord::<A>(a);
    let central = a <= 0.5;
    let p = asin_rest::<A>(if central { a * a } else { z });
    let (hi, lo) = fast_two_sum(HALF_PI_1, -2.0 * s.hi);
    let outer = hi + A::madd(-2.0, A::madd(s.hi, p, s.lo), lo + HALF_PI_2);
    flip(if central { A::madd(a, p, a) } else { outer }, sign_bit(x))
}

#[inline(always)]
fn acos<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let (s, z) = half_chord::<A>(a);
    let central = a <= 0.5;
    let p = asin_rest::<A>(if central { a * a } else { z });
    // acos x = π/2 − asin x, 2 asin s, or π − 2 asin s.
    let (hi, lo) = fast_two_sum(HALF_PI_1, -x);
    let middle = hi + (lo + HALF_PI_2 - x * p);
    let right = 2.0 * (s.hi + A::madd(s.hi, p, s.lo));
    let (hi, lo) = fast_two_sum(PI_1, -2.0 * s.hi);
    let left = hi + A::madd(-2.0, A::madd(s.hi, p, s.lo), lo + PI_2);
    let outer = if x < 0.0 { left } else { right };
    if central { middle } else { outer }
}

/// asin x to 2⁻⁴⁸.
#[inline(always)]
fn asin_short<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    let central = a <= 0.5;
    let z = if central { a * a } else { 0.5 * (1.0 - a) };
    let s = if central { a } else { z.sqrt() };
    let y = A::madd(s, asin_rest::<A>(z), s);
    flip(if central { y } else { A::madd(-2.0, y, HALF_PI_1) }, sign_bit(x))
}

/// `argument` to 2⁻⁴⁸, infinities of one argument included.
#[inline(always)]
fn angle_short<A: Arith>(y: f64, x: f64) -> f64 {
    let (large, small) = by_size(x, y);
    let upper = small > TAN_EIGHTH_PI * large;
    let num = if upper { small - large } else { small };
    let den = if upper { small + large } else { large };
    let t = num / den;
    let eighth = A::madd(t, atan_rest::<A>(t * t), t) + if upper { QUARTER_PI_1 } else { 0.0 };
    let quarter = if x.abs() < y.abs() { HALF_PI_1 - eighth } else { eighth };
    flip(if x.is_sign_negative() { PI_1 - quarter } else { quarter }, sign_bit(y))
}

/// atan of any double: |x|, (|x| − 1)/(|x| + 1) or −1/|x| is within tan π/8.
#[inline(always)]
fn atan<A: Arith>(x: f64) -> f64 {
    let a = x.abs();
    // Far out the angle is π/2, and the splitting of products must not overflow.
    let a = if a > 1e300 { 1e300 } else { a };
    let (low, middle) = (a <= TAN_EIGHTH_PI, a <= CUT_ATAN);
    let (less, more) = (Pair::sum(a, -1.0), Pair::sum(a, 1.0));
    let three = |l: f64, m: f64, h: f64| {
        let inner = if low { l } else { m };
        if middle { inner } else { h }
    };
    let num = Pair::new(three(a, less.hi, -1.0), three(0.0, less.lo, 0.0));
    let den = Pair::new(three(1.0, more.hi, a), three(0.0, more.lo, 0.0));
    let t = num.div::<A>(den);
    let (hi, lo) = fast_two_sum(three(0.0, QUARTER_PI_1, HALF_PI_1), t.hi);
    let rest = A::madd(t.hi, atan_rest::<A>(t.hi * t.hi), t.lo);
    flip(hi + (lo + three(0.0, QUARTER_PI_2, HALF_PI_2) + rest), sign_bit(x))
}

/// (atan t − t)/t at z = t², |t| ≤ tan π/8.
#[inline(always)]
fn atan_rest<A: Arith>(z: f64) -> f64 {
    z * estrin!(A, z, z * z, ATAN; [0 1 2 3] [4 5 6 7] [8 9 10])
}

/// Whether `argument` holds to 1 ulp: nothing over- or underflows in the quotient.
#[inline(always)]
fn ratio_fits(y: f64, x: f64) -> bool {
    const SMALL: f64 = f64::from_bits((1023 - 400) << 52);
    const LARGE: f64 = f64::from_bits((1023 + 400) << 52);
    let fits = |v: f64| (v.abs() >= SMALL) & (v.abs() <= LARGE);
    (fits(x) & (fits(y) | (y == 0.0))) | (fits(y) & (x == 0.0))
}

/// The angle of x + iy for finite x, y not both 0; y = ±0 keeps its sign on the negative axis.
#[inline(always)]
pub(crate) fn argument<A: Arith>(y: f64, x: f64) -> f64 {
    let (large, small) = by_size(x, y);
    // atan(small/large) = π/4 + atan((small − large)/(small + large)) where the ratio is above tan π/8.
    let upper = small > TAN_EIGHTH_PI * large;
    let pick = |v: f64, condition: bool| f64::from_bits(v.to_bits() & mask(condition));
    let (less, more) = (Pair::sum(small, -large), Pair::sum(small, large));
    let num = Pair::new(if upper { less.hi } else { small }, pick(less.lo, upper));
    let den = Pair::new(if upper { more.hi } else { large }, pick(more.lo, upper));
    let t = num.div::<A>(den);
    let low = A::madd(t.hi, atan_rest::<A>(t.hi * t.hi), t.lo + pick(QUARTER_PI_2, upper));
    // The reflections at the diagonal and at the imaginary axis: a sign and an offset.
    let steep = x.abs() < y.abs();
    let sign = (steep as u64) << 63;
    let left = sign_bit(x);
    let base = pick(QUARTER_PI_1, upper);
    // angle = offset ± (base + t + low), offset 0, π/2 or π.
    let offset = pick(HALF_PI_1, steep) + pick(if steep { 0.0 } else { PI_1 }, left != 0);
    let offset_low = pick(HALF_PI_2, steep) + pick(if steep { 0.0 } else { PI_2 }, left != 0);
    let turn = if steep { sign ^ left } else { left };
    let (hi, lo) = fast_two_sum(offset, flip(base, turn));
    let (hi, lo2) = two_sum(hi, flip(t.hi, turn));
    let angle = hi + (lo + lo2 + offset_low + flip(low, turn));
    flip(angle, sign_bit(y))
}

/// C99 F.10.1.4, and ratios that leave the range.
pub(crate) fn atan2_slow(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let left = x.is_sign_negative();
    if y == 0.0 {
        return if left { PI_1.copysign(y) } else { y };
    }
    if x == 0.0 {
        return HALF_PI_1.copysign(y);
    }
    if x.is_infinite() || y.is_infinite() {
        let unit = |v: f64| if v.is_infinite() { 1.0_f64.copysign(v) } else { 0.0_f64.copysign(v) };
        return argument::<Plain>(unit(y), unit(x));
    }
    let (ey, ex) = (exponent(y), exponent(x));
    if ey - ex > 60 {
        return HALF_PI_1.copysign(y);
    }
    if ey - ex < -60 {
        // atan t = t to the last bit, and the quotient may be subnormal.
        return if left { PI_1.copysign(y) } else { y / x };
    }
    argument::<Plain>(ldexp(y, -ex), ldexp(x, -ex))
}
