//! The matrix exponential and its derivatives of every order: one op.

use tenferro_graph::{Aval, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::RuleExt;

use crate::algebra::{adjoint, apply};
use crate::matrix::{Matrix, batch_all};
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
        if x.len() != self.order + 1 {
            return Err(Error::program(format!("expm: order {} takes {} inputs, got {}", self.order, self.order + 1, x.len())));
        }
        if self.order > MAX_ORDER {
            return Err(Error::value("expm", format!("derivatives end at order {MAX_ORDER}")));
        }
        Matrix::square("expm", &x[..1], g)?;
        for e in &x[1..] {
            if e.dtype != x[0].dtype || !g.equal_shapes(&e.shape, &x[0].shape) {
                return Err(Error::shape("expm", format!("a direction must be {}, got {e}", x[0])));
            }
        }
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let mut terms = vec![];
        for (i, t) in t.iter().enumerate() {
            let Some(t) = t else { continue };
            let mut args = r.inputs.to_vec();
            let order = if i == 0 {
                args.push(*t);
                self.order + 1
            } else {
                args[i] = *t;
                self.order
            };
            terms.push(r.expr(r.b.emit_one(Self { order }.into(), &args)));
        }
        Ok(vec![terms.into_iter().reduce(|a, b| a + b).map(|x| x.val())])
    }

    /// In one direction the adjoint of Lᵏ(a; e₁, e₂, …) is Lᵏ(a\*; ·, e₂\*, …).
    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let mut out = vec![None; linear.len()];
        let places: Vec<usize> = (0..linear.len()).filter(|i| linear[*i]).collect();
        let ([place], Some(ct)) = (places.as_slice(), ct[0]) else {
            if ct[0].is_none() {
                return Ok(out);
            }
            return Err(Error::missing("expm", "is linear in one direction at a time; has no transpose rule otherwise"));
        };
        let args: Vec<_> = (0..linear.len()).map(|i| if i == *place { r.expr(ct) } else { adjoint(r.x(i)) }).collect();
        out[*place] = Some(apply(self.clone(), args[0], &args[1..]).val());
        Ok(out)
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
