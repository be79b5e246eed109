//! Reductions: fixed trees, so that bits do not depend on threads.

use std::ops::Add;

use tenferro_graph::tensor::{Dims, Strides, c_strides};
use tenferro_graph::{Aval, Complex32, Complex64, DType, Error, Prim, Result};
use tenferro_ops::{Reduce, ReduceOp};

use crate::memory::Place;
use crate::step::{Context, Planning, Step, View, sizes};

#[derive(Debug)]
struct ReduceStep {
    op: ReduceOp,
    dtype: DType,
    input: Place,
    output: Place,
    kept: Axes,
    reduced: Axes,
}

#[derive(Clone, Debug, Default)]
struct Axes {
    dims: Dims,
    strides: Strides,
}

impl Axes {
    fn push(&mut self, n: usize, stride: isize) {
        if n == 1 {
            return;
        }
        if let (Some(d), Some(s)) = (self.dims.last_mut(), self.strides.last_mut())
            && *s == stride * n as isize
        {
            *d *= n;
            *s = stride;
            return;
        }
        self.dims.push(n);
        self.strides.push(stride);
    }

    fn size(&self) -> usize {
        self.dims.iter().product()
    }

    /// Calls `f` with the offset of each position but for the innermost axis, and
    /// that axis's length and stride.
    fn rows(&self, mut f: impl FnMut(isize, usize, isize)) {
        let (Some((inner, outer)), Some((step, strides))) = (self.dims.split_last(), self.strides.split_last()) else {
            f(0, 1, 0);
            return;
        };
        let mut index = vec![0; outer.len()];
        let mut offset = 0;
        loop {
            f(offset, *inner, *step);
            let mut axis = outer.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                index[axis] += 1;
                offset += strides[axis];
                if index[axis] < outer[axis] {
                    break;
                }
                offset -= strides[axis] * outer[axis] as isize;
                index[axis] = 0;
            }
        }
    }
}

/// An element type that reduces.
trait Reducible: Copy + Add<Output = Self> {
    const ZERO: Self;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn largest(self, other: Self) -> Self;
}

macro_rules! reducible {
    ($($t:ty: $zero:expr, |$x:ident, $y:ident| $max:expr);*) => {$(
        impl Reducible for $t {
            const ZERO: Self = $zero;
            fn largest(self, other: Self) -> Self { let ($x, $y) = (self, other); $max }
        }
    )*};
}
reducible!(
    f32: 0.0, |x, y| if x > y || x.is_nan() { x } else { y };
    f64: 0.0, |x, y| if x > y || x.is_nan() { x } else { y };
    Complex32: Complex32::new(0.0, 0.0), |x, _y| x;
    Complex64: Complex64::new(0.0, 0.0), |x, _y| x
);

/// int64, which wraps.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Wrapping(i64);

