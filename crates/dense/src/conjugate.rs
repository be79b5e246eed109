//! Conjugate gradients on the adjoint system with y eliminated.
//!
//! With M = P a Q, y = (r2 + M* x)/s turns the system into (s² − M M*) x = s r1 + M r2, one
//! positive definite system a column. A step costs the two products of a fixed-point step and
//! gains the square of its rate over four: (t/2s)², t the largest value not known.

use crate::gemm::add_product;
use crate::precondition::{Pair, Preconditioner};
use crate::scalar::{RealScalar, Scalar};
use crate::simd::{axpy, dispatched, dot, norm2};
use crate::view::{MatMut, MatRef};

/// The matrix, with singular values near 1 when multiplied with `factor`.
#[derive(Clone, Copy)]
pub(crate) struct Operator<'a, T> {
    pub(crate) a: MatRef<'a, T>,
    pub(crate) factor: T,
}

impl<T: Scalar> Operator<'_, T> {
    /// `to = a y`, column-major.
    fn forward(&self, y: &[T], to: &mut [T]) {
        let (m, n) = (self.a.rows, self.a.cols);
        let columns = y.len() / n;
        let y = MatRef::col_major(y, n, columns);
        add_product(MatMut::col_major(to, m, columns), false, self.a, false, y, false, self.factor);
    }

    /// `to = a* x`, column-major.
    fn backward(&self, x: &[T], to: &mut [T]) {
        let (m, n) = (self.a.rows, self.a.cols);
        let columns = x.len() / m;
        let x = MatRef::col_major(x, m, columns);
        add_product(MatMut::col_major(to, n, columns), false, self.a.t(), true, x, false, self.factor);
    }
}

/// Work arrays: `r`, `z`, `p` m×k, `image` a pair, `small` (kept + known)×k, `energy` k.
pub(crate) struct Work<'a, T: Scalar> {
    pub(crate) r: &'a mut [T],
    pub(crate) z: &'a mut [T],
    pub(crate) p: &'a mut [T],
    pub(crate) image: Pair<'a, T>,
    pub(crate) small: &'a mut [T],
    pub(crate) energy: &'a mut [T::Real],
}

/// How it ended.
pub(crate) struct Outcome {
    pub(crate) converged: bool,
    pub(crate) steps: usize,
    /// Norm of the last residual over that of the right side, as the preconditioner measures it.
    pub(crate) residual: f64,
}

/// One column of everything.
pub(crate) struct Column<'a, T> {
    r: &'a mut [T],
    p: &'a [T],
    image_x: &'a mut [T],
    image_y: &'a [T],
    x: &'a mut [T],
    y: &'a mut [T],
}

/// Solves for `solution.x`, and `solution.y` = a* x beside it; both start with the part in the
/// span of ties, where the inverse is 0. `right` is projected; there are as many columns as
/// values in `inverse`. Gives up after `cap` steps, or when it sees that they will not do.
pub(crate) fn solve<T: Scalar>(
    operator: Operator<'_, T>,
    inverse: &Preconditioner<'_, T>,
    right: &Pair<'_, T>,
    solution: &mut Pair<'_, T>,
    work: &mut Work<'_, T>,
    cap: usize,
) -> Outcome {
    let (m, k) = (solution.m, inverse.s.len());
    let mut out = Outcome { converged: false, steps: 0, residual: 0.0 };
    let first = right.norm();
    begin(operator, inverse, right, work);
    let eps = T::Real::EPS.to_f64();
    // Residual of column j over what rounding leaves of it.
    let excess = |energy: &[T::Real], x: &[T], j: usize| {
        let size = norm2(&x[j * m..(j + 1) * m]).to_f64().sqrt();
        energy[j].to_f64().max(0.0).sqrt() / (eps * (16.0 * first + 2.0 * size))
    };
    let (mut from, mut start) = (0, 0.0);
    loop {
        // The leading columns converge first.
        while from < k && excess(work.energy, solution.x, from) <= 1.0 {
            from += 1;
        }
        let worst = (from..k).map(|j| excess(work.energy, solution.x, j)).fold(0.0, f64::max);
        let sum: f64 = work.energy[..k].iter().map(|e| e.to_f64().max(0.0)).sum();
        out.residual = if first == 0.0 { 0.0 } else { sum.sqrt() / first };
        if out.steps == 0 {
            start = worst;
        }
        // Larger than any gap allows that does not count as a tie: there is one that is not known.
        let bound = 2.0 * first / (T::Real::GAP * inverse.s[0]).to_f64();
        let tied = norm2(&solution.x[..k * m]).to_f64().sqrt() > bound;
        out.converged = worst <= 1.0 && !tied;
        if out.converged || tied || hopeless(start, worst, out.steps, cap) {
            return out;
        }
        step(operator, inverse, solution, work, from);
        out.steps += 1;
    }
}

