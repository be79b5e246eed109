//! A subspace close to the leading right singular vectors, to start Rayleigh–Ritz from.

use crate::elimination::{factor, unpermuted_lower};
use crate::gemm::add_product;
use crate::scalar::{RealScalar, Scalar};
use crate::view::{MatMut, MatRef};

/// Power steps that are usual, and the most before the first Rayleigh–Ritz step.
const STEPS: usize = 4;
const MOST: usize = 12;
/// What the power steps should leave for the Rayleigh–Ritz step, in units of ε times the largest
/// singular value.
const AIM: f64 = 4.0;

/// Whether forming A*A costs less than applying A and A* in every step.
pub(crate) fn gram_pays(p: usize, q: usize, b: usize) -> bool {
    let (p, q, b) = (p as f64, q as f64, b as f64);
    let steps = STEPS as f64;
    p * q * q + 2.0 * steps * q * q * b < 4.0 * steps * p * q * b
}

/// Work arrays of [`start`]: `g` q×q (or empty: A*A is not formed), `tall` p×b, `wide` q×b, `pivots` b.
pub(crate) struct Start<'a, T> {
    pub(crate) g: &'a mut [T],
    pub(crate) tall: &'a mut [T],
    pub(crate) wide: &'a mut [T],
    pub(crate) pivots: &'a mut [usize],
}

/// Fills `v` (q×b) with (A*A)ᵗ Ω for a fixed random Ω, normalised by LU on the way; t is what the
/// pivots of LU say that the first `k` triplets need. Squaring A loses what is below √ε of its
/// norm; the Rayleigh–Ritz steps with A itself bring it back.
pub(crate) fn start<T: Scalar>(a: &[T], p: usize, q: usize, b: usize, k: usize, v: &mut [T], work: Start<'_, T>) {
    let view = MatRef::col_major(a, p, q);
    let Start { g, tall, wide, pivots } = work;
    random(v);
    if !g.is_empty() {
        T::gram_lower(MatMut::col_major(g, q, q), view);
        mirror(g, q);
    }
    for step in 1..=MOST {
        let from = MatRef::col_major(v, q, b);
        let to = MatMut::col_major(wide, q, b);
        if g.is_empty() {
            add_product(MatMut::col_major(tall, p, b), false, view, false, from, false, T::ONE);
            let tall = MatRef::col_major(tall, p, b);
            add_product(to, false, view.t(), true, tall, false, T::ONE);
        } else {
            add_product(to, false, MatRef::col_major(g, q, q), false, from, false, T::ONE);
        }
        factor(wide, q, b, pivots);
        let pivot = |j: usize| wide[j * q + j].abs2().to_f64().sqrt();
        let enough = steps_needed::<T>(pivot(0), pivot(k - 1), pivot(b - 1));
        unpermuted_lower(wide, q, pivots);
        v.copy_from_slice(wide);
        if step >= enough {
            return;
        }
    }
}

/// Power steps after which one Rayleigh–Ritz step (which is one more) should do, from estimates of
/// the first, the k-th and the last squared singular value.
fn steps_needed<T: Scalar>(first: f64, kept: f64, last: f64) -> usize {
    if kept == 0.0 || last == 0.0 {
        return 1;
    }
    let (rate, size) = (2.0 * last / kept, (kept / first).sqrt());
    let left = AIM * T::Real::EPS.to_f64();
    if rate >= 1.0 {
        return STEPS;
    }
    let steps = ((left / size).ln() / rate.ln()).ceil() - 1.0;
    // A rate so slow is left to the test that sends it to the full decomposition.
    if steps > MOST as f64 { STEPS } else { steps.max(1.0) as usize }
}

/// Independent numbers of mean 0 in (−1, 1), the same in every call: splitmix64 of the position.
/// Bounded ones serve as well as Gaussian ones and need no elementary function.
fn random<T: Scalar>(v: &mut [T]) {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        T::Real::from_f64((z >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    for x in v {
        let re = next();
        let im = if T::COMPLEX { next() } else { T::Real::ZERO };
        *x = T::new(re, im);
    }
}

/// Completes a Hermitian matrix from its lower triangle.
fn mirror<T: Scalar>(g: &mut [T], q: usize) {
    const TILE: usize = 16;
    for j0 in (0..q).step_by(TILE) {
        for i0 in (j0..q).step_by(TILE) {
            for j in j0..(j0 + TILE).min(q) {
                for i in i0.max(j + 1)..(i0 + TILE).min(q) {
                    g[i * q + j] = g[j * q + i].conj();
                }
            }
        }
    }
}
