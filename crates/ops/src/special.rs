//! Special functions with a parameter.

use tenferro_graph::{Aval, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::RuleExt;
use crate::emit::{Class, Tangents, apply, arity, batch_elementwise};

/// ψ⁽ⁿ⁾(x), the n-th derivative of the digamma function, n ≥ 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polygamma {
    pub n: usize,
}

impl Primitive for Polygamma {
    fn name(&self) -> &'static str {
        "polygamma"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("polygamma", x)?;
        Class::Float.check("polygamma", x[0].dtype)?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let next = |t| {
            let x = r.x(0);
            (r.expr(t) * x.keep(polygamma(self.n + 1, &x))).val()
        };
        Ok(vec![t[0].map(next)])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[self.n]);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("n", self.n.to_string())]
    }
}

/// Each order costs a step of a recurrence per element.
const HIGHEST: usize = 10_000;

/// ψ⁽ⁿ⁾(x); for n = 0 [`digamma`](crate::digamma). Integers are taken as floats.
///
/// # Errors
/// `Value` for an order above 10,000.
pub fn polygamma<V: Value>(n: usize, x: &V) -> Result<V> {
    if n > HIGHEST {
        return Err(Error::value("polygamma", format!("the order is at most {HIGHEST}, got {n}")));
    }
    if n == 0 {
        return crate::digamma(x);
    }
    let dtype = x.aval().dtype;
    apply(Polygamma { n }, &crate::cast(x, dtype.inexact())?, &[])
}
