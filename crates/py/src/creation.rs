//! Arrays made of numbers.

use pyo3::prelude::*;
use tenferro_graph::{DType, Error, Value};
use tenferro_ops::{self as ops, Number};

use crate::array_in::{Take, tensor_from};
use crate::dtype::AnyDType;
use crate::errors::PyR;
use crate::functions::{Size, sizes};
use crate::numbers::{elements, number, to_complex};
use crate::operand::{Operand, Out};
use crate::tensor::PyTensor;

/// A Python number, or an array of one element.
pub struct Num(pub Number);

impl<'a, 'py> FromPyObject<'a, 'py> for Num {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Some(n) = number(&obj)? {
            return Ok(Self(n));
        }
        let t = tensor_from(&obj, Take::InPlace)?;
        match elements(&t).map_err(crate::errors::Fail::from)?.as_slice() {
            [n] => Ok(Self(*n)),
            _ => Err(crate::errors::Fail::from(Error::shape("number", format!("{} is not one number", t.aval()))).into()),
        }
    }
}

fn or(dtype: Option<AnyDType>, default: DType) -> DType {
    dtype.map_or(default, |d| d.0)
}

/// Real, where a complex number has no meaning.
fn real(op: &'static str, Num(x): Num) -> Result<f64, Error> {
    match x {
        Number::Complex(z) => Err(Error::dtype(op, format!("{z} is not real"))),
        x => Ok(to_complex(x).re),
    }
}

/// Tensors made of numbers alone, one a line.
macro_rules! made {
    ($($name:ident($($arg:ident: $t:ty),*) = $call:expr;)*) => {
        /// Adds the functions to the module.
        pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            m.add_function(wrap_pyfunction!(full_like, m)?)
        }
        $(#[pyfunction]
        #[pyo3(signature = ($($arg,)* /))]
        pub fn $name(py: Python<'_>, $($arg: $t),*) -> PyR<Py<PyTensor>> {
            Ok(PyTensor::wrap(py, $call?)?)
        })*
    };
}
made!(
    full(shape: Vec<Size>, fill: Num, dtype: Option<AnyDType>) = ops::full(&sizes(&shape), fill.0, or(dtype, crate::numbers::dtype_of(fill.0)));
    eye(rows: Size, cols: Size, k: isize, dtype: AnyDType) = ops::eye(rows.0, cols.0, k, dtype.0);
    tri(rows: Size, cols: Size, k: isize, dtype: AnyDType) = ops::tri(rows.0, cols.0, k, dtype.0);
    arange(start: Num, stop: Num, step: Num, dtype: Option<AnyDType>) =
        ops::arange(start.0, stop.0, step.0, or(dtype, of_range([start.0, stop.0, step.0])));
    linspace(start: Num, stop: Num, num: Size, endpoint: bool, dtype: Option<AnyDType>) = {
        let complex = |n: Number| matches!(n, Number::Complex(_));
        let dtype = or(dtype, if complex(start.0) || complex(stop.0) { DType::C128 } else { DType::F64 });
        if dtype.is_complex() {
            ops::linspace_complex(to_complex(start.0), to_complex(stop.0), num.0, endpoint, dtype)
        } else {
            ops::linspace(real("linspace", start)?, real("linspace", stop)?, num.0, endpoint, dtype)
        }
    };
    logspace(start: Num, stop: Num, num: Size, endpoint: bool, base: f64, dtype: AnyDType) =
        ops::logspace(real("logspace", start)?, real("logspace", stop)?, num.0, endpoint, base, dtype.0);
    geomspace(start: Num, stop: Num, num: Size, endpoint: bool, dtype: AnyDType) =
        ops::geomspace(real("geomspace", start)?, real("geomspace", stop)?, num.0, endpoint, dtype.0);
);

fn of_range(numbers: [Number; 3]) -> DType {
    if numbers.iter().any(|n| matches!(n, Number::Float(_))) { DType::F64 } else { DType::I64 }
}

/// One number in the shape of x, symbolic sizes included.
#[pyfunction]
#[pyo3(signature = (x, fill, dtype, /))]
pub fn full_like(x: Operand, fill: Num, dtype: Option<AnyDType>) -> PyR<Out> {
    let aval = x.aval();
    let fill = ops::constant(&x, fill.0.tensor(or(dtype, aval.dtype))?)?;
    Ok(Out(ops::broadcast_to(&fill, aval.shape)?))
}
