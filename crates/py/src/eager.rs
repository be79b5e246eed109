//! Eager tensors, sessions and backward.

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tenferro_graph::Error;
use tenferro_runtime::eager::{NoGrad, set_default_engine, set_default_interrupt};
use tenferro_runtime::{EagerRuntime, EagerTensor, Session};

use crate::array::Array;
use crate::array_in::Take;
use crate::dtype::AnyDType;
use crate::engine::{PyEngine, default_engine};
use crate::errors::{Fail, PyR};
use crate::interrupt::{self, OpenSession, Signals};
use crate::numbers::is_sequence;
use crate::tensor::{PyTensor, convert};

/// Tells the runtime what eager ops run on and listen to.
pub fn install() {
    set_default_engine(default_engine);
    set_default_interrupt(Signals);
}

/// A tensor whose ops run at once.
#[pyclass(name = "EagerTensor", module = "tenferro_py", frozen, weakref, extends = Array)]
pub struct PyEager(pub EagerTensor);

impl PyEager {
    pub fn wrap(py: Python<'_>, t: EagerTensor) -> PyResult<Py<Self>> {
        Py::new(py, Array::with(Self(t)))
    }
}

#[pymethods]
impl PyEager {
    /// Adds this scalar's gradient to every variable that it depends on.
    #[pyo3(signature = (engine = None))]
    fn backward(&self, engine: Option<&PyEngine>) -> PyR<()> {
        let _session = match engine {
            Some(e) if !EagerRuntime::in_session_on(&e.0) => Some(open(self.0.runtime(), e)?),
            _ => None,
        };
        Ok(interrupt::run(self.0.work(), || self.0.backward())?)
    }

    /// The gradient accumulated so far; None before any.
    fn grad(&self, py: Python<'_>) -> PyR<Option<Py<PyTensor>>> {
        Ok(self.0.grad().map(|t| PyTensor::wrap(py, t)).transpose()?)
    }

    fn clear_grad(&self) {
        self.0.clear_grad();
    }

    /// The same data without gradient.
    fn detach(&self, py: Python<'_>) -> PyR<Py<Self>> {
        Ok(Self::wrap(py, self.0.detach())?)
    }

    #[getter]
    fn requires_grad(&self) -> bool {
        self.0.requires_grad()
    }
}

/// Makes eager tensors; holds the plans of the ops they meet.
#[pyclass(name = "EagerRuntime", module = "tenferro_py", frozen)]
pub struct PyEagerRuntime(EagerRuntime);

#[pymethods]
impl PyEagerRuntime {
    #[new]
    fn new() -> Self {
        Self(EagerRuntime::new())
    }

    #[pyo3(signature = (data, dtype = None, *, copy = None))]
    fn variable_from(&self, py: Python<'_>, data: &Bound<'_, PyAny>, dtype: Option<AnyDType>, copy: Option<bool>) -> PyR<Py<PyEager>> {
        let take = if copy == Some(false) { Take::Borrow } else { Take::Copy };
        Ok(PyEager::wrap(py, self.0.variable_from(convert(data, dtype.map(|d| d.0), take)?)?)?)
    }

    #[pyo3(signature = (data, dtype = None, *, copy = None))]
    fn constant_from(&self, py: Python<'_>, data: &Bound<'_, PyAny>, dtype: Option<AnyDType>, copy: Option<bool>) -> PyR<Py<PyEager>> {
        let take = if copy == Some(false) { Take::Borrow } else { Take::Copy };
        Ok(PyEager::wrap(py, self.0.constant_from(convert(data, dtype.map(|d| d.0), take)?))?)
    }

    /// `with runtime.eager_session(engine) as s:` runs eager ops on the engine.
    fn eager_session(&self, engine: Py<PyEngine>) -> PySession {
        PySession { runtime: self.0.clone(), engine, open: None }
    }

    /// `f(session)` inside a session.
    fn with_eager_session<'py>(&self, py: Python<'py>, engine: Py<PyEngine>, f: &Bound<'py, PyAny>) -> PyR<Bound<'py, PyAny>> {
        let session = Bound::new(py, self.eager_session(engine))?;
        PySession::__enter__(&session)?;
        let out = f.call1((&session,));
        session.borrow_mut().open = None;
        Ok(out?)
    }

