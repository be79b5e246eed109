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
/// zero, and are meaningless on axes of length 0 and 1. Cloning shares everything.
#[derive(Clone)]
pub struct Tensor(Arc<Inner>);

/// Behind a pointer: tensors are handed on often, and this is three cache lines long.
struct Inner {
    dtype: DType,
    shape: Dims,
    strides: Strides,
    /// Byte offset of element (0, …, 0).
    offset: usize,
    buffer: Arc<Buffer>,
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

/// Whether elements of `size` bytes, the first at byte `offset`, lie inside `bytes` bytes.
fn inside(shape: &[usize], strides: &[isize], offset: usize, size: usize, bytes: usize) -> bool {
    // The reach of all axes with steps back and of those with steps forward.
    let reach = |forward: bool| {
        let mut axes = shape.iter().zip(strides).filter(|(_, s)| (**s > 0) == forward);
        axes.try_fold(0_usize, |sum, (n, s)| sum.checked_add(s.unsigned_abs().checked_mul((n - 1) * size)?))
    };
    let (Some(back), Some(forward)) = (reach(false), reach(true)) else { return false };
    back <= offset && forward.checked_add(offset).and_then(|end| end.checked_add(size)).is_some_and(|end| end <= bytes)
}

impl Tensor {
    /// An array over part of a buffer.
    ///
    /// # Errors
    /// `Shape` if an element would lie outside the buffer.
    pub fn from_buffer(buffer: Arc<Buffer>, dtype: DType, shape: &[usize], strides: &[isize], offset: usize) -> Result<Self> {
        let size = checked_size(shape).filter(|_| shape.len() == strides.len());
        let Some(size) = size else {
            return Err(Error::shape("tensor", format!("shape {shape:?} with strides {strides:?}")));
        };
        if size > 0 && !inside(shape, strides, offset, dtype.size(), buffer.len()) {
            return Err(Error::shape("tensor", format!("shape {shape:?} with strides {strides:?} reaches outside its buffer")));
        }
        Ok(Self(Arc::new(Inner { dtype, shape: Dims::from_slice(shape), strides: Strides::from_slice(strides), offset, buffer })))
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
        self.0.dtype
    }

    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// In elements.
    pub fn strides(&self) -> &[isize] {
        &self.0.strides
    }

    pub fn rank(&self) -> usize {
        self.0.shape.len()
    }

    pub fn size(&self) -> usize {
        self.0.shape.iter().product()
    }

    pub fn aval(&self) -> Aval {
        Aval::new(self.0.dtype, self.shape())
    }

    /// The buffer and the byte offset of the first element.
    pub fn buffer(&self) -> (&Arc<Buffer>, usize) {
        (&self.0.buffer, self.0.offset)
    }

    /// How many others hold this tensor, or its memory by views: clones of a view count once.
    pub fn holders(&self) -> usize {
        Arc::strong_count(&self.0) + Arc::strong_count(&self.0.buffer) - 2
    }

    /// Address of element (0, …, 0).
    pub fn as_ptr(&self) -> *const u8 {
        // In range by construction; an empty array's pointer is never read.
        self.0.buffer.as_ptr().wrapping_add(self.0.offset)
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
        self.is_dense(self.0.shape.iter().zip(&self.0.strides).rev())
    }

    pub fn is_f_contiguous(&self) -> bool {
        self.is_dense(self.0.shape.iter().zip(&self.0.strides))
    }

    /// The elements, if the dtype is `T` and they lie in C order.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        if T::DTYPE != self.0.dtype || !self.is_c_contiguous() {
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
        if T::DTYPE != self.0.dtype || self.0.strides.iter().any(|s| *s < 0) {
            return None;
        }
        let strides: Vec<usize> = self.0.strides.iter().map(|s| *s as usize).collect();
        let shape = IxDyn(&self.0.shape).strides(IxDyn(&strides));
        let ptr = if self.size() == 0 { NonNull::<T>::dangling().as_ptr() } else { self.as_ptr().cast_mut().cast() };
        // SAFETY: bounds were checked at construction; the view borrows self.
        Some(unsafe { ArrayViewD::from_shape_ptr(shape, ptr) })
    }

