//! Determinants.

use tenferro_dense::{MatRef, RealScalar, Scalar};
use tenferro_graph::{Aval, Prim, Result};
use tenferro_linalg::{Det, SlogDet};

use super::factor::{Needs, as_vector, dims, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View};

/// A product that cannot leave the range before its end: a number and a power of two.
#[derive(Clone, Copy)]
pub(super) struct Product<T> {
    x: T,
    e: i32,
}

impl<T: Scalar> Product<T> {
    pub const ONE: Self = Self { x: T::ONE, e: 0 };

    pub fn times(self, by: T) -> Self {
        // Both factors near 1 first: their exponents are added.
        let apart = |x: T| {
            let size = x.abs1();
            if size > T::Real::ZERO && size.finite() { size.exponent() } else { 0 }
        };
        let e = apart(by);
        let x = self.x * by.power(-e);
        let carry = apart(x);
        Self { x: x.power(-carry), e: self.e.saturating_add(e).saturating_add(carry) }
    }

    pub fn join(self, other: Self) -> Self {
        let p = self.times(other.x);
        Self { e: p.e.saturating_add(other.e), ..p }
    }

    pub fn value(self) -> T {
        let end = 2 * T::Real::MIN_NORMAL.exponent().abs() - 8;
        self.x.power(self.e.clamp(-end, end))
    }
}

/// The product of a packed factorization's diagonal, with the sign of its exchanges.
pub(super) fn product<T: Scalar>(packed: MatRef<'_, T>, odd: bool) -> Product<T> {
    let start = if odd { Product { x: -T::ONE, e: 0 } } else { Product::ONE };
    (0..packed.rows()).fold(start, |p, i| p.times(packed.at(i, i)))
}

fn is_odd(pivots: &[i64]) -> bool {
    pivots.iter().enumerate().fold(false, |odd, (i, p)| odd ^ (i as i64 != *p))
}

impl Routine for Det {
    fn name(&self) -> &'static str {
        "det"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> std::result::Result<(), Fault> {
        *at.number_mut(3) = product::<T>(at.get(1), is_odd(at.values(2))).value();
        Ok(())
    }
}

impl Routine for SlogDet {
    fn name(&self) -> &'static str {
        "slogdet"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> std::result::Result<(), Fault> {
        let packed = at.get::<T>(1);
        let mut sign = if is_odd(at.values(2)) { -T::ONE } else { T::ONE };
        let mut log = 0.0;
        for i in 0..packed.rows() {
            let d = packed.at(i, i);
            let e = if d.abs1() > T::Real::ZERO { d.abs1().exponent() } else { 0 };
            let near = d.power(-e);
            let size = near.re().to_f64().hypot(near.im().to_f64());
            log += size.ln() + f64::from(e) * std::f64::consts::LN_2;
            sign = if size == 0.0 { T::ZERO } else { sign * near.scale(T::Real::from_f64(1.0 / size)) };
        }
        *at.number_mut(3) = sign;
        *at.number_mut(4) = T::Real::from_f64(log);
        Ok(())
    }
}

fn numbers<R: Routine>(p: &mut dyn Planning, routine: R, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (_, n) = dims(routine.name(), args)?;
    let results: Vec<View> = outs.iter().map(|a| result(p, a, false)).collect::<Result<_>>()?;
    let mut operands = args.to_vec();
    operands[2] = as_vector(p, &args[2])?;
    operands.extend(results.iter().cloned());
    plan(p, routine, operands, &Needs { scratch: 0, nanoseconds: 10.0 * n as f64, core: 2 })?;
    Ok(results)
}

pub(crate) fn lower_det(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    numbers(p, Det, args, outs)
}

pub(crate) fn lower_slogdet(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    numbers(p, SlogDet, args, outs)
}
