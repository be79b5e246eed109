//! Ops that work along one axis, line by line: scans, positions of extremes, order,
//! elements by position.

mod argreduce;
mod lines;
mod order;
mod scan;
mod sort;
mod take;

pub(crate) use argreduce::lower_argreduce;
pub(crate) use scan::lower_cumulative;
pub(crate) use sort::{lower_searchsorted, lower_sort};
pub(crate) use take::{lower_put_along, lower_take_along};
