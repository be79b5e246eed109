//! Data from Python: NumPy arrays of any strides, scalars, nested lists.
//!
//! NumPy is never imported here: an ndarray can only arrive once it is loaded.

use std::ffi::c_int;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use numpy::PyUntypedArray;
use numpy::npyffi::{NPY_TYPES, PyArrayObject};
use pyo3::ffi::{self, PyTypeObject};
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, intern};
use tenferro_graph::tensor::{Dims, Strides, c_strides, f_strides};
use tenferro_graph::{Buffer, DType, Error, Tensor};

use crate::errors::PyR;
use crate::numbers;
use crate::tensor::PyTensor;

/// How memory of somebody else's is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Values that are kept.
    Copy,
    /// `copy=False`: an error where a copy is needed.
    Borrow,
    /// Arguments of a run: read in place wherever they can be.
    InPlace,
}

static NDARRAY: AtomicPtr<PyTypeObject> = AtomicPtr::new(std::ptr::null_mut());

/// Whether the module `numpy` has been loaded by somebody.
pub fn numpy_is_loaded(py: Python<'_>) -> bool {
    !NDARRAY.load(Ordering::Relaxed).is_null() || numpy_in_modules(py)
}

fn numpy_in_modules(py: Python<'_>) -> bool {
    py.import(intern!(py, "sys")).and_then(|sys| sys.getattr(intern!(py, "modules"))?.contains(intern!(py, "numpy"))).unwrap_or(false)
}

#[inline]
pub fn is_ndarray(obj: &Bound<'_, PyAny>) -> bool {
    let mut class = NDARRAY.load(Ordering::Relaxed);
    if class.is_null() {
        if !numpy_is_loaded(obj.py()) {
            return false;
        }
        class = PyUntypedArray::type_object_raw(obj.py());
        NDARRAY.store(class, Ordering::Relaxed);
    }
    // SAFETY: `class` is NumPy's array type, which is never freed; `obj` is alive.
    unsafe { ffi::Py_TYPE(obj.as_ptr()) == class || ffi::PyObject_TypeCheck(obj.as_ptr(), class) != 0 }
}

/// Any array-like as a tensor.
pub fn tensor_from(obj: &Bound<'_, PyAny>, take: Take) -> PyR<Tensor> {
    if let Ok(t) = obj.cast_exact::<PyTensor>() {
        let t = &t.get().0;
        let shared = take == Take::Copy && t.buffer().0.writable_elsewhere();
        return Ok(if shared { copy(t)? } else { t.clone() });
    }
    if is_ndarray(obj) {
        return from_ndarray(obj, take);
    }
    if let Some(t) = numbers::tensor(obj)? {
        return Ok(t);
    }
    let py = obj.py();
    if numpy_is_loaded(py) && (obj.hasattr(intern!(py, "__array__"))? || numbers::is_sequence(obj)) {
        let array = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (obj,))?;
        return from_ndarray(&array, take);
    }
    let name = obj.get_type().name()?.to_string();
    Err(Error::dtype("array", format!("{name} is not an array, a number or a nested list of numbers")).into())
}

