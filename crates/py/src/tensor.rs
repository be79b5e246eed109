//! `Tensor`: data, as Python sees it. Operators and methods come from `Array`.

use std::ffi::c_int;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList, PyTuple};
use tenferro_graph::tensor::{c_strides, f_strides};
use tenferro_graph::{DType, Error, Tensor, with_element};

use crate::array::Array;
use crate::array_in::{self, Take, tensor_from};
use crate::dtype::{self, AnyDType, PyDType};
use crate::errors::PyR;
use crate::{array_out, dlpack, index, numbers};

/// An immutable n-dimensional array.
#[pyclass(name = "Tensor", module = "tenferro_py", frozen, extends = Array)]
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
    numbers::filled(t.shape(), &elements(t), to)
}

/// The elements in C order.
fn elements(t: &Tensor) -> Vec<numbers::Number> {
    with_element!(t.dtype(), T => t.to_vec::<T>().unwrap_or_default().into_iter().map(Into::into).collect())
}

fn item(py: Python<'_>, t: &Tensor) -> PyR<Py<PyAny>> {
    match elements(t).as_slice() {
        [x] => Ok(x.to_object(py)?),
        _ => Err(PyValueError::new_err(format!("item: the tensor has {} elements, not 1", t.size())).into()),
    }
}

fn nested(py: Python<'_>, shape: &[usize], data: &mut impl Iterator<Item = numbers::Number>) -> PyR<Py<PyAny>> {
    match shape {
        [] => Ok(data.next().map_or_else(|| Ok(py.None()), |x| x.to_object(py))?),
        [n, inner @ ..] => {
            let items = (0..*n).map(|_| nested(py, inner, data)).collect::<PyR<Vec<_>>>()?;
            Ok(PyList::new(py, items)?.into_any().unbind())
        }
    }
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
    fn from_vec_col_major(py: Python<'_>, shape: Vec<usize>, data: &Bound<'_, PyAny>, dtype: Option<AnyDType>) -> PyR<Py<Self>> {
        Ok(Self::wrap(py, col_major(&shape, data, dtype)?)?)
    }

    /// The elements in column-major order.
    fn to_vec_col_major(&self, py: Python<'_>) -> PyR<Py<PyAny>> {
        let axes: Vec<usize> = (0..self.0.rank()).rev().collect();
        nested(py, &[self.0.size()], &mut elements(&self.0.permute(&axes)?).into_iter())
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.shape())
    }

    /// In elements.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.strides())
    }

    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyR<Py<PyDType>> {
        dtype::object(py, self.0.dtype())
    }

    fn item(&self, py: Python<'_>) -> PyR<Py<PyAny>> {
        item(py, &self.0)
    }

    fn tolist(&self, py: Python<'_>) -> PyR<Py<PyAny>> {
        nested(py, self.0.shape(), &mut elements(&self.0).into_iter())
    }

    /// A read-only NumPy view of the same memory.
    fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        array_out::to_numpy(&slf.get().0, slf.as_any())
    }

    /// A tensor of its own memory.
    fn copy(&self, py: Python<'_>) -> PyR<Py<Self>> {
        Ok(Self::wrap(py, array_in::copy(&self.0)?)?)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(slf: &Bound<'py, Self>, dtype: Option<&Bound<'py, PyAny>>, copy: Option<bool>) -> PyResult<Bound<'py, PyAny>> {
        array_out::array_protocol(Self::numpy(slf)?, dtype, copy)
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

    fn __len__(&self) -> PyResult<usize> {
        self.0.shape().first().copied().ok_or_else(|| PyTypeError::new_err("len: a scalar has no length"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyR<Bound<'py, PyIterator>> {
        let n = self.__len__()?;
        let rows = (0..n).map(|i| Ok(Self::wrap(py, index::view(&self.0, &[index::Index::At(i as isize)])?)?)).collect::<PyR<Vec<_>>>()?;
        Ok(PyList::new(py, rows)?.try_iter()?)
    }

    fn __getitem__(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyR<Py<Self>> {
        Ok(Self::wrap(py, index::view(&self.0, &index::parse(at)?)?)?)
    }

    fn __float__(&self, py: Python<'_>) -> PyR<f64> {
        let x = item(py, &self.0)?;
        x.extract(py).map_err(|_| PyTypeError::new_err(format!("float: {} has an imaginary part; take real(x) first", self.0.dtype())).into())
    }

    fn __int__(&self, py: Python<'_>) -> PyR<Py<PyAny>> {
        Ok(item(py, &self.0)?.bind(py).call_method0("__int__")?.unbind())
    }

    /// Only an int64 tensor is an index.
    fn __index__(&self, py: Python<'_>) -> PyR<Py<PyAny>> {
        if self.0.dtype() != DType::I64 || self.0.rank() != 0 {
            return Err(PyTypeError::new_err(format!("index: only a scalar int64 tensor is an index, not {}", self.0.aval())).into());
        }
        item(py, &self.0)
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyR<Bound<'py, PyAny>> {
        let z = item(py, &self.0)?;
        Ok(py.get_type::<pyo3::types::PyComplex>().call1((z,))?)
    }

    fn __bool__(&self) -> PyResult<bool> {
        match elements(&self.0).as_slice() {
            [x] => Ok(x.complex() != tenferro_graph::Complex64::default()),
            _ => Err(PyValueError::new_err("bool: the truth of a tensor that has not one element is ambiguous")),
        }
    }

    fn __repr__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tenferro_py._repr")?.call_method1("tensor", (slf,))
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tenferro_py._repr")?.call_method1("text", (slf,))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyR<Py<Self>> {
        self.copy(py)
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
        return Err(Error::shape("from_vec_col_major", format!("data of shape {got} for shape {want}; give a vector of {expected} elements")).into());
    }
    Ok(array_in::copy(&t)?.restride(shape, &f_strides(shape), 0)?)
}

/// Unpickles a tensor.
#[pyfunction]
pub fn _rebuild(py: Python<'_>, dtype: AnyDType, shape: Vec<usize>, data: &[u8]) -> PyR<Py<PyTensor>> {
    Ok(PyTensor::wrap(py, array_in::from_bytes(dtype.0, &shape, data)?)?)
}
