//! Running a fused group.

use std::cell::RefCell;
use std::ops::Range;

use tenferro_graph::{DType, Interrupt, Result, SmallVec};

use super::fold::{LANES, ROWS};
use super::space::{CHUNK, Piece};
use super::transfer::{load, splat, store};
use super::{BLOCK, FoldKernels, Kernel, Space};
use crate::memory::{Memory, Place};

/// A fused group over one iteration space, in C order of `dims`.
#[derive(Debug)]
pub(crate) struct Loop {
    pub dims: SmallVec<[usize; 6]>,
    pub size: usize,
    pub loads: Vec<Load>,
    pub instrs: Vec<Instr>,
    pub stores: Vec<Store>,
    pub folds: Vec<Fold>,
    /// What the folds reduce.
    pub space: Space,
    /// The folds read memory itself: there is nothing to do but them.
    pub straight: bool,
    /// Where registers lie in scratch; those that point into memory lie nowhere.
    pub offsets: Vec<usize>,
    pub scratch: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoadKind {
    /// The register is the memory itself.
    Direct,
    /// One element for all; loaded once.
    Splat,
    Strided,
}

#[derive(Debug)]
pub(crate) struct Load {
    pub place: Place,
    pub strides: SmallVec<[isize; 6]>,
    pub dtype: DType,
    pub register: usize,
    pub kind: LoadKind,
    /// Copies neighbours.
    pub kernel: Kernel,
}

#[derive(Debug)]
pub(crate) struct Store {
    pub place: Place,
    pub strides: SmallVec<[isize; 6]>,
    pub dtype: DType,
    pub register: usize,
    /// The register is the memory itself.
    pub direct: bool,
    /// Copies neighbours.
    pub kernel: Kernel,
}

/// A reduction over the depth of the space.
#[derive(Debug)]
pub(crate) struct Fold {
    pub kernels: FoldKernels,
    pub dtype: DType,
    pub register: usize,
    pub accumulators: usize,
    /// The result's parts; the result itself if it has one.
    pub parts: Place,
    pub out: Place,
}

#[derive(Debug)]
pub(crate) struct Instr {
    pub kernel: Kernel,
    pub dst: usize,
    pub args: [usize; 3],
}

/// Elements between two polls.
const POLL: usize = 256 * 1024;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[allow(dead_code)] [u8; 64]);

type Registers = SmallVec<[*mut u8; 24]>;

thread_local! {
    static SCRATCH: RefCell<Vec<Line>> = const { RefCell::new(Vec::new()) };
}

impl Loop {
    /// What can be done independently: pieces of reductions, or else chunks.
    pub fn units(&self) -> usize {
        if self.folds.is_empty() { self.size.div_ceil(CHUNK) } else { self.space.pieces() }
    }

