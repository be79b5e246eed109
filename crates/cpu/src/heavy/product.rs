//! Matrix products over a batch, cut for the threads.

use std::ops::Range;

use tenferro_dense::{MatMut, MatRef, Scalar, gemm};
use tenferro_graph::{Complex32, Complex64, DType, Result};

use super::inner::{inner, pays};
use super::leading::Leading;
use super::{CHUNK, SHARED};
use crate::block::{Int, with_integer};
use crate::memory::Place;
use crate::step::{Context, Step};

/// A product of this many multiply-adds is cut into panels for the threads.
const PANELS: usize = 4_000_000;
/// Panels have at least this many rows or columns …
const THIN: usize = 64;
/// … and not many more multiply-adds than this, so that a run can be stopped between them.
const LONG: usize = 200_000_000;
/// Panels, or matrices of a batch, per thread: the last ones even out who is late.
const EACH: usize = 2;

/// An operand as a matrix, strides in elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub place: Place,
    pub rows: isize,
    pub cols: isize,
}

impl Matrix {
    pub fn transposed(self) -> Self {
        Self { place: self.place, rows: self.cols, cols: self.rows }
    }
}

/// m×n products of m×k and k×n matrices, dense in C order.
#[derive(Debug)]
pub(super) struct Product {
    pub dtype: DType,
    pub m: usize,
    pub k: usize,
    pub n: usize,
    pub lhs: Matrix,
    pub rhs: Matrix,
    pub out: Place,
    /// Of lhs and rhs.
    pub leading: Leading,
}

/// Rows and columns of one product.
type Panel = (Range<usize>, Range<usize>);

impl Product {
    /// Multiply-adds of one product.
    fn work(&self) -> usize {
        self.m.saturating_mul(self.n).saturating_mul(self.k)
    }

    /// Panels of one product, as few as keep the threads busy: each packs its operands anew. Their
    /// number changes no bit, since the sums over k are cut by k alone.
    fn panels(&self, threads: usize) -> usize {
        let work = self.work();
        let shared = if threads == 1 || work < PANELS { 1 } else { (EACH * threads).div_ceil(self.leading.count()) };
        let wanted = shared.max(work / LONG);
        wanted.min(self.m.max(self.n) / THIN).max(1)
    }

    fn panel(&self, i: usize, panels: usize) -> Panel {
        let long = self.m.max(self.n);
        // Whole multiples of the kernels' register tiles.
        let step = long.div_ceil(panels).next_multiple_of(8);
        let part = (i * step).min(long)..((i + 1) * step).min(long);
        if self.m >= self.n { (part, 0..self.n) } else { (0..self.m, part) }
    }

    fn part(&self, c: &Context<'_>, b: usize, panel: Panel) {
        match self.dtype {
            DType::F32 => self.floats::<f32>(c, b, panel),
            DType::F64 => self.floats::<f64>(c, b, panel),
            DType::C64 => self.floats::<Complex32>(c, b, panel),
            DType::C128 => self.floats::<Complex64>(c, b, panel),
            // Bool was refused when planned.
            d => {
                let done = with_integer!(d, T => {
                    self.integers::<T>(c, b, panel);
                    Some(())
                });
                done.unwrap_or_default();
            }
        }
    }

    /// Where the panel's first row of lhs, column of rhs and element of the result are.
    fn corners<T>(&self, c: &Context<'_>, b: usize, (rows, cols): &Panel) -> (*const T, *const T, *mut T) {
        let left = self.leading.offset(0, b) + rows.start as isize * self.lhs.rows;
        let right = self.leading.offset(1, b) + cols.start as isize * self.rhs.cols;
        (
            c.memory.at(self.lhs.place).cast::<T>().wrapping_offset(left),
            c.memory.at(self.rhs.place).cast::<T>().wrapping_offset(right),
            c.memory.at(self.out).cast::<T>().wrapping_add((b * self.m + rows.start) * self.n + cols.start),
        )
    }

    fn floats<T: Scalar>(&self, c: &Context<'_>, b: usize, panel: Panel) {
        let (left, right, out) = self.corners::<T>(c, b, &panel);
        let (m, n) = (panel.0.len(), panel.1.len());
        if pays(self.m, self.k, self.n) {
            // SAFETY: as below.
            unsafe { out.write(inner((left, self.lhs.cols), (right, self.rhs.rows), self.k)) };
            return;
        }
        // SAFETY: the planned strides stay inside the operands, which nobody writes during this
        // step; the panel of the result is this call's alone.
        unsafe {
            gemm(
                MatMut::from_raw_parts(out, m, n, self.n as isize, 1),
                MatRef::from_raw_parts(left, m, self.k, self.lhs.rows, self.lhs.cols),
                false,
                MatRef::from_raw_parts(right, self.k, n, self.rhs.rows, self.rhs.cols),
                false,
                false,
            );
        }
    }

    /// Exact modulo the dtype's range, as NumPy has it.
    fn integers<T: Int>(&self, c: &Context<'_>, b: usize, panel: Panel) {
        let (left, right, out) = self.corners::<T>(c, b, &panel);
        let (m, n) = (panel.0.len(), panel.1.len());
        for i in 0..m {
            // SAFETY: row i of the panel; it is this call's alone.
            let row = unsafe {
                let row = out.wrapping_add(i * self.n);
                row.write_bytes(0, n);
                std::slice::from_raw_parts_mut(row, n)
            };
            for k in 0..self.k as isize {
                let at = left.wrapping_offset(i as isize * self.lhs.rows + k * self.lhs.cols);
                // SAFETY: as for `floats`.
                let x = unsafe { at.read() };
                let from = right.wrapping_offset(k * self.rhs.rows);
                for (j, sum) in row.iter_mut().enumerate() {
                    // SAFETY: as for `floats`.
                    let y = unsafe { from.wrapping_offset(j as isize * self.rhs.cols).read() };
                    *sum = sum.plus(x.times(y));
                }
            }
        }
    }

    /// Nanoseconds of one product.
    fn one(&self) -> f64 {
        let each = match self.dtype {
            DType::F32 => 0.025,
            DType::F64 => 0.05,
            DType::C64 => 0.1,
            DType::C128 => 0.2,
            _ => 0.7,
        };
        let (m, n, k) = (self.m as f64, self.n as f64, self.k as f64);
        let traffic = (m * k + k * n + m * n) * self.dtype.size() as f64 * 0.04;
        40.0 + (each * m * n * k).max(traffic)
    }
}

impl Step for Product {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let panels = self.panels(c.team.threads());
        let parts = self.leading.count() * panels;
        let part = |p: usize| self.part(c, p / panels, self.panel(p % panels, panels));
        let small = (CHUNK / (self.one() / panels as f64)).ceil() as usize;
        // Parts are claimed in runs, so that a claim is worth its price.
        let run = small.clamp(1, parts.max(1));
        let chunk = |i: usize| (i * run..((i + 1) * run).min(parts)).for_each(part);
        let chunks = parts.div_ceil(run);
        if chunks > 1 && c.team.threads() > 1 && self.cost() > SHARED {
            return c.team.run_until(chunks, c.stop, &chunk);
        }
        for i in 0..chunks {
            if i > 0 {
                c.stop.poll()?;
            }
            chunk(i);
        }
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.lhs.place);
        f(&mut self.rhs.place);
        f(&mut self.out);
    }

    fn cost(&self) -> f64 {
        self.leading.count() as f64 * self.one()
    }
}
