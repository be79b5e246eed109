//! Every primitive: tangents, cotangents and batches against plain values.

mod support;

use std::collections::BTreeSet;

use support::interpreter::{Arr, c, is_real_only, knows};
use support::{batch_error, derivative_errors, shape, single};
use tenferro_graph::{Aval, Complex64, DType, Dim, Guards, Prim, Primitive, Program, Result, Rule, Val};
use tenferro_ops::*;

const REAL: DType = DType::F64;
const COMPLEX: DType = DType::C128;

struct Case {
    label: String,
    f: Program,
    x: Vec<Arr>,
}

/// Random arrays; `shift` moves them away from where the op has no derivative.
fn inputs(dtype: DType, shapes: &[&[usize]], shift: f64) -> Vec<Arr> {
    let one = |(i, s): (usize, &&[usize])| Arr::random(dtype, s, 1 + i as u64).map(|v| v + shift);
    shapes.iter().enumerate().map(one).collect()
}

fn mask(dims: &[usize]) -> Arr {
    Arr { dtype: DType::Bool, ..Arr::random(REAL, dims, 9).map(|v| c(f64::from(u8::from(v.re > 0.0)))) }
}

#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, prim: impl Primitive, x: Vec<Arr>) {
        let f = single(prim, &x);
        self.0.push(Case { label: f.to_string(), f, x });
    }

    fn both(&mut self, prim: &(impl Primitive + Clone), shapes: &[&[usize]]) {
        for dtype in [REAL, COMPLEX] {
            self.add(prim.clone(), inputs(dtype, shapes, 0.0));
        }
    }
}

fn elementwise(cases: &mut Cases) {
    for op in UnaryOp::ALL.iter().filter(|op| knows(**op)) {
        let shift = match op {
            UnaryOp::Acosh => 4.5,
            UnaryOp::Log
            | UnaryOp::Log2
            | UnaryOp::Log10
            | UnaryOp::Log1p
            | UnaryOp::Sqrt
            | UnaryOp::Rsqrt
            | UnaryOp::Cbrt
            | UnaryOp::Abs => 1.5,
            _ => 0.0,
        };
        let scale = if matches!(op, UnaryOp::Asin | UnaryOp::Acos | UnaryOp::Atanh) { 0.3 } else { 1.0 };
        for dtype in [REAL, COMPLEX] {
            if dtype == REAL || !is_real_only(*op) {
                let x = inputs(dtype, &[&[2, 3]], shift).into_iter().map(|a| a.map(|z| z * scale)).collect();
                cases.add(Unary(*op), x);
            }
        }
    }
    for op in BinaryOp::ALL {
        let whole = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        if whole {
            let x = [3.0, 5.0, 6.0].map(|x| Arr { dtype: DType::I64, ..Arr::real(&[1], &[x]) });
            cases.add(Binary(*op), x[..2].to_vec());
            continue;
        }
        let shift = if matches!(op, BinaryOp::Div | BinaryOp::Pow | BinaryOp::FloorDivide | BinaryOp::Remainder | BinaryOp::Fmod) {
            2.0
        } else {
            0.0
        };
        cases.add(Binary(*op), inputs(REAL, &[&[2, 3], &[2, 3]], shift));
        if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Pow) {
            cases.add(Binary(*op), inputs(COMPLEX, &[&[2, 3], &[2, 3]], shift));
        }
    }
    for op in PredicateOp::ALL {
        cases.add(Predicate(*op), inputs(REAL, &[&[4]], 0.0));
    }
    cases.add(FromParts, inputs(REAL, &[&[4], &[4]], 0.0));
    for op in CompareOp::ALL {
        cases.add(Compare(*op), inputs(REAL, &[&[4], &[4]], 0.0));
    }
    for dtype in [REAL, COMPLEX] {
        let mut x = inputs(dtype, &[&[5], &[5]], 0.0);
        x.insert(0, mask(&[5]));
        cases.add(Select, x);
        cases.add(Cast { to: REAL }, inputs(dtype, &[&[3]], 0.0));
        cases.add(Cast { to: COMPLEX }, inputs(dtype, &[&[3]], 0.0));
    }
}

