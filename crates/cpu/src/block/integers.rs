//! Kernels of integers, which wrap as NumPy's.

use tenferro_ops::{BinaryOp, UnaryOp};
use tenferro_vmath::Level;

use super::Kernel;
use super::kernel::{leveled_for, map, zip};

/// An integer of any width.
pub(crate) trait Int: Copy + Ord {
    fn negative(self) -> Self;
    fn magnitude(self) -> Self;
    fn sign(self) -> Self;
    fn complement(self) -> Self;
    fn plus(self, y: Self) -> Self;
    fn minus(self, y: Self) -> Self;
    fn times(self, y: Self) -> Self;
    /// ⌊x/y⌋; 0 for y = 0.
    fn floor_quotient(self, y: Self) -> Self;
    /// The sign of y; 0 for y = 0.
    fn floor_rest(self, y: Self) -> Self;
    /// The sign of x; 0 for y = 0.
    fn rest(self, y: Self) -> Self;
    fn power(self, y: Self) -> Self;
    fn and(self, y: Self) -> Self;
    fn or(self, y: Self) -> Self;
    fn xor(self, y: Self) -> Self;
    fn left(self, y: Self) -> Self;
    fn right(self, y: Self) -> Self;
}

macro_rules! common {
    ($t:ident) => {
        #[inline(always)]
        fn negative(self) -> Self {
            self.wrapping_neg()
        }
        #[inline(always)]
        fn complement(self) -> Self {
            !self
        }
        #[inline(always)]
        fn plus(self, y: Self) -> Self {
            self.wrapping_add(y)
        }
        #[inline(always)]
        fn minus(self, y: Self) -> Self {
            self.wrapping_sub(y)
        }
        #[inline(always)]
        fn times(self, y: Self) -> Self {
            self.wrapping_mul(y)
        }
        #[inline(always)]
        fn rest(self, y: Self) -> Self {
            if y == 0 { 0 } else { self.wrapping_rem(y) }
        }
        #[inline(always)]
        fn and(self, y: Self) -> Self {
            self & y
        }
        #[inline(always)]
        fn or(self, y: Self) -> Self {
            self | y
        }
        #[inline(always)]
        fn xor(self, y: Self) -> Self {
            self ^ y
        }
        #[inline(always)]
        fn left(self, y: Self) -> Self {
            u32::try_from(y).ok().and_then(|y| self.checked_shl(y)).unwrap_or(0)
        }
    };
}

/// xʸ for y ≥ 0 by squaring.
macro_rules! squaring {
    ($x:expr, $y:expr) => {{
        let (mut base, mut rest, mut out) = ($x, $y, 1);
        while rest > 0 {
            if rest & 1 == 1 {
                out = base.wrapping_mul(out);
            }
            base = base.wrapping_mul(base);
            rest >>= 1;
        }
        out
    }};
}

macro_rules! signed {
    ($($t:ident)*) => {$(
        impl Int for $t {
            common!($t);
            #[inline(always)]
            fn magnitude(self) -> Self { self.wrapping_abs() }
            #[inline(always)]
            fn sign(self) -> Self { self.signum() }
            #[inline(always)]
            fn floor_quotient(self, y: Self) -> Self {
                if y == 0 { return 0; }
                let (q, r) = (self.wrapping_div(y), self.wrapping_rem(y));
                if r != 0 && (r < 0) != (y < 0) { q - 1 } else { q }
            }
            #[inline(always)]
            fn floor_rest(self, y: Self) -> Self {
                if y == 0 { return 0; }
                let r = self.wrapping_rem(y);
                if r != 0 && (r < 0) != (y < 0) { r + y } else { r }
            }
            #[inline(always)]
            fn power(self, y: Self) -> Self {
                match (self, y) {
                    (1, _) => 1,
                    (-1, y) => if y & 1 == 0 { 1 } else { -1 },
                    (_, y) if y < 0 => 0,
                    (x, y) => squaring!(x, y),
                }
            }
            #[inline(always)]
            fn right(self, y: Self) -> Self {
                u32::try_from(y).ok().and_then(|y| self.checked_shr(y)).unwrap_or(if self < 0 { -1 } else { 0 })
            }
        }
    )*};
}
signed!(i8 i16 i32 i64);

