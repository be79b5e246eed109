//! Reductions, scans and order: NumPy's values, and derivatives where they are delicate.

mod support;

use support::interpreter::{Arr, splice};
use support::{Now, derivative_errors, program};
use tenferro_graph::{Builder, DType, Program, Result, Val};
use tenferro_ops::*;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

fn of(shape: &[usize], data: &[f64]) -> Now {
    Now(Arr::real(shape, data))
}

fn line(data: &[f64]) -> Now {
    of(&[data.len()], data)
}

fn values(x: &Result<Now>) -> Vec<f64> {
    x.as_ref().expect("a value").0.data.iter().map(|v| v.re).collect()
}

fn close(got: &Result<Now>, want: &[f64]) {
    let got = values(got);
    let near = |(x, y): (&f64, &f64)| x == y || x.is_nan() && y.is_nan() || (x - y).abs() < 1e-14 * y.abs().max(1.0);
    assert!(got.len() == want.len() && got.iter().zip(want).all(near), "{got:?} and {want:?}");
}

/// The gradient of Σ ct·f as a program of x.
fn gradient(f: &Program, x: &Arr, ct: &[f64]) -> Program {
    let b = Builder::new();
    let input = b.input(support::aval(x));
    let mut forward = splice(&b, f, &[input]);
    let (p, found) = tenferro_ad::vjp(f, &[Val::from_index(0)]).expect("rules");
    let shape = f.output_avals()[0].shape.concrete().expect("numbers");
    let seed = Arr::real(&shape, ct).tensor();
    forward.push(b.emit_one(Constant::new(seed).into(), &[]));
    let all = splice(&b, &p, &forward);
    let out = p.outputs()[found[0].expect("a cotangent")];
    b.finish(vec![all[out.index()]]).expect("legal")
}

