//! Every level: same bits with FMA, any length, in place, strays kept out of the padding.

// Skipped comparisons are named on the output.
#![allow(clippy::print_stdout)]

mod apply;

use apply::{Function, functions, levels};
use std::fmt::Debug;
use tenferro_vmath::{Level, Table, table_f32, table_f64};

/// Doubles of all kinds: random bits, ordinary numbers, specials.
fn sample(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let specials = [0.0, -0.0, f64::INFINITY, f64::NAN, 5e-324, 1e300, -1.0, 1.0];
    (0..n)
        .map(|i| match i % 11 {
            3 => f64::from_bits(next()),
            7 => specials[next() as usize % 8],
            // The domains of inverse functions, too.
            1 | 5 | 9 => (next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0,
            _ => (next() >> 11) as f64 / (1u64 << 53) as f64 * 60.0 - 30.0,
        })
        .collect()
}

/// Bits, with one value for all NaNs.
trait Bits: Copy + Default + Debug + 'static {
    fn bits(self) -> u64;
    fn of(x: f64) -> Self;
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits() }
    }
    fn of(x: f64) -> f64 {
        x
    }
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { u64::from(self.to_bits()) }
    }
    fn of(x: f64) -> f32 {
        x as f32
    }
}

fn bits<T: Bits>(out: &[Vec<T>]) -> Vec<Vec<u64>> {
    out.iter().map(|v| v.iter().map(|x| x.bits()).collect()).collect()
}

fn inputs<T: Bits>(f: &Function<T>, n: usize) -> Vec<Vec<T>> {
    (0..f.inputs()).map(|i| sample(n, 7 + i as u64).into_iter().map(T::of).collect()).collect()
}

fn same_bits<T: Bits>(table: fn(Level) -> &'static Table<T>) {
    let fused: Vec<Level> = levels().into_iter().filter(|l| *l != Level::Baseline).collect();
    if fused.len() < 2 {
        println!("same bits: {} level with FMA here; nothing to compare", fused.len());
    }
    for pair in fused.windows(2) {
        for ((name, f), (_, g)) in functions(table(pair[0])).iter().zip(functions(table(pair[1]))) {
            let x = inputs(f, 20_000);
            assert!(bits(&f.call(&x)) == bits(&g.call(&x)), "{name}: {} and {} differ", pair[0].name(), pair[1].name());
        }
    }
}

#[test]
fn levels_with_fma_give_the_same_bits() {
    same_bits(table_f64);
    same_bits(table_f32);
}

/// Every length 0..=70 and 300, apart and in place, equals the elements one at a time; nothing is written behind the end.
fn any_length<T: Bits>(table: fn(Level) -> &'static Table<T>) {
    for level in levels() {
        for (name, f) in functions(table(level)) {
            let all = inputs(&f, 300);
            let single: Vec<Vec<Vec<u64>>> = (0..300).map(|j| bits(&f.call(&all.iter().map(|c| vec![c[j]]).collect::<Vec<_>>()))).collect();
            for n in (0..=70).chain([128, 300]) {
                let x: Vec<Vec<T>> = all.iter().map(|c| c[..n].to_vec()).collect();
                let want: Vec<Vec<u64>> = (0..f.outputs()).map(|o| (0..n).map(|j| single[j][o][0]).collect()).collect();
                assert_eq!(bits(&f.call(&x)), want, "{} {name}, n = {n}", level.name());
                assert_eq!(bits(&f.in_place(&x)), want, "{} {name} in place, n = {n}", level.name());
                guard(&f, &x, &want, n);
            }
        }
    }
}

/// Runs in buffers with a guard element behind each output.
fn guard<T: Bits>(f: &Function<T>, x: &[Vec<T>], want: &[Vec<u64>], n: usize) {
    let mut out = vec![vec![T::of(-77.0); n + 1]; f.outputs()];
    let src: Vec<*const T> = x.iter().map(Vec::as_ptr).collect();
    let dst: Vec<*mut T> = out.iter_mut().map(Vec::as_mut_ptr).collect();
    // SAFETY: n elements are readable and n + 1 writable.
    unsafe { f.raw(&src, &dst, n) };
    for (o, w) in out.iter().zip(want) {
        assert_eq!(o[n].bits(), T::of(-77.0).bits(), "written behind the end, n = {n}");
        assert!(o[..n].iter().map(|v| v.bits()).eq(w.iter().copied()));
    }
}

#[test]
fn any_length_and_in_place_float64() {
    any_length(table_f64);
}

#[test]
fn any_length_and_in_place_float32() {
    any_length(table_f32);
}

/// The second argument as destination.
#[test]
fn hypot_over_its_second_argument() {
    for level in levels() {
        let (a, mut b) = (sample(100, 1), sample(100, 2));
        let want = apply::function(table_f64(level), "hypot").call(&[a.clone(), b.clone()]);
        let p = b.as_mut_ptr();
        // SAFETY: 100 elements each; the destination is the second source.
        unsafe { (table_f64(level).hypot)(a.as_ptr(), p, p, 100) };
        assert_eq!(bits(&[b]), bits(&want));
    }
}

#[test]
fn the_best_level_is_available_and_lookup_is_safe_for_all() {
    assert!(Level::best().available());
    for &level in Level::all() {
        let y = apply::function(table_f64(level), "exp").call(&[vec![0.0; 3]]);
        assert_eq!(y[0], [1.0; 3]);
    }
}
