//! Basic indexing as NumPy's: integers, slices, `...` and `None`.

use tenferro_graph::{Dim, Error, Result, Value};

use crate::selection::{IndexEntry, Selection};

/// One entry of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    At(isize),
    Range { start: Option<isize>, stop: Option<isize>, step: Option<isize> },
    NewAxis,
    Ellipsis,
}

/// Elements `start`, `start + step`, … below `limit`, `step` ≥ 1, the last first if `reversed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: usize,
    pub limit: Dim,
    pub step: usize,
    pub reversed: bool,
}

impl Span {
    /// The elements of an axis of size `d` from `at` on, one of them.
    pub fn one(at: usize) -> Self {
        Self { start: at, limit: Dim::Const(at + 1), step: 1, reversed: false }
    }

    pub fn whole(d: &Dim) -> Self {
        Self { start: 0, limit: d.clone(), step: 1, reversed: false }
    }

    /// The numbers of its elements in order; `None` if a size is symbolic.
    pub fn numbers(&self) -> Option<Vec<usize>> {
        let mut out: Vec<usize> = (self.start..self.limit.as_const()?).step_by(self.step).collect();
        if self.reversed {
            out.reverse();
        }
        Some(out)
    }
}

fn size_of(d: &Dim, axis: usize) -> Result<isize> {
    let why =
        || Error::index("index", format!("the size of axis {axis} is symbolic; only `:`, `::-1` and `start:` with start >= 0 work there"));
    d.as_const().map(|n| n as isize).ok_or_else(why)
}

/// The element `i` of an axis, from the end if negative.
pub(crate) fn element(d: &Dim, axis: usize, i: isize) -> Result<usize> {
    let n = size_of(d, axis)?;
    if i < -n || i >= n {
        return Err(Error::index("index", format!("index {i} is out of bounds for axis {axis} with size {n}")));
    }
    Ok((if i < 0 { i + n } else { i }) as usize)
}

/// `start:stop:step` of one axis, clipped as NumPy does.
pub(crate) fn span(d: &Dim, axis: usize, (start, stop, step): (Option<isize>, Option<isize>, Option<isize>)) -> Result<Span> {
    let step = step.unwrap_or(1);
    let width = step.unsigned_abs();
    if step == 0 {
        return Err(Error::value("index", "a slice step cannot be 0"));
    }
    // A symbolic size is taken to reach `start`, which the program then guards.
    if let (Dim::Poly(_), None) = (d, stop) {
        let from = usize::try_from(start.unwrap_or(0)).ok();
        if let Some(from) = from.filter(|_| step > 0 || (step == -1 && start.is_none())) {
            return Ok(Span { start: from, limit: d.clone(), step: width, reversed: step < 0 });
        }
    }
    let n = size_of(d, axis)?;
    let wrapped = |i: isize| if i < 0 { i.saturating_add(n) } else { i };
    if step > 0 {
        let start = wrapped(start.unwrap_or(0)).clamp(0, n) as usize;
        let stop = wrapped(stop.unwrap_or(n)).clamp(0, n) as usize;
        return Ok(Span { start, limit: Dim::Const(stop.max(start)), step: width, reversed: false });
    }
    let first = start.map_or(n - 1, |i| wrapped(i).clamp(-1, n - 1));
    let stop = stop.map_or(-1, |i| wrapped(i).clamp(-1, n - 1));
    let count = usize::try_from(first - stop).unwrap_or(0).div_ceil(width);
    let limit = (first + 1) as usize;
    let start = if count == 0 { limit } else { first as usize - (count - 1) * width };
    Ok(Span { start, limit: Dim::Const(limit), step: width, reversed: true })
}

/// `x[index]`.
///
/// # Errors
/// `Index` for an index past the end or too many indices; `Value` for a step of 0.
pub fn basic_index<V: Value>(x: &V, index: &[Index]) -> Result<V> {
    let entries: Vec<IndexEntry<V>> = index.iter().map(|i| IndexEntry::Basic(*i)).collect();
    Selection::new(x, &entries)?.read(x)
}
