//! Running reductions along an axis.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::RuleExt;
use crate::emit::{Class, Tangents, apply, arity, linear_jvp, map_ct};
use crate::reduce::{accumulator, normalise_axis};
use crate::scan::scan_tangent;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CumulativeOp {
    Sum,
    Prod,
    /// NaN from the first NaN on. Ties share the derivative equally.
    Max,
    Min,
    /// log Σ eˣ, without overflow on the way.
    LogSumExp,
}

/// Element i along `axis` is the reduction of the elements up to and with i; from i on if
/// `reverse`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cumulative {
    pub op: CumulativeOp,
    pub axis: usize,
    pub reverse: bool,
}

impl CumulativeOp {
    pub const ALL: [Self; 5] = [Self::Sum, Self::Prod, Self::Max, Self::Min, Self::LogSumExp];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "cumsum",
            Self::Prod => "cumprod",
            Self::Max => "cummax",
            Self::Min => "cummin",
            Self::LogSumExp => "cumlogsumexp",
        }
    }
}

impl Primitive for Cumulative {
    fn name(&self) -> &str {
        self.op.name()
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>(self.name(), x)?;
        let class = match self.op {
            CumulativeOp::Sum | CumulativeOp::Prod => Class::Number,
            CumulativeOp::Max | CumulativeOp::Min => Class::Real,
            CumulativeOp::LogSumExp => Class::Float,
        };
        class.check(self.name(), x[0].dtype)?;
        if self.axis >= x[0].rank() {
            return Err(Error::index(self.name().to_owned(), format!("axis {} is out of range for {} axes", self.axis, x[0].rank())));
        }
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        if self.op == CumulativeOp::Sum {
            return Ok(linear_jvp(self.clone(), r, t));
        }
        let Some(t) = t[0].map(|t| r.expr(t)) else { return Ok(vec![None]) };
        Ok(vec![Some(scan_tangent(self, r.x(0), t)?.val())])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        if self.op != CumulativeOp::Sum {
            return Err(Error::missing_rule(self.name().to_owned(), "transpose"));
        }
        let back = Self { reverse: !self.reverse, ..self.clone() };
        Ok(map_ct(r, ct, |ct| r.expr(r.b.emit_one(back.into(), &[ct.val()]))))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1, ..self.clone() }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&[self.axis, usize::from(self.reverse)]);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string()), ("reverse", self.reverse.to_string())]
    }
}

/// Along an axis, or of the flattened x if `axis` is `None`; `initial`, where given, comes first.
fn along<V: Value>(op: CumulativeOp, x: &V, axis: Option<isize>, reverse: bool, initial: Option<f64>) -> Result<V> {
    let shape = x.aval().shape;
    let (x, axis) = match axis {
        Some(axis) => (x.clone(), normalise_axis(op.name(), axis, shape.rank())?),
        None => (crate::reshape(x, &[shape.size()])?, 0),
    };
    let y = apply(Cumulative { op, axis, reverse }, &x, &[])?;
    let Some(initial) = initial else { return Ok(y) };
    let mut shape = y.aval().shape;
    shape.set(axis, Dim::Const(1));
    let first = crate::broadcast_to(&crate::scalar_like(&y, initial)?, shape)?;
    let parts = if reverse { [y, first] } else { [first, y] };
    crate::concatenate(&parts, axis as isize)
}

/// Running sums; bool and integers as in [`sum`](crate::sum). `include_initial` puts the sum of
/// nothing first (last if `reverse`).
pub fn cumsum<V: Value>(x: &V, axis: Option<isize>, reverse: bool, include_initial: bool) -> Result<V> {
    let x = crate::cast(x, accumulator(x.aval().dtype))?;
    along(CumulativeOp::Sum, &x, axis, reverse, include_initial.then_some(0.0))
}

/// Running products; else as [`cumsum`].
pub fn cumprod<V: Value>(x: &V, axis: Option<isize>, reverse: bool, include_initial: bool) -> Result<V> {
    let x = crate::cast(x, accumulator(x.aval().dtype))?;
    along(CumulativeOp::Prod, &x, axis, reverse, include_initial.then_some(1.0))
}

fn extreme<V: Value>(op: CumulativeOp, x: &V, axis: Option<isize>, reverse: bool) -> Result<V> {
    if x.aval().dtype != DType::Bool {
        return along(op, x, axis, reverse, None);
    }
    crate::cast(&along(op, &crate::cast(x, DType::U8)?, axis, reverse, None)?, DType::Bool)
}

/// Running maxima, NaN from the first NaN on.
pub fn cummax<V: Value>(x: &V, axis: Option<isize>, reverse: bool) -> Result<V> {
    extreme(CumulativeOp::Max, x, axis, reverse)
}

/// Running minima, NaN from the first NaN on.
pub fn cummin<V: Value>(x: &V, axis: Option<isize>, reverse: bool) -> Result<V> {
    extreme(CumulativeOp::Min, x, axis, reverse)
}

/// Running log Σ eˣ; integers are taken as floats.
pub fn cumlogsumexp<V: Value>(x: &V, axis: Option<isize>, reverse: bool) -> Result<V> {
    along(CumulativeOp::LogSumExp, &crate::cast(x, x.aval().dtype.inexact())?, axis, reverse, None)
}
