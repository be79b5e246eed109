//! The CPU engine: a planner and what its plans run.
//!
//! `simplify` drops what changes no bit; `planner` schedules a program, turns ops that
//! move nothing into views, fuses elementwise ops and reductions into groups (`fuse`,
//! `group`) for the `block` machine and lowers the rest through a table from primitive
//! to steps (`lowering`; `custom` for those of third parties); `lives` and `arena` give
//! temporaries addresses; `placed` runs the steps, heavy independent ones side by side
//! on the `team`.

// Byte pointers are cast to what they point at; places are aligned for their dtype.
#![allow(clippy::cast_ptr_alignment)]

mod along;
mod arena;
mod block;
mod custom;
mod engine;
mod fuse;
mod group;
mod heavy;
mod indexing;
mod layout;
mod lives;
mod lowering;
mod memory;
mod movement;
mod permute;
mod placed;
mod planner;
mod readers;
mod runs;
mod schedule;
mod simplify;
mod spectral;
mod step;
mod team;

pub use custom::{Input, Kernel, OutputMut};
pub use engine::{CpuEngine, CpuEngineBuilder};
