//! The lines of an array along one axis, in source and target.

use tenferro_graph::SmallVec;

use crate::layout::{c_order, order_of};
use crate::step::View;

/// An axis across the lines.
#[derive(Clone, Copy, Debug)]
struct Across {
    n: usize,
    from: isize,
    to: isize,
}

/// Where lines begin and how they go on, in elements.
#[derive(Debug)]
pub(super) struct Lines {
    /// Slowest in the target first.
    across: SmallVec<[Across; 6]>,
    pub from_step: isize,
    pub to_step: isize,
}

/// The starts of one line in source and target.
pub(super) type Start = (isize, isize);

impl Lines {
    pub fn new(from: &View, to: &View, axis: usize) -> Self {
        let order = order_of(to).unwrap_or_else(|| c_order(&to.shape));
        let across = order.iter().filter(|a| **a != axis);
        Self {
            across: across.map(|a| Across { n: to.shape[*a], from: from.strides[*a], to: to.strides[*a] }).collect(),
            from_step: from.strides[axis],
            to_step: to.strides[axis],
        }
    }

    pub fn count(&self) -> usize {
        self.across.iter().map(|a| a.n).product()
    }

    /// Whether neighbouring lines are worth moving together.
    pub fn is_strided(&self) -> bool {
        self.from_step.abs() != 1 || self.to_step.abs() != 1
    }

    pub fn start(&self, line: usize) -> Start {
        let (mut rest, mut from, mut to) = (line, 0, 0);
        for a in self.across.iter().rev() {
            let k = (rest % a.n) as isize;
            rest /= a.n;
            from += k * a.from;
            to += k * a.to;
        }
        (from, to)
    }
}

/// Copies lines of n elements into `buffer`, one behind the other.
///
/// # Safety
/// `from` has n elements `step` apart at each start.
pub(super) unsafe fn gather<E: Copy>(from: *const E, step: isize, starts: &[Start], n: usize, buffer: &mut [E]) {
    let read = |line: usize, j: usize| {
        // SAFETY: element j of a line.
        unsafe { from.wrapping_offset(starts[line].0 + j as isize * step).read() }
    };
    if step == 1 {
        for (line, part) in buffer.chunks_exact_mut(n).take(starts.len()).enumerate() {
            part.iter_mut().enumerate().for_each(|(j, x)| *x = read(line, j));
        }
        return;
    }
    for j in 0..n {
        for line in 0..starts.len() {
            buffer[line * n + j] = read(line, j);
        }
    }
}

/// Writes lines of n elements from `buffer`, each mapped by its place j in the line.
///
/// # Safety
/// `to` has room for n elements `step` apart at each start, which are the caller's alone.
pub(super) unsafe fn scatter<E: Copy>(to: *mut E, step: isize, starts: &[Start], n: usize, buffer: &[E], f: impl Fn(usize, E) -> E) {
    let write = |line: usize, j: usize| {
        let value = f(j, buffer[line * n + j]);
        // SAFETY: element j of a line.
        unsafe { to.wrapping_offset(starts[line].1 + j as isize * step).write(value) };
    };
    if step == 1 {
        (0..starts.len()).for_each(|line| (0..n).for_each(|j| write(line, j)));
    } else {
        (0..n).for_each(|j| (0..starts.len()).for_each(|line| write(line, j)));
    }
}
