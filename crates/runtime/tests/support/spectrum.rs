//! A multi-output op that narrows, like a factorization: of a vector a the outputs
//! p = a² and q = a³.

use tenferro_graph::{Aval, Encoder, Error, Guards, Narrowed, Prim, Primitive, Result, Rule, Tensor, Use, Val};
use tenferro_ops::RuleExt;

use super::{data, tensor};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spectrum;

/// The first k of p and q, and k extra numbers (3a²) that its derivative reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpectrumTop {
    pub k: usize,
}

impl Primitive for Spectrum {
    fn name(&self) -> &'static str {
        "spectrum"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(vec![x[0].clone(), x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(t) = t[0].map(|t| r.expr(t)) else { return Ok(vec![None; 2]) };
        Ok(vec![Some((r.x(0) * t * 2.0).val()), Some((r.y(0) * t * 3.0).val())])
    }

    fn narrow(&self, uses: &[Use], _: &[Aval]) -> Option<Narrowed> {
        let mut common = None;
        for used in uses {
            match used {
                Use::Dead => {}
                Use::Leading { axis: 0, k } if common.is_none_or(|c| c == *k) => common = Some(*k),
                _ => return None,
            }
        }
        let prim = SpectrumTop { k: common? }.into();
        Some(Narrowed { prim, outputs: vec![Some(0), Some(1)] })
    }
}

impl Primitive for SpectrumTop {
    fn name(&self) -> &'static str {
        "spectrum_top"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        if x[0].shape[0].as_const().is_none_or(|n| n < self.k) {
            return Err(Error::shape("spectrum_top", "too few elements"));
        }
        Ok(vec![Aval::new(x[0].dtype, [self.k]); 3])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(t) = t[0].map(|t| r.expr(t)) else { return Ok(vec![None; 3]) };
        let top = |e| tenferro_ops::slice_axis(&e, 0, 0, self.k);
        let (a, t) = (top(r.x(0))?, top(t)?);
        Ok(vec![Some((a * t * 2.0).val()), Some((r.y(2) * t).val()), Some((a * t * 6.0).val())])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.k);
    }
}

pub fn kernel(prim: &Prim, x: &[&Tensor]) -> Option<Result<Vec<Tensor>>> {
    let map = |n: usize, f: fn(f64) -> f64| tensor(&[n], &data(x[0])[..n].iter().map(|x| f(*x)).collect::<Vec<_>>());
    if prim.is::<Spectrum>() {
        let n = x[0].size();
        return Some(Ok(vec![map(n, |x| x * x), map(n, |x| x * x * x)]));
    }
    let k = prim.downcast::<SpectrumTop>()?.k;
    Some(Ok(vec![map(k, |x| x * x), map(k, |x| x * x * x), map(k, |x| 3.0 * x * x)]))
}
