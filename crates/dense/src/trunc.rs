//! Truncated SVD: the k largest triplets by subspace iteration, or from the full SVD.

use crate::error::{DenseError, require};
use crate::range::{Start, gram_pays, start};
use crate::ritz::{Ritz, ritz_bytes};
use crate::scalar::{RealScalar, Scalar};
use crate::scale::{copy_scaled, largest, store, store_identity, store_nan};
use crate::scratch::{Scratch, bytes, total};
use crate::svd::{Rung, svd_tall, tall_bytes};
use crate::view::{MatMut, MatRef};

/// Columns beyond k that the iteration carries at least: they set its rate.
const OVERSAMPLE: usize = 16;
/// Below this many columns the full SVD is as fast.
const SMALL: usize = 192;
/// Rayleigh–Ritz steps after which the full SVD is cheaper.
const MAX_STEPS: usize = 8;

/// How [`svd_trunc`] found its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TruncMethod {
    /// Cut from the full SVD.
    Full,
    /// Subspace iteration with Rayleigh–Ritz.
    Subspace,
}

/// What [`svd_trunc`] did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TruncInfo {
    /// Where the result comes from.
    pub method: TruncMethod,
    /// Rayleigh–Ritz steps, also those before a fallback to the full SVD.
    pub iterations: usize,
    /// Largest ‖A v − s u‖ / s₀ over the k triplets; 0 for the full SVD, where it is not measured.
    pub residual: f64,
}

/// Columns of the iteration, or `None` where the full SVD is taken at once.
fn columns(q: usize, k: usize, extra: usize) -> Option<usize> {
    let b = k.saturating_add(extra.max(OVERSAMPLE));
    (q >= SMALL && k > 0 && b <= q / 4).then_some(b)
}

/// Bytes of scratch that [`svd_trunc`] needs for an m×n matrix.
pub fn svd_trunc_scratch<T: Scalar>(m: usize, n: usize, k: usize, extra: usize) -> usize {
    let (p, q) = (m.max(n), m.min(n));
    if q == 0 {
        return 0;
    }
    let full = total(&[bytes::<T>(p, q), bytes::<T>(q, q), bytes::<T>(q, 1), tall_bytes::<T>(p, q)]);
    let iteration = columns(q, k, extra).map_or(0, |b| {
        let g = if gram_pays(p, q, b) { bytes::<T>(q, q) } else { 0 };
        let small = total(&[g, bytes::<usize>(b, 1)]);
        small.saturating_add(ritz_bytes::<T>(p, q, b))
    });
    total(&[bytes::<T>(p, q), full.max(iteration)])
}

/// The `k` largest singular triplets of an m×n matrix, and the `extra` next ones.
///
/// `u` is m×k, `s` k long, `vh` k×n; `ue` m×extra, `se`, `vhe` extra×n; k + extra ≤ min(m, n).
/// All vectors are orthonormal. The first k are as accurate as those of [`crate::svd`]: residual
/// ≤ 1e-14 s₀ (f64) or 5e-6 s₀ (f32). The extra ones may be approximate: they precondition
/// [`crate::svd_solve`].
///
/// Method: randomised subspace iteration (Halko, Martinsson, Tropp, SIAM Rev. 53, 217, 2011) with
/// a fixed start, then Rayleigh–Ritz steps until the residual is at rounding level. Small
/// matrices, large k and slow convergence take the full SVD. Deterministic.
///
/// Errors as [`crate::svd`]; `scratch` is [`svd_trunc_scratch`] bytes.
pub fn svd_trunc<T: Scalar>(
    a: MatRef<'_, T>,
    k: usize,
    extra: usize,
    u: MatMut<'_, T>,
    s: &mut [T::Real],
    vh: MatMut<'_, T>,
    ue: MatMut<'_, T>,
    se: &mut [T::Real],
    vhe: MatMut<'_, T>,
    check_finite: bool,
    scratch: &mut [u8],
) -> Result<TruncInfo, DenseError> {
    let (m, n) = (a.rows, a.cols);
    let q = m.min(n);
    require(k <= q && extra <= q - k, "k + extra must be at most min(m, n)")?;
    require(u.rows == m && u.cols == k && s.len() == k, "u must be (m, k) and s (k)")?;
    require(vh.rows == k && vh.cols == n, "vh must be (k, n)")?;
    require(ue.rows == m && ue.cols == extra && se.len() == extra, "ue must be (m, extra)")?;
    require(vhe.rows == extra && vhe.cols == n, "vhe must be (extra, n)")?;
    let mut out = Outputs { left: [u, ue], s: [s, se], right: [vh.t(), vhe.t()] };
    if q == 0 {
        return Ok(TruncInfo { method: TruncMethod::Full, iterations: 0, residual: 0.0 });
    }
    let mut scratch = Scratch::new(scratch, svd_trunc_scratch::<T>(m, n, k, extra))?;
    let (max, finite) = largest(a);
    if !finite && check_finite {
        return Err(DenseError::NonFinite);
    }
    if !finite || max == T::Real::ZERO {
        out.degenerate(finite);
        return Ok(TruncInfo { method: TruncMethod::Full, iterations: 0, residual: 0.0 });
    }
    // As in `svd`: a tall matrix is factored, A or its transpose.
    let (p, e) = (m.max(n), max.exponent());
    let w = scratch.take(p, q)?;
    copy_scaled(w, if m >= n { a } else { a.t() }, -e);
    if m < n {
        std::mem::swap(&mut out.left, &mut out.right);
    }
    truncate(w, p, q, k, extra, out, e, scratch)
}

