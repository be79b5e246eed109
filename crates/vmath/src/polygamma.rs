//! Derivatives of the digamma function, one number at a time.

/// B₂ₖ/(2k)!, k = 1, 2, …
const BERNOULLI: [f64; 10] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    -174_611.0 / 802_857_662_698_291_200_000.0,
];

/// A float that polygamma is computed in double precision for.
pub trait Float: Copy {
    fn widened(self) -> f64;
    fn narrowed(x: f64) -> Self;
}

impl Float for f64 {
    fn widened(self) -> f64 {
        self
    }
    fn narrowed(x: f64) -> Self {
        x
    }
}

impl Float for f32 {
    fn widened(self) -> f64 {
        f64::from(self)
    }
    fn narrowed(x: f64) -> Self {
        x as f32
    }
}

/// ψ⁽ᵏ⁾ of `n` numbers, k ≥ 1; NaN or ∞ at the poles 0, −1, −2, …
///
/// # Safety
/// `src` and `dst` are valid for `n` elements and are equal or do not overlap.
pub unsafe fn polygamma<T: Float>(k: usize, src: *const T, dst: *mut T, n: usize) {
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { dst.add(i).write(T::narrowed(value(k, src.add(i).read().widened()))) };
    }
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|i| i as f64).product()
}

/// (−1)ᵏ⁺¹.
fn sign(k: usize) -> f64 {
    if k.is_multiple_of(2) { -1.0 } else { 1.0 }
}

fn value(k: usize, x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if x <= 0.0 && x.fract() == 0.0 {
        // Even from both sides for odd k; else the sides differ.
        return if k.is_multiple_of(2) { f64::NAN } else { f64::INFINITY };
    }
    if x < 0.5 { reflected(k, x) } else { above(k, x) }
}

/// x ≥ ½: recurrence up to where the asymptotic series holds (DLMF 5.15.8, 5.15.5).
fn above(k: usize, mut x: f64) -> f64 {
    let mut sum = 0.0;
    let far = 16.0 + k as f64;
    while x < far {
        sum += x.powi(-(k as i32) - 1);
        x += 1.0;
    }
    sum *= factorial(k);
    // (k − 1)!/xᵏ + k!/(2xᵏ⁺¹) + Σ B₂ⱼ (2j + k − 1)!/((2j)! x²ʲ⁺ᵏ).
    let mut tail = factorial(k - 1) * (1.0 + k as f64 / (2.0 * x));
    let mut rising = factorial(k - 1);
    let mut power = 1.0;
    for (j, b) in BERNOULLI.iter().enumerate() {
        let m = 2 * j + k;
        rising *= (m * (m + 1)) as f64;
        power /= x * x;
        tail += b * rising * power;
    }
    sign(k) * (sum + tail * x.powi(-(k as i32)))
}

/// ψ⁽ᵏ⁾(x) = (−1)ᵏ ψ⁽ᵏ⁾(1 − x) − π dᵏ/dxᵏ cot πx (DLMF 5.15.6), the derivative as a polynomial in the cotangent.
fn reflected(k: usize, x: f64) -> f64 {
    use std::f64::consts::PI;
    // cot' = −π(1 + cot²): coefficients of the k-th derivative in units of πᵏ.
    let mut p = vec![0.0, 1.0];
    for _ in 0..k {
        let mut next = vec![0.0; p.len() + 1];
        for (i, c) in p.iter().enumerate().skip(1) {
            next[i - 1] -= i as f64 * c;
            next[i + 1] -= i as f64 * c;
        }
        p = next;
    }
    let turn = x - x.round();
    let (s, c) = (PI * turn).sin_cos();
    let cot = c / s;
    let derivative = p.iter().rev().fold(0.0, |sum, c| sum * cot + c) * PI.powi(k as i32 + 1);
    -sign(k) * above(k, 1.0 - x) - derivative
}

#[cfg(test)]
mod tests {
    use super::value;

    /// Values of mpmath 1.3's `psi(k, x)` at 30 digits.
    const TABLE: [(usize, f64, f64); 10] = [
        (1, 0.5, 4.9348022005446793094),
        (1, 1.0, 1.6449340668482264365),
        (1, 30.0, 0.033895060357739944214),
        (1, -0.3, 13.945160267805722489),
        (1, -7.7, 14.957612844863726484),
        (2, 0.25, -129.32773993753692033),
        (2, 3.5, -0.108204051641727403),
        (2, -2.4, 22.160707362543425893),
        (3, 1.5, 1.4090910340024372364),
        (4, -0.6, -2039.9492981793474674),
    ];

    #[test]
    fn values_are_mpmaths() {
        for (k, x, exact) in TABLE {
            let y = value(k, x);
            assert!((y - exact).abs() <= 2e-14 * exact.abs(), "ψ⁽{k}⁾({x}) = {y}, not {exact}");
        }
        assert!(value(1, 0.0) == f64::INFINITY && value(2, -1.0).is_nan() && value(1, f64::NAN).is_nan());
    }
}
