//! Rows by their numbers.

use tenferro_graph::{Aval, DType, Dim, DimEnv, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Shape, Tensor, Val, Value};

use crate::emit::{Tangents, apply, arity, batch_elementwise};
use crate::reshape::{bind, moved};
use crate::scatter::{ScatterOp, scatter_rows};
use crate::{RuleExt, add, cast, constant, reshape, transpose};

/// int64 indices along an axis with `size` elements: negative ones count from the end.
/// Running it is an `Index` error if one lies outside; `axis` is for the message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormaliseIndex {
    pub axis: usize,
    pub size: Dim,
}

impl Primitive for NormaliseIndex {
    fn name(&self) -> &'static str {
        "normalise_index"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("normalise_index", x)?;
        indices("normalise_index", &x[0])?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }

    fn bind(&self, env: &DimEnv) -> Result<Option<Prim>> {
        let size = bind(std::slice::from_ref(&self.size), env)?;
        Ok(size.map(|s| Self { axis: self.axis, size: s[0].clone() }.into()))
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.axis);
        w.dim(&self.size);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string()), ("size", self.size.to_string())]
    }
}

pub(crate) fn indices(op: &'static str, x: &Aval) -> Result<()> {
    if x.dtype == DType::I64 {
        return Ok(());
    }
    Err(Error::dtype(op, format!("indices must be int64, got {}; cast them", x.dtype)))
}

/// Inputs (x of shape [n, rest…], int64 numbers i of shape B, each 0 ≤ i < n): the rows
/// x[i], of shape B + rest. A number outside counts as the nearest inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Take;

impl Primitive for Take {
    fn name(&self) -> &'static str {
        "take"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<2>("take", x)?;
        indices("take", &x[1])?;
        if x[0].rank() == 0 {
            return Err(Error::shape("take", "a scalar has no rows"));
        }
        let size = |s: &[Dim]| s.contains(&Dim::Const(0));
        if x[0].shape[0] == Dim::Const(0) && !size(&x[1].shape) && !size(&x[0].shape[1..]) {
            return Err(Error::index("take", format!("no rows to take from, shape {}", x[0].shape)));
        }
        let shape = x[1].shape.iter().chain(&x[0].shape[1..]).cloned().collect();
        Ok(vec![Aval { dtype: x[0].dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![t[0].map(|t| r.b.emit_one(Self.into(), &[t, r.inputs[1]]))])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        let zeros = ct.number(0.0).broadcast_to(&r.avals[0]);
        Ok(vec![Some(ct.keep(scatter_rows(ScatterOp::Add, &zeros, &r.x(1), &ct)).val()), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let (x, i) = (r.x(0), r.x(1));
        let y = match (batched[0], batched[1]) {
            (false, _) => take_rows(&x, &i)?,
            // The batch rides along as the first of the other axes.
            (true, false) => {
                let y = take_rows(&transpose(&x, &moved(x.aval().rank(), 0, 1))?, &i)?;
                transpose(&y, &moved(y.aval().rank(), i.aval().rank(), 0))?
            }
            (true, true) => {
                let (x, i) = joined(&x, &i)?;
                take_rows(&x, &i)?
            }
        };
        Ok(vec![(y.val(), true)])
    }
}

/// x [N, n, rest…] with rows i [N, …] of each as one array of rows: its rows and their numbers.
pub(crate) fn joined<V: Value>(x: &V, i: &V) -> Result<(V, V)> {
    let (x_shape, i_shape) = (x.aval().shape, i.aval().shape);
    let (Some(many), Some(n)) = (x_shape[0].as_const(), x_shape[1].as_const()) else {
        return Err(Error::shape("take", format!("a batch of indices needs numeric sizes, got {x_shape}")));
    };
    let starts: Vec<i64> = (0..many as i64).map(|k| k * n as i64).collect();
    let mut column = vec![1; i_shape.rank()];
    column[0] = many;
    let starts = constant(x, Tensor::from_slice(&column, &starts)?)?;
    let rows: Shape = std::iter::once(Dim::Const(many * n)).chain(x_shape[2..].iter().cloned()).collect();
    Ok((reshape(x, &rows)?, add(i, &starts)?))
}

/// [`Take`]: rows of `x` by numbers that lie inside.
pub fn take_rows<V: Value>(x: &V, indices: &V) -> Result<V> {
    apply(Take, x, &[indices])
}

/// What an index beyond the ends means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfBounds {
    /// An error when it runs; negative ones count from the end.
    Raise,
    /// It starts again at the other end.
    Wrap,
    /// The nearest end; negative ones are the first.
    Clip,
}

/// Integer indices as int64 in 0 … size − 1.
///
/// # Errors
/// `DType` if they are not integers.
pub fn normalise_index<V: Value>(i: &V, axis: usize, size: &Dim, outside: OutOfBounds) -> Result<V> {
    let dtype = i.aval().dtype;
    if !dtype.is_integer() {
        return Err(Error::dtype("index", format!("index arrays must be integers or bool, got {dtype}")));
    }
    let i = cast(i, DType::I64)?;
    if outside == OutOfBounds::Raise {
        return apply(NormaliseIndex { axis, size: size.clone() }, &i, &[]);
    }
    let n = size.as_const().ok_or_else(|| Error::shape("index", format!("wrapping and clipping need a numeric size, got {size}")))?;
    if n == 0 {
        return apply(NormaliseIndex { axis, size: size.clone() }, &i, &[]);
    }
    let number = |n: usize| constant(&i, Tensor::scalar(n as i64));
    match outside {
        OutOfBounds::Wrap => crate::remainder(&i, &number(n)?),
        _ => crate::clip(&i, Some(&number(0)?), Some(&number(n - 1)?)),
    }
}

/// Elements of `x` along an axis by an array of numbers, whose axes replace that axis; of the
/// flattened array if `axis` is `None`.
///
/// # Errors
/// `DType` if the indices are not integers; `Index` for an axis out of range and, when it
/// runs, for an index outside.
pub fn take<V: Value>(x: &V, i: &V, axis: Option<isize>, outside: OutOfBounds) -> Result<V> {
    let Some(axis) = axis else {
        let flat = reshape(x, &[x.aval().shape.size()])?;
        return take(&flat, i, Some(0), outside);
    };
    let aval = x.aval();
    let axis = crate::normalise_axis("take", axis, aval.rank())?;
    let i = normalise_index(i, axis, &aval.shape[axis], outside)?;
    take_axis(x, &i, axis)
}

/// [`take`] by int64 numbers that lie inside.
pub(crate) fn take_axis<V: Value>(x: &V, i: &V, axis: usize) -> Result<V> {
    let rank = x.aval().rank();
    let y = take_rows(&transpose(x, &moved(rank, axis, 0))?, i)?;
    // The axes of the indices go behind the `axis` axes that precede.
    let b = i.aval().rank();
    let axes: Vec<usize> = (b..b + axis).chain(0..b).chain(b + axis..y.aval().rank()).collect();
    transpose(&y, &axes)
}
