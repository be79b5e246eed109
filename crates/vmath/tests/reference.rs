//! Errors against mpmath over the whole range; the data come from `tests/vmath_reference.py` at the repository's root.
//! `VMATH_REFERENCE` names another folder of such data, for wider runs.

// Measured errors are printed.
#![allow(clippy::print_stdout)]

mod apply;

use apply::{Function, function, levels};
use std::path::PathBuf;
use tenferro_vmath::{table_f32, table_f64};

/// Rows of a file: doubles, then whatever stands last as an integer.
fn rows(name: &str) -> Vec<Vec<String>> {
    let folder =
        std::env::var("VMATH_REFERENCE").map_or_else(|_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data"), PathBuf::from);
    let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).expect("reference data are committed");
    text.lines().map(|l| l.split(' ').map(str::to_owned).collect()).collect()
}

fn double(hex: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(hex, 16).expect("sixteen hexadecimal digits"))
}

fn columns<T>(rows: &[Vec<String>], count: usize, cast: impl Fn(f64) -> T) -> Vec<Vec<T>> {
    (0..count).map(|i| rows.iter().map(|r| cast(double(&r[i]))).collect()).collect()
}

/// Distance to the next larger double.
fn ulp(x: f64) -> f64 {
    let x = x.abs();
    if x < f64::MIN_POSITIVE { f64::from_bits(1) } else { f64::from_bits(x.to_bits() & (0x7ff << 52)) * f64::EPSILON }
}

fn ulp32(x: f64) -> f64 {
    let x = x.abs().max(f64::from(f32::MIN_POSITIVE));
    f64::from_bits(x.to_bits() & (0x7ff << 52)) * f64::from(f32::EPSILON)
}

