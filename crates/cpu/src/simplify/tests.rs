//! Every rewrite on −0, NaN and infinities: a program has the same bits with and without it.

use tenferro_graph::{Aval, Builder, Complex32, Complex64, Element, ExecutionEngine, NoInterrupt, Tensor, with_element};
use tenferro_ops::CompareOp;

use super::*;
use crate::CpuEngine;
use crate::engine::CpuPlan;
use crate::lowering::Lowerings;

type Case = (&'static str, usize, fn(&Builder, Val) -> Val);

fn unary(b: &Builder, op: UnaryOp, x: Val) -> Val {
    b.emit_one(Unary(op).into(), &[x])
}

fn number(b: &Builder, x: Val, n: i64, broadcast: bool) -> Val {
    let aval = b.aval(x);
    let c = b.emit_one(Constant::new(Number::Int(n.into()).tensor(aval.dtype).expect("a number")).into(), &[]);
    if broadcast { b.emit_one(BroadcastInDim { shape: aval.shape, dims: vec![] }.into(), &[c]) } else { c }
}

fn transpose(b: &Builder, axes: [usize; 2], x: Val) -> Val {
    b.emit_one(Transpose { axes: axes.to_vec() }.into(), &[x])
}

fn reshape(b: &Builder, shape: &[usize], x: Val) -> Val {
    b.emit_one(Reshape { shape: shape.into() }.into(), &[x])
}

fn broadcast(b: &Builder, shape: &[usize], dims: &[usize], x: Val) -> Val {
    b.emit_one(BroadcastInDim { shape: shape.into(), dims: dims.to_vec() }.into(), &[x])
}

fn binary(b: &Builder, op: BinaryOp, x: Val, y: Val) -> Val {
    b.emit_one(Binary(op).into(), &[x, y])
}

/// Programs of a 4×3 array, the rule that applies to each, and how many steps stay.
const CASES: [Case; 18] = [
    ("a transpose of a transpose is one", 0, |b, x| transpose(b, [1, 0], transpose(b, [1, 0], x))),
    ("a transpose of a transpose is one", 1, |b, x| unary(b, UnaryOp::Neg, transpose(b, [0, 1], x))),
    ("a reshape of a reshape is the last one", 1, |b, x| reshape(b, &[2, 6], reshape(b, &[12], x))),
    ("a reshape of a reshape is the last one", 0, |b, x| reshape(b, &[4, 3], reshape(b, &[3, 4], x))),
    ("a broadcast of a broadcast is one", 1, |b, x| broadcast(b, &[2, 4, 5, 3], &[1, 2, 3], broadcast(b, &[4, 1, 3], &[0, 2], x))),
    ("a cast to the same dtype", 1, |b, x| {
        let to = b.aval(x).dtype;
        unary(b, UnaryOp::Neg, b.emit_one(Cast { to }.into(), &[x]))
    }),
    ("times or divided by 1", 0, |b, x| binary(b, BinaryOp::Mul, x, number(b, x, 1, true))),
    ("times or divided by 1", 0, |b, x| binary(b, BinaryOp::Mul, number(b, x, 1, true), x)),
    ("times or divided by 1", 0, |b, x| binary(b, BinaryOp::Div, x, number(b, x, 1, true))),
    ("negated or conjugated twice", 0, |b, x| unary(b, UnaryOp::Neg, unary(b, UnaryOp::Neg, x))),
    ("negated or conjugated twice", 0, |b, x| unary(b, UnaryOp::Conj, unary(b, UnaryOp::Conj, x))),
    ("the conjugate or real part of reals", 1, |b, x| unary(b, UnaryOp::Neg, unary(b, UnaryOp::Real, x))),
    ("the conjugate or real part of reals", 1, |b, x| unary(b, UnaryOp::Neg, unary(b, UnaryOp::Conj, x))),
    ("a choice between equals", 0, |b, x| {
        let mask = b.emit_one(tenferro_ops::Compare(CompareOp::Eq).into(), &[x, x]);
        b.emit_one(Select.into(), &[mask, x, x])
    }),
    ("a marker for derivatives", 1, |b, x| unary(b, UnaryOp::Neg, b.emit_one(StopGradient.into(), &[x]))),
    // What must stay.
    ("", 3, |b, x| binary(b, BinaryOp::Add, x, number(b, x, 0, true))),
    ("", 3, |b, x| binary(b, BinaryOp::Mul, number(b, x, 0, true), x)),
    ("", 2, |b, x| binary(b, BinaryOp::Sub, unary(b, UnaryOp::Neg, x), x)),
];

/// Rules that are not for complex numbers: their programs stay as they are.
fn is_real_only(rule: &str) -> bool {
    ["times or divided by 1", "the conjugate or real part of reals"].contains(&rule)
}

fn build(x: &Tensor, f: impl Fn(&Builder, Val) -> Val) -> Option<Arc<Program>> {
    let b = Builder::new();
    let v = b.input(x.aval());
    let y = f(&b, v);
    b.finish(vec![y]).ok().map(Arc::new)
}

fn bits(t: &Tensor) -> Vec<u8> {
    fn of<T: Element>(t: &Tensor) -> Vec<u8> {
        let data = t.to_vec::<T>().expect("its dtype");
        // SAFETY: elements without padding, read as bytes.
        unsafe { std::slice::from_raw_parts(data.as_ptr().cast::<u8>(), size_of_val(data.as_slice())) }.to_vec()
    }
    with_element!(t.dtype(), T => of::<T>(t))
}

fn outcome(p: &Arc<Program>, x: &Tensor) -> Tensor {
    let sig: [Aval; 1] = [x.aval()];
    let plan = CpuPlan::new(p.clone(), Arc::new(Lowerings::default()), &sig).expect("plans");
    let outs = CpuEngine::serial().run(&plan, std::slice::from_ref(x), &NoInterrupt).expect("runs");
    outs[0].tensor().clone()
}

const SPECIAL: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, 5e-324, f64::MAX, -2.5, 1e-300];

