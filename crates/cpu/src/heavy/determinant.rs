//! Determinants and adjugates.

use tenferro_dense::{MatMut, MatRef, RealScalar, Scalar, gemm, lu, lu_scratch, svd, svd_scratch};
use tenferro_graph::{Aval, Prim, Result};
use tenferro_linalg::{Adjugate, Det, SlogDet};

use super::factor::{Needs, as_vector, bytes_of, carve, carved, dims, elements, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View};

/// A product that cannot leave the range before its end: a number and a power of two.
#[derive(Clone, Copy)]
struct Product<T> {
    x: T,
    e: i32,
}

impl<T: Scalar> Product<T> {
    const ONE: Self = Self { x: T::ONE, e: 0 };

    fn times(self, by: T) -> Self {
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

    fn value(self) -> T {
        let end = 2 * T::Real::MIN_NORMAL.exponent().abs() - 8;
        self.x.power(self.e.clamp(-end, end))
    }
}

/// The product of a packed factorization's diagonal, with the sign of its exchanges.
fn product<T: Scalar>(packed: MatRef<'_, T>, odd: bool) -> Product<T> {
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

impl Routine for Adjugate {
    fn name(&self) -> &'static str {
        "det"
    }

    /// det(U) det(V\*) V diag(products of the other s) U\*.
    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> std::result::Result<(), Fault> {
        let a = at.get::<T>(0);
        let n = a.rows();
        let (u, scratch) = carve::<T>(scratch, n * n);
        let (vh, scratch) = carve::<T>(scratch, n * n);
        let (packed, scratch) = carve::<T>(scratch, n * n);
        let (s, scratch) = carve::<T::Real>(scratch, n);
        let (rows, scratch) = carve::<usize>(scratch, n);
        svd(a, Some(MatMut::col_major(u, n, n)), s, Some(MatMut::col_major(vh, n, n)), true, scratch)?;
        let mut phase = T::ONE;
        for factor in [&*u, &*vh] {
            let odd = lu(MatRef::col_major(factor, n, n), MatMut::col_major(packed, n, n), rows, false, scratch)?;
            phase = phase * product(MatRef::col_major(packed, n, n), odd).value();
        }
        for i in 0..n {
            let others = (0..n).filter(|j| *j != i).fold(Product::ONE, |p, j| p.times(s[j]));
            let by = phase.scale(others.value());
            for (k, x) in u[i * n..][..n].iter().enumerate() {
                // The column, conjugated, as a row.
                packed[k * n + i] = x.conj() * by;
            }
        }
        let v = MatRef::col_major(vh, n, n).t();
        gemm(at.set(1), v, true, MatRef::col_major(packed, n, n), false, false);
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

pub(crate) fn lower_adjugate(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (_, n) = dims("det", args)?;
    let square = n.saturating_mul(n);
    let scratch = bytes_of!(args[0].dtype, T => {
        let e = elements::<T>(square);
        carved(&[e, e, e, elements::<T>(n), 8 * n, svd_scratch::<T>(n, n).max(lu_scratch::<T>(n, n))])
    });
    let results = vec![result(p, &outs[0], true)?];
    let operands = args.iter().chain(&results).cloned().collect();
    plan(p, Adjugate, operands, &Needs { scratch, nanoseconds: 1.0 * (n as f64).powi(3), core: 2 })?;
    Ok(results)
}
