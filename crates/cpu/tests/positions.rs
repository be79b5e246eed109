//! Positions of extremes in long lines: ties, NaNs and infinities before, between and behind batches.

mod support;

use support::{Random, program, run};
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Element, Tensor};
use tenferro_ops::{ArgOp, ArgReduce};

fn found<T: Element>(op: ArgOp, x: &[T]) -> usize {
    let x = Tensor::from_slice(&[x.len()], x).expect("memory");
    let p = program(std::slice::from_ref(&x), |b, v| vec![b.emit_one(ArgReduce { op, axis: 0 }.into(), v)]);
    let out = run(&mut CpuEngine::serial(), &p, &[x]).expect("runs");
    out[0].tensor().to_vec::<i64>().expect("positions")[0] as usize
}

/// The first element that no other one beats, by the definition; the first NaN beats all.
fn wanted(x: &[f64], beats: fn(&f64, &f64) -> bool) -> usize {
    let nan = x.iter().position(|v| v.is_nan());
    nan.unwrap_or_else(|| (0..x.len()).find(|i| !x.iter().any(|v| beats(v, &x[*i]))).expect("an extreme"))
}

const LENGTHS: [usize; 12] = [1, 2, 31, 32, 33, 63, 1000, 1023, 1024, 1025, 2079, 5000];

#[test]
fn the_first_of_equal_extremes() {
    let mut r = Random(41);
    for n in LENGTHS {
        // Many ties, some zeros of either sign.
        let x: Vec<f64> = (0..n).map(|_| (r.below(40) as f64 - 20.0) * if r.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let narrow: Vec<f32> = x.iter().map(|v| *v as f32).collect();
        let whole: Vec<i16> = x.iter().map(|v| *v as i16).collect();
        for (op, beats) in [(ArgOp::Max, f64::gt as fn(&f64, &f64) -> bool), (ArgOp::Min, f64::lt)] {
            let at = wanted(&x, beats);
            assert_eq!((found(op, &x), found(op, &narrow), found(op, &whole)), (at, at, at), "{op:?} of {n}");
        }
    }
}

#[test]
fn one_extreme_anywhere() {
    for n in LENGTHS {
        for at in [0, 1, 31, 32, 500, 1022, 1023, 1024, 1030, 2078, n / 2, n - 1].into_iter().filter(|k| *k < n) {
            for (op, value) in
                [(ArgOp::Max, 1.0), (ArgOp::Max, f64::INFINITY), (ArgOp::Min, -1.0), (ArgOp::Max, f64::NAN), (ArgOp::Min, f64::NAN)]
            {
                let mut x = vec![0.0; n];
                x[at] = value;
                assert_eq!(found(op, &x), at, "{op:?} {value} of {n}");
                // Another one behind it changes nothing, not even if it is a NaN and the first is one.
                x[n - 1] = value;
                assert_eq!(found(op, &x), at, "{op:?} {value} twice of {n}");
            }
        }
    }
}

#[test]
fn lines_of_the_worst_values() {
    for n in LENGTHS {
        assert_eq!(found(ArgOp::Max, &vec![f64::NEG_INFINITY; n]), 0);
        assert_eq!(found(ArgOp::Min, &vec![f32::INFINITY; n]), 0);
        assert_eq!(found(ArgOp::Max, &vec![i8::MIN; n]), 0);
        assert_eq!(found(ArgOp::Min, &vec![u64::MAX; n]), 0);
        assert_eq!(found(ArgOp::Max, &vec![f64::NAN; n]), 0);
    }
}
