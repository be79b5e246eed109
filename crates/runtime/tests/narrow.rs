//! Multi-output ops are narrowed to what is read, once for value and gradient.

mod support;

use support::spectrum::{Spectrum, SpectrumTop};
use support::{close, compiled, names, sum, values, vector};
use tenferro_graph::{Prim, Value};
use tenferro_ops::slice_axis;
use tenferro_runtime::TracedTensor;

const A: [f64; 4] = [3.0, 2.0, -1.5, 1.0];

fn spectrum(a: &TracedTensor) -> [TracedTensor; 2] {
    let outs = a.emit(Prim::new(Spectrum), &[a]).expect("recorded");
    outs.into_vec().try_into().expect("two outputs")
}

fn top(x: &TracedTensor, k: usize) -> TracedTensor {
    slice_axis(x, 0, 0, k).expect("a slice")
}

/// Σ a²·a³ over the first k.
fn loss(a: &TracedTensor, k: usize) -> TracedTensor {
    let [p, q] = spectrum(a);
    sum(&(top(&p, k) * top(&q, k)).expect("mul"))
}

fn count(names: &[String], name: &str) -> usize {
    names.iter().filter(|n| *n == name).count()
}

#[test]
fn slices_become_a_narrower_op() {
    let a = vector(&A);
    let c = compiled(&[loss(&a, 2)]);
    assert_eq!(names(&c), ["SpectrumTop", "Mul", "ReduceSum"]);
    close(&values(&[loss(&a, 2)])[0], &[243.0 + 32.0], 0.0);
    let cut = c.program().steps().find_map(|s| s.prim.downcast::<SpectrumTop>().cloned());
    assert_eq!(cut, Some(SpectrumTop { k: 2 }));
}

#[test]
fn one_factorization_serves_value_gradient_and_second_derivative() {
    let a = vector(&A);
    let y = loss(&a, 2);
    let g = y.grad(&a).expect("grad");
    assert!(g.graph().operations().iter().any(|o| o.name == "SpectrumTop"), "its extra output has no original");
    let h = sum(&g).grad(&a).expect("second derivative");
    let c = names(&compiled(&[y.clone(), g.clone(), h.clone()]));
    assert_eq!((count(&c, "SpectrumTop"), count(&c, "Spectrum")), (1, 0), "{c:?}");
    let out = values(&[y, g, h]);
    close(&out[1], &[5.0 * 81.0, 5.0 * 16.0, 0.0, 0.0], 1e-15);
    close(&out[2], &[20.0 * 27.0, 20.0 * 8.0, 0.0, 0.0], 1e-15);
}

#[test]
fn other_uses_keep_the_whole_op() {
    let a = vector(&A);
    let [p, q] = spectrum(&a);
    let differing = (sum(&top(&p, 2)) + sum(&top(&q, 3))).expect("add");
    assert_eq!(count(&names(&compiled(&[differing])), "Spectrum"), 1);
    let whole = (sum(&top(&p, 2)) + sum(&p)).expect("add");
    let c = names(&compiled(std::slice::from_ref(&whole)));
    assert_eq!((count(&c, "Spectrum"), count(&c, "Slice")), (1, 1));
    close(&values(&[whole.grad(&a).expect("grad")])[0], &[12.0, 8.0, -3.0, 2.0], 0.0);
    let inner = slice_axis(&p, 0, 1, 3).expect("not a leading part");
    assert_eq!(count(&names(&compiled(&[inner])), "Spectrum"), 1);
    let output = compiled(&[p.clone(), top(&p, 1)]);
    assert_eq!(count(&names(&output), "Spectrum"), 1, "an output is read whole");
}

#[test]
fn a_derivative_with_respect_to_an_output_keeps_it() {
    let a = vector(&A);
    let [p, q] = spectrum(&a);
    let y = sum(&(top(&p, 2) * top(&q, 2)).expect("mul"));
    let g = y.grad(&p).expect("grad");
    close(&values(&[g])[0], &[27.0, 8.0, 0.0, 0.0], 0.0);
    let cut = top(&p, 2);
    let y = sum(&(&cut * top(&q, 2)).expect("mul"));
    close(&values(&[y.grad(&cut).expect("grad")])[0], &[27.0, 8.0], 0.0);
}

#[test]
fn dead_outputs_count_as_unread() {
    let a = vector(&A);
    let [_, q] = spectrum(&a);
    let y = sum(&top(&q, 1));
    assert_eq!(names(&compiled(std::slice::from_ref(&y))), ["SpectrumTop", "ReduceSum"]);
    close(&values(&[y.jvp(&a, &vector(&[1.0; 4])).expect("jvp")])[0], &[27.0], 0.0);
}
