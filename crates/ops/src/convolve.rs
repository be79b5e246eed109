//! Convolution along one axis.

use tenferro_graph::{Aval, Dim, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::emit::{Class, Tangents, apply, arity, with_batch};
use crate::reverse::reverse;
use crate::{Expr, RuleExt, cast, slice_axis};

/// x of shape [batch…, m] and y of shape [batch…, n], m and n ≥ 1: Σⱼ xₖ₋ⱼ yⱼ, of shape
/// [batch…, m + n − 1].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Convolve;

impl Primitive for Convolve {
    fn name(&self) -> &'static str {
        "convolve"
    }

    fn commutative(&self) -> bool {
        true
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        arity::<2>("convolve", x)?;
        let (l, r) = (&x[0], &x[1]);
        if l.dtype != r.dtype {
            return Err(Error::dtype("convolve", format!("dtypes {} and {} differ; cast one", l.dtype, r.dtype)));
        }
        Class::Number.check("convolve", l.dtype)?;
        let (Some((m, batch)), Some((n, other))) = (l.shape.split_last(), r.shape.split_last()) else {
            return Err(Error::shape("convolve", format!("needs an axis on both sides, got {} and {}", l.shape, r.shape)));
        };
        if !g.equal_shapes(batch, other) {
            return Err(Error::shape("convolve", format!("batches of {} and {} differ", l.shape, r.shape)));
        }
        let one = Dim::Const(1);
        if !g.at_least(m, &one) || !g.at_least(n, &one) {
            return Err(Error::value("convolve", "needs at least one element on both sides"));
        }
        let last = &(m + n) - &one;
        Ok(vec![Aval { dtype: l.dtype, shape: batch.iter().cloned().chain([last]).collect() }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let left = t[0].map(|t| r.b.emit_one(Self.into(), &[t, r.inputs[1]]));
        let right = t[1].map(|t| r.b.emit_one(Self.into(), &[r.inputs[0], t]));
        Ok(vec![match (left, right) {
            (Some(a), Some(b)) => Some((r.expr(a) + r.expr(b)).val()),
            (a, b) => a.or(b),
        }])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        // The correlation of ct with the other side: where that lies wholly inside ct.
        let side = |i: usize, other: Expr<'_>| -> Result<Val> {
            let size = |a: &Aval| a.shape.last().and_then(Dim::as_const);
            let sizes = size(&r.avals[i]).zip(size(&other.aval()));
            let (m, n) = sizes.ok_or_else(|| Error::shape("convolve", "the derivative needs numeric sizes"))?;
            let axis = ct.aval().rank() - 1;
            let turned = reverse(&other.conj(), &[axis])?;
            Ok(slice_axis(&apply(Self, &ct, &[&turned])?, axis, n - 1, n - 1 + m)?.val())
        };
        let x = linear[0].then(|| side(0, r.x(1))).transpose()?;
        let y = linear[1].then(|| side(1, r.x(0))).transpose()?;
        Ok(vec![x, y])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let args = with_batch(r, batched, &[])?;
        Ok(vec![(r.b.emit_one(Self.into(), &args), true)])
    }
}

/// Which part of a convolution is wanted, of m and n elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvolveMode {
    /// All m + n − 1.
    Full,
    /// The middle max(m, n).
    Same,
    /// The max(m, n) − min(m, n) + 1 where both overlap wholly.
    Valid,
}

/// The convolution of two 1-D arrays; dtypes promote.
///
/// # Errors
/// `Shape` if one is not 1-D; `Value` if one is empty.
pub fn convolve<V: Value>(x: &V, y: &V, mode: ConvolveMode) -> Result<V> {
    let (a, b) = (x.aval(), y.aval());
    let [m, n] = [&a, &b].map(|a| if a.rank() == 1 { a.shape[0].as_const() } else { None });
    let (Some(m), Some(n)) = (m, n) else {
        return Err(Error::shape("convolve", format!("needs two 1-D arrays of numeric sizes, got {} and {}", a.shape, b.shape)));
    };
    let dtype = a.dtype.promote(b.dtype);
    let full = apply(Convolve, &cast(x, dtype)?, &[&cast(y, dtype)?])?;
    let (long, short) = (m.max(n), m.min(n));
    match mode {
        ConvolveMode::Full => Ok(full),
        ConvolveMode::Same => slice_axis(&full, 0, (short - 1) / 2, (short - 1) / 2 + long),
        ConvolveMode::Valid => slice_axis(&full, 0, short - 1, long),
    }
}
