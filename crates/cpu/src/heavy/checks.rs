//! Ops that pass a value on: some after a check of its numbers.

use tenferro_dense::{DenseError, RealScalar, Scalar};
use tenferro_graph::{Aval, Error, Prim, Result};
use tenferro_linalg::{Finite, Positive, TieCheck};

use super::factor::{Needs, as_vector, dims, plan};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View, given};

impl Routine for Positive {
    fn name(&self) -> &'static str {
        self.what
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> std::result::Result<(), Fault> {
        let w = at.values::<T::Real>(0);
        let largest = w.iter().fold(T::Real::ZERO, |max, w| max.larger(RealScalar::abs(*w)));
        let rounding = largest * T::Real::EPS * T::Real::from_f64(16.0 * w.len() as f64);
        let fits = |w: &T::Real| if self.strict { *w > T::Real::ZERO } else { *w + rounding >= T::Real::ZERO };
        match w.iter().find(|w| !fits(w)) {
            None => Ok(()),
            Some(w) if !RealScalar::finite(*w) => Err(Fault::Dense(DenseError::NonFinite)),
            Some(w) if self.strict => Err(Fault::Other(format!("needs positive eigenvalues, got {:?}", w.to_f64()))),
            Some(w) => Err(Fault::Other(format!("needs eigenvalues of at least 0, got {:?}", w.to_f64()))),
        }
    }
}

impl Routine for Finite {
    fn name(&self) -> &'static str {
        self.what
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> std::result::Result<(), Fault> {
        let x = at.get::<T>(0);
        let (m, n) = at.size(0);
        let finite = |i: usize, j: usize| RealScalar::finite(x.at(i, j).abs1());
        if (0..m).all(|i| (0..n).all(|j| finite(i, j))) { Ok(()) } else { Err(Fault::Dense(DenseError::NonFinite)) }
    }
}

impl Routine for TieCheck {
    fn name(&self) -> &'static str {
        "svd"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> std::result::Result<(), Fault> {
        let (x, t) = (at.get::<T>(0), at.values::<T::Real>(1));
        let n = t.len();
        let all = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let largest = all().fold(T::Real::ZERO, |max, (i, j)| max.larger(x.at(i, j).abs1()));
        let rounding = largest * T::Real::EPS.sqrt();
        let tied = |i: usize, j: usize| RealScalar::abs(t[i] - t[j]) <= T::Real::GAP;
        let wrong = all().find(|(i, j)| i != j && tied(*i, *j) && x.at(*i, *j).abs1() > rounding);
        let Some((i, j)) = wrong else { return Ok(()) };
        let text = format!(
            "singular values {} and {} tie, and the derivative needs to know how their vectors move against each other; \
             use degeneracy=\"lift\"",
            i.min(j),
            i.max(j)
        );
        Err(Fault::Other(text))
    }
}

/// The last input.
pub(crate) fn lower_last(_: &mut dyn Planning, prim: &Prim, args: &[View], _: &[Aval]) -> Result<Vec<View>> {
    args.last().map(|v| vec![v.clone()]).ok_or_else(|| Error::program(format!("{}: takes inputs", prim.name())))
}

pub(crate) fn lower_positive(p: &mut dyn Planning, prim: &Prim, args: &[View], _: &[Aval]) -> Result<Vec<View>> {
    let op = given::<Positive>(prim)?;
    let w = as_vector(p, &args[0])?;
    plan(p, op.clone(), vec![w], &Needs { scratch: 0, nanoseconds: 20.0, core: 1 })?;
    Ok(vec![args[0].clone()])
}

pub(crate) fn lower_finite(p: &mut dyn Planning, prim: &Prim, args: &[View], _: &[Aval]) -> Result<Vec<View>> {
    let op = given::<Finite>(prim)?;
    let (m, n) = dims(op.what, args)?;
    let nanoseconds = (m * n) as f64;
    plan(p, op.clone(), vec![args[0].clone()], &Needs { scratch: 0, nanoseconds, core: 2 })?;
    Ok(vec![args[0].clone()])
}

pub(crate) fn lower_tie_check(p: &mut dyn Planning, prim: &Prim, args: &[View], _: &[Aval]) -> Result<Vec<View>> {
    let op = given::<TieCheck>(prim)?;
    if op.of_cotangent {
        return Ok(vec![args[0].clone()]);
    }
    let t = as_vector(p, &args[1])?;
    plan(p, op.clone(), vec![args[0].clone(), t], &Needs { scratch: 0, nanoseconds: 500.0, core: 2 })?;
    Ok(vec![args[0].clone()])
}
