//! Cholesky factorization, left-looking by blocks.

use crate::error::{DenseError, require};
use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::scale::largest;
use crate::triangular::Triangle;
use crate::view::{MatMut, MatRef};

/// Columns factored by loops.
const BLOCK: usize = 32;
/// Below this size a smaller work array saves more than the factorization costs.
const SMALL: usize = 8;

/// The lower Cholesky factor, `a = l l*`, of a Hermitian positive definite n×n matrix.
///
/// Only the lower triangle of `a` is read, and of the diagonal the real parts; `l` gets zeros
/// above the diagonal. n may be 0. Matrices of tiny entries are scaled by a power of two.
///
/// Errors: `NotPositive` with the order of the first leading minor that is not positive,
/// `NonFinite` (without `check_finite` the factor holds NaN, or the minor is `NotPositive`),
/// `Shape`; `l` is arbitrary then.
pub fn cholesky<T: Scalar>(a: MatRef<'_, T>, mut l: MatMut<'_, T>, check_finite: bool) -> Result<(), DenseError> {
    let n = a.rows;
    require(a.cols == n, "a must be square")?;
    require(l.rows == n && l.cols == n, "l must be as large as a")?;
    l.rb_mut().fill_with(|i, j| match i.cmp(&j) {
        std::cmp::Ordering::Greater => a.at(i, j),
        std::cmp::Ordering::Equal => T::new(a.at(i, j).re(), T::Real::ZERO),
        std::cmp::Ordering::Less => T::ZERO,
    });
    let (max, finite) = largest(l.rb());
    if check_finite && !finite {
        return Err(DenseError::NonFinite);
    }
    // The factor of anything large is in range; what is tiny would be inexact.
    let tiny = finite && max > T::Real::ZERO && max < T::Real::MIN_NORMAL / T::Real::EPS / T::Real::EPS;
    let e = if tiny { max.exponent() & !1 } else { 0 };
    if e != 0 {
        map(l.rb_mut(), |x| x.power(-e));
    }
    factor(l.rb_mut())?;
    if e != 0 {
        map(l, |x| x.power(e / 2));
    }
    Ok(())
}

fn map<T: Scalar>(mut l: MatMut<'_, T>, f: impl Fn(T) -> T) {
    for j in 0..l.cols {
        for i in j..l.rows {
            let x = f(l.at(i, j));
            l.set(i, j, x);
        }
    }
}

/// Factors a lower triangle in place; zeros stand above it before and after.
fn factor<T: Scalar>(mut l: MatMut<'_, T>) -> Result<(), DenseError> {
    let n = l.rows;
    if n <= SMALL {
        return corner::<T, SMALL>(l, 0);
    }
    for start in (0..n).step_by(BLOCK) {
        let end = (start + BLOCK).min(n);
        let (left, right) = l.rb_mut().split_cols(start);
        let (left, right) = (left.rows_range(start, n), right.cols_range(0, end - start).rows_range(start, n));
        let (mut corner_block, below) = right.split_rows(end - start);
        let (left_top, left_below) = left.split_rows(end - start);
        let rows = left_top.rb();
        add_product(corner_block.rb_mut(), true, rows, false, rows.t(), true, -T::ONE);
        corner::<T, BLOCK>(corner_block.rb_mut(), start)?;
        if end < n {
            let mut below = below;
            add_product(below.rb_mut(), true, left_below.rb(), false, rows.t(), true, -T::ONE);
            Triangle { lower: true, conj: true, unit: false }.solve(corner_block.rb(), below.t());
        }
    }
    Ok(())
}

/// Factors a block of at most N rows that starts at row `start` of all, and clears its upper part.
fn corner<T: Scalar, const N: usize>(mut l: MatMut<'_, T>, start: usize) -> Result<(), DenseError> {
    let n = l.rows;
    let mut w = [[T::ZERO; N]; N];
    for (j, column) in w.iter_mut().enumerate().take(n) {
        for (i, x) in column.iter_mut().enumerate().take(n).skip(j) {
            *x = l.at(i, j);
        }
    }
    columns(&mut w, n).map_err(|j| DenseError::NotPositive { order: start + j + 1 })?;
    for (j, column) in w.iter().enumerate().take(n) {
        for (i, x) in column.iter().enumerate().take(n) {
            l.set(i, j, if i < j { T::ZERO } else { *x });
        }
    }
    Ok(())
}

/// The loops: n columns of a small square; `Err` with the column whose pivot is not positive.
fn columns<T: Scalar, const N: usize>(w: &mut [[T; N]; N], n: usize) -> Result<(), usize> {
    for j in 0..n {
        let (done, rest) = w.split_at_mut(j + 1);
        let column = &mut done[j];
        let pivot = column[j].re();
        let positive = pivot > T::Real::ZERO;
        if !positive {
            return Err(j);
        }
        let root = pivot.sqrt();
        column[j] = T::new(root, T::Real::ZERO);
        for x in &mut column[j + 1..n] {
            *x = T::new(x.re() / root, x.im() / root);
        }
        for (k, other) in rest.iter_mut().enumerate().take(n - j - 1) {
            let k = j + 1 + k;
            let by = column[k].conj();
            for (x, y) in other[k..n].iter_mut().zip(&column[k..n]) {
                *x -= *y * by;
            }
        }
    }
    Ok(())
}
