//! Views of matrices with any strides.

use std::marker::PhantomData;

/// A read-only matrix view; strides count elements and may be negative or zero.
#[derive(Debug)]
pub struct MatRef<'a, T> {
    pub(crate) ptr: *const T,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) rs: isize,
    pub(crate) cs: isize,
    data: PhantomData<&'a [T]>,
}

/// A matrix view to write to; no two elements share an address.
#[derive(Debug)]
pub struct MatMut<'a, T> {
    pub(crate) ptr: *mut T,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) rs: isize,
    pub(crate) cs: isize,
    data: PhantomData<&'a mut [T]>,
}

impl<T> Clone for MatRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for MatRef<'_, T> {}

// SAFETY: a MatRef is a shared borrow of its elements and nothing else.
unsafe impl<T: Sync> Send for MatRef<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for MatRef<'_, T> {}
// SAFETY: a MatMut is a unique borrow of its elements and nothing else.
unsafe impl<T: Send> Send for MatMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for MatMut<'_, T> {}

impl<'a, T> MatRef<'a, T> {
    /// A view of `rows × cols` elements, element `(i, j)` at `ptr + i·row_stride + j·col_stride`.
    ///
    /// # Safety
    /// Every element must be readable, and not written, for `'a`.
    pub unsafe fn from_raw_parts(ptr: *const T, rows: usize, cols: usize, row_stride: isize, col_stride: isize) -> Self {
        Self { ptr, rows, cols, rs: row_stride, cs: col_stride, data: PhantomData }
    }

    /// `rows × cols` elements, column after column; panics if the slice is shorter.
    pub fn col_major(data: &'a [T], rows: usize, cols: usize) -> Self {
        assert!(fits(data.len(), rows, cols), "slice shorter than rows * cols");
        // SAFETY: the slice holds rows · cols elements.
        unsafe { Self::from_raw_parts(data.as_ptr(), rows, cols, 1, rows as isize) }
    }

    /// `rows × cols` elements, row after row; panics if the slice is shorter.
    pub fn row_major(data: &'a [T], rows: usize, cols: usize) -> Self {
        Self::col_major(data, cols, rows).t()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Elements from one row to the next.
    pub fn row_stride(&self) -> isize {
        self.rs
    }
    /// Elements from one column to the next.
    pub fn col_stride(&self) -> isize {
        self.cs
    }

    /// The transpose, not conjugated.
    pub fn t(self) -> Self {
        Self { rows: self.cols, cols: self.rows, rs: self.cs, cs: self.rs, ..self }
    }

    /// Columns `from .. to`; panics if they do not exist.
    pub fn cols_range(self, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.cols, "no such columns");
        let ptr = self.ptr.wrapping_offset(from as isize * self.cs);
        Self { ptr, cols: to - from, ..self }
    }

    /// Rows `from .. to`; panics if they do not exist.
    pub fn rows_range(self, from: usize, to: usize) -> Self {
        self.t().cols_range(from, to).t()
    }

    /// The last row first.
    pub(crate) fn flip_rows(self) -> Self {
        let last = self.rows.saturating_sub(1) as isize * self.rs;
        Self { ptr: self.ptr.wrapping_offset(last), rs: -self.rs, ..self }
    }
}

impl<T: Copy> MatRef<'_, T> {
    /// Element `(i, j)`; panics if it does not exist.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        assert!(i < self.rows && j < self.cols, "no such element");
        // SAFETY: the element is inside the view.
        unsafe { *self.ptr.offset(i as isize * self.rs + j as isize * self.cs) }
    }
}

impl<'a, T> MatMut<'a, T> {
    /// A view of `rows × cols` elements, element `(i, j)` at `ptr + i·row_stride + j·col_stride`.
    ///
    /// # Safety
    /// Every element must be writable, and reached by nobody else, for `'a`; no two elements may
    /// share an address.
    pub unsafe fn from_raw_parts(ptr: *mut T, rows: usize, cols: usize, row_stride: isize, col_stride: isize) -> Self {
        Self { ptr, rows, cols, rs: row_stride, cs: col_stride, data: PhantomData }
    }

    /// `rows × cols` elements, column after column; panics if the slice is shorter.
    pub fn col_major(data: &'a mut [T], rows: usize, cols: usize) -> Self {
        assert!(fits(data.len(), rows, cols), "slice shorter than rows * cols");
        // SAFETY: the slice holds rows · cols elements.
        unsafe { Self::from_raw_parts(data.as_mut_ptr(), rows, cols, 1, rows as isize) }
    }

