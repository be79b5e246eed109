//! One binding per op: read operands, call, wrap.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use tenferro_graph::{DType, Error, Shape, Value};
use tenferro_ops::{self as ops, CompareOp, Number};

use crate::dtype::AnyDType;
use crate::errors::{Fail, PyR};
use crate::numbers::number;
use crate::operand::{Operand, Out, pair, together};
use crate::{arrangement, creation, reductions, selection, transforms};

macro_rules! unary {
    ($add:ident: $($name:ident = $f:path),* $(,)?) => {
        fn $add(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
        $(#[pyfunction]
        #[pyo3(signature = (x, /))]
        pub fn $name(x: Operand) -> PyR<Out> { Ok(Out($f(&x)?)) }
    )*};
}
unary!(add_unary:
    negative = ops::neg,
    abs = ops::abs,
    conj = ops::conj,
    real = ops::real,
    imag = ops::imag,
    sin = ops::sin,
    cos = ops::cos,
    exp = ops::exp,
    log = ops::log,
    sqrt = ops::sqrt,
    square = ops::square,
    sinh = ops::sinh,
    cosh = ops::cosh,
    acos = ops::acos,
    acosh = ops::acosh,
    angle = ops::angle,
    asin = ops::asin,
    asinh = ops::asinh,
    atan = ops::atan,
    atanh = ops::atanh,
    bitwise_invert = ops::bitwise_not,
    cbrt = ops::cbrt,
    ceil = ops::ceil,
    digamma = ops::digamma,
    erf = ops::erf,
    erfc = ops::erfc,
    erfinv = ops::erfinv,
    exp2 = ops::exp2,
    expm1 = ops::expm1,
    floor = ops::floor,
    i0e = ops::i0e,
    i1e = ops::i1e,
    isfinite = ops::isfinite,
    isinf = ops::isinf,
    isnan = ops::isnan,
    lgamma = ops::lgamma,
    log10 = ops::log10,
    log1p = ops::log1p,
    log2 = ops::log2,
    log_sigmoid = ops::log_sigmoid,
    logical_not = ops::logical_not,
    positive = ops::positive,
    reciprocal = ops::reciprocal,
    relu = ops::relu,
    rint = ops::rint,
    rsqrt = ops::rsqrt,
    sigmoid = ops::sigmoid,
    sign = ops::sign,
    signbit = ops::signbit,
    silu = ops::silu,
    sinc = ops::sinc,
    softplus = ops::softplus,
    tan = ops::tan,
    tanh = ops::tanh,
    trunc = ops::trunc,
    stop_gradient = ops::stop_gradient,
    matrix_transpose = ops::swap_last,
);

macro_rules! binary {
    ($add:ident: $($name:ident = $f:path),* $(,)?) => {
        fn $add(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
        $(#[pyfunction]
        #[pyo3(signature = (x, y, /))]
        pub fn $name(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<Out> {
            let (x, y) = pair(x, y)?;
            Ok(Out($f(&x, &y)?))
        }
    )*};
}
binary!(add_binary:
    add = ops::add,
    subtract = ops::sub,
    multiply = ops::mul,
    divide = ops::div,
    maximum = ops::maximum,
    atan2 = ops::atan2,
    bitwise_and = ops::bitwise_and,
    bitwise_left_shift = ops::bitwise_left_shift,
    bitwise_or = ops::bitwise_or,
    bitwise_right_shift = ops::bitwise_right_shift,
    bitwise_xor = ops::bitwise_xor,
    copysign = ops::copysign,
    floor_divide = ops::floor_divide,
    fmax = ops::fmax,
    fmin = ops::fmin,
    fmod = ops::fmod,
    from_parts = ops::complex,
    hypot = ops::hypot,
    logaddexp = ops::logaddexp,
    logical_and = ops::logical_and,
    logical_or = ops::logical_or,
    logical_xor = ops::logical_xor,
    minimum = ops::minimum,
    nextafter = ops::nextafter,
    remainder = ops::remainder,
    xlogy = ops::xlogy,
    matmul = ops::matmul,
);

/// x and y compared. A Python integer that the other's dtype does not hold is above or below all
/// of it.
pub fn compared(op: CompareOp, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<Out> {
    let (op, x, y) = if number(x)?.is_some() && number(y)?.is_none() { (op.swapped(), y, x) } else { (op, x, y) };
    if let (None, Some(n)) = (number(x)?, number(y)?) {
        let x: Operand = x.extract()?;
        if let (Number::Int(i), Err(Error::Range { .. })) = (n, n.tensor(n.dtype_with(x.aval().dtype))) {
            let holds = if op.beyond(i > 0) { 1.0 } else { 0.0 };
            return Ok(Out(ops::full_like(&ops::cast(&x, DType::Bool)?, holds)?));
        }
    }
    let (x, y) = pair(x, y)?;
    Ok(Out(ops::compare(op, &x, &y)?))
}

macro_rules! comparisons {
    ($($name:ident $op:ident),*) => {
        fn add_comparisons(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
        $(#[pyfunction]
        #[pyo3(signature = (x, y, /))]
        pub fn $name(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<Out> { compared(CompareOp::$op, x, y) })*
    };
}
comparisons!(equal Eq, not_equal Ne, less Lt, less_equal Le, greater Gt, greater_equal Ge);

/// A length: an integer that is not negative.
#[derive(Clone, Copy)]
pub struct Size(pub usize);

impl<'a, 'py> FromPyObject<'a, 'py> for Size {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let fit = |n: i128| usize::try_from(n).ok().filter(|n| *n <= isize::MAX as usize);
        let size = match obj.extract::<i128>() {
            Ok(n) => fit(n),
            Err(_) if obj.is_instance_of::<PyInt>() => None,
            Err(e) => return Err(e),
        };
        let refused = || Fail::from(Error::value("size", format!("must be at least 0 and below 2^63, got {}", &*obj)));
        Ok(Self(size.ok_or_else(refused)?))
    }
}

/// Lengths as plain numbers.
pub fn sizes(all: &[Size]) -> Vec<usize> {
    all.iter().map(|s| s.0).collect()
}

/// An axis, or several.
pub enum Axes {
    One(isize),
    Many(Vec<isize>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Axes {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(one) = obj.extract() {
            return Ok(Self::One(one));
        }
        if let Ok(many) = obj.extract() {
            return Ok(Self::Many(many));
        }
        if obj.is_instance_of::<PyInt>() {
            return Err(Fail::from(Error::index("axis", format!("{} is out of range for any array", &*obj))).into());
        }
        Err(PyTypeError::new_err(format!("axis or size: needs an int or several, got {}", obj.repr()?)))
    }
}

impl Axes {
    pub fn as_slice(&self) -> &[isize] {
        match self {
            Self::One(a) => std::slice::from_ref(a),
            Self::Many(a) => a,
        }
    }
}

#[pyfunction]
#[pyo3(signature = (x, y, /))]
pub fn pow(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<Out> {
    if let (Some(n), None) = (number(y)?, number(x)?) {
        return Ok(Out(ops::pow_number(&x.extract::<Operand>()?, n)?));
    }
    let (x, y) = pair(x, y)?;
    Ok(Out(ops::pow(&x, &y)?))
}

#[pyfunction]
#[pyo3(signature = (n, x, /))]
pub fn polygamma(n: Size, x: Operand) -> PyR<Out> {
    Ok(Out(ops::polygamma(n.0, &x)?))
}

#[pyfunction]
#[pyo3(signature = (x, approximate, /))]
pub fn gelu(x: Operand, approximate: bool) -> PyR<Out> {
    Ok(Out(ops::gelu(&x, approximate)?))
}

#[pyfunction]
#[pyo3(signature = (x, decimals, /))]
pub fn round(x: Operand, decimals: i32) -> PyR<Out> {
    Ok(Out(ops::round(&x, decimals)?))
}

#[pyfunction]
#[pyo3(signature = (x, nan, posinf, neginf, /))]
pub fn nan_to_num(x: Operand, nan: f64, posinf: Option<f64>, neginf: Option<f64>) -> PyR<Out> {
    Ok(Out(ops::nan_to_num(&x, nan, posinf, neginf)?))
}

#[pyfunction(name = "where")]
#[pyo3(signature = (condition, x, y, /))]
pub fn select(condition: Operand, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyR<Out> {
    let (x, y) = pair(x, y)?;
    let [m, x, y] = together([condition, x, y])?;
    Ok(Out(ops::select(&m, &x, &y)?))
}

#[pyfunction]
#[pyo3(signature = (x, dtype, /))]
pub fn astype(x: Operand, dtype: AnyDType) -> PyR<Out> {
    Ok(Out(ops::cast(&x, dtype.0)?))
}

#[pyfunction]
#[pyo3(signature = (x, shape, /))]
pub fn reshape(x: Operand, shape: Axes) -> PyR<Out> {
    Ok(Out(ops::reshape_to(&x, shape.as_slice())?))
}

#[pyfunction]
#[pyo3(signature = (x, axes, /))]
pub fn permute_dims(x: Operand, axes: Vec<isize>) -> PyR<Out> {
    Ok(Out(ops::permute_dims(&x, &axes)?))
}

#[pyfunction]
#[pyo3(signature = (x, shape, /))]
pub fn broadcast_to(x: Operand, shape: Vec<Size>) -> PyR<Out> {
    Ok(Out(ops::broadcast_to(&x, Shape::from(sizes(&shape).as_slice()))?))
}

#[pyfunction]
#[pyo3(signature = (arrays, /, axis = 0))]
pub fn concat(arrays: Vec<Operand>, axis: isize) -> PyR<Out> {
    Ok(Out(ops::concatenate(&together(arrays)?, axis)?))
}

#[pyfunction]
#[pyo3(signature = (arrays, /, axis = 0))]
pub fn stack(arrays: Vec<Operand>, axis: isize) -> PyR<Out> {
    Ok(Out(ops::stack(&together(arrays)?, axis)?))
}

#[pyfunction]
#[pyo3(signature = (x, pad_width, fill, /))]
pub fn pad(x: &Bound<'_, PyAny>, pad_width: Vec<(Size, Size)>, fill: &Bound<'_, PyAny>) -> PyR<Out> {
    let x: Operand = x.extract()?;
    let [x, fill] = together([x, fill.extract()?])?;
    // As NumPy: the fill takes the array's dtype.
    let fill = ops::cast(&fill, x.aval().dtype)?;
    let widths: Vec<(usize, usize)> = pad_width.iter().map(|(a, b)| (a.0, b.0)).collect();
    Ok(Out(ops::pad(&x, &widths, &fill)?))
}

#[pyfunction]
#[pyo3(signature = (x, y, /, contract, batch))]
pub fn dot_general(x: Operand, y: Operand, contract: (Vec<usize>, Vec<usize>), batch: (Vec<usize>, Vec<usize>)) -> PyR<Out> {
    let [x, y] = together([x, y])?;
    Ok(Out(ops::dot_general(&x, &y, (&contract.0, &contract.1), (&batch.0, &batch.1))?))
}

/// Adds all functions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! all {
        ($($f:path)*) => {$( m.add_function(wrap_pyfunction!($f, m)?)?; )*};
    }
    add_unary(m)?;
    add_binary(m)?;
    add_comparisons(m)?;
    reductions::register(m)?;
    arrangement::register(m)?;
    selection::register(m)?;
    creation::register(m)?;
    all! {
        select astype reshape permute_dims broadcast_to concat stack pad dot_general
        pow polygamma gelu round nan_to_num
        transforms::_signature transforms::_placeholders transforms::_gradients transforms::_apply transforms::_dtypes
    }
    Ok(())
}

/// `reshape(2, 3)`, `reshape((2, 3))` and `reshape(6)` alike.
pub fn spread(args: &Bound<'_, PyTuple>) -> PyR<Vec<isize>> {
    match args.len() {
        1 => Ok(args.get_item(0)?.extract::<Axes>()?.as_slice().to_vec()),
        _ => Ok(args.extract()?),
    }
}
