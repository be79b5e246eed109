//! Einsum against the sum that it stands for, written out.

#[path = "../../ops/tests/support/mod.rs"]
mod support;

use support::interpreter::{Arr, c};
use support::{Now, derivative_errors, names, program};
use tenferro_einsum::{Optimize, Spec, einsum, einsum_with};
use tenferro_graph::{Complex64, DType, Program, Result};

/// Σ over all letters that the output lacks, one assignment of the letters at a time.
fn written_out(operands: &[&str], output: &str, x: &[Arr]) -> Arr {
    let mut letters: Vec<char> = output.chars().collect();
    letters.extend(operands.iter().flat_map(|o| o.chars()));
    let mut seen: Vec<char> = vec![];
    letters.retain(|c| {
        !seen.contains(c) && {
            seen.push(*c);
            true
        }
    });
    let size = |letter: &char| {
        let (o, at) =
            operands.iter().enumerate().find_map(|(i, o)| o.chars().position(|c| c == *letter).map(|p| (i, p))).expect("a letter");
        x[o].shape[at]
    };
    let sizes: Vec<usize> = letters.iter().map(size).collect();
    let kept = output.chars().count();
    let mut out = Arr::from_fn(x[0].dtype, &sizes[..kept], |_| c(0.0));
    for flat in 0..sizes.iter().product::<usize>() {
        let mut index = vec![0; sizes.len()];
        let mut rest = flat;
        for axis in (0..sizes.len()).rev() {
            index[axis] = rest % sizes[axis];
            rest /= sizes[axis];
        }
        let value = |letter: char| index[letters.iter().position(|c| *c == letter).expect("a letter")];
        let term: Complex64 = operands.iter().zip(x).map(|(o, x)| x.at(&o.chars().map(value).collect::<Vec<_>>())).product();
        let at = (0..kept).fold(0, |at, axis| at * sizes[axis] + index[axis]);
        out.data[at] += term;
    }
    out
}

/// Sizes by letter: a = 2, b = 3, c = 4, d = 2, …
fn operands(spec: &[&str], dtype: DType) -> Vec<Arr> {
    let size = |letter: char| 2 + (letter as usize + 2) % 3;
    spec.iter().enumerate().map(|(i, o)| Arr::random(dtype, &o.chars().map(size).collect::<Vec<_>>(), 5 + i as u64)).collect()
}

const CASES: &[(&[&str], &str)] = &[
    (&["ab", "bc"], "ac"),
    (&["ab", "bc"], "ca"),
    (&["ab", "cb"], "ac"),
    (&["a", "a"], ""),
    (&["a", "b"], "ab"),
    (&["ab", "ab"], "ab"),
    (&["abc", "acd"], "abd"),
    (&["bac", "dab"], "bcd"),
    (&["ab"], "ba"),
    (&["ab"], "a"),
    (&["ab"], ""),
    (&["aa"], ""),
    (&["aa"], "a"),
    (&["bab"], "ba"),
    (&["aab", "bcc"], "ac"),
    (&["aaa"], "a"),
    (&["aba", "b"], "a"),
    (&["", "ab"], "ba"),
    (&["ab", ""], ""),
    (&["", ""], ""),
    (&["ab", "bc", "cd"], "ad"),
    (&["ab", "bc", "ca"], ""),
    (&["ab", "ab", "ab"], "a"),
    (&["ab", "c", "ad"], "bd"),
    (&["abe", "cdf", "ac", "be"], "df"),
    // A letter in three and more operands.
    (&["ab", "ac", "ad"], "bcd"),
    (&["ai", "bi", "ci"], "abc"),
    (&["ai", "bi", "ci", "i"], ""),
    (&["a", "a", "a"], "a"),
    // Letters that one operand sums alone.
    (&["abx", "bcy", "cz"], "a"),
    (&["abab", "bcc", "ca"], ""),
    (&["α", "αé", "éb"], "b"),
    (&["ab", "bc", "cd", "de", "ea"], "ca"),
    (&["ab", "cd", "ef"], "fcadbe"),
    (&["abc", "bcd", "ca", "db", "ad"], "dcb"),
];

