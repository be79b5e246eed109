//! Naive kernels of the factorizations, one complex matrix at a time; eigenvalues and square SVD
//! factors come from `tenferro_dense`.

use tenferro_dense::{MatMut, MatRef};
use tenferro_graph::{Complex64, DType, Prim};
use tenferro_linalg::*;

use super::interpreter::{Arr, c};
use super::{Element, elements, wide};

/// A square or rectangular matrix in C order.
#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug)]
pub struct M {
    pub m: usize,
    pub n: usize,
    pub x: Vec<Complex64>,
}

impl M {
    pub fn new(m: usize, n: usize, f: impl Fn(usize, usize) -> Complex64) -> Self {
        Self { m, n, x: (0..m * n).map(|i| f(i / n, i % n)).collect() }
    }

    fn of(a: &Arr) -> Self {
        Self { m: a.shape[0], n: a.shape[1], x: a.data.clone() }
    }

    fn arr(&self, dtype: DType) -> Arr {
        Arr::new(dtype, &[self.m, self.n], self.x.clone())
    }

    pub fn at(&self, i: usize, j: usize) -> Complex64 {
        self.x[i * self.n + j]
    }

    fn set(&mut self, i: usize, j: usize, x: Complex64) {
        self.x[i * self.n + j] = x;
    }

    pub fn eye(n: usize) -> Self {
        Self::new(n, n, |i, j| c(f64::from(u8::from(i == j))))
    }

    pub fn mul(&self, b: &Self) -> Self {
        Self::new(self.m, b.n, |i, j| (0..self.n).map(|k| self.at(i, k) * b.at(k, j)).sum())
    }

    pub fn t(&self) -> Self {
        Self::new(self.n, self.m, |i, j| self.at(j, i))
    }

    pub fn conj(&self) -> Self {
        Self::new(self.m, self.n, |i, j| self.at(i, j).conj())
    }

    fn plus(&self, b: &Self, by: f64) -> Self {
        Self::new(self.m, self.n, |i, j| self.at(i, j) + b.at(i, j) * by)
    }

    fn swap(&mut self, i: usize, j: usize) {
        (0..self.n).for_each(|k| self.x.swap(i * self.n + k, j * self.n + k));
    }

    /// The solution of a full system by elimination with pivoting.
    pub fn solve(&self, b: &Self) -> Self {
        let (packed, pivots) = lu(self);
        let mut x = b.clone();
        pivots.iter().enumerate().for_each(|(i, p)| x.swap(i, *p));
        let x = substitute(&packed, true, true, &x);
        substitute(&packed, false, false, &x)
    }
}

fn lu(a: &M) -> (M, Vec<usize>) {
    let (mut w, k) = (a.clone(), a.m.min(a.n));
    let mut pivots = vec![];
    for j in 0..k {
        let size = |i: &usize| w.at(*i, j).norm();
        let p = (j..a.m).rev().max_by(|a, b| size(a).total_cmp(&size(b))).expect("rows are left");
        pivots.push(p);
        w.swap(j, p);
        for i in j + 1..a.m {
            let f = w.at(i, j) / w.at(j, j);
            w.set(i, j, f);
            for l in j + 1..a.n {
                let x = w.at(i, l) - f * w.at(j, l);
                w.set(i, l, x);
            }
        }
    }
    (w, pivots)
}

fn substitute(a: &M, lower: bool, unit: bool, b: &M) -> M {
    let (n, mut x) = (a.m, b.clone());
    let order: Vec<usize> = if lower { (0..n).collect() } else { (0..n).rev().collect() };
    for k in 0..b.n {
        for (done, i) in order.iter().enumerate() {
            let known: Complex64 = order[..done].iter().map(|j| a.at(*i, *j) * x.at(*j, k)).sum();
            let rest = x.at(*i, k) - known;
            x.set(*i, k, if unit { rest } else { rest / a.at(*i, *i) });
        }
    }
    x
}

fn triangular(p: &Triangular, a: &M, b: &M) -> M {
    match p.form {
        Form::Plain => substitute(a, p.lower, p.unit, b),
        Form::Transposed => substitute(&a.t(), !p.lower, p.unit, b),
        Form::Adjoint => substitute(&a.t().conj(), !p.lower, p.unit, b),
    }
}

