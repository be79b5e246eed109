//! Basic indexing as NumPy's: integers, slices, `...` and `None`.

use tenferro_graph::{Dim, Error, Result, Shape, Value};

use crate::{reshape, slice};

/// One entry of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    At(isize),
    Range { start: Option<isize>, stop: Option<isize>, step: Option<isize> },
    NewAxis,
    Ellipsis,
}

const ALL: Index = Index::Range { start: None, stop: None, step: None };

/// Fills in the ellipsis and the axes that are not mentioned.
fn expand(index: &[Index], shape: &Shape) -> Result<Vec<Index>> {
    let used = index.iter().filter(|i| matches!(i, Index::At(_) | Index::Range { .. })).count();
    if used > shape.rank() {
        return Err(Error::index("index", format!("{used} indices for {} axes", shape.rank())));
    }
    let mut ellipses = index.iter().enumerate().filter(|(_, i)| **i == Index::Ellipsis).map(|(i, _)| i);
    let at = ellipses.next().unwrap_or(index.len());
    if ellipses.next().is_some() {
        return Err(Error::index("index", "more than one ellipsis"));
    }
    let mut out = index.to_vec();
    let rest = vec![ALL; shape.rank() - used];
    out.splice(at..(at + 1).min(index.len()), rest);
    Ok(out)
}

fn size_of(d: &Dim, axis: usize) -> Result<usize> {
    let why = || Error::index("index", format!("the size of axis {axis} is symbolic; only `:` and `start:` with start >= 0 work there"));
    d.as_const().ok_or_else(why)
}

/// `start:stop` of one axis; NumPy's clipping.
fn range(d: &Dim, axis: usize, start: Option<isize>, stop: Option<isize>, step: usize) -> Result<(usize, Dim, usize)> {
    // A symbolic size is taken to reach `start`, which the program then guards.
    let from = usize::try_from(start.unwrap_or(0)).ok();
    if let (Dim::Poly(_), Some(from), None) = (d, from, stop) {
        return Ok((from, d.clone(), step));
    }
    let n = size_of(d, axis)? as isize;
    let clip = |i: isize| (if i < 0 { i + n } else { i }).clamp(0, n) as usize;
    let start = clip(start.unwrap_or(0));
    let stop = clip(stop.unwrap_or(n)).max(start);
    Ok((start, Dim::Const(stop), step))
}

/// `x[index]`. Steps are positive.
///
/// # Errors
/// `Index` for an index past the end, too many indices, or a negative step.
pub fn basic_index<V: Value>(x: &V, index: &[Index]) -> Result<V> {
    let shape = x.aval().shape;
    let (mut starts, mut limits, mut steps) = (vec![], vec![], vec![]);
    let mut kept: Vec<Option<usize>> = vec![];
    for entry in expand(index, &shape)? {
        let axis = starts.len();
        match entry {
            Index::NewAxis => kept.push(None),
            Index::At(i) => {
                let n = size_of(&shape[axis], axis)? as isize;
                if i < -n || i >= n {
                    return Err(Error::index("index", format!("index {i} is out of bounds for axis {axis} with size {n}")));
                }
                let i = (if i < 0 { i + n } else { i }) as usize;
                starts.push(i);
                limits.push(Dim::Const(i + 1));
                steps.push(1);
            }
            Index::Range { start, stop, step } => {
                let step = step.unwrap_or(1);
                let step = usize::try_from(step).ok().filter(|s| *s > 0);
                let step = step.ok_or_else(|| Error::index("index", "a slice needs a step of at least 1"))?;
                let (start, stop, step) = range(&shape[axis], axis, start, stop, step)?;
                starts.push(start);
                limits.push(stop);
                steps.push(step);
                kept.push(Some(axis));
            }
            Index::Ellipsis => {}
        }
    }
    let part = slice(x, &starts, &limits, &steps)?;
    let lengths = part.aval().shape;
    let shape: Vec<Dim> = kept.iter().map(|k| k.map_or(Dim::Const(1), |axis| lengths[axis].clone())).collect();
    reshape(&part, &shape)
}
