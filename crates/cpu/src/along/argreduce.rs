//! Positions of extreme elements.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, DType, Prim, Result};
use tenferro_ops::{ArgOp, ArgReduce};

use super::lines::{Lines, Tile, WIDE};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Elements that are compared with the best before anyone asks which of them was better.
const BATCH: usize = 256;

/// Input, its step, positions of the lines (neighbours), count, lines.
type Kernel = unsafe fn(*const u8, isize, *mut i64, usize, usize);

/// What is searched for.
trait Better<T> {
    /// Whether `x` takes the place of `best`, which comes before it. A NaN does, but of another.
    fn better(x: T, best: T) -> bool;
}

struct Largest;
struct Smallest;

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Better<$t> for Largest {
            #[inline(always)]
            fn better(x: $t, best: $t) -> bool { x > best }
        }
        impl Better<$t> for Smallest {
            #[inline(always)]
            fn better(x: $t, best: $t) -> bool { x < best }
        }
    )*};
}
integers!(u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Better<$t> for Largest {
            #[inline(always)]
            fn better(x: $t, best: $t) -> bool { (x > best) | (x.is_nan() & !best.is_nan()) }
        }
        impl Better<$t> for Smallest {
            #[inline(always)]
            fn better(x: $t, best: $t) -> bool { (x < best) | (x.is_nan() & !best.is_nan()) }
        }
        impl Better<[$t; 2]> for Largest {
            #[inline(always)]
            fn better(x: [$t; 2], best: [$t; 2]) -> bool {
                let nan = |z: [$t; 2]| z[0].is_nan() || z[1].is_nan();
                !nan(best) && (nan(x) || x[0] > best[0] || x[0] == best[0] && x[1] > best[1])
            }
        }
        impl Better<[$t; 2]> for Smallest {
            #[inline(always)]
            fn better(x: [$t; 2], best: [$t; 2]) -> bool {
                let nan = |z: [$t; 2]| z[0].is_nan() || z[1].is_nan();
                !nan(best) && (nan(x) || x[0] < best[0] || x[0] == best[0] && x[1] < best[1])
            }
        }
    )*};
}
floats!(f32 f64);

/// # Safety
/// `x` holds `n` ≥ 1 elements, `step` elements apart, of `width` ≤ [`WIDE`] neighbouring lines
/// each; `y` takes `width`.
unsafe fn search<T: Copy, B: Better<T>>(x: *const u8, step: isize, y: *mut i64, n: usize, width: usize) {
    let x = x.cast::<T>();
    if width == 1 {
        // SAFETY: as above.
        unsafe { y.write(if step == 1 { run::<T, B>(std::slice::from_raw_parts(x, n)) } else { strided::<T, B>(x, step, n) }) };
        return;
    }
    // SAFETY: j < width and i < n.
    unsafe {
        let mut best = [x.read(); WIDE];
        for (j, best) in best[..width].iter_mut().enumerate() {
            *best = x.add(j).read();
            y.add(j).write(0);
        }
        for i in 1..n {
            let row = x.offset(i as isize * step);
            for (j, best) in best[..width].iter_mut().enumerate() {
                let x = row.add(j).read();
                let wins = B::better(x, *best);
                *best = if wins { x } else { *best };
                y.add(j).write(if wins { i as i64 } else { y.add(j).read() });
            }
        }
    }
}

/// # Safety
/// `x` holds `n` ≥ 1 elements, `step` elements apart.
unsafe fn strided<T: Copy, B: Better<T>>(x: *const T, step: isize, n: usize) -> i64 {
    // SAFETY: i < n.
    let at = |i: usize| unsafe { x.offset(i as isize * step).read() };
    (1..n).fold((0, at(0)), |(k, best), i| if B::better(at(i), best) { (i, at(i)) } else { (k, best) }).0 as i64
}

/// The best are few: most batches have none, which is seen without a chain of comparisons.
fn run<T: Copy, B: Better<T>>(x: &[T]) -> i64 {
    let (mut at, mut best) = (0, x[0]);
    for (k, batch) in x.chunks(BATCH).enumerate() {
        if batch.iter().fold(false, |any, x| any | B::better(*x, best)) {
            for (i, x) in batch.iter().enumerate() {
                if B::better(*x, best) {
                    (at, best) = (k * BATCH + i, *x);
                }
            }
        }
    }
    at as i64
}

fn of<T: Copy>(op: ArgOp) -> Kernel
where
    Largest: Better<T>,
    Smallest: Better<T>,
{
    if op == ArgOp::Max { search::<T, Largest> } else { search::<T, Smallest> }
}

fn kernel(op: ArgOp, dtype: DType) -> Kernel {
    match dtype {
        DType::Bool | DType::U8 => of::<u8>(op),
        DType::U16 => of::<u16>(op),
        DType::U32 => of::<u32>(op),
        DType::U64 => of::<u64>(op),
        DType::I8 => of::<i8>(op),
        DType::I16 => of::<i16>(op),
        DType::I32 => of::<i32>(op),
        DType::I64 => of::<i64>(op),
        DType::F32 => of::<f32>(op),
        DType::F64 => of::<f64>(op),
        DType::C64 => of::<[f32; 2]>(op),
        DType::C128 => of::<[f64; 2]>(op),
    }
}

#[derive(Debug)]
struct Search {
    lines: Lines,
    n: usize,
    kernel: Kernel,
}

pub(crate) fn lower_argreduce(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<ArgReduce>(prim)?;
    let (x, shape) = (&args[0], sizes(&outs[0])?);
    let out = p.temporary(DType::I64, &shape, &c_strides(&shape));
    if out.size() > 0 {
        // The axis of the output that is gone.
        let mut whole = out.clone();
        whole.shape.insert(op.axis, 1);
        whole.strides.insert(op.axis, 0);
        let lines = Lines::new(op.axis, &[x, &whole]);
        p.push(Box::new(Search { lines, n: x.shape[op.axis], kernel: kernel(op.op, x.dtype) }));
    }
    Ok(vec![out])
}

impl Step for Search {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let step = self.lines.step(0);
        self.lines.each(c, self.cost(), &|tile: &Tile<'_>| {
            // SAFETY: the views hold their lines; each position is one tile's alone.
            unsafe { (self.kernel)(tile.at(0), step, tile.at(1), self.n, tile.width) };
            Ok(())
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.lines.places(f);
    }

    fn cost(&self) -> f64 {
        (self.lines.count() * self.n) as f64 * 0.4
    }
}
