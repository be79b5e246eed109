//! What the transforms of functions are made of; the functions themselves are Python's.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use tenferro_graph::{DType, Error};
use tenferro_ops as ops;
use tenferro_runtime::{EagerTensor, GraphCompiler, LeafKey, TracedTensor};

use crate::array_in::{Take, tensor_from};
use crate::eager::PyEager;
use crate::errors::PyR;
use crate::operand::{Operand, Out, kept, together};
use crate::traced::PyTraced;

type Traced = Py<PyTraced>;

fn inner(ts: &[Traced]) -> Vec<TracedTensor> {
    ts.iter().map(|t| t.get().0.clone()).collect()
}

/// Whether an operation on the argument is recorded or leaves a node.
fn is_live(x: &Bound<'_, PyAny>) -> bool {
    x.cast_exact::<PyTraced>().is_ok() || x.cast_exact::<PyEager>().is_ok()
}

/// Dtypes and shapes of arguments as bytes, all arguments as tensors; None if one of
/// them is traced or eager.
#[pyfunction]
#[pyo3(signature = (*args))]
pub fn _signature<'py>(args: &Bound<'py, PyTuple>) -> PyR<Option<(Bound<'py, PyBytes>, Bound<'py, PyTuple>)>> {
    let py = args.py();
    let mut key: Vec<u8> = Vec::with_capacity(64);
    let mut arrays = Vec::with_capacity(args.len());
    for x in args.iter() {
        if is_live(&x) {
            return Ok(None);
        }
        let t = tensor_from(&x, Take::InPlace)?;
        key.extend([t.dtype() as u8, t.rank() as u8]);
        t.shape().iter().for_each(|n| key.extend(n.to_le_bytes()));
        arrays.push(crate::tensor::PyTensor::wrap(py, t)?);
    }
    Ok(Some((PyBytes::new(py, &key), PyTuple::new(py, arrays)?)))
}

/// A placeholder for each argument.
#[pyfunction]
pub fn _placeholders(py: Python<'_>, args: Vec<Operand>) -> PyR<Vec<Traced>> {
    Ok(args.iter().map(|a| PyTraced::wrap(py, TracedTensor::like(a))).collect::<PyResult<_>>()?)
}

/// The gradients of a scalar, zeros where it does not depend on an argument.
#[pyfunction]
pub fn _gradients(py: Python<'_>, y: Traced, wrt: Vec<Traced>) -> PyR<Vec<Traced>> {
    let wrt = inner(&wrt);
    let gradients = py.detach(|| {
        let found = y.get().0.grad_many(&wrt)?;
        found.into_iter().zip(&wrt).map(|(g, x)| g.map_or_else(|| ops::zeros_like(x), Ok)).collect::<Result<Vec<_>, Error>>()
    })?;
    Ok(gradients.into_iter().map(|g| PyTraced::wrap(py, g)).collect::<PyResult<_>>()?)
}

/// `outputs` with `args` in the places of `leaves`: recorded where an argument is traced
/// or the outputs refer to another trace, else run at once on eager tensors.
#[pyfunction]
pub fn _apply(py: Python<'_>, outputs: Vec<Traced>, leaves: Vec<Traced>, args: Vec<Operand>) -> PyR<Bound<'_, PyList>> {
    let (outputs, leaves) = (inner(&outputs), inner(&leaves));
    let args = together(args)?;
    let results: Vec<Operand> = if let [Operand::Eager(_), ..] = args.as_slice() {
        eager(&outputs, &leaves, &args)?.into_iter().map(Operand::Eager).collect()
    } else {
        let args = args.into_iter().map(traced).collect::<Result<Vec<_>, _>>()?;
        TracedTensor::substitute(&outputs, &leaves, &args)?.into_iter().map(Operand::Traced).collect()
    };
    Ok(PyList::new(py, results.into_iter().map(Out))?)
}

fn traced(x: Operand) -> Result<TracedTensor, Error> {
    match x {
        Operand::Traced(t) => Ok(t),
        Operand::Eager(t) => Ok(TracedTensor::from_tensor(t.data().clone())),
        Operand::Array(t) => Ok(TracedTensor::from_tensor(kept(t)?)),
    }
}

fn eager(outputs: &[TracedTensor], leaves: &[TracedTensor], args: &[Operand]) -> Result<Vec<EagerTensor>, Error> {
    let compiled = GraphCompiler::new().compile(outputs)?;
    let key = |t: &TracedTensor| t.leaf().map(|l| l.key);
    let pair = |(leaf, arg): (&TracedTensor, &Operand)| match arg {
        Operand::Eager(t) => Some((key(leaf)?, t.clone())),
        _ => None,
    };
    let args: Vec<(LeafKey, EagerTensor)> = leaves.iter().zip(args).filter_map(pair).collect();
    compiled.run_eager(&args)
}

/// The one object of each dtype.
#[pyfunction]
pub fn _dtypes(py: Python<'_>) -> PyR<Bound<'_, PyTuple>> {
    Ok(PyTuple::new(py, DType::ALL.into_iter().map(|d| crate::dtype::object(py, d)).collect::<PyR<Vec<_>>>()?)?)
}
