//! Safe calls of the tables: slices in, vectors out, by name and arity.
// Each test uses a part; skipped levels are named on the output.
#![allow(dead_code, clippy::print_stdout)]

use std::sync::Once;
use tenferro_vmath::{CMap, CZip, Level, Map, Map2, Table, Zip, table_f32, table_f64};

/// A function of a table.
#[derive(Clone, Copy)]
pub enum Function<T> {
    Map(Map<T>),
    Map2(Map2<T>),
    Zip(Zip<T>),
    CMap(CMap<T>),
    CZip(CZip<T>),
}

macro_rules! rows {
    ($t:expr; $($kind:ident [$($name:ident)+])+) => {
        vec![$($((stringify!($name), Function::$kind($t.$name)),)+)+]
    };
}

/// Every function of a table, by name.
pub fn functions<T>(t: &Table<T>) -> Vec<(&'static str, Function<T>)> {
    rows![t;
        Map [sin cos exp log sqrt tan asin acos atan sinh cosh tanh asinh acosh atanh exp2 expm1 log2 log10 log1p cbrt rsqrt erf erfc erfinv lgamma digamma i0e i1e sigmoid softplus log_sigmoid floor ceil trunc rint]
        Map2 [sincos]
        Zip [hypot atan2 pow logaddexp fmod remainder floor_divide nextafter copysign]
        CMap [csin ccos cexp clog csqrt ctan csinh ccosh ctanh casin cacos catan casinh cacosh catanh cexp2 cexpm1 clog1p clog2 clog10]
        CZip [cdiv cpow]
    ]
}

pub fn function<T>(t: &Table<T>, name: &str) -> Function<T> {
    let found = functions(t).into_iter().find(|(n, _)| *n == name);
    found.unwrap_or_else(|| panic!("no function {name}")).1
}

impl<T: Copy + Default> Function<T> {
    pub fn inputs(&self) -> usize {
        match self {
            Function::Map(_) | Function::Map2(_) => 1,
            Function::Zip(_) | Function::CMap(_) => 2,
            Function::CZip(_) => 4,
        }
    }

    pub fn outputs(&self) -> usize {
        match self {
            Function::Map(_) | Function::Zip(_) => 1,
            _ => 2,
        }
    }

    /// Results in fresh vectors.
    pub fn call(&self, x: &[Vec<T>]) -> Vec<Vec<T>> {
        let n = x[0].len();
        let mut out = vec![vec![T::default(); n]; self.outputs()];
        let dst: Vec<*mut T> = out.iter_mut().map(Vec::as_mut_ptr).collect();
        let src: Vec<*const T> = x.iter().map(Vec::as_ptr).collect();
        // SAFETY: all vectors have n elements and are distinct.
        unsafe { self.raw(&src, &dst, n) };
        out
    }

    /// Results written over the first inputs (`sincos` has a second vector of its own).
    pub fn in_place(&self, x: &[Vec<T>]) -> Vec<Vec<T>> {
        let n = x[0].len();
        let mut all = x.to_vec();
        all.resize(x.len().max(self.outputs()), vec![T::default(); n]);
        let dst: Vec<*mut T> = all.iter_mut().map(Vec::as_mut_ptr).collect();
        let src: Vec<*const T> = dst.iter().map(|p| p.cast_const()).collect();
        // SAFETY: n elements each; the k-th output is the k-th input or a vector of its own.
        unsafe { self.raw(&src, &dst, n) };
        all.truncate(self.outputs());
        all
    }

    /// # Safety
    /// As the function's type says.
    pub unsafe fn raw(&self, s: &[*const T], d: &[*mut T], n: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Function::Map(f) => f(s[0], d[0], n),
                Function::Map2(f) => f(s[0], d[0], d[1], n),
                Function::Zip(f) => f(s[0], s[1], d[0], n),
                Function::CMap(f) => f(s[0], s[1], d[0], d[1], n),
                Function::CZip(f) => f(s[0], s[1], s[2], s[3], d[0], d[1], n),
            }
        }
    }
}

/// The levels this machine can run; the others are named on the output, once a process.
pub fn levels() -> Vec<Level> {
    static SAID: Once = Once::new();
    let (have, lack): (Vec<Level>, Vec<Level>) = Level::all().iter().partition(|l| l.available());
    SAID.call_once(|| {
        for level in lack {
            println!("level {} skipped, not tested: this machine lacks it", level.name());
        }
    });
    have
}

/// Bits equal, or both NaN.
fn same(got: f64, want: f64) -> bool {
    got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan())
}

/// The value at a lane in the middle of ordinary ones, in both widths.
pub fn check(name: &str, args: &[f64], want: &[f64]) {
    let plain = if name == "acosh" { 1.5 } else { 0.5 };
    for level in levels() {
        let inputs: Vec<Vec<f64>> = args.iter().map(|&a| [vec![plain; 5], vec![a], vec![plain; 70]].concat()).collect();
        let got = function(table_f64(level), name).call(&inputs);
        let narrow: Vec<Vec<f32>> = inputs.iter().map(|c| c.iter().map(|&x| x as f32).collect()).collect();
        let short = function(table_f32(level), name).call(&narrow);
        for (i, &w) in want.iter().enumerate() {
            let place = format!("{} {name}{args:?}, part {i}", level.name());
            assert!(same(got[i][5], w), "{place}: got {:e}, want {w:e}", got[i][5]);
            assert!(same(f64::from(short[i][5]), f64::from(w as f32)), "{place}, float32: got {:e}", short[i][5]);
            assert!(got[i][4].is_finite() && got[i][6].is_finite(), "{place}: neighbours disturbed");
        }
    }
}
