//! The eager front end: each op runs at once on the session's engine; where a
//! gradient is needed it leaves a node that `backward` goes through.

mod backward;
mod gradient;
mod plans;
mod session;
mod tape;
mod tensor;
mod views;

pub use session::{EagerRuntime, NoGrad, Session, set_default_engine, set_default_interrupt};
pub use tensor::{EagerTensor, owned};
