//! Matrix kernels on strided views, for the four float types, on faer.
//!
//! Everything works on [`MatRef`] and [`MatMut`], views of any strides, and in scratch memory that
//! the caller brings: each factorization has a `*_scratch` function that says how many bytes.
//! Nothing here allocates, starts a thread or knows what a tensor is.
//!
//! | function | what |
//! |---|---|
//! | [`gemm`] | matrix product, either side conjugated, optionally accumulated |
//! | [`svd`], [`svd_full`] | singular value decomposition, thin or with square factors |
//! | [`svd_trunc`] | the `k` largest singular triplets, and some more |
//! | [`svd_solve`] | the linear system that a derivative of either needs |
//! | [`eigh`], [`eig`] | eigenvalues and vectors, Hermitian and general |
//! | [`qr`], [`cholesky`], [`lu`] | triangular factorizations |
//! | [`solve_triangular`] | triangular systems |
//!
//! Results depend on values and shapes only, never on the strides of an input, on the number of
//! threads or on earlier calls.

mod balance;
mod cholesky;
mod complete;
mod conjugate;
mod eig;
mod eigenvectors;
mod eigh;
mod elimination;
mod error;
mod gemm;
mod hermitian_jacobi;
mod householder;
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
mod triangular;
mod trunc;
mod view;

pub use cholesky::cholesky;
pub use complete::{svd_full, svd_full_scratch};
pub use eig::{eig, eig_scratch};
pub use eigh::{eigh, eigh_scratch};
pub use error::DenseError;
pub use gemm::gemm;
pub use lu::{lu, lu_scratch};
pub use qr::{qr, qr_scratch};
pub use scalar::{RealScalar, Scalar};
pub use solve::{SolveInfo, svd_solve, svd_solve_scratch};
pub use svd::{svd, svd_scratch};
pub use triangular::{Op, solve_triangular};
pub use trunc::{TruncInfo, TruncMethod, svd_trunc, svd_trunc_scratch};
pub use view::{MatMut, MatRef};
