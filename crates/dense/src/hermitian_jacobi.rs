//! Two-sided Jacobi rotations for Hermitian matrices (Golub and Van Loan, section 8.5): the
//! fastest way for small ones, and the last resort for others.

use crate::jacobi::{pair, rotate, tangent};
use crate::scalar::{RealScalar, Scalar};
use crate::simd::{dispatched, norm2};

/// Sweeps over all pairs; 4 to 10 are usual.
const SWEEPS: usize = 60;

/// Diagonalises the full Hermitian `a` (n×n, column-major, entries at most about 1) in place:
/// `w` gets the eigenvalues, ascending, `v` (n×n) the vectors. False if it does not converge.
pub(crate) fn jacobi_eigh<T: Scalar>(a: &mut [T], n: usize, w: &mut [T::Real], v: Option<&mut [T]>) -> bool {
    let mut empty = [];
    let v = v.unwrap_or(&mut empty);
    for (j, column) in v.chunks_exact_mut(n).enumerate() {
        column.fill(T::ZERO);
        column[j] = T::ONE;
    }
    // Where rounding hides an element.
    let small = norm2(a).sqrt() * T::Real::EPS * T::Real::from_f64(0.25 / n as f64);
    if !(0..SWEEPS).any(|_| sweep(a, n, v, small)) {
        return false;
    }
    for (j, w) in w.iter_mut().enumerate() {
        *w = a[j * n + j].re();
    }
    sort(w, v);
    w.iter().all(|w| w.finite())
}

dispatched! {
    /// Rotates away every element above the diagonal that is larger than `small`; true if none
    /// was.
    fn sweep<T: Scalar>(a: &mut [T], n: usize, v: &mut [T], small: T::Real) -> bool = sweep_body;
}

#[inline(always)]
fn sweep_body<T: Scalar>(a: &mut [T], n: usize, v: &mut [T], small: T::Real) -> bool {
    let mut quiet = true;
    for q in 1..n {
        for p in 0..q {
            let off = a[q * n + p];
            let size2 = off.abs2();
            if size2 <= small * small {
                continue;
            }
            quiet = false;
            let size = size2.sqrt();
            let (x, y) = (a[p * n + p].re(), a[q * n + q].re());
            let t = tangent((y - x) / (size + size));
            let cos = T::Real::ONE / (T::Real::ONE + t * t).sqrt();
            let sin = off.scale(cos * t / size);
            let (left, right) = pair(a, n, p, q);
            rotate(left, right, cos, sin);
            for column in a.chunks_exact_mut(n) {
                let (x, y) = (column[p], column[q]);
                column[p] = x.scale(cos) - sin * y;
                column[q] = sin.conj() * x + y.scale(cos);
            }
            a[q * n + p] = T::ZERO;
            a[p * n + q] = T::ZERO;
            a[p * n + p] = T::new(x - t * size, T::Real::ZERO);
            a[q * n + q] = T::new(y + t * size, T::Real::ZERO);
            if !v.is_empty() {
                let (left, right) = pair(v, n, p, q);
                rotate(left, right, cos, sin);
            }
        }
    }
    quiet
}

/// Insertion sort, ascending, columns of `v` along.
fn sort<T: Scalar>(w: &mut [T::Real], v: &mut [T]) {
    let n = w.len();
    for i in 1..n {
        let mut j = i;
        while j > 0 && w[j - 1] > w[j] {
            w.swap(j - 1, j);
            if !v.is_empty() {
                let (left, right) = pair(v, n, j - 1, j);
                left.swap_with_slice(right);
            }
            j -= 1;
        }
    }
}
