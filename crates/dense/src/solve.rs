//! The adjoint system of a (truncated) SVD: the part of a derivative outside the kept space.

use crate::error::{DenseError, require};
use crate::gemm::add_product;
use crate::precondition::{Known, Pair};
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{copy_scaled, largest, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::svd::{svd, svd_scratch};
use crate::view::{MatMut, MatRef};

/// Steps with the extra triplets before the full SVD is taken.
const CAP: usize = 30;
/// Steps after it: the first is exact but for rounding.
const REFINE: usize = 4;

/// What [`svd_solve`] did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveInfo {
    /// Fixed-point steps, those with the full SVD included.
    pub steps: usize,
    /// Norm of the last residual over that of the right side.
    pub residual: f64,
    /// Whether the full SVD was needed.
    pub direct: bool,
    /// Whether some kept singular value equals (to 1e-10 s₀, f32 1e-4) one that was cut off, so
    /// that the kept space is not determined and the singular part was projected out. Ties at
    /// zero do not count.
    pub cut_multiplet: bool,
}

/// Bytes of scratch that [`svd_solve`] needs for an m×n matrix.
pub fn svd_solve_scratch<T: Scalar>(m: usize, n: usize, k: usize, extra: usize) -> usize {
    let q = m.min(n);
    let arrays = Pair::<T>::bytes(m, n, k).saturating_mul(4);
    let small = bytes::<T>(q.max(k).max(extra), k).saturating_mul(4);
    let direct = if k == q {
        0
    } else {
        let factors = [bytes::<T>(m, n), bytes::<T>(m, q), bytes::<T>(q, n), bytes::<T>(q, 1)];
        total(&factors).saturating_add(bytes::<u8>(svd_scratch::<T>(m, n), 1))
    };
    total(&[arrays, small, bytes::<T>(k, 1), bytes::<T>(extra, 1), bytes::<T>(m, n), direct])
}

