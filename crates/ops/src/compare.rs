//! Elementwise comparisons.

use tenferro_graph::{Aval, DType, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::broadcast::{broadcast_pair, equal_avals};
use crate::emit::{Tangents, apply, batch_elementwise};

/// An elementwise comparison of two arguments of equal shapes and dtypes; gives
/// bool. Every order with NaN is false; complex numbers have no order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Compare(pub CompareOp);

macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident $name:ident)*) => {
        /// Which comparison.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CompareOp { $($(#[$doc])* $variant),* }

        impl CompareOp {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),* }
            }
        }

        $($(#[$doc])* pub fn $name<V: Value>(x: &V, y: &V) -> Result<V> { call(CompareOp::$variant, x, y) })*
    };
}

rows! {
    /// x = y.
    Eq eq
    /// x ≠ y.
    Ne ne
    /// x < y.
    Lt lt
    /// x ≤ y.
    Le le
    /// x > y.
    Gt gt
    /// x ≥ y.
    Ge ge
}

fn call<V: Value>(op: CompareOp, x: &V, y: &V) -> Result<V> {
    let dtype = x.aval().dtype.promote(y.aval().dtype);
    let (x, y) = (crate::cast(x, dtype)?, crate::cast(y, dtype)?);
    let (x, y) = broadcast_pair(op.name(), &x, &y)?;
    apply(Compare(op), &x, &[&y])
}

impl Primitive for Compare {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        equal_avals(self.name(), x, g)?;
        let ordered = !matches!(self.0, CompareOp::Eq | CompareOp::Ne);
        if ordered && (x[0].dtype.is_complex()) {
            return Err(Error::dtype(self.name().to_owned(), format!("{} has no order", x[0].dtype)));
        }
        Ok(vec![x[0].with_dtype(DType::Bool)])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}
