//! Kernels of the factorizations for the interpreter, and a derivative checker.
#![allow(dead_code)]

pub mod factors;
#[path = "../../../ad/tests/support/mod.rs"]
pub mod interpreter;
pub mod twin;

use interpreter::{Arr, c, eval, largest, splice};
use tenferro_ad::vjp;
use tenferro_dense::{MatMut, MatRef, Scalar};
use tenferro_graph::{Aval, Builder, Complex64, DType, Prim, Program, Val};
use tenferro_linalg::{Svd, SvdSolve, SvdTrunc, SvdVals};
use tenferro_ops::{Constant, Expr};

trait Element: Scalar<Real = f64> + Copy {
    fn of(x: Complex64) -> Self;
    fn to(self) -> Complex64;
}

impl Element for f64 {
    fn of(x: Complex64) -> Self {
        x.re
    }
    fn to(self) -> Complex64 {
        c(self)
    }
}

impl Element for Complex64 {
    fn of(x: Complex64) -> Self {
        x
    }
    fn to(self) -> Complex64 {
        self
    }
}

fn elements<T: Element>(x: &[Complex64]) -> Vec<T> {
    x.iter().map(|x| T::of(*x)).collect()
}

fn wide<T: Element>(x: &[T]) -> Vec<Complex64> {
    x.iter().map(|x| x.to()).collect()
}

/// u, s, vh of k triplets, then of `extra`, row-major.
fn trunc<T: Element>(a: &[Complex64], m: usize, n: usize, k: usize, extra: usize) -> Vec<Vec<Complex64>> {
    let a = elements::<T>(a);
    let zero = T::of(c(0.0));
    let (mut u, mut s, mut vh) = (vec![zero; m * k], vec![0.0; k], vec![zero; k * n]);
    let (mut ue, mut se, mut vhe) = (vec![zero; m * extra], vec![0.0; extra], vec![zero; extra * n]);
    let mut scratch = vec![0_u8; tenferro_dense::svd_trunc_scratch::<T>(m, n, k, extra)];
    tenferro_dense::svd_trunc(
        MatRef::row_major(&a, m, n),
        k,
        extra,
        MatMut::row_major(&mut u, m, k),
        &mut s,
        MatMut::row_major(&mut vh, k, n),
        MatMut::row_major(&mut ue, m, extra),
        &mut se,
        MatMut::row_major(&mut vhe, extra, n),
        true,
        &mut scratch,
    )
    .expect("svd_trunc");
    let real = |s: &[f64]| s.iter().map(|x| c(*x)).collect();
    vec![wide(&u), real(&s), wide(&vh), wide(&ue), real(&se), wide(&vhe)]
}

fn solve<T: Element>(x: &[&[Complex64]], m: usize, n: usize, k: usize, extra: usize) -> Vec<Vec<Complex64>> {
    let e: Vec<Vec<T>> = x.iter().map(|x| elements(x)).collect();
    let reals = |i: usize| -> Vec<f64> { x[i].iter().map(|x| x.re).collect() };
    let zero = T::of(c(0.0));
    let (mut xs, mut ys) = (vec![zero; m * k], vec![zero; n * k]);
    let mut scratch = vec![0_u8; tenferro_dense::svd_solve_scratch::<T>(m, n, k, extra)];
    tenferro_dense::svd_solve(
        MatRef::row_major(&e[0], m, n),
        MatRef::row_major(&e[1], m, k),
        &reals(2),
        MatRef::row_major(&e[3], k, n),
        MatRef::row_major(&e[4], m, extra),
        &reals(5),
        MatRef::row_major(&e[6], extra, n),
        MatRef::row_major(&e[7], m, k),
        MatRef::row_major(&e[8], n, k),
        MatMut::row_major(&mut xs, m, k),
        MatMut::row_major(&mut ys, n, k),
        &mut scratch,
    )
    .expect("svd_solve");
    vec![wide(&xs), wide(&ys)]
}

fn part(x: &Arr, last: usize, batch: usize) -> &[Complex64] {
    let size: usize = x.shape[x.shape.len() - last..].iter().product();
    &x.data[batch * size..][..size]
}

