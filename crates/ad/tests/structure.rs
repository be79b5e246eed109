//! Which programs the transforms make, and that they are right.
#![allow(clippy::print_stderr)]

mod support;

use std::time::{Duration, Instant};

use support::{Arr, eval, eval_all, no_extra};
use tenferro_ad::{batch, jvp, linearize, transpose, vjp};
use tenferro_graph::{Aval, Builder, DType, Dim, Guards, Prim, Primitive, Program, Result, Val};
use tenferro_ops::{Binary, BinaryOp, Cast, Compare, CompareOp, Reduce, ReduceOp, Select, Unary, UnaryOp};

const MUL: Binary = Binary(BinaryOp::Mul);
const ADD: Binary = Binary(BinaryOp::Add);
const SIN: Unary = Unary(UnaryOp::Sin);

fn vector(b: &Builder) -> Val {
    b.input(Aval::new(DType::F64, [3]))
}

fn emit(b: &Builder, prim: impl Primitive, args: &[Val]) -> Val {
    b.emit_one(Prim::new(prim), args)
}

fn sum(b: &Builder, x: Val) -> Val {
    emit(b, Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[x])
}

fn names(p: &Program) -> Vec<String> {
    p.verify().expect("legal");
    p.steps().map(|s| s.prim.name().to_owned()).collect()
}

fn sum_of_squares() -> (Program, Val) {
    let b = Builder::new();
    let x = vector(&b);
    let y = sum(&b, emit(&b, MUL, &[x, x]));
    (b.finish(vec![y]).expect("a program"), x)
}

#[test]
fn gradient_of_a_sum_of_squares_is_four_ops() {
    let (f, x) = sum_of_squares();
    let (d, found) = vjp(&f, &[x]).expect("vjp");
    assert_eq!(names(&d), ["broadcast_in_dim", "mul", "mul", "add"]);
    assert_eq!((d.n_inputs(), found), (f.n_values() + 1, vec![Some(0)]));
    let values = eval_all(&f, &[Arr::real(&[3], &[1.0, 2.0, 3.0])], &no_extra);
    let g = eval(&d, &[values.clone(), vec![Arr::real(&[], &[1.0])]].concat(), &no_extra);
    assert_eq!(g[0].data, Arr::real(&[3], &[2.0, 4.0, 6.0]).data);
    let (d, _) = jvp(&f, &[x]).expect("jvp");
    let t = eval(&d, &[values, vec![Arr::real(&[3], &[0.1, 1.0, -2.0])]].concat(), &no_extra);
    assert!((t[0].data[0].re + 7.8).abs() < 1e-14);
}

#[test]
fn only_active_steps_are_differentiated() {
    let b = Builder::new();
    let (x, y) = (vector(&b), vector(&b));
    let unrelated = emit(&b, SIN, &[y]);
    let dead = emit(&b, SIN, &[x]);
    let z = emit(&b, MUL, &[x, unrelated]);
    let f = b.finish(vec![z, unrelated]).expect("a program");
    let (d, tangents) = jvp(&f, &[x]).expect("jvp");
    assert_eq!((names(&d), tangents), (vec!["mul".to_owned()], vec![Some(0), None]));
    let (d, found) = vjp(&f, &[x, dead]).expect("vjp");
    assert_eq!((names(&d), found), (vec!["mul".to_owned()], vec![Some(0), None]));
}

#[test]
fn an_intermediate_value_cuts_what_is_before_it() {
    let b = Builder::new();
    let x = vector(&b);
    let y = emit(&b, SIN, &[x]);
    let z = emit(&b, MUL, &[y, x]);
    let f = b.finish(vec![z]).expect("a program");
    let (d, found) = vjp(&f, &[y, x]).expect("vjp");
    assert_eq!((names(&d), found), (vec!["mul".to_owned(); 2], vec![Some(0), Some(1)]));
    // Listed twice, both get the whole cotangent.
    let (d, found) = vjp(&f, &[y, y]).expect("vjp");
    assert_eq!(found, [Some(0), Some(1)]);
    assert_eq!(d.outputs()[0], d.outputs()[1]);
}

#[test]
fn an_output_that_is_asked_for_gets_its_cotangent_itself() {
    let b = Builder::new();
    let x = vector(&b);
    let f = b.finish(vec![x, x]).expect("a program");
    let (d, _) = vjp(&f, &[x]).expect("vjp");
    assert_eq!(names(&d), ["add"]);
    let g = f.with_outputs(vec![x]);
    let (d, _) = vjp(&g, &[x]).expect("vjp");
    assert_eq!((d.n_steps(), d.outputs()), (0, [Val::from_index(1)].as_slice()));
}

#[test]
fn masks_and_casts_to_bool_have_no_tangent() {
    let b = Builder::new();
    let x = vector(&b);
    let mask = emit(&b, Compare(CompareOp::Gt), &[x, x]);
    let back = emit(&b, Cast { to: DType::F64 }, &[mask]);
    let y = emit(&b, Select, &[mask, x, back]);
    let f = b.finish(vec![y, back]).expect("a program");
    let (d, tangents) = jvp(&f, &[x]).expect("jvp");
    d.verify().expect("legal");
    assert_eq!(tangents, [Some(0), None]);
    let error = vjp(&f, &[mask]).expect_err("bool").to_string();
    assert_eq!(error, "vjp: bool[3] has no derivative; cast it to a floating dtype first");
}

