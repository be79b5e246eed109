//! Elements as numbers whose order is that of sorting: NaN last, −0 equal to 0, complex numbers
//! by real and then imaginary parts.

/// An element's place in the order.
pub(super) trait Key: Copy {
    type Key: Ord + Copy;
    /// With its position among equals.
    type Ranked: Ord + Copy;
    fn key(self, descending: bool) -> Self::Key;
    fn ranked(self, position: u32, descending: bool) -> Self::Ranked;
    fn position(r: Self::Ranked) -> u32;
}

/// A key of 32 bits, with the position in one word.
macro_rules! narrow {
    ($($t:ty: |$x:ident, $down:ident| $key:expr);*) => {$(
        impl Key for $t {
            type Key = u32;
            type Ranked = u64;
            #[inline(always)]
            fn key(self, $down: bool) -> u32 { let $x = self; $key }
            #[inline(always)]
            fn ranked(self, position: u32, descending: bool) -> u64 { u64::from(self.key(descending)) << 32 | u64::from(position) }
            #[inline(always)]
            fn position(r: u64) -> u32 { r as u32 }
        }
    )*};
}

macro_rules! broad {
    ($($t:ty: |$x:ident, $down:ident| $key:expr);*) => {$(
        impl Key for $t {
            type Key = u64;
            type Ranked = u128;
            #[inline(always)]
            fn key(self, $down: bool) -> u64 { let $x = self; $key }
            #[inline(always)]
            fn ranked(self, position: u32, descending: bool) -> u128 { u128::from(self.key(descending)) << 32 | u128::from(position) }
            #[inline(always)]
            fn position(r: u128) -> u32 { r as u32 }
        }
    )*};
}

/// Turned over if descending.
#[inline(always)]
fn turned32(key: u32, descending: bool) -> u32 {
    if descending { !key } else { key }
}

#[inline(always)]
fn turned64(key: u64, descending: bool) -> u64 {
    if descending { !key } else { key }
}

macro_rules! float_key {
    ($f:ident $t:ident $u:ident $turned:ident) => {
        /// The bits in the order of the numbers; NaN highest either way.
        #[inline(always)]
        fn $f(x: $t, descending: bool) -> $u {
            let bits = (x + 0.0).to_bits();
            let sign = 1 << ($u::BITS - 1);
            let key = if bits & sign == 0 { bits | sign } else { !bits };
            if x.is_nan() { $u::MAX } else { $turned(key, descending) }
        }
    };
}
float_key!(key32 f32 u32 turned32);
float_key!(key64 f64 u64 turned64);

narrow!(
    u8: |x, down| turned32(u32::from(x), down);
    u16: |x, down| turned32(u32::from(x), down);
    u32: |x, down| turned32(x, down);
    i8: |x, down| turned32(i32::from(x) as u32 ^ 1 << 31, down);
    i16: |x, down| turned32(i32::from(x) as u32 ^ 1 << 31, down);
    i32: |x, down| turned32(x as u32 ^ 1 << 31, down);
    f32: |x, down| key32(x, down)
);
broad!(
    u64: |x, down| turned64(x, down);
    i64: |x, down| turned64(x as u64 ^ 1 << 63, down);
    f64: |x, down| key64(x, down)
);

macro_rules! complex {
    ($($t:ident $u:ident $f:ident)*) => {$(
        impl Key for [$t; 2] {
            /// Which parts are NaN, and the parts.
            type Key = (u8, $u, $u);
            type Ranked = ((u8, $u, $u), u32);
            fn key(self, descending: bool) -> Self::Key {
                let nan = u8::from(self[0].is_nan()) * 2 + u8::from(self[1].is_nan());
                (nan, $f(self[0], descending), $f(self[1], descending))
            }
            fn ranked(self, position: u32, descending: bool) -> Self::Ranked { (self.key(descending), position) }
            fn position(r: Self::Ranked) -> u32 { r.1 }
        }
    )*};
}
complex!(f32 u32 key32 f64 u64 key64);

/// Runs `$body` with `$t` a type of the elements of a dtype that has a [`Key`].
macro_rules! with_key {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            DType::Bool | DType::U8 => {
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
            DType::F32 => {
                type $t = f32;
                $body
            }
            DType::F64 => {
                type $t = f64;
                $body
            }
            DType::C64 => {
                type $t = [f32; 2];
                $body
            }
            DType::C128 => {
                type $t = [f64; 2];
                $body
            }
        }
    };
}
pub(super) use with_key;

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn keys_are_in_the_order_of_the_numbers() {
        let up = [f64::NEG_INFINITY, -1e300, -1.0, -5e-324, 0.0, 5e-324, 1.0, f64::INFINITY, f64::NAN];
        assert!(up.windows(2).all(|w| w[0].key(false) < w[1].key(false)));
        assert!(up[..8].windows(2).all(|w| w[0].key(true) > w[1].key(true)) && up.iter().all(|x| x.key(true) <= f64::NAN.key(true)));
        assert_eq!((-0.0_f64).key(false), 0.0_f64.key(false));
        assert_eq!((-f64::NAN).key(false), f64::NAN.key(false));
        let nan = f32::NAN;
        let z = [[1.0, 2.0], [1.0, 3.0], [2.0, 0.0], [0.0, nan], [nan, 0.0], [nan, 1.0], [nan, nan]];
        assert!(z.windows(2).all(|w| w[0].key(false) < w[1].key(false)));
        assert!([i8::MIN, -1, 0, i8::MAX].windows(2).all(|w| w[0].key(false) < w[1].key(false) && w[0].key(true) > w[1].key(true)));
    }
}
