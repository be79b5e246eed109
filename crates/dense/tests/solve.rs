//! The adjoint system: its equations, its symmetry, and the derivative it is there for.

mod support;

use num_complex::Complex;
use support::{Bytes, Mat, Rng, Svd};
use tenferro_dense::{RealScalar, Scalar, SolveInfo, svd_solve, svd_solve_scratch};

/// A problem: the matrix, all its triplets, and where it is cut.
struct Cut<T: Scalar> {
    a: Mat<T>,
    full: Svd<T>,
    k: usize,
    extra: usize,
}

impl<T: Scalar> Cut<T> {
    fn new(a: Mat<T>, k: usize, extra: usize) -> Self {
        let full = Svd::of(&a);
        Self { a, full, k, extra }
    }
    fn u(&self) -> Mat<T> {
        self.full.u.cols(0, self.k)
    }
    fn v(&self) -> Mat<T> {
        self.full.vh.adjoint().cols(0, self.k)
    }
    fn solve(&self, r1: &Mat<T>, r2: &Mat<T>) -> (Mat<T>, Mat<T>, SolveInfo) {
        let (m, n, k, end) = (self.a.m, self.a.n, self.k, self.k + self.extra);
        let (mut x, mut y) = (Mat::zeros(m, k), Mat::zeros(n, k));
        let mut scratch = Bytes::new(svd_solve_scratch::<T>(m, n, k, self.extra));
        let (u, vh, s) = (self.full.u.rf(), self.full.vh.rf(), &self.full.s);
        let info = svd_solve(
            self.a.rf(),
            u.cols_range(0, k),
            &s[..k],
            vh.rows_range(0, k),
            u.cols_range(k, end),
            &s[k..end],
            vh.rows_range(k, end),
            r1.rf(),
            r2.rf(),
            x.mt(),
            y.mt(),
            scratch.get(),
        );
        (x, y, info.expect("solve"))
    }
    /// x s − P a Q y − P r1 and y s − Q a* P x − Q r2.
    fn residuals(&self, x: &Mat<T>, y: &Mat<T>, r1: &Mat<T>, r2: &Mat<T>) -> (Mat<T>, Mat<T>) {
        let s = &self.full.s[..self.k];
        let left = x.scaled_columns(s).plus(&project(&self.u(), &self.a.times(y).plus(r1, 1.0)), -1.0);
        let back = self.a.adjoint().times(x).plus(r2, 1.0);
        let right = y.scaled_columns(s).plus(&project(&self.v(), &back), -1.0);
        (left, right)
    }
    fn check(&self, rng: &mut Rng, tolerance: f64) -> SolveInfo {
        let (r1, r2) = (rng.matrix(self.a.m, self.k), rng.matrix(self.a.n, self.k));
        let (x, y, info) = self.solve(&r1, &r2);
        let (left, right) = self.residuals(&x, &y, &r1, &r2);
        // Relative to the terms of the equations, which are large where a gap is small.
        let terms = r1.norm() + r2.norm() + self.a.norm() * (x.norm() + y.norm());
        let off = left.norm().max(right.norm()) / terms;
        assert!(off <= tolerance, "residual {off:e}, {info:?}");
        let top = 1.0 + x.max() + y.max();
        assert!(self.u().adjoint().times(&x).max() <= tolerance * top);
        assert!(self.v().adjoint().times(&y).max() <= tolerance * top);
        info
    }
}

/// r − q q* r.
fn project<T: Scalar>(q: &Mat<T>, r: &Mat<T>) -> Mat<T> {
    r.plus(&q.times(&q.adjoint().times(r)), -1.0)
}

fn equations<T: Scalar>() {
    let mut rng = Rng(21);
    let tolerance = 100.0 * support::eps::<T>();
    for (m, n) in [(10, 8), (8, 10), (9, 9), (1, 6), (6, 1), (40, 30)] {
        let q = m.min(n);
        for k in [1, 2, 5, q] {
            for extra in [0, 1, 3, q] {
                if k <= q {
                    let cut = Cut::new(rng.matrix::<T>(m, n), k, extra.min(q - k));
                    cut.check(&mut rng, tolerance);
                }
            }
        }
    }
}

#[test]
fn the_equations_hold_in_all_types() {
    equations::<f32>();
    equations::<f64>();
    equations::<Complex<f32>>();
    equations::<Complex<f64>>();
}

