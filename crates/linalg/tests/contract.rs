//! What the primitives accept, refuse, narrow to, and how they batch.

mod support;

use support::interpreter::{Arr, eval};
use support::kernels;
use tenferro_ad::batch;
use tenferro_graph::{Aval, Builder, DType, Dim, Guards, Narrowed, Prim, Primitive, Result, Use, Val};
use tenferro_linalg::{Svd, SvdSolve, SvdTrunc, SvdVals};

fn infer(prim: &dyn Primitive, dtype: DType, shape: &[usize]) -> Result<Vec<Aval>> {
    prim.infer(&[Aval::new(dtype, shape)], &mut Guards::default())
}

fn refusal(prim: &dyn Primitive, dtype: DType, shape: &[usize]) -> String {
    infer(prim, dtype, shape).expect_err("refused").to_string()
}

#[test]
fn shapes_and_dtypes() {
    let svd = Svd { narrow: true };
    let outs = infer(&svd, DType::C64, &[2, 5, 3]).expect("svd");
    assert_eq!(outs, [Aval::new(DType::C64, [2, 5, 3]), Aval::new(DType::F32, [2, 3]), Aval::new(DType::C64, [2, 3, 3])]);
    let outs = infer(&SvdTrunc { k: 2, extra: 1 }, DType::F64, &[5, 4]).expect("svd_trunc");
    let shapes: Vec<String> = outs.iter().map(|a| a.shape.to_string()).collect();
    assert_eq!(shapes, ["(5, 2)", "(2,)", "(2, 4)", "(5, 1)", "(1,)", "(1, 4)"]);
    assert_eq!(infer(&SvdVals, DType::C128, &[0, 3]).expect("empty"), [Aval::new(DType::F64, [0])]);
}

#[test]
fn bad_input_is_refused_with_facts() {
    let svd = Svd { narrow: true };
    assert_eq!(refusal(&svd, DType::F64, &[3]), "svd: needs at least 2 axes, got shape (3,)");
    assert_eq!(refusal(&svd, DType::I64, &[3, 3]), "svd: needs a floating or complex dtype, got int64; cast it first");
    for k in [0, 4] {
        let text = refusal(&SvdTrunc { k, extra: 0 }, DType::F64, &[5, 3]);
        assert_eq!(text, format!("svd_trunc: k must be from 1 to min(m, n) = min(5, 3), got {k}"));
    }
    let symbolic = Aval { dtype: DType::F64, shape: [Dim::symbol("n"), Dim::Const(3)].as_slice().into() };
    let text = svd.infer(&[symbolic], &mut Guards::default()).expect_err("refused").to_string();
    assert_eq!(text, "svd: min(n, 3) is not known; give the last two axes numbers");
}

#[test]
fn the_solve_names_the_input_that_does_not_fit() {
    let shapes: [&[usize]; 9] = [&[5, 4], &[5, 2], &[2], &[2, 4], &[5, 1], &[1], &[1, 4], &[5, 2], &[4, 2]];
    let avals: Vec<Aval> = shapes.iter().map(|s| Aval::new(DType::F64, *s)).collect();
    assert_eq!(SvdSolve.infer(&avals, &mut Guards::default()).expect("fits"), [avals[7].clone(), avals[8].clone()]);
    let names = ["a", "u", "s", "vh", "ue", "se", "vhe", "r1", "r2"];
    for (i, name) in names.iter().enumerate().skip(1) {
        let mut bad = avals.clone();
        bad[i].shape.insert(0, Dim::Const(7));
        let text = SvdSolve.infer(&bad, &mut Guards::default()).expect_err("refused").to_string();
        assert!(text.starts_with("svd_solve: ") && (text.contains(&format!("{name} must")) || i == 2 || i == 5), "{text}");
    }
}

fn narrowed(uses: [Use; 3], narrow: bool) -> Option<Narrowed> {
    Svd { narrow }.narrow(&uses, &[Aval::new(DType::F64, [2, 30, 20])])
}