/// Householder-free: Gram–Schmidt twice, with unit vectors to fill a full basis.
fn qr(a: &M, full: bool) -> [M; 2] {
    let rows = if full { a.m } else { a.m.min(a.n) };
    let mut columns: Vec<Vec<Complex64>> = vec![];
    let candidates = (0..a.n).map(|j| (0..a.m).map(|i| a.at(i, j)).collect());
    let units = (0..a.m).map(|j| (0..a.m).map(|i| c(f64::from(u8::from(i == j)))).collect());
    for mut v in candidates.chain(units).collect::<Vec<Vec<Complex64>>>() {
        let size = v.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
        for _ in 0..2 {
            for q in &columns {
                let along: Complex64 = q.iter().zip(&v).map(|(q, v)| q.conj() * v).sum();
                v.iter_mut().zip(q).for_each(|(v, q)| *v -= along * q);
            }
        }
        let left = v.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
        if columns.len() < rows && left > 1e-10 * size {
            columns.push(v.iter().map(|x| x / left).collect());
        }
    }
    let q = M::new(a.m, rows, |i, j| columns[j][i]);
    let r = q.t().conj().mul(a);
    let r = M::new(rows, a.n, |i, j| if i > j { c(0.0) } else { r.at(i, j) });
    [q, r]
}

fn cholesky(a: &M) -> M {
    let mut l = M::new(a.m, a.m, |_, _| c(0.0));
    for j in 0..a.m {
        for i in j..a.m {
            let known: Complex64 = (0..j).map(|k| l.at(i, k) * l.at(j, k).conj()).sum();
            let rest = a.at(i, j) - known;
            let x = if i == j { c(rest.re.sqrt()) } else { rest / l.at(j, j) };
            l.set(i, j, x);
        }
    }
    l
}

fn determinant(a: &M) -> Complex64 {
    let (packed, pivots) = lu(a);
    let sign = pivots.iter().enumerate().filter(|(i, p)| i != *p).fold(1.0, |s, _| -s);
    (0..a.m).map(|i| packed.at(i, i)).product::<Complex64>() * sign
}

/// The derivative of the adjugate, by cofactors.
fn adjugate(a: &M, along: &[M]) -> M {
    M::new(a.m, a.m, |i, j| {
        let skip = |k: usize, at: usize| if k < at { k } else { k + 1 };
        let minor = |x: &M| M::new(a.m - 1, a.m - 1, |k, l| x.at(skip(k, j), skip(l, i)));
        let along: Vec<M> = along.iter().map(minor).collect();
        let value = if a.m == 1 { c(if along.is_empty() { 1.0 } else { 0.0 }) } else { by_replaced_rows(&minor(a), &along, &[]) };
        if (i + j) % 2 == 0 { value } else { -value }
    })
}

/// The derivative of the determinant: each direction takes the place of another row, but not of those `kept`.
fn by_replaced_rows(a: &M, along: &[M], kept: &[usize]) -> Complex64 {
    let Some((e, more)) = along.split_first() else { return by_rows(a) };
    let with = |row: usize| {
        let b = M::new(a.m, a.m, |i, j| if i == row { e.at(i, j) } else { a.at(i, j) });
        by_replaced_rows(&b, more, &[kept, &[row]].concat())
    };
    (0..a.m).filter(|row| !kept.contains(row)).map(with).sum()
}

/// Laplace's expansion, which needs no pivot.
fn by_rows(a: &M) -> Complex64 {
    if a.m == 1 {
        return a.at(0, 0);
    }
    let minor = |j: usize| M::new(a.m - 1, a.m - 1, |k, l| a.at(k + 1, if l < j { l } else { l + 1 }));
    (0..a.m).map(|j| a.at(0, j) * by_rows(&minor(j)) * if j % 2 == 0 { 1.0 } else { -1.0 }).sum()
}

/// Taylor's series after halving ten times.
fn exponential(a: &M) -> M {
    let small = a.plus(a, 2.0_f64.powi(-10) - 1.0);
    let (mut sum, mut term) = (M::eye(a.m), M::eye(a.m));
    for k in 1..20 {
        term = term.mul(&small);
        term = term.plus(&term, 1.0 / f64::from(k) - 1.0);
        sum = sum.plus(&term, 1.0);
    }
    (0..10).fold(sum, |s, _| s.mul(&s))
}

/// The corner of the exponential of nested blocks.
fn expm(x: &[M]) -> M {
    let n = x[0].m;
    let mut all = x[0].clone();
    for e in &x[1..] {
        let old = all.clone();
        all = M::new(2 * old.m, 2 * old.m, |i, j| match (i < old.m, j < old.m) {
            (true, true) => old.at(i, j),
            (false, false) => old.at(i - old.m, j - old.m),
            (true, false) if i / n == (j - old.m) / n => e.at(i % n, j % n),
            _ => c(0.0),
        });
    }
    let f = exponential(&all);
    M::new(n, n, |i, j| f.at(i, all.m - n + j))
}

