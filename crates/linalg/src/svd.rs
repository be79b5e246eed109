//! Thin SVD, and its values alone.

use tenferro_graph::{Aval, Dim, Encoder, Guards, Narrowed, Prim, Primitive, Result, Rule, Use, Val};
use tenferro_ops::RuleExt;

use crate::matrix::{Matrix, batch_one};
use crate::rule::{Triplets, tangents, values_tangent};
use crate::trunc::SvdTrunc;

/// Thin singular value decomposition, a = u·diag(s)·vh with k = min(m, n).
///
/// Input (…, m, n), floating or complex; outputs u (…, m, k), s (…, k) real and
/// descending, vh (…, k, n). At exact ties the derivative is exact for functions
/// whose U\*Ū and V\*V̄ are diagonal inside each cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Svd {
    /// Whether a program that reads only leading triplets may compute only these.
    pub narrow: bool,
}

/// Singular values alone: (…, m, n) to real (…, min(m, n)), descending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SvdVals;

impl Primitive for Svd {
    fn name(&self) -> &'static str {
        "svd"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::of("svd", x)?;
        let k = a.min("svd")?;
        let dtype = x[0].dtype;
        Ok(vec![Aval::new(dtype, a.shape(&[&a.m, &k])), Aval::new(dtype.real(), a.shape(&[&k])), Aval::new(dtype, a.shape(&[&k, &a.n]))])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].filter(|_| r.b.aval(r.outputs[1]).shape.last() != Some(&Dim::Const(0))) else {
            return Ok(vec![None; 3]);
        };
        let f = Triplets { a: r.x(0), u: r.y(0), s: r.y(1), vh: r.y(2), extra: None };
        Ok(tangents(&f, r.expr(da)).map(Some).to_vec())
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn narrow(&self, uses: &[Use], inputs: &[Aval]) -> Option<Narrowed> {
        let [a] = inputs else { return None };
        if !self.narrow || uses.len() != 3 {
            return None;
        }
        if uses == [Use::Dead, Use::Whole, Use::Dead] {
            return Some(Narrowed { prim: Prim::new(SvdVals), outputs: vec![None, Some(0), None] });
        }
        let r = a.rank().checked_sub(2)?;
        let q = a.shape[r].as_const()?.min(a.shape[r + 1].as_const()?);
        let k = common_k(uses, [r + 1, r, r])?;
        let cut = SvdTrunc { k, extra: SvdTrunc::extra_for(k, q) };
        (k >= 1 && k < q).then(|| Narrowed { prim: Prim::new(cut), outputs: vec![Some(0), Some(1), Some(2)] })
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.narrow);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("narrow", self.narrow.to_string())]
    }
}

/// The one k to which all outputs that are read are cut along `axes`.
fn common_k(uses: &[Use], axes: [usize; 3]) -> Option<usize> {
    let mut common = None;
    for (used, want) in uses.iter().zip(axes) {
        match used {
            Use::Dead => {}
            Use::Leading { axis, k } if *axis == want && common.is_none_or(|c| c == *k) => {
                common = Some(*k);
            }
            _ => return None,
        }
    }
    common
}

impl Primitive for SvdVals {
    fn name(&self) -> &'static str {
        "svdvals"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::of("svdvals", x)?;
        let k = a.min("svdvals")?;
        Ok(vec![Aval::new(x[0].dtype.real(), a.shape(&[&k]))])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0] else {
            return Ok(vec![None]);
        };
        let f = r.b.emit(Prim::new(Svd { narrow: true }), r.inputs)?;
        Ok(vec![Some(values_tangent(r.expr(f[0]), r.expr(f[2]), r.expr(da)).val())])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }
}
