//! What ops accept, what they say when they do not, and how they print.

mod support;

use support::interpreter::Arr;
use support::{Now, names, record};
use tenferro_graph::{Aval, Builder, DType, Dim, Guards, Prim, Primitive, Program, Result, Shape, Tensor, Val, Value};
use tenferro_ops::*;

fn f64s(shape: &[usize]) -> Aval {
    Aval::new(DType::F64, shape)
}

fn refused(prim: impl Into<Prim>, x: &[Aval]) -> String {
    let prim: Prim = prim.into();
    prim.infer(x, &mut Guards::default()).expect_err("refused").to_string()
}

fn message<T>(r: Result<T>) -> String {
    r.err().expect("refused").to_string()
}

fn sliced(starts: &[usize], limits: &[usize], steps: &[usize]) -> Slice {
    Slice { starts: starts.to_vec(), limits: limits.iter().map(|n| Dim::Const(*n)).collect(), steps: steps.to_vec() }
}

#[test]
fn inference_says_what_does_not_fit() {
    let c = Aval::new(DType::C128, [3]);
    let mask = Aval::new(DType::Bool, [3]);
    let int = Aval::new(DType::I64, [3]);
    let said = [
        (refused(Binary(BinaryOp::Add), &[f64s(&[3]), f64s(&[4])]), "add: shapes (3,) and (4,) do not match"),
        (refused(Binary(BinaryOp::Mul), &[f64s(&[3]), c.clone()]), "mul: dtypes float64 and complex128 differ; cast one"),
        (refused(Binary(BinaryOp::Maximum), &[c.clone(), c.clone()]), "maximum: needs a real number dtype, got complex128; cast it first"),
        (refused(Unary(UnaryOp::Sin), std::slice::from_ref(&int)), "sin: needs a floating or complex dtype, got int64; cast it first"),
        (refused(Unary(UnaryOp::Neg), std::slice::from_ref(&mask)), "neg: needs a number dtype, got bool; cast it first"),
        (refused(Compare(CompareOp::Lt), &[c.clone(), c]), "lt: complex128 has no order"),
        (refused(Select, &[f64s(&[3]), f64s(&[3]), f64s(&[3])]), "select: the mask must be bool, got float64"),
        (refused(Select, &[mask, f64s(&[2]), f64s(&[2])]), "select: the mask has shape (3,) and the branches (2,)"),
    ];
    for (got, want) in said {
        assert_eq!(got, want);
    }
}

#[test]
fn inference_says_which_axes_do_not_fit() {
    let said = [
        (refused(Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[f64s(&[3, 4])]), "reduce_sum: axis 2 is out of range for 2 axes"),
        (refused(Reduce { op: ReduceOp::Sum, axes: vec![1, 1] }, &[f64s(&[3, 4])]), "reduce_sum: axes [1, 1] repeat or are not sorted"),
        (
            refused(Reduce { op: ReduceOp::Max, axes: vec![0] }, &[f64s(&[0, 4])]),
            "reduce_max: axis 0 has no elements to take the maximum of, shape (0, 4)",
        ),
        (refused(Reshape { shape: Shape::from([5]) }, &[f64s(&[3, 4])]), "reshape: shape (3, 4) has not as many elements as (5,)"),
        (refused(Transpose { axes: vec![0, 0] }, &[f64s(&[3, 4])]), "transpose: axes [0, 0] are not a permutation of 2 axes"),
        (
            refused(BroadcastInDim { shape: Shape::from([4, 2]), dims: vec![0] }, &[f64s(&[3])]),
            "broadcast_in_dim: shape (3,) does not broadcast to (4, 2)",
        ),
        (refused(sliced(&[0], &[4], &[1]), &[f64s(&[3])]), "slice: 0:4:1 is not a slice of size 3 on axis 0"),
        (refused(sliced(&[0], &[3], &[0]), &[f64s(&[3])]), "slice: 0:3:0 is not a slice of size 3 on axis 0"),
        (refused(Concatenate { axis: 0 }, &[f64s(&[3, 4]), f64s(&[3, 5])]), "concatenate: shapes (3, 4) and (3, 5) differ outside axis 0"),
        (
            refused(
                DotGeneral { lhs_batch: vec![], rhs_batch: vec![], lhs_contract: vec![1], rhs_contract: vec![0] },
                &[f64s(&[2, 3]), f64s(&[4, 5])],
            ),
            "dot_general: contracted sizes differ, (2, 3) and (4, 5)",
        ),
    ];
    for (got, want) in said {
        assert_eq!(got, want);
    }
}

