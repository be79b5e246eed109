//! Products of every shape, layout and type against three loops.

mod support;

use num_complex::Complex;
use support::{Mat, Rng};
use tenferro_dense::{MatMut, MatRef, Scalar, gemm};

/// The view of a copy of `a` in one of several layouts.
fn laid_out<T: Scalar>(a: &Mat<T>, layout: usize, store: &mut Vec<T>) -> (isize, isize, usize) {
    let (m, n) = (a.m as isize, a.n as isize);
    let (rs, cs) = match layout {
        0 => (1, m),
        1 => (n, 1),
        2 => (2, 2 * m + 1),
        _ => (-1, -m),
    };
    let start = if layout == 3 && a.m * a.n > 0 { a.m * a.n - 1 } else { 0 };
    *store = vec![T::ZERO; 2 * a.m * a.n + a.n + 1];
    for j in 0..a.n {
        for i in 0..a.m {
            let at = start as isize + i as isize * rs + j as isize * cs;
            store[at as usize] = a.at(i, j);
        }
    }
    (rs, cs, start)
}

fn products<T: Scalar>() {
    let mut rng = Rng(1);
    let sizes = [0, 1, 2, 3, 8, 33];
    for m in sizes {
        for n in sizes {
            for p in [0, 1, 2, 4, 8, 21] {
                for flags in 0..8 {
                    let (cl, cr, add) = (flags & 1 > 0, flags & 2 > 0, flags & 4 > 0);
                    one_product::<T>(&mut rng, m, n, p, cl, cr, add);
                }
            }
        }
    }
}

fn one_product<T: Scalar>(rng: &mut Rng, m: usize, n: usize, p: usize, cl: bool, cr: bool, add: bool) {
    let (a, b) = (rng.matrix::<T>(m, p), rng.matrix::<T>(p, n));
    let old = if add { rng.matrix(m, n) } else { Mat::real(m, n, |_, _| f64::NAN) };
    let conj = |x: &Mat<T>, c: bool| Mat::from_fn(x.m, x.n, |i, j| if c { x.at(i, j).conj() } else { x.at(i, j) });
    let mut want = conj(&a, cl).times(&conj(&b, cr));
    if add {
        want = want.plus(&old, 1.0);
    }
    let pick = (rng.uniform() * 64.0) as usize;
    let (mut x, mut y, mut z) = (vec![], vec![], vec![]);
    let (xr, xc, xs) = laid_out(&a, pick % 4, &mut x);
    let (yr, yc, ys) = laid_out(&b, pick / 4 % 4, &mut y);
    let (zr, zc, zs) = laid_out(&old, pick / 16, &mut z);
    // SAFETY: laid_out made room for these strides, starting at these elements.
    unsafe {
        let lhs = MatRef::from_raw_parts(x.as_ptr().add(xs), m, p, xr, xc);
        let rhs = MatRef::from_raw_parts(y.as_ptr().add(ys), p, n, yr, yc);
        gemm(MatMut::from_raw_parts(z.as_mut_ptr().add(zs), m, n, zr, zc), lhs, cl, rhs, cr, add);
        let out = MatRef::from_raw_parts(z.as_ptr().add(zs), m, n, zr, zc);
        let out = Mat::from_fn(m, n, |i, j| out.at(i, j));
        let bound = 8.0 * (p + 2) as f64 * support::eps::<T>() * (1.0 + a.max() * b.max());
        let off = out.plus(&want, -1.0).max();
        assert!(off <= bound, "({m}, {n}, {p}) {cl} {cr} {add} layouts {pick}: {off:e}");
    }
}

#[test]
fn products_of_f32() {
    products::<f32>();
}

#[test]
fn products_of_f64() {
    products::<f64>();
}

#[test]
fn products_of_complex_f32() {
    products::<Complex<f32>>();
}

#[test]
fn products_of_complex_f64() {
    products::<Complex<f64>>();
}

#[test]
fn a_broadcast_side_is_read_with_stride_0() {
    let row: Vec<f64> = (0..40).map(f64::from).collect();
    let b = Rng(2).matrix::<f64>(40, 6);
    // SAFETY: stride 0 repeats the row.
    let lhs = unsafe { MatRef::from_raw_parts(row.as_ptr(), 50, 40, 0, 1) };
    let mut out = Mat::zeros(50, 6);
    gemm(out.mt(), lhs, false, b.rf(), false, false);
    let want = Mat::from_fn(50, 40, |_, j| row[j]).times(&b);
    assert!(out.plus(&want, -1.0).max() < 1e-10);
}

#[test]
#[should_panic(expected = "shapes do not fit")]
fn wrong_shapes_panic() {
    let a = Mat::<f64>::zeros(2, 3);
    gemm(Mat::zeros(2, 2).mt(), a.rf(), false, a.rf(), false, false);
}
