//! Functions that look values up: elements by position, membership.

use tenferro_graph::{DType, Dim, Error, Result, Shape, Tensor, Value};

use crate::sort::in_order;
use crate::take::{OutOfBounds, normalise_index};
use crate::take_along::take_along;
use crate::{broadcast_to, cast, clip, constant, eq, ravel, searchsorted, take_rows, zeros_like};

/// The elements of `x` at the positions `i` along an axis; the other axes broadcast.
///
/// # Errors
/// `Shape` for another rank; `DType` for positions that are not integers; `Index`, when it
/// runs, for a position outside.
pub fn take_along_axis<V: Value>(x: &V, i: &V, axis: Option<isize>) -> Result<V> {
    let Some(axis) = axis else { return take_along_axis(&ravel(x)?, i, Some(0)) };
    let (mut a, mut b) = (x.aval().shape, i.aval().shape);
    let axis = crate::normalise_axis("take_along_axis", axis, a.rank())?;
    if a.rank() != b.rank() {
        return Err(Error::shape("take_along_axis", format!("shapes {a} and {b} of the positions have not as many axes")));
    }
    let (n, k) = (a[axis].clone(), b[axis].clone());
    a.set(axis, Dim::Const(1));
    b.set(axis, Dim::Const(1));
    let mut whole = crate::broadcast_shapes("take_along_axis", &a, &b)?;
    whole.set(axis, n.clone());
    let x = broadcast_to(x, whole.clone())?;
    whole.set(axis, k);
    take_along(&x, &broadcast_to(&normalise_index(i, axis, &n, OutOfBounds::Raise)?, whole)?, axis)
}

fn line(op: &'static str, x: &impl Value) -> Result<usize> {
    let shape = x.aval().shape;
    let n = if shape.rank() == 1 { shape[0].as_const() } else { None };
    n.filter(|n| *n > 0).ok_or_else(|| Error::shape(op, format!("the points need one axis with elements, got shape {shape}")))
}

/// Whether the elements of `x` are among those of `among`.
pub fn isin<V: Value>(x: &V, among: &V) -> Result<V> {
    let flat = ravel(among)?;
    if flat.aval().shape == Shape::from([0]) {
        return cast(&zeros_like(x)?, DType::Bool);
    }
    let n = line("isin", &flat)?;
    let values = in_order(&flat, 0, false)?;
    let at = searchsorted(&values, x, false, None)?;
    let inside = clip(&at, None, Some(&constant(x, Tensor::scalar(n as i64 - 1))?))?;
    eq(&take_rows(&values, &inside)?, x)
}
