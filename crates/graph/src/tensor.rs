//! Dense arrays: a buffer, a shape and strides. Data only: no engine, no graph.

use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};
use smallvec::SmallVec;

use crate::aval::{Aval, Shape};
use crate::buffer::Buffer;
use crate::dtype::{DType, Element};
use crate::error::{Error, Result};

pub type Dims = SmallVec<[usize; 6]>;
pub type Strides = SmallVec<[isize; 6]>;

/// An immutable n-dimensional array. Strides count elements, may be negative or
/// zero, and are meaningless on axes of length 0 and 1. Cloning shares the buffer.
pub struct Tensor {
    dtype: DType,
    shape: Dims,
    strides: Strides,
    /// Byte offset of element (0, …, 0).
    offset: usize,
    buffer: Arc<Buffer>,
}

impl Clone for Tensor {
    /// By slices: cloning a small vector walks it element by element.
    fn clone(&self) -> Self {
        Self {
            dtype: self.dtype,
            shape: Dims::from_slice(&self.shape),
            strides: Strides::from_slice(&self.strides),
            offset: self.offset,
            buffer: self.buffer.clone(),
        }
    }
}

/// Strides of a dense array in C order (last axis fastest).
pub fn c_strides(shape: &[usize]) -> Strides {
    let mut strides = Strides::from_elem(0, shape.len());
    let mut step = 1_isize;
    for (s, n) in strides.iter_mut().zip(shape).rev() {
        *s = step;
        step *= (*n).max(1) as isize;
    }
    strides
}

/// Strides of a dense array in F order (first axis fastest).
pub fn f_strides(shape: &[usize]) -> Strides {
    let mut step = 1_isize;
    shape
        .iter()
        .map(|n| {
            let s = step;
            step *= (*n).max(1) as isize;
            s
        })
        .collect()
}

/// Number of elements; `None` on overflow.
pub fn checked_size(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1_usize, |n, d| n.checked_mul(*d)).filter(|n| *n <= isize::MAX as usize / 16)
}

impl Tensor {
    /// An array over part of a buffer.
    ///
    /// # Errors
    /// `Shape` if an element would lie outside the buffer.
    pub fn from_buffer(buffer: Arc<Buffer>, dtype: DType, shape: &[usize], strides: &[isize], offset: usize) -> Result<Self> {
        let (mut low, mut high) = (offset as i128, offset as i128);
        let size = dtype.size() as i128;
        if checked_size(shape).is_none() || shape.len() != strides.len() {
            return Err(Error::shape("tensor", format!("shape {shape:?} with strides {strides:?}")));
        }
        if !shape.contains(&0) {
            for (n, s) in shape.iter().zip(strides) {
                let reach = (*n as i128 - 1) * (*s as i128) * size;
                if reach < 0 { low += reach } else { high += reach }
            }
            if low < 0 || high + size > buffer.len() as i128 {
                return Err(Error::shape("tensor", format!("shape {shape:?} with strides {strides:?} reaches outside its buffer")));
            }
        }
        Ok(Self { dtype, shape: Dims::from_slice(shape), strides: Strides::from_slice(strides), offset, buffer })
    }

    /// Fills a new dense array through `fill`, which receives the uninitialised
    /// memory of `size` elements and must write all of them.
    ///
    /// # Safety
    /// `fill` writes every element with valid values of `dtype`.
    pub unsafe fn build(dtype: DType, shape: &[usize], strides: &[isize], fill: impl FnOnce(*mut u8)) -> Result<Self> {
        let mut buffer = alloc_for("tensor", dtype, shape)?;
        fill(buffer.as_mut_ptr());
        Self::from_buffer(Arc::new(buffer), dtype, shape, strides, 0)
    }

    /// From elements in C order.
    pub fn from_slice<T: Element>(shape: &[usize], data: &[T]) -> Result<Self> {
        Self::from_ordered(shape, &c_strides(shape), data)
    }

    /// From elements in column-major (F) order.
    pub fn from_vec_col_major<T: Element>(shape: &[usize], data: &[T]) -> Result<Self> {
        Self::from_ordered(shape, &f_strides(shape), data)
    }

    fn from_ordered<T: Element>(shape: &[usize], strides: &[isize], data: &[T]) -> Result<Self> {
        if checked_size(shape) != Some(data.len()) {
            return Err(Error::shape(
                "tensor",
                format!("shape {} needs another number of elements than {}", Shape::from(shape), data.len()),
            ));
        }
        let fill = |p: *mut u8| {
            // SAFETY: the new buffer holds data.len() elements and overlaps nothing.
            unsafe { std::ptr::copy_nonoverlapping(data.as_ptr().cast::<u8>(), p, size_of_val(data)) };
        };
        // SAFETY: `fill` writes every element.
        unsafe { Self::build(T::DTYPE, shape, strides, fill) }
    }

    pub fn scalar<T: Element>(x: T) -> Self {
        Self::from_slice(&[], &[x]).expect("one element fills a scalar")
    }

    pub fn from_ndarray<T: Element>(a: &ArrayD<T>) -> Result<Self> {
        let data: Vec<T> = a.iter().copied().collect();
        Self::from_slice(a.shape(), &data)
    }

    pub fn dtype(&self) -> DType {
        self.dtype
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// In elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn aval(&self) -> Aval {
        Aval::new(self.dtype, self.shape())
    }

    /// The buffer and the byte offset of the first element.
    pub fn buffer(&self) -> (&Arc<Buffer>, usize) {
        (&self.buffer, self.offset)
    }

    /// Address of element (0, …, 0).
    pub fn as_ptr(&self) -> *const u8 {
        // In range by construction; an empty array's pointer is never read.
        self.buffer.as_ptr().wrapping_add(self.offset)
    }

