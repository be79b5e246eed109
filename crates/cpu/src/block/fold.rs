//! Kernels of sums and maxima. Along a row: chunks of 4096 elements with 32
//! accumulators, then a tree over the chunks; across rows: see `space`.

use std::ops::Add;

use tenferro_graph::{Complex32, Complex64, DType};
use tenferro_ops::{BinaryOp, ReduceOp};
use tenferro_vmath::Level;

use super::arithmetic::{max_f32, max_f64};
use super::choose::binary;
use super::kernel::{leveled, map};
use super::{IMAG, Kernel};

/// Accumulators of a chunk.
pub(crate) const LANES: usize = 32;

/// An associative function up to rounding, with its neutral element.
trait Folds<T: Copy> {
    const START: T;
    fn join(x: T, y: T) -> T;
}

struct Sum;
struct Max;

macro_rules! folds {
    ($($t:ty: $zero:expr, $low:expr, |$x:ident, $y:ident| $plus:expr, $max:expr);*) => {$(
        impl Folds<$t> for Sum {
            const START: $t = $zero;
            #[inline(always)]
            fn join($x: $t, $y: $t) -> $t { $plus }
        }
        impl Folds<$t> for Max {
            const START: $t = $low;
            #[inline(always)]
            fn join($x: $t, $y: $t) -> $t { $max }
        }
    )*};
}
// −0 is neutral for every float, 0 is not; a NaN wins a maximum.
folds!(
    f32: -0.0, f32::NEG_INFINITY, |x, y| x + y, max_f32(x, y);
    f64: -0.0, f64::NEG_INFINITY, |x, y| x + y, max_f64(x, y);
    i64: 0, i64::MIN, |x, y| x.wrapping_add(y), x.max(y)
);

macro_rules! folds_complex {
    ($($c:ident)*) => {$(
        impl Folds<$c> for Sum {
            const START: $c = $c::new(-0.0, -0.0);
            #[inline(always)]
            fn join(x: $c, y: $c) -> $c { x.add(y) }
        }
    )*};
}
folds_complex!(Complex32 Complex64);

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

/// The accumulators joined in a tree.
#[inline(always)]
fn join_lanes<T: Copy, F: Folds<T>>(mut acc: [T; LANES]) -> T {
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

/// [`short`] of a complex register.
///
/// # Safety
/// As for [`short`].
unsafe fn short_complex<T: Copy, C>(out: *mut u8, rows: *const u8, n: usize, count: usize, whole: impl Fn(T, T) -> C)
where
    Sum: Folds<T>,
{
    let (re, im) = (rows.cast::<T>(), rows.wrapping_add(IMAG).cast::<T>());
    for i in 0..count {
        // SAFETY: as for `short`.
        let sum = |part: *const T| (0..n).fold(Sum::START, |s, j| Sum::join(s, unsafe { part.add(i * n + j).read() }));
        // SAFETY: as above.
        unsafe { out.cast::<C>().add(i).write(whole(sum(re), sum(im))) };
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
    /// Registers a and b, element by element, into d.
    pub join: Kernel,
    /// The same of memory; a complex number counts as two reals.
    pub pair: Kernel,
}

macro_rules! real {
    ($($m:ident $t:ty, $f:ty);*) => {$(
        mod $m {
            use super::*;
            leveled!(start, |d, a, b, c, n| map::<$t, $t>(d, d, n, |_| <$f as Folds<$t>>::START));
            leveled!(each, |d, a, b, c, n| lanes::<$t, $f>(d, a, n));
            leveled!(last, |d, a, b, c, n| d.cast::<$t>().write(finish::<$t, $f>(a, b, n)));
            pub(super) fn kernels(level: Level, join: Kernel, pair: Kernel) -> FoldKernels {
                let (start, lanes, finish) = (start(level), each(level), last(level));
                FoldKernels { start, lanes, finish, combine: combine::<$t, $f>, short: short::<$t, $f>, join, pair }
            }
        }
    )*};
}
real!(sum_f32 f32, Sum; sum_f64 f64, Sum; sum_i64 i64, Sum; max_f32 f32, Max; max_f64 f64, Max; max_i64 i64, Max);

macro_rules! complex {
    ($($m:ident $c:ident $t:ty);*) => {$(
        mod $m {
            use super::*;
            leveled!(start, |d, a, b, c, n| {
                map::<$t, $t>(d, d, n, |_| -0.0);
                map::<$t, $t>(d.wrapping_add(IMAG), d, n, |_| -0.0);
            });
            leveled!(each, |d, a, b, c, n| {
                lanes::<$t, Sum>(d, a, n);
                lanes::<$t, Sum>(d.wrapping_add(IMAG), a.wrapping_add(IMAG), n);
            });
            leveled!(last, |d, a, b, c, n| {
                let re = finish::<$t, Sum>(a, b, n);
                d.cast::<$c>().write($c::new(re, finish::<$t, Sum>(a.wrapping_add(IMAG), b.wrapping_add(IMAG), n)));
            });
            unsafe fn few(out: *mut u8, rows: *const u8, n: usize, count: usize) {
                // SAFETY: passed on.
                unsafe { short_complex::<$t, $c>(out, rows, n, count, $c::new) }
            }
            pub(super) fn kernels(level: Level, join: Kernel, pair: Kernel) -> FoldKernels {
                let (start, lanes, finish) = (start(level), each(level), last(level));
                FoldKernels { start, lanes, finish, combine: combine::<$c, Sum>, short: few, join, pair }
            }
        }
    )*};
}
complex!(sum_c64 Complex32 f32; sum_c128 Complex64 f64);

/// The kernels that reduce registers of `dtype`; `None` if nothing does.
pub(crate) fn fold(op: ReduceOp, dtype: DType, level: Level) -> Option<FoldKernels> {
    let pairwise = if op == ReduceOp::Sum { BinaryOp::Add } else { BinaryOp::Maximum };
    let (join, pair) = (binary(pairwise, dtype, level)?, binary(pairwise, dtype.real(), level)?);
    let of: fn(Level, Kernel, Kernel) -> FoldKernels = match (op, dtype) {
        (ReduceOp::Sum, DType::F32) => sum_f32::kernels,
        (ReduceOp::Sum, DType::F64) => sum_f64::kernels,
        (ReduceOp::Sum, DType::I64) => sum_i64::kernels,
        (ReduceOp::Sum, DType::C64) => sum_c64::kernels,
        (ReduceOp::Sum, DType::C128) => sum_c128::kernels,
        (ReduceOp::Max, DType::F32) => max_f32::kernels,
        (ReduceOp::Max, DType::F64) => max_f64::kernels,
        (ReduceOp::Max, DType::I64) => max_i64::kernels,
        _ => return None,
    };
    Some(of(level, join, pair))
}
