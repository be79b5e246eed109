//! Updates of rows by number.

use std::ops::Range;

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, Prim, Result, with_element};
use tenferro_ops::{Scatter, ScatterOp};

use super::elements::{Combine, slice};
use crate::memory::Place;
use crate::movement::copy;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Brings updates into `out`, which holds x already.
#[derive(Debug)]
struct Update {
    op: ScatterOp,
    numbers: View,
    updates: View,
    out: View,
}

pub(crate) fn lower_scatter(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let Scatter(kind) = given(prim)?;
    let shape = sizes(&outs[0])?;
    let (numbers, updates) = (p.packed(&args[1])?, p.packed(&args[2])?);
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    copy(p, &args[0], &out)?;
    if updates.size() > 0 && out.size() > 0 {
        p.push(Box::new(Update { op: *kind, numbers, updates, out: out.clone() }));
    }
    Ok(vec![out])
}

impl Update {
    /// Updates of the rows in `range`, in their order: the same bits however rows are divided.
    ///
    /// # Safety
    /// The views hold `T`, and the rows are the caller's alone.
    unsafe fn rows<T: Combine>(&self, c: &Context<'_>, range: &Range<usize>, f: impl Fn(T, T) -> T) {
        let row: usize = self.out.shape[1..].iter().product();
        let out = c.memory.at(self.out.place).cast::<T>();
        // SAFETY: packed; the updates are of the output's dtype.
        let (numbers, updates) = unsafe { (slice::<i64>(c.memory, &self.numbers), slice::<T>(c.memory, &self.updates)) };
        for (i, new) in numbers.iter().zip(updates.chunks_exact(row)) {
            let Some(i) = usize::try_from(*i).ok().filter(|i| range.contains(i)) else { continue };
            // SAFETY: row i is inside and the caller's.
            let old = unsafe { std::slice::from_raw_parts_mut(out.add(i * row), row) };
            old.iter_mut().zip(new).for_each(|(old, new)| *old = f(*old, *new));
        }
    }

    /// # Safety
    /// As for `rows`.
    unsafe fn rows_of<T: Combine>(&self, c: &Context<'_>, range: &Range<usize>) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.op {
                ScatterOp::Set => self.rows::<T>(c, range, |_, new| new),
                ScatterOp::Add => self.rows::<T>(c, range, T::add),
                ScatterOp::Mul => self.rows::<T>(c, range, T::mul),
                ScatterOp::Max => self.rows::<T>(c, range, T::max),
                ScatterOp::Min => self.rows::<T>(c, range, T::min),
            }
        }
    }
}

impl Step for Update {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let n = self.out.shape[0];
        // Each thread reads all numbers and keeps to its own rows.
        let parts = c.team.threads().min(n).max(1);
        c.share(self.cost(), parts, &|k| {
            let range = k * n / parts..(k + 1) * n / parts;
            // SAFETY: the ranges of different chunks do not meet.
            with_element!(self.out.dtype, T => unsafe { self.rows_of::<T>(c, &range) });
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        for v in [&mut self.numbers, &mut self.updates, &mut self.out] {
            f(&mut v.place);
        }
    }

    fn cost(&self) -> f64 {
        self.numbers.size() as f64 * 2.0 + self.updates.size() as f64
    }
}
