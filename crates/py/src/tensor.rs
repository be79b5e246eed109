//! `Tensor`: data, as Python sees it. Operators and methods come from `Array`.

use std::ffi::c_int;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use tenferro_graph::tensor::{c_strides, f_strides};
use tenferro_graph::{DType, Error, Tensor};

use crate::array::Array;
use crate::array_in::{self, Take, tensor_from};
use crate::dtype::AnyDType;
use crate::errors::PyR;
use crate::functions::{Size, sizes};
use crate::numbers::{self, elements};
use crate::operand::Operand;
use crate::{array_out, dlpack, index, values};

/// An immutable n-dimensional array.
#[pyclass(name = "Tensor", module = "tenferro_py", frozen, weakref, extends = Array)]
pub struct PyTensor(pub Tensor);

impl PyTensor {
    pub fn wrap(py: Python<'_>, t: Tensor) -> PyResult<Py<Self>> {
        Py::new(py, Array::with(Self(t)))
    }
}

/// Data of any array-like in a dtype.
pub fn convert(data: &Bound<'_, PyAny>, dtype: Option<DType>, take: Take) -> PyR<Tensor> {
    let t = tensor_from(data, take)?;
    match dtype {
        Some(d) if d != t.dtype() => {
            if take == Take::Borrow {
                return Err(Error::value("array", format!("copy=False, but {} must become {d}", t.dtype())).into());
            }
            Ok(cast(&t, d)?)
        }
        _ => Ok(t),
    }
}

fn cast(t: &Tensor, to: DType) -> Result<Tensor, Error> {
    numbers::filled(t.shape(), &elements(t)?, to)
}

#[pymethods]
impl PyTensor {
    #[new]
    #[pyo3(signature = (data, dtype = None, *, copy = None))]
    fn new(data: &Bound<'_, PyAny>, dtype: Option<AnyDType>, copy: Option<bool>) -> PyR<PyClassInitializer<Self>> {
        let take = if copy == Some(false) { Take::Borrow } else { Take::Copy };
        Ok(Array::with(Self(convert(data, dtype.map(|d| d.0), take)?)))
    }

    /// A tensor of column-major data.
    #[staticmethod]
    #[pyo3(signature = (shape, data, dtype = None))]
    fn from_vec_col_major(py: Python<'_>, shape: Vec<Size>, data: &Bound<'_, PyAny>, dtype: Option<AnyDType>) -> PyR<Py<Self>> {
        let shape = sizes(&shape);
        Ok(Self::wrap(py, col_major(&shape, data, dtype)?)?)
    }

    /// The elements in column-major order.
    fn to_vec_col_major(&self, py: Python<'_>) -> PyR<Py<PyAny>> {
        let axes: Vec<usize> = (0..self.0.rank()).rev().collect();
        Ok(values::nested(py, &[self.0.size()], &mut elements(&self.0.permute(&axes)?)?.into_iter())?)
    }

    /// In elements.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.strides())
    }

    /// A tensor of its own memory; NumPy's order is one of memory, which is not seen.
    #[pyo3(signature = (order = "C"))]
    fn copy(&self, py: Python<'_>, order: &str) -> PyR<Py<Self>> {
        let _ = order;
        Ok(Self::wrap(py, array_in::copy(&self.0)?)?)
    }

    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyR<Bound<'py, PyAny>> {
        if stream.is_some() {
            return Err(PyTypeError::new_err("dlpack: a CPU tensor has no stream").into());
        }
        dlpack::export(py, &self.0, max_version, dl_device, copy)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::DEVICE
    }

    /// # Safety
    /// CPython calls this with a view to fill.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let t = slf.get().0.clone();
        // SAFETY: as above; `slf` owns the memory.
        unsafe { array_out::fill_buffer(&t, slf.into_any(), view, flags) }
    }

    /// # Safety
    /// CPython calls this once per view that was filled.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: as above.
        unsafe { array_out::release_buffer(view) }
    }

    fn __getitem__(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyR<Py<PyAny>> {
        let at = index::parse(at)?;
        Ok(match index::basic(&at) {
            Some(at) => Self::wrap(py, index::view(&self.0, &at)?)?.into_any(),
            None => index::selected(Operand::array(self.0.clone()), at)?.into_pyobject(py)?.unbind(),
        })
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyR<Py<Self>> {
        self.copy(py, "C")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyR<(Bound<'py, PyAny>, (&'static str, Bound<'py, PyTuple>, Bound<'py, PyBytes>))> {
        let t = self.0.copy_with_strides(&c_strides(self.0.shape()))?;
        let bytes = array_out::bytes_of(&t);
        let rebuild = py.import("tenferro_py._native")?.getattr("_rebuild")?;
        Ok((rebuild, (t.dtype().name(), PyTuple::new(py, t.shape())?, PyBytes::new(py, bytes))))
    }
}

/// Column-major data as a tensor: a list or a vector, in the order of F storage.
pub fn col_major(shape: &[usize], data: &Bound<'_, PyAny>, dtype: Option<AnyDType>) -> PyR<Tensor> {
    let given = tensor_from(data, Take::Copy)?;
    // A list without a dtype is float64 whatever its numbers are, unless they are complex.
    let listed = numbers::is_sequence(data) && !given.dtype().is_complex();
    let to = dtype.map(|d| d.0).or(listed.then_some(DType::F64));
    let t = match to {
        Some(d) if d != given.dtype() => cast(&given, d)?,
        _ => given,
    };
    let expected: usize = shape.iter().product();
    if t.rank() > 1 || t.size() != expected {
        let (got, want) = (t.aval().shape, tenferro_graph::Shape::from(shape));
        return Err(Error::shape(
            "from_vec_col_major",
            format!("data of shape {got} for shape {want}; give a vector of {expected} elements"),
        )
        .into());
    }
    Ok(array_in::copy(&t)?.restride(shape, &f_strides(shape), 0)?)
}

/// Unpickles a tensor.
#[pyfunction]
pub fn _rebuild(py: Python<'_>, dtype: AnyDType, shape: Vec<usize>, data: &[u8]) -> PyR<Py<PyTensor>> {
    Ok(PyTensor::wrap(py, array_in::from_bytes(dtype.0, &shape, data)?)?)
}
