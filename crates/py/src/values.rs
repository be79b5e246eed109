//! Methods of `Array` that need data: a traced tensor refuses them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyList};
use tenferro_graph::{Complex64, Error, Tensor, Value};
use tenferro_ops::Number;

use crate::array::{Array, Slf, this};
use crate::array_out;
use crate::errors::PyR;
use crate::numbers::{elements, to_complex, to_object};
use crate::operand::Operand;
use crate::tensor::PyTensor;

/// The data of a tensor that has some.
fn data(slf: Slf<'_, '_>, what: &str) -> PyR<Tensor> {
    match this(slf)? {
        Operand::Array(t) => Ok(std::sync::Arc::unwrap_or_clone(t)),
        Operand::Eager(t) => Ok(t.data().clone()),
        Operand::Traced(_) => {
            let why = "a traced tensor has no values; compile and run its graph, or choose by where(condition, x, y)";
            Err(Error::dtype(what.to_owned(), why).into())
        }
    }
}

/// The data, where a gradient would be lost unseen.
fn detached(slf: Slf<'_, '_>, what: &str) -> PyR<Tensor> {
    if let Operand::Eager(t) = this(slf)?
        && t.requires_grad()
    {
        return Err(Error::dtype(what.to_owned(), "the tensor requires a gradient; call detach() first").into());
    }
    data(slf, what)
}

fn item(slf: Slf<'_, '_>, what: &str) -> PyR<Number> {
    let t = data(slf, what)?;
    match elements(&t)?.as_slice() {
        [x] => Ok(*x),
        _ => Err(PyValueError::new_err(format!("{what}: the tensor has {} elements, not 1", t.size())).into()),
    }
}

/// Numbers as lists of lists.
pub fn nested(py: Python<'_>, shape: &[usize], data: &mut impl Iterator<Item = Number>) -> PyResult<Py<PyAny>> {
    match shape {
        [] => data.next().map_or_else(|| Ok(py.None()), |x| to_object(x, py)),
        [n, inner @ ..] => {
            let items = (0..*n).map(|_| nested(py, inner, data)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, items)?.into_any().unbind())
        }
    }
}

#[pymethods]
impl Array {
    /// The one element as a Python number.
    fn item(slf: Slf<'_, '_>) -> PyR<Py<PyAny>> {
        Ok(to_object(item(slf, "item")?, slf.py())?)
    }

    fn tolist(slf: Slf<'_, '_>) -> PyR<Py<PyAny>> {
        let t = data(slf, "tolist")?;
        Ok(nested(slf.py(), t.shape(), &mut elements(&t)?.into_iter())?)
    }

    /// A read-only NumPy view of the same memory.
    fn numpy<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyAny>> {
        let t = detached(slf, "numpy")?;
        let owner = if slf.is_instance_of::<PyTensor>() {
            slf.as_any().clone()
        } else {
            PyTensor::wrap(slf.py(), t.clone())?.into_bound(slf.py()).into_any()
        };
        Ok(array_out::to_numpy(&t, &owner)?)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(slf: Slf<'_, 'py>, dtype: Option<&Bound<'py, PyAny>>, copy: Option<bool>) -> PyR<Bound<'py, PyAny>> {
        Ok(array_out::array_protocol(Self::numpy(slf)?, dtype, copy)?)
    }

    fn __len__(slf: Slf<'_, '_>) -> PyR<usize> {
        let shape = this(slf)?.aval().shape;
        let n = shape.first().ok_or_else(|| Error::dtype("len", "a scalar has no length"))?;
        Ok(n.as_const().ok_or_else(|| Error::shape("len", format!("{n} is symbolic")))?)
    }

    fn __iter__<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyAny>> {
        if this(slf)?.aval().rank() == 0 {
            return Err(Error::dtype("iter", "a scalar has no rows").into());
        }
        let rows = (0..Self::__len__(slf)?).map(|i| slf.get_item(i)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), rows)?.try_iter()?.into_any())
    }

    fn __float__(slf: Slf<'_, '_>) -> PyR<f64> {
        match item(slf, "float")? {
            Number::Complex(_) => Err(PyTypeError::new_err("float: a complex number has an imaginary part; take real(x) first").into()),
            x => Ok(to_complex(x).re),
        }
    }

    fn __int__<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyAny>> {
        if this(slf)?.aval().dtype.is_complex() {
            return Err(PyTypeError::new_err("int: a complex number has an imaginary part; take real(x) first").into());
        }
        Ok(Self::item(slf)?.bind(slf.py()).call_method0("__int__")?)
    }

    /// Only an integer scalar is an index. TypeError otherwise, so that `bytes(x)` goes on to the buffer.
    fn __index__(slf: Slf<'_, '_>) -> PyR<i128> {
        let aval = this(slf)?.aval();
        if aval.rank() == 0
            && aval.dtype.is_integer()
            && let Number::Int(i) = item(slf, "index")?
        {
            return Ok(i);
        }
        Err(PyTypeError::new_err(format!("index: only an integer scalar is an index, not {aval}")).into())
    }

    fn __complex__<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyComplex>> {
        let z = to_complex(item(slf, "complex")?);
        Ok(PyComplex::from_doubles(slf.py(), z.re, z.im))
    }

    fn __bool__(slf: Slf<'_, '_>) -> PyR<bool> {
        let size = data(slf, "bool")?.size();
        if size != 1 {
            return Err(PyValueError::new_err(format!("bool: the truth of a tensor of {size} elements is ambiguous")).into());
        }
        Ok(to_complex(item(slf, "bool")?) != Complex64::default())
    }

    /// A scalar as Python's number of it, anything else as its text.
    fn __format__<'py>(slf: Slf<'_, 'py>, spec: &str) -> PyR<Bound<'py, PyAny>> {
        let shown =
            if this(slf)?.aval().rank() == 0 && !spec.is_empty() { Self::item(slf)?.into_bound(slf.py()) } else { slf.str()?.into_any() };
        Ok(shown.call_method1("__format__", (spec,))?)
    }

    fn __repr__<'py>(slf: Slf<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tenferro_py._repr")?.call_method1("representation", (slf,))
    }

    fn __str__<'py>(slf: Slf<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tenferro_py._repr")?.call_method1("text", (slf,))
    }
}
