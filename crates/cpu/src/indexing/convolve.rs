//! Convolutions by their definition, a piece of the output at a time.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, Prim, Result, with_element};

use super::elements::{Combine, Shared, slice};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, sizes};

/// Elements of output that stay in the first cache while all factors pass.
const PIECE: usize = 1024;

#[derive(Debug)]
struct Convolve {
    /// Its last axis is the longer.
    long: View,
    short: View,
    out: View,
}

pub(crate) fn lower_convolve(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (mut long, mut short) = (p.packed(&args[0])?, p.packed(&args[1])?);
    if long.shape.last() < short.shape.last() {
        std::mem::swap(&mut long, &mut short);
    }
    let shape = sizes(&outs[0])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    if out.size() > 0 {
        p.push(Box::new(Convolve { long, short, out: out.clone() }));
    }
    Ok(vec![out])
}

/// Σⱼ x[first + k − j] y[j] for each k of a piece.
fn piece<T: Combine + Default>(x: &[T], y: &[T], first: usize, out: &mut [T]) {
    out.fill(T::default());
    for (j, factor) in y.iter().enumerate() {
        // Those k for which 0 ≤ first + k − j < m.
        let from = j.saturating_sub(first).min(out.len());
        let to = (x.len() + j).saturating_sub(first).min(out.len());
        if from < to {
            let x = &x[first + from - j..first + to - j];
            out[from..to].iter_mut().zip(x).for_each(|(o, x)| *o = o.add(x.mul(*factor)));
        }
    }
}

impl Convolve {
    fn lengths(&self) -> [usize; 3] {
        [&self.long, &self.short, &self.out].map(|v| v.shape[v.rank() - 1])
    }

    fn chunk<T: Combine + Default>(&self, c: &Context<'_>, out: Shared, i: usize) {
        let [m, n, total] = self.lengths();
        let pieces = total.div_ceil(PIECE);
        let (row, first) = (i / pieces, i % pieces * PIECE);
        let length = PIECE.min(total - first);
        // SAFETY: packed arrays of the output's dtype.
        let (x, y) = unsafe { (slice::<T>(c.memory, &self.long), slice::<T>(c.memory, &self.short)) };
        // SAFETY: pieces of the output do not meet.
        let out = unsafe { std::slice::from_raw_parts_mut(out.at((row * total + first) * size_of::<T>()).cast::<T>(), length) };
        piece(&x[row * m..(row + 1) * m], &y[row * n..(row + 1) * n], first, out);
    }
}

impl Step for Convolve {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let [.., total] = self.lengths();
        let chunks = self.out.size() / total * total.div_ceil(PIECE);
        let out = Shared(c.memory.at(self.out.place));
        c.share(self.cost(), chunks, &|i| with_element!(self.out.dtype, T => self.chunk::<T>(c, out, i)))
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        for v in [&mut self.long, &mut self.short, &mut self.out] {
            f(&mut v.place);
        }
    }

    fn cost(&self) -> f64 {
        let [m, n, total] = self.lengths();
        (self.out.size() / total.max(1) * m * n) as f64 * 0.3
    }
}
