//! Copies between two orders of axes, tile by tile.
//!
//! A tile is `SIDE` × `SIDE` elements over the axis along which the source is contiguous
//! and the one along which the target is. It is staged through a buffer: both memories
//! are touched in runs, and strides that are powers of two do not fall into one set of a
//! cache.

use tenferro_graph::{Result, SmallVec};

use crate::layout::{Order, order_of};
use crate::memory::Place;
use crate::step::{Context, Step, View};
use crate::team::Latch;

/// Elements along each side of a tile.
const SIDE: usize = 32;
/// Elements between rows of the buffer.
const PITCH: usize = SIDE + 2;
/// Below this many elements on either axis a tile is mostly empty.
const NARROW: usize = 8;
/// Nanoseconds per byte, and from how many on threads share the work.
const PER_BYTE: f64 = 0.12;
const SHARED: f64 = 60_000.0;
/// Tiles per claim.
const CLAIM: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Axis {
    n: usize,
    from: isize,
    to: isize,
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
fn axes(from: &View, to: &View, order: &Order) -> SmallVec<[Axis; 6]> {
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
    /// `None` where tiles gain nothing: the same axis is contiguous on both sides, or none is.
    pub fn new(from: &View, to: &View) -> Option<Self> {
        let mut outer = axes(from, to, &order_of(to)?);
        let written = outer.pop().filter(|a| a.to == 1 && a.from.abs() > 1)?;
        let read = outer.remove(outer.iter().position(|a| a.from == 1)?);
        let fits = written.n >= NARROW && read.n >= NARROW;
        fits.then(|| Self { size: to.dtype.size(), from: from.place, to: to.place, read, written, outer })
    }

    fn tiles(&self) -> (usize, usize) {
        (self.read.n.div_ceil(SIDE), self.written.n.div_ceil(SIDE))
    }

    fn count(&self) -> usize {
        let (a, b) = self.tiles();
        a * b * self.outer.iter().map(|x| x.n).product::<usize>()
    }

    /// Tiles in the order of the target.
    ///
    /// # Safety
    /// Both memories hold the axes in elements of `T`.
    unsafe fn tile<T: Copy + Default>(&self, from: *const T, to: *mut T, i: usize) {
        let (reads, writes) = self.tiles();
        let (w, rest) = (i % writes * SIDE, i / writes);
        let (r, mut rest) = (rest % reads * SIDE, rest / reads);
        let (mut source, mut target) = (r as isize + w as isize * self.written.from, r as isize * self.read.to + w as isize);
        for a in self.outer.iter().rev() {
            let k = (rest % a.n) as isize;
            rest /= a.n;
            source += k * a.from;
            target += k * a.to;
        }
        let (m, n) = (SIDE.min(self.read.n - r), SIDE.min(self.written.n - w));
        let mut buffer = [T::default(); SIDE * PITCH];
        for j in 0..n {
            let row = from.wrapping_offset(source + j as isize * self.written.from);
            for k in 0..m {
                // SAFETY: element (r + k, w + j) of the source.
                buffer[k * PITCH + j] = unsafe { row.add(k).read() };
            }
        }
        for k in 0..m {
            // SAFETY: elements (r + k, w .. w + n) of the target, which are this tile's alone.
            unsafe { std::ptr::copy_nonoverlapping(buffer[k * PITCH..].as_ptr(), to.offset(target + k as isize * self.read.to), n) };
        }
    }

    fn tiles_at(&self, c: &Context<'_>, range: std::ops::Range<usize>) {
        let (from, to) = (c.memory.at(self.from).cast_const(), c.memory.at(self.to));
        for i in range {
            // SAFETY: the planner made strides for views of elements of this size.
            unsafe {
                match self.size {
                    1 => self.tile::<u8>(from, to, i),
                    4 => self.tile::<u32>(from.cast(), to.cast(), i),
                    8 => self.tile::<u64>(from.cast(), to.cast(), i),
                    _ => self.tile::<[u64; 2]>(from.cast(), to.cast(), i),
                }
            }
        }
    }
}

impl Step for Permute {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let (count, claims) = (self.count(), self.count().div_ceil(CLAIM));
        let claim = |i: usize| self.tiles_at(c, i * CLAIM..((i + 1) * CLAIM).min(count));
        if c.team.threads() > 1 && claims > 1 && self.cost() > SHARED {
            let stop = Latch::new(c.stop);
            let done = c.team.run_until(claims, &stop, &claim);
            return stop.end(done);
        }
        for i in 0..claims {
            if i % 256 == 255 {
                c.stop.poll()?;
            }
            claim(i);
        }
        Ok(())
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
