//! Expressions: values of a builder with operators, so that rules read as formulas.

use std::ops::{Add, Div, Mul, Neg, Sub};

use tenferro_graph::{Aval, Builder, DType, Prim, Result, Rule, SmallVec, Val, Value};

use crate::{binary, broadcast, compare, constant, unary};

/// A value and the builder it lives in. Operators broadcast as NumPy; errors are
/// kept in the builder, and [`Val::NONE`] goes on in their place.
#[derive(Clone, Copy)]
pub struct Expr<'b> {
    b: &'b Builder,
    val: Val,
}

impl<'b> Expr<'b> {
    pub fn new(b: &'b Builder, val: Val) -> Self {
        Self { b, val }
    }

    pub fn val(&self) -> Val {
        self.val
    }

    pub fn b(&self) -> &'b Builder {
        self.b
    }

    pub fn dtype(&self) -> DType {
        self.b.aval(self.val).dtype
    }

    /// Keeps an error in the builder.
    pub fn keep(self, r: Result<Self>) -> Self {
        r.unwrap_or_else(|e| {
            self.b.fail(e);
            Self { b: self.b, val: Val::NONE }
        })
    }

    /// A number in this expression's dtype, rank 0.
    pub fn number(self, x: f64) -> Self {
        self.keep(constant::scalar_like(&self, x))
    }

    pub fn cast(self, to: DType) -> Self {
        self.keep(crate::cast(&self, to))
    }

    /// `self` is the mask.
    pub fn select(self, on_true: Self, on_false: Self) -> Self {
        self.keep(crate::select(&self, &on_true, &on_false))
    }

    pub fn broadcast_to(self, aval: &Aval) -> Self {
        self.keep(broadcast::broadcast_to(&self, aval.shape.clone()))
    }
}

impl Value for Expr<'_> {
    fn aval(&self) -> Aval {
        self.b.aval(self.val)
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        let args: SmallVec<[Val; 4]> = args.iter().map(|e| e.val).collect();
        Ok(self.b.emit(prim, &args)?.into_iter().map(|val| Self { b: self.b, val }).collect())
    }
}

macro_rules! methods {
    (unary $($f:ident),*; binary $($m:ident $g:path),*) => {
        impl Expr<'_> {
            $(pub fn $f(self) -> Self { self.keep(unary::$f(&self)) })*
            $(pub fn $m(self, other: Self) -> Self { self.keep($g(&self, &other)) })*
        }
    };
}
methods!(
    unary abs, sign_real, conj, real, imag, square, sqrt, sin, cos, sinh, cosh, exp, log, digamma, sigmoid, i0e, i1e, trunc;
    binary maximum binary::maximum, minimum binary::minimum, logaddexp binary::logaddexp, hypot binary::hypot, floor_divide binary::floor_divide, pow binary::pow, eq compare::eq, ne compare::ne, lt compare::lt, le compare::le, gt compare::gt, ge compare::ge
);

macro_rules! operators {
    ($($tr:ident $f:ident),*) => {$(
        impl<'b> $tr for Expr<'b> {
            type Output = Self;
            fn $f(self, other: Self) -> Self { self.keep(binary::$f(&self, &other)) }
        }
        impl<'b> $tr<f64> for Expr<'b> {
            type Output = Self;
            fn $f(self, other: f64) -> Self { self.$f(self.number(other)) }
        }
        impl<'b> $tr<Expr<'b>> for f64 {
            type Output = Expr<'b>;
            fn $f(self, other: Expr<'b>) -> Expr<'b> { other.number(self).$f(other) }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Expr<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.keep(unary::neg(&self))
    }
}

/// What a rule is given, as expressions.
pub trait RuleExt<'b> {
    /// Primal input i.
    fn x(&self, i: usize) -> Expr<'b>;
    /// Primal output i.
    fn y(&self, i: usize) -> Expr<'b>;
    fn expr(&self, v: Val) -> Expr<'b>;
}

impl<'b> RuleExt<'b> for Rule<'b> {
    fn x(&self, i: usize) -> Expr<'b> {
        Expr::new(self.b, self.inputs[i])
    }

    fn y(&self, i: usize) -> Expr<'b> {
        Expr::new(self.b, self.outputs[i])
    }

    fn expr(&self, v: Val) -> Expr<'b> {
        Expr::new(self.b, v)
    }
}