#[test]
fn ops_along_an_axis_say_what_does_not_fit() {
    let int = |s: &[usize]| Aval::new(DType::I64, s);
    let mask = Aval::new(DType::Bool, [2]);
    let c = Aval::new(DType::C128, [2]);
    let said = [
        (
            refused(Reduce { op: ReduceOp::Min, axes: vec![1] }, &[f64s(&[2, 0])]),
            "reduce_min: axis 1 has no elements to take the minimum of, shape (2, 0)",
        ),
        (refused(ArgReduce { op: ArgOp::Max, axis: 0 }, &[f64s(&[0, 4])]), "argmax: axis 0 has no elements, shape (0, 4)"),
        (refused(ArgReduce { op: ArgOp::Min, axis: 2 }, &[f64s(&[3, 4])]), "argmin: axis 2 is out of range for 2 axes"),
        (
            refused(Cumulative { op: CumulativeOp::Sum, axis: 1, reverse: false }, &[f64s(&[3])]),
            "cumsum: axis 1 is out of range for 1 axes",
        ),
        (
            refused(Cumulative { op: CumulativeOp::Max, axis: 0, reverse: false }, &[c]),
            "cummax: needs a real number dtype, got complex128; cast it first",
        ),
        (refused(Sort { axis: 1, descending: false }, &[f64s(&[3])]), "sort: axis 1 is out of range for 1 axes"),
        (refused(ArgSort { axis: 1, descending: false }, &[f64s(&[3])]), "argsort: axis 1 is out of range for 1 axes"),
        (refused(TakeAlong { axis: 0 }, &[f64s(&[3]), f64s(&[2])]), "take_along: positions must be int64, got float64"),
        (
            refused(TakeAlong { axis: 1 }, &[f64s(&[3, 4]), int(&[2, 4])]),
            "take_along: shapes (3, 4) and (2, 4) of the positions do not match",
        ),
        (refused(TakeAlong { axis: 0 }, &[f64s(&[0]), int(&[2])]), "take_along: axis 0 of shape (0,) has no elements to take"),
        (
            refused(PutAlong { axis: 0, size: Dim::Const(2) }, &[mask, int(&[2])]),
            "put_along: needs a number dtype, got bool; cast it first",
        ),
        (
            refused(SearchSorted { right: false, batch: 0 }, &[f64s(&[2, 3]), f64s(&[2])]),
            "searchsorted: the ordered array needs one axis, got shapes (2, 3) and (2,)",
        ),
    ];
    for (got, want) in said {
        assert_eq!(got, want);
    }
    // Nobody asks for the maximum of nothing where the result is empty; any and all have one.
    let none = Reduce { op: ReduceOp::Max, axes: vec![0] }.infer(&[f64s(&[0, 0])], &mut Guards::default());
    assert_eq!(none.expect("inferred"), [f64s(&[0])]);
    assert!(Reduce { op: ReduceOp::Min, axes: vec![0] }.infer(&[Aval::new(DType::Bool, [0])], &mut Guards::default()).is_ok());
}

