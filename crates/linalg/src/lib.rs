//! Factorizations: their definitions and derivative rules. No kernels.
//!
//! - [`Svd`], [`SvdVals`], [`SvdTrunc`], [`SvdFull`], [`SvdTies`]: thin, values only, truncated to k,
//!   with square factors, with other contracts at ties; [`SvdSolve`]: the linear system that
//!   derivatives need outside the kept space; [`TieCheck`].
//! - [`Eigh`], [`EighVals`], [`Eig`], [`EigVals`]: eigenvalues and vectors.
//! - [`Qr`], [`Cholesky`], [`Lu`], [`Permute`]: triangular factorizations; [`Triangular`],
//!   [`LuSolve`]: systems.
//! - [`Det`], [`SlogDet`], [`Adjugate`], [`Expm`].
//! - [`Pinv`], [`LeastSquares`], [`HermitianFunction`], [`Polar`]: rules attached to values that
//!   other ops compute; [`Positive`], [`Finite`]: checks of them.
//!
//! Functions over any kind of value have the names of NumPy and SciPy. They take bool and integers
//! as float64. Matrices are the last two axes; all axes before are a batch.

mod adjugate;
mod algebra;
mod attached;
mod cholesky;
mod det;
mod directional;
mod eig;
mod eigh;
mod expm;
mod functions;
mod lu;
mod matrix;
mod norms;
mod parts;
mod powers;
mod qr;
mod rule;
mod solve;
mod subspace;
mod svd;
mod svd_full;
mod ties;
mod triangular;
mod trunc;

pub use adjugate::Adjugate;
pub use attached::{Finite, HermitianFunction, LeastSquares, Pinv, Polar, Positive};
pub use cholesky::{Cholesky, cho_solve, cholesky};
pub use det::{Det, SlogDet, det, slogdet};
pub use eig::{Eig, EigVals, eig, eigvals};
pub use eigh::{Eigh, EighVals, eigh, eigvalsh};
pub use expm::{Expm, expm};
pub use functions::{Degeneracy, svd, svd_trunc, svd_with, svdvals};
pub use lu::{Lu, LuSolve, Permute, inv, lu, lu_factor, lu_solve, solve};
pub use norms::{MatrixOrd, cond, matrix_norm, vector_norm};
pub use powers::{logm, matrix_power, multi_dot, sqrtm};
pub use qr::{Qr, lq, qr};
pub use solve::SvdSolve;
pub use subspace::{lstsq, matrix_rank, null_space, orth, pinv, polar};
pub use svd::{Lift, Svd, SvdTies, SvdVals};
pub use svd_full::SvdFull;
pub use ties::{TieCheck, svd_cut_gap, svd_gauge_residual};
pub use triangular::{Form, Triangular, solve_triangular};
pub use trunc::SvdTrunc;
