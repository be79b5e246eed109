//! Checks of a program's derivatives and batches against its plain values.
#![allow(dead_code)]

#[path = "../../../ad/tests/support/mod.rs"]
pub mod interpreter;

pub mod indexing;

use interpreter::{Arr, c, eval};
use tenferro_ad::{batch, jvp, vjp};
use tenferro_graph::{Aval, Builder, Dim, Prim, Primitive, Program, Result, Shape, SmallVec, Val, Value};
use tenferro_ops::{Concatenate, Expr};

/// What the shared interpreter lacks.
pub fn extra(prim: &Prim, x: &[&Arr]) -> Option<Vec<Arr>> {
    if prim.name() == "identity" {
        return Some(vec![x[0].clone()]);
    }
    if let Some(y) = indexing::kernel(prim, x) {
        return Some(vec![y]);
    }
    let Concatenate { axis } = prim.downcast()?;
    let mut shape = x[0].shape.clone();
    shape[*axis] = x.iter().map(|part| part.shape[*axis]).sum();
    Some(vec![Arr::from_fn(x[0].dtype, &shape, |i| {
        let mut at = i.to_vec();
        let mut parts = x.iter();
        loop {
            let part = parts.next().expect("the index lies in a part");
            if at[*axis] < part.shape[*axis] {
                return part.at(&at);
            }
            at[*axis] -= part.shape[*axis];
        }
    })])
}

/// All values of the program. The interpreter computes in complex numbers, where ∞ · 1
/// has a NaN part; here real values lose their imaginary parts after every step.
pub fn run_all(p: &Program, inputs: &[Arr]) -> Vec<Arr> {
    p.verify().expect("a legal program");
    let mut values = inputs.to_vec();
    for step in p.steps() {
        let x: Vec<Arr> = step.args.iter().map(|a| values[a.index()].clone()).collect();
        let b = Builder::new();
        let vals: Vec<Val> = x.iter().map(|x| b.input(aval(x))).collect();
        let outs = b.emit(step.prim.clone(), &vals).expect("inferred before");
        let one = b.finish(outs.to_vec()).expect("one legal step");
        values.extend(eval(&one, &x, &extra).into_iter().map(|y| if y.dtype.is_complex() { y } else { y.map(|v| c(v.re)) }));
    }
    values
}

pub fn run(p: &Program, inputs: &[Arr]) -> Vec<Arr> {
    let all = run_all(p, inputs);
    p.outputs().iter().map(|v| all[v.index()].clone()).collect()
}

pub fn aval(x: &Arr) -> Aval {
    Aval::new(x.dtype, x.shape.as_slice())
}

