//! Running a fused group.

use std::cell::RefCell;

use tenferro_graph::{DType, Interrupt, Result, SmallVec};

use super::transfer::{load, store};
use super::{BLOCK, Kernel, REGISTER};
use crate::memory::{Memory, Place};

/// A fused group over one iteration space, in C order of `dims`.
#[derive(Debug)]
pub(crate) struct Loop {
    pub dims: SmallVec<[usize; 6]>,
    pub size: usize,
    pub loads: Vec<Load>,
    pub instrs: Vec<Instr>,
    pub stores: Vec<Store>,
    pub n_registers: usize,
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
    /// Elements `range` of the iteration space.
    pub fn run(&self, memory: &Memory, range: std::ops::Range<usize>, stop: &dyn Interrupt) -> Result<()> {
        SCRATCH.with_borrow_mut(|scratch| {
            let lines = self.n_registers * REGISTER / 64 + 1;
            if scratch.len() < lines {
                scratch.resize(lines, Line([0; 64]));
            }
            let base = scratch.as_mut_ptr().cast::<u8>();
            let mut registers: SmallVec<[*mut u8; 24]> = (0..self.n_registers).map(|r| base.wrapping_add(r * REGISTER)).collect();
            for l in self.loads.iter().filter(|l| l.kind == LoadKind::Splat) {
                // SAFETY: one element is read; the register is in scratch.
                unsafe { load(l.dtype, registers[l.register], memory.at(l.place), &[BLOCK], &[0], 0, BLOCK) };
            }
            let mut start = range.start;
            let mut blocks = 0;
            while start < range.end {
                let n = BLOCK.min(range.end - start);
                self.block(memory, &mut registers, start, n);
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
