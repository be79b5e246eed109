//! Where the extreme elements are.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Shape, Val, Value};

use crate::emit::{Tangents, apply, arity};
use crate::reduce::{keep_axes, normalise_axis};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgOp {
    Max,
    Min,
}

/// The int64 position along `axis`, which is removed, of the first extreme element. The first
/// NaN wins; complex numbers are ordered by their real and then imaginary parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgReduce {
    pub op: ArgOp,
    pub axis: usize,
}

impl Primitive for ArgReduce {
    fn name(&self) -> &str {
        match self.op {
            ArgOp::Max => "argmax",
            ArgOp::Min => "argmin",
        }
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>(self.name(), x)?;
        let mut shape: Shape = x[0].shape.clone();
        if self.axis >= shape.rank() {
            return Err(Error::index(self.name().to_owned(), format!("axis {} is out of range for {} axes", self.axis, shape.rank())));
        }
        if shape.remove(self.axis) == Dim::Const(0) {
            return Err(Error::value(self.name().to_owned(), format!("axis {} has no elements, shape {}", self.axis, x[0].shape)));
        }
        Ok(vec![Aval { dtype: DType::I64, shape }])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(Self { op: self.op, axis: self.axis + 1 }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[self.axis]);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string())]
    }
}

fn arg<V: Value>(op: ArgOp, x: &V, axis: Option<isize>, keepdims: bool) -> Result<V> {
    let name = if op == ArgOp::Max { "argmax" } else { "argmin" };
    let shape = x.aval().shape;
    let Some(axis) = axis else {
        let y = apply(ArgReduce { op, axis: 0 }, &crate::reshape(x, &[shape.size()])?, &[])?;
        let all: Vec<usize> = (0..shape.rank()).collect();
        return if keepdims { keep_axes(&y, shape, &all) } else { Ok(y) };
    };
    let axis = normalise_axis(name, axis, shape.rank())?;
    let y = apply(ArgReduce { op, axis }, x, &[])?;
    if keepdims { keep_axes(&y, shape, &[axis]) } else { Ok(y) }
}

/// The int64 position of the first largest element along `axis`, or of the flattened x.
pub fn argmax<V: Value>(x: &V, axis: Option<isize>, keepdims: bool) -> Result<V> {
    arg(ArgOp::Max, x, axis, keepdims)
}

/// The int64 position of the first smallest element along `axis`, or of the flattened x.
pub fn argmin<V: Value>(x: &V, axis: Option<isize>, keepdims: bool) -> Result<V> {
    arg(ArgOp::Min, x, axis, keepdims)
}
