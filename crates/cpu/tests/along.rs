//! Ops along an axis and reductions of every dtype, in every layout, on one and two threads.

use std::sync::Arc;

use tenferro_cpu::CpuEngine;
use tenferro_graph::tensor::f_strides;
use tenferro_graph::{Builder, Complex32, Complex64, Dim, Element, ExecutionEngine, NoInterrupt, Output, Prim, Result, Tensor, Val};
use tenferro_ops::{ArgOp, ArgReduce, ArgSort, Cumulative, CumulativeOp, PutAlong, Reduce, ReduceOp, SearchSorted, Sort, TakeAlong};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// Lines side by side and apart, of one element, longer than a batch, enough for two threads.
const SHAPES: [&[usize]; 8] = [&[5], &[700], &[4, 1], &[3, 70], &[300, 3], &[2, 7, 130], &[70, 3, 2], &[3, 40, 700]];

fn run_on(engine: &mut CpuEngine, prim: impl Into<Prim>, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let b = Builder::new();
    let args: Vec<Val> = x.iter().map(|t| b.input(t.aval())).collect();
    let outs = b.emit(prim.into(), &args)?.to_vec();
    let f = Arc::new(b.finish(outs)?);
    let plan = engine.planner().plan(&f, &f.input_avals())?;
    engine.run(&*plan, x, &NoInterrupt)?.into_iter().map(Output::into_tensor).collect()
}

fn run(prim: impl Into<Prim>, x: &[Tensor]) -> Vec<Tensor> {
    run_on(&mut CpuEngine::serial(), prim, x).expect("runs")
}

fn engines() -> [CpuEngine; 2] {
    [CpuEngine::serial(), CpuEngine::builder().threads(2).oversubscribed().build()]
}

/// A dtype that holds small integers.
trait Small: Element {
    fn of(i: i64) -> Self;
}

macro_rules! small {
    ($($t:ty: |$i:ident| $e:expr);*) => {$(impl Small for $t { fn of($i: i64) -> Self { $e } })*};
}
small!(
    bool: |i| i != 0; i8: |i| i as i8; i16: |i| i as i16; i32: |i| i as i32; i64: |i| i;
    u8: |i| i as u8; u16: |i| i as u16; u32: |i| i as u32; u64: |i| i as u64; f32: |i| i as f32; f64: |i| i as f64;
    Complex32: |i| Complex32::new(i as f32, 0.0); Complex64: |i| Complex64::new(i as f64, 0.0)
);

macro_rules! each {
    ($f:ident: $($t:ident)*) => { $($f::<$t>();)* };
}

fn tensor<T: Element>(shape: &[usize], data: &[T]) -> Tensor {
    Tensor::from_slice(shape, data).expect("sizes agree")
}

fn vec<T: Element>(t: &Tensor) -> Vec<T> {
    t.to_vec().expect("its dtype")
}

/// C order, F order, backwards and with gaps.
fn layouts<T: Element>(shape: &[usize], data: &[T]) -> Vec<Tensor> {
    let x = tensor(shape, data);
    let f = x.copy_with_strides(&f_strides(shape)).expect("memory");
    let turned: Vec<T> = data.iter().rev().copied().collect();
    let back: Vec<isize> = x.strides().iter().map(|s| -s).collect();
    let turned = tensor(shape, &turned).restride(shape, &back, data.len() as isize - 1).expect("inside");
    let wide: Vec<T> = data.iter().flat_map(|v| [*v, data[0]]).collect();
    let gaps: Vec<isize> = x.strides().iter().map(|s| 2 * s).collect();
    let wide = tensor(&[wide.len()], &wide).restride(shape, &gaps, 0).expect("inside");
    vec![x, f, turned, wide]
}

/// A fixed sequence that looks random.
fn mixed(n: usize, below: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * i * 7919 + i * 104_729 + 12345) % 10_007 % below).collect()
}

fn convert<T: Small>(x: &[i64]) -> Vec<T> {
    x.iter().map(|i| T::of(*i)).collect()
}

