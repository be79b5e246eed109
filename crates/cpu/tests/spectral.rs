//! Fourier transforms on the engine against the sums that they stand for.

use std::f64::consts::PI;
use std::sync::Arc;

use tenferro_cpu::CpuEngine;
use tenferro_fft::{Fft, Irfft, Rfft};
use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, Builder, Complex32, Complex64, DType, Error, ExecutionEngine, NoInterrupt, Prim, Program, Result, Tensor};

fn complex(t: &Tensor) -> Vec<Complex64> {
    match t.dtype() {
        DType::F32 => t.to_vec::<f32>().expect("reals").into_iter().map(|x| Complex64::new(f64::from(x), 0.0)).collect(),
        DType::F64 => t.to_vec::<f64>().expect("reals").into_iter().map(|x| Complex64::new(x, 0.0)).collect(),
        DType::C64 => {
            let wide = |z: Complex32| Complex64::new(f64::from(z.re), f64::from(z.im));
            t.to_vec::<Complex32>().expect("complex").into_iter().map(wide).collect()
        }
        _ => t.to_vec::<Complex64>().expect("complex"),
    }
}

fn tensor(dtype: DType, shape: &[usize], data: &[Complex64]) -> Tensor {
    match dtype {
        DType::F32 => Tensor::from_slice(shape, &data.iter().map(|z| z.re as f32).collect::<Vec<_>>()),
        DType::F64 => Tensor::from_slice(shape, &data.iter().map(|z| z.re).collect::<Vec<_>>()),
        DType::C64 => Tensor::from_slice(shape, &data.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect::<Vec<_>>()),
        _ => Tensor::from_slice(shape, data),
    }
    .expect("sizes agree")
}

/// Fixed numbers in (−1, 1).
fn random(dtype: DType, shape: &[usize], seed: u64) -> Tensor {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let data: Vec<Complex64> = (0..shape.iter().product::<usize>()).map(|_| Complex64::new(next(), next())).collect();
    tensor(dtype, shape, &data)
}

/// The same elements in C order, F order, backwards, and every second of more.
fn layouts(t: &Tensor) -> Vec<Tensor> {
    let axes: Vec<usize> = (0..t.rank()).rev().collect();
    let c = c_strides(t.shape());
    let f = t.permute(&axes).and_then(|r| r.copy_with_strides(&c_strides(r.shape()))).and_then(|r| r.permute(&axes)).expect("a copy");
    let data = complex(t);
    let turned = tensor(t.dtype(), t.shape(), &data.iter().rev().copied().collect::<Vec<_>>());
    let back: Vec<isize> = c.iter().map(|s| -s).collect();
    let backwards = turned.restride(t.shape(), &back, t.size() as isize - 1).expect("a view");
    let twice = tensor(t.dtype(), &[t.size(), 2], &data.iter().flat_map(|z| [*z, -z]).collect::<Vec<_>>());
    let gaps: Vec<isize> = c.iter().map(|s| 2 * s).collect();
    vec![t.clone(), f, backwards, twice.restride(t.shape(), &gaps, 0).expect("a view")]
}

fn program(x: &Tensor, prims: &[Prim]) -> Arc<Program> {
    let b = Builder::new();
    let first = b.input(x.aval());
    let last = prims.iter().fold(first, |v, p| b.emit_one(p.clone(), &[v]));
    Arc::new(b.finish(vec![last]).expect("a legal program"))
}

fn run(engine: &mut CpuEngine, prims: &[Prim], x: &Tensor) -> Result<Tensor> {
    let program = program(x, prims);
    let plan = engine.planner().plan(&program, &program.input_avals())?;
    let outs = engine.run(&*plan, std::slice::from_ref(x), &NoInterrupt)?;
    Ok(outs[0].tensor().clone())
}

