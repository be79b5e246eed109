//! The adjoint system of a (truncated) SVD: the part of a derivative outside the kept space.

use crate::conjugate::{self, Operator, Work};
use crate::error::{DenseError, require};
use crate::gemm::add_product;
use crate::precondition::{Known, Pair, Preconditioner, tied};
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
    /// Steps of the iteration, those with the full SVD included.
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
    let known = if k == q { 0 } else { q };
    let arrays = Pair::<T>::bytes(m, n, k).saturating_mul(3).saturating_add(bytes::<T>(m, k).saturating_mul(3));
    let small = bytes::<T>(known.saturating_add(k), k).saturating_mul(2);
    let basis = bytes::<T>(m, known.saturating_add(k));
    let direct = if k == q {
        0
    } else {
        let factors = [bytes::<T>(m, n), bytes::<T>(q, n), bytes::<T>(q, 1)];
        total(&factors).saturating_add(bytes::<u8>(svd_scratch::<T>(m, n), 1))
    };
    let values = bytes::<T>(k, 1).saturating_mul(2).saturating_add(bytes::<T>(extra, 1));
    total(&[arrays, small, basis, values, bytes::<T>(m, n), direct])
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
/// Conjugate gradients after elimination of `y`, preconditioned by the extra triplets; if they
/// are slow, by the full SVD of `P a Q`. Where a pair of singular values is equal the singular part
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
    let system = System { operator: Operator { a, factor: T::new(factor, T::Real::ZERO) }, kept };
    let solution = system.solve(&Known { u: ue, s: extras, vh: vhe }, right, &mut info, scratch)?;
    let back = |z: T| T::new(z.re().times_power(g - e), z.im().times_power(g - e));
    let (from_x, from_y) = (solution.x, solution.y);
    x.fill_with(|i, j| back(from_x[j * m + i]));
    y.fill_with(|i, j| back(from_y[j * n + i]));
    Ok(info)
}