/// Solves `x·s − P a Q y = P r1` and `y·s − Q a* P x = Q r2` with `P = 1 − u u*`, `Q = 1 − v v*`
/// and `s` the diagonal of kept singular values; the solution has `x ⟂ u` and `y ⟂ v`.
///
/// `a` is m×n with the kept triplets `u` (m×k), `s`, `vh` (k×n) and the next ones `ue`, `se`,
/// `vhe` as [`crate::svd_trunc`] gives them (there may be none); `r1` and `x` are m×k, `r2` and
/// `y` n×k. The map from `(r1, r2)` to `(x, y)` is linear and self-adjoint. It is the exact
/// derivative outside the kept space of a truncated SVD (Francuz, Schuch, Vanhecke, Phys. Rev.
/// Research 7, 013237, 2025); for k = min(m, n) it is a division by `s`.
///
/// A fixed-point iteration on the true residual, preconditioned by the extra triplets; if it is
/// slow, by the full SVD of `P a Q`. Where a pair of singular values is equal the singular part
/// is left out, as it is where a kept singular value is 0. Scale-free. A right side with NaN or
/// infinity gives NaN.
///
/// Errors as [`crate::svd`]; `scratch` is [`svd_solve_scratch`] bytes.
pub fn svd_solve<T: Scalar>(
    a: MatRef<'_, T>,
    u: MatRef<'_, T>,
    s: &[T::Real],
    vh: MatRef<'_, T>,
    ue: MatRef<'_, T>,
    se: &[T::Real],
    vhe: MatRef<'_, T>,
    r1: MatRef<'_, T>,
    r2: MatRef<'_, T>,
    mut x: MatMut<'_, T>,
    mut y: MatMut<'_, T>,
    scratch: &mut [u8],
) -> Result<SolveInfo, DenseError> {
    let (m, n, k, extra) = (a.rows, a.cols, s.len(), se.len());
    let q = m.min(n);
    require(k <= q && extra <= q - k, "k + extra must be at most min(m, n)")?;
    require(u.rows == m && u.cols == k, "u must be (m, k)")?;
    require(vh.rows == k && vh.cols == n, "vh must be (k, n)")?;
    require(ue.rows == m && ue.cols == extra, "ue must be (m, extra)")?;
    require(vhe.rows == extra && vhe.cols == n, "vhe must be (extra, n)")?;
    require(r1.rows == m && r1.cols == k && x.rows == m && x.cols == k, "r1, x must be (m, k)")?;
    require(r2.rows == n && r2.cols == k && y.rows == n && y.cols == k, "r2, y must be (n, k)")?;
    let mut info = SolveInfo { steps: 0, residual: 0.0, direct: false, cut_multiplet: false };
    if k == 0 {
        return Ok(info);
    }
    let mut scratch = Scratch::new(scratch, svd_solve_scratch::<T>(m, n, k, extra))?;
    let (max1, finite1) = largest(r1);
    let (max2, finite2) = largest(r2);
    let max = max1.larger(max2);
    let top = s[0];
    if !finite1 || !finite2 || !top.finite() {
        store_nan(x.rb_mut());
        store_nan(y.rb_mut());
        info.residual = f64::NAN;
        return Ok(info);
    }
    if max == T::Real::ZERO || top == T::Real::ZERO {
        x.fill_with(|_, _| T::ZERO);
        y.fill_with(|_, _| T::ZERO);
        return Ok(info);
    }

    // With a and s divided by 2^e and the right side by 2^g the solution is 2^(e−g) too small.
    let (e, g) = (top.exponent(), max.exponent());
    let scaled = scratch.take(m, n)?;
    let values: &mut [T::Real] = scratch.take(k, 1)?;
    let extras: &mut [T::Real] = scratch.take(extra, 1)?;
    values.iter_mut().zip(s).for_each(|(to, from)| *to = from.times_power(-e));
    extras.iter_mut().zip(se).for_each(|(to, from)| *to = from.times_power(-e));
    let (a, factor) = if e.abs() > T::Real::SAFE_EXPONENT {
        copy_scaled(scaled, a, -e);
        (MatRef::col_major(scaled, m, n), T::Real::ONE)
    } else {
        (a, T::Real::power_of_two(-e))
    };
    let right = Pair::take(m, n, k, &mut scratch)?;
    copy_scaled(right.x, r1, -g);
    copy_scaled(right.y, r2, -g);
    let kept = Known { u, s: values, vh };
    let system = System { a, factor: T::new(factor, T::Real::ZERO), kept };
    let solution = system.solve(&Known { u: ue, s: extras, vh: vhe }, right, &mut info, scratch)?;
    let back = |z: T| T::new(z.re().times_power(g - e), z.im().times_power(g - e));
    let (from_x, from_y) = (solution.x, solution.y);
    x.fill_with(|i, j| back(from_x[j * m + i]));
    y.fill_with(|i, j| back(from_y[j * n + i]));
    Ok(info)
}

/// The operator, with singular values near 1.
struct System<'a, T: Scalar> {
    a: MatRef<'a, T>,
    /// What `a` still has to be multiplied with.
    factor: T,
    kept: Known<'a, T>,
}

