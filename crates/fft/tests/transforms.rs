//! Transforms against the sums that they stand for, and their derivatives.

#[path = "../../ops/tests/support/mod.rs"]
mod support;

use std::f64::consts::PI;

use support::interpreter::{Arr, c, eval};
use support::{aval, distance, names};
use tenferro_ad::{jvp, vjp};
use tenferro_fft::*;
use tenferro_graph::{Builder, Complex64, DType, Error, Prim, Program, Result, SmallVec, Val, Value};
use tenferro_ops::Expr;

/// e^(2πi·sign·jk/n).
fn root(sign: f64, j: usize, k: usize, n: usize) -> Complex64 {
    Complex64::from_polar(1.0, sign * 2.0 * PI * ((j * k) % n) as f64 / n as f64)
}

/// Every line along `axis` of x, through a function of lines, in `length` elements.
fn lines(x: &Arr, axis: usize, length: usize, dtype: DType, f: impl Fn(&[Complex64], usize) -> Complex64) -> Arr {
    let mut shape = x.shape.clone();
    shape[axis] = length;
    Arr::from_fn(dtype, &shape, |i| {
        let mut at = i.to_vec();
        let line: Vec<Complex64> = (0..x.shape[axis])
            .map(|j| {
                at[axis] = j;
                x.at(&at)
            })
            .collect();
        f(&line, i[axis])
    })
}

/// Whether bin k of n stands for itself alone.
fn edge(k: usize, n: usize) -> bool {
    k == 0 || 2 * k == n
}

/// The definitions, term by term.
fn naive(prim: &Prim, x: &[&Arr]) -> Option<Vec<Arr>> {
    let x = *x.first()?;
    if let Some(p) = prim.downcast::<Fft>() {
        let sign = if p.inverse { 1.0 } else { -1.0 };
        let n = x.shape[p.axis];
        return Some(vec![lines(x, p.axis, n, x.dtype, |line, k| {
            line.iter().enumerate().map(|(j, v)| v * root(sign, j, k, n)).sum::<Complex64>() * p.scale()
        })]);
    }
    if let Some(p) = prim.downcast::<Rfft>() {
        let n = x.shape[p.axis];
        return Some(vec![lines(x, p.axis, n / 2 + 1, DType::C128, |line, k| {
            let factor = p.scale() * if edge(k, n) { 1.0 } else { p.inner() };
            line.iter().enumerate().map(|(j, v)| v.re * root(-1.0, j, k, n)).sum::<Complex64>() * factor
        })]);
    }
    let p = prim.downcast::<Irfft>()?;
    Some(vec![lines(x, p.axis, p.n, DType::F64, |line, j| {
        // The whole spectrum, then its real part.
        let bin = |k: usize| if edge(k, p.n) { c(line[k].re) } else { line[k] * p.inner() };
        let all = (0..p.n).map(|k| if k < line.len() { bin(k) } else { bin(p.n - k).conj() });
        c(all.enumerate().map(|(k, v)| v * root(1.0, j, k, p.n)).sum::<Complex64>().re * p.scale())
    })])
}

fn known(prim: &Prim, x: &[&Arr]) -> Option<Vec<Arr>> {
    naive(prim, x).or_else(|| support::extra(prim, x))
}

/// An array whose ops run at once.
#[derive(Clone, Debug)]
struct Now(Arr);

impl Value for Now {
    fn aval(&self) -> tenferro_graph::Aval {
        aval(&self.0)
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        let x: Vec<Arr> = args.iter().map(|a| a.0.clone()).collect();
        let b = Builder::new();
        let vals: Vec<Val> = x.iter().map(|x| b.input(aval(x))).collect();
        let outs = b.emit(prim, &vals)?;
        Ok(eval(&b.finish(outs.to_vec())?, &x, &known).into_iter().map(Self).collect())
    }
}

