//! Rows by number.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, Error, Prim, Result};
use tenferro_ops::NormaliseIndex;

use super::elements::{Runs, Shared, ask, slice};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Bytes of output per chunk.
const CHUNK: usize = 1 << 16;

#[derive(Debug)]
struct Take {
    x: View,
    numbers: View,
    out: View,
}

pub(crate) fn lower_take(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let shape = sizes(&outs[0])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    let numbers = p.packed(&args[1])?;
    if out.size() > 0 {
        p.push(Box::new(Take { x: args[0].clone(), numbers, out: out.clone() }));
    }
    Ok(vec![out])
}

impl Take {
    /// Rows of one element each.
    ///
    /// # Safety
    /// Both memories hold elements of `T`; `to` has as many as there are numbers.
    unsafe fn elements<T: Copy>(&self, from: *const u8, to: *mut u8, numbers: &[i64]) {
        let (from, to): (*const T, *mut T) = (from.cast(), to.cast());
        let (last, stride) = (self.x.shape[0] as i64 - 1, self.x.strides[0]);
        for (k, i) in numbers.iter().enumerate() {
            // SAFETY: the number is moved inside.
            unsafe { to.add(k).write(from.offset(*i.clamp(&0, &last) as isize * stride).read()) };
        }
    }

    /// Rows `first ..` of the output by their numbers.
    fn rows(&self, from: *const u8, to: *mut u8, numbers: &[i64]) {
        let size = self.x.dtype.size();
        let row: usize = self.x.shape[1..].iter().product();
        if row == 1 {
            // SAFETY: both sides hold elements of this size.
            unsafe {
                return match size {
                    1 => self.elements::<u8>(from, to, numbers),
                    2 => self.elements::<u16>(from, to, numbers),
                    4 => self.elements::<u32>(from, to, numbers),
                    8 => self.elements::<u64>(from, to, numbers),
                    _ => self.elements::<[u64; 2]>(from, to, numbers),
                };
            }
        }
        let Some(runs) = Runs::new(&self.x.shape[1..], &self.x.strides[1..], &c_strides(&self.x.shape[1..])) else { return };
        let (last, stride) = (self.x.shape[0] as i64 - 1, self.x.strides[0]);
        for (k, i) in numbers.iter().enumerate() {
            let from = from.wrapping_offset(*i.clamp(&0, &last) as isize * stride * size as isize);
            let to = to.wrapping_add(k * row * size);
            runs.each(|a, b| {
                // SAFETY: a run of row i of x, which is inside, and of row k of the output.
                unsafe {
                    let (from, to) = (from.wrapping_offset(a * size as isize), to.wrapping_offset(b * size as isize));
                    std::ptr::copy_nonoverlapping(from, to, runs.length * size);
                }
            });
        }
    }
}

impl Step for Take {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        // SAFETY: packed int64.
        let numbers: &[i64] = unsafe { slice(c.memory, &self.numbers) };
        let row = self.x.shape[1..].iter().product::<usize>() * self.x.dtype.size();
        let per = (CHUNK / row).max(1);
        let to = Shared(c.memory.at(self.out.place));
        c.share(self.cost(), numbers.len().div_ceil(per), &|i| {
            let part = &numbers[i * per..((i + 1) * per).min(numbers.len())];
            self.rows(c.memory.at(self.x.place).cast_const(), to.at(i * per * row), part);
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        for v in [&mut self.x, &mut self.numbers, &mut self.out] {
            f(&mut v.place);
        }
    }

    fn cost(&self) -> f64 {
        self.numbers.size() as f64 * 2.0 + (self.out.size() * self.out.dtype.size()) as f64 * 0.1
    }
}

/// Numbers counted from the front, all of them inside.
#[derive(Debug)]
struct Normalise {
    axis: usize,
    size: i64,
    from: View,
    to: View,
}

pub(crate) fn lower_normalise_index(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let n = given::<NormaliseIndex>(prim)?;
    let size = n.size.as_const().ok_or_else(|| Error::shape("index", format!("size {} is not a number", n.size)))? as i64;
    let from = p.packed(&args[0])?;
    let shape = sizes(&outs[0])?;
    let to = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    p.push(Box::new(Normalise { axis: n.axis, size, from, to: to.clone() }));
    Ok(vec![to])
}

impl Step for Normalise {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let (from, to) = (c.memory.at(self.from.place).cast::<i64>(), c.memory.at(self.to.place).cast::<i64>());
        for k in 0..self.from.size() {
            ask(c.stop, k)?;
            // SAFETY: both are dense int64 of this size; they may be the same memory.
            unsafe {
                let i = from.add(k).read();
                if i < -self.size || i >= self.size {
                    let text = format!("index {i} is out of bounds for axis {} with size {}", self.axis, self.size);
                    return Err(Error::index("index", text));
                }
                to.add(k).write(if i < 0 { i + self.size } else { i });
            }
        }
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.from.place);
        f(&mut self.to.place);
    }

    fn cost(&self) -> f64 {
        self.from.size() as f64
    }

    fn in_place(&self) -> Vec<(Place, Place)> {
        vec![(self.to.place, self.from.place)]
    }
}
