//! Where eager ops run: the innermost session of this thread, else the default engine.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use tenferro_graph::{Error, ExecutionEngine, Interrupt, NoInterrupt, Registration, Result, Tensor};

use super::plans::Plans;
use super::tensor::EagerTensor;
use crate::handle::{EngineHandle, Lease};

thread_local! {
    static SESSIONS: RefCell<Vec<Rc<Lease>>> = const { RefCell::new(Vec::new()) };
    static NO_GRAD: Cell<usize> = const { Cell::new(0) };
}

type Provider = Box<dyn Fn() -> Result<EngineHandle> + Send + Sync>;
static DEFAULT: OnceLock<Provider> = OnceLock::new();
static INTERRUPT: OnceLock<Box<dyn Interrupt + Send>> = OnceLock::new();

/// Says which engine runs eager ops outside sessions. The first call decides.
pub fn set_default_engine(provider: impl Fn() -> Result<EngineHandle> + Send + Sync + 'static) {
    let _ = DEFAULT.set(Box::new(provider));
}

/// What eager runs poll. The first call decides.
pub fn set_default_interrupt(stop: impl Interrupt + Send + 'static) {
    let _ = INTERRUPT.set(Box::new(stop));
}

fn interrupt() -> &'static dyn Interrupt {
    INTERRUPT.get().map_or(&NoInterrupt, |i| &**i as &dyn Interrupt)
}

/// Runs `f` on the engine of this thread's session, or on the default engine.
pub(crate) fn with_engine<R>(f: impl FnOnce(&mut dyn ExecutionEngine, &Registration, &dyn Interrupt) -> Result<R>) -> Result<R> {
    let stop = interrupt();
    let on = |lease: &Lease| f(&mut **lease.idle_engine()?, lease.handle().registered(), stop);
    if let Some(lease) = SESSIONS.with_borrow(|s| s.last().cloned()) {
        return on(&lease);
    }
    let provider = DEFAULT.get().ok_or_else(|| Error::engine("eager: no session is open on this thread and there is no default engine"))?;
    on(&provider()?.lease(stop)?)
}

/// Makes eager tensors; holds the plans of the ops they meet.
#[derive(Clone, Default)]
pub struct EagerRuntime {
    pub(crate) plans: Arc<Plans>,
}

impl EagerRuntime {
    pub fn new() -> Self {
        Self::default()
    }

    /// A tensor that gradients accumulate on.
    ///
    /// # Errors
    /// `DType` unless floating or complex.
    pub fn variable_from(&self, data: Tensor) -> Result<EagerTensor> {
        if !data.dtype().is_inexact() {
            return Err(Error::dtype("variable_from", format!("{} has no gradient; cast it to a floating dtype", data.dtype())));
        }
        Ok(EagerTensor::variable(self.clone(), data))
    }

    /// A tensor without gradient.
    pub fn constant_from(&self, data: Tensor) -> EagerTensor {
        EagerTensor::constant(self.clone(), data)
    }

    /// Opens a session: this thread holds the engine until it is dropped, and eager
    /// ops of this thread run there.
    ///
    /// # Errors
    /// `Engine` if this thread holds the engine already.
    pub fn session(&self, engine: &EngineHandle) -> Result<Session> {
        Ok(self.session_of(engine.lease(interrupt())?))
    }

    /// [`EagerRuntime::session`] with an engine that was taken before.
    pub fn session_of(&self, lease: Lease) -> Session {
        let lease = Rc::new(lease);
        SESSIONS.with_borrow_mut(|s| s.push(lease.clone()));
        Session { lease }
    }

    /// Whether this thread is inside a session on the engine.
    pub fn in_session_on(engine: &EngineHandle) -> bool {
        SESSIONS.with_borrow(|s| s.last().is_some_and(|l| l.handle().same(engine)))
    }

    /// Runs `f` without leaving nodes for gradients.
    pub fn no_grad<R>(f: impl FnOnce() -> R) -> R {
        let _guard = NoGrad::new();
        f()
    }
}

/// An open session; ends when dropped.
pub struct Session {
    lease: Rc<Lease>,
}

impl Drop for Session {
    fn drop(&mut self) {
        SESSIONS.with_borrow_mut(|s| s.retain(|l| !Rc::ptr_eq(l, &self.lease)));
    }
}

/// While it lives, ops of this thread leave no nodes.
pub struct NoGrad(());

impl NoGrad {
    pub fn new() -> Self {
        NO_GRAD.set(NO_GRAD.get() + 1);
        Self(())
    }
}

impl Default for NoGrad {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for NoGrad {
    fn drop(&mut self) {
        NO_GRAD.set(NO_GRAD.get() - 1);
    }
}

pub(crate) fn grad_enabled() -> bool {
    NO_GRAD.get() == 0
}
