//! The places where a mask holds.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, Prim, Result};

use super::elements::{ask, slice};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, sizes};

#[derive(Debug)]
struct Nonzero {
    mask: View,
    out: View,
}

pub(crate) fn lower_nonzero(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let mask = p.packed(&args[0])?;
    let shape = sizes(&outs[0])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    if out.size() > 0 {
        p.push(Box::new(Nonzero { mask, out: out.clone() }));
    }
    Ok(vec![out])
}

impl Step for Nonzero {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let (n, size) = (self.mask.shape[self.mask.rank() - 1], self.out.shape[self.out.rank() - 1]);
        // SAFETY: a packed mask.
        let mask: &[bool] = unsafe { slice(c.memory, &self.mask) };
        // SAFETY: a fresh dense int64 array of this step's own.
        let out = unsafe { std::slice::from_raw_parts_mut(c.memory.at(self.out.place).cast::<i64>(), self.out.size()) };
        for (row, out) in out.chunks_exact_mut(size).enumerate() {
            let mut found = 0;
            for (i, holds) in mask[row * n..(row + 1) * n].iter().enumerate() {
                ask(c.stop, i)?;
                if *holds && found < size {
                    out[found] = i as i64;
                    found += 1;
                }
            }
            out[found..].fill(n as i64);
        }
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.mask.place);
        f(&mut self.out.place);
    }

    fn cost(&self) -> f64 {
        (self.mask.size() + self.out.size()) as f64
    }
}
