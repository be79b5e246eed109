//! SVD truncated to the k largest triplets.

use tenferro_graph::{Aval, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Val};
use tenferro_ops::RuleExt;

use crate::matrix::{Matrix, batch_one};
use crate::rule::{Ties, Triplets, tangents};

/// The k largest singular triplets of (…, m, n), and the next `extra` ones.
///
/// Outputs u (…, m, k), s (…, k) real, vh (…, k, n), then the same of the extra
/// triplets, which may be approximate: they precondition [`crate::SvdSolve`] and
/// have no derivative. 1 ≤ k, k + extra ≤ min(m, n).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SvdTrunc {
    pub k: usize,
    pub extra: usize,
}

/// Extra triplets where there are so many.
const EXTRA: usize = 16;

impl SvdTrunc {
    /// How many extra triplets to ask for when k of q are kept.
    pub fn extra_for(k: usize, q: usize) -> usize {
        EXTRA.min(q.saturating_sub(k))
    }

    fn check(&self, a: &Matrix, g: &mut Guards) -> Result<()> {
        let total = Dim::Const(self.k.saturating_add(self.extra));
        if self.k == 0 || !g.at_least(&a.m, &Dim::Const(self.k)) || !g.at_least(&a.n, &Dim::Const(self.k)) {
            return Err(Error::value("svd_trunc", format!("k must be from 1 to min(m, n) = min({}, {}), got {}", a.m, a.n, self.k)));
        }
        if !g.at_least(&a.m, &total) || !g.at_least(&a.n, &total) {
            return Err(Error::value("svd_trunc", format!("k + extra = {total} exceeds min(m, n) = min({}, {})", a.m, a.n)));
        }
        Ok(())
    }
}

impl Primitive for SvdTrunc {
    fn name(&self) -> &'static str {
        "svd_trunc"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::of("svd_trunc", x)?;
        self.check(&a, g)?;
        let dtype = x[0].dtype;
        let triplets = |k: Dim| {
            [Aval::new(dtype, a.shape(&[&a.m, &k])), Aval::new(dtype.real(), a.shape(&[&k])), Aval::new(dtype, a.shape(&[&k, &a.n]))]
        };
        Ok([triplets(Dim::Const(self.k)), triplets(Dim::Const(self.extra))].concat())
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let mut out = vec![None; 6];
        if let Some(da) = t[0] {
            let extra = Some([r.y(3), r.y(4), r.y(5)]);
            let f = Triplets { a: r.x(0), u: r.y(0), s: r.y(1), vh: r.y(2), extra, ties: Ties::Masked };
            out[..3].copy_from_slice(&tangents(&f, r.expr(da)).map(Some));
        }
        Ok(out)
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.k);
        w.usize(self.extra);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("k", self.k.to_string()), ("extra", self.extra.to_string())]
    }
}