#[test]
fn narrowing() {
    let leading = |axis, k| Use::Leading { axis, k };
    let three = [leading(2, 3), leading(1, 3), leading(1, 3)];
    let cut = narrowed(three, true).expect("truncated");
    assert_eq!(cut.prim.downcast(), Some(&SvdTrunc { k: 3, extra: 16 }));
    assert_eq!(cut.outputs, [Some(0), Some(1), Some(2)]);
    assert_eq!(narrowed([leading(2, 3), Use::Dead, leading(1, 3)], true).expect("truncated").prim, cut.prim);
    let few = narrowed([leading(2, 18), Use::Dead, Use::Dead], true).expect("truncated");
    assert_eq!(few.prim.downcast(), Some(&SvdTrunc { k: 18, extra: 2 }));
    let values = narrowed([Use::Dead, Use::Whole, Use::Dead], true).expect("values");
    assert!(values.prim.is::<SvdVals>());
    assert_eq!(values.outputs, [None, Some(0), None]);
    let kept = [
        [leading(2, 3), leading(1, 4), leading(1, 3)],
        [leading(1, 3), leading(1, 3), leading(1, 3)],
        [leading(2, 3), Use::Whole, leading(1, 3)],
        [leading(2, 20), Use::Dead, Use::Dead],
        [Use::Dead; 3],
    ];
    assert!(kept.into_iter().all(|uses| narrowed(uses, true).is_none()));
    assert!(narrowed(three, false).is_none());
}

/// Right sides with a batch, over factors that are shared by it; and the truncated
/// SVD of a batch.
#[test]
fn a_batch_is_the_same_as_one_by_one() {
    let shapes: [&[usize]; 9] = [&[5, 4], &[5, 2], &[2], &[2, 4], &[5, 2], &[2], &[2, 4], &[5, 2], &[4, 2]];
    let b = Builder::new();
    let inputs: Vec<Val> = shapes.iter().map(|s| b.input(Aval::new(DType::F64, *s))).collect();
    let outs = b.emit(Prim::new(SvdSolve), &inputs).expect("svd_solve");
    let one = b.finish(outs.to_vec()).expect("a program");
    let (over, with) = batch(&one, &[[false; 7].as_slice(), &[true; 2]].concat(), &Dim::Const(3)).expect("batch");
    assert_eq!(with, [true; 2]);
    let a = Arr::random(DType::F64, &[5, 4], 1);
    let trunc = Prim::new(SvdTrunc { k: 2, extra: 2 });
    let shared = [vec![a.clone()], kernels(&trunc, &[&a]).expect("a kernel")].concat();
    let (r1, r2) = (Arr::random(DType::F64, &[3, 5, 2], 2), Arr::random(DType::F64, &[3, 4, 2], 3));
    let part = |x: &Arr, i: usize| {
        let size = x.data.len() / 3;
        Arr::new(x.dtype, &x.shape[1..], x.data[i * size..][..size].to_vec())
    };
    let all = eval(&over, &[shared.clone(), vec![r1.clone(), r2.clone()]].concat(), &kernels);
    for i in 0..3 {
        let one = eval(&one, &[shared.clone(), vec![part(&r1, i), part(&r2, i)]].concat(), &kernels);
        for (all, one) in all.iter().zip(&one) {
            assert!(one.norm() > 1e-3 && part(all, i).axpy(-1.0, one).norm() < 1e-13);
        }
    }
    let b = Builder::new();
    let x = b.input(a.tensor().aval());
    let outs = b.emit(trunc, &[x]).expect("svd_trunc");
    let one = b.finish(outs.to_vec()).expect("a program");
    let (over, with) = batch(&one, &[true], &Dim::Const(3)).expect("batch");
    assert_eq!((over.n_steps(), with), (1, vec![true; 6]));
    assert_eq!(over.output_avals()[1], Aval::new(DType::F64, [3, 2]));
}

/// ⟨c, L⁻¹ r⟩ = ⟨L⁻¹ c, r⟩, real and complex.
#[test]
fn the_solve_is_self_adjoint() {
    for dtype in [DType::F64, DType::C128] {
        let a = Arr::random(dtype, &[6, 5], 4);
        let f = kernels(&Prim::new(SvdTrunc { k: 2, extra: 2 }), &[&a]).expect("a kernel");
        let solve = |r1: &Arr, r2: &Arr| {
            let args: Vec<&Arr> = [&a].into_iter().chain(&f).chain([r1, r2]).collect();
            kernels(&Prim::new(SvdSolve), &args).expect("a kernel")
        };
        let random = |m: usize, seed| Arr::random(dtype, &[m, 2], seed);
        let (r, ct) = ([random(6, 5), random(5, 6)], [random(6, 7), random(5, 8)]);
        let (x, z) = (solve(&r[0], &r[1]), solve(&ct[0], &ct[1]));
        let inner = |a: &[Arr], b: &[Arr]| a[0].dot(&b[0]) + a[1].dot(&b[1]);
        assert!((inner(&ct, &x) - inner(&z, &r)).abs() < 1e-12 * x[0].norm().max(1.0));
    }
}
