//! Fourier transforms on rustfft and realfft.
//!
//! Lines along the axis are gathered into scratch a bundle at a time, so that strided ones are
//! read and written in whole cache lines, transformed there, and scattered with their factors.

mod kernel;
mod lines;
mod lower;
mod transform;

pub(crate) use lower::{lower_fft, lower_irfft, lower_rfft};
