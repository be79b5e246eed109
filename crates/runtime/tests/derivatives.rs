//! Derivatives of traced tensors, first and higher, against closed forms.

mod support;

use support::call::Call;
use support::{close, compiled, names, prepare, run, runtime, sum, tensor, values, vector};
use tenferro_graph::{Aval, Builder, DType, Dim, Error, Prim, Shape, Tensor, Value};
use tenferro_ops::{Binary, BinaryOp, Unary, UnaryOp, sin};
use tenferro_runtime::TracedTensor;

const X: [f64; 3] = [0.3, -1.2, 2.5];

/// Σ sin(x)·x²
fn f(x: &TracedTensor) -> TracedTensor {
    sum(&(sin(x).expect("sin") * (x * x)).expect("mul"))
}

fn f1(x: f64) -> f64 {
    x.cos() * x * x + 2.0 * x * x.sin()
}

fn f2(x: f64) -> f64 {
    (2.0 - x * x) * x.sin() + 4.0 * x * x.cos()
}

#[test]
fn gradient_jvp_and_hvp_of_the_golden_function() {
    let (x, v) = (vector(&X), vector(&[1.0, 0.5, -2.0]));
    let y = f(&x);
    let g = y.grad(&x).expect("grad");
    let by_reverse = sum(&(&g * &v).expect("dot")).grad(&x).expect("grad of grad");
    let by_forward = g.jvp(&x, &v).expect("jvp of grad");
    let out = values(&[y.clone(), g, y.jvp(&x, &v).expect("jvp"), by_reverse, by_forward]);
    let v = [1.0, 0.5, -2.0];
    let hvp: Vec<f64> = X.iter().zip(v).map(|(x, v)| f2(*x) * v).collect();
    close(&out[0], &[X.iter().map(|x| x.sin() * x * x).sum()], 1e-14);
    close(&out[1], &X.map(f1), 1e-14);
    close(&out[2], &[X.iter().zip(v).map(|(x, v)| f1(*x) * v).sum()], 1e-14);
    close(&out[3], &hvp, 1e-14);
    close(&out[4], &hvp, 1e-14);
}

#[test]
fn third_derivative_by_composition() {
    let x = vector(&X);
    let mut d = f(&x);
    for _ in 0..3 {
        d = sum(&d.grad(&x).expect("grad"));
    }
    let third = |x: f64| (6.0 - x * x) * x.cos() - 6.0 * x * x.sin();
    close(&values(&[d])[0], &[X.map(third).iter().sum()], 1e-13);
}

#[test]
fn many_at_once_and_unreachable_ones() {
    let (x, y, z) = (vector(&[2.0]), vector(&[3.0]), vector(&[5.0]));
    let loss = sum(&(&x * &y).expect("mul"));
    let many = loss.grad_many(&[x.clone(), y.clone(), z.clone(), x.clone()]).expect("grads");
    assert!(many[2].is_none());
    let some: Vec<TracedTensor> = many.into_iter().flatten().collect();
    assert_eq!(values(&some), [[3.0], [2.0], [3.0]]);
    let zero = loss.grad(&z).expect("zeros");
    assert_eq!((values(std::slice::from_ref(&zero))[0].clone(), zero.shape()), (vec![0.0], z.shape()));
    let t = vector(&[7.0]);
    let outs = [loss.clone(), sum(&z)];
    let ts = TracedTensor::jvp_many(&outs, &[x.clone(), y, x.clone()], &[t.clone(), t.clone(), t]).expect("jvp");
    assert!(ts[1].is_none());
    close(&values(&[ts[0].clone().expect("a tangent")])[0], &[7.0 * 3.0 + 7.0 * 2.0 + 7.0 * 3.0], 0.0);
}

#[test]
fn with_respect_to_an_intermediate_value_and_to_the_output_itself() {
    let x = vector(&X);
    let s = sin(&x).expect("sin");
    let loss = sum(&(&s * &s).expect("mul"));
    let out = values(&[loss.grad(&s).expect("grad"), loss.grad(&loss).expect("grad")]);
    close(&out[0], &X.map(|x| 2.0 * x.sin()), 1e-15);
    assert_eq!(out[1], [1.0]);
    let ct = vector(&[1.0, 2.0, 3.0]);
    assert_eq!(values(&[x.vjp(&x, Some(&ct)).expect("vjp")]), [[1.0, 2.0, 3.0]]);
}

#[test]
fn cotangents_and_tangents_may_be_placeholders() {
    let x = vector(&X);
    let y = sin(&x).expect("sin");
    let ct = TracedTensor::input(DType::F64, [3], Some("ct"));
    let c = compiled(&[y.vjp(&x, Some(&ct)).expect("vjp"), y.jvp(&x, &ct).expect("jvp")]);
    assert_eq!(c.unbound().map(|(_, i)| i.leaf.name.as_deref().map(str::to_owned)).collect::<Vec<_>>(), [Some("ct".to_owned())]);
    let want: Vec<f64> = X.iter().zip([1.0, 2.0, 3.0]).map(|(x, c)| x.cos() * c).collect();
    for out in run(&c, &[tensor(&[3], &[1.0, 2.0, 3.0])]) {
        close(&out, &want, 1e-15);
    }
    close(&values(&[y.vjp(&x, None).expect("ones")])[0], &X.map(f64::cos), 1e-15);
}

