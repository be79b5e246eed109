//! Kernels that change the dtype.

use tenferro_graph::DType;
use tenferro_vmath::Level;

use super::kernel::{leveled_for, map};
use super::{IMAG, Kernel};

/// One real element as another: integers wrap, floats are rounded, cut to an integer or,
/// outside its range, to the nearest bound; bool is x ≠ 0.
pub(super) trait To<B> {
    fn to(self) -> B;
}

macro_rules! to {
    ($($from:ident => $($t:ident)*;)*) => {$(
        $(impl To<$t> for $from {
            #[inline(always)]
            fn to(self) -> $t { self as $t }
        })*
        impl To<bool> for $from {
            #[inline(always)]
            fn to(self) -> bool { self != (0 as $from) }
        }
        impl To<$from> for bool {
            #[inline(always)]
            fn to(self) -> $from { u8::from(self) as $from }
        }
    )*};
}
to! {
    i8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    i16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    i32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    i64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    u8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    u16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    u32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    u64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    f32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    f64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
}
impl To<bool> for bool {
    #[inline(always)]
    fn to(self) -> bool {
        self
    }
}

leveled_for!(real [A, B] where [A: To<B> + Copy, B: Copy], |d, a, b, c, n| map::<A, B>(d, a, n, A::to));
// The imaginary half of what was real is 0.
leveled_for!(widen [A, B] where [A: To<B> + Copy, B: Copy + Default], |d, a, b, c, n| {
    map::<A, B>(d, a, n, A::to);
    map::<B, B>(d.wrapping_add(IMAG), d, n, |_| B::default());
});
leveled_for!(both [A, B] where [A: To<B> + Copy, B: Copy], |d, a, b, c, n| {
    map::<A, B>(d, a, n, A::to);
    map::<A, B>(d.wrapping_add(IMAG), a.wrapping_add(IMAG), n, A::to);
});
leveled_for!(nonzero [T] where [T: To<bool> + Copy], |d, a, b, c, n| {
    let (d, re, im) = (d.cast::<bool>(), a.cast::<T>(), a.wrapping_add(IMAG).cast::<T>());
    for i in 0..n {
        d.add(i).write(re.add(i).read().to() || im.add(i).read().to());
    }
});

/// Runs `$body` with `$t` the type of a register's parts.
macro_rules! with_part {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            DType::Bool => {
                type $t = bool;
                $body
            }
            DType::I8 => {
                type $t = i8;
                $body
            }
            DType::I16 => {
                type $t = i16;
                $body
            }
            DType::I32 => {
                type $t = i32;
                $body
            }
            DType::I64 => {
                type $t = i64;
                $body
            }
            DType::U8 => {
                type $t = u8;
                $body
            }
            DType::U16 => {
                type $t = u16;
                $body
            }
            DType::U32 => {
                type $t = u32;
                $body
            }
            DType::U64 => {
                type $t = u64;
                $body
            }
            DType::F32 | DType::C64 => {
                type $t = f32;
                $body
            }
            DType::F64 | DType::C128 => {
                type $t = f64;
                $body
            }
        }
    };
}
pub(crate) use with_part;

/// The kernel from one dtype to another. Complex to real reads the real half.
pub(crate) fn cast(from: DType, to: DType, level: Level) -> Kernel {
    let complex = (from.is_complex(), to.is_complex());
    with_part!(from, A => match (complex, to) {
        ((true, true), DType::C64) => both::<A, f32>(level),
        ((true, true), _) => both::<A, f64>(level),
        ((false, true), DType::C64) => widen::<A, f32>(level),
        ((false, true), _) => widen::<A, f64>(level),
        ((true, false), DType::Bool) => nonzero::<A>(level),
        _ => with_part!(to, B => real::<A, B>(level)),
    })
}
