//! The derivative of the adjugate.

use tenferro_graph::{Aval, Dim, Error, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::{
    Expr, RuleExt, add, broadcast_to, cumprod, diagonal, matmul, mul, ones_like, select, slice_axis, sub, swap_last, triu, zeros_like,
};

use crate::algebra::{self, adjoint, adjoint_mul, apply, cast, mul_adjoint};
use crate::det::{Adjugate, as_matrix, det, trace_of_product};
use crate::functions::svd;
use crate::lu::system;
use crate::matrix::batch_all;
use crate::parts;

/// Passes its last input on, the derivative of the adjugate of a along da. Inputs a, da (…, n, n) and
/// that.
///
/// Its own derivative is, at run, an error for a singular matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AdjugateSlope;

impl Primitive for AdjugateSlope {
    fn name(&self) -> &'static str {
        "adjugate_slope"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        match x {
            [a, da, y] if a == da && a == y => Ok(vec![a.clone()]),
            _ => Err(Error::program(format!("adjugate_slope: takes 3 equal avals, got {}", x.len()))),
        }
    }

    /// Of tr(Y dA) X − X dA Y with X = A⁻¹, Y = adj A, where dX = −X dA X and dY = tr(Y dA) X − X dA Y.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let (a, da) = (r.x(0), r.x(1));
        let straight = t[1].map(|t| slope(a, r.expr(t)));
        let bent = t[0].map(|t| {
            let t = r.expr(t);
            let n = parts::order("det", &a);
            let x = a.keep(n.and_then(|n| system("third derivative of det", &a, &parts::eye_like(&a, n, n)?, false)));
            let y = apply(Adjugate, a, &[]);
            let product = algebra::mul;
            let dy = x * as_matrix(trace_of_product(y, t)) - product(x, product(t, y));
            let dx = product(x, product(t, x));
            let traces = x * as_matrix(trace_of_product(dy, da)) - dx * as_matrix(trace_of_product(y, da));
            traces + product(dx, product(da, y)) - product(x, product(da, dy))
        });
        let out = straight.into_iter().chain(bent).reduce(|x, y| x + y);
        Ok(vec![out.map(|e| e.val())])
    }

    /// Linear in da, of which the last input is made.
    fn transpose(&self, _: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![None, None, ct[0]])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

/// The derivative of adj(A) along dA, for A of any rank.
pub(crate) fn slope<'b>(a: Expr<'b>, da: Expr<'b>) -> Expr<'b> {
    let y = a.keep(by_values(&a, &da));
    apply(AdjugateSlope, a, &[da, y])
}

/// With A = U S V\*, P = U\* dA V and L_ij the product of all s but s_i and s_j, L_ii = 0:
/// det(U V\*) V (diag(L diag P) − P∘L) U\*. The polynomials of diagonal S, without a quotient.
fn by_values<'b>(a: &Expr<'b>, da: &Expr<'b>) -> Result<Expr<'b>> {
    let n = parts::order("det", a)?;
    if n < 2 {
        return zeros_like(a);
    }
    let [u, s, vh] = svd(a, false)?;
    let phase = as_matrix(det(&matmul(&u, &vh)?)?);
    let p = mul_adjoint(adjoint_mul(u, *da), vh);
    let others = cast(products_but_two(&s, n)?, a.dtype());
    let along = matmul(&others, &parts::per_row(&diagonal(&p, 0, -2, -1)?)?)?;
    let k = sub(&mul(&parts::eye_like(a, n, n)?, &along)?, &mul(&p, &others)?)?;
    Ok(algebra::mul(adjoint(vh), mul_adjoint(k, u)) * phase)
}

/// (…, n) to (…, n, n): at (i, j) the product of all but elements i and j, 0 where i = j. Those
/// before i, between i and j, and behind j are running products.
fn products_but_two<V: Value>(s: &V, n: usize) -> Result<V> {
    let axis = s.aval().rank();
    let mut square = s.aval().shape;
    square.push(Dim::Const(n));
    let row = broadcast_to(&parts::per_column(s)?, square)?;
    let upper = triu(&ones_like(&row)?, 1)?;
    let marked = tenferro_ops::cast(&upper, tenferro_graph::DType::Bool)?;
    // Exclusive running products along the last axis.
    let before = |x: &V, axis: usize, reverse: bool| {
        let y = cumprod(x, Some(axis as isize), reverse, true)?;
        if reverse { slice_axis(&y, axis, 1, n + 1) } else { slice_axis(&y, axis, 0, n) }
    };
    let between = before(&select(&marked, &row, &ones_like(&row)?)?, axis, false)?;
    let (left, right) = (before(s, axis - 1, false)?, before(s, axis - 1, true)?);
    let product = mul(&mul(&parts::per_row(&left)?, &between)?, &parts::per_column(&right)?)?;
    let half = select(&marked, &product, &zeros_like(&product)?)?;
    add(&half, &swap_last(&half)?)
}