fn traced(x: &Arr, f: impl Fn(&Expr<'_>) -> Result<Val>) -> Program {
    support::program(std::slice::from_ref(x), |x| f(&x[0])).expect("recorded")
}

const REAL: DType = DType::F64;
const COMPLEX: DType = DType::C128;
const NORMS: [Norm; 3] = [Norm::Backward, Norm::Ortho, Norm::Forward];

/// Every function along both axes of (3, n), lengths cut and filled, for even and odd n.
fn cases() -> Vec<(String, Arr, Program)> {
    type Function = for<'b> fn(&Expr<'b>, Option<usize>, isize, Norm) -> Result<Expr<'b>>;
    let functions: [(&str, DType, Function); 8] = [
        ("fft", COMPLEX, |x, n, axis, norm| fft(x, n, axis, norm)),
        ("fft of real", REAL, |x, n, axis, norm| fft(x, n, axis, norm)),
        ("ifft", COMPLEX, |x, n, axis, norm| ifft(x, n, axis, norm)),
        ("rfft", REAL, |x, n, axis, norm| rfft(x, n, axis, norm)),
        ("irfft", COMPLEX, |x, n, axis, norm| irfft(x, n, axis, norm)),
        ("irfft of real", REAL, |x, n, axis, norm| irfft(x, n, axis, norm)),
        ("hfft", COMPLEX, |x, n, axis, norm| hfft(x, n, axis, norm)),
        ("ihfft", REAL, |x, n, axis, norm| ihfft(x, n, axis, norm)),
    ];
    let mut out = vec![];
    for (name, dtype, f) in functions {
        for (i, n) in [None, Some(1), Some(2), Some(3), Some(4), Some(5), Some(8)].into_iter().enumerate() {
            for axis in [0, -1] {
                let x = Arr::random(dtype, &[3, 5], 11 + i as u64);
                let norm = NORMS[i % 3];
                let p = traced(&x, |x| Ok(f(x, n, axis, norm)?.val()));
                out.push((format!("{name} n={n:?} axis={axis} {norm:?}"), x, p));
            }
        }
    }
    out
}

fn run(p: &Program, x: &[Arr]) -> Vec<Arr> {
    eval(p, x, &known)
}

#[test]
fn transforms_are_linear_so_the_tangent_is_the_transform() {
    for (name, x, f) in cases() {
        let t = Arr::random(x.dtype, &x.shape, 5);
        let all = support::interpreter::eval_all(&f, std::slice::from_ref(&x), &known);
        let (p, found) = jvp(&f, &[f.inputs().next().expect("an input")]).expect("a jvp rule");
        let inputs: Vec<Arr> = all.iter().chain([&t]).cloned().collect();
        let tangent = &run(&p, &inputs)[found[0].expect("a tangent")];
        assert!(distance(tangent, &run(&f, std::slice::from_ref(&t))[0]) < 1e-13, "{name}");
    }
}

/// ⟨ct, F t⟩ = ⟨Fᵀct, t⟩ for random t and ct.
fn adjoint_error(x: &Arr, f: &Program) -> f64 {
    let all = support::interpreter::eval_all(f, std::slice::from_ref(x), &known);
    let y = run(f, std::slice::from_ref(x))[0].clone();
    let ct = Arr::random(y.dtype, &y.shape, 7);
    let (p, found) = vjp(f, &[f.inputs().next().expect("an input")]).expect("a transpose rule");
    let inputs: Vec<Arr> = all.iter().chain([&ct]).cloned().collect();
    let back = &run(&p, &inputs)[found[0].expect("a cotangent")];
    assert_eq!((back.dtype, &back.shape), (x.dtype, &x.shape));
    (ct.dot(&y) - back.dot(x)).abs()
}

#[test]
fn the_transpose_is_the_adjoint() {
    for (name, x, f) in cases() {
        let far = adjoint_error(&x, &f);
        assert!(far < 1e-12, "{name}: {far}");
    }
}

#[test]
fn a_wrong_twin_is_noticed() {
    // Without halved and doubled bins the rules would be these; n = 2 has edge bins only.
    for n in [1, 2, 3, 4, 5] {
        let (x, y) = (Arr::random(REAL, &[n], 1), Arr::random(COMPLEX, &[n / 2 + 1], 2));
        let apply = |prim: Prim, x: &Arr| naive(&prim, &[x]).expect("a transform")[0].clone();
        let forward = y.dot(&apply(Rfft::new(0, 1.0, 1.0).into(), &x));
        let far = |inner: f64| (forward - apply(Irfft::new(0, n, 1.0, inner).into(), &y).dot(&x)).abs();
        assert!(far(0.5) < 1e-13, "{n}");
        assert_eq!(far(1.0) > 1e-3, n > 2, "{n}: {}", far(1.0));
    }
}

