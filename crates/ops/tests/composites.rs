//! Functions made of several ops, against the values that they stand for.

mod support;

use support::interpreter::{Arr, c};
use support::{Now, derivative_errors, program};
use tenferro_graph::{DType, Result};
use tenferro_ops::*;

tenferro_ops::impl_value_operators!(Now);

fn of(shape: &[usize], data: &[f64]) -> Now {
    Now(Arr::real(shape, data))
}

fn values(x: &Result<Now>) -> Vec<f64> {
    x.as_ref().expect("a value").0.data.iter().map(|v| v.re).collect()
}

fn counted(shape: &[usize]) -> Now {
    let n: usize = shape.iter().product();
    of(shape, &(0..n).map(|i| i as f64).collect::<Vec<_>>())
}

#[test]
fn operators_take_values_results_references_and_numbers() {
    let x = of(&[2], &[1.0, -2.0]);
    assert_eq!(values(&(&x + &x * 3.0)), [4.0, -8.0]);
    assert_eq!(values(&(2.0 - x.clone())), [1.0, 4.0]);
    assert_eq!(values(&(&x * (&x - 1.0))), [0.0, 6.0]);
    assert_eq!(values(&(x.clone() / 2.0)), [0.5, -1.0]);
    assert_eq!(values(&(&x - x.clone())), [0.0, 0.0]);
    assert_eq!(values(&-x), [-1.0, 2.0]);
}

