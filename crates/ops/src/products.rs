//! Products of vectors, matrices and arrays, made of contractions and elementwise products.

use tenferro_graph::{DType, Dim, Error, Result, Shape, Value};

use crate::arrange::{moveaxis, pick, ravel};
use crate::diagonal::sum_last;
use crate::reduce::{normalise_axes, normalise_axis};
use crate::{broadcast_in_dim, cast, concatenate, conj, dot_general, mul, reshape, slice_axis, sub};

/// Σ over the axes of x paired with those of y; the other axes of x, then those of y.
///
/// # Errors
/// `Shape` if paired sizes differ, `Value` if the lists do.
pub fn tensordot<V: Value>(x: &V, y: &V, x_axes: &[isize], y_axes: &[isize]) -> Result<V> {
    let (a, b) = (x.aval().shape, y.aval().shape);
    let (l, r) = (normalise_axes("tensordot", Some(x_axes), a.rank())?, normalise_axes("tensordot", Some(y_axes), b.rank())?);
    if l.len() != r.len() {
        return Err(Error::value("tensordot", format!("{} axes paired with {}", l.len(), r.len())));
    }
    dot_general(x, y, (&l, &r), (&[], &[]))
}

/// [`tensordot`] of the last `count` axes of x with the first of y.
pub fn tensordot_last<V: Value>(x: &V, y: &V, count: usize) -> Result<V> {
    let rank = x.aval().rank();
    if count > rank || count > y.aval().rank() {
        return Err(Error::value("tensordot", format!("{count} axes of {} and {}", x.aval().shape, y.aval().shape)));
    }
    let x_axes: Vec<isize> = (rank - count..rank).map(|a| a as isize).collect();
    let y_axes: Vec<isize> = (0..count).map(|a| a as isize).collect();
    tensordot(x, y, &x_axes, &y_axes)
}

fn last<V: Value>(op: &'static str, x: &V, axis: isize) -> Result<V> {
    normalise_axis(op, axis, x.aval().rank())?;
    moveaxis(x, &[axis], &[-1])
}

fn same_last<V: Value>(op: &'static str, x: &V, y: &V) -> Result<()> {
    let (a, b) = (x.aval().shape, y.aval().shape);
    let sizes = a.last().and_then(Dim::as_const).zip(b.last().and_then(Dim::as_const));
    if sizes.is_some_and(|(m, n)| m != n) {
        return Err(Error::shape(op, format!("the sizes along the axis differ, {a} and {b}")));
    }
    Ok(())
}

/// Σ conj(x) y along an axis; the others broadcast. Of bool, whether some pair holds.
pub fn vecdot<V: Value>(x: &V, y: &V, axis: isize) -> Result<V> {
    let (x, y) = (last("vecdot", x, axis)?, last("vecdot", y, axis)?);
    same_last("vecdot", &x, &y)?;
    let x = if x.aval().dtype.is_complex() { conj(&x)? } else { x };
    let product = mul(&x, &y)?;
    if product.aval().dtype == DType::Bool { crate::any(&product, Some(&[-1]), false) } else { sum_last(&product) }
}

/// xᵢ yⱼ of the flattened arrays.
pub fn outer<V: Value>(x: &V, y: &V) -> Result<V> {
    let column = reshape(x, &[x.aval().shape.size(), Dim::Const(1)])?;
    mul(&column, &ravel(y)?)
}

/// Σ x y over the last axes; the other axes of x, then those of y. With a scalar, the product.
pub fn inner<V: Value>(x: &V, y: &V) -> Result<V> {
    if x.aval().rank() == 0 || y.aval().rank() == 0 {
        return mul(x, y);
    }
    same_last("inner", x, y)?;
    tensordot(x, y, &[-1], &[-1])
}

