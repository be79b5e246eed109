//! Which kernel runs an elementwise primitive.

use tenferro_graph::{DType, Prim};
use tenferro_ops::{
    Binary, BinaryOp, Cast, Compare, CompareOp, FromParts, Polygamma, Predicate, PredicateOp, Select, StopGradient, Unary, UnaryOp,
};
use tenferro_vmath::{CMap, Level, Map, Table, Zip, polygamma, table_f32, table_f64};

use super::arithmetic::{bools, c64s, c128s, copy_complex, f32s, f64s, of, parts};
use super::casts::with_part;
use super::function::Function;
use super::integers::{self, with_integer};
use super::{Kernel, casts};

fn mapped<T>(op: UnaryOp, f: &Table<T>) -> Option<Map<T>> {
    Some(match op {
        UnaryOp::Rsqrt => f.rsqrt,
        UnaryOp::Cbrt => f.cbrt,
        UnaryOp::Sin => f.sin,
        UnaryOp::Cos => f.cos,
        UnaryOp::Tan => f.tan,
        UnaryOp::Asin => f.asin,
        UnaryOp::Acos => f.acos,
        UnaryOp::Atan => f.atan,
        UnaryOp::Sinh => f.sinh,
        UnaryOp::Cosh => f.cosh,
        UnaryOp::Tanh => f.tanh,
        UnaryOp::Asinh => f.asinh,
        UnaryOp::Acosh => f.acosh,
        UnaryOp::Atanh => f.atanh,
        UnaryOp::Exp => f.exp,
        UnaryOp::Exp2 => f.exp2,
        UnaryOp::Expm1 => f.expm1,
        UnaryOp::Log => f.log,
        UnaryOp::Log1p => f.log1p,
        UnaryOp::Log2 => f.log2,
        UnaryOp::Log10 => f.log10,
        UnaryOp::Erf => f.erf,
        UnaryOp::Erfc => f.erfc,
        UnaryOp::Erfinv => f.erfinv,
        UnaryOp::Lgamma => f.lgamma,
        UnaryOp::Digamma => f.digamma,
        UnaryOp::Sigmoid => f.sigmoid,
        UnaryOp::I0e => f.i0e,
        UnaryOp::I1e => f.i1e,
        UnaryOp::Floor => f.floor,
        UnaryOp::Ceil => f.ceil,
        UnaryOp::Trunc => f.trunc,
        UnaryOp::Rint => f.rint,
        _ => return None,
    })
}

fn complex_mapped<T>(op: UnaryOp, f: &Table<T>) -> Option<CMap<T>> {
    Some(match op {
        UnaryOp::Sqrt => f.csqrt,
        UnaryOp::Sin => f.csin,
        UnaryOp::Cos => f.ccos,
        UnaryOp::Exp => f.cexp,
        UnaryOp::Log => f.clog,
        UnaryOp::Tan => f.ctan,
        UnaryOp::Asin => f.casin,
        UnaryOp::Acos => f.cacos,
        UnaryOp::Atan => f.catan,
        UnaryOp::Sinh => f.csinh,
        UnaryOp::Cosh => f.ccosh,
        UnaryOp::Tanh => f.ctanh,
        UnaryOp::Asinh => f.casinh,
        UnaryOp::Acosh => f.cacosh,
        UnaryOp::Atanh => f.catanh,
        UnaryOp::Exp2 => f.cexp2,
        UnaryOp::Expm1 => f.cexpm1,
        UnaryOp::Log1p => f.clog1p,
        UnaryOp::Log2 => f.clog2,
        UnaryOp::Log10 => f.clog10,
        _ => return None,
    })
}

fn zipped<T>(op: BinaryOp, f: &Table<T>) -> Option<Zip<T>> {
    Some(match op {
        BinaryOp::FloorDivide => f.floor_divide,
        BinaryOp::Remainder => f.remainder,
        BinaryOp::Fmod => f.fmod,
        BinaryOp::Pow => f.pow,
        BinaryOp::Hypot => f.hypot,
        BinaryOp::Atan2 => f.atan2,
        BinaryOp::Logaddexp => f.logaddexp,
        BinaryOp::Nextafter => f.nextafter,
        _ => return None,
    })
}