fn eigh<T: Element>(a: &M) -> (Vec<Complex64>, M) {
    let (n, x) = (a.m, elements::<T>(&a.x));
    let (mut w, mut v) = (vec![0.0; n], x.clone());
    let mut scratch = vec![0_u8; tenferro_dense::eigh_scratch::<T>(n)];
    tenferro_dense::eigh(MatRef::row_major(&x, n, n), &mut w, Some(MatMut::row_major(&mut v, n, n)), true, &mut scratch).expect("eigh");
    (w.iter().map(|w| c(*w)).collect(), M { m: n, n, x: wide(&v) })
}

fn eig(a: &M) -> (Vec<Complex64>, M) {
    let n = a.m;
    let (mut w, mut v) = (vec![c(0.0); n], a.x.clone());
    let mut scratch = vec![0_u8; tenferro_dense::eig_scratch::<Complex64>(n)];
    let out = Some(MatMut::row_major(&mut v, n, n));
    tenferro_dense::eig(MatRef::row_major(&a.x, n, n), &mut w, out, true, &mut scratch).expect("eig");
    (w, M { m: n, n, x: v })
}

fn svd_full<T: Element>(a: &M) -> (M, Vec<Complex64>, M) {
    let (m, n, x) = (a.m, a.n, elements::<T>(&a.x));
    let zero = T::of(c(0.0));
    let (mut u, mut s, mut vh) = (vec![zero; m * m], vec![0.0; m.min(n)], vec![zero; n * n]);
    let mut scratch = vec![0_u8; tenferro_dense::svd_full_scratch::<T>(m, n)];
    let (left, right) = (MatMut::row_major(&mut u, m, m), MatMut::row_major(&mut vh, n, n));
    tenferro_dense::svd_full(MatRef::row_major(&x, m, n), left, &mut s, right, true, &mut scratch).expect("svd");
    (M { m, n: m, x: wide(&u) }, s.iter().map(|s| c(*s)).collect(), M { m: n, n, x: wide(&vh) })
}

/// Gaps from the smallest up.
fn lift(s: &mut [Complex64], eps: f64) {
    let Some(top) = s.first().map(|s| s.re) else { return };
    let mut floor = eps * top;
    for s in s.iter_mut().rev() {
        *s = c(s.re.max(floor));
        floor = s.re + eps * top;
    }
}

/// How many of the last axes of input i belong to one matrix.
fn core(prim: &Prim, i: usize) -> usize {
    let vector = match () {
        () if prim.is::<Permute>() || prim.is::<TieCheck>() => i == 1,
        () if prim.is::<LuSolve>() || prim.is::<Det>() || prim.is::<SlogDet>() || prim.is::<Polar>() => i == 2,
        () if prim.is::<HermitianFunction>() => i == 1,
        () if prim.is::<LeastSquares>() => i == 3,
        () => prim.is::<Positive>(),
    };
    if vector { 1 } else { 2 }
}

fn thin(prim: &Prim, a: &M, complex: bool, dtype: DType) -> Vec<Arr> {
    let k = a.m.min(a.n);
    let (u, mut s, vh) = if complex { svd_full::<Complex64>(a) } else { svd_full::<f64>(a) };
    if prim.is::<SvdFull>() {
        return vec![u.arr(dtype), Arr::new(DType::F64, &[k], s), vh.arr(dtype)];
    }
    if let Some(SvdTies::Lift(l)) = prim.downcast() {
        lift(&mut s, l.eps());
    }
    let (u, vh) = (M::new(a.m, k, |i, j| u.at(i, j)), M::new(k, a.n, |i, j| vh.at(i, j)));
    vec![u.arr(dtype), Arr::new(DType::F64, &[k], s), vh.arr(dtype)]
}

