//! New arrays from numbers.

use tenferro_graph::{Complex32, Complex64, DType, Element, Error, Result, Shape, Tensor, with_element};

use crate::Number;

/// Bytes that are there without asking.
const SMALL: usize = 1 << 20;

/// Elements made of numbers; integers saturate, and floats are cut off.
trait Made: Element {
    fn of_float(x: f64) -> Self;
    fn of_int(x: i128) -> Self;
}

macro_rules! made {
    ($($t:ty: |$x:ident| $float:expr, |$i:ident| $int:expr);* $(;)?) => {$(impl Made for $t {
        fn of_float($x: f64) -> Self { $float }
        fn of_int($i: i128) -> Self { $int }
    })*};
}
made! {
    bool: |x| x != 0.0, |i| i != 0;
    i8: |x| x as Self, |i| i as Self;
    i16: |x| x as Self, |i| i as Self;
    i32: |x| x as Self, |i| i as Self;
    i64: |x| x as Self, |i| i as Self;
    u8: |x| x as Self, |i| i as Self;
    u16: |x| x as Self, |i| i as Self;
    u32: |x| x as Self, |i| i as Self;
    u64: |x| x as Self, |i| i as Self;
    f32: |x| x as Self, |i| i as Self;
    f64: |x| x, |i| i as Self;
    Complex32: |x| Self::new(x as f32, 0.0), |i| Self::new(i as f32, 0.0);
    Complex64: |x| Self::new(x, 0.0), |i| Self::new(i as f64, 0.0);
}

/// The number of elements, for which there is memory while they are made: twice, and as floats.
fn count(op: &'static str, shape: &[usize], dtype: DType) -> Result<usize> {
    let too_large = || Error::memory(op, format!("not enough memory for shape {}", Shape::from(shape)));
    let n = tenferro_graph::tensor::checked_size(shape).filter(|n| *n < 1 << 40).ok_or_else(too_large)?;
    let bytes = n.checked_mul(2 * dtype.size() + size_of::<f64>()).ok_or_else(too_large)?;
    // Where memory runs out later, while a vector grows, the process ends.
    if bytes > SMALL {
        Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| too_large())?;
    }
    Ok(n)
}

/// One number everywhere.
///
/// # Errors
/// `DType` or `Value` if the dtype does not hold it; `Memory` for too many elements.
pub fn full(shape: &[usize], number: Number, dtype: DType) -> Result<Tensor> {
    let n = count("full", shape, dtype)?;
    let number = match number {
        Number::Bool(b) => Number::Int(i128::from(b)),
        other => other,
    };
    let one = if dtype == DType::Bool {
        Tensor::scalar(!matches!(number, Number::Int(0)) && number != Number::Float(0.0))
    } else {
        number.tensor(dtype)?
    };
    with_element!(dtype, T => {
        let one = one.to_vec::<T>().and_then(|v| v.first().copied()).ok_or_else(|| Error::program("full: no number"))?;
        Tensor::from_slice(shape, &vec![one; n])
    })
}

pub fn zeros(shape: &[usize], dtype: DType) -> Result<Tensor> {
    full(shape, Number::Int(0), dtype)
}

pub fn ones(shape: &[usize], dtype: DType) -> Result<Tensor> {
    full(shape, Number::Int(1), dtype)
}

/// An m × n matrix of what `f` says of each place.
fn matrix(op: &'static str, m: usize, n: usize, dtype: DType, f: impl Fn(i128) -> bool) -> Result<Tensor> {
    count(op, &[m, n], dtype)?;
    with_element!(dtype, T => {
        let rows = (0..m as i128).flat_map(|i| (0..n as i128).map(move |j| j - i));
        let data: Vec<T> = rows.map(|d| T::of_int(i128::from(f(d)))).collect();
        Tensor::from_slice(&[m, n], &data)
    })
}

/// Ones on the k-th diagonal.
pub fn eye(m: usize, n: usize, k: isize, dtype: DType) -> Result<Tensor> {
    matrix("eye", m, n, dtype, |d| d == k as i128)
}

/// Ones on and below the k-th diagonal.
pub fn tri(m: usize, n: usize, k: isize, dtype: DType) -> Result<Tensor> {
    matrix("tri", m, n, dtype, |d| d <= k as i128)
}

fn floats(op: &'static str, dtype: DType, data: &[f64]) -> Result<Tensor> {
    if let Some(x) = data.iter().find(|x| dtype.is_integer() && !x.is_finite()) {
        return Err(Error::value(op, format!("{x} is not an {dtype}")));
    }
    // As NumPy: whole numbers below, not cut off towards 0.
    let whole = dtype.is_integer();
    with_element!(dtype, T => {
        let data: Vec<T> = data.iter().map(|x| T::of_float(if whole { x.floor() } else { *x })).collect();
        Tensor::from_slice(&[data.len()], &data)
    })
}