/// The caller's arrays: kept and extra left vectors, values, and right vectors as columns.
struct Outputs<'a, T: Scalar> {
    left: [MatMut<'a, T>; 2],
    s: [&'a mut [T::Real]; 2],
    right: [MatMut<'a, T>; 2],
}

impl<T: Scalar> Outputs<'_, T> {
    /// Writes triplets given as contiguous columns; values times 2^e.
    fn write(self, u: &[T], s: &[T::Real], v: &[T], e: i32) {
        let k = self.s[0].len();
        for (to, from) in self.s.into_iter().flatten().zip(s) {
            *to = from.times_power(e);
        }
        for (views, from, conj) in [(self.left, u, false), (self.right, v, true)] {
            let [kept, extra] = views;
            let rows = kept.rows;
            store(kept, from, conj);
            store(extra, &from[k * rows..], conj);
        }
    }

    /// The zero matrix, or one that holds NaN.
    fn degenerate(self, finite: bool) {
        let k = self.s[0].len();
        let value = if finite { T::Real::ZERO } else { T::Real::from_f64(f64::NAN) };
        self.s.into_iter().flatten().for_each(|s| *s = value);
        for [kept, extra] in [self.left, self.right] {
            if finite {
                store_identity(kept);
                extra.fill_with(|i, j| if i == k + j { T::ONE } else { T::ZERO });
            } else {
                store_nan(kept);
                store_nan(extra);
            }
        }
    }
}

/// [`svd_trunc`] of a scaled tall matrix.
fn truncate<T: Scalar>(
    w: &mut [T],
    p: usize,
    q: usize,
    k: usize,
    extra: usize,
    out: Outputs<'_, T>,
    e: i32,
    mut scratch: Scratch<'_>,
) -> Result<TruncInfo, DenseError> {
    let mut spent = 0;
    if let Some(b) = columns(q, k, extra) {
        let mut room = scratch.lend();
        let mut ritz = Ritz::new(p, q, b, &mut room)?;
        let (converged, iterations, residual) = iterate(w, p, q, k, &mut ritz, room)?;
        if converged {
            out.write(ritz.u, ritz.s, ritz.v, e);
            return Ok(TruncInfo { method: TruncMethod::Subspace, iterations, residual });
        }
        spent = iterations;
    }
    let u: &mut [T] = scratch.take(p, q)?;
    let s: &mut [T::Real] = scratch.take(q, 1)?;
    let v: &mut [T] = scratch.take(q, q)?;
    svd_tall(Rung::first(q), w, p, q, Some(u), s, Some(v), scratch)?;
    out.write(u, s, v, e);
    Ok(TruncInfo { method: TruncMethod::Full, iterations: spent, residual: 0.0 })
}

/// Runs the iteration: whether it converged, its steps, its relative residual.
fn iterate<T: Scalar>(
    w: &[T],
    p: usize,
    q: usize,
    k: usize,
    ritz: &mut Ritz<'_, T>,
    mut scratch: Scratch<'_>,
) -> Result<(bool, usize, f64), DenseError> {
    let b = ritz.s.len();
    {
        let mut room = scratch.lend();
        let gram = gram_pays(p, q, b);
        let work =
            Start { g: room.take(if gram { q } else { 0 }, q)?, pivots: room.take_indices(b)?, tall: &mut *ritz.z, wide: &mut *ritz.u };
        let wide = &mut work.wide[..q * b];
        start(w, p, q, b, k, ritz.v, Start { wide, ..work });
    }
    let a = MatRef::col_major(w, p, q);
    let eps = T::Real::EPS.to_f64();
    // 1e-14 in double precision; five steps of rounding leave about 1e-15.
    let (target, stalled) = (45.0 * eps, 225.0 * eps);
    let mut last = f64::INFINITY;
    ritz.image(a, 0, b);
    for step in 1..=MAX_STEPS {
        ritz.step(a, scratch.lend())?;
        ritz.image(a, 0, k);
        let top = ritz.s[0].to_f64();
        let residual = ritz.residual(k) / top;
        if residual <= target || (residual > 0.7 * last && residual <= stalled) {
            return Ok((true, step, residual));
        }
        let ratio = (ritz.s[b - 1] / ritz.s[k - 1]).to_f64();
        let rate = if step == 1 { ratio * ratio } else { residual / last };
        let to_go = (target / residual).ln() / rate.ln();
        if !(rate < 1.0 && to_go <= (MAX_STEPS - step) as f64) {
            return Ok((false, step, residual));
        }
        ritz.image(a, k, b);
        last = residual;
    }
    Ok((false, MAX_STEPS, last))
}
