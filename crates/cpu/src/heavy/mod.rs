//! Contractions and factorizations on `tenferro_dense`.

mod adjugate;
mod checks;
mod determinant;
mod dot;
mod eigen;
mod exponential;
mod factor;
mod inner;
mod leading;
mod matrices;
mod order;
mod product;
mod svd;
mod triangles;

pub(crate) use adjugate::lower_adjugate;
pub(crate) use checks::{lower_finite, lower_last, lower_positive, lower_tie_check};
pub(crate) use determinant::{lower_det, lower_slogdet};
pub(crate) use dot::lower_dot;
pub(crate) use eigen::{lower_eig, lower_eigh, lower_eigvals, lower_eigvalsh};
pub(crate) use exponential::lower_expm;
pub(crate) use svd::{lower_svd, lower_svd_full, lower_svd_solve, lower_svd_ties, lower_svd_trunc, lower_svdvals};
pub(crate) use triangles::{lower_cholesky, lower_lu, lower_lu_solve, lower_permute, lower_qr, lower_triangular};

/// Work is shared among threads from this many nanoseconds on: three times what waking them costs.
const SHARED: f64 = 40_000.0;
/// What a claimed chunk should take at least, in nanoseconds.
const CHUNK: f64 = 16_000.0;
