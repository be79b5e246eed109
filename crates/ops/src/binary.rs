//! Elementwise arithmetic of two arguments.

use tenferro_graph::{Aval, DType, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::broadcast::{broadcast_pair, equal_avals};
use crate::emit::{Class, Tangents, apply, batch_elementwise};
use crate::{Expr, RuleExt};

/// An elementwise op of two arguments of equal shapes and dtypes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binary(pub BinaryOp);

macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident $name:ident [$class:ident])*) => {
        /// Which function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp { $($(#[$doc])* $variant),* }

        impl BinaryOp {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),* }
            }

            fn class(self) -> Class {
                match self { $(Self::$variant => Class::$class),* }
            }
        }

        $($(#[$doc])*
        /// Shapes broadcast and dtypes promote as in NumPy 2.
        pub fn $name<V: Value>(x: &V, y: &V) -> Result<V> { call(BinaryOp::$variant, x, y) })*
    };
}

rows! {
    /// x + y.
    Add add [Number]
    /// x − y.
    Sub sub [Number]
    /// x y.
    Mul mul [Number]
    /// x / y; integers are divided as float64.
    Div div [Inexact]
    /// The larger of x and y; NaN if one is. At a tie each gets half the derivative.
    Maximum maximum [Real]
}

fn call<V: Value>(op: BinaryOp, x: &V, y: &V) -> Result<V> {
    let mut dtype = promote(x.aval().dtype, y.aval().dtype);
    if op == BinaryOp::Div && matches!(dtype, DType::I64 | DType::Bool) {
        dtype = DType::F64;
    }
    let (x, y) = (crate::cast(x, dtype)?, crate::cast(y, dtype)?);
    let (x, y) = broadcast_pair(op.name(), &x, &y)?;
    apply(Binary(op), &x, &[&y])
}

/// NumPy 2's common dtype of two arrays.
pub fn promote(a: DType, b: DType) -> DType {
    use DType::{C64, C128, F32, F64, I64};
    match (a.min(b), a.max(b)) {
        (a, b) if a == b => a,
        (I64, F32) => F64,
        (I64 | F64, C64) | (_, C128) => C128,
        (_, b) => b,
    }
}

impl Binary {
    fn sum<'b>(r: Rule<'b>, a: Option<Expr<'b>>, b: Option<Expr<'b>>) -> Option<Val> {
        match (a, b) {
            (Some(a), Some(b)) => Some(r.b.emit_one(Self(BinaryOp::Add).into(), &[a.val(), b.val()])),
            (a, b) => a.or(b).map(|e| e.val()),
        }
    }
}

impl Primitive for Binary {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        equal_avals(self.name(), x, g)?;
        self.0.class().check(self.name(), x[0].dtype)?;
        Ok(vec![x[0].clone()])
    }

    fn commutative(&self) -> bool {
        matches!(self.0, BinaryOp::Add | BinaryOp::Mul)
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let (x, y) = (r.x(0), r.x(1));
        let (tx, ty) = (t[0].map(|t| r.expr(t)), t[1].map(|t| r.expr(t)));
        Ok(vec![match self.0 {
            BinaryOp::Add => Self::sum(r, tx, ty),
            BinaryOp::Sub => match (tx, ty) {
                (Some(tx), Some(ty)) => Some((tx - ty).val()),
                (tx, ty) => tx.or(ty.map(|ty| -ty)).map(|t| t.val()),
            },
            BinaryOp::Mul => Self::sum(r, tx.map(|tx| tx * y), ty.map(|ty| x * ty)),
            BinaryOp::Div => {
                let z = r.y(0);
                Self::sum(r, tx.map(|tx| tx / y), ty.map(|ty| -(ty * z / y)))
            }
            BinaryOp::Maximum => {
                let share = |a: Expr<'_>, b: Expr<'_>, t| {
                    let t = r.expr(t);
                    let (a, b) = (r.expr(a.val()), r.expr(b.val()));
                    let zero = t.number(0.0).broadcast_to(&t.aval());
                    a.gt(b).select(t, a.eq(b).select(t * 0.5, zero))
                };
                Self::sum(r, t[0].map(|t| share(x, y, t)), t[1].map(|t| share(y, x, t)))
            }
        }])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        let conj = |i: usize| r.x(i).conj();
        let (left, right) = (linear[0], linear[1]);
        Ok(match self.0 {
            BinaryOp::Add => vec![left.then(|| ct.val()), right.then(|| ct.val())],
            BinaryOp::Sub => vec![left.then(|| ct.val()), right.then(|| (-ct).val())],
            BinaryOp::Mul => vec![left.then(|| (ct * conj(1)).val()), right.then(|| (conj(0) * ct).val())],
            BinaryOp::Div if !right => vec![left.then(|| (ct / conj(1)).val()), None],
            _ => return Err(Error::missing_rule(self.name().to_owned(), "transpose")),
        })
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}