    /// All elements in C order.
    pub fn to_vec<T: Element>(&self) -> Option<Vec<T>> {
        (T::DTYPE == self.0.dtype).then(|| {
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
        let size = self.0.dtype.size() as isize;
        let mut index: Dims = self.0.shape.iter().map(|_| 0).collect();
        let mut at = 0_isize;
        loop {
            f(at);
            let mut axis = self.0.shape.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                index[axis] += 1;
                at += self.0.strides[axis] * size;
                if index[axis] < self.0.shape[axis] {
                    break;
                }
                at -= self.0.strides[axis] * size * self.0.shape[axis] as isize;
                index[axis] = 0;
            }
        }
    }

    /// A view with other shape and strides on the same buffer; `shift` moves the
    /// first element by that many elements.
    pub fn restride(&self, shape: &[usize], strides: &[isize], shift: isize) -> Result<Self> {
        let offset = self.0.offset as isize + shift * self.0.dtype.size() as isize;
        let offset = usize::try_from(offset).map_err(|_| Error::shape("tensor", "a view starts before its buffer"))?;
        Self::from_buffer(self.0.buffer.clone(), self.0.dtype, shape, strides, offset)
    }

    /// The axes in another order; no copy.
    pub fn permute(&self, axes: &[usize]) -> Result<Self> {
        let shape: Dims = axes.iter().map(|a| self.0.shape[*a]).collect();
        let strides: Strides = axes.iter().map(|a| self.0.strides[*a]).collect();
        self.restride(&shape, &strides, 0)
    }

    /// A dense copy with the given strides, which must be those of a permuted C order.
    pub fn copy_with_strides(&self, strides: &[isize]) -> Result<Self> {
        let size = self.0.dtype.size();
        let mut order: SmallVec<[usize; 6]> = (0..self.rank()).collect();
        order.sort_by_key(|a| std::cmp::Reverse(strides[*a]));
        let source = self.permute(&order)?;
        let fill = |p: *mut u8| {
            // SAFETY: there is room for all elements, of this many bytes each.
            unsafe {
                match size {
                    1 => source.copy_elements::<u8>(p),
                    2 => source.copy_elements::<[u8; 2]>(p),
                    4 => source.copy_elements::<[u8; 4]>(p),
                    8 => source.copy_elements::<[u8; 8]>(p),
                    _ => source.copy_elements::<[u8; 16]>(p),
                }
            }
        };
        // SAFETY: `fill` writes every element once, in the order of the strides.
        unsafe { Self::build(self.0.dtype, &self.0.shape, strides, fill) }
    }

    /// All elements, in C order, to `to`.
    ///
    /// # Safety
    /// `to` takes them; `T` has the size of the dtype.
    unsafe fn copy_elements<T: Copy>(&self, to: *mut u8) {
        let (from, mut to) = (self.as_ptr(), to.cast::<T>());
        self.for_each_offset(|o| {
            // SAFETY: reads are in bounds by construction; writes advance through `size()` elements.
            unsafe { to.write_unaligned(from.wrapping_offset(o).cast::<T>().read_unaligned()) };
            to = to.wrapping_add(1);
        });
    }

    /// Itself if dense in C or F order and owned here; otherwise a dense copy in
    /// the order that it is closest to.
    pub fn compact(&self) -> Result<Self> {
        if !self.0.buffer.is_foreign()
            && (self.is_c_contiguous() || self.is_f_contiguous())
            && self.0.buffer.len() == self.size() * self.0.dtype.size()
        {
            return Ok(self.clone());
        }
        if self.is_f_contiguous() && !self.is_c_contiguous() {
            return self.copy_with_strides(&f_strides(&self.0.shape));
        }
        self.copy_with_strides(&c_strides(&self.0.shape))
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
