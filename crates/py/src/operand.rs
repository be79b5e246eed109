//! Arguments of ops: a tensor, a traced or an eager one. Where kinds meet, data
//! becomes a constant of the others' world.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use tenferro_graph::{Aval, Error, Prim, Result, SmallVec, Tensor, Value, smallvec};
use tenferro_ops::{self as ops, Number};
use tenferro_runtime::{EagerRuntime, EagerTensor, TracedTensor, work};

use crate::array_in::{self, Take, tensor_from};
use crate::eager::PyEager;
use crate::errors::PyR;
use crate::interrupt;
use crate::numbers::number;
use crate::tensor::PyTensor;
use crate::traced::PyTraced;

/// All three are cheap to clone and to move.
#[derive(Clone)]
pub enum Operand {
    Array(Arc<Tensor>),
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
pub fn kept(t: Arc<Tensor>) -> Result<Tensor> {
    if t.buffer().0.writable_elsewhere() { array_in::copy(&t) } else { Ok(Arc::unwrap_or_clone(t)) }
}

/// A Python number in the world of `like`, of the dtype that it takes there.
fn number_like(like: &Operand, n: Number) -> Result<Operand> {
    let scalar = |dtype| n.tensor(n.dtype_with(dtype));
    match like {
        Operand::Array(t) => Ok(Operand::array(scalar(t.dtype())?)),
        Operand::Eager(t) => Ok(Operand::Eager(t.runtime().constant_from(scalar(t.data().dtype())?))),
        Operand::Traced(_) => ops::number_like(like, n),
    }
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
            Self::Array(_) => {
                if let Some(c) = prim.downcast::<ops::Constant>() {
                    return Ok(smallvec![Self::array(c.tensor().clone())]);
                }
                let mut inputs: SmallVec<[Tensor; 3]> = SmallVec::new();
                for a in args {
                    let Self::Array(t) = a else { return Err(mixed()) };
                    inputs.push(Tensor::clone(t));
                }
                let work = work(&prim, inputs.iter().map(Tensor::size).sum());
                Ok(interrupt::run(work, || plain().run(&prim, &inputs))?.into_iter().map(Self::array).collect())
            }
            Self::Eager(like) => {
                let args = args.iter().map(|a| if let Self::Eager(t) = a { Ok(t) } else { Err(mixed()) });
                let args = args.collect::<Result<SmallVec<[&EagerTensor; 3]>>>()?;
                let work = work(&prim, args.iter().map(|a| a.data().size()).sum());
                Ok(interrupt::run(work, || like.emit(prim, &args))?.into_iter().map(Self::Eager).collect())
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
    pub fn array(t: Tensor) -> Self {
        Self::Array(Arc::new(t))
    }

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
            return Ok(Self::array(t.get().0.clone()));
        }
        if let Ok(t) = obj.cast_exact::<PyTraced>() {
            return Ok(Self::Traced(t.get().0.clone()));
        }
        if let Ok(t) = obj.cast_exact::<PyEager>() {
            return Ok(Self::Eager(t.get().0.clone()));
        }
        Ok(Self::array(tensor_from(&obj, Take::InPlace)?))
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
            let y = number_like(&x, n)?;
            Ok((x, y))
        }
        (Some(n), None) => {
            let y: Operand = y.extract()?;
            Ok((number_like(&y, n)?, y))
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
