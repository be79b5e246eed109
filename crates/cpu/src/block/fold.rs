//! Kernels of reductions. Along a row: chunks of 4096 elements with 32
//! accumulators, then a tree over the chunks; across rows: see `space`.

use tenferro_graph::DType;
use tenferro_ops::ReduceOp;
use tenferro_vmath::Level;

use super::arithmetic::{max_f32, max_f64, min_f32, min_f64, of};
use super::integers::with_integer;
use super::kernel::{czip, leveled_for, map, zip};
use super::transfer::merge;
use super::{IMAG, Kernel};

/// Accumulators of a chunk.
pub(crate) const LANES: usize = 32;
/// Rows that are joined at once.
pub(crate) const ROWS: usize = 8;

/// An associative function up to rounding, with its neutral element. Complex numbers are
/// pairs of their parts.
pub(crate) trait Folds<T: Copy> {
    const START: T;
    fn join(x: T, y: T) -> T;
}

pub(crate) struct Sum;
pub(crate) struct Prod;
pub(crate) struct Max;
pub(crate) struct Min;

macro_rules! folds {
    ($f:ident $t:ty: $start:expr, |$x:ident, $y:ident| $join:expr) => {
        impl Folds<$t> for $f {
            const START: $t = $start;
            #[inline(always)]
            fn join($x: $t, $y: $t) -> $t {
                $join
            }
        }
    };
}

// −0 is neutral for every float, 0 is not; a NaN wins maxima and minima.
macro_rules! floats {
    ($($t:ident $max:ident $min:ident)*) => {$(
        folds!(Sum $t: -0.0, |x, y| x + y);
        folds!(Prod $t: 1.0, |x, y| x * y);
        folds!(Max $t: $t::NEG_INFINITY, |x, y| $max(x, y));
        folds!(Min $t: $t::INFINITY, |x, y| $min(x, y));
        folds!(Sum [$t; 2]: [-0.0; 2], |x, y| [x[0] + y[0], x[1] + y[1]]);
        folds!(Prod [$t; 2]: [1.0, 0.0], |x, y| [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]);
    )*};
}
floats!(f32 max_f32 min_f32 f64 max_f64 min_f64);

