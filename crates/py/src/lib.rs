//! Python bindings: convert, detach, call, wrap. Signatures, types and
//! docstrings for users are in `python/tenferro_py`.

mod array;
mod array_in;
mod array_out;
mod dlpack;
mod dtype;
mod errors;
mod functions;
mod index;
mod numbers;
mod operand;
mod tensor;
mod values;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<array::Array>()?;
    m.add_class::<dtype::PyDType>()?;
    m.add_class::<tensor::PyTensor>()?;
    m.add_function(wrap_pyfunction!(tensor::_rebuild, m)?)?;
    functions::register(m)
}
