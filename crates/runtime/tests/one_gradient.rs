//! One gradient, step by step.

mod support;

use std::sync::Arc;

use support::{Naive, close, compiled, data, names, prepare, run, runtime, sum, tensor, values, vector};
use tenferro_graph::{NoInterrupt, Target};
use tenferro_runtime::{Fragment, Prepared, Role, TracedTensor};

fn squares() -> (TracedTensor, TracedTensor) {
    let x = TracedTensor::from_vec_col_major(&[3], &[1.0, 2.0, 3.0]).expect("three numbers");
    let y = tenferro_ops::reduce_sum(&(&x * &x).expect("mul"), &[0]).expect("reduce_sum");
    (x, y)
}

/// Distinct fragments reached through parents.
fn walk(graph: &Arc<Fragment>) -> Vec<Arc<Fragment>> {
    let mut found: Vec<Arc<Fragment>> = vec![];
    let mut todo = vec![graph.clone()];
    while let Some(f) = todo.pop() {
        if found.iter().all(|g| g.id() != f.id()) {
            todo.extend(f.parents().iter().cloned());
            found.push(f);
        }
    }
    found
}

fn attribute(op: &tenferro_runtime::Operation, name: &str) -> String {
    op.attributes.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone()).expect("has the attribute")
}

#[test]
fn the_value_is_three_fragments_and_two_operations() {
    let (_, y) = squares();
    let fragments = walk(y.graph());
    assert_eq!(fragments.len(), 3);
    assert_eq!(fragments.iter().map(|f| f.operations().len()).sum::<usize>(), 2);
    let own = y.graph().operations();
    assert_eq!((own.len(), own[0].name.as_str(), own[0].inputs.len()), (1, "ReduceSum", 1));
    assert_eq!((own[0].role, attribute(&own[0], "axes")), (Role::Primary, "[0]".to_owned()));
    assert!(y.graph().references().is_empty());
    assert!(walk(y.graph()).iter().any(|f| f.operations().is_empty()), "the leaf");
}

#[test]
fn the_gradient_is_one_fragment_that_refers_to_the_forward_one() {
    let (x, y) = squares();
    let g = y.grad(&x).expect("a gradient");
    assert_eq!(walk(g.graph()).len(), 1);
    let ops = g.graph().operations();
    let found: Vec<&str> = ops.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(found, ["BroadcastInDim", "Mul", "Mul", "Add"]);
    assert!(ops.iter().all(|o| o.role == Role::Cotangent));
    assert_eq!((attribute(&ops[0], "shape"), attribute(&ops[0], "dims")), ("[Const(3)]".to_owned(), "[]".to_owned()));
    let leaves = g.graph().references().iter().filter(|f| f.operations().is_empty()).count();
    assert_eq!((g.graph().references().len(), leaves), (2, 2), "x and the unit seed");
    assert_eq!((g.shape(), g.dtype()), (x.shape(), x.dtype()));
}

#[test]
fn the_compiled_gradient_has_three_operations() {
    let (x, y) = squares();
    let c = compiled(&[y.grad(&x).expect("a gradient")]);
    let text = "SemanticProgram { inputs: 2, outputs: 1, values: 5, operations: 3, shape_guards: 0 }";
    assert_eq!((c.to_string(), format!("{c:?}")), (text.to_owned(), text.to_owned()));
    assert_eq!(names(&c), ["BroadcastInDim", "Mul", "Add"]);
    assert_eq!((c.inputs().len(), c.input_keys().len(), c.bindings().len(), c.n_outputs()), (2, 2, 2, 1));
    assert!(c.input_keys().iter().all(|k| c.bindings().contains_key(k)));
    assert_eq!(c.unbound().count(), 0);
    assert_eq!(c.fingerprint().to_bytes().len(), 16);
}

