//! Rows and boxes by number, on engines of one and several threads, in every layout.

use std::sync::Arc;

use tenferro_cpu::CpuEngine;
use tenferro_graph::{Builder, Complex64, DType, Dim, Element, ExecutionEngine, NoInterrupt, Prim, Result, Tensor, Val};
use tenferro_ops::{Convolve, DynamicSlice, DynamicUpdateSlice, Nonzero, NormaliseIndex, Reverse, Scatter, ScatterOp, Take};

fn run_on(engine: &mut CpuEngine, prims: &[Prim], x: &[Tensor]) -> Result<Tensor> {
    let b = Builder::new();
    let mut args: Vec<Val> = x.iter().map(|t| b.input(t.aval())).collect();
    for p in prims {
        args = b.emit(p.clone(), &args)?.to_vec();
    }
    let f = Arc::new(b.finish(args)?);
    let plan = engine.planner().plan(&f, &f.input_avals())?;
    let mut out = engine.run(&*plan, x, &NoInterrupt)?;
    out.remove(0).into_tensor()
}

fn run(prim: impl Into<Prim>, x: &[Tensor]) -> Result<Tensor> {
    run_on(&mut CpuEngine::serial(), &[prim.into()], x)
}

fn tensor<T: Element>(shape: &[usize], f: impl FnMut(usize) -> T) -> Tensor {
    Tensor::from_slice(shape, &(0..shape.iter().product()).map(f).collect::<Vec<T>>()).expect("sizes agree")
}

/// The same array in C order, F order, backwards, and as every second element of a larger one.
fn layouts<T: Element>(x: &Tensor) -> Vec<Tensor> {
    let f = x.copy_with_strides(&tenferro_graph::tensor::f_strides(x.shape())).expect("memory");
    let data = x.to_vec::<T>().expect("its dtype");
    let turned: Vec<T> = data.iter().rev().copied().collect();
    let back: Vec<isize> = x.strides().iter().map(|s| -s).collect();
    let turned = Tensor::from_slice(x.shape(), &turned).expect("sizes agree");
    let turned = turned.restride(x.shape(), &back, data.len() as isize - 1).expect("inside");
    let wide: Vec<T> = data.iter().flat_map(|v| [*v, data[0]]).collect();
    let gaps: Vec<isize> = x.strides().iter().map(|s| 2 * s).collect();
    let wide = Tensor::from_slice(&[wide.len()], &wide).expect("sizes agree").restride(x.shape(), &gaps, 0).expect("inside");
    vec![x.clone(), f, turned, wide]
}

fn numbers(shape: &[usize], i: &[i64]) -> Tensor {
    Tensor::from_slice(shape, i).expect("sizes agree")
}

fn takes<T: Element + PartialEq>(value: impl Fn(usize) -> T) {
    let i = numbers(&[2, 2], &[3, 0, 4, 3]);
    for shape in [vec![5], vec![5, 3], vec![5, 2, 3]] {
        let x = tensor(&shape, &value);
        let row: usize = shape[1..].iter().product();
        let wanted: Vec<T> = [3, 0, 4, 3].iter().flat_map(|i| (0..row).map(move |j| i * row + j)).map(&value).collect();
        for x in layouts::<T>(&x) {
            assert_eq!(run(Take, &[x, i.clone()]).expect("rows").to_vec::<T>().expect("its dtype"), wanted);
        }
    }
}

#[test]
fn rows_of_every_width_and_layout() {
    takes(|i| i % 3 == 0);
    takes(|i| i as i8);
    takes(|i| i as i16 - 7);
    takes(|i| i as u32);
    takes(|i| i as i64);
    takes(|i| i as f32);
    takes(|i| Complex64::new(i as f64, -1.0));
}

