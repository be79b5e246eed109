//! Rust errors as Python exceptions: the one mapping.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tenferro_graph::Error;

/// What a binding returns: any error, already a Python exception.
pub struct Fail(PyErr);

pub type PyR<T> = Result<T, Fail>;

impl From<PyErr> for Fail {
    fn from(e: PyErr) -> Self {
        Self(e)
    }
}

impl From<pyo3::CastError<'_, '_>> for Fail {
    fn from(e: pyo3::CastError<'_, '_>) -> Self {
        Self(e.into())
    }
}

impl From<Fail> for PyErr {
    fn from(f: Fail) -> Self {
        f.0
    }
}

impl From<Error> for Fail {
    fn from(e: Error) -> Self {
        let class = match &e {
            Error::Shape { .. } => "ShapeError",
            Error::DType { .. } => "DTypeError",
            Error::Index { .. } => "AxisError",
            Error::Value { .. } => "ArgumentError",
            Error::Range { .. } => "OutOfRangeError",
            Error::LinAlg { .. } => "LinAlgError",
            Error::Memory { .. } => "OutOfMemoryError",
            Error::Missing { .. } => "MissingRuleError",
            Error::Binding { .. } => "BindingError",
            Error::Engine { .. } => "EngineError",
            Error::Interrupted => return Self(PyKeyboardInterrupt::new_err(())),
            Error::Foreign(_) => return foreign(e),
            _ => "TenferroError",
        };
        Python::attach(|py| raise(py, class, &e.to_string()))
    }
}

/// An error that Python code raised further down goes on as it was.
fn foreign(e: Error) -> Fail {
    match e {
        Error::Foreign(inner) => match inner.downcast::<PyErr>() {
            Ok(e) => Fail(*e),
            Err(other) => Python::attach(|py| raise(py, "TenferroError", &other.to_string())),
        },
        other => other.into(),
    }
}

fn raise(py: Python<'_>, class: &str, message: &str) -> Fail {
    let class = py.import("tenferro_py._errors").and_then(|m| m.getattr(class)).and_then(|c| Ok(c.cast_into::<PyType>()?));
    Fail(match class {
        Ok(class) => PyErr::from_type(class, (message.to_owned(),)),
        Err(e) => e,
    })
}

/// Carries a Python exception through Rust code.
pub fn carry(e: PyErr) -> Error {
    Error::Foreign(Box::new(e))
}
