//! Element types.

use std::fmt;

use num_complex::{Complex32, Complex64};

/// The type of a tensor's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DType {
    Bool,
    I64,
    F32,
    F64,
    C64,
    C128,
}

impl DType {
    pub const ALL: [Self; 6] = [Self::Bool, Self::I64, Self::F32, Self::F64, Self::C64, Self::C128];

    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::F32 => 4,
            Self::I64 | Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
        }
    }

    /// NumPy's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I64 => "int64",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::C64 => "complex64",
            Self::C128 => "complex128",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
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

    /// The complex dtype of the same precision; `None` for bool and int64.
    pub const fn complex(self) -> Option<Self> {
        match self {
            Self::F32 | Self::C64 => Some(Self::C64),
            Self::F64 | Self::C128 => Some(Self::C128),
            _ => None,
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
elements!(bool => Bool, i64 => I64, f32 => F32, f64 => F64, Complex32 => C64, Complex64 => C128);

/// Runs `$body` with the type alias `$t` set to the element type of a dtype.
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            $crate::DType::Bool => {
                type $t = bool;
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