#[test]
fn a_decaying_spectrum_takes_few_steps_and_a_flat_one_the_full_svd() {
    let mut rng = Rng(22);
    let fast: Vec<f64> = (0..120).map(|i| 0.85f64.powi(i)).collect();
    let cut = Cut::new(rng.with_values::<f64>(120, 120, &fast), 16, 16);
    let info = cut.check(&mut rng, 1e-13);
    assert!(!info.direct && info.steps <= 6, "{info:?}");
    let flat: Vec<f64> = (0..60).map(|i| 1.0 - 1e-3 * f64::from(i)).collect();
    let cut = Cut::new(rng.with_values::<Complex<f64>>(70, 60, &flat), 10, 4);
    let info = cut.check(&mut rng, 1e-11);
    assert!(info.direct, "{info:?}");
}

/// ⟨(P, Q), solve(R1, R2)⟩ = ⟨solve(P, Q), (R1, R2)⟩, and i times the right side gives i times
/// the solution.
#[test]
fn the_solution_is_linear_and_self_adjoint() {
    let mut rng = Rng(23);
    type C = Complex<f64>;
    for (m, n, k, extra) in [(12, 9, 4, 3), (9, 12, 4, 0), (7, 7, 7, 0)] {
        let cut = Cut::new(rng.matrix::<C>(m, n), k, extra);
        let (r1, r2) = (rng.matrix::<C>(m, k), rng.matrix::<C>(n, k));
        let (p, q) = (rng.matrix::<C>(m, k), rng.matrix::<C>(n, k));
        let (x, y, _) = cut.solve(&r1, &r2);
        let (xp, yp, _) = cut.solve(&p, &q);
        let (one, two) = (p.inner(&x) + q.inner(&y), xp.inner(&r1) + yp.inner(&r2));
        assert!((one - two).abs() <= 1e-11 * (1.0 + one.abs()), "{one} {two}");
        let turn = |a: &Mat<C>| Mat::from_fn(a.m, a.n, |i, j| a.at(i, j) * C::new(0.0, 2.0));
        let (xi, yi, _) = cut.solve(&turn(&r1), &turn(&r2));
        assert!(xi.plus(&turn(&x), -1.0).max() <= 1e-11 * x.max().max(1.0));
        assert!(yi.plus(&turn(&y), -1.0).max() <= 1e-11 * y.max().max(1.0));
    }
}

/// f(A) = Re tr(C U U*) + Re tr(D V V*) over the kept space has the gradient X V* + U Y* with
/// right sides 2 C U and 2 D V; differences along a random direction.
fn derivative<T: Scalar>(m: usize, n: usize, k: usize, extra: usize) {
    let mut rng = Rng(24);
    let a = rng.matrix::<T>(m, n);
    let herm = |x: Mat<T>| x.plus(&x.adjoint(), 1.0);
    let (c, d) = (herm(rng.matrix::<T>(m, m)), herm(rng.matrix::<T>(n, n)));
    let f = |a: &Mat<T>| {
        let cut = Cut::new(a.clone(), k, 0);
        let (u, v) = (cut.u(), cut.v());
        u.inner(&c.times(&u)) + v.inner(&d.times(&v))
    };
    let cut = Cut::new(a.clone(), k, extra);
    let two = |x: Mat<T>| x.plus(&x, 1.0);
    let (x, y, _) = cut.solve(&two(c.times(&cut.u())), &two(d.times(&cut.v())));
    let gradient = x.times(&cut.v().adjoint()).plus(&cut.u().times(&y.adjoint()), 1.0);
    let along = rng.matrix::<T>(m, n);
    let h = 1e-5;
    let slope = (f(&a.plus(&along, h)) - f(&a.plus(&along, -h))) / (2.0 * h);
    let want = gradient.inner(&along);
    assert!((slope - want).abs() <= 1e-6 * (1.0 + want.abs()), "{m}x{n}, {k}: {slope} {want}");
}

#[test]
fn it_gives_the_derivative_of_the_kept_space() {
    for (m, n, k, extra) in [(9, 7, 3, 2), (7, 9, 3, 0), (8, 8, 2, 5), (9, 5, 5, 0), (5, 9, 5, 0)] {
        derivative::<f64>(m, n, k, extra);
        derivative::<Complex<f64>>(m, n, k, extra);
    }
}

