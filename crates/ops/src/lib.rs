//! Op families and composites over the contracts of `tenferro_graph`.
//!
//! Each family's file holds definitions, dtypes, shape rules and derivatives side by
//! side; functions are generic over [`tenferro_graph::Value`], so that expressions in
//! a rule, traced tensors and eager tensors share one surface.

mod binary;
mod broadcast;
mod compare;
mod composite;
mod constant;
mod dot;
mod emit;
mod expr;
mod index;
mod name;
mod operators;
mod reduce;
mod reshape;
mod select;
mod slice;
mod unary;

pub use binary::{Binary, BinaryOp, add, div, maximum, mul, promote, sub};
pub use broadcast::{BroadcastInDim, broadcast_in_dim, broadcast_shapes, broadcast_to};
pub use compare::{Compare, CompareOp, eq, ge, gt, le, lt, ne};
pub use composite::{cosh, sinh};
pub use constant::{Constant, Number, constant, full_like, number_like, ones_like, scalar_like, zeros_like};
pub use dot::{DotGeneral, dot_general, matmul};
pub use expr::{Expr, RuleExt};
pub use index::{Index, basic_index};
pub use name::operation_name;
pub use operators::IntoOperand;
pub use reduce::{Reduce, ReduceOp, max, mean, normalise_axes, normalise_axis, reduce_max, reduce_sum, sum};
pub use reshape::{Reshape, Transpose, permute_dims, reshape, reshape_to, swap_last, transpose};
pub use select::{Select, select};
pub use slice::{Concatenate, Pad, Slice, concatenate, pad, slice, slice_axis, stack};
pub use unary::{Cast, StopGradient, Unary, UnaryOp, abs, cast, conj, cos, exp, imag, log, neg, real, sin, sqrt, square, stop_gradient};