#[test]
fn gradients_taken_one_by_one_share_their_sweep() {
    let (x, y) = (vector(&X), vector(&X));
    let loss = sum(&sin(&(&x * &y).expect("mul")).expect("sin"));
    let apart = compiled(&[loss.grad(&x).expect("grad"), loss.grad(&y).expect("grad")]);
    let together: Vec<TracedTensor> = loss.grad_many(&[x, y]).expect("grads").into_iter().flatten().collect();
    assert_eq!(names(&apart).len(), names(&compiled(&together)).len());
}

#[test]
fn equal_values_are_computed_once() {
    let (x, y) = (vector(&[1.0]), vector(&[2.0]));
    let twice = |a: &TracedTensor, b: &TracedTensor| sin(&(a * b).expect("mul")).expect("sin");
    let c = compiled(&[twice(&x, &y), twice(&y, &x), twice(&x, &x)]);
    assert_eq!(names(&c), ["Mul", "Sin", "Mul", "Sin"]);
    assert_eq!(c.program().outputs()[0], c.program().outputs()[1]);
}

#[test]
fn a_called_program_is_differentiated() {
    let b = Builder::new();
    let (p, q) = (b.input(Aval::new(DType::F64, [3])), b.input(Aval::new(DType::F64, [3])));
    let s = b.emit_one(Unary(UnaryOp::Sin).into(), &[p]);
    let m = b.emit_one(Binary(BinaryOp::Mul).into(), &[s, q]);
    let call = Prim::new(Call::new(b.finish(vec![m, s]).expect("a program")));
    let x = vector(&X);
    let outs = x.emit(call, &[&x, &x]).expect("recorded");
    let loss = sum(&(&outs[0] + &outs[1]).expect("add"));
    let g = loss.grad(&x).expect("grad");
    let second = sum(&g).grad(&x).expect("second");
    let out = values(&[loss, g, second]);
    close(&out[0], &[X.map(|x| x.sin() * (x + 1.0)).iter().sum()], 1e-14);
    close(&out[1], &X.map(|x| x.cos() * (x + 1.0) + x.sin()), 1e-14);
    close(&out[2], &X.map(|x| 2.0 * x.cos() - x.sin() * (x + 1.0)), 1e-14);
}

#[test]
fn symbolic_sizes_are_filled_in_at_prepare() {
    let of = |s: &str| Shape::from([Dim::symbol(s)].as_slice());
    let (x, y) = (TracedTensor::input(DType::F64, of("n"), Some("x")), TracedTensor::input(DType::F64, of("m"), Some("y")));
    let loss = sum(&(&x + &y).expect("sizes may be equal"));
    let c = compiled(&[loss.grad(&x).expect("grad")]);
    assert_eq!(c.program().guards().as_slice().len(), 1);
    let rt = runtime(&support::Naive::new());
    let given = |n: usize, m: usize| prepare(&rt, &c, &[tensor(&[n], &vec![0.0; n]), tensor(&[m], &vec![0.0; m])]);
    assert_eq!(c.unbound().count(), 2, "x gives the shape of the gradient");
    given(4, 4).expect("equal sizes");
    let e = given(4, 5).expect_err("sizes differ").to_string();
    assert!(e.contains("m == n") && e.contains('4') && e.contains('5'), "{e}");
    assert_eq!(run(&c, &[tensor(&[2], &[0.0; 2]), tensor(&[2], &[0.0; 2])]), [[1.0, 1.0]]);
}

#[test]
fn mistakes_are_named() {
    let (x, z) = (vector(&X), TracedTensor::from_tensor(Tensor::scalar(tenferro_graph::Complex64::new(1.0, 2.0))));
    let i = TracedTensor::from_tensor(Tensor::scalar(3_i64));
    let y = f(&x);
    let text = |r: tenferro_graph::Result<TracedTensor>| r.expect_err("a mistake");
    assert!(matches!(text(x.grad(&x)), Error::Shape { .. }));
    assert!(text(x.grad(&x)).to_string().starts_with("grad: needs a scalar, got shape (3,)"));
    assert!(matches!(text(z.grad(&z)), Error::DType { .. }));
    assert!(matches!(text(i.grad(&x)), Error::DType { .. }));
    assert!(matches!(text(y.grad(&i)), Error::DType { .. }));
    assert!(matches!(text(x.vjp(&x, Some(&y))), Error::Shape { .. }));
    assert!(text(y.jvp(&x, &z)).to_string().starts_with("jvp: the tangent is complex128 and must be float64"));
    assert!(matches!(TracedTensor::vjp_many(std::slice::from_ref(&y), std::slice::from_ref(&x), &[]), Err(Error::Binding { .. })));
    assert!(matches!(TracedTensor::jvp_many(&[y], &[x], &[]), Err(Error::Binding { .. })));
}
