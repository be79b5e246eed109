//! The SVD family over leading axes.

use tenferro_dense::{
    DenseError, MatMut, MatRef, Scalar, svd, svd_scratch, svd_solve, svd_solve_scratch, svd_trunc, svd_trunc_scratch,
};
use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{Aval, Complex32, Complex64, DType, Error, Prim, Result};
use tenferro_linalg::SvdTrunc;

use super::batches;
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, sizes};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svd,
    Values,
    Trunc,
    Solve,
}

#[derive(Debug)]
struct FactorStep {
    kind: Kind,
    dtype: DType,
    /// Inputs and then outputs; all have the same leading axes.
    operands: Vec<View>,
    batches: Vec<Vec<isize>>,
    scratch: Place,
    scratch_bytes: usize,
    k: usize,
    extra: usize,
}

/// An operand's last two axes in batch `b`.
struct At<'a> {
    step: &'a FactorStep,
    c: &'a Context<'a>,
    batch: usize,
}

impl At<'_> {
    fn ptr<T>(&self, i: usize) -> *mut T {
        self.c.memory.at(self.step.operands[i].place).cast::<T>().wrapping_offset(self.step.batches[self.batch][i])
    }

    fn matrix(&self, i: usize) -> (usize, usize, isize, isize) {
        let v = &self.step.operands[i];
        let r = v.rank();
        (v.shape[r - 2], v.shape[r - 1], v.strides[r - 2], v.strides[r - 1])
    }

    fn get<T: Scalar>(&self, i: usize) -> MatRef<'_, T> {
        let (m, n, rs, cs) = self.matrix(i);
        // SAFETY: the view lies in live memory of its dtype.
        unsafe { MatRef::from_raw_parts(self.ptr(i), m, n, rs, cs) }
    }

    fn set<T: Scalar>(&self, i: usize) -> MatMut<'_, T> {
        let (m, n, rs, cs) = self.matrix(i);
        // SAFETY: as above, and outputs are this step's alone.
        unsafe { MatMut::from_raw_parts(self.ptr(i), m, n, rs, cs) }
    }

    /// A dense vector of reals.
    fn reals<R>(&self, i: usize) -> &'_ [R] {
        let v = &self.step.operands[i];
        // SAFETY: vectors of values are planned dense along the last axis.
        unsafe { std::slice::from_raw_parts(self.ptr(i), v.shape[v.rank() - 1]) }
    }

    #[allow(clippy::mut_from_ref)]
    fn reals_mut<R>(&self, i: usize) -> &'_ mut [R] {
        let v = &self.step.operands[i];
        // SAFETY: as above, and outputs are this step's alone.
        unsafe { std::slice::from_raw_parts_mut(self.ptr(i), v.shape[v.rank() - 1]) }
    }
}

impl FactorStep {
    fn one<T: Scalar>(&self, c: &Context<'_>, batch: usize) -> std::result::Result<(), DenseError> {
        let at = At { step: self, c, batch };
        // SAFETY: the scratch is this step's alone while it runs.
        let scratch = unsafe { std::slice::from_raw_parts_mut(c.memory.at(self.scratch), self.scratch_bytes) };
        match self.kind {
            Kind::Svd => svd(at.get::<T>(0), Some(at.set(1)), at.reals_mut(2), Some(at.set(3)), true, scratch),
            Kind::Values => svd(at.get::<T>(0), None, at.reals_mut(1), None, true, scratch),
            Kind::Trunc => svd_trunc(
                at.get::<T>(0), self.k, self.extra, at.set(1), at.reals_mut(2), at.set(3), at.set(4), at.reals_mut(5), at.set(6), true, scratch,
            )
            .map(drop),
            Kind::Solve => svd_solve(
                at.get::<T>(0), at.get(1), at.reals(2), at.get(3), at.get(4), at.reals(5), at.get(6), at.get(7), at.get(8), at.set(9), at.set(10), scratch,
            )
            .map(drop),
        }
    }

    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Svd => "svd",
            Kind::Values => "svdvals",
            Kind::Trunc => "svd_trunc",
            Kind::Solve => "svd_solve",
        }
    }
}

