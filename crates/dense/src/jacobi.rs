//! One-sided Jacobi SVD (Hestenes, J. SIAM 6, 51, 1958): for small matrices, and the last resort for
//! others.

use crate::scalar::{RealScalar, Scalar};
use crate::simd::{dispatched, dot, norm2};

/// Sweeps over all pairs of columns; 6 to 10 are usual.
const SWEEPS: usize = 60;

/// Factors `w` (p×q, q ≤ p, column-major, entries at most about 1) in place: columns of `w`
/// become U, `v` (q×q) V, `s` the singular values in descending order. False if some pair of
/// columns is still not orthogonal after the last sweep.
pub(crate) fn jacobi_svd<T: Scalar>(w: &mut [T], p: usize, q: usize, s: &mut [T::Real], v: &mut [T]) -> bool {
    for (j, column) in v.chunks_exact_mut(q).enumerate() {
        column.fill(T::ZERO);
        column[j] = T::ONE;
    }
    if !(0..SWEEPS).any(|_| sweep(w, p, q, v)) {
        return false;
    }
    for (s, column) in s.iter_mut().zip(w.chunks_exact(p)) {
        *s = norm2(column).sqrt();
    }
    sort(w, p, q, s, v);
    for j in 0..q {
        if s[j] * s[j] < smallest_square::<T::Real>() {
            s[j] = T::Real::ZERO;
            complete(w, p, j);
        } else {
            let inverse = T::Real::ONE / s[j];
            for x in &mut w[j * p..(j + 1) * p] {
                *x = x.scale(inverse);
            }
        }
    }
    s.iter().all(|s| s.finite())
}

/// Squared norms below this are inexact; such columns count as zero.
fn smallest_square<R: RealScalar>() -> R {
    R::MIN_NORMAL / R::EPS
}

dispatched! {
    /// Rotates every pair of columns to orthogonality; true if none needed it.
    fn sweep<T: Scalar>(w: &mut [T], p: usize, q: usize, v: &mut [T]) -> bool = sweep_body;
}

#[inline(always)]
fn sweep_body<T: Scalar>(w: &mut [T], p: usize, q: usize, v: &mut [T]) -> bool {
    let mut quiet = true;
    for j in 1..q {
        for i in 0..j {
            let (x, y) = pair(w, p, i, j);
            let (a, b) = (norm2(x), norm2(y));
            if a < smallest_square() || b < smallest_square() {
                continue;
            }
            // The cosine of the angle; norms are divided out one by one against underflow.
            let (a, b) = (a.sqrt(), b.sqrt());
            let cosine = dot(x, y).scale(T::Real::ONE / a).scale(T::Real::ONE / b);
            let size = cosine.abs2().sqrt();
            if size <= T::Real::EPS * T::Real::from_f64(2.0 * (p as f64).sqrt()) {
                continue;
            }
            quiet = false;
            let phase = cosine.scale(T::Real::ONE / size);
            let zeta = (b / a - a / b) / (size + size);
            let t = tangent(zeta);
            let cos = T::Real::ONE / (T::Real::ONE + t * t).sqrt();
            rotate(x, y, cos, phase.scale(cos * t));
            let (x, y) = pair(v, q, i, j);
            rotate(x, y, cos, phase.scale(cos * t));
        }
    }
    quiet
}

/// The smaller root of t² + 2ζt = 1, without overflow.
#[inline(always)]
pub(crate) fn tangent<R: RealScalar>(zeta: R) -> R {
    let size = zeta.abs();
    let t = if size > R::ONE / R::EPS { R::ONE / (size + size) } else { R::ONE / (size + (R::ONE + size * size).sqrt()) };
    if zeta < R::ZERO { -t } else { t }
}

/// Columns i < j.
#[inline(always)]
pub(crate) fn pair<T>(a: &mut [T], p: usize, i: usize, j: usize) -> (&mut [T], &mut [T]) {
    let (left, right) = a.split_at_mut(j * p);
    (&mut left[i * p..(i + 1) * p], &mut right[..p])
}

/// (x, y) = (cos x − conj(sin) y, sin x + cos y).
#[inline(always)]
pub(crate) fn rotate<T: Scalar>(x: &mut [T], y: &mut [T], cos: T::Real, sin: T) {
    for (x, y) in x.iter_mut().zip(y) {
        let old = *x;
        *x = old.scale(cos) - sin.conj() * *y;
        *y = sin * old + y.scale(cos);
    }
}

/// Selection sort, descending: at most q swaps of columns.
fn sort<T: Scalar>(w: &mut [T], p: usize, q: usize, s: &mut [T::Real], v: &mut [T]) {
    for i in 0..q {
        let mut best = i;
        for j in i + 1..q {
            if s[j] > s[best] {
                best = j;
            }
        }
        if best != i {
            s.swap(i, best);
            for (a, rows) in [(&mut *w, p), (&mut *v, q)] {
                let (x, y) = pair(a, rows, i, best);
                x.swap_with_slice(y);
            }
        }
    }
}

/// Makes column j a unit vector orthogonal to columns before it.
fn complete<T: Scalar>(w: &mut [T], p: usize, j: usize) {
    let (before, rest) = w.split_at_mut(j * p);
    let column = &mut rest[..p];
    for unit in 0..p {
        column.fill(T::ZERO);
        column[unit] = T::ONE;
        // Twice is enough.
        for _ in 0..2 {
            for other in before.chunks_exact(p) {
                let along = dot(other, column);
                crate::simd::axpy(-along, other, column);
            }
        }
        let norm = norm2(column).sqrt();
        // Some unit vector keeps at least 1/sqrt(p) of its length.
        if norm * T::Real::from_f64(2.0 * (p as f64).sqrt()) > T::Real::ONE {
            for x in column.iter_mut() {
                *x = x.scale(T::Real::ONE / norm);
            }
            return;
        }
    }
}
