//! Where values lie while a plan runs.

use tenferro_graph::SmallVec;

/// A base pointer's number and a byte offset from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub base: u32,
    pub offset: isize,
}

impl Place {
    pub fn shifted(self, bytes: isize) -> Self {
        Self { base: self.base, offset: self.offset + bytes }
    }
}

/// Base 0 is the arena.
pub(crate) const ARENA: u32 = 0;

/// Base pointers of one run: the arena, constants, inputs, outputs.
pub(crate) struct Memory {
    bases: SmallVec<[*mut u8; 16]>,
}

// SAFETY: steps that run at the same time write to disjoint places; the planner sees
// to it. The pointers outlive the run.
unsafe impl Sync for Memory {}

impl Memory {
    /// For runs with `n` bases besides the arena.
    pub fn new(arena: *mut u8, n: usize) -> Self {
        let mut bases = SmallVec::with_capacity(n + 1);
        bases.push(arena);
        Self { bases }
    }

    #[inline]
    pub fn push(&mut self, base: *mut u8) {
        self.bases.push(base);
    }

    #[inline]
    pub fn at(&self, p: Place) -> *mut u8 {
        self.bases[p.base as usize].wrapping_offset(p.offset)
    }
}
