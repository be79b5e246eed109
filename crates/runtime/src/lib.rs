//! The traced front end, compiling, running; the eager front end.
//!
//! - [`TracedTensor`] records; `grad`, `vjp`, `jvp` make new graphs.
//! - [`GraphCompiler`] freezes graphs into a [`CompiledGraph`] that knows no engine.
//! - [`Runtime`] plans it once per engine and input signature and runs it as often
//!   as needed.
//! - [`EagerRuntime`] runs each op at once and goes back over what it did.

mod cache;
mod compile;
mod derive;
pub mod eager;
mod fragment;
mod handle;
mod narrow;
mod resolve;
mod runtime;
mod substitute;
mod traced;
mod work;

pub use compile::{CompiledGraph, GraphCompiler, Input, set_verify, summary};
pub use eager::{EagerRuntime, EagerTensor, Session};
pub use fragment::{Fragment, Leaf, LeafKey, Operation, Role};
pub use handle::{EngineHandle, Lease, forked};
pub use runtime::{Filled, Prepared, Runtime, RuntimeBuilder};
pub use traced::TracedTensor;
pub use work::{work, work_of};
