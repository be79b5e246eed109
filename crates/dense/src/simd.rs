//! Loops over contiguous columns, compiled for AVX2 where the machine has it.
//!
//! Lanes are explicit and nothing is fused, so every level gives the same bits.

use crate::scalar::Scalar;

/// Independent sums in a dot product.
const LANES: usize = 8;

/// Defines a function whose body is compiled twice and chosen when it is called.
macro_rules! dispatched {
    ($(#[$doc:meta])* fn $name:ident<T: Scalar>($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)? = $body:ident;) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name<T: Scalar>($($arg: $ty),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn wide<T: Scalar>($($arg: $ty),*) $(-> $out)? {
                    $body($($arg),*)
                }
                // SAFETY: the machine has AVX2.
                return unsafe { wide($($arg),*) };
            }
            $body($($arg),*)
        }
    };
}
pub(crate) use dispatched;

/// Σ conj(xᵢ) yᵢ.
#[inline(always)]
pub(crate) fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
    let (xs, x_tail) = x.as_chunks::<LANES>();
    let (ys, y_tail) = y.as_chunks::<LANES>();
    let mut sums = [T::ZERO; LANES];
    for (x, y) in xs.iter().zip(ys) {
        for lane in 0..LANES {
            sums[lane] += x[lane].conj() * y[lane];
        }
    }
    let mut tail = T::ZERO;
    for (x, y) in x_tail.iter().zip(y_tail) {
        tail += x.conj() * *y;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + b) + (c + d)) + ((e + f) + (g + h))) + tail
}

/// y += alpha x.
#[inline(always)]
pub(crate) fn axpy<T: Scalar>(alpha: T, x: &[T], y: &mut [T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += alpha * *x;
    }
}

/// Σ |xᵢ|².
#[inline(always)]
pub(crate) fn norm2<T: Scalar>(x: &[T]) -> T::Real {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut sums = [T::Real::ZERO; LANES];
    for x in chunks {
        for lane in 0..LANES {
            sums[lane] += x[lane].abs2();
        }
    }
    let mut tail = T::Real::ZERO;
    for x in rest {
        tail += x.abs2();
    }
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + b) + (c + d)) + ((e + f) + (g + h))) + tail
}
