//! Parts of arrays and arrays put together: slice, pad, concatenate.

use tenferro_graph::{Aval, DType, Dim, DimEnv, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Shape, Tensor, Val, Value};

use crate::constant::constant;
use crate::emit::{Tangents, apply, arity, linear_jvp, with_batch};
use crate::reshape::bind;
use crate::{Expr, RuleExt};

/// Elements `starts`, `starts + steps`, … below `limits`, per axis; steps ≥ 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    pub starts: Vec<usize>,
    pub limits: Vec<Dim>,
    pub steps: Vec<usize>,
}

impl Slice {
    /// ⌈(limit − start) / step⌉.
    fn length(&self, axis: usize) -> Dim {
        let (limit, start, step) = (&self.limits[axis], self.starts[axis], self.steps[axis]);
        match limit {
            Dim::Const(n) => Dim::Const(n.saturating_sub(start).div_ceil(step)),
            Dim::Poly(_) if step == 1 => limit - &Dim::Const(start),
            Dim::Poly(_) => &(&(limit + &Dim::Const(step - 1)) - &Dim::Const(start)) / &Dim::Const(step),
        }
    }
}

impl Primitive for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("slice", x)?;
        let rank = x[0].rank();
        if [self.starts.len(), self.limits.len(), self.steps.len()] != [rank; 3] {
            return Err(Error::value("slice", format!("starts, limits and steps need {rank} entries each")));
        }
        for axis in 0..rank {
            let (start, limit, size) = (Dim::Const(self.starts[axis]), &self.limits[axis], &x[0].shape[axis]);
            if self.steps[axis] == 0 || !g.at_least(size, limit) || !g.at_least(limit, &start) {
                let text = format!("{start}:{limit}:{} is not a slice of size {size} on axis {axis}", self.steps[axis]);
                return Err(Error::index("slice", text));
            }
        }
        Ok(vec![Aval { dtype: x[0].dtype, shape: (0..rank).map(|a| self.length(a)).collect() }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None]) };
        let shape = &r.avals[0].shape;
        let mut high = Vec::with_capacity(shape.rank());
        for axis in 0..shape.rank() {
            let last = match self.length(axis) {
                Dim::Const(0) => Dim::Const(self.starts[axis]),
                n => &Dim::Const(self.starts[axis] + 1) + &(&(&n - &Dim::Const(1)) * &Dim::Const(self.steps[axis])),
            };
            let rest = (&shape[axis] - &last).as_const();
            high.push(rest.ok_or_else(|| Error::shape("slice", "the derivative needs a numeric size here"))?);
        }
        let interior = self.steps.iter().map(|s| s - 1).collect();
        let pad = Pad { low: self.starts.clone(), high, interior };
        Ok(vec![Some(r.b.emit_one(pad.into(), &[ct.val(), ct.number(0.0).val()]))])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let with = |first: usize, rest: &[usize]| std::iter::once(first).chain(rest.iter().copied()).collect();
        let limits = std::iter::once(r.avals[0].shape[0].clone()).chain(self.limits.iter().cloned()).collect();
        let prim = Self { starts: with(0, &self.starts), limits, steps: with(1, &self.steps) };
        Ok(vec![(r.b.emit_one(prim.into(), r.inputs), true)])
    }

    fn bind(&self, env: &DimEnv) -> Result<Option<Prim>> {
        Ok(bind(&self.limits, env)?.map(|limits| Self { limits: limits.to_vec(), ..self.clone() }.into()))
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&self.starts);
        w.shape(&Shape::from(self.limits.as_slice()));
        w.usizes(&self.steps);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        let limits = format!("{:?}", Shape::from(self.limits.as_slice()));
        vec![("starts", format!("{:?}", self.starts)), ("limits", limits), ("steps", format!("{:?}", self.steps))]
    }
}

/// `x[starts:limits:steps]`; `x` itself where that is all of it.
pub fn slice<V: Value>(x: &V, starts: &[usize], limits: &[Dim], steps: &[usize]) -> Result<V> {
    let shape = x.aval().shape;
    if starts.iter().all(|s| *s == 0) && steps.iter().all(|s| *s == 1) && *limits == *shape {
        return Ok(x.clone());
    }
    apply(Slice { starts: starts.to_vec(), limits: limits.to_vec(), steps: steps.to_vec() }, x, &[])
}

