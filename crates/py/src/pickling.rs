//! What holds threads, plans or graphs stays in its process.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::{compiler, eager, engine, runtime, traced};

macro_rules! refuse {
    ($($class:ty, $name:literal;)*) => {$(
        #[pymethods]
        impl $class {
            fn __reduce__(&self) -> PyResult<()> {
                Err(PyTypeError::new_err(concat!($name, ": cannot be pickled; make a new one in the other process")))
            }
        }
    )*};
}
refuse! {
    compiler::PyCompiled, "CompiledGraph";
    engine::PyEngine, "CpuEngine";
    eager::PyEagerRuntime, "EagerRuntime";
    eager::PyEager, "EagerTensor";
    runtime::PyPrepared, "Prepared";
    engine::PyRegistration, "Registration";
    runtime::PyRuntime, "Runtime";
    traced::PyTraced, "TracedTensor";
}
