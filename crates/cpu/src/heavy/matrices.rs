//! The SVD family over leading axes: what is run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tenferro_dense::{DenseError, MatMut, MatRef, Scalar, svd, svd_solve, svd_trunc};
use tenferro_graph::{Complex32, Complex64, DType, Error, Result};

use super::leading::Leading;
use crate::memory::Place;
use crate::step::{Context, Step, View};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Svd,
    Values,
    Trunc,
    Solve,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Svd => "svd",
            Self::Values => "svdvals",
            Self::Trunc => "svd_trunc",
            Self::Solve => "svd_solve",
        }
    }
}

#[derive(Debug)]
pub(super) struct Factor {
    pub kind: Kind,
    pub dtype: DType,
    /// Inputs and then outputs; all have the same leading axes.
    pub operands: Vec<View>,
    pub leading: Leading,
    /// `scratch_bytes` per lane.
    pub scratch: Place,
    pub scratch_bytes: usize,
    /// Runs of matrices that may be factored at the same time.
    pub lanes: usize,
    pub k: usize,
    pub extra: usize,
    pub cost: f64,
}

/// The operands of one matrix.
struct At<'a> {
    step: &'a Factor,
    c: &'a Context<'a>,
    batch: usize,
}

impl At<'_> {
    fn ptr<T>(&self, i: usize) -> *mut T {
        let offset = self.step.leading.offset(i, self.batch);
        self.c.memory.at(self.step.operands[i].place).cast::<T>().wrapping_offset(offset)
    }

    /// Rows, columns and their strides.
    fn matrix(&self, i: usize) -> (usize, usize, isize, isize) {
        let v = &self.step.operands[i];
        let r = v.rank();
        (v.shape[r - 2], v.shape[r - 1], v.strides[r - 2], v.strides[r - 1])
    }

    fn get<T: Scalar>(&self, i: usize) -> MatRef<'_, T> {
        let (m, n, rs, cs) = self.matrix(i);
        // SAFETY: the view lies in live memory of its dtype, which nobody writes during this step.
        unsafe { MatRef::from_raw_parts(self.ptr(i), m, n, rs, cs) }
    }

    fn set<T: Scalar>(&self, i: usize) -> MatMut<'_, T> {
        let (m, n, rs, cs) = self.matrix(i);
        // SAFETY: as above; each output matrix is one call's alone.
        unsafe { MatMut::from_raw_parts(self.ptr(i), m, n, rs, cs) }
    }

    fn values<R>(&self, i: usize) -> &[R] {
        let v = &self.step.operands[i];
        // SAFETY: singular values are planned dense along the last axis; else as for `get`.
        unsafe { std::slice::from_raw_parts(self.ptr(i), v.shape[v.rank() - 1]) }
    }

    #[expect(clippy::mut_from_ref, reason = "as for `set`: memory of the run, not of this struct")]
    fn values_mut<R>(&self, i: usize) -> &mut [R] {
        let v = &self.step.operands[i];
        // SAFETY: as above; each output vector is one call's alone.
        unsafe { std::slice::from_raw_parts_mut(self.ptr(i), v.shape[v.rank() - 1]) }
    }
}

impl Factor {
    fn one<T: Scalar>(&self, c: &Context<'_>, batch: usize, lane: usize) -> std::result::Result<(), DenseError> {
        let at = At { step: self, c, batch };
        let scratch = c.memory.at(self.scratch).wrapping_add(lane * self.scratch_bytes);
        // SAFETY: the planned scratch has room for every lane, and a lane has one matrix at a time.
        let scratch = unsafe { std::slice::from_raw_parts_mut(scratch, self.scratch_bytes) };
        match self.kind {
            Kind::Svd => svd(at.get::<T>(0), Some(at.set(1)), at.values_mut(2), Some(at.set(3)), true, scratch),
            Kind::Values => svd(at.get::<T>(0), None, at.values_mut(1), None, true, scratch),
            Kind::Trunc => {
                let kept = (at.set(1), at.values_mut(2), at.set(3));
                let more = (at.set(4), at.values_mut(5), at.set(6));
                let a = at.get::<T>(0);
                svd_trunc(a, self.k, self.extra, kept.0, kept.1, kept.2, more.0, more.1, more.2, true, scratch).map(drop)
            }
            Kind::Solve => {
                let kept = (at.get(1), at.values(2), at.get(3));
                let more = (at.get(4), at.values(5), at.get(6));
                let (a, right, x) = (at.get::<T>(0), [at.get(7), at.get(8)], (at.set(9), at.set(10)));
                svd_solve(a, kept.0, kept.1, kept.2, more.0, more.1, more.2, right[0], right[1], x.0, x.1, scratch).map(drop)
            }
        }
    }

    fn factor(&self, c: &Context<'_>, b: usize, lane: usize) -> Result<()> {
        let done = match self.dtype {
            DType::F32 => self.one::<f32>(c, b, lane),
            DType::F64 => self.one::<f64>(c, b, lane),
            DType::C64 => self.one::<Complex32>(c, b, lane),
            _ => self.one::<Complex64>(c, b, lane),
        };
        done.map_err(|e| {
            let what = match e {
                DenseError::NonFinite => "NaN or infinity in the input".to_owned(),
                other => other.to_string(),
            };
            Error::linalg(self.kind.name(), what + &self.leading.name(b))
        })
    }

    /// Lanes side by side; the error of the lowest matrix that fails is reported.
    fn side_by_side(&self, c: &Context<'_>) -> Result<()> {
        let height = self.leading.count().div_ceil(self.lanes);
        // The first lane that failed, after which nothing matters, and whether to stop altogether.
        let (first, stopped) = (AtomicUsize::new(usize::MAX), AtomicBool::new(false));
        let failed: Mutex<Vec<(usize, Error)>> = Mutex::default();
        let lane = |lane: usize| {
            for b in lane * height..((lane + 1) * height).min(self.leading.count()) {
                if first.load(Ordering::Relaxed) < lane || stopped.load(Ordering::Relaxed) {
                    return;
                }
                let polled = c.stop.poll();
                stopped.fetch_or(polled.is_err(), Ordering::Relaxed);
                let (place, done) = match polled {
                    Ok(()) => (b + 1, self.factor(c, b, lane)),
                    Err(e) => (0, Err(e)),
                };
                if let Err(e) = done {
                    first.fetch_min(lane, Ordering::Relaxed);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).push((place, e));
                    return;
                }
            }
        };
        c.team.run(self.lanes, &lane)?;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.into_iter().min_by_key(|(place, _)| *place).map_or(Ok(()), |(_, e)| Err(e))
    }
}

impl Step for Factor {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        if self.lanes > 1 && c.team.threads() > 1 {
            return self.side_by_side(c);
        }
        for b in 0..self.leading.count() {
            c.stop.poll()?;
            self.factor(c, b, 0)?;
        }
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.operands.iter_mut().for_each(|v| f(&mut v.place));
        f(&mut self.scratch);
    }

    fn cost(&self) -> f64 {
        self.cost
    }
}
