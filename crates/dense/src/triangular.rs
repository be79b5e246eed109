//! Triangular systems by recursive halving: small blocks by loops, the rest by products.

use crate::error::{DenseError, require};
use crate::gemm::add_product;
use crate::scalar::Scalar;
use crate::scale::largest;
use crate::simd::{axpy, dispatched};
use crate::view::{MatMut, MatRef};

/// Rows of the blocks that are solved by loops.
const BLOCK: usize = 16;
/// Right sides that are solved side by side.
const GROUP: usize = 8;

/// What a matrix stands for in a product or a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The matrix.
    Plain,
    /// Its transpose.
    Transposed,
    /// Its conjugate transpose.
    Adjoint,
}

/// Solves `op(a) x = b` for a triangular `a` and puts x in the place of `b`.
///
/// `a` is n×n, `b` n×k, either may be empty. Only the triangle that `lower` names is read, without
/// its diagonal if `unit`: then that counts as ones. For `x op(a) = b` pass the transposes:
/// `x a = b` is `aᵀ xᵀ = bᵀ`. Overflow gives infinity.
///
/// Errors: `Singular` if a diagonal element is exactly 0, `NonFinite` if `check_finite` and the
/// triangle or `b` holds NaN or infinity; `b` is unchanged then. `Shape`.
pub fn solve_triangular<T: Scalar>(
    a: MatRef<'_, T>,
    lower: bool,
    op: Op,
    unit: bool,
    b: MatMut<'_, T>,
    check_finite: bool,
) -> Result<(), DenseError> {
    let n = a.rows;
    require(a.cols == n, "the triangle must be square")?;
    require(b.rows == n, "b must have as many rows as the triangle")?;
    if check_finite {
        let finite = |x: MatRef<'_, T>| largest(x).1;
        let range = |j: usize| if lower { (j + usize::from(unit), n) } else { (0, j + usize::from(!unit)) };
        let triangle = (0..n).all(|j| finite(a.cols_range(j, j + 1).rows_range(range(j).0, range(j).1)));
        if !(triangle && finite(b.rb())) {
            return Err(DenseError::NonFinite);
        }
    }
    if let Some(index) = (0..n).find(|i| !unit && a.at(*i, *i) == T::ZERO) {
        return Err(DenseError::Singular { index });
    }
    let (a, lower) = if op == Op::Plain { (a, lower) } else { (a.t(), !lower) };
    let triangle = Triangle { lower, conj: op == Op::Adjoint, unit };
    triangle.solve(a, b);
    Ok(())
}

/// Which half of a matrix counts, and how.
#[derive(Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) lower: bool,
    pub(crate) conj: bool,
    pub(crate) unit: bool,
}

impl Triangle {
    /// b = a⁻¹ b.
    pub(crate) fn solve<T: Scalar>(self, a: MatRef<'_, T>, b: MatMut<'_, T>) {
        let n = a.rows;
        if n == 0 || b.cols == 0 {
            return;
        }
        if n <= BLOCK {
            if b.cs == 1 && b.cols > 1 {
                return by_rows(self, a, b);
            }
            return by_columns(self, a, b);
        }
        let half = (n / 2).next_multiple_of(BLOCK);
        let (mut top, mut bottom) = b.split_rows(half);
        let first = a.rows_range(0, half).cols_range(0, half);
        let last = a.rows_range(half, n).cols_range(half, n);
        if self.lower {
            self.solve(first, top.rb_mut());
            let off = a.rows_range(half, n).cols_range(0, half);
            add_product(bottom.rb_mut(), true, off, self.conj, top.rb(), false, -T::ONE);
            self.solve(last, bottom);
        } else {
            self.solve(last, bottom.rb_mut());
            let off = a.rows_range(0, half).cols_range(half, n);
            add_product(top.rb_mut(), true, off, self.conj, bottom.rb(), false, -T::ONE);
            self.solve(first, top);
        }
    }

    /// The order of elimination: the l-th unknown to be found.
    #[inline(always)]
    fn order(self, l: usize, n: usize) -> usize {
        if self.lower { l } else { n - 1 - l }
    }
}

dispatched! {
    /// Small systems, column by column of b.
    fn by_columns<T: Scalar>(t: Triangle, a: MatRef<'_, T>, b: MatMut<'_, T>) = by_columns_body;
}

#[inline(always)]
fn by_columns_body<T: Scalar>(t: Triangle, a: MatRef<'_, T>, mut b: MatMut<'_, T>) {
    let n = a.rows;
    // Rows and columns in the order of elimination, so that all is a lower triangle.
    let mut l = [[T::ZERO; BLOCK]; BLOCK];
    for (j, column) in l.iter_mut().enumerate().take(n) {
        for (i, x) in column[..n].iter_mut().enumerate().skip(j) {
            *x = a.at(t.order(i, n), t.order(j, n)).conj_if(t.conj);
        }
    }
    let mut k = 0;
    while k < b.cols {
        let count = GROUP.min(b.cols - k);
        if count == 1 {
            group::<T, 1>(t, n, &l, &mut b, k, count);
        } else {
            group::<T, GROUP>(t, n, &l, &mut b, k, count);
        }
        k += count;
    }
}

/// Solves for columns `k .. k + count` of b, count ≤ G, side by side in lanes.
#[inline(always)]
fn group<T: Scalar, const G: usize>(t: Triangle, n: usize, l: &[[T; BLOCK]; BLOCK], b: &mut MatMut<'_, T>, k: usize, count: usize) {
    let mut x = [[T::ZERO; G]; BLOCK];
    for c in 0..count {
        for (i, x) in x.iter_mut().enumerate().take(n) {
            x[c] = b.at(t.order(i, n), k + c);
        }
    }
    for j in 0..n {
        let (head, rest) = x.split_at_mut(j + 1);
        let found = &mut head[j];
        if !t.unit {
            for x in found.iter_mut() {
                *x = x.over(l[j][j]);
            }
        }
        for (x, l) in rest[..n - j - 1].iter_mut().zip(&l[j][j + 1..n]) {
            x.iter_mut().zip(&*found).for_each(|(x, y)| *x -= *l * *y);
        }
    }
    for c in 0..count {
        for (i, x) in x.iter().enumerate().take(n) {
            b.set(t.order(i, n), k + c, x[c]);
        }
    }
}

dispatched! {
    /// Small systems where rows of b are contiguous.
    fn by_rows<T: Scalar>(t: Triangle, a: MatRef<'_, T>, b: MatMut<'_, T>) = by_rows_body;
}

#[inline(always)]
fn by_rows_body<T: Scalar>(t: Triangle, a: MatRef<'_, T>, b: MatMut<'_, T>) {
    let n = a.rows;
    let mut b = b.t();
    for l in 0..n {
        let j = t.order(l, n);
        if !t.unit {
            let d = a.at(j, j).conj_if(t.conj);
            for x in b.column(j).iter_mut() {
                *x = x.over(d);
            }
        }
        for later in l + 1..n {
            let i = t.order(later, n);
            let factor = -a.at(i, j).conj_if(t.conj);
            let (found, other) = b.two_columns(j, i);
            axpy(factor, found, other);
        }
    }
}
