//! The SVD's derivatives against finite differences of gauge-invariant functions.

#![allow(clippy::print_stderr)]

mod support;

use support::interpreter::Arr;
use support::twin::{Fault, Twin};
use support::{constant, first_order_error, gradient, program, run, second_order_error};
use tenferro_graph::{Complex64, DType, Prim, Program, Value};
use tenferro_linalg::{svd, svd_trunc, svdvals};
use tenferro_ops::{Expr, matmul, reduce_sum};

const DTYPES: [DType; 2] = [DType::F64, DType::C128];
const SHAPES: [(usize, usize); 3] = [(5, 5), (7, 4), (4, 6)];

fn total(x: Expr<'_>) -> Expr<'_> {
    let axes: Vec<usize> = (0..x.aval().rank()).collect();
    reduce_sum(&x, &axes).expect("sum").real()
}

fn mm<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    matmul(&l, &r).expect("matmul")
}

/// A function of the triplets that does not see their phases, but all else:
/// Σ dⱼ uⱼ\*C₁uⱼ + Σ eⱼ vⱼ\*C₂vⱼ + Re Σ gⱼ uⱼ\*C₃vⱼ + Σ wⱼ sin sⱼ.
fn invariant([u, s, vh]: [Expr<'_>; 3], dtype: DType) -> Expr<'_> {
    let rank = u.aval().rank();
    let size = |e: Expr<'_>, axis: usize| e.aval().shape[axis].as_const().expect("a number");
    let (m, k, n) = (size(u, rank - 2), size(u, rank - 1), size(vh, rank - 1));
    let random = |shape: &[usize], seed| constant(u, &Arr::random(dtype, shape, seed));
    let weights = |seed| constant(u, &Arr::random(DType::F64, &[k], seed)).cast(dtype);
    let v = tenferro_ops::swap_last(&vh.conj()).expect("swap");
    let first = total(u.conj() * mm(random(&[m, m], 11), u) * weights(12));
    let second = total(v.conj() * mm(random(&[n, n], 13), v) * weights(14));
    let third = total(u.conj() * mm(random(&[m, n], 15), v) * weights(16));
    let fourth = total(s.sin() * weights(17).real());
    first + second + third + fourth
}

fn full(dtype: DType, shape: &[usize]) -> Program {
    program(dtype, shape, |a| invariant(svd(&a, true).expect("svd"), dtype))
}

fn truncated(dtype: DType, shape: &[usize], k: usize) -> Program {
    program(dtype, shape, |a| invariant(svd_trunc(&a, k).expect("svd_trunc"), dtype))
}

fn twin(dtype: DType, (m, n): (usize, usize), k: usize, fault: Fault) -> Program {
    let prim = Prim::new(Twin { k, extra: m.min(n) - k, fault });
    program(dtype, &[m, n], |a| {
        let f = a.emit(prim.clone(), &[&a]).expect("twin");
        invariant([f[0], f[1], f[2]], dtype)
    })
}

#[test]
fn full_first_and_second_order() {
    for dtype in DTYPES {
        for (m, n) in SHAPES {
            let (f, x) = (full(dtype, &[m, n]), Arr::random(dtype, &[m, n], 1));
            let (first, second) = (first_order_error(&f, &x), second_order_error(&f, &x));
            eprintln!("svd {dtype} {m}x{n}: {first:.1e} {second:.1e}");
            assert!(first < 1e-8 && second < 1e-6, "svd {dtype} {m}x{n}: {first:e} {second:e}");
        }
    }
}

#[test]
fn truncated_first_and_second_order() {
    for dtype in DTYPES {
        for (m, n) in SHAPES {
            for k in [1, 2, 3] {
                let (f, x) = (truncated(dtype, &[m, n], k), Arr::random(dtype, &[m, n], 2));
                let (first, second) = (first_order_error(&f, &x), second_order_error(&f, &x));
                eprintln!("svd_trunc {dtype} {m}x{n} k={k}: {first:.1e} {second:.1e}");
                assert!(first < 1e-8 && second < 1e-6, "svd_trunc {dtype} {m}x{n} k={k}: {first:e} {second:e}");
            }
        }
    }
}

#[test]
fn a_batch_is_differentiated_matrix_by_matrix() {
    let shape = [2, 3, 4, 3];
    for dtype in DTYPES {
        let x = Arr::random(dtype, &shape, 3);
        for f in [full(dtype, &shape), truncated(dtype, &shape, 2)] {
            let (first, second) = (first_order_error(&f, &x), second_order_error(&f, &x));
            assert!(first < 1e-8 && second < 1e-6, "{dtype}: {first:e} {second:e}");
        }
    }
}

#[test]
fn values_alone() {
    for dtype in DTYPES {
        for (m, n) in SHAPES {
            let f = program(dtype, &[m, n], |a| total(svdvals(&a).expect("svdvals").sin()));
            let x = Arr::random(dtype, &[m, n], 4);
            let (first, second) = (first_order_error(&f, &x), second_order_error(&f, &x));
            assert!(first < 1e-9 && second < 1e-7, "{dtype} {m}x{n}: {first:e} {second:e}");
        }
    }
}

#[test]
fn the_checker_rejects_wrong_rules() {
    let x = |dtype, (m, n): (usize, usize)| Arr::random(dtype, &[m, n], 1);
    let check = |dtype, shape, k, fault| first_order_error(&twin(dtype, shape, k, fault), &x(dtype, shape));
    for (dtype, shape, k) in [(DType::F64, (5, 5), 2), (DType::C128, (7, 4), 2), (DType::C128, (5, 5), 5)] {
        assert!(check(dtype, shape, k, Fault::None) < 1e-8);
    }
    let rejected = [
        check(DType::C128, (5, 5), 5, Fault::NoDiagonal),
        check(DType::F64, (5, 5), 2, Fault::NoCutPart),
        check(DType::C128, (7, 4), 2, Fault::NoCutPart),
        check(DType::C128, (7, 4), 2, Fault::NoConjugate),
    ];
    eprintln!("wrong twins: {rejected:?}");
    assert!(rejected.iter().all(|e| *e > 1e-2), "{rejected:?}");
}

/// In the squares of the singular values a small matrix loses all, while the rule
/// is right at scale 1: only the test of scales can see it.
#[test]
fn the_scale_test_rejects_quotients_by_squares() {
    let f = twin(DType::F64, (3, 3), 3, Fault::Squares);
    let x = Arr::random(DType::F64, &[3, 3], 9);
    let near = first_order_error(&f, &x);
    let prim = Prim::new(Twin { k: 3, extra: 0, fault: Fault::Squares });
    let g = gradient(&program(DType::F64, &[3, 3], |a| {
        let f = a.emit(prim.clone(), &[&a]).expect("twin");
        invariant([f[0], f[1] * 0.0, f[2]], DType::F64)
    }));
    let at = |c: f64| run(&g, &x.map(|x| x * c)).map(|x| x * c);
    let far = at(1e-200).axpy(-1.0, &at(1.0)).norm();
    eprintln!("squares: {near:.1e} at scale 1, {far:.1e} at 1e-200");
    assert!(near < 1e-8, "{near:e}");
    assert!(far > 1e-2 || far.is_nan(), "{far:e}");
}

/// Σ|u diag(s) vh|² = Σ|A|², whose gradient is 2A whatever the rank and the ties.
fn reconstruction(dtype: DType, shape: &[usize]) -> Program {
    program(dtype, shape, |a| {
        let [u, s, vh] = svd(&a, true).expect("svd");
        let back = mm(u * s.cast(dtype), vh);
        total(back * back.conj())
    })
}

fn distance_from_twice(g: &Arr, a: &Arr) -> f64 {
    g.axpy(-2.0, a).norm()
}

#[test]
fn ties_and_rank_deficiency_reconstruct() {
    let d = [1.0, 1.0, 2.0, 3.0];
    let diagonal = Arr::from_fn(DType::F64, &[4, 4], |i| Complex64::new(if i[0] == i[1] { d[i[0]] } else { 0.0 }, 0.0));
    let g = run(&gradient(&reconstruction(DType::F64, &[4, 4])), &diagonal);
    assert!(distance_from_twice(&g, &diagonal) < 1e-11);
    for dtype in DTYPES {
        for (m, n) in SHAPES {
            let g = gradient(&reconstruction(dtype, &[m, n]));
            let zero = Arr::from_fn(dtype, &[m, n], |_| Complex64::new(0.0, 0.0));
            assert_eq!(run(&g, &zero).norm(), 0.0, "zero {dtype} {m}x{n}");
            let (l, r) = (Arr::random(dtype, &[m, 2], 5), Arr::random(dtype, &[2, n], 6));
            let low = Arr::from_fn(dtype, &[m, n], |i| l.at(&[i[0], 0]) * r.at(&[0, i[1]]) + l.at(&[i[0], 1]) * r.at(&[1, i[1]]));
            let error = distance_from_twice(&run(&g, &low), &low);
            eprintln!("rank 2 {dtype} {m}x{n}: {error:.1e}");
            assert!(error < 1e-11, "rank 2 {dtype} {m}x{n}: {error:e}");
        }
    }
}

/// Re⟨C, u diag(s) vh⟩ has the gradient C, also where s falls to 1e-11: the sums
/// and 1/s must not be cut where the gaps are.
#[test]
fn small_singular_values_count() {
    for dtype in DTYPES {
        for (m, n) in [(4, 2), (2, 4), (2, 2)] {
            let c = Arr::random(dtype, &[m, n], 8);
            let g = gradient(&program(dtype, &[m, n], |a| {
                let [u, s, vh] = svd(&a, true).expect("svd");
                let back = mm(u * s.cast(dtype), vh);
                total(back * constant(a, &c).conj())
            }));
            let (l, r) = (Arr::random(dtype, &[m, 2], 5), Arr::random(dtype, &[2, n], 6));
            let small = 1e-11;
            let x = Arr::from_fn(dtype, &[m, n], |i| l.at(&[i[0], 0]) * r.at(&[0, i[1]]) + l.at(&[i[0], 1]) * r.at(&[1, i[1]]) * small);
            let error = run(&g, &x).axpy(-1.0, &c).norm();
            eprintln!("s_min 1e-11 {dtype} {m}x{n}: {error:.1e}");
            assert!(error < 1e-3, "{dtype} {m}x{n}: {error:e}");
        }
    }
}

/// The part of the function that does not depend on the scale of A.
fn scale_free(dtype: DType, shape: &[usize], k: Option<usize>) -> Program {
    program(dtype, shape, |a| {
        let [u, s, vh] = k.map_or_else(|| svd(&a, true), |k| svd_trunc(&a, k)).expect("svd");
        invariant([u, s * 0.0, vh], dtype)
    })
}

#[test]
fn vectors_do_not_depend_on_the_scale() {
    for dtype in DTYPES {
        for (shape, k) in [([5, 5], None), ([7, 4], None), ([4, 6], None), ([7, 4], Some(2))] {
            let g = gradient(&scale_free(dtype, &shape, k));
            let x = Arr::random(dtype, &shape, 7);
            let at = |c: f64| run(&g, &x.map(|x| x * c)).map(|x| x * c);
            let one = at(1.0);
            for c in [1e150, 1e-150, 1e200, 1e-200] {
                let error = at(c).axpy(-1.0, &one).norm() / one.norm();
                assert!(error < 1e-10, "{dtype} {shape:?} {k:?} at {c:e}: {error:e}");
            }
        }
    }
}

#[test]
fn near_ties_stay_bounded_at_second_order() {
    let d = [1.0, 1.0 - 1e-13, 2.0, 3.0];
    let x = Arr::from_fn(DType::F64, &[4, 4], |i| Complex64::new(if i[0] == i[1] { d[i[0]] } else { 0.0 }, 0.0));
    let g = gradient(&reconstruction(DType::F64, &[4, 4]));
    let w = Arr::random(DType::F64, &[4, 4], 8);
    let h = run(&support::pullback(&g, &w), &x);
    assert!(h.norm().is_finite() && h.norm() < 1e3);
    assert!(distance_from_twice(&run(&g, &x), &x) < 1e-11);
}