fn structural(cases: &mut Cases) {
    for op in ReduceOp::ALL {
        for axes in [vec![0], vec![1], vec![0, 2], vec![0, 1, 2]] {
            cases.add(Reduce { op, axes: axes.clone() }, inputs(REAL, &[&[2, 3, 2]], 0.0));
            if !op.chooses() {
                cases.add(Reduce { op, axes }, inputs(COMPLEX, &[&[2, 3, 2]], 0.0));
            }
        }
    }
    cases.both(&Reshape { shape: shape(&[3, 4]) }, &[&[2, 3, 2]]);
    cases.both(&Transpose { axes: vec![2, 0, 1] }, &[&[2, 3, 4]]);
    cases.both(&BroadcastInDim { shape: shape(&[2, 3]), dims: vec![] }, &[&[]]);
    cases.both(&BroadcastInDim { shape: shape(&[2, 3, 4]), dims: vec![0, 2] }, &[&[1, 4]]);
    cases.both(&BroadcastInDim { shape: shape(&[1, 3]), dims: vec![0, 1] }, &[&[1, 1]]);
    let limits = vec![Dim::Const(6), Dim::Const(3)];
    cases.both(&Slice { starts: vec![1, 0], limits, steps: vec![2, 1] }, &[&[8, 3]]);
    cases.both(&Slice { starts: vec![2], limits: vec![Dim::Const(2)], steps: vec![1] }, &[&[3]]);
    cases.both(&Pad { low: vec![1, 0], high: vec![0, 2], interior: vec![2, 1] }, &[&[2, 3], &[]]);
    cases.both(&Concatenate { axis: 1 }, &[&[2, 1], &[2, 3], &[2, 2]]);
}

fn along(cases: &mut Cases) {
    for op in CumulativeOp::ALL {
        for n in 1..=7 {
            for (reverse, shape, axis) in [(false, [n, 2], 0), (true, [2, n], 1)] {
                let prim = Cumulative { op, axis, reverse };
                if matches!(op, CumulativeOp::Sum | CumulativeOp::Prod) {
                    cases.both(&prim, &[&shape]);
                } else {
                    cases.add(prim, inputs(REAL, &[&shape], 0.0));
                }
            }
        }
    }
    for descending in [false, true] {
        cases.both(&Sort { axis: 1, descending }, &[&[2, 5, 2]]);
        cases.both(&ArgSort { axis: 1, descending }, &[&[2, 5, 2]]);
    }
    for (op, axis) in [(ArgOp::Max, 0), (ArgOp::Min, 1)] {
        cases.both(&ArgReduce { op, axis }, &[&[3, 4]]);
    }
    // Positions stay inside where a batch multiplies them by 3.
    let positions = |dims: &[usize]| Arr { dtype: DType::I64, ..Arr::random(REAL, dims, 5).map(|v| c(f64::from(u8::from(v.re > 0.0)))) };
    for dtype in [REAL, COMPLEX] {
        let x = inputs(dtype, &[&[2, 4, 3], &[2, 5, 3]], 0.0);
        cases.add(TakeAlong { axis: 1 }, vec![x[0].clone(), positions(&[2, 5, 3])]);
        cases.add(PutAlong { axis: 1, size: Dim::Const(4) }, vec![x[1].clone(), positions(&[2, 5, 3])]);
    }
    let ordered = Arr::real(&[4], &[-0.5, 0.0, 0.0, 0.25]);
    for right in [false, true] {
        cases.add(SearchSorted { right, batch: 0 }, vec![ordered.clone(), Arr::real(&[2, 2], &[-1.0, 0.0, 0.1, 0.25])]);
    }
}

