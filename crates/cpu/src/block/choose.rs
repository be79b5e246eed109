//! Which kernel runs an elementwise primitive.

use tenferro_graph::{DType, Prim};
use tenferro_ops::{Binary, BinaryOp, Cast, Compare, CompareOp, Select, StopGradient, Unary, UnaryOp};
use tenferro_vmath::{Level, table_f32, table_f64};

use super::arithmetic::{c64s, c128s, copy_c64, copy_c128, f32s, f64s, i64s, of_bool, of_f32, of_f64, of_i64};
use super::function::Function;
use super::{Kernel, casts};

macro_rules! real_unary {
    ($op:expr, $level:expr, $m:ident, $v:ident $table:ident) => {
        match $op {
            UnaryOp::Neg => $m::neg($level),
            UnaryOp::Abs => $m::abs($level),
            UnaryOp::Square => $m::square($level),
            UnaryOp::Sin => Kernel::$v(Function::Map($table($level).sin)),
            UnaryOp::Cos => Kernel::$v(Function::Map($table($level).cos)),
            UnaryOp::Exp => Kernel::$v(Function::Map($table($level).exp)),
            UnaryOp::Log => Kernel::$v(Function::Map($table($level).log)),
            UnaryOp::Sqrt => Kernel::$v(Function::Map($table($level).sqrt)),
            UnaryOp::Conj | UnaryOp::Real | UnaryOp::Imag => return None,
        }
    };
}

macro_rules! complex_unary {
    ($op:expr, $level:expr, $m:ident, $v:ident $table:ident) => {
        match $op {
            UnaryOp::Neg => $m::neg($level),
            UnaryOp::Conj => $m::conj($level),
            UnaryOp::Real => $m::real($level),
            UnaryOp::Imag => $m::imag($level),
            UnaryOp::Square => $m::square($level),
            UnaryOp::Abs => Kernel::$v(Function::Parts($table($level).hypot)),
            UnaryOp::Sin => Kernel::$v(Function::Complex($table($level).csin)),
            UnaryOp::Cos => Kernel::$v(Function::Complex($table($level).ccos)),
            UnaryOp::Exp => Kernel::$v(Function::Complex($table($level).cexp)),
            UnaryOp::Log => Kernel::$v(Function::Complex($table($level).clog)),
            UnaryOp::Sqrt => Kernel::$v(Function::Complex($table($level).csqrt)),
        }
    };
}

fn unary(op: UnaryOp, dtype: DType, level: Level) -> Option<Kernel> {
    Some(match dtype {
        DType::F64 => match op {
            UnaryOp::Conj | UnaryOp::Real => of_f64::copy(level),
            UnaryOp::Imag => f64s::zero(level),
            _ => real_unary!(op, level, f64s, F64 table_f64),
        },
        DType::F32 => match op {
            UnaryOp::Conj | UnaryOp::Real => of_f32::copy(level),
            UnaryOp::Imag => f32s::zero(level),
            _ => real_unary!(op, level, f32s, F32 table_f32),
        },
        DType::C128 => complex_unary!(op, level, c128s, F64 table_f64),
        DType::C64 => complex_unary!(op, level, c64s, F32 table_f32),
        DType::I64 => match op {
            UnaryOp::Neg => i64s::neg(level),
            UnaryOp::Abs => i64s::abs(level),
            UnaryOp::Square => i64s::square(level),
            _ => return None,
        },
        DType::Bool => return None,
    })
}

/// Sine and cosine at once: the first named result goes to the destination, the other
/// to the register given as second argument. For real dtypes.
pub(crate) fn sincos(sine_first: bool, dtype: DType, level: Level) -> Option<Kernel> {
    Some(match (dtype, sine_first) {
        (DType::F64, true) => Kernel::F64(Function::Both(table_f64(level).sincos)),
        (DType::F64, false) => Kernel::F64(Function::Swapped(table_f64(level).sincos)),
        (DType::F32, true) => Kernel::F32(Function::Both(table_f32(level).sincos)),
        (DType::F32, false) => Kernel::F32(Function::Swapped(table_f32(level).sincos)),
        _ => return None,
    })
}