#[test]
fn a_batch_is_a_transform_of_another_axis() {
    for prim in [Prim::new(Fft::new(1, true, 0.5)), Rfft::new(0, 2.0, 0.5).into(), Irfft::new(1, 5, 1.0, 2.0).into()] {
        let dtype = if prim.is::<Rfft>() { REAL } else { COMPLEX };
        let x = Arr::random(dtype, &[4, 3], 3);
        let f = traced(&x, |x| Ok(x.b().emit_one(prim.clone(), &[x.val()])));
        let (p, out) = tenferro_ad::batch(&f, &[true], &tenferro_graph::Dim::Const(2)).expect("a batch rule");
        assert_eq!(out, [true]);
        let other = x.map(|v| v * 3.0 - 1.0);
        let both = Arr::new(dtype, &[2, 4, 3], [x.data.clone(), other.data.clone()].concat());
        let got = &run(&p, &[both])[0];
        let wanted: Vec<Complex64> = [&x, &other].iter().flat_map(|x| run(&f, &[(*x).clone()])[0].data.clone()).collect();
        assert!(got.data.iter().zip(&wanted).all(|(a, b)| (a - b).norm() < 1e-13), "{prim}");
    }
}

#[test]
fn inverses_undo_forward_transforms() {
    for norm in NORMS {
        for n in [1, 2, 3, 4, 7] {
            let x = Now(Arr::random(COMPLEX, &[n], 1));
            let back = ifft(&fft(&x, None, -1, norm).expect("a value"), None, -1, norm).expect("a value");
            assert!(distance(&back.0, &x.0) < 1e-13);
            let r = Now(Arr::random(REAL, &[2, n], 2));
            let back = irfft(&rfft(&r, None, 1, norm).expect("a value"), Some(n), 1, norm).expect("a value");
            assert!(distance(&back.0, &r.0) < 1e-13);
            let back = hfft(&ihfft(&r, None, 1, norm).expect("a value"), Some(n), 1, norm).expect("a value");
            assert!(distance(&back.0, &r.0) < 1e-13);
        }
    }
}

#[test]
fn several_axes_are_one_after_the_other() {
    let x = Now(Arr::random(REAL, &[2, 3, 4], 4));
    let norm = Norm::Ortho;
    let one = |x: &Now, n, axis| fft(x, n, axis, norm).expect("a value");
    let all = fftn(&x, None, None, norm).expect("a value");
    assert!(distance(&all.0, &one(&one(&one(&x, None, 0), None, 1), None, 2).0) < 1e-13);
    let two = fft2(&x, Some(&[5, -1]), [0, 2], norm).expect("a value");
    assert!(distance(&two.0, &one(&one(&x, Some(5), 0), None, 2).0) < 1e-13);
    let last = fftn(&x, Some(&[2, 2]), None, norm).expect("a value");
    assert_eq!(last.0.shape, [2, 2, 2]);
    let half = rfftn(&x, None, None, norm).expect("a value");
    assert_eq!(half.0.shape, [2, 3, 3]);
    let back = irfftn(&half, Some(&[2, 3, 4]), None, norm).expect("a value");
    assert!(distance(&back.0, &x.0) < 1e-13);
    assert!(distance(&ifftn(&all, None, None, norm).expect("a value").0.map(|v| c(v.re)), &Arr { dtype: COMPLEX, ..x.0.clone() }) < 1e-13);
}

