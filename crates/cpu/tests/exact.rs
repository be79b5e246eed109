//! Ops that a processor does in one instruction have the bits of Rust's own functions, for special
//! values and at lengths around those of vectors and blocks.

mod support;

use support::{Random, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Complex64, Prim, Tensor, Val};
use tenferro_ops::{Binary, BinaryOp, Concatenate, Unary, UnaryOp};

const LENGTHS: [usize; 12] = [0, 1, 2, 3, 7, 8, 15, 33, 255, 256, 259, 4100];

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut r = Random(seed);
    let all = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        0.0,
        0.5,
        -0.5,
        1.5,
        -2.5,
        4503599627370497.5,
        9007199254740993.0,
        1e300,
        5e-324,
    ];
    (0..n).map(|_| if r.below(3) == 0 { *r.pick(&all) } else { 100.0 * r.real() }).collect()
}

fn of<T: tenferro_graph::Element>(prim: impl Into<Prim>, x: &[&[T]]) -> Vec<T> {
    let x: Vec<Tensor> = x.iter().map(|x| Tensor::from_slice(&[x.len()], x).expect("memory")).collect();
    let prim = prim.into();
    let p = program(&x, |b, v| vec![b.emit_one(prim.clone(), v)]);
    run(&mut CpuEngine::serial(), &p, &x).expect("runs")[0].tensor().to_vec().expect("its dtype")
}

#[test]
fn roundings_and_roots() {
    type Row = (UnaryOp, fn(f64) -> f64, fn(f32) -> f32);
    let rows: [Row; 5] = [
        (UnaryOp::Floor, f64::floor, f32::floor),
        (UnaryOp::Ceil, f64::ceil, f32::ceil),
        (UnaryOp::Trunc, f64::trunc, f32::trunc),
        (UnaryOp::Rint, f64::round_ties_even, f32::round_ties_even),
        (UnaryOp::Sqrt, f64::sqrt, f32::sqrt),
    ];
    for (op, wide, narrow) in rows {
        for n in LENGTHS {
            let x = numbers(n, 51);
            let y = of(Unary(op), &[&x]);
            assert!(x.iter().zip(&y).all(|(x, y)| same(wide(*x), *y)), "{op:?} of {n}");
            let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            let y = of(Unary(op), &[&x]);
            assert!(x.iter().zip(&y).all(|(x, y)| same(narrow(*x).into(), (*y).into())), "{op:?} of {n} float32");
        }
    }
}

/// Equal bits, but for NaN.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Where one is NaN, the other; zeros of either sign are equal.
#[test]
fn extremes_that_pass_nan_by() {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 56), numbers(n, 57));
        for (op, f) in [(BinaryOp::Fmax, f64::max as fn(f64, f64) -> f64), (BinaryOp::Fmin, f64::min)] {
            let z = of(Binary(op), &[&x, &y]);
            assert!((0..n).all(|i| f(x[i], y[i]) == z[i] || x[i].is_nan() && y[i].is_nan() && z[i].is_nan()), "{op:?} of {n}");
        }
    }
}

#[test]
fn signs() {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 52), numbers(n, 53));
        let z = of(Binary(BinaryOp::Copysign), &[&x, &y]);
        assert!(
            (0..n).all(|i| same(x[i].copysign(y[i]), z[i]) && x[i].copysign(y[i]).is_sign_negative() == z[i].is_sign_negative()),
            "{n}"
        );
    }
}

fn complex_layouts(n: usize) -> Vec<Tensor> {
    let (re, im) = (numbers(2 * n, 54), numbers(2 * n, 55));
    let data: Vec<Complex64> = re.iter().zip(&im).map(|(a, b)| Complex64::new(*a, *b)).collect();
    let x = Tensor::from_slice(&[2 * n], &data).expect("memory");
    let layouts = [x.restride(&[n], &[1], n as isize), x.restride(&[n], &[2], 0), x.restride(&[n], &[-1], n as isize - 1)];
    layouts.into_iter().flatten().collect()
}

/// Dense complex numbers are taken as they lie, others, or with other ops, in registers of their parts.
#[test]
fn complex_arithmetic() {
    type Row = (Prim, fn(Complex64) -> Complex64);
    let rows: [Row; 6] = [
        (Unary(UnaryOp::Neg).into(), |z| -z),
        (Unary(UnaryOp::Conj).into(), |z| z.conj()),
        (Unary(UnaryOp::Square).into(), |z| Complex64::new(z.re * z.re - z.im * z.im, z.re * z.im + z.im * z.re)),
        (Binary(BinaryOp::Add).into(), |z| z + z),
        (Binary(BinaryOp::Sub).into(), |z| z - z),
        (Binary(BinaryOp::Mul).into(), |z| Complex64::new(z.re * z.re - z.im * z.im, z.re * z.im + z.im * z.re)),
    ];
    for t in LENGTHS.into_iter().flat_map(complex_layouts) {
        let data: Vec<Complex64> = t.to_vec().expect("complex");
        for with_parts in [false, true] {
            let p = program(std::slice::from_ref(&t), |b, v| {
                let twice = [v[0], v[0]];
                let one = |p: &Prim| b.emit_one(p.clone(), &twice[..if p.is::<Binary>() { 2 } else { 1 }]);
                let mut outs: Vec<Val> = rows.iter().map(|(p, _)| one(p)).collect();
                if with_parts {
                    outs.extend([UnaryOp::Real, UnaryOp::Imag].map(|op| b.emit_one(Unary(op).into(), &v[..1])));
                }
                outs
            });
            let out = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&t)).expect("runs");
            for (y, (prim, f)) in out.iter().zip(&rows) {
                let y: Vec<Complex64> = y.tensor().to_vec().expect("complex");
                let equal = data.iter().zip(&y).all(|(x, y)| same(f(*x).re, y.re) && same(f(*x).im, y.im));
                assert!(equal, "{prim} of {} elements, {:?}", t.size(), t.strides());
            }
            for (y, part) in out[rows.len()..].iter().zip([|z: &Complex64| z.re, |z: &Complex64| z.im]) {
                let y: Vec<f64> = y.tensor().to_vec().expect("reals");
                assert!(data.iter().zip(&y).all(|(z, y)| same(part(z), *y)), "{} elements", t.size());
            }
        }
    }
}

/// Copies of complex numbers, and chains of ops whose middle is kept in registers.
#[test]
fn complex_chains() {
    for t in [255, 256, 259, 4100].into_iter().flat_map(complex_layouts) {
        let data: Vec<Complex64> = t.to_vec().expect("complex");
        let p = program(std::slice::from_ref(&t), |b, v| {
            let square = b.emit_one(Unary(UnaryOp::Square).into(), v);
            let sum = b.emit_one(Binary(BinaryOp::Sub).into(), &[square, v[0]]);
            let all = b.emit_one(Concatenate { axis: 0 }.into(), &[v[0], sum]);
            vec![b.emit_one(Unary(UnaryOp::Conj).into(), &[all])]
        });
        let y: Vec<Complex64> =
            run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&t)).expect("runs")[0].tensor().to_vec().expect("complex");
        let square = |z: Complex64| Complex64::new(z.re * z.re - z.im * z.im, z.re * z.im + z.im * z.re);
        let wanted = data.iter().copied().chain(data.iter().map(|z| square(*z) - z)).map(|z| z.conj());
        assert!(wanted.zip(&y).all(|(a, b)| same(a.re, b.re) && same(a.im, b.im)), "{:?}", t.strides());
    }
}
