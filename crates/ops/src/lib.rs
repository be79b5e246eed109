//! Op families and composites over the contracts of `tenferro_graph`.
//!
//! Each family's file holds definitions, dtypes, shape rules and derivatives side by
//! side; functions are generic over [`tenferro_graph::Value`], so that expressions in
//! a rule, traced tensors and eager tensors share one surface.

mod argreduce;
mod arrange;
mod binary;
mod broadcast;
mod cast;
mod compare;
mod composite;
mod constant;
mod convolve;
mod create;
mod cumulative;
mod diagonal;
mod dot;
mod dynamic;
mod emit;
mod expr;
mod index;
mod name;
mod nonzero;
mod operators;
mod pad_mode;
mod predicate;
mod products;
mod reduce;
mod reshape;
mod reverse;
mod scan;
mod scatter;
mod search;
mod select;
mod selection;
mod slice;
mod sort;
mod special;
mod statistics;
mod take;
mod take_along;
mod unary;
mod update;

pub use argreduce::{ArgOp, ArgReduce, argmax, argmin};
pub use arrange::{
    broadcast_arrays, dstack, expand_dims, hstack, meshgrid, moveaxis, ravel, repeat, reshape_f, roll, split, split_at, squeeze, swapaxes,
    tile, vstack,
};
pub use binary::{
    Binary, BinaryOp, add, atan2, bitwise_and, bitwise_left_shift, bitwise_or, bitwise_right_shift, bitwise_xor, copysign, div,
    floor_divide, fmax, fmin, fmod, hypot, logaddexp, maximum, minimum, mul, nextafter, pow, remainder, sub,
};
pub use broadcast::{BroadcastInDim, broadcast_in_dim, broadcast_shapes, broadcast_to};
pub use cast::{Cast, FromParts, StopGradient, cast, complex, stop_gradient};
pub use compare::{Compare, CompareOp, compare, eq, ge, gt, le, lt, ne};
pub use composite::{
    angle, clip, divmod, gelu, log_sigmoid, logical_and, logical_not, logical_or, logical_xor, nan_to_num, positive, pow_number,
    reciprocal, relu, round, sign, silu, sinc, softplus, xlogy,
};
pub use constant::{Constant, Number, constant, full_like, number_like, ones_like, scalar_like, zeros_like};
pub use convolve::{Convolve, ConvolveMode, convolve};
pub use create::{arange, eye, full, geomspace, linspace, linspace_complex, logspace, ones, tri, zeros};
pub use cumulative::{Cumulative, CumulativeOp, cumlogsumexp, cummax, cummin, cumprod, cumsum};
pub use diagonal::{diag, diagonal, trace, tril, triu};
pub use dot::{DotGeneral, dot_general, matmul};
pub use dynamic::{DynamicSlice, DynamicUpdateSlice, dynamic_slice, dynamic_update_slice};
pub use expr::{Expr, RuleExt};
pub use index::{Index, basic_index};
pub use name::operation_name;
pub use nonzero::{Nonzero, flatnonzero, nonzero};
pub use operators::IntoOperand;
pub use pad_mode::{PadMode, pad_mode};
pub use predicate::{Predicate, PredicateOp, isfinite, isinf, isnan, signbit};
pub use products::{cross, inner, kron, outer, polyval, tensordot, tensordot_last, vander, vecdot};
pub use reduce::{
    Reduce, ReduceOp, all, any, count_nonzero, max, min, normalise_axes, normalise_axis, prod, reduce_max, reduce_min, reduce_prod,
    reduce_sum, sum,
};
pub use reshape::{Reshape, Transpose, permute_dims, reshape, reshape_to, swap_last, transpose};
pub use reverse::{Reverse, flip};
pub use scatter::{Scatter, ScatterOp, scatter_rows};
pub use search::{isin, take_along_axis};
pub use select::{Select, select};
pub use selection::{IndexEntry, index};
pub use slice::{Concatenate, Pad, Slice, concatenate, pad, slice, slice_axis, stack};
pub use sort::{ArgSort, SearchSorted, Sort, argsort, searchsorted, sort, top_k};
pub use special::{Polygamma, polygamma};
pub use statistics::{diff, log_softmax, logsumexp, mean, median, ptp, softmax, std, var};
pub use take::{NormaliseIndex, OutOfBounds, Take, normalise_index, take, take_rows};
pub use take_along::{PutAlong, TakeAlong};
pub use unary::{
    Unary, UnaryOp, abs, acos, acosh, asin, asinh, atan, atanh, bitwise_not, cbrt, ceil, conj, cos, cosh, digamma, erf, erfc, erfinv, exp,
    exp2, expm1, floor, i0e, i1e, imag, lgamma, log, log1p, log2, log10, neg, real, rint, rsqrt, sigmoid, sign_real, sin, sinh, sqrt,
    square, tan, tanh, trunc,
};
pub use update::{AtOp, at, at_apply};
