//! Elements by position along an axis, and sums into positions.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, DType, Error, Prim, Result};
use tenferro_ops::{PutAlong, TakeAlong};

use super::lines::{Lines, Tile};
use crate::block::{Folds, Sum};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Elements of neighbouring lines: address, step.
type Line = (*mut u8, isize);

/// Whole side, positions, the other side, counts of both, lines; gives a position outside.
type Kernel = unsafe fn(Line, Line, Line, (usize, usize), usize) -> std::result::Result<(), i64>;

/// # Safety
/// The first holds `n` elements of `width` neighbouring lines each, the others `m`, a step apart.
unsafe fn take<T: Copy>(x: Line, at: Line, y: Line, (n, m): (usize, usize), width: usize) -> std::result::Result<(), i64> {
    for i in 0..m as isize {
        for j in 0..width {
            // SAFETY: i < m, j < width, and the position is checked.
            unsafe {
                let position = at.0.cast::<i64>().offset(i * at.1).add(j).read();
                let from = usize::try_from(position).ok().filter(|p| *p < n).ok_or(position)?;
                let value = x.0.cast::<T>().offset(from as isize * x.1).add(j).read();
                y.0.cast::<T>().offset(i * y.1).add(j).write(value);
            }
        }
    }
    Ok(())
}

/// # Safety
/// As for [`take`]; zero bytes are 0.
unsafe fn put<T: Copy>(y: Line, at: Line, x: Line, (n, m): (usize, usize), width: usize) -> std::result::Result<(), i64>
where
    Sum: Folds<T>,
{
    for i in 0..n as isize {
        // SAFETY: i < n; width elements lie next to each other.
        unsafe { y.0.cast::<T>().offset(i * y.1).write_bytes(0, width) };
    }
    for i in 0..m as isize {
        for j in 0..width {
            // SAFETY: i < m, j < width, and the position is checked.
            unsafe {
                let position = at.0.cast::<i64>().offset(i * at.1).add(j).read();
                let to = usize::try_from(position).ok().filter(|p| *p < n).ok_or(position)?;
                let (to, x) = (y.0.cast::<T>().offset(to as isize * y.1).add(j), x.0.cast::<T>().offset(i * x.1).add(j).read());
                to.write(Sum::join(to.read(), x));
            }
        }
    }
    Ok(())
}

fn take_kernel(dtype: DType) -> Kernel {
    match dtype.size() {
        1 => take::<u8>,
        2 => take::<u16>,
        4 => take::<u32>,
        8 => take::<u64>,
        _ => take::<[u64; 2]>,
    }
}

fn put_kernel(dtype: DType) -> Option<Kernel> {
    Some(match dtype {
        DType::I8 | DType::U8 => put::<u8>,
        DType::I16 | DType::U16 => put::<u16>,
        DType::I32 | DType::U32 => put::<u32>,
        DType::I64 | DType::U64 => put::<u64>,
        DType::F32 => put::<f32>,
        DType::F64 => put::<f64>,
        DType::C64 => put::<[f32; 2]>,
        DType::C128 => put::<[f64; 2]>,
        DType::Bool => return None,
    })
}

/// Operands: the whole side, positions, the other side.
#[derive(Debug)]
struct Along {
    name: &'static str,
    axis: usize,
    lines: Lines,
    /// Lengths of the whole side and of the others.
    lengths: (usize, usize),
    kernel: Kernel,
}

pub(crate) fn lower_take_along(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<TakeAlong>(prim)?;
    let shape = sizes(&outs[0])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    if out.size() > 0 {
        let lines = Lines::new(op.axis, &[&args[0], &args[1], &out]);
        let lengths = (args[0].shape[op.axis], shape[op.axis]);
        p.push(Box::new(Along { name: "take_along", axis: op.axis, lines, lengths, kernel: take_kernel(out.dtype) }));
    }
    Ok(vec![out])
}

pub(crate) fn lower_put_along(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<PutAlong>(prim)?;
    let shape = sizes(&outs[0])?;
    let kernel = put_kernel(outs[0].dtype).ok_or_else(|| Error::dtype("put_along", "bools are not added"))?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    // Positions without a place are an error even where the result is empty.
    if out.size() > 0 || args[0].size() > 0 {
        let lines = Lines::new(op.axis, &[&out, &args[1], &args[0]]);
        let lengths = (shape[op.axis], args[0].shape[op.axis]);
        p.push(Box::new(Along { name: "put_along", axis: op.axis, lines, lengths, kernel }));
    }
    Ok(vec![out])
}

impl Step for Along {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        self.lines.each(c, self.cost(), &|tile: &Tile<'_>| {
            let line = |i: usize| (tile.at::<u8>(i), self.lines.step(i));
            // SAFETY: the views hold their lines; each line of the output is one tile's alone.
            let done = unsafe { (self.kernel)(line(0), line(1), line(2), self.lengths, tile.width) };
            let outside = |p: i64| {
                Error::index(self.name, format!("position {p} is out of bounds for axis {} with size {}", self.axis, self.lengths.0))
            };
            done.map_err(outside)
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.lines.places(f);
    }

    fn cost(&self) -> f64 {
        (self.lines.count() * (self.lengths.0 + self.lengths.1)) as f64
    }
}
