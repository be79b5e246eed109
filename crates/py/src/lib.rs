//! Python bindings: convert, detach, call, wrap. Signatures, types and
//! docstrings for users are in `python/tenferro_py`.

// Python's protocols have a self whether it is read or not, and `into_tensor` is a name of the design.
#![allow(clippy::unused_self, clippy::wrong_self_convention)]

mod arrangement;
mod array;
mod array_in;
mod array_out;
mod bind;
mod compiler;
mod creation;
mod dlpack;
mod dtype;
mod eager;
mod einsum;
mod engine;
mod errors;
mod fft;
mod functions;
mod index;
mod interrupt;
mod linalg;
mod numbers;
mod operand;
mod pickling;
mod reductions;
mod runtime;
mod selection;
mod tensor;
mod traced;
mod transforms;
mod values;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! classes {
        ($($class:ty),* $(,)?) => {$( m.add_class::<$class>()?; )*};
    }
    classes!(
        array::Array,
        dtype::PyDType,
        tensor::PyTensor,
        traced::PyTraced,
        traced::PyGraph,
        traced::PyOperation,
        compiler::PyCompiler,
        compiler::PyCompiled,
        compiler::PyProgram,
        compiler::Slot,
        engine::PyTarget,
        engine::PyRegistration,
        engine::PyEngine,
        engine::Threads,
        runtime::PyRuntime,
        runtime::PyBuilder,
        runtime::PyPrepared,
        runtime::PyOutput,
        eager::PyEager,
        eager::PyEagerRuntime,
        eager::PySession,
        eager::PyNoGrad,
    );
    eager::install();
    m.add_function(wrap_pyfunction!(tensor::_rebuild, m)?)?;
    functions::register(m)?;
    linalg::register(m)?;
    fft::register(m)?;
    einsum::register(m)?;
    engine::watch_forks(m)?;
    // Users import from the package; its `__init__` says what is public.
    m.delattr("__all__")
}