/// Term by term, over lines of a (rows, n, cols) array.
fn naive(prim: &Prim, x: &Tensor) -> Vec<Complex64> {
    let (shape, data) = (x.shape(), complex(x));
    let (axis, inverse, scale, inner) = if let Some(p) = prim.downcast::<Fft>() {
        (p.axis, p.inverse, p.scale(), 1.0)
    } else if let Some(p) = prim.downcast::<Rfft>() {
        (p.axis, false, p.scale(), p.inner())
    } else {
        let p = prim.downcast::<Irfft>().expect("a transform");
        (p.axis, true, p.scale(), p.inner())
    };
    let (rows, given, cols) = (shape[..axis].iter().product::<usize>(), shape[axis], shape[axis + 1..].iter().product::<usize>());
    let n = prim.downcast::<Irfft>().map_or(given, |p| p.n);
    let out = if prim.is::<Rfft>() { n / 2 + 1 } else { n };
    let edge = |k: usize| k == 0 || 2 * k == n;
    let mut y = vec![Complex64::default(); rows * out * cols];
    for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
        let at = |j: usize| data[(r * given + j) * cols + c];
        let full = |j: usize| match prim.is::<Irfft>() {
            false => at(j),
            true if edge(j) => Complex64::new(at(j).re, 0.0),
            true if j < given => at(j) * inner,
            true => (at(n - j) * inner).conj(),
        };
        for k in 0..out {
            let sign = if inverse { 1.0 } else { -1.0 };
            let sum: Complex64 =
                (0..n).map(|j| full(j) * Complex64::from_polar(1.0, sign * 2.0 * PI * ((j * k) % n) as f64 / n as f64)).sum();
            let factor = if prim.is::<Rfft>() && !edge(k) { scale * inner } else { scale };
            y[(r * out + k) * cols + c] = sum * factor;
        }
    }
    if prim.is::<Irfft>() { y.into_iter().map(|z| Complex64::new(z.re, 0.0)).collect() } else { y }
}

/// Largest distance in units of the dtype's epsilon and the largest value.
fn error(got: &Tensor, wanted: &[Complex64]) -> f64 {
    let eps = if got.dtype().real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let got = complex(got);
    assert_eq!(got.len(), wanted.len());
    let size = wanted.iter().map(|z| z.norm()).fold(1e-300, f64::max);
    let far = got.iter().zip(wanted).map(|(a, b)| (a - b).norm()).fold(0.0, |m: f64, d| if d > m || d.is_nan() { d } else { m });
    far / size / eps
}

/// A transform of n points along an axis, and the dtype and length that it takes.
fn transforms(n: usize, axis: usize, single: bool) -> Vec<(Prim, DType, usize)> {
    let (real, complex) = if single { (DType::F32, DType::C64) } else { (DType::F64, DType::C128) };
    vec![
        (Fft::new(axis, false, 1.0).into(), complex, n),
        (Fft::new(axis, true, 1.0 / n as f64).into(), complex, n),
        (Rfft::new(axis, 1.0, 1.0).into(), real, n),
        (Rfft::new(axis, 0.5, 2.0).into(), real, n),
        (Irfft::new(axis, n, 1.0 / n as f64, 1.0).into(), complex, n / 2 + 1),
        (Irfft::new(axis, n, 1.0, 0.5).into(), complex, n / 2 + 1),
    ]
}

#[test]
fn every_length_axis_and_layout() {
    let mut engine = CpuEngine::serial();
    for n in (1..=20).chain([31, 64, 97, 100, 127, 128]) {
        for (axis, single) in (0..3).flat_map(|a| [(a, false), (a, true)]) {
            for (prim, dtype, given) in transforms(n, axis, single) {
                let mut shape = vec![3, 2, 5];
                shape[axis] = given;
                let x = random(dtype, &shape, n as u64);
                let wanted = naive(&prim, &x);
                for (i, x) in layouts(&x).iter().enumerate() {
                    let got = run(&mut engine, std::slice::from_ref(&prim), x).expect("runs");
                    let far = error(&got, &wanted);
                    assert!(far < 16.0, "{prim} {dtype} {shape:?} layout {i}: {far} eps");
                }
            }
        }
    }
}

#[test]
fn long_and_prime_lengths() {
    let mut engine = CpuEngine::serial();
    for n in [1009, 2047, 4096] {
        for (prim, dtype, given) in transforms(n, 0, false) {
            let x = random(dtype, &[given], n as u64);
            let far = error(&run(&mut engine, std::slice::from_ref(&prim), &x).expect("runs"), &naive(&prim, &x));
            assert!(far < 32.0, "{prim}: {far} eps");
        }
    }
}