fn dots(cases: &mut Cases) {
    let dot = |lb: &[usize], rb: &[usize], lc: &[usize], rc: &[usize]| DotGeneral {
        lhs_batch: lb.to_vec(),
        rhs_batch: rb.to_vec(),
        lhs_contract: lc.to_vec(),
        rhs_contract: rc.to_vec(),
    };
    cases.both(&dot(&[], &[], &[1], &[0]), &[&[2, 3], &[3, 4]]);
    cases.both(&dot(&[], &[], &[0], &[0]), &[&[3], &[3]]);
    cases.both(&dot(&[], &[], &[], &[]), &[&[2], &[3]]);
    // Two batch axes out of order, two contracted axes crosswise, free axes in between.
    cases.both(&dot(&[3, 0], &[1, 4], &[4, 1], &[0, 2]), &[&[2, 3, 2, 4, 5], &[5, 4, 3, 3, 2]]);
    cases.both(&dot(&[1], &[0], &[], &[]), &[&[2, 3], &[3]]);
}

/// Rows by number: repeated, in two axes, and none; a batch triples them at most.
fn indexing(cases: &mut Cases) {
    let whole = |dims: &[usize], data: &[f64]| Arr { dtype: DType::I64, ..Arr::real(dims, data) };
    let numbers = [whole(&[4], &[2.0, 0.0, 2.0, 1.0]), whole(&[2, 2], &[0.0, 2.0, 2.0, 0.0]), whole(&[], &[1.0]), whole(&[0], &[])];
    for i in &numbers {
        for dtype in [REAL, COMPLEX] {
            let x = inputs(dtype, &[&[7, 3]], 0.0);
            cases.add(Take, vec![x[0].clone(), i.clone()]);
            let updates: Vec<usize> = i.shape.iter().copied().chain([3]).collect();
            for op in [ScatterOp::Set, ScatterOp::Add, ScatterOp::Mul] {
                cases.add(Scatter(op), vec![x[0].clone(), i.clone(), Arr::random(dtype, &updates, 5)]);
            }
        }
        for op in [ScatterOp::Max, ScatterOp::Min] {
            let updates: Vec<usize> = i.shape.iter().copied().chain([3]).collect();
            cases.add(Scatter(op), vec![Arr::random(REAL, &[7, 3], 1), i.clone(), Arr::random(REAL, &updates, 5)]);
        }
    }
    cases.both(&Reverse { axes: vec![0, 2] }, &[&[2, 3, 4]]);
    for dtype in [REAL, COMPLEX] {
        let x = inputs(dtype, &[&[5, 6], &[2, 3]], 0.0);
        // The second corner is moved inside.
        for corner in [[1.0, 2.0], [4.0, -1.0]] {
            cases.add(DynamicSlice { sizes: vec![2, 3] }, vec![x[0].clone(), whole(&[2], &corner)]);
            cases.add(DynamicUpdateSlice, vec![x[0].clone(), x[1].clone(), whole(&[2], &corner)]);
        }
    }
    cases.both(&Convolve, &[&[5], &[3]]);
    cases.both(&Convolve, &[&[2, 1], &[2, 4]]);
    cases.add(Nonzero { size: 3 }, vec![mask(&[2, 5])]);
    cases.add(NormaliseIndex { axis: 0, size: Dim::Const(12) }, vec![whole(&[3], &[-4.0, 3.0, 0.0])]);
}

fn cases() -> Vec<Case> {
    let mut cases = Cases::default();
    elementwise(&mut cases);
    structural(&mut cases);
    along(&mut cases);
    dots(&mut cases);
    indexing(&mut cases);
    cases.add(StopGradient, vec![Arr { dtype: DType::I64, ..Arr::real(&[3], &[1.0, -2.0, 3.0]) }]);
    cases.0
}

#[test]
fn every_primitive_is_here() {
    let here: BTreeSet<String> = cases().iter().flat_map(|c| support::names(&c.f)).collect();
    let families = UnaryOp::ALL
        .iter()
        .filter(|o| knows(**o))
        .map(|o| o.name())
        .chain(BinaryOp::ALL.iter().map(|o| o.name()))
        .chain(CompareOp::ALL.iter().map(|o| o.name()))
        .chain(PredicateOp::ALL.iter().map(|o| o.name()))
        .chain(CumulativeOp::ALL.map(CumulativeOp::name))
        .chain(["complex"]);
    let rest = [
        "select",
        "cast",
        "reduce_sum",
        "reduce_prod",
        "reduce_max",
        "reduce_min",
        "argmax",
        "argmin",
        "sort",
        "argsort",
        "searchsorted",
        "take_along",
        "put_along",
        "reshape",
        "transpose",
        "broadcast_in_dim",
        "slice",
        "pad",
        "concatenate",
        "dot_general",
        "stop_gradient",
        "take",
        "scatter_set",
        "scatter_add",
        "scatter_mul",
        "scatter_max",
        "scatter_min",
        "reverse",
        "dynamic_slice",
        "dynamic_update_slice",
        "convolve",
        "nonzero",
        "normalise_index",
    ];
    let wanted: BTreeSet<String> = families.chain(rest).map(str::to_owned).collect();
    assert_eq!(here, wanted);
}

