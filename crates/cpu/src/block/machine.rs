//! Running a fused group.

use std::cell::RefCell;

use tenferro_graph::{DType, Interrupt, Result, SmallVec};

use super::transfer::{load, store};
use super::{BLOCK, CHUNK, FoldKernels, Kernel, LANES};
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
}

#[derive(Debug)]
pub(crate) struct Store {
    pub place: Place,
    pub strides: SmallVec<[isize; 6]>,
    pub dtype: DType,
    pub register: usize,
    /// The register is the memory itself.
    pub direct: bool,
}

/// A reduction over the whole iteration space.
#[derive(Debug)]
pub(crate) struct Fold {
    pub kernels: FoldKernels,
    pub dtype: DType,
    pub register: usize,
    pub accumulators: usize,
    /// One result for each chunk.
    pub parts: Place,
    pub out: Place,
}

#[derive(Debug)]
pub(crate) struct Instr {
    pub kernel: Kernel,
    pub dst: usize,
    pub args: [usize; 3],
}

/// Blocks between two polls.
const POLL: usize = 1024;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[allow(dead_code)] [u8; 64]);

thread_local! {
    static SCRATCH: RefCell<Vec<Line>> = const { RefCell::new(Vec::new()) };
}

impl Loop {
    /// Elements `range` of the iteration space; starts at a multiple of a chunk.
    pub fn run(&self, memory: &Memory, range: std::ops::Range<usize>, stop: &dyn Interrupt) -> Result<()> {
        SCRATCH.with_borrow_mut(|scratch| {
            let lines = self.scratch / 64 + 1;
            if scratch.len() < lines {
                scratch.resize(lines, Line([0; 64]));
            }
            let base = scratch.as_mut_ptr().cast::<u8>();
            let mut registers: SmallVec<[*mut u8; 24]> = self.offsets.iter().map(|o| base.wrapping_add(*o)).collect();
            for l in self.loads.iter().filter(|l| l.kind == LoadKind::Splat) {
                // SAFETY: one element is read; the register is in scratch.
                unsafe { load(l.dtype, registers[l.register], memory.at(l.place), &[BLOCK], &[0], 0, BLOCK) };
            }
            let mut start = range.start;
            let mut blocks = 0;
            while start < range.end {
                let n = BLOCK.min(range.end - start);
                self.block(memory, &mut registers, start, n);
                self.fold(memory, &registers, start, n);
                start += n;
                blocks += 1;
                if blocks % POLL == 0 {
                    stop.poll()?;
                }
            }
            Ok(())
        })
    }

    #[inline]
    fn fold(&self, memory: &Memory, registers: &[*mut u8], start: usize, n: usize) {
        for f in &self.folds {
            let (acc, x, none) = (registers[f.accumulators], registers[f.register], std::ptr::null());
            let whole = n / LANES * LANES;
            // SAFETY: registers hold n elements of the dtype; there is a part for every chunk.
            unsafe {
                if start.is_multiple_of(CHUNK) {
                    (f.kernels.start)(acc, none, none, none, 0);
                }
                (f.kernels.lanes)(acc, x, none, none, whole);
                if (start + n).is_multiple_of(CHUNK) || start + n == self.size {
                    let part = memory.at(f.parts).wrapping_add(start / CHUNK * f.dtype.size());
                    let tail = x.wrapping_add(whole * f.dtype.real().size());
                    (f.kernels.finish)(part, acc, tail, none, n - whole);
                }
            }
        }
    }

    /// Joins the results of all chunks.
    pub fn finish(&self, memory: &Memory) {
        for f in &self.folds {
            // SAFETY: every chunk has written its part.
            unsafe { (f.kernels.combine)(memory.at(f.out), memory.at(f.parts), self.size.div_ceil(CHUNK)) };
        }
    }

    #[inline]
    fn block(&self, memory: &Memory, registers: &mut [*mut u8], start: usize, n: usize) {
        for l in &self.loads {
            match l.kind {
                LoadKind::Splat => {}
                LoadKind::Direct => registers[l.register] = memory.at(l.place).wrapping_add(start * l.dtype.size()),
                // SAFETY: the planner made strides for operands that hold the iteration space.
                LoadKind::Strided => unsafe { load(l.dtype, registers[l.register], memory.at(l.place), &self.dims, &l.strides, start, n) },
            }
        }
        for s in self.stores.iter().filter(|s| s.direct) {
            registers[s.register] = memory.at(s.place).wrapping_add(start * s.dtype.size());
        }
        for i in &self.instrs {
            // SAFETY: registers hold n ≤ BLOCK elements of the kernel's types.
            unsafe { (i.kernel)(registers[i.dst], registers[i.args[0]], registers[i.args[1]], registers[i.args[2]], n) };
        }
        for s in self.stores.iter().filter(|s| !s.direct) {
            // SAFETY: as for loads.
            unsafe { store(s.dtype, registers[s.register], memory.at(s.place), &self.dims, &s.strides, start, n) };
        }
    }
}
