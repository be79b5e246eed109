//! Op families and composites over the contracts of `tenferro_graph`.
//!
//! Each family's file holds definitions, dtypes, shape rules and derivatives side by
//! side; functions are generic over [`tenferro_graph::Value`], so that expressions in
//! a rule, traced tensors and eager tensors share one surface.

mod binary;
mod broadcast;
mod cast;
mod compare;
mod composite;
mod constant;
mod dot;
mod emit;
mod expr;
mod index;
mod name;
mod operators;
mod predicate;
mod reduce;
mod reshape;
mod select;
mod slice;
mod special;
mod unary;

pub use binary::{
    Binary, BinaryOp, add, atan2, bitwise_and, bitwise_left_shift, bitwise_or, bitwise_right_shift, bitwise_xor, copysign, div,
    floor_divide, fmod, hypot, logaddexp, maximum, minimum, mul, nextafter, pow, remainder, sub,
};
pub use broadcast::{BroadcastInDim, broadcast_in_dim, broadcast_shapes, broadcast_to};
pub use cast::{Cast, FromParts, StopGradient, cast, complex, stop_gradient};
pub use compare::{Compare, CompareOp, eq, ge, gt, le, lt, ne};
pub use composite::{
    angle, clip, divmod, fmax, fmin, gelu, log_sigmoid, logical_and, logical_not, logical_or, logical_xor, nan_to_num, positive,
    pow_number, reciprocal, relu, round, sign, silu, sinc, softplus, xlogy,
};
pub use constant::{Constant, Number, constant, full_like, number_like, ones_like, scalar_like, zeros_like};
pub use dot::{DotGeneral, dot_general, matmul};
pub use expr::{Expr, RuleExt};
pub use index::{Index, basic_index};
pub use name::operation_name;
pub use operators::IntoOperand;
pub use predicate::{Predicate, PredicateOp, isfinite, isinf, isnan, signbit};
pub use reduce::{Reduce, ReduceOp, max, mean, normalise_axes, normalise_axis, reduce_max, reduce_sum, sum};
pub use reshape::{Reshape, Transpose, permute_dims, reshape, reshape_to, swap_last, transpose};
pub use select::{Select, select};
pub use slice::{Concatenate, Pad, Slice, concatenate, pad, slice, slice_axis, stack};
pub use special::{Polygamma, polygamma};
pub use unary::{
    Unary, UnaryOp, abs, acos, acosh, asin, asinh, atan, atanh, bitwise_not, cbrt, ceil, conj, cos, cosh, digamma, erf, erfc, erfinv, exp,
    exp2, expm1, floor, i0e, i1e, imag, lgamma, log, log1p, log2, log10, neg, real, rint, rsqrt, sigmoid, sign_real, sin, sinh, sqrt,
    square, tan, tanh, trunc,
};
