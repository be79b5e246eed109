//! SIMD elementary functions on slices, in float64 and float32.
//!
//! [`table_f64`] and [`table_f32`] give function pointers compiled for an instruction-set [`Level`].  Every function is
//! written once, as branch-free scalar code that LLVM vectorises inside `#[target_feature]` wrappers; a block with
//! lanes outside the fast range is detected by one test and those lanes are recomputed by a scalar routine.
//!
//! Real functions are within 1 ulp over the whole range (huge, subnormal, ±0, ±inf, NaN) where their row in [`Table`]
//! names no other bound; rounding and remainders are exact.  Complex ones are within 4 eps of the modulus, with the
//! branch cuts and special values of C99 Annex G.  Levels with FMA give the same bits; `Baseline` never fuses (and so
//! never calls a software `fma`) and may differ in the last bit.
//!
//! Two tools carry most functions: `exp` and `log` as a [`Pair`](pair) of doubles, to 2⁻⁶⁰ and 2⁻⁵⁶, and a quotient of
//! pairs with one division.  float32 goes through float64, by cheaper kernels.
//!
//! To add a function: a [`Kernel`](block) type in a family file and a row in `table.rs`.

// Range tests are branch-free on purpose: they are vectorised.
#![allow(clippy::needless_bitwise_bool)]

mod arith;
mod bessel;
mod block;
mod coefficients;
mod coefficients_special;
mod complex;
mod complex_exp;
mod complex_hyperbolic;
mod complex_inverse;
mod complex_log;
mod complex_pow;
mod complex_root;
mod erf;
mod exp;
mod gamma;
mod hyperbolic;
mod inverse_trig;
mod level;
mod log;
mod pair;
mod payne_hanek;
mod polygamma;
mod pow;
mod root;
mod rounding;
mod scale;
mod sigmoid;
mod table;
mod trig;

pub use level::Level;
pub use polygamma::{Float, polygamma};
pub use table::{CMap, CZip, Map, Map2, Table, Zip, table_f32, table_f64};
