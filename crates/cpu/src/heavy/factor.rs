//! The SVD family over leading axes: what is planned.

use tenferro_dense::{Scalar, svd_scratch, svd_solve_scratch, svd_trunc_scratch};
use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{Aval, Complex32, Complex64, DType, Error, Prim, Result};
use tenferro_linalg::SvdTrunc;

use super::SHARED;
use super::leading::Leading;
use super::matrices::{Factor, Kind};
use crate::step::{Planning, View, sizes};

/// Matrices that are factored at the same time at most, and the scratch that they may take together.
const LANES: usize = 16;
const SCRATCH: usize = 256 << 20;

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

/// Column-major in the last two axes: how factorizations write left vectors fastest.
fn column_major(shape: &[usize]) -> Strides {
    let mut strides = c_strides(shape);
    if let [.., rows, cols] = strides.as_mut_slice() {
        (*rows, *cols) = (1, shape[shape.len() - 2].max(1) as isize);
    }
    strides
}

/// Nanoseconds of one matrix on one thread, from 256² matrices of either kind.
fn nanoseconds(kind: Kind, dtype: DType, m: usize, n: usize, k: usize) -> f64 {
    let (long, short) = (m.max(n) as f64, m.min(n) as f64);
    let each = match kind {
        Kind::Svd => 0.6 * long * short * short,
        Kind::Values => 0.25 * long * short * short,
        Kind::Trunc => (0.6 * long * short * short).min(1.2 * long * short * k as f64 + 0.06 * long * short * short),
        Kind::Solve => 0.9 * long * short * k as f64,
    };
    let by = match dtype {
        DType::F32 => 0.6,
        DType::F64 => 1.0,
        DType::C64 => 2.0,
        _ => 3.5,
    };
    2_000.0 + by * each
}

/// Matrices that may be factored at the same time: not so many that scratch grows beyond reason.
fn lanes(count: usize, cost: f64, bytes: usize) -> usize {
    if cost < SHARED {
        return 1;
    }
    let room = SCRATCH / bytes.max(1);
    count.min(LANES).min(room).max(1)
}

fn lower(p: &mut dyn Planning, kind: Kind, args: &[View], outs: &[Aval], k: usize, extra: usize) -> Result<Vec<View>> {
    let a = &args[0];
    let Some(r) = a.rank().checked_sub(2) else {
        return Err(Error::program(format!("{}: the input is no matrix", kind.name())));
    };
    let (m, n) = (a.shape[r], a.shape[r + 1]);
    let mut operands = Vec::with_capacity(args.len() + outs.len());
    for (i, v) in args.iter().enumerate() {
        // Singular values are read as a slice.
        let values = kind == Kind::Solve && (i == 2 || i == 5);
        operands.push(if values && v.strides[r] != 1 { p.packed(v)? } else { v.clone() });
    }
    let mut results = Vec::with_capacity(outs.len());
    for (i, aval) in outs.iter().enumerate() {
        let shape = sizes(aval)?;
        let left = kind == Kind::Solve || i % 3 == 0;
        let strides = if left && shape.len() == r + 2 { column_major(&shape) } else { c_strides(&shape) };
        results.push(p.temporary(aval.dtype, &shape, &strides));
    }
    operands.extend(results.iter().cloned());
    let leading = Leading::new(&a.shape[..r], &operands.iter().collect::<Vec<_>>());
    if leading.count() == 0 {
        return Ok(results);
    }
    let one = scratch_bytes(kind, a.dtype, m, n, k, extra).saturating_add(63) / 64 * 64;
    if one > isize::MAX as usize / LANES / 4 {
        return Err(Error::value(kind.name(), format!("a {m}×{n} matrix is too large for the address space")));
    }
    let cost = leading.count() as f64 * nanoseconds(kind, a.dtype, m, n, k);
    let lanes = lanes(leading.count(), cost, one);
    let scratch = p.scratch(one * lanes);
    p.push(Box::new(Factor { kind, dtype: a.dtype, operands, leading, scratch, scratch_bytes: one, lanes, k, extra, cost }));
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
    let last = |v: &View| v.shape.last().copied().unwrap_or(0);
    lower(p, Kind::Solve, args, outs, last(&args[2]), last(&args[5]))
}
