//! The CPU engine: a planner and what its plans run.
//!
//! `planner` schedules a program, turns ops that move nothing into views, fuses
//! elementwise ops into groups for the `block` machine and lowers the rest through a
//! table from primitive to [`step`]s; `arena` gives temporaries addresses; `engine`
//! runs the steps, heavy independent ones side by side on the `team`.

// Byte pointers are cast to what they point at; places are aligned for their dtype.
#![allow(clippy::cast_ptr_alignment)]

mod arena;
mod block;
mod engine;
mod group;
mod heavy;
mod layout;
mod memory;
mod movement;
mod planner;
mod reduce;
mod schedule;
mod step;
mod team;

pub use engine::CpuEngine;
