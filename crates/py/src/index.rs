//! Python's index expressions, and views of tensors by basic ones.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyInt, PyList, PyRange, PySlice, PyTuple};
use tenferro_graph::tensor::{Dims, Strides};
use tenferro_graph::{DType, Error, Tensor, Value};
use tenferro_ops::{self as ops, Index, IndexEntry};

use crate::errors::PyR;
use crate::numbers::is_sequence;
use crate::operand::{Operand, Out, together};

type Entry = IndexEntry<Operand>;

/// Integers; a list of nothing holds integers too.
pub fn numbers_of(obj: &Bound<'_, PyAny>) -> PyR<Operand> {
    let i: Operand = obj.extract()?;
    match &i {
        Operand::Array(t) if t.size() == 0 && is_sequence(obj) => Ok(ops::cast(&i, DType::I64)?),
        _ => Ok(i),
    }
}

/// An index array; a mask where its data are known.
fn array(obj: &Bound<'_, PyAny>) -> PyR<Entry> {
    let unknown = |obj: &Bound<'_, PyAny>| {
        let name = obj.get_type().name().map_or_else(|_| "the object".into(), |n| n.to_string());
        PyTypeError::new_err(format!("index: {name} is not an int, slice, None, ..., or array of integers or bool"))
    };
    let i = numbers_of(obj).map_err(|_| unknown(obj))?;
    Ok(match &i {
        Operand::Array(t) if t.dtype() == DType::Bool => IndexEntry::Mask(t.as_ref().clone()),
        Operand::Eager(t) if t.aval().dtype == DType::Bool => IndexEntry::Mask(t.data().clone()),
        _ => IndexEntry::Array(i),
    })
}

/// One entry of an index expression.
fn entry(obj: &Bound<'_, PyAny>) -> PyR<Entry> {
    let py = obj.py();
    if obj.is_none() {
        return Ok(IndexEntry::Basic(Index::NewAxis));
    }
    if obj.is_instance_of::<PyEllipsis>() {
        return Ok(IndexEntry::Basic(Index::Ellipsis));
    }
    if obj.is_instance_of::<PySlice>() {
        let part = |name| obj.getattr(name)?.extract::<Option<isize>>();
        return Ok(IndexEntry::Basic(Index::Range {
            start: part(pyo3::intern!(py, "start"))?,
            stop: part(pyo3::intern!(py, "stop"))?,
            step: part(pyo3::intern!(py, "step"))?,
        }));
    }
    if obj.get_type().is(py.get_type::<PyRange>()) {
        return array(&PyList::new(py, obj.try_iter()?.collect::<PyResult<Vec<_>>>()?)?.into_any());
    }
    // bool is an int, but a mask as an index.
    if is_sequence(obj) || obj.is_instance_of::<pyo3::types::PyBool>() {
        return array(obj);
    }
    match obj.extract::<isize>() {
        Ok(i) => Ok(IndexEntry::Basic(Index::At(i))),
        Err(_) if obj.is_instance_of::<PyInt>() => Err(Error::index("index", format!("{obj} is out of range for any axis")).into()),
        Err(_) => array(obj),
    }
}

/// Reads `x[index]`'s index.
pub fn parse(obj: &Bound<'_, PyAny>) -> PyR<Vec<Entry>> {
    match obj.cast::<PyTuple>() {
        Ok(items) => items.iter().map(|i| entry(&i)).collect(),
        Err(_) => Ok(vec![entry(obj)?]),
    }
}

/// The entries, if none is an array.
pub fn basic(entries: &[Entry]) -> Option<Vec<Index>> {
    entries.iter().map(|e| if let IndexEntry::Basic(i) = e { Some(*i) } else { None }).collect()
}

/// An index whose arrays are of one kind with the operands.
pub fn aligned(xs: &mut [Operand], mut index: Vec<Entry>) -> PyR<Vec<Entry>> {
    let arrays = index.iter().filter_map(|e| if let IndexEntry::Array(i) = e { Some(i) } else { None });
    let all = together(xs.iter().chain(arrays).cloned().collect::<Vec<_>>())?;
    let slots = index.iter_mut().filter_map(|e| if let IndexEntry::Array(i) = e { Some(i) } else { None });
    for (slot, x) in xs.iter_mut().chain(slots).zip(all) {
        *slot = x;
    }
    Ok(index)
}

/// `x[index]` by any entries.
pub fn selected(x: Operand, index: Vec<Entry>) -> PyR<Out> {
    if let Some(index) = basic(&index) {
        return Ok(Out(ops::basic_index(&x, &index)?));
    }
    let mut xs = [x];
    let index = aligned(&mut xs, index)?;
    Ok(Out(ops::index(&xs[0], &index)?))
}

/// Start and length of a slice on an axis of length n, as Python's `slice.indices`.
fn range(n: usize, start: Option<isize>, stop: Option<isize>, step: isize) -> (isize, usize) {
    let n = n as isize;
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let clip = |i: isize| if i < 0 { (i + n).max(low) } else { i.min(high) };
    let start = start.map_or(if step > 0 { low } else { high }, clip);
    let stop = stop.map_or(if step > 0 { high } else { low }, clip);
    let span = if step > 0 { stop - start } else { start - stop };
    (start, if span <= 0 { 0 } else { (span - 1) as usize / step.unsigned_abs() + 1 })
}

fn position(i: isize, axis: usize, n: usize) -> Result<isize, Error> {
    let at = if i < 0 { i + n as isize } else { i };
    if at < 0 || at >= n as isize {
        return Err(Error::index("index", format!("index {i} is out of bounds for axis {axis} with size {n}")));
    }
    Ok(at)
}

/// The view that basic indexing selects.
pub fn view(t: &Tensor, index: &[Index]) -> Result<Tensor, Error> {
    let named = index.iter().filter(|i| matches!(i, Index::At(_) | Index::Range { .. })).count();
    let ellipses = index.iter().filter(|i| matches!(i, Index::Ellipsis)).count();
    if named > t.rank() {
        return Err(Error::index("index", format!("{named} indices for {} axes", t.rank())));
    }
    if ellipses > 1 {
        return Err(Error::index("index", "more than one ellipsis"));
    }
    let (mut shape, mut strides) = (Dims::new(), Strides::new());
    let (mut axis, mut shift) = (0, 0);
    let ellipsis = (ellipses == 0).then_some(&Index::Ellipsis);
    for i in index.iter().chain(ellipsis) {
        match *i {
            Index::Ellipsis => {
                let end = axis + t.rank() - named;
                shape.extend_from_slice(&t.shape()[axis..end]);
                strides.extend_from_slice(&t.strides()[axis..end]);
                axis = end;
            }
            Index::NewAxis => {
                shape.push(1);
                strides.push(0);
            }
            Index::At(i) => {
                shift += position(i, axis, t.shape()[axis])? * t.strides()[axis];
                axis += 1;
            }
            Index::Range { start, stop, step } => {
                let step = step.unwrap_or(1);
                if step == 0 {
                    return Err(Error::value("index", "a slice's step is 0"));
                }
                let (start, n) = range(t.shape()[axis], start, stop, step);
                shift += if n > 0 { start * t.strides()[axis] } else { 0 };
                shape.push(n);
                strides.push(t.strides()[axis].wrapping_mul(step));
                axis += 1;
            }
        }
    }
    t.restride(&shape, &strides, shift)
}
