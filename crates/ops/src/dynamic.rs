//! Boxes whose corner is known only when the program runs.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Shape, Tensor, Val, Value};

use crate::emit::{Tangents, apply, arity, with_batch};
use crate::scatter::{ScatterOp, scatter_rows};
use crate::take::{indices, take_rows};
use crate::{RuleExt, add, cast, clip, concatenate, constant, mul, reshape};

/// Inputs (x, int64 corner of shape [rank]): the box of `sizes` from the corner on, which is
/// moved inside where it would reach over an end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynamicSlice {
    pub sizes: Vec<usize>,
}

/// Inputs (x, update, int64 corner of shape [rank]): x with the update as the box from the
/// corner on, moved inside as for [`DynamicSlice`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynamicUpdateSlice;

fn check(op: &'static str, x: &Aval, sizes: &[Dim], corner: &Aval, g: &mut Guards) -> Result<()> {
    indices(op, corner)?;
    if sizes.len() != x.rank() || corner.rank() != 1 || !g.equal(&corner.shape[0], &Dim::Const(x.rank())) {
        return Err(Error::shape(op, format!("a box and a corner of {} axes are needed, got corner {}", x.rank(), corner.shape)));
    }
    if sizes.iter().zip(x.shape.iter()).any(|(n, d)| !g.at_least(d, n)) {
        return Err(Error::shape(op, format!("a box of {} does not fit into {}", Shape::from(sizes), x.shape)));
    }
    Ok(())
}

fn dims(sizes: &[usize]) -> Vec<Dim> {
    sizes.iter().map(|n| Dim::Const(*n)).collect()
}

/// The corner with 0 for a first axis that is taken whole.
fn below<V: Value>(corner: &V) -> Result<V> {
    concatenate(&[constant(corner, Tensor::from_slice(&[1], &[0_i64])?)?, corner.clone()], 0)
}

/// For corners [N, rank] the numbers, in the flattened x, of the elements of each box: [N, sizes…].
/// With `apart`, x is N arrays one after another, of `shape` each.
fn elements<V: Value>(corners: &V, shape: &[Dim], sizes: &[usize], apart: bool) -> Result<V> {
    let known = |d: &Dim| d.as_const().ok_or_else(|| Error::shape("dynamic_slice", "a batch of corners needs numeric sizes"));
    let shape: Vec<usize> = shape.iter().map(known).collect::<Result<_>>()?;
    let many = known(&corners.aval().shape[0])?;
    let number = |v: Vec<i64>, shape: &[usize]| constant(corners, Tensor::from_slice(shape, &v)?);
    let room: Vec<i64> = shape.iter().zip(sizes).map(|(n, k)| (n - k) as i64).collect();
    let strides: Vec<i64> = tenferro_graph::tensor::c_strides(&shape).iter().map(|s| *s as i64).collect();
    let rank = shape.len();
    let inside = clip(corners, Some(&number(vec![0], &[])?), Some(&number(room, &[rank])?))?;
    let first = crate::reduce_sum(&mul(&inside, &number(strides.clone(), &[rank])?)?, &[1])?;
    let total = if apart { shape.iter().product::<usize>() as i64 } else { 0 };
    let first = add(&first, &number((0..many as i64).map(|k| k * total).collect(), &[many])?)?;
    let mut column = vec![1; rank + 1];
    column[0] = many;
    let mut out = reshape(&first, &dims(&column))?;
    for (axis, (n, stride)) in sizes.iter().zip(strides).enumerate() {
        let mut along = vec![1; rank + 1];
        along[axis + 1] = *n;
        out = add(&out, &number((0..*n as i64).map(|k| k * stride).collect(), &along)?)?;
    }
    Ok(out)
}

