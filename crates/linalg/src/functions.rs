//! The SVD as functions over any kind of value.

use tenferro_graph::{Dim, Error, Prim, Result, Value};

use crate::parts;
use crate::svd::{Lift, Svd, SvdTies, SvdVals};
use crate::svd_full::SvdFull;
use crate::trunc::SvdTrunc;

/// What the derivative of an SVD is where singular values tie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Degeneracy {
    /// Vectors of a cluster do not move against each other: the first derivative is exact for
    /// functions whose U\*Ū and V\*V̄ are diagonal inside each cluster, and bounded always.
    Mask,
    /// s comes out with gaps of this size relative to the largest (`None`: a default); see [`SvdTies::Lift`].
    Lift(Option<f64>),
    /// As `Mask`, but an error at run where that leaves something out.
    Raise,
}

/// Thin SVD of a (…, m, n): u (…, m, k), s (…, k), vh (…, k, n), k = min(m, n).
///
/// `narrow` allows a program that reads only leading triplets to compute only these.
///
/// # Errors
/// `Shape` below two axes; at run `LinAlg` if a holds NaN or infinity.
pub fn svd<V: Value>(a: &V, narrow: bool) -> Result<[V; 3]> {
    parts::several(Svd { narrow }, &[&parts::inexact(a)?])
}

/// [`svd`] with a contract for ties, or square factors u (…, m, m) and vh (…, n, n).
///
/// # Errors
/// As [`svd`]; `Value` for a gap outside 0 … 1, or square factors of a matrix that is not square
/// together with another contract than `Mask`.
pub fn svd_with<V: Value>(a: &V, full_matrices: bool, narrow: bool, degeneracy: Degeneracy) -> Result<[V; 3]> {
    let a = parts::inexact(a)?;
    let shape = a.aval().shape;
    let square = shape.rank() >= 2 && shape[shape.rank() - 1] == shape[shape.rank() - 2];
    if full_matrices && !square {
        if degeneracy != Degeneracy::Mask {
            return Err(Error::value("svd", "degeneracy other than \"mask\" needs thin factors; pass full_matrices=False"));
        }
        return parts::several(SvdFull, &[&a]);
    }
    match degeneracy {
        Degeneracy::Mask => svd(&a, narrow),
        Degeneracy::Raise => parts::several(SvdTies::Raise, &[&a]),
        Degeneracy::Lift(eps) => {
            let lift = eps.map_or_else(|| Ok(Lift::default_for(a.aval().dtype)), Lift::new)?;
            parts::several(SvdTies::Lift(lift), &[&a])
        }
    }
}

/// Singular values of a (…, m, n), descending: (…, min(m, n)).
///
/// # Errors
/// As [`svd`].
pub fn svdvals<V: Value>(a: &V) -> Result<V> {
    parts::one(Prim::new(SvdVals), &[&parts::inexact(a)?])
}

/// The k largest singular triplets of a (…, m, n): u (…, m, k), s (…, k), vh (…, k, n).
///
/// # Errors
/// As [`svd`]; `Value` unless 1 ≤ k ≤ min(m, n).
pub fn svd_trunc<V: Value>(a: &V, k: usize) -> Result<[V; 3]> {
    let a = parts::inexact(a)?;
    let shape = a.aval().shape;
    let min = shape.iter().rev().take(2).map(Dim::as_const).min().flatten();
    let extra = min.map_or(0, |q| SvdTrunc::extra_for(k, q));
    parts::several(SvdTrunc { k, extra }, &[&a])
}
