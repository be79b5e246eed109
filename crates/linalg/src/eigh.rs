//! Eigenvalues and vectors of Hermitian matrices.

use tenferro_graph::{Aval, Encoder, Guards, Narrowed, Prim, Primitive, Result, Rule, Use, Val, Value};
use tenferro_ops::{Expr, RuleExt};

use crate::algebra::{
    adjoint_mul, cast, conj, first, full_like, hermitian_part, inverse_where, last, mul, per_column, per_row, real_column_sums, scale_of,
};
use crate::matrix::{Matrix, batch_one};
use crate::parts;
use crate::rule::Thresholds;

/// a = v diag(w) v\* of a Hermitian (…, n, n): w (…, n) real, ascending, and v (…, n, n).
///
/// Only the lower triangle is read. Of each vector the component of largest modulus (the first
/// of several) is real and positive. The derivative takes the Hermitian part of a tangent and
/// leaves v\* dv without a diagonal: it is that of functions which do not see the phases of
/// complex vectors. Where eigenvalues tie, relative to the largest modulus, vectors of the
/// cluster do not move against each other: exact for functions that do not look inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Eigh {
    /// Whether NaN and infinity are an error; otherwise they spread.
    pub check_finite: bool,
}

/// Eigenvalues alone of a Hermitian (…, n, n): real (…, n), ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EighVals {
    /// As for [`Eigh`].
    pub check_finite: bool,
}

/// dw = Re diag(V\* dA V), from dA V.
fn values<'b>(v: Expr<'b>, av: Expr<'b>) -> Expr<'b> {
    real_column_sums(conj(v) * av)
}

impl Primitive for Eigh {
    fn name(&self) -> &'static str {
        "eigh"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::square("eigh", x, g)?;
        Ok(vec![Aval::new(x[0].dtype.real(), a.shape(&[&a.n])), x[0].clone()])
    }

    /// dw = Re diag(V\* dA V), dV = V (G∘(V\* dA V)), G_ij = 1/(w_j − w_i), masked at ties.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].filter(|_| r.avals[0].shape.last() != Some(&tenferro_graph::Dim::Const(0))) else {
            return Ok(vec![None, None]);
        };
        let (w, v) = (r.y(0), r.y(1));
        let dtype = r.avals[0].dtype;
        let av = mul(hermitian_part(r.expr(da)), v);
        let scale = scale_of(first(w).abs().maximum(last(w).abs()));
        let t = w / scale;
        let gap = per_column(t) - per_row(t);
        let limit = full_like(gap, Thresholds::of(dtype).gap);
        let g = inverse_where(gap.abs().gt(limit), gap);
        let inner = adjoint_mul(v, av) / cast(per_column(scale), dtype);
        Ok(vec![Some(values(v, av).val()), Some(mul(v, inner * cast(g, dtype)).val())])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn narrow(&self, uses: &[Use], _: &[Aval]) -> Option<Narrowed> {
        let prim = || Prim::new(EighVals { check_finite: self.check_finite });
        (uses == [Use::Whole, Use::Dead]).then(|| Narrowed { prim: prim(), outputs: vec![Some(0), None] })
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.check_finite);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("check_finite", self.check_finite.to_string())]
    }
}

impl Primitive for EighVals {
    fn name(&self) -> &'static str {
        "eigvalsh"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::square("eigvalsh", x, g)?;
        Ok(vec![Aval::new(x[0].dtype.real(), a.shape(&[&a.n]))])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0] else { return Ok(vec![None]) };
        let f = r.b.emit(Prim::new(Eigh { check_finite: self.check_finite }), r.inputs)?;
        let v = r.expr(f[1]);
        Ok(vec![Some(values(v, mul(hermitian_part(r.expr(da)), v)).val())])
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

/// a, or a\* if the upper triangle is the one to read.
fn with_lower<V: Value>(op: &str, a: &V, lower: bool) -> Result<V> {
    let a = parts::inexact(a)?;
    parts::order(op, &a)?;
    if lower { Ok(a) } else { parts::adjoint(&a) }
}

/// Eigenvalues w (…, n), ascending, and vectors v (…, n, n) of a Hermitian a (…, n, n), of which
/// one triangle is read. See [`Eigh`] for phases and ties.
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if, with `check_finite`, a holds NaN or infinity.
pub fn eigh<V: Value>(a: &V, lower: bool, check_finite: bool) -> Result<[V; 2]> {
    parts::several(Eigh { check_finite }, &[&with_lower("eigh", a, lower)?])
}

/// Eigenvalues alone, as [`eigh`] gives them.
///
/// # Errors
/// As [`eigh`].
pub fn eigvalsh<V: Value>(a: &V, lower: bool, check_finite: bool) -> Result<V> {
    parts::one(EighVals { check_finite }, &[&with_lower("eigvalsh", a, lower)?])
}
