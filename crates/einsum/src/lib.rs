//! Explicit einsum, lowered to `dot_general`, reductions and transposes.

mod lower;
mod spec;

pub use lower::einsum;
