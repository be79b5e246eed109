//! Where something holds, for a number of places that is fixed beforehand.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Tensor, Val, Value};

use crate::emit::{Tangents, apply, arity};
use crate::{broadcast_to, cast, constant, eq, floor_divide, remainder, reshape, select};

/// A mask [batch…, n]: the int64 numbers of its first `size` true elements along the last
/// axis, and n where there are fewer, [batch…, size].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nonzero {
    pub size: usize,
}

impl Primitive for Nonzero {
    fn name(&self) -> &'static str {
        "nonzero"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("nonzero", x)?;
        if x[0].dtype != DType::Bool || x[0].rank() == 0 {
            return Err(Error::dtype("nonzero", format!("needs a mask with an axis, got {}", x[0])));
        }
        let mut shape = x[0].shape.clone();
        shape.set(shape.rank() - 1, Dim::Const(self.size));
        Ok(vec![Aval { dtype: DType::I64, shape }])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(self.clone().into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.size);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("size", self.size.to_string())]
    }
}

/// The first `size` places, in C order of the flattened `x`, where it is not 0; `fill` where
/// there are fewer.
pub fn flatnonzero<V: Value>(x: &V, size: usize, fill: i64) -> Result<V> {
    let (places, missing) = places(x, size)?;
    select(&missing, &constant(x, Tensor::scalar(fill))?, &places)
}

fn places<V: Value>(x: &V, size: usize) -> Result<(V, V)> {
    let n = x.aval().shape.size();
    let mask = reshape(&cast(x, DType::Bool)?, std::slice::from_ref(&n))?;
    let places = apply(Nonzero { size }, &mask, &[])?;
    let n = n.as_const().ok_or_else(|| Error::shape("nonzero", "needs numeric sizes"))?;
    let missing = eq(&places, &constant(x, Tensor::scalar(n as i64))?)?;
    Ok((places, missing))
}

/// The indices, one array an axis, of the first `size` elements that are not 0, in C order;
/// `fill` where there are fewer.
///
/// # Errors
/// `Shape` for a scalar or symbolic sizes.
pub fn nonzero<V: Value>(x: &V, size: usize, fill: i64) -> Result<Vec<V>> {
    let shape = x.aval().shape;
    if shape.is_empty() {
        return Err(Error::shape("nonzero", "a scalar has no axes; reshape it to (1,)"));
    }
    let (mut rest, missing) = places(x, size)?;
    let fill = broadcast_to(&constant(x, Tensor::scalar(fill))?, missing.aval().shape)?;
    let mut out = vec![];
    for n in shape.iter().rev() {
        let n = n.as_const().ok_or_else(|| Error::shape("nonzero", "needs numeric sizes"))?;
        let n = constant(x, Tensor::scalar(n.max(1) as i64))?;
        out.push(select(&missing, &fill, &remainder(&rest, &n)?)?);
        rest = floor_divide(&rest, &n)?;
    }
    out.reverse();
    Ok(out)
}
