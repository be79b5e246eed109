//! Balancing (James, Langou, Lowery, arXiv:1401.5766): a diagonal similarity that makes rows and
//! columns alike in norm, so that eigenvalues of badly scaled matrices keep their digits.

use crate::scalar::{RealScalar, Scalar};
use crate::simd::norm2;

/// Rounds; 2 to 4 are usual.
const ROUNDS: usize = 20;
/// Largest exponent of a scale: products with entries near 1 stay in range.
const LIMIT: i32 = 60;

/// `a` (n×n, column-major) becomes D⁻¹ a D with powers of two on the diagonal `d` of D.
pub(crate) fn balance<T: Scalar>(a: &mut [T], n: usize, d: &mut [T::Real]) {
    d.fill(T::Real::ONE);
    let two = T::Real::from_f64(2.0);
    let limit = T::Real::power_of_two(LIMIT);
    for _ in 0..ROUNDS {
        let mut done = true;
        for j in 0..n {
            let column = norm2(&a[j * n..(j + 1) * n]).sqrt();
            let row = (0..n).fold(T::Real::ZERO, |sum, i| sum + a[i * n + j].abs2()).sqrt();
            if column == T::Real::ZERO || row == T::Real::ZERO {
                continue;
            }
            let (mut c, mut r, mut f) = (column, row, T::Real::ONE);
            while c < r / two && f < limit {
                (c, r, f) = (c * two, r / two, f * two);
            }
            while c >= r * two && T::Real::ONE < limit * f {
                (c, r, f) = (c / two, r * two, f / two);
            }
            let scale = d[j] * f;
            let gains = c * c + r * r < T::Real::from_f64(0.9) * (column * column + row * row);
            if f == T::Real::ONE || !gains || scale > limit || scale * limit < T::Real::ONE {
                continue;
            }
            done = false;
            d[j] = scale;
            for x in &mut a[j * n..(j + 1) * n] {
                *x = x.scale(f);
            }
            let inverse = T::Real::ONE / f;
            for i in 0..n {
                a[i * n + j] = a[i * n + j].scale(inverse);
            }
        }
        if done {
            return;
        }
    }
}