#[test]
fn numbers_outside_are_errors_or_harmless() {
    let normalise = NormaliseIndex { axis: 1, size: Dim::Const(3) };
    let good = run(normalise.clone(), &[numbers(&[3], &[-3, -1, 2])]).expect("inside");
    assert_eq!(good.to_vec::<i64>().expect("int64"), [0, 2, 2]);
    for bad in [3, -4, i64::MIN, i64::MAX] {
        let said = run(normalise.clone(), &[numbers(&[2], &[0, bad])]).expect_err("outside").to_string();
        assert_eq!(said, format!("index: index {bad} is out of bounds for axis 1 with size 3"));
    }
    let x = tensor(&[3], |i| i as f64);
    let far = numbers(&[2], &[i64::MIN, i64::MAX]);
    assert_eq!(run(Take, &[x.clone(), far.clone()]).expect("clamped").to_vec::<f64>().expect("float64"), [0.0, 2.0]);
    let y = run(Scatter(ScatterOp::Set), &[x, far, tensor(&[2], |_| 9.0)]).expect("left out");
    assert_eq!(y.to_vec::<f64>().expect("float64"), [0.0, 1.0, 2.0]);
}

#[test]
fn updates_in_order_of_every_kind() {
    let i = numbers(&[4], &[2, 0, 2, 2]);
    let x = tensor(&[3, 2], |i| i as f64 + 1.0);
    let u = tensor(&[4, 2], |i| [5.0, -1.0, 2.0, 7.0, 3.0, f64::NAN, 0.5, 4.0][i]);
    let cases = [
        (ScatterOp::Set, [2.0, 7.0, 3.0, 4.0, 0.5, 4.0]),
        (ScatterOp::Add, [3.0, 9.0, 3.0, 4.0, 13.5, f64::NAN]),
        (ScatterOp::Mul, [2.0, 14.0, 3.0, 4.0, 37.5, f64::NAN]),
        (ScatterOp::Max, [2.0, 7.0, 3.0, 4.0, 5.0, f64::NAN]),
        (ScatterOp::Min, [1.0, 2.0, 3.0, 4.0, 0.5, f64::NAN]),
    ];
    for (op, wanted) in cases {
        for (x, u) in layouts::<f64>(&x).into_iter().zip(layouts::<f64>(&u)) {
            let y = run(Scatter(op), &[x, i.clone(), u]).expect("updated").to_vec::<f64>().expect("float64");
            assert!(y.iter().zip(wanted).all(|(a, b)| *a == b || a.is_nan() && b.is_nan()), "{op:?}: {y:?}");
        }
    }
    let bytes = run(Scatter(ScatterOp::Add), &[tensor(&[1], |_| 250_u8), numbers(&[2], &[0, 0]), tensor(&[2], |_| 4_u8)]);
    assert_eq!(bytes.expect("updated").to_vec::<u8>().expect("uint8"), [2]);
}

#[test]
fn threads_change_no_bit() {
    let n = 200_000;
    let i = tensor(&[n], |k| (k * 7919 % 1013) as i64);
    let (x, u) = (tensor(&[1013], |k| 1.0 / (k + 1) as f64), tensor(&[n], |k| (k as f64).sin()));
    let mut wanted: Vec<f64> = x.to_vec().expect("float64");
    let (i_data, u_data) = (i.to_vec::<i64>().expect("int64"), u.to_vec::<f64>().expect("float64"));
    i_data.iter().zip(&u_data).for_each(|(i, u)| wanted[*i as usize] += u);
    let rows: Vec<f64> = i_data.iter().map(|i| 1.0 / (i + 1) as f64).collect();
    for threads in [1, 2, 3] {
        let mut engine = CpuEngine::builder().threads(threads).oversubscribed().build();
        let y = run_on(&mut engine, &[Scatter(ScatterOp::Add).into()], &[x.clone(), i.clone(), u.clone()]).expect("updated");
        assert_eq!(y.to_vec::<f64>().expect("float64"), wanted, "{threads} threads");
        let y = run_on(&mut engine, &[Take.into()], &[x.clone(), i.clone()]).expect("rows");
        assert_eq!(y.to_vec::<f64>().expect("float64"), rows, "{threads} threads");
    }
}

