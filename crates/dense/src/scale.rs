//! Largest element, finite check, and scaling by powers of two.

use crate::scalar::{RealScalar, Scalar};
use crate::view::{MatMut, MatRef};

/// Rows and columns of the tile that a transposing copy keeps in cache.
const TILE: usize = 16;

/// The largest |re| or |im| of finite elements, and whether all elements are finite.
pub(crate) fn largest<T: Scalar>(a: MatRef<'_, T>) -> (T::Real, bool) {
    let a = if a.rs.unsigned_abs() <= a.cs.unsigned_abs() { a } else { a.t() };
    let zero = T::Real::ZERO;
    let (mut max, mut poison) = ([zero; 4], [zero; 4]);
    for j in 0..a.cols {
        let column = a.ptr.wrapping_offset(j as isize * a.cs);
        let mut visit = |lane: usize, i: usize| {
            // SAFETY: i < rows and j < cols.
            let x = unsafe { *column.offset(i as isize * a.rs) };
            max[lane] = max[lane].larger(x.re().abs()).larger(x.im().abs());
            // 0 for finite numbers, NaN for the others, and NaN stays.
            poison[lane] += x.re() * zero + x.im() * zero;
        };
        let whole = a.rows / 4 * 4;
        for i in (0..whole).step_by(4) {
            for lane in 0..4 {
                visit(lane, i + lane);
            }
        }
        for i in whole..a.rows {
            visit(0, i);
        }
    }
    let max = max[0].larger(max[1]).larger(max[2]).larger(max[3]);
    (max, poison[0] + poison[1] + poison[2] + poison[3] == zero)
}

/// Writes `a · 2^e` to `dst`, column after column.
pub(crate) fn copy_scaled<T: Scalar>(dst: &mut [T], a: MatRef<'_, T>, e: i32) {
    let half = e / 2;
    let (f, g) = (T::Real::power_of_two(half), T::Real::power_of_two(e - half));
    let mut out = MatMut::col_major(dst, a.rows, a.cols);
    let tile = if a.rs == 1 { a.rows.max(1) } else { TILE };
    for j0 in (0..a.cols).step_by(TILE) {
        for i0 in (0..a.rows).step_by(tile) {
            for j in j0..(j0 + TILE).min(a.cols) {
                for i in i0..(i0 + tile).min(a.rows) {
                    out.set(i, j, a.at(i, j).scale(f).scale(g));
                }
            }
        }
    }
}

/// Writes `src`, column after column, to `dst`.
pub(crate) fn store<T: Scalar>(dst: MatMut<'_, T>, src: &[T], conj: bool) {
    let src = MatRef::col_major(src, dst.rows, dst.cols);
    dst.fill_with(|i, j| src.at(i, j).conj_if(conj));
}

/// Ones on the diagonal, zeros elsewhere.
pub(crate) fn store_identity<T: Scalar>(dst: MatMut<'_, T>) {
    dst.fill_with(|i, j| if i == j { T::ONE } else { T::ZERO });
}

/// A NaN everywhere: what an unchecked input with NaN or infinity gives.
pub(crate) fn store_nan<T: Scalar>(dst: MatMut<'_, T>) {
    let nan = T::Real::from_f64(f64::NAN);
    dst.fill_with(|_, _| T::new(nan, nan));
}
