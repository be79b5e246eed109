//! The matrix exponential and its derivatives, by scaling and squaring (N. J. Higham, SIAM J.
//! Matrix Anal. Appl. 26, 1179, 2005).

use tenferro_dense::{DenseError, MatMut, MatRef, Op, RealScalar, Scalar, gemm, lu, lu_scratch, solve_triangular};
use tenferro_graph::{Aval, Error, Prim, Result};
use tenferro_linalg::Expm;

use super::factor::{Needs, bytes_of, carve, carved, dims, elements, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View, given};

/// Coefficients of the [13/13] Padé approximant, the largest 1.
const PADE: [f64; 14] = {
    const B: [f64; 14] = [
        64764752532480000.0,
        32382376266240000.0,
        7771770303897600.0,
        1187353796428800.0,
        129060195264000.0,
        10559470521600.0,
        670442572800.0,
        33522128640.0,
        1323241920.0,
        40840800.0,
        960960.0,
        16380.0,
        182.0,
        1.0,
    ];
    let mut c = B;
    let mut i = 0;
    while i < 14 {
        c[i] = B[i] / B[0];
        i += 1;
    }
    c
};
/// Up to this 1-norm the approximant is exact to double precision.
const THETA: f64 = 5.371920351148152;

/// Column-major square matrices of one size, used for work.
struct Work<'a, T> {
    n: usize,
    m: [&'a mut [T]; 6],
}

impl<T: Scalar> Work<'_, T> {
    /// `m[to] = m[l] m[r]`.
    fn product(&mut self, to: usize, l: usize, r: usize) {
        let n = self.n;
        let out = std::mem::take(&mut self.m[to]);
        gemm(MatMut::col_major(out, n, n), MatRef::col_major(self.m[l], n, n), false, MatRef::col_major(self.m[r], n, n), false, false);
        self.m[to] = out;
    }

    /// `m[to] = Σ cᵢ m[i]`, plus a multiple of the identity, plus `m[to]` itself where `add`.
    fn combine(&mut self, to: usize, terms: [(usize, f64); 3], one: f64, add: bool) {
        let real = T::Real::from_f64;
        for i in 0..self.n * self.n {
            let mut x = if add { self.m[to][i] } else { T::ZERO };
            for (from, c) in terms {
                x += self.m[from][i].scale(real(c));
            }
            if one != 0.0 && i % (self.n + 1) == 0 {
                x += T::new(real(one), T::Real::ZERO);
            }
            self.m[to][i] = x;
        }
    }

    /// The approximant of `m[0]` (kept), into `m[4]`.
    fn pade(&mut self, rows: &mut [usize], scratch: &mut [u8]) -> std::result::Result<(), DenseError> {
        let b = PADE;
        self.product(1, 0, 0);
        self.product(2, 1, 1);
        self.product(3, 2, 1);
        // Odd part: a (a⁶ (…) + …).
        self.combine(4, [(3, b[13]), (2, b[11]), (1, b[9])], 0.0, false);
        self.product(5, 3, 4);
        self.combine(5, [(3, b[7]), (2, b[5]), (1, b[3])], b[1], true);
        self.product(4, 0, 5);
        // Even part.
        self.combine(5, [(3, b[12]), (2, b[10]), (1, b[8])], 0.0, false);
        let even = std::mem::take(&mut self.m[0]);
        let n = self.n;
        gemm(MatMut::col_major(even, n, n), MatRef::col_major(self.m[3], n, n), false, MatRef::col_major(self.m[5], n, n), false, false);
        self.m[0] = even;
        self.combine(0, [(3, b[6]), (2, b[4]), (1, b[2])], b[0], true);
        // (even − odd) x = even + odd.
        for i in 0..n * n {
            let (even, odd) = (self.m[0][i], self.m[4][i]);
            self.m[1][i] = even - odd;
            self.m[2][i] = even + odd;
        }
        let [_, difference, sum, packed, x, _] = &mut self.m;
        lu(MatRef::col_major(difference, n, n), MatMut::col_major(packed, n, n), rows, false, scratch)?;
        for (i, row) in rows.iter().enumerate() {
            (0..n).for_each(|j| x[j * n + i] = sum[j * n + row]);
        }
        let packed = MatRef::col_major(packed, n, n);
        solve_triangular(packed, true, Op::Plain, true, MatMut::col_major(x, n, n), false)?;
        solve_triangular(packed, false, Op::Plain, false, MatMut::col_major(x, n, n), false)
    }
}