    /// Whether the elements follow each other when the axes are walked in this order, fastest first.
    fn is_dense<'a>(&self, mut axes: impl Iterator<Item = (&'a usize, &'a isize)>) -> bool {
        let mut step = 1;
        self.size() == 0
            || axes.all(|(n, s)| {
                let fits = *n == 1 || *s == step;
                step *= *n as isize;
                fits
            })
    }

    pub fn is_c_contiguous(&self) -> bool {
        self.is_dense(self.shape.iter().zip(&self.strides).rev())
    }

    pub fn is_f_contiguous(&self) -> bool {
        self.is_dense(self.shape.iter().zip(&self.strides))
    }

    /// The elements, if the dtype is `T` and they lie in C order.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        if T::DTYPE != self.dtype || !self.is_c_contiguous() {
            return None;
        }
        if self.size() == 0 {
            return Some(&[]);
        }
        // SAFETY: dtype and density were checked, bounds at construction.
        Some(unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), self.size()) })
    }

    /// An `ndarray` view without a copy; `None` if the dtype is another or a stride is negative.
    pub fn view<T: Element>(&self) -> Option<ArrayViewD<'_, T>> {
        if T::DTYPE != self.dtype || self.strides.iter().any(|s| *s < 0) {
            return None;
        }
        let strides: Vec<usize> = self.strides.iter().map(|s| *s as usize).collect();
        let shape = IxDyn(&self.shape).strides(IxDyn(&strides));
        let ptr = if self.size() == 0 { NonNull::<T>::dangling().as_ptr() } else { self.as_ptr().cast_mut().cast() };
        // SAFETY: bounds were checked at construction; the view borrows self.
        Some(unsafe { ArrayViewD::from_shape_ptr(shape, ptr) })
    }

    /// All elements in C order.
    pub fn to_vec<T: Element>(&self) -> Option<Vec<T>> {
        (T::DTYPE == self.dtype).then(|| {
            let mut out = Vec::with_capacity(self.size());
            // SAFETY: every offset is in bounds by construction, and the dtype is T.
            self.for_each_offset(|o| out.push(unsafe { self.as_ptr().wrapping_offset(o).cast::<T>().read_unaligned() }));
            out
        })
    }

    /// Calls `f` with each element's byte offset from the first, in C order.
    pub fn for_each_offset(&self, mut f: impl FnMut(isize)) {
        if self.size() == 0 {
            return;
        }
        let size = self.dtype.size() as isize;
        let mut index: Dims = self.shape.iter().map(|_| 0).collect();
        let mut at = 0_isize;
        loop {
            f(at);
            let mut axis = self.shape.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                index[axis] += 1;
                at += self.strides[axis] * size;
                if index[axis] < self.shape[axis] {
                    break;
                }
                at -= self.strides[axis] * size * self.shape[axis] as isize;
                index[axis] = 0;
            }
        }
    }

    /// A view with other shape and strides on the same buffer; `shift` moves the
    /// first element by that many elements.
    pub fn restride(&self, shape: &[usize], strides: &[isize], shift: isize) -> Result<Self> {
        let offset = self.offset as isize + shift * self.dtype.size() as isize;
        let offset = usize::try_from(offset).map_err(|_| Error::shape("tensor", "a view starts before its buffer"))?;
        Self::from_buffer(self.buffer.clone(), self.dtype, shape, strides, offset)
    }

    /// The axes in another order; no copy.
    pub fn permute(&self, axes: &[usize]) -> Result<Self> {
        let shape: Dims = axes.iter().map(|a| self.shape[*a]).collect();
        let strides: Strides = axes.iter().map(|a| self.strides[*a]).collect();
        self.restride(&shape, &strides, 0)
    }

    /// A dense copy with the given strides, which must be those of a permuted C order.
    pub fn copy_with_strides(&self, strides: &[isize]) -> Result<Self> {
        let size = self.dtype.size();
        let mut order: SmallVec<[usize; 6]> = (0..self.rank()).collect();
        order.sort_by_key(|a| std::cmp::Reverse(strides[*a]));
        let source = self.permute(&order)?;
        let fill = |p: *mut u8| {
            let mut to = p;
            source.for_each_offset(|o| {
                // SAFETY: reads are in bounds by construction; writes advance through `size()` elements.
                unsafe { std::ptr::copy_nonoverlapping(source.as_ptr().wrapping_offset(o), to, size) };
                to = to.wrapping_add(size);
            });
        };
        // SAFETY: `fill` writes every element once, in the order of the strides.
        unsafe { Self::build(self.dtype, &self.shape, strides, fill) }
    }

    /// Itself if dense in C or F order and owned here; otherwise a dense copy in
    /// the order that it is closest to.
    pub fn compact(&self) -> Result<Self> {
        if !self.buffer.is_foreign()
            && (self.is_c_contiguous() || self.is_f_contiguous())
            && self.buffer.len() == self.size() * self.dtype.size()
        {
            return Ok(self.clone());
        }
        if self.is_f_contiguous() && !self.is_c_contiguous() {
            return self.copy_with_strides(&f_strides(&self.shape));
        }
        self.copy_with_strides(&c_strides(&self.shape))
    }
}

/// A new buffer for a dense array.
///
/// # Errors
/// `Memory` if it does not suffice.
pub fn alloc_for(op: &'static str, dtype: DType, shape: &[usize]) -> Result<Buffer> {
    checked_size(shape)
        .and_then(|n| n.checked_mul(dtype.size()))
        .and_then(Buffer::new)
        .ok_or_else(|| Error::memory(op, format!("not enough memory for {} of shape {}", dtype, Shape::from(shape))))
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({})", self.aval())
    }
}
