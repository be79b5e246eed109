//! The contract of lowerings: what an op becomes on this engine.

use std::fmt;

use tenferro_graph::tensor::{Dims, Strides, c_strides};
use tenferro_graph::{Aval, DType, Error, Interrupt, Prim, Primitive, Result};
use tenferro_vmath::Level;

use crate::memory::{Memory, Place};
use crate::readers::Reader;
use crate::team::Team;

/// What a step is given to run.
pub(crate) struct Context<'a> {
    pub memory: &'a Memory,
    pub team: &'a Team,
    pub stop: &'a dyn Interrupt,
}

/// From this many estimated nanoseconds on threads share chunks that only move elements.
const SHARED: f64 = 60_000.0;

impl Context<'_> {
    /// Runs chunks that move elements, shared by threads where the cost, in nanoseconds, is worth it.
    pub fn share(&self, cost: f64, chunks: usize, task: &(dyn Fn(usize) + Sync)) -> Result<()> {
        if self.team.threads() > 1 && chunks > 1 && cost > SHARED {
            return self.team.run_until(chunks, self.stop, task);
        }
        for i in 0..chunks {
            if i % 16 == 15 {
                self.stop.poll()?;
            }
            task(i);
        }
        Ok(())
    }
}

/// A planned operation. Steps of one group run side by side.
pub(crate) trait Step: fmt::Debug + Send + Sync {
    fn run(&self, c: &Context<'_>) -> Result<()>;

    /// Every place that the step reads or writes.
    fn places(&mut self, f: &mut dyn FnMut(&mut Place));

    /// Estimated nanoseconds on one thread.
    fn cost(&self) -> f64;

    /// Written places that may be the same memory as one that is read, if nobody reads
    /// that one afterwards: (written, read).
    fn in_place(&self) -> Vec<(Place, Place)> {
        vec![]
    }
}

/// Where an array lies, by a place in a slot that gets its address later.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub place: Place,
    pub dtype: DType,
    pub shape: Dims,
    /// In elements.
    pub strides: Strides,
}

impl View {
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn aval(&self) -> Aval {
        Aval::new(self.dtype, self.shape.as_slice())
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether the elements lie in C order without gaps.
    pub fn is_c_dense(&self) -> bool {
        self.size() <= 1 || self.shape.iter().zip(self.strides.iter().zip(c_strides(&self.shape))).all(|(n, (a, b))| *n == 1 || *a == b)
    }

    pub fn permuted(&self, axes: &[usize]) -> Self {
        Self {
            shape: axes.iter().map(|a| self.shape[*a]).collect(),
            strides: axes.iter().map(|a| self.strides[*a]).collect(),
            ..self.clone()
        }
    }

    pub fn shifted(&self, elements: isize) -> Place {
        self.place.shifted(elements * self.dtype.size() as isize)
    }
}

/// What a lowering may ask for while it plans.
pub(crate) trait Planning {
    fn level(&self) -> Level;
    /// A new array with these strides (those of a permuted dense array).
    fn temporary(&mut self, dtype: DType, shape: &[usize], strides: &[isize]) -> View;
    /// Memory of one step.
    fn scratch(&mut self, bytes: usize) -> Place;
    /// A copy of the view in C order, made before the step that is being lowered.
    fn packed(&mut self, view: &View) -> Result<View>;
    fn push(&mut self, step: Box<dyn Step>);
    /// Who reads the first result of what is being lowered, if that is a product.
    fn readers(&self) -> &[Reader];
}

/// The primitive that a lowering was given.
pub(crate) fn given<P: Primitive>(prim: &Prim) -> Result<&P> {
    prim.downcast().ok_or_else(|| Error::program(format!("{}: lowered another op", prim.name())))
}

/// Numeric sizes of a planned aval.
pub(crate) fn sizes(a: &Aval) -> Result<Dims> {
    a.shape.iter().map(|d| d.as_const().ok_or_else(|| Error::shape("plan", format!("size {d} is not a number")))).collect()
}