#[test]
fn functions_say_what_does_not_fit() {
    let x = Now(Arr::random(DType::F64, &[2, 3], 1));
    let y = Now(Arr::random(DType::F64, &[4, 5], 1));
    let range = |step| Index::Range { start: None, stop: None, step: Some(step) };
    assert_eq!(message(add(&x, &y)), "add: shapes (2, 3) and (4, 5) do not match");
    assert_eq!(message(matmul(&x, &y)), "matmul: contracted sizes differ, (2, 3) and (4, 5)");
    assert_eq!(message(basic_index(&x, &[Index::At(2)])), "index: index 2 is out of bounds for axis 0 with size 2");
    assert_eq!(message(basic_index(&x, &[range(0)])), "index: a slice step cannot be 0");
    assert_eq!(message(basic_index(&x, &[Index::At(0); 3])), "index: 3 indices for 2 axes");
    assert_eq!(message(basic_index(&x, &[Index::Ellipsis; 2])), "index: more than one ellipsis");
    assert_eq!(message(reshape_to(&x, &[4, -1])), "reshape: cannot reshape (2, 3) to [4, -1]");
    assert_eq!(message(sum(&x, Some(&[0, -2]), false)), "sum: axes [0, -2] repeat");
    assert_eq!(message(sum(&x, Some(&[2]), false)), "sum: axis 2 is out of range for 2 axes");
    assert_eq!(message(stack::<Now>(&[], 0)), "stack: needs at least one array");
    assert_eq!(message(slice_axis(&x, 2, 0, 1)), "slice: axis 2 is out of range for 2 axes");
    // Sizes that no machine has: an error or a shape, never a wrapped number.
    let wide = Prim::new(Pad { low: vec![usize::MAX], high: vec![usize::MAX], interior: vec![usize::MAX] });
    let out = wide.infer(&[f64s(&[3]), f64s(&[])], &mut Guards::default()).expect("inferred");
    assert_eq!(out[0].shape[0], Dim::Const(usize::MAX));
}

#[test]
fn numbers_are_weak() {
    use DType::{Bool, C64, C128, F32, F64, I64};
    // Numbers are weak; they widen only the kind.
    let table = [
        (Number::Int(2), F32, F32),
        (Number::Float(2.5), F32, F32),
        (Number::Float(2.5), I64, F64),
        (Number::Int(2), Bool, I64),
        (Number::Complex(tenferro_graph::Complex64::new(0.0, 1.0)), F32, C64),
        (Number::Complex(tenferro_graph::Complex64::new(0.0, 1.0)), I64, C128),
    ];
    for (number, dtype, both) in table {
        assert_eq!(number.dtype_with(dtype), both, "{number:?} {dtype}");
        assert_eq!(number.tensor(both).map(|t| t.dtype()).ok(), Some(both));
    }
}

#[test]
fn a_number_that_int64_cannot_hold_stays_a_float() {
    let x = Now(Arr { dtype: DType::I64, ..Arr::real(&[1], &[2.0]) });
    for (number, dtype) in [
        (3.0, DType::I64),
        (-9_223_372_036_854_775_808.0, DType::I64),
        (9_223_372_036_854_775_808.0, DType::F64),
        (1e300, DType::F64),
        (0.5, DType::F64),
        (f64::INFINITY, DType::F64),
    ] {
        assert_eq!(scalar_like(&x, number).map(|s| s.aval().dtype).ok(), Some(dtype), "{number}");
    }
    assert_eq!(mul(&x, &scalar_like(&x, 1e300).expect("a scalar")).expect("a product").0.data[0].re, 2e300);
    assert!(Number::Float(1e300).tensor(DType::I64).is_err());
}

fn sized(dims: &[Dim]) -> Aval {
    Aval::new(DType::F64, dims)
}

fn at(f: &Program, inputs: &[&[usize]]) -> Result<Program> {
    f.specialised(&inputs.iter().map(|s| f64s(s)).collect::<Vec<_>>())
}

#[test]
fn symbolic_sizes_meet_by_guards() {
    let (n, m) = (Dim::symbol("n"), Dim::symbol("m"));
    let f = record(&[sized(&[Dim::Const(3), n.clone()]), sized(&[m])], |x| Ok((x[0] * x[1]).val())).expect("recorded");
    let good = at(&f, &[&[3, 5], &[5]]).expect("n == m");
    assert!(!good.is_symbolic());
    assert_eq!(good.output_avals(), [f64s(&[3, 5])]);
    assert!(message(at(&f, &[&[3, 5], &[4]])).contains("m == n"));

    // The cotangent of the second operand is summed over its new axis only.
    let (g, _) = tenferro_ad::vjp(&f, &[Val::from_index(1)]).expect("rules");
    assert!(names(&g).contains(&"reduce_sum".to_owned()));
    let declared: Vec<&[usize]> = vec![&[3, 5], &[5], &[3, 5], &[3, 5], &[3, 5]];
    let g = at(&g, &declared).expect("no guard beyond n == m");
    assert_eq!(g.output_avals(), [f64s(&[5])]);
}