/// `start:limit` on one axis, everything on the others.
pub fn slice_axis<V: Value>(x: &V, axis: usize, start: usize, limit: usize) -> Result<V> {
    let shape = x.aval().shape;
    let mut starts = vec![0; shape.rank()];
    let mut limits = shape.to_vec();
    let (Some(s), Some(l)) = (starts.get_mut(axis), limits.get_mut(axis)) else {
        return Err(Error::index("slice", format!("axis {axis} is out of range for {} axes", shape.rank())));
    };
    (*s, *l) = (start, Dim::Const(limit));
    slice(x, &starts, &limits, &vec![1; shape.rank()])
}

/// Inputs (x, fill scalar): `low` and `high` elements of `fill` around x on each
/// axis, and `interior` between neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pad {
    pub low: Vec<usize>,
    pub high: Vec<usize>,
    pub interior: Vec<usize>,
}

impl Primitive for Pad {
    fn name(&self) -> &'static str {
        "pad"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<2>("pad", x)?;
        let rank = x[0].rank();
        if [self.low.len(), self.high.len(), self.interior.len()] != [rank; 3] {
            return Err(Error::value("pad", format!("widths are needed for {rank} axes")));
        }
        if x[1].dtype != x[0].dtype || x[1].rank() != 0 {
            return Err(Error::dtype("pad", format!("the fill must be a {} scalar, got {}", x[0].dtype, x[1])));
        }
        let mut length = |(axis, n): (usize, &Dim)| {
            let gaps = match n {
                Dim::Const(n) => Dim::Const(n.saturating_sub(1).saturating_mul(self.interior[axis])),
                Dim::Poly(_) if self.interior[axis] == 0 => Dim::Const(0),
                Dim::Poly(_) => {
                    // Without elements there are no gaps, which the formula would count as −1.
                    g.at_least(n, &Dim::Const(1));
                    &(n - &Dim::Const(1)) * &Dim::Const(self.interior[axis])
                }
            };
            &(n + &gaps) + &(&Dim::Const(self.low[axis]) + &Dim::Const(self.high[axis]))
        };
        Ok(vec![Aval { dtype: x[0].dtype, shape: x[0].shape.iter().enumerate().map(&mut length).collect() }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if t.iter().all(Option::is_none) {
            return Ok(vec![None]);
        }
        let zero = r.x(1).number(0.0);
        let x = t[0].unwrap_or_else(|| r.x(0).full_like(0.0).val());
        let fill = t[1].unwrap_or_else(|| zero.val());
        Ok(vec![Some(r.b.emit_one(self.clone().into(), &[x, fill]))])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        let shape = ct.aval().shape;
        let limits: Vec<Dim> = shape.iter().zip(&self.high).map(|(n, h)| n - &Dim::Const(*h)).collect();
        let steps: Vec<usize> = self.interior.iter().map(|i| i + 1).collect();
        let inner = ct.keep(slice(&ct, &self.low, &limits, &steps));
        let all = |e: Expr<'_>| -> Vec<usize> { (0..e.aval().rank()).collect() };
        // The fill's cotangent is the sum of what lies outside.
        let fill = linear[1].then(|| {
            let total = ct.keep(crate::reduce_sum(&ct, &all(ct)));
            (total - inner.keep(crate::reduce_sum(&inner, &all(inner)))).val()
        });
        Ok(vec![linear[0].then(|| inner.val()), fill])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let with = |rest: &[usize]| std::iter::once(0).chain(rest.iter().copied()).collect();
        let prim = Prim::new(Self { low: with(&self.low), high: with(&self.high), interior: with(&self.interior) });
        if !batched[1] {
            return Ok(vec![(r.b.emit_one(prim, r.inputs), true)]);
        }
        // Pad has one fill: the fills of a batch are chosen where a padded mask says "outside".
        let args = with_batch(r, batched, &[1])?;
        let (x, fills) = (r.expr(args[0]), r.x(1));
        let no = x.keep(constant(&x, Tensor::scalar(false)));
        let inside = x.keep(constant(&x, Tensor::scalar(true)).and_then(|yes| crate::broadcast_to(&yes, x.aval().shape)));
        let zero = x.keep(constant(&x, tenferro_graph::with_element!(x.dtype(), T => Tensor::scalar(T::default()))));
        let padded = |x: Expr<'_>, fill: Expr<'_>| r.expr(r.b.emit_one(prim.clone(), &[x.val(), fill.val()]));
        let (mask, values) = (padded(inside, no), padded(x, zero));
        let fills = fills.keep(crate::broadcast_in_dim(&fills, values.aval().shape, &[0]));
        Ok(vec![(mask.select(values, fills).val(), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&self.low);
        w.usizes(&self.high);
        w.usizes(&self.interior);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("low", format!("{:?}", self.low)), ("high", format!("{:?}", self.high)), ("interior", format!("{:?}", self.interior))]
    }
}

/// `(before, after)` elements of the scalar `fill` around x on each axis.
pub fn pad<V: Value>(x: &V, widths: &[(usize, usize)], fill: &V) -> Result<V> {
    if widths.len() == x.aval().rank() && widths.iter().all(|w| *w == (0, 0)) {
        return Ok(x.clone());
    }
    let (low, high) = widths.iter().copied().unzip();
    apply(Pad { low, high, interior: vec![0; widths.len()] }, x, &[fill])
}

/// Inputs joined along `axis`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Concatenate {
    pub axis: usize,
}

impl Primitive for Concatenate {
    fn name(&self) -> &'static str {
        "concatenate"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let [first, rest @ ..] = x else {
            return Err(Error::value("concatenate", "needs at least one array"));
        };
        if self.axis >= first.rank() {
            return Err(Error::index("concatenate", format!("axis {} is out of range for {} axes", self.axis, first.rank())));
        }
        let mut shape = first.shape.clone();
        for a in rest {
            if a.dtype != first.dtype {
                return Err(Error::dtype("concatenate", format!("dtypes {} and {} differ; cast one", first.dtype, a.dtype)));
            }
            let fits = a.rank() == shape.rank() && (0..shape.rank()).all(|i| i == self.axis || g.equal(&shape[i], &a.shape[i]));
            if !fits {
                let text = format!("shapes {} and {} differ outside axis {}", first.shape, a.shape, self.axis);
                return Err(Error::shape("concatenate", text));
            }
            shape.set(self.axis, &shape[self.axis] + &a.shape[self.axis]);
        }
        Ok(vec![Aval { dtype: first.dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if t.iter().all(Option::is_none) {
            return Ok(vec![None]);
        }
        let args: Vec<Val> = t.iter().enumerate().map(|(i, t)| t.unwrap_or_else(|| r.x(i).full_like(0.0).val())).collect();
        Ok(vec![Some(r.b.emit_one(self.clone().into(), &args))])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None; linear.len()]) };
        let mut at = 0;
        let mut out = Vec::with_capacity(linear.len());
        for (aval, linear) in r.avals.iter().zip(linear) {
            let n = aval.shape[self.axis].as_const();
            let n = n.ok_or_else(|| Error::shape("concatenate", "the derivative needs numeric sizes along the axis"))?;
            out.push(if *linear { Some(ct.keep(slice_axis(&ct, self.axis, at, at + n)).val()) } else { None });
            at += n;
        }
        Ok(out)
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let args = with_batch(r, batched, &[])?;
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1 }.into(), &args), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.axis);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string())]
    }
}