impl Primitive for DynamicSlice {
    fn name(&self) -> &'static str {
        "dynamic_slice"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<2>("dynamic_slice", x)?;
        check("dynamic_slice", &x[0], &dims(&self.sizes), &x[1], g)?;
        Ok(vec![Aval::new(x[0].dtype, self.sizes.as_slice())])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![t[0].map(|t| r.b.emit_one(self.clone().into(), &[t, r.inputs[1]]))])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        let zeros = ct.number(0.0).broadcast_to(&r.avals[0]);
        Ok(vec![Some(r.b.emit_one(DynamicUpdateSlice.into(), &[zeros.val(), ct.val(), r.inputs[1]])), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let (x, corner) = (r.x(0), r.x(1));
        let shape = x.aval().shape;
        if batched[1] {
            let own = &shape[usize::from(batched[0])..];
            let flat = reshape(&x, &[shape.size()])?;
            let y = take_rows(&flat, &elements(&corner, own, &self.sizes, batched[0])?)?;
            return Ok(vec![(y.val(), true)]);
        }
        let many = shape[0].as_const().ok_or_else(|| Error::shape("dynamic_slice", "needs a batch of numeric size"))?;
        let sizes = std::iter::once(many).chain(self.sizes.iter().copied()).collect();
        Ok(vec![(apply(Self { sizes }, &x, &[&below(&corner)?])?.val(), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&self.sizes);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("sizes", format!("{:?}", self.sizes))]
    }
}

impl Primitive for DynamicUpdateSlice {
    fn name(&self) -> &'static str {
        "dynamic_update_slice"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<3>("dynamic_update_slice", x)?;
        if x[0].dtype != x[1].dtype {
            let text = format!("dtypes {} and {} differ; cast one", x[0].dtype, x[1].dtype);
            return Err(Error::dtype("dynamic_update_slice", text));
        }
        check("dynamic_update_slice", &x[0], &x[1].shape, &x[2], g)?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if t[0].is_none() && t[1].is_none() {
            return Ok(vec![None]);
        }
        let or_zero = |i: usize| t[i].unwrap_or_else(|| r.x(i).full_like(0.0).val());
        Ok(vec![Some(r.b.emit_one(Self.into(), &[or_zero(0), or_zero(1), r.inputs[2]]))])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None; 3]) };
        let zeros = || ct.number(0.0).broadcast_to(&r.avals[1]);
        let x = linear[0].then(|| r.b.emit_one(Self.into(), &[ct.val(), zeros().val(), r.inputs[2]]));
        if !linear[1] {
            return Ok(vec![x, None, None]);
        }
        let sizes = r.avals[1].shape.concrete();
        let sizes = sizes.ok_or_else(|| Error::shape("dynamic_update_slice", "the derivative needs numeric sizes"))?.to_vec();
        let u = r.b.emit_one(DynamicSlice { sizes }.into(), &[ct.val(), r.inputs[2]]);
        Ok(vec![x, Some(u), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let args = with_batch(r, batched, &[2])?;
        let (x, u, corner) = (r.expr(args[0]), r.expr(args[1]), r.x(2));
        let shape = x.aval().shape;
        if !batched[2] {
            return Ok(vec![(apply(Self, &x, &[&u, &below(&corner)?])?.val(), true)]);
        }
        let sizes = u.aval().shape.concrete();
        let sizes = sizes.ok_or_else(|| Error::shape("dynamic_update_slice", "a batch of corners needs numeric sizes"))?;
        let flat = reshape(&x, &[shape.size()])?;
        let y = scatter_rows(ScatterOp::Set, &flat, &elements(&corner, &shape[1..], &sizes[1..], true)?, &u)?;
        Ok(vec![(reshape(&y, &shape)?.val(), true)])
    }
}

/// int64 scalars as the corner of a box; negative ones count from the end of their axis.
fn corner<V: Value>(op: &'static str, x: &V, starts: &[V]) -> Result<V> {
    let shape = x.aval().shape;
    if starts.len() != shape.rank() {
        return Err(Error::value(op, format!("{} starts for {} axes", starts.len(), shape.rank())));
    }
    let mut all = vec![];
    for (s, n) in starts.iter().zip(shape.iter()) {
        let aval = s.aval();
        if aval.rank() != 0 || !aval.dtype.is_integer() {
            return Err(Error::dtype(op, format!("starts must be integer scalars, got {aval}")));
        }
        let s = cast(s, DType::I64)?;
        let n = n.as_const().ok_or_else(|| Error::shape(op, format!("the sizes of {shape} must be numbers")))?;
        let zero = constant(&s, Tensor::scalar(0_i64))?;
        let wrapped = add(&s, &constant(&s, Tensor::scalar(n as i64))?)?;
        all.push(crate::select(&crate::lt(&s, &zero)?, &wrapped, &s)?);
    }
    if all.is_empty() {
        return constant(x, Tensor::from_slice::<i64>(&[0], &[])?);
    }
    crate::stack(&all, 0)
}

/// The box of `sizes` from `starts` (one integer scalar an axis) on, moved inside where it
/// would reach over an end.
pub fn dynamic_slice<V: Value>(x: &V, starts: &[V], sizes: &[usize]) -> Result<V> {
    apply(DynamicSlice { sizes: sizes.to_vec() }, x, &[&corner("dynamic_slice", x, starts)?])
}

/// `x` with `update` as the box from `starts` on, moved inside where it would reach over an end.
pub fn dynamic_update_slice<V: Value>(x: &V, update: &V, starts: &[V]) -> Result<V> {
    apply(DynamicUpdateSlice, x, &[update, &corner("dynamic_update_slice", x, starts)?])
}

/// `x` with `update` as the box from a corner that is known to be inside.
pub(crate) fn put_box<V: Value>(x: &V, update: &V, at: &[usize]) -> Result<V> {
    let at: Vec<i64> = at.iter().map(|i| *i as i64).collect();
    apply(DynamicUpdateSlice, x, &[update, &constant(x, Tensor::from_slice(&[at.len()], &at)?)?])
}
