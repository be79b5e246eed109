//! `Array`: what `Tensor`, `TracedTensor` and `EagerTensor` have in common.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;

/// Base class of tensors: operators and methods.
#[pyclass(name = "Array", module = "tenferro_py", frozen, subclass)]
pub struct Array;

impl Array {
    /// An instance of a subclass.
    pub fn with<T: PyClass<BaseType = Self>>(value: T) -> PyClassInitializer<T> {
        PyClassInitializer::from(Self).add_subclass(value)
    }
}

#[pymethods]
impl Array {
    /// NumPy leaves operators of an ndarray and a tensor to the tensor.
    #[classattr]
    fn __array_ufunc__() -> Option<bool> {
        None
    }

    /// Tensors are equal elementwise, so they are told apart by identity.
    fn __hash__(slf: &Bound<'_, Self>) -> isize {
        slf.as_ptr() as isize >> 4
    }
}