/// Indices in C order of the elements of each line along `axis`.
fn lines(shape: &[usize], axis: usize) -> Vec<Vec<usize>> {
    let (n, inner): (usize, usize) = (shape[axis], shape[axis + 1..].iter().product());
    let outer: usize = shape[..axis].iter().product();
    let line = |l: usize| (0..n).map(|k| (l / inner * n + k) * inner + l % inner).collect();
    (0..outer * inner).map(line).collect()
}

/// What `f` makes of each line, put back.
fn along(shape: &[usize], axis: usize, x: &[i64], f: impl Fn(&[i64]) -> Vec<i64>) -> Vec<i64> {
    let mut out = x.to_vec();
    for line in lines(shape, axis) {
        let made = f(&line.iter().map(|i| x[*i]).collect::<Vec<_>>());
        line.iter().zip(made).for_each(|(i, v)| out[*i] = v);
    }
    out
}

fn join(op: CumulativeOp, a: i64, b: i64) -> i64 {
    match op {
        CumulativeOp::Sum => a + b,
        CumulativeOp::Prod => a * b,
        CumulativeOp::Max => a.max(b),
        CumulativeOp::Min => a.min(b),
        CumulativeOp::LogSumExp => panic!("not of integers"),
    }
}

fn data(op: CumulativeOp, n: usize) -> Vec<i64> {
    // Few factors of 2, which every dtype holds or wraps.
    let of = |(k, i): (usize, i64)| if op == CumulativeOp::Prod { if i == 0 && k < 4000 { 2 } else { 1 } } else { i % 40 };
    mixed(n, 97).into_iter().enumerate().map(of).collect()
}

fn scanned(line: &[i64], reverse: bool, f: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    let mut x = line.to_vec();
    if reverse {
        x.reverse();
    }
    for i in 1..x.len() {
        x[i] = f(x[i - 1], x[i]);
    }
    if reverse {
        x.reverse();
    }
    x
}

fn scans<T: Small>(ops: &[CumulativeOp]) {
    for op in ops {
        for shape in SHAPES {
            for axis in 0..shape.len() {
                let x = data(*op, shape.iter().product());
                for (k, engine) in engines().iter_mut().enumerate() {
                    let reverse = (k + axis) % 2 == 0;
                    let want: Vec<T> = convert(&along(shape, axis, &x, |l| scanned(l, reverse, |a, b| join(*op, a, b))));
                    for t in layouts(shape, &convert::<T>(&x)) {
                        let got = run_on(engine, Cumulative { op: *op, axis, reverse }, &[t]).expect("runs");
                        assert_eq!(vec::<T>(&got[0]), want, "{op:?} {shape:?} along {axis}");
                    }
                }
            }
        }
    }
}

