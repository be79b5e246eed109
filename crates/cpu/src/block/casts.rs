//! Kernels that change the dtype.

use tenferro_graph::DType;
use tenferro_vmath::Level;

use super::kernel::{leveled, map};
use super::{IMAG, Kernel};

macro_rules! real_casts {
    ($($f:ident $from:ty => $to:ty: |$x:ident| $e:expr),* $(,)?) => {$( leveled!($f, |d, a, b, c, n| map::<$from, $to>(d, a, n, |$x| $e)); )*};
}
real_casts!(
    bool_i64 bool => i64: |x| i64::from(x), bool_f32 bool => f32: |x| f32::from(u8::from(x)), bool_f64 bool => f64: |x| f64::from(u8::from(x)),
    i64_bool i64 => bool: |x| x != 0, i64_f32 i64 => f32: |x| x as f32, i64_f64 i64 => f64: |x| x as f64,
    f32_bool f32 => bool: |x| x != 0.0, f32_i64 f32 => i64: |x| x as i64, f32_f64 f32 => f64: |x| f64::from(x),
    f64_bool f64 => bool: |x| x != 0.0, f64_i64 f64 => i64: |x| x as i64, f64_f32 f64 => f32: |x| x as f32,
    bool_bool bool => bool: |x| x, i64_i64 i64 => i64: |x| x, f32_f32 f32 => f32: |x| x, f64_f64 f64 => f64: |x| x,
);

macro_rules! with_imaginary {
    // Real to complex: the imaginary half is 0.
    (zero $($f:ident $from:ty => $to:ty: $cast:expr),*) => {$(
        leveled!($f, |d, a, b, c, n| {
            map::<$from, $to>(d, a, n, $cast);
            map::<$to, $to>(d.wrapping_add(IMAG), d, n, |_| 0.0);
        });
    )*};
    (both $($f:ident $from:ty => $to:ty: $cast:expr),*) => {$(
        leveled!($f, |d, a, b, c, n| {
            map::<$from, $to>(d, a, n, $cast);
            map::<$from, $to>(d.wrapping_add(IMAG), a.wrapping_add(IMAG), n, $cast);
        });
    )*};
}
with_imaginary!(zero
    bool_c64 bool => f32: |x| f32::from(u8::from(x)), i64_c64 i64 => f32: |x| x as f32, f32_c64 f32 => f32: |x| x, f64_c64 f64 => f32: |x| x as f32,
    bool_c128 bool => f64: |x| f64::from(u8::from(x)), i64_c128 i64 => f64: |x| x as f64, f32_c128 f32 => f64: f64::from, f64_c128 f64 => f64: |x| x);
with_imaginary!(both c64_c64 f32 => f32: |x| x, c64_c128 f32 => f64: f64::from, c128_c64 f64 => f32: |x| x as f32, c128_c128 f64 => f64: |x| x);

macro_rules! nonzero {
    ($($f:ident $t:ty),*) => {$(
        leveled!($f, |d, a, b, c, n| {
            let (d, re, im) = (d.cast::<bool>(), a.cast::<$t>(), a.wrapping_add(IMAG).cast::<$t>());
            for i in 0..n {
                d.add(i).write(re.add(i).read() != 0.0 || im.add(i).read() != 0.0);
            }
        });
    )*};
}
nonzero!(c64_bool f32, c128_bool f64);

/// The kernel from one dtype to another. Complex to real reads the real half.
pub(crate) fn cast(from: DType, to: DType, level: Level) -> Kernel {
    use DType::{Bool, C64, C128, F32, F64, I64};
    let f: fn(Level) -> Kernel = match (from, to) {
        (Bool, Bool) => bool_bool,
        (Bool, I64) => bool_i64,
        (Bool, F32) => bool_f32,
        (Bool, F64) => bool_f64,
        (Bool, C64) => bool_c64,
        (Bool, C128) => bool_c128,
        (I64, Bool) => i64_bool,
        (I64, I64) => i64_i64,
        (I64, F32) => i64_f32,
        (I64, F64) => i64_f64,
        (I64, C64) => i64_c64,
        (I64, C128) => i64_c128,
        (F32, Bool) => f32_bool,
        (F32 | C64, I64) => f32_i64,
        (F32 | C64, F32) => f32_f32,
        (F32 | C64, F64) => f32_f64,
        (F32, C64) => f32_c64,
        (F32, C128) => f32_c128,
        (F64, Bool) => f64_bool,
        (F64 | C128, I64) => f64_i64,
        (F64 | C128, F32) => f64_f32,
        (F64 | C128, F64) => f64_f64,
        (F64, C64) => f64_c64,
        (F64, C128) => f64_c128,
        (C64, Bool) => c64_bool,
        (C64, C64) => c64_c64,
        (C64, C128) => c64_c128,
        (C128, Bool) => c128_bool,
        (C128, C64) => c128_c64,
        (C128, C128) => c128_c128,
    };
    f(level)
}