#[test]
fn derivatives_of_composites_follow() {
    let x = [Arr::random(DType::F64, &[2, 3], 3).map(|v| v * 2.0)];
    let functions: [fn(&Expr<'_>) -> Result<tenferro_graph::Val>; 9] = [
        |x| Ok(softplus(x)?.val()),
        |x| Ok(log_sigmoid(x)?.val()),
        |x| Ok(silu(x)?.val()),
        |x| Ok(gelu(x, true)?.val()),
        |x| Ok(sinc(x)?.val()),
        |x| Ok(xlogy(x, &exp(x)?)?.val()),
        |x| Ok(mean(x, Some(&[-1]), true)?.val()),
        |x| Ok(matmul(x, &swap_last(x)?)?.val()),
        |x| Ok(stack(&[*x, square(x)?], -1)?.val()),
    ];
    for f in functions {
        let f = program(&x, |x| f(&x[0])).expect("recorded");
        let (forward, backward) = derivative_errors(&f, &x);
        assert!(forward < 1e-9 && backward < 1e-13, "{forward} {backward} {f}");
    }
}

#[test]
fn ends_of_the_range() {
    const INF: f64 = f64::INFINITY;
    let huge = of(&[3], &[1e308, 2.0, 1e300]);
    assert_eq!(values(&sinc(&huge)), [0.0; 3]);
    assert_eq!(values(&angle(&of(&[3], &[-0.0, 0.0, -2.0]))), [std::f64::consts::PI, 0.0, std::f64::consts::PI]);
    let got = values(&nan_to_num(&of(&[3], &[f64::NAN, INF, -INF]), INF, Some(7.0), Some(f64::NAN)));
    assert!(got[..2] == [INF, 7.0] && got[2].is_nan(), "{got:?}");
    // x/(1 + e⁻²ᵘ) with 2u = −49.4.
    let tail = values(&gelu(&of(&[1], &[-8.0]), true))[0];
    assert!(tail < 0.0 && tail > -1e-20, "{tail:e}");
    let z = |re, im| tenferro_graph::Complex64::new(re, im);
    let points = vec![z(INF, 1.0), z(1.0, -INF), z(0.0, 0.0), z(3.0, 4.0)];
    let x = Now(Arr::new(DType::C128, &[4], points));
    assert_eq!(sign(&x).expect("signs").0.data, [z(1.0, 0.0), z(0.0, -1.0), z(0.0, 0.0), z(0.6, 0.8)]);
    assert_eq!(relu(&x).expect_err("no order").to_string(), "relu: needs a real dtype, got complex128");
}

#[test]
fn broadcasting_is_numpys() {
    let (column, row) = (of(&[2, 1], &[10.0, 20.0]), of(&[3], &[1.0, 2.0, 3.0]));
    let both = add(&column, &row);
    assert_eq!(both.as_ref().expect("a sum").0.shape, [2, 3]);
    assert_eq!(values(&both), [11.0, 12.0, 13.0, 21.0, 22.0, 23.0]);
    let empty = add(&of(&[0], &[]), &of(&[1], &[1.0]));
    assert_eq!(empty.expect("a sum").0.shape, [0]);
    let mask = gt(&row, &scalar_like(&row, 1.5).expect("a scalar")).expect("a mask");
    assert_eq!(values(&select(&mask, &column, &row)), [1.0, 10.0, 10.0, 1.0, 20.0, 20.0]);
}

#[test]
fn reductions_are_numpys() {
    let x = counted(&[2, 3]);
    assert_eq!(values(&sum(&x, None, false)), [15.0]);
    assert_eq!(values(&sum(&x, Some(&[-1]), false)), [3.0, 12.0]);
    assert_eq!(values(&max(&x, Some(&[0]), false)), [3.0, 4.0, 5.0]);
    assert_eq!(values(&mean(&x, None, false)), [2.5]);
    let kept = sum(&x, Some(&[1, 0]), true).expect("a sum");
    assert_eq!((kept.0.shape, kept.0.data), (vec![1, 1], vec![c(15.0)]));
    let mask = eq(&x, &x).expect("a mask");
    let count = sum(&mask, None, false).expect("a count").0;
    assert_eq!((count.dtype, count.data), (DType::I64, vec![c(6.0)]));
    assert_eq!(values(&sum(&of(&[0, 2], &[]), Some(&[0]), false)), [0.0, 0.0]);
}

#[test]
fn indexing_is_numpys() {
    let x = counted(&[3, 4]);
    let range = |start, stop, step| Index::Range { start, stop, step };
    let cases: [(&[Index], &[usize], &[f64]); 8] = [
        (&[Index::At(-1)], &[4], &[8.0, 9.0, 10.0, 11.0]),
        (&[Index::At(1), Index::At(2)], &[], &[6.0]),
        (&[Index::Ellipsis, Index::At(0)], &[3], &[0.0, 4.0, 8.0]),
        (&[range(Some(1), None, None), range(None, None, Some(3))], &[2, 2], &[4.0, 7.0, 8.0, 11.0]),
        (&[Index::At(0), range(Some(-2), Some(100), None)], &[2], &[2.0, 3.0]),
        (&[Index::At(0), range(Some(3), Some(1), None)], &[0], &[]),
        (&[Index::NewAxis, Index::At(0), Index::Ellipsis, range(None, Some(1), None)], &[1, 1], &[0.0]),
        (&[range(None, Some(-2), None), Index::At(1), Index::NewAxis], &[1, 1], &[1.0]),
    ];
    for (index, shape, data) in cases {
        let y = basic_index(&x, index);
        assert_eq!(y.as_ref().expect("a part").0.shape, shape, "{index:?}");
        assert_eq!(values(&y), data, "{index:?}");
    }
}

#[test]
fn joining_and_padding_are_numpys() {
    let (x, y) = (of(&[1, 2], &[1.0, 2.0]), of(&[2, 2], &[3.0, 4.0, 5.0, 6.0]));
    assert_eq!(values(&concatenate(&[x.clone(), y.clone()], -2)), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(values(&stack(&[y.clone(), y], -1)), [3.0, 3.0, 4.0, 4.0, 5.0, 5.0, 6.0, 6.0]);
    let fill = scalar_like(&x, 9.0).expect("a scalar");
    let wide = pad(&x, &[(0, 1), (1, 0)], &fill);
    assert_eq!(values(&wide), [9.0, 1.0, 2.0, 9.0, 9.0, 9.0]);
    let int = Now(Arr { dtype: DType::I64, ..Arr::real(&[1], &[1.0]) });
    let joined = concatenate(&[int, of(&[1], &[0.5])], 0).expect("joined").0;
    assert_eq!((joined.dtype, joined.data), (DType::F64, vec![c(1.0), c(0.5)]));
}

/// Row-major product of the last two axes, written out.
fn product(a: &Arr, b: &Arr, batch: &[usize]) -> Vec<f64> {
    let (m, k, n) = (a.shape[a.shape.len() - 2], a.shape[a.shape.len() - 1], b.shape[b.shape.len() - 1]);
    let mut out = vec![];
    for index in 0..batch.iter().product::<usize>() {
        let pick = |x: &Arr, rows: usize, cols: usize| {
            let (mut rest, mut at, mut step) = (index, 0, rows * cols);
            for (axis, n) in batch.iter().enumerate().rev() {
                let own = (axis + x.shape.len()).checked_sub(batch.len() + 2).map_or(1, |a| x.shape[a]);
                at += if own == 1 { 0 } else { rest % n * step };
                step *= own;
                rest /= n;
            }
            at
        };
        let (pa, pb) = (pick(a, m, k), pick(b, k, n));
        for i in 0..m {
            for j in 0..n {
                out.push((0..k).map(|l| a.data[pa + i * k + l].re * b.data[pb + l * n + j].re).sum());
            }
        }
    }
    out
}

#[test]
fn matmul_is_numpys() {
    for (a, b, batch) in [
        (vec![2, 3], vec![3, 4], vec![]),
        (vec![5, 2, 3], vec![3, 4], vec![5]),
        (vec![2, 3], vec![5, 3, 4], vec![5]),
        (vec![5, 1, 2, 3], vec![6, 3, 4], vec![5, 6]),
        (vec![1, 2, 3], vec![2, 3, 1], vec![2]),
        (vec![0, 2, 3], vec![3, 4], vec![0]),
        (vec![2, 0], vec![0, 3], vec![]),
    ] {
        let (x, y) = (counted(&a), counted(&b));
        let got = matmul(&x, &y);
        let shape: Vec<usize> = batch.iter().copied().chain([a[a.len() - 2], b[b.len() - 1]]).collect();
        assert_eq!(got.as_ref().expect("a product").0.shape, shape);
        assert_eq!(values(&got), product(&x.0, &y.0, &batch), "{a:?} {b:?}");
    }
    let (v, m) = (counted(&[3]), counted(&[3, 2]));
    assert_eq!(values(&matmul(&v, &v)), [5.0]);
    assert_eq!(values(&matmul(&v, &m)), [10.0, 13.0]);
    let batch = matmul(&v, &counted(&[2, 3, 2])).expect("a product").0;
    assert_eq!(batch.shape, [2, 2]);
    assert_eq!(batch.data.iter().map(|x| x.re).collect::<Vec<_>>(), [10.0, 13.0, 28.0, 31.0]);
    assert_eq!(values(&matmul(&m, &counted(&[2]))), [1.0, 3.0, 5.0]);
}
