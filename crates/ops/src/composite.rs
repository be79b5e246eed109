//! Functions made of other ops; their derivatives follow.

use std::f64::consts::PI;

use tenferro_graph::{DType, Error, Result, Value};

use crate::{
    Number, abs, add, atan2, bitwise_and, bitwise_not, bitwise_or, bitwise_xor, cast, div, eq, erfc, full_like, imag, isfinite, isnan, le,
    log, logaddexp, lt, maximum, minimum, mul, ne, neg, real, rint, scalar_like, select, sigmoid, sin, square, sub, zeros_like,
};

fn inexact<V: Value>(x: &V) -> Result<V> {
    cast(x, x.aval().dtype.inexact())
}

fn float<V: Value>(op: &'static str, x: &V) -> Result<V> {
    let dtype = x.aval().dtype;
    if dtype.is_complex() {
        return Err(Error::dtype(op, format!("needs a real dtype, got {dtype}")));
    }
    inexact(x)
}

fn times<V: Value>(x: &V, factor: f64) -> Result<V> {
    mul(x, &scalar_like(x, factor)?)
}

/// −1, 0 or 1 by the sign of x; for complex x, x/|x| and 0 at 0.
pub fn sign<V: Value>(x: &V) -> Result<V> {
    if !x.aval().dtype.is_complex() {
        return crate::sign_real(x);
    }
    direction(x, &abs(x)?)
}

/// x/|x| of complex x with |x| = `size`, 0 at 0; of one infinite part its sign, of two NaN.
pub(crate) fn direction<V: Value>(x: &V, size: &V) -> Result<V> {
    let infinite = crate::isinf(size)?;
    let zero = zeros_like(size)?;
    let (re, im) = (real(x)?, imag(x)?);
    let sign_of = |part: &V| select(&crate::isinf(part)?, &crate::copysign(&full_like(part, 1.0)?, part)?, &zero);
    let far = crate::complex(&sign_of(&re)?, &sign_of(&im)?)?;
    let both = bitwise_and(&crate::isinf(&re)?, &crate::isinf(&im)?)?;
    let nan = full_like(size, f64::NAN)?;
    let far = select(&both, &crate::complex(&nan, &nan)?, &far)?;
    let at_zero = eq(size, &zero)?;
    let safe = select(&bitwise_or(&at_zero, &infinite)?, &full_like(size, 1.0)?, size)?;
    let near = div(&select(&infinite, &zeros_like(x)?, x)?, &cast(&safe, x.aval().dtype)?)?;
    select(&infinite, &far, &select(&at_zero, &zeros_like(x)?, &near)?)
}

/// x itself.
pub fn positive<V: Value>(x: &V) -> Result<V> {
    if x.aval().dtype == DType::Bool {
        return Err(Error::dtype("positive", "needs a number dtype, got bool; cast it first"));
    }
    Ok(x.clone())
}

/// xʸ of a number y: squares, roots and reciprocals where y asks for them.
///
/// # Errors
/// `Value` for a negative power of integers.
pub fn pow_number<V: Value>(x: &V, y: Number) -> Result<V> {
    let dtype = y.dtype_with(x.aval().dtype);
    let x = cast(x, x.aval().dtype.promote(dtype))?;
    let p = match y {
        Number::Bool(b) => f64::from(u8::from(b)),
        Number::Int(i) => i as f64,
        Number::Float(p) => p,
        Number::Complex(_) => f64::NAN,
    };
    if dtype == DType::Bool {
        return crate::pow(&x, &crate::number_like(&x, y)?);
    }
    let floats = dtype.is_inexact();
    if p < 0.0 && !floats {
        return Err(Error::value("pow", format!("a negative power, {p}, of {dtype} is no integer; make one of them a float")));
    }
    if p == 1.0 {
        return Ok(x);
    }
    if p == 2.0 {
        return square(&x);
    }
    if p == 3.0 && floats {
        return mul(&square(&x)?, &x);
    }
    if p == 4.0 && floats {
        return square(&square(&x)?);
    }
    if p == 0.5 && floats {
        return crate::sqrt(&x);
    }
    if p == -1.0 {
        return reciprocal(&x);
    }
    crate::pow(&x, &crate::number_like(&x, y)?)
}