#[test]
fn threads_give_the_same_bits() {
    for (axis, shape) in [(0, [512, 300]), (1, [300, 512]), (1, [700, 101])] {
        for (prim, dtype, _) in transforms(shape[axis], axis, false).into_iter().take(4) {
            let x = random(dtype, &shape, 3);
            let bits = |threads: usize| {
                let mut engine = CpuEngine::builder().threads(threads).oversubscribed().build();
                let y = run(&mut engine, std::slice::from_ref(&prim), &x).expect("runs");
                complex(&y).iter().flat_map(|z| [z.re.to_bits(), z.im.to_bits()]).collect::<Vec<_>>()
            };
            let one = bits(1);
            assert!(one == bits(2) && one == bits(3), "{prim} {shape:?}");
        }
    }
}

#[test]
fn a_chain_reuses_memory() {
    // Middle values die where the next is made, which may take their place.
    let x = random(DType::C128, &[6, 7, 8], 5);
    let axes = [2, 0, 1];
    let there = axes.map(|a| Prim::new(Fft::new(a, false, 1.0)));
    let back = axes.map(|a| Prim::new(Fft::new(a, true, 1.0 / x.shape()[a] as f64)));
    let mut engine = CpuEngine::serial();
    let same = run(&mut engine, &[there.clone(), back].concat(), &x).expect("runs");
    assert!(error(&same, &complex(&x)) < 8.0);
    let step = |x: &Tensor, p: &Prim| tensor(x.dtype(), x.shape(), &naive(p, x));
    let wanted = there.iter().fold(x.clone(), |x, p| step(&x, p));
    assert!(error(&run(&mut engine, &there, &x).expect("runs"), &complex(&wanted)) < 8.0);
}

#[test]
fn empty_repeated_and_infinite_lines() {
    let mut engine = CpuEngine::serial();
    let none = random(DType::C128, &[0, 4], 1);
    assert_eq!(run(&mut engine, &[Fft::new(1, false, 1.0).into()], &none).expect("runs").shape(), [0, 4]);
    let row = random(DType::F64, &[6], 2);
    let rows = row.restride(&[3, 6], &[0, 1], 0).expect("a view");
    let prim = Prim::new(Rfft::new(1, 1.0, 1.0));
    assert!(error(&run(&mut engine, std::slice::from_ref(&prim), &rows).expect("runs"), &naive(&prim, &rows)) < 8.0);
    // One point is its own transform; a real factor makes no NaN of an infinity.
    let infinite = tensor(DType::C128, &[1], &[Complex64::new(f64::INFINITY, 2.0)]);
    let y = complex(&run(&mut engine, &[Fft::new(0, true, 0.5).into()], &infinite).expect("runs"));
    assert_eq!(y, [Complex64::new(f64::INFINITY, 1.0)]);
    // Imaginary parts of edge bins do not count, infinite ones included.
    let edges = [Complex64::new(1.0, f64::INFINITY), Complex64::new(2.0, 3.0), Complex64::new(4.0, f64::NAN)];
    let bins = tensor(DType::C128, &[3], &edges);
    let y = run(&mut engine, &[Irfft::new(0, 4, 1.0, 1.0).into()], &bins).expect("runs").to_vec::<f64>().expect("reals");
    assert_eq!(y, [9.0, -9.0, 1.0, 3.0]);
}

#[test]
fn no_points_are_refused_when_recorded() {
    let b = Builder::new();
    let x = b.input(Aval::new(DType::C128, [2, 0]));
    let said = |v: Result<tenferro_graph::Vals>| v.expect_err("refused");
    assert!(matches!(said(b.emit(Fft::new(1, false, 1.0).into(), &[x])), Error::Value { .. }));
    assert!(matches!(said(b.emit(Rfft::new(0, 1.0, 1.0).into(), &[x])), Error::DType { .. }));
    assert!(matches!(said(b.emit(Irfft::new(0, 4, 1.0, 1.0).into(), &[x])), Error::Shape { .. }));
    assert!(matches!(said(b.emit(Fft::new(2, false, 1.0).into(), &[x])), Error::Index { .. }));
}