fn one(prim: &Prim, x: &[Arr]) -> Option<Vec<Arr>> {
    let dtype = x[0].dtype;
    let vector = |dtype, x: Vec<Complex64>| Arr::new(dtype, &[x.len()], x);
    if prim.is::<Positive>() || prim.is::<Finite>() || prim.is::<TieCheck>() {
        return Some(vec![x[0].clone()]);
    }
    if prim.is::<Pinv>() || prim.is::<LeastSquares>() || prim.is::<HermitianFunction>() || prim.is::<Polar>() {
        return x.last().map(|y| vec![y.clone()]);
    }
    let a = M::of(&x[0]);
    let pivots = |i: usize| -> Vec<usize> { x[i].data.iter().map(|p| p.re as usize).collect() };
    if let Some(p) = prim.downcast::<Triangular>() {
        return Some(vec![triangular(p, &a, &M::of(&x[1])).arr(dtype)]);
    }
    if let Some(Permute { inverse }) = prim.downcast() {
        let (mut y, p) = (a, pivots(1));
        let mut swaps: Vec<(usize, usize)> = p.into_iter().enumerate().collect();
        if *inverse {
            swaps.reverse();
        }
        for (i, j) in swaps {
            y.swap(i, j);
        }
        return Some(vec![y.arr(dtype)]);
    }
    if let Some(p) = prim.downcast::<LuSolve>() {
        let a = match p.form {
            Form::Plain => a,
            Form::Transposed => a.t(),
            Form::Adjoint => a.t().conj(),
        };
        return Some(vec![a.solve(&M::of(&x[3])).arr(dtype)]);
    }
    if prim.is::<Lu>() {
        let (packed, pivots) = lu(&a);
        return Some(vec![packed.arr(dtype), vector(DType::I64, pivots.into_iter().map(|p| c(p as f64)).collect())]);
    }
    if prim.is::<Det>() {
        return Some(vec![Arr::new(dtype, &[], vec![by_rows(&a)])]);
    }
    if prim.is::<SlogDet>() {
        let d = determinant(&a);
        return Some(vec![Arr::new(dtype, &[], vec![d / d.norm()]), Arr::new(DType::F64, &[], vec![c(d.norm().ln())])]);
    }
    if prim.is::<Adjugate>() {
        let along: Vec<M> = x[1..].iter().map(M::of).collect();
        return Some(vec![adjugate(&a, &along).arr(dtype)]);
    }
    if prim.is::<Expm>() {
        return Some(vec![expm(&x.iter().map(M::of).collect::<Vec<_>>()).arr(dtype)]);
    }
    if let Some(p) = prim.downcast::<Qr>() {
        return Some(qr(&a, p.full).map(|x| x.arr(dtype)).to_vec());
    }
    if prim.is::<Cholesky>() {
        return Some(vec![cholesky(&a).arr(dtype)]);
    }
    if prim.is::<Eigh>() || prim.is::<EighVals>() {
        let (w, v) = if dtype.is_complex() { eigh::<Complex64>(&a) } else { eigh::<f64>(&a) };
        let both = vec![vector(DType::F64, w), v.arr(dtype)];
        return Some(if prim.is::<Eigh>() { both } else { both[..1].to_vec() });
    }
    if prim.is::<Eig>() || prim.is::<EigVals>() {
        let (mut w, v) = eig(&a);
        if prim.is::<EigVals>() {
            // Another order than with vectors, as an engine may have it.
            w.reverse();
            return Some(vec![vector(DType::C128, w)]);
        }
        return Some(vec![vector(DType::C128, w), v.arr(DType::C128)]);
    }
    (prim.is::<SvdFull>() || prim.is::<SvdTies>()).then(|| thin(prim, &a, dtype.is_complex(), dtype))
}

/// The kernels over leading axes.
pub fn kernel(prim: &Prim, x: &[&Arr]) -> Option<Vec<Arr>> {
    if prim.is::<SvdSolve>() {
        return None;
    }
    let lead = x[0].shape[..x[0].shape.len().checked_sub(core(prim, 0))?].to_vec();
    let count: usize = lead.iter().product();
    let mut out: Vec<Arr> = vec![];
    for b in 0..count {
        let part = |(i, x): (usize, &&Arr)| {
            let shape = &x.shape[x.shape.len() - core(prim, i)..];
            let size: usize = shape.iter().product();
            Arr::new(x.dtype, shape, x.data[b * size..][..size].to_vec())
        };
        let parts: Vec<Arr> = x.iter().enumerate().map(part).collect();
        let results = one(prim, &parts)?;
        if b == 0 {
            out = results.iter().map(|r| Arr { shape: [lead.as_slice(), &r.shape].concat(), data: vec![], ..r.clone() }).collect();
        }
        out.iter_mut().zip(results).for_each(|(all, r)| all.data.extend(r.data));
    }
    (count > 0).then_some(out)
}
