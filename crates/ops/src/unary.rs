//! Elementwise ops of one argument: a row each.

use tenferro_graph::{Aval, DType, Encoder, Guards, Primitive, Result, Rule, Val, Value};

use crate::emit::{Class, Tangents, apply, arity, batch_elementwise, linear_jvp, map_ct};
use crate::{Expr, RuleExt};

/// An elementwise op of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unary(pub UnaryOp);

/// Rows: doc, variant, name, dtypes, and the tangent from x, y and t.
macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident $name:ident [$class:ident] { |$x:ident, $y:ident, $t:ident| $jvp:expr })*) => {
        /// Which function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum UnaryOp { $($(#[$doc])* $variant),* }

        impl UnaryOp {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),* }
            }

            fn class(self) -> Class {
                match self { $(Self::$variant => Class::$class),* }
            }

            fn tangent<'b>(self, x: Expr<'b>, y: Expr<'b>, t: Expr<'b>) -> Expr<'b> {
                match self { $(Self::$variant => { let ($x, $y, $t) = (x, y, t); $jvp }),* }
            }
        }

        $($(#[$doc])* pub fn $name<V: Value>(x: &V) -> Result<V> { call(UnaryOp::$variant, x) })*
    };
}

rows! {
    /// −x.
    Neg neg [Number] { |_x, _y, t| -t }
    /// |x|; real for complex x. Derivative 0 at 0.
    Abs abs [Number] { |x, y, t| abs_tangent(x, y, t) }
    /// The complex conjugate; x itself if x is real.
    Conj conj [Inexact] { |_x, _y, t| t.conj() }
    /// The real part; x itself if x is real.
    Real real [Inexact] { |_x, _y, t| t.real() }
    /// The imaginary part; zeros if x is real.
    Imag imag [Inexact] { |_x, _y, t| t.imag() }
    /// sin x, in radians.
    Sin sin [Inexact] { |x, _y, t| t * x.cos() }
    /// cos x, in radians.
    Cos cos [Inexact] { |x, _y, t| -(t * x.sin()) }
    /// eˣ.
    Exp exp [Inexact] { |_x, y, t| t * y }
    /// The natural logarithm; NaN below 0 for real x, the principal branch for complex x.
    Log log [Inexact] { |x, _y, t| t / x }
    /// √x; NaN below 0 for real x, the principal branch for complex x. Derivative ∞ at 0.
    Sqrt sqrt [Inexact] { |_x, y, t| t * 0.5 / y }
    /// x².
    Square square [Number] { |x, _y, t| t * (x * 2.0) }
}

/// Re(conj(x) t)/|x|, and 0 where x is 0.
fn abs_tangent<'b>(x: Expr<'b>, y: Expr<'b>, t: Expr<'b>) -> Expr<'b> {
    let zero = y.number(0.0).broadcast_to(&y.aval());
    let at_zero = y.eq(zero);
    let safe = at_zero.select(y.number(1.0).broadcast_to(&y.aval()), y);
    let direction = x / safe.cast(x.dtype());
    let along = if x.dtype().is_complex() { (direction.conj() * t).real() } else { direction * t };
    at_zero.select(zero, along)
}

fn call<V: Value>(op: UnaryOp, x: &V) -> Result<V> {
    let dtype = x.aval().dtype;
    if !dtype.is_complex() {
        match op {
            UnaryOp::Conj | UnaryOp::Real => return Ok(x.clone()),
            UnaryOp::Imag => return crate::zeros_like(x),
            _ => {}
        }
    }
    // As NumPy: integers go to float64 where a function has no integer values.
    if dtype == DType::I64 && op.class() == Class::Inexact {
        return call(op, &cast(x, DType::F64)?);
    }
    apply(Unary(op), x, &[])
}

impl Primitive for Unary {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>(self.name(), x)?;
        self.0.class().check(self.name(), x[0].dtype)?;
        let real = matches!(self.0, UnaryOp::Abs | UnaryOp::Real | UnaryOp::Imag);
        Ok(vec![if real { x[0].with_dtype(x[0].dtype.real()) } else { x[0].clone() }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![t[0].map(|t| self.0.tangent(r.x(0), r.y(0), r.expr(t)).val())])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let dtype = r.avals[0].dtype;
        if self.0 == UnaryOp::Imag && !dtype.is_complex() {
            return Ok(vec![None]);
        }
        Ok(map_ct(r, ct, |ct| match self.0 {
            UnaryOp::Neg => -ct,
            UnaryOp::Conj => ct.conj(),
            UnaryOp::Real => ct.cast(dtype),
            // Re⟨ct, Im z⟩ = Re⟨i ct, z⟩.
            UnaryOp::Imag => ct.keep(crate::constant::imaginary_unit(&ct, dtype).and_then(|i| crate::mul(&ct.cast(dtype), &i))),
            _ => ct.keep(Err(tenferro_graph::Error::missing_rule(self.name().to_owned(), "transpose"))),
        }))
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}

/// Elements in another dtype. Complex to real keeps the real part; to bool is x ≠ 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cast {
    pub to: DType,
}

impl Primitive for Cast {
    fn name(&self) -> &'static str {
        "cast"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("cast", x)?;
        Ok(vec![x[0].with_dtype(self.to)])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if !self.to.is_inexact() {
            return Ok(vec![None]);
        }
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let dtype = r.avals[0].dtype;
        Ok(map_ct(r, ct, |ct| ct.cast(dtype)))
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.dtype(self.to);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("to", self.to.to_string())]
    }
}

/// `x` in dtype `to`; `x` itself if it has it.
pub fn cast<V: Value>(x: &V, to: DType) -> Result<V> {
    if x.aval().dtype == to { Ok(x.clone()) } else { apply(Cast { to }, x, &[]) }
}

/// The identity, with derivative 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StopGradient;

impl Primitive for StopGradient {
    fn name(&self) -> &'static str {
        "stop_gradient"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("stop_gradient", x)?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}

/// x as a constant of differentiation.
pub fn stop_gradient<V: Value>(x: &V) -> Result<V> {
    apply(StopGradient, x, &[])
}