    pub fn run(&self, memory: &Memory, units: Range<usize>, stop: &dyn Interrupt) -> Result<()> {
        if self.scratch == 0 {
            return self.run_in(std::ptr::null_mut(), memory, units, stop);
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let lines = self.scratch / 64 + 1;
            if scratch.len() < lines {
                scratch.resize(lines, Line([0; 64]));
            }
            self.run_in(scratch.as_mut_ptr().cast(), memory, units, stop)
        })
    }

    /// [`Loop::run`] with registers from `base` on.
    fn run_in(&self, base: *mut u8, memory: &Memory, units: Range<usize>, stop: &dyn Interrupt) -> Result<()> {
        let mut registers = Registers::new();
        self.offsets.iter().for_each(|o| registers.push(base.wrapping_add(*o)));
        let n = BLOCK.min(self.size);
        for l in self.loads.iter().filter(|l| l.kind == LoadKind::Splat) {
            // SAFETY: one element is read; the register is in scratch.
            unsafe { splat(l.dtype, registers[l.register], memory.at(l.place), n) };
        }
        if self.folds.is_empty() && self.size <= BLOCK {
            self.block(memory, &mut registers, 0, self.size);
            return Ok(());
        }
        let each = self.size.div_ceil(self.units());
        let mut since = 0;
        for unit in units {
            if self.folds.is_empty() {
                self.chunk(memory, &mut registers, unit);
            } else {
                self.piece(memory, &mut registers, self.space.piece(unit));
            }
            since += each;
            if since >= POLL {
                since = 0;
                stop.poll()?;
            }
        }
        Ok(())
    }

    fn chunk(&self, memory: &Memory, registers: &mut Registers, unit: usize) {
        let end = ((unit + 1) * CHUNK).min(self.size);
        for start in (unit * CHUNK..end).step_by(BLOCK) {
            self.block(memory, registers, start, BLOCK.min(end - start));
        }
    }

    fn piece(&self, memory: &Memory, registers: &mut Registers, piece: Piece) {
        match piece {
            Piece::Packed { first, count } => self.packed(memory, registers, first..first + count),
            Piece::Along { from, to, part } => self.along(memory, registers, from..to, part),
            Piece::Across { outer, from, to, column, length, part } => {
                let start = (outer * self.space.depth + from) * self.space.width + column;
                self.across(memory, registers, start, to - from, length, part * self.space.width + column);
            }
        }
    }

    /// A part of neighbouring results, from `depth` rows of which `length` columns are read.
    fn across(&self, memory: &Memory, registers: &mut Registers, start: usize, depth: usize, length: usize, part: usize) {
        let (width, rows) = (self.space.width, self.space.rows());
        let wide = self.space.tile > BLOCK;
        for f in &self.folds {
            if wide {
                registers[f.accumulators] = f.part(memory, part);
            }
            f.start(registers, if wide { length } else { BLOCK });
        }
        // Rows that a block holds side by side have accumulators of their own.
        let at_once = if rows == 1 { length } else { rows * width };
        let mut done = if self.straight { self.straight_across(memory, registers, start, depth / rows, at_once) * rows } else { 0 };
        while done < depth {
            let n = if rows == 1 { length } else { rows.min(depth - done) * width };
            for first in (0..n).step_by(BLOCK) {
                let n = BLOCK.min(n - first);
                self.block(memory, registers, start + done * width + first, n);
                for f in &self.folds {
                    f.join(registers[f.accumulators].wrapping_add(first * f.dtype.real().size()), registers[f.register], n);
                }
            }
            done += rows;
        }
        for f in &self.folds {
            let size = f.dtype.real().size();
            for row in 1..rows.min(depth) {
                f.join(registers[f.accumulators], registers[f.accumulators].wrapping_add(row * width * size), length);
            }
            if !wide {
                f.keep(memory, registers, part, length);
            }
        }
    }

    /// Joins bands, as many as [`ROWS`] divides, of `n` columns with the accumulators; a band is the
    /// rows that a block holds. Returns how many.
    fn straight_across(&self, memory: &Memory, registers: &mut Registers, start: usize, bands: usize, n: usize) -> usize {
        let whole = bands / ROWS * ROWS;
        let band = self.space.rows() * self.space.width;
        for first in (0..whole).step_by(ROWS) {
            self.block(memory, registers, start + first * band, n);
            for f in &self.folds {
                let (acc, x) = (registers[f.accumulators], registers[f.register]);
                // SAFETY: the rows are inside the operand and the accumulators in nobody's memory else.
                unsafe { f.kernels.rows.call(acc, x, x.wrapping_add(band * f.dtype.size()), std::ptr::null(), n) };
            }
        }
        whole
    }

    /// A part of one result from neighbouring elements.
    fn along(&self, memory: &Memory, registers: &mut Registers, range: Range<usize>, part: usize) {
        self.folds.iter().for_each(|f| f.start(registers, LANES));
        for start in range.clone().step_by(BLOCK) {
            let n = BLOCK.min(range.end - start);
            self.block(memory, registers, start, n);
            self.folds.iter().for_each(|f| f.lanes(memory, registers, 0..n, (start + n == range.end).then_some(part)));
        }
    }

    /// Whole results, several in a block.
    fn packed(&self, memory: &Memory, registers: &mut Registers, results: Range<usize>) {
        let Space { depth, width, .. } = self.space;
        let many = self.space.packed();
        for first in results.clone().step_by(many) {
            let count = many.min(results.end - first);
            self.block(memory, registers, first * depth * width, count * depth * width);
            for f in &self.folds {
                if width == 1 && depth < LANES {
                    // SAFETY: the register holds so many rows; results have a place each.
                    unsafe { (f.kernels.short)(f.part(memory, first), registers[f.register], depth, count) };
                    continue;
                }
                for i in 0..count {
                    if width == 1 {
                        f.start(registers, LANES);
                        f.lanes(memory, registers, i * depth..(i + 1) * depth, Some(first + i));
                        continue;
                    }
                    f.start(registers, width);
                    for row in i * depth..(i + 1) * depth {
                        let x = registers[f.register].wrapping_add(row * width * f.dtype.real().size());
                        f.join(registers[f.accumulators], x, width);
                    }
                    f.keep(memory, registers, (first + i) * width, width);
                }
            }
        }
    }

    /// Joins the parts of each result.
    pub fn finish(&self, memory: &Memory) {
        let Space { outer, width, .. } = self.space;
        let parts = self.space.parts();
        for f in self.folds.iter().filter(|_| parts > 1) {
            for i in 0..outer {
                let (out, from) = (memory.at(f.out).wrapping_add(i * width * f.dtype.size()), f.part(memory, i * parts * width));
                // SAFETY: every piece has written its part.
                unsafe { if width == 1 { (f.kernels.combine)(out, from, parts) } else { f.combine_rows(out, from, parts, width) } }
            }
        }
    }

    #[inline]
    fn block(&self, memory: &Memory, registers: &mut [*mut u8], start: usize, n: usize) {
        for l in &self.loads {
            match l.kind {
                LoadKind::Splat => {}
                LoadKind::Direct => registers[l.register] = memory.at(l.place).wrapping_add(start * l.dtype.size()),
                // SAFETY: the planner made strides for operands that hold the iteration space.
                LoadKind::Strided => unsafe { load(l, registers[l.register], memory.at(l.place), &self.dims, start, n) },
            }
        }
        for s in self.stores.iter().filter(|s| s.direct) {
            registers[s.register] = memory.at(s.place).wrapping_add(start * s.dtype.size());
        }
        for i in &self.instrs {
            // SAFETY: registers hold n ≤ BLOCK elements of the kernel's types.
            unsafe { i.kernel.call(registers[i.dst], registers[i.args[0]], registers[i.args[1]], registers[i.args[2]], n) };
        }
        for s in self.stores.iter().filter(|s| !s.direct) {
            // SAFETY: as for loads.
            unsafe { store(s, registers[s.register], memory.at(s.place), &self.dims, start, n) };
        }
    }
}

