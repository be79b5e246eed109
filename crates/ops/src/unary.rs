//! Elementwise ops of one argument: a row each.

use tenferro_graph::{Aval, DType, Guards, Primitive, Result, Rule, Val, Value};

use crate::emit::{Class, Tangents, apply, arity, batch_elementwise, map_ct};
use crate::{Expr, RuleExt};

/// An elementwise op of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unary(pub UnaryOp);

/// Rows: doc, variant, name, dtypes, and the tangent from x, y and t; a row without a
/// tangent has derivative 0.
macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident $name:ident [$class:ident] $({ |$x:ident, $y:ident, $t:ident| $jvp:expr })?)*) => {
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

            fn tangent<'b>(self, x: Expr<'b>, y: Expr<'b>, t: Expr<'b>) -> Option<Expr<'b>> {
                match self { $(Self::$variant => rows!(@tangent x, y, t $(, |$x, $y, $t| $jvp)?)),* }
            }
        }

        $($(#[$doc])* pub fn $name<V: Value>(x: &V) -> Result<V> { call(UnaryOp::$variant, x) })*
    };
    (@tangent $a:ident, $b:ident, $c:ident, |$x:ident, $y:ident, $t:ident| $jvp:expr) => {{
        let ($x, $y, $t) = ($a, $b, $c);
        Some($jvp)
    }};
    (@tangent $a:ident, $b:ident, $c:ident) => { None };
}

rows! {
    /// −x.
    Neg neg [Number] { |_x, _y, t| -t }
    /// |x|; real for complex x. Derivative 0 at 0.
    Abs abs [Number] { |x, y, t| abs_tangent(x, y, t) }
    /// −1, 0 or 1 by the sign of x; NaN of NaN, ±0 of ±0.
    Sign sign_real [Real]
    /// The complex conjugate; x itself if x is real.
    Conj conj [Inexact] { |_x, _y, t| t.conj() }
    /// The real part; x itself if x is real.
    Real real [Inexact] { |_x, _y, t| t.real() }
    /// The imaginary part; zeros if x is real.
    Imag imag [Inexact] { |_x, _y, t| t.imag() }
    /// x².
    Square square [Number] { |x, _y, t| t * (x * 2.0) }
    /// √x; NaN below 0 for real x, the principal branch for complex x. Derivative ∞ at 0.
    Sqrt sqrt [Inexact] { |_x, y, t| t * 0.5 / y }
    /// 1/√x.
    Rsqrt rsqrt [Float] { |x, y, t| t * -0.5 * y / x }
    /// The real cube root. Derivative ∞ at 0.
    Cbrt cbrt [Float] { |_x, y, t| t / (y.square() * 3.0) }
    /// sin x, in radians.
    Sin sin [Inexact] { |x, _y, t| t * x.cos() }
    /// cos x, in radians.
    Cos cos [Inexact] { |x, _y, t| -(t * x.sin()) }
    /// tan x, in radians.
    Tan tan [Inexact] { |_x, y, t| t * (y.square() + 1.0) }
    /// The arc sine, in −π/2 … π/2; NaN outside −1 … 1 for real x. Cuts of complex x along the
    /// real axis outside [−1, 1], continuous from above on the left and below on the right.
    Asin asin [Inexact] { |x, _y, t| t / root_of_one_minus_square(x) }
    /// The arc cosine, in 0 … π; else as asin.
    Acos acos [Inexact] { |x, _y, t| -(t / root_of_one_minus_square(x)) }
    /// The arc tangent, in −π/2 … π/2.
    Atan atan [Inexact] { |x, _y, t| t / (x.square() + 1.0) }
    /// (eˣ − e⁻ˣ)/2.
    Sinh sinh [Inexact] { |x, _y, t| t * x.cosh() }
    /// (eˣ + e⁻ˣ)/2.
    Cosh cosh [Inexact] { |x, _y, t| t * x.sinh() }
    /// sinh x / cosh x.
    Tanh tanh [Inexact] { |_x, y, t| t * ((1.0 - y) * (1.0 + y)) }
    /// The inverse of sinh.
    Asinh asinh [Inexact] { |x, _y, t| t / (x.square() + 1.0).sqrt() }
    /// The inverse of cosh, at least 0; NaN below 1 for real x.
    Acosh acosh [Inexact] { |x, _y, t| t / ((x - 1.0).sqrt() * (x + 1.0).sqrt()) }
    /// The inverse of tanh; NaN outside −1 … 1 for real x.
    Atanh atanh [Inexact] { |x, _y, t| t / ((1.0 - x) * (1.0 + x)) }
    /// eˣ.
    Exp exp [Inexact] { |_x, y, t| t * y }
    /// 2ˣ.
    Exp2 exp2 [Inexact] { |_x, y, t| t * (y * std::f64::consts::LN_2) }
    /// eˣ − 1, accurate near 0.
    Expm1 expm1 [Inexact] { |x, _y, t| t * x.exp() }
    /// The natural logarithm; NaN below 0 for real x, the principal branch for complex x.
    Log log [Inexact] { |x, _y, t| t / x }
    /// log(1 + x), accurate near 0.
    Log1p log1p [Inexact] { |x, _y, t| t / (x + 1.0) }
    /// The logarithm to base 2.
    Log2 log2 [Inexact] { |x, _y, t| t / (x * std::f64::consts::LN_2) }
    /// The logarithm to base 10.
    Log10 log10 [Inexact] { |x, _y, t| t / (x * std::f64::consts::LN_10) }
    /// The error function.
    Erf erf [Float] { |x, _y, t| t * (gaussian(x) * std::f64::consts::FRAC_2_SQRT_PI) }
    /// 1 − erf x, without cancellation.
    Erfc erfc [Float] { |x, _y, t| -(t * (gaussian(x) * std::f64::consts::FRAC_2_SQRT_PI)) }
    /// The inverse of erf on −1 … 1.
    Erfinv erfinv [Float] { |_x, y, t| t / (gaussian(y) * std::f64::consts::FRAC_2_SQRT_PI) }
    /// log |Γ(x)|; ∞ at 0 and the negative integers.
    Lgamma lgamma [Float] { |x, _y, t| t * x.digamma() }
    /// ψ(x), the derivative of log Γ.
    Digamma digamma [Float] { |x, _y, t| t * x.keep(crate::special::polygamma(1, &x)) }
    /// 1/(1 + e⁻ˣ).
    Sigmoid sigmoid [Float] { |x, y, t| t * (y * (-x).sigmoid()) }
    /// I₀(x) e^−|x|, of the modified Bessel function of order 0.
    I0e i0e [Float] { |x, y, t| t * (x.i1e() - x.sign_real() * y) }
    /// I₁(x) e^−|x|, of the modified Bessel function of order 1.
    I1e i1e [Float] { |x, y, t| t * i1e_slope(x, y) }
    /// The largest integer ≤ x.
    Floor floor [Real]
    /// The smallest integer ≥ x.
    Ceil ceil [Real]
    /// x without its fraction.
    Trunc trunc [Real]
    /// The nearest integer; ties go to the even one.
    Rint rint [Real]
    /// The complement of every bit; of bool, not.
    BitNot bitwise_not [Bits]
}

