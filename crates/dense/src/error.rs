//! What can go wrong in a factorization.

use std::fmt;

/// Why a factorization gave no result. Callers put the name of their op in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenseError {
    /// The input holds a NaN or an infinity.
    NonFinite,
    /// The leading minor of this order is not positive, so there is no Cholesky factor.
    NotPositive {
        /// Rows of the smallest leading block that is not positive definite.
        order: usize,
    },
    /// The matrix has no inverse: this diagonal element of a triangle is exactly 0.
    Singular {
        /// Its row.
        index: usize,
    },
    /// Every algorithm of the ladder failed to converge.
    NoConvergence,
    /// The scratch memory is too small; both sizes are in bytes.
    Scratch {
        /// Bytes the call needs.
        needed: usize,
        /// Bytes it was given.
        got: usize,
    },
    /// An output, or an input beside the matrix, does not fit the matrix; says which.
    Shape(&'static str),
    /// The sizes overflow the address space.
    TooLarge,
}

impl fmt::Display for DenseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite => write!(f, "the matrix holds NaN or infinity"),
            Self::NotPositive { order } => write!(f, "not positive definite; the leading minor of order {order} is not positive"),
            Self::Singular { index } => write!(f, "the matrix is singular; diagonal element {index} is 0"),
            Self::NoConvergence => write!(f, "the iteration did not converge"),
            Self::Scratch { needed, got } => {
                write!(f, "scratch too small, {got} of {needed} bytes")
            }
            Self::Shape(what) => write!(f, "shape does not fit: {what}"),
            Self::TooLarge => write!(f, "the matrix is too large for the address space"),
        }
    }
}

impl std::error::Error for DenseError {}

/// `Err(Shape(what))` unless `fits`.
pub(crate) fn require(fits: bool, what: &'static str) -> Result<(), DenseError> {
    if fits { Ok(()) } else { Err(DenseError::Shape(what)) }
}
