//! The same elements in other places: NumPy's functions made of reshapes, slices and joins.

use tenferro_graph::{Dim, Error, Result, Shape, Tensor, Value};

use crate::reduce::{normalise_axes, normalise_axis};
use crate::reshape::moved;
use crate::take::take_axis;
use crate::{broadcast_in_dim, broadcast_shapes, broadcast_to, concatenate, constant, reshape, slice_axis, transpose};

/// `x` without the given axes of length 1 (all such if `None`).
pub fn squeeze<V: Value>(x: &V, axes: Option<&[isize]>) -> Result<V> {
    let shape = x.aval().shape;
    let one = |a: &usize| shape[*a] == Dim::Const(1);
    let gone = match axes {
        None => (0..shape.rank()).filter(one).collect(),
        Some(_) => normalise_axes("squeeze", axes, shape.rank())?,
    };
    if let Some(a) = gone.iter().find(|a| !one(a)) {
        return Err(Error::shape("squeeze", format!("axis {a} of {shape} has not length 1")));
    }
    let kept: Vec<Dim> = (0..shape.rank()).filter(|a| !gone.contains(a)).map(|a| shape[a].clone()).collect();
    reshape(x, &kept)
}

/// `x` with axes of length 1 where the result has `axes`.
pub fn expand_dims<V: Value>(x: &V, axes: &[isize]) -> Result<V> {
    let shape = x.aval().shape;
    let rank = shape.rank() + axes.len();
    let new = normalise_axes("expand_dims", Some(axes), rank)?;
    let mut old = shape.iter();
    let dim = |a| if new.contains(&a) { None } else { old.next() }.cloned().unwrap_or(Dim::Const(1));
    let wide: Vec<Dim> = (0..rank).map(dim).collect();
    reshape(x, &wide)
}

/// The axes `from` as axes `to`; the others keep their order.
pub fn moveaxis<V: Value>(x: &V, from: &[isize], to: &[isize]) -> Result<V> {
    let rank = x.aval().rank();
    let (from, to) = (normalise_axes("moveaxis", Some(from), rank)?, normalise_axes("moveaxis", Some(to), rank)?);
    if from.len() != to.len() {
        return Err(Error::value("moveaxis", format!("{} axes cannot move to {} places", from.len(), to.len())));
    }
    let mut order: Vec<usize> = (0..rank).filter(|a| !from.contains(a)).collect();
    let mut pairs: Vec<(usize, usize)> = to.into_iter().zip(from).collect();
    pairs.sort_unstable();
    for (to, from) in pairs {
        order.insert(to, from);
    }
    transpose(x, &order)
}

/// Two axes exchanged.
pub fn swapaxes<V: Value>(x: &V, a: isize, b: isize) -> Result<V> {
    let rank = x.aval().rank();
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(normalise_axis("swapaxes", a, rank)?, normalise_axis("swapaxes", b, rank)?);
    transpose(x, &order)
}

fn size(op: &'static str, x: &impl Value, axis: usize) -> Result<usize> {
    let shape = x.aval().shape;
    shape[axis].as_const().ok_or_else(|| Error::shape(op, format!("the size of axis {axis} of {shape} must be a number")))
}

/// Elements moved on by `shifts` along axes, those that leave come in at the other end. Without
/// axes, of the flattened array.
pub fn roll<V: Value>(x: &V, shifts: &[isize], axes: Option<&[isize]>) -> Result<V> {
    let Some(axes) = axes else {
        let shape = x.aval().shape;
        let flat = reshape(x, &[shape.size()])?;
        return reshape(&roll(&flat, &[shifts.iter().sum()], Some(&[0]))?, &shape);
    };
    if shifts.len() != axes.len() && shifts.len() != 1 {
        return Err(Error::value("roll", format!("{} shifts for {} axes", shifts.len(), axes.len())));
    }
    let mut y = x.clone();
    for (k, a) in axes.iter().enumerate() {
        let axis = normalise_axis("roll", *a, y.aval().rank())?;
        let n = size("roll", &y, axis)?;
        let by = if n == 0 { 0 } else { shifts[k.min(shifts.len() - 1)].rem_euclid(n as isize) as usize };
        if by > 0 {
            let parts = [slice_axis(&y, axis, n - by, n)?, slice_axis(&y, axis, 0, n - by)?];
            y = concatenate(&parts, axis as isize)?;
        }
    }
    Ok(y)
}

