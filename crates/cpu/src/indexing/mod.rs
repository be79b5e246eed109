//! Rows and boxes by numbers that are known only when the program runs.

mod boxes;
mod convolve;
mod elements;
mod nonzero;
mod scatter;
mod take;

pub(crate) use boxes::{lower_dynamic_slice, lower_dynamic_update_slice};
pub(crate) use convolve::lower_convolve;
pub(crate) use nonzero::lower_nonzero;
pub(crate) use scatter::lower_scatter;
pub(crate) use take::{lower_normalise_index, lower_take};
