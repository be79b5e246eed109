//! `TracedTensor` and the graph it points into.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tenferro_graph::{Dim, Shape, Value};
use tenferro_runtime::{Fragment, Operation, TracedTensor};

use crate::array::Array;
use crate::array_in::Take;
use crate::dtype::AnyDType;
use crate::errors::PyR;
use crate::functions::{Size, sizes};
use crate::tensor::{col_major, convert};

/// A value of a graph that is being recorded.
#[pyclass(name = "TracedTensor", module = "tenferro_py", frozen, weakref, extends = Array)]
pub struct PyTraced(pub TracedTensor);

/// One axis of a placeholder: a length, a name, or None for a length of its own.
enum Length {
    Number(usize),
    Name(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Length {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = obj.cast::<PyString>() {
            return Ok(Self::Name(name.to_string()));
        }
        Ok(Self::Number(obj.extract::<Size>()?.0))
    }
}

fn shape_of(lengths: Vec<Option<Length>>) -> Shape {
    static UNNAMED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let dim = |l| match l {
        Some(Length::Number(n)) => Dim::Const(n),
        Some(Length::Name(s)) => Dim::symbol(&s),
        None => Dim::symbol(&format!("_{}", UNNAMED.fetch_add(1, std::sync::atomic::Ordering::Relaxed))),
    };
    lengths.into_iter().map(dim).collect()
}

impl PyTraced {
    pub fn wrap(py: Python<'_>, t: TracedTensor) -> PyResult<Py<Self>> {
        Py::new(py, Array::with(Self(t)))
    }
}

type Traced = Py<PyTraced>;

fn inner(ts: &[Traced]) -> Vec<TracedTensor> {
    ts.iter().map(|t| t.get().0.clone()).collect()
}

fn wrap_all(py: Python<'_>, ts: Vec<Option<TracedTensor>>) -> PyR<Vec<Option<Traced>>> {
    Ok(ts.into_iter().map(|t| t.map(|t| PyTraced::wrap(py, t)).transpose()).collect::<PyResult<_>>()?)
}

#[pymethods]
impl PyTraced {
    /// A constant of this shape, its elements in column-major order.
    #[staticmethod]
    #[pyo3(signature = (shape, data, dtype = None))]
    fn from_vec_col_major(py: Python<'_>, shape: Vec<Size>, data: &Bound<'_, PyAny>, dtype: Option<AnyDType>) -> PyR<Traced> {
        let shape = sizes(&shape);
        Ok(Self::wrap(py, TracedTensor::from_tensor(col_major(&shape, data, dtype)?))?)
    }

    /// A constant: an array that the program carries, copied unless `copy=False`.
    #[staticmethod]
    #[pyo3(signature = (data, dtype = None, *, copy = None))]
    fn from_array(py: Python<'_>, data: &Bound<'_, PyAny>, dtype: Option<AnyDType>, copy: Option<bool>) -> PyR<Traced> {
        let take = if copy == Some(false) { Take::Borrow } else { Take::Copy };
        Ok(Self::wrap(py, TracedTensor::from_tensor(convert(data, dtype.map(|d| d.0), take)?))?)
    }

    /// A placeholder. Lengths are numbers, names of symbolic sizes, or None for a size of its own.
    #[staticmethod]
    #[pyo3(signature = (dtype, shape, name = None))]
    fn input(py: Python<'_>, dtype: AnyDType, shape: Vec<Option<Length>>, name: Option<&str>) -> PyR<Traced> {
        Ok(Self::wrap(py, TracedTensor::input(dtype.0, shape_of(shape), name))?)
    }

    /// The gradient of this real scalar by `wrt`, a new graph.
    ///
    /// ShapeError if this is no scalar, DTypeError if it is not real and floating or `wrt` has no
    /// derivative, MissingRuleError for an op without a rule.
    fn grad(&self, py: Python<'_>, wrt: Traced) -> PyR<Traced> {
        let wrt = &wrt.get().0;
        Ok(Self::wrap(py, py.detach(|| self.0.grad(wrt))?)?)
    }

