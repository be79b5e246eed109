//! Preparing and running compiled programs.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tenferro_graph::{DType, Error, Output};
use tenferro_runtime::eager::owned;
use tenferro_runtime::{EngineHandle, Prepared, Runtime, RuntimeBuilder, work_of};

use crate::array_in::{Take, tensor_from};
use crate::array_out;
use crate::dtype::AnyDType;
use crate::engine::{PyEngine, PyRegistration, PyTarget, default_engine};
use crate::errors::PyR;
use crate::interrupt::{self, Signals};
use crate::tensor::PyTensor;

/// Knows engines by their registrations; keeps plans.
#[pyclass(name = "Runtime", module = "tenferro_py", frozen)]
pub struct PyRuntime(Runtime);

/// Collects kinds of engines for a runtime.
#[pyclass(name = "RuntimeBuilder", module = "tenferro_py", frozen)]
pub struct PyBuilder(Mutex<RuntimeBuilder>);

#[pymethods]
impl PyBuilder {
    /// Adds a kind of engine; gives the builder.
    fn register_engine<'py>(slf: &Bound<'py, Self>, registration: &PyRegistration) -> Bound<'py, Self> {
        let mut b = slf.get().0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *b = std::mem::take(&mut *b).register_engine(registration.0.clone());
        slf.clone()
    }

    /// The runtime.
    fn build(&self) -> PyRuntime {
        let b = &mut *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        PyRuntime(std::mem::take(b).build())
    }
}

/// Runs on one engine; the result borrows inputs where it can.
fn run<'py>(engine: &EngineHandle, prepared: &PyPrepared, n: usize, inputs: impl Iterator<Item = Bound<'py, PyAny>>) -> PyR<Vec<Output>> {
    let filled = prepared.prepared.fill(n, inputs.map(|a| tensor_from(&a, Take::InPlace)))?;
    Ok(interrupt::run(prepared.work, || prepared.prepared.run_on(engine, &filled, &Signals))?)
}

/// [`run`] with inputs in a Python sequence.
fn run_list(engine: &EngineHandle, prepared: &PyPrepared, inputs: &Bound<'_, PyAny>) -> PyR<Vec<Output>> {
    let inputs = inputs.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    run(engine, prepared, inputs.len(), inputs.into_iter())
}

fn one_engine(engines: &[Py<PyEngine>]) -> Result<&EngineHandle, Error> {
    match engines {
        [e] => Ok(&e.get().0),
        _ => Err(Error::engine(format!("run: the program has 1 slot, got {} engines", engines.len()))),
    }
}

#[pymethods]
impl PyRuntime {
    /// `Runtime.builder().register_engine(engine.registration()).build()`.
    #[staticmethod]
    fn builder() -> PyBuilder {
        PyBuilder(Mutex::new(Runtime::builder()))
    }

    /// Plans a compiled program for one (dtype, shape) per unbound input and for a target, once.
    ///
    /// BindingError for a wrong number of inputs, ShapeError and DTypeError where they do not fit,
    /// EngineError for a target without registered engine.
    fn prepare(
        &self,
        py: Python<'_>,
        compiled: &crate::compiler::PyCompiled,
        signature: Vec<(AnyDType, Vec<usize>)>,
        targets: Vec<Py<PyTarget>>,
    ) -> PyR<PyPrepared> {
        let signature: Vec<(DType, Vec<usize>)> = signature.into_iter().map(|(d, s)| (d.0, s)).collect();
        let targets: Vec<_> = targets.iter().map(|t| t.get().0.clone()).collect();
        let graph = &compiled.graph;
        let prepared = py.detach(|| self.0.prepare(graph, &signature, &targets))?;
        Ok(PyPrepared { prepared, single: compiled.single, work: work_of(graph.program()) })
    }

    /// Runs a prepared program on [engine]: one array per unbound input, a list of `Output`s.
    ///
    /// Inputs are read where they lie. BindingError, ShapeError, DTypeError where they do not fit;
    /// LinAlgError from a factorization; EngineError on re-entry.
    fn run(&self, engines: Vec<Py<PyEngine>>, prepared: &PyPrepared, inputs: &Bound<'_, PyAny>) -> PyR<Vec<PyOutput>> {
        Ok(run_list(one_engine(&engines)?, prepared, inputs)?.into_iter().map(PyOutput).collect())
    }

    /// Runs once, drops the outputs, and waits for the engines.
    fn warm_up(&self, engines: Vec<Py<PyEngine>>, prepared: &PyPrepared, inputs: &Bound<'_, PyAny>) -> PyR<()> {
        let engine = one_engine(&engines)?;
        drop(run_list(engine, prepared, inputs)?);
        Ok(interrupt::run(usize::MAX, || engine.lease(&Signals)?.engine().synchronize())?)
    }
}

/// A program planned for a kind of engine and for input shapes.
#[pyclass(name = "Prepared", module = "tenferro_py", frozen)]
pub struct PyPrepared {
    prepared: Prepared,
    single: bool,
    work: usize,
}

#[pymethods]
impl PyPrepared {
    /// Runs on the default engine: a tensor if `compile` got one, else a list.
    #[pyo3(signature = (*inputs))]
    fn __call__<'py>(&self, inputs: &Bound<'py, PyTuple>) -> PyR<Bound<'py, PyAny>> {
        let py = inputs.py();
        let outputs = run(&default_engine()?, self, inputs.len(), inputs.iter())?;
        let mut tensors = outputs.into_iter().map(|o| PyTensor::wrap(py, owned(o)?).map_err(Into::into));
        if self.single
            && let Some(t) = tensors.next()
        {
            return Ok(t?.into_bound(py).into_any());
        }
        Ok(PyList::new(py, tensors.collect::<PyR<Vec<_>>>()?)?.into_any())
    }

    /// The kind of engine it is for.
    fn target(&self) -> PyTarget {
        PyTarget(self.prepared.target().clone())
    }

    fn __repr__(&self) -> String {
        let inputs: Vec<String> = self.prepared.free_inputs().map(|(_, a)| a.to_string()).collect();
        format!("Prepared({}) for target '{}'", inputs.join(", "), self.prepared.target())
    }
}

/// A result: fresh, or a view of an input.
#[pyclass(name = "Output", module = "tenferro_py", frozen)]
pub struct PyOutput(Output);

#[pymethods]
impl PyOutput {
    #[getter]
    fn is_borrowed(&self) -> bool {
        self.0.is_borrowed()
    }

    /// A tensor of its own; a borrowed view is copied.
    #[pyo3(signature = (engine = None))]
    fn into_tensor(&self, py: Python<'_>, engine: Option<&PyEngine>) -> PyR<Py<PyTensor>> {
        let _ = engine;
        Ok(PyTensor::wrap(py, self.0.clone().into_tensor()?)?)
    }

    /// A read-only NumPy view of the result as it is.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let t = self.0.tensor();
        array_out::to_numpy(t, PyTensor::wrap(py, t.clone())?.bind(py))
    }

    /// As NumPy takes it.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(&self, py: Python<'py>, dtype: Option<&Bound<'py, PyAny>>, copy: Option<bool>) -> PyResult<Bound<'py, PyAny>> {
        array_out::array_protocol(self.numpy(py)?, dtype, copy)
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        PyTensor::wrap(py, self.0.tensor().clone())?.bind(py).call_method0("__float__")?.extract()
    }

    fn __repr__(&self) -> String {
        let kind = if self.0.is_borrowed() { "borrowed" } else { "new" };
        format!("Output({}, {kind})", self.0.tensor().aval())
    }
}
