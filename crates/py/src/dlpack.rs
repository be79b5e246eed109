//! DLPack export (the structures of version 1.0, <https://dmlc.github.io/dlpack/latest/c_api.html>).

use std::ffi::{CStr, c_void};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use tenferro_graph::{DType, Tensor};

use crate::array_in;
use crate::errors::PyR;

const CPU: i32 = 1;
const READ_ONLY: u64 = 1;
const COPIED: u64 = 2;

#[repr(C)]
struct Device {
    kind: i32,
    id: i32,
}

#[repr(C)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct DLTensor {
    data: *mut c_void,
    device: Device,
    ndim: i32,
    dtype: DataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: DLTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Self)>,
}

#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Self)>,
    flags: u64,
    tensor: DLTensor,
}

/// What the consumer's tensor points to.
struct Context {
    tensor: Tensor,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

pub const DEVICE: (i32, i32) = (CPU, 0);

fn data_type(d: DType) -> DataType {
    let code = match d {
        DType::Bool => 6,
        d if d.is_signed() => 0,
        d if d.is_unsigned() => 1,
        d if d.is_float() => 2,
        _ => 5,
    };
    DataType { code, bits: (d.size() * 8) as u8, lanes: 1 }
}

fn describe(context: &mut Context) -> DLTensor {
    DLTensor {
        data: context.tensor.as_ptr().cast_mut().cast(),
        device: Device { kind: CPU, id: 0 },
        ndim: context.tensor.rank() as i32,
        dtype: data_type(context.tensor.dtype()),
        shape: context.shape.as_mut_ptr(),
        strides: context.strides.as_mut_ptr(),
        byte_offset: 0,
    }
}

macro_rules! capsule_of {
    ($struct:ident, $delete:ident, $drop:ident, $name:expr) => {
        unsafe extern "C" fn $delete(p: *mut $struct) {
            // SAFETY: the consumer calls this once with what `export` leaked.
            unsafe {
                let managed = Box::from_raw(p);
                drop(Box::from_raw(managed.context.cast::<Context>()));
            }
        }

        /// Frees what nobody consumed: a consumer renames the capsule.
        unsafe extern "C" fn $drop(capsule: *mut ffi::PyObject) {
            // SAFETY: a capsule that still has its name still owns its pointer.
            unsafe {
                if ffi::PyCapsule_IsValid(capsule, $name.as_ptr()) == 1 {
                    $delete(ffi::PyCapsule_GetPointer(capsule, $name.as_ptr()).cast());
                }
            }
        }
    };
}
const LEGACY: &CStr = c"dltensor";
const CURRENT: &CStr = c"dltensor_versioned";
capsule_of!(Managed, delete_legacy, drop_legacy, LEGACY);
capsule_of!(Versioned, delete_current, drop_current, CURRENT);

/// A capsule on the tensor's memory, marked read-only. Consumers older than
/// version 1.0 cannot be told so and get a copy.
pub fn export<'py>(
    py: Python<'py>,
    t: &Tensor,
    max_version: Option<(u32, u32)>,
    device: Option<(i32, i32)>,
    copy: Option<bool>,
) -> PyR<Bound<'py, PyAny>> {
    if device.is_some_and(|d| d != DEVICE) {
        return Err(PyBufferError::new_err("dlpack: tensors are on the CPU only").into());
    }
    let current = max_version.is_some_and(|v| v.0 >= 1);
    let copied = copy == Some(true) || !current;
    if copied && copy == Some(false) {
        return Err(PyBufferError::new_err("dlpack: a consumer before version 1.0 needs a copy, because tensors are read-only").into());
    }
    let tensor = if copied { array_in::copy(t)? } else { t.clone() };
    let shape = tensor.shape().iter().map(|n| *n as i64).collect();
    let strides = tensor.strides().iter().map(|s| *s as i64).collect();
    let mut context = Box::new(Context { tensor, shape, strides });
    let tensor = describe(&mut context);
    let context = Box::into_raw(context).cast();
    // SAFETY: the capsule owns the structure until a consumer takes it over.
    unsafe {
        let capsule = if current {
            let flags = if copied { COPIED } else { READ_ONLY };
            let v = Versioned { major: 1, minor: 0, context, deleter: Some(delete_current), flags, tensor };
            ffi::PyCapsule_New(Box::into_raw(Box::new(v)).cast(), CURRENT.as_ptr(), Some(drop_current))
        } else {
            let m = Managed { tensor, context, deleter: Some(delete_legacy) };
            ffi::PyCapsule_New(Box::into_raw(Box::new(m)).cast(), LEGACY.as_ptr(), Some(drop_legacy))
        };
        Ok(Bound::from_owned_ptr_or_err(py, capsule)?)
    }
}
