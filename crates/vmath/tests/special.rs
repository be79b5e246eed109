//! Special values: C99 Annex F and G, branch cuts, signed zeros.

mod apply;

use apply::{check, function, levels};
use tenferro_vmath::table_f64;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const PI: f64 = std::f64::consts::PI;

#[test]
fn real_functions() {
    let table: &[(&str, f64, f64)] = &[
        ("sin", 0.0, 0.0),
        ("sin", -0.0, -0.0),
        ("sin", INF, NAN),
        ("sin", -INF, NAN),
        ("sin", NAN, NAN),
        ("cos", 0.0, 1.0),
        ("cos", -0.0, 1.0),
        ("cos", INF, NAN),
        ("cos", NAN, NAN),
        ("exp", 0.0, 1.0),
        ("exp", -0.0, 1.0),
        ("exp", INF, INF),
        ("exp", -INF, 0.0),
        ("exp", NAN, NAN),
        ("exp", 1e30, INF),
        ("exp", -1e30, 0.0),
        ("exp", 710.0, INF),
        ("exp", -746.0, 0.0),
        ("log", 1.0, 0.0),
        ("log", 0.0, -INF),
        ("log", -0.0, -INF),
        ("log", -1.0, NAN),
        ("log", -INF, NAN),
        ("log", INF, INF),
        ("log", NAN, NAN),
        ("sqrt", 0.0, 0.0),
        ("sqrt", -0.0, -0.0),
        ("sqrt", -1.0, NAN),
        ("sqrt", INF, INF),
        ("sqrt", NAN, NAN),
    ];
    for &(name, x, want) in table {
        check(name, &[x], &[want]);
    }
    check("sincos", &[-0.0], &[-0.0, 1.0]);
    check("sincos", &[INF], &[NAN, NAN]);
    for (x, y, want) in [
        (3.0, -4.0, 5.0),
        (0.0, -0.0, 0.0),
        (0.0, -2.0, 2.0),
        (INF, NAN, INF),
        (NAN, -INF, INF),
        (NAN, 1.0, NAN),
        (1.0, INF, INF),
        (INF, 0.0, INF),
    ] {
        check("hypot", &[x, y], &[want]);
    }
}

#[test]
fn hypot_reaches_both_ends() {
    for level in levels() {
        let f = function(table_f64(level), "hypot");
        let got = f.call(&[vec![3e307, 3e-320, f64::MAX], vec![4e307, 4e-320, f64::MAX]]);
        assert!((got[0][0] / 5e307 - 1.0).abs() < 4e-16);
        assert_eq!(got[0][1], (((3e-320f64 / 5e-324).powi(2) + (4e-320f64 / 5e-324).powi(2)).sqrt()).round() * 5e-324);
        assert_eq!(got[0][2], INF);
    }
}

#[test]
fn branch_cuts_follow_the_sign_of_zero() {
    check("csqrt", &[-1.0, 0.0], &[0.0, 1.0]);
    check("csqrt", &[-1.0, -0.0], &[0.0, -1.0]);
    check("csqrt", &[4.0, 0.0], &[2.0, 0.0]);
    check("csqrt", &[4.0, -0.0], &[2.0, -0.0]);
    check("csqrt", &[0.0, 0.0], &[0.0, 0.0]);
    check("csqrt", &[-0.0, -0.0], &[0.0, -0.0]);
    check("clog", &[-1.0, 0.0], &[0.0, PI]);
    check("clog", &[-1.0, -0.0], &[0.0, -PI]);
    check("clog", &[1.0, -0.0], &[0.0, -0.0]);
    check("clog", &[0.0, 1.0], &[0.0, PI / 2.0]);
    check("clog", &[-0.0, -1.0], &[0.0, -PI / 2.0]);
    check("clog", &[0.0, 0.0], &[-INF, 0.0]);
    check("clog", &[-0.0, 0.0], &[-INF, PI]);
    check("clog", &[-0.0, -0.0], &[-INF, -PI]);
}

