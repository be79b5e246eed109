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
    /// x + y; of bools, or.
    Add add [Number]
    /// x − y.
    Sub sub [Number]
    /// x y; of bools, and.
    Mul mul [Number]
    /// x / y; integers are divided as float64.
    Div div [Inexact]
    /// The larger of x and y; NaN if one is. At a tie each gets half the derivative.
    Maximum maximum [Real]
    /// The smaller of x and y; NaN if one is. At a tie each gets half the derivative.
    Minimum minimum [Real]
    /// The larger of x and y; where one is NaN, the other. At a tie each gets half the derivative.
    Fmax fmax [Real]
    /// The smaller of x and y; where one is NaN, the other. At a tie each gets half the derivative.
    Fmin fmin [Real]
    /// ⌊x / y⌋, rounded once; 0 for integers divided by 0. Derivative 0.
    FloorDivide floor_divide [Real]
    /// x − y ⌊x / y⌋, exact, with the sign of y; 0 for integers divided by 0.
    Remainder remainder [Real]
    /// x − y trunc(x / y), exact, with the sign of x; 0 for integers divided by 0.
    Fmod fmod [Real]
    /// xʸ; 0⁰ is 1. Integers wrap, and a negative power of one is the integer part of the quotient.
    Pow pow [Number]
    /// √(x² + y²) without overflow on the way. Derivative 0 at the origin.
    Hypot hypot [Float]
    /// The angle of the point (y, x) as atan2(x, y), in −π … π. Derivative 0 at the origin.
    Atan2 atan2 [Float]
    /// log(eˣ + eʸ) without overflow on the way.
    Logaddexp logaddexp [Float]
    /// |x| with the sign of y, that of −0 and NaN included.
    Copysign copysign [Float]
    /// The next float after x towards y. Derivative 1 in x.
    Nextafter nextafter [Float]
    /// Bit by bit: and.
    BitAnd bitwise_and [Bits]
    /// Bit by bit: or.
    BitOr bitwise_or [Bits]
    /// Bit by bit: exclusive or.
    BitXor bitwise_xor [Bits]
    /// x 2ʸ, bits that leave are lost; 0 if y is negative or as large as the width.
    ShiftLeft bitwise_left_shift [Bits]
    /// ⌊x 2⁻ʸ⌋; 0 or −1 if y is negative or as large as the width.
    ShiftRight bitwise_right_shift [Bits]
}

/// The op and dtype in which NumPy computes on arrays of a common dtype.
fn resolve(op: BinaryOp, dtype: DType) -> (BinaryOp, DType) {
    use BinaryOp as B;
    match (op, dtype) {
        (_, d) if d.is_inexact() => (op, d),
        (B::Div, _) => (op, DType::F64),
        (_, d) if matches!(op.class(), Class::Float | Class::Inexact) => (op, d.inexact()),
        (B::Add | B::Maximum | B::Fmax, DType::Bool) => (B::BitOr, dtype),
        (B::Mul | B::Minimum | B::Fmin, DType::Bool) => (B::BitAnd, dtype),
        (B::FloorDivide | B::Remainder | B::Fmod | B::Pow | B::ShiftLeft | B::ShiftRight, DType::Bool) => (op, DType::I8),
        _ => (op, dtype),
    }
}

