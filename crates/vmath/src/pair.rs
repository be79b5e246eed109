//! Numbers held as an unevaluated sum of two doubles: about 100 bits where a result must round once.

use crate::arith::{Arith, fast_two_sum, two_sum};

/// hi + lo with |lo| ≲ ulp(hi).
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

impl Pair {
    #[inline(always)]
    pub(crate) fn new(hi: f64, lo: f64) -> Pair {
        Pair { hi, lo }
    }

    /// a + b exactly.
    #[inline(always)]
    pub(crate) fn sum(a: f64, b: f64) -> Pair {
        let (hi, lo) = two_sum(a, b);
        Pair { hi, lo }
    }

    /// a + b exactly, where |a| ≥ |b| or a = 0.
    #[inline(always)]
    pub(crate) fn ordered(a: f64, b: f64) -> Pair {
        let (hi, lo) = fast_two_sum(a, b);
        Pair { hi, lo }
    }

    /// a·b exactly.
    #[inline(always)]
    pub(crate) fn product<A: Arith>(a: f64, b: f64) -> Pair {
        let (hi, lo) = A::two_prod(a, b);
        Pair { hi, lo }
    }

    /// The nearest double, but for the rounding of `lo`.
    #[inline(always)]
    pub(crate) fn value(self) -> f64 {
        self.hi + self.lo
    }

    /// Times a power of two (or any factor whose products are exact).
    #[inline(always)]
    pub(crate) fn scale(self, by: f64) -> Pair {
        Pair { hi: self.hi * by, lo: self.lo * by }
    }

    /// self + x, in any order of size.
    #[inline(always)]
    pub(crate) fn plus(self, x: f64) -> Pair {
        let s = Pair::sum(self.hi, x);
        Pair::ordered(s.hi, s.lo + self.lo)
    }

    /// Sum of two pairs, in any order of size; cancellation costs relative accuracy of the order of 2⁻¹⁰⁵ of the terms.
    #[inline(always)]
    pub(crate) fn add(self, other: Pair) -> Pair {
        let s = Pair::sum(self.hi, other.hi);
        Pair::ordered(s.hi, s.lo + (self.lo + other.lo))
    }

    #[inline(always)]
    pub(crate) fn mul<A: Arith>(self, other: Pair) -> Pair {
        let p = Pair::product::<A>(self.hi, other.hi);
        Pair::ordered(p.hi, p.lo + A::madd(self.hi, other.lo, self.lo * other.hi))
    }

    /// Product with a double.
    #[inline(always)]
    pub(crate) fn times<A: Arith>(self, x: f64) -> Pair {
        let p = Pair::product::<A>(self.hi, x);
        Pair::ordered(p.hi, A::madd(self.lo, x, p.lo))
    }

    /// Quotient with one division: the reciprocal also corrects the remainder.
    #[inline(always)]
    pub(crate) fn div<A: Arith>(self, by: Pair) -> Pair {
        let inverse = 1.0 / by.hi;
        let q = self.hi * inverse;
        let p = Pair::product::<A>(q, by.hi);
        let rest = (self.hi - p.hi) - p.lo + A::madd(-q, by.lo, self.lo);
        Pair::ordered(q, rest * inverse)
    }

    /// Square root; 0 gives 0 and a negative head NaN.
    #[inline(always)]
    pub(crate) fn sqrt<A: Arith>(self) -> Pair {
        let s = self.hi.sqrt();
        let p = Pair::product::<A>(s, s);
        let rest = (self.hi - p.hi) - p.lo + self.lo;
        // Next to zero the remainder is zero too, and the quotient must not be NaN.
        Pair::ordered(s, 0.5 * rest / (s + f64::MIN_POSITIVE))
    }
}
