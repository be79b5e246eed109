//! Boxes with a corner that is known when the program runs.

use tenferro_graph::tensor::{Dims, c_strides};
use tenferro_graph::{Aval, Prim, Result};

use super::elements::{Runs, slice};
use crate::memory::Place;
use crate::movement::copy;
use crate::step::{Context, Planning, Step, View, sizes};

/// Copies a box out of `from`, or into `to`: the larger array's elements from the corner on.
#[derive(Debug)]
struct MoveBox {
    from: View,
    to: View,
    corner: View,
    /// Whether the corner is one of `to`.
    into: bool,
    shape: Dims,
}

pub(crate) fn lower_dynamic_slice(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let shape = sizes(&outs[0])?;
    let corner = p.packed(&args[1])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    p.push(Box::new(MoveBox { from: args[0].clone(), to: out.clone(), corner, into: false, shape }));
    Ok(vec![out])
}

pub(crate) fn lower_dynamic_update_slice(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let shape = sizes(&outs[0])?;
    let corner = p.packed(&args[2])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    copy(p, &args[0], &out)?;
    p.push(Box::new(MoveBox { from: args[1].clone(), to: out.clone(), corner, into: true, shape: args[1].shape.clone() }));
    Ok(vec![out])
}

impl Step for MoveBox {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        // SAFETY: packed int64.
        let corner: &[i64] = unsafe { slice(c.memory, &self.corner) };
        let large = if self.into { &self.to } else { &self.from };
        let room = large.shape.iter().zip(&self.shape).map(|(n, k)| (n - k) as i64);
        let shift: isize = corner.iter().zip(room).zip(&large.strides).map(|((i, room), s)| (*i).clamp(0, room) as isize * s).sum();
        let size = self.from.dtype.size();
        let (mut from, mut to) = (c.memory.at(self.from.place), c.memory.at(self.to.place));
        let moved = if self.into { &mut to } else { &mut from };
        *moved = moved.wrapping_offset(shift * size as isize);
        let Some(runs) = Runs::new(&self.shape, &self.from.strides, &self.to.strides) else { return Ok(()) };
        runs.each(|a, b| {
            // SAFETY: the corner was moved so that the box lies inside; source and target are different arrays.
            unsafe {
                let (from, to) = (from.wrapping_offset(a * size as isize), to.wrapping_offset(b * size as isize));
                std::ptr::copy_nonoverlapping(from, to, runs.length * size);
            }
        });
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        for v in [&mut self.from, &mut self.to, &mut self.corner] {
            f(&mut v.place);
        }
    }

    fn cost(&self) -> f64 {
        self.shape.iter().product::<usize>() as f64
    }
}
