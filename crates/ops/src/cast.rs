//! Changing the dtype, complex numbers from their parts, and stopping derivatives.

use tenferro_graph::{Aval, DType, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::RuleExt;
use crate::broadcast::{broadcast_pair, equal_avals};
use crate::emit::{Class, Tangents, apply, arity, batch_elementwise, linear_jvp, map_ct};

/// Elements in another dtype. Complex to real keeps the real part; to bool is x ≠ 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cast {
    pub to: DType,
}

impl Primitive for Cast {
    fn name(&self) -> &'static str {
        "cast"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("cast", x)?;
        Ok(vec![x[0].with_dtype(self.to)])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if !self.to.is_inexact() {
            return Ok(vec![None]);
        }
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let dtype = r.avals[0].dtype;
        Ok(map_ct(r, ct, |ct| ct.cast(dtype)))
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.dtype(self.to);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("to", self.to.to_string())]
    }
}

/// `x` in dtype `to`; `x` itself if it has it.
pub fn cast<V: Value>(x: &V, to: DType) -> Result<V> {
    if x.aval().dtype == to { Ok(x.clone()) } else { apply(Cast { to }, x, &[]) }
}

/// The identity, with derivative 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StopGradient;

impl Primitive for StopGradient {
    fn name(&self) -> &'static str {
        "stop_gradient"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("stop_gradient", x)?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}

/// x as a constant of differentiation.
pub fn stop_gradient<V: Value>(x: &V) -> Result<V> {
    apply(StopGradient, x, &[])
}

/// x + iy of two real floats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FromParts;

impl Primitive for FromParts {
    fn name(&self) -> &'static str {
        "complex"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        equal_avals("complex", x, g)?;
        Class::Float.check("complex", x[0].dtype)?;
        let dtype = x[0].dtype.complex().ok_or_else(|| Error::dtype("complex", format!("needs floats, got {}", x[0].dtype)))?;
        Ok(vec![x[0].with_dtype(dtype)])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let or_zero = |i: usize| t[i].unwrap_or_else(|| r.x(i).full_like(0.0).val());
        if t[0].is_none() && t[1].is_none() {
            return Ok(vec![None]);
        }
        Ok(vec![Some(r.b.emit_one(Self.into(), &[or_zero(0), or_zero(1)]))])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        Ok(vec![linear[0].then(|| ct.real().val()), linear[1].then(|| ct.imag().val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}

/// x + iy of real x and y.
pub fn complex<V: Value>(x: &V, y: &V) -> Result<V> {
    let dtype = x.aval().dtype.inexact().promote(y.aval().dtype.inexact());
    let (x, y) = broadcast_pair("complex", &cast(x, dtype)?, &cast(y, dtype)?)?;
    apply(FromParts, &x, &[&y])
}