/// Re(conj(x) t)/|x|, and 0 where x is 0.
fn abs_tangent<'b>(x: Expr<'b>, y: Expr<'b>, t: Expr<'b>) -> Expr<'b> {
    if !x.dtype().is_complex() {
        return t * x.sign_real();
    }
    (x.keep(crate::composite::direction(&x, &y)).conj() * t).real()
}

/// √(1 − x²), in factors that neither cancel nor leave the branch of asin and acos.
fn root_of_one_minus_square(x: Expr<'_>) -> Expr<'_> {
    (1.0 - x).sqrt() * (x + 1.0).sqrt()
}

/// e^−x².
fn gaussian(x: Expr<'_>) -> Expr<'_> {
    (-x.square()).exp()
}

/// I₁e' = I₀e − I₁e (sign x + 1/x), which is ½ at 0 (DLMF 10.29.2).
fn i1e_slope<'b>(x: Expr<'b>, y: Expr<'b>) -> Expr<'b> {
    let at_zero = x.eq(x.full_like(0.0));
    let safe = at_zero.select(x.full_like(1.0), x);
    at_zero.select(x.full_like(0.5), x.i0e() - y * (x.sign_real() + 1.0 / safe))
}

fn call<V: Value>(op: UnaryOp, x: &V) -> Result<V> {
    let dtype = x.aval().dtype;
    if !dtype.is_complex() {
        match op {
            UnaryOp::Conj | UnaryOp::Real => return Ok(x.clone()),
            UnaryOp::Imag => return crate::zeros_like(x),
            UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Rint if !dtype.is_inexact() => return Ok(x.clone()),
            UnaryOp::Abs if dtype.is_unsigned() || dtype == DType::Bool => return Ok(x.clone()),
            UnaryOp::Square if dtype == DType::Bool => return Ok(x.clone()),
            _ => {}
        }
    }
    if dtype.is_complex() && op == UnaryOp::Rsqrt {
        return crate::reciprocal(&sqrt(x)?);
    }
    if !dtype.is_inexact() && matches!(op.class(), Class::Inexact | Class::Float) {
        return call(op, &crate::cast(x, dtype.inexact())?);
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
        Ok(vec![t[0].and_then(|t| self.0.tangent(r.x(0), r.y(0), r.expr(t))).map(|t| t.val())])
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
            UnaryOp::Imag => ct.keep(crate::complex(&ct.full_like(0.0), &ct)),
            _ => ct.keep(Err(tenferro_graph::Error::missing_rule(self.name().to_owned(), "transpose"))),
        }))
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_elementwise(self.clone(), r, batched)
    }
}
