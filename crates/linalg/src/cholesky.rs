//! Cholesky factorization.

use tenferro_graph::{Aval, Encoder, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::RuleExt;

use crate::algebra::{adjoint, hermitian_part, mul, triangle};
use crate::matrix::{Matrix, batch_one};
use crate::parts::{self, Part};
use crate::triangular::{Form, Triangular};

/// The lower factor of a Hermitian positive definite matrix, a = l l\*: (…, n, n) to (…, n, n).
///
/// Only the lower triangle is read; the derivative takes the Hermitian part of a tangent.
/// At run an indefinite matrix is an error of kind `LinAlg`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cholesky {
    /// Whether NaN and infinity are an error; otherwise they spread.
    pub check_finite: bool,
}

impl Primitive for Cholesky {
    fn name(&self) -> &'static str {
        "cholesky"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        Matrix::square("cholesky", x, g)?;
        Ok(vec![x[0].clone()])
    }

    /// dL = L φ(L⁻¹ Herm(dA) L⁻\*), φ the lower triangle with half of the diagonal.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0] else { return Ok(vec![None]) };
        let l = r.y(0);
        let solve = |x| Triangular::lower("cholesky", Form::Plain).on(l, x);
        let inner = solve(adjoint(solve(hermitian_part(r.expr(da)))));
        let phi = (triangle("cholesky", inner, Part::Lower) + triangle("cholesky", inner, Part::StrictlyLower)) * 0.5;
        let dl = mul(l, phi);
        // The product of two triangles is one; what rounding leaves above the diagonal is no tangent.
        Ok(vec![Some(triangle("cholesky", dl, Part::Lower).val())])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.check_finite);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("check_finite", self.check_finite.to_string())]
    }
}

/// The Cholesky factor of a Hermitian positive definite a (…, n, n): lower with a = l l\*, or,
/// if `upper`, upper with a = u\* u. Only that triangle of a is read.
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if a is not positive definite or, with
/// `check_finite`, holds NaN or infinity.
pub fn cholesky<V: Value>(a: &V, upper: bool, check_finite: bool) -> Result<V> {
    let a = parts::inexact(a)?;
    parts::order("cholesky", &a)?;
    let prim = Cholesky { check_finite };
    if upper { parts::adjoint(&parts::one(prim, &[&parts::adjoint(&a)?])?) } else { parts::one(prim, &[&a]) }
}

/// Solves a x = b from the Cholesky factor c of a, as [`cholesky`] gives it.
///
/// # Errors
/// As [`crate::solve_triangular`].
pub fn cho_solve<V: Value>(c: &V, lower: bool, b: &V, check_finite: bool) -> Result<V> {
    let (first, second) = if lower { (Form::Plain, Form::Adjoint) } else { (Form::Adjoint, Form::Plain) };
    let solve = |form, b: &V| {
        crate::triangular::solve("cho_solve", c, b, Triangular { lower, form, check_finite, ..Triangular::upper("cho_solve", form) })
    };
    solve(second, &solve(first, b)?)
}
