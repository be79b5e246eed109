//! One error type, by kind of mistake. Messages begin with the op.

use std::borrow::Cow;

pub type Result<T> = std::result::Result<T, Error>;

type Text = Cow<'static, str>;

/// What went wrong; each kind becomes one Python exception.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Shapes that do not fit each other or the op.
    #[error("{op}: {message}")]
    Shape { op: Text, message: String },
    /// A dtype that the op does not take, or dtypes that do not fit.
    #[error("{op}: {message}")]
    DType { op: Text, message: String },
    /// An axis or index out of range.
    #[error("{op}: {message}")]
    Index { op: Text, message: String },
    /// Any other argument that is wrong by its value.
    #[error("{op}: {message}")]
    Value { op: Text, message: String },
    /// A number that its dtype does not hold.
    #[error("{op}: {message}")]
    Range { op: Text, message: String },
    /// NaN or infinity where a factorization needs finite numbers, or an
    /// iteration that did not converge.
    #[error("{op}: {message}")]
    LinAlg { op: Text, message: String },
    /// An array that does not fit into memory.
    #[error("{op}: {message}")]
    Memory { op: Text, message: String },
    /// No rule (jvp, transpose, batch) or kernel for this op.
    #[error("{op}: {message}")]
    Missing { op: Text, message: String },
    /// Inputs of a program: unbound, doubly bound, wrong number, from nowhere.
    #[error("{message}")]
    Binding { message: String },
    /// Engines: unknown target, mismatch, re-entry, broken.
    #[error("{message}")]
    Engine { message: String },
    /// A program that is not well formed; a bug in whoever built it.
    #[error("malformed program: {message}")]
    Program { message: String },
    /// The run was asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// An error that a caller's own code raised, carried through unchanged.
    #[error("{0}")]
    Foreign(Box<dyn std::error::Error + Send + Sync>),
}

macro_rules! constructors {
    ($($f:ident $variant:ident),*) => { impl Error {$(
        pub fn $f(op: impl Into<Text>, message: impl Into<String>) -> Self {
            Self::$variant { op: op.into(), message: message.into() }
        }
    )*}};
}
constructors!(shape Shape, dtype DType, index Index, value Value, range Range, linalg LinAlg, memory Memory, missing Missing);

impl Error {
    pub fn binding(message: impl Into<String>) -> Self {
        Self::Binding { message: message.into() }
    }

    pub fn engine(message: impl Into<String>) -> Self {
        Self::Engine { message: message.into() }
    }

    pub fn program(message: impl Into<String>) -> Self {
        Self::Program { message: message.into() }
    }

    pub fn missing_rule(op: impl Into<Text>, rule: &str) -> Self {
        let op = op.into();
        Self::missing(op, format!("has no {rule} rule"))
    }
}
