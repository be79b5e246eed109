//! Copies between two orders of axes, strip by strip.
//!
//! A strip is a cache line wide along the axis on which the source is contiguous and long
//! on the one on which the target is. Blocks of it go through registers: each line of the
//! source is read once and whole, so that strides that are powers of two, whose lines
//! share a set of the cache, do no harm; the target is written in runs.

use tenferro_graph::{Result, SmallVec};

use crate::layout::{Order, order_of};
use crate::memory::Place;
use crate::step::{Context, Step, View};

/// Elements of a block along the axis that is contiguous in the target.
const BLOCK: usize = 8;
/// Elements of a strip along it.
const LONG: usize = 512;
/// Below this many elements on either axis strips are mostly empty.
const NARROW: usize = 8;
/// Nanoseconds per byte, and from how many on threads share the work.
const PER_BYTE: f64 = 0.12;
/// Elements per claim.
const CLAIM: usize = 16 * 1024;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub n: usize,
    pub from: isize,
    pub to: isize,
}

#[derive(Debug)]
pub(crate) struct Permute {
    size: usize,
    from: Place,
    to: Place,
    /// Contiguous in the source.
    read: Axis,
    /// Contiguous in the target.
    written: Axis,
    outer: SmallVec<[Axis; 6]>,
}

/// Axes in the target's order, neighbours joined that both sides walk evenly.
pub(crate) fn axes(from: &View, to: &View, order: &Order) -> SmallVec<[Axis; 6]> {
    let mut out: SmallVec<[Axis; 6]> = SmallVec::new();
    for a in order.iter().filter(|a| to.shape[**a] != 1) {
        let next = Axis { n: to.shape[*a], from: from.strides[*a], to: to.strides[*a] };
        match out.last_mut() {
            Some(last) if last.from == next.from * next.n as isize && last.to == next.to * next.n as isize => {
                *last = Axis { n: last.n * next.n, ..next };
            }
            _ => out.push(next),
        }
    }
    out
}

impl Permute {
    /// `None` where strips gain nothing: the same axis is contiguous on both sides, or none is.
    pub fn new(from: &View, to: &View) -> Option<Self> {
        let mut outer = axes(from, to, &order_of(to)?);
        let written = outer.pop().filter(|a| a.to == 1 && a.from.abs() > 1)?;
        let read = outer.remove(outer.iter().position(|a| a.from == 1)?);
        let fits = written.n >= NARROW && read.n >= NARROW;
        fits.then(|| Self { size: to.dtype.size(), from: from.place, to: to.place, read, written, outer })
    }

    /// Elements of a strip along the axis that is contiguous in the source.
    fn width(&self) -> usize {
        (64 / self.size).max(8)
    }

    /// Strips along the two axes.
    fn strips(&self) -> (usize, usize) {
        (self.read.n.div_ceil(self.width()), self.written.n.div_ceil(LONG))
    }

    fn count(&self) -> usize {
        let (a, b) = self.strips();
        a * b * self.outer.iter().map(|x| x.n).product::<usize>()
    }

    /// # Safety
    /// Both memories hold the axes in elements of `T`, of which `W` are a strip's width.
    unsafe fn strip<T: Copy, const W: usize>(&self, from: *const T, to: *mut T, i: usize) {
        let (reads, writes) = self.strips();
        let (w, rest) = (i % writes * LONG, i / writes);
        let (r, mut rest) = (rest % reads * W, rest / reads);
        let mut source = r as isize + w as isize * self.written.from;
        let mut target = r as isize * self.read.to + w as isize;
        for a in self.outer.iter().rev() {
            let k = (rest % a.n) as isize;
            rest /= a.n;
            source += k * a.from;
            target += k * a.to;
        }
        let (m, n) = (W.min(self.read.n - r), LONG.min(self.written.n - w));
        let whole = if m == W { n / BLOCK * BLOCK } else { 0 };
        let at = |j: usize| (from.wrapping_offset(source + j as isize * self.written.from), to.wrapping_offset(target + j as isize));
        for j in (0..whole).step_by(BLOCK) {
            let (from, to) = at(j);
            // SAFETY: W × BLOCK elements from j on are inside; the target's are this strip's alone.
            unsafe { block::<T, W>(from, self.written.from, to, self.read.to) };
        }
        for j in whole..n {
            let (from, to) = at(j);
            for k in 0..m {
                // SAFETY: element (k, j) of the strip.
                unsafe { to.wrapping_offset(k as isize * self.read.to).write(from.add(k).read()) };
            }
        }
    }

    fn strips_at(&self, c: &Context<'_>, range: std::ops::Range<usize>) {
        let (from, to) = (c.memory.at(self.from).cast_const(), c.memory.at(self.to));
        for i in range {
            // SAFETY: the planner made strides for views of elements of this size.
            unsafe {
                match self.size {
                    1 => self.strip::<u8, 64>(from, to, i),
                    2 => self.strip::<u16, 32>(from.cast(), to.cast(), i),
                    4 => self.strip::<u32, 16>(from.cast(), to.cast(), i),
                    8 => self.strip::<u64, 8>(from.cast(), to.cast(), i),
                    _ => self.strip::<[u64; 2], 8>(from.cast(), to.cast(), i),
                }
            }
        }
    }
}

/// `BLOCK` rows of `W` elements become `W` rows of `BLOCK`.
///
/// # Safety
/// The rows lie at these distances.
#[inline(always)]
unsafe fn block<T: Copy, const W: usize>(from: *const T, from_step: isize, to: *mut T, to_step: isize) {
    // SAFETY: as above.
    let rows: [[T; W]; BLOCK] =
        std::array::from_fn(|j| unsafe { from.wrapping_offset(j as isize * from_step).cast::<[T; W]>().read_unaligned() });
    #[expect(clippy::needless_range_loop, reason = "k is a column of all rows")]
    for k in 0..W {
        let line: [T; BLOCK] = std::array::from_fn(|j| rows[j][k]);
        // SAFETY: as above.
        unsafe { to.wrapping_offset(k as isize * to_step).cast::<[T; BLOCK]>().write_unaligned(line) };
    }
}

impl Step for Permute {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let (count, each) = (self.count(), (CLAIM / (self.width() * self.written.n.min(LONG))).max(1));
        let claims = count.div_ceil(each);
        let claim = |i: usize| self.strips_at(c, i * each..((i + 1) * each).min(count));
        c.share(self.cost(), claims, &claim)
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.from);
        f(&mut self.to);
    }

    fn cost(&self) -> f64 {
        let others: usize = self.outer.iter().map(|a| a.n).product();
        (self.read.n * self.written.n * others * self.size) as f64 * PER_BYTE
    }
}
