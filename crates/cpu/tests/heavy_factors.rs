//! Factorizations other than the SVD by their defining equations: dtypes, batches, empty
//! matrices; and errors that name the op and the matrix.

use std::sync::Arc;

use tenferro_cpu::CpuEngine;
use tenferro_graph::tensor::f_strides;
use tenferro_graph::{Builder, Complex32, Complex64, DType, Error, ExecutionEngine, NoInterrupt, Prim, Result, Tensor, Value};
use tenferro_linalg::*;
use tenferro_ops::{Expr, matmul, swap_last};

const INEXACT: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];
const SQUARE: [&[usize]; 6] = [&[1, 1], &[4, 4], &[2, 3, 3], &[40, 40], &[0, 0], &[0, 3, 3]];
const SHAPES: [&[usize]; 8] = [&[1, 1], &[5, 3], &[3, 5], &[2, 2, 4, 3], &[30, 40], &[0, 3], &[3, 0], &[0, 3, 2]];

fn t(x: Expr<'_>) -> Expr<'_> {
    swap_last(&x.conj()).expect("matrices")
}

fn mm<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    matmul(&l, &r).expect("matmul")
}

fn column<'b>(w: Expr<'b>, like: Expr<'b>) -> Expr<'b> {
    let mut shape = w.aval().shape;
    shape.insert(shape.rank() - 1, 1.into());
    tenferro_ops::reshape(&w, &shape).expect("a row").cast(like.dtype())
}

/// I in the place of x x\* where x has orthonormal rows.
fn off_identity(x: Expr<'_>) -> Expr<'_> {
    let n = x.aval().shape[x.aval().rank() - 1].as_const().expect("a number");
    x - matrix_power(&(x * 0.0), 0).unwrap_or_else(|_| panic!("square, {n}"))
}

/// The values of what `f` makes of a matrix.
fn values(engine: &mut CpuEngine, x: &Tensor, f: &dyn for<'b> Fn(Expr<'b>) -> Result<Vec<Expr<'b>>>) -> Result<Vec<Vec<Complex64>>> {
    let b = Builder::new();
    let outs = f(Expr::new(&b, b.input(x.aval()))).expect("fits").iter().map(Expr::val).collect();
    let p = Arc::new(b.finish(outs).expect("a valid program"));
    let plan = engine.planner().plan(&p, &p.input_avals())?;
    let outs = engine.run(&*plan, std::slice::from_ref(x), &NoInterrupt)?;
    Ok(outs.iter().map(|o| wide(o.tensor())).collect())
}

fn wide(t: &Tensor) -> Vec<Complex64> {
    let real = |x: Vec<f64>| x.into_iter().map(|x| Complex64::new(x, 0.0)).collect();
    match t.dtype() {
        DType::F32 => real(t.to_vec::<f32>().expect("f32").into_iter().map(f64::from).collect()),
        DType::F64 => real(t.to_vec::<f64>().expect("f64")),
        DType::C64 => t.to_vec::<Complex32>().expect("c64").into_iter().map(|z| Complex64::new(z.re.into(), z.im.into())).collect(),
        _ => t.to_vec::<Complex64>().expect("c128"),
    }
}

/// Fixed pseudo-random numbers in (−1, 1).
fn random(d: DType, shape: &[usize]) -> Tensor {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let z: Vec<Complex64> = (0..shape.iter().product()).map(|_| Complex64::new(next(), next())).collect();
    match d {
        DType::F32 => Tensor::from_slice(shape, &z.iter().map(|z| z.re as f32).collect::<Vec<_>>()),
        DType::F64 => Tensor::from_slice(shape, &z.iter().map(|z| z.re).collect::<Vec<_>>()),
        DType::C64 => Tensor::from_slice(shape, &z.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect::<Vec<_>>()),
        _ => Tensor::from_slice(shape, &z),
    }
    .expect("fits")
}

/// C order, F order and a view of one that is transposed.
fn layouts(x: &Tensor) -> [Tensor; 3] {
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    axes.swap(x.rank() - 1, x.rank() - 2);
    let other = x.permute(&axes).and_then(|y| y.compact()).and_then(|y| y.permute(&axes));
    [x.clone(), x.copy_with_strides(&f_strides(x.shape())).expect("a copy"), other.expect("a view")]
}

