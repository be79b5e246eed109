//! Ops that work along one axis, line by line: scans, positions of extremes, order,
//! elements by position.

mod argreduce;
mod lines;
mod merge;
mod order;
mod scan;
mod scratch;
mod sort;
mod take;
mod values;

pub(crate) use argreduce::lower_argreduce;
pub(crate) use scan::lower_cumulative;
pub(crate) use sort::{lower_argsort, lower_searchsorted};
pub(crate) use take::{lower_put_along, lower_take_along};
pub(crate) use values::lower_sort;