#[test]
fn symbolic_axes_can_be_indexed_from_a_start() {
    let n = Dim::symbol("n");
    let tail = |start, step| Index::Range { start: Some(start), stop: None, step: Some(step) };
    let f = record(&[sized(std::slice::from_ref(&n))], |x| Ok(basic_index(&x[0], &[tail(2, 2)])?.val())).expect("recorded");
    assert_eq!(at(&f, &[&[7]]).expect("long enough").output_avals(), [f64s(&[3])]);
    assert!(message(at(&f, &[&[1]])).contains("n >= 2"));
    let stopped = Index::Range { start: None, stop: Some(-1), step: None };
    let refused = record(&[sized(&[n])], |x| Ok(basic_index(&x[0], &[stopped])?.val()));
    assert!(message(refused).contains("symbolic"));
}

#[test]
fn prims_without_symbols_bind_to_themselves() {
    let env = [("n".into(), 4)].into_iter().collect();
    let n = Shape::from([Dim::symbol("n")].as_slice());
    assert_eq!(Prim::new(Reshape { shape: Shape::from([4]) }).bind(&env).expect("bound"), None);
    let bound = Prim::new(BroadcastInDim { shape: n, dims: vec![] }).bind(&env).expect("bound");
    assert_eq!(bound, Some(Prim::new(BroadcastInDim { shape: Shape::from([4]), dims: vec![] })));
}

#[test]
fn forms_that_do_nothing_are_no_steps() {
    let same = |x: &Expr<'_>| -> Result<Val> {
        let shape = x.aval().shape;
        let x = reshape(&transpose(x, &[0, 1])?, &shape)?;
        let x = slice(&x, &[0, 0], &shape, &[1, 1])?;
        let x = broadcast_to(&cast(&x, DType::F64)?, shape)?;
        Ok(reduce_sum(&conj(&real(&x)?)?, &[])?.val())
    };
    let f = record(&[f64s(&[2, 3])], |x| same(&x[0])).expect("recorded");
    assert_eq!((f.n_steps(), f.outputs()[0]), (0, Val::from_index(0)));
}

#[test]
fn programs_print_their_attributes() {
    let f = record(&[f64s(&[2, 3])], |x| Ok(reduce_sum(&basic_index(&x[0], &[Index::At(1)])?, &[0])?.val())).expect("recorded");
    let text = "program(%0: float64[2,3]) {
  %1: float64[1,3] = slice[starts=[1, 0], limits=[Const(2), Const(3)], steps=[1, 1]] %0
  %2: float64[3] = reshape[shape=[Const(3)]] %1
  %3: float64[] = reduce_sum[axes=[0]] %2
  return %3
}";
    assert_eq!(f.to_string(), text);
    let camel = ["reduce_sum", "broadcast_in_dim", "svd", "dot_general"].map(operation_name);
    assert_eq!(camel, ["ReduceSum", "BroadcastInDim", "Svd", "DotGeneral"]);
}

#[test]
fn constants_are_equal_by_content_and_attributes_count() {
    let of = |x: &[f64]| Constant::new(Tensor::from_slice(&[x.len()], x).expect("sizes agree"));
    assert_eq!(of(&[1.0, 2.0]), of(&[1.0, 2.0]));
    assert_ne!(of(&[0.0]), of(&[-0.0]));
    assert_eq!(of(&[f64::NAN]), of(&[f64::NAN]));
    let flat = Tensor::from_slice(&[1, 2], &[1.0, 2.0]).expect("sizes agree");
    assert_ne!(of(&[1.0, 2.0]), Constant::new(flat));
    let print = |prim: Prim, shape: &[usize]| {
        let b = Builder::new();
        let x = b.input(f64s(shape));
        let y = b.emit_one(prim, &[x]);
        b.finish(vec![y]).expect("legal").fingerprint()
    };
    let slice = |a| print(sliced(&[a], &[a + 2], &[1]).into(), &[4]);
    assert_ne!(slice(0), slice(1));
    assert_ne!(print(Transpose { axes: vec![0, 2, 1] }.into(), &[2, 2, 2]), print(Transpose { axes: vec![1, 0, 2] }.into(), &[2, 2, 2]));
}