#[test]
fn tangents_are_difference_quotients_and_cotangents_their_adjoint() {
    let mut checked = 0;
    for case in cases() {
        let out = &case.f.output_avals()[0];
        if !out.dtype.is_inexact() {
            continue;
        }
        let (forward, backward) = derivative_errors(&case.f, &case.x);
        assert!(forward < 2e-9, "{}: tangent off by {forward}", case.label);
        assert!(backward < 1e-13, "{}: cotangent off by {backward}", case.label);
        checked += 1;
    }
    assert!(checked > 60);
}

#[test]
fn batches_are_loops() {
    for case in cases() {
        let off = batch_error(&case.f, &case.x);
        assert!(off < 1e-12, "{}: off by {off}", case.label);
    }
}

/// The identity, whose transpose doubles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Doubling;

impl Primitive for Doubling {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![t[0].map(|t| r.b.emit_one(Self.into(), &[t]))])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![ct[0].map(|ct| (r.expr(ct) * 2.0).val())])
    }
}

#[test]
fn the_checks_catch_a_wrong_tangent_and_a_wrong_cotangent() {
    let x = inputs(REAL, &[&[3]], 2.0);
    // The square of x, of which one factor is hidden from differentiation.
    let f = support::program(&x, |x| Ok((x[0] * stop_gradient(&x[0])?).val())).expect("legal");
    assert!(derivative_errors(&f, &x).0 > 0.1);
    assert!(derivative_errors(&single(Doubling, &x), &x).1 > 0.1);
}

fn gradient(f: &Program, x: &[Arr], ct: Arr) -> Vec<Option<Arr>> {
    let wrt: Vec<Val> = f.inputs().collect();
    let (p, found) = tenferro_ad::vjp(f, &wrt).expect("rules");
    let mut all = support::run_all(f, x);
    all.push(ct);
    let outs = support::run(&p, &all);
    found.into_iter().map(|i| i.map(|i| outs[i].clone())).collect()
}

fn reals(x: Option<&Arr>) -> Vec<f64> {
    x.expect("a cotangent").data.iter().map(|v| v.re).collect()
}

#[test]
fn ties_share_and_kinks_are_zero() {
    let (a, b) = (Arr::real(&[3], &[1.0, 2.0, 5.0]), Arr::real(&[3], &[1.0, 3.0, 4.0]));
    let x = [a, b];
    let g = gradient(&single(Binary(BinaryOp::Maximum), &x), &x, Arr::real(&[3], &[1.0; 3]));
    assert_eq!((reals(g[0].as_ref()), reals(g[1].as_ref())), (vec![0.5, 0.0, 1.0], vec![0.5, 1.0, 0.0]));

    let x = [Arr::real(&[4], &[7.0, 1.0, 7.0, 7.0])];
    let g = gradient(&single(Reduce { op: ReduceOp::Max, axes: vec![0] }, &x), &x, Arr::real(&[], &[3.0]));
    assert_eq!(reals(g[0].as_ref()), [1.0, 0.0, 1.0, 1.0]);

    let x = [Arr::real(&[3], &[0.0, -2.0, 2.0])];
    let g = gradient(&single(Unary(UnaryOp::Abs), &x), &x, Arr::real(&[3], &[1.0; 3]));
    assert_eq!(reals(g[0].as_ref()), [0.0, -1.0, 1.0]);

    let far = [Arr::real(&[2], &[f64::INFINITY, f64::NEG_INFINITY])];
    let g = gradient(&single(Unary(UnaryOp::Abs), &far), &far, Arr::real(&[2], &[1.0; 2]));
    assert_eq!(reals(g[0].as_ref()), [1.0, -1.0]);

    let x = [Arr::new(COMPLEX, &[2], vec![c(0.0), Complex64::new(3.0, -4.0)])];
    let g = gradient(&single(Unary(UnaryOp::Abs), &x), &x, Arr::real(&[2], &[1.0, 1.0]));
    let z = &g[0].as_ref().expect("a cotangent").data;
    assert_eq!(z[0], c(0.0));
    // The direction of steepest ascent, x/|x|.
    assert!((z[1] - Complex64::new(0.6, -0.8)).norm() < 1e-15, "{}", z[1]);
}

