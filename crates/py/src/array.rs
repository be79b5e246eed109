//! `Array`: what `Tensor`, `TracedTensor` and `EagerTensor` have in common —
//! operators, and methods as NumPy's arrays have them.

// Only in what PyO3's macros expand to inside a macro of ours; there is no unsafe code here.
#![allow(unsafe_op_in_unsafe_fn)]

use pyo3::PyClass;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::types::PyTuple;
use tenferro_graph::{Error, Value};
use tenferro_ops as ops;

use crate::arrangement;
use crate::compiler::shape_tuple;
use crate::dtype::{self, AnyDType, PyDType};
use crate::errors::PyR;
use crate::functions::{self, Axes, spread};
use crate::index;
use crate::numbers::number;
use crate::operand::{Operand, Out, pair};
use crate::reductions::no_out;

/// Base class of tensors: operators and methods.
#[pyclass(name = "Array", module = "tenferro_py", frozen, subclass)]
pub struct Array;

impl Array {
    /// An instance of a subclass.
    pub fn with<T: PyClass<BaseType = Self>>(value: T) -> PyClassInitializer<T> {
        PyClassInitializer::from(Self).add_subclass(value)
    }
}

pub type Slf<'a, 'py> = &'a Bound<'py, Array>;
type Other<'a, 'py> = &'a Bound<'py, PyAny>;

/// The operand that a method was called on.
pub fn this(slf: Slf<'_, '_>) -> PyR<Operand> {
    Ok(slf.as_any().extract()?)
}

macro_rules! operators {
    ($($forward:ident $backward:ident $f:path),*) => {
        #[pymethods]
        impl Array {$(
            fn $forward(slf: Slf<'_, '_>, other: Other<'_, '_>) -> PyR<Out> {
                let (x, y) = pair(slf, other)?;
                Ok(Out($f(&x, &y)?))
            }
            fn $backward(slf: Slf<'_, '_>, other: Other<'_, '_>) -> PyR<Out> {
                let (y, x) = pair(slf, other)?;
                Ok(Out($f(&x, &y)?))
            }
        )*}
    };
}
operators!(
    __add__ __radd__ ops::add, __sub__ __rsub__ ops::sub, __mul__ __rmul__ ops::mul,
    __truediv__ __rtruediv__ ops::div, __matmul__ __rmatmul__ ops::matmul,
    __floordiv__ __rfloordiv__ ops::floor_divide, __mod__ __rmod__ ops::remainder,
    __and__ __rand__ ops::bitwise_and, __or__ __ror__ ops::bitwise_or, __xor__ __rxor__ ops::bitwise_xor,
    __lshift__ __rlshift__ ops::bitwise_left_shift, __rshift__ __rrshift__ ops::bitwise_right_shift
);

macro_rules! methods {
    ($($name:ident $f:path),*) => {
        #[pymethods]
        impl Array {
            $(fn $name(slf: Slf<'_, '_>) -> PyR<Out> { Ok(Out($f(&this(slf)?)?)) })*
        }
    };
}
methods!(__neg__ ops::neg, __invert__ ops::bitwise_not, __abs__ ops::abs, conj ops::conj, conjugate ops::conj);

fn no_modulus(modulo: Option<Other<'_, '_>>) -> PyR<()> {
    if modulo.is_some_and(|m| !m.is_none()) {
        return Err(PyTypeError::new_err("pow: a modulus is not supported; take remainder(pow(x, y), m)").into());
    }
    Ok(())
}

#[pymethods]
impl Array {
    /// NumPy leaves operators of an ndarray and a tensor to the tensor.
    #[classattr]
    fn __array_ufunc__() -> Option<bool> {
        None
    }

    /// Tensors are equal elementwise, so they are told apart by identity.
    fn __hash__(slf: Slf<'_, '_>) -> isize {
        slf.as_ptr() as isize >> 4
    }