const ORDERS: [Optimize; 4] = [Optimize::Auto, Optimize::Greedy, Optimize::Optimal, Optimize::Off];

fn traced(spec: &str, x: &[Arr]) -> Result<Program> {
    program(x, |x| Ok(einsum(spec, x)?.val()))
}

#[test]
fn values_are_the_written_out_sum() {
    for (ops, out) in CASES {
        for dtype in [DType::F64, DType::C128] {
            let x = operands(ops, dtype);
            let spec = format!("{}->{out}", ops.join(" , "));
            let now: Vec<Now> = x.iter().cloned().map(Now).collect();
            let wanted = written_out(ops, out, &x);
            for order in &ORDERS {
                let parsed = Spec::parse(&spec).expect("an expression");
                let got = einsum_with(&parsed, &now, order).unwrap_or_else(|e| panic!("{spec}: {e}")).0;
                let far = support::distance(&got, &wanted) / wanted.norm().max(1.0);
                assert!(far < 1e-13, "{spec} {order:?}: off by {far}");
            }
        }
    }
}

#[test]
fn without_an_arrow_letters_that_occur_once_are_sorted() {
    for (ops, out) in [(&["ba"][..], "ab"), (&["ab", "bc"], "ac"), (&["cb", "ba"], "ac"), (&["aab"], "b"), (&["ab", "ab"], "")] {
        let x = operands(ops, DType::F64);
        let now: Vec<Now> = x.iter().cloned().map(Now).collect();
        let got = einsum(&ops.join(","), &now).expect("a value").0;
        assert!(support::distance(&got, &written_out(ops, out, &x)) < 1e-13, "{ops:?}");
    }
}

#[test]
fn derivatives_follow() {
    for (ops, out) in CASES {
        for dtype in [DType::F64, DType::C128] {
            let x = operands(ops, dtype);
            let spec = format!("{}->{out}", ops.join(","));
            let f = traced(&spec, &x).unwrap_or_else(|e| panic!("{spec}: {e}"));
            if f.n_steps() == 0 {
                continue;
            }
            let (forward, backward) = derivative_errors(&f, &x);
            assert!(forward < 2e-9 && backward < 1e-13, "{spec}: {forward} {backward}");
        }
    }
}

#[test]
fn a_pair_is_one_dot_general() {
    let steps =
        |ops: &[&str], out: &str| names(&traced(&format!("{}->{out}", ops.join(",")), &operands(ops, DType::F64)).expect("recorded"));
    assert_eq!(steps(&["ab", "bc"], "ac"), ["dot_general"]);
    assert_eq!(steps(&["ab", "bc"], "ca"), ["dot_general"]);
    assert_eq!(steps(&["bac", "bad"], "bcd"), ["dot_general"]);
    assert_eq!(steps(&["ab", "bc", "cd"], "ad"), ["dot_general", "dot_general"]);
    // The chain is contracted from the right, and each result stands as its reader wants it.
    assert_eq!(steps(&["ab", "bc", "cd", "de"], "ea"), ["dot_general"; 3]);
    assert_eq!(steps(&["ea", "fb", "abcd", "gc", "hd"], "efgh"), ["dot_general"; 4]);
    assert_eq!(steps(&["ab", "ac", "cb"], ""), ["dot_general"; 2]);
    // Nothing to sum: a product that broadcasts and fuses.
    assert_eq!(steps(&["ab", "ab"], "ab"), ["mul"]);
    assert_eq!(steps(&["a", "b"], "ba"), ["broadcast_in_dim", "broadcast_in_dim", "mul"]);
    assert_eq!(steps(&["ab"], "ba"), ["transpose"]);
    assert_eq!(steps(&["aa"], ""), ["reshape", "slice", "reduce_sum"]);
    assert_eq!(steps(&["ab"], "ab"), [""; 0]);
}

