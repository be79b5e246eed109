//! Contraction orders and their costs against opt_einsum's.

use tenferro_einsum::{Optimize, Path, PathInfo, Spec, einsum_path};
use tenferro_graph::{Result, Shape};

fn info(text: &str, size: impl Fn(char) -> usize, optimize: &Optimize) -> Result<PathInfo> {
    let left = text.split("->").next().unwrap_or_default();
    let shapes: Vec<Shape> = left.split(',').map(|t| Shape::from(t.chars().map(&size).collect::<Vec<_>>().as_slice())).collect();
    einsum_path(&Spec::parse(text)?, &shapes, optimize)
}

/// a = 9, b = 8, …, h = 2, then i = 5 … l = 8, m = 4, n = 3.
fn size(letter: char) -> usize {
    [9, 8, 7, 6, 5, 4, 3, 2, 5, 6, 7, 8, 4, 3][letter as usize - 'a' as usize]
}

/// Expressions of opt_einsum's documentation and tests (`test_contract.py`, `test_paths.py`): naive
/// cost, cost of its optimal and greedy paths, largest intermediate of the optimal one; opt_einsum 3.4.0,
/// `contract_path(…, optimize="optimal")`, with the sizes above.
const TABLE: &[(&str, f64, f64, f64, f64)] = &[
    ("abc,bdf,aef", 181_440.0, 33_600.0, 33_600.0, 1120.0),
    ("abcd,efgh,ijkl,ae", 2_438_553_600.0, 13_658_400.0, 13_658_400.0, 13_547_520.0),
    ("bdik,acaj,ikab,ajac,ikbd", 3_175_200.0, 9174.0, 9174.0, 280.0),
    ("dfjac,fgba,ibdj", 3_265_920.0, 495_936.0, 495_936.0, 6048.0),
    ("ab,bc,cd,de,ef,fg,ga->", 1_270_080.0, 1344.0, 1344.0, 24.0),
    ("abhe,hidj,jgba,hiab,gab", 1_944_000.0, 52_992.0, 52_992.0, 3600.0),
    ("ijk,ilm,njm,nlk,abc->abc", 50_803_200.0, 12_408.0, 12_408.0, 504.0),
    ("ea,fb,abcd,gc,hd->efgh", 1_814_400.0, 23_760.0, 23_760.0, 1008.0),
    ("eb,cb,fb->cef", 3360.0, 2400.0, 2400.0, 160.0),
    ("dd,fb,be,cdb->cef", 26_880.0, 3072.0, 3072.0, 160.0),
    ("bca,cdb,dbf,afc->", 48_384.0, 7104.0, 7104.0, 224.0),
    ("dcc,fce,ea,dbf->ab", 241_920.0, 4320.0, 4320.0, 120.0),
    ("ai,bi,ci,di->abcd", 60_480.0, 30_790.0, 30_810.0, 3024.0),
];

#[test]
fn costs_are_opt_einsums() {
    for (text, naive, best, greedy, largest) in TABLE {
        let optimal = info(text, size, &Optimize::Optimal).expect("a path");
        assert_eq!((optimal.naive_flops, optimal.flops), (*naive, *best), "{text}: {optimal}");
        assert!(optimal.largest_intermediate <= *largest, "{text}: {optimal}");
        assert_eq!(info(text, size, &Optimize::Auto).expect("a path"), optimal, "{text}");
        let fast = info(text, size, &Optimize::Greedy).expect("a path");
        assert!(fast.flops <= *greedy, "{text}: {fast}");
    }
}

#[test]
fn the_documented_examples() {
    // README of opt_einsum: 5.000e+8 → 8.000e+5 operations, largest intermediate 1.000e+4, at size 10.
    let readme = info("ea,fb,abcd,gc,hd->efgh", |_| 10, &Optimize::Auto).expect("a path");
    assert_eq!((readme.naive_flops, readme.flops, readme.largest_intermediate), (5e8, 8e5, 1e4));
    // numpy.einsum_path's docstring: (1, 2), (0, 1); 1.200e+02 → 5.600e+01; 4 elements.
    let numpy = info("ij,jk,kl->il", |c| if c == 'k' { 5 } else { 2 }, &Optimize::Greedy).expect("a path");
    let wanted = PathInfo { path: vec![vec![1, 2], vec![0, 1]], naive_flops: 120.0, flops: 56.0, largest_intermediate: 4.0 };
    assert_eq!(numpy, wanted);
}

