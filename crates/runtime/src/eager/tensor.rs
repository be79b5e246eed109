//! Tensors whose ops run at once.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tenferro_graph::{Aval, Output, Prim, Result, SmallVec, Tensor, Value, smallvec};
use tenferro_ops::Constant;

use super::plans::{Mask, Op};
use super::session::{EagerRuntime, grad_enabled, with_engine};
use super::views::view;

/// An array, and how it came about where a gradient is needed. Cloning is cheap.
#[derive(Clone)]
pub struct EagerTensor(Arc<Parts>);

struct Parts {
    runtime: EagerRuntime,
    data: Tensor,
    track: Track,
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
    fn lock(&self) -> MutexGuard<'_, Option<Tensor>> {
        self.grad.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn grad(&self) -> Option<Tensor> {
        self.lock().clone()
    }

    pub fn clear(&self) {
        *self.lock() = None;
    }

    /// Sets the gradient, unless another thread has changed it since it was `old`.
    pub fn replace(&self, old: Option<&Tensor>, new: &Tensor) -> bool {
        let mut grad = self.lock();
        let same = match (&*grad, old) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a.buffer().0, b.buffer().0),
            _ => false,
        };
        if same {
            *grad = Some(new.clone());
        }
        same
    }
}

/// What an op leaves for `backward`. Numbers grow with time, so that a node's users
/// have larger ones than it.
pub(crate) struct Node {
    pub number: u64,
    pub op: Arc<Op>,
    pub tracks: SmallVec<[Track; 2]>,
    /// Inputs and outputs that the pullback reads, and their numbers among all.
    pub kept: SmallVec<[Tensor; 2]>,
    pub keeps: Arc<[usize]>,
    /// About how many elements the tape up to here touches.
    pub work: usize,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl EagerTensor {
    fn new(runtime: EagerRuntime, data: Tensor, track: Track) -> Self {
        Self(Arc::new(Parts { runtime, data, track }))
    }

    pub(crate) fn variable(runtime: EagerRuntime, data: Tensor) -> Self {
        Self::new(runtime, data, Track::Variable(Arc::default()))
    }

    pub(crate) fn constant(runtime: EagerRuntime, data: Tensor) -> Self {
        Self::new(runtime, data, Track::None)
    }

    /// Data of the same runtime with a track.
    pub(crate) fn beside(&self, data: Tensor, track: Track) -> Self {
        Self::new(self.0.runtime.clone(), data, track)
    }

    pub fn data(&self) -> &Tensor {
        &self.0.data
    }

    pub fn runtime(&self) -> &EagerRuntime {
        &self.0.runtime
    }

    pub(crate) fn track(&self) -> &Track {
        &self.0.track
    }

    pub fn requires_grad(&self) -> bool {
        !matches!(self.0.track, Track::None)
    }

    /// About how many elements `backward` touches.
    pub fn work(&self) -> usize {
        self.0.track.work()
    }

    /// The same data without gradient.
    pub fn detach(&self) -> Self {
        Self::constant(self.0.runtime.clone(), self.0.data.clone())
    }

    /// The gradient accumulated on this variable; `None` before any `backward`.
    pub fn grad(&self) -> Option<Tensor> {
        match self.track() {
            Track::Variable(v) => v.grad(),
            _ => None,
        }
    }

    pub fn clear_grad(&self) {
        if let Track::Variable(v) = self.track() {
            v.clear();
        }
    }
}

impl Track {
    fn work(&self) -> usize {
        if let Self::Node(n, _) = self { n.work } else { 0 }
    }
}

impl EagerRuntime {
    /// Runs one op on plain data.
    pub fn run(&self, prim: &Prim, inputs: &[Tensor]) -> Result<SmallVec<[Tensor; 3]>> {
        if let Some(t) = view(prim, inputs) {
            return Ok(smallvec![t]);
        }
        Ok(self.run_op(prim, inputs)?.1)
    }

    fn run_op(&self, prim: &Prim, inputs: &[Tensor]) -> Result<(Arc<Op>, SmallVec<[Tensor; 3]>)> {
        with_engine(|engine, registration, stop| {
            let op = self.plans.op(prim, inputs, registration)?;
            if let Some(t) = view(prim, inputs) {
                return Ok((op, smallvec![t]));
            }
            let mut outputs = SmallVec::new();
            for o in engine.run(&*op.plan, inputs, stop)? {
                outputs.push(owned(o)?);
            }
            Ok((op, outputs))
        })
    }
}

impl Node {
    fn new(op: Arc<Op>, args: &[&EagerTensor], inputs: &[Tensor], outputs: &[Tensor]) -> Self {
        let (mut tracks, mut active) = (SmallVec::new(), Mask::new());
        for a in args {
            active.push(a.requires_grad());
            tracks.push(a.0.track.clone());
        }
        let keeps = op.kept(&active);
        let mut kept: SmallVec<[Tensor; 2]> = SmallVec::new();
        for i in keeps.iter() {
            kept.push(inputs.get(*i).unwrap_or_else(|| &outputs[*i - inputs.len()]).clone());
        }
        let work = args.iter().fold(op.work, |w, a| w.saturating_add(a.work()));
        Self { number: NEXT.fetch_add(1, Ordering::Relaxed), op, tracks, kept, keeps, work }
    }
}

impl Value for EagerTensor {
    fn aval(&self) -> Aval {
        self.0.data.aval()
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        let runtime = &self.0.runtime;
        let mut out = SmallVec::new();
        if let Some(c) = prim.downcast::<Constant>() {
            out.push(Self::constant(runtime.clone(), c.tensor().clone()));
            return Ok(out);
        }
        let mut inputs: SmallVec<[Tensor; 3]> = SmallVec::new();
        for a in args {
            inputs.push(a.0.data.clone());
        }
        if !(grad_enabled() && args.iter().any(|a| a.requires_grad())) {
            for t in runtime.run(&prim, &inputs)? {
                out.push(Self::constant(runtime.clone(), t));
            }
            return Ok(out);
        }
        let (op, outputs) = runtime.run_op(&prim, &inputs)?;
        let node = Arc::new(Node::new(op, args, &inputs, &outputs));
        for (i, data) in outputs.into_iter().enumerate() {
            let track = if data.dtype().is_inexact() { Track::Node(node.clone(), i as u32) } else { Track::None };
            out.push(Self::new(runtime.clone(), data, track));
        }
        Ok(out)
    }
}

/// A view of memory that somebody may write to is copied; other views are shared.
pub fn owned(out: Output) -> Result<Tensor> {
    match out {
        Output::Borrowed { view, .. } if !view.buffer().0.writable_elsewhere() => Ok(view),
        out => out.into_tensor(),
    }
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
        write!(f, "EagerTensor({})", self.0.data.aval())
    }
}
