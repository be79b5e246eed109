//! Element types.

use std::fmt;

use num_complex::{Complex32, Complex64};

/// The type of a tensor's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    C64,
    C128,
}

impl DType {
    pub const ALL: [Self; 13] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::C64,
        Self::C128,
    ];

    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
        }
    }

    /// NumPy's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::C64 => "complex64",
            Self::C128 => "complex128",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }

    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    pub const fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub const fn is_complex(self) -> bool {
        matches!(self, Self::C64 | Self::C128)
    }

    /// Real or complex floating point: the dtypes that carry derivatives.
    pub const fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// The dtype of the real part: complex128 → float64; others are unchanged.
    pub const fn real(self) -> Self {
        match self {
            Self::C64 => Self::F32,
            Self::C128 => Self::F64,
            other => other,
        }
    }

    /// The complex dtype of the same precision; `None` for bool and integers.
    pub const fn complex(self) -> Option<Self> {
        match self {
            Self::F32 | Self::C64 => Some(Self::C64),
            Self::F64 | Self::C128 => Some(Self::C128),
            _ => None,
        }
    }

    /// The floating dtype in which a function without integer values takes this dtype:
    /// float32 for up to 16 bits, float64 for wider integers; itself if inexact. (NumPy has
    /// float16 for bool and 8 bits.)
    pub const fn inexact(self) -> Self {
        match self {
            Self::Bool | Self::I8 | Self::U8 | Self::I16 | Self::U16 => Self::F32,
            Self::I32 | Self::U32 | Self::I64 | Self::U64 => Self::F64,
            other => other,
        }
    }

    /// NumPy 2's common dtype of two arrays.
    pub fn promote(self, other: Self) -> Self {
        let (a, b) = (self.min(other), self.max(other));
        match (a, b) {
            (a, b) if a == b => a,
            (Self::Bool, b) => b,
            (a, Self::U64) if a.is_signed() => Self::F64,
            (a, b) if a.is_signed() && b.is_unsigned() => {
                let size = a.size().max(2 * b.size());
                [Self::I16, Self::I32, Self::I64].into_iter().find(|d| d.size() == size).unwrap_or(Self::I64)
            }
            (a, b) if b.is_integer() || a.is_inexact() && b.is_complex() == a.is_complex() => b,
            // An integer, or a float, meets a float or a complex dtype.
            (a, b) => {
                let real = a.inexact().max(b.real());
                if b.is_complex() { real.complex().unwrap_or(b) } else { real }
            }
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A Rust type that tensors can hold.
///
/// # Safety
/// `DTYPE` describes the memory layout of `Self` exactly, and every bit pattern
/// that a tensor of that dtype may hold is a valid `Self`. (A bool tensor holds
/// bytes 0 and 1 only; whoever fills one keeps to that.)
pub unsafe trait Element: Copy + Send + Sync + fmt::Debug + PartialEq + 'static {
    const DTYPE: DType;
}

macro_rules! elements {
    ($($t:ty => $d:ident),*) => {$(
        // SAFETY: the type's size and meaning are those of the dtype.
        unsafe impl Element for $t { const DTYPE: DType = DType::$d; }
    )*};
}
elements!(bool => Bool, i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64, Complex32 => C64, Complex64 => C128);

/// Runs `$body` with the type alias `$t` set to the element type of a dtype.
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            $crate::DType::Bool => {
                type $t = bool;
                $body
            }
            $crate::DType::I8 => {
                type $t = i8;
                $body
            }
            $crate::DType::I16 => {
                type $t = i16;
                $body
            }
            $crate::DType::I32 => {
                type $t = i32;
                $body
            }
            $crate::DType::U8 => {
                type $t = u8;
                $body
            }
            $crate::DType::U16 => {
                type $t = u16;
                $body
            }
            $crate::DType::U32 => {
                type $t = u32;
                $body
            }
            $crate::DType::U64 => {
                type $t = u64;
                $body
            }
            $crate::DType::I64 => {
                type $t = i64;
                $body
            }
            $crate::DType::F32 => {
                type $t = f32;
                $body
            }
            $crate::DType::F64 => {
                type $t = f64;
                $body
            }
            $crate::DType::C64 => {
                type $t = $crate::Complex32;
                $body
            }
            $crate::DType::C128 => {
                type $t = $crate::Complex64;
                $body
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::DType;

    /// NumPy 2.3's `np.promote_types`, rows and columns in the order of `ALL`, by first letter and bits.
    const NUMPY: &str = "
        ? i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 c8 c16
        i1 i1 i2 i4 i8 i2 i4 i8 f8 f4 f8 c8 c16
        i2 i2 i2 i4 i8 i2 i4 i8 f8 f4 f8 c8 c16
        i4 i4 i4 i4 i8 i4 i4 i8 f8 f8 f8 c16 c16
        i8 i8 i8 i8 i8 i8 i8 i8 f8 f8 f8 c16 c16
        u1 i2 i2 i4 i8 u1 u2 u4 u8 f4 f8 c8 c16
        u2 i4 i4 i4 i8 u2 u2 u4 u8 f4 f8 c8 c16
        u4 i8 i8 i8 i8 u4 u4 u4 u8 f8 f8 c16 c16
        u8 f8 f8 f8 f8 u8 u8 u8 u8 f8 f8 c16 c16
        f4 f4 f4 f8 f8 f4 f4 f8 f8 f4 f8 c8 c16
        f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c16 c16
        c8 c8 c8 c16 c16 c8 c8 c16 c16 c8 c16 c8 c16
        c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16";

    fn code(d: DType) -> String {
        if d == DType::Bool { "?".into() } else { format!("{}{}", &d.name()[..1], d.size()) }
    }

    #[test]
    fn promotion_is_numpys() {
        let rows: Vec<Vec<&str>> = NUMPY.lines().filter(|l| !l.trim().is_empty()).map(|l| l.split_whitespace().collect()).collect();
        for (i, a) in DType::ALL.into_iter().enumerate() {
            for (j, b) in DType::ALL.into_iter().enumerate() {
                assert_eq!(code(a.promote(b)), rows[i][j], "{a} with {b}");
            }
        }
    }
}
