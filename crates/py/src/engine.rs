//! Engines, their registrations and targets, and the process's default engine.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Error, Registration, Result, Target};
use tenferro_runtime::EngineHandle;

use crate::errors::PyR;
use crate::functions::Size;
use crate::interrupt::{self, Signals};

/// Names a kind of engine.
#[pyclass(name = "Target", module = "tenferro_py", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct PyTarget(pub Target);

#[pymethods]
impl PyTarget {
    #[new]
    fn new(name: &str) -> Self {
        Self(Target::new(name))
    }

    /// The name of this kind of engine.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("Target('{}')", self.0)
    }
}

/// What an engine tells a runtime.
#[pyclass(name = "Registration", module = "tenferro_py", frozen)]
pub struct PyRegistration(pub Registration);

#[pymethods]
impl PyRegistration {
    /// The kind of engine that is registered.
    fn target(&self) -> PyTarget {
        PyTarget(self.0.target.clone())
    }
}

/// Runs programs on the processor.
#[pyclass(name = "CpuEngine", module = "tenferro_py", frozen)]
pub struct PyEngine(pub EngineHandle);

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, threads = None))]
    fn new(threads: Option<Size>) -> PyR<Self> {
        Ok(Self(cpu(threads.map_or_else(all_threads, |n| n.0))?))
    }

    /// An engine that uses no thread but the caller's.
    #[staticmethod]
    fn serial() -> Self {
        Self(EngineHandle::new(CpuEngine::serial()))
    }

    /// The kind of engine that this is, for `Runtime.prepare`.
    fn target(&self) -> PyTarget {
        PyTarget(self.0.target())
    }

    /// What a runtime needs to know of this kind of engine.
    fn registration(&self) -> PyRegistration {
        PyRegistration(self.0.registration())
    }

    /// Waits until all work is done.
    fn synchronize(&self) -> PyR<()> {
        Ok(interrupt::run(usize::MAX, || self.0.lease(&Signals)?.engine().synchronize())?)
    }

    fn __repr__(&self) -> String {
        format!("CpuEngine(target='{}')", self.0.target())
    }
}

fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn cpu(threads: usize) -> Result<EngineHandle> {
    match threads {
        0 => Err(Error::value("CpuEngine", "threads must be at least 1")),
        1 => Ok(EngineHandle::new(CpuEngine::serial())),
        n => Ok(EngineHandle::new(CpuEngine::new(n))),
    }
}

/// The default engines, by number of threads.
static ENGINES: Mutex<BTreeMap<usize, EngineHandle>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// What `threads(n)` says on this thread, innermost last.
    static CHOSEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    /// The default engine of this thread, until another number of threads is chosen.
    static CURRENT: RefCell<Option<EngineHandle>> = const { RefCell::new(None) };
}

/// The engine of operators and calls outside sessions.
pub fn default_engine() -> Result<EngineHandle> {
    if let Some(e) = CURRENT.with_borrow(Option::clone) {
        return Ok(e);
    }
    let threads = CHOSEN.with_borrow(|c| c.last().copied()).unwrap_or_else(all_threads);
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    let engine = engines.get(&threads).cloned().map_or_else(|| cpu(threads), Ok)?;
    engines.insert(threads, engine.clone());
    CURRENT.set(Some(engine.clone()));
    Ok(engine)
}

/// In a forked child: what threads of the parent held is free, and default engines that
/// they were running are replaced when they are wanted.
#[pyfunction]
pub fn _forked() {
    tenferro_runtime::forked();
    interrupt::forked();
    CURRENT.set(None);
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, e| !e.is_lost());
}

/// Has [`_forked`] called in forked children.
pub fn watch_forks(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_forked, m)?)?;
    let Ok(posix) = m.py().import("posix") else { return Ok(()) };
    let arguments = pyo3::types::PyDict::new(m.py());
    arguments.set_item("after_in_child", m.getattr("_forked")?)?;
    posix.call_method("register_at_fork", (), Some(&arguments))?;
    Ok(())
}

/// `with threads(1):` — the default engine of this thread uses so many threads.
#[pyclass(name = "threads", module = "tenferro_py", frozen)]
pub struct Threads(usize);

#[pymethods]
impl Threads {
    #[new]
    fn new(n: usize) -> PyR<Self> {
        if n == 0 {
            return Err(Error::value("threads", "needs at least 1 thread").into());
        }
        Ok(Self(n))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        CHOSEN.with_borrow_mut(|c| c.push(slf.get().0));
        CURRENT.set(None);
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, _args: &Bound<'_, pyo3::types::PyTuple>) {
        CHOSEN.with_borrow_mut(Vec::pop);
        CURRENT.set(None);
    }
}
