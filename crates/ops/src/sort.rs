//! Order along an axis: sort, argsort, top_k, searchsorted.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Narrowed, Prim, Primitive, Result, Rule, Use, Val, Value};

use crate::emit::{Tangents, apply, arity, with_batch};
use crate::reduce::normalise_axis;
use crate::take_along::TakeAlong;

/// The elements in order along `axis`. Equal elements keep their order; NaNs come last; complex
/// numbers are ordered by their real and then imaginary parts. The tangent goes with its element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sort {
    pub axis: usize,
    pub descending: bool,
}

impl Sort {
    fn positions(&self) -> ArgSort {
        ArgSort { axis: self.axis, descending: self.descending }
    }
}

impl Primitive for Sort {
    fn name(&self) -> &'static str {
        "sort"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        along("sort", x, self.axis)?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let Some(t) = t[0] else { return Ok(vec![None]) };
        let positions = r.b.emit(self.positions().into(), r.inputs)?[1];
        Ok(vec![Some(r.b.emit_one(TakeAlong { axis: self.axis }.into(), &[t, positions]))])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let prim = Prim::new(Self { axis: self.axis + 1, descending: self.descending });
        Ok(vec![(r.b.emit_one(prim, r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        self.positions().encode(w);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        self.positions().attributes()
    }
}

/// One array with this axis.
fn along(op: &'static str, x: &[Aval], axis: usize) -> Result<()> {
    arity::<1>(op, x)?;
    if axis >= x[0].rank() {
        return Err(Error::index(op, format!("axis {axis} is out of range for {} axes", x[0].rank())));
    }
    Ok(())
}

/// Outputs (values as of [`Sort`], their int64 positions in x).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgSort {
    pub axis: usize,
    pub descending: bool,
}

impl Primitive for ArgSort {
    fn name(&self) -> &'static str {
        "argsort"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        along("argsort", x, self.axis)?;
        Ok(vec![x[0].clone(), x[0].with_dtype(DType::I64)])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let take = TakeAlong { axis: self.axis };
        Ok(vec![t[0].map(|t| r.b.emit_one(take.into(), &[t, r.outputs[1]])), None])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let prim = Prim::new(Self { axis: self.axis + 1, descending: self.descending });
        Ok(r.b.emit(prim, r.inputs)?.into_iter().map(|v| (v, true)).collect())
    }

    /// Positions cost more than values.
    fn narrow(&self, uses: &[Use], _: &[Aval]) -> Option<Narrowed> {
        let values = || Prim::new(Sort { axis: self.axis, descending: self.descending });
        (uses == [Use::Whole, Use::Dead]).then(|| Narrowed { prim: values(), outputs: vec![Some(0), None] })
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[self.axis, usize::from(self.descending)]);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string()), ("descending", self.descending.to_string())]
    }
}

/// Inputs (ordered, x) of one dtype, of which the first `batch` axes agree; `ordered` has one
/// axis more, in order. Gives the int64 position at which each element of x keeps the order:
/// before equal elements, or behind them if `right`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchSorted {
    pub right: bool,
    pub batch: usize,
}

impl Primitive for SearchSorted {
    fn name(&self) -> &'static str {
        "searchsorted"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<2>("searchsorted", x)?;
        let (ordered, values) = (&x[0].shape, &x[1].shape);
        if x[0].dtype != x[1].dtype {
            return Err(Error::dtype("searchsorted", format!("dtypes {} and {} differ; cast one", x[0].dtype, x[1].dtype)));
        }
        let fits = ordered.rank() == self.batch + 1
            && values.rank() >= self.batch
            && g.equal_shapes(&ordered[..self.batch], &values[..self.batch]);
        if !fits {
            let text = format!("the ordered array needs one axis, got shapes {ordered} and {values}");
            return Err(Error::shape("searchsorted", text));
        }
        Ok(vec![x[1].with_dtype(DType::I64)])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let more = batched[0] || self.batch > 0;
        if !more {
            return Ok(vec![(r.b.emit_one(self.clone().into(), r.inputs), true)]);
        }
        let args = with_batch(r, batched, &[])?;
        Ok(vec![(r.b.emit_one(Self { right: self.right, batch: self.batch + 1 }.into(), &args), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[usize::from(self.right), self.batch]);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("right", self.right.to_string()), ("batch", self.batch.to_string())]
    }
}

