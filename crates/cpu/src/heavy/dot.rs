//! `dot_general` as matrix products over batches.

use tenferro_dense::{MatMut, MatRef, Scalar, gemm};
use tenferro_graph::tensor::{Dims, Strides, c_strides};
use tenferro_graph::{Aval, Complex32, Complex64, DType, Error, Prim, Result};
use tenferro_ops::DotGeneral;

use super::batches;
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, sizes};

/// A product from this many multiply-adds on is cut into panels for the threads;
/// where the cuts are depends on the shape only.
const PANELS: usize = 4_000_000;

#[derive(Debug)]
struct DotStep {
    dtype: DType,
    m: usize,
    k: usize,
    n: usize,
    lhs: Matrix,
    rhs: Matrix,
    out: Place,
    /// Per batch, element offsets of lhs and rhs; the output is dense.
    batches: Vec<(isize, isize)>,
    panels: usize,
}

#[derive(Clone, Copy, Debug)]
struct Matrix {
    place: Place,
    rows: isize,
    cols: isize,
}

impl DotStep {
    /// Rows `r` of the product of batch `b`.
    fn product<T: Scalar>(&self, c: &Context<'_>, b: usize, r: std::ops::Range<usize>) {
        let (l, rhs) = self.batches[b];
        let lhs = c.memory.at(self.lhs.place).cast::<T>().wrapping_offset(l + r.start as isize * self.lhs.rows);
        let right = c.memory.at(self.rhs.place).cast::<T>().wrapping_offset(rhs);
        let out = c.memory.at(self.out).cast::<T>().wrapping_add((b * self.m + r.start) * self.n);
        let rows = r.len();
        // SAFETY: the planner's strides stay inside the operands; the output rows are this call's alone.
        unsafe {
            gemm(
                MatMut::from_raw_parts(out, rows, self.n, self.n as isize, 1),
                MatRef::from_raw_parts(lhs, rows, self.k, self.lhs.rows, self.lhs.cols),
                false,
                MatRef::from_raw_parts(right, self.k, self.n, self.rhs.rows, self.rhs.cols),
                false,
                false,
            );
        }
    }

    fn integers(&self, c: &Context<'_>, b: usize, r: std::ops::Range<usize>) {
        let (l, rhs) = self.batches[b];
        let lhs = c.memory.at(self.lhs.place).cast::<i64>().wrapping_offset(l);
        let right = c.memory.at(self.rhs.place).cast::<i64>().wrapping_offset(rhs);
        let out = c.memory.at(self.out).cast::<i64>().wrapping_add(b * self.m * self.n);
        for i in r {
            for j in 0..self.n {
                let term = |k: usize| {
                    let (i, j, k) = (i as isize, j as isize, k as isize);
                    // SAFETY: as for `product`.
                    unsafe {
                        let x = lhs.wrapping_offset(i * self.lhs.rows + k * self.lhs.cols).read();
                        x.wrapping_mul(right.wrapping_offset(k * self.rhs.rows + j * self.rhs.cols).read())
                    }
                };
                let sum = (0..self.k).fold(0_i64, |s, k| s.wrapping_add(term(k)));
                // SAFETY: as above.
                unsafe { out.wrapping_add(i * self.n + j).write(sum) };
            }
        }
    }

    fn part(&self, c: &Context<'_>, i: usize) {
        let (b, panel) = (i / self.panels, i % self.panels);
        let height = self.m.div_ceil(self.panels);
        let rows = panel * height..((panel + 1) * height).min(self.m);
        if rows.is_empty() {
            return;
        }
        match self.dtype {
            DType::F32 => self.product::<f32>(c, b, rows),
            DType::F64 => self.product::<f64>(c, b, rows),
            DType::C64 => self.product::<Complex32>(c, b, rows),
            DType::C128 => self.product::<Complex64>(c, b, rows),
            DType::I64 | DType::Bool => self.integers(c, b, rows),
        }
    }
}

impl Step for DotStep {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let parts = self.batches.len() * self.panels;
        if c.team.threads() > 1 && parts > 1 && self.cost() > 40_000.0 {
            // Batches are claimed in runs, so that a claim is worth its price.
            let run = parts.div_ceil(64);
            return c.team.run(parts.div_ceil(run), &|i| (i * run..((i + 1) * run).min(parts)).for_each(|p| self.part(c, p)));
        }
        for i in 0..parts {
            self.part(c, i);
            if i % 256 == 0 {
                c.stop.poll()?;
            }
        }
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.lhs.place);
        f(&mut self.rhs.place);
        f(&mut self.out);
    }

    fn cost(&self) -> f64 {
        let complex = if self.dtype.is_complex() { 4.0 } else { 1.0 };
        self.batches.len() as f64 * (40.0 + complex * (self.m * self.n * self.k) as f64 * 0.05)
    }
}

