//! Compiling traced tensors.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use tenferro_graph::{Aval, Dim, Error, Program};
use tenferro_runtime::{CompiledGraph, GraphCompiler, Operation, Role, TracedTensor, summary};

use crate::array_in::{Take, tensor_from};
use crate::dtype::{self, PyDType};
use crate::errors::{Fail, PyR};
use crate::tensor::PyTensor;
use crate::traced::{PyOperation, PyTraced};

/// Freezes graphs into programs.
#[pyclass(name = "GraphCompiler", module = "tenferro_py", frozen)]
pub struct PyCompiler(GraphCompiler);

/// One tensor, or several.
enum Outputs {
    One(Py<PyTraced>),
    Many(Vec<Py<PyTraced>>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Outputs {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(one) = obj.cast_exact::<PyTraced>() {
            return Ok(Self::One(one.to_owned().unbind()));
        }
        let many = obj.extract().map(Self::Many);
        many.map_err(|_| Fail::from(Error::dtype("compile", format!("needs traced tensors, got {}", type_name(&obj)))).into())
    }
}

fn type_name(obj: &Bound<'_, PyAny>) -> String {
    obj.get_type().name().map_or_else(|_| "another type".to_owned(), |n| n.to_string())
}

#[pymethods]
impl PyCompiler {
    #[new]
    fn new() -> Self {
        Self(GraphCompiler::new())
    }

    fn compile(&self, py: Python<'_>, outputs: Outputs) -> PyR<PyCompiled> {
        let (single, outputs): (bool, Vec<TracedTensor>) = match &outputs {
            Outputs::One(t) => (true, vec![t.get().0.clone()]),
            Outputs::Many(ts) => (false, ts.iter().map(|t| t.get().0.clone()).collect()),
        };
        Ok(PyCompiled { graph: py.detach(|| self.0.compile(&outputs))?, single })
    }
}

/// A program and the data bound to its inputs.
#[pyclass(name = "CompiledGraph", module = "tenferro_py", frozen)]
pub struct PyCompiled {
    pub graph: CompiledGraph,
    /// Whether `compile` was given one tensor, not a list.
    pub single: bool,
}

#[pymethods]
impl PyCompiled {
    fn program(slf: Py<Self>) -> PyProgram {
        PyProgram(slf)
    }

    #[getter]
    fn inputs(&self) -> Vec<Slot> {
        let slot = |i: &tenferro_runtime::Input| Slot {
            key: Some(i.leaf.key.number()),
            name: i.leaf.name.as_ref().map(ToString::to_string),
            aval: i.aval.clone(),
        };
        self.graph.inputs().iter().map(slot).collect()
    }

    #[getter]
    fn outputs(&self) -> Vec<Slot> {
        self.graph.program().output_avals().into_iter().map(|aval| Slot { key: None, name: None, aval }).collect()
    }

    #[getter]
    fn input_keys(&self) -> Vec<u64> {
        self.graph.input_keys().into_iter().map(tenferro_runtime::LeafKey::number).collect()
    }

    #[getter]
    fn bindings<'py>(&self, py: Python<'py>) -> PyR<Bound<'py, PyDict>> {
        let d = PyDict::new(py);
        for (key, t) in self.graph.bindings() {
            d.set_item(key.number(), PyTensor::wrap(py, t.clone())?)?;
        }
        Ok(d)
    }

    #[getter]
    fn fingerprint<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.graph.fingerprint().to_bytes())
    }

    /// The program in Graphviz's language, with the names of inputs that have one.
    fn to_dot(&self) -> String {
        self.graph.to_dot()
    }

    /// The same program with a placeholder bound to data.
    fn bind(&self, key: u64, data: &Bound<'_, PyAny>) -> PyR<Self> {
        let known = self.graph.input_keys().into_iter().find(|k| k.number() == key);
        let key = known.ok_or_else(|| Error::binding("bind: the key is not an input of this program"))?;
        Ok(Self { graph: self.graph.bind(key, tensor_from(data, Take::Copy)?)?, single: self.single })
    }

    fn __repr__(&self) -> String {
        format!("CompiledGraph({})", summary(self.graph.program()))
    }
}

/// An input or output of a program.
#[pyclass(name = "Slot", module = "tenferro_py", frozen)]
pub struct Slot {
    #[pyo3(get)]
    key: Option<u64>,
    #[pyo3(get)]
    name: Option<String>,
    aval: Aval,
}

#[pymethods]
impl Slot {
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyR<Py<PyDType>> {
        dtype::object(py, self.aval.dtype)
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyR<Bound<'py, PyTuple>> {
        shape_tuple(py, &self.aval.shape)
    }

    fn __repr__(&self) -> String {
        self.name.as_ref().map_or_else(|| self.aval.to_string(), |n| format!("{n}: {}", self.aval))
    }
}

/// A shape as a tuple; symbolic sizes as text.
pub fn shape_tuple<'py>(py: Python<'py>, shape: &[Dim]) -> PyR<Bound<'py, PyTuple>> {
    use pyo3::IntoPyObjectExt;
    let sizes = shape.iter().map(|d| d.as_const().map_or_else(|| d.to_string().into_bound_py_any(py), |n| n.into_bound_py_any(py)));
    Ok(PyTuple::new(py, sizes.collect::<PyResult<Vec<_>>>()?)?)
}

/// What a compiled graph computes.
#[pyclass(name = "Program", module = "tenferro_py", frozen)]
pub struct PyProgram(Py<PyCompiled>);

impl PyProgram {
    fn program(&self) -> &Program {
        self.0.get().graph.program()
    }
}

#[pymethods]
impl PyProgram {
    fn operations(&self) -> Vec<PyOperation> {
        let describe = |s: tenferro_graph::Step<'_>| Operation {
            name: tenferro_ops::operation_name(s.prim.name()),
            attributes: s.prim.attributes(),
            inputs: s.args.iter().map(|a| format!("%{}", a.index())).collect(),
            role: Role::Primary,
        };
        self.program().steps().map(|s| PyOperation(describe(s))).collect()
    }

    #[getter]
    fn n_inputs(&self) -> usize {
        self.program().n_inputs()
    }

    #[getter]
    fn n_outputs(&self) -> usize {
        self.program().outputs().len()
    }

    #[getter]
    fn n_values(&self) -> usize {
        self.program().n_values()
    }

    #[getter]
    fn n_operations(&self) -> usize {
        self.program().n_steps()
    }

    /// All steps, one a line.
    fn text(&self) -> String {
        self.program().to_string()
    }

    /// The program in Graphviz's language.
    fn to_dot(&self) -> String {
        self.program().to_dot()
    }

    fn __repr__(&self) -> String {
        summary(self.program())
    }
}
