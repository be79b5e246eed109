//! Derivatives of factorizations and of what is made of them against finite differences, to
//! second order, real and complex.

#![allow(clippy::print_stderr)]

mod support;

use support::factors::M;
use support::interpreter::Arr;
use support::{constant, first_order_error, gradient, program, run, second_order_error};
use tenferro_graph::{Complex64, DType, Program, Result, Value};
use tenferro_linalg::*;
use tenferro_ops::{Expr, matmul, reduce_sum, swap_last};

const DTYPES: [DType; 2] = [DType::F64, DType::C128];

fn total(x: Expr<'_>) -> Expr<'_> {
    let axes: Vec<usize> = (0..x.aval().rank()).collect();
    reduce_sum(&x, &axes).expect("sum").real()
}

fn mm<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    matmul(&l, &r).expect("matmul")
}

fn t(x: Expr<'_>) -> Expr<'_> {
    swap_last(&x).expect("matrices")
}

/// Re Σ conj(C)∘x + ½ Σ|x|²∘D: sees every element, phases too.
fn watched(x: Expr<'_>, seed: u64) -> Expr<'_> {
    let shape: Vec<usize> = x.aval().shape.concrete().expect("numbers").to_vec();
    let weights = |dtype, seed| constant(x, &Arr::random(dtype, &shape, seed));
    let linear = total(weights(x.dtype(), seed).conj() * x);
    let size = (x.conj() * x).real();
    linear + total(weights(DType::F64, seed + 1) * size) * 0.5
}

/// Σ dⱼ vⱼ\*C vⱼ + …: does not see the phases of columns.
fn phaseless(v: Expr<'_>, seed: u64) -> Expr<'_> {
    let shape: Vec<usize> = v.aval().shape.concrete().expect("numbers").to_vec();
    let (m, k) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    let middle = constant(v, &Arr::random(v.dtype(), &[m, m], seed));
    let weights = constant(v, &Arr::random(DType::F64, &[k], seed + 1)).cast(v.dtype());
    total(v.conj() * mm(middle, v) * weights)
}

fn hermitian(x: Expr<'_>) -> Expr<'_> {
    (x + t(x.conj())) * 0.5
}

/// x x\* + n/2: positive definite.
fn positive(x: Expr<'_>) -> Expr<'_> {
    let n = x.aval().shape[x.aval().rank() - 1].as_const().expect("a number");
    mm(x, t(x.conj())) + constant(x, &M::eye(n).into_arr(x.dtype())) * 0.5
}

trait IntoArr {
    fn into_arr(self, dtype: DType) -> Arr;
}

impl IntoArr for M {
    fn into_arr(self, dtype: DType) -> Arr {
        Arr::new(dtype, &[self.m, self.n], self.x)
    }
}

fn errors(f: &Program, x: &Arr) -> (f64, f64) {
    (first_order_error(f, x), second_order_error(f, x))
}

fn hold(name: &str, shape: &[usize], f: impl for<'b> Fn(Expr<'b>) -> Result<Expr<'b>>) {
    for dtype in DTYPES {
        let f = program(dtype, shape, |x| x.keep(f(x)));
        for seed in [1, 2] {
            let (first, second) = errors(&f, &Arr::random(dtype, shape, seed));
            eprintln!("{name} {dtype} {shape:?}: {first:.1e} {second:.1e}");
            assert!(first < 3e-8 && second < 3e-6, "{name} {dtype} {shape:?}: {first:e} {second:e}");
        }
    }
}

#[test]
fn eigenvalues() {
    for shape in [&[1, 1][..], &[4, 4], &[2, 3, 3]] {
        hold("eigh", shape, |x| eigh(&hermitian(x), true, true).map(|[w, v]| phaseless(v, 3) + total(w.sin())));
        hold("eigh upper", shape, |x| eigh(&hermitian(x), false, true).map(|[w, v]| phaseless(v, 3) + total(w.sin())));
        hold("eigvalsh", shape, |x| eigvalsh(&hermitian(x), true, true).map(|w| total(w.sin())));
        hold("eig", shape, |x| eig(&x, true).map(|[w, v]| phaseless(v, 5) + total(w * w * w)));
        hold("eigvals", shape, |x| eigvals(&x, true).map(|w| total(w.sin())));
        // Distinct weights see the order of the values.
        hold("eigvals in order", &[3, 3], |x| eigvals(&x, true).map(|w| watched(w, 7)));
    }
}

#[test]
fn triangular_factorizations() {
    for shape in [&[1, 1][..], &[3, 3], &[5, 3], &[3, 5], &[2, 3, 2]] {
        hold("qr", shape, |x| qr(&x, false, true).map(|[q, r]| watched(q, 3) + watched(r, 5)));
        hold("lq", shape, |x| lq(&x, false, true).map(|[l, q]| watched(q, 3) + watched(l, 5)));
        hold("lu", shape, |x| lu(&x, true).map(|[_, l, u]| watched(l, 3) + watched(u, 5)));
        hold("lu back", shape, |x| lu(&x, true).map(|[p, l, u]| watched(mm(p, mm(l, u)), 3)));
        hold("qr full", shape, |x| qr(&x, true, true).map(|[q, r]| watched(mm(q, r), 3)));
    }
    // The projector on the last columns of a full q is a function of a.
    hold("qr completed", &[5, 2], |x| {
        let [q, _] = qr(&x, true, true)?;
        let rest = tenferro_ops::slice_axis(&q, 1, 2, 5)?;
        Ok(watched(mm(rest, t(rest.conj())), 3))
    });
    for shape in [&[1, 1][..], &[4, 4], &[2, 3, 3]] {
        hold("cholesky", shape, |x| cholesky(&positive(x), false, true).map(|l| watched(l, 3)));
        hold("cholesky upper", shape, |x| cholesky(&positive(x), true, true).map(|l| watched(l, 3)));
    }
}

fn rhs<'b>(x: Expr<'b>, shape: &[usize]) -> Expr<'b> {
    // A right side that moves with the matrix.
    let b = constant(x, &Arr::random(x.dtype(), shape, 21));
    b + b * total(x * x).cast(x.dtype())
}

#[test]
fn systems() {
    for form in [Form::Plain, Form::Transposed, Form::Adjoint] {
        for (lower, unit) in [(true, false), (false, true)] {
            hold("solve_triangular", &[3, 3], |x| {
                let shifted = x + constant(x, &M::eye(3).into_arr(x.dtype())) * 2.0;
                solve_triangular(&shifted, &rhs(x, &[3, 2]), lower, form, unit, true).map(|y| watched(y, 3))
            });
        }
        hold("lu_solve", &[2, 3, 3], |x| {
            let [packed, pivots] = lu_factor(&x, true)?;
            lu_solve(&packed, &pivots, &rhs(x, &[2, 3, 2]), form).map(|y| watched(y, 3))
        });
    }
    for shape in [&[1, 1][..], &[3, 3], &[2, 3, 3]] {
        let n = shape[shape.len() - 1];
        hold("solve", shape, |x| solve(&x, &rhs(x, &[n, 2]), true).map(|y| watched(y, 3)));
        hold("solve vector", shape, |x| solve(&x, &rhs(x, &[n]), true).map(|y| watched(y, 3)));
        hold("inv", shape, |x| inv(&x, true).map(|y| watched(y, 3)));
        hold("cho_solve", shape, |x| {
            let factor = cholesky(&positive(x), false, true)?;
            cho_solve(&factor, true, &rhs(x, &[n, 2]), true).map(|y| watched(y, 3))
        });
    }
}

/// A derivative of the adjugate along functions of the matrix.
fn along_itself(x: Expr<'_>, order: usize) -> Result<Expr<'_>> {
    let args = [x, x * x, x.conj() * 0.5 + 0.25];
    let y = x.emit(tenferro_graph::Prim::new(Adjugate { order }), &args[..=order].iter().collect::<Vec<_>>())?;
    Ok(watched(y[0], 3))
}

#[test]
fn determinants() {
    for shape in [&[1, 1][..], &[2, 2], &[3, 3], &[2, 3, 3]] {
        hold("det", shape, |x| det(&x).map(|y| watched(y, 3)));
        hold("adjugate", shape, |x| along_itself(x, 0));
        hold("its derivative", shape, |x| along_itself(x, 1));
        hold("its second derivative", shape, |x| along_itself(x, 2));
        hold("slogdet", shape, |x| slogdet(&x).map(|[s, l]| watched(s, 3) + watched(l, 5)));
    }
}

#[test]
fn pseudoinverse_and_least_squares() {
    for shape in [&[3, 3][..], &[5, 3], &[3, 4], &[2, 3, 2]] {
        hold("pinv", shape, |x| pinv(&x, None).map(|y| watched(y, 3)));
        let m = shape[shape.len() - 2];
        hold("lstsq", shape, |x| lstsq(&x, &rhs(x, &[m, 2]), None).map(|[y, r, ..]| watched(y, 3) + watched(r, 5)));
        hold("polar", shape, |x| polar(&x, false).map(|[q, p]| watched(q, 3) + watched(p, 5)));
        hold("polar left", shape, |x| polar(&x, true).map(|[q, p]| watched(q, 3) + watched(p, 5)));
    }
    // A product of thin factors keeps its rank wherever they go.
    for (shape, second) in [([3, 2], 4), ([4, 2], 3), ([3, 1], 3)] {
        hold("lstsq of small rank", &shape, |x| {
            let other = constant(x, &Arr::random(x.dtype(), &[shape[1], second], 31));
            lstsq(&mm(x, other), &rhs(x, &[shape[0], 2]), Some(1e-10)).map(|[y, ..]| watched(y, 3))
        });
    }
    hold("pinv of rank 2", &[3, 2], |x| {
        let other = constant(x, &Arr::random(x.dtype(), &[2, 4], 31));
        pinv(&mm(x, other), Some(1e-10)).map(|y| watched(y, 3))
    });
}

#[test]
fn functions_of_matrices() {
    for shape in [&[1, 1][..], &[3, 3], &[2, 2, 2]] {
        hold("expm", shape, |x| expm(&x).map(|y| watched(y, 3)));
        hold("sqrtm", shape, |x| sqrtm(&positive(x)).map(|y| watched(y, 3)));
        hold("logm", shape, |x| logm(&positive(x)).map(|y| watched(y, 3)));
        for n in [-3, -1, 0, 1, 5] {
            hold("matrix_power", shape, |x| {
                let size = x.aval().shape[x.aval().rank() - 1].as_const().expect("a number");
                let away = x + constant(x, &M::eye(size).into_arr(x.dtype())) * 3.0;
                matrix_power(&away, n).map(|y| watched(y + x * 0.1, 3))
            });
        }
    }
    hold("multi_dot", &[3, 3], |x| {
        let thin = constant(x, &Arr::random(x.dtype(), &[3, 1], 4));
        multi_dot(&[x, x, thin, t(thin), x]).map(|y| watched(y, 3))
    });
}

#[test]
fn other_svds() {
    for shape in [&[3, 3][..], &[5, 3], &[3, 4], &[2, 3, 2]] {
        let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
        let k = m.min(n);
        hold("svd full", shape, |x| {
            let [u, s, vh] = svd_with(&x, true, true, Degeneracy::Mask)?;
            let tail = |x, axis, size| tenferro_ops::slice_axis(&x, axis, k, size);
            let rank = shape.len();
            let (left, right) = (tail(u, rank - 1, m)?, tail(vh, rank - 2, n)?);
            Ok(watched(mm(left, t(left.conj())), 3) + watched(mm(t(right.conj()), right), 5) + total(s.sin()))
        });
        for ties in [Degeneracy::Raise, Degeneracy::Lift(None)] {
            hold("svd ties", shape, |x| {
                let [u, s, vh] = svd_with(&x, false, true, ties)?;
                Ok(phaseless(u, 3) + phaseless(t(vh.conj()), 5) + total(s.sin()))
            });
        }
    }
    hold("null_space", &[2, 4], |x| null_space(&x, 2).map(|y| watched(mm(y, t(y.conj())), 3)));
    hold("orth", &[4, 2], |x| orth(&x, 2).map(|y| watched(mm(y, t(y.conj())), 3)));
}

/// x with numbers added that keep its elements, and sums of them, apart and from 0.
fn apart(x: Expr<'_>) -> Expr<'_> {
    let shape: Vec<usize> = x.aval().shape.concrete().expect("numbers").to_vec();
    let number = |i: &[usize]| i.iter().fold(4.0, |sum, i| sum * 1.4 + *i as f64);
    x + constant(x, &Arr::from_fn(x.dtype(), &shape, |i| Complex64::new(number(i), 0.0)))
}

#[test]
fn norms() {
    use MatrixOrd::*;
    for ord in [Fro, Nuc, One, MinusOne, Two, MinusTwo, Inf, MinusInf] {
        for shape in [&[3, 3][..], &[2, 4, 2]] {
            hold(&format!("{ord:?}"), shape, |x| matrix_norm(&apart(x), ord, true).map(|y| watched(y, 3)));
        }
        hold(&format!("cond {ord:?}"), &[3, 3], |x| cond(&apart(x), Some(ord)));
    }
    for ord in [f64::INFINITY, f64::NEG_INFINITY, 1.0, 2.0, 3.5, -1.5] {
        hold(&format!("norm {ord}"), &[4, 3], |x| vector_norm(&apart(x), ord, Some(&[0]), false).map(|y| watched(y, 3)));
        hold(&format!("norm {ord} of all"), &[2, 3], |x| vector_norm(&apart(x), ord, None, false));
    }
}

/// A function with the value of `value` and the derivative of `slope`.
fn twin<'b>(value: Expr<'b>, slope: Expr<'b>) -> Expr<'b> {
    let frozen = |x: Expr<'b>| x.keep(tenferro_ops::stop_gradient(&x));
    frozen(value) + slope - frozen(slope)
}

/// What the derivative would be if one term of a rule were missing or wrong: the checker must see it.
#[test]
fn the_checker_rejects_wrong_rules() {
    type Function = for<'b> fn(Expr<'b>) -> Result<Expr<'b>>;
    let wrong: [(&str, &[usize], Function); 9] = [
        ("eigh without moving vectors", &[3, 3], |x| {
            let [_, v] = eigh(&hermitian(x), true, true)?;
            Ok(twin(phaseless(v, 3), total(x * 0.0)))
        }),
        ("eigh of the tangent, not of its Hermitian part", &[3, 3], |x| {
            let [w, _] = eigh(&x, true, true)?;
            Ok(total(w.sin()))
        }),
        ("eig with columns that grow", &[3, 3], |x| {
            let [_, v] = eig(&x, true)?;
            Ok(twin(phaseless(v, 5), phaseless(v * (total(x) + 1.0).cast(v.dtype()), 5)))
        }),
        ("qr with the strict part of S alone", &[3, 3], |x| {
            let [q, r] = qr(&x, false, true)?;
            Ok(twin(watched(r, 3), watched(mm(t(tenferro_ops::stop_gradient(&q)?.conj()), x), 3)))
        }),
        ("cholesky with a whole diagonal", &[3, 3], |x| {
            let a = positive(x);
            let l = cholesky(&a, false, true)?;
            let back = solve_triangular(&tenferro_ops::stop_gradient(&l)?, &a, true, Form::Plain, false, true)?;
            Ok(twin(watched(l, 3), watched(t(back.conj()), 3)))
        }),
        ("lu whose l does not move", &[3, 3], |x| {
            let [_, l, u] = lu(&x, true)?;
            Ok(twin(watched(u, 3), watched(solve(&tenferro_ops::stop_gradient(&l)?, &x, true)?, 3)))
        }),
        ("solve without the matrix", &[3, 3], |x| {
            let y = solve(&x, &rhs(x, &[3, 2]), true)?;
            Ok(twin(watched(y, 3), watched(solve(&tenferro_ops::stop_gradient(&x)?, &rhs(x, &[3, 2]), true)?, 3)))
        }),
        ("pinv without the terms outside", &[4, 2], |x| {
            let p = pinv(&x, None)?;
            let f = tenferro_ops::stop_gradient(&p)?;
            Ok(twin(watched(p, 3), watched(-mm(f, mm(x, f)), 3)))
        }),
        ("expm as if all commuted", &[3, 3], |x| {
            let y = expm(&x)?;
            Ok(twin(watched(y, 3), watched(mm(tenferro_ops::stop_gradient(&y)?, x), 3)))
        }),
    ];
    for (name, shape, f) in wrong {
        let f = program(DType::C128, shape, |x| x.keep(f(x)));
        let error = first_order_error(&f, &Arr::random(DType::C128, shape, 1));
        eprintln!("{name}: {error:.1e}");
        assert!(error > 1e-2, "{name}: {error:e}");
    }
}

fn slope(dtype: DType, x: &Arr, f: impl for<'b> Fn(Expr<'b>) -> Result<Expr<'b>>) -> Arr {
    run(&gradient(&program(dtype, &x.shape, |x| x.keep(f(x)))), x)
}

fn diagonal(d: &[f64]) -> Arr {
    Arr::from_fn(DType::F64, &[d.len(), d.len()], |i| Complex64::new(if i[0] == i[1] { d[i[0]] } else { 0.0 }, 0.0))
}

/// det [[1, 2], [2, 4]]: the gradient is the transposed adjugate; at rank n − 2 it is 0.
#[test]
fn det_of_singular_matrices() {
    let a = Arr::real(&[2, 2], &[1.0, 2.0, 2.0, 4.0]);
    assert_eq!(slope(DType::F64, &a, |x| det(&x)).axpy(-1.0, &Arr::real(&[2, 2], &[4.0, -2.0, -2.0, 1.0])).norm(), 0.0);
    assert_eq!(slope(DType::F64, &diagonal(&[2.0, 0.0, 0.0]), |x| det(&x)).norm(), 0.0);
}

/// Three derivatives are polynomials of the elements, at any rank and near it.
#[test]
fn det_is_a_polynomial_to_third_order() {
    let f = program(DType::F64, &[3, 3], |x| x.keep(det(&x).map(|y| y * y + y)));
    let g = program(DType::F64, &[3, 3], |x| x.keep(along_itself(x, 1)));
    let counted = Arr::from_fn(DType::F64, &[3, 3], |i| Complex64::new((3 * i[0] + i[1]) as f64 + 1.0, 0.0));
    for a in [counted, diagonal(&[2.0, 0.0, 0.0]), diagonal(&[1.0, 1.0, 1e-13]), diagonal(&[0.0; 3])] {
        let ((first, second), third) = (errors(&f, &a), first_order_error(&g, &a));
        assert!(first < 3e-8 && second < 3e-6 && third < 3e-8, "{a:?}: {first:e} {second:e} {third:e}");
    }
}

/// Σ |v f(w) v\*|² at diag(4, 1, 1), whose basis is a choice.
#[test]
fn eigh_at_a_tie() {
    let a = diagonal(&[4.0, 1.0, 1.0]);
    let g = slope(DType::F64, &a, |x| {
        let [w, v] = eigh(&x, true, true)?;
        let back = mm(v * w, t(v));
        Ok(total(back * back))
    });
    assert!(g.axpy(-2.0, &a).norm() < 1e-12, "{g:?}");
}

/// Divided differences: d tr(C √a) and d tr(C log a) at ties against the exact ones.
#[test]
fn functions_of_hermitian_matrices_at_ties() {
    let (a, w) = (diagonal(&[4.0, 4.0, 1.0]), Arr::random(DType::F64, &[3, 3], 3));
    let d = [4.0_f64, 4.0, 1.0];
    let exact =
        |f: &dyn Fn(f64, f64) -> f64| Arr::from_fn(DType::F64, &[3, 3], |i| (w.at(i) + w.at(&[i[1], i[0]])) * 0.5 * f(d[i[0]], d[i[1]]));
    let got = slope(DType::F64, &a, |x| Ok(total(sqrtm(&x)? * constant(x, &w))));
    assert!(got.axpy(-1.0, &exact(&|x, y| 1.0 / (x.sqrt() + y.sqrt()))).norm() < 1e-13);
    let got = slope(DType::F64, &a, |x| Ok(total(logm(&x)? * constant(x, &w))));
    let log = |x: f64, y: f64| if x == y { 1.0 / x } else { (x.ln() - y.ln()) / (x - y) };
    assert!(got.axpy(-1.0, &exact(&log)).norm() < 1e-13);
}

/// f = Σ W∘(u s vh) at the identity does not depend on the basis, and its gradient is W: "lift"
/// gets it right, the mask does not. The polar factor's own rule is exact there.
#[test]
fn a_tie_that_only_the_lift_gets_right() {
    let (one, w) = (diagonal(&[1.0; 3]), Arr::random(DType::F64, &[3, 3], 3));
    let off = |ties| {
        slope(DType::F64, &one, |x| svd_with(&x, false, true, ties).map(|[u, s, vh]| total(mm(u * s, vh) * constant(x, &w))))
            .axpy(-1.0, &w)
            .norm()
    };
    let (lift, mask) = (off(Degeneracy::Lift(None)), off(Degeneracy::Mask));
    eprintln!("lift {lift:.1e}, mask {mask:.1e}");
    assert!(lift < 3e-7 && mask > 1e-2, "{lift:e} {mask:e}");
    // d Σ W∘q at 1: the antisymmetric part of W.
    let got = slope(DType::F64, &one, |x| Ok(total(polar(&x, false)?[0] * constant(x, &w))));
    let exact = Arr::from_fn(DType::F64, &[3, 3], |i| (w.at(i) - w.at(&[i[1], i[0]])) * 0.5);
    assert!(got.axpy(-1.0, &exact).norm() < 1e-13);
}

#[test]
fn norms_at_zero() {
    let zero = diagonal(&[0.0; 3]);
    for ord in [0.5, 1.5, 2.0, 3.0, -1.0] {
        assert_eq!(slope(DType::F64, &zero, |x| vector_norm(&x, ord, None, false)).norm(), 0.0, "{ord}");
    }
    assert_eq!(slope(DType::F64, &zero, |x| matrix_norm(&x, MatrixOrd::Fro, false)).norm(), 0.0);
}

/// Of a function that is well defined the residual is rounding; Σ C∘u at a tie is not one.
#[test]
fn gauge_residual() {
    let (one, w) = (diagonal(&[1.0, 1.0, 0.5]), Arr::random(DType::F64, &[3, 3], 3));
    let f = program(DType::F64, &[3, 3], |x| {
        let [u, s, vh] = svd(&x, false).expect("svd");
        let wx = constant(x, &w);
        // The cotangents of Σ W∘(u s vh): W v s and s u\* W.
        let (ct_u, ct_vh) = (mm(wx, t(vh)) * s, mm(t(u * s), wx));
        x.keep(svd_gauge_residual([&u, &s, &vh], [&ct_u, &ct_vh]))
    });
    assert!(run(&f, &one).norm() < 1e-14);
    let f = program(DType::F64, &[3, 3], |x| {
        let [u, s, vh] = svd(&x, false).expect("svd");
        x.keep(svd_gauge_residual([&u, &s, &vh], [&constant(x, &w), &(vh * 0.0)]))
    });
    assert!(run(&f, &one).norm() > 1e-2);
}

#[test]
fn ranks_and_cuts() {
    let a = diagonal(&[3.0, 2.0, 2.0, 0.0]);
    let at = |f: &dyn for<'b> Fn(Expr<'b>) -> Result<Expr<'b>>| run(&program(DType::F64, &[4, 4], |x| x.keep(f(x))), &a).data[0].re;
    assert_eq!(at(&|x| matrix_rank(&x, None)), 3.0);
    assert_eq!(at(&|x| matrix_rank(&x, Some(0.8))), 1.0);
    assert!((at(&|x| svd_cut_gap(&x, 1)) - 1.0 / 3.0).abs() < 1e-15);
    assert!(at(&|x| svd_cut_gap(&x, 2)).abs() < 1e-15);
    assert!((at(&|x| cond(&tenferro_ops::slice_axis(&x, 1, 0, 3)?, None)) - 1.5).abs() < 1e-15);
}

/// Of two orders the one with fewer multiplications: (1×9)(9×1) before (1×1)(1×9).
#[test]
fn multi_dot_chooses_the_order() {
    let f = program(DType::F64, &[1, 9], |x| x.keep(multi_dot(&[x, t(x), x])));
    let products: Vec<String> = f.steps().filter(|s| s.prim.name() == "dot_general").map(|s| f.aval(s.out(0)).to_string()).collect();
    assert_eq!(products, ["float64[1,1]", "float64[1,9]"]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |shape: &[usize], f: &dyn for<'b> Fn(Expr<'b>) -> Result<Expr<'b>>| {
        let b = tenferro_graph::Builder::new();
        let x = b.input(tenferro_graph::Aval::new(DType::F64, shape));
        f(Expr::new(&b, x)).map(|y| y.val()).expect_err("refused").to_string()
    };
    assert_eq!(refused(&[2, 3], &|x| inv(&x, true)), "inv: needs square matrices, got shape (2, 3)");
    assert_eq!(refused(&[3], &|x| cholesky(&x, false, true)), "cholesky: needs at least 2 axes, got shape (3,)");
    assert_eq!(
        refused(&[3, 3], &|x| solve(&x, &tenferro_ops::slice_axis(&x, 0, 0, 2)?, true)),
        "solve: a has 3 rows and b 2; shapes (3, 3) and (2, 3)"
    );
    assert_eq!(refused(&[3, 2], &|x| orth(&x, 3)), "orth: the rank is at most min(m, n) = 2, got 3");
    assert_eq!(
        refused(&[3, 3], &|x| svd_with(&x, false, true, Degeneracy::Lift(Some(0.0))).map(|f| f[0])),
        "svd: the gap of a lift must lie between 0 and 1, got 0"
    );
    assert!(refused(&[3, 2], &|x| multi_dot(&[x, x])).starts_with("multi_dot: array 1 has 3 rows"));
}

/// Bool and integers are taken as float64.
#[test]
fn integers_become_float64() {
    let b = tenferro_graph::Builder::new();
    let x = Expr::new(&b, b.input(tenferro_graph::Aval::new(DType::I64, [2, 2])));
    assert_eq!(inv(&x, true).expect("inv").dtype(), DType::F64);
    assert_eq!(svdvals(&x).expect("svdvals").dtype(), DType::F64);
    assert_eq!(matrix_power(&x, 3).expect("power").dtype(), DType::I64);
}
