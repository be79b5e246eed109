//! Shapes, parts and joins of arrays, and products over their axes, as functions and methods of `Array`.

// Only in what PyO3's macros expand to inside a macro of ours; there is no unsafe code here.
#![allow(unsafe_op_in_unsafe_fn)]

use pyo3::prelude::*;
use tenferro_graph::Error;
use tenferro_ops::{self as ops, ConvolveMode, PadMode};

use crate::array::{Array, Slf, this};
use crate::dtype::AnyDType;
use crate::errors::PyR;
use crate::functions::{Axes, Size, sizes};
use crate::operand::{Operand, Out, pair, together};
use crate::reductions::{no_out, within};

type Other<'a, 'py> = &'a Bound<'py, PyAny>;

fn outs(xs: Vec<Operand>) -> Vec<Out> {
    xs.into_iter().map(Out).collect()
}

/// One function a line: its arguments by type, and the op that it calls.
macro_rules! one_array {
    ($add:ident: $($name:ident($($arg:ident: $t:ty),*) = |$x:ident| $call:expr;)*) => {
        fn $add(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
        $(#[pyfunction]
        #[pyo3(signature = (x, /, $($arg),*))]
        pub fn $name(x: Operand, $($arg: $t),*) -> PyR<Out> {
            let $x = &x;
            Ok(Out($call?))
        })*
    };
}
one_array!(add_one_array:
    squeeze(axis: Option<Axes>) = |x| ops::squeeze(x, axis.as_ref().map(Axes::as_slice));
    expand_dims(axis: Axes) = |x| ops::expand_dims(x, axis.as_slice());
    moveaxis(source: Axes, destination: Axes) = |x| ops::moveaxis(x, source.as_slice(), destination.as_slice());
    swapaxes(axis1: isize, axis2: isize) = |x| ops::swapaxes(x, axis1, axis2);
    flip(axis: Option<Axes>) = |x| ops::flip(x, axis.as_ref().map(Axes::as_slice));
    roll(shift: Vec<isize>, axis: Option<Vec<isize>>) = |x| ops::roll(x, &shift, axis.as_deref());
    tile(repeats: Vec<Size>) = |x| ops::tile(x, &sizes(&repeats));
    repeat(repeats: Vec<Size>, axis: Option<isize>) = |x| ops::repeat(x, &sizes(&repeats), axis);
    reshape_f(shape: Axes) = |x| ops::reshape_f(x, shape.as_slice());
    ravel() = |x| ops::ravel(x);
    diag(offset: isize) = |x| ops::diag(x, offset);
    diagonal(offset: isize, axis1: isize, axis2: isize) = |x| ops::diagonal(x, offset, axis1, axis2);
    trace(offset: isize, axis1: isize, axis2: isize) = |x| ops::trace(x, offset, axis1, axis2);
    tril(k: isize) = |x| ops::tril(x, k);
    triu(k: isize) = |x| ops::triu(x, k);
    vander(count: Option<Size>, increasing: bool) = |x| ops::vander(x, count.map(|n| n.0), increasing);
);

macro_rules! two_arrays {
    ($add:ident: $($name:ident($($arg:ident: $t:ty),*) = |$x:ident, $y:ident| $call:expr;)*) => {
        fn $add(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
        $(#[pyfunction]
        #[pyo3(signature = (x, y, /, $($arg),*))]
        pub fn $name(x: Other<'_, '_>, y: Other<'_, '_>, $($arg: $t),*) -> PyR<Out> {
            let (x, y) = pair(x, y)?;
            let ($x, $y) = (&x, &y);
            Ok(Out($call?))
        })*
    };
}
two_arrays!(add_two_arrays:
    tensordot(x_axes: Vec<isize>, y_axes: Vec<isize>) = |x, y| ops::tensordot(x, y, &x_axes, &y_axes);
    tensordot_last(count: Size) = |x, y| ops::tensordot_last(x, y, count.0);
    vecdot(axis: isize) = |x, y| ops::vecdot(x, y, axis);
    outer() = |x, y| ops::outer(x, y);
    inner() = |x, y| ops::inner(x, y);
    kron() = |x, y| ops::kron(x, y);
    cross(axis: isize) = |x, y| ops::cross(x, y, axis);
    polyval() = |x, y| ops::polyval(x, y);
    convolve(mode: &str) = |x, y| ops::convolve(x, y, convolve_mode(mode)?);
);

fn convolve_mode(name: &str) -> Result<ConvolveMode, Error> {
    match name {
        "full" => Ok(ConvolveMode::Full),
        "same" => Ok(ConvolveMode::Same),
        "valid" => Ok(ConvolveMode::Valid),
        _ => Err(Error::value("convolve", format!("mode {name:?} is not full, same or valid"))),
    }
}

macro_rules! many_arrays {
    ($add:ident: $($name:ident($($arg:ident: $t:ty),*) -> $out:ty = |$xs:ident| $call:expr;)*) => {
        fn $add(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
        $(#[pyfunction]
        #[pyo3(signature = (arrays, /, $($arg),*))]
        pub fn $name(arrays: Vec<Operand>, $($arg: $t),*) -> PyR<$out> {
            let $xs = &together(arrays)?;
            Ok($call)
        })*
    };
}
many_arrays!(add_many_arrays:
    vstack() -> Out = |xs| Out(ops::vstack(xs)?);
    hstack() -> Out = |xs| Out(ops::hstack(xs)?);
    dstack() -> Out = |xs| Out(ops::dstack(xs)?);
    broadcast_arrays() -> Vec<Out> = |xs| outs(ops::broadcast_arrays(xs)?);
    meshgrid(xy: bool, sparse: bool) -> Vec<Out> = |xs| outs(ops::meshgrid(xs, xy, sparse)?);
);

#[pyfunction]
#[pyo3(signature = (x, parts, /, axis, equal))]
pub fn split(x: Operand, parts: Size, axis: isize, equal: bool) -> PyR<Vec<Out>> {
    Ok(outs(ops::split(&x, parts.0, axis, equal)?))
}

#[pyfunction]
#[pyo3(signature = (x, at, /, axis))]
pub fn split_at(x: Operand, at: Vec<isize>, axis: isize) -> PyR<Vec<Out>> {
    Ok(outs(ops::split_at(&x, &at, axis)?))
}

/// `ends` are linear_ramp's, `count` how many elements the statistics see.
#[pyfunction]
#[pyo3(signature = (x, pad_width, mode, /, ends, count))]
pub fn pad_mode(x: Operand, pad_width: Vec<(usize, usize)>, mode: &str, ends: (f64, f64), count: Option<usize>) -> PyR<Out> {
    let mode = match mode {
        "edge" => PadMode::Edge,
        "reflect" => PadMode::Reflect,
        "symmetric" => PadMode::Symmetric,
        "wrap" => PadMode::Wrap,
        "linear_ramp" => PadMode::LinearRamp(ends.0, ends.1),
        "maximum" => PadMode::Maximum(count),
        "minimum" => PadMode::Minimum(count),
        "mean" => PadMode::Mean(count),
        _ => {
            let known = "constant, edge, reflect, symmetric, wrap, linear_ramp, maximum, minimum, mean";
            return Err(Error::value("pad", format!("mode {mode:?} is not one of {known}")).into());
        }
    };
    Ok(Out(ops::pad_mode(&x, &pad_width, mode)?))
}

/// `reshape` of NumPy's `order`.
pub fn reshape_in(x: &Operand, shape: &[isize], order: &str) -> PyR<Out> {
    match order {
        "C" => Ok(Out(ops::reshape_to(x, shape)?)),
        "F" => Ok(Out(ops::reshape_f(x, shape)?)),
        _ => Err(Error::value("reshape", format!("order {order:?} is not C or F")).into()),
    }
}

/// A count, or one an element.
#[derive(FromPyObject)]
enum Counts {
    One(Size),
    Many(Vec<Size>),
}

#[pymethods]
impl Array {
    #[pyo3(signature = (axis = None))]
    fn squeeze(slf: Slf<'_, '_>, axis: Option<Axes>) -> PyR<Out> {
        squeeze(this(slf)?, axis)
    }

    fn swapaxes(slf: Slf<'_, '_>, axis1: isize, axis2: isize) -> PyR<Out> {
        swapaxes(this(slf)?, axis1, axis2)
    }

    #[pyo3(signature = (order = "C"))]
    fn ravel(slf: Slf<'_, '_>, order: &str) -> PyR<Out> {
        reshape_in(&this(slf)?, &[-1], order)
    }

    #[pyo3(signature = (order = "C"))]
    fn flatten(slf: Slf<'_, '_>, order: &str) -> PyR<Out> {
        Self::ravel(slf, order)
    }

    #[pyo3(signature = (repeats, axis = None))]
    fn repeat(slf: Slf<'_, '_>, repeats: Counts, axis: Option<isize>) -> PyR<Out> {
        let repeats = match repeats {
            Counts::One(n) => vec![n],
            Counts::Many(n) => n,
        };
        repeat(this(slf)?, repeats, axis)
    }

    #[pyo3(signature = (offset = 0, axis1 = 0, axis2 = 1))]
    fn diagonal(slf: Slf<'_, '_>, offset: isize, axis1: isize, axis2: isize) -> PyR<Out> {
        diagonal(this(slf)?, offset, axis1, axis2)
    }

    #[pyo3(signature = (offset = 0, axis1 = 0, axis2 = 1, dtype = None, out = None))]
    fn trace(slf: Slf<'_, '_>, offset: isize, axis1: isize, axis2: isize, dtype: Option<AnyDType>, out: Option<Other<'_, '_>>) -> PyR<Out> {
        no_out(out)?;
        let Out(y) = trace(within(&this(slf)?, dtype)?, offset, axis1, axis2)?;
        Ok(Out(within(&y, dtype)?))
    }

    #[pyo3(signature = (min = None, max = None, out = None))]
    fn clip<'py>(
        slf: Slf<'_, 'py>,
        min: Option<Other<'_, 'py>>,
        max: Option<Other<'_, 'py>>,
        out: Option<Other<'_, 'py>>,
    ) -> PyR<Bound<'py, PyAny>> {
        no_out(out)?;
        Ok(slf.py().import("tenferro_py._selection")?.call_method1("clip", (slf, min, max))?)
    }

    #[pyo3(signature = (b, out = None))]
    fn dot<'py>(slf: Slf<'_, 'py>, b: Other<'_, 'py>, out: Option<Other<'_, 'py>>) -> PyR<Bound<'py, PyAny>> {
        no_out(out)?;
        Ok(slf.py().import("tenferro_py._products")?.call_method1("dot", (slf, b))?)
    }
}

/// Adds the functions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    add_one_array(m)?;
    add_two_arrays(m)?;
    add_many_arrays(m)?;
    m.add_function(wrap_pyfunction!(split, m)?)?;
    m.add_function(wrap_pyfunction!(split_at, m)?)?;
    m.add_function(wrap_pyfunction!(pad_mode, m)?)
}
