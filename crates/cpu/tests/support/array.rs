//! Arrays of the naive evaluator, and tensors of every layout with their contents.

use std::sync::Arc;

use tenferro_graph::{Buffer, Complex32, Complex64, DType, Tensor, tensor::c_strides};

use super::Random;

/// One element; reals and imaginary parts are rounded to the dtype's precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Num {
    B(bool),
    I(i64),
    R(f64),
    C(f64, f64),
}

impl Num {
    pub fn b(self) -> bool {
        match self {
            Self::B(b) => b,
            other => panic!("{other:?} is no bool"),
        }
    }

    /// The value in a dtype, as a cast makes it.
    pub fn to(self, d: DType) -> Self {
        let (re, im) = match self {
            Self::B(b) => (f64::from(u8::from(b)), 0.0),
            Self::I(i) => (i as f64, 0.0),
            Self::R(x) => (x, 0.0),
            Self::C(x, y) => (x, y),
        };
        match (d, self) {
            (DType::I64, Self::I(_)) | (DType::Bool, Self::B(_)) => self,
            (DType::F32, Self::I(i)) => Self::R(f64::from(i as f32)),
            (DType::C64, Self::I(i)) => Self::C(f64::from(i as f32), 0.0),
            (DType::Bool, Self::I(i)) => Self::B(i != 0),
            (DType::Bool, _) => Self::B(re != 0.0 || im != 0.0),
            (DType::I64, _) => Self::I(re as i64),
            (DType::F32 | DType::F64, _) => Self::R(round(d, re)),
            (DType::C64 | DType::C128, _) => Self::C(round(d, re), round(d, im)),
            _ => panic!("{d} is tested from Python"),
        }
    }
}

/// To single precision where the dtype has it.
pub fn round(d: DType, x: f64) -> f64 {
    if d.real() == DType::F32 { f64::from(x as f32) } else { x }
}

/// One dtype of each kind and precision; Python's op table runs the other integers.
pub const DTYPES: [DType; 6] = [DType::Bool, DType::I64, DType::F32, DType::F64, DType::C64, DType::C128];

/// Elements in C order.
#[derive(Clone, Debug)]
pub struct Array {
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub data: Vec<Num>,
}

/// Every index of a shape in C order.
pub fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut out = vec![vec![]];
    for n in shape {
        out = out.into_iter().flat_map(|i: Vec<usize>| (0..*n).map(move |k| i.iter().copied().chain([k]).collect())).collect();
    }
    out
}

impl Array {
    pub fn new(dtype: DType, shape: &[usize], f: impl FnMut(&Vec<usize>) -> Num) -> Self {
        Self { dtype, shape: shape.to_vec(), data: indices(shape).iter().map(f).collect() }
    }

