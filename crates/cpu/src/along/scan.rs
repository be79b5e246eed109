//! Running reductions.

use tenferro_graph::{Aval, DType, Error, Prim, Result};
use tenferro_ops::{Cumulative, CumulativeOp};

use super::lines::{Lines, Tile};
use crate::block::{Folds, Max, Min, Prod, Sum};
use crate::layout::{c_order, order_of, strides_in};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Scans `n` elements of each line of a tile: input, its step, output, its step, count, lines.
type Kernel = unsafe fn(*const u8, isize, *mut u8, isize, usize, usize);

#[derive(Debug)]
struct Scan {
    lines: Lines,
    n: usize,
    reverse: bool,
    /// Bytes of an element.
    size: usize,
    kernel: Kernel,
    /// Nanoseconds an element.
    each: f64,
}

/// log(eˣ + eʸ).
struct LogSumExp;

impl Folds<f64> for LogSumExp {
    const START: f64 = f64::NEG_INFINITY;
    fn join(x: f64, y: f64) -> f64 {
        let (low, high) = if x > y { (y, x) } else { (x, y) };
        // Equal infinities have no difference; a NaN goes on by the sum.
        if low == high { high + std::f64::consts::LN_2 } else { high + (low - high).exp().ln_1p() }
    }
}

/// # Safety
/// Both hold `n` elements of `width` neighbouring lines each, `sx` and `sy` elements apart, and
/// do not overlap; `n` ≥ 1.
unsafe fn scan<T: Copy, F: Folds<T>>(x: *const u8, sx: isize, y: *mut u8, sy: isize, n: usize, width: usize) {
    let (x, y) = (x.cast::<T>(), y.cast::<T>());
    if width == 1 {
        // SAFETY: element 0, and then i < n.
        unsafe {
            let mut total = x.read();
            y.write(total);
            for i in 1..n as isize {
                total = F::join(total, x.offset(i * sx).read());
                y.offset(i * sy).write(total);
            }
        }
        return;
    }
    // SAFETY: width elements lie next to each other at every step.
    unsafe {
        std::ptr::copy_nonoverlapping(x, y, width);
        for i in 1..n as isize {
            let (last, x, y) = (y.offset((i - 1) * sy), x.offset(i * sx), y.offset(i * sy));
            for j in 0..width {
                y.add(j).write(F::join(last.add(j).read(), x.add(j).read()));
            }
        }
    }
}

/// Lines whose states are held at the same time.
const HELD: usize = 16;

/// [`scan`] of log sums of float32, whose state keeps float64: rounded at every step it would drift.
///
/// # Safety
/// As for [`scan`].
unsafe fn scan_wide(x: *const u8, sx: isize, y: *mut u8, sy: isize, n: usize, width: usize) {
    let (x, y) = (x.cast::<f32>(), y.cast::<f32>());
    for from in (0..width).step_by(HELD) {
        let mut state = [f64::NEG_INFINITY; HELD];
        for i in 0..n as isize {
            for (j, state) in (from..width).zip(&mut state) {
                // SAFETY: i < n and j < width.
                unsafe {
                    let next = f64::from(x.offset(i * sx).add(j).read());
                    *state = if i == 0 { next } else { LogSumExp::join(*state, next) };
                    y.offset(i * sy).add(j).write(*state as f32);
                }
            }
        }
    }
}

fn real<T: Copy>(op: CumulativeOp) -> Option<Kernel>
where
    Sum: Folds<T>,
    Prod: Folds<T>,
    Max: Folds<T>,
    Min: Folds<T>,
{
    Some(match op {
        CumulativeOp::Sum => scan::<T, Sum>,
        CumulativeOp::Prod => scan::<T, Prod>,
        CumulativeOp::Max => scan::<T, Max>,
        CumulativeOp::Min => scan::<T, Min>,
        CumulativeOp::LogSumExp => return None,
    })
}

fn complex<T: Copy>(op: CumulativeOp) -> Option<Kernel>
where
    Sum: Folds<[T; 2]>,
    Prod: Folds<[T; 2]>,
{
    match op {
        CumulativeOp::Sum => Some(scan::<[T; 2], Sum>),
        CumulativeOp::Prod => Some(scan::<[T; 2], Prod>),
        _ => None,
    }
}

fn kernel(op: CumulativeOp, dtype: DType) -> Option<Kernel> {
    match (op, dtype) {
        (CumulativeOp::LogSumExp, DType::F32) => Some(scan_wide),
        (CumulativeOp::LogSumExp, DType::F64) => Some(scan::<f64, LogSumExp>),
        (_, DType::F32) => real::<f32>(op),
        (_, DType::F64) => real::<f64>(op),
        (_, DType::C64) => complex::<f32>(op),
        (_, DType::C128) => complex::<f64>(op),
        (_, DType::I8) => real::<i8>(op),
        (_, DType::I16) => real::<i16>(op),
        (_, DType::I32) => real::<i32>(op),
        (_, DType::I64) => real::<i64>(op),
        (_, DType::U8) => real::<u8>(op),
        (_, DType::U16) => real::<u16>(op),
        (_, DType::U32) => real::<u32>(op),
        (_, DType::U64) => real::<u64>(op),
        (_, DType::Bool) => None,
    }
}

pub(crate) fn lower_cumulative(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<Cumulative>(prim)?;
    let (x, shape) = (&args[0], sizes(&outs[0])?);
    let kernel = kernel(op.op, x.dtype).ok_or_else(|| Error::dtype(op.op.name(), format!("has no kernel for {}", x.dtype)))?;
    let order = order_of(x).unwrap_or_else(|| c_order(&shape));
    let out = p.temporary(x.dtype, &shape, &strides_in(&order, &shape));
    if out.size() > 0 {
        let each = if op.op == CumulativeOp::LogSumExp { 25.0 } else { 1.0 };
        let lines = Lines::new(op.axis, &[x, &out]);
        p.push(Box::new(Scan { lines, n: shape[op.axis], reverse: op.reverse, size: x.dtype.size(), kernel, each }));
    }
    Ok(vec![out])
}

impl Step for Scan {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let (sx, sy) = (self.lines.step(0), self.lines.step(1));
        self.lines.each(c, self.cost(), &|tile: &Tile<'_>| {
            let (x, y) = (tile.at::<u8>(0), tile.at::<u8>(1));
            let last = |p: *mut u8, s: isize| p.wrapping_offset((self.n as isize - 1) * s * self.size as isize);
            // SAFETY: the views hold their lines; the output is this step's alone and each line one tile's.
            unsafe {
                if self.reverse {
                    (self.kernel)(last(x, sx), -sx, last(y, sy), -sy, self.n, tile.width);
                } else {
                    (self.kernel)(x, sx, y, sy, self.n, tile.width);
                }
            }
            Ok(())
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.lines.places(f);
    }

    fn cost(&self) -> f64 {
        (self.lines.count() * self.n) as f64 * self.each
    }
}