/// `None` for dtypes that tensors do not have.
fn dtype_of(type_num: c_int) -> Option<DType> {
    const DOUBLE: c_int = NPY_TYPES::NPY_DOUBLE as c_int;
    const CDOUBLE: c_int = NPY_TYPES::NPY_CDOUBLE as c_int;
    const FLOAT: c_int = NPY_TYPES::NPY_FLOAT as c_int;
    const CFLOAT: c_int = NPY_TYPES::NPY_CFLOAT as c_int;
    const BOOL: c_int = NPY_TYPES::NPY_BOOL as c_int;
    const BYTE: c_int = NPY_TYPES::NPY_BYTE as c_int;
    const SHORT: c_int = NPY_TYPES::NPY_SHORT as c_int;
    const INT: c_int = NPY_TYPES::NPY_INT as c_int;
    const LONG: c_int = NPY_TYPES::NPY_LONG as c_int;
    const LONGLONG: c_int = NPY_TYPES::NPY_LONGLONG as c_int;
    const UBYTE: c_int = NPY_TYPES::NPY_UBYTE as c_int;
    const USHORT: c_int = NPY_TYPES::NPY_USHORT as c_int;
    const UINT: c_int = NPY_TYPES::NPY_UINT as c_int;
    const ULONG: c_int = NPY_TYPES::NPY_ULONG as c_int;
    const ULONGLONG: c_int = NPY_TYPES::NPY_ULONGLONG as c_int;
    match type_num {
        DOUBLE => Some(DType::F64),
        CDOUBLE => Some(DType::C128),
        FLOAT => Some(DType::F32),
        CFLOAT => Some(DType::C64),
        BOOL => Some(DType::Bool),
        BYTE => Some(DType::I8),
        SHORT => Some(DType::I16),
        INT => Some(DType::I32),
        LONG if size_of::<std::ffi::c_long>() == 4 => Some(DType::I32),
        LONG | LONGLONG => Some(DType::I64),
        UBYTE => Some(DType::U8),
        USHORT => Some(DType::U16),
        UINT => Some(DType::U32),
        ULONG if size_of::<std::ffi::c_long>() == 4 => Some(DType::U32),
        ULONG | ULONGLONG => Some(DType::U64),
        _ => None,
    }
}

#[cold]
fn wrong_dtype(obj: &Bound<'_, PyAny>) -> Error {
    let name = obj.getattr("dtype").and_then(|d| d.getattr("str")?.extract::<String>()).unwrap_or_default();
    Error::dtype(
        "array",
        match name.as_bytes() {
            [b'>', ..] => format!("dtype {name} is big-endian; convert with a.astype(a.dtype.newbyteorder(\"=\"))"),
            [b'|', b'O'] => "dtype object is not supported; give numbers".to_owned(),
            _ => format!("dtype {name} is not supported; convert to one of {}", DType::ALL.map(DType::name).join(", ")),
        },
    )
}

/// Shape, strides in elements, data and dtype of an ndarray. `None` in the place
/// of strides: not aligned, or not whole elements apart.
struct Header {
    dtype: DType,
    shape: Dims,
    strides: Option<Strides>,
    data: *const u8,
}

fn header(obj: &Bound<'_, PyAny>) -> Result<Header, Error> {
    // SAFETY: the caller checked that this is an ndarray; it is alive, and its
    // header changes only while the interpreter runs other code.
    let (fields, descr) = unsafe {
        let fields = &(*obj.as_ptr().cast::<PyArrayObject>()).fields;
        (fields, &(*fields.descr).fields)
    };
    let foreign = if cfg!(target_endian = "little") { b'>' } else { b'<' };
    let dtype = dtype_of(descr.type_num).filter(|_| descr.byteorder as u8 != foreign).ok_or_else(|| wrong_dtype(obj))?;
    let (mut shape, mut strides) = (Dims::new(), Strides::new());
    let size = dtype.size() as isize;
    let align = (dtype.real().size()).min(8);
    let mut whole = (fields.data as usize).is_multiple_of(align);
    for axis in 0..fields.nd as usize {
        // SAFETY: both arrays have `nd` entries.
        let (n, step) = unsafe { (*fields.dimensions.add(axis), *fields.strides.add(axis)) };
        whole &= n <= 1 || step % size == 0;
        shape.push(n as usize);
        strides.push(if n <= 1 { 0 } else { step / size });
    }
    Ok(Header { dtype, shape, strides: whole.then_some(strides), data: fields.data.cast_const().cast() })
}

