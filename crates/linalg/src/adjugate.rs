//! The adjugate and its derivatives.

use tenferro_graph::{Aval, Encoder, Error, Guards, Prim, Primitive, Result, Rule, Val};
use tenferro_ops::{Expr, RuleExt};

use crate::algebra::{as_matrix, mul, trace_of_product};
use crate::directional;
use crate::lu::system;
use crate::matrix::batch_all;
use crate::parts;

/// The derivative of order `order`, at most 2, of the adjugate along as many directions: inputs a
/// and e₁ … of (…, n, n). Order 0 is the adjugate itself, with a adj(a) = det(a).
///
/// All are polynomials in the elements of a and right for matrices of any rank. With a = U S V\* and
/// P = U\* e V the first is det(U V\*) V K U\*, K_ii = Σ_{j≠i} P_jj Π_{k≠i,j} s_k and
/// K_ij = −P_ij Π_{k≠i,j} s_k. A derivative beyond solves a system in a: at run an error for a
/// singular matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Adjugate {
    pub order: usize,
}

/// The highest order that has formulas without division.
const MAX_ORDER: usize = 2;

/// D³adj(a)[x, y, z] for c = D²adj(a)[x, y], from the third derivative of a adj(a) = det(a).
fn third<'b>(r: Rule<'b>, z: Expr<'b>) -> Expr<'b> {
    let (a, x, y, c) = (r.x(0), r.x(1), r.x(2), r.y(0));
    let second = |x: Expr<'b>, y: Expr<'b>| r.expr(r.b.emit_one(Prim::new(Adjugate { order: 2 }), &[a.val(), x.val(), y.val()]));
    let products = mul(z, c) + mul(x, second(y, z)) + mul(y, second(x, z));
    let solved = || {
        let n = parts::order("det", &a)?;
        let right = parts::eye_like(&a, n, n)? * as_matrix(trace_of_product(c, z)) - products;
        system("fourth derivative of det", &a, &right, false)
    };
    a.keep(solved())
}

impl Primitive for Adjugate {
    fn name(&self) -> &'static str {
        "adjugate"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        if self.order > MAX_ORDER {
            return Err(Error::program(format!("adjugate: orders end at {MAX_ORDER}")));
        }
        directional::infer("adjugate", self.order, x, g)
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(directional::tangent(&Prim::new(self.clone()), r, t, |t| {
            if self.order == MAX_ORDER {
                return third(r, r.expr(t));
            }
            let args: Vec<Val> = r.inputs.iter().copied().chain([t]).collect();
            r.expr(r.b.emit_one(Self { order: self.order + 1 }.into(), &args))
        }))
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        directional::transpose("adjugate", &Prim::new(self.clone()), r, linear, ct)
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
