//! Python numbers and nested lists of them, typed as NumPy types them.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt, PyList, PyTuple};
use tenferro_graph::tensor::Dims;
use tenferro_graph::{Complex32, Complex64, DType, Error, Tensor, with_element};
use tenferro_ops::Number;

use crate::errors::PyR;

/// NumPy's limit; also ends the walk into a list that holds itself.
const MAX_DEPTH: usize = 64;

/// The dtype that a number has by itself, as in NumPy.
pub fn dtype_of(x: Number) -> DType {
    match x {
        Number::Bool(_) => DType::Bool,
        Number::Int(i) if i > i128::from(i64::MAX) => DType::U64,
        Number::Int(_) => DType::I64,
        Number::Float(_) => DType::F64,
        Number::Complex(_) => DType::C128,
    }
}

pub fn to_complex(x: Number) -> Complex64 {
    match x {
        Number::Complex(z) => z,
        other => Complex64::new(to_float(other), 0.0),
    }
}

fn to_float(x: Number) -> f64 {
    match x {
        Number::Bool(b) => f64::from(u8::from(b)),
        Number::Int(i) => i as f64,
        Number::Float(x) => x,
        Number::Complex(z) => z.re,
    }
}

fn to_int(x: Number) -> i128 {
    match x {
        Number::Bool(b) => i128::from(b),
        Number::Int(i) => i,
        other => to_float(other) as i128,
    }
}

/// Element types as numbers.
pub trait Element {
    fn number(self) -> Number;
}

macro_rules! elements {
    ($($t:ty, $x:ident => $e:expr);*) => {$(impl Element for $t { fn number(self) -> Number { let $x = self; $e } })*};
}
elements!(bool, x => Number::Bool(x); i8, x => Number::Int(x.into()); i16, x => Number::Int(x.into()); i32, x => Number::Int(x.into());
    i64, x => Number::Int(x.into()); u8, x => Number::Int(x.into()); u16, x => Number::Int(x.into()); u32, x => Number::Int(x.into());
    u64, x => Number::Int(x.into()); f32, x => Number::Float(f64::from(x)); f64, x => Number::Float(x);
    Complex32, z => Number::Complex(Complex64::new(f64::from(z.re), f64::from(z.im))); Complex64, z => Number::Complex(z));

/// The elements in C order.
///
/// # Errors
/// `Memory` where a list of them does not fit.
pub fn elements(t: &Tensor) -> Result<Vec<Number>, Error> {
    let mut out: Vec<Number> = vec![];
    let room = |_| Error::memory("elements", format!("not enough memory for {} numbers", t.size()));
    out.try_reserve_exact(t.size()).map_err(room)?;
    with_element!(t.dtype(), T => out.extend(t.to_vec::<T>().unwrap_or_default().into_iter().map(Element::number)));
    Ok(out)
}

/// As Python's own number.
pub fn to_object(x: Number, py: Python<'_>) -> PyResult<Py<PyAny>> {
    Ok(match x {
        Number::Bool(b) => PyBool::new(py, b).to_owned().into_any().unbind(),
        Number::Int(i) => i.into_pyobject(py)?.into_any().unbind(),
        Number::Float(x) => PyFloat::new(py, x).into_any().unbind(),
        Number::Complex(z) => PyComplex::from_doubles(py, z.re, z.im).into_any().unbind(),
    })
}

/// A Python bool, int, float or complex, by exact type: NumPy's scalars are
/// subclasses of these but strongly typed.
pub fn number(obj: &Bound<'_, PyAny>) -> PyR<Option<Number>> {
    Ok(Some(if let Ok(x) = obj.cast_exact::<PyFloat>() {
        Number::Float(x.value())
    } else if let Ok(b) = obj.cast_exact::<PyBool>() {
        Number::Bool(b.is_true())
    } else if obj.is_exact_instance_of::<PyInt>() {
        let i: Option<i128> = obj.extract().ok().filter(|i| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(i));
        Number::Int(i.ok_or_else(|| Error::value("array", "an integer is outside the range of int64 and uint64"))?)
    } else if let Ok(z) = obj.cast_exact::<PyComplex>() {
        Number::Complex(Complex64::new(z.real(), z.imag()))
    } else {
        return Ok(None);
    }))
}