/// The residual s r1 + M r2, the first direction and its energy. (Ties are no part of it: what
/// `solution` holds of them satisfies its equation.)
fn begin<T: Scalar>(operator: Operator<'_, T>, inverse: &Preconditioner<'_, T>, right: &Pair<'_, T>, work: &mut Work<'_, T>) {
    let (m, n, k) = (right.m, right.n, inverse.s.len());
    operator.forward(&right.y[..k * n], &mut work.r[..k * m]);
    for (j, s) in inverse.s.iter().enumerate() {
        let s = T::new(*s, T::Real::ZERO);
        axpy(s, &right.x[j * m..(j + 1) * m], &mut work.r[j * m..(j + 1) * m]);
    }
    inverse.apply(work.r, work.z, 0, work.small);
    work.p[..k * m].copy_from_slice(&work.z[..k * m]);
    for j in 0..k {
        work.energy[j] = inner(&work.r[j * m..(j + 1) * m], &work.z[j * m..(j + 1) * m]);
    }
}

/// One step of columns `from ..`.
fn step<T: Scalar>(
    operator: Operator<'_, T>,
    inverse: &Preconditioner<'_, T>,
    solution: &mut Pair<'_, T>,
    work: &mut Work<'_, T>,
    from: usize,
) {
    let (m, n, k) = (solution.m, solution.n, inverse.s.len());
    operator.backward(&work.p[from * m..k * m], &mut work.image.y[from * n..k * n]);
    operator.forward(&work.image.y[from * n..k * n], &mut work.image.x[from * m..k * m]);
    for j in from..k {
        let (tall, wide) = (j * m..(j + 1) * m, j * n..(j + 1) * n);
        let column = Column {
            r: &mut work.r[tall.clone()],
            p: &work.p[tall.clone()],
            image_x: &mut work.image.x[tall.clone()],
            image_y: &work.image.y[wide.clone()],
            x: &mut solution.x[tall],
            y: &mut solution.y[wide],
        };
        advance(column, inverse.s[j] * inverse.s[j], work.energy[j]);
    }
    inverse.apply(work.r, work.z, from, work.small);
    for j in from..k {
        let tall = j * m..(j + 1) * m;
        let (r, z, p) = (&work.r[tall.clone()], &work.z[tall.clone()], &mut work.p[tall]);
        work.energy[j] = turn(r, z, p, work.energy[j]);
    }
}

/// Whether the mean rate so far says that `cap` steps will not do.
fn hopeless(start: f64, now: f64, step: usize, cap: usize) -> bool {
    if step >= cap || !now.is_finite() {
        return true;
    }
    let rate = (now / start).ln() / step as f64;
    step > 3 && !(rate < 0.0 && -now.ln() / rate <= (cap - step) as f64)
}

dispatched! {
    /// Moves x along p to where the energy is least. A direction without curvature (rounding
    /// noise: the system is definite) takes the step of the preconditioner.
    fn advance<T: Scalar>(c: Column<'_, T>, s2: T::Real, energy: T::Real) = advance_body;
}

#[inline(always)]
fn advance_body<T: Scalar>(c: Column<'_, T>, s2: T::Real, energy: T::Real) {
    if energy <= T::Real::ZERO {
        return;
    }
    c.image_x.iter_mut().zip(c.p).for_each(|(q, p)| *q = p.scale(s2) - *q);
    let curvature = dot(c.p, c.image_x).re();
    let step = if curvature > T::Real::ZERO { energy / curvature } else { T::Real::ONE };
    let step = T::new(step, T::Real::ZERO);
    axpy(step, c.p, c.x);
    axpy(step, c.image_y, c.y);
    axpy(-step, c.image_x, c.r);
}

dispatched! {
    /// The next direction, z made conjugate to p, and the next energy.
    fn turn<T: Scalar>(r: &[T], z: &[T], p: &mut [T], energy: T::Real) -> T::Real = turn_body;
}

#[inline(always)]
fn turn_body<T: Scalar>(r: &[T], z: &[T], p: &mut [T], energy: T::Real) -> T::Real {
    let next = inner(r, z);
    let by = if energy > T::Real::ZERO { next / energy } else { T::Real::ZERO };
    p.iter_mut().zip(z).for_each(|(p, z)| *p = *z + p.scale(by));
    next
}

#[inline(always)]
fn inner<T: Scalar>(x: &[T], y: &[T]) -> T::Real {
    dot(x, y).re()
}