#[test]
fn complex_annex_g() {
    let table: &[(&str, [f64; 2], [f64; 2])] = &[
        ("cexp", [0.0, -0.0], [1.0, -0.0]),
        ("cexp", [1.0, INF], [NAN, NAN]),
        ("cexp", [1.0, NAN], [NAN, NAN]),
        ("cexp", [INF, 0.0], [INF, 0.0]),
        ("cexp", [-INF, 2.0], [-0.0, 0.0]),
        ("cexp", [INF, 2.0], [-INF, INF]),
        ("cexp", [-INF, INF], [0.0, 0.0]),
        ("cexp", [INF, INF], [INF, NAN]),
        ("cexp", [INF, NAN], [INF, NAN]),
        ("cexp", [NAN, 0.0], [NAN, 0.0]),
        ("cexp", [NAN, 1.0], [NAN, NAN]),
        ("clog", [-INF, INF], [INF, 0.75 * PI]),
        ("clog", [INF, INF], [INF, 0.25 * PI]),
        ("clog", [INF, -2.0], [INF, -0.0]),
        ("clog", [-INF, 2.0], [INF, PI]),
        ("clog", [3.0, INF], [INF, PI / 2.0]),
        ("clog", [INF, NAN], [INF, NAN]),
        ("clog", [NAN, INF], [INF, NAN]),
        ("clog", [NAN, 1.0], [NAN, NAN]),
        ("csqrt", [NAN, INF], [INF, INF]),
        ("csqrt", [-INF, -INF], [INF, -INF]),
        ("csqrt", [-INF, 1.0], [0.0, INF]),
        ("csqrt", [-INF, -1.0], [0.0, -INF]),
        ("csqrt", [INF, -1.0], [INF, -0.0]),
        ("csqrt", [INF, NAN], [INF, NAN]),
        ("csqrt", [-INF, NAN], [NAN, INF]),
        ("csqrt", [NAN, 1.0], [NAN, NAN]),
        ("csin", [0.0, -0.0], [0.0, -0.0]),
        ("csin", [-0.0, 0.0], [-0.0, 0.0]),
        ("csin", [0.0, INF], [0.0, INF]),
        ("csin", [1.0, INF], [INF, INF]),
        ("csin", [2.0, -INF], [INF, INF]),
        ("csin", [INF, INF], [NAN, INF]),
        ("csin", [INF, 0.0], [NAN, 0.0]),
        ("csin", [0.0, NAN], [0.0, NAN]),
        ("csin", [1.0, NAN], [NAN, NAN]),
        ("csin", [NAN, 1.0], [NAN, NAN]),
        ("ccos", [0.0, 0.0], [1.0, -0.0]),
        ("ccos", [-0.0, 0.0], [1.0, 0.0]),
        ("ccos", [0.0, INF], [INF, -0.0]),
        ("ccos", [1.0, INF], [INF, -INF]),
        ("ccos", [INF, INF], [INF, NAN]),
        ("ccos", [1.0, NAN], [NAN, NAN]),
        ("ccos", [NAN, 1.0], [NAN, NAN]),
    ];
    for (name, args, want) in table {
        check(name, args, want);
    }
}