/// Several axes as one: length and stride; `None` if they do not join.
fn joined(v: &View, axes: &[usize]) -> Option<(usize, isize)> {
    let mut out: Option<(usize, isize)> = None;
    for a in axes.iter().filter(|a| v.shape[**a] != 1) {
        let (n, s) = (v.shape[*a], v.strides[*a]);
        out = Some(match out {
            None => (n, s),
            Some((m, t)) if t == s * n as isize => (m * n, s),
            Some(_) => return None,
        });
    }
    Some(out.unwrap_or((axes.iter().map(|a| v.shape[*a]).product(), 1)))
}

/// The operand with axes (batch, first, second), and as a matrix; copied only if
/// strides cannot express it.
fn matrix(p: &mut dyn Planning, v: &View, batch: &[usize], first: &[usize], second: &[usize]) -> Result<(View, Matrix)> {
    let axes: Vec<usize> = batch.iter().chain(first).chain(second).copied().collect();
    let permuted = v.permuted(&axes);
    let (b, f) = (batch.len(), first.len());
    let parts = |v: &View| {
        let rows: Vec<usize> = (b..b + f).collect();
        let cols: Vec<usize> = (b + f..axes.len()).collect();
        Some((joined(v, &rows)?, joined(v, &cols)?))
    };
    let empty = v.size() == 0;
    if let Some(((_, rows), (_, cols))) = parts(&permuted).filter(|_| !empty) {
        return Ok((permuted.clone(), Matrix { place: permuted.place, rows, cols }));
    }
    let packed = if empty { permuted } else { p.packed(&permuted)? };
    let ((_, rows), (_, cols)) = parts(&packed).unwrap_or(((0, 1), (0, 1)));
    Ok((packed.clone(), Matrix { place: packed.place, rows, cols }))
}

/// The order of contracted pairs in which most operands need no copy.
fn pair_order(d: &DotGeneral, l: &View, r: &View) -> (Vec<usize>, Vec<usize>) {
    let pairs: Vec<(usize, usize)> = d.lhs_contract.iter().copied().zip(d.rhs_contract.iter().copied()).collect();
    let mut orders = [pairs.clone(), pairs.clone(), pairs];
    orders[1].sort_by_key(|(a, _)| std::cmp::Reverse(l.strides[*a]));
    orders[2].sort_by_key(|(_, b)| std::cmp::Reverse(r.strides[*b]));
    let copies = |o: &[(usize, usize)]| {
        let (a, b): (Vec<usize>, Vec<usize>) = o.iter().copied().unzip();
        usize::from(joined(l, &a).is_none()) * l.size() + usize::from(joined(r, &b).is_none()) * r.size()
    };
    let [a, b, c] = orders;
    let best = [a, b, c].into_iter().min_by_key(|o| copies(o)).unwrap_or_default();
    best.into_iter().unzip()
}

pub(crate) fn lower_dot(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let d: &DotGeneral = prim.downcast().ok_or_else(|| Error::program("dot_general: lowered another op"))?;
    let (l, r) = (&args[0], &args[1]);
    let free = |v: &View, batch: &[usize], contract: &[usize]| -> Vec<usize> {
        (0..v.rank()).filter(|a| !batch.contains(a) && !contract.contains(a)).collect()
    };
    let (lf, rf) = (free(l, &d.lhs_batch, &d.lhs_contract), free(r, &d.rhs_batch, &d.rhs_contract));
    let (lc, rc) = pair_order(d, l, r);
    let (left, lhs) = matrix(p, l, &d.lhs_batch, &lf, &lc)?;
    let (right, rhs) = matrix(p, r, &d.rhs_batch, &rc, &rf)?;
    let size = |v: &View, axes: &[usize]| axes.iter().map(|a| v.shape[*a]).product::<usize>();
    let (m, k, n) = (size(l, &lf), size(l, &lc), size(r, &rf));
    let shape = sizes(&outs[0])?;
    let strides: Strides = c_strides(&shape);
    let out = p.temporary(l.dtype, &shape, &strides);
    let batch_shape: Dims = d.lhs_batch.iter().map(|a| l.shape[*a]).collect();
    let offsets = batches(&batch_shape, &[&left, &right]);
    let panels = if m * n * k >= PANELS { m.div_ceil(64).min(8) } else { 1 };
    if out.size() > 0 {
        let batches = offsets.into_iter().map(|o| (o[0], o[1])).collect();
        p.push(Box::new(DotStep { dtype: l.dtype, m, k, n, lhs, rhs, out: out.place, batches, panels }));
    }
    Ok(vec![out])
}
