//! Planning and running programs.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::program::Program;
use crate::tensor::Tensor;

/// Names a kind of engine; plans made for a target run on every engine of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target(Arc<str>);

impl Target {
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A prepared program, opaque but to its engine.
pub trait Plan: Send + Sync + fmt::Debug {
    fn as_any(&self) -> &dyn Any;
    fn target(&self) -> Target;
}

/// Turns programs with numeric shapes into plans.
pub trait Planner: Send + Sync {
    fn target(&self) -> Target;
    /// `sig` are the avals of the program's inputs.
    fn plan(&self, program: &Arc<Program>, sig: &[Aval]) -> Result<Arc<dyn Plan>>;
}

/// Asked between instructions, blocks and iterations whether to stop.
pub trait Interrupt: Sync {
    /// `Err` ends the run; the engine stays usable.
    fn poll(&self) -> Result<()>;
}

/// Never stops a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInterrupt;

impl Interrupt for NoInterrupt {
    fn poll(&self) -> Result<()> {
        Ok(())
    }
}

/// A result: fresh, or a view of an input.
#[derive(Clone, Debug)]
pub enum Output {
    New(Tensor),
    Borrowed { input: usize, view: Tensor },
}

impl Output {
    /// The tensor as it is, without a copy.
    pub fn tensor(&self) -> &Tensor {
        match self {
            Self::New(t) | Self::Borrowed { view: t, .. } => t,
        }
    }

    pub fn is_borrowed(&self) -> bool {
        matches!(self, Self::Borrowed { .. })
    }

    /// A tensor of its own: a borrowed view is copied compactly.
    pub fn into_tensor(self) -> Result<Tensor> {
        match self {
            Self::New(t) => Ok(t),
            Self::Borrowed { view, .. } => {
                let strides = if view.is_f_contiguous() && !view.is_c_contiguous() {
                    crate::tensor::f_strides(view.shape())
                } else {
                    crate::tensor::c_strides(view.shape())
                };
                view.copy_with_strides(&strides)
            }
        }
    }
}

/// Runs plans of its own planner.
pub trait ExecutionEngine: Send {
    fn target(&self) -> Target;
    fn planner(&self) -> Arc<dyn Planner>;
    fn run(&mut self, plan: &dyn Plan, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Output>>;
    /// Waits until all work is done.
    fn synchronize(&mut self) -> Result<()>;
}

/// What an engine tells a runtime.
#[derive(Clone)]
pub struct Registration {
    pub target: Target,
    pub planner: Arc<dyn Planner>,
}

impl Registration {
    pub fn of(engine: &dyn ExecutionEngine) -> Self {
        Self { target: engine.target(), planner: engine.planner() }
    }
}

/// Checks inputs against the signature that a plan was made for.
pub fn check_inputs(op: &'static str, sig: &[Aval], inputs: &[Tensor]) -> Result<()> {
    if sig.len() != inputs.len() {
        return Err(Error::binding(format!("{op}: {} inputs expected, got {}", sig.len(), inputs.len())));
    }
    for (i, (a, t)) in sig.iter().zip(inputs).enumerate() {
        if a.dtype != t.dtype() {
            return Err(Error::dtype(op, format!("input {i} is {}, prepared for {}", t.dtype(), a.dtype)));
        }
        let same = a.rank() == t.rank() && a.shape.iter().zip(t.shape()).all(|(d, n)| d.as_const() == Some(*n));
        if !same {
            return Err(Error::shape(op, format!("input {i} has shape {}, prepared for {}", t.aval().shape, a.shape)));
        }
    }
    Ok(())
}
