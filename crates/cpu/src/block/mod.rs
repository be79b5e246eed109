//! The block machine: a fused group of elementwise ops runs block by block, its
//! temporaries in L1.
//!
//! A register holds up to [`BLOCK`] elements; complex registers hold real parts and,
//! [`IMAG`] bytes further, imaginary parts. Kernels are plain Rust, compiled for each
//! instruction-set level and chosen when planned.

mod arithmetic;
mod casts;
mod choose;
mod fold;
mod function;
mod integers;
mod kernel;
mod machine;
mod pairs;
mod space;
mod transfer;

pub(crate) use choose::{choose, copy, multiply_add, sincos};
pub(crate) use fold::{FoldKernels, Folds, LANES, Max, Min, Prod, Sum, fold, join_lanes};
pub(crate) use integers::{Int, with_integer};
pub(crate) use kernel::{Kernel, leveled_fn};
pub(crate) use machine::{Fold, Instr, Load, LoadKind, Loop, Store};
pub(crate) use pairs::{copy_of_pairs, pairs};
pub(crate) use space::{Space, arranged};
pub(crate) use transfer::{reading, writing};

/// Elements per block.
pub(crate) const BLOCK: usize = 256;
/// Bytes from the real to the imaginary half of a register.
pub(crate) const IMAG: usize = BLOCK * 8;
/// Bytes between registers, twice that for complex ones: registers that follow each
/// other start in different sets of an L1 cache and at different offsets in a page.
pub(crate) const REGISTER: usize = IMAG + 192;
