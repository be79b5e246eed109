//! The functions, one row each, and their compilation for every level.

use crate::arith::{Fused, Plain};
use crate::bessel::{I0e, I1e};
use crate::block::{Elem, Kernel, run};
use crate::complex::{CCos, CExp, CSin};
use crate::complex_exp::{CExp2, CExpm1, CLog1p, CLog2, CLog10};
use crate::complex_hyperbolic::{CCosh, CSinh, CTan, CTanh};
use crate::complex_inverse::{CAcos, CAcosh, CAsin, CAsinh, CAtan, CAtanh};
use crate::complex_log::CLog;
use crate::complex_pow::CPow;
use crate::complex_root::{CDiv, CSqrt};
use crate::erf::{Erf, Erfc, Erfinv};
use crate::exp::{Exp, Exp2, Expm1};
use crate::gamma::{Digamma, Lgamma};
use crate::hyperbolic::{Acosh, Asinh, Atanh, Cosh, Sinh, Tanh};
use crate::inverse_trig::{Acos, Asin, Atan, Atan2};
use crate::level::Level;
use crate::log::{Log, Log1p, Log2, Log10};
use crate::pow::{Cbrt, Pow, Rsqrt};
use crate::root::{Hypot, Sqrt};
use crate::rounding::{Ceil, Copysign, Floor, FloorDivide, Fmod, NextAfter, Remainder, Rint, Trunc};
use crate::sigmoid::{LogAddExp, LogSigmoid, Sigmoid, Softplus};
use crate::trig::{Cos, Sin, SinCos, Tan};

/// One real argument: `src`, `dst`, `n`.  `src == dst` is allowed, no other overlap.
pub type Map<T> = unsafe fn(src: *const T, dst: *mut T, n: usize);

/// One argument, two results.  `src` may equal one of the destinations.
pub type Map2<T> = unsafe fn(src: *const T, dst0: *mut T, dst1: *mut T, n: usize);

/// Two arguments, one result.  `dst` may equal `a` or `b`.
pub type Zip<T> = unsafe fn(a: *const T, b: *const T, dst: *mut T, n: usize);

/// One complex argument in separate parts.  Destinations may equal sources.
pub type CMap<T> = unsafe fn(re: *const T, im: *const T, dre: *mut T, dim: *mut T, n: usize);

/// Two complex arguments in separate parts.  Destinations may equal sources.
pub type CZip<T> = unsafe fn(are: *const T, aim: *const T, bre: *const T, bim: *const T, dre: *mut T, dim: *mut T, n: usize);