fn promote_all<V: Value>(op: &'static str, xs: &[V]) -> Result<Vec<V>> {
    let dtypes = xs.iter().map(|x| x.aval().dtype);
    let dtype = dtypes.reduce(DType::promote).ok_or_else(|| Error::value(op, "needs at least one array"))?;
    xs.iter().map(|x| crate::cast(x, dtype)).collect()
}

/// Arrays joined along an axis that they have; dtypes promote.
pub fn concatenate<V: Value>(xs: &[V], axis: isize) -> Result<V> {
    let xs = promote_all("concatenate", xs)?;
    let axis = crate::normalise_axis("concatenate", axis, xs[0].aval().rank())?;
    if xs.len() == 1 {
        return Ok(xs[0].clone());
    }
    let rest: Vec<&V> = xs[1..].iter().collect();
    apply(Concatenate { axis }, &xs[0], &rest)
}

/// Arrays of one shape joined along a new axis.
pub fn stack<V: Value>(xs: &[V], axis: isize) -> Result<V> {
    let xs = promote_all("stack", xs)?;
    let shape = xs[0].aval().shape;
    if let Some(x) = xs.iter().find(|x| x.aval().shape != shape) {
        return Err(Error::shape("stack", format!("shapes {shape} and {} differ", x.aval().shape)));
    }
    let at = crate::normalise_axis("stack", axis, shape.rank() + 1)?;
    let mut one = shape;
    one.insert(at, Dim::Const(1));
    let xs: Vec<V> = xs.iter().map(|x| crate::reshape(x, &one)).collect::<Result<_>>()?;
    concatenate(&xs, at as isize)
}
