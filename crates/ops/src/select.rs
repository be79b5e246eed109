//! Elementwise choice.

use tenferro_graph::{Aval, DType, Error, Guards, Prim, Primitive, Result, Rule, Val, Value};

use crate::RuleExt;
use crate::broadcast::{broadcast_shapes, broadcast_to, equal_avals};
use crate::emit::{Tangents, apply, arity, batch_elementwise};

/// `on_true` where the mask holds, else `on_false`. Inputs (mask bool, on_true,
/// on_false) of equal shapes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Select;

impl Primitive for Select {
    fn name(&self) -> &'static str {
        "select"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<3>("select", x)?;
        if x[0].dtype != DType::Bool {
            return Err(Error::dtype("select", format!("the mask must be bool, got {}", x[0].dtype)));
        }
        equal_avals("select", &x[1..], g)?;
        if !g.equal_shapes(&x[0].shape, &x[1].shape) {
            return Err(Error::shape("select", format!("the mask has shape {} and the branches {}", x[0].shape, x[1].shape)));
        }
        Ok(vec![x[1].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let Some(some) = t[1].or(t[2]) else { return Ok(vec![None]) };
        let some = r.expr(some);
        let zero = || some.number(0.0).broadcast_to(&some.aval());
        let or_zero = |t: Option<Val>| t.unwrap_or_else(|| zero().val());
        Ok(vec![Some(r.b.emit_one(Prim::new(Self), &[r.inputs[0], or_zero(t[1]), or_zero(t[2])]))])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None; 3]) };
        let zero = ct.number(0.0).broadcast_to(&ct.aval());
        let mask = r.x(0);
        Ok(vec![None, linear[1].then(|| mask.select(ct, zero).val()), linear[2].then(|| mask.select(zero, ct).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}

/// `on_true` where `mask` holds, else `on_false`; shapes broadcast, dtypes promote.
pub fn select<V: Value>(mask: &V, on_true: &V, on_false: &V) -> Result<V> {
    let dtype = on_true.aval().dtype.promote(on_false.aval().dtype);
    let (t, f) = (crate::cast(on_true, dtype)?, crate::cast(on_false, dtype)?);
    let shape = broadcast_shapes("select", &t.aval().shape, &f.aval().shape)?;
    let shape = broadcast_shapes("select", &shape, &mask.aval().shape)?;
    let mask = broadcast_to(mask, shape.clone())?;
    apply(Select, &mask, &[&broadcast_to(&t, shape.clone())?, &broadcast_to(&f, shape)?])
}
