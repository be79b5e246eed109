//! Tensors whose ops run at once.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tenferro_graph::{Aval, Prim, Result, SmallVec, Tensor, Value};
use tenferro_ops::Constant;

use super::session::{EagerRuntime, grad_enabled, with_engine};

/// An array, and how it came about where a gradient is needed.
#[derive(Clone)]
pub struct EagerTensor {
    pub(crate) runtime: EagerRuntime,
    pub(crate) data: Tensor,
    pub(crate) track: Track,
}

#[derive(Clone)]
pub(crate) enum Track {
    /// No gradient flows here.
    None,
    Variable(Arc<Variable>),
    /// An output of a node.
    Node(Arc<Node>, u32),
}

#[derive(Default)]
pub(crate) struct Variable {
    grad: Mutex<Option<Tensor>>,
}

impl Variable {
    pub fn grad(&self) -> Option<Tensor> {
        self.grad.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_grad(&self, grad: Option<Tensor>) {
        *self.grad.lock().unwrap_or_else(PoisonError::into_inner) = grad;
    }
}

/// What an op leaves for `backward`. Numbers grow with time, so that a node's users
/// have larger ones than it.
pub(crate) struct Node {
    pub number: u64,
    pub prim: Prim,
    pub inputs: SmallVec<[Tensor; 2]>,
    pub tracks: SmallVec<[Track; 2]>,
    pub outputs: SmallVec<[Tensor; 1]>,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl EagerTensor {
    pub(crate) fn variable(runtime: EagerRuntime, data: Tensor) -> Self {
        Self { runtime, data, track: Track::Variable(Arc::default()) }
    }

    pub(crate) fn constant(runtime: EagerRuntime, data: Tensor) -> Self {
        Self { runtime, data, track: Track::None }
    }

    pub fn data(&self) -> &Tensor {
        &self.data
    }

    pub fn runtime(&self) -> &EagerRuntime {
        &self.runtime
    }

    pub fn requires_grad(&self) -> bool {
        !matches!(self.track, Track::None)
    }

    /// The same data without gradient.
    pub fn detach(&self) -> Self {
        Self::constant(self.runtime.clone(), self.data.clone())
    }

    /// The gradient accumulated on this variable; `None` before any `backward`.
    pub fn grad(&self) -> Option<Tensor> {
        match &self.track {
            Track::Variable(v) => v.grad(),
            _ => None,
        }
    }

    pub fn clear_grad(&self) {
        if let Track::Variable(v) = &self.track {
            v.set_grad(None);
        }
    }
}

impl Value for EagerTensor {
    fn aval(&self) -> Aval {
        self.data.aval()
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        if let Some(c) = prim.downcast::<Constant>() {
            return Ok(std::iter::once(Self::constant(self.runtime.clone(), c.tensor().clone())).collect());
        }
        let inputs: SmallVec<[Tensor; 2]> = args.iter().map(|a| a.data.clone()).collect();
        let avals: SmallVec<[Aval; 3]> = args.iter().map(|a| a.data.aval()).collect();
        let outputs: SmallVec<[Tensor; 1]> = with_engine(|engine, registration, stop| {
            let op = self.runtime.plans.op(&prim, &avals, registration)?;
            engine.run(&*op, &inputs, stop)?.into_iter().map(owned).collect()
        })?;
        let needs = grad_enabled() && args.iter().any(|a| a.requires_grad());
        if !needs {
            return Ok(outputs.into_iter().map(|t| Self::constant(self.runtime.clone(), t)).collect());
        }
        let node = Arc::new(Node {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            prim,
            inputs,
            tracks: args.iter().map(|a| a.track.clone()).collect(),
            outputs: outputs.clone(),
        });
        let wrap = |(i, data): (usize, Tensor)| {
            let track = if data.dtype().is_inexact() { Track::Node(node.clone(), i as u32) } else { Track::None };
            Self { runtime: self.runtime.clone(), data, track }
        };
        Ok(outputs.into_iter().enumerate().map(wrap).collect())
    }
}

/// A view of memory that somebody may write to is copied; other views are shared.
pub(crate) fn owned(out: tenferro_graph::Output) -> Result<Tensor> {
    if out.is_borrowed() && out.tensor().buffer().0.writable_elsewhere() {
        return out.into_tensor();
    }
    Ok(out.tensor().clone())
}

tenferro_ops::impl_value_operators!(EagerTensor);

impl Drop for Node {
    /// Iterative: a chain of a million nodes must not overflow the stack.
    fn drop(&mut self) {
        let mut todo = std::mem::take(&mut self.tracks);
        while let Some(track) = todo.pop() {
            if let Track::Node(node, _) = track
                && let Some(mut node) = Arc::into_inner(node)
            {
                todo.append(&mut node.tracks);
            }
        }
    }
}

impl fmt::Debug for EagerTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EagerTensor({})", self.data.aval())
    }
}
