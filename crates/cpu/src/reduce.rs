//! Reductions: fixed trees, so that bits do not depend on threads.

use tenferro_graph::tensor::{Dims, Strides, c_strides};
use tenferro_graph::{Aval, Complex32, Complex64, DType, Error, Prim, Result};
use tenferro_ops::{BinaryOp, Reduce, ReduceOp};

use crate::block::{CHUNK, FoldKernels, Folds, Kernel, LANES, Max, Sum, binary, fold, join_lanes, tree};
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
    kernels: Option<FoldKernels>,
    /// Joins two contiguous rows; a complex one as twice as many reals.
    join: Option<Kernel>,
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

/// A contiguous or strided row of `n` elements, in chunks joined by a tree.
///
/// # Safety
/// `n` elements at distance `step` can be read.
unsafe fn row<T: Copy, F: Folds<T>>(p: *const T, n: usize, step: isize, kernels: Option<&FoldKernels>) -> T {
    // SAFETY: chunks are parts of the row.
    let chunk = |c: usize| unsafe { leaf::<T, F>(p.wrapping_offset((c * CHUNK) as isize * step), CHUNK.min(n - c * CHUNK), step, kernels) };
    if n <= CHUNK { chunk(0) } else { tree::<T, F>(n.div_ceil(CHUNK), &chunk) }
}

/// One chunk: 32 accumulators, then what is left.
///
/// # Safety
/// As for [`row`].
unsafe fn leaf<T: Copy, F: Folds<T>>(p: *const T, n: usize, step: isize, kernels: Option<&FoldKernels>) -> T {
    // SAFETY: i < n.
    let at = |i: usize| unsafe { p.offset(i as isize * step).read() };
    let mut acc = [F::START; LANES];
    let whole = n / LANES * LANES;
    if let Some(k) = kernels
        && step == 1
        && whole > 0
    {
        let (acc, none) = (acc.as_mut_ptr().cast::<u8>(), std::ptr::null());
        let mut out = F::START;
        // SAFETY: the kernels are those of T; the row is contiguous.
        unsafe {
            (k.lanes)(acc, p.cast(), none, none, whole);
            (k.finish)((&raw mut out).cast(), acc, p.add(whole).cast(), none, n - whole);
        }
        return out;
    }
    for i in (0..whole).step_by(LANES) {
        for (j, a) in acc.iter_mut().enumerate() {
            *a = F::join(*a, at(i + j));
        }
    }
    (whole..n).fold(join_lanes::<T, F>(acc), |s, i| F::join(s, at(i)))
}

impl ReduceStep {
    /// # Safety
    /// Input and output hold the axes in elements of T.
    unsafe fn typed<T: Copy, F: Folds<T>>(&self, c: &Context<'_>) -> Result<()> {
        let (src, dst) = (c.memory.at(self.input).cast::<T>().cast_const(), c.memory.at(self.output).cast::<T>());
        if self.reduced.size() == 0 {
            for i in 0..self.kept.size() {
                // SAFETY: the output holds the kept axes. 0 is the sum of nothing; maxima of nothing are refused before.
                unsafe { dst.add(i).cast::<u8>().write_bytes(0, size_of::<T>()) };
            }
            return Ok(());
        }
        c.stop.poll()?;
        let kept_step = self.kept.strides.last().map_or(isize::MAX, |s| s.abs());
        let reduced_step = self.reduced.strides.last().map_or(isize::MAX, |s| s.abs());
        // SAFETY: passed on.
        unsafe { if reduced_step <= kept_step { self.along_rows::<T, F>(src, dst) } else { self.across_rows::<T, F>(src, dst) } }
        Ok(())
    }

    /// Each result from its rows.
    ///
    /// # Safety
    /// As for [`Self::typed`].
    unsafe fn along_rows<T: Copy, F: Folds<T>>(&self, src: *const T, dst: *mut T) {
        let mut out = 0;
        // An interleaved row is not what kernels of complex registers read.
        let kernels = self.kernels.as_ref().filter(|_| !self.dtype.is_complex());
        self.kept.rows(|offset, n, step| {
            for i in 0..n {
                let mut total: Option<T> = None;
                self.reduced.rows(|inner, n, step_in| {
                    // SAFETY: offsets are those of the axes.
                    let part = unsafe { row::<T, F>(src.offset(offset + i as isize * step + inner), n, step_in, kernels) };
                    total = Some(total.map_or(part, |t| F::join(t, part)));
                });
                // SAFETY: as above.
                unsafe { dst.add(out).write(total.unwrap_or(F::START)) };
                out += 1;
            }
        });
    }

    /// Rows of results at once.
    ///
    /// # Safety
    /// As for [`Self::typed`].
    unsafe fn across_rows<T: Copy, F: Folds<T>>(&self, src: *const T, dst: *mut T) {
        let mut out = 0;
        let parts = size_of::<T>() / self.dtype.real().size();
        self.kept.rows(|offset, n, step| {
            let mut first = true;
            self.reduced.rows(|inner, m, step_in| {
                for k in 0..m {
                    // SAFETY: as above.
                    unsafe {
                        let from = src.offset(offset + inner + k as isize * step_in);
                        let to = dst.add(out);
                        match self.join {
                            _ if first => (0..n).for_each(|i| to.add(i).write(from.offset(i as isize * step).read())),
                            Some(join) if step == 1 => join(to.cast(), to.cast(), from.cast(), std::ptr::null(), n * parts),
                            _ => (0..n).for_each(|i| to.add(i).write(F::join(to.add(i).read(), from.offset(i as isize * step).read()))),
                        }
                    }
                    first = false;
                }
            });
            out += n;
        });
    }
}

impl Step for ReduceStep {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        if self.kept.dims.contains(&0) {
            return Ok(());
        }
        // SAFETY: the dtype is that of both places.
        unsafe {
            match (self.dtype, self.op) {
                (DType::F64, ReduceOp::Sum) => self.typed::<f64, Sum>(c),
                (DType::F64, ReduceOp::Max) => self.typed::<f64, Max>(c),
                (DType::F32, ReduceOp::Sum) => self.typed::<f32, Sum>(c),
                (DType::F32, ReduceOp::Max) => self.typed::<f32, Max>(c),
                (DType::I64, ReduceOp::Sum) => self.typed::<i64, Sum>(c),
                (DType::I64, ReduceOp::Max) => self.typed::<i64, Max>(c),
                (DType::C128, ReduceOp::Sum) => self.typed::<Complex64, Sum>(c),
                (DType::C64, ReduceOp::Sum) => self.typed::<Complex32, Sum>(c),
                (dtype, op) => Err(Error::dtype("reduce", format!("{op:?} of {dtype} is not reduced here"))),
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
    for a in &inner {
        reduced.push(x.shape[*a], x.strides[*a]);
    }
    (0..x.rank()).filter(|a| !reduce.axes.contains(a)).for_each(|a| kept.push(x.shape[a], x.strides[a]));
    if inner.iter().any(|a| x.shape[*a] == 0) {
        reduced = Axes { dims: [0].into_iter().collect(), strides: [1].into_iter().collect() };
    }
    let kernels = fold(reduce.op, x.dtype, p.level());
    let pairwise = if reduce.op == ReduceOp::Sum { BinaryOp::Add } else { BinaryOp::Maximum };
    let join = binary(pairwise, x.dtype.real(), p.level());
    p.push(Box::new(ReduceStep { op: reduce.op, dtype: x.dtype, input: x.place, output: out.place, kept, reduced, kernels, join }));
    Ok(vec![out])
}
