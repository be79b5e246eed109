//! Matrix products.

use crate::scalar::Scalar;
use crate::simd::dispatched;
use crate::view::{MatMut, MatRef};

/// Up to this size in every direction a kernel without packing or blocking wins.
const TINY: usize = 4;

/// `dst = lhs · rhs`, or `dst += lhs · rhs` if `accumulate`; each side is conjugated (not
/// transposed) if its flag says so.
///
/// `dst` is m×n, `lhs` m×p, `rhs` p×n, any of them may be 0; an empty sum is 0. Without
/// `accumulate` the old content of `dst` is never read. Panics if the shapes do not fit.
pub fn gemm<T: Scalar>(dst: MatMut<'_, T>, lhs: MatRef<'_, T>, conj_lhs: bool, rhs: MatRef<'_, T>, conj_rhs: bool, accumulate: bool) {
    assert!(
        dst.rows == lhs.rows && dst.cols == rhs.cols && lhs.cols == rhs.rows,
        "gemm: shapes do not fit, ({}, {}) = ({}, {}) · ({}, {})",
        dst.rows,
        dst.cols,
        lhs.rows,
        lhs.cols,
        rhs.rows,
        rhs.cols,
    );
    add_product(dst, accumulate, lhs, conj_lhs, rhs, conj_rhs, T::ONE);
}

/// `dst = [dst +] alpha · lhs · rhs` for shapes that are known to fit.
pub(crate) fn add_product<T: Scalar>(
    dst: MatMut<'_, T>,
    add: bool,
    lhs: MatRef<'_, T>,
    conj_lhs: bool,
    rhs: MatRef<'_, T>,
    conj_rhs: bool,
    alpha: T,
) {
    let (m, n, p) = (dst.rows, dst.cols, lhs.cols);
    if m == 0 || n == 0 {
        return;
    }
    if p == 0 {
        if !add {
            dst.fill_with(|_, _| T::ZERO);
        }
        return;
    }
    if m <= TINY && n <= TINY && p <= TINY {
        tiny(dst, add, lhs, conj_lhs, rhs, conj_rhs, alpha);
    } else {
        T::matmul(dst, add, lhs, conj_lhs, rhs, conj_rhs, alpha);
    }
}

dispatched! {
    /// The product of matrices of at most 4 rows and columns.
    fn tiny<T: Scalar>(
        dst: MatMut<'_, T>,
        add: bool,
        lhs: MatRef<'_, T>,
        conj_lhs: bool,
        rhs: MatRef<'_, T>,
        conj_rhs: bool,
        alpha: T,
    ) = tiny_body;
}

#[inline(always)]
fn tiny_body<T: Scalar>(dst: MatMut<'_, T>, add: bool, lhs: MatRef<'_, T>, conj_lhs: bool, rhs: MatRef<'_, T>, conj_rhs: bool, alpha: T) {
    let (m, p) = (dst.rows, lhs.cols);
    let mut left = [[T::ZERO; TINY]; TINY];
    for (l, column) in left.iter_mut().enumerate().take(p) {
        let from = lhs.ptr.wrapping_offset(l as isize * lhs.cs);
        for (i, x) in column.iter_mut().enumerate().take(m) {
            // SAFETY: i < m and l < p.
            *x = unsafe { *from.offset(i as isize * lhs.rs) }.conj_if(conj_lhs);
        }
    }
    for j in 0..dst.cols {
        let mut sums = [T::ZERO; TINY];
        let from = rhs.ptr.wrapping_offset(j as isize * rhs.cs);
        for (l, column) in left.iter().enumerate().take(p) {
            // SAFETY: l < p and j < n.
            let y = unsafe { *from.offset(l as isize * rhs.rs) }.conj_if(conj_rhs);
            for (sum, x) in sums.iter_mut().zip(column) {
                *sum += *x * y;
            }
        }
        let to = dst.ptr.wrapping_offset(j as isize * dst.cs);
        for (i, sum) in sums.into_iter().enumerate().take(m) {
            // SAFETY: i < m and j < n.
            let to = unsafe { &mut *to.offset(i as isize * dst.rs) };
            let sum = if alpha == T::ONE { sum } else { alpha * sum };
            *to = if add { *to + sum } else { sum };
        }
    }
}
