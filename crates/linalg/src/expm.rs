//! The matrix exponential and its derivatives of every order: one op.

use tenferro_graph::{Aval, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Val, Value};
use tenferro_ops::RuleExt;

use crate::directional;
use crate::matrix::batch_all;
use crate::parts;

/// The derivative of order `order` of the exponential: inputs a and directions e₁ … of (…, n, n),
/// output Lᵏ(a; e₁, …), symmetric and linear in the directions. Order 0 is the exponential itself.
///
/// Lᵏ is a block of the exponential of a matrix with 2ᵏ×2ᵏ blocks (N. J. Higham, S. D. Relton,
/// SIAM J. Matrix Anal. Appl. 35, 1019, 2014), which scaling and squaring of a Padé approximant gives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expm {
    pub order: usize,
}

/// Blocks beyond this order would be larger than anybody means.
const MAX_ORDER: usize = 6;

impl Primitive for Expm {
    fn name(&self) -> &'static str {
        "expm"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        if self.order > MAX_ORDER {
            return Err(Error::value("expm", format!("derivatives end at order {MAX_ORDER}")));
        }
        directional::infer("expm", self.order, x, g)
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(directional::tangent(&Prim::new(self.clone()), r, t, |t| {
            let args: Vec<Val> = r.inputs.iter().copied().chain([t]).collect();
            r.expr(r.b.emit_one(Self { order: self.order + 1 }.into(), &args))
        }))
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        directional::transpose("expm", &Prim::new(self.clone()), r, linear, ct)
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.order);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("order", self.order.to_string())]
    }
}

/// The exponential of square matrices a (…, n, n).
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if a holds NaN or infinity.
pub fn expm<V: Value>(a: &V) -> Result<V> {
    let a = parts::inexact(a)?;
    parts::order("expm", &a)?;
    parts::one(Expm { order: 0 }, &[&a])
}