impl Add for Wrapping {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Reducible for Wrapping {
    const ZERO: Self = Self(0);
    fn largest(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

/// Elements summed with 32 accumulators before the tree takes over.
const CHUNK: usize = 4096;

/// # Safety
/// `n` elements at distance `step` can be read.
unsafe fn row<T: Reducible>(p: *const T, n: usize, step: isize, f: fn(T, T) -> T) -> T {
    if n > CHUNK {
        let half = (n / 2).next_multiple_of(CHUNK);
        // SAFETY: the two halves are n elements.
        return unsafe { f(row(p, half, step, f), row(p.offset(half as isize * step), n - half, step, f)) };
    }
    // SAFETY: i < n.
    let at = |i: usize| unsafe { p.offset(i as isize * step).read() };
    if n < 64 {
        return (1..n).fold(at(0), |s, i| f(s, at(i)));
    }
    let mut acc: [T; 32] = std::array::from_fn(at);
    let whole = n / 32 * 32;
    for i in (32..whole).step_by(32) {
        for (j, a) in acc.iter_mut().enumerate() {
            *a = f(*a, at(i + j));
        }
    }
    let mut width = 16;
    while width > 0 {
        for j in 0..width {
            acc[j] = f(acc[j], acc[j + width]);
        }
        width /= 2;
    }
    (whole..n).fold(acc[0], |s, i| f(s, at(i)))
}

/// The combining function of an op.
macro_rules! dispatch {
    ($op:expr, $t:ty) => {
        match $op {
            ReduceOp::Sum => <$t as Reducible>::plus as fn($t, $t) -> $t,
            ReduceOp::Max => <$t as Reducible>::largest as fn($t, $t) -> $t,
        }
    };
}

impl ReduceStep {
    /// # Safety
    /// Input and output hold the axes in elements of T.
    unsafe fn typed<T: Reducible>(&self, c: &Context<'_>, f: fn(T, T) -> T) -> Result<()> {
        let (src, dst) = (c.memory.at(self.input).cast::<T>().cast_const(), c.memory.at(self.output).cast::<T>());
        if self.reduced.size() == 0 {
            for i in 0..self.kept.size() {
                // SAFETY: the output holds the kept axes.
                unsafe { dst.add(i).write(T::ZERO) };
            }
            return Ok(());
        }
        c.stop.poll()?;
        let kept_step = self.kept.strides.last().map_or(isize::MAX, |s| s.abs());
        let reduced_step = self.reduced.strides.last().map_or(isize::MAX, |s| s.abs());
        let mut out = 0;
        if reduced_step <= kept_step {
            self.kept.rows(|offset, n, step| {
                for i in 0..n {
                    let mut total: Option<T> = None;
                    self.reduced.rows(|inner, n, step_in| {
                        // SAFETY: offsets are those of the axes.
                        let part = unsafe { row(src.offset(offset + i as isize * step + inner), n, step_in, f) };
                        total = Some(total.map_or(part, |t| f(t, part)));
                    });
                    // SAFETY: as above.
                    unsafe { dst.add(out).write(total.unwrap_or(T::ZERO)) };
                    out += 1;
                }
            });
            return Ok(());
        }
        self.kept.rows(|offset, n, step| {
            let mut first = true;
            self.reduced.rows(|inner, m, step_in| {
                for k in 0..m {
                    // SAFETY: as above.
                    let from = unsafe { src.offset(offset + inner + k as isize * step_in) };
                    for i in 0..n {
                        // SAFETY: as above.
                        unsafe {
                            let x = from.offset(i as isize * step).read();
                            let to = dst.add(out + i);
                            to.write(if first { x } else { f(to.read(), x) });
                        }
                    }
                    first = false;
                }
            });
            out += n;
        });
        Ok(())
    }
}

impl Step for ReduceStep {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        if self.kept.dims.contains(&0) {
            return Ok(());
        }
        // SAFETY: the dtype is that of both places.
        unsafe {
            match self.dtype {
                DType::F64 => self.typed::<f64>(c, dispatch!(self.op, f64)),
                DType::F32 => self.typed::<f32>(c, dispatch!(self.op, f32)),
                DType::C128 => self.typed::<Complex64>(c, dispatch!(self.op, Complex64)),
                DType::C64 => self.typed::<Complex32>(c, dispatch!(self.op, Complex32)),
                DType::I64 => self.typed::<Wrapping>(c, dispatch!(self.op, Wrapping)),
                DType::Bool => Err(Error::dtype("reduce", "bool is not reduced here")),
            }
        }
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.input);
        f(&mut self.output);
    }

    fn cost(&self) -> f64 {
        (self.kept.size() * self.reduced.size()) as f64 * 0.5
    }
}

pub(crate) fn lower(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let reduce: &Reduce = prim.downcast().ok_or_else(|| Error::program("reduce: lowered another op"))?;
    let x = &args[0];
    let shape = sizes(&outs[0])?;
    let out = p.temporary(x.dtype, &shape, &c_strides(&shape));
    let (mut kept, mut reduced) = (Axes::default(), Axes::default());
    let mut inner: Vec<usize> = reduce.axes.clone();
    inner.sort_by_key(|a| std::cmp::Reverse(x.strides[*a].abs()));
    inner.iter().for_each(|a| reduced.push(x.shape[*a], x.strides[*a]));
    (0..x.rank()).filter(|a| !reduce.axes.contains(a)).for_each(|a| kept.push(x.shape[a], x.strides[a]));
    if inner.iter().any(|a| x.shape[*a] == 0) {
        reduced = Axes { dims: [0].into_iter().collect(), strides: [1].into_iter().collect() };
    }
    p.push(Box::new(ReduceStep { op: reduce.op, dtype: x.dtype, input: x.place, output: out.place, kept, reduced }));
    Ok(vec![out])
}