#[test]
fn shifts_and_frequencies() {
    let row = |n: usize| Now(Arr::real(&[n], &(0..n).map(|i| i as f64).collect::<Vec<_>>()));
    let data = |x: Now| x.0.data.iter().map(|v| v.re).collect::<Vec<f64>>();
    // NumPy's docstrings and its rule roll(x, n/2).
    assert_eq!(data(fftshift(&row(5), None).expect("a value")), [3.0, 4.0, 0.0, 1.0, 2.0]);
    assert_eq!(data(ifftshift(&row(5), None).expect("a value")), [2.0, 3.0, 4.0, 0.0, 1.0]);
    assert_eq!(data(fftshift(&row(4), Some(&[-1])).expect("a value")), [2.0, 3.0, 0.0, 1.0]);
    assert_eq!(data(fftshift(&row(1), None).expect("a value")), [0.0]);
    assert_eq!(data(fftshift(&row(0), None).expect("a value")), [0.0; 0]);
    let f = fftfreq(8, 0.1).expect("values").to_vec::<f64>().expect("float64");
    assert_eq!(f, [0.0, 1.25, 2.5, 3.75, -5.0, -3.75, -2.5, -1.25]);
    assert_eq!(fftfreq(5, 1.0).expect("values").to_vec::<f64>().expect("float64"), [0.0, 0.2, 0.4, -0.4, -0.2]);
    assert_eq!(rfftfreq(5, 0.5).expect("values").to_vec::<f64>().expect("float64"), [0.0, 0.4, 0.8]);
    assert!(matches!(fftfreq(0, 1.0), Err(Error::Value { .. })));
    assert!(matches!(rfftfreq(4, 0.0), Err(Error::Value { .. })));
}

#[test]
fn dtypes_and_programs() {
    let dtype = |dtype: DType, f: &dyn Fn(&Expr<'_>) -> Result<Val>| {
        let p = traced(&Arr { dtype, ..Arr::real(&[4], &[1.0; 4]) }, f);
        p.aval(p.outputs()[0]).dtype
    };
    let forward = |x: &Expr<'_>| Ok(fft(x, None, 0, Norm::Backward)?.val());
    let real = |x: &Expr<'_>| Ok(rfft(x, None, 0, Norm::Backward)?.val());
    let back = |x: &Expr<'_>| Ok(irfft(x, None, 0, Norm::Backward)?.val());
    for (from, complex, float) in [
        (DType::F32, DType::C64, DType::F32),
        (DType::F64, COMPLEX, REAL),
        (DType::Bool, COMPLEX, REAL),
        (DType::I8, COMPLEX, REAL),
        (DType::U64, COMPLEX, REAL),
    ] {
        assert_eq!([dtype(from, &forward), dtype(from, &real), dtype(from, &back)], [complex, complex, float], "{from}");
    }
    assert_eq!([dtype(DType::C64, &forward), dtype(DType::C64, &back)], [DType::C64, DType::F32]);
    // The factor is part of the transform, not another op.
    let p = traced(&Arr::random(COMPLEX, &[4], 1), |x| Ok(ifft(x, None, 0, Norm::Ortho)?.val()));
    assert_eq!(names(&p), ["ifft"]);
}

#[test]
fn bad_input_is_explained() {
    let x = Now(Arr::random(COMPLEX, &[2, 0], 1));
    let said = |r: Result<Now>| r.map(|x| x.0.shape).expect_err("refused").to_string();
    let b = Norm::Backward;
    assert_eq!(said(fft(&x, None, -1, b)), "fft: the number of points must be at least 1, got 0");
    assert_eq!(said(fft(&x, Some(0), 0, b)), "fft: the number of points must be at least 1, got 0");
    assert_eq!(said(irfft(&Now(Arr::random(COMPLEX, &[1], 1)), None, 0, b)), "irfft: the number of points must be at least 1, got 0");
    assert_eq!(said(fft(&x, None, 2, b)), "fft: axis 2 is out of range for 2 axes");
    assert_eq!(said(rfft(&x, None, 0, b)), "rfft: needs a real dtype, got complex128; fft takes complex numbers");
    assert_eq!(said(fftn(&x, Some(&[2]), Some(&[0, 1]), b)), "fftn: 1 sizes given for 2 axes");
    assert_eq!(said(fftn(&x, Some(&[-2]), Some(&[0]), b)), "fftn: the number of points must be at least 1, got -2");
    assert_eq!(said(rfftn(&x, None, Some(&[]), b)), "rfftn: needs at least one axis");
    assert!(Norm::from_name("unitary").is_err());
    // Zeros fill an empty axis.
    let filled = fft(&x, Some(3), -1, b).expect("a value").0;
    assert_eq!((filled.shape, filled.data), (vec![2, 3], vec![c(0.0); 6]));
}
