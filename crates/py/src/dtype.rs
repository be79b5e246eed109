//! Dtypes as Python sees them: equal to NumPy's, to their names and to Python's number types.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};
use tenferro_graph::{DType, Error};

use crate::errors::{Fail, PyR};

/// The type of a tensor's elements.
#[pyclass(name = "DType", module = "tenferro_py", frozen)]
pub struct PyDType(pub DType);

#[pymethods]
impl PyDType {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(name: AnyDType) -> Self {
        Self(name.0)
    }

    /// NumPy's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Bytes per element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.size()
    }

    /// NumPy's kind letter.
    #[getter]
    fn kind(&self) -> char {
        match self.0 {
            DType::Bool => 'b',
            d if d.is_signed() => 'i',
            d if d.is_unsigned() => 'u',
            d if d.is_float() => 'f',
            _ => 'c',
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        read(other).is_ok_and(|d| d == Some(self.0))
    }

    /// The hash of the name: equal to the name's, not to NumPy's.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.0.name()).hash()
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("dtype('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str,)) {
        (py.get_type::<Self>(), (self.0.name(),))
    }
}

/// An argument that names a dtype.
#[derive(Clone, Copy)]
pub struct AnyDType(pub DType);

impl<'a, 'py> FromPyObject<'a, 'py> for AnyDType {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let known = read(&obj)?;
        known.map(Self).ok_or_else(|| {
            let e = Error::dtype("dtype", format!("{} is not one of {}", text(&obj), DType::ALL.map(DType::name).join(", ")));
            Fail::from(e).into()
        })
    }
}

fn text(obj: &Bound<'_, PyAny>) -> String {
    obj.repr().map_or_else(|_| "the argument".into(), |r| r.to_string())
}

/// The dtype that a name, a Python type, a NumPy dtype or scalar type stands for.
fn read(obj: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    if let Ok(d) = obj.cast::<PyDType>() {
        return Ok(Some(d.get().0));
    }
    if let Ok(name) = obj.cast::<PyString>() {
        return Ok(DType::from_name(&name.to_cow()?));
    }
    if let Ok(class) = obj.cast::<PyType>() {
        return Ok(python_type(class).or_else(|| DType::from_name(class.name().ok()?.to_str().ok()?.trim_end_matches('_'))));
    }
    match obj.getattr_opt("name")?.map(|n| n.extract::<String>()) {
        Some(Ok(name)) => Ok(DType::from_name(&name)),
        _ => Ok(None),
    }
}

fn python_type(class: &Bound<'_, PyType>) -> Option<DType> {
    let py = class.py();
    [
        (py.get_type::<PyBool>(), DType::Bool),
        (py.get_type::<PyInt>(), DType::I64),
        (py.get_type::<PyFloat>(), DType::F64),
        (py.get_type::<PyComplex>(), DType::C128),
    ]
    .into_iter()
    .find_map(|(c, d)| class.is(&c).then_some(d))
}

/// The shared object of a dtype.
pub fn object(py: Python<'_>, d: DType) -> PyR<Py<PyDType>> {
    static OBJECTS: [pyo3::sync::PyOnceLock<Py<PyDType>>; DType::ALL.len()] = [const { pyo3::sync::PyOnceLock::new() }; DType::ALL.len()];
    Ok(OBJECTS[d as usize].get_or_try_init(py, || Py::new(py, PyDType(d)))?.clone_ref(py))
}