/// The Kronecker product: each element of x times the whole of y.
pub fn kron<V: Value>(x: &V, y: &V) -> Result<V> {
    let (mut a, mut b) = (x.aval().shape, y.aval().shape);
    while a.rank() < b.rank() {
        a.insert(0, Dim::Const(1));
    }
    while b.rank() < a.rank() {
        b.insert(0, Dim::Const(1));
    }
    let spread = |s: &Shape, first: bool| -> Vec<Dim> {
        let pair = |d: &Dim| if first { [d.clone(), Dim::Const(1)] } else { [Dim::Const(1), d.clone()] };
        s.iter().flat_map(pair).collect()
    };
    let product = mul(&reshape(x, &spread(&a, true))?, &reshape(y, &spread(&b, false))?)?;
    let shape: Vec<Dim> = a.iter().zip(b.iter()).map(|(m, n)| m * n).collect();
    reshape(&product, &shape)
}

/// The vector product of vectors with 3 components along an axis; the others broadcast.
pub fn cross<V: Value>(x: &V, y: &V, axis: isize) -> Result<V> {
    let (x, y) = (last("cross", x, axis)?, last("cross", y, axis)?);
    for v in [&x, &y] {
        let shape = v.aval().shape;
        if shape.last() != Some(&Dim::Const(3)) {
            return Err(Error::shape("cross", format!("vectors need 3 components, got shape {shape}")));
        }
    }
    let turned = |v: &V, order: [i64; 3]| pick(v, v.aval().rank() - 1, &order);
    let (on, back) = ([1, 2, 0], [2, 0, 1]);
    let z = sub(&mul(&turned(&x, on)?, &turned(&y, back)?)?, &mul(&turned(&x, back)?, &turned(&y, on)?)?)?;
    moveaxis(&z, &[-1], &[axis])
}

/// The powers 0 … count − 1 of each element of a vector as a row, the highest first unless
/// `increasing`.
pub fn vander<V: Value>(x: &V, count: Option<usize>, increasing: bool) -> Result<V> {
    let aval = x.aval();
    if aval.rank() != 1 {
        return Err(Error::shape("vander", format!("needs a 1-D array, got shape {}", aval.shape)));
    }
    // As NumPy: whole numbers are taken as int64.
    let x = if aval.dtype.is_inexact() { x.clone() } else { cast(x, aval.dtype.promote(DType::I64))? };
    let count = count.or_else(|| aval.shape[0].as_const());
    let count = count.ok_or_else(|| Error::shape("vander", "needs a number of columns where the size is symbolic"))?;
    let n = &aval.shape[0];
    let cells = n.as_const().map_or(Some(count), |n| n.checked_mul(count)).and_then(|n| n.checked_mul(x.aval().dtype.size()));
    if cells.is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Error::memory("vander", format!("not enough memory for {count} columns of {n} elements")));
    }
    let columns = |x: &V, count: usize| broadcast_in_dim(x, [n.clone(), Dim::Const(count)].iter().cloned().collect(), &[0]);
    let powers = columns(&crate::ones_like(&x)?, count.min(1))?;
    let powers = match count {
        0 | 1 => powers,
        _ => concatenate(&[powers, crate::cumprod(&columns(&x, count - 1)?, Some(1), false, false)?], 1)?,
    };
    if increasing { Ok(powers) } else { crate::flip(&powers, Some(&[1])) }
}

/// Σ pᵢ xⁿ⁻¹⁻ⁱ, the polynomial with coefficients `p`, the highest first, by Horner's rule.
pub fn polyval<V: Value>(p: &V, x: &V) -> Result<V> {
    let shape = p.aval().shape;
    let n = if shape.rank() == 1 { shape[0].as_const() } else { None };
    let n = n.ok_or_else(|| Error::shape("polyval", format!("coefficients need one axis of numeric size, got {shape}")))?;
    let dtype = p.aval().dtype.promote(x.aval().dtype);
    let x = cast(x, dtype)?;
    let mut y = crate::zeros_like(&x)?;
    for i in 0..n {
        let c = reshape(&slice_axis(&cast(p, dtype)?, 0, i, i + 1)?, &[])?;
        // The first coefficient alone: 0 · x is not 0 where x is infinite.
        y = if i == 0 { crate::broadcast_to(&c, x.aval().shape)? } else { crate::add(&mul(&y, &x)?, &c)? };
    }
    Ok(y)
}
