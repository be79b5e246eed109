//! Gaussian elimination with partial pivoting, by recursive halving of the columns
//! (Toledo, SIAM J. Matrix Anal. Appl. 18, 1065, 1997).

use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::simd::{axpy, dispatched};
use crate::triangular::Triangle;
use crate::view::{MatMut, MatRef};

/// Columns factored by plain loops.
const PANEL: usize = 8;

/// Replaces `a` (p×q, column-major) by L (unit lower trapezoid) and U: row `pivots[j]` was
/// swapped with row j, for j up to min(p, q) in turn. A column that is 0 from its diagonal on is
/// passed over.
pub(crate) fn factor<T: Scalar>(a: &mut [T], p: usize, q: usize, pivots: &mut [usize]) {
    let k = p.min(q);
    columns(a, p, 0, &mut pivots[..k]);
    if q > k {
        let (left, right) = a.split_at_mut(k * p);
        swap_rows(right, p, 0, &pivots[..k]);
        UNIT_LOWER.solve(MatRef::col_major(left, p, k), MatMut::col_major(right, p, q - k));
    }
}

const UNIT_LOWER: Triangle = Triangle { lower: true, conj: false, unit: true };

/// Factors columns `start ..`, as many as there are pivots, from row `start` on; other columns
/// are not touched.
fn columns<T: Scalar>(a: &mut [T], p: usize, start: usize, pivots: &mut [usize]) {
    let count = pivots.len();
    if count <= PANEL {
        return eliminate(a, p, start, pivots);
    }
    let half = (count / 2).next_multiple_of(PANEL);
    let (first, second) = pivots.split_at_mut(half);
    columns(a, p, start, first);
    let (left, right) = a[start * p..].split_at_mut(half * p);
    let right = &mut right[..(count - half) * p];
    swap_rows(right, p, start, first);
    let left = MatRef::col_major(left, p, half);
    let right = MatMut::col_major(right, p, count - half).rows_range(start, p);
    let (mut top, below) = right.split_rows(half);
    UNIT_LOWER.solve(left.rows_range(start, start + half), top.rb_mut());
    add_product(below, true, left.rows_range(start + half, p), false, top.rb(), false, -T::ONE);
    columns(a, p, start + half, second);
    swap_rows(&mut a[start * p..(start + half) * p], p, start + half, second);
}

/// Replaces a factored `a` (p×q, q ≤ p) by L with rows in their old places: a basis of the span
/// that `a` had, well enough conditioned for the next power step, in a third of the time of QR.
pub(crate) fn unpermuted_lower<T: Scalar>(a: &mut [T], p: usize, pivots: &[usize]) {
    for (j, column) in a.chunks_exact_mut(p).enumerate() {
        column[..j].fill(T::ZERO);
        column[j] = T::ONE;
        for (i, pivot) in pivots.iter().enumerate().rev() {
            column.swap(i, *pivot);
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
        if top[0] == T::ZERO {
            continue;
        }
        let size2 = top[0].abs2();
        let safe = T::Real::MIN_NORMAL / T::Real::EPS;
        if size2 > safe && size2 < T::Real::ONE / safe {
            let inverse = top[0].conj().scale(T::Real::ONE / size2);
            for x in below.iter_mut() {
                *x = *x * inverse;
            }
        } else {
            for x in below.iter_mut() {
                *x = x.over(top[0]);
            }
        }
        for column in rest.chunks_exact_mut(p) {
            let (top, lower) = column[row..].split_at_mut(1);
            axpy(-top[0], below, lower);
        }
    }
}

/// Where |x| is largest: the first such place.
#[inline(always)]
fn largest_at<T: Scalar>(x: &[T]) -> usize {
    let (chunks, rest) = x.as_chunks::<8>();
    let mut tops = [T::Real::ZERO; 8];
    for x in chunks {
        for (top, x) in tops.iter_mut().zip(x) {
            *top = top.larger(x.abs1());
        }
    }
    let top = tops.into_iter().chain(rest.iter().map(|x| x.abs1())).fold(T::Real::ZERO, T::Real::larger);
    x.iter().position(|x| x.abs1() == top).unwrap_or(0)
}

/// Repeats swaps, the first of which is of row `start`, in other columns.
fn swap_rows<T: Scalar>(columns: &mut [T], p: usize, start: usize, pivots: &[usize]) {
    for column in columns.chunks_exact_mut(p) {
        for (i, pivot) in pivots.iter().enumerate() {
            column.swap(start + i, *pivot);
        }
    }
}