/// `x` as a tile, `repeats` times along each axis; axes are aligned at the end.
pub fn tile<V: Value>(x: &V, repeats: &[usize]) -> Result<V> {
    let mut shape = x.aval().shape;
    let rank = shape.rank().max(repeats.len());
    (shape.rank()..rank).for_each(|_| shape.insert(0, Dim::Const(1)));
    let times = |a: usize| (a + repeats.len()).checked_sub(rank).map_or(1, |k| repeats[k]);
    let wide: Shape = (0..rank).flat_map(|a| [Dim::Const(times(a)), shape[a].clone()]).collect();
    let out: Vec<Dim> = (0..rank).map(|a| &Dim::Const(times(a)) * &shape[a]).collect();
    let dims: Vec<usize> = (0..rank).map(|a| 2 * a + 1).collect();
    reshape(&broadcast_in_dim(&reshape(x, &shape)?, wide, &dims)?, &out)
}

/// Each element `counts` times, or the one of each position; along an axis, or of the flattened
/// array if that is `None`.
pub fn repeat<V: Value>(x: &V, counts: &[usize], axis: Option<isize>) -> Result<V> {
    let Some(axis) = axis else { return repeat(&reshape(x, &[x.aval().shape.size()])?, counts, Some(0)) };
    let shape = x.aval().shape;
    let axis = normalise_axis("repeat", axis, shape.rank())?;
    if let [count] = counts {
        let mut wide = shape.clone();
        wide.insert(axis + 1, Dim::Const(*count));
        let dims: Vec<usize> = (0..shape.rank()).map(|a| a + usize::from(a > axis)).collect();
        let mut out = shape;
        out.set(axis, &out[axis] * &Dim::Const(*count));
        return reshape(&broadcast_in_dim(x, wide, &dims)?, &out);
    }
    if size("repeat", x, axis)? != counts.len() {
        return Err(Error::shape("repeat", format!("{} counts for axis {axis} of {shape}", counts.len())));
    }
    let rows: Vec<i64> = counts.iter().enumerate().flat_map(|(i, n)| std::iter::repeat_n(i as i64, *n)).collect();
    pick(x, axis, &rows)
}

/// Elements along an axis by numbers that are known.
pub(crate) fn pick<V: Value>(x: &V, axis: usize, numbers: &[i64]) -> Result<V> {
    take_axis(x, &constant(x, Tensor::from_slice(&[numbers.len()], numbers)?)?, axis)
}

/// Parts along an axis, cut before the elements `at` (from the end if negative).
pub fn split_at<V: Value>(x: &V, at: &[isize], axis: isize) -> Result<Vec<V>> {
    let axis = normalise_axis("split", axis, x.aval().rank())?;
    let n = size("split", x, axis)?;
    let clip = |i: isize| (if i < 0 { i + n as isize } else { i }).clamp(0, n as isize) as usize;
    let starts = std::iter::once(0).chain(at.iter().map(|i| clip(*i)));
    let stops = at.iter().map(|i| clip(*i)).chain([n]);
    starts.zip(stops).map(|(a, b)| slice_axis(x, axis, a, b.max(a))).collect()
}

/// `parts` parts along an axis, of which the first may be longer by one.
///
/// # Errors
/// `Value` for no parts, and for unequal ones if `equal`; `Memory` for too many.
pub fn split<V: Value>(x: &V, parts: usize, axis: isize, equal: bool) -> Result<Vec<V>> {
    let along = normalise_axis("split", axis, x.aval().rank())?;
    let n = size("split", x, along)?;
    if parts == 0 || (equal && n % parts != 0) {
        return Err(Error::value("split", format!("{n} elements cannot be split into {parts} equal parts")));
    }
    let (length, longer) = (n / parts, n % parts);
    let mut at: Vec<isize> = vec![];
    at.try_reserve_exact(parts).map_err(|_| Error::memory("split", format!("not enough memory for {parts} parts")))?;
    at.extend((1..parts).map(|k| (k * length + k.min(longer)) as isize));
    split_at(x, &at, axis)
}

