//! Ops that a processor does in one instruction have the bits of Rust's own functions, for special
//! values and at lengths around those of vectors and blocks.

mod support;

use support::{Random, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Complex64, Prim, Tensor};
use tenferro_ops::{Binary, BinaryOp, Unary, UnaryOp};

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

/// Complex numbers go through registers of their parts: dense, with gaps and backwards.
#[test]
fn parts_of_complex_numbers() {
    for n in LENGTHS {
        let (re, im) = (numbers(2 * n, 54), numbers(2 * n, 55));
        let data: Vec<Complex64> = re.iter().zip(&im).map(|(a, b)| Complex64::new(*a, *b)).collect();
        let x = Tensor::from_slice(&[2 * n], &data).expect("memory");
        let layouts = [x.restride(&[n], &[1], n as isize), x.restride(&[n], &[2], 0), x.restride(&[n], &[-1], n as isize - 1)];
        for t in layouts.into_iter().flatten() {
            let data: Vec<Complex64> = t.to_vec().expect("complex");
            let p = program(std::slice::from_ref(&t), |b, v| {
                let one = |op| b.emit_one(Unary(op).into(), v);
                let sum = b.emit_one(Binary(BinaryOp::Add).into(), &[v[0], v[0]]);
                vec![one(UnaryOp::Neg), one(UnaryOp::Conj), sum, one(UnaryOp::Real), one(UnaryOp::Imag)]
            });
            let out = run(&mut CpuEngine::serial(), &p, std::slice::from_ref(&t)).expect("runs");
            let wanted: [fn(Complex64) -> Complex64; 3] = [|z| -z, |z| z.conj(), |z| z + z];
            for (y, f) in out.iter().zip(wanted) {
                let y: Vec<Complex64> = y.tensor().to_vec().expect("complex");
                assert!(data.iter().zip(&y).all(|(x, y)| same(f(*x).re, y.re) && same(f(*x).im, y.im)), "{n}");
            }
            let parts: [Vec<f64>; 2] = [3, 4].map(|i| out[i].tensor().to_vec().expect("reals"));
            assert!(data.iter().zip(&parts[0]).zip(&parts[1]).all(|((z, re), im)| same(z.re, *re) && same(z.im, *im)), "{n}");
        }
    }
}