pub fn is_sequence(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_instance_of::<PyList>() || obj.is_instance_of::<PyTuple>()
}

/// A number or a nested list of numbers; `None` if it holds anything else.
pub fn tensor(obj: &Bound<'_, PyAny>) -> PyR<Option<Tensor>> {
    if let Some(x) = number(obj)? {
        return Ok(Some(filled(&[], &[x], dtype_of(x))?));
    }
    if !is_sequence(obj) {
        return Ok(None);
    }
    let mut shape = Dims::new();
    let mut first = obj.clone();
    while is_sequence(&first) {
        shape.push(first.len()?);
        if shape.len() > MAX_DEPTH {
            return Err(Error::value("array", format!("lists nested deeper than {MAX_DEPTH}")).into());
        }
        if first.len()? == 0 {
            break;
        }
        first = first.get_item(0)?;
    }
    let mut data = Vec::with_capacity(shape.iter().product());
    if !flatten(obj, &shape, &mut data)? {
        return Ok(None);
    }
    let dtype = data.iter().map(|x| dtype_of(*x)).reduce(DType::promote).unwrap_or(DType::F64);
    Ok(Some(filled(&shape, &data, dtype)?))
}

/// Appends the numbers of a nested list of this shape; false at anything that is no number.
fn flatten(obj: &Bound<'_, PyAny>, shape: &[usize], out: &mut Vec<Number>) -> PyR<bool> {
    let [n, inner @ ..] = shape else {
        let Some(x) = number(obj)? else {
            return if is_sequence(obj) { Err(ragged().into()) } else { Ok(false) };
        };
        out.push(x);
        return Ok(true);
    };
    if !is_sequence(obj) {
        return if number(obj)?.is_some() { Err(ragged().into()) } else { Ok(false) };
    }
    if obj.len()? != *n {
        return Err(ragged().into());
    }
    for item in obj.try_iter()? {
        if !flatten(&item?, inner, out)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn ragged() -> Error {
    Error::shape("array", "the nested lists have different lengths")
}

/// Whether an integer is one of the dtype's.
fn holds(dtype: DType, x: i128) -> bool {
    let bits = 8 * dtype.size() as u32;
    if dtype.is_unsigned() { (0..1_i128 << bits).contains(&x) } else { (-(1_i128 << (bits - 1))..1_i128 << (bits - 1)).contains(&x) }
}

/// A dense C-ordered tensor of a dtype; complex numbers lose their imaginary
/// part where the dtype is real.
pub fn filled(shape: &[usize], data: &[Number], dtype: DType) -> Result<Tensor, Error> {
    macro_rules! of {
        ($f:expr) => {
            Tensor::from_slice(shape, &data.iter().map($f).collect::<Vec<_>>())
        };
    }
    macro_rules! integers {
        ($t:ty) => {
            of!(|x| to_int(*x) as $t)
        };
    }
    let lossy = |x: &&Number| match x {
        Number::Complex(_) => !dtype.is_complex() && dtype != DType::Bool,
        Number::Float(f) => dtype.is_integer() && !f.is_finite(),
        _ => false,
    };
    if let Some(x) = data.iter().find(lossy) {
        return Err(Error::dtype("array", format!("{x:?} is not a {dtype}; take the part that is meant")));
    }
    if dtype.is_integer()
        && let Some(x) = data.iter().find(|x| !holds(dtype, to_int(**x)))
    {
        return Err(Error::range("array", format!("integer {} is out of bounds for {dtype}", to_int(*x))));
    }
    match dtype {
        DType::Bool => of!(|x| to_complex(*x) != Complex64::default()),
        DType::I8 => integers!(i8),
        DType::I16 => integers!(i16),
        DType::I32 => integers!(i32),
        DType::I64 => integers!(i64),
        DType::U8 => integers!(u8),
        DType::U16 => integers!(u16),
        DType::U32 => integers!(u32),
        DType::U64 => integers!(u64),
        DType::F32 => of!(|x| to_float(*x) as f32),
        DType::F64 => of!(|x| to_float(*x)),
        DType::C64 => of!(|x| Complex32::new(to_complex(*x).re as f32, to_complex(*x).im as f32)),
        DType::C128 => of!(|x| to_complex(*x)),
    }
}
