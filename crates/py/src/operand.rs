//! Arguments of ops: a tensor, a traced or an eager one. Where kinds meet, data
//! becomes a constant of the others' world.

use pyo3::prelude::*;
use tenferro_graph::{Aval, Error, Prim, Result, SmallVec, Tensor, Value};
use tenferro_ops as ops;

use crate::array_in::{Take, tensor_from};
use crate::errors::PyR;
use crate::numbers::number;
use crate::tensor::PyTensor;

#[derive(Clone)]
pub enum Operand {
    Array(Tensor),
}

impl Value for Operand {
    fn aval(&self) -> Aval {
        match self {
            Self::Array(t) => t.aval(),
        }
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        if let Some(c) = prim.downcast::<ops::Constant>() {
            return Ok(SmallVec::from_iter([Self::Array(c.tensor().clone())]));
        }
        let _ = args;
        Err(Error::engine("no engine"))
    }
}

impl Operand {
    /// The kinds in the order in which one takes over another.
    fn kind(&self) -> u8 {
        0
    }

    fn lift(self, _like: &Self) -> Result<Self> {
        Ok(self)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Operand {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Array(tensor_from(&obj, Take::InPlace)?))
    }
}

/// A result on its way to Python.
pub struct Out(pub Operand);

impl<'py> IntoPyObject<'py> for Out {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;
    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.0 {
            Operand::Array(t) => PyTensor::wrap(py, t)?.into_bound(py).into_any(),
        })
    }
}

/// Two operands of one kind; a Python number takes the dtype of the other.
pub fn pair(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<(Operand, Operand)> {
    let (a, b) = (number(x)?, number(y)?);
    Ok(match (a, b) {
        (None, Some(n)) => {
            let x: Operand = x.extract()?;
            let y = ops::number_like(&x, n)?;
            (x, y)
        }
        (Some(n), None) => {
            let y: Operand = y.extract()?;
            (ops::number_like(&y, n)?, y)
        }
        _ => {
            let [x, y] = together([x.extract()?, y.extract()?])?;
            (x, y)
        }
    })
}

/// Operands of one kind.
pub fn together<C: AsRef<[Operand]> + AsMut<[Operand]>>(mut xs: C) -> PyR<C> {
    let Some(like) = xs.as_ref().iter().max_by_key(|x| x.kind()).cloned() else { return Ok(xs) };
    if xs.as_ref().iter().any(|x| x.kind() != like.kind()) {
        for x in xs.as_mut() {
            *x = x.clone().lift(&like)?;
        }
    }
    Ok(xs)
}