/// 1/x.
pub fn reciprocal<V: Value>(x: &V) -> Result<V> {
    let x = inexact(x)?;
    div(&full_like(&x, 1.0)?, &x)
}

/// The angle of x in the complex plane, in −π … π; derivative 0 at 0.
pub fn angle<V: Value>(x: &V) -> Result<V> {
    let x = inexact(x)?;
    if x.aval().dtype.is_complex() {
        return atan2(&imag(&x)?, &real(&x)?);
    }
    // As NumPy: π below 0 and at −0, NaN of NaN.
    let turned = select(&crate::signbit(&x)?, &full_like(&x, PI)?, &zeros_like(&x)?)?;
    select(&isnan(&x)?, &x, &turned)
}

fn truth<V: Value>(x: &V) -> Result<V> {
    cast(x, DType::Bool)
}

/// Whether both are non-zero.
pub fn logical_and<V: Value>(x: &V, y: &V) -> Result<V> {
    bitwise_and(&truth(x)?, &truth(y)?)
}

/// Whether one is non-zero.
pub fn logical_or<V: Value>(x: &V, y: &V) -> Result<V> {
    bitwise_or(&truth(x)?, &truth(y)?)
}

/// Whether exactly one is non-zero.
pub fn logical_xor<V: Value>(x: &V, y: &V) -> Result<V> {
    bitwise_xor(&truth(x)?, &truth(y)?)
}

/// Whether x is 0.
pub fn logical_not<V: Value>(x: &V) -> Result<V> {
    bitwise_not(&truth(x)?)
}

/// x, at least `low` and at most `high` (which wins). At a bound that x equals, the
/// derivative is shared, as for maximum and minimum.
pub fn clip<V: Value>(x: &V, low: Option<&V>, high: Option<&V>) -> Result<V> {
    let x = low.map_or_else(|| Ok(x.clone()), |low| maximum(x, low))?;
    high.map_or_else(|| Ok(x.clone()), |high| minimum(&x, high))
}

/// NaN and infinities replaced by numbers.
pub fn nan_to_num<V: Value>(x: &V, nan: f64, posinf: Option<f64>, neginf: Option<f64>) -> Result<V> {
    let dtype = x.aval().dtype;
    if !dtype.is_inexact() {
        return Ok(x.clone());
    }
    if dtype.is_complex() {
        let part = |p: V| nan_to_num(&p, nan, posinf, neginf);
        return crate::complex(&part(real(x)?)?, &part(imag(x)?)?);
    }
    let largest = largest(dtype);
    // Places are found in x: what replaces one is not replaced again.
    let at = |y: &V, value: f64, to: f64| select(&eq(x, &full_like(x, value)?)?, &full_like(x, to)?, y);
    let y = select(&isnan(x)?, &full_like(x, nan)?, x)?;
    let y = at(&y, f64::INFINITY, posinf.unwrap_or(largest))?;
    at(&y, f64::NEG_INFINITY, neginf.unwrap_or(-largest))
}

/// The largest finite number of a real dtype.
pub(crate) fn largest(dtype: DType) -> f64 {
    if dtype == DType::F32 { f64::from(f32::MAX) } else { f64::MAX }
}

/// Rounded to `decimals` decimal places, ties to even; as NumPy by scaling.
pub fn round<V: Value>(x: &V, decimals: i32) -> Result<V> {
    let dtype = x.aval().dtype;
    if dtype == DType::Bool || dtype.is_integer() && decimals >= 0 {
        return Ok(x.clone());
    }
    if dtype.is_complex() {
        return crate::complex(&round(&real(x)?, decimals)?, &round(&imag(x)?, decimals)?);
    }
    if decimals == 0 {
        return rint(x);
    }
    let scale = 10_f64.powi(decimals.abs());
    let x = inexact(x)?;
    let by = scalar_like(&x, scale)?;
    let y = if decimals > 0 { div(&rint(&mul(&x, &by)?)?, &by)? } else { mul(&rint(&div(&x, &by)?)?, &by)? };
    cast(&y, dtype)
}

/// log(1 + eˣ).
pub fn softplus<V: Value>(x: &V) -> Result<V> {
    let x = float("softplus", x)?;
    logaddexp(&x, &zeros_like(&x)?)
}

