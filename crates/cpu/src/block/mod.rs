//! The block machine: a fused group of elementwise ops runs block by block, its
//! temporaries in L1.
//!
//! A register holds up to [`BLOCK`] elements; complex registers hold real parts and,
//! [`IMAG`] bytes further, imaginary parts. Kernels are plain Rust, compiled for each
//! instruction-set level and chosen when planned.

mod arithmetic;
mod casts;
mod choose;
mod kernel;
mod machine;
mod transfer;

pub(crate) use choose::{choose, copy};
pub(crate) use machine::{Instr, Load, LoadKind, Loop, Store};

/// Elements per block.
pub(crate) const BLOCK: usize = 256;
/// Bytes from the real to the imaginary half of a register.
pub(crate) const IMAG: usize = BLOCK * 8;
/// Bytes per register.
pub(crate) const REGISTER: usize = 2 * IMAG;

/// Destination, up to three arguments, element count ≤ [`BLOCK`].
pub(crate) type Kernel = unsafe fn(*mut u8, *const u8, *const u8, *const u8, usize);