    /// Gradients by several tensors; None where this does not depend on one.
    fn grad_many(&self, py: Python<'_>, wrt: Vec<Traced>) -> PyR<Vec<Option<Traced>>> {
        let wrt = inner(&wrt);
        wrap_all(py, py.detach(|| self.0.grad_many(&wrt))?)
    }

    /// The cotangent `ct` of this tensor (a placeholder without) pulled back to `wrt`.
    #[pyo3(signature = (wrt, ct = None))]
    fn vjp(&self, py: Python<'_>, wrt: Traced, ct: Option<Traced>) -> PyR<Traced> {
        let (wrt, ct) = (&wrt.get().0, ct.as_ref().map(|c| &c.get().0));
        Ok(Self::wrap(py, py.detach(|| self.0.vjp(wrt, ct))?)?)
    }

    /// Cotangents of several outputs pulled back to several tensors; None where nothing depends on one.
    #[staticmethod]
    fn vjp_many(py: Python<'_>, outputs: Vec<Traced>, wrt: Vec<Traced>, cts: Vec<Traced>) -> PyR<Vec<Option<Traced>>> {
        let (outputs, wrt, cts) = (inner(&outputs), inner(&wrt), inner(&cts));
        wrap_all(py, py.detach(|| TracedTensor::vjp_many(&outputs, &wrt, &cts))?)
    }

    /// The tangent of this tensor when `wrt` has the tangent `t`.
    fn jvp(&self, py: Python<'_>, wrt: Traced, t: Traced) -> PyR<Traced> {
        let (wrt, t) = (&wrt.get().0, &t.get().0);
        Ok(Self::wrap(py, py.detach(|| self.0.jvp(wrt, t))?)?)
    }

    /// Tangents of several outputs; None where one depends on nothing in `wrt`.
    #[staticmethod]
    fn jvp_many(py: Python<'_>, outputs: Vec<Traced>, wrt: Vec<Traced>, ts: Vec<Traced>) -> PyR<Vec<Option<Traced>>> {
        let (outputs, wrt, ts) = (inner(&outputs), inner(&wrt), inner(&ts));
        wrap_all(py, py.detach(|| TracedTensor::jvp_many(&outputs, &wrt, &ts))?)
    }

    /// The fragment that this tensor belongs to.
    #[getter]
    fn graph(&self) -> PyGraph {
        PyGraph(self.0.graph().clone())
    }

    /// Identifies a leaf among a program's inputs; None if this is no leaf.
    #[getter]
    fn key(&self) -> Option<u64> {
        self.0.leaf().map(|l| l.key.number())
    }

    /// The name of a placeholder.
    #[getter]
    fn name(&self) -> Option<String> {
        self.0.leaf().and_then(|l| l.name.as_ref()).map(ToString::to_string)
    }

    fn __repr__(&self) -> String {
        format!("TracedTensor({})", self.0.aval())
    }

    fn __str__(&self) -> String {
        self.__repr__()
    }
}

/// The fragment that a traced tensor belongs to.
#[pyclass(name = "Graph", module = "tenferro_py", frozen)]
pub struct PyGraph(Arc<Fragment>);

#[pymethods]
impl PyGraph {
    #[getter]
    fn id(&self) -> u64 {
        self.0.id()
    }

    fn operations(&self) -> Vec<PyOperation> {
        self.0.operations().into_iter().map(PyOperation).collect()
    }

    fn parents(&self) -> Vec<Self> {
        self.0.parents().iter().cloned().map(Self).collect()
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// One operation of a graph or a program.
#[pyclass(name = "Operation", module = "tenferro_py", frozen)]
pub struct PyOperation(pub Operation);

#[pymethods]
impl PyOperation {
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let d = PyDict::new(py);
        self.0.attributes.iter().try_for_each(|(k, v)| d.set_item(k, v))?;
        Ok(d)
    }

    /// Identities of the inputs.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.0.inputs.clone()
    }

    #[getter]
    fn role(&self) -> String {
        format!("{:?}", self.0.role)
    }

    fn __repr__(&self) -> String {
        let attributes: Vec<String> = self.0.attributes.iter().map(|(k, v)| format!("{k}={v}")).collect();
        format!("{}({})", self.0.name, attributes.join(", "))
    }
}