#[test]
fn a_real_value_gets_a_real_cotangent() {
    let b = Builder::new();
    let x = vector(&b);
    let z = emit(&b, Cast { to: DType::C128 }, &[x]);
    let y = emit(&b, MUL, &[z, z]);
    let f = b.finish(vec![y]).expect("a program");
    let (d, _) = vjp(&f, &[x]).expect("vjp");
    d.verify().expect("legal");
    assert_eq!(d.output_avals(), [Aval::new(DType::F64, [3])]);
}

/// An op without rules, and one whose rules break the contract.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bare;

impl Primitive for Bare {
    fn name(&self) -> &'static str {
        "bare"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(x.to_vec())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Broken;

impl Primitive for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(x.to_vec())
    }

    fn jvp(&self, r: tenferro_graph::Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![t[0].map(|t| r.b.emit_one(Prim::new(Reduce { op: ReduceOp::Sum, axes: vec![0] }), &[t]))])
    }
}

fn applied(prim: impl Primitive) -> (Program, Val) {
    let b = Builder::new();
    let x = vector(&b);
    let y = emit(&b, prim, &[x]);
    (b.finish(vec![y]).expect("a program"), x)
}

#[test]
fn a_missing_or_wrong_rule_names_the_op() {
    let (f, x) = applied(Bare);
    assert_eq!(jvp(&f, &[x]).expect_err("no rule").to_string(), "bare: has no jvp rule");
    assert_eq!(vjp(&f, &[x]).expect_err("no rule").to_string(), "bare: has no jvp rule");
    assert_eq!(batch(&f, &[true], &Dim::Const(2)).expect_err("no rule").to_string(), "bare: has no batch rule");
    let (f, x) = applied(Broken);
    let text = jvp(&f, &[x]).expect_err("wrong rank").to_string();
    assert!(text.contains("broken: the jvp rule gave float64[] as the tangent of float64[3]"), "{text}");
}

#[test]
fn unbatched_steps_stay_as_they_are() {
    let (f, _) = sum_of_squares();
    let (same, with) = batch(&f, &[false], &Dim::Const(2)).expect("batch");
    assert_eq!((same.fingerprint(), with), (f.fingerprint(), vec![false]));
    assert!(batch(&f, &[], &Dim::Const(2)).is_err());
}

#[test]
fn transpose_is_the_adjoint_of_linearize() {
    let b = Builder::new();
    let (x, y) = (vector(&b), vector(&b));
    let z = emit(&b, MUL, &[emit(&b, SIN, &[x]), y]);
    let w = emit(&b, ADD, &[z, x]);
    let f = b.finish(vec![w, z]).expect("a program");
    let lin = linearize(&f, &[x, y]).expect("linearize");
    let (back, _) = transpose(&f, &lin).expect("transpose");
    let random = |seed| Arr::random(DType::F64, &[3], seed);
    let values = eval_all(&f, &[random(1), random(2)], &no_extra);
    let (t, ct) = ([random(3), random(4)], [random(5), random(6)]);
    let jt = eval(&lin.program, &[values.clone(), t.to_vec()].concat(), &no_extra);
    let ctj = eval(&back, &[values, ct.to_vec()].concat(), &no_extra);
    let inner = |a: &[Arr], b: &[Arr]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    assert!((inner(&ct, &jt) - inner(&ctj, &t)).abs() < 1e-14);
}

/// x ← sin(x)·x, over and over: 2n steps.
fn chain(n: usize) -> (Program, Val) {
    let b = Builder::new();
    let x = vector(&b);
    let y = (0..n).fold(x, |y, _| emit(&b, MUL, &[emit(&b, SIN, &[y]), y]));
    let y = sum(&b, y);
    (b.finish(vec![y]).expect("a program"), x)
}

#[test]
fn long_chains_take_linear_time_and_no_stack() {
    let time = |n: usize| -> (usize, Duration) {
        let (f, x) = chain(n);
        let start = Instant::now();
        let (d, _) = vjp(&f, &[x]).expect("vjp");
        (d.n_steps(), start.elapsed())
    };
    let (small, t1) = (0..3).map(|_| time(100_000)).min_by_key(|x| x.1).expect("three runs");
    let (large, t2) = (0..3).map(|_| time(200_000)).min_by_key(|x| x.1).expect("three runs");
    let each = t2.as_nanos() as f64 / large as f64;
    eprintln!("vjp: {each:.0} ns a node of {large}, t(2n)/t(n) = {:.2}", t2.as_secs_f64() / t1.as_secs_f64());
    assert_eq!(large, 2 * small - 1);
    // Generous, for busy machines; a quadratic pass would be 1000 times slower.
    assert!(each < 10_000.0, "{each} ns a node");
}
