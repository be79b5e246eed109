//! Derivatives of a function of a matrix along several directions, as ops: inputs a and directions
//! e₁ … of (…, n, n), an output symmetric and linear in the directions.

use tenferro_graph::{Aval, Error, Guards, Prim, Result, Rule, Val};
use tenferro_ops::{Expr, RuleExt};

use crate::algebra::{adjoint, apply};
use crate::matrix::Matrix;

/// The aval of the derivative of order `order`.
pub(crate) fn infer(op: &'static str, order: usize, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
    if x.len() != order + 1 {
        return Err(Error::program(format!("{op}: order {order} takes {} inputs, got {}", order + 1, x.len())));
    }
    Matrix::square(op, &x[..1], g)?;
    for e in &x[1..] {
        if e.dtype != x[0].dtype || !g.equal_shapes(&e.shape, &x[0].shape) {
            return Err(Error::shape(op, format!("a direction must be {}, got {e}", x[0])));
        }
    }
    Ok(vec![x[0].clone()])
}

/// The tangent of `prim`: linear in the directions; `along_a` is the part that a tangent of a gives.
pub(crate) fn tangent<'b>(prim: &Prim, r: Rule<'b>, t: &[Option<Val>], along_a: impl FnOnce(Val) -> Expr<'b>) -> Vec<Option<Val>> {
    let along = |i: usize, t: Val| {
        let mut args = r.inputs.to_vec();
        args[i] = t;
        r.expr(r.b.emit_one(prim.clone(), &args))
    };
    let moved = t[0].map(along_a);
    let turned = (1..t.len()).filter_map(|i| t[i].map(|t| along(i, t)));
    vec![moved.into_iter().chain(turned).reduce(|a, b| a + b).map(|x| x.val())]
}

/// In one direction the adjoint of Dᵏ(a; e₁, e₂, …) is Dᵏ(a\*; ·, e₂\*, …).
pub(crate) fn transpose(op: &'static str, prim: &Prim, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
    let mut out = vec![None; linear.len()];
    let places: Vec<usize> = (0..linear.len()).filter(|i| linear[*i]).collect();
    let ([place], Some(ct)) = (places.as_slice(), ct[0]) else {
        if ct[0].is_none() {
            return Ok(out);
        }
        return Err(Error::missing(op, "is linear in one direction at a time; has no transpose rule otherwise"));
    };
    let args: Vec<_> = (0..linear.len()).map(|i| if i == *place { r.expr(ct) } else { adjoint(r.x(i)) }).collect();
    out[*place] = Some(apply(prim.clone(), args[0], &args[1..]).val());
    Ok(out)
}