#[test]
fn scale_of_matrix_and_right_side_only_scales_the_solution() {
    let mut rng = Rng(25);
    let a = rng.matrix::<f64>(30, 20);
    let (r1, r2) = (rng.matrix::<f64>(30, 4), rng.matrix::<f64>(20, 4));
    let times = |a: &Mat<f64>, e| Mat::from_fn(a.m, a.n, |i, j| a.at(i, j).times_power(e));
    let (x, y, _) = Cut::new(a.clone(), 4, 8).solve(&r1, &r2);
    for (e, g) in [(500, 0), (-500, 0), (900, 200), (-900, -500), (3, -800)] {
        let (xs, ys, _) = Cut::new(times(&a, e), 4, 8).solve(&times(&r1, g), &times(&r2, g));
        for (scaled, want) in [(xs, &x), (ys, &y)] {
            let off = times(&scaled, e - g).plus(want, -1.0).max();
            assert!(off <= 1e-12 * want.max(), "{e} {g}: {off:e}");
        }
    }
}

#[test]
fn a_cut_multiplet_is_reported_and_left_out() {
    let mut rng = Rng(26);
    let s = [4.0, 3.0, 2.0, 2.0, 2.0, 1.0, 0.5, 0.25];
    for extra in [0, 4] {
        let cut = Cut::new(rng.with_values::<f64>(10, 8, &s), 3, extra);
        let (r1, r2) = (rng.matrix(10, 3), rng.matrix(8, 3));
        let (x, y, info) = cut.solve(&r1, &r2);
        assert!(info.cut_multiplet);
        assert!(x.max() < 1e3 && y.max() < 1e3);
        // What is left of the residual lies in the multiplet that was cut, in the last column.
        let (left, right) = cut.residuals(&x, &y, &r1, &r2);
        let tie = cut.full.u.cols(3, 5);
        let tie_right = cut.full.vh.adjoint().cols(3, 5);
        assert!(project(&tie, &left).max() < 1e-11);
        assert!(project(&tie_right, &right).max() < 1e-11);
        assert!(left.cols(0, 2).max() < 1e-11 && right.cols(0, 2).max() < 1e-11);
    }
    let cut = Cut::new(rng.with_values::<f64>(10, 8, &s), 5, 3);
    assert!(!cut.check(&mut rng, 1e-12).cut_multiplet);
}

#[test]
fn zero_singular_values_give_finite_solutions() {
    let mut rng = Rng(27);
    for (m, n) in [(9, 6), (6, 9), (7, 7)] {
        let mut a = Mat::<f64>::zeros(m, n);
        a.data[0] = 3.0;
        a.data[m + 1] = 2.0;
        for k in 1..=m.min(n) {
            let cut = Cut::new(a.clone(), k, (m.min(n) - k).min(2));
            let (x, y, info) = cut.solve(&rng.matrix(m, k), &rng.matrix(n, k));
            assert!(x.max().is_finite() && y.max().is_finite(), "{info:?}");
            for j in 2..k {
                assert_eq!(x.cols(j, j + 1).max(), 0.0);
                assert_eq!(y.cols(j, j + 1).max(), 0.0);
            }
        }
        let zero = Cut::new(Mat::<f64>::zeros(m, n), 2, 1);
        let (x, y, _) = zero.solve(&rng.matrix(m, 2), &rng.matrix(n, 2));
        assert_eq!((x.max(), y.max()), (0.0, 0.0));
    }
}

/// For k = min(m, n) it is a division, even by values far below rounding of the largest.
#[test]
fn the_thin_case_divides_by_tiny_values_exactly() {
    let mut rng = Rng(28);
    let mut a = Mat::<f64>::zeros(5, 3);
    for (i, s) in [1.0, 1e-8, 1e-20].into_iter().enumerate() {
        a.data[5 * i + i] = s;
    }
    let cut = Cut::new(a, 3, 0);
    let (r1, r2) = (rng.matrix::<f64>(5, 3), rng.matrix::<f64>(3, 3));
    let (x, y, _) = cut.solve(&r1, &r2);
    assert_eq!(y.max(), 0.0);
    for j in 0..3 {
        for i in 3..5 {
            let want = r1.at(i, j) / cut.full.s[j];
            assert!((x.at(i, j) - want).abs() <= 1e-14 * want.abs());
        }
    }
}

#[test]
fn a_right_side_with_nan_gives_nan() {
    let cut = Cut::new(Rng(29).matrix::<f64>(5, 4), 2, 1);
    let (x, y, info) = cut.solve(&Mat::real(5, 2, |_, _| f64::NAN), &Mat::zeros(4, 2));
    assert!(x.max().is_nan() && y.max().is_nan() && info.residual.is_nan());
}