#[test]
fn reversed_views_go_into_every_kernel() {
    let x = tensor(&[3, 4], |i| i as f64);
    let back: Vec<f64> = (0..12).rev().map(f64::from).collect();
    for x in layouts::<f64>(&x) {
        let y = run(Reverse { axes: vec![0, 1] }, std::slice::from_ref(&x)).expect("turned");
        assert_eq!(y.to_vec::<f64>().expect("float64"), back);
        let prims: [Prim; 2] = [Reverse { axes: vec![1] }.into(), tenferro_ops::Unary(tenferro_ops::UnaryOp::Neg).into()];
        let y = run_on(&mut CpuEngine::serial(), &prims, std::slice::from_ref(&x)).expect("turned");
        assert_eq!(y.to_vec::<f64>().expect("float64")[..4], [-3.0, -2.0, -1.0, -0.0]);
        let prims: [Prim; 2] = [Reverse { axes: vec![0] }.into(), tenferro_ops::Transpose { axes: vec![1, 0] }.into()];
        let y = run_on(&mut CpuEngine::serial(), &prims, &[x]).expect("turned");
        assert_eq!(y.to_vec::<f64>().expect("float64")[..3], [8.0, 4.0, 0.0]);
    }
    let wide = tensor(&[64, 96], |i| i as f64);
    let prims: [Prim; 3] = [
        Reverse { axes: vec![0, 1] }.into(),
        tenferro_ops::Transpose { axes: vec![1, 0] }.into(),
        tenferro_ops::Reshape { shape: [64 * 96].into() }.into(),
    ];
    let y = run_on(&mut CpuEngine::serial(), &prims, &[wide]).expect("turned").to_vec::<f64>().expect("float64");
    assert!(y.iter().enumerate().all(|(k, v)| *v == ((63 - k % 64) * 96 + 95 - k / 64) as f64));
    let none = run(Reverse { axes: vec![0] }, &[tensor(&[0, 3], |_| 0.0)]).expect("empty");
    assert_eq!(none.shape(), [0, 3]);
}

#[test]
fn boxes_places_and_convolutions() {
    let x = tensor(&[4, 5], |i| i as f64);
    for x in layouts::<f64>(&x) {
        let y = run(DynamicSlice { sizes: vec![2, 2] }, &[x.clone(), numbers(&[2], &[9, -3])]).expect("a box");
        assert_eq!(y.to_vec::<f64>().expect("float64"), [10.0, 11.0, 15.0, 16.0]);
        let u = tensor(&[1, 2], |i| 70.0 + i as f64);
        let y = run(DynamicUpdateSlice, &[x, u, numbers(&[2], &[1, 4])]).expect("changed").to_vec::<f64>().expect("float64");
        assert_eq!(y[7..11], [7.0, 70.0, 71.0, 10.0]);
    }
    let mask = tensor(&[2, 4], |i| [1, 4, 6, 7].contains(&i));
    let y = run(Nonzero { size: 2 }, &[mask]).expect("places");
    assert_eq!(y.to_vec::<i64>().expect("int64"), [1, 4, 0, 2]);
    let (long, short) = (tensor(&[3000], |i| (i % 7) as i64 - 3), tensor(&[5], |i| i as i64 * i as i64 - 2));
    let (a, b) = (long.to_vec::<i64>().expect("int64"), short.to_vec::<i64>().expect("int64"));
    let wanted: Vec<i64> = (0..3004).map(|k: usize| (0..5).filter(|j| k >= *j && k - j < 3000).map(|j| a[k - j] * b[j]).sum()).collect();
    for pair in [[long.clone(), short.clone()], [short, long]] {
        assert_eq!(run(Convolve, &pair).expect("convolved").to_vec::<i64>().expect("int64"), wanted);
    }
    assert_eq!(run(Take, &[tensor(&[0, 3], |_| 0.0), numbers(&[0], &[])]).expect("no rows").aval().dtype, DType::F64);
}
