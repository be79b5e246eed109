//! Factorizations: their definitions and derivative rules. No kernels.
//!
//! - [`Svd`], [`SvdVals`], [`SvdTrunc`]: thin, values only, truncated to k.
//! - [`SvdSolve`]: the linear system that their derivatives need outside the kept space.
//! - [`svd`], [`svdvals`], [`svd_trunc`]: the same as functions over any value.
//!
//! Matrices are the last two axes; all axes before are a batch.

mod algebra;
mod functions;
mod matrix;
mod rule;
mod solve;
mod svd;
mod trunc;

pub use functions::{svd, svd_trunc, svdvals};
pub use solve::SvdSolve;
pub use svd::{Svd, SvdVals};
pub use trunc::SvdTrunc;
