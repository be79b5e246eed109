//! Axes in the opposite direction.

use tenferro_graph::{Aval, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};

use crate::emit::{Tangents, apply, arity, linear_jvp, map_ct};
use crate::reduce::normalise_axes;

/// The last element first along `axes` (sorted, distinct).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reverse {
    pub axes: Vec<usize>,
}

impl Primitive for Reverse {
    fn name(&self) -> &'static str {
        "reverse"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        arity::<1>("reverse", x)?;
        if let Some(a) = self.axes.iter().find(|a| **a >= x[0].rank()) {
            return Err(Error::index("reverse", format!("axis {a} is out of range for {} axes", x[0].rank())));
        }
        if !self.axes.windows(2).all(|w| w[0] < w[1]) {
            return Err(Error::value("reverse", format!("axes {:?} repeat or are not sorted", self.axes)));
        }
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(linear_jvp(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        Ok(map_ct(r, ct, |ct| ct.keep(reverse(&ct, &self.axes))))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        let axes = self.axes.iter().map(|a| a + 1).collect();
        Ok(vec![(r.b.emit_one(Self { axes }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usizes(&self.axes);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axes", format!("{:?}", self.axes))]
    }
}

/// The last element first along `axes`; `x` itself if there are none.
pub(crate) fn reverse<V: Value>(x: &V, axes: &[usize]) -> Result<V> {
    if axes.is_empty() {
        return Ok(x.clone());
    }
    let mut axes = axes.to_vec();
    axes.sort_unstable();
    apply(Reverse { axes }, x, &[])
}

/// The last element first along axes (all if `None`).
pub fn flip<V: Value>(x: &V, axes: Option<&[isize]>) -> Result<V> {
    reverse(x, &normalise_axes("flip", axes, x.aval().rank())?)
}
