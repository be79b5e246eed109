//! The SVD family.

use tenferro_dense::{
    RealScalar, Scalar, svd, svd_full, svd_full_scratch, svd_scratch, svd_solve, svd_solve_scratch, svd_trunc, svd_trunc_scratch,
};
use tenferro_graph::{Aval, Prim, Result};
use tenferro_linalg::{Lift, SvdTies, SvdTrunc};

use super::factor::{Needs, as_vector, bytes_of, dims, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View, given};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Thin,
    Lifted(Lift),
    Full,
    Values,
    Trunc { k: usize, extra: usize },
    Solve { k: usize, extra: usize },
}

impl Routine for Kind {
    fn name(&self) -> &'static str {
        match self {
            Self::Thin | Self::Lifted(_) | Self::Full => "svd",
            Self::Values => "svdvals",
            Self::Trunc { .. } => "svd_trunc",
            Self::Solve { .. } => "svd_solve",
        }
    }

    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> std::result::Result<(), Fault> {
        match *self {
            Self::Thin => svd(at.get::<T>(0), Some(at.set(1)), at.values_mut(2), Some(at.set(3)), true, scratch)?,
            Self::Lifted(gap) => {
                svd(at.get::<T>(0), Some(at.set(1)), at.values_mut(2), Some(at.set(3)), true, scratch)?;
                lift(at.values_mut::<T::Real>(2), T::Real::from_f64(gap.eps()));
            }
            Self::Full => svd_full(at.get::<T>(0), at.set(1), at.values_mut(2), at.set(3), true, scratch)?,
            Self::Values => svd(at.get::<T>(0), None, at.values_mut(1), None, true, scratch)?,
            Self::Trunc { k, extra } => {
                let kept = (at.set(1), at.values_mut(2), at.set(3));
                let more = (at.set(4), at.values_mut(5), at.set(6));
                svd_trunc(at.get::<T>(0), k, extra, kept.0, kept.1, kept.2, more.0, more.1, more.2, true, scratch).map(drop)?;
            }
            Self::Solve { .. } => {
                let kept = (at.get(1), at.values(2), at.get(3));
                let more = (at.get(4), at.values(5), at.get(6));
                let (a, right, x) = (at.get::<T>(0), [at.get(7), at.get(8)], (at.set(9), at.set(10)));
                svd_solve(a, kept.0, kept.1, kept.2, more.0, more.1, more.2, right[0], right[1], x.0, x.1, scratch).map(drop)?;
            }
        }
        Ok(())
    }
}

/// Gaps of eps times the largest value, from the smallest up.
fn lift<R: RealScalar>(s: &mut [R], eps: R) {
    let Some(gap) = s.first().map(|top| *top * eps) else { return };
    let mut floor = gap;
    for s in s.iter_mut().rev() {
        *s = s.larger(floor);
        floor = *s + gap;
    }
}

/// Scratch, and nanoseconds from 256² matrices.
fn needs(kind: Kind, a: &View, m: usize, n: usize) -> Needs {
    let scratch = match kind {
        Kind::Thin | Kind::Lifted(_) | Kind::Values => bytes_of!(a.dtype, T => svd_scratch::<T>(m, n)),
        Kind::Full => bytes_of!(a.dtype, T => svd_full_scratch::<T>(m, n)),
        Kind::Trunc { k, extra } => bytes_of!(a.dtype, T => svd_trunc_scratch::<T>(m, n, k, extra)),
        Kind::Solve { k, extra } => bytes_of!(a.dtype, T => svd_solve_scratch::<T>(m, n, k, extra)),
    };
    let (long, short) = (m.max(n) as f64, m.min(n) as f64);
    let nanoseconds = match kind {
        Kind::Thin | Kind::Lifted(_) => 0.6 * long * short * short,
        Kind::Full => 0.6 * long * short * short + 0.2 * long * long * (long - short),
        Kind::Values => 0.25 * long * short * short,
        Kind::Trunc { k, .. } => (0.6 * long * short * short).min(1.2 * long * short * k as f64 + 0.06 * long * short * short),
        Kind::Solve { k, .. } => 0.9 * long * short * k as f64,
    };
    Needs { scratch, nanoseconds: 1_000.0 + nanoseconds, core: 2 }
}

fn lower(p: &mut dyn Planning, kind: Kind, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (m, n) = dims(kind.name(), args)?;
    let solve = matches!(kind, Kind::Solve { .. });
    let mut operands = Vec::with_capacity(args.len() + outs.len());
    for (i, v) in args.iter().enumerate() {
        operands.push(if solve && (i == 2 || i == 5) { as_vector(p, v)? } else { v.clone() });
    }
    let mut results = Vec::with_capacity(outs.len());
    for (i, aval) in outs.iter().enumerate() {
        // Triplets come as u, s, vh; solutions are all left.
        results.push(result(p, aval, kind != Kind::Values && (solve || i % 3 == 0))?);
    }
    operands.extend(results.iter().cloned());
    plan(p, kind, operands, &needs(kind, &args[0], m, n))?;
    Ok(results)
}

pub(crate) fn lower_svd(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    lower(p, Kind::Thin, args, outs)
}

pub(crate) fn lower_svd_ties(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let kind = match prim.downcast() {
        Some(SvdTies::Lift(lift)) => Kind::Lifted(*lift),
        _ => Kind::Thin,
    };
    lower(p, kind, args, outs)
}

pub(crate) fn lower_svd_full(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    lower(p, Kind::Full, args, outs)
}

pub(crate) fn lower_svdvals(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    lower(p, Kind::Values, args, outs)
}

pub(crate) fn lower_svd_trunc(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let t = given::<SvdTrunc>(prim)?;
    lower(p, Kind::Trunc { k: t.k, extra: t.extra }, args, outs)
}

pub(crate) fn lower_svd_solve(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let last = |v: &View| v.shape.last().copied().unwrap_or(0);
    lower(p, Kind::Solve { k: last(&args[2]), extra: last(&args[5]) }, args, outs)
}