/// The matrix and what is kept of it.
struct System<'a, T: Scalar> {
    operator: Operator<'a, T>,
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
        let (m, n, k) = (right.m, right.n, self.kept.s.len());
        let q = m.min(n);
        let rows = if k == q { k } else { k + q };
        let mut small = [scratch.take(rows, k)?, scratch.take(rows, k)?];
        self.kept.project_out(&mut right, &mut small);
        // A projection to nothing leaves rounding noise, which 1/s would amplify.
        if k == m {
            right.x.fill(T::ZERO);
        }
        if k == n {
            right.y.fill(T::ZERO);
        }
        let mut solution = Pair::take(m, n, k, &mut scratch)?;
        // Kept values that are 0 stand at the end; their columns are left out.
        let live = self.kept.s.iter().take_while(|s| **s > T::Real::NULL * self.kept.s[0]).count();
        if k < q {
            let mut room = Room { basis: scratch.take(m, rows)?, small, work: work(m, n, k, &mut scratch)? };
            store(MatMut::col_major(room.basis, m, k), self.kept.u);
            store(MatMut::col_major(&mut room.basis[k * m..], m, extras.s.len()), extras.u);
            if !self.iterate(extras, live, &mut right, &mut solution, &mut room, CAP, info) {
                self.direct(live, &mut right, &mut solution, &mut room, info, &mut scratch)?;
            }
            small = room.small;
        } else {
            solution.y.fill(T::ZERO);
            solution.x.copy_from_slice(right.x);
        }
        // y = (r2 + a* x)/s; where k = q the products vanish.
        crate::simd::axpy(T::ONE, right.y, solution.y);
        for (j, s) in self.kept.s.iter().enumerate() {
            let inverse = if j < live { T::Real::ONE / *s } else { T::Real::ZERO };
            let y = &mut solution.y[j * n..(j + 1) * n];
            for y in y.iter_mut() {
                *y = y.scale(inverse);
            }
            if k == q || j >= live {
                let x = &mut solution.x[j * m..(j + 1) * m];
                for x in x.iter_mut() {
                    *x = x.scale(inverse);
                }
            }
        }
        // Rounding has brought in a little of the kept space.
        self.kept.project_out(&mut solution, &mut small);
        Ok(solution)
    }

    /// Conjugate gradients with these triplets, whose left vectors stand in the basis.
    fn iterate(
        &self,
        known: &Known<'_, T>,
        live: usize,
        right: &mut Pair<'_, T>,
        solution: &mut Pair<'_, T>,
        room: &mut Room<'_, T>,
        cap: usize,
        info: &mut SolveInfo,
    ) -> bool {
        let (m, k) = (solution.m, self.kept.s.len());
        solution.x.fill(T::ZERO);
        solution.y.fill(T::ZERO);
        info.cut_multiplet |= self.ties(known, live, right, solution, &mut room.small);
        let inverse = Preconditioner { basis: room.basis, m, kept: k, s: &self.kept.s[..live], t: known.s };
        room.work.small = std::mem::take(&mut room.small[0]);
        let out = conjugate::solve(self.operator, &inverse, right, solution, &mut room.work, cap);
        room.small[0] = std::mem::take(&mut room.work.small);
        info.steps += out.steps;
        info.residual = out.residual;
        out.converged
    }

    /// Where a known value t ties with a kept s, the system is s − t = 0 on (u, v) and s + t on
    /// (u, −v): the first part is taken out of the right side, the second solved. Returns whether
    /// there is a tie above 0.
    fn ties(
        &self,
        known: &Known<'_, T>,
        live: usize,
        right: &mut Pair<'_, T>,
        solution: &mut Pair<'_, T>,
        small: &mut [&mut [T]; 2],
    ) -> bool {
        let (s, rows) = (self.kept.s, known.s.len());
        let tie = |i: usize, j: usize| tied(s[j], known.s[i], s[0]);
        let last = s[..live].last().is_some_and(|s_last| known.s.iter().any(|t| tied(*s_last, *t, s[0]) || t > s_last));
        if !last {
            return false;
        }
        let half = T::Real::from_f64(0.5);
        let mut cut = false;
        known.coefficients(right, small);
        for j in 0..s.len() {
            for i in 0..rows {
                let at = j * rows + i;
                let plus = (small[0][at] + small[1][at]).scale(half);
                let singular = j < live && tie(i, j);
                cut |= singular && s[j] > T::Real::GAP * s[0];
                small[1][at] = if singular { plus } else { T::ZERO };
                small[0][at] = if singular { (small[0][at] - plus).scale(T::Real::ONE / (s[j] + known.s[i])) } else { T::ZERO };
            }
        }
        known.add(right, small[1], small[1], -T::ONE);
        for (t, i) in known.s.iter().zip(0..) {
            for j in 0..s.len() {
                small[1][j * rows + i] = small[0][j * rows + i].scale(*t);
            }
        }
        known.add(solution, small[0], small[1], T::ONE);
        cut
    }

    /// The same with all triplets of `P a Q`.
    fn direct(
        &self,
        live: usize,
        right: &mut Pair<'_, T>,
        solution: &mut Pair<'_, T>,
        room: &mut Room<'_, T>,
        info: &mut SolveInfo,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), DenseError> {
        let (m, n, k) = (solution.m, solution.n, self.kept.s.len());
        let q = m.min(n);
        info.direct = true;
        let s: &mut [T::Real] = scratch.take(q, 1)?;
        let vh: &mut [T] = scratch.take(q, n)?;
        let rest: &mut [T] = scratch.take(m, n)?;
        self.remainder(rest, scratch)?;
        let bytes = scratch.take_bytes();
        let left = MatMut::col_major(&mut room.basis[k * m..], m, q);
        svd(MatRef::col_major(rest, m, n), Some(left), s, Some(MatMut::col_major(vh, q, n)), true, bytes)?;
        // The last k values are the zeros that the projections made; their vectors may lie in
        // the kept space. `rest` holds the others, since the basis is lent elsewhere.
        rest[..m * (q - k)].copy_from_slice(&room.basis[k * m..m * q]);
        let all = Known { u: MatRef::col_major(rest, m, q - k), s: &s[..q - k], vh: MatRef::col_major(vh, q, n).rows_range(0, q - k) };
        self.iterate(&all, live, right, solution, room, REFINE, info);
        Ok(())
    }

    /// `P a Q`, scaled, to `rest`.
    fn remainder(&self, rest: &mut [T], scratch: &mut Scratch<'_>) -> Result<(), DenseError> {
        let (m, n, k) = (self.operator.a.rows, self.operator.a.cols, self.kept.s.len());
        let mut room = scratch.lend();
        let strip: &mut [T] = room.take(m.max(n), k)?;
        MatMut::col_major(rest, m, n).fill_with(|i, j| self.operator.factor * self.operator.a.at(i, j));
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
}

/// Arrays that both attempts use.
struct Room<'a, T: Scalar> {
    /// Left vectors: kept, then known.
    basis: &'a mut [T],
    small: [&'a mut [T]; 2],
    work: Work<'a, T>,
}

fn work<'a, T: Scalar>(m: usize, n: usize, k: usize, scratch: &mut Scratch<'a>) -> Result<Work<'a, T>, DenseError> {
    Ok(Work {
        r: scratch.take(m, k)?,
        z: scratch.take(m, k)?,
        p: scratch.take(m, k)?,
        image: Pair::take(m, n, k, scratch)?,
        small: &mut [],
        energy: scratch.take(k, 1)?,
    })
}

fn store<T: Scalar>(to: MatMut<'_, T>, from: MatRef<'_, T>) {
    to.fill_with(|i, j| from.at(i, j));
}
