//! Kernels of arithmetic, comparison and choice.

use super::IMAG;
use super::kernel::{cmap, czip, leveled, map, zip, zip3};

/// NumPy's maximum: NaN if either is.
#[inline(always)]
pub(super) fn max_f64(x: f64, y: f64) -> f64 {
    if x > y || x.is_nan() { x } else { y }
}

#[inline(always)]
pub(super) fn max_f32(x: f32, y: f32) -> f32 {
    if x > y || x.is_nan() { x } else { y }
}

macro_rules! real {
    ($m:ident, $t:ty, $max:expr) => {
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
        }
    };
}
real!(f64s, f64, max_f64);
real!(f32s, f32, max_f32);

pub(crate) mod i64s {
    use super::*;
    leveled!(neg, |d, a, b, c, n| map::<i64, i64>(d, a, n, i64::wrapping_neg));
    leveled!(abs, |d, a, b, c, n| map::<i64, i64>(d, a, n, i64::wrapping_abs));
    leveled!(square, |d, a, b, c, n| map::<i64, i64>(d, a, n, |x| x.wrapping_mul(x)));
    leveled!(add, |d, a, b, c, n| zip::<i64, i64>(d, a, b, n, i64::wrapping_add));
    leveled!(sub, |d, a, b, c, n| zip::<i64, i64>(d, a, b, n, i64::wrapping_sub));
    leveled!(mul, |d, a, b, c, n| zip::<i64, i64>(d, a, b, n, i64::wrapping_mul));
    leveled!(maximum, |d, a, b, c, n| zip::<i64, i64>(d, a, b, n, i64::max));
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

macro_rules! compare {
    ($($m:ident $t:ty),*) => {$(
        pub(crate) mod $m {
            use super::*;
            leveled!(eq, |d, a, b, c, n| zip::<$t, bool>(d, a, b, n, |x, y| x == y));
            leveled!(ne, |d, a, b, c, n| zip::<$t, bool>(d, a, b, n, |x, y| x != y));
            leveled!(lt, |d, a, b, c, n| zip::<$t, bool>(d, a, b, n, |x, y| x < y));
            leveled!(le, |d, a, b, c, n| zip::<$t, bool>(d, a, b, n, |x, y| x <= y));
            leveled!(gt, |d, a, b, c, n| zip::<$t, bool>(d, a, b, n, |x, y| x > y));
            leveled!(ge, |d, a, b, c, n| zip::<$t, bool>(d, a, b, n, |x, y| x >= y));
            leveled!(select, |d, a, b, c, n| pick::<$t>(d, a, b, c, n));
            leveled!(copy, |d, a, b, c, n| map::<$t, $t>(d, a, n, |x| x));
        }
    )*};
}
compare!(of_bool bool, of_i64 i64, of_f32 f32, of_f64 f64);

macro_rules! copy_complex {
    ($($f:ident $t:ty),*) => {$( leveled!($f, |d, a, b, c, n| cmap::<$t>(d, a, n, |re, im| (re, im))); )*};
}
copy_complex!(copy_c64 f32, copy_c128 f64);
