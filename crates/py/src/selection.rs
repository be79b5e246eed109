//! Elements by number, mask and place; copies with a part changed.

use pyo3::prelude::*;
use tenferro_graph::Error;
use tenferro_ops::{self as ops, AtOp, OutOfBounds};

use crate::array::{Array, Slf, this};
use crate::errors::{PyR, carry};
use crate::functions::{self, Size};
use crate::index::{aligned, numbers_of, parse};
use crate::operand::{Operand, Out, pair, together};
use crate::reductions::no_out;

type Other<'a, 'py> = &'a Bound<'py, PyAny>;

#[pyfunction]
#[pyo3(signature = (x, indices, /, axis, mode))]
pub fn take(x: Operand, indices: Other<'_, '_>, axis: Option<isize>, mode: &str) -> PyR<Out> {
    let outside = match mode {
        "raise" => OutOfBounds::Raise,
        "wrap" => OutOfBounds::Wrap,
        "clip" => OutOfBounds::Clip,
        _ => return Err(Error::value("take", format!("mode {mode:?} is not raise, wrap or clip")).into()),
    };
    let [x, i] = together([x, numbers_of(indices)?])?;
    Ok(Out(ops::take(&x, &i, axis, outside)?))
}

#[pyfunction]
#[pyo3(signature = (x, indices, /, axis))]
pub fn take_along_axis(x: Operand, indices: Other<'_, '_>, axis: Option<isize>) -> PyR<Out> {
    let [x, i] = together([x, numbers_of(indices)?])?;
    Ok(Out(ops::take_along_axis(&x, &i, axis)?))
}

#[pyfunction]
#[pyo3(signature = (x, size, fill_value, /))]
pub fn nonzero(x: Operand, size: Size, fill_value: i64) -> PyR<Vec<Out>> {
    Ok(ops::nonzero(&x, size.0, fill_value)?.into_iter().map(Out).collect())
}

#[pyfunction]
#[pyo3(signature = (x, size, fill_value, /))]
pub fn flatnonzero(x: Operand, size: Size, fill_value: i64) -> PyR<Out> {
    Ok(Out(ops::flatnonzero(&x, size.0, fill_value)?))
}

#[pyfunction]
#[pyo3(signature = (x, starts, sizes, /))]
pub fn dynamic_slice(x: Operand, starts: Vec<Operand>, sizes: Vec<Size>) -> PyR<Out> {
    let all = together(std::iter::once(x).chain(starts).collect::<Vec<_>>())?;
    Ok(Out(ops::dynamic_slice(&all[0], &all[1..], &functions::sizes(&sizes))?))
}

#[pyfunction]
#[pyo3(signature = (x, update, starts, /))]
pub fn dynamic_update_slice(x: Other<'_, '_>, update: Other<'_, '_>, starts: Vec<Operand>) -> PyR<Out> {
    let (x, update) = pair(x, update)?;
    let all = together([x, update].into_iter().chain(starts).collect::<Vec<_>>())?;
    Ok(Out(ops::dynamic_update_slice(&all[0], &all[1], &all[2..])?))
}

fn at_op(name: &str) -> Result<AtOp, Error> {
    Ok(match name {
        "set" => AtOp::Set,
        "add" => AtOp::Add,
        "subtract" => AtOp::Subtract,
        "multiply" => AtOp::Multiply,
        "divide" => AtOp::Divide,
        "power" => AtOp::Power,
        "min" => AtOp::Min,
        "max" => AtOp::Max,
        _ => return Err(Error::value("at", format!("no update is called {name:?}"))),
    })
}

#[pyfunction]
#[pyo3(signature = (x, index, op, updates, /))]
pub fn at(x: Other<'_, '_>, index: Other<'_, '_>, op: &str, updates: Other<'_, '_>) -> PyR<Out> {
    let (x, u) = pair(x, updates)?;
    let mut xs = [x, u];
    let index = aligned(&mut xs, parse(index)?)?;
    Ok(Out(ops::at(&xs[0], &index, at_op(op)?, &xs[1])?))
}

#[pyfunction]
#[pyo3(signature = (x, index, f, /))]
pub fn at_apply(x: Operand, index: Other<'_, '_>, f: Other<'_, '_>) -> PyR<Out> {
    let mut xs = [x];
    let index = aligned(&mut xs, parse(index)?)?;
    let changed = |part: &Operand| -> PyResult<Operand> { f.call1((Out(part.clone()),))?.extract() };
    Ok(Out(ops::at_apply(&xs[0], &index, |part| changed(part).map_err(carry))?))
}

#[pymethods]
impl Array {
    #[pyo3(signature = (indices, axis = None, out = None, mode = "raise"))]
    fn take(slf: Slf<'_, '_>, indices: Other<'_, '_>, axis: Option<isize>, out: Option<Other<'_, '_>>, mode: &str) -> PyR<Out> {
        no_out(out)?;
        take(this(slf)?, indices, axis, mode)
    }

    /// The indices of the elements that are not 0, one tensor an axis.
    fn nonzero<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyAny>> {
        Ok(slf.py().import("tenferro_py._indexing")?.call_method1("nonzero", (slf,))?)
    }

    /// `x.at[i].set(u)` and its like: copies of x with a part changed.
    #[getter]
    fn at<'py>(slf: Slf<'_, 'py>) -> PyR<Bound<'py, PyAny>> {
        Ok(slf.py().import("tenferro_py._indexing")?.call_method1("At", (slf,))?)
    }
}

/// Adds the functions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! all {
        ($($f:path)*) => {$( m.add_function(wrap_pyfunction!($f, m)?)?; )*};
    }
    all! { take take_along_axis nonzero flatnonzero dynamic_slice dynamic_update_slice at at_apply }
    Ok(())
}
