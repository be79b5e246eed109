//! Sorting with positions, and binary search.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, DType, Error, Prim, Result};
use tenferro_ops::{ArgSort, SearchSorted};

use super::lines::{Lines, Tile};
use super::order::{Key, with_key};
use super::scratch::with_scratch;
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Elements of a line: address, step.
pub(super) type Line = (*mut u8, isize);

/// Input, values, positions (addresses and steps), count, descending.
type SortKernel = unsafe fn(Line, Line, Line, usize, bool) -> Result<()>;

/// # Safety
/// Each holds `n` elements a step apart: of `T`, of `T` and int64. The first overlaps no other.
unsafe fn sort<T: Key>(x: Line, values: Line, positions: Line, n: usize, descending: bool) -> Result<()> {
    with_scratch(n, |ranks: *mut T::Ranked| {
        // SAFETY: as above; the memory has room for n ranks.
        unsafe {
            for i in 0..n {
                let x = x.0.cast::<T>().offset(i as isize * x.1).read();
                ranks.add(i).write(x.ranked(i as u32, descending));
            }
            let ranks = std::slice::from_raw_parts_mut(ranks, n);
            // Positions make ranks distinct, so that equal elements keep their order.
            ranks.sort_unstable();
            for (i, r) in ranks.iter().enumerate() {
                let from = T::position(*r);
                values.0.cast::<T>().offset(i as isize * values.1).write(x.0.cast::<T>().offset(from as isize * x.1).read());
                positions.0.cast::<i64>().offset(i as isize * positions.1).write(i64::from(from));
            }
        }
    })
}

#[derive(Debug)]
struct SortLines {
    lines: Lines,
    n: usize,
    descending: bool,
    sizes: [usize; 3],
    kernel: SortKernel,
}

pub(crate) fn lower_argsort(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<ArgSort>(prim)?;
    sort_with_positions(p, op.axis, op.descending, &args[0], &sizes(&outs[0])?)
}

/// Values and positions along an axis, of an array of this shape.
pub(super) fn sort_with_positions(p: &mut dyn Planning, axis: usize, descending: bool, x: &View, shape: &[usize]) -> Result<Vec<View>> {
    let n = shape[axis];
    if u32::try_from(n).is_err() {
        return Err(Error::value("sort", format!("axis {axis} has {n} elements, more than are sorted here")));
    }
    let values = p.temporary(x.dtype, shape, &c_strides(shape));
    let positions = p.temporary(DType::I64, shape, &c_strides(shape));
    if x.size() > 0 {
        let lines = Lines::new(axis, &[x, &values, &positions]);
        let kernel: SortKernel = with_key!(x.dtype, T => sort::<T>);
        p.push(Box::new(SortLines { lines, n, descending, sizes: [x.dtype.size(), x.dtype.size(), 8], kernel }));
    }
    Ok(vec![values, positions])
}

impl Step for SortLines {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        self.lines.each(c, self.cost(), &|tile: &Tile<'_>| {
            for j in 0..tile.width {
                let line = |i: usize| (tile.at::<u8>(i).wrapping_add(j * self.sizes[i]), self.lines.step(i));
                // SAFETY: the views hold their lines; each line of the outputs is one tile's alone.
                unsafe { (self.kernel)(line(0), line(1), line(2), self.n, self.descending) }?;
            }
            Ok(())
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.lines.places(f);
    }

    fn cost(&self) -> f64 {
        (self.lines.count() * self.n) as f64 * (2.0 + 1.5 * (self.n.max(1) as f64).log2())
    }
}

/// Ordered elements (address, step, count), one value, whether behind equals.
type SearchKernel = unsafe fn(Line, usize, *const u8, bool) -> i64;

/// # Safety
/// `x` holds `n` elements of `T`, in order, and `value` one.
unsafe fn search<T: Key>(x: Line, n: usize, value: *const u8, right: bool) -> i64 {
    // SAFETY: as above.
    let value = unsafe { value.cast::<T>().read() }.key(false);
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        // SAFETY: middle < n.
        let key = unsafe { x.0.cast::<T>().offset(middle as isize * x.1).read() }.key(false);
        if key < value || right && key == value { low = middle + 1 } else { high = middle }
    }
    low as i64
}

#[derive(Debug)]
struct Search {
    /// Ordered elements, values, positions: of each batch one line.
    lines: Lines,
    ordered: usize,
    values: usize,
    size: usize,
    right: bool,
    kernel: SearchKernel,
}

pub(crate) fn lower_searchsorted(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<SearchSorted>(prim)?;
    let shape = sizes(&outs[0])?;
    let out = p.temporary(DType::I64, &shape, &c_strides(&shape));
    if out.size() > 0 {
        // The values of a batch in one axis.
        let flat = |v: &View| {
            let mut shape: tenferro_graph::tensor::Dims = v.shape[..op.batch].into();
            shape.push(v.shape[op.batch..].iter().product());
            View { strides: c_strides(&shape), shape, ..v.clone() }
        };
        let values = flat(&p.packed(&args[1])?);
        let lines = Lines::new(op.batch, &[&args[0], &values, &flat(&out)]);
        let kernel: SearchKernel = with_key!(values.dtype, T => search::<T>);
        let (ordered, n) = (args[0].shape[op.batch], values.shape[op.batch]);
        p.push(Box::new(Search { lines, ordered, values: n, size: values.dtype.size(), right: op.right, kernel }));
    }
    Ok(vec![out])
}

impl Step for Search {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let step = self.lines.step(0);
        self.lines.each(c, self.cost(), &|tile: &Tile<'_>| {
            for j in 0..tile.width {
                let (x, y, out) =
                    (tile.at::<u8>(0).wrapping_add(j * self.size), tile.at::<u8>(1).wrapping_add(j * self.size), tile.at::<i64>(2));
                let (sy, so) = (self.lines.step(1) * self.size as isize, self.lines.step(2));
                for i in 0..self.values as isize {
                    // SAFETY: the views hold their lines; each position is one tile's alone.
                    unsafe {
                        let at = (self.kernel)((x, step), self.ordered, y.offset(i * sy), self.right);
                        out.add(j).offset(i * so).write(at);
                    }
                }
            }
            Ok(())
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.lines.places(f);
    }

    fn cost(&self) -> f64 {
        (self.lines.count() * self.values) as f64 * (2.0 + 3.0 * (self.ordered.max(1) as f64).log2())
    }
}
