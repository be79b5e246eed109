//! Where the factor 1/n goes.

use tenferro_graph::{Error, Result};

/// NumPy's `norm`: which direction is scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Norm {
    /// The inverse by 1/n.
    #[default]
    Backward,
    /// Both by 1/√n.
    Ortho,
    /// The forward transform by 1/n.
    Forward,
}

impl Norm {
    /// # Errors
    /// `Value` for a name other than backward, ortho, forward.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "backward" => Ok(Self::Backward),
            "ortho" => Ok(Self::Ortho),
            "forward" => Ok(Self::Forward),
            _ => Err(Error::value("fft", format!("norm must be 'backward', 'ortho' or 'forward', got {name:?}"))),
        }
    }

    /// The same factors with the directions exchanged.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Backward => Self::Forward,
            Self::Ortho => Self::Ortho,
            Self::Forward => Self::Backward,
        }
    }

    /// The factor of a transform of n points.
    pub(crate) fn scale(self, n: usize, inverse: bool) -> f64 {
        match (self, inverse) {
            (Self::Backward, false) | (Self::Forward, true) => 1.0,
            (Self::Backward, true) | (Self::Forward, false) => 1.0 / n as f64,
            (Self::Ortho, _) => 1.0 / (n as f64).sqrt(),
        }
    }
}
