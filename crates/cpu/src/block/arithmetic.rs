//! Kernels of arithmetic, comparison and choice.

use super::IMAG;
use super::kernel::{cmap, czip, leveled, leveled_for, map, zip, zip3};

/// NumPy's maximum: NaN if either is.
#[inline(always)]
pub(super) fn max_f64(x: f64, y: f64) -> f64 {
    if x > y || x.is_nan() { x } else { y }
}

#[inline(always)]
pub(super) fn max_f32(x: f32, y: f32) -> f32 {
    if x > y || x.is_nan() { x } else { y }
}

/// NumPy's minimum: NaN if either is.
#[inline(always)]
pub(super) fn min_f64(x: f64, y: f64) -> f64 {
    if x < y || x.is_nan() { x } else { y }
}

#[inline(always)]
pub(super) fn min_f32(x: f32, y: f32) -> f32 {
    if x < y || x.is_nan() { x } else { y }
}

macro_rules! real {
    ($m:ident, $t:ty, $max:expr, $min:expr) => {
        pub(crate) mod $m {
            use super::*;
            leveled!(neg, |d, a, b, c, n| map::<$t, $t>(d, a, n, |x| -x));
            leveled!(abs, |d, a, b, c, n| map::<$t, $t>(d, a, n, <$t>::abs));
            leveled!(square, |d, a, b, c, n| map::<$t, $t>(d, a, n, |x| x * x));
            leveled!(zero, |d, a, b, c, n| map::<$t, $t>(d, a, n, |_| 0.0));
            leveled!(add, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, |x, y| x + y));
            leveled!(sub, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, |x, y| x - y));
            leveled!(mul, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, |x, y| x * y));
            leveled!(multiply_add, |d, a, b, c, n| zip3::<$t>(d, a, b, c, n, |x, y, z| x * y + z));
            leveled!(div, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, |x, y| x / y));
            leveled!(maximum, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, $max));
            leveled!(minimum, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, $min));
            leveled!(fmax, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, |x, y| if x > y || y.is_nan() { x } else { y }));
            leveled!(fmin, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, |x, y| if x < y || y.is_nan() { x } else { y }));
            leveled!(copysign, |d, a, b, c, n| zip::<$t, $t>(d, a, b, n, <$t>::copysign));
            leveled!(sqrt, |d, a, b, c, n| map::<$t, $t>(d, a, n, <$t>::sqrt));
            leveled!(floor, |d, a, b, c, n| map::<$t, $t>(d, a, n, <$t>::floor));
            leveled!(ceil, |d, a, b, c, n| map::<$t, $t>(d, a, n, <$t>::ceil));
            leveled!(trunc, |d, a, b, c, n| map::<$t, $t>(d, a, n, <$t>::trunc));
            leveled!(rint, |d, a, b, c, n| map::<$t, $t>(d, a, n, <$t>::round_ties_even));
            leveled!(sign, |d, a, b, c, n| map::<$t, $t>(d, a, n, |x| if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }));
            leveled!(isnan, |d, a, b, c, n| map::<$t, bool>(d, a, n, <$t>::is_nan));
            leveled!(isinf, |d, a, b, c, n| map::<$t, bool>(d, a, n, <$t>::is_infinite));
            leveled!(isfinite, |d, a, b, c, n| map::<$t, bool>(d, a, n, <$t>::is_finite));
            leveled!(signbit, |d, a, b, c, n| map::<$t, bool>(d, a, n, <$t>::is_sign_negative));
        }
    };
}
real!(f64s, f64, max_f64, min_f64);
real!(f32s, f32, max_f32, min_f32);

pub(crate) mod bools {
    use super::*;
    leveled!(not, |d, a, b, c, n| map::<bool, bool>(d, a, n, |x| !x));
    leveled!(and, |d, a, b, c, n| zip::<bool, bool>(d, a, b, n, |x, y| x & y));
    leveled!(or, |d, a, b, c, n| zip::<bool, bool>(d, a, b, n, |x, y| x | y));
    leveled!(xor, |d, a, b, c, n| zip::<bool, bool>(d, a, b, n, |x, y| x ^ y));
}

