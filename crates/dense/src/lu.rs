//! The LU normaliser: a basis of the same span, well enough conditioned for the next power step.

use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::simd::{axpy, dispatched};
use crate::view::{MatMut, MatRef};

/// Columns factored by plain loops before the rest is updated by products.
const PANEL: usize = 8;

/// Replaces `a` (p×q, q ≤ p, column-major) by the unit lower trapezoid of its LU factorization
/// with partial pivoting, rows in their old places: the same span, in a third of the time of QR.
/// A column that depends on earlier ones becomes a unit vector. `pivots` holds q row numbers,
/// `panel` p×8 elements.
pub(crate) fn lu_normalise<T: Scalar>(a: &mut [T], p: usize, q: usize, pivots: &mut [usize], panel: &mut [T]) {
    for start in (0..q).step_by(PANEL) {
        let nb = PANEL.min(q - start);
        eliminate(a, p, start, &mut pivots[start..start + nb]);
        swap_rows(a, p, q, start, &pivots[start..start + nb]);
        update(a, p, q, start, nb, panel);
    }
    for (j, column) in a.chunks_exact_mut(p).enumerate() {
        column[..j].fill(T::ZERO);
        column[j] = T::ONE;
    }
    for (j, pivot) in pivots[..q].iter().enumerate().rev() {
        for column in a.chunks_exact_mut(p) {
            column.swap(j, *pivot);
        }
    }
}

dispatched! {
    /// Factors columns `start ..` of one panel, swapping rows inside the panel only.
    fn eliminate<T: Scalar>(a: &mut [T], p: usize, start: usize, pivots: &mut [usize]) = eliminate_body;
}

#[inline(always)]
fn eliminate_body<T: Scalar>(a: &mut [T], p: usize, start: usize, pivots: &mut [usize]) {
    let nb = pivots.len();
    let columns = &mut a[start * p..(start + nb) * p];
    for j in 0..nb {
        let row = start + j;
        let pivot = row + largest_at(&columns[j * p + row..(j + 1) * p]);
        pivots[j] = pivot;
        for column in columns.chunks_exact_mut(p) {
            column.swap(row, pivot);
        }
        let (head, rest) = columns.split_at_mut((j + 1) * p);
        let (top, below) = head[j * p + row..].split_at_mut(1);
        let size2 = top[0].abs2();
        // A pivot whose reciprocal could overflow stands for an empty column.
        if size2 <= T::Real::MIN_NORMAL / T::Real::EPS {
            below.fill(T::ZERO);
            continue;
        }
        let inverse = top[0].conj().scale(T::Real::ONE / size2);
        for x in below.iter_mut() {
            *x = *x * inverse;
        }
        for column in rest.chunks_exact_mut(p) {
            let (top, lower) = column[row..].split_at_mut(1);
            axpy(-top[0], below, lower);
        }
    }
}

/// Where |x|² is largest.
#[inline(always)]
fn largest_at<T: Scalar>(x: &[T]) -> usize {
    let (mut at, mut max) = (0, T::Real::ZERO);
    for (i, x) in x.iter().enumerate() {
        let size = x.abs2();
        if size > max {
            (at, max) = (i, size);
        }
    }
    at
}

/// Repeats the swaps of a panel in all other columns.
fn swap_rows<T: Scalar>(a: &mut [T], p: usize, q: usize, start: usize, pivots: &[usize]) {
    let inside = start..start + pivots.len();
    for j in (0..q).filter(|j| !inside.contains(j)) {
        let column = &mut a[j * p..(j + 1) * p];
        for (i, pivot) in pivots.iter().enumerate() {
            column.swap(start + i, *pivot);
        }
    }
}

/// Eliminates a panel from the columns to its right.
fn update<T: Scalar>(a: &mut [T], p: usize, q: usize, start: usize, nb: usize, panel: &mut [T]) {
    let (left, right) = a.split_at_mut((start + nb) * p);
    let columns = q - start - nb;
    if columns == 0 {
        return;
    }
    let left = &left[start * p..];
    // Forward substitution with the unit lower triangle; -U is kept for the product.
    for (j, column) in right[..columns * p].chunks_exact_mut(p).enumerate() {
        for l in 0..nb {
            let x = column[start + l];
            for i in l + 1..nb {
                column[start + i] -= left[l * p + start + i] * x;
            }
        }
        panel[j * nb..(j + 1) * nb].copy_from_slice(&column[start..start + nb]);
    }
    let u = MatRef::col_major(panel, nb, columns);
    let below = MatMut::col_major(right, p, columns).rows_range(start + nb, p);
    let l = MatRef::col_major(left, p, nb).rows_range(start + nb, p);
    add_product(below, true, l, false, u, false, -T::ONE);
}
