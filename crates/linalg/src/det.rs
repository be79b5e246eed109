//! Determinants.

use tenferro_graph::{Aval, Error, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::{RuleExt, complex, imag, mul, real, trace};

use crate::adjugate::Adjugate;
use crate::algebra::{self, apply, aval, trace_of_product};
use crate::lu::{LuSolve, check_pivots, factors};
use crate::matrix::{Matrix, batch_all};
use crate::parts;
use crate::triangular::Form;

/// The determinant, (…, n, n) to (…), from a, packed and pivots of [`crate::Lu`].
///
/// The derivative is through a and right for singular matrices: tr(adj(A) dA).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Det;

/// Phase and log of the absolute value of the determinant, from a, packed and pivots: outputs
/// sign (…), in the dtype of a, and the real logabsdet (…); 0 and −∞ for a singular matrix.
///
/// The derivative, through a, is tr(A⁻¹ dA); at run it is an error for a singular matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlogDet;

/// The shape of one number a matrix.
fn numbers(op: &'static str, x: &[Aval], g: &mut Guards) -> Result<Aval> {
    let [a, packed, pivots] = x else {
        return Err(Error::program(format!("{op}: takes 3 inputs, got {}", x.len())));
    };
    let m = Matrix::square(op, &x[..1], g)?;
    if packed.dtype != a.dtype || !g.equal_shapes(&packed.shape, &a.shape) {
        return Err(Error::shape(op, format!("the factors must be {a}, got {packed}")));
    }
    check_pivots(op, pivots, &m, g)?;
    Ok(Aval::new(a.dtype, m.batch))
}

impl Primitive for Det {
    fn name(&self) -> &'static str {
        "det"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        Ok(vec![numbers("det", x, g)?])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![t[0].map(|da| trace_of_product(apply(Adjugate { order: 0 }, r.x(0), &[]), r.expr(da)).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

impl Primitive for SlogDet {
    fn name(&self) -> &'static str {
        "slogdet"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let sign = numbers("slogdet", x, g)?;
        let log = sign.with_dtype(sign.dtype.real());
        Ok(vec![sign, log])
    }

    /// d log|det| = Re tr(A⁻¹ dA), d sign = i Im tr(A⁻¹ dA) sign.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].map(|da| r.expr(da)) else { return Ok(vec![None, None]) };
        let solved = apply(LuSolve { form: Form::Plain, what: "derivative of slogdet" }, r.x(0), &[r.x(1), r.x(2), da]);
        let trace = solved.keep(trace(&solved, 0, -2, -1));
        if !aval(trace).dtype.is_complex() {
            return Ok(vec![None, Some(trace.val())]);
        }
        let turn = || {
            let im = imag(&trace)?;
            mul(&complex(&algebra::full_like(im, 0.0), &im)?, &r.y(0))
        };
        Ok(vec![Some(trace.keep(turn()).val()), Some(trace.keep(real(&trace)).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

/// The determinant of square a (…, n, n), with derivatives at singular matrices, too; there the
/// fourth is an error.
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if a holds NaN or infinity.
pub fn det<V: Value>(a: &V) -> Result<V> {
    let a = parts::inexact(a)?;
    parts::order("det", &a)?;
    let [packed, pivots] = factors("det", &a, true)?;
    parts::one(Det, &[&a, &packed, &pivots])
}

/// sign and log |det| of square a (…, n, n), det = sign·e^log: sign is ±1 or of modulus 1, and
/// 0 with log −∞ for a singular matrix, whose derivative is an error.
///
/// # Errors
/// As [`det`].
pub fn slogdet<V: Value>(a: &V) -> Result<[V; 2]> {
    let a = parts::inexact(a)?;
    parts::order("slogdet", &a)?;
    let [packed, pivots] = factors("slogdet", &a, true)?;
    parts::several(SlogDet, &[&a, &packed, &pivots])
}