    fn __richcmp__(slf: Slf<'_, '_>, other: Other<'_, '_>, op: CompareOp) -> PyR<Py<PyAny>> {
        let py = slf.py();
        // What is no array is equal to none.
        if number(other)?.is_none() && other.extract::<Operand>().is_err() {
            return Ok(py.NotImplemented());
        }
        let op = match op {
            CompareOp::Eq => ops::CompareOp::Eq,
            CompareOp::Ne => ops::CompareOp::Ne,
            CompareOp::Lt => ops::CompareOp::Lt,
            CompareOp::Le => ops::CompareOp::Le,
            CompareOp::Gt => ops::CompareOp::Gt,
            CompareOp::Ge => ops::CompareOp::Ge,
        };
        Ok(functions::compared(op, slf, other)?.into_pyobject(py)?.unbind())
    }

    fn __pos__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __pow__(slf: Slf<'_, '_>, exponent: Other<'_, '_>, modulo: Option<Other<'_, '_>>) -> PyR<Out> {
        no_modulus(modulo)?;
        functions::pow(slf, exponent)
    }

    fn __rpow__(slf: Slf<'_, '_>, base: Other<'_, '_>, modulo: Option<Other<'_, '_>>) -> PyR<Out> {
        no_modulus(modulo)?;
        functions::pow(base, slf)
    }

    fn __divmod__(slf: Slf<'_, '_>, other: Other<'_, '_>) -> PyR<(Out, Out)> {
        let (x, y) = pair(slf, other)?;
        Ok(ops::divmod(&x, &y)?.map(Out).into())
    }

    fn __rdivmod__(slf: Slf<'_, '_>, other: Other<'_, '_>) -> PyR<(Out, Out)> {
        let (y, x) = pair(slf, other)?;
        Ok(ops::divmod(&x, &y)?.map(Out).into())
    }

    #[pyo3(signature = (decimals = 0, out = None))]
    fn round(slf: Slf<'_, '_>, decimals: i32, out: Option<Other<'_, '_>>) -> PyR<Out> {
        no_out(out)?;
        Ok(Out(ops::round(&this(slf)?, decimals)?))
    }

    #[pyo3(signature = (ndigits = None))]
    fn __round__(slf: Slf<'_, '_>, ndigits: Option<i32>) -> PyR<Out> {
        Self::round(slf, ndigits.unwrap_or(0), None)
    }

    fn __getitem__(slf: Slf<'_, '_>, at: Other<'_, '_>) -> PyR<Out> {
        index::selected(this(slf)?, index::parse(at)?)
    }

    /// Whether an element equals the value, as in NumPy.
    fn __contains__(slf: Slf<'_, '_>, value: Other<'_, '_>) -> PyR<bool> {
        let equal = functions::compared(ops::CompareOp::Eq, slf, value)?;
        Ok(Out(ops::any(&equal.0, None, false)?).into_pyobject(slf.py())?.is_truthy()?)
    }

    /// The module with the functions for arrays.
    #[pyo3(signature = (*, api_version = None))]
    fn __array_namespace__<'py>(slf: Slf<'_, 'py>, api_version: Option<&str>) -> PyR<Bound<'py, PyAny>> {
        Ok(slf.py().import("tenferro_py._namespace")?.call_method1("namespace", (api_version,))?)
    }

