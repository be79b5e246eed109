//! Repetition along axes, and NumPy's rule for when it happens by itself.

use tenferro_graph::{Aval, Dim, DimEnv, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Shape, Val, Value};

use crate::Expr;
use crate::emit::{Tangents, apply, arity, linear_jvp, map_ct};
use crate::reduce;
use crate::reshape::{bind, reshape};

/// Input axis j becomes axis `dims[j]` (strictly increasing) of `shape`; other axes
/// and input axes of length 1 are repeated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BroadcastInDim {
    pub shape: Shape,
    pub dims: Vec<usize>,
}

impl Primitive for BroadcastInDim {
    fn name(&self) -> &'static str {
        "broadcast_in_dim"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("broadcast_in_dim", x)?;
        let increasing = self.dims.windows(2).all(|w| w[0] < w[1]);
        if self.dims.len() != x[0].rank() || !increasing || self.dims.last().is_some_and(|d| *d >= self.shape.rank()) {
            let text = format!("dims {:?} do not place the axes of {} in {}", self.dims, x[0].shape, self.shape);
            return Err(Error::value("broadcast_in_dim", text));
        }
        for (d, j) in x[0].shape.iter().zip(&self.dims) {
            if *d != Dim::Const(1) && !g.equal(d, &self.shape[*j]) {
                return Err(Error::shape("broadcast_in_dim", format!("shape {} does not broadcast to {}", x[0].shape, self.shape)));
            }
        }
        Ok(vec![Aval { dtype: x[0].dtype, shape: self.shape.clone() }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let shape = &r.avals[0].shape;
        // An axis is repeated if it is new or has length 1; two symbols that a guard equates are not.
        let place = |axis: &usize| self.dims.iter().position(|d| d == axis);
        let kept = |axis: &usize| place(axis).is_some_and(|j| shape[j] != Dim::Const(1) || self.shape[*axis] == Dim::Const(1));
        let axes: Vec<usize> = (0..self.shape.rank()).filter(|a| !kept(a)).collect();
        Ok(map_ct(r, ct, |ct| {
            let sum = ct.keep(reduce::reduce_sum(&ct, &axes));
            sum.keep(reshape(&sum, shape))
        }))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let mut shape = self.shape.clone();
        shape.insert(0, r.avals[0].shape[0].clone());
        let dims = std::iter::once(0).chain(self.dims.iter().map(|d| d + 1)).collect();
        Ok(vec![(r.b.emit_one(Self { shape, dims }.into(), r.inputs), true)])
    }

    fn bind(&self, env: &DimEnv) -> Result<Option<Prim>> {
        Ok(bind(&self.shape, env)?.map(|shape| Self { shape, dims: self.dims.clone() }.into()))
    }

    fn encode(&self, w: &mut Encoder) {
        w.shape(&self.shape);
        w.usizes(&self.dims);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("shape", format!("{:?}", self.shape)), ("dims", format!("{:?}", self.dims))]
    }
}

/// Input axis j as axis `dims[j]` of `shape`; `x` itself where that changes nothing.
pub fn broadcast_in_dim<V: Value>(x: &V, shape: Shape, dims: &[usize]) -> Result<V> {
    if x.aval().shape == shape && dims.iter().enumerate().all(|(i, d)| i == *d) {
        return Ok(x.clone());
    }
    apply(BroadcastInDim { shape, dims: dims.to_vec() }, x, &[])
}

/// `x` repeated to `shape` by NumPy's rule: axes are aligned at the end.
pub fn broadcast_to<V: Value>(x: &V, shape: Shape) -> Result<V> {
    let aval = x.aval();
    let Some(new) = shape.rank().checked_sub(aval.rank()) else {
        return Err(Error::shape("broadcast_to", format!("shape {} has more axes than {shape}", aval.shape)));
    };
    let dims: Vec<usize> = (new..shape.rank()).collect();
    broadcast_in_dim(x, shape, &dims)
}

/// The common shape of two arrays. A symbolic size is taken not to be 1.
pub fn broadcast_shapes(op: &str, a: &Shape, b: &Shape) -> Result<Shape> {
    let (long, short) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
    let mut out = long.clone();
    let shift = long.rank() - short.rank();
    for (i, d) in short.iter().enumerate() {
        let other = &long[i + shift];
        if *other == Dim::Const(1) {
            out.set(i + shift, d.clone());
        } else if *d != Dim::Const(1) && d.as_const().zip(other.as_const()).is_some_and(|(x, y)| x != y) {
            return Err(Error::shape(op.to_owned(), format!("shapes {a} and {b} do not match")));
        }
    }
    Ok(out)
}

pub(crate) fn broadcast_pair<V: Value>(op: &str, x: &V, y: &V) -> Result<(V, V)> {
    let (a, b) = (x.aval().shape, y.aval().shape);
    if a == b {
        return Ok((x.clone(), y.clone()));
    }
    let shape = broadcast_shapes(op, &a, &b)?;
    Ok((broadcast_to(x, shape.clone())?, broadcast_to(y, shape)?))
}

/// Two inputs of one shape and dtype.
pub(crate) fn equal_avals(op: &str, x: &[Aval], g: &mut Guards) -> Result<()> {
    let [a, b] = x else {
        return Err(Error::program(format!("{op}: takes 2 inputs, got {}", x.len())));
    };
    if a.dtype != b.dtype {
        return Err(Error::dtype(op.to_owned(), format!("dtypes {} and {} differ; cast one", a.dtype, b.dtype)));
    }
    if !g.equal_shapes(&a.shape, &b.shape) {
        return Err(Error::shape(op.to_owned(), format!("shapes {} and {} do not match", a.shape, b.shape)));
    }
    Ok(())
}

impl Expr<'_> {
    pub(crate) fn full_like(self, x: f64) -> Self {
        self.number(x).broadcast_to(&self.aval())
    }
}