#[test]
fn division() {
    check("cdiv", &[1.0, 2.0, 0.0, 0.0], &[INF, INF]);
    check("cdiv", &[1.0, -2.0, -0.0, 0.0], &[-INF, INF]);
    check("cdiv", &[0.0, 0.0, 0.0, 0.0], &[NAN, NAN]);
    check("cdiv", &[0.0, 0.0, 3.0, 4.0], &[0.0, 0.0]);
    check("cdiv", &[1.0, 1.0, INF, 0.0], &[0.0, 0.0]);
    check("cdiv", &[1.0, 1.0, INF, INF], &[0.0, 0.0]);
    check("cdiv", &[INF, 1.0, 1.0, 0.0], &[INF, NAN]);
    check("cdiv", &[INF, INF, 2.0, 1.0], &[INF, INF]);
    check("cdiv", &[NAN, 1.0, 1.0, 1.0], &[NAN, NAN]);
    check("cdiv", &[-10.0, 5.0, 3.0, -4.0], &[-2.0, -1.0]);
    for level in levels() {
        let f = function(table_f64(level), "cdiv");
        let got = f.call(&[vec![1e307, 4e-320], vec![1e307, 4e-320], vec![1e307, 4e-320], vec![1e307, -4e-320]]);
        assert_eq!((got[0][0], got[1][0]), (1.0, 0.0));
        assert_eq!((got[0][1], got[1][1]), (0.0, 1.0));
    }
}

/// On an axis the result is real or imaginary, with a zero, also where the other part overflows.
#[test]
fn overflow_on_an_axis_leaves_zeros() {
    for y in [720.0, 1490.0, 1e4, 1e300] {
        check("ccosh", &[y, 0.0], &[INF, 0.0]);
        check("ccosh", &[y, -0.0], &[INF, -0.0]);
        check("csinh", &[-y, 0.0], &[-INF, 0.0]);
        check("csin", &[0.0, y], &[0.0, INF]);
        check("csin", &[-0.0, -y], &[-0.0, -INF]);
        check("ccos", &[0.0, y], &[INF, -0.0]);
        check("ccos", &[0.0, -y], &[INF, 0.0]);
        check("csinh", &[y, 1.0], &[INF, INF]);
        check("csinh", &[y, 4.0], &[-INF, -INF]);
    }
    // e^745/2 · 2⁻¹⁰⁷⁴, with all bits.
    for level in levels() {
        let got = function(table_f64(level), "csinh").call(&[vec![745.0], vec![5e-324]]);
        assert!((got[1][0] / (745.0_f64 - 1074.0 * std::f64::consts::LN_2).exp() * 2.0 - 1.0).abs() < 1e-12, "{}", got[1][0]);
    }
}

#[test]
fn huge_powers() {
    let huge = 2.0_f64.powi(1000);
    for y in [huge, -huge, f64::MAX / 3.0, f64::MAX] {
        check("pow", &[-1.0, y], &[1.0]);
        check("pow", &[1.0, y], &[1.0]);
        check("pow", &[-2.0, y], &[if y > 0.0 { INF } else { 0.0 }]);
    }
    let quarter = 1.401298464324817e-45;
    for level in levels() {
        let f = function(table_f64(level), "cpow");
        let power = |a: f64, b: f64, c: f64, d: f64| f.call(&[vec![a], vec![b], vec![c], vec![d]]).concat();
        for y in [2.0_f64.powi(900), huge, f64::MAX] {
            assert_eq!((power(0.3, 0.0, y, 0.0), power(3.0, 0.0, -y, 0.0)), (vec![0.0; 2], vec![0.0; 2]));
            assert_eq!(power(3.0, 0.0, y, 0.0), [INF, 0.0]);
            assert_eq!(power(2.0, 2.0, -y, 0.0), [0.0; 2]);
            assert!(power(2.0, 2.0, y, 0.0).iter().all(|v| v.is_infinite()));
        }
        // The low part of the angle is many turns, and e^(−1e38) is 0.
        assert_eq!(power(quarter, quarter, 0.0, 1.7014117331926443e38), [0.0; 2]);
    }
}

#[test]
fn signs_of_zeros_and_halves() {
    check("cexp2", &[2.0, -0.0], &[4.0, -0.0]);
    check("cexp2", &[2.0, 0.0], &[4.0, 0.0]);
    check("cacosh", &[0.0, NAN], &[NAN, PI / 2.0]);
    check("cacosh", &[-0.0, NAN], &[NAN, PI / 2.0]);
    check("cacosh", &[1.0, NAN], &[NAN, NAN]);
}
