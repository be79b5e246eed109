//! Adjugates and their derivatives, without division.

use tenferro_dense::{MatMut, MatRef, Scalar, gemm, lu, lu_scratch, svd, svd_scratch};
use tenferro_graph::{Aval, Prim, Result};
use tenferro_linalg::Adjugate;

use super::determinant::{Product, product};
use super::factor::{Needs, bytes_of, carve, carved, dims, elements, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View, given};

/// A square matrix for work, column after column.
struct Square<'a, T> {
    n: usize,
    x: &'a mut [T],
}

impl<T: Scalar> Square<'_, T> {
    fn view(&self) -> MatRef<'_, T> {
        MatRef::col_major(self.x, self.n, self.n)
    }

    fn view_mut(&mut self) -> MatMut<'_, T> {
        MatMut::col_major(self.x, self.n, self.n)
    }

    fn at(&self, i: usize, j: usize) -> T {
        self.x[j * self.n + i]
    }

    fn add(&mut self, i: usize, j: usize, by: T) {
        self.x[j * self.n + i] += by;
    }
}

/// The adjugate of diag(s).
fn of_diagonal<T: Scalar>(k: &mut Square<'_, T>, s: &[T::Real]) {
    for i in 0..s.len() {
        let others = (0..s.len()).filter(|j| *j != i).fold(Product::ONE, |p, j| p.times(s[j]));
        k.add(i, i, T::ONE.scale(others.value()));
    }
}

/// Its derivative along p: a pair of places at a time, with the product of the other s. `then[i]` is that of s from i on.
fn first<T: Scalar>(k: &mut Square<'_, T>, s: &[T::Real], then: &[Product<T::Real>], p: &Square<'_, T>) {
    let n = s.len();
    let mut before = Product::ONE;
    for i in 0..n {
        let mut others = before;
        for j in i + 1..n {
            let e = others.join(then[j + 1]).value();
            k.add(i, i, p.at(j, j).scale(e));
            k.add(j, j, p.at(i, i).scale(e));
            k.add(i, j, -p.at(i, j).scale(e));
            k.add(j, i, -p.at(j, i).scale(e));
            others = others.times(s[j]);
        }
        before = before.times(s[i]);
    }
}

/// Its second derivative along p and q: three places at a time.
fn second<T: Scalar>(k: &mut Square<'_, T>, s: &[T::Real], then: &[Product<T::Real>], p: &Square<'_, T>, q: &Square<'_, T>) {
    let n = s.len();
    let mut before = Product::ONE;
    for a in 0..n {
        let mut between = before;
        for b in a + 1..n {
            let mut others = between;
            for c in b + 1..n {
                let e = others.join(then[c + 1]).value();
                for [i, j, l] in [[a, b, c], [b, c, a], [c, a, b]] {
                    let both = p.at(j, j) * q.at(l, l) + p.at(l, l) * q.at(j, j) - p.at(j, l) * q.at(l, j) - p.at(l, j) * q.at(j, l);
                    k.add(i, i, both.scale(e));
                    for (i, j) in [(i, j), (j, i)] {
                        let path = p.at(i, l) * q.at(l, j) + q.at(i, l) * p.at(l, j);
                        k.add(i, j, (path - p.at(i, j) * q.at(l, l) - q.at(i, j) * p.at(l, l)).scale(e));
                    }
                }
                others = others.times(s[c]);
            }
            between = between.times(s[b]);
        }
        before = before.times(s[a]);
    }
}

impl Routine for Adjugate {
    fn name(&self) -> &'static str {
        "det"
    }

    /// det(U) det(V\*) V K U\*, K the derivative at diag(s) along the U\* e V.
    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> std::result::Result<(), Fault> {
        let a = at.get::<T>(0);
        let n = a.rows();
        let mut rest = scratch;
        let mut square = |used: bool| {
            let n = if used { n } else { 0 };
            let (x, tail) = carve::<T>(std::mem::take(&mut rest), n * n);
            rest = tail;
            Square { n, x }
        };
        let [mut u, mut vh, mut work, mut k] = [true; 4].map(&mut square);
        let [mut p, mut q] = [self.order > 0, self.order > 1].map(square);
        let (s, rest) = carve::<T::Real>(rest, n);
        let (then, rest) = carve::<Product<T::Real>>(rest, n + 1);
        let (rows, rest) = carve::<usize>(rest, n);
        svd(a, Some(u.view_mut()), s, Some(vh.view_mut()), true, rest)?;
        let mut phase = T::ONE;
        for factor in [&u, &vh] {
            let odd = lu(factor.view(), work.view_mut(), rows, false, rest)?;
            phase = phase * product(work.view(), odd).value();
        }
        for (i, p) in [&mut p, &mut q].into_iter().enumerate().take(self.order) {
            gemm(work.view_mut(), u.view().t(), true, at.get::<T>(i + 1), false, false);
            gemm(p.view_mut(), work.view(), false, vh.view().t(), true, false);
        }
        then[n] = Product::ONE;
        (0..n).rev().for_each(|i| then[i] = then[i + 1].times(s[i]));
        k.x.fill(T::ZERO);
        match self.order {
            0 => of_diagonal(&mut k, s),
            1 => first(&mut k, s, then, &p),
            _ => second(&mut k, s, then, &p, &q),
        }
        gemm(work.view_mut(), k.view(), false, u.view().t(), true, false);
        work.x.iter_mut().for_each(|x| *x = *x * phase);
        gemm(at.set(self.order + 1), vh.view().t(), true, work.view(), false, false);
        Ok(())
    }
}

pub(crate) fn lower_adjugate(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let op = given::<Adjugate>(prim)?;
    let (_, n) = dims("det", args)?;
    let square = n.saturating_mul(n);
    let scratch = bytes_of!(args[0].dtype, T => {
        let e = elements::<T>(square);
        let mut parts = vec![e; 4 + op.order];
        parts.extend([elements::<T>(n), 16 * (n + 1), 8 * n, svd_scratch::<T>(n, n).max(lu_scratch::<T>(n, n))]);
        carved(&parts)
    });
    let results = vec![result(p, &outs[0], true)?];
    let operands = args.iter().chain(&results).cloned().collect();
    let nanoseconds = [1.0, 1.5, 40.0][op.order.min(2)] * (n as f64).powi(3);
    plan(p, op.clone(), operands, &Needs { scratch, nanoseconds, core: 2 })?;
    Ok(results)
}