#[test]
fn slopes_of_angles_and_logarithms_at_the_ends_of_the_range() {
    let x = [Arr::real(&[3], &[3e-200, 3e200, 0.0]), Arr::real(&[3], &[4e-200, 4e200, f64::INFINITY])];
    let g = gradient(&single(Binary(BinaryOp::Atan2), &x), &x, Arr::real(&[3], &[1.0; 3]));
    for (g, want) in g.iter().zip([[1.6e199, 1.6e-201, 0.0], [-1.2e199, -1.2e-201, 0.0]]) {
        for (got, want) in reals(g.as_ref()).iter().zip(want) {
            assert!((got - want).abs() <= 1e-15 * want.abs(), "{got:e} {want:e}");
        }
    }
    let inf = f64::INFINITY;
    let x = [Arr::real(&[4], &[inf, -inf, inf, 1e300]), Arr::real(&[4], &[inf, -inf, 3.0, 1e300])];
    let g = gradient(&single(Binary(BinaryOp::Logaddexp), &x), &x, Arr::real(&[4], &[1.0; 4]));
    assert_eq!((reals(g[0].as_ref()), reals(g[1].as_ref())), (vec![0.5, 0.5, 1.0, 0.5], vec![0.5, 0.5, 0.0, 0.5]));
    let g = gradient(&single(Binary(BinaryOp::Hypot), &x), &x, Arr::real(&[4], &[1.0; 4]));
    assert_eq!((reals(g[0].as_ref())[2], reals(g[1].as_ref())[2]), (1.0, 0.0));
}

#[test]
fn the_derivative_of_a_root_is_infinite_at_zero() {
    let x = [Arr::real(&[2], &[0.0, 4.0])];
    let g = gradient(&single(Unary(UnaryOp::Sqrt), &x), &x, Arr::real(&[2], &[1.0, 1.0]));
    assert_eq!(reals(g[0].as_ref()), [f64::INFINITY, 0.25]);
}

#[test]
fn nothing_flows_through_masks_integers_and_stop_gradient() {
    for prim in [Prim::new(Cast { to: DType::Bool }), Prim::new(Cast { to: DType::I64 }), Prim::new(StopGradient)] {
        let b = tenferro_graph::Builder::new();
        let x = b.input(Aval::new(REAL, [2]));
        let y = b.emit_one(prim, &[x]);
        let f = b.finish(vec![y]).expect("legal");
        assert_eq!(tenferro_ad::jvp(&f, &[x]).expect("a rule").1, [None]);
        assert_eq!(tenferro_ad::vjp(&f, &[x]).expect("a rule").1, [None]);
    }
}

#[test]
fn real_arithmetic_conjugates_nothing() {
    for op in [BinaryOp::Mul, BinaryOp::Div] {
        let x = inputs(REAL, &[&[3], &[3]], 2.0);
        let (p, _) = tenferro_ad::vjp(&single(Binary(op), &x), &[Val::from_index(0)]).expect("rules");
        assert_eq!(support::names(&p), [op.name()]);
        let x = inputs(COMPLEX, &[&[3], &[3]], 2.0);
        let (p, _) = tenferro_ad::vjp(&single(Binary(op), &x), &[Val::from_index(0)]).expect("rules");
        assert_eq!(support::names(&p), ["conj", op.name()]);
    }
}
