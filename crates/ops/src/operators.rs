//! Operators of values whose ops can fail.

use tenferro_graph::{Result, Value};

/// What an operator's right-hand side may be: a value, a reference, the result of
/// another operator, or a real number.
pub trait IntoOperand<V> {
    /// `like` is the left-hand side; a number takes its dtype.
    fn into_operand(self, like: &V) -> Result<V>;
}

impl<V: Value> IntoOperand<V> for f64 {
    fn into_operand(self, like: &V) -> Result<V> {
        crate::scalar_like(like, self)
    }
}

/// Gives a [`tenferro_graph::Value`] type the operators + − * / and negation with
/// `Output = Result<Self>`, taking values, references, results and f64.
#[macro_export]
macro_rules! impl_value_operators {
    ($t:ty) => {
        impl $crate::IntoOperand<$t> for $t {
            fn into_operand(self, _: &$t) -> ::tenferro_graph::Result<$t> { Ok(self) }
        }
        impl $crate::IntoOperand<$t> for &$t {
            fn into_operand(self, _: &$t) -> ::tenferro_graph::Result<$t> { Ok(self.clone()) }
        }
        impl $crate::IntoOperand<$t> for ::tenferro_graph::Result<$t> {
            fn into_operand(self, _: &$t) -> ::tenferro_graph::Result<$t> { self }
        }
        $crate::impl_value_operators!(@op $t, Add add, Sub sub, Mul mul, Div div);
        impl ::std::ops::Neg for &$t {
            type Output = ::tenferro_graph::Result<$t>;
            fn neg(self) -> Self::Output { $crate::neg(self) }
        }
        impl ::std::ops::Neg for $t {
            type Output = ::tenferro_graph::Result<$t>;
            fn neg(self) -> Self::Output { $crate::neg(&self) }
        }
    };
    (@op $t:ty, $($tr:ident $f:ident),*) => {$(
        impl<R: $crate::IntoOperand<$t>> ::std::ops::$tr<R> for &$t {
            type Output = ::tenferro_graph::Result<$t>;
            fn $f(self, other: R) -> Self::Output { $crate::$f(self, &other.into_operand(self)?) }
        }
        impl<R: $crate::IntoOperand<$t>> ::std::ops::$tr<R> for $t {
            type Output = ::tenferro_graph::Result<$t>;
            fn $f(self, other: R) -> Self::Output { $crate::$f(&self, &other.into_operand(&self)?) }
        }
        impl ::std::ops::$tr<$t> for f64 {
            type Output = ::tenferro_graph::Result<$t>;
            fn $f(self, other: $t) -> Self::Output { $crate::$f(&$crate::scalar_like(&other, self)?, &other) }
        }
    )*};
}
