//! Positions of extreme elements.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, DType, Prim, Result};
use tenferro_ops::{ArgOp, ArgReduce};
use tenferro_vmath::Level;

use super::lines::{Lines, Tile, WIDE};
use crate::block::{Folds, LANES, Max, Min, join_lanes, leveled_fn};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Elements whose extreme is found before anyone asks where it is.
const BATCH: usize = 1024;

/// Input, its step, positions of the lines (neighbours), count, lines.
type Kernel = unsafe fn(*const u8, isize, *mut i64, usize, usize);

/// What is searched for.
trait Better<T> {
    /// Whether `x` takes the place of `best`, which comes before it. A NaN does, but of another.
    fn better(x: T, best: T) -> bool;
}

/// What has one order, but for NaN.
trait Ordered: Copy {
    /// Whether none is better than the other.
    fn same(self, other: Self) -> bool;
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
        impl Ordered for $t {
            #[inline(always)]
            fn same(self, other: Self) -> bool { self == other }
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
        impl Ordered for $t {
            #[inline(always)]
            fn same(self, other: Self) -> bool { (self == other) | (self.is_nan() & other.is_nan()) }
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

/// Positions in `width` ≤ [`WIDE`] neighbouring lines, row by row.
///
/// # Safety
/// `x` holds `n` ≥ 1 rows, `step` elements apart, of `width` elements each; `y` takes `width`.
#[inline(always)]
unsafe fn side_by_side<T: Copy, B: Better<T>>(x: *const T, step: isize, y: *mut i64, n: usize, width: usize) {
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
#[inline(always)]
unsafe fn strided<T: Copy, B: Better<T>>(x: *const T, step: isize, n: usize) -> i64 {
    // SAFETY: i < n.
    let at = |i: usize| unsafe { x.offset(i as isize * step).read() };
    (1..n).fold((0, at(0)), |(k, best), i| if B::better(at(i), best) { (i, at(i)) } else { (k, best) }).0 as i64
}

/// The extreme of a batch; of several NaNs or zeros any.
#[inline(always)]
fn extreme<T: Copy, F: Folds<T>>(x: &[T]) -> T {
    let mut all = [F::START; LANES];
    let (lanes, rest) = x.as_chunks::<LANES>();
    for x in lanes {
        for (s, x) in all.iter_mut().zip(x) {
            *s = F::join(*s, *x);
        }
    }
    for (s, x) in all.iter_mut().zip(rest) {
        *s = F::join(*s, *x);
    }
    join_lanes::<T, F>(all)
}

/// The first position of what is as good as `best`, which is there.
#[inline(always)]
fn first<T: Ordered>(x: &[T], best: T) -> usize {
    let (lanes, _) = x.as_chunks::<LANES>();
    let before = lanes.iter().take_while(|x| !x.iter().fold(false, |any, x| any | x.same(best))).count() * LANES;
    before + x[before..].iter().take_while(|x| !x.same(best)).count()
}

/// The first extreme: of each batch the extreme, and where it is only if it is a better one.
#[inline(always)]
fn neighbours<T: Ordered, B: Better<T>, F: Folds<T>>(x: &[T]) -> i64 {
    let (mut at, mut best) = (0, x[0]);
    for (k, batch) in x.chunks(BATCH).enumerate() {
        let found = extreme::<T, F>(batch);
        if B::better(found, best) {
            (at, best) = (k * BATCH + first(batch, found), found);
        }
    }
    at as i64
}

leveled_fn!(ordered [T, B, F] where [T: Ordered, B: Better<T>, F: Folds<T>],
(x: *const u8, step: isize, y: *mut i64, n: usize, width: usize) {
    let x = x.cast::<T>();
    match (width, step) {
        (1, 1) => y.write(neighbours::<T, B, F>(std::slice::from_raw_parts(x, n))),
        (1, _) => y.write(strided::<T, B>(x, step, n)),
        _ => side_by_side::<T, B>(x, step, y, n, width),
    }
});

leveled_fn!(pairs [T, B] where [T: Copy, B: Better<T>], (x: *const u8, step: isize, y: *mut i64, n: usize, width: usize) {
    let x = x.cast::<T>();
    if width == 1 {
        y.write(strided::<T, B>(x, step, n));
    } else {
        side_by_side::<T, B>(x, step, y, n, width);
    }
});

fn of<T: Ordered>(op: ArgOp, level: Level) -> Kernel
where
    Largest: Better<T>,
    Smallest: Better<T>,
    Max: Folds<T>,
    Min: Folds<T>,
{
    if op == ArgOp::Max { ordered::<T, Largest, Max>(level) } else { ordered::<T, Smallest, Min>(level) }
}

fn complex<T: Copy>(op: ArgOp, level: Level) -> Kernel
where
    Largest: Better<T>,
    Smallest: Better<T>,
{
    if op == ArgOp::Max { pairs::<T, Largest>(level) } else { pairs::<T, Smallest>(level) }
}

fn kernel(op: ArgOp, dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::Bool | DType::U8 => of::<u8>(op, level),
        DType::U16 => of::<u16>(op, level),
        DType::U32 => of::<u32>(op, level),
        DType::U64 => of::<u64>(op, level),
        DType::I8 => of::<i8>(op, level),
        DType::I16 => of::<i16>(op, level),
        DType::I32 => of::<i32>(op, level),
        DType::I64 => of::<i64>(op, level),
        DType::F32 => of::<f32>(op, level),
        DType::F64 => of::<f64>(op, level),
        DType::C64 => complex::<[f32; 2]>(op, level),
        DType::C128 => complex::<[f64; 2]>(op, level),
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
        p.push(Box::new(Search { lines, n: x.shape[op.axis], kernel: kernel(op.op, x.dtype, p.level()) }));
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