macro_rules! unsigned {
    ($($t:ident)*) => {$(
        impl Int for $t {
            common!($t);
            #[inline(always)]
            fn magnitude(self) -> Self { self }
            #[inline(always)]
            fn sign(self) -> Self { Self::from(self != 0) }
            #[inline(always)]
            fn floor_quotient(self, y: Self) -> Self { self.checked_div(y).unwrap_or(0) }
            #[inline(always)]
            fn floor_rest(self, y: Self) -> Self { self.checked_rem(y).unwrap_or(0) }
            #[inline(always)]
            fn power(self, y: Self) -> Self { squaring!(self, y) }
            #[inline(always)]
            fn right(self, y: Self) -> Self {
                u32::try_from(y).ok().and_then(|y| self.checked_shr(y)).unwrap_or(0)
            }
        }
    )*};
}
unsigned!(u8 u16 u32 u64);

macro_rules! kernels {
    (unary $($f:ident: $method:ident),*; binary $($g:ident: $both:ident),*) => {
        $(leveled_for!($f [T] where [T: Int], |d, a, b, c, n| map::<T, T>(d, a, n, T::$method));)*
        $(leveled_for!($g [T] where [T: Int], |d, a, b, c, n| zip::<T, T>(d, a, b, n, T::$both));)*
    };
}
leveled_for!(square [T] where [T: Int], |d, a, b, c, n| map::<T, T>(d, a, n, |x| x.times(x)));
kernels!(
    unary neg: negative, abs: magnitude, signum: sign, not: complement;
    binary add: plus, sub: minus, mul: times, maximum: max, minimum: min, floor_divide: floor_quotient, remainder: floor_rest, fmod: rest,
        pow: power, bit_and: and, bit_or: or, bit_xor: xor, shift_left: left, shift_right: right
);

pub(crate) fn unary<T: Int>(op: UnaryOp, level: Level) -> Option<Kernel> {
    Some(match op {
        UnaryOp::Neg => neg::<T>(level),
        UnaryOp::Abs => abs::<T>(level),
        UnaryOp::Sign => signum::<T>(level),
        UnaryOp::Square => square::<T>(level),
        UnaryOp::BitNot => not::<T>(level),
        _ => return None,
    })
}

pub(crate) fn binary<T: Int>(op: BinaryOp, level: Level) -> Option<Kernel> {
    Some(match op {
        BinaryOp::Add => add::<T>(level),
        BinaryOp::Sub => sub::<T>(level),
        BinaryOp::Mul => mul::<T>(level),
        BinaryOp::Maximum | BinaryOp::Fmax => maximum::<T>(level),
        BinaryOp::Minimum | BinaryOp::Fmin => minimum::<T>(level),
        BinaryOp::FloorDivide => floor_divide::<T>(level),
        BinaryOp::Remainder => remainder::<T>(level),
        BinaryOp::Fmod => fmod::<T>(level),
        BinaryOp::Pow => pow::<T>(level),
        BinaryOp::BitAnd => bit_and::<T>(level),
        BinaryOp::BitOr => bit_or::<T>(level),
        BinaryOp::BitXor => bit_xor::<T>(level),
        BinaryOp::ShiftLeft => shift_left::<T>(level),
        BinaryOp::ShiftRight => shift_right::<T>(level),
        _ => return None,
    })
}

/// Runs `$body` with `$t` the integer type of a dtype, and gives `None` for others.
macro_rules! with_integer {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            tenferro_graph::DType::I8 => {
                type $t = i8;
                $body
            }
            tenferro_graph::DType::I16 => {
                type $t = i16;
                $body
            }
            tenferro_graph::DType::I32 => {
                type $t = i32;
                $body
            }
            tenferro_graph::DType::I64 => {
                type $t = i64;
                $body
            }
            tenferro_graph::DType::U8 => {
                type $t = u8;
                $body
            }
            tenferro_graph::DType::U16 => {
                type $t = u16;
                $body
            }
            tenferro_graph::DType::U32 => {
                type $t = u32;
                $body
            }
            tenferro_graph::DType::U64 => {
                type $t = u64;
                $body
            }
            _ => None,
        }
    };
}
pub(crate) use with_integer;
