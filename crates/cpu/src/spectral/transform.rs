//! The step that transforms lines.

use num_complex::Complex;
use tenferro_graph::{Error, Interrupt, Result, SmallVec};

use super::kernel::{Kernel, Real};
use super::lines::{Lines, Start, gather, scatter};
use crate::memory::Place;
use crate::step::{Context, Step};

/// Lines that are transformed at once, at most.
pub(super) const BUNDLE: usize = 16;

#[derive(Debug)]
pub(super) struct Transform<T: Real> {
    pub name: &'static str,
    pub kernel: Kernel<T>,
    pub from: Place,
    pub to: Place,
    pub lines: Lines,
    /// Points of a line on the long side: real ones, or complex ones.
    pub n: usize,
    pub scale: T,
    /// The factor of bins that stand for two.
    pub inner: T,
    pub bundle: usize,
    /// Runs of lines that may go side by side.
    pub lanes: usize,
    /// `scratch_bytes` per lane.
    pub scratch: Place,
    pub scratch_bytes: usize,
    /// Whether target and source have the same strides.
    pub same_layout: bool,
    pub cost: f64,
}

/// Bytes of the parts of one lane's scratch, each a whole number of cache lines: real lines,
/// complex lines, work of the kernel.
pub(super) fn parts<T: Real>(kernel: &Kernel<T>, n: usize, bundle: usize) -> Option<[usize; 3]> {
    let round = |count: usize, size: usize| Some(count.checked_mul(size)?.checked_add(63)? / 64 * 64);
    let (reals, complexes) = match kernel {
        Kernel::Complex(_) => (0, n),
        _ => (n, n / 2 + 1),
    };
    let size = size_of::<T>();
    let lines = |each: usize| each.checked_mul(bundle);
    Some([round(lines(reals)?, size)?, round(lines(complexes)?, 2 * size)?, round(kernel.scratch(), 2 * size)?])
}

/// Buffers of one lane.
struct Lane<'a, T> {
    reals: &'a mut [T],
    complexes: &'a mut [Complex<T>],
    work: &'a mut [Complex<T>],
}

impl<T: Real> Transform<T> {
    fn lane(&self, c: &Context<'_>, lane: usize) -> Result<Lane<'_, T>> {
        let base = c.memory.at(self.scratch).wrapping_add(lane * self.scratch_bytes);
        let [a, b, w] = parts(&self.kernel, self.n, self.bundle).ok_or_else(|| Error::program("fft: scratch without a size"))?;
        // SAFETY: the planned scratch has these parts for every lane, aligned to cache lines, and
        // a lane is one call's alone. Any bits are floats.
        unsafe {
            Ok(Lane {
                reals: std::slice::from_raw_parts_mut(base.cast(), a / size_of::<T>()),
                complexes: std::slice::from_raw_parts_mut(base.wrapping_add(a).cast(), b / size_of::<Complex<T>>()),
                work: std::slice::from_raw_parts_mut(base.wrapping_add(a + b).cast(), w / size_of::<Complex<T>>()),
            })
        }
    }

    /// Lines first … last, a bundle at a time.
    fn run_lane(&self, c: &Context<'_>, stop: &dyn Interrupt, lane: usize, lines: std::ops::Range<usize>) -> Result<()> {
        let mut buffers = self.lane(c, lane)?;
        for first in lines.clone().step_by(self.bundle) {
            stop.poll()?;
            let starts: SmallVec<[Start; BUNDLE]> = (first..(first + self.bundle).min(lines.end)).map(|i| self.lines.start(i)).collect();
            self.bundle(c, &starts, &mut buffers)?;
        }
        Ok(())
    }

    fn bundle(&self, c: &Context<'_>, starts: &[Start], b: &mut Lane<'_, T>) -> Result<()> {
        let (from, to) = (c.memory.at(self.from).cast_const(), c.memory.at(self.to));
        let (n, bins, steps) = (self.n, self.n / 2 + 1, (self.lines.from_step, self.lines.to_step));
        let (scale, inner) = (self.scale, self.scale * self.inner);
        let edge = |k: usize| k == 0 || 2 * k == n;
        // SAFETY: the planned views have the lines that `starts` names, of these elements; the
        // target's are this bundle's alone.
        unsafe {
            match &self.kernel {
                Kernel::Complex(k) => {
                    gather(from.cast(), steps.0, starts, n, b.complexes);
                    let work = &mut b.work[..k.get_inplace_scratch_len()];
                    // One point is its own transform; a product with 1 + 0i would make a NaN of an infinity.
                    if n > 1 {
                        k.process_with_scratch(&mut b.complexes[..n * starts.len()], work);
                    }
                    scatter(to.cast(), steps.1, starts, n, b.complexes, |_, x| x * scale);
                }
                Kernel::ToComplex(k) => {
                    gather(from.cast(), steps.0, starts, n, b.reals);
                    let work = &mut b.work[..k.get_scratch_len()];
                    for (x, y) in b.reals.chunks_exact_mut(n).zip(b.complexes.chunks_exact_mut(bins)).take(starts.len()) {
                        k.process_with_scratch(x, y, work).map_err(|e| self.refused(&e))?;
                    }
                    scatter(to.cast(), steps.1, starts, bins, b.complexes, |k, x| x * if edge(k) { scale } else { inner });
                }
                Kernel::ToReal(k) => {
                    gather(from.cast(), steps.0, starts, bins, b.complexes);
                    let work = &mut b.work[..k.get_scratch_len()];
                    for (x, y) in b.complexes.chunks_exact_mut(bins).zip(b.reals.chunks_exact_mut(n)).take(starts.len()) {
                        self.symmetric(x);
                        k.process_with_scratch(x, y, work).map_err(|e| self.refused(&e))?;
                    }
                    scatter(to.cast(), steps.1, starts, n, b.reals, |_, x| x * scale);
                }
            }
        }
        Ok(())
    }

    /// Edge bins of a real signal are real; the others get their factor.
    fn symmetric(&self, bins: &mut [Complex<T>]) {
        for (k, x) in bins.iter_mut().enumerate() {
            if k == 0 || 2 * k == self.n {
                x.im = T::of(0.0);
            } else {
                *x = *x * self.inner;
            }
        }
    }

    fn refused(&self, e: &realfft::FftError) -> Error {
        Error::program(format!("{}: {e}", self.name))
    }
}

impl<T: Real> Step for Transform<T> {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let count = self.lines.count();
        if self.lanes == 1 || c.team.threads() == 1 {
            return self.run_lane(c, c.stop, 0, 0..count);
        }
        let height = count.div_ceil(self.lanes);
        c.team.try_until(self.lanes, c.stop, &|lane, stop| {
            self.run_lane(c, stop, lane, (lane * height).min(count)..((lane + 1) * height).min(count))
        })
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        f(&mut self.from);
        f(&mut self.to);
        f(&mut self.scratch);
    }

    fn cost(&self) -> f64 {
        self.cost
    }

    fn in_place(&self) -> Vec<(Place, Place)> {
        // A bundle is read before it is written, and no other reads there.
        if self.same_layout { vec![(self.to, self.from)] } else { vec![] }
    }
}