#[test]
fn scans_of_every_dtype() {
    let all = [CumulativeOp::Sum, CumulativeOp::Prod, CumulativeOp::Max, CumulativeOp::Min];
    macro_rules! of {
        ($ops:expr; $($t:ident)*) => { $(scans::<$t>($ops);)* };
    }
    of!(&all; i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
    of!(&all[..2]; Complex32 Complex64);
}

#[test]
fn running_extremes_keep_nan_and_sums_of_exponentials_do_not_overflow() {
    let f = |op, x: &[f64]| vec::<f64>(&run(Cumulative { op, axis: 0, reverse: false }, &[tensor(&[x.len()], x)])[0]);
    let same = |a: Vec<f64>, b: &[f64]| {
        assert!(a.iter().zip(b).all(|(x, y)| x == y || x.is_nan() && y.is_nan() || (x - y).abs() < 1e-15 * y.abs()), "{a:?} {b:?}");
    };
    same(f(CumulativeOp::Max, &[1.0, NAN, 2.0]), &[1.0, NAN, NAN]);
    same(f(CumulativeOp::Min, &[3.0, 2.0, NAN, 1.0]), &[3.0, 2.0, NAN, NAN]);
    let ln2 = std::f64::consts::LN_2;
    same(f(CumulativeOp::LogSumExp, &[1000.0, 1000.0, -INF]), &[1000.0, 1000.0 + ln2, 1000.0 + ln2]);
    same(f(CumulativeOp::LogSumExp, &[-INF, -INF, 3.0, INF, INF]), &[-INF, -INF, 3.0, INF, INF]);
    same(f(CumulativeOp::LogSumExp, &[1.0, NAN, 2.0]), &[1.0, NAN, NAN]);
}

fn folds<T: Small>(ops: &[ReduceOp]) {
    for op in ops {
        for shape in SHAPES {
            let every: Vec<usize> = (0..shape.len()).collect();
            for axes in (0..shape.len()).map(|a| vec![a]).chain([every]) {
                let scan = match op {
                    ReduceOp::Sum => CumulativeOp::Sum,
                    ReduceOp::Prod => CumulativeOp::Prod,
                    ReduceOp::Max => CumulativeOp::Max,
                    ReduceOp::Min => CumulativeOp::Min,
                };
                let mut x = data(scan, shape.iter().product());
                if T::DTYPE == tenferro_graph::DType::Bool {
                    x = x.iter().map(|i| if *op == ReduceOp::Max { i64::from(*i == 3) } else { i64::from(*i != 3) }).collect();
                }
                let whole = [x.len()];
                let (flat, axis) = if axes.len() == 1 { (shape, axes[0]) } else { (&whole[..], 0) };
                let fold = |l: &Vec<usize>| l.iter().map(|i| x[*i]).reduce(|a, b| join(scan, a, b)).expect("an element");
                let want: Vec<T> = convert(&lines(flat, axis).iter().map(fold).collect::<Vec<_>>());
                for engine in &mut engines() {
                    for t in layouts(shape, &convert::<T>(&x)) {
                        let got = run_on(engine, Reduce { op: *op, axes: axes.clone() }, &[t]).expect("runs");
                        assert_eq!(vec::<T>(&got[0]), want, "{op:?} of {} {shape:?} over {axes:?}", T::DTYPE);
                    }
                }
            }
        }
    }
}

#[test]
fn reductions_of_every_dtype() {
    macro_rules! of {
        ($ops:expr; $($t:ident)*) => { $(folds::<$t>($ops);)* };
    }
    of!(&ReduceOp::ALL; i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
    of!(&ReduceOp::ALL[..2]; Complex32 Complex64);
    of!(&ReduceOp::ALL[2..]; bool);
}

#[test]
fn complex_products_turn() {
    // (0.8 + 0.6i)ⁿ stays on the circle: angles add up.
    for n in [3, 40, 300, 9000] {
        let x = vec![Complex64::new(0.8, 0.6); 2 * n];
        let turn = 0.6_f64.atan2(0.8) * n as f64;
        for (shape, axis) in [([n, 2], 0), ([2, n], 1)] {
            let got: Vec<Complex64> = vec(&run(Reduce { op: ReduceOp::Prod, axes: vec![axis] }, &[tensor(&shape, &x)])[0]);
            assert!(got.iter().all(|z| (z - Complex64::from_polar(1.0, turn)).norm() < 1e-12), "{n}: {got:?}");
        }
    }
}

#[test]
fn reductions_of_nothing() {
    let of = |op, axes: &[usize], x: Tensor| run(Reduce { op, axes: axes.to_vec() }, &[x]).remove(0);
    let none = || tensor::<f64>(&[0, 2], &[]);
    assert_eq!(vec::<f64>(&of(ReduceOp::Prod, &[0], none())), [1.0, 1.0]);
    assert_eq!(vec::<f64>(&of(ReduceOp::Sum, &[0], none())), [0.0, 0.0]);
    assert_eq!(vec::<bool>(&of(ReduceOp::Max, &[0], tensor::<bool>(&[0], &[]))), [false]);
    assert_eq!(vec::<bool>(&of(ReduceOp::Min, &[0], tensor::<bool>(&[0], &[]))), [true]);
    assert_eq!(vec::<Complex32>(&of(ReduceOp::Prod, &[0], tensor::<Complex32>(&[0], &[]))), [Complex32::new(1.0, 0.0)]);
    assert_eq!(of(ReduceOp::Max, &[1], none()).shape(), [0]);
}

#[test]
fn minima_keep_nan_wherever_it_is() {
    for n in [2, 31, 257, 9000] {
        for at in [0, n / 2, n - 1] {
            let mut x: Vec<f64> = (0..n).map(|i| i as f64).collect();
            x[at] = NAN;
            for op in [ReduceOp::Min, ReduceOp::Max] {
                assert!(vec::<f64>(&run(Reduce { op, axes: vec![0] }, &[tensor(&[n], &x)])[0])[0].is_nan(), "{op:?} {n} {at}");
            }
        }
    }
}

fn positions<T: Small>() {
    for shape in SHAPES {
        for axis in 0..shape.len() {
            let x = mixed(shape.iter().product(), if T::DTYPE == tenferro_graph::DType::Bool { 2 } else { 29 });
            for (op, sign) in [(ArgOp::Max, -1), (ArgOp::Min, 1)] {
                let first = |l: &Vec<usize>| (0..l.len()).min_by_key(|k| sign * x[l[*k]]).expect("an element") as i64;
                let want: Vec<i64> = lines(shape, axis).iter().map(first).collect();
                for engine in &mut engines() {
                    for t in layouts(shape, &convert::<T>(&x)) {
                        let got = run_on(engine, ArgReduce { op, axis }, &[t]).expect("runs");
                        assert_eq!(vec::<i64>(&got[0]), want, "{op:?} {shape:?} along {axis}");
                    }
                }
            }
        }
    }
}

#[test]
fn first_extremes_of_every_dtype() {
    each!(positions: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex32 Complex64);
}

#[test]
fn the_first_nan_is_the_extreme() {
    let of = |op, x: &[f64]| vec::<i64>(&run(ArgReduce { op, axis: 0 }, &[tensor(&[x.len()], x)])[0])[0];
    for op in [ArgOp::Max, ArgOp::Min] {
        assert_eq!(of(op, &[1.0, NAN, INF, NAN, -INF]), 1);
        let mut long = vec![1.0; 1000];
        (long[700], long[900]) = (NAN, NAN);
        assert_eq!(of(op, &long), 700);
    }
    let z = |re, im| Complex64::new(re, im);
    let x = tensor(&[4], &[z(1.0, 2.0), z(1.0, 5.0), z(0.0, 9.0), z(1.0, 5.0)]);
    assert_eq!(vec::<i64>(&run(ArgReduce { op: ArgOp::Max, axis: 0 }, &[x])[0]), [1]);
}

fn orders<T: Small>() {
    for shape in SHAPES {
        for axis in 0..shape.len() {
            let x = mixed(shape.iter().product(), if T::DTYPE == tenferro_graph::DType::Bool { 2 } else { 29 });
            for descending in [false, true] {
                let order = |l: &[i64]| {
                    let mut at: Vec<i64> = (0..l.len() as i64).collect();
                    at.sort_by_key(|k| if descending { -l[*k as usize] } else { l[*k as usize] });
                    at
                };
                let at = along(shape, axis, &x, order);
                let sorted = along(shape, axis, &x, |l| order(l).iter().map(|k| l[*k as usize]).collect());
                for engine in &mut engines() {
                    for t in layouts(shape, &convert::<T>(&x)) {
                        let alone = run_on(engine, Sort { axis, descending }, std::slice::from_ref(&t)).expect("runs");
                        assert_eq!(vec::<T>(&alone[0]), convert::<T>(&sorted), "{shape:?} along {axis}");
                        let got = run_on(engine, ArgSort { axis, descending }, &[t]).expect("runs");
                        assert_eq!(vec::<T>(&got[0]), convert::<T>(&sorted), "{shape:?} along {axis}");
                        assert_eq!(vec::<i64>(&got[1]), at, "{shape:?} along {axis}");
                    }
                }
            }
        }
    }
}

#[test]
fn stable_order_of_every_dtype() {
    each!(orders: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex32 Complex64);
}

#[test]
fn nans_come_last_and_zeros_are_equal() {
    let x = tensor(&[8], &[0.0, NAN, -0.0, INF, -1.0, -NAN, -INF, 5e-324]);
    let at = |descending| vec::<i64>(&run(ArgSort { axis: 0, descending }, std::slice::from_ref(&x))[1]);
    assert_eq!(at(false), [6, 4, 0, 2, 7, 3, 1, 5]);
    assert_eq!(at(true), [3, 7, 0, 2, 4, 6, 1, 5]);
    // NumPy's order of complex NaNs: by which parts are NaN, then by the others.
    let z = |re, im| Complex32::new(re, im);
    let nan = f32::NAN;
    let x = tensor(&[6], &[z(nan, nan), z(nan, 0.0), z(0.0, nan), z(2.0, 0.0), z(1.0, 7.0), z(1.0, -7.0)]);
    assert_eq!(vec::<i64>(&run(ArgSort { axis: 0, descending: false }, &[x])[1]), [5, 4, 3, 2, 1, 0]);
}

/// Values alone are the same bits as those that come with positions: which zero, which NaN.
#[test]
fn values_alone_are_the_same_bits() {
    let (quiet, other) = (f64::from_bits(0x7ff8_0000_0000_0001), f64::from_bits(0xfff8_0000_0000_0002));
    let some = [0.0, quiet, -0.0, INF, -1.0, other, 0.0, -INF, -0.0, 5e-324, -5e-324, 3.0];
    let x: Vec<f64> = (0..70 * some.len()).map(|i| some[(i * 7 + i / 11) % some.len()]).collect();
    for shape in [[840, 1], [1, 840], [84, 10], [10, 84], [12, 70], [70, 12]] {
        let t = Tensor::from_slice(&shape, &x).expect("fits");
        for (axis, descending) in [(0, false), (0, true), (1, false), (1, true)] {
            for engine in &mut engines() {
                let bits = |t: &Tensor| vec::<f64>(t).into_iter().map(f64::to_bits).collect::<Vec<_>>();
                let with = run_on(engine, ArgSort { axis, descending }, std::slice::from_ref(&t)).expect("runs");
                let alone = run_on(engine, Sort { axis, descending }, std::slice::from_ref(&t)).expect("runs");
                assert_eq!(bits(&with[0]), bits(&alone[0]), "{shape:?} along {axis}, descending: {descending}");
            }
        }
    }
}

#[test]
fn threads_share_a_long_line() {
    let n = 100_003_usize;
    let x: Vec<f64> = (0..n).map(|i| if i % 1000 == 17 { NAN } else { ((i * 7919) % 10_007) as f64 - 5000.0 }).collect();
    let t = tensor(&[n], &x);
    let bits = |t: &Tensor| vec::<f64>(t).into_iter().map(f64::to_bits).collect::<Vec<_>>();
    for descending in [false, true] {
        let mut wanted = x.clone();
        wanted.sort_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(if descending { b.total_cmp(a) } else { a.total_cmp(b) }));
        for threads in [1, 2, 3, 8] {
            let mut engine = CpuEngine::builder().threads(threads).oversubscribed().build();
            let got = run_on(&mut engine, Sort { axis: 0, descending }, std::slice::from_ref(&t)).expect("runs");
            assert_eq!(bits(&got[0]), wanted.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), "{threads} threads");
        }
    }
}