#[test]
fn the_drawing_has_every_value_and_step() {
    let x = TracedTensor::input(tenferro_graph::DType::F64, [3], Some("the \"x\""));
    let y = tenferro_ops::reduce_sum(&(&x * &x).expect("mul"), &[0]).expect("reduce_sum");
    let c = compiled(&[y.grad(&x).expect("a gradient")]);
    let dot = c.to_dot();
    let lines: Vec<&str> = dot.lines().map(str::trim).collect();
    let count = |what: &str| lines.iter().filter(|l| l.contains(what)).count();
    assert_eq!((lines.first(), lines.last()), (Some(&"digraph program {"), Some(&"}")));
    // Two inputs and the results of three steps; a framed output.
    assert_eq!((count("shape=ellipse"), count("peripheries=2")), (5, 1));
    assert_eq!(lines.iter().filter(|l| l.starts_with('s') && l.contains("[label=")).count(), 3);
    for step in ["broadcast_in_dim", "mul", "add"] {
        assert_eq!(count(&format!("[label=\"{step}")), 1, "{dot}");
    }
    // The broadcast has one argument, the others two; each gives one value.
    let edges = |from: char| lines.iter().filter(|l| l.starts_with(from) && l.contains(" -> ")).count();
    assert_eq!((edges('v'), edges('s')), (5, 3), "{dot}");
    assert_eq!(count(r#"[label="the \"x\": float64[3]""#), 1, "{dot}");
}

#[test]
fn fingerprints_say_what_a_program_computes() {
    let of = |n: usize| {
        let x = vector(&vec![1.0; n]);
        compiled(&[sum(&(&x * &x).expect("mul")).grad(&x).expect("a gradient")]).fingerprint()
    };
    let (x, y) = squares();
    let g = y.grad(&x).expect("a gradient");
    assert_eq!(compiled(std::slice::from_ref(&g)).fingerprint(), compiled(&[g]).fingerprint());
    assert_eq!(of(3), of(3), "recorded anew");
    assert_ne!(of(3), of(1_000_000));
}

#[test]
fn values_are_right() {
    let (x, y) = squares();
    let t = vector(&[0.1, 1.0, -2.0]);
    let out = values(&[y.clone(), y.grad(&x).expect("grad"), y.jvp(&x, &t).expect("jvp")]);
    close(&out[0], &[14.0], 0.0);
    close(&out[1], &[2.0, 4.0, 6.0], 0.0);
    close(&out[2], &[-7.8], 1e-15);
}

#[test]
fn prepared_once_it_runs_often_on_any_engine_of_its_target() {
    fn shared<T: Send + Sync>(_: &T) {}
    let x = TracedTensor::input(tenferro_graph::DType::F64, [3], Some("x"));
    let g = sum(&(&x * &x).expect("mul")).grad(&x).expect("a gradient");
    let c = compiled(&[g]);
    let (mut first, mut second) = (Naive::new(), Naive::new());
    let rt = runtime(&first);
    let prepared: Prepared = prepare(&rt, &c, &[tensor(&[3], &[0.0; 3])]).expect("prepares");
    shared(&prepared);
    shared(&rt);
    for k in 0..3 {
        let input = tensor(&[3], &[f64::from(k), 1.0, 2.0]);
        for engine in [&mut first, &mut second] {
            let out = rt.run(&mut [engine], &prepared, std::slice::from_ref(&input), &NoInterrupt).expect("runs");
            close(&data(out[0].tensor()), &[2.0 * f64::from(k), 2.0, 4.0], 0.0);
        }
    }
    let input = [tensor(&[3], &[1.0; 3])];
    rt.warm_up(&mut [&mut first], &prepared, &input, &NoInterrupt).expect("runs");
    assert_eq!(first.synchronized, 1);
    prepare(&rt, &c, &input).expect("from the cache");
    assert_eq!((first.planned(), second.planned()), (1, 0));
    let other = runtime(&second);
    prepare(&other, &c, &input).expect("prepares").run(&mut second, &input, &NoInterrupt).expect("runs");
    assert_eq!(prepared.target(), &Target::new("naive"));
}

#[test]
fn an_output_that_is_an_input_is_borrowed() {
    let x = TracedTensor::input(tenferro_graph::DType::F64, [2], None);
    let c = compiled(&[x]);
    let mut engine = Naive::new();
    let input = [tensor(&[2], &[1.0, 2.0])];
    let out = prepare(&runtime(&engine), &c, &input).expect("prepares").run(&mut engine, &input, &NoInterrupt).expect("runs");
    assert!(out[0].is_borrowed());
    assert_eq!(out[0].tensor().as_ptr(), input[0].as_ptr());
    assert_eq!(run(&c, &input), [[1.0, 2.0]]);
}