/// The kernels, matrix by matrix.
pub fn kernels(prim: &Prim, x: &[&Arr]) -> Option<Vec<Arr>> {
    if let Some(found) = factors::kernel(prim, x) {
        return Some(found);
    }
    let rank = x[0].shape.len();
    let (lead, &[m, n]) = x[0].shape.split_at(rank.checked_sub(2)?) else {
        return None;
    };
    let complex = x[0].dtype.is_complex();
    let (last, shapes): (Vec<usize>, Vec<Vec<usize>>);
    let q = m.min(n);
    let triplets = |k: usize| vec![vec![m, k], vec![k], vec![k, n]];
    let (mut k, mut extra) = (q, 0);
    if let Some(p) = prim.downcast::<SvdTrunc>() {
        (k, extra) = (p.k, p.extra);
    } else if let Some(p) = prim.downcast::<twin::Twin>() {
        (k, extra) = (p.k, p.extra);
    }
    if prim.is::<SvdSolve>() {
        (k, extra) = (*x[2].shape.last()?, *x[5].shape.last()?);
        (last, shapes) = (vec![2, 2, 1, 2, 2, 1, 2, 2, 2], vec![vec![m, k], vec![n, k]]);
    } else {
        last = vec![2];
        shapes = match () {
            () if prim.is::<Svd>() => triplets(k),
            () if prim.is::<SvdVals>() => vec![vec![], vec![k]],
            () if prim.is::<SvdTrunc>() || prim.is::<twin::Twin>() => [triplets(k), triplets(extra)].concat(),
            () => return None,
        };
    }
    let mut out: Vec<Vec<Complex64>> = vec![vec![]; shapes.len()];
    for b in 0..lead.iter().product() {
        let args: Vec<&[Complex64]> = x.iter().zip(&last).map(|(x, l)| part(x, *l, b)).collect();
        let parts = match (prim.is::<SvdSolve>(), complex) {
            (true, false) => solve::<f64>(&args, m, n, k, extra),
            (true, true) => solve::<Complex64>(&args, m, n, k, extra),
            (false, false) => trunc::<f64>(args[0], m, n, k, extra),
            (false, true) => trunc::<Complex64>(args[0], m, n, k, extra),
        };
        out.iter_mut().zip(parts).for_each(|(all, part)| all.extend(part));
    }
    let arrays = out.into_iter().zip(shapes).enumerate().map(|(i, (data, shape))| {
        let real = !prim.is::<SvdSolve>() && i % 3 == 1;
        let dtype = if real { DType::F64 } else { x[0].dtype };
        (data, [lead, &shape].concat(), dtype)
    });
    let keep = |i: usize| !prim.is::<SvdVals>() || i == 1;
    Some(arrays.enumerate().filter(|(i, _)| keep(*i)).map(|(_, (d, s, t))| Arr::new(t, &s, d)).collect())
}

/// A program with one input, from a function on expressions.
pub fn program(dtype: DType, shape: &[usize], f: impl for<'b> Fn(Expr<'b>) -> Expr<'b>) -> Program {
    let b = Builder::new();
    let x = b.input(Aval::new(dtype, shape));
    let y = f(Expr::new(&b, x)).val();
    b.finish(vec![y]).expect("a program")
}

pub fn constant<'b>(like: Expr<'b>, x: &Arr) -> Expr<'b> {
    let v = like.b().emit_one(Prim::new(Constant::new(x.tensor())), &[]);
    Expr::new(like.b(), v)
}

/// x -> the cotangent of x for the cotangent `ct` of the only output.
pub fn pullback(f: &Program, ct: &Arr) -> Program {
    let wrt = Val::from_index(0);
    let (d, found) = vjp(f, &[wrt]).expect("a derivative");
    d.verify().expect("a legal derivative");
    let b = Builder::new();
    let x = b.input(f.aval(wrt).clone());
    let mut values = splice(&b, f, &[x]);
    values.push(b.emit(Prim::new(Constant::new(ct.tensor())), &[]).expect("ct")[0]);
    let all = splice(&b, &d, &values);
    // Where no path leads back the derivative is exactly 0.
    let none = || Expr::new(&b, x).number(0.0).broadcast_to(f.aval(wrt)).val();
    let out = found[0].map_or_else(none, |i| all[d.outputs()[i].index()]);
    b.finish(vec![out]).expect("a program").pruned().expect("pruned")
}

pub fn gradient(f: &Program) -> Program {
    pullback(f, &Arr::real(&[], &[1.0]))
}

pub fn run(f: &Program, x: &Arr) -> Arr {
    eval(f, std::slice::from_ref(x), &kernels).remove(0)
}

/// The largest error of the gradient of `f` (contracted with `w` at second order)
/// along some directions, against differences of fourth order; relative.
pub fn first_order_error(f: &Program, x: &Arr) -> f64 {
    error(&gradient(f), &|x| run(f, x).data[0].re, x)
}

pub fn second_order_error(f: &Program, x: &Arr) -> f64 {
    let g = gradient(f);
    let w = Arr::random(x.dtype, &x.shape, 99);
    error(&pullback(&g, &w), &|x| run(&g, x).dot(&w), x)
}

fn error(derivative: &Program, value: &dyn Fn(&Arr) -> f64, x: &Arr) -> f64 {
    let d = run(derivative, x);
    let h = 2e-4;
    let one = |seed: u64| {
        let e = Arr::random(x.dtype, &x.shape, seed);
        let at = |t: f64| value(&x.axpy(t * h, &e));
        let slope = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
        (d.dot(&e) - slope).abs() / (1.0 + slope.abs())
    };
    (1..5).map(one).fold(0.0, largest)
}