fn arrays() -> Vec<Tensor> {
    let narrow = SPECIAL.map(|x| x as f32);
    let pairs: [Complex64; 12] = std::array::from_fn(|i| Complex64::new(SPECIAL[i], SPECIAL[(5 * i + 4) % 12]));
    let narrow_pairs = pairs.map(|z| Complex32::new(z.re as f32, z.im as f32));
    let whole: [i64; 12] = std::array::from_fn(|i| if i == 3 { i64::MIN } else { i as i64 - 5 });
    [
        Tensor::from_slice(&[4, 3], &SPECIAL),
        Tensor::from_slice(&[4, 3], &narrow),
        Tensor::from_slice(&[4, 3], &pairs),
        Tensor::from_slice(&[4, 3], &narrow_pairs),
        Tensor::from_slice(&[4, 3], &whole),
    ]
    .into_iter()
    .map(|t| t.expect("memory"))
    .collect()
}

#[test]
fn a_program_has_the_same_bits_with_and_without_each_rewrite() {
    for x in arrays() {
        for (rule, steps, f) in CASES {
            // The dtype may not have the op.
            let Some(p) = build(&x, f) else { continue };
            let q = simplified(&p).expect("valid");
            if x.dtype().is_complex() && is_real_only(rule) {
                assert!(Arc::ptr_eq(&p, &q), "{rule}, {}", x.dtype());
            } else {
                assert_eq!(q.n_steps(), steps, "{rule}, {}", x.dtype());
            }
            assert_eq!(bits(&outcome(&p, &x)), bits(&outcome(&q, &x)), "{rule}, {}", x.dtype());
        }
    }
}

#[test]
fn every_rewrite_has_a_case() {
    for (name, _) in RULES {
        assert!(CASES.iter().any(|(rule, _, _)| *rule == name), "{name}");
    }
}
