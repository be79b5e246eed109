//! Matrix routines over leading axes: what is run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tenferro_dense::{DenseError, MatMut, MatRef, Scalar};
use tenferro_graph::{Complex32, Complex64, DType, Error, Result};

use super::leading::Leading;
use crate::memory::Place;
use crate::step::{Context, Step, View};

/// What is done to one matrix and those that belong to it.
pub(super) trait Routine: std::fmt::Debug + Send + Sync + 'static {
    /// The op that errors speak of.
    fn name(&self) -> &'static str;

    /// `T` is the dtype of the first operand; `scratch` is what was planned for one matrix.
    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> std::result::Result<(), Fault>;
}

/// Why a routine gave no result.
pub(super) enum Fault {
    Dense(DenseError),
    Other(String),
}

impl From<DenseError> for Fault {
    fn from(e: DenseError) -> Self {
        Self::Dense(e)
    }
}

impl Fault {
    fn text(self) -> String {
        match self {
            Self::Dense(DenseError::NonFinite) => "NaN or infinity in the input".to_owned(),
            Self::Dense(e) => e.to_string(),
            Self::Other(text) => text,
        }
    }
}

#[derive(Debug)]
pub(super) struct Batched<R> {
    pub routine: R,
    /// Of the first operand.
    pub dtype: DType,
    /// Inputs and then outputs; all have the same leading axes.
    pub operands: Vec<View>,
    pub leading: Leading,
    /// `scratch_bytes` per lane.
    pub scratch: Place,
    pub scratch_bytes: usize,
    /// Runs of matrices that may be factored at the same time.
    pub lanes: usize,
    pub cost: f64,
}

/// The operands of one matrix.
pub(super) struct At<'a> {
    operands: &'a [View],
    leading: &'a Leading,
    c: &'a Context<'a>,
    batch: usize,
}

impl At<'_> {
    fn ptr<T>(&self, i: usize) -> *mut T {
        let offset = self.leading.offset(i, self.batch);
        self.c.memory.at(self.operands[i].place).cast::<T>().wrapping_offset(offset)
    }

    /// Rows, columns and their strides.
    fn matrix(&self, i: usize) -> (usize, usize, isize, isize) {
        let v = &self.operands[i];
        let r = v.rank();
        (v.shape[r - 2], v.shape[r - 1], v.strides[r - 2], v.strides[r - 1])
    }

    /// Rows and columns of an operand.
    pub fn size(&self, i: usize) -> (usize, usize) {
        let (m, n, ..) = self.matrix(i);
        (m, n)
    }

    pub fn get<T: Scalar>(&self, i: usize) -> MatRef<'_, T> {
        let (m, n, rs, cs) = self.matrix(i);
        // SAFETY: the view lies in live memory of its dtype, which nobody writes during this step.
        unsafe { MatRef::from_raw_parts(self.ptr(i), m, n, rs, cs) }
    }

    pub fn set<T: Scalar>(&self, i: usize) -> MatMut<'_, T> {
        let (m, n, rs, cs) = self.matrix(i);
        // SAFETY: as above; each output matrix is one call's alone.
        unsafe { MatMut::from_raw_parts(self.ptr(i), m, n, rs, cs) }
    }

    pub fn values<R>(&self, i: usize) -> &[R] {
        let v = &self.operands[i];
        // SAFETY: singular values are planned dense along the last axis; else as for `get`.
        unsafe { std::slice::from_raw_parts(self.ptr(i), v.shape[v.rank() - 1]) }
    }

    /// The operand of a matrix that is one number.
    #[expect(clippy::mut_from_ref, reason = "as for `set`: memory of the run, not of this struct")]
    pub fn number_mut<R>(&self, i: usize) -> &mut R {
        // SAFETY: as for `values_mut`; without axes of its own the operand is one element.
        unsafe { &mut *self.ptr(i) }
    }

    #[expect(clippy::mut_from_ref, reason = "as for `set`: memory of the run, not of this struct")]
    pub fn values_mut<R>(&self, i: usize) -> &mut [R] {
        let v = &self.operands[i];
        // SAFETY: as above; each output vector is one call's alone.
        unsafe { std::slice::from_raw_parts_mut(self.ptr(i), v.shape[v.rank() - 1]) }
    }
}

impl<R: Routine> Batched<R> {
    fn one<T: Scalar>(&self, c: &Context<'_>, batch: usize, lane: usize) -> std::result::Result<(), Fault> {
        let at = At { operands: &self.operands, leading: &self.leading, c, batch };
        let scratch = c.memory.at(self.scratch).wrapping_add(lane * self.scratch_bytes);
        // SAFETY: the planned scratch has room for every lane, and a lane has one matrix at a time.
        let scratch = unsafe { std::slice::from_raw_parts_mut(scratch, self.scratch_bytes) };
        self.routine.one::<T>(&at, scratch)
    }

    fn matrix(&self, c: &Context<'_>, b: usize, lane: usize) -> Result<()> {
        let done = match self.dtype {
            DType::F32 => self.one::<f32>(c, b, lane),
            DType::F64 => self.one::<f64>(c, b, lane),
            DType::C64 => self.one::<Complex32>(c, b, lane),
            _ => self.one::<Complex64>(c, b, lane),
        };
        done.map_err(|e| Error::linalg(self.routine.name(), e.text() + &self.leading.name(b)))
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
                    Ok(()) => (b + 1, self.matrix(c, b, lane)),
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

impl<R: Routine> Step for Batched<R> {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        if self.lanes > 1 && c.team.threads() > 1 {
            return self.side_by_side(c);
        }
        for b in 0..self.leading.count() {
            c.stop.poll()?;
            self.matrix(c, b, 0)?;
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
