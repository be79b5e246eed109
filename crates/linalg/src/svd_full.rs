//! SVD with square factors.

use tenferro_graph::{Aval, Dim, Guards, Primitive, Result, Rule, Val};
use tenferro_ops::RuleExt;

use crate::algebra::{adjoint, columns, joined, mul, mul_adjoint, rows};
use crate::matrix::{Matrix, batch_one};
use crate::parts;
use crate::rule::{Ties, Triplets, tangents};

/// a = u Σ vh of (…, m, n) with square u (…, m, m) and vh (…, n, n), and s (…, min(m, n)).
///
/// Else as [`crate::Svd`]. The last |m − n| columns of u, or rows of vh, are any orthonormal basis
/// of what is left; their derivative has no component among themselves, so that functions that see
/// more of them than their space have no derivative here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SvdFull;

impl Primitive for SvdFull {
    fn name(&self) -> &'static str {
        "svd_full"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::of("svd", x)?;
        let k = a.min("svd")?;
        let dtype = x[0].dtype;
        let s = Aval::new(dtype.real(), a.shape(&[&k]));
        Ok(vec![Aval::new(dtype, a.shape(&[&a.m, &a.m])), s, Aval::new(dtype, a.shape(&[&a.n, &a.n]))])
    }

    /// The thin rule; U₂, orthogonal to U: dU₂ = −U dU\* U₂, and so for V.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let (m, n) = parts::sizes("svd", &r.x(0))?;
        let k = m.min(n);
        let Some(da) = t[0].filter(|_| r.b.aval(r.outputs[1]).shape.last() != Some(&Dim::Const(0))) else {
            return Ok(vec![None; 3]);
        };
        let (u, vh) = (columns(r.y(0), 0, k), rows(r.y(2), 0, k));
        let f = Triplets { a: r.x(0), u, s: r.y(1), vh, extra: None, ties: Ties::Masked };
        let [mut du, ds, mut dvh] = tangents(&f, r.expr(da)).map(|v| r.expr(v));
        if m > k {
            let rest = columns(r.y(0), k, m);
            du = joined(&[du, -mul(u, mul(adjoint(du), rest))], 1);
        }
        if n > k {
            let rest = rows(r.y(2), k, n);
            dvh = joined(&[dvh, -mul(mul_adjoint(rest, dvh), vh)], 2);
        }
        Ok([du, ds, dvh].map(|x| Some(x.val())).to_vec())
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }
}