    /// The gradient of the sum of outputs by inputs, as eager tensors; None where no output
    /// depends on an input. Nothing accumulates.
    #[pyo3(signature = (outputs, inputs, cotangents = None, *, create_graph = false))]
    fn grad(
        &self,
        py: Python<'_>,
        outputs: Several,
        inputs: Several,
        cotangents: Option<&Bound<'_, PyAny>>,
        create_graph: bool,
    ) -> PyR<Vec<Option<Py<PyEager>>>> {
        let (outputs, inputs) = (outputs.tensors(), inputs.tensors());
        let cotangents = cotangents.map(|cts| self.cotangents(cts, &outputs)).transpose()?;
        let work = outputs.iter().map(EagerTensor::work).fold(0, usize::saturating_add);
        let found = interrupt::run(work, || self.0.grad(&outputs, &inputs, cotangents.as_deref(), create_graph))?;
        Ok(found.into_iter().map(|g| g.map(|g| PyEager::wrap(py, g)).transpose()).collect::<PyResult<_>>()?)
    }

    /// `with runtime.no_grad():` ops leave nothing for backward.
    fn no_grad(&self) -> PyNoGrad {
        PyNoGrad(Vec::new())
    }
}

/// One eager tensor, or several.
enum Several {
    One(Py<PyEager>),
    Many(Vec<Py<PyEager>>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Several {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(one) = obj.cast_exact::<PyEager>() {
            return Ok(Self::One(one.to_owned().unbind()));
        }
        let many = obj.extract().map(Self::Many);
        many.map_err(|_| Fail::from(Error::dtype("grad", format!("needs eager tensors, got {}", obj.get_type()))).into())
    }
}

impl Several {
    fn tensors(&self) -> Vec<EagerTensor> {
        match self {
            Self::One(t) => vec![t.get().0.clone()],
            Self::Many(ts) => ts.iter().map(|t| t.get().0.clone()).collect(),
        }
    }
}

impl PyEagerRuntime {
    /// Arrays, or one for one output, in the dtypes of the outputs.
    fn cotangents(&self, given: &Bound<'_, PyAny>, outputs: &[EagerTensor]) -> PyR<Vec<EagerTensor>> {
        let one = |obj: &Bound<'_, PyAny>, y: &EagerTensor| -> PyR<EagerTensor> {
            if let Ok(t) = obj.cast_exact::<PyEager>() {
                return Ok(t.get().0.clone());
            }
            Ok(self.0.constant_from(convert(obj, Some(y.data().dtype()), Take::Copy)?))
        };
        match outputs {
            [y] if !is_sequence(given) => Ok(vec![one(given, y)?]),
            _ => {
                let given: Vec<Bound<'_, PyAny>> = given.extract()?;
                if given.len() != outputs.len() {
                    return Err(Error::value("grad", format!("{} cotangents for {} outputs", given.len(), outputs.len())).into());
                }
                given.iter().zip(outputs).map(|(ct, y)| one(ct, y)).collect()
            }
        }
    }
}

/// Takes the engine for this thread; waits for other threads without the lock.
fn open(runtime: &EagerRuntime, engine: &PyEngine) -> PyR<(Session, OpenSession)> {
    interrupt::run(usize::MAX, || engine.0.lease(&Signals).map(drop))?;
    Ok((runtime.session(&engine.0)?, OpenSession::new()))
}

/// Holds an engine between enter and exit.
#[pyclass(name = "EagerSession", module = "tenferro_py", unsendable)]
pub struct PySession {
    runtime: EagerRuntime,
    engine: Py<PyEngine>,
    open: Option<(Session, OpenSession)>,
}

#[pymethods]
impl PySession {
    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyR<Bound<'py, Self>> {
        let opened = {
            let this = slf.borrow();
            open(&this.runtime, this.engine.get())?
        };
        slf.borrow_mut().open = Some(opened);
        Ok(slf.clone())
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&mut self, _args: &Bound<'_, PyTuple>) {
        self.open = None;
    }

    /// Ops by their short names (`mul`) or the names of the module's functions.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let name = match name {
            "mul" => "multiply",
            "sub" => "subtract",
            "div" => "divide",
            "neg" => "negative",
            "reduce_sum" => "sum",
            "reduce_max" => "max",
            other => other,
        };
        let function = py.import("tenferro_py._native")?.getattr_opt(name)?;
        function.ok_or_else(|| PyAttributeError::new_err(format!("'EagerSession' has no function '{name}'")))
    }
}

/// While entered, ops of this thread leave nothing for backward.
#[pyclass(name = "NoGrad", module = "tenferro_py", unsendable)]
pub struct PyNoGrad(Vec<NoGrad>);

#[pymethods]
impl PyNoGrad {
    fn __enter__(mut slf: PyRefMut<'_, Self>) -> PyRefMut<'_, Self> {
        slf.0.push(NoGrad::new());
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&mut self, _args: &Bound<'_, PyTuple>) {
        self.0.pop();
    }
}