/// The largest error in ulp, with the row it occurs in.
fn worst(errors: impl Iterator<Item = f64>) -> (f64, usize) {
    errors.enumerate().fold((0.0, 0), |w, (i, e)| if e > w.0 || e.is_nan() { (e, i) } else { w })
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn check_f64(name: &str, column: usize, bound: f64, f: Function<f64>, file: &str, level: &str) -> bool {
    let rows = rows(file);
    let inputs = f.inputs();
    let got = f.call(&columns(&rows, inputs, |x| x)).swap_remove(column);
    let errors = rows.iter().zip(&got).map(|(r, &y)| {
        let want = double(&r[inputs]);
        let residual: f64 = r[inputs + 1].parse().expect("an integer");
        if same(y, want) { residual.abs() / 1e4 } else { ((y - want) / ulp(want) - residual / 1e4).abs() }
    });
    let (error, row) = worst(errors);
    println!("{level} {name}: {error:.4} ulp over {} points", rows.len());
    if error.is_nan() || error > bound {
        println!("{level} {name}: {error} ulp, got {:e}, x = {:e}, row {:?}", got[row], double(&rows[row][0]), rows[row]);
        return false;
    }
    for (r, &y) in rows.iter().zip(&got) {
        let zero = double(&r[inputs]) == 0.0;
        if zero && !same(y, double(&r[inputs])) {
            println!("{level} {name}: sign of zero, row {r:?}");
            return false;
        }
    }
    true
}

fn check_f32(name: &str, column: usize, bound: f64, f: Function<f32>, file: &str, level: &str) -> bool {
    let rows = rows(&format!("{file}_f32"));
    let inputs = f.inputs();
    let got = f.call(&columns(&rows, inputs, |x| x as f32)).swap_remove(column);
    let errors = rows.iter().zip(&got).map(|(r, &y)| {
        let want = double(&r[inputs]);
        let near = want as f32;
        let overflow = y == near && near.is_infinite();
        if overflow { 0.0 } else { (f64::from(y) - want).abs() / ulp32(want) }
    });
    let (error, row) = worst(errors);
    println!("{level} {name} float32: {error:.4} ulp over {} points", rows.len());
    if error.is_nan() || error > bound {
        println!("{level} {name} float32: {error} ulp, got {:e}, x = {:e}, row {:?}", got[row], double(&rows[row][0]), rows[row]);
        return false;
    }
    true
}

/// (function, its result that is checked, data file, bound in ulp).
const REAL: [(&str, usize, &str, f64); 36] = [
    ("sin", 0, "sin", 1.0),
    ("cos", 0, "cos", 1.0),
    ("sincos", 0, "sin", 1.0),
    ("sincos", 1, "cos", 1.0),
    ("exp", 0, "exp", 1.0),
    ("log", 0, "log", 1.0),
    ("hypot", 0, "hypot", 1.0),
    ("tan", 0, "tan", 1.0),
    ("exp2", 0, "exp2", 1.0),
    ("expm1", 0, "expm1", 1.0),
    ("log2", 0, "log2", 1.0),
    ("log10", 0, "log10", 1.0),
    ("log1p", 0, "log1p", 1.0),
    ("asin", 0, "asin", 1.0),
    ("acos", 0, "acos", 1.0),
    ("atan", 0, "atan", 1.0),
    ("sinh", 0, "sinh", 1.0),
    ("cosh", 0, "cosh", 1.0),
    ("tanh", 0, "tanh", 1.0),
    ("asinh", 0, "asinh", 1.0),
    ("acosh", 0, "acosh", 1.0),
    ("atanh", 0, "atanh", 1.0),
    ("pow", 0, "pow", 1.0),
    ("cbrt", 0, "cbrt", 1.0),
    ("rsqrt", 0, "rsqrt", 1.0),
    ("erf", 0, "erf", 1.0),
    ("sigmoid", 0, "sigmoid", 1.0),
    ("softplus", 0, "softplus", 1.0),
    ("log_sigmoid", 0, "log_sigmoid", 1.0),
    ("atan2", 0, "atan2", 2.0),
    ("erfc", 0, "erfc", 2.0),
    ("logaddexp", 0, "logaddexp", 2.0),
    ("floor_divide", 0, "floor_divide", 1.0),
    ("erfinv", 0, "erfinv", 4.0),
    ("i0e", 0, "i0e", 4.0),
    ("i1e", 0, "i1e", 4.0),
];

#[test]
fn real_functions_are_within_their_bounds() {
    let mut good = true;
    for level in levels() {
        for (name, column, file, bound) in REAL {
            good &= check_f64(name, column, bound, function(table_f64(level), name), file, level.name());
            good &= check_f32(name, column, 1.0, function(table_f32(level), name), file, level.name());
        }
    }
    assert!(good, "see the output");
}

/// Remainders have no error in float64; in float32 Python's rounds its sum.
#[test]
fn remainders_are_exact() {
    for level in levels() {
        assert!(check_f64("fmod", 0, 0.0, function(table_f64(level), "fmod"), "fmod", level.name()));
        assert!(check_f32("fmod", 0, 0.0, function(table_f32(level), "fmod"), "fmod", level.name()));
        assert!(check_f64("remainder", 0, 0.5001, function(table_f64(level), "remainder"), "remainder", level.name()));
        assert!(check_f32("remainder", 0, 0.5001, function(table_f32(level), "remainder"), "remainder", level.name()));
    }
}

/// Functions with zeros of their own: |error| ≤ bound·(1 + |f|).
#[test]
fn mixed_bounds() {
    let mut good = true;
    for level in levels() {
        for (name, bound) in [("lgamma", 1e-14), ("digamma", 1e-14), ("logaddexp", 4e-16)] {
            let rows = rows(name);
            let f = function(table_f64(level), name);
            let inputs = f.inputs();
            let got = f.call(&columns(&rows, inputs, |x| x)).swap_remove(0);
            let errors = rows.iter().zip(&got).map(|(r, &y)| {
                let want = double(&r[inputs]);
                if same(y, want) { 0.0 } else { (y - want).abs() / (1.0 + want.abs()) }
            });
            let (error, row) = worst(errors);
            println!("{} {name}: {error:.2e} mixed over {} points", level.name(), rows.len());
            if error.is_nan() || error > bound {
                println!("got {:e}, x = {:e}, row {:?}", got[row], double(&rows[row][0]), rows[row]);
                good = false;
            }
        }
    }
    assert!(good, "see the output");
}

/// |got − want| in eps of |want|, with overflowed parts taken as the largest number.
fn normwise(got: [f64; 2], want: [f64; 2], eps: f64, tiny: f64) -> f64 {
    let finite = |v: f64| {
        if v.is_infinite() { f64::MAX.copysign(v) } else { v }
    };
    let (got, want) = (got.map(finite), want.map(finite));
    let scale = want[0].abs().max(want[1].abs());
    if scale == 0.0 {
        return if got == want { 0.0 } else { f64::INFINITY };
    }
    let norm = (want[0] / scale).hypot(want[1] / scale);
    let error = ((got[0] - want[0]) / scale).hypot((got[1] - want[1]) / scale);
    // Below the normal numbers the unit is the spacing of the subnormals.
    let unit = eps.max(tiny / scale);
    error / norm / unit
}

const COMPLEX: [&str; 22] = [
    "csin", "ccos", "cexp", "clog", "csqrt", "cdiv", "cpow", "ctan", "csinh", "ccosh", "ctanh", "casin", "cacos", "catan", "casinh",
    "cacosh", "catanh", "cexp2", "cexpm1", "clog1p", "clog2", "clog10",
];

#[test]
fn complex_functions_are_within_four_eps() {
    let mut good = true;
    for level in levels() {
        for name in COMPLEX {
            let rows = rows(name);
            let f = function(table_f64(level), name);
            let inputs = f.inputs();
            let got = f.call(&columns(&rows, inputs, |x| x));
            let errors = rows.iter().enumerate().map(|(i, r)| {
                let want = [double(&r[inputs]), double(&r[inputs + 1])];
                normwise([got[0][i], got[1][i]], want, f64::EPSILON, f64::from_bits(1))
            });
            let (error, row) = worst(errors);
            println!("{} {name}: {error:.3} eps over {} points", level.name(), rows.len());
            if error.is_nan() || error > 4.0 {
                let numbers: Vec<f64> = rows[row].iter().map(|h| double(h)).collect();
                println!("{name}: {error} eps, got {:e} {:e}, arguments and values {numbers:?}", got[0][row], got[1][row]);
                good = false;
            }
        }
    }
    assert!(good, "see the output");
}

/// float32 against the float64 functions checked above, which round to it within half a unit and a little.
#[test]
fn complex_float32_follows_float64() {
    for level in levels() {
        for name in COMPLEX {
            let rows = rows(name);
            let f = function(table_f32(level), name);
            let narrow = columns(&rows, f.inputs(), |x| x as f32);
            let wide: Vec<Vec<f64>> = narrow.iter().map(|c| c.iter().map(|&x| f64::from(x)).collect()).collect();
            let (got, want) = (f.call(&narrow), function(table_f64(level), name).call(&wide));
            for i in 0..rows.len() {
                let got = [got[0][i], got[1][i]].map(f64::from);
                let want = [want[0][i], want[1][i]];
                if want.iter().any(|v| v.is_nan()) {
                    continue;
                }
                let near = want.map(|v| f64::from(v as f32));
                let error = normwise(got, near, f64::from(f32::EPSILON), f64::from(f32::from_bits(1)));
                assert!(error <= 4.0, "{} {name}: {error} eps at {:?}", level.name(), rows[i]);
            }
        }
    }
}

#[test]
fn sqrt_is_correctly_rounded() {
    let mut state = 1u64;
    let x: Vec<f64> = (0..5000)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from_bits(state >> 1)
        })
        .collect();
    let narrow: Vec<f32> = x.iter().map(|&x| f32::from_bits((x.to_bits() >> 32) as u32)).collect();
    for level in levels() {
        let wide = function(table_f64(level), "sqrt").call(std::slice::from_ref(&x));
        assert!(x.iter().zip(&wide[0]).all(|(x, &y)| same(x.sqrt(), y)));
        let short = function(table_f32(level), "sqrt").call(std::slice::from_ref(&narrow));
        assert!(narrow.iter().zip(&short[0]).all(|(x, &y)| same(f64::from(x.sqrt()), f64::from(y))));
    }
}