macro_rules! integers {
    ($($t:ident)*) => {$(
        folds!(Sum $t: 0, |x, y| x.wrapping_add(y));
        folds!(Prod $t: 1, |x, y| x.wrapping_mul(y));
        folds!(Max $t: $t::MIN, |x, y| x.max(y));
        folds!(Min $t: $t::MAX, |x, y| x.min(y));
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// acc[j] = join(acc[j], a[i·32 + j]).
///
/// # Safety
/// `acc` holds 32 elements and `a` `n`, a multiple of 32.
#[inline(always)]
unsafe fn lanes<T: Copy, F: Folds<T>>(acc: *mut u8, a: *const u8, n: usize) {
    let (to, a) = (acc.cast::<[T; LANES]>(), a.cast::<T>());
    // SAFETY: as above.
    let mut acc = unsafe { to.read_unaligned() };
    for i in (0..n).step_by(LANES) {
        for (j, s) in acc.iter_mut().enumerate() {
            // SAFETY: i + j < n.
            *s = F::join(*s, unsafe { a.add(i + j).read() });
        }
    }
    // SAFETY: as above.
    unsafe { to.write_unaligned(acc) };
}

/// acc[j] = join(… join(acc[j], x[0][j]) …, x[7][j]): the accumulators are read and written once
/// for all rows.
#[inline(always)]
fn rows<T: Copy, F: Folds<T>>(acc: &mut [T], x: [&[T]; ROWS]) {
    for (j, s) in acc.iter_mut().enumerate() {
        *s = x.iter().fold(*s, |s, x| F::join(s, x[j]));
    }
}

/// [`rows`] of memory: the first row, the second, and the others as far apart.
///
/// # Safety
/// `acc` and the rows hold `n` elements; the rows do not overlap `acc`.
#[inline(always)]
unsafe fn rows_at<T: Copy, F: Folds<T>>(acc: *mut u8, first: *const u8, second: *const u8, n: usize) {
    let step = second.addr() - first.addr();
    // SAFETY: as above.
    let row = |i: usize| unsafe { std::slice::from_raw_parts(first.wrapping_add(i * step).cast::<T>(), n) };
    // SAFETY: as above.
    rows::<T, F>(unsafe { std::slice::from_raw_parts_mut(acc.cast::<T>(), n) }, std::array::from_fn(row));
}

/// The accumulators joined in a tree.
#[inline(always)]
pub(crate) fn join_lanes<T: Copy, F: Folds<T>>(mut acc: [T; LANES]) -> T {
    let mut width = LANES / 2;
    while width > 0 {
        for j in 0..width {
            acc[j] = F::join(acc[j], acc[j + width]);
        }
        width /= 2;
    }
    acc[0]
}

/// The accumulators in a tree, and the `n` < 32 last elements after them.
///
/// # Safety
/// `acc` holds 32 elements and `tail` `n`.
#[inline(always)]
unsafe fn finish<T: Copy, F: Folds<T>>(acc: *const u8, tail: *const u8, n: usize) -> T {
    // SAFETY: as above.
    let total = join_lanes::<T, F>(unsafe { acc.cast::<[T; LANES]>().read_unaligned() });
    // SAFETY: i < n.
    (0..n).fold(total, |s, i| F::join(s, unsafe { tail.cast::<T>().add(i).read() }))
}

/// Joins results of chunks.
fn tree<T: Copy, F: Folds<T>>(n: usize, at: &dyn Fn(usize) -> T) -> T {
    fn part<T: Copy, F: Folds<T>>(first: usize, n: usize, at: &dyn Fn(usize) -> T) -> T {
        if n == 1 {
            return at(first);
        }
        let half = n.div_ceil(2);
        F::join(part::<T, F>(first, half, at), part::<T, F>(first + half, n - half, at))
    }
    if n == 0 { F::START } else { part::<T, F>(0, n, at) }
}

/// # Safety
/// `parts` holds `n` elements, `out` one.
unsafe fn combine<T: Copy, F: Folds<T>>(out: *mut u8, parts: *const u8, n: usize) {
    // SAFETY: i < n.
    let total = tree::<T, F>(n, &|i| unsafe { parts.cast::<T>().add(i).read() });
    // SAFETY: as above.
    unsafe { out.cast::<T>().write(total) };
}

/// Folds `count` rows of `n` < 32 elements each: what a chunk of so few is, without its
/// accumulators.
///
/// # Safety
/// `rows` holds `count`·`n` elements, `out` takes `count`.
unsafe fn short<T: Copy, F: Folds<T>>(out: *mut u8, rows: *const u8, n: usize, count: usize) {
    let (out, rows) = (out.cast::<T>(), rows.cast::<T>());
    for i in 0..count {
        // SAFETY: i·n + j < count·n.
        unsafe { out.add(i).write((0..n).fold(F::START, |s, j| F::join(s, rows.add(i * n + j).read()))) };
    }
}

/// [`lanes`] of a complex register, half of the accumulators at a time: those stay in
/// registers of the machine.
///
/// # Safety
/// As for [`lanes`], on both halves of the registers.
#[inline(always)]
unsafe fn lanes_complex<T: Copy, F: Folds<[T; 2]>>(acc: *mut u8, a: *const u8, n: usize) {
    const HALF: usize = LANES / 2;
    let part = |p: *const u8| [p.cast::<T>(), p.wrapping_add(IMAG).cast::<T>()];
    let (to, a) = (part(acc), part(a));
    for first in [0, HALF] {
        let read = |p: *const T| p.wrapping_add(first).cast::<[T; HALF]>();
        // SAFETY: as above.
        let (mut re, mut im) = unsafe { (read(to[0]).read_unaligned(), read(to[1]).read_unaligned()) };
        for i in (first..n).step_by(LANES) {
            for j in 0..HALF {
                // SAFETY: i + j < n.
                let x = unsafe { [a[0].add(i + j).read(), a[1].add(i + j).read()] };
                [re[j], im[j]] = F::join([re[j], im[j]], x);
            }
        }
        // SAFETY: as above.
        unsafe {
            read(to[0]).cast_mut().write_unaligned(re);
            read(to[1]).cast_mut().write_unaligned(im);
        }
    }
}

/// # Safety
/// Both halves of the register hold element `i`.
#[inline(always)]
unsafe fn complex_at<T: Copy>(p: *const u8, i: usize) -> [T; 2] {
    // SAFETY: as above.
    unsafe { [p.cast::<T>().add(i).read(), p.wrapping_add(IMAG).cast::<T>().add(i).read()] }
}

/// [`finish`] of complex registers.
///
/// # Safety
/// As for [`finish`], on both halves of the registers.
#[inline(always)]
unsafe fn finish_complex<T: Copy, F: Folds<[T; 2]>>(acc: *const u8, tail: *const u8, n: usize) -> [T; 2] {
    // SAFETY: as above.
    let all: [[T; 2]; LANES] = std::array::from_fn(|i| unsafe { complex_at(acc, i) });
    // SAFETY: i < n.
    (0..n).fold(join_lanes::<[T; 2], F>(all), |s, i| F::join(s, unsafe { complex_at(tail, i) }))
}

/// [`short`] of a complex register.
///
/// # Safety
/// As for [`short`].
unsafe fn short_complex<T: Copy, F: Folds<[T; 2]>>(out: *mut u8, rows: *const u8, n: usize, count: usize) {
    for i in 0..count {
        // SAFETY: as for `short`.
        unsafe {
            let total = (0..n).fold(F::START, |s, j| F::join(s, complex_at(rows, i * n + j)));
            out.cast::<[T; 2]>().add(i).write(total);
        }
    }
}

/// The kernels of a reduction in one dtype.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldKernels {
    /// n neutral elements into d.
    pub start: Kernel,
    /// n elements, a multiple of 32, of a into the accumulators d.
    pub lanes: Kernel,
    /// One element d from the accumulators a and the n < 32 last elements b.
    pub finish: Kernel,
    /// One element d from n elements a.
    pub combine: unsafe fn(*mut u8, *const u8, usize),
    /// Elements d from rows a, so many elements each, so many rows.
    pub short: unsafe fn(*mut u8, *const u8, usize, usize),
    /// Registers d and b, element by element, into d, which the vectoriser sees is one place.
    pub join: Kernel,
    /// The same of memory.
    pub pair: Kernel,
    /// [`ROWS`] rows of memory, a the first and b the second of them, joined with d; reals only.
    pub rows: Kernel,
    /// A register a into memory d.
    pub keep: Kernel,
}

leveled_for!(start [T, F] where [T: Copy, F: Folds<T>], |d, a, b, c, n| map::<T, T>(d, d, n, |_| F::START));
leveled_for!(each [T, F] where [T: Copy, F: Folds<T>], |d, a, b, c, n| lanes::<T, F>(d, a, n));
leveled_for!(last [T, F] where [T: Copy, F: Folds<T>], |d, a, b, c, n| d.cast::<T>().write(finish::<T, F>(a, b, n)));
leveled_for!(pair [T, F] where [T: Copy, F: Folds<T>], |d, a, b, c, n| zip::<T, T>(d, d, b, n, F::join));
leveled_for!(below [T, F] where [T: Copy, F: Folds<T>], |d, a, b, c, n| rows_at::<T, F>(d, a, b, n));
leveled_for!(start_complex [T, F] where [T: Copy, F: Folds<[T; 2]>], |d, a, b, c, n| {
    map::<T, T>(d, d, n, |_| F::START[0]);
    map::<T, T>(d.wrapping_add(IMAG), d.wrapping_add(IMAG), n, |_| F::START[1]);
});
leveled_for!(each_complex [T, F] where [T: Copy, F: Folds<[T; 2]>], |d, a, b, c, n| lanes_complex::<T, F>(d, a, n));
leveled_for!(last_complex [T, F] where [T: Copy, F: Folds<[T; 2]>], |d, a, b, c, n| {
    d.cast::<[T; 2]>().write(finish_complex::<T, F>(a, b, n));
});
leveled_for!(join_complex [T, F] where [T: Copy, F: Folds<[T; 2]>], |d, a, b, c, n| czip::<T>(d, d, b, n, |x, y| {
    let z = F::join([x.0, x.1], [y.0, y.1]);
    (z[0], z[1])
}));

fn real<T: Copy, F: Folds<T>>(level: Level) -> FoldKernels {
    FoldKernels {
        start: start::<T, F>(level),
        lanes: each::<T, F>(level),
        finish: last::<T, F>(level),
        combine: combine::<T, F>,
        short: short::<T, F>,
        join: pair::<T, F>(level),
        pair: pair::<T, F>(level),
        rows: below::<T, F>(level),
        keep: of::copy::<T>(level),
    }
}

fn complex<T: Copy, F: Folds<[T; 2]>>(level: Level) -> FoldKernels {
    FoldKernels {
        start: start_complex::<T, F>(level),
        lanes: each_complex::<T, F>(level),
        finish: last_complex::<T, F>(level),
        combine: combine::<[T; 2], F>,
        short: short_complex::<T, F>,
        join: join_complex::<T, F>(level),
        pair: pair::<[T; 2], F>(level),
        rows: below::<[T; 2], F>(level),
        keep: merge::<T>(level),
    }
}

fn reals<T: Copy>(op: ReduceOp, level: Level) -> FoldKernels
where
    Sum: Folds<T>,
    Prod: Folds<T>,
    Max: Folds<T>,
    Min: Folds<T>,
{
    match op {
        ReduceOp::Sum => real::<T, Sum>(level),
        ReduceOp::Prod => real::<T, Prod>(level),
        ReduceOp::Max => real::<T, Max>(level),
        ReduceOp::Min => real::<T, Min>(level),
    }
}

fn complexes<T: Copy>(op: ReduceOp, level: Level) -> Option<FoldKernels>
where
    Sum: Folds<[T; 2]>,
    Prod: Folds<[T; 2]>,
{
    match op {
        ReduceOp::Sum => Some(complex::<T, Sum>(level)),
        ReduceOp::Prod => Some(complex::<T, Prod>(level)),
        ReduceOp::Max | ReduceOp::Min => None,
    }
}

/// The kernels that reduce registers of `dtype`; `None` if nothing does.
pub(crate) fn fold(op: ReduceOp, dtype: DType, level: Level) -> Option<FoldKernels> {
    match dtype {
        // The bytes 0 and 1: any and all.
        DType::Bool => op.chooses().then(|| reals::<u8>(op, level)),
        DType::F32 => Some(reals::<f32>(op, level)),
        DType::F64 => Some(reals::<f64>(op, level)),
        DType::C64 => complexes::<f32>(op, level),
        DType::C128 => complexes::<f64>(op, level),
        _ => with_integer!(dtype, T => Some(reals::<T>(op, level))),
    }
}
