//! Sorting without positions: elements are sorted as words that have their order.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, DType, Prim, Result};
use tenferro_ops::Sort;

use super::lines::{Lines, Tile};
use super::merge::sort_shared;
use super::scratch::with_scratch;
use super::sort::{Line, sort_with_positions};
use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, given, sizes};

/// Neighbouring lines that are read and written together.
const LANES: usize = 8;
/// Threads share a line from this many elements on.
const LONG: usize = 1 << 15;

/// Elements that words stand for.
trait Worded: Copy {
    /// As large as the element.
    type Word: Ord + Copy + Send + Sync;
    /// The words of −0 and 0, which are equal.
    const ZEROS: Option<(Self::Word, Self::Word)>;
    fn word(self) -> Self::Word;
    fn element(w: Self::Word) -> Self;
    /// NaN comes last.
    fn is_last(self) -> bool;
    fn is_zero(self) -> bool;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Worded for $t {
            type Word = $t;
            const ZEROS: Option<($t, $t)> = None;
            #[inline(always)]
            fn word(self) -> $t { self }
            #[inline(always)]
            fn element(w: $t) -> $t { w }
            #[inline(always)]
            fn is_last(self) -> bool { false }
            #[inline(always)]
            fn is_zero(self) -> bool { false }
        }
    )*};
}
integers!(u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! floats {
    ($($t:ident $w:ident $u:ident)*) => {$(
        impl Worded for $t {
            type Word = $w;
            const ZEROS: Option<($w, $w)> = Some((-1, 0));
            /// The bits; of negative numbers the magnitude is turned over.
            #[inline(always)]
            fn word(self) -> $w {
                let b = self.to_bits() as $w;
                b ^ ((b >> ($w::BITS - 1)) as $u >> 1) as $w
            }
            #[inline(always)]
            fn element(w: $w) -> $t { $t::from_bits((w ^ ((w >> ($w::BITS - 1)) as $u >> 1) as $w) as $u) }
            #[inline(always)]
            fn is_last(self) -> bool { self.is_nan() }
            #[inline(always)]
            fn is_zero(self) -> bool { self == 0.0 }
        }
    )*};
}
floats!(f32 i32 u32 f64 i64 u64);

/// Words of the elements but those that come last into `out`; how many.
///
/// # Safety
/// `x` holds `n` elements of `T` a step apart, `out` has room for `n` words.
unsafe fn words<T: Worded>(x: Line, n: usize, out: *mut T::Word) -> usize {
    let mut k = 0;
    for i in 0..n {
        // SAFETY: k ≤ i < n.
        unsafe {
            let x = x.0.cast::<T>().offset(i as isize * x.1).read();
            out.add(k).write(x.word());
            k += usize::from(!x.is_last());
        }
    }
    k
}

/// Turns `k` words in order into the elements, n in all, in order.
///
/// # Safety
/// `x` holds the `n` elements a step apart, `out` the words and room for `n` elements.
unsafe fn settle<T: Worded>(x: Line, n: usize, out: *mut T, k: usize, descending: bool) {
    // SAFETY: as above; words are as large as elements.
    let words = unsafe { std::slice::from_raw_parts_mut(out.cast::<T::Word>(), k) };
    let mut zeros = T::ZEROS.map_or(0..0, |(minus, plus)| words.partition_point(|w| *w < minus)..words.partition_point(|w| *w <= plus));
    let mixed = !zeros.is_empty() && words[zeros.start] != words[zeros.end - 1];
    if descending {
        words.reverse();
        zeros = k - zeros.end..k - zeros.start;
    }
    // SAFETY: as above.
    unsafe {
        for i in 0..k {
            out.add(i).write(T::element(out.cast::<T::Word>().add(i).read()));
        }
        // Elements that are equal and not the same, in the order in which they stand.
        let place = |mut at: usize, of: fn(T) -> bool| {
            for i in 0..n {
                let x = x.0.cast::<T>().offset(i as isize * x.1).read();
                if of(x) {
                    out.add(at).write(x);
                    at += 1;
                }
            }
        };
        if k < n {
            place(k, T::is_last);
        }
        if mixed {
            place(zeros.start, T::is_zero);
        }
    }
}

/// Sorts words, perhaps on several threads.
type Sorter<'a, W> = &'a dyn Fn(&mut [W]) -> Result<()>;

/// # Safety
/// `x` and `y` hold `n` elements of `T` a step apart, in different memory.
unsafe fn one<T: Worded>(x: Line, y: Line, n: usize, descending: bool, sorter: Sorter<'_, T::Word>) -> Result<()> {
    let sorted = |out: *mut T| {
        // SAFETY: as above; `out` has room for n elements, of which k words are written.
        unsafe {
            let k = words::<T>(x, n, out.cast());
            sorter(std::slice::from_raw_parts_mut(out.cast(), k))?;
            settle::<T>(x, n, out, k, descending);
        }
        Ok(())
    };
    if y.1 == 1 {
        return sorted(y.0.cast());
    }
    with_scratch(n, |out: *mut T| {
        sorted(out)?;
        for i in 0..n {
            // SAFETY: as above.
            unsafe { y.0.cast::<T>().offset(i as isize * y.1).write(out.add(i).read()) };
        }
        Ok(())
    })?
}

/// `width` neighbouring lines, [`LANES`] at most.
///
/// # Safety
/// As for [`one`], of each line.
unsafe fn several<T: Worded>(x: Line, y: Line, n: usize, width: usize, descending: bool) -> Result<()> {
    with_scratch(n * LANES, |out: *mut T| {
        let mut counts = [0; LANES];
        // SAFETY: as above; line j has its n places of the scratch memory.
        unsafe {
            for i in 0..n {
                let row = x.0.cast::<T>().offset(i as isize * x.1);
                for (j, k) in counts[..width].iter_mut().enumerate() {
                    let x = row.add(j).read();
                    out.add(j * n + *k).cast::<T::Word>().write(x.word());
                    *k += usize::from(!x.is_last());
                }
            }
            for (j, k) in counts[..width].iter().enumerate() {
                let line = out.add(j * n);
                std::slice::from_raw_parts_mut(line.cast::<T::Word>(), *k).sort_unstable();
                settle::<T>((x.0.cast::<T>().add(j).cast(), x.1), n, line, *k, descending);
            }
            for i in 0..n {
                let row = y.0.cast::<T>().offset(i as isize * y.1);
                for j in 0..width {
                    row.add(j).write(out.add(j * n + i).read());
                }
            }
        }
    })
}

/// Input, output, count, neighbouring lines, descending.
type Kernel = unsafe fn(Line, Line, usize, usize, bool) -> Result<()>;
/// A long line; threads share it.
type LongKernel = unsafe fn(&Context<'_>, Line, Line, usize, bool) -> Result<()>;

/// # Safety
/// As for [`one`], of each line.
unsafe fn lines<T: Worded>(x: Line, y: Line, n: usize, width: usize, descending: bool) -> Result<()> {
    let at = |l: Line, j: usize| (l.0.cast::<T>().wrapping_add(j).cast(), l.1);
    for j in (0..width).step_by(LANES) {
        // SAFETY: as above.
        unsafe {
            if width == 1 {
                let alone = |w: &mut [T::Word]| {
                    w.sort_unstable();
                    Ok(())
                };
                one::<T>(x, y, n, descending, &alone)?;
            } else {
                several::<T>(at(x, j), at(y, j), n, LANES.min(width - j), descending)?;
            }
        }
    }
    Ok(())
}

/// # Safety
/// As for [`one`].
unsafe fn long<T: Worded>(c: &Context<'_>, x: Line, y: Line, n: usize, descending: bool) -> Result<()> {
    // SAFETY: as above.
    unsafe { one::<T>(x, y, n, descending, &|words| sort_shared(c, words)) }
}

#[derive(Debug)]
struct SortLines {
    lines: Lines,
    n: usize,
    descending: bool,
    size: usize,
    kernel: Kernel,
    long: LongKernel,
}

macro_rules! kernels {
    ($dtype:expr, $($d:ident $t:ty),*) => {
        match $dtype {
            $(DType::$d => Some((lines::<$t> as Kernel, long::<$t> as LongKernel)),)*
            _ => None,
        }
    };
}

pub(crate) fn lower_sort(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<Sort>(prim)?;
    let (x, shape) = (&args[0], sizes(&outs[0])?);
    let kernels = kernels!(x.dtype, Bool u8, U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64);
    let Some((kernel, long)) = kernels else {
        // Complex numbers have no words.
        return Ok(vec![sort_with_positions(p, op.axis, op.descending, x, &shape)?.swap_remove(0)]);
    };
    let values = p.temporary(x.dtype, &shape, &c_strides(&shape));
    if x.size() > 0 {
        let lines = Lines::new(op.axis, &[x, &values]);
        p.push(Box::new(SortLines { lines, n: shape[op.axis], descending: op.descending, size: x.dtype.size(), kernel, long }));
    }
    Ok(vec![values])
}

impl Step for SortLines {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let line = |tile: &Tile<'_>, i: usize| (tile.at::<u8>(i), self.lines.step(i));
        if self.n >= LONG && self.lines.count() < c.team.threads() {
            return self.lines.in_turn(c, &|tile| {
                let one = |i: usize, j: usize| (line(tile, i).0.wrapping_add(j * self.size), self.lines.step(i));
                // SAFETY: the views hold their lines.
                (0..tile.width).try_for_each(|j| unsafe { (self.long)(c, one(0, j), one(1, j), self.n, self.descending) })
            });
        }
        self.lines.each(c, self.cost(), &|tile| {
            // SAFETY: the views hold their lines; each line of the output is one tile's alone.
            unsafe { (self.kernel)(line(tile, 0), line(tile, 1), self.n, tile.width, self.descending) }
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.lines.places(f);
    }

    fn cost(&self) -> f64 {
        (self.lines.count() * self.n) as f64 * (2.0 + (self.n.max(1) as f64).log2())
    }
}
