//! Derivatives and batching of programs.
//!
//! A derivative of a program is another program that *goes on* from it: its
//! inputs are all values of the forward program, by the same numbers, and then
//! the tangents or cotangents. It reads forward values and never recomputes them.
//!
//! - [`jvp`]: tangents of the outputs from tangents of chosen values.
//! - [`linearize`]: the same, as a [`Linearized`] program that can be transposed.
//! - [`transpose`]: the adjoint of a linearized program, in Re⟨·,·⟩.
//! - [`vjp`]: cotangents of chosen values from cotangents of the outputs.
//! - [`batch`]: the program over inputs of which some carry a batch as axis 0.
//!
//! Everything is iterative over dense arrays, and linear in the number of steps.

mod activity;
mod batch;
mod linearize;
mod transpose;

pub use batch::batch;
pub use linearize::{Linearized, jvp, linearize};
pub use transpose::{transpose, vjp};
