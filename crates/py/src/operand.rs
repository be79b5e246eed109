//! Arguments of ops: a tensor, a traced or an eager one. Where kinds meet, data
//! becomes a constant of the others' world.

use std::sync::OnceLock;

use pyo3::prelude::*;
use tenferro_graph::{Aval, Error, Prim, Result, SmallVec, Tensor, Value};
use tenferro_ops as ops;
use tenferro_runtime::{EagerRuntime, EagerTensor, TracedTensor};

use crate::array_in::{self, Take, tensor_from};
use crate::eager::PyEager;
use crate::errors::PyR;
use crate::interrupt;
use crate::numbers::number;
use crate::tensor::PyTensor;
use crate::traced::PyTraced;

#[derive(Clone)]
pub enum Operand {
    Array(Tensor),
    Eager(EagerTensor),
    Traced(TracedTensor),
}

/// Larger data is bound as an input of the graph, smaller is part of the program.
const SMALL: usize = 64;

/// Where operators of plain tensors keep their plans.
fn plain() -> &'static EagerRuntime {
    static PLAIN: OnceLock<EagerRuntime> = OnceLock::new();
    PLAIN.get_or_init(EagerRuntime::new)
}

/// Data that nobody else writes to.
fn kept(t: Tensor) -> Result<Tensor> {
    if t.buffer().0.writable_elsewhere() { array_in::copy(&t) } else { Ok(t) }
}

fn emit_eager(prim: Prim, args: &[&EagerTensor], like: &EagerTensor) -> Result<SmallVec<[EagerTensor; 3]>> {
    let size: usize = args.iter().map(|a| a.data().size()).sum();
    interrupt::run(size, || like.emit(prim, args))
}

impl Value for Operand {
    fn aval(&self) -> Aval {
        match self {
            Self::Array(t) => t.aval(),
            Self::Eager(t) => t.aval(),
            Self::Traced(t) => t.aval(),
        }
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        match self {
            Self::Array(like) => {
                if let Some(c) = prim.downcast::<ops::Constant>() {
                    return Ok(SmallVec::from_iter([Self::Array(c.tensor().clone())]));
                }
                let args = args.iter().map(|a| match a {
                    Self::Array(t) => Ok(plain().constant_from(t.clone())),
                    _ => Err(mixed()),
                });
                let args = args.collect::<Result<SmallVec<[EagerTensor; 3]>>>()?;
                let args: SmallVec<[&EagerTensor; 3]> = args.iter().collect();
                let like = plain().constant_from(like.clone());
                Ok(emit_eager(prim, &args, &like)?.into_iter().map(|t| Self::Array(t.data().clone())).collect())
            }
            Self::Eager(like) => {
                let args = args.iter().map(|a| if let Self::Eager(t) = a { Ok(t) } else { Err(mixed()) });
                let args = args.collect::<Result<SmallVec<[&EagerTensor; 3]>>>()?;
                Ok(emit_eager(prim, &args, like)?.into_iter().map(Self::Eager).collect())
            }
            Self::Traced(like) => {
                let args = args.iter().map(|a| if let Self::Traced(t) = a { Ok(t) } else { Err(mixed()) });
                let args = args.collect::<Result<SmallVec<[&TracedTensor; 3]>>>()?;
                Ok(like.emit(prim, &args)?.into_iter().map(Self::Traced).collect())
            }
        }
    }
}

fn mixed() -> Error {
    Error::program("operands of one op are of different kinds")
}

impl Operand {
    /// In the order in which one kind takes over another.
    fn kind(&self) -> u8 {
        match self {
            Self::Array(_) => 0,
            Self::Eager(_) => 1,
            Self::Traced(_) => 2,
        }
    }

    /// The same value in the world of `like`.
    fn lift(self, like: &Self) -> Result<Self> {
        match (self, like) {
            (Self::Array(t), Self::Eager(e)) => Ok(Self::Eager(e.runtime().constant_from(kept(t)?))),
            (Self::Array(t), Self::Traced(_)) if t.size() <= SMALL => ops::constant(like, kept(t)?),
            (Self::Array(t), Self::Traced(_)) => Ok(Self::Traced(TracedTensor::from_tensor(kept(t)?))),
            (Self::Eager(_), Self::Traced(_)) => {
                Err(Error::value("trace", "an eager tensor meets a traced one; use TracedTensor.from_array(x.detach())"))
            }
            (this, _) => Ok(this),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Operand {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // By exact type: none of these can be subclassed, and the test is one comparison.
        if let Ok(t) = obj.cast_exact::<PyTensor>() {
            return Ok(Self::Array(t.get().0.clone()));
        }
        if let Ok(t) = obj.cast_exact::<PyTraced>() {
            return Ok(Self::Traced(t.get().0.clone()));
        }
        if let Ok(t) = obj.cast_exact::<PyEager>() {
            return Ok(Self::Eager(t.get().0.clone()));
        }
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
            // An op that changes nothing gives its argument back, perhaps memory of an ndarray.
            Operand::Array(t) => PyTensor::wrap(py, kept(t).map_err(crate::errors::Fail::from)?)?.into_bound(py).into_any(),
            Operand::Eager(t) => PyEager::wrap(py, t)?.into_bound(py).into_any(),
            Operand::Traced(t) => PyTraced::wrap(py, t)?.into_bound(py).into_any(),
        })
    }
}

/// Two operands of one kind; a Python number takes the dtype of the other.
pub fn pair(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<(Operand, Operand)> {
    match (number(x)?, number(y)?) {
        (None, Some(n)) => {
            let x: Operand = x.extract()?;
            let y = ops::number_like(&x, n)?;
            Ok((x, y))
        }
        (Some(n), None) => {
            let y: Operand = y.extract()?;
            Ok((ops::number_like(&y, n)?, y))
        }
        _ => {
            let [x, y] = together([x.extract()?, y.extract()?])?;
            Ok((x, y))
        }
    }
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