/// `x` with at least `rank` axes; new ones are first, but the third is last.
fn at_least<V: Value>(x: &V, rank: usize) -> Result<V> {
    match (rank, x.aval().rank()) {
        (2, 0) => expand_dims(x, &[0, 1]),
        (3, 0) => expand_dims(x, &[0, 1, 2]),
        (3, 1) => expand_dims(x, &[0, 2]),
        (3, 2) => expand_dims(x, &[2]),
        (1, 0) | (2, 1) => expand_dims(x, &[0]),
        _ => Ok(x.clone()),
    }
}

fn joined<V: Value>(xs: &[V], rank: usize, axis: isize) -> Result<V> {
    let xs: Vec<V> = xs.iter().map(|x| at_least(x, rank)).collect::<Result<_>>()?;
    concatenate(&xs, axis)
}

/// Arrays as rows one below another.
pub fn vstack<V: Value>(xs: &[V]) -> Result<V> {
    joined(xs, 2, 0)
}

/// Arrays side by side: joined along the second axis, 1-D ones along the first.
pub fn hstack<V: Value>(xs: &[V]) -> Result<V> {
    let flat = xs.first().is_some_and(|x| x.aval().rank() <= 1);
    joined(xs, 1, isize::from(!flat))
}

/// Arrays one behind another: joined along the third axis.
pub fn dstack<V: Value>(xs: &[V]) -> Result<V> {
    joined(xs, 3, 2)
}

/// All arrays in their common shape.
pub fn broadcast_arrays<V: Value>(xs: &[V]) -> Result<Vec<V>> {
    let mut shape = Shape::scalar();
    for x in xs {
        shape = broadcast_shapes("broadcast_arrays", &shape, &x.aval().shape)?;
    }
    xs.iter().map(|x| broadcast_to(x, shape.clone())).collect()
}

/// The coordinates of the points of a grid, of 1-D arrays: array k varies along axis k
/// (`xy`: the first two exchanged). `sparse` ones have length 1 along the other axes.
pub fn meshgrid<V: Value>(xs: &[V], xy: bool, sparse: bool) -> Result<Vec<V>> {
    let n = xs.len();
    let place = |k: usize| if xy && n > 1 && k < 2 { 1 - k } else { k };
    let mut whole: Vec<Dim> = vec![Dim::Const(1); n];
    for (k, x) in xs.iter().enumerate() {
        let shape = x.aval().shape;
        if shape.rank() > 1 {
            return Err(Error::shape("meshgrid", format!("needs 1-D arrays, got shape {shape}")));
        }
        whole[place(k)] = shape.size();
    }
    let one = |(k, x): (usize, &V)| {
        let mut shape = vec![Dim::Const(1); n];
        shape[place(k)] = x.aval().shape.size();
        let x = reshape(x, &shape)?;
        if sparse { Ok(x) } else { broadcast_to(&x, Shape::from(whole.as_slice())) }
    };
    xs.iter().enumerate().map(one).collect()
}

fn reversed_axes<V: Value>(x: &V) -> Result<V> {
    let order: Vec<usize> = (0..x.aval().rank()).rev().collect();
    transpose(x, &order)
}

/// `reshape_to` that reads and writes elements with the first axis fastest.
pub fn reshape_f<V: Value>(x: &V, lengths: &[isize]) -> Result<V> {
    let lengths: Vec<isize> = lengths.iter().rev().copied().collect();
    reversed_axes(&crate::reshape_to(&reversed_axes(x)?, &lengths)?)
}

/// All elements along one axis, in C order.
pub fn ravel<V: Value>(x: &V) -> Result<V> {
    reshape(x, &[x.aval().shape.size()])
}

/// Two axes as the last two.
pub(crate) fn to_the_end<V: Value>(op: &'static str, x: &V, a: isize, b: isize) -> Result<V> {
    let rank = x.aval().rank();
    if rank < 2 {
        return Err(Error::shape(op, format!("needs at least 2 axes, got shape {}", x.aval().shape)));
    }
    let (a, b) = (normalise_axis(op, a, rank)?, normalise_axis(op, b, rank)?);
    if a == b {
        return Err(Error::value(op, format!("axis {a} is named twice")));
    }
    let x = transpose(x, &moved(rank, a, rank - 1))?;
    let b = if b > a { b - 1 } else { b };
    transpose(&x, &moved(rank, b, rank - 1))
}
