//! Diagonals and triangles.

use tenferro_graph::{Dim, Error, Result, Tensor, Value, with_element};

use crate::arrange::to_the_end;
use crate::emit::apply;
use crate::{Pad, constant, ge, reduce_sum, reshape, select, slice, slice_axis, zeros_like};

fn matrix(op: &'static str, x: &impl Value) -> Result<(usize, usize)> {
    let shape = x.aval().shape;
    let sizes = match &shape[..] {
        [.., m, n] => m.as_const().zip(n.as_const()),
        _ => None,
    };
    sizes.ok_or_else(|| Error::shape(op, format!("needs 2 axes of numeric sizes, got shape {shape}")))
}

/// The elements (i, i + offset) of the matrices of two axes; their axis comes last.
pub fn diagonal<V: Value>(x: &V, offset: isize, axis1: isize, axis2: isize) -> Result<V> {
    let x = to_the_end("diagonal", x, axis1, axis2)?;
    let (m, n) = matrix("diagonal", &x)?;
    let (down, right) = if offset < 0 { (offset.unsigned_abs(), 0) } else { (0, offset.unsigned_abs()) };
    let count = m.saturating_sub(down).min(n.saturating_sub(right));
    let (down, right) = if count == 0 { (0, 0) } else { (down, right) };
    let rank = x.aval().rank();
    let square = slice_axis(&slice_axis(&x, rank - 2, down, down + count)?, rank - 1, right, right + count)?;
    // Along the flattened square the diagonal is every (count + 1)-th element.
    let mut flat = square.aval().shape.to_vec();
    flat.truncate(rank - 2);
    flat.push(Dim::Const(count * count));
    let mut steps = vec![1; rank - 1];
    steps[rank - 2] = count + 1;
    slice(&reshape(&square, &flat)?, &vec![0; rank - 1], &flat, &steps)
}

/// The sum of a diagonal. Of bool and small integers, in their own dtype's sum.
pub fn trace<V: Value>(x: &V, offset: isize, axis1: isize, axis2: isize) -> Result<V> {
    let d = diagonal(x, offset, axis1, axis2)?;
    crate::sum(&d, Some(&[-1]), false)
}

/// A vector as a diagonal of a square matrix of zeros, or the diagonal of a matrix.
pub fn diag<V: Value>(x: &V, offset: isize) -> Result<V> {
    let shape = x.aval().shape;
    if shape.rank() == 2 {
        return diagonal(x, offset, 0, 1);
    }
    let n = if shape.rank() == 1 { shape[0].as_const() } else { None };
    let n = n.ok_or_else(|| Error::shape("diag", format!("needs 1 or 2 axes of numeric sizes, got shape {shape}")))?;
    let zero = constant(x, with_element!(x.aval().dtype, T => Tensor::scalar(T::default())))?;
    let pad = |x: &V, low: Vec<usize>, high: Vec<usize>, interior: Vec<usize>| apply(Pad { low, high, interior }, x, &[&zero]);
    // Elements n + 1 apart in n² are the diagonal of n rows.
    let square = pad(x, vec![0], vec![0], vec![n])?;
    let square = reshape(&square, &[Dim::Const(n), Dim::Const(n)])?;
    let k = offset.unsigned_abs();
    let (down, right) = if offset < 0 { (k, 0) } else { (0, k) };
    if k == 0 { Ok(square) } else { pad(&square, vec![down, right], vec![right, down], vec![0, 0]) }
}

/// Whether j − i ≥ k, for the elements (i, j) of the last two axes.
fn above<V: Value>(op: &'static str, x: &V, k: isize) -> Result<V> {
    let (m, n) = matrix(op, x)?;
    let line = |n: usize, shift: i64, shape: &[usize]| {
        let numbers: Vec<i64> = (0..n as i64).map(|i| i.saturating_add(shift)).collect();
        constant(x, Tensor::from_slice(shape, &numbers)?)
    };
    ge(&line(n, 0, &[1, n])?, &line(m, k as i64, &[m, 1])?)
}

/// The last two axes with zeros above the k-th diagonal.
pub fn tril<V: Value>(x: &V, k: isize) -> Result<V> {
    select(&above("tril", x, k.saturating_add(1))?, &zeros_like(x)?, x)
}

/// The last two axes with zeros below the k-th diagonal.
pub fn triu<V: Value>(x: &V, k: isize) -> Result<V> {
    select(&above("triu", x, k)?, x, &zeros_like(x)?)
}

/// The sum over the last axis in x's own dtype.
pub(crate) fn sum_last<V: Value>(x: &V) -> Result<V> {
    reduce_sum(x, &[x.aval().rank() - 1])
}
