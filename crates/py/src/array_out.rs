//! Data to Python: read-only NumPy views and the buffer protocol, without a copy.

use std::ffi::{CStr, c_int, c_void};

use numpy::npyffi::{NPY_TYPES, NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use tenferro_graph::tensor::Dims;
use tenferro_graph::{DType, SmallVec, Tensor};

use crate::array_in;

fn type_num(d: DType) -> c_int {
    (match d {
        DType::Bool => NPY_TYPES::NPY_BOOL,
        DType::I8 => NPY_TYPES::NPY_BYTE,
        DType::I16 => NPY_TYPES::NPY_SHORT,
        DType::I32 => NPY_TYPES::NPY_INT,
        DType::U8 => NPY_TYPES::NPY_UBYTE,
        DType::U16 => NPY_TYPES::NPY_USHORT,
        DType::U32 => NPY_TYPES::NPY_UINT,
        DType::U64 if size_of::<std::ffi::c_long>() == 8 => NPY_TYPES::NPY_ULONG,
        DType::U64 => NPY_TYPES::NPY_ULONGLONG,
        DType::I64 if size_of::<std::ffi::c_long>() == 8 => NPY_TYPES::NPY_LONG,
        DType::I64 => NPY_TYPES::NPY_LONGLONG,
        DType::F32 => NPY_TYPES::NPY_FLOAT,
        DType::F64 => NPY_TYPES::NPY_DOUBLE,
        DType::C64 => NPY_TYPES::NPY_CFLOAT,
        DType::C128 => NPY_TYPES::NPY_CDOUBLE,
    }) as c_int
}

/// Strides in bytes.
fn byte_strides(t: &Tensor) -> SmallVec<[isize; 6]> {
    t.strides().iter().map(|s| s * t.dtype().size() as isize).collect()
}

/// A read-only ndarray on the tensor's memory; `owner` keeps it alive.
pub fn to_numpy<'py>(t: &Tensor, owner: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    if !array_in::numpy_is_loaded(py) {
        py.import("numpy")?;
    }
    let mut dims: SmallVec<[npy_intp; 6]> = t.shape().iter().map(|n| *n as npy_intp).collect();
    let mut strides = byte_strides(t);
    // SAFETY: dims and strides have `rank` entries and describe live memory that
    // NumPy may only read (flags 0: not writeable); SetBaseObject takes over the
    // new reference to the owner, also when it fails.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            get_type_object(py, NpyTypes::PyArray_Type),
            PY_ARRAY_API.PyArray_DescrFromType(py, type_num(t.dtype())),
            t.rank() as c_int,
            dims.as_mut_ptr(),
            strides.as_mut_ptr(),
            t.as_ptr().cast_mut().cast::<c_void>(),
            0,
            std::ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), owner.clone().into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(array)
    }
}

/// `__array__` of NumPy's protocol.
pub fn array_protocol<'py>(view: Bound<'py, PyAny>, dtype: Option<&Bound<'py, PyAny>>, copy: Option<bool>) -> PyResult<Bound<'py, PyAny>> {
    let py = view.py();
    let view_dtype = view.getattr("dtype")?;
    let dtype = match dtype {
        Some(d) => py.import("numpy")?.call_method1("dtype", (d,))?,
        None => view_dtype.clone(),
    };
    if !dtype.eq(&view_dtype)? {
        if copy == Some(false) {
            let message = format!("array: copy=False, but the dtype {view_dtype} must become {dtype}");
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        return view.call_method1("astype", (dtype,));
    }
    if copy == Some(true) { view.call_method0("copy") } else { Ok(view) }
}

/// What a buffer view points to until it is released.
struct Extents {
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

fn format_of(d: DType) -> &'static CStr {
    match d {
        DType::Bool => c"?",
        DType::I8 => c"b",
        DType::I16 => c"h",
        DType::I32 => c"i",
        DType::I64 => c"q",
        DType::U8 => c"B",
        DType::U16 => c"H",
        DType::U32 => c"I",
        DType::U64 => c"Q",
        DType::F32 => c"f",
        DType::F64 => c"d",
        DType::C64 => c"Zf",
        DType::C128 => c"Zd",
    }
}

/// Fills a view of Python's buffer protocol.
///
/// # Safety
/// `view` is the one that CPython gave to `__getbuffer__`, and `owner` owns the memory of `t`.
pub unsafe fn fill_buffer(t: &Tensor, owner: Bound<'_, PyAny>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
    let wants = |bits: c_int| flags & bits == bits;
    let refuse = |why: &str| Err(PyBufferError::new_err(format!("tensor: {why}")));
    let (c, f) = (t.is_c_contiguous(), t.is_f_contiguous());
    if wants(ffi::PyBUF_WRITABLE) {
        return refuse("tensors are immutable; copy to a NumPy array first");
    }
    if wants(ffi::PyBUF_C_CONTIGUOUS) && !c || wants(ffi::PyBUF_F_CONTIGUOUS) && !f || wants(ffi::PyBUF_ANY_CONTIGUOUS) && !(c || f) {
        return refuse("the elements do not lie in the order asked for");
    }
    if !wants(ffi::PyBUF_STRIDES) && !c {
        return refuse("the elements do not lie in C order and strides were not asked for");
    }
    let shape: Dims = t.shape().into();
    let mut e = Box::new(Extents { shape: shape.iter().map(|n| *n as ffi::Py_ssize_t).collect(), strides: byte_strides(t).to_vec() });
    let given = |on: bool, p: *mut ffi::Py_ssize_t| if on { p } else { std::ptr::null_mut() };
    // SAFETY: the caller vouches for `view`; the pointers into `e` stay valid
    // until `release_buffer` frees it.
    unsafe {
        (*view).buf = t.as_ptr().cast_mut().cast();
        (*view).len = (t.size() * t.dtype().size()) as ffi::Py_ssize_t;
        (*view).readonly = 1;
        (*view).itemsize = t.dtype().size() as ffi::Py_ssize_t;
        (*view).format = if wants(ffi::PyBUF_FORMAT) { format_of(t.dtype()).as_ptr().cast_mut() } else { std::ptr::null_mut() };
        (*view).ndim = t.rank() as c_int;
        (*view).shape = given(wants(ffi::PyBUF_ND), e.shape.as_mut_ptr());
        (*view).strides = given(wants(ffi::PyBUF_STRIDES), e.strides.as_mut_ptr());
        (*view).suboffsets = std::ptr::null_mut();
        (*view).internal = Box::into_raw(e).cast();
        (*view).obj = owner.into_ptr();
    }
    Ok(())
}

/// Frees what `fill_buffer` made.
///
/// # Safety
/// `view` was filled by `fill_buffer` and is released once.
pub unsafe fn release_buffer(view: *mut ffi::Py_buffer) {
    // SAFETY: `internal` is the box that `fill_buffer` leaked.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Extents>()) });
}

/// The memory of a C-ordered tensor.
pub fn bytes_of(t: &Tensor) -> &[u8] {
    let len = t.size() * t.dtype().size();
    if len == 0 || !t.is_c_contiguous() {
        return &[];
    }
    // SAFETY: a C-ordered tensor is one run of `len` bytes, borrowed with it.
    unsafe { std::slice::from_raw_parts(t.as_ptr(), len) }
}