impl<T: Scalar> System<'_, T> {
    fn solve<'b>(
        &self,
        extras: &Known<'_, T>,
        mut right: Pair<'b, T>,
        info: &mut SolveInfo,
        mut scratch: Scratch<'b>,
    ) -> Result<Pair<'b, T>, DenseError> {
        let (m, n, k) = (self.a.rows, self.a.cols, self.kept.s.len());
        let q = m.min(n);
        let mut solution = Pair::take(m, n, k, &mut scratch)?;
        let mut error = Pair::take(m, n, k, &mut scratch)?;
        let rows = q.max(k).max(extras.s.len());
        let mut work = [scratch.take(rows, k)?, scratch.take(rows, k)?, scratch.take(rows, k)?, scratch.take(rows, k)?];
        self.kept.project_out(&mut right, &mut work);
        // A projection to nothing leaves rounding noise, which 1/s would amplify.
        if k == m {
            right.x.fill(T::ZERO);
        }
        if k == n {
            right.y.fill(T::ZERO);
        }
        let done = self.iterate(extras, &right, &mut solution, &mut error, &mut work, CAP, info);
        if done || k == q {
            // Rounding has brought in a little of the kept space.
            self.kept.project_out(&mut solution, &mut work);
            return Ok(solution);
        }
        info.direct = true;
        let s: &mut [T::Real] = scratch.take(q, 1)?;
        let u: &mut [T] = scratch.take(m, q)?;
        let vh: &mut [T] = scratch.take(q, n)?;
        let rest: &mut [T] = scratch.take(m, n)?;
        self.remainder(rest, &mut scratch)?;
        let bytes = scratch.take_bytes();
        let (left, right_vectors) = (MatMut::col_major(u, m, q), MatMut::col_major(vh, q, n));
        svd(MatRef::col_major(rest, m, n), Some(left), s, Some(right_vectors), true, bytes)?;
        // The last k values are the zeros that the projections made; their vectors may lie in
        // the kept space.
        let all = Known {
            u: MatRef::col_major(u, m, q).cols_range(0, q - k),
            s: &s[..q - k],
            vh: MatRef::col_major(vh, q, n).rows_range(0, q - k),
        };
        self.iterate(&all, &right, &mut solution, &mut error, &mut work, REFINE, info);
        self.kept.project_out(&mut solution, &mut work);
        Ok(solution)
    }

    /// `P a Q`, scaled, to `rest`.
    fn remainder(&self, rest: &mut [T], scratch: &mut Scratch<'_>) -> Result<(), DenseError> {
        let (m, n, k) = (self.a.rows, self.a.cols, self.kept.s.len());
        let mut room = scratch.lend();
        let strip: &mut [T] = room.take(m.max(n), k)?;
        MatMut::col_major(rest, m, n).fill_with(|i, j| self.factor * self.a.at(i, j));
        let mut b = MatMut::col_major(rest, m, n);
        let (u, vh) = (self.kept.u, self.kept.vh);
        let minus = -T::ONE;
        // b -= u (u* b), then b -= (b v) v*.
        let row = MatMut::col_major(strip, k, n);
        add_product(row, false, u.t(), true, b.rb(), false, T::ONE);
        add_product(b.rb_mut(), true, u, false, MatRef::col_major(strip, k, n), false, minus);
        let column = MatMut::col_major(strip, m, k);
        add_product(column, false, b.rb(), false, vh.t(), true, T::ONE);
        add_product(b, true, MatRef::col_major(strip, m, k), false, vh, false, minus);
        Ok(())
    }

    /// Fixed-point iteration from 0; true if it reached rounding level.
    fn iterate(
        &self,
        known: &Known<'_, T>,
        right: &Pair<'_, T>,
        solution: &mut Pair<'_, T>,
        error: &mut Pair<'_, T>,
        work: &mut [&mut [T]; 4],
        cap: usize,
        info: &mut SolveInfo,
    ) -> bool {
        let eps = T::Real::EPS.to_f64();
        solution.fill_zero();
        error.copy_from(right);
        let (mut first, mut last) = (0.0, f64::INFINITY);
        for step in 0..=cap {
            // `error` becomes the correction; `norm` is that of the part that counts.
            let (norm, cut) = known.precondition(self.kept.s, error, work);
            info.cut_multiplet |= cut;
            if step == 0 {
                first = norm;
            }
            info.residual = if first == 0.0 { 0.0 } else { norm / first };
            let floor = eps * (64.0 * first + 4.0 * solution.norm());
            if norm <= floor || (norm > 0.8 * last && norm <= 16.0 * floor) {
                return true;
            }
            let to_go = (floor / norm).ln() / (norm / last).ln();
            if step == cap || (step > 3 && !(norm < last && to_go < 2.0 * CAP as f64)) {
                return false;
            }
            last = norm;
            solution.add(error);
            info.steps += 1;
            self.residual(right, solution, error, work);
        }
        false
    }

    /// error = right − (x s − P a y, y s − Q a* x).
    fn residual(&self, right: &Pair<'_, T>, solution: &Pair<'_, T>, error: &mut Pair<'_, T>, work: &mut [&mut [T]; 4]) {
        let (m, n, k) = (self.a.rows, self.a.cols, self.kept.s.len());
        if k == m.min(n) {
            error.fill_zero();
        } else {
            let (x, y) = (MatRef::col_major(solution.x, m, k), MatRef::col_major(solution.y, n, k));
            let to_x = MatMut::col_major(error.x, m, k);
            add_product(to_x, false, self.a, false, y, false, self.factor);
            let to_y = MatMut::col_major(error.y, n, k);
            add_product(to_y, false, self.a.t(), true, x, false, self.factor);
            self.kept.project_out(error, work);
        }
        error.add(right);
        error.subtract_scaled(solution, self.kept.s);
    }
}