fn call<V: Value>(op: BinaryOp, x: &V, y: &V) -> Result<V> {
    let (a, b) = (x.aval().dtype, y.aval().dtype);
    // Functions of floats take each integer as its own float.
    let common = if op.class() == Class::Float { a.inexact().promote(b.inexact()) } else { a.promote(b) };
    let (op, dtype) = resolve(op, common);
    let (x, y) = (crate::cast(x, dtype)?, crate::cast(y, dtype)?);
    let (x, y) = broadcast_pair(op.name(), &x, &y)?;
    apply(Binary(op), &x, &[&y])
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
        matches!(self.0, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let (tx, ty) = (t[0].map(|t| r.expr(t)), t[1].map(|t| r.expr(t)));
        if self.0 == BinaryOp::Sub {
            return Ok(vec![match (tx, ty) {
                (Some(tx), Some(ty)) => Some((tx - ty).val()),
                (tx, ty) => tx.or(ty.map(|ty| -ty)).map(|t| t.val()),
            }]);
        }
        Ok(vec![Self::sum(r, tx.and_then(|t| self.0.along_x(r, t)), ty.and_then(|t| self.0.along_y(r, t)))])
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

impl BinaryOp {
    /// The tangent from that of x; `None` is 0.
    fn along_x<'b>(self, r: Rule<'b>, t: Expr<'b>) -> Option<Expr<'b>> {
        let (x, y, z) = (r.x(0), r.x(1), r.y(0));
        Some(match self {
            Self::Add | Self::Remainder | Self::Fmod | Self::Nextafter => t,
            Self::Mul => t * y,
            Self::Div => t / y,
            Self::Maximum => share(x.gt(y), x.eq(y), t),
            Self::Minimum => share(x.lt(y), x.eq(y), t),
            Self::Fmax | Self::Fmin => taken(x, z, x.eq(y), t),
            // y xʸ⁻¹, and 0 where that is 0·∞: x⁰ is 1 everywhere. Elsewhere it says itself that it is 0 at y = 0,
            // where its derivative in y is not.
            Self::Pow => {
                let tiny = if x.dtype().real() == DType::F32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
                let size = x.abs();
                let invertible = size.ge(size.full_like(tiny));
                let stuck = invertible.keep(crate::logical_not(&invertible)) * y.eq(y.full_like(0.0));
                t * stuck.select(x.full_like(0.0), y * stuck.select(x.full_like(1.0), x).pow(y - 1.0))
            }
            Self::Hypot => t * slope_of_size(x, z),
            Self::Atan2 => t * slope_of_angle(y, x.hypot(y)),
            Self::Logaddexp => t * weight(x, y, x.full_like(0.5)),
            Self::Copysign => t * (x.sign_real() * z.sign_real()),
            _ => return None,
        })
    }

    /// The tangent from that of y; `None` is 0.
    fn along_y<'b>(self, r: Rule<'b>, t: Expr<'b>) -> Option<Expr<'b>> {
        let (x, y, z) = (r.x(0), r.x(1), r.y(0));
        Some(match self {
            Self::Add => t,
            Self::Mul => x * t,
            Self::Div => -(t * z / y),
            Self::Maximum => share(y.gt(x), x.eq(y), t),
            Self::Minimum => share(y.lt(x), x.eq(y), t),
            Self::Fmax | Self::Fmin => taken(y, z, x.eq(y), t),
            Self::Remainder => -(t * x.floor_divide(y)),
            Self::Fmod => -(t * ((x - z) / y)),
            // xʸ log x, and 0 where x is 0 and the power is constant.
            Self::Pow => {
                let zero = x.eq(x.full_like(0.0));
                t * z * zero.select(x.full_like(1.0), x).log()
            }
            Self::Hypot => t * slope_of_size(y, z),
            Self::Atan2 => -(t * slope_of_angle(x, x.hypot(y))),
            Self::Logaddexp => t * weight(y, x, y.full_like(0.5)),
            _ => return None,
        })
    }
}

/// t where `wins`, half of it at a tie.
fn share<'b>(wins: Expr<'b>, tie: Expr<'b>, t: Expr<'b>) -> Expr<'b> {
    wins.select(t, tie.select(t * 0.5, t.full_like(0.0)))
}

/// t where x is the result z, half of it at a tie.
fn taken<'b>(x: Expr<'b>, z: Expr<'b>, tie: Expr<'b>, t: Expr<'b>) -> Expr<'b> {
    tie.select(t * 0.5, x.eq(z).select(t, t.full_like(0.0)))
}

/// a / b, and 0 where b is 0.
fn over<'b>(a: Expr<'b>, b: Expr<'b>) -> Expr<'b> {
    let zero = b.eq(b.full_like(0.0));
    zero.select(b.full_like(0.0), a / zero.select(b.full_like(1.0), b))
}

/// x / z of the hypotenuse z; at infinities the sign of x if it is one of them, else 0.
fn slope_of_size<'b>(x: Expr<'b>, z: Expr<'b>) -> Expr<'b> {
    let far = z.eq(z.full_like(f64::INFINITY));
    let direction = x.abs().eq(z).select(x.sign_real(), x.full_like(0.0));
    far.select(direction, over(x, far.select(z.full_like(1.0), z)))
}

/// x / z² of the hypotenuse z, which may lie beyond the range of squares; 0 at infinities.
fn slope_of_angle<'b>(x: Expr<'b>, z: Expr<'b>) -> Expr<'b> {
    let far = z.eq(z.full_like(f64::INFINITY));
    let near = far.select(z.full_like(1.0), z);
    far.select(x.full_like(0.0), over(over(x, near), near))
}

/// eˣ / (eˣ + eʸ), and `tie` where both are the same infinity.
pub(crate) fn weight<'b>(x: Expr<'b>, y: Expr<'b>, tie: Expr<'b>) -> Expr<'b> {
    let zero = x.full_like(0.0);
    let tied = x.eq(y) * x.abs().eq(x.full_like(f64::INFINITY));
    tied.select(tie, (tied.select(zero, x) - tied.select(zero, y)).sigmoid())
}
