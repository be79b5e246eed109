//! Einstein summation over any number of operands, lowered to `dot_general`, products,
//! reductions and transposes.
//!
//! - [`Spec`]: a parsed expression, as text or as lists of indices.
//! - [`einsum`], [`einsum_with`]: the sum, contracted pair by pair.
//! - [`einsum_path`], [`Optimize`], [`PathInfo`]: in which order, and what that costs.

mod cache;
mod exact;
mod greedy;
mod lower;
mod network;
mod order;
mod path;
mod prepare;
mod spec;

pub use lower::{einsum, einsum_with};
pub use path::{Optimize, Path, PathInfo, einsum_path};
pub use spec::Spec;
