//! The four element types, as far as the algorithms here need them.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use num_complex::Complex;

use crate::kernel::Kernel;

/// An element: `f32`, `f64`, `Complex<f32>` or `Complex<f64>`. Sealed.
pub trait Scalar:
    Kernel
    + Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// The type of norms and singular values.
    type Real: RealScalar;
    /// The type of eigenvalues of a general matrix.
    type Complex: Scalar<Real = Self::Real>;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Whether elements have an imaginary part.
    const COMPLEX: bool;

    /// `re + i im`; `im` is dropped by the real types.
    fn new(re: Self::Real, im: Self::Real) -> Self;
    /// Real part.
    fn re(self) -> Self::Real;
    /// Imaginary part, 0 for the real types.
    fn im(self) -> Self::Real;
    /// Complex conjugate.
    fn conj(self) -> Self;
    /// Product with a real number.
    fn scale(self, by: Self::Real) -> Self;

    /// Quotient, right wherever it is representable.
    fn over(self, by: Self) -> Self;

    /// |re| + |im|: as good as the absolute value to compare by, and never out of range.
    #[inline(always)]
    fn abs1(self) -> Self::Real {
        self.re().abs() + self.im().abs()
    }
    /// `self · 2^e`, for any `e` a finite number can have.
    fn power(self, e: i32) -> Self {
        Self::new(self.re().times_power(e), self.im().times_power(e))
    }
    /// Squared absolute value.
    #[inline(always)]
    fn abs2(self) -> Self::Real {
        self.re() * self.re() + self.im() * self.im()
    }
    /// The conjugate if `conj`, else itself.
    #[inline(always)]
    fn conj_if(self, conj: bool) -> Self {
        if Self::COMPLEX && conj { self.conj() } else { self }
    }
}

/// A real element, `f32` or `f64`. Sealed.
pub trait RealScalar: Scalar<Real = Self> + PartialOrd + Div<Output = Self> {
    /// Distance from 1 to the next number.
    const EPS: Self;
    /// Smallest normal number.
    const MIN_NORMAL: Self;
    /// Two singular values closer than this times the largest are one multiplet.
    const GAP: Self;
    /// A singular value below this times the largest counts as exactly 0.
    const NULL: Self;
    /// Largest binary exponent whose scaling may be folded into products.
    const SAFE_EXPONENT: i32;

    /// Square root.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Neither NaN nor infinite.
    fn finite(self) -> bool;
    /// Nearest value to a double.
    fn from_f64(x: f64) -> Self;
    /// As a double.
    fn to_f64(self) -> f64;
    /// The `e` with `self = f · 2^e`, `f` in [½, 1); for positive finite numbers.
    fn exponent(self) -> i32;
    /// `2^e` for an `e` in the normal range.
    fn power_of_two(e: i32) -> Self;

    /// The larger one; `self` if `other` is NaN.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
    /// `self · 2^e` for |e| up to twice the largest exponent: the way from one end of the range
    /// to the other. One rounding, at the end of the range, if any.
    fn times_power(self, e: i32) -> Self {
        let half = e / 2;
        self * Self::power_of_two(half) * Self::power_of_two(e - half)
    }
}

macro_rules! real_scalar {
    ($t:ty, $bits:ty, $mantissa:expr, $bias:expr, $gap:expr, $null:expr, $safe:expr) => {
        impl Scalar for $t {
            type Real = $t;
            type Complex = Complex<$t>;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const COMPLEX: bool = false;
            #[inline(always)]
            fn new(re: $t, _: $t) -> Self {
                re
            }
            #[inline(always)]
            fn re(self) -> $t {
                self
            }
            #[inline(always)]
            fn im(self) -> $t {
                0.0
            }
            #[inline(always)]
            fn conj(self) -> Self {
                self
            }
            #[inline(always)]
            fn scale(self, by: $t) -> Self {
                self * by
            }
            #[inline(always)]
            fn over(self, by: Self) -> Self {
                self / by
            }
        }

        impl RealScalar for $t {
            const EPS: Self = <$t>::EPSILON;
            const MIN_NORMAL: Self = <$t>::MIN_POSITIVE;
            const GAP: Self = $gap;
            const NULL: Self = $null;
            const SAFE_EXPONENT: i32 = $safe;
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            fn exponent(self) -> i32 {
                let (x, lift) = if self < Self::MIN_NORMAL { (self * Self::power_of_two($mantissa + 1), $mantissa + 1) } else { (self, 0) };
                (x.to_bits() >> $mantissa) as i32 - ($bias - 1) - lift
            }
            fn power_of_two(e: i32) -> Self {
                <$t>::from_bits(((e + $bias) as $bits) << $mantissa)
            }
        }

        impl Scalar for Complex<$t> {
            type Real = $t;
            type Complex = Self;
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            const COMPLEX: bool = true;
            #[inline(always)]
            fn new(re: $t, im: $t) -> Self {
                Complex::new(re, im)
            }
            #[inline(always)]
            fn re(self) -> $t {
                self.re
            }
            #[inline(always)]
            fn im(self) -> $t {
                self.im
            }
            #[inline(always)]
            fn conj(self) -> Self {
                Complex::new(self.re, -self.im)
            }
            #[inline(always)]
            fn scale(self, by: $t) -> Self {
                Complex::new(self.re * by, self.im * by)
            }
            fn over(self, by: Self) -> Self {
                if by == Self::ZERO || !by.abs1().finite() {
                    return self / by;
                }
                // Both near 1, where squares and products are in range.
                let (e, f) = (by.abs1().exponent(), self.abs1());
                let f = if f > 0.0 && f.finite() { f.exponent() } else { 0 };
                let (x, y) = (self.power(-f), by.power(-e));
                let one = <$t as Scalar>::ONE;
                (x * y.conj()).scale(one / y.abs2()).power((f - e).clamp(-2 * $bias, 2 * $bias))
            }
        }
    };
}

real_scalar!(f32, u32, 23, 127, 1e-4, 1e-15, 40);
real_scalar!(f64, u64, 52, 1023, 1e-10, 1e-30, 300);
