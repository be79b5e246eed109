//! Contracts of tenferro: what tensors, operations, programs and engines are.
//! This crate knows no operation, no derivative and no engine by name.
//!
//! - [`DType`], [`Dim`], [`Aval`], [`Tensor`]: element types, axis lengths
//!   (numbers or symbols), what is known before data, and data.
//! - [`Primitive`], [`Prim`], [`Rule`]: one operation and its rules.
//! - [`Builder`], [`Program`]: appending instructions; the flat result.
//! - [`Value`]: the surface that op functions are generic over.
//! - [`Planner`], [`ExecutionEngine`], [`Output`], [`Interrupt`]: running.

mod aval;
mod buffer;
mod builder;
mod dim;
mod dtype;
mod engine;
mod error;
mod fingerprint;
mod guards;
mod primitive;
mod print;
mod program;
mod rewrite;
pub mod tensor;
mod value;
mod verify;

pub use aval::{Aval, Shape};
pub use buffer::Buffer;
pub use builder::{Builder, Val, Vals};
pub use dim::Dim;
pub use dtype::{DType, Element};
pub use engine::{ExecutionEngine, Interrupt, NoInterrupt, Output, Plan, Planner, Registration, Target, check_inputs};
pub use error::{Error, Result};
pub use fingerprint::{Encoder, Fingerprint};
pub use guards::{DimEnv, Guard, Guards};
pub use num_complex::{Complex32, Complex64};
pub use primitive::{Key, Narrowed, Prim, Primitive, Rule, Use};
pub use program::{Program, Step};
pub use smallvec::{SmallVec, smallvec};
pub use tensor::Tensor;
pub use value::Value;
