//! The one surface: what op functions need of a value.

use smallvec::SmallVec;

use crate::aval::Aval;
use crate::error::Result;
use crate::primitive::Prim;

/// Something ops apply to: an expression in a builder, a traced tensor, an eager
/// tensor, an array with its engine. Functions in `ops` are generic over it.
pub trait Value: Clone {
    fn aval(&self) -> Aval;

    /// Applies `prim` to `args` (none for a constant) where `self` lives: in its
    /// builder, trace, session or engine.
    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>>;
}