fn from_ndarray(obj: &Bound<'_, PyAny>, take: Take) -> PyR<Tensor> {
    let h = header(obj)?;
    if h.shape.contains(&0) {
        // SAFETY: there are no elements to fill.
        return Ok(unsafe { Tensor::build(h.dtype, &h.shape, &c_strides(&h.shape), |_| ())? });
    }
    let Some(strides) = h.strides else {
        refuse_copy(take, "the array is not aligned")?;
        return from_ndarray(&obj.call_method0("copy")?, Take::InPlace);
    };
    let view = borrow(obj, h.dtype, &h.shape, &strides, h.data)?;
    if h.dtype == DType::Bool && !is_clean(&view) {
        refuse_copy(take, "the array holds bytes that are neither 0 nor 1")?;
        return Ok(clean(&view)?);
    }
    if take == Take::Copy { Ok(copy(&view)?) } else { Ok(view) }
}

fn refuse_copy(take: Take, why: &str) -> Result<(), Error> {
    if take == Take::Borrow {
        return Err(Error::value("array", format!("copy=False, but {why}; leave copy out")));
    }
    Ok(())
}

/// The array's memory as a tensor that keeps the array alive.
fn borrow(obj: &Bound<'_, PyAny>, dtype: DType, shape: &[usize], strides: &[isize], data: *const u8) -> Result<Tensor, Error> {
    let size = dtype.size() as isize;
    let (mut low, mut high) = (0, size);
    for (n, s) in shape.iter().zip(strides) {
        let reach = (*n as isize - 1) * s * size;
        if reach < 0 { low += reach } else { high += reach }
    }
    let start = NonNull::new(data.wrapping_offset(low).cast_mut()).ok_or_else(|| Error::value("array", "the array has no memory"))?;
    // SAFETY: strides and shape of a live ndarray stay inside its memory, which
    // lives as long as the reference that goes along. That the owner may write
    // to it is declared.
    let buffer = unsafe { Buffer::foreign(start, (high - low) as usize, Box::new(obj.clone().unbind()), true) };
    Tensor::from_buffer(Arc::new(buffer), dtype, shape, strides, (-low) as usize)
}

/// A dense copy: F order if the source is dense in it, else C order.
pub fn copy(t: &Tensor) -> Result<Tensor, Error> {
    let f = t.is_f_contiguous() && !t.is_c_contiguous();
    let strides = if f { f_strides(t.shape()) } else { c_strides(t.shape()) };
    if !f && !t.is_c_contiguous() {
        return t.copy_with_strides(&strides);
    }
    let bytes = t.size() * t.dtype().size();
    // SAFETY: source and target are dense in one order and have as many bytes; the target is new.
    unsafe { Tensor::build(t.dtype(), t.shape(), &strides, |p| std::ptr::copy_nonoverlapping(t.as_ptr(), p, bytes)) }
}

/// Whether a bool array holds only the bytes 0 and 1.
fn is_clean(t: &Tensor) -> bool {
    let mut clean = true;
    // SAFETY: offsets are inside the tensor; any byte is a valid u8.
    t.for_each_offset(|o| clean &= unsafe { *t.as_ptr().wrapping_offset(o) } <= 1);
    clean
}

fn clean(t: &Tensor) -> Result<Tensor, Error> {
    let mut data = Vec::with_capacity(t.size());
    // SAFETY: offsets are inside the tensor; any byte is a valid u8.
    t.for_each_offset(|o| data.push(unsafe { *t.as_ptr().wrapping_offset(o) } != 0));
    Tensor::from_slice(t.shape(), &data)
}

/// A C-ordered tensor from its bytes.
pub fn from_bytes(dtype: DType, shape: &[usize], data: &[u8]) -> Result<Tensor, Error> {
    let fits = tenferro_graph::tensor::checked_size(shape).is_some_and(|n| n * dtype.size() == data.len());
    if !fits || dtype == DType::Bool && data.iter().any(|b| *b > 1) {
        return Err(Error::value("tensor", "the bytes are not those of such a tensor"));
    }
    // SAFETY: the new tensor has `data.len()` bytes; bool bytes were checked.
    unsafe { Tensor::build(dtype, shape, &c_strides(shape), |p| std::ptr::copy_nonoverlapping(data.as_ptr(), p, data.len())) }
}