/// Declares [`Table`] and the constructor of each level from rows `field: Type = wrapper(Kernel)`.
macro_rules! functions {
    ($($(#[$doc:meta])* $field:ident: $ty:ident = $wrapper:ident($kernel:ty);)+) => {
        /// The functions of one level.
        ///
        /// # Safety
        /// Calling one needs pointers valid for `n` elements that overlap only as its type allows.
        #[derive(Clone, Copy, Debug)]
        pub struct Table<T> { $($(#[$doc])* pub $field: $ty<T>,)+ }

        functions! { @level baseline, Plain, [], [$($field = $wrapper($kernel);)+] }
        #[cfg(target_arch = "x86_64")]
        functions! { @level avx2, Fused, [#[target_feature(enable = "avx2,fma")]], [$($field = $wrapper($kernel);)+] }
        #[cfg(target_arch = "x86_64")]
        functions! { @level avx512, Fused,
            [#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]], [$($field = $wrapper($kernel);)+] }
        #[cfg(target_arch = "aarch64")]
        functions! { @level neon, Fused, [#[target_feature(enable = "neon")]], [$($field = $wrapper($kernel);)+] }
    };
    (@level $level:ident, $arith:ty, [$($feature:tt)*], [$($field:ident = $wrapper:ident($kernel:ty);)+]) => {
        mod $level {
            use super::*;

            pub(super) const fn table<T: Elem>() -> Table<T> {
                Table { $($field: $wrapper::<T, $kernel>,)+ }
            }

            wrappers! { $arith, [$($feature)*],
                map<1, 1>(src; dst),
                map2<1, 2>(src; dst0, dst1),
                zip<2, 1>(a, b; dst),
                cmap<2, 2>(re, im; dre, dim),
                czip<4, 2>(are, aim, bre, bim; dre, dim),
            }
        }
    };
}

/// The block loop under a level's features, in each of the pointer signatures.
macro_rules! wrappers {
    ($arith:ty, $features:tt, $($name:ident<$i:literal, $o:literal>($($src:ident),+; $($dst:ident),+),)+) => {
        $(wrappers! { @one $arith, $features, $name<$i, $o>($($src),+; $($dst),+) })+
    };
    (@one $arith:ty, [$($feature:tt)*], $name:ident<$i:literal, $o:literal>($($src:ident),+; $($dst:ident),+)) => {
        /// # Safety
        /// As the pointer type of this signature says; the machine has the features.
        $($feature)*
        unsafe fn $name<T: Elem, K: Kernel<$i, $o>>($($src: *const T,)+ $($dst: *mut T,)+ n: usize) {
            // SAFETY: the caller's promise is that of `run`.
            unsafe { run::<$arith, T, K, $i, $o>([$($src),+], [$($dst),+], n) }
        }
    };
}

functions! {
    /// Sine.
    sin: Map = map(Sin);
    /// Cosine.
    cos: Map = map(Cos);
    /// Exponential.
    exp: Map = map(Exp);
    /// Natural logarithm; NaN below 0, −inf at ±0.
    log: Map = map(Log);
    /// Square root; NaN below 0, √−0 = −0.
    sqrt: Map = map(Sqrt);
    /// Sine and cosine.
    sincos: Map2 = map2(SinCos);
    /// √(a² + b²) without overflow or underflow on the way; inf if either is infinite.
    hypot: Zip = zip(Hypot);
    /// Tangent.
    tan: Map = map(Tan);
    /// Inverse sine; NaN beyond ±1.
    asin: Map = map(Asin);
    /// Inverse cosine; NaN beyond ±1.
    acos: Map = map(Acos);
    /// Inverse tangent.
    atan: Map = map(Atan);
    /// The angle of the point (x, y), arguments y then x: C99's signs at zeros and infinities.  2 ulp.
    atan2: Zip = zip(Atan2);
    /// Hyperbolic sine.
    sinh: Map = map(Sinh);
    /// Hyperbolic cosine.
    cosh: Map = map(Cosh);
    /// Hyperbolic tangent.
    tanh: Map = map(Tanh);
    /// Inverse hyperbolic sine.
    asinh: Map = map(Asinh);
    /// Inverse hyperbolic cosine; NaN below 1.
    acosh: Map = map(Acosh);
    /// Inverse hyperbolic tangent; ±inf at ±1, NaN beyond.
    atanh: Map = map(Atanh);
    /// 2ˣ, exact at integers.
    exp2: Map = map(Exp2);
    /// eˣ − 1.
    expm1: Map = map(Expm1);
    /// Logarithm to the base 2, exact at powers of two.
    log2: Map = map(Log2);
    /// Logarithm to the base 10.
    log10: Map = map(Log10);
    /// log(1 + x); −inf at −1, NaN below.
    log1p: Map = map(Log1p);
    /// Cube root, odd.
    cbrt: Map = map(Cbrt);
    /// 1/√x; ±inf at ±0, NaN below 0.
    rsqrt: Map = map(Rsqrt);
    /// a to the power b, with C99's special values.
    pow: Zip = zip(Pow);
    /// Error function.
    erf: Map = map(Erf);
    /// 1 − erf x, down to subnormal results.  2 ulp.
    erfc: Map = map(Erfc);
    /// Inverse of erf; ±inf at ±1, NaN beyond.  4 ulp.
    erfinv: Map = map(Erfinv);
    /// log of the absolute value of Γ; +inf at the poles.  Error 10⁻¹⁴·(1 + the modulus of the result).
    lgamma: Map = map(Lgamma);
    /// Derivative of log Γ; ∓inf at ±0, NaN at the other poles.  Error as lgamma's.
    digamma: Map = map(Digamma);
    /// exp(−|x|)·I₀(x), I₀ the modified Bessel function.  4 ulp.
    i0e: Map = map(I0e);
    /// exp(−|x|)·I₁(x).  4 ulp.
    i1e: Map = map(I1e);
    /// 1/(1 + e⁻ˣ).
    sigmoid: Map = map(Sigmoid);
    /// log(1 + eˣ).
    softplus: Map = map(Softplus);
    /// −log(1 + e⁻ˣ).
    log_sigmoid: Map = map(LogSigmoid);
    /// log(eᵃ + eᵇ).  2 ulp, next to its zeros 2⁻⁵⁸ absolutely.
    logaddexp: Zip = zip(LogAddExp);
    /// Largest integer not above x.
    floor: Map = map(Floor);
    /// Smallest integer not below x.
    ceil: Map = map(Ceil);
    /// x without its fraction.
    trunc: Map = map(Trunc);
    /// The nearest integer, ties to even.
    rint: Map = map(Rint);
    /// C's remainder, exact, with the sign of a; NaN at b = 0 or a infinite.
    fmod: Zip = zip(Fmod);
    /// Python's remainder, with the sign of b.
    remainder: Zip = zip(Remainder);
    /// The integer quotient that belongs to `remainder`, as NumPy defines it.
    floor_divide: Zip = zip(FloorDivide);
    /// The next number after a in the direction of b.
    nextafter: Zip = zip(NextAfter);
    /// a with the sign of b.
    copysign: Zip = zip(Copysign);
    /// Complex sine.
    csin: CMap = cmap(CSin);
    /// Complex cosine.
    ccos: CMap = cmap(CCos);
    /// Complex exponential.
    cexp: CMap = cmap(CExp);
    /// Principal complex logarithm, cut along the negative real axis.
    clog: CMap = cmap(CLog);
    /// Principal complex square root, cut along the negative real axis.
    csqrt: CMap = cmap(CSqrt);
    /// Complex tangent.
    ctan: CMap = cmap(CTan);
    /// Complex hyperbolic sine.
    csinh: CMap = cmap(CSinh);
    /// Complex hyperbolic cosine.
    ccosh: CMap = cmap(CCosh);
    /// Complex hyperbolic tangent.
    ctanh: CMap = cmap(CTanh);
    /// Complex inverse sine, cut along the real axis beyond ±1.
    casin: CMap = cmap(CAsin);
    /// Complex inverse cosine, cut along the real axis beyond ±1.
    cacos: CMap = cmap(CAcos);
    /// Complex inverse tangent, cut along the imaginary axis beyond ±i.
    catan: CMap = cmap(CAtan);
    /// Complex inverse hyperbolic sine, cut along the imaginary axis beyond ±i.
    casinh: CMap = cmap(CAsinh);
    /// Complex inverse hyperbolic cosine, cut along the real axis below 1.
    cacosh: CMap = cmap(CAcosh);
    /// Complex inverse hyperbolic tangent, cut along the real axis beyond ±1.
    catanh: CMap = cmap(CAtanh);
    /// 2 to a complex power.
    cexp2: CMap = cmap(CExp2);
    /// eᶻ − 1.
    cexpm1: CMap = cmap(CExpm1);
    /// log(1 + z), cut along the real axis below −1.
    clog1p: CMap = cmap(CLog1p);
    /// Complex logarithm to the base 2.
    clog2: CMap = cmap(CLog2);
    /// Complex logarithm to the base 10.
    clog10: CMap = cmap(CLog10);
    /// Complex quotient a/b, scaled where the textbook formula would over- or underflow.
    cdiv: CZip = czip(CDiv);
    /// Complex power aᵇ = exp(b log a); exact small integer powers; 0 to a power is 0, 1 or NaN as the real part of b is > 0, b = 0, or neither.
    cpow: CZip = czip(CPow);
}

macro_rules! lookup {
    ($(#[$doc:meta])* $name:ident, $t:ty) => {
        $(#[$doc])*
        pub fn $name(level: Level) -> &'static Table<$t> {
            static BASELINE: Table<$t> = baseline::table();
            #[cfg(target_arch = "x86_64")]
            static AVX2: Table<$t> = avx2::table();
            #[cfg(target_arch = "x86_64")]
            static AVX512: Table<$t> = avx512::table();
            #[cfg(target_arch = "aarch64")]
            static NEON: Table<$t> = neon::table();
            if !level.available() {
                return &BASELINE;
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => &AVX2,
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => &AVX512,
                #[cfg(target_arch = "aarch64")]
                Level::Neon => &NEON,
                _ => &BASELINE,
            }
        }
    };
}

lookup! {
    /// The float64 functions of `level`; those of `Baseline` where the machine lacks it.
    table_f64, f64
}

lookup! {
    /// The float32 functions of `level`; those of `Baseline` where the machine lacks it.
    table_f32, f32
}
