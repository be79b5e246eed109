//! Other shapes and orders of the same elements.

use tenferro_graph::{Aval, Dim, DimEnv, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Shape, Val, Value};

use crate::emit::{Tangents, apply, arity, linear_jvp, map_ct};
use crate::reduce::normalise_axes;

/// The elements in C order under another shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reshape {
    pub shape: Shape,
}

/// Sizes in place of symbols; `None` if there are no symbols.
pub(crate) fn bind(shape: &[Dim], env: &DimEnv) -> Result<Option<Shape>> {
    if shape.iter().all(|d| d.as_const().is_some()) {
        return Ok(None);
    }
    shape.iter().map(|d| d.eval(env).map(Dim::Const)).collect::<Result<_>>().map(Some)
}

impl Primitive for Reshape {
    fn name(&self) -> &'static str {
        "reshape"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("reshape", x)?;
        if !g.equal(&x[0].shape.size(), &self.shape.size()) {
            return Err(Error::shape("reshape", format!("shape {} has not as many elements as {}", x[0].shape, self.shape)));
        }
        Ok(vec![Aval { dtype: x[0].dtype, shape: self.shape.clone() }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let shape = &r.avals[0].shape;
        Ok(map_ct(r, ct, |ct| ct.keep(reshape(&ct, shape))))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let mut shape = self.shape.clone();
        shape.insert(0, r.avals[0].shape[0].clone());
        Ok(vec![(r.b.emit_one(Self { shape }.into(), r.inputs), true)])
    }

    fn bind(&self, env: &DimEnv) -> Result<Option<Prim>> {
        Ok(bind(&self.shape, env)?.map(|shape| Self { shape }.into()))
    }

    fn encode(&self, w: &mut Encoder) {
        w.shape(&self.shape);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("shape", format!("{:?}", self.shape))]
    }
}

/// `x` with `shape`, elements in C order; `x` itself if it has it.
pub fn reshape<V: Value>(x: &V, shape: &[Dim]) -> Result<V> {
    if *x.aval().shape == *shape { Ok(x.clone()) } else { apply(Reshape { shape: shape.into() }, x, &[]) }
}

/// `reshape` to lengths of which one may be −1: it is what remains.
pub fn reshape_to<V: Value>(x: &V, lengths: &[isize]) -> Result<V> {
    let size = x.aval().shape.size();
    let bad = || Error::shape("reshape", format!("cannot reshape {} to {lengths:?}", x.aval().shape));
    let known = lengths.iter().filter(|n| **n >= 0).fold(Dim::Const(1), |p, n| &p * &Dim::Const(*n as usize));
    if lengths.iter().filter(|n| **n < 0).count() > 1 || lengths.iter().any(|n| *n < -1) {
        return Err(bad());
    }
    let rest = &size / &known;
    if lengths.contains(&-1) && (known == Dim::Const(0) || (size.as_const().is_some() && &rest * &known != size)) {
        return Err(bad());
    }
    let shape: Vec<Dim> = lengths.iter().map(|n| if *n < 0 { rest.clone() } else { Dim::Const(*n as usize) }).collect();
    reshape(x, &shape)
}

/// Output axis i is input axis `axes[i]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transpose {
    pub axes: Vec<usize>,
}

fn inverse(axes: &[usize]) -> Vec<usize> {
    let mut out = vec![0; axes.len()];
    for (i, a) in axes.iter().enumerate() {
        out[*a] = i;
    }
    out
}

impl Primitive for Transpose {
    fn name(&self) -> &'static str {
        "transpose"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("transpose", x)?;
        let mut sorted = self.axes.clone();
        sorted.sort_unstable();
        if sorted.len() != x[0].rank() || sorted.iter().enumerate().any(|(i, a)| i != *a) {
            return Err(Error::value("transpose", format!("axes {:?} are not a permutation of {} axes", self.axes, x[0].rank())));
        }
        let shape = self.axes.iter().map(|a| x[0].shape[*a].clone()).collect();
        Ok(vec![Aval { dtype: x[0].dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        Ok(map_ct(r, ct, |ct| ct.keep(transpose(&ct, &inverse(&self.axes)))))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let axes = std::iter::once(0).chain(self.axes.iter().map(|a| a + 1)).collect();
        Ok(vec![(r.b.emit_one(Self { axes }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&self.axes);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axes", format!("{:?}", self.axes))]
    }
}

/// Axes in another order; `x` itself if the order is the same.
pub fn transpose<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    if axes.len() == x.aval().rank() && axes.iter().enumerate().all(|(i, a)| i == *a) {
        return Ok(x.clone());
    }
    apply(Transpose { axes: axes.to_vec() }, x, &[])
}

/// `transpose` with axes that may count from the end.
pub fn permute_dims<V: Value>(x: &V, axes: &[isize]) -> Result<V> {
    let rank = x.aval().rank();
    if axes.len() != rank {
        return Err(Error::value("transpose", format!("{} axes given for {rank} axes", axes.len())));
    }
    transpose(x, &normalise_axes("transpose", Some(axes), rank)?)
}

/// The last two axes exchanged.
pub fn swap_last<V: Value>(x: &V) -> Result<V> {
    let rank = x.aval().rank();
    if rank < 2 {
        return Err(Error::shape("transpose", format!("needs at least 2 axes, got shape {}", x.aval().shape)));
    }
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.swap(rank - 1, rank - 2);
    transpose(x, &axes)
}

/// The order of axes in which `from` has become axis `to`.
pub(crate) fn moved(rank: usize, from: usize, to: usize) -> Vec<usize> {
    let mut axes: Vec<usize> = (0..rank).collect();
    let a = axes.remove(from);
    axes.insert(to, a);
    axes
}
