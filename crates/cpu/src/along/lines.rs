//! The lines along an axis of several operands, and who runs them.

use tenferro_graph::tensor::{Dims, Strides};
use tenferro_graph::{Interrupt, Result, SmallVec};

use crate::memory::{Memory, Place};
use crate::step::{Context, View};

/// Lines that are walked side by side at most.
pub(super) const WIDE: usize = 64;
/// Threads share the lines from this many estimated nanoseconds on; a claim is worth as many.
const PARALLEL: f64 = 40_000.0;
const CLAIM: f64 = 16_000.0;

/// An operand: its first element, its step along the axis and along the other axes, in elements.
#[derive(Debug)]
struct Operand {
    place: Place,
    size: usize,
    step: isize,
    strides: Strides,
}

/// Lines of operands whose other axes agree. Those along the last other axis are neighbours in
/// memory in every operand if `wide`.
#[derive(Debug)]
pub(super) struct Lines {
    shape: Dims,
    operands: SmallVec<[Operand; 3]>,
    wide: bool,
}

/// Some neighbouring lines: the address of the first one in each operand.
pub(super) struct Tile<'a> {
    lines: &'a Lines,
    memory: &'a Memory,
    line: usize,
    pub width: usize,
}

impl Lines {
    /// Of operands of equal rank; only `axis` may differ in length.
    pub fn new(axis: usize, views: &[&View]) -> Self {
        let neighbours = |a: usize| a != axis && views[0].shape[a] > 1 && views.iter().all(|v| v.strides[a] == 1);
        let rank = views[0].rank();
        let wide = (0..rank).find(|a| neighbours(*a));
        let others: Dims = (0..rank).filter(|a| *a != axis && Some(*a) != wide).chain(wide).collect();
        let operand = |v: &&View| Operand {
            place: v.place,
            size: v.dtype.size(),
            step: v.strides[axis],
            strides: others.iter().map(|a| v.strides[*a]).collect(),
        };
        Self {
            shape: others.iter().map(|a| views[0].shape[*a]).collect(),
            operands: views.iter().map(operand).collect(),
            wide: wide.is_some(),
        }
    }

    /// Number of lines.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn step(&self, operand: usize) -> isize {
        self.operands[operand].step
    }

    pub fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.operands.iter_mut().for_each(|o| f(&mut o.place));
    }

    /// Neighbouring lines in a row, and tiles of them.
    fn row(&self) -> (usize, usize) {
        let row = if self.wide { self.shape[self.shape.len() - 1] } else { 1 };
        (row, row.div_ceil(WIDE))
    }

    fn tiles(&self) -> usize {
        let (row, tiles) = self.row();
        if self.count() == 0 { 0 } else { self.count() / row * tiles }
    }

    fn tile<'a>(&'a self, c: &'a Context<'_>, i: usize) -> Tile<'a> {
        let (row, tiles) = self.row();
        let first = i % tiles * WIDE;
        Tile { lines: self, memory: c.memory, line: i / tiles * row + first, width: WIDE.min(row - first) }
    }

    /// Calls `f`, which may use the team, for all lines on this thread.
    pub fn in_turn(&self, c: &Context<'_>, f: &dyn Fn(&Tile<'_>) -> Result<()>) -> Result<()> {
        (0..self.tiles()).try_for_each(|i| f(&self.tile(c, i)))
    }

    /// Calls `f` for all lines, on several threads if that pays; `cost` is in nanoseconds.
    ///
    /// # Errors
    /// What `stop` says, or else `f` of the first lines that fail.
    pub fn each(&self, c: &Context<'_>, cost: f64, f: &(dyn Fn(&Tile<'_>) -> Result<()> + Sync)) -> Result<()> {
        let total = self.tiles();
        let tile = |i: usize| f(&self.tile(c, i));
        let each = if cost < PARALLEL { total.max(1) } else { ((total as f64 * CLAIM / cost) as usize).max(1) };
        let claim = |i: usize, _: &dyn Interrupt| (i * each..((i + 1) * each).min(total)).try_for_each(tile);
        c.team.try_until(total.div_ceil(each), c.stop, &claim)
    }
}

impl Tile<'_> {
    pub fn at<T>(&self, operand: usize) -> *mut T {
        let o = &self.lines.operands[operand];
        let (mut rest, mut offset) = (self.line, 0);
        for (n, s) in self.lines.shape.iter().zip(&o.strides).rev() {
            offset += (rest % n) as isize * s;
            rest /= n;
        }
        self.memory.at(o.place).wrapping_offset(offset * o.size as isize).cast()
    }
}