/// start, start + step, … below stop (above it, if step is negative).
///
/// # Errors
/// `Value` for a step of 0, NaN, bounds that are not finite; `Memory` for too many elements.
pub fn arange(start: Number, stop: Number, step: Number, dtype: DType) -> Result<Tensor> {
    if let (Number::Int(a), Number::Int(b), Number::Int(s)) = (start, stop, step) {
        if s == 0 {
            return Err(Error::value("arange", "the step is 0"));
        }
        let (distance, width) = if s > 0 { (b - a, s) } else { (a - b, -s) };
        let n = usize::try_from((distance.max(0) + width - 1) / width).unwrap_or(usize::MAX);
        count("arange", &[n], dtype)?;
        return with_element!(dtype, T => {
            let data: Vec<T> = (0..n as i128).map(|i| T::of_int(a + i * s)).collect();
            Tensor::from_slice(&[n], &data)
        });
    }
    let [a, b, s] = [start, stop, step].map(|x| match x {
        Number::Bool(x) => Ok(f64::from(u8::from(x))),
        Number::Int(i) => Ok(i as f64),
        Number::Float(x) => Ok(x),
        Number::Complex(_) => Err(Error::dtype("arange", "bounds must be real")),
    });
    let (a, b, s) = (a?, b?, s?);
    let n = ((b - a) / s).ceil();
    if s == 0.0 || !n.is_finite() {
        return Err(Error::value("arange", format!("no range from {a} to {b} by {s}")));
    }
    let n = count("arange", &[n.max(0.0) as usize], dtype)?;
    // As NumPy: multiples of the step that the second element shows.
    let s = (a + s) - a;
    floats("arange", dtype, &(0..n).map(|i| a + i as f64 * s).collect::<Vec<_>>())
}

fn line(start: f64, stop: f64, n: usize, endpoint: bool) -> Vec<f64> {
    let parts = if endpoint { n.saturating_sub(1) } else { n };
    let step = (stop - start) / parts as f64;
    let at = |i: usize| {
        if parts == 0 {
            start
        } else if endpoint && i == n - 1 {
            stop
        } else if step == 0.0 || !step.is_finite() {
            start + i as f64 / parts as f64 * (stop - start)
        } else {
            start + i as f64 * step
        }
    };
    (0..n).map(at).collect()
}

/// n numbers at equal distances from start to stop, which is the last if `endpoint`.
pub fn linspace(start: f64, stop: f64, n: usize, endpoint: bool, dtype: DType) -> Result<Tensor> {
    count("linspace", &[n], dtype)?;
    floats("linspace", dtype, &line(start, stop, n, endpoint))
}

/// [`linspace`] between complex numbers.
pub fn linspace_complex(start: Complex64, stop: Complex64, n: usize, endpoint: bool, dtype: DType) -> Result<Tensor> {
    count("linspace", &[n], dtype)?;
    let (re, im) = (line(start.re, stop.re, n, endpoint), line(start.im, stop.im, n, endpoint));
    let data: Vec<Complex64> = re.into_iter().zip(im).map(|(re, im)| Complex64::new(re, im)).collect();
    match dtype {
        DType::C128 => Tensor::from_slice(&[n], &data),
        DType::C64 => {
            let data: Vec<Complex32> = data.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect();
            Tensor::from_slice(&[n], &data)
        }
        _ => Err(Error::dtype("linspace", format!("complex numbers are not {dtype}"))),
    }
}

/// Powers of `base`, their exponents as [`linspace`].
pub fn logspace(start: f64, stop: f64, n: usize, endpoint: bool, base: f64, dtype: DType) -> Result<Tensor> {
    count("logspace", &[n], dtype)?;
    let powers: Vec<f64> = line(start, stop, n, endpoint).into_iter().map(|x| base.powf(x)).collect();
    floats("logspace", dtype, &powers)
}

/// n numbers with equal quotients from start to stop, which is the last if `endpoint`.
///
/// # Errors
/// `Value` if one is 0, not finite, or the signs differ.
pub fn geomspace(start: f64, stop: f64, n: usize, endpoint: bool, dtype: DType) -> Result<Tensor> {
    count("geomspace", &[n], dtype)?;
    if start * stop == 0.0 || !start.is_finite() || !stop.is_finite() || (start < 0.0) != (stop < 0.0) {
        return Err(Error::value("geomspace", format!("needs finite numbers of one sign other than 0, got {start} and {stop}")));
    }
    let sign = start.signum();
    let mut data: Vec<f64> =
        line(start.abs().log10(), stop.abs().log10(), n, endpoint).into_iter().map(|x| sign * 10_f64.powf(x)).collect();
    // The ends exactly.
    if let Some(first) = data.first_mut() {
        *first = start;
    }
    if let Some(last) = data.last_mut().filter(|_| endpoint && n > 1) {
        *last = stop;
    }
    floats("geomspace", dtype, &data)
}
