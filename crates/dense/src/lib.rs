//! Matrix kernels on strided views, for the four float types, on faer.
//!
//! Everything works on [`MatRef`] and [`MatMut`], views of any strides, and in scratch memory that
//! the caller brings: each factorization has a `*_scratch` function that says how many bytes.
//! Nothing here allocates, starts a thread or knows what a tensor is.
//!
//! | function | what |
//! |---|---|
//! | [`gemm`] | matrix product, either side conjugated, optionally accumulated |
//! | [`svd`] | thin singular value decomposition |
//! | [`svd_trunc`] | the `k` largest singular triplets, and some more |
//! | [`svd_solve`] | the linear system that a derivative of either needs |
//!
//! Results depend on values and shapes only, never on the strides of an input, on the number of
//! threads or on earlier calls.

mod error;
mod gemm;
mod jacobi;
mod kernel;
mod lu;
mod precondition;
mod qr;
mod range;
mod ritz;
mod scalar;
mod scale;
mod scratch;
mod simd;
mod solve;
mod svd;
mod trunc;
mod view;

pub use error::DenseError;
pub use gemm::gemm;
pub use scalar::{RealScalar, Scalar};
pub use solve::{SolveInfo, svd_solve, svd_solve_scratch};
pub use svd::{svd, svd_scratch};
pub use trunc::{TruncInfo, TruncMethod, svd_trunc, svd_trunc_scratch};
pub use view::{MatMut, MatRef};
