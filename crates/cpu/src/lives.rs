//! When temporaries are used, and which share memory.

use crate::arena::Interval;
use crate::planner::Slot;
use crate::step::{Step, View};

/// Per slot of a plan.
pub(crate) struct Lives {
    /// Of those that are at home in the arena.
    pub intervals: Vec<Option<Interval>>,
    /// Sizes of output buffers.
    pub buffers: Vec<usize>,
    buffer_of: Vec<Option<usize>>,
    /// Where a temporary lies that took over another one's memory.
    home: Vec<usize>,
}

impl Lives {
    pub fn new(slots: &[Slot], steps: &mut [Vec<Box<dyn Step>>]) -> Self {
        let mut intervals: Vec<Option<Interval>> = slots.iter().map(|_| None).collect();
        for (time, step) in steps.iter_mut().enumerate() {
            for s in step {
                s.places(&mut |p| {
                    let Slot::Temporary { bytes } = slots[p.base as usize] else { return };
                    let entry = intervals[p.base as usize].get_or_insert(Interval { first: time, last: time, bytes });
                    entry.last = time;
                });
            }
        }
        Self { intervals, buffers: vec![], buffer_of: vec![None; slots.len()], home: (0..slots.len()).collect() }
    }

    /// The temporary in whose memory `i` lies.
    pub fn home(&self, mut i: usize) -> usize {
        while self.home[i] != i {
            i = self.home[i];
        }
        i
    }

    /// The output buffer in which `i` lies.
    pub fn buffer(&self, i: usize) -> Option<usize> {
        self.buffer_of[self.home(i)]
    }

    /// Gives outputs buffers, and written temporaries the memory of one that the same
    /// step reads for the last time.
    pub fn share(&mut self, slots: &[Slot], steps: &mut [Vec<Box<dyn Step>>], outputs: &[View]) {
        for view in outputs {
            let base = view.place.base as usize;
            if let Slot::Temporary { bytes } = slots[base]
                && self.buffer_of[base].is_none()
            {
                self.buffer_of[base] = Some(self.buffers.len());
                self.buffers.push(bytes);
            }
        }
        for (time, together) in steps.iter_mut().enumerate() {
            let [step] = together.as_mut_slice() else { continue };
            for (to, from) in step.in_place() {
                let mut readers = 0;
                step.places(&mut |p| readers += usize::from(p.base == from.base));
                if readers == 1 && to.offset == 0 && from.offset == 0 {
                    self.take_over(to.base as usize, from.base as usize, time);
                }
            }
        }
        for (i, buffer) in self.buffer_of.iter().enumerate() {
            if buffer.is_some() {
                self.intervals[i] = None;
            }
        }
    }

    /// `to`, first used at `time`, goes where `from` is, if that is last used then.
    fn take_over(&mut self, to: usize, from: usize, time: usize) {
        let from = self.home(from);
        let (Some(new), Some(old)) = (self.intervals[to], self.intervals[from]) else { return };
        if self.buffer_of[from].is_some() || new.first != time || old.last != time || new.bytes != old.bytes {
            return;
        }
        // An output keeps its buffer; what it takes over moves there.
        let (stays, goes) = if self.buffer_of[to].is_some() { (to, from) } else { (from, to) };
        self.home[goes] = stays;
        self.intervals[goes] = None;
        self.intervals[stays] = Some(Interval { first: old.first, last: new.last, bytes: old.bytes });
    }
}