fn searches<T: Small>() {
    let bool = T::DTYPE == tenferro_graph::DType::Bool;
    let mut x = mixed(90, if bool { 2 } else { 29 });
    x.sort_unstable();
    let v = mixed(60, if bool { 2 } else { 31 });
    for right in [false, true] {
        let place = |v: &i64| x.iter().filter(|x| *x < v || right && *x == v).count() as i64;
        let want: Vec<i64> = v.iter().map(place).collect();
        for ordered in layouts(&[90], &convert::<T>(&x)) {
            for values in layouts(&[3, 20], &convert::<T>(&v)) {
                let got = run(SearchSorted { right, batch: 0 }, &[ordered.clone(), values]);
                assert_eq!(vec::<i64>(&got[0]), want);
            }
        }
    }
}

#[test]
fn searches_in_every_dtype() {
    each!(searches: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex32 Complex64);
    // Each batch has its own order; the batch is the fastest axis of both.
    let (x, v) = (tensor(&[2, 3], &[0.0, 2.0, 4.0, 10.0, 20.0, 30.0]), tensor(&[2, 2], &[3.0, 9.0, 3.0, 25.0]));
    let f = |t: &Tensor| t.copy_with_strides(&f_strides(t.shape())).expect("memory");
    for args in [[x.clone(), v.clone()], [f(&x), f(&v)]] {
        assert_eq!(vec::<i64>(&run(SearchSorted { right: true, batch: 1 }, &args)[0]), [2, 3, 0, 2]);
    }
    let nan = tensor(&[3], &[1.0, NAN, NAN]);
    assert_eq!(vec::<i64>(&run(SearchSorted { right: false, batch: 0 }, &[nan, tensor(&[2], &[NAN, 2.0])])[0]), [1, 1]);
}