    /// Where the elements lie.
    #[getter]
    fn device(_slf: Slf<'_, '_>) -> &'static str {
        "cpu"
    }

    /// The array itself: there is one device.
    #[pyo3(signature = (device, /, *, stream = None))]
    fn to_device(slf: Py<Self>, device: &str, stream: Option<Other<'_, '_>>) -> PyR<Py<Self>> {
        if device != "cpu" {
            return Err(Error::value("to_device", format!("there is no device {device:?}, only \"cpu\"")).into());
        }
        if stream.is_some_and(|s| !s.is_none()) {
            return Err(Error::value("to_device", "a cpu has no streams").into());
        }
        Ok(slf)
    }

    /// Bytes of one element.
    #[getter]
    fn itemsize(slf: Slf<'_, '_>) -> PyR<usize> {
        Ok(this(slf)?.aval().dtype.size())
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(slf: Slf<'_, '_>) -> PyR<usize> {
        Ok(Self::size(slf)? * Self::itemsize(slf)?)
    }

    #[getter]
    fn shape<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyTuple>> {
        shape_tuple(slf.py(), &this(slf)?.aval().shape)
    }

    #[getter]
    fn dtype(slf: Slf<'_, '_>) -> PyR<Py<PyDType>> {
        dtype::object(slf.py(), this(slf)?.aval().dtype)
    }

    #[getter]
    fn ndim(slf: Slf<'_, '_>) -> PyR<usize> {
        Ok(this(slf)?.aval().rank())
    }

    #[getter]
    fn size(slf: Slf<'_, '_>) -> PyR<usize> {
        let size = this(slf)?.aval().shape.size();
        Ok(size.as_const().ok_or_else(|| Error::shape("size", format!("{size} is symbolic")))?)
    }

    /// All axes reversed.
    #[getter(T)]
    fn reversed(slf: Slf<'_, '_>) -> PyR<Out> {
        let x = this(slf)?;
        let axes: Vec<usize> = (0..x.aval().rank()).rev().collect();
        Ok(Out(ops::transpose(&x, &axes)?))
    }

    /// The last two axes exchanged.
    #[getter(mT)]
    fn matrix_transpose(slf: Slf<'_, '_>) -> PyR<Out> {
        Ok(Out(ops::swap_last(&this(slf)?)?))
    }

    #[getter]
    fn real(slf: Slf<'_, '_>) -> PyR<Out> {
        Ok(Out(ops::real(&this(slf)?)?))
    }

    #[getter]
    fn imag(slf: Slf<'_, '_>) -> PyR<Out> {
        Ok(Out(ops::imag(&this(slf)?)?))
    }

    /// `copy` is NumPy's: tensors do not change, so that a copy makes no difference.
    #[pyo3(signature = (*shape, order = "C", copy = None))]
    fn reshape(slf: Slf<'_, '_>, shape: &Bound<'_, PyTuple>, order: &str, copy: Option<bool>) -> PyR<Out> {
        let _ = copy;
        arrangement::reshape_in(&this(slf)?, &spread(shape)?, order)
    }

    #[pyo3(signature = (*axes))]
    fn transpose(slf: Slf<'_, '_>, axes: &Bound<'_, PyTuple>) -> PyR<Out> {
        // NumPy's function passes None.
        if axes.is_empty() || (axes.len() == 1 && axes.get_item(0)?.is_none()) {
            return Self::reversed(slf);
        }
        Ok(Out(ops::permute_dims(&this(slf)?, &spread(axes)?)?))
    }

    /// `copy` is NumPy's: tensors do not change, so that a copy makes no difference.
    #[pyo3(signature = (dtype, *, copy = true))]
    fn astype(slf: Slf<'_, '_>, dtype: AnyDType, copy: bool) -> PyR<Out> {
        let _ = copy;
        Ok(Out(ops::cast(&this(slf)?, dtype.0)?))
    }

    /// The sum over axes, which are removed; all if None.
    #[pyo3(signature = (axes = None))]
    fn reduce_sum(slf: Slf<'_, '_>, axes: Option<Axes>) -> PyR<Out> {
        Ok(Out(ops::sum(&this(slf)?, axes.as_ref().map(Axes::as_slice), false)?))
    }

    /// The maximum over axes, which are removed; all if None.
    #[pyo3(signature = (axes = None))]
    fn reduce_max(slf: Slf<'_, '_>, axes: Option<Axes>) -> PyR<Out> {
        Ok(Out(ops::max(&this(slf)?, axes.as_ref().map(Axes::as_slice), false)?))
    }
}
