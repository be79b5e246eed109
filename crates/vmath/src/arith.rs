//! Multiply-add with and without FMA, error-free transformations, polynomials.

/// How a level multiplies and adds.  All of it is `inline(always)`, so that it is compiled with the features of the
/// wrapper it ends up in: `mul_add` compiled without the `fma` feature would call libm.
pub(crate) trait Arith: Copy + 'static {
    /// Whether `madd` rounds once.
    const FUSED: bool;

    /// a·b + c.
    fn madd(a: f64, b: f64, c: f64) -> f64;

    /// (p, e) with p = fl(a·b), p + e = a·b exactly (no over- or underflow).
    fn two_prod(a: f64, b: f64) -> (f64, f64);
}

/// Levels with FMA.
#[derive(Clone, Copy)]
pub(crate) struct Fused;

/// The baseline, and every scalar fix-up (so that these agree between levels).
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Arith for Fused {
    const FUSED: bool = true;

    #[inline(always)]
    fn madd(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn two_prod(a: f64, b: f64) -> (f64, f64) {
        let p = a * b;
        (p, a.mul_add(b, -p))
    }
}

impl Arith for Plain {
    const FUSED: bool = false;

    #[inline(always)]
    fn madd(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }

    /// Dekker's product on Veltkamp's splitting.
    #[inline(always)]
    fn two_prod(a: f64, b: f64) -> (f64, f64) {
        let p = a * b;
        let (a_hi, a_lo) = halves(a);
        let (b_hi, b_lo) = halves(b);
        (p, ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo)
    }
}

/// `x` as a sum of two numbers of 26 bits.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let c = 134_217_729.0 * x;
    let hi = c - (c - x);
    (hi, x - hi)
}

/// (s, e) with s = fl(a + b), s + e = a + b exactly.
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// `two_sum` where |a| ≥ |b| or a = 0.
#[inline(always)]
pub(crate) fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// 1.5·2⁵²: adding it rounds |x| < 2⁵¹ to an integer held in the low mantissa bits.
pub(crate) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// A mask that is all ones where `condition` holds.
#[inline(always)]
pub(crate) fn mask(condition: bool) -> u64 {
    0u64.wrapping_sub(condition as u64)
}

/// Sign bit of `x`.
#[inline(always)]
pub(crate) fn sign_bit(x: f64) -> u64 {
    x.to_bits() & (1 << 63)
}

/// `x` with the given bits flipped: a sign, mostly.
#[inline(always)]
pub(crate) fn flip(x: f64, bits: u64) -> f64 {
    f64::from_bits(x.to_bits() ^ bits)
}

/// (larger, smaller) of |a| and |b|; branch-free, NaN handled by the caller's range test.
#[inline(always)]
pub(crate) fn by_size(a: f64, b: f64) -> (f64, f64) {
    let (a, b) = (a.abs(), b.abs());
    if a < b { (b, a) } else { (a, b) }
}

/// Polynomial in `z` by Estrin's scheme, its coefficients listed in groups of up to four: the loops are bound by
/// latency, and this has half that of Horner's rule.  `zz` is z².
macro_rules! estrin {
    ($A:ty, $z:expr, $zz:expr, $c:expr; $($group:tt)+) => {{
        let (z, zz) = ($z, $zz);
        let z4 = zz * zz;
        $crate::arith::estrin!(@groups $A, z, zz, z4, $c; $($group)+)
    }};
    (@groups $A:ty, $z:ident, $zz:ident, $z4:ident, $c:expr; $last:tt) => {{
        let _ = $z4;
        $crate::arith::estrin!(@group $A, $z, $zz, $c; $last)
    }};
    (@groups $A:ty, $z:ident, $zz:ident, $z4:ident, $c:expr; $first:tt $($rest:tt)+) => {
        <$A>::madd(
            $crate::arith::estrin!(@groups $A, $z, $zz, $z4, $c; $($rest)+),
            $z4,
            $crate::arith::estrin!(@group $A, $z, $zz, $c; $first),
        )
    };
    (@group $A:ty, $z:ident, $zz:ident, $c:expr; [$a:literal]) => {{
        let _ = $zz;
        $c[$a]
    }};
    (@group $A:ty, $z:ident, $zz:ident, $c:expr; [$a:literal $b:literal]) => {
        <$A>::madd($c[$b], $z, $c[$a])
    };
    (@group $A:ty, $z:ident, $zz:ident, $c:expr; [$a:literal $b:literal $d:literal]) => {
        <$A>::madd($c[$d], $zz, <$A>::madd($c[$b], $z, $c[$a]))
    };
    (@group $A:ty, $z:ident, $zz:ident, $c:expr; [$a:literal $b:literal $d:literal $e:literal]) => {
        <$A>::madd(<$A>::madd($c[$e], $z, $c[$d]), $zz, <$A>::madd($c[$b], $z, $c[$a]))
    };
}

pub(crate) use estrin;
