//! Copies in which the same axis is contiguous on both sides: run by run.

use std::ops::Range;

use tenferro_graph::{Result, SmallVec};

use crate::layout::order_of;
use crate::memory::Place;
use crate::permute::{Axis, axes};
use crate::step::{Context, Step, View};

/// From this many bytes on a run is copied by the system's routine.
const LONG: usize = 256;
/// Nanoseconds per run and per byte.
const PER_RUN: f64 = 3.0;
const PER_BYTE: f64 = 0.08;
/// Nanoseconds per claim.
const CLAIM: f64 = 16_000.0;

#[derive(Debug)]
pub(crate) struct Runs {
    from: Place,
    to: Place,
    /// Bytes of a run.
    bytes: usize,
    /// The other axes, one at least; steps are in bytes.
    outer: SmallVec<[Axis; 6]>,
}

impl Runs {
    /// `None` where no axis is contiguous on both sides, or where all is one run.
    pub fn new(from: &View, to: &View) -> Option<Self> {
        let mut outer = axes(from, to, &order_of(to)?);
        let run = outer.pop().filter(|a| a.from == 1 && a.to == 1)?;
        let size = to.dtype.size();
        outer.iter_mut().for_each(|a| *a = Axis { n: a.n, from: a.from * size as isize, to: a.to * size as isize });
        (!outer.is_empty()).then(|| Self { from: from.place, to: to.place, bytes: run.n * size, outer })
    }

    fn count(&self) -> usize {
        self.outer.iter().map(|a| a.n).product()
    }

    /// Calls `f` with the byte offsets of runs in both operands.
    #[inline(always)]
    fn each(&self, runs: Range<usize>, mut f: impl FnMut(isize, isize)) {
        let mut index: SmallVec<[usize; 6]> = self.outer.iter().map(|_| 0).collect();
        let (mut rest, mut from, mut to) = (runs.start, 0, 0);
        for (k, a) in index.iter_mut().zip(&self.outer).rev() {
            *k = rest % a.n;
            rest /= a.n;
            from += *k as isize * a.from;
            to += *k as isize * a.to;
        }
        for _ in runs {
            f(from, to);
            for (k, a) in index.iter_mut().zip(&self.outer).rev() {
                *k += 1;
                from += a.from;
                to += a.to;
                if *k < a.n {
                    break;
                }
                *k = 0;
                from -= a.from * a.n as isize;
                to -= a.to * a.n as isize;
            }
        }
    }

    fn copy(&self, c: &Context<'_>, runs: Range<usize>) {
        let (source, target) = (c.memory.at(self.from).cast_const(), c.memory.at(self.to));
        // SAFETY: the views hold their runs; the target is this step's alone.
        self.each(runs, |from, to| unsafe { copy_run(source.wrapping_offset(from), target.wrapping_offset(to), self.bytes) });
    }
}

/// # Safety
/// Both hold `n` bytes and do not overlap.
#[inline(always)]
unsafe fn copy_run(from: *const u8, to: *mut u8, n: usize) {
    /// As many pieces of `T` as fit from `at` on; returns where they end.
    ///
    /// # Safety
    /// As for [`copy_run`].
    #[inline(always)]
    unsafe fn pieces<T: Copy>(from: *const u8, to: *mut u8, mut at: usize, n: usize) -> usize {
        while at + size_of::<T>() <= n {
            // SAFETY: at + size ≤ n.
            unsafe { to.add(at).cast::<T>().write_unaligned(from.add(at).cast::<T>().read_unaligned()) };
            at += size_of::<T>();
        }
        at
    }
    // SAFETY: as above.
    unsafe {
        if n >= LONG {
            std::ptr::copy_nonoverlapping(from, to, n);
            return;
        }
        let mut at = pieces::<[u64; 4]>(from, to, 0, n);
        at = pieces::<u64>(from, to, at, n);
        pieces::<u8>(from, to, at, n);
    }
}

impl Step for Runs {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let count = self.count();
        let each = ((count as f64 * CLAIM / self.cost()) as usize).max(1);
        c.share(self.cost(), count.div_ceil(each), &|i| self.copy(c, i * each..((i + 1) * each).min(count)))
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.from);
        f(&mut self.to);
    }

    fn cost(&self) -> f64 {
        self.count() as f64 * (PER_RUN + self.bytes as f64 * PER_BYTE)
    }
}
