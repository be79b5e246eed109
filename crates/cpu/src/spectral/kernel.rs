//! Plans of rustfft and realfft, remembered by kind and length.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftNum, FftPlanner};

/// What a line becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Forward,
    Inverse,
    ToComplex,
    ToReal,
}

/// A plan for lines of one length.
#[derive(Clone)]
pub(super) enum Kernel<T: FftNum> {
    Complex(Arc<dyn Fft<T>>),
    ToComplex(Arc<dyn RealToComplex<T>>),
    ToReal(Arc<dyn ComplexToReal<T>>),
}

impl<T: FftNum> fmt::Debug for Kernel<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, n) = match self {
            Self::Complex(k) => ("Complex", k.len()),
            Self::ToComplex(k) => ("ToComplex", k.len()),
            Self::ToReal(k) => ("ToReal", k.len()),
        };
        write!(f, "{name}({n})")
    }
}

impl<T: FftNum> Kernel<T> {
    fn new(kind: Kind, n: usize) -> Self {
        match kind {
            Kind::Forward => Self::Complex(FftPlanner::new().plan_fft_forward(n)),
            Kind::Inverse => Self::Complex(FftPlanner::new().plan_fft_inverse(n)),
            Kind::ToComplex => Self::ToComplex(RealFftPlanner::new().plan_fft_forward(n)),
            Kind::ToReal => Self::ToReal(RealFftPlanner::new().plan_fft_inverse(n)),
        }
    }

    /// Complex elements of scratch.
    pub fn scratch(&self) -> usize {
        match self {
            Self::Complex(k) => k.get_inplace_scratch_len(),
            Self::ToComplex(k) => k.get_scratch_len(),
            Self::ToReal(k) => k.get_scratch_len(),
        }
    }
}

/// Kernels kept for later plans; programs hold theirs themselves.
pub(super) struct Cache<T: FftNum> {
    kernels: HashMap<(Kind, usize), Kernel<T>>,
    points: usize,
}

impl<T: FftNum> Default for Cache<T> {
    fn default() -> Self {
        Self { kernels: HashMap::new(), points: 0 }
    }
}

/// The points of all kernels that are kept; beyond, the cache starts anew. A point costs some
/// tens of bytes of twiddle factors.
const POINTS: usize = 1 << 20;

/// The precisions that there are.
pub(super) trait Real: FftNum {
    fn cache() -> &'static Mutex<Cache<Self>>;
    fn of(x: f64) -> Self;
}

macro_rules! reals {
    ($($t:ty),*) => {$(
        impl Real for $t {
            fn cache() -> &'static Mutex<Cache<Self>> {
                static CACHE: LazyLock<Mutex<Cache<$t>>> = LazyLock::new(Mutex::default);
                &CACHE
            }

            fn of(x: f64) -> Self {
                x as Self
            }
        }
    )*};
}
reals!(f32, f64);

/// The kernel for lines of n points.
pub(super) fn kernel<T: Real>(kind: Kind, n: usize) -> Kernel<T> {
    let lock = || T::cache().lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().kernels.get(&(kind, n)) {
        return known.clone();
    }
    // Not under the lock: long ones take a while.
    let new = Kernel::new(kind, n);
    if n <= POINTS {
        let mut cache = lock();
        if cache.points + n > POINTS {
            *cache = Cache::default();
        }
        if cache.kernels.insert((kind, n), new.clone()).is_none() {
            cache.points += n;
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_kept_within_bounds() {
        let same = |a: &Kernel<f32>, b: &Kernel<f32>| match (a, b) {
            (Kernel::Complex(a), Kernel::Complex(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        let first = kernel::<f32>(Kind::Forward, 12);
        assert!(same(&first, &kernel(Kind::Forward, 12)));
        assert!(!same(&first, &kernel(Kind::Inverse, 12)));
        for k in 0..6 {
            kernel::<f32>(Kind::Inverse, POINTS / 4 + k);
            let cache = f32::cache().lock().expect("no panic before");
            assert!(cache.points <= POINTS);
            assert_eq!(cache.points, cache.kernels.keys().map(|(_, n)| n).sum::<usize>());
        }
    }
}