/// A program of inputs like `x` that `f` writes as expressions.
pub fn program(x: &[Arr], f: impl FnOnce(&[Expr<'_>]) -> Result<Val>) -> Result<Program> {
    let avals: Vec<Aval> = x.iter().map(aval).collect();
    record(&avals, f)
}

pub fn record(avals: &[Aval], f: impl FnOnce(&[Expr<'_>]) -> Result<Val>) -> Result<Program> {
    let b = Builder::new();
    let vals: Vec<Val> = avals.iter().map(|a| b.input(a.clone())).collect();
    let x: Vec<Expr<'_>> = vals.iter().map(|v| Expr::new(&b, *v)).collect();
    let y = f(&x)?;
    drop(x);
    b.finish(vec![y])
}

pub fn single(prim: impl Primitive, x: &[Arr]) -> Program {
    let b = Builder::new();
    let vals: Vec<Val> = x.iter().map(|x| b.input(aval(x))).collect();
    let y = b.emit_one(Prim::new(prim), &vals);
    b.finish(vec![y]).expect("a legal op")
}

pub fn names(p: &Program) -> Vec<String> {
    p.steps().map(|s| s.prim.name().to_owned()).collect()
}

/// Largest entry of |a − b|; infinite if one is not a number.
pub fn distance(a: &Arr, b: &Arr) -> f64 {
    assert_eq!((a.dtype, &a.shape), (b.dtype, &b.shape));
    let far = a.axpy(-1.0, b).norm();
    if far.is_nan() { f64::INFINITY } else { far }
}

/// Relative errors of the tangent (against a central difference with step 1e-5) and
/// of ⟨ct, J t⟩ = ⟨Jᵀ ct, t⟩. The inputs that carry derivatives are the inexact ones.
pub fn derivative_errors(f: &Program, x: &[Arr]) -> (f64, f64) {
    let wrt: Vec<Val> = f.inputs().filter(|v| x[v.index()].dtype.is_inexact()).collect();
    let seed = |i: usize| 100 + i as u64;
    let t: Vec<Arr> = wrt.iter().map(|v| Arr::random(x[v.index()].dtype, &x[v.index()].shape, seed(v.index()))).collect();
    let moved = |h: f64| {
        let mut x = x.to_vec();
        wrt.iter().zip(&t).for_each(|(v, t)| x[v.index()] = x[v.index()].axpy(h, t));
        run(f, &x)[0].clone()
    };
    let h = 1e-5;
    let difference = moved(h).axpy(-1.0, &moved(-h)).map(|d| d / (2.0 * h));
    let forward = run_all(f, x);

    let (p, found) = jvp(f, &wrt).expect("a jvp rule");
    let with = |more: &[Arr]| -> Vec<Arr> { forward.iter().chain(more).cloned().collect() };
    let tangent = found[0].map_or_else(|| difference.map(|_| c(0.0)), |i| run(&p, &with(&t))[i].clone());
    let jvp_error = distance(&tangent, &difference) / difference.norm().max(1.0);

    let ct = Arr::random(tangent.dtype, &tangent.shape, 7);
    let (p, found) = vjp(f, &wrt).expect("a transpose rule");
    let outs = run(&p, &with(std::slice::from_ref(&ct)));
    let mut back = 0.0;
    for (i, t) in found.iter().zip(&t) {
        if let Some(i) = i {
            assert_eq!((outs[*i].dtype, &outs[*i].shape), (t.dtype, &t.shape), "the cotangent is like its input");
            back += outs[*i].dot(t);
        }
    }
    let there = ct.dot(&tangent);
    let vjp_error = (there - back).abs() / there.abs().max(1.0);
    (jvp_error, if vjp_error.is_nan() { f64::INFINITY } else { vjp_error })
}

/// Distance of the batched program from one run per element, the worst over every
/// choice of inputs that carry the batch.
pub fn batch_error(f: &Program, x: &[Arr]) -> f64 {
    const N: usize = 3;
    let mut worst = 0.0_f64;
    for choice in 1..(1_usize << x.len()) {
        let batched: Vec<bool> = (0..x.len()).map(|i| choice >> i & 1 == 1).collect();
        // Element k of a batch is the input scaled by 1, 2, 3 (masks: turned over).
        let element = |i: usize, k: usize| match (batched[i], x[i].dtype) {
            (false, _) => x[i].clone(),
            (true, tenferro_graph::DType::Bool) => x[i].map(|v| if k == 1 { c(1.0) - v } else { v }),
            (true, _) => x[i].map(|v| v * (k + 1) as f64),
        };
        let inputs: Vec<Arr> = (0..x.len())
            .map(|i| if batched[i] { stack(&(0..N).map(|k| element(i, k)).collect::<Vec<_>>()) } else { x[i].clone() })
            .collect();
        let (p, out) = batch(f, &batched, &Dim::Const(N)).expect("a batch rule");
        assert_eq!(out, [true]);
        let one = |k: usize| run(f, &(0..x.len()).map(|i| element(i, k)).collect::<Vec<_>>())[0].clone();
        let wanted = stack(&(0..N).map(one).collect::<Vec<_>>());
        worst = worst.max(distance(&run(&p, &inputs)[0], &wanted));
    }
    worst
}

fn stack(x: &[Arr]) -> Arr {
    let shape: Vec<usize> = std::iter::once(x.len()).chain(x[0].shape.iter().copied()).collect();
    Arr::new(x[0].dtype, &shape, x.iter().flat_map(|a| a.data.clone()).collect())
}

/// An array whose ops run at once.
#[derive(Clone, Debug)]
pub struct Now(pub Arr);

impl Value for Now {
    fn aval(&self) -> Aval {
        aval(&self.0)
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        let x: Vec<Arr> = args.iter().map(|a| a.0.clone()).collect();
        let b = Builder::new();
        let vals: Vec<Val> = x.iter().map(|x| b.input(aval(x))).collect();
        let outs = b.emit(prim, &vals)?;
        let p = b.finish(outs.to_vec())?;
        Ok(run(&p, &x).into_iter().map(Now).collect())
    }
}

pub fn shape(dims: &[usize]) -> Shape {
    Shape::from(dims)
}