    /// Values in (−2, 2), integers in −4 ..= 4, and now and then a special one.
    pub fn random(r: &mut Random, dtype: DType, shape: &[usize], special: bool) -> Self {
        let real = |r: &mut Random| {
            let all = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1.0];
            if special && r.below(6) == 0 { *r.pick(&all) } else { round(dtype, 2.0 * r.real()) }
        };
        Self::new(dtype, shape, |_| match dtype {
            DType::Bool => Num::B(r.below(2) == 0),
            DType::I64 if special && r.below(8) == 0 => Num::I(*r.pick(&[i64::MIN, i64::MAX])),
            DType::I64 => Num::I(r.below(9) as i64 - 4),
            DType::F32 | DType::F64 => Num::R(real(r)),
            DType::C64 | DType::C128 => Num::C(round(dtype, 2.0 * r.real()), round(dtype, 2.0 * r.real())),
            other => panic!("{other} is tested from Python"),
        })
    }

    pub fn at(&self, index: &[usize]) -> Num {
        let flat = index.iter().zip(&self.shape).fold(0, |o, (i, n)| o * n + i);
        self.data[flat]
    }

    pub fn of(t: &Tensor) -> Self {
        fn data<T: tenferro_graph::Element>(t: &Tensor, f: impl Fn(T) -> Num) -> Vec<Num> {
            t.to_vec::<T>().expect("its dtype").into_iter().map(f).collect()
        }
        let data = match t.dtype() {
            DType::Bool => data(t, Num::B),
            DType::I64 => data(t, Num::I),
            DType::F32 => data(t, |x: f32| Num::R(x.into())),
            DType::F64 => data(t, Num::R),
            DType::C64 => data(t, |z: Complex32| Num::C(z.re.into(), z.im.into())),
            DType::C128 => data(t, |z: Complex64| Num::C(z.re, z.im)),
            other => panic!("{other} is tested from Python"),
        };
        Self { dtype: t.dtype(), shape: t.shape().to_vec(), data }
    }

    /// A tensor with these contents: element i of axis a lies `strides[a]` further.
    fn with_strides(&self, strides: &[isize]) -> Tensor {
        let reach = |keep: fn(isize) -> bool| -> isize {
            self.shape.iter().zip(strides).map(|(n, s)| (*n as isize - 1).max(0) * s).filter(|r| keep(*r)).sum()
        };
        let (low, high) = (reach(|r| r < 0), reach(|r| r > 0));
        let size = self.dtype.size();
        let mut buffer = Buffer::new((high - low + 1) as usize * size).expect("memory");
        // Gaps hold a pattern that is wrong for every dtype but bool.
        let fill = if self.dtype == DType::Bool { 1 } else { 0xff };
        // SAFETY: the buffer is new and has that many bytes.
        unsafe { buffer.as_mut_ptr().write_bytes(fill, buffer.len()) };
        for (index, x) in indices(&self.shape).iter().zip(&self.data) {
            let offset: isize = index.iter().zip(strides).map(|(i, s)| *i as isize * s).sum::<isize>() - low;
            // SAFETY: the offset is between 0 and high − low.
            let p = unsafe { buffer.as_mut_ptr().offset(offset * size as isize) };
            // SAFETY: as above; the element has the dtype's size.
            unsafe {
                match (*x, self.dtype) {
                    (Num::B(b), _) => p.cast::<bool>().write(b),
                    (Num::I(i), _) => p.cast::<i64>().write(i),
                    (Num::R(x), DType::F32) => p.cast::<f32>().write(x as f32),
                    (Num::R(x), _) => p.cast::<f64>().write(x),
                    (Num::C(x, y), DType::C64) => p.cast::<Complex32>().write(Complex32::new(x as f32, y as f32)),
                    (Num::C(x, y), _) => p.cast::<Complex64>().write(Complex64::new(x, y)),
                }
            }
        }
        Tensor::from_buffer(Arc::new(buffer), self.dtype, &self.shape, strides, (-low) as usize * size).expect("inside")
    }

    pub fn tensor(&self) -> Tensor {
        self.with_strides(&c_strides(&self.shape))
    }

    /// C order, F order, backwards, with gaps, and a rotation of the axes with both.
    pub fn layouts(&self) -> Vec<Tensor> {
        let c = c_strides(&self.shape);
        let reversed: Vec<usize> = self.shape.iter().rev().copied().collect();
        let f: Vec<isize> = c_strides(&reversed).iter().rev().copied().collect();
        let scaled = |s: &[isize], k: isize| s.iter().map(|s| s * k).collect::<Vec<_>>();
        let mut mixed: Vec<isize> = scaled(&f, 3);
        if let Some(s) = mixed.first_mut() {
            *s = -*s;
        }
        [c.to_vec(), f, scaled(&c, -1), scaled(&c, 2), mixed].iter().map(|s| self.with_strides(s)).collect()
    }

    /// Real numbers a few units in the last place larger.
    pub fn nudged(&self) -> Self {
        let data = self.data.iter().map(|x| if let Num::R(x) = x { Num::R(x * (1.0 + 4.0 * f64::EPSILON)) } else { *x });
        Self { data: data.collect(), ..self.clone() }
    }

    /// The largest difference between real numbers, relative above 1.
    pub fn distance(&self, other: &Self) -> f64 {
        let far = |(x, y): (&Num, &Num)| match (x, y) {
            (Num::R(x), Num::R(y)) if x.is_finite() && y.is_finite() => (x - y).abs() / y.abs().max(1.0),
            _ => 0.0,
        };
        self.data.iter().zip(&other.data).map(far).fold(0.0, f64::max)
    }

    /// Equal up to `tol`, relative above 1; NaN equals NaN. With `tol` 0: the same bits but of NaN.
    pub fn assert_close(&self, other: &Self, tol: f64, what: &str) {
        assert_eq!((self.dtype, &self.shape), (other.dtype, &other.shape), "{what}");
        let near = |x: f64, y: f64, scale: f64| {
            (x.is_nan() && y.is_nan())
                || x == y && (x != 0.0 || tol > 0.0 || x.is_sign_negative() == y.is_sign_negative())
                || (x - y).abs() <= tol * scale
        };
        for (i, (x, y)) in self.data.iter().zip(&other.data).enumerate() {
            let same = match (*x, *y) {
                (Num::R(x), Num::R(y)) => near(x, y, y.abs().max(1.0)),
                (Num::C(a, b), Num::C(c, d)) => {
                    let scale = c.hypot(d).max(1.0);
                    near(a, c, scale) && near(b, d, scale)
                }
                (x, y) => x == y,
            };
            assert!(same, "{what}: element {i} is {x:?}, expected {y:?}");
        }
    }
}
