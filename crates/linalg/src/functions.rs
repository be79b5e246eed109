//! The factorizations as functions over any kind of value.

use tenferro_graph::{Dim, Error, Prim, Result, Value};

use crate::svd::{Svd, SvdVals};
use crate::trunc::SvdTrunc;

/// Thin SVD of a (…, m, n): u (…, m, k), s (…, k), vh (…, k, n), k = min(m, n).
///
/// `narrow` allows a program that reads only leading triplets to compute only these.
///
/// # Errors
/// `DType` unless floating or complex, `Shape` below two axes.
pub fn svd<V: Value>(a: &V, narrow: bool) -> Result<[V; 3]> {
    leading(a, Prim::new(Svd { narrow }))
}

/// Singular values of a (…, m, n), descending: (…, min(m, n)).
///
/// # Errors
/// As [`svd`].
pub fn svdvals<V: Value>(a: &V) -> Result<V> {
    let mut outs = a.emit(Prim::new(SvdVals), &[a])?;
    outs.pop().ok_or_else(|| Error::program("svdvals gave no output"))
}

/// The k largest singular triplets of a (…, m, n): u (…, m, k), s (…, k), vh (…, k, n).
///
/// # Errors
/// As [`svd`]; `Value` unless 1 ≤ k ≤ min(m, n).
pub fn svd_trunc<V: Value>(a: &V, k: usize) -> Result<[V; 3]> {
    let shape = a.aval().shape;
    let min = shape.iter().rev().take(2).map(Dim::as_const).min().flatten();
    let extra = min.map_or(0, |q| SvdTrunc::extra_for(k, q));
    leading(a, Prim::new(SvdTrunc { k, extra }))
}

/// The first three outputs of an op on `a`.
fn leading<V: Value>(a: &V, prim: Prim) -> Result<[V; 3]> {
    let name = prim.name().to_owned();
    let mut outs = a.emit(prim, &[a])?.into_iter();
    match (outs.next(), outs.next(), outs.next()) {
        (Some(u), Some(s), Some(vh)) => Ok([u, s, vh]),
        _ => Err(Error::program(format!("{name}: fewer than three outputs"))),
    }
}