fn unary(op: UnaryOp, dtype: DType, level: Level) -> Option<Kernel> {
    macro_rules! real {
        ($m:ident, $t:ty, $v:ident $table:ident) => {
            match op {
                UnaryOp::Neg => $m::neg(level),
                UnaryOp::Abs => $m::abs(level),
                UnaryOp::Sign => $m::sign(level),
                UnaryOp::Square => $m::square(level),
                UnaryOp::Conj | UnaryOp::Real => of::copy::<$t>(level),
                UnaryOp::Imag => $m::zero(level),
                UnaryOp::Sqrt => $m::sqrt(level),
                // The baseline of x86-64 has no instruction that rounds: vmath knows another way.
                UnaryOp::Floor if level != Level::Baseline => $m::floor(level),
                UnaryOp::Ceil if level != Level::Baseline => $m::ceil(level),
                UnaryOp::Trunc if level != Level::Baseline => $m::trunc(level),
                UnaryOp::Rint if level != Level::Baseline => $m::rint(level),
                _ => Kernel::$v(Function::Map(mapped(op, $table(level))?)),
            }
        };
    }
    macro_rules! complex {
        ($m:ident, $v:ident $table:ident) => {
            match op {
                UnaryOp::Neg => $m::neg(level),
                UnaryOp::Conj => $m::conj(level),
                UnaryOp::Real => $m::real(level),
                UnaryOp::Imag => $m::imag(level),
                UnaryOp::Square => $m::square(level),
                UnaryOp::Abs => Kernel::$v(Function::Parts($table(level).hypot)),
                _ => Kernel::$v(Function::Complex(complex_mapped(op, $table(level))?)),
            }
        };
    }
    Some(match dtype {
        DType::F64 => real!(f64s, f64, F64 table_f64),
        DType::F32 => real!(f32s, f32, F32 table_f32),
        DType::C128 => complex!(c128s, F64 table_f64),
        DType::C64 => complex!(c64s, F32 table_f32),
        DType::Bool if op == UnaryOp::BitNot => bools::not(level),
        d => return with_integer!(d, T => integers::unary::<T>(op, level)),
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
    macro_rules! real {
        ($m:ident, $v:ident $table:ident) => {
            match op {
                BinaryOp::Add => $m::add(level),
                BinaryOp::Sub => $m::sub(level),
                BinaryOp::Mul => $m::mul(level),
                BinaryOp::Div => $m::div(level),
                BinaryOp::Maximum => $m::maximum(level),
                BinaryOp::Minimum => $m::minimum(level),
                BinaryOp::Fmax => $m::fmax(level),
                BinaryOp::Fmin => $m::fmin(level),
                BinaryOp::Copysign => $m::copysign(level),
                _ => Kernel::$v(Function::Zip(zipped(op, $table(level))?)),
            }
        };
    }
    macro_rules! complex {
        ($m:ident, $v:ident $table:ident) => {
            match op {
                BinaryOp::Add => $m::add(level),
                BinaryOp::Sub => $m::sub(level),
                BinaryOp::Mul => $m::mul(level),
                BinaryOp::Div => Kernel::$v(Function::Complex2($table(level).cdiv)),
                BinaryOp::Pow => Kernel::$v(Function::Complex2($table(level).cpow)),
                _ => return None,
            }
        };
    }
    Some(match dtype {
        DType::F64 => real!(f64s, F64 table_f64),
        DType::F32 => real!(f32s, F32 table_f32),
        DType::C128 => complex!(c128s, F64 table_f64),
        DType::C64 => complex!(c64s, F32 table_f32),
        DType::Bool => match op {
            BinaryOp::BitAnd => bools::and(level),
            BinaryOp::BitOr => bools::or(level),
            BinaryOp::BitXor => bools::xor(level),
            _ => return None,
        },
        d => return with_integer!(d, T => integers::binary::<T>(op, level)),
    })
}

fn compare(op: CompareOp, dtype: DType, level: Level) -> Option<Kernel> {
    if dtype.is_complex() {
        return match (op, dtype) {
            (CompareOp::Eq, DType::C64) => Some(c64s::eq(level)),
            (CompareOp::Eq, _) => Some(c128s::eq(level)),
            (CompareOp::Ne, DType::C64) => Some(c64s::ne(level)),
            (CompareOp::Ne, _) => Some(c128s::ne(level)),
            _ => None,
        };
    }
    Some(with_part!(dtype, T => match op {
        CompareOp::Eq => of::eq::<T>(level),
        CompareOp::Ne => of::ne::<T>(level),
        CompareOp::Lt => of::lt::<T>(level),
        CompareOp::Le => of::le::<T>(level),
        CompareOp::Gt => of::gt::<T>(level),
        CompareOp::Ge => of::ge::<T>(level),
    }))
}

fn predicate(op: PredicateOp, dtype: DType, level: Level) -> Option<Kernel> {
    macro_rules! of {
        ($m:ident) => {
            match op {
                PredicateOp::IsNan => $m::isnan(level),
                PredicateOp::IsInf => $m::isinf(level),
                PredicateOp::IsFinite => $m::isfinite(level),
                PredicateOp::Signbit => $m::signbit(level),
            }
        };
    }
    match dtype {
        DType::F64 => Some(of!(f64s)),
        DType::F32 => Some(of!(f32s)),
        _ => None,
    }
}

pub(crate) fn copy(dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::C64 => copy_complex::<f32>(level),
        DType::C128 => copy_complex::<f64>(level),
        _ => with_part!(dtype, T => of::copy::<T>(level)),
    }
}

fn select(dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::C64 => c64s::select(level),
        DType::C128 => c128s::select(level),
        _ => with_part!(dtype, T => of::select::<T>(level)),
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
    if let Some(Predicate(op)) = prim.downcast() {
        return predicate(*op, inputs[0], level);
    }
    if prim.is::<Select>() {
        return Some(select(inputs[1], level));
    }
    if let Some(Cast { to }) = prim.downcast() {
        return Some(casts::cast(inputs[0], *to, level));
    }
    if prim.is::<FromParts>() {
        return Some(if inputs[0] == DType::F32 { parts::<f32>(level) } else { parts::<f64>(level) });
    }
    if let Some(Polygamma { n }) = prim.downcast() {
        return Some(match inputs[0] {
            DType::F32 => Kernel::F32(Function::Indexed(polygamma::<f32>, *n)),
            _ => Kernel::F64(Function::Indexed(polygamma::<f64>, *n)),
        });
    }
    prim.is::<StopGradient>().then(|| copy(inputs[0], level))
}