macro_rules! complex {
    ($m:ident, $t:ty) => {
        pub(crate) mod $m {
            use super::*;
            leveled!(neg, |d, a, b, c, n| cmap::<$t>(d, a, n, |re, im| (-re, -im)));
            leveled!(conj, |d, a, b, c, n| cmap::<$t>(d, a, n, |re, im| (re, -im)));
            leveled!(square, |d, a, b, c, n| cmap::<$t>(d, a, n, |re, im| ((re * re) - (im * im), (re * im) + (im * re))));
            leveled!(real, |d, a, b, c, n| map::<$t, $t>(d, a, n, |x| x));
            leveled!(imag, |d, a, b, c, n| map::<$t, $t>(d, a.wrapping_add(IMAG), n, |x| x));
            leveled!(add, |d, a, b, c, n| czip::<$t>(d, a, b, n, |x, y| (x.0 + y.0, x.1 + y.1)));
            leveled!(sub, |d, a, b, c, n| czip::<$t>(d, a, b, n, |x, y| (x.0 - y.0, x.1 - y.1)));
            leveled!(mul, |d, a, b, c, n| czip::<$t>(d, a, b, n, |x, y| (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0)));
            leveled!(multiply_add, |d, a, b, c, n| {
                let at = |p: *const u8, i: usize| (p.cast::<$t>().add(i).read(), p.wrapping_add(IMAG).cast::<$t>().add(i).read());
                for i in 0..n {
                    let (x, y, z) = (at(a, i), at(b, i), at(c, i));
                    d.cast::<$t>().add(i).write(x.0 * y.0 - x.1 * y.1 + z.0);
                    d.wrapping_add(IMAG).cast::<$t>().add(i).write(x.0 * y.1 + x.1 * y.0 + z.1);
                }
            });
            leveled!(eq, |d, a, b, c, n| {
                zip::<$t, bool>(d, a, b, n, |x, y| x == y);
                and_im::<$t>(d, a, b, n, false);
            });
            leveled!(ne, |d, a, b, c, n| {
                zip::<$t, bool>(d, a, b, n, |x, y| x == y);
                and_im::<$t>(d, a, b, n, true);
            });
            leveled!(select, |d, a, b, c, n| {
                pick::<$t>(d, a, b, c, n);
                pick::<$t>(d.wrapping_add(IMAG), a, b.wrapping_add(IMAG), c.wrapping_add(IMAG), n);
            });
        }
    };
}
complex!(c128s, f64);
complex!(c64s, f32);

/// d[i] = (d[i] and imaginary parts equal) ≠ `negate`.
///
/// # Safety
/// As for `map`; d holds bools.
#[inline(always)]
unsafe fn and_im<T: Copy + PartialEq>(d: *mut u8, a: *const u8, b: *const u8, n: usize, negate: bool) {
    let (d, a, b) = (d.cast::<bool>(), a.wrapping_add(IMAG).cast::<T>(), b.wrapping_add(IMAG).cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { d.add(i).write((d.add(i).read() && a.add(i).read() == b.add(i).read()) != negate) };
    }
}

/// d[i] = b[i] where a[i], else c[i].
///
/// # Safety
/// a holds `n` bools, the others `n` elements.
#[inline(always)]
unsafe fn pick<T: Copy>(d: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize) {
    let (d, a, b, c) = (d.cast::<T>(), a.cast::<bool>(), b.cast::<T>(), c.cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe {
            let (x, y) = (b.add(i).read(), c.add(i).read());
            d.add(i).write(if a.add(i).read() { x } else { y });
        }
    }
}

/// Kernels of every type that is not complex.
pub(crate) mod of {
    use super::*;
    leveled_for!(eq [T] where [T: Copy + PartialOrd], |d, a, b, c, n| zip::<T, bool>(d, a, b, n, |x, y| x == y));
    leveled_for!(ne [T] where [T: Copy + PartialOrd], |d, a, b, c, n| zip::<T, bool>(d, a, b, n, |x, y| x != y));
    leveled_for!(lt [T] where [T: Copy + PartialOrd], |d, a, b, c, n| zip::<T, bool>(d, a, b, n, |x, y| x < y));
    leveled_for!(le [T] where [T: Copy + PartialOrd], |d, a, b, c, n| zip::<T, bool>(d, a, b, n, |x, y| x <= y));
    leveled_for!(gt [T] where [T: Copy + PartialOrd], |d, a, b, c, n| zip::<T, bool>(d, a, b, n, |x, y| x > y));
    leveled_for!(ge [T] where [T: Copy + PartialOrd], |d, a, b, c, n| zip::<T, bool>(d, a, b, n, |x, y| x >= y));
    leveled_for!(select [T] where [T: Copy], |d, a, b, c, n| pick::<T>(d, a, b, c, n));
    leveled_for!(copy [T] where [T: Copy], |d, a, b, c, n| map::<T, T>(d, a, n, |x| x));
}

leveled_for!(copy_complex [T] where [T: Copy], |d, a, b, c, n| cmap::<T>(d, a, n, |re, im| (re, im)));
// Real and imaginary parts from two registers.
leveled_for!(parts [T] where [T: Copy], |d, a, b, c, n| {
    // The destination may be a register of the arguments: b is read before its place is written.
    if std::ptr::eq(d.cast_const(), b) {
        map::<T, T>(d.wrapping_add(IMAG), b, n, |y| y);
        map::<T, T>(d, a, n, |x| x);
    } else {
        map::<T, T>(d, a, n, |x| x);
        map::<T, T>(d.wrapping_add(IMAG), b, n, |y| y);
    }
});
