//! Kernels of third parties for primitives of their own.

use std::fmt;

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, DType, Element, Interrupt, Result};

use crate::memory::{Memory, Place};
use crate::step::{Context, Planning, Step, View, sizes};

/// Computes one instruction, planned for its shapes and dtypes.
///
/// See [`CpuEngineBuilder::kernel`](crate::CpuEngineBuilder::kernel).
pub trait Kernel: fmt::Debug + Send + Sync {
    /// Reads the inputs and writes the outputs, all in C order; outputs hold zeros before.
    /// Long loops ask `stop` now and then and return what it says.
    fn run(&self, inputs: &[Input<'_>], outputs: &mut [OutputMut<'_>], stop: &dyn Interrupt) -> Result<()>;
}

/// An input of a [`Kernel`].
#[derive(Debug)]
pub struct Input<'a> {
    memory: Part<'a>,
}

/// An output of a [`Kernel`].
#[derive(Debug)]
pub struct OutputMut<'a> {
    memory: Part<'a>,
}

#[derive(Debug)]
struct Part<'a> {
    view: &'a View,
    ptr: *mut u8,
}

impl Part<'_> {
    fn of<'a>(memory: &Memory, view: &'a View) -> Part<'a> {
        Part { view, ptr: memory.at(view.place) }
    }

    fn holds<T: Element>(&self) -> bool {
        T::DTYPE == self.view.dtype
    }
}

macro_rules! facts {
    ($($t:ident)*) => {$(
        impl $t<'_> {
            pub fn dtype(&self) -> DType {
                self.memory.view.dtype
            }

            pub fn shape(&self) -> &[usize] {
                &self.memory.view.shape
            }
        }
    )*};
}
facts!(Input OutputMut);

impl Input<'_> {
    /// The elements in C order; `None` if they are not of type `T`.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        // SAFETY: the view is dense, of this dtype, and nobody writes to it during the step.
        self.memory.holds::<T>().then(|| unsafe { std::slice::from_raw_parts(self.memory.ptr.cast(), self.memory.view.size()) })
    }
}

impl OutputMut<'_> {
    /// The elements in C order; `None` if they are not of type `T`.
    pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        // SAFETY: as for inputs, and the output is this step's alone.
        self.memory.holds::<T>().then(|| unsafe { std::slice::from_raw_parts_mut(self.memory.ptr.cast(), self.memory.view.size()) })
    }
}

/// The step that runs a [`Kernel`].
#[derive(Debug)]
pub(crate) struct Custom {
    kernel: Box<dyn Kernel>,
    inputs: Vec<View>,
    outputs: Vec<View>,
}

impl Custom {
    pub fn lower(p: &mut dyn Planning, kernel: Box<dyn Kernel>, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
        let inputs = args.iter().map(|v| p.packed(v)).collect::<Result<_>>()?;
        let mut outputs = vec![];
        for a in outs {
            let shape = sizes(a)?;
            outputs.push(p.temporary(a.dtype, &shape, &c_strides(&shape)));
        }
        p.push(Box::new(Self { kernel, inputs, outputs: outputs.clone() }));
        Ok(outputs)
    }
}

impl Step for Custom {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        let inputs: Vec<Input<'_>> = self.inputs.iter().map(|v| Input { memory: Part::of(c.memory, v) }).collect();
        let mut outputs: Vec<OutputMut<'_>> = self.outputs.iter().map(|v| OutputMut { memory: Part::of(c.memory, v) }).collect();
        for o in &outputs {
            // SAFETY: the planned place holds the view. Zero bytes are a value of every dtype.
            unsafe { o.memory.ptr.write_bytes(0, o.memory.view.size() * o.dtype().size()) };
        }
        self.kernel.run(&inputs, &mut outputs, c.stop)
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.inputs.iter_mut().chain(&mut self.outputs).for_each(|v| f(&mut v.place));
    }

    fn cost(&self) -> f64 {
        self.inputs.iter().chain(&self.outputs).map(|v| v.size() as f64).sum()
    }
}