fn of_x(x: &Arr, f: impl Fn(&Expr<'_>) -> Result<Val>) -> Program {
    program(std::slice::from_ref(x), |x| f(&x[0])).expect("recorded")
}

fn gradient_of(x: &[f64], ct: &[f64], f: impl Fn(&Expr<'_>) -> Result<Val>) -> Vec<f64> {
    let x = Arr::real(&[x.len()], x);
    let g = gradient(&of_x(&x, f), &x, ct);
    support::run(&g, &[x])[0].data.iter().map(|v| v.re).collect()
}

#[test]
fn products_with_zeros_are_right_to_third_order() {
    for x in [vec![2.0, 0.0, 3.0, 5.0], vec![0.0, 0.0, 3.0], vec![0.0; 5], vec![1.5, 0.0]] {
        let n = x.len();
        let arr = Arr::real(&[n], &x);
        let f = of_x(&arr, |x| Ok(prod(x, None, false)?.val()));
        let g = gradient(&f, &arr, &[1.0]);
        let others = |i: usize| (0..n).filter(|j| *j != i).map(|j| x[j]).product::<f64>();
        let got: Vec<f64> = support::run(&g, std::slice::from_ref(&arr))[0].data.iter().map(|v| v.re).collect();
        assert_eq!(got, (0..n).map(others).collect::<Vec<_>>());
        let weights: Vec<f64> = (0..n).map(|i| 0.3 + i as f64).collect();
        let h = gradient(&g, &arr, &weights);
        for p in [f, g, h] {
            let (forward, backward) = derivative_errors(&p, std::slice::from_ref(&arr));
            assert!(forward < 1e-8 && backward < 1e-13, "{x:?}: {forward} {backward}");
        }
    }
}

/// Rows and then updates in one array; the update of a row outside is left out.
#[test]
fn rows_multiplied_by_zeros_are_right_to_third_order() {
    let numbers = tenferro_graph::Tensor::from_slice(&[6], &[0_i64, 2, 0, 9, 0, 2]).expect("numbers");
    for z in [[2.0, 3.0, 5.0, 0.0, 7.0, 0.0, 4.0, 1.5, 0.0], [0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0], [0.0; 9]] {
        let x = Arr::real(&[9], &z);
        let f = of_x(&x, |x| {
            let i = constant(x, numbers.clone())?;
            Ok(scatter_rows(ScatterOp::Mul, &slice_axis(x, 0, 0, 3)?, &i, &slice_axis(x, 0, 3, 9)?)?.val())
        });
        let g = gradient(&f, &x, &[1.0, -2.0, 0.5]);
        let got: Vec<f64> = support::run(&g, std::slice::from_ref(&x))[0].data.iter().map(|v| v.re).collect();
        let u = &z[3..];
        let first = [u[0] * u[2] * u[4], -2.0, 0.5 * u[1] * u[5]];
        let rest = [z[0] * u[2] * u[4], 0.5 * z[2] * u[5], z[0] * u[0] * u[4], 0.0, z[0] * u[0] * u[2], 0.5 * z[2] * u[1]];
        assert_eq!(got, [&first[..], &rest].concat());
        let h = gradient(&g, &x, &[0.3, 1.3, -0.7, 2.0, 0.9, -1.1, 0.4, 1.7, 0.6]);
        for p in [f, g, h] {
            let (forward, backward) = derivative_errors(&p, std::slice::from_ref(&x));
            assert!(forward < 1e-8 && backward < 1e-13, "{z:?}: {forward} {backward}");
        }
    }
}

/// An infinity of one row stays out of another row's derivative.
#[test]
fn rows_multiplied_do_not_meet() {
    let numbers = tenferro_graph::Tensor::from_slice(&[4], &[1_i64, 0, 1, 2]).expect("numbers");
    let x = [2.0, INF, 3.0, 4.0];
    let got = gradient_of(&x, &[1.0, 1.0, 1.0], |x| {
        let i = constant(x, numbers.clone())?;
        Ok(scatter_rows(ScatterOp::Mul, &constant(x, Arr::real(&[3], &[1.0; 3]).tensor())?, &i, x)?.val())
    });
    assert_eq!(got, [3.0, 1.0, 2.0, 1.0]);
}

#[test]
fn running_products_with_zeros_and_ties_are_right_to_second_order() {
    let x = Arr::real(&[6], &[2.0, 0.0, 3.0, 0.0, -1.0, 0.5]);
    for reverse in [false, true] {
        let f = of_x(&x, |x| Ok(cumprod(x, Some(0), reverse, false)?.val()));
        let g = gradient(&f, &x, &[1.0, -2.0, 0.5, 3.0, 0.25, 1.5]);
        let h = of_x(&x, |x| Ok(cumlogsumexp(x, Some(0), reverse)?.val()));
        let i = gradient(&h, &x, &[1.0, -2.0, 0.5, 3.0, 0.25, 1.5]);
        for p in [f, g, h, i] {
            let (forward, backward) = derivative_errors(&p, std::slice::from_ref(&x));
            assert!(forward < 1e-8 && backward < 1e-13, "{forward} {backward}");
        }
    }
}

#[test]
fn ties_share_and_empty_sums_of_exponentials_have_no_slope() {
    assert_eq!(gradient_of(&[1.0, 7.0, 7.0, 2.0], &[3.0], |x| Ok(max(x, None, false)?.val())), [0.0, 1.5, 1.5, 0.0]);
    assert_eq!(gradient_of(&[1.0, 7.0, 1.0], &[3.0], |x| Ok(min(x, None, false)?.val())), [1.5, 0.0, 1.5]);
    // Of three equal maxima each has a third.
    let got = gradient_of(&[7.0, 7.0, 2.0, 7.0, 8.0], &[0.0, 0.0, 0.0, 3.0, 2.0], |x| Ok(cummax(x, Some(0), false)?.val()));
    assert_eq!(got, [1.0, 1.0, 0.0, 1.0, 2.0]);
    let got = gradient_of(&[7.0, 2.0, 2.0], &[4.0, 0.0, 0.0], |x| Ok(cummin(x, Some(0), true)?.val()));
    assert_eq!(got, [0.0, 2.0, 2.0]);
    let none = [f64::NEG_INFINITY; 2];
    assert_eq!(gradient_of(&none, &[1.0], |x| Ok(logsumexp(x, None, false)?.val())), [0.0, 0.0]);
    for (x, want) in [([INF, 0.0, -INF], [1.0, 0.0, 0.0]), ([INF, 0.0, INF], [0.5, 0.0, 0.5]), ([0.0, 0.0, -INF], [0.5, 0.5, 0.0])] {
        assert_eq!(gradient_of(&x, &[1.0], |x| Ok(logsumexp(x, None, false)?.val())), want);
    }
    for x in [INF, -INF] {
        let got = gradient_of(&[x; 3], &[6.0, 4.0, 3.0], |x| Ok(cumlogsumexp(x, Some(0), false)?.val()));
        assert_eq!(got, [9.0, 3.0, 1.0]);
    }
    assert_eq!(gradient_of(&[5.0, 5.0], &[1.0], |x| Ok(std(x, None, 0.0, false)?.val())), [0.0, 0.0]);
    assert_eq!(gradient_of(&[2.0, 1.0, 2.0], &[1.0, 10.0, 100.0], |x| Ok(sort(x, Some(0), false)?.val())), [10.0, 1.0, 100.0]);
}

#[test]
fn derivatives_of_composites_follow() {
    type F = fn(&Expr<'_>) -> Result<Val>;
    let functions: [F; 9] = [
        |x| Ok(var(x, Some(&[1]), 1.0, false)?.val()),
        |x| Ok(std(x, None, 0.0, true)?.val()),
        |x| Ok(logsumexp(x, Some(&[-1]), false)?.val()),
        |x| Ok(softmax(x, Some(&[1]))?.val()),
        |x| Ok(log_softmax(x, None)?.val()),
        |x| Ok(median(x, Some(&[1]), false)?.val()),
        |x| Ok(median(x, None, true)?.val()),
        |x| Ok(diff(x, 2, 1, None, None)?.val()),
        |x| Ok(top_k(x, 2, -1)?[0].val()),
    ];
    let x = Arr::random(DType::F64, &[3, 4], 3).map(|v| v * 2.0);
    for f in functions {
        let f = of_x(&x, f);
        let n: usize = f.output_avals()[0].shape.concrete().expect("numbers").iter().product();
        let g = gradient(&f, &x, &(0..n).map(|i| 0.5 + i as f64).collect::<Vec<_>>());
        for p in [f, g] {
            let (forward, backward) = derivative_errors(&p, std::slice::from_ref(&x));
            assert!(forward < 2e-8 && backward < 1e-12, "{forward} {backward} {p}");
        }
    }
}

#[test]
fn reductions_are_numpys() {
    let x = of(&[2, 3], &[1.0, -2.0, 3.0, 0.0, 5.0, -6.0]);
    assert_eq!(values(&prod(&x, Some(&[1]), false)), [-6.0, 0.0]);
    assert_eq!(values(&min(&x, Some(&[0]), true)), [0.0, -2.0, -6.0]);
    assert_eq!(values(&ptp(&x, Some(&[1]), false)), [5.0, 11.0]);
    assert_eq!(values(&any(&x, Some(&[1]), false)), [1.0, 1.0]);
    assert_eq!(values(&all(&x, Some(&[1]), false)), [1.0, 0.0]);
    assert_eq!(values(&count_nonzero(&x, None, false)), [5.0]);
    // np.var of the same array: 12.472222…, ddof=1: 14.966666….
    close(&var(&x, None, 0.0, false), &[449.0 / 36.0]);
    close(&std(&x, None, 1.0, false), &[(449.0_f64 / 30.0).sqrt()]);
    assert!(values(&var(&line(&[2.0]), None, 1.0, false))[0].is_nan());
    let dtype = |x: Result<Now>| x.expect("a value").0.dtype;
    let mask = Now(Arr { dtype: DType::Bool, ..Arr::real(&[3], &[1.0, 0.0, 1.0]) });
    assert_eq!(dtype(prod(&mask, None, false)), DType::I64);
    assert_eq!(dtype(max(&mask, None, false)), DType::Bool);
    assert_eq!(dtype(any(&x, None, false)), DType::Bool);
    assert_eq!(dtype(mean(&mask, None, false)), DType::F64);
    assert_eq!((dtype(argmax(&mask, None, false)), dtype(count_nonzero(&mask, None, false))), (DType::I64, DType::I64));
}

#[test]
fn empty_reductions_are_numpys() {
    let none = of(&[0, 2], &[]);
    assert_eq!(values(&prod(&none, Some(&[0]), false)), [1.0, 1.0]);
    assert_eq!(values(&any(&none, Some(&[0]), false)), [0.0, 0.0]);
    assert_eq!(values(&all(&none, Some(&[0]), false)), [1.0, 1.0]);
    assert_eq!(values(&logsumexp(&none, Some(&[0]), false)), [-INF, -INF]);
    assert!(values(&median(&none, Some(&[0]), false)).iter().all(|x| x.is_nan()));
    assert!(values(&mean(&none, None, false))[0].is_nan());
    assert!(max(&none, Some(&[1]), false).is_ok());
    let said = min(&none, None, false).expect_err("refused").to_string();
    assert_eq!(said, "reduce_min: axis 0 has no elements to take the minimum of, shape (0, 2)");
}

#[test]
fn sums_of_exponentials_do_not_overflow() {
    let x = of(&[4, 2], &[1000.0, 1000.0, -1000.0, -1000.0, -INF, 3.0, -INF, -INF]);
    let ln2 = std::f64::consts::LN_2;
    close(&logsumexp(&x, Some(&[1]), false), &[1000.0 + ln2, -1000.0 + ln2, 3.0, -INF]);
    close(&logsumexp(&line(&[INF, 1.0]), None, true), &[INF]);
    close(&softmax(&line(&[1000.0, 1000.0, -INF]), None), &[0.5, 0.5, 0.0]);
    close(&log_softmax(&line(&[1000.0, 0.0]), Some(&[0])), &[0.0, -1000.0]);
}

#[test]
fn medians_are_numpys() {
    close(&median(&line(&[3.0, 1.0, 2.0]), None, false), &[2.0]);
    close(&median(&line(&[4.0, 1.0, 2.0, 9.0]), None, false), &[3.0]);
    close(&median(&of(&[2, 3], &[1.0, NAN, 3.0, 5.0, 4.0, 9.0]), Some(&[-1]), true), &[NAN, 5.0]);
    close(&median(&of(&[2, 2], &[1.0, 2.0, 3.0, 4.0]), Some(&[1, 0]), false), &[2.5]);
}

#[test]
fn scans_and_differences_are_numpys() {
    let x = of(&[2, 3], &[1.0, 3.0, 2.0, 4.0, 0.0, 5.0]);
    assert_eq!(values(&cumsum(&x, Some(1), false, false)), [1.0, 4.0, 6.0, 4.0, 4.0, 9.0]);
    assert_eq!(values(&cumsum(&x, None, false, true)), [0.0, 1.0, 4.0, 6.0, 10.0, 10.0, 15.0]);
    assert_eq!(values(&cumprod(&x, Some(0), true, true)), [4.0, 0.0, 10.0, 4.0, 0.0, 5.0, 1.0, 1.0, 1.0]);
    assert_eq!(values(&cummax(&x, Some(-1), false)), [1.0, 3.0, 3.0, 4.0, 4.0, 5.0]);
    assert_eq!(values(&cummin(&x, Some(-1), true)), [1.0, 2.0, 2.0, 0.0, 0.0, 5.0]);
    assert_eq!(values(&diff(&x, 1, 1, None, None)), [2.0, -1.0, -4.0, 5.0]);
    assert_eq!(values(&diff(&line(&[1.0, 4.0, 9.0]), 5, 0, None, None)), [] as [f64; 0]);
    let zero = Now(Arr::real(&[], &[0.0]));
    assert_eq!(values(&diff(&line(&[1.0, 4.0]), 1, 0, Some(&zero), Some(&line(&[5.0])))), [1.0, 3.0, 1.0]);
}

#[test]
fn order_is_numpys() {
    let x = line(&[3.0, NAN, -1.0, 3.0, 0.0]);
    assert_eq!(values(&argsort(&x, Some(0), false)), [2.0, 4.0, 0.0, 3.0, 1.0]);
    assert_eq!(values(&argsort(&x, None, true)), [0.0, 3.0, 4.0, 2.0, 1.0]);
    close(&sort(&x, Some(-1), true), &[3.0, 3.0, 0.0, -1.0, NAN]);
    assert_eq!((values(&argmax(&x, None, false)), values(&argmin(&x, None, true))), (vec![1.0], vec![1.0]));
    let y = of(&[2, 2], &[1.0, 1.0, 0.0, 2.0]);
    assert_eq!(values(&argmax(&y, Some(1), false)), [0.0, 1.0]);
    assert_eq!(values(&argmin(&y, Some(0), true)), [1.0, 0.0]);
    let [top, at] = top_k(&x, 3, 0).expect("a pair");
    assert_eq!((values(&Ok(top)), values(&Ok(at))), (vec![3.0, 3.0, 0.0], vec![0.0, 3.0, 4.0]));
    let said = top_k(&x, 6, 0).expect_err("refused").to_string();
    assert_eq!(said, "top_k: k is 6 and axis 0 has size 5");
}

#[test]
fn searches_are_numpys() {
    let (x, v) = (line(&[1.0, 2.0, 2.0, 5.0]), of(&[2, 2], &[2.0, 0.0, 6.0, 5.0]));
    assert_eq!(values(&searchsorted(&x, &v, false, None)), [1.0, 0.0, 4.0, 3.0]);
    assert_eq!(values(&searchsorted(&x, &v, true, None)), [3.0, 0.0, 4.0, 4.0]);
    let order = Now(Arr { dtype: DType::I64, ..Arr::real(&[4], &[3.0, 0.0, 1.0, 2.0]) });
    assert_eq!(values(&searchsorted(&line(&[2.0, 2.0, 5.0, 1.0]), &v, false, Some(&order))), [1.0, 0.0, 4.0, 3.0]);
    assert_eq!(values(&searchsorted(&line(&[]), &v, false, None)), [0.0; 4]);
}