impl Step for FactorStep {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        for b in 0..self.batches.len() {
            c.stop.poll()?;
            let done = match self.dtype {
                DType::F32 => self.one::<f32>(c, b),
                DType::F64 => self.one::<f64>(c, b),
                DType::C64 => self.one::<Complex32>(c, b),
                _ => self.one::<Complex64>(c, b),
            };
            done.map_err(|e| {
                let place = if self.batches.len() > 1 { format!(" (batch index {b})") } else { String::new() };
                Error::linalg(self.name(), format!("{e}{place}"))
            })?;
        }
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.operands.iter_mut().for_each(|v| f(&mut v.place));
        f(&mut self.scratch);
    }

    fn cost(&self) -> f64 {
        let v = &self.operands[0];
        let (m, n) = (v.shape[v.rank() - 2] as f64, v.shape[v.rank() - 1] as f64);
        let one = if self.kind == Kind::Svd || self.kind == Kind::Values { m.max(n) * m.min(n).powi(2) } else { m * n * self.k as f64 * 8.0 };
        self.batches.len() as f64 * one
    }
}

fn scratch_bytes(kind: Kind, dtype: DType, m: usize, n: usize, k: usize, extra: usize) -> usize {
    fn of<T: Scalar>(kind: Kind, m: usize, n: usize, k: usize, extra: usize) -> usize {
        match kind {
            Kind::Svd | Kind::Values => svd_scratch::<T>(m, n),
            Kind::Trunc => svd_trunc_scratch::<T>(m, n, k, extra),
            Kind::Solve => svd_solve_scratch::<T>(m, n, k, extra),
        }
    }
    match dtype {
        DType::F32 => of::<f32>(kind, m, n, k, extra),
        DType::F64 => of::<f64>(kind, m, n, k, extra),
        DType::C64 => of::<Complex32>(kind, m, n, k, extra),
        _ => of::<Complex64>(kind, m, n, k, extra),
    }
}

/// Column-major in the last two axes: what factorizations write fastest.
fn column_major(shape: &[usize]) -> Strides {
    let mut strides = c_strides(shape);
    let r = shape.len();
    strides[r - 2] = 1;
    strides[r - 1] = shape[r - 2].max(1) as isize;
    strides
}

fn lower(p: &mut dyn Planning, kind: Kind, args: &[View], outs: &[Aval], k: usize, extra: usize) -> Result<Vec<View>> {
    let a = &args[0];
    let r = a.rank();
    let (m, n) = (a.shape[r - 2], a.shape[r - 1]);
    let mut operands = Vec::with_capacity(args.len() + outs.len());
    for (i, v) in args.iter().enumerate() {
        // Vectors of values must be dense along their last axis.
        let vector = kind == Kind::Solve && (i == 2 || i == 5);
        operands.push(if vector && v.strides[v.rank() - 1] != 1 { p.packed(v)? } else { v.clone() });
    }
    let mut results = Vec::with_capacity(outs.len());
    for aval in outs {
        let shape = sizes(aval)?;
        let left = shape.len() == r && shape[r - 2] == m;
        let strides = if left { column_major(&shape) } else { c_strides(&shape) };
        results.push(p.temporary(aval.dtype, &shape, &strides));
    }
    operands.extend(results.iter().cloned());
    let scratch_bytes = scratch_bytes(kind, a.dtype, m, n, k, extra);
    let scratch = p.scratch(scratch_bytes);
    let batches = batches(&a.shape[..r - 2], &operands.iter().collect::<Vec<_>>());
    p.push(Box::new(FactorStep { kind, dtype: a.dtype, operands, batches, scratch, scratch_bytes, k, extra }));
    Ok(results)
}

pub(crate) fn lower_svd(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    lower(p, Kind::Svd, args, outs, 0, 0)
}

pub(crate) fn lower_svdvals(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    lower(p, Kind::Values, args, outs, 0, 0)
}

pub(crate) fn lower_svd_trunc(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let t: &SvdTrunc = prim.downcast().ok_or_else(|| Error::program("svd_trunc: lowered another op"))?;
    lower(p, Kind::Trunc, args, outs, t.k, t.extra)
}

pub(crate) fn lower_solve(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let last = |v: &View| v.shape[v.rank() - 1];
    lower(p, Kind::Solve, args, outs, last(&args[2]), last(&args[5]))
}
