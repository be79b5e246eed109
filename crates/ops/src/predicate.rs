//! Elementwise questions about floats.

use tenferro_graph::{Aval, DType, Guards, Primitive, Result, Rule, Val, Value};

use crate::emit::{Class, Tangents, apply, arity, batch_elementwise};

/// An elementwise question about a real float; gives bool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Predicate(pub PredicateOp);

macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident $name:ident)*) => {
        /// Which question.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum PredicateOp { $($(#[$doc])* $variant),* }

        impl PredicateOp {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),* }
            }
        }

        $($(#[$doc])* pub fn $name<V: Value>(x: &V) -> Result<V> { call(PredicateOp::$variant, x) })*
    };
}

rows! {
    /// Whether x is NaN; for complex x, whether a part is.
    IsNan isnan
    /// Whether x is +∞ or −∞; for complex x, whether a part is.
    IsInf isinf
    /// Whether x is neither infinite nor NaN; for complex x, whether both parts are.
    IsFinite isfinite
    /// Whether the sign bit is set: also for −0 and some NaNs. Integers: x < 0.
    Signbit signbit
}

fn call<V: Value>(op: PredicateOp, x: &V) -> Result<V> {
    let dtype = x.aval().dtype;
    if dtype.is_complex() && op != PredicateOp::Signbit {
        let (re, im) = (call(op, &crate::real(x)?)?, call(op, &crate::imag(x)?)?);
        return if op == PredicateOp::IsFinite { crate::bitwise_and(&re, &im) } else { crate::bitwise_or(&re, &im) };
    }
    if !dtype.is_inexact() {
        return match op {
            PredicateOp::Signbit if dtype.is_signed() => crate::lt(x, &crate::zeros_like(x)?),
            _ => crate::cast(&crate::full_like(x, f64::from(u8::from(op == PredicateOp::IsFinite)))?, DType::Bool),
        };
    }
    apply(Predicate(op), x, &[])
}

impl Primitive for Predicate {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>(self.name(), x)?;
        Class::Float.check(self.name(), x[0].dtype)?;
        Ok(vec![x[0].with_dtype(DType::Bool)])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}