fn taken<T: Small>() {
    for shape in SHAPES {
        for axis in 0..shape.len() {
            let x = mixed(shape.iter().product(), 29);
            let n = shape[axis];
            let mut picked = shape.to_vec();
            picked[axis] = n + 2;
            let at = mixed(picked.iter().product(), n as i64);
            let (from, to) = (lines(shape, axis), lines(&picked, axis));
            let (mut want, mut sums) = (vec![0; at.len()], vec![0; x.len()]);
            let updates: Vec<i64> = mixed(at.len(), 7);
            for (from, to) in from.iter().zip(&to) {
                for i in to {
                    want[*i] = x[from[at[*i] as usize]];
                    sums[from[at[*i] as usize]] += updates[*i];
                }
            }
            for engine in &mut engines() {
                for (t, p) in layouts(shape, &convert::<T>(&x)).into_iter().zip(layouts(&picked, &at)) {
                    let got = run_on(engine, TakeAlong { axis }, &[t, p.clone()]).expect("runs");
                    assert_eq!(vec::<T>(&got[0]), convert::<T>(&want), "{shape:?} along {axis}");
                    if T::DTYPE != tenferro_graph::DType::Bool {
                        let u = tensor(&picked, &convert::<T>(&updates));
                        let got = run_on(engine, PutAlong { axis, size: Dim::Const(n) }, &[u, p]).expect("runs");
                        assert_eq!(vec::<T>(&got[0]), convert::<T>(&sums), "{shape:?} along {axis}");
                    }
                }
            }
        }
    }
}

#[test]
fn elements_by_position_of_every_dtype() {
    each!(taken: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex32 Complex64);
}

#[test]
fn positions_outside_are_an_error() {
    let said = |prim: Prim, n: usize, at: i64| {
        let x = [tensor(&[n], &vec![1.0; n]), tensor(&[n], &vec![at; n])];
        run_on(&mut CpuEngine::serial(), prim, &x).expect_err("refused").to_string()
    };
    assert_eq!(said(TakeAlong { axis: 0 }.into(), 3, 3), "take_along: position 3 is out of bounds for axis 0 with size 3");
    assert_eq!(said(TakeAlong { axis: 0 }.into(), 3, -1), "take_along: position -1 is out of bounds for axis 0 with size 3");
    let put = PutAlong { axis: 0, size: Dim::Const(0) };
    assert_eq!(said(put.into(), 2, 0), "put_along: position 0 is out of bounds for axis 0 with size 0");
}