fn size(x: &Complex64) -> f64 {
    x.norm()
}

fn engine(threads: usize) -> CpuEngine {
    CpuEngine::builder().threads(threads).oversubscribed().build()
}

fn tolerance(d: DType, n: usize) -> f64 {
    100.0 * (1.0 + n as f64) * if d.real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON }
}

/// Every element of every result is rounding.
fn vanish(name: &str, shapes: &[&[usize]], f: &dyn for<'b> Fn(Expr<'b>) -> Result<Vec<Expr<'b>>>) {
    let mut engines = [CpuEngine::serial(), engine(2)];
    for (d, shape) in INEXACT.into_iter().flat_map(|d| shapes.iter().map(move |s| (d, *s))) {
        for (i, layout) in layouts(&random(d, shape)).into_iter().enumerate() {
            for out in values(&mut engines[i % 2], &layout, f).unwrap_or_else(|e| panic!("{name} {d} {shape:?}: {e}")) {
                let worst = out.iter().map(size).fold(0.0, |a, b| if a > b || a.is_nan() { a } else { b });
                assert!(worst <= tolerance(d, shape[shape.len() - 1]), "{name} {d} {shape:?} layout {i}: {worst:e}");
            }
        }
    }
}

fn hermitian(x: Expr<'_>) -> Expr<'_> {
    (x + t(x)) * 0.5
}

/// x x\*/n + 1.
fn positive(x: Expr<'_>) -> Expr<'_> {
    let n = x.aval().shape[x.aval().rank() - 1].as_const().expect("a number").max(1);
    mm(x, t(x)) * (1.0 / n as f64) + matrix_power(&x, 0).expect("square")
}

/// x/n + 2: far from singular.
fn regular(x: Expr<'_>) -> Expr<'_> {
    let n = x.aval().shape[x.aval().rank() - 1].as_const().expect("a number").max(1);
    x * (1.0 / n as f64) + matrix_power(&x, 0).expect("square") * 2.0
}

#[test]
fn eigenvalues() {
    vanish("eigh", &SQUARE, &|x| {
        let a = hermitian(x);
        let [w, v] = eigh(&a, true, true)?;
        Ok(vec![mm(a, v) - v * column(w, v), off_identity(mm(t(v), v)), w - eigvalsh(&a, true, true)?])
    });
    vanish("eigh upper", &SQUARE, &|x| {
        let [w, v] = eigh(&hermitian(x), false, true)?;
        Ok(vec![mm(hermitian(x), v) - v * column(w, v)])
    });
    vanish("eig", &SQUARE, &|x| {
        let [w, v] = eig(&x, true)?;
        let norms = vector_norm(&v, 2.0, Some(&[-2]), false)?;
        let sum = |w: Expr<'_>| w.keep(tenferro_ops::sum(&w, Some(&[-1]), false)).val();
        let all = Expr::new(w.b(), sum(w)) - Expr::new(w.b(), sum(eigvals(&x, true)?));
        Ok(vec![(mm(x.cast(v.dtype()), v) - v * column(w, v)) * 0.1, norms - 1.0, all])
    });
}

/// The largest component of each vector is real and positive.
#[test]
fn vectors_have_a_phase() {
    let mut serial = CpuEngine::serial();
    for d in [DType::F64, DType::C128] {
        let x = random(d, &[12, 12]);
        let out = values(&mut serial, &x, &|x| Ok(vec![eigh(&hermitian(x), true, true)?[1]])).expect("eigh").remove(0);
        for j in 0..12 {
            let top = (0..12).map(|i| out[i * 12 + j]).max_by(|a, b| size(a).total_cmp(&size(b))).expect("rows");
            assert!(top.re > 0.0 && top.im == 0.0, "{top:?}");
        }
    }
}

#[test]
fn triangular_factorizations() {
    for full in [false, true] {
        vanish("qr", &SHAPES, &|x| {
            let [q, r] = qr(&x, full, true)?;
            Ok(vec![mm(q, r) - x, off_identity(mm(t(q), q))])
        });
        vanish("lq", &SHAPES, &|x| {
            let [l, q] = lq(&x, full, true)?;
            Ok(vec![mm(l, q) - x, off_identity(mm(q, t(q)))])
        });
    }
    vanish("lu", &SHAPES, &|x| lu(&x, true).map(|[p, l, u]| vec![mm(p, mm(l, u)) - x]));
    for upper in [false, true] {
        vanish("cholesky", &SQUARE, &|x| {
            let l = cholesky(&positive(x), upper, true)?;
            Ok(vec![if upper { mm(t(l), l) } else { mm(l, t(l)) } - positive(x)])
        });
    }
}

fn of(form: Form, x: Expr<'_>) -> Expr<'_> {
    match form {
        Form::Plain => x,
        Form::Transposed => swap_last(&x).expect("matrices"),
        Form::Adjoint => t(x),
    }
}

#[test]
fn systems() {
    for form in [Form::Plain, Form::Transposed, Form::Adjoint] {
        vanish("lu_solve", &SQUARE, &|x| {
            let [packed, pivots] = lu_factor(&regular(x), true)?;
            Ok(vec![mm(of(form, regular(x)), lu_solve(&packed, &pivots, &x, form)?) - x])
        });
        vanish("solve_triangular", &SQUARE, &|x| {
            let l = cholesky(&positive(x), false, true)?;
            Ok(vec![mm(of(form, l), solve_triangular(&l, &x, true, form, false, true)?) - x])
        });
    }
    vanish("solve", &SQUARE, &|x| Ok(vec![mm(regular(x), solve(&regular(x), &x, true)?) - x]));
    vanish("inv", &SQUARE, &|x| Ok(vec![off_identity(mm(regular(x), inv(&regular(x), true)?))]));
    vanish("cho_solve", &SQUARE, &|x| {
        let c = cholesky(&positive(x), false, true)?;
        Ok(vec![mm(positive(x), cho_solve(&c, true, &x, true)?) - x])
    });
    vanish("pinv", &SHAPES, &|x| {
        let p = pinv(&x, None)?;
        Ok(vec![(mm(x, mm(p, x)) - x) * 0.1, hermitian(mm(x, p)) - mm(x, p)])
    });
}

/// The derivative of the adjugate at a[0] along the others.
fn adj<'b>(a: &[Expr<'b>]) -> Result<Expr<'b>> {
    Ok(a[0].emit(Prim::new(Adjugate { order: a.len() - 1 }), &a.iter().collect::<Vec<_>>())?[0])
}

fn trace_times_one(x: Expr<'_>) -> Result<Expr<'_>> {
    let trace = tenferro_ops::trace(&x, 0, -2, -1)?;
    let mut shape = trace.aval().shape;
    shape.push(1.into());
    shape.push(1.into());
    Ok(matrix_power(&x, 0)? * tenferro_ops::reshape(&trace, &shape)?)
}

#[test]
fn functions_of_matrices() {
    vanish("det", &SQUARE[..3], &|x| {
        let d = det(&x)?;
        let [sign, log] = slogdet(&x)?;
        Ok(vec![d - sign * log.exp().cast(d.dtype())])
    });
    vanish("adjugate", &SQUARE[..3], &|x| {
        let adj = x.emit(Prim::new(Adjugate { order: 0 }), &[&x])?[0];
        let unit = matrix_power(&x, 0)?;
        let mut shape = det(&x)?.aval().shape;
        shape.push(1.into());
        shape.push(1.into());
        Ok(vec![mm(x, adj) - unit * tenferro_ops::reshape(&det(&x)?, &shape)?])
    });
    vanish("derivatives of the adjugate", &SQUARE[..3], &|x| {
        // Of a adj(a) = det(a), along e and f.
        let (e, f) = (x * x, x.conj() - 0.25);
        let (along_e, along_f) = (adj(&[x, e])?, adj(&[x, f])?);
        let first = mm(x, along_e) + mm(e, adj(&[x])?) - trace_times_one(mm(adj(&[x])?, e))?;
        let second = mm(x, adj(&[x, e, f])?) + mm(e, along_f) + mm(f, along_e) - trace_times_one(mm(along_e, f))?;
        Ok(vec![first * 0.1, second * 0.1])
    });
    vanish("expm", &[&[1, 1], &[4, 4], &[2, 3, 3], &[0, 0]], &|x| {
        let (y, back) = (expm(&x)?, expm(&-x)?);
        // The derivative along a itself is a eᵃ.
        let along = x.emit(Prim::new(Expm { order: 1 }), &[&x, &x])?[0];
        let far = expm(&(x * 40.0))? - matrix_power(&expm(&(x * 20.0))?, 2)?;
        let scale = matrix_norm(&expm(&(x * 40.0))?, MatrixOrd::Fro, true)?.cast(x.dtype());
        Ok(vec![off_identity(mm(y, back)) * 0.1, (along - mm(x, y)) * 0.1, far / scale * 0.01])
    });
    vanish("sqrtm", &SQUARE, &|x| Ok(vec![matrix_power(&sqrtm(&positive(x))?, 2)? - positive(x)]));
    vanish("logm", &SQUARE[..3], &|x| Ok(vec![expm(&logm(&positive(x))?)? - positive(x)]));
    vanish("polar", &SHAPES, &|x| polar(&x, false).map(|[q, p]| vec![mm(q, p) - x]));
    vanish("svd full", &SHAPES, &|x| {
        let [u, _, vh] = svd_with(&x, true, true, Degeneracy::Mask)?;
        Ok(vec![off_identity(mm(t(u), u)), off_identity(mm(vh, t(vh)))])
    });
}

/// exp of a rotation's generator, and determinants whose partial products leave the range.
#[test]
fn exact_values() {
    let mut serial = CpuEngine::serial();
    let turn = Tensor::from_slice(&[2, 2], &[0.0, -3.0, 3.0, 0.0]).expect("fits");
    let out = values(&mut serial, &turn, &|x| Ok(vec![expm(&x)?])).expect("expm").remove(0);
    let (s, c) = 3.0_f64.sin_cos();
    out.iter().zip([c, -s, s, c]).for_each(|(x, y)| assert!((size(x) - y.abs()).abs() < 1e-14));
    let d = [1e160, 1e160, 1e-140, 1e-140];
    let wild: Vec<f64> = (0..16).map(|i| if i % 5 == 0 { d[i / 5] } else { 0.0 }).collect();
    let wild = Tensor::from_slice(&[4, 4], &wild).expect("fits");
    let out = values(&mut serial, &wild, &|x| Ok(vec![det(&x)?])).expect("det");
    assert!((size(&out[0][0]) / 1e40 - 1.0).abs() < 1e-13);
    let flat = Tensor::from_slice(&[3, 3], &[2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0]).expect("fits");
    let out = values(&mut serial, &flat, &|x| Ok(x.emit(Prim::new(Adjugate { order: 0 }), &[&x])?.to_vec())).expect("adjugate");
    let exact = [0.0, 0.0, 0.0, 0.0, -6.0, 0.0, 0.0, 0.0, 0.0];
    assert!(out[0].iter().zip(exact).all(|(x, y)| (x - y).norm() < 1e-14), "{out:?}");
    let gaps = Tensor::from_slice(&[2, 2], &[1.0, 0.0, 0.0, 1.0]).expect("fits");
    let out = values(&mut serial, &gaps, &|x| Ok(vec![svd_with(&x, false, true, Degeneracy::Lift(Some(1e-6)))?[1]])).expect("svd");
    assert_eq!(out[0], [Complex64::new(1.0 + 1e-6, 0.0), Complex64::new(1.0, 0.0)]);
}

/// For order 3 the adjugate is quadratic: at singular integer matrices of every rank its derivatives are differences.
#[test]
fn derivatives_of_the_adjugate_of_singular_matrices() {
    let ones: Vec<f64> = vec![1.0; 9];
    let nine: Vec<f64> = (1..10).map(f64::from).collect();
    for a in [nine, ones, vec![0.0; 9]] {
        let a = Tensor::from_slice(&[3, 3], &a).expect("fits");
        let out = values(&mut CpuEngine::serial(), &a, &|x| {
            let counts = |from: f64, step: f64| -> Result<_> {
                let numbers: Vec<f64> = (0..9).map(|i| (from + step * f64::from(i)).rem_euclid(7.0) - 3.0).collect();
                tenferro_ops::constant(&x, Tensor::from_slice(&[3, 3], &numbers)?)
            };
            let (e, f) = (counts(2.0, 3.0)?, counts(1.0, 5.0)?);
            let first = adj(&[x + e])? - adj(&[x])? - adj(&[e])?;
            let second = adj(&[e + f])? - adj(&[e])? - adj(&[f])?;
            Ok(vec![adj(&[x, e])? - first, adj(&[x, e, f])? - second, second])
        });
        let out = out.expect("finite");
        assert!(out[..2].iter().flatten().all(|x| size(x) < 1e-12), "{out:?}");
        assert!(out[2].iter().any(|x| size(x) > 1.0));
    }
}

fn refusal(x: &Tensor, f: &dyn for<'b> Fn(Expr<'b>) -> Result<Vec<Expr<'b>>>) -> String {
    match values(&mut CpuEngine::serial(), x, f) {
        Err(Error::LinAlg { op, message }) => format!("{op}: {message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_name_the_op_and_the_matrix() {
    let stack = |last: [f64; 4]| {
        let all = [[1.0, 0.0, 0.0, 1.0], [2.0, 1.0, 1.0, 2.0], last].concat();
        Tensor::from_slice(&[3, 2, 2], &all).expect("fits")
    };
    let (ones, indefinite, nan) = (stack([1.0; 4]), stack([1.0, 0.0, 0.0, -1.0]), stack([1.0, f64::NAN, 0.0, 1.0]));
    let says = |text: String, words: &[&str]| assert!(words.iter().all(|w| text.contains(w)), "{text}");
    says(refusal(&ones, &|x| Ok(vec![solve(&x, &x, true)?])), &["solve: ", "singular", "(batch index 2)"]);
    says(refusal(&ones, &|x| Ok(vec![inv(&x, true)?])), &["inv: ", "(batch index 2)"]);
    says(refusal(&indefinite, &|x| Ok(vec![cholesky(&x, false, true)?])), &["cholesky: ", "order 2", "(batch index 2)"]);
    says(refusal(&indefinite, &|x| Ok(vec![sqrtm(&x)?])), &["sqrtm: ", "-1", "(batch index 2)"]);
    says(refusal(&ones, &|x| Ok(vec![logm(&x)?])), &["logm: ", "(batch index 2)"]);
    for (name, f) in finite_only() {
        says(refusal(&nan, &|x| f(x).map(|y| vec![y])), &[name, "NaN or infinity", "(batch index 2)"]);
    }
    let off = stack([0.0, 1.0, 0.0, 1.0]);
    says(refusal(&off, &|x| tied(x)), &["svd: ", "tie", "(batch index 1)"]);
}

/// The check of a matrix against values that all tie.
fn tied(x: Expr<'_>) -> Result<Vec<Expr<'_>>> {
    let ones = eigvalsh(&(x * 0.0), true, true)? + 1.0;
    x.emit(Prim::new(TieCheck { of_cotangent: false }), &[&x, &ones]).map(|y| y.to_vec())
}

type Function = for<'b> fn(Expr<'b>) -> Result<Expr<'b>>;

fn finite_only() -> [(&'static str, Function); 14] {
    [
        ("eigh: ", |x| eigh(&t(x), true, true).map(|[w, _]| w)),
        ("eig: ", |x| eig(&x, true).map(|[_, v]| v)),
        ("qr: ", |x| qr(&x, false, true).map(|[_, r]| r)),
        ("solve: ", |x| solve(&x, &x, true)),
        ("cholesky: ", |x| cholesky(&t(x), false, true)),
        ("expm: ", |x| expm(&x)),
        ("sqrtm: ", |x| sqrtm(&t(x))),
        ("logm: ", |x| logm(&t(x))),
        ("lstsq: ", |x| lstsq(&x, &(x * 0.0 + 1.0), None).map(|[y, ..]| y)),
        ("pinv: ", |x| pinv(&x, None)),
        ("matrix_rank: ", |x| matrix_rank(&x, None)),
        ("polar: ", |x| polar(&x, false).map(|[q, _]| q)),
        ("orth: ", |x| orth(&x, 1)),
        ("null_space: ", |x| null_space(&x, 1)),
    ]
}

#[test]
fn unchecked_input_spreads() {
    let nan = Tensor::from_slice(&[2, 2], &[Complex64::new(f64::NAN, 0.0); 4]).expect("fits");
    let out = values(&mut CpuEngine::serial(), &nan, &|x| {
        Ok(vec![eigh(&x, true, false)?[1], qr(&x, false, false)?[0], lu_factor(&x, false)?[0]])
    });
    assert!(out.expect("no error").iter().flatten().all(|x| size(x).is_nan()));
}
