//! QR and LQ factorization.

use tenferro_graph::{Aval, Encoder, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::{Expr, RuleExt};

use crate::algebra::{adjoint, adjoint_mul, cast, columns, full_like, joined, mul, rows, triangle};
use crate::matrix::{Matrix, batch_one};
use crate::parts::{self, Part};
use crate::triangular::{Form, Triangular};

/// a = q r of (…, m, n) with a real, non-negative diagonal of r: thin, q (…, m, k) and r
/// (…, k, n), k = min(m, n), or full, q (…, m, m) and r (…, m, n).
///
/// The derivative of the last m − k columns of a full q has no component among themselves: which
/// basis of their space they are is a choice. At run the derivative of a matrix whose first k
/// columns are dependent is an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Qr {
    pub full: bool,
    /// Whether NaN and infinity are an error; otherwise they spread.
    pub check_finite: bool,
}

/// x r⁻¹ for an upper triangle r.
fn over<'b>(x: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    let prim = Triangular { dependent: true, ..Triangular::upper("derivative of qr", Form::Adjoint) };
    adjoint(prim.on(r, adjoint(x)))
}

/// The diagonal of a square matrix, real, as a matrix.
fn real_diagonal(x: Expr<'_>) -> Expr<'_> {
    let both = triangle("qr", triangle("qr", x, Part::Lower), Part::Upper);
    if x.dtype().is_complex() { cast(both.real(), x.dtype()) } else { both }
}

/// With S = Q\* dA R⁻¹ and dR̂ = strictly-upper(S + S\*) + Re diag S: dQ = dA R⁻¹ − Q dR̂ and
/// dR = dR̂ R; columns to the right: dR₂ = Q\* dA₂ − (S − dR̂) R₂.
fn thin<'b>(q: Expr<'b>, r: Expr<'b>, da: Expr<'b>, (m, n): (usize, usize)) -> [Expr<'b>; 2] {
    let k = m.min(n);
    let r1 = columns(r, 0, k);
    let y = over(columns(da, 0, k), r1);
    let s = adjoint_mul(q, y);
    let hat = triangle("qr", s + adjoint(s), Part::StrictlyUpper) + real_diagonal(s);
    let dr = triangle("qr", mul(hat, r1), Part::Upper);
    let dq = y - mul(q, hat);
    if n == k {
        return [dq, dr];
    }
    let rest = adjoint_mul(q, columns(da, k, n)) - mul(s - hat, columns(r, k, n));
    [dq, joined(&[dr, rest], 1)]
}

impl Primitive for Qr {
    fn name(&self) -> &'static str {
        "qr"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::of("qr", x)?;
        let k = if self.full { a.m.clone() } else { a.min("qr")? };
        Ok(vec![Aval::new(x[0].dtype, a.shape(&[&a.m, &k])), Aval::new(x[0].dtype, a.shape(&[&k, &a.n]))])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let (m, n) = parts::sizes("qr", &r.x(0))?;
        let k = m.min(n);
        let Some(da) = t[0].filter(|_| k > 0) else { return Ok(vec![None, None]) };
        let (q, upper) = (r.y(0), r.y(1));
        if !self.full || m == k {
            return Ok(thin(q, upper, r.expr(da), (m, n)).map(|x| Some(x.val())).to_vec());
        }
        let (kept, rest) = (columns(q, 0, k), columns(q, k, m));
        let [dq, dr] = thin(kept, rows(upper, 0, k), r.expr(da), (m, n));
        let moved = -mul(kept, adjoint_mul(dq, rest));
        let below = full_like(rows(upper, k, m), 0.0);
        Ok(vec![Some(joined(&[dq, moved], 1).val()), Some(joined(&[dr, below], 2).val())])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.full);
        w.bool(self.check_finite);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("full", self.full.to_string()), ("check_finite", self.check_finite.to_string())]
    }
}

/// a = q r of a (…, m, n), r upper triangular with a real, non-negative diagonal: q (…, m, k),
/// r (…, k, n), k = min(m, n), or k = m if `full`.
///
/// # Errors
/// `Shape` below two axes; at run `LinAlg` if, with `check_finite`, a holds NaN or infinity, and
/// in a derivative if the leading columns are dependent.
pub fn qr<V: Value>(a: &V, full: bool, check_finite: bool) -> Result<[V; 2]> {
    parts::several(Qr { full, check_finite }, &[&parts::inexact(a)?])
}

/// a = l q of a (…, m, n), l lower triangular with a real, non-negative diagonal: l (…, m, k),
/// q (…, k, n) with orthonormal rows, k = min(m, n), or k = n if `full`.
///
/// # Errors
/// As [`qr`].
pub fn lq<V: Value>(a: &V, full: bool, check_finite: bool) -> Result<[V; 2]> {
    parts::size("lq", a, 2)?;
    let [q, r] = qr(&parts::adjoint(&parts::inexact(a)?)?, full, check_finite)?;
    Ok([parts::adjoint(&r)?, parts::adjoint(&q)?])
}