/// Values and positions in order along an axis.
pub(crate) fn ordered<V: Value>(x: &V, axis: usize, descending: bool) -> Result<[V; 2]> {
    let outs = x.emit(ArgSort { axis, descending }.into(), &[x])?;
    let mut outs = outs.into_iter();
    match (outs.next(), outs.next()) {
        (Some(values), Some(positions)) => Ok([values, positions]),
        _ => Err(Error::program("argsort: has two outputs")),
    }
}

/// The elements in order along `axis` (of the flattened x if `None`): stable, NaN last.
pub fn sort<V: Value>(x: &V, axis: Option<isize>, descending: bool) -> Result<V> {
    let (x, axis) = flattened("sort", x, axis)?;
    in_order(&x, axis, descending)
}

/// The elements in order along an axis.
pub(crate) fn in_order<V: Value>(x: &V, axis: usize, descending: bool) -> Result<V> {
    apply(Sort { axis, descending }, x, &[])
}

/// The int64 positions that put x in order along `axis` (the flattened x if `None`).
pub fn argsort<V: Value>(x: &V, axis: Option<isize>, descending: bool) -> Result<V> {
    let (x, axis) = flattened("argsort", x, axis)?;
    let [_, positions] = ordered(&x, axis, descending)?;
    Ok(positions)
}

fn flattened<V: Value>(op: &'static str, x: &V, axis: Option<isize>) -> Result<(V, usize)> {
    let shape = x.aval().shape;
    match axis {
        Some(axis) => Ok((x.clone(), normalise_axis(op, axis, shape.rank())?)),
        None => Ok((crate::reshape(x, &[shape.size()])?, 0)),
    }
}

/// The `k` largest elements along `axis`, in descending order, and their int64 positions; of
/// equal elements the first. NaN counts as smallest.
pub fn top_k<V: Value>(x: &V, k: usize, axis: isize) -> Result<[V; 2]> {
    let shape = x.aval().shape;
    let axis = normalise_axis("top_k", axis, shape.rank())?;
    if shape[axis].as_const().is_some_and(|n| k > n) {
        return Err(Error::value("top_k", format!("k is {k} and axis {axis} has size {}", shape[axis])));
    }
    let [values, positions] = ordered(x, axis, true)?;
    Ok([crate::slice_axis(&values, axis, 0, k)?, crate::slice_axis(&positions, axis, 0, k)?])
}

/// The int64 positions at which the elements of `values` keep the 1-d array `x`, which is in
/// order (after `sorter`, positions, where given), in order: before equal elements, or behind
/// them if `right`.
pub fn searchsorted<V: Value>(x: &V, values: &V, right: bool, sorter: Option<&V>) -> Result<V> {
    let shape = x.aval().shape;
    if shape.rank() != 1 {
        return Err(Error::shape("searchsorted", format!("the ordered array needs one axis, got shape {shape}")));
    }
    let x = match sorter {
        None => x.clone(),
        Some(s) if s.aval().dtype.is_integer() => crate::take_along::take_along(x, &crate::cast(s, DType::I64)?, 0)?,
        Some(s) => return Err(Error::dtype("searchsorted", format!("the sorter must hold integers, got {}", s.aval().dtype))),
    };
    let dtype = x.aval().dtype.promote(values.aval().dtype);
    let (x, values) = (crate::cast(&x, dtype)?, crate::cast(values, dtype)?);
    if x.aval().shape[0] == Dim::Const(0) {
        return crate::cast(&crate::zeros_like(&values)?, DType::I64);
    }
    apply(SearchSorted { right, batch: 0 }, &x, &[&values])
}