/// The largest |re| + |im|; `None` if an element is not finite.
fn largest<T: Scalar>(a: MatRef<'_, T>) -> Option<T::Real> {
    let mut max = T::Real::ZERO;
    for j in 0..a.cols() {
        for i in 0..a.rows() {
            let x = a.at(i, j);
            if !(x.re().finite() && x.im().finite()) {
                return None;
            }
            max = max.larger(x.abs1());
        }
    }
    Some(max)
}

/// Squarings that bring a 1-norm below θ.
fn squarings<T: Scalar>(a: &[T], n: usize) -> i32 {
    let sum = |column: &[T]| column.iter().map(|x| x.re().to_f64().hypot(x.im().to_f64())).sum::<f64>();
    let norm = a.chunks_exact(n).map(sum).fold(0.0, f64::max).min(f64::MAX);
    if norm <= THETA { 0 } else { (norm / THETA).log2().ceil() as i32 }
}

impl Routine for Expm {
    fn name(&self) -> &'static str {
        "expm"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> std::result::Result<(), Fault> {
        let a = at.get::<T>(0);
        let (k, size) = (self.order, a.rows());
        let n = size << k;
        let (rows, mut rest) = carve::<usize>(scratch, n);
        let m = [(); 6].map(|()| {
            let (head, tail) = carve::<T>(std::mem::take(&mut rest), n * n);
            rest = tail;
            head
        });
        let mut out = at.set::<T>(k + 1);
        let mut w = Work { n, m };
        let shift = blocks(w.m[0], n, k, at)?;
        let s = squarings(w.m[0], n);
        w.m[0].iter_mut().for_each(|x| *x = x.power(-s));
        w.pade(rows, rest)?;
        let mut now = 4;
        for _ in 0..s {
            let next = if now == 4 { 5 } else { 4 };
            w.product(next, now, now);
            now = next;
        }
        let corner = MatRef::col_major(w.m[now], n, n).cols_range(n - size, n);
        for j in 0..size {
            for i in 0..size {
                out.set(i, j, corner.at(i, j).power(shift));
            }
        }
        Ok(())
    }
}

/// The matrix of nested blocks: `a` along the diagonal, direction j above it in every pair of
/// blocks of order j. The result is linear in each direction: all are brought near 1, by the power of
/// two returned.
fn blocks<T: Scalar>(to: &mut [T], n: usize, k: usize, at: &At<'_>) -> std::result::Result<i32, DenseError> {
    let a = at.get::<T>(0);
    let size = a.rows();
    largest(a).ok_or(DenseError::NonFinite)?;
    to.fill(T::ZERO);
    for block in 0..1 << k {
        place(to, n, a, (block * size, block * size), 0);
    }
    let mut shift = 0;
    for j in 0..k {
        let e = at.get::<T>(j + 1);
        let max = largest(e).ok_or(DenseError::NonFinite)?;
        let by = if max > T::Real::ZERO { max.exponent() } else { 0 };
        shift += by;
        for block in (0..1 << k).filter(|b| b >> j & 1 == 0) {
            place(to, n, e, (block * size, (block + (1 << j)) * size), by);
        }
    }
    Ok(shift)
}

/// Writes x·2^−e as a block of a column-major matrix.
fn place<T: Scalar>(to: &mut [T], n: usize, x: MatRef<'_, T>, (row, column): (usize, usize), e: i32) {
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            to[(column + j) * n + row + i] = x.at(i, j).power(-e);
        }
    }
}

pub(crate) fn lower_expm(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<Expm>(prim)?;
    let (_, size) = dims("expm", args)?;
    let n = size.checked_mul(1 << op.order).ok_or_else(|| Error::value("expm", "the matrix is too large for the address space"))?;
    let scratch = bytes_of!(args[0].dtype, T => {
        let e = elements::<T>(n.saturating_mul(n));
        carved(&[8 * n, e, e, e, e, e, e, lu_scratch::<T>(n, n)])
    });
    let x = result(p, &outs[0], true)?;
    let operands = args.iter().cloned().chain([x.clone()]).collect();
    if size > 0 {
        plan(p, op.clone(), operands, &Needs { scratch, nanoseconds: 1.5 * (n as f64).powi(3), core: 2 })?;
    }
    Ok(vec![x])
}