#[test]
fn empty_and_single_axes() {
    let now = |shape: &[usize]| Now(Arr::random(DType::F64, shape, 1));
    let none = einsum("ab,bc->ac", &[now(&[2, 0]), now(&[0, 3])]).expect("a value").0;
    assert_eq!((none.shape, none.data), (vec![2, 3], vec![c(0.0); 6]));
    assert_eq!(einsum("aa->a", &[now(&[0, 0])]).expect("a value").0.shape, [0]);
    let one = now(&[1, 1]);
    assert_eq!(einsum("aa->a", std::slice::from_ref(&one)).expect("a value").0.data, one.0.data);
}

#[test]
fn dtypes_promote() {
    let int = Now(Arr { dtype: DType::I64, ..Arr::real(&[2], &[2.0, 3.0]) });
    let float = Now(Arr::real(&[2], &[0.5, 1.0]));
    assert_eq!(einsum("a,a->", &[int.clone(), float]).expect("a value").0.data, [c(4.0)]);
    let y = einsum("a,b->ab", &[int.clone(), int]).expect("a value").0;
    assert_eq!((y.dtype, y.data), (DType::I64, [4.0, 6.0, 6.0, 9.0].map(c).to_vec()));
}

#[test]
fn the_common_dtype_comes_before_any_product() {
    let x: Vec<Arr> = [DType::I64, DType::I64, DType::F64].map(|dtype| Arr { dtype, ..Arr::real(&[2], &[2.0, 3.0]) }).to_vec();
    for order in &ORDERS {
        let f = program(&x, |x| Ok(einsum_with(&Spec::parse("a,a,a->")?, x, order)?.val())).expect("recorded");
        for step in f.steps().filter(|s| s.prim.name() != "cast") {
            assert_eq!(f.aval(step.out(0)).dtype, DType::F64, "{}", step.prim);
        }
    }
}

#[test]
fn bool_is_and_and_or() {
    let mask = |bits: &[f64], shape: &[usize]| Now(Arr { dtype: DType::Bool, ..Arr::real(shape, bits) });
    let (x, y) = (mask(&[1.0, 1.0, 0.0, 1.0], &[2, 2]), mask(&[1.0, 1.0], &[2]));
    let f = program(&[x.0.clone(), y.0.clone()], |x| Ok(einsum("ab,b->a", x)?.val())).expect("recorded");
    assert_eq!(f.aval(f.outputs()[0]).dtype, DType::Bool);
    assert_eq!(names(&f), ["cast", "cast", "dot_general", "cast"]);
}

#[test]
fn an_ellipsis_broadcasts() {
    let value = |spec: &str, shapes: &[&[usize]]| {
        let x: Vec<Now> = shapes.iter().enumerate().map(|(i, s)| Now(Arr::random(DType::F64, s, 3 + i as u64))).collect();
        (einsum(spec, &x).unwrap_or_else(|e| panic!("{spec}: {e}")).0, x)
    };
    // (4, 1, 2) times (3, 2, 5), batch axes (4, 3), against the loop with axes spelled out.
    let shapes: [&[usize]; 2] = [&[4, 1, 3, 2], &[3, 2, 5]];
    let (got, x) = value("...ij,...jk->...ik", &shapes);
    let wide = Arr::from_fn(DType::F64, &[4, 3, 3, 2], |i| x[0].0.at(&[i[0], 0, i[2], i[3]]));
    let wanted = written_out(&["abij", "bjk"], "abik", &[wide, x[1].0.clone()]);
    assert!(support::distance(&got, &wanted) < 1e-13);
    // The implicit output: broadcast axes first, then letters that occur once, sorted.
    let (implicit, _) = value("...ij,...jk", &shapes);
    assert!(support::distance(&implicit, &wanted) < 1e-13);
    let (moved, x) = value("k...j", &[&[2, 3, 4]]);
    assert!(support::distance(&moved, &written_out(&["kaj"], "ajk", &[x[0].0.clone()])) < 1e-15);
    let (summed, x) = value("i...->...", &[&[2, 3, 4]]);
    assert!(support::distance(&summed, &written_out(&["iab"], "ab", &[x[0].0.clone()])) < 1e-15);
    assert_eq!(value("...,...", &[&[], &[2, 3]]).0.shape, [2, 3]);
    assert_eq!(value("...i->i...", &[&[2, 3, 4]]).0.shape, [4, 2, 3]);
    let (stretched, x) = value("ij,jk", &[&[2, 1], &[3, 4]]);
    let wide = Arr::from_fn(DType::F64, &[2, 3], |i| x[0].0.at(&[i[0], 0]));
    assert!(support::distance(&stretched, &written_out(&["ij", "jk"], "ik", &[wide, x[1].0.clone()])) < 1e-14);
}

