//! Elements at positions along one axis, and their adjoint, the sum into positions.

use tenferro_graph::{Aval, DType, Dim, DimEnv, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Shape, Val, Value};

use crate::RuleExt;
use crate::emit::{Class, Tangents, apply, arity, with_batch};
use crate::reshape::bind;

/// Inputs (x, positions int64) of equal shapes outside `axis`: output element i is the one of x
/// with position i along the axis. Positions outside 0 … n − 1 are an error of the run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TakeAlong {
    pub axis: usize,
}

/// Inputs (updates, positions int64) of equal shapes: zeros, of length `size` along `axis`, to
/// which each update is added at its position. The adjoint of [`TakeAlong`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PutAlong {
    pub axis: usize,
    pub size: Dim,
}

/// The shape of the positions, with `size` along the axis where that is given.
fn checked(op: &'static str, axis: usize, x: &[Aval], g: &mut Guards, put: bool) -> Result<Shape> {
    arity::<2>(op, x)?;
    let (rank, positions) = (x[0].rank(), &x[1].shape);
    if x[1].dtype != DType::I64 {
        return Err(Error::dtype(op, format!("positions must be int64, got {}", x[1].dtype)));
    }
    if axis >= rank {
        return Err(Error::index(op, format!("axis {axis} is out of range for {rank} axes")));
    }
    let fits = positions.rank() == rank && (0..rank).all(|a| !put && a == axis || g.equal(&x[0].shape[a], &positions[a]));
    if !fits {
        return Err(Error::shape(op, format!("shapes {} and {positions} of the positions do not match", x[0].shape)));
    }
    Ok(positions.clone())
}

impl Primitive for TakeAlong {
    fn name(&self) -> &'static str {
        "take_along"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let shape = checked("take_along", self.axis, x, g, false)?;
        if x[0].shape[self.axis] == Dim::Const(0) && shape.size() != Dim::Const(0) {
            return Err(Error::index("take_along", format!("axis {} of shape {} has no elements to take", self.axis, x[0].shape)));
        }
        Ok(vec![Aval { dtype: x[0].dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![t[0].map(|t| r.b.emit_one(self.clone().into(), &[t, r.inputs[1]]))])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let put = PutAlong { axis: self.axis, size: r.avals[0].shape[self.axis].clone() };
        Ok(vec![ct[0].map(|ct| r.b.emit_one(put.into(), &[ct, r.inputs[1]])), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let args = with_batch(r, batched, &[])?;
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1 }.into(), &args), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[self.axis]);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string())]
    }
}

impl Primitive for PutAlong {
    fn name(&self) -> &'static str {
        "put_along"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let mut shape = checked("put_along", self.axis, x, g, true)?;
        Class::Number.check("put_along", x[0].dtype)?;
        shape.set(self.axis, self.size.clone());
        Ok(vec![Aval { dtype: x[0].dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![t[0].map(|t| r.b.emit_one(self.clone().into(), &[t, r.inputs[1]]))])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let ct = ct[0].map(|ct| r.expr(ct));
        let take = |ct: crate::Expr<'_>| r.b.emit_one(TakeAlong { axis: self.axis }.into(), &[ct.val(), r.inputs[1]]);
        Ok(vec![ct.map(take), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let args = with_batch(r, batched, &[])?;
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1, size: self.size.clone() }.into(), &args), true)])
    }

    fn bind(&self, env: &DimEnv) -> Result<Option<Prim>> {
        let bound = bind(std::slice::from_ref(&self.size), env)?;
        Ok(bound.map(|s| Self { axis: self.axis, size: s[0].clone() }.into()))
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[self.axis]);
        w.shape(&Shape::from([self.size.clone()].as_slice()));
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string()), ("size", self.size.to_string())]
    }
}

/// Elements of x at int64 `positions` (0 … n − 1) along `axis`; shapes are equal elsewhere.
pub(crate) fn take_along<V: Value>(x: &V, positions: &V, axis: usize) -> Result<V> {
    apply(TakeAlong { axis }, x, &[positions])
}