/// log(1/(1 + e⁻ˣ)).
pub fn log_sigmoid<V: Value>(x: &V) -> Result<V> {
    neg(&softplus(&neg(&float("log_sigmoid", x)?)?)?)
}

/// x above 0, else 0; derivative 0 at 0.
pub fn relu<V: Value>(x: &V) -> Result<V> {
    if x.aval().dtype.is_complex() {
        return Err(Error::dtype("relu", format!("needs a real dtype, got {}", x.aval().dtype)));
    }
    let zero = zeros_like(x)?;
    select(&le(x, &zero)?, &zero, x)
}

/// x/(1 + e⁻ˣ).
pub fn silu<V: Value>(x: &V) -> Result<V> {
    let x = float("silu", x)?;
    mul(&x, &sigmoid(&x)?)
}

/// x Φ(x), Φ the normal distribution function; `approximate`: by tanh (Hendrycks and Gimpel, 2016).
pub fn gelu<V: Value>(x: &V, approximate: bool) -> Result<V> {
    let x = float("gelu", x)?;
    if approximate {
        // (1 + tanh u)/2 is the sigmoid of 2u, which keeps its digits below 0.
        let cubic = times(&mul(&x, &square(&x)?)?, 0.044_715)?;
        return mul(&x, &sigmoid(&times(&add(&x, &cubic)?, (8.0 / PI).sqrt())?)?);
    }
    mul(&times(&x, 0.5)?, &erfc(&times(&x, -std::f64::consts::FRAC_1_SQRT_2)?)?)
}

/// sin(πx)/(πx), 1 at 0.
pub fn sinc<V: Value>(x: &V) -> Result<V> {
    let x = inexact(x)?;
    let near = lt(&abs(&x)?, &scalar_like(&abs(&x)?, 0.5 / PI)?)?;
    let safe = select(&near, &full_like(&x, 1.0)?, &x)?;
    // Σ (−(πx)²)ᵏ/(2k + 1)!: the term after k = 7 is below 1e-19 at πx = ½.
    let small = times(&select(&near, &x, &zeros_like(&x)?)?, PI)?;
    let z = neg(&square(&small)?)?;
    let mut sum = full_like(&x, 1.0)?;
    for k in (1..8).rev() {
        let term = mul(&times(&z, 1.0 / f64::from(2 * k * (2 * k + 1)))?, &sum)?;
        sum = add(&scalar_like(&x, 1.0)?, &term)?;
    }
    select(&near, &sum, &div(&over_pi(&sin_of_turns(&safe)?)?, &safe)?)
}

/// y/π, of complex y part by part: beside an infinite part the product of zeros would be NaN.
fn over_pi<V: Value>(y: &V) -> Result<V> {
    if y.aval().dtype.is_complex() {
        return crate::complex(&over_pi(&real(y)?)?, &over_pi(&imag(y)?)?);
    }
    times(y, 1.0 / PI)
}

/// sin πx, exact at whole numbers: sin π(x − k) for the nearest one, with the sign of its parity.
fn sin_of_turns<V: Value>(x: &V) -> Result<V> {
    let near = rint(&real(x)?)?;
    let half = times(&near, 0.5)?;
    let odd = ne(&half, &rint(&half)?)?;
    let y = sin(&times(&sub(x, &cast(&near, x.aval().dtype)?)?, PI)?)?;
    select(&odd, &neg(&y)?, &y)
}

/// x log y, and 0 where x is 0 unless y is NaN.
pub fn xlogy<V: Value>(x: &V, y: &V) -> Result<V> {
    let zero = eq(x, &zeros_like(x)?)?;
    let ordinary = logical_or(&isnan(y)?, &logical_and(&isfinite(y)?, &ne(y, &zeros_like(y)?)?)?)?;
    let ordinary = if y.aval().dtype.is_complex() { ordinary } else { logical_and(&ordinary, &logical_not(&lt(y, &zeros_like(y)?)?)?)? };
    let skip = logical_and(&zero, &logical_not(&ordinary)?)?;
    mul(x, &log(&select(&skip, &full_like(y, 1.0)?, y)?)?)
}

/// ⌊x/y⌋ and x − y⌊x/y⌋.
pub fn divmod<V: Value>(x: &V, y: &V) -> Result<[V; 2]> {
    Ok([crate::floor_divide(x, y)?, crate::remainder(x, y)?])
}