#[test]
fn indices_are_letters() {
    let x = operands(&["ab", "bc"], DType::F64);
    let now: Vec<Now> = x.iter().cloned().map(Now).collect();
    let lists = [vec![Some(7), Some(2)], vec![Some(2), Some(0)]];
    let run = |out: Option<&[Option<usize>]>| einsum_with(&Spec::from_indices(&lists, out)?, &now, &Optimize::Auto).map(|y| y.0);
    let explicit = run(Some(&[Some(7), Some(0)])).expect("a value");
    assert!(support::distance(&explicit, &written_out(&["ab", "bc"], "ac", &x)) < 1e-14);
    // Index 0 comes before index 7.
    let implicit = run(None).expect("a value");
    assert!(support::distance(&implicit, &written_out(&["ab", "bc"], "ca", &x)) < 1e-14);
    let said = run(Some(&[Some(5)])).expect_err("refused").to_string();
    assert_eq!(said, "einsum: output index 5 is in no operand in [7, 2],[2, 0]->[5]");
}

#[test]
fn bad_expressions_are_explained() {
    let x = Now(Arr::random(DType::F64, &[2, 3], 1));
    let said = |spec: &str, n: usize| einsum(spec, &vec![x.clone(); n]).map(|x| x.0.shape).expect_err("refused").to_string();
    let cases = [
        ("ab,bc->ac", 2, "einsum: letter 'b' of \"ab,bc->ac\" is 3 in operand 0 and 2 in operand 1"),
        ("ab,bc->ac", 1, "einsum: \"ab,bc->ac\" names 2 operands, got 1"),
        ("abc->a", 1, "einsum: operand 0 of \"abc->a\" has 2 axes for 3 letters"),
        ("...a->a", 1, "einsum: operands have an ellipsis but the output has none in \"...a->a\""),
        ("...a...->a", 1, "einsum: operand 0 has more than one ellipsis in \"...a...->a\""),
        ("..a->a", 1, "einsum: '.' is not part of an ellipsis '...' in \"..a->a\""),
        ("...abc->a", 1, "einsum: operand 0 of \"...abc->a\" has 2 axes for 3 letters"),
        ("...a,a...->...", 2, "einsum: letter 'a' of \"...a,a...->...\" is 3 in operand 0 and 2 in operand 1"),
        ("a1->a", 1, "einsum: '1' is not a letter in \"a1->a\""),
        ("ab->c", 1, "einsum: output letter 'c' is in no operand in \"ab->c\""),
        ("ab->aa", 1, "einsum: output letter 'a' is repeated in \"ab->aa\""),
        ("aa->a", 1, "einsum: letter 'a' of \"aa->a\" is both 2 and 3 in operand 0"),
        ("ab->a->b", 1, "einsum: '-' is not a letter in \"ab->a->b\""),
        ("", 0, "einsum: \"\" names 1 operands, got 0"),
    ];
    for (spec, n, text) in cases {
        assert_eq!(said(spec, n), text);
    }
}