/// a·b + c with both roundings, in one pass.
pub(crate) fn multiply_add(dtype: DType, level: Level) -> Option<Kernel> {
    Some(match dtype {
        DType::F64 => f64s::multiply_add(level),
        DType::F32 => f32s::multiply_add(level),
        DType::C128 => c128s::multiply_add(level),
        DType::C64 => c64s::multiply_add(level),
        _ => return None,
    })
}

pub(crate) fn binary(op: BinaryOp, dtype: DType, level: Level) -> Option<Kernel> {
    macro_rules! pick {
        ($m:ident, $div:expr, $max:expr) => {
            match op {
                BinaryOp::Add => $m::add(level),
                BinaryOp::Sub => $m::sub(level),
                BinaryOp::Mul => $m::mul(level),
                BinaryOp::Div => $div?,
                BinaryOp::Maximum => $max?,
            }
        };
    }
    Some(match dtype {
        DType::F64 => pick!(f64s, Some(f64s::div(level)), Some(f64s::maximum(level))),
        DType::F32 => pick!(f32s, Some(f32s::div(level)), Some(f32s::maximum(level))),
        DType::C128 => pick!(c128s, Some(Kernel::F64(Function::Complex2(table_f64(level).cdiv))), None),
        DType::C64 => pick!(c64s, Some(Kernel::F32(Function::Complex2(table_f32(level).cdiv))), None),
        DType::I64 => pick!(i64s, None, Some(i64s::maximum(level))),
        DType::Bool => return None,
    })
}

fn compare(op: CompareOp, dtype: DType, level: Level) -> Option<Kernel> {
    macro_rules! ordered {
        ($m:ident) => {
            match op {
                CompareOp::Eq => $m::eq(level),
                CompareOp::Ne => $m::ne(level),
                CompareOp::Lt => $m::lt(level),
                CompareOp::Le => $m::le(level),
                CompareOp::Gt => $m::gt(level),
                CompareOp::Ge => $m::ge(level),
            }
        };
    }
    Some(match (dtype, op) {
        (DType::Bool, _) => ordered!(of_bool),
        (DType::I64, _) => ordered!(of_i64),
        (DType::F32, _) => ordered!(of_f32),
        (DType::F64, _) => ordered!(of_f64),
        (DType::C64, CompareOp::Eq) => c64s::eq(level),
        (DType::C64, CompareOp::Ne) => c64s::ne(level),
        (DType::C128, CompareOp::Eq) => c128s::eq(level),
        (DType::C128, CompareOp::Ne) => c128s::ne(level),
        _ => return None,
    })
}

pub(crate) fn copy(dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::Bool => of_bool::copy(level),
        DType::I64 => of_i64::copy(level),
        DType::F32 => of_f32::copy(level),
        DType::F64 => of_f64::copy(level),
        DType::C64 => copy_c64(level),
        DType::C128 => copy_c128(level),
    }
}

fn select(dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::Bool => of_bool::select(level),
        DType::I64 => of_i64::select(level),
        DType::F32 => of_f32::select(level),
        DType::F64 => of_f64::select(level),
        DType::C64 => c64s::select(level),
        DType::C128 => c128s::select(level),
    }
}

/// The kernel of an elementwise primitive on inputs of these dtypes; `None` if it is
/// not elementwise.
pub(crate) fn choose(prim: &Prim, inputs: &[DType], level: Level) -> Option<Kernel> {
    if let Some(Unary(op)) = prim.downcast() {
        return unary(*op, inputs[0], level);
    }
    if let Some(Binary(op)) = prim.downcast() {
        return binary(*op, inputs[0], level);
    }
    if let Some(Compare(op)) = prim.downcast() {
        return compare(*op, inputs[0], level);
    }
    if prim.is::<Select>() {
        return Some(select(inputs[1], level));
    }
    if let Some(Cast { to }) = prim.downcast() {
        return Some(casts::cast(inputs[0], *to, level));
    }
    prim.is::<StopGradient>().then(|| copy(inputs[0], level))
}