impl Fold {
    /// Part `i`, in elements.
    fn part(&self, memory: &Memory, i: usize) -> *mut u8 {
        memory.at(self.parts).wrapping_add(i * self.dtype.size())
    }

    /// Neutral elements into `n` accumulators.
    fn start(&self, registers: &[*mut u8], n: usize) {
        let none = std::ptr::null();
        // SAFETY: the accumulators are a register.
        unsafe { self.kernels.start.call(registers[self.accumulators], none, none, none, n) };
    }

    /// `n` accumulators joined with as many elements of `x`.
    fn join(&self, acc: *mut u8, x: *const u8, n: usize) {
        // SAFETY: both hold n elements and do not overlap.
        unsafe { self.kernels.join.call(acc, acc, x, std::ptr::null(), n) };
    }

    /// Accumulators become a part of the results.
    fn keep(&self, memory: &Memory, registers: &[*mut u8], part: usize, n: usize) {
        let none = std::ptr::null();
        // SAFETY: the planner made room for all parts.
        unsafe { self.kernels.keep.call(self.part(memory, part), registers[self.accumulators], none, none, n) };
    }

    /// Elements of the block into 32 accumulators; the last ones end `part`.
    #[inline]
    fn lanes(&self, memory: &Memory, registers: &[*mut u8], block: Range<usize>, part: Option<usize>) {
        let (acc, none) = (registers[self.accumulators], std::ptr::null());
        let (size, whole) = (self.dtype.real().size(), block.len() / LANES * LANES);
        let x = registers[self.register].wrapping_add(block.start * size);
        // SAFETY: the register holds the block; there is a place for every part.
        unsafe {
            self.kernels.lanes.call(acc, x, none, none, whole);
            if let Some(part) = part {
                self.kernels.finish.call(self.part(memory, part), acc, x.wrapping_add(whole * size), none, block.len() - whole);
            }
        }
    }

    /// Joins rows of `width` elements pairwise, in place.
    ///
    /// # Safety
    /// `parts` holds `n` rows, `out` takes one.
    unsafe fn combine_rows(&self, out: *mut u8, parts: *mut u8, n: usize, width: usize) {
        let row = |i: usize| parts.wrapping_add(i * width * self.dtype.size());
        let mut step = 1;
        while step < n {
            for i in (0..n - step).step_by(2 * step) {
                // SAFETY: rows i and i + step are among the n.
                unsafe { self.kernels.pair.call(row(i), row(i), row(i + step), std::ptr::null(), width) };
            }
            step *= 2;
        }
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(row(0), out, width * self.dtype.size()) };
    }
}
