//! Questions about ties of singular values.

use tenferro_graph::{Aval, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::{RuleExt, abs, add, div, full_like, le, matmul, max, scalar_like, select, sub, zeros_like};

use crate::algebra::apply;
use crate::matrix::{Matrix, batch_all};
use crate::parts;
use crate::rule::Thresholds;

/// x (…, k, k) itself, with a check at run against t (…, k), singular values relative to the
/// largest: an error of kind `LinAlg` if x is not diagonal inside a cluster, up to rounding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TieCheck {
    /// Whether the cotangent of x is checked instead, where it comes back.
    pub of_cotangent: bool,
}

impl Primitive for TieCheck {
    fn name(&self) -> &'static str {
        "tie_check"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let [a, t] = x else {
            return Err(Error::program(format!("tie_check: takes 2 inputs, got {}", x.len())));
        };
        let m = Matrix::square("tie_check", &x[..1], g)?;
        if t.dtype != a.dtype.real() || !g.equal_shapes(&t.shape, &m.shape(&[&m.n])) {
            return Err(Error::shape("tie_check", format!("the values must be {} of {}, got {t}", a.dtype.real(), m.shape(&[&m.n]))));
        }
        Ok(vec![a.clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![t[0].map(|t| apply(self.clone(), r.expr(t), &[r.x(1)]).val())])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let other = Self { of_cotangent: !self.of_cotangent };
        Ok(vec![ct[0].map(|ct| apply(other, r.expr(ct), &[r.x(1)]).val()), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.of_cotangent);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("of_cotangent", self.of_cotangent.to_string())]
    }
}

/// Whether a function of thin (u, s, vh) sees the choice of basis inside clusters, from its
/// cotangents: the largest |anti(U\*Ū + V\*V̄)| over pairs of singular values that tie, the diagonal
/// included, per matrix (…). 0 up to rounding for a function that is well defined there; it does
/// not tell whether the masked derivative is right, see [`crate::SvdTies`].
///
/// # Errors
/// `Shape` unless all fit.
pub fn svd_gauge_residual<V: Value>([u, s, vh]: [&V; 3], [ct_u, ct_vh]: [&V; 2]) -> Result<V> {
    let left = matmul(&parts::adjoint(u)?, ct_u)?;
    let right = matmul(vh, &parts::adjoint(ct_vh)?)?;
    let both = add(&left, &right)?;
    let size = abs(&parts::scaled(&sub(&both, &parts::adjoint(&both)?)?, 0.5)?)?;
    let t = relative(s)?;
    let gap = abs(&sub(&parts::per_column(&t)?, &parts::per_row(&t)?)?)?;
    let near = le(&gap, &scalar_like(&gap, Thresholds::of(s.aval().dtype).gap)?)?;
    max(&select(&near, &size, &zeros_like(&size)?)?, Some(&[-2, -1]), false)
}

/// s/s₀, and 0 where s₀ is 0.
fn relative<V: Value>(s: &V) -> Result<V> {
    let top = max(s, Some(&[-1]), true)?;
    let zero = le(&top, &zeros_like(&top)?)?;
    div(s, &select(&zero, &full_like(&top, 1.0)?, &top)?)
}

/// How far apart the last kept singular value and the first that k cuts off are, relative to the
/// largest, per matrix (…). At about 1e-10 (float64) or 1e-4 (float32) and below, k cuts through a
/// multiplet: the truncated function has a kink there, and its derivative leaves the multiplet out.
///
/// # Errors
/// `Value` unless 1 ≤ k < min(m, n).
pub fn svd_cut_gap<V: Value>(a: &V, k: usize) -> Result<V> {
    let a = parts::inexact(a)?;
    let (m, n) = parts::sizes("svd_cut_gap", &a)?;
    if k == 0 || k >= m.min(n) {
        return Err(Error::value("svd_cut_gap", format!("k must be from 1 to min(m, n) − 1 = {}, got {k}", m.min(n).saturating_sub(1))));
    }
    let t = relative(&crate::svdvals(&a)?)?;
    let axis = t.aval().rank() - 1;
    let pick = |i| tenferro_ops::slice_axis(&t, axis, i, i + 1);
    tenferro_ops::reduce_sum(&sub(&pick(k - 1)?, &pick(k)?)?, &[axis])
}
