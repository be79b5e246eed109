//! Functions made of other ops; their derivatives follow.

use tenferro_graph::{DType, Result, Value};

use crate::{abs, add, cast, div, exp, full_like, gt, mul, neg, scalar_like, select, sub};

fn inexact<V: Value>(x: &V) -> Result<V> {
    if x.aval().dtype.is_inexact() { Ok(x.clone()) } else { cast(x, DType::F64) }
}

/// (eˣ + e⁻ˣ)/2, formed so that it overflows only where the result does.
pub fn cosh<V: Value>(x: &V) -> Result<V> {
    let x = inexact(x)?;
    let half = scalar_like(&x, 0.5)?;
    let (up, down) = (exp(&mul(&x, &half)?)?, exp(&mul(&neg(&x)?, &half)?)?);
    add(&mul(&mul(&up, &half)?, &up)?, &mul(&mul(&down, &half)?, &down)?)
}

/// (eˣ − e⁻ˣ)/2; below |x| = 1 its Taylor series, which does not cancel.
pub fn sinh<V: Value>(x: &V) -> Result<V> {
    let x = inexact(x)?;
    let half = scalar_like(&x, 0.5)?;
    let (up, down) = (exp(&mul(&x, &half)?)?, exp(&mul(&neg(&x)?, &half)?)?);
    let far = sub(&mul(&mul(&up, &half)?, &up)?, &mul(&mul(&down, &half)?, &down)?)?;
    let large = gt(&abs(&x)?, &scalar_like(&abs(&x)?, 1.0)?)?;
    // The series runs on 0 where it is not taken, so that x² does not overflow in a derivative.
    let z = select(&large, &full_like(&x, 0.0)?, &x)?;
    let square = mul(&z, &z)?;
    // Σ z^(2k+1)/(2k+1)!: the term after k = 9 is below 2e-20 at |z| = 1.
    let mut sum = full_like(&x, 1.0)?;
    for k in (1..10).rev() {
        let factor = scalar_like(&x, f64::from(2 * k * (2 * k + 1)))?;
        sum = add(&scalar_like(&x, 1.0)?, &mul(&div(&square, &factor)?, &sum)?)?;
    }
    select(&large, &far, &mul(&z, &sum)?)
}