/// The fewest operations of all orders, tried one by one.
fn brute(terms: &[String], output: &str, size: &dyn Fn(char) -> usize) -> f64 {
    if terms.len() == 1 {
        return 0.0;
    }
    let mut best = f64::INFINITY;
    for i in 0..terms.len() {
        for j in i + 1..terms.len() {
            let mut rest: Vec<String> = (0..terms.len()).filter(|k| *k != i && *k != j).map(|k| terms[k].clone()).collect();
            let mut union: Vec<char> = terms[i].chars().chain(terms[j].chars()).collect();
            union.sort_unstable();
            union.dedup();
            let kept: String = union.iter().filter(|c| output.contains(**c) || rest.iter().any(|t| t.contains(**c))).collect();
            let points: f64 = union.iter().map(|c| size(*c) as f64).product();
            let cost = points * if kept.chars().count() < union.len() { 2.0 } else { 1.0 };
            rest.push(kept);
            best = best.min(cost + brute(&rest, output, size));
        }
    }
    best
}

#[test]
fn the_exact_order_is_the_best_of_all() {
    let specs = ["ab,bc,cd,da->", "abc,cd,bde,ea,f->fd", "ab,ac,ad,bcd->", "a,b,c,abc->", "ij,jk,kl,li,ik->jl", "aij,bij,cij,dij->abcd"];
    for text in specs {
        let (left, output) = text.split_once("->").expect("an arrow");
        let terms: Vec<String> = left.split(',').map(str::to_owned).collect();
        assert_eq!(info(text, size, &Optimize::Optimal).expect("a path").flops, brute(&terms, output, &size), "{text}");
    }
}

#[test]
fn long_networks_get_an_order() {
    // A chain of 60 matrices with one thin bond: n² operations a step, not n³.
    let letter = |i: usize| char::from_u32('à' as u32 + i as u32).expect("a letter");
    let terms: Vec<String> = (0..60).map(|i| [letter(i), letter(i + 1)].iter().collect()).collect();
    let chain = info(&format!("{}->", terms.join(",")), |c| if c == letter(30) { 1 } else { 8 }, &Optimize::Auto).expect("a path");
    assert_eq!(chain.path.len(), 59);
    // Two steps of three letters at the ends, every other one a matrix times a vector; opt_einsum 3.4.0's
    // greedy order costs 32290.
    assert!(chain.flops <= 57.0 * 2.0 * 64.0 + 2.0 * 2.0 * 512.0, "{chain}");
    // Sixteen operands are the most that the exact search takes.
    let ring = |n: usize| {
        let terms: Vec<String> = (0..n).map(|i| [letter(i), letter((i + 1) % n)].iter().collect()).collect();
        info(&format!("{}->", terms.join(",")), |_| 3, &Optimize::Optimal)
    };
    assert_eq!(ring(16).expect("a path").flops, 14.0 * 2.0 * 27.0 + 2.0 * 9.0);
    let said = ring(17).expect_err("refused").to_string();
    assert_eq!(said, "einsum: 'optimal' takes up to 16 operands and 128 letters, got 17 and 17; use 'greedy'");
}

#[test]
fn a_path_is_used_again_or_refused() {
    let found = info("ab,bc,cd->ad", size, &Optimize::Auto).expect("a path");
    let again = info("ab,bc,cd->ad", size, &Optimize::Path(found.path.clone())).expect("a path");
    assert_eq!(again, found);
    let said = |path: Path| info("ab,bc,cd->ad", size, &Optimize::Path(path)).expect_err("refused").to_string();
    assert_eq!(said(vec![vec![0, 1]]), "einsum: the path leaves 2 operands; it must contract all 3");
    assert_eq!(said(vec![vec![0, 3]]), "einsum: step 0 of the path names operand 3 of 3");
    assert_eq!(said(vec![vec![1, 1]]), "einsum: step 0 of the path, [1, 1], does not name distinct operands");
    assert_eq!(said(vec![vec![0, 1], vec![]]), "einsum: step 1 of the path, [], does not name distinct operands");
    assert!(Optimize::from_name("best").is_err());
}