    /// `rows × cols` elements, row after row; panics if the slice is shorter.
    pub fn row_major(data: &'a mut [T], rows: usize, cols: usize) -> Self {
        Self::col_major(data, cols, rows).t()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The transpose, not conjugated.
    pub fn t(self) -> Self {
        Self { rows: self.cols, cols: self.rows, rs: self.cs, cs: self.rs, ..self }
    }

    /// The same view for a shorter time.
    pub fn rb_mut(&mut self) -> MatMut<'_, T> {
        MatMut { data: PhantomData, ..*self }
    }

    /// The same view, to read.
    pub fn rb(&self) -> MatRef<'_, T> {
        MatRef { ptr: self.ptr, rows: self.rows, cols: self.cols, rs: self.rs, cs: self.cs, data: PhantomData }
    }

    /// Columns `from .. to`; panics if they do not exist.
    pub fn cols_range(self, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.cols, "no such columns");
        let ptr = self.ptr.wrapping_offset(from as isize * self.cs);
        Self { ptr, cols: to - from, ..self }
    }

    /// Rows `from .. to`; panics if they do not exist.
    pub fn rows_range(self, from: usize, to: usize) -> Self {
        self.t().cols_range(from, to).t()
    }

    /// Rows before `at`, and the others.
    pub(crate) fn split_rows(self, at: usize) -> (Self, Self) {
        assert!(at <= self.rows, "no such rows");
        let ptr = self.ptr.wrapping_offset(at as isize * self.rs);
        (Self { rows: at, ..self }, Self { ptr, rows: self.rows - at, ..self })
    }

    /// Columns before `at`, and the others.
    pub(crate) fn split_cols(self, at: usize) -> (Self, Self) {
        let (left, right) = self.t().split_rows(at);
        (left.t(), right.t())
    }

    /// The last row first.
    pub(crate) fn flip_rows(self) -> Self {
        let last = self.rows.saturating_sub(1) as isize * self.rs;
        Self { ptr: self.ptr.wrapping_offset(last), rs: -self.rs, ..self }
    }
}

impl<T: Copy> MatMut<'_, T> {
    /// Element `(i, j)`; panics if it does not exist.
    #[inline(always)]
    pub(crate) fn at(&self, i: usize, j: usize) -> T {
        self.rb().at(i, j)
    }
    /// Column j as a slice; panics unless rows are adjacent.
    #[inline(always)]
    pub(crate) fn column(&mut self, j: usize) -> &mut [T] {
        assert!(j < self.cols && (self.rs == 1 || self.rows < 2), "no such contiguous column");
        // SAFETY: the elements of a column are inside the view, adjacent, and ours alone.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.offset(j as isize * self.cs), self.rows) }
    }
    /// Two different columns as slices, the first to read.
    #[inline(always)]
    pub(crate) fn two_columns(&mut self, read: usize, write: usize) -> (&[T], &mut [T]) {
        assert!(read != write && read < self.cols, "no two such columns");
        let from = self.ptr.wrapping_offset(read as isize * self.cs);
        let rows = self.rows;
        let to = self.column(write);
        // SAFETY: `column` has checked that rows are adjacent; two columns share no element.
        (unsafe { std::slice::from_raw_parts(from, rows) }, to)
    }

    /// Writes element `(i, j)`; panics if it does not exist.
    #[inline(always)]
    pub fn set(&mut self, i: usize, j: usize, value: T) {
        assert!(i < self.rows && j < self.cols, "no such element");
        // SAFETY: the element is inside the view.
        unsafe { *self.ptr.offset(i as isize * self.rs + j as isize * self.cs) = value }
    }

    /// Writes `f(i, j)` everywhere, along the smaller stride first.
    pub(crate) fn fill_with(mut self, mut f: impl FnMut(usize, usize) -> T) {
        if self.rs.unsigned_abs() <= self.cs.unsigned_abs() {
            for j in 0..self.cols {
                for i in 0..self.rows {
                    self.set(i, j, f(i, j));
                }
            }
        } else {
            for i in 0..self.rows {
                for j in 0..self.cols {
                    self.set(i, j, f(i, j));
                }
            }
        }
    }
}

fn fits(len: usize, rows: usize, cols: usize) -> bool {
    rows.checked_mul(cols).is_some_and(|need| len >= need)
}
