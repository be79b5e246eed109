//! Signed zeros on branch cuts and special values of the wider vocabulary (C99 Annexes F and G, NumPy).

mod apply;

use apply::{check, function, levels};
use tenferro_vmath::table_f64;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const PI: f64 = std::f64::consts::PI;

/// On a cut the sign of zero says which side is meant: the value is the limit from there, signs of its zeros included.
#[test]
fn a_signed_zero_chooses_the_side_of_a_cut() {
    let functions =
        ["casin", "cacos", "catan", "casinh", "cacosh", "catanh", "clog1p", "clog2", "clog10", "clog", "csqrt", "ctan", "ctanh", "cexpm1"];
    let tiny = 1e-300_f64;
    for level in levels() {
        for name in functions {
            for size in [-3.0, -2.0, -0.5, 0.25, 0.5, 2.0, 3.0] {
                for zero in [0.0_f64, -0.0] {
                    for (on, beside) in [([size, zero], [size, tiny.copysign(zero)]), ([zero, size], [tiny.copysign(zero), size])] {
                        let f = function(table_f64(level), name);
                        let at = |z: [f64; 2]| f.call(&[vec![z[0]], vec![z[1]]]).concat();
                        for (got, want) in at(on).iter().zip(at(beside)) {
                            let close = (got - want).abs() <= 4e-16 * want.abs().max(1.0);
                            assert!(
                                close && got.is_sign_negative() == want.is_sign_negative(),
                                "{} {name}{on:?}: {got:e}, beside the cut {want:e}",
                                level.name()
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn odd_functions_keep_zeros_and_infinities() {
    for name in ["tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "expm1", "log1p", "cbrt", "erf", "erfinv", "i1e"] {
        check(name, &[0.0], &[0.0]);
        check(name, &[-0.0], &[-0.0]);
        check(name, &[NAN], &[NAN]);
    }
    for (name, limit) in [("atan", PI / 2.0), ("sinh", INF), ("tanh", 1.0), ("asinh", INF), ("cbrt", INF), ("erf", 1.0), ("i1e", 0.0)] {
        check(name, &[INF], &[limit]);
        check(name, &[-INF], &[-limit]);
    }
}

#[test]
fn special_values_of_one_argument() {
    let table: &[(&str, f64, f64)] = &[
        ("tan", INF, NAN),
        ("asin", 1.0, PI / 2.0),
        ("asin", -1.0, -PI / 2.0),
        ("asin", 1.0000001, NAN),
        ("asin", -INF, NAN),
        ("acos", 1.0, 0.0),
        ("acos", -1.0, PI),
        ("acos", 0.0, PI / 2.0),
        ("acos", -1.5, NAN),
        ("cosh", -INF, INF),
        ("cosh", 0.0, 1.0),
        ("cosh", 800.0, INF),
        ("sinh", -800.0, -INF),
        ("acosh", 1.0, 0.0),
        ("acosh", 0.5, NAN),
        ("acosh", -INF, NAN),
        ("acosh", INF, INF),
        ("atanh", 1.0, INF),
        ("atanh", -1.0, -INF),
        ("atanh", 1.5, NAN),
        ("exp2", 3.0, 8.0),
        ("exp2", -3.0, 0.125),
        ("exp2", INF, INF),
        ("exp2", -INF, 0.0),
        ("exp2", 1e300, INF),
        ("exp2", NAN, NAN),
        ("expm1", INF, INF),
        ("expm1", -INF, -1.0),
        ("expm1", -1000.0, -1.0),
        ("expm1", 1000.0, INF),
        ("log2", 8.0, 3.0),
        ("log2", 0.0, -INF),
        ("log2", -1.0, NAN),
        ("log10", 1000.0, 3.0),
        ("log10", -0.0, -INF),
        ("log10", INF, INF),
        ("log1p", -1.0, -INF),
        ("log1p", -1.5, NAN),
        ("log1p", INF, INF),
        ("cbrt", 27.0, 3.0),
        ("cbrt", -8.0, -2.0),
        ("rsqrt", 4.0, 0.5),
        ("rsqrt", 0.0, INF),
        ("rsqrt", -0.0, -INF),
        ("rsqrt", INF, 0.0),
        ("rsqrt", -1.0, NAN),
        ("erfc", INF, 0.0),
        ("erfc", -INF, 2.0),
        ("erfc", 0.0, 1.0),
        ("erfc", NAN, NAN),
        ("erfinv", 1.0, INF),
        ("erfinv", -1.0, -INF),
        ("erfinv", 1.5, NAN),
        ("lgamma", 1.0, 0.0),
        ("lgamma", 2.0, 0.0),
        ("lgamma", 0.0, INF),
        ("lgamma", -3.0, INF),
        ("lgamma", INF, INF),
        ("lgamma", -INF, INF),
        ("lgamma", NAN, NAN),
        ("digamma", 0.0, -INF),
        ("digamma", -0.0, INF),
        ("digamma", -2.0, NAN),
        ("digamma", INF, INF),
        ("digamma", -INF, NAN),
        ("i0e", 0.0, 1.0),
        ("i0e", INF, 0.0),
        ("i0e", NAN, NAN),
        ("sigmoid", 0.0, 0.5),
        ("sigmoid", INF, 1.0),
        ("sigmoid", -INF, 0.0),
        ("sigmoid", NAN, NAN),
        ("softplus", INF, INF),
        ("softplus", -INF, 0.0),
        ("softplus", NAN, NAN),
        ("log_sigmoid", -INF, -INF),
        ("log_sigmoid", INF, -0.0),
        ("log_sigmoid", NAN, NAN),
    ];
    for &(name, x, want) in table {
        check(name, &[x], &[want]);
    }
}

/// C99 F.9.4.4.
#[test]
fn special_powers() {
    let table = [
        (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.5, 0.0),
        (0.0, INF, 0.0),
        (0.0, -INF, INF),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (0.5, -INF, INF),
        (0.5, INF, 0.0),
        (2.0, -INF, 0.0),
        (-3.0, INF, INF),
        (-INF, -3.0, -0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (INF, -0.5, 0.0),
        (INF, 0.5, INF),
        (-8.0, 1.0 / 3.0, NAN),
        (-2.0, 3.0, -8.0),
        (-2.0, 4.0, 16.0),
        (-2.0, -1.0, -0.5),
        (-1.0, 9007199254740991.0, -1.0),
        (-1.0, 9007199254740992.0, 1.0),
        (10.0, 400.0, INF),
        (-10.0, 401.0, -INF),
        (10.0, -400.0, 0.0),
        (2.0, -1074.0, 5e-324),
        (3.0, 4.0, 81.0),
    ];
    for (x, y, want) in table {
        if (want as f32 == 0.0) == (want == 0.0) && f64::from(y as f32) == y {
            check("pow", &[x, y], &[want]);
        }
    }
    for level in levels() {
        let f = function(table_f64(level), "pow");
        assert_eq!(f.call(&[vec![2.0, -1.0], vec![-1074.0, 9007199254740991.0]])[0], [5e-324, -1.0]);
    }
}

#[test]
fn special_values_of_two_arguments() {
    let table: &[(&str, f64, f64, f64)] = &[
        ("atan2", 0.0, 1.0, 0.0),
        ("atan2", -0.0, 1.0, -0.0),
        ("atan2", 0.0, -0.0, PI),
        ("atan2", -0.0, -0.0, -PI),
        ("atan2", 0.0, 0.0, 0.0),
        ("atan2", 3.0, 0.0, PI / 2.0),
        ("atan2", -3.0, -0.0, -PI / 2.0),
        ("atan2", INF, INF, PI / 4.0),
        ("atan2", INF, -INF, 0.75 * PI),
        ("atan2", -INF, -INF, -0.75 * PI),
        ("atan2", 2.0, INF, 0.0),
        ("atan2", -2.0, -INF, -PI),
        ("atan2", INF, 5.0, PI / 2.0),
        ("atan2", NAN, 1.0, NAN),
        ("atan2", 1.0, NAN, NAN),
        ("logaddexp", INF, INF, INF),
        ("logaddexp", -INF, -INF, -INF),
        ("logaddexp", -INF, 3.0, 3.0),
        ("logaddexp", INF, -INF, INF),
        ("logaddexp", NAN, 1.0, NAN),
        ("fmod", 5.0, -3.0, 2.0),
        ("fmod", -5.0, 3.0, -2.0),
        ("fmod", 1.0, 0.0, NAN),
        ("fmod", INF, 2.0, NAN),
        ("fmod", 2.0, INF, 2.0),
        ("fmod", -6.0, 3.0, -0.0),
        ("remainder", 5.0, -3.0, -1.0),
        ("remainder", -5.0, 3.0, 1.0),
        ("remainder", 1.0, 0.0, NAN),
        ("remainder", INF, 2.0, NAN),
        ("remainder", 1.0, -INF, -INF),
        ("remainder", -6.0, 3.0, 0.0),
        ("remainder", 6.0, -3.0, -0.0),
        ("floor_divide", 7.0, 2.0, 3.0),
        ("floor_divide", -7.0, 2.0, -4.0),
        ("floor_divide", 1.0, 0.0, INF),
        ("floor_divide", -1.0, 0.0, -INF),
        ("floor_divide", 0.0, 0.0, NAN),
        ("floor_divide", 1.0, -INF, -1.0),
        ("floor_divide", 1.0, INF, 0.0),
        ("floor_divide", INF, 2.0, NAN),
        ("floor_divide", 0.0, -3.0, -0.0),
        ("copysign", NAN, 1.0, NAN),
        ("copysign", 3.0, -0.0, -3.0),
        ("nextafter", NAN, 1.0, NAN),
        ("nextafter", 1.0, NAN, NAN),
        ("nextafter", 0.0, -0.0, -0.0),
        ("nextafter", INF, INF, INF),
    ];
    for &(name, x, y, want) in table {
        check(name, &[x, y], &[want]);
    }
}

#[test]
fn rounding_and_neighbours() {
    for (x, floor, ceil, trunc, rint) in [
        (2.5, 2.0, 3.0, 2.0, 2.0),
        (-2.5, -3.0, -2.0, -2.0, -2.0),
        (3.5, 3.0, 4.0, 3.0, 4.0),
        (-0.3, -1.0, -0.0, -0.0, -0.0),
        (-0.0, -0.0, -0.0, -0.0, -0.0),
        (INF, INF, INF, INF, INF),
        (NAN, NAN, NAN, NAN, NAN),
        (4194305.5, 4194305.0, 4194306.0, 4194305.0, 4194306.0),
    ] {
        for (name, want) in [("floor", floor), ("ceil", ceil), ("trunc", trunc), ("rint", rint)] {
            check(name, &[x], &[want]);
        }
    }
    for level in levels() {
        let wide = function(table_f64(level), "nextafter");
        let x = vec![1.0, 1.0, 0.0, 0.0, f64::MAX, -5e-324, INF];
        let to = vec![2.0, 0.0, 1.0, -1.0, INF, 1.0, 0.0];
        assert_eq!(wide.call(&[x, to])[0], [1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0, 5e-324, -5e-324, INF, -0.0, f64::MAX]);
        let short = function(tenferro_vmath::table_f32(level), "nextafter");
        let tiny = f32::from_bits(1);
        let got = short.call(&[vec![1.0, 1.0, 0.0, f32::MAX], vec![2.0, 0.0, -1.0, f32::INFINITY]]);
        assert_eq!(got[0], [1.0 + f32::EPSILON, 1.0 - f32::EPSILON / 2.0, -tiny, f32::INFINITY]);
    }
}

#[test]
fn complex_powers() {
    check("cpow", &[1.0, 2.0, 2.0, 0.0], &[-3.0, 4.0]);
    check("cpow", &[1.0, 1.0, 2.0, 0.0], &[0.0, 2.0]);
    check("cpow", &[0.0, 1.0, 2.0, 0.0], &[-1.0, 0.0]);
    check("cpow", &[0.0, 2.0, -1.0, 0.0], &[0.0, -0.5]);
    check("cpow", &[3.0, -4.0, 3.0, 0.0], &[-117.0, -44.0]);
    check("cpow", &[0.0, 0.0, 1.0, 1.0], &[0.0, 0.0]);
    check("cpow", &[0.0, 0.0, 0.0, 0.0], &[1.0, 0.0]);
    check("cpow", &[0.0, 0.0, -1.0, 0.0], &[NAN, NAN]);
    check("cpow", &[NAN, 1.0, 0.0, 0.0], &[1.0, 0.0]);
}

#[test]
fn complex_annex_g() {
    let table: &[(&str, [f64; 2], [f64; 2])] = &[
        ("csinh", [0.0, INF], [0.0, NAN]),
        ("csinh", [INF, 0.0], [INF, 0.0]),
        ("csinh", [INF, 1.0], [INF, INF]),
        ("csinh", [NAN, 0.0], [NAN, 0.0]),
        ("csinh", [NAN, 1.0], [NAN, NAN]),
        ("ccosh", [0.0, 0.0], [1.0, 0.0]),
        ("ccosh", [INF, 0.0], [INF, 0.0]),
        ("ccosh", [INF, INF], [INF, NAN]),
        ("ccosh", [NAN, 1.0], [NAN, NAN]),
        ("ctanh", [0.0, -0.0], [0.0, -0.0]),
        ("ctanh", [1.0, INF], [NAN, NAN]),
        ("ctanh", [INF, 2.0], [1.0, -0.0]),
        ("ctanh", [-INF, INF], [-1.0, 0.0]),
        ("ctanh", [INF, NAN], [1.0, 0.0]),
        ("ctanh", [NAN, 0.0], [NAN, 0.0]),
        ("ctanh", [NAN, 1.0], [NAN, NAN]),
        ("ctan", [2.0, INF], [-0.0, 1.0]),
        ("casinh", [1.0, INF], [INF, PI / 2.0]),
        ("casinh", [INF, 1.0], [INF, 0.0]),
        ("casinh", [INF, INF], [INF, PI / 4.0]),
        ("casinh", [INF, NAN], [INF, NAN]),
        ("casinh", [NAN, 0.0], [NAN, 0.0]),
        ("casinh", [NAN, 1.0], [NAN, NAN]),
        ("cacos", [1.0, INF], [PI / 2.0, -INF]),
        ("cacos", [-INF, 1.0], [PI, -INF]),
        ("cacos", [INF, 1.0], [0.0, -INF]),
        ("cacos", [-INF, INF], [0.75 * PI, -INF]),
        ("cacos", [0.0, NAN], [PI / 2.0, NAN]),
        ("cacos", [NAN, 1.0], [NAN, NAN]),
        ("cacosh", [1.0, INF], [INF, PI / 2.0]),
        ("cacosh", [-INF, 1.0], [INF, PI]),
        ("cacosh", [INF, NAN], [INF, NAN]),
        ("cacosh", [NAN, INF], [INF, NAN]),
        ("cacosh", [NAN, 1.0], [NAN, NAN]),
        ("catanh", [1.0, 0.0], [INF, 0.0]),
        ("catanh", [1.0, INF], [0.0, PI / 2.0]),
        ("catanh", [INF, 1.0], [0.0, PI / 2.0]),
        ("catanh", [INF, NAN], [0.0, NAN]),
        ("catanh", [NAN, INF], [0.0, PI / 2.0]),
        ("catanh", [0.0, NAN], [0.0, NAN]),
        ("cexpm1", [-INF, INF], [-1.0, 0.0]),
        ("cexpm1", [INF, 0.0], [INF, 0.0]),
        ("cexpm1", [0.0, -0.0], [0.0, -0.0]),
        ("cexp2", [3.0, 0.0], [8.0, 0.0]),
        ("cexp2", [-INF, 2.0], [0.0, 0.0]),
        ("clog1p", [-1.0, 0.0], [-INF, 0.0]),
        ("clog1p", [0.0, -0.0], [0.0, -0.0]),
        ("clog1p", [-INF, 1.0], [INF, PI]),
        ("clog2", [8.0, 0.0], [3.0, 0.0]),
        ("clog2", [0.0, 0.0], [-INF, 0.0]),
        ("clog10", [1000.0, 0.0], [3.0, 0.0]),
        ("clog10", [INF, NAN], [INF, NAN]),
    ];
    for (name, args, want) in table {
        check(name, args, want);
    }
}
