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

impl CompareOp {
    /// The comparison of (y, x) that says the same of (x, y).
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
        }
    }

    /// Whether it holds of any x and a number beyond all that x can be: above them, or below.
    pub fn beyond(self, above: bool) -> bool {
        match self {
            Self::Eq => false,
            Self::Ne => true,
            Self::Lt | Self::Le => above,
            Self::Gt | Self::Ge => !above,
        }
    }

    /// Of signed integers x with uint64 y, which have no integer dtype in common.
    fn mixed<V: Value>(self, x: &V, y: &V) -> Result<V> {
        let below = call(Self::Lt, x, &crate::zeros_like(x)?)?;
        let rest = call(self, &crate::cast(x, DType::U64)?, y)?;
        if self.beyond(true) { crate::bitwise_or(&below, &rest) } else { crate::bitwise_and(&crate::bitwise_not(&below)?, &rest) }
    }
}

/// x and y compared; shapes broadcast, dtypes promote, and integers are compared exactly.
pub fn compare<V: Value>(op: CompareOp, x: &V, y: &V) -> Result<V> {
    call(op, x, y)
}

fn call<V: Value>(op: CompareOp, x: &V, y: &V) -> Result<V> {
    let (a, b) = (x.aval().dtype, y.aval().dtype);
    if a.is_signed() && b == DType::U64 {
        return op.mixed(x, y);
    }
    if a == DType::U64 && b.is_signed() {
        return op.swapped().mixed(y, x);
    }
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
