//! Contractions and factorizations on `tenferro_dense`.

mod dot;
mod factor;
mod inner;
mod leading;
mod matrices;
mod product;

pub(crate) use dot::lower_dot;
pub(crate) use factor::{lower_solve, lower_svd, lower_svd_trunc, lower_svdvals};

/// Work is shared among threads from this many nanoseconds on: three times what waking them costs.
const SHARED: f64 = 40_000.0;
/// What a claimed chunk should take at least, in nanoseconds.
const CHUNK: f64 = 16_000.0;
