//! Recorded pieces of a graph. A fragment is immutable; tensors point into it.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tenferro_graph::{Aval, Encoder, Fingerprint, Guards, Prim, SmallVec, Tensor};

/// Why an operation stands in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The user recorded it.
    Primary,
    /// A jvp made it.
    Tangent,
    /// A vjp or grad made it.
    Cotangent,
}

/// Identifies a leaf in every graph that uses it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LeafKey(u64);

impl LeafKey {
    pub fn number(self) -> u64 {
        self.0
    }
}

/// An input of a graph: a placeholder, or bound to data.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub key: LeafKey,
    pub name: Option<Arc<str>>,
    pub data: Option<Tensor>,
}

/// Where an operation's argument comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A value of this fragment.
    Own(u32),
    /// A value of `sources[fragment]`.
    Of { fragment: u32, value: u32 },
}

#[derive(Debug)]
pub(crate) struct Op {
    pub prim: Prim,
    pub inputs: SmallVec<[Source; 2]>,
    pub first_out: u32,
    pub role: Role,
}

#[derive(Clone, Debug)]
pub(crate) struct ValueInfo {
    pub aval: Aval,
    /// The value's identity in every fragment: equal values have equal ones.
    pub identity: Fingerprint,
}

/// A piece of a graph. Its parents are the fragments whose values were recorded on;
/// a derivative's fragment has none and refers to the original values instead.
pub struct Fragment {
    pub(crate) id: u64,
    pub(crate) ops: Vec<Op>,
    pub(crate) values: Vec<ValueInfo>,
    pub(crate) sources: Vec<Arc<Fragment>>,
    pub(crate) n_parents: usize,
    pub(crate) leaf: Option<Leaf>,
    pub(crate) guards: Guards,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

fn next_id() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Fragment {
    pub(crate) fn leaf(aval: Aval, name: Option<Arc<str>>, data: Option<Tensor>) -> Arc<Self> {
        let id = next_id();
        let mut w = Encoder::new();
        w.str("leaf");
        w.u64(id);
        let values = vec![ValueInfo { aval, identity: w.finish() }];
        let leaf = Some(Leaf { key: LeafKey(id), name, data });
        Arc::new(Self { id, ops: vec![], values, sources: vec![], n_parents: 0, leaf, guards: Guards::default() })
    }

    pub(crate) fn identity(&self, s: Source) -> Fingerprint {
        match s {
            Source::Own(v) => self.values[v as usize].identity,
            Source::Of { fragment, value } => self.sources[fragment as usize].values[value as usize].identity,
        }
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    /// Fragments that the recorded inputs belong to.
    pub fn parents(&self) -> &[Arc<Self>] {
        &self.sources[..self.n_parents]
    }

    /// Fragments whose values a derivative reads.
    pub fn references(&self) -> &[Arc<Self>] {
        &self.sources[self.n_parents..]
    }

    pub fn operations(&self) -> Vec<Operation> {
        let describe = |op: &Op| Operation {
            name: tenferro_ops::operation_name(op.prim.name()),
            attributes: op.prim.attributes(),
            inputs: op.inputs.iter().map(|s| format!("{:?}", self.identity(*s))).collect(),
            role: op.role,
        };
        self.ops.iter().map(describe).collect()
    }
}

/// An operation as users see it.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `ReduceSum`, `DotGeneral`, …
    pub name: String,
    pub attributes: Vec<(&'static str, String)>,
    /// Identities of the inputs.
    pub inputs: Vec<String>,
    pub role: Role,
}

/// Fills a new fragment.
pub(crate) struct Recorder {
    fragment: Fragment,
}

thread_local! {
    static ENCODER: RefCell<Encoder> = RefCell::new(Encoder::new());
}

/// Identities of an operation's outputs: made once, from its name, attributes and
/// inputs.
fn identities(prim: &Prim, inputs: &[Fingerprint], n_outs: usize) -> SmallVec<[Fingerprint; 2]> {
    ENCODER.with_borrow_mut(|w| {
        w.clear();
        prim.encode_into(w);
        for p in prim.programs() {
            w.fingerprint(p.fingerprint());
        }
        let mut inputs: SmallVec<[Fingerprint; 4]> = inputs.into();
        if prim.commutative() {
            inputs.sort_unstable();
        }
        w.usize(inputs.len());
        inputs.iter().for_each(|i| w.fingerprint(*i));
        let base = w.finish();
        let other = |i: usize| {
            w.clear();
            w.fingerprint(base);
            w.usize(i);
            w.finish()
        };
        std::iter::once(base).chain((1..n_outs).map(other)).collect()
    })
}

impl Recorder {
    /// `parents` and then `references`; sources refer to them in this order.
    pub fn new(sources: Vec<Arc<Fragment>>, n_parents: usize) -> Self {
        let fragment = Fragment {
            id: next_id(),
            ops: Vec::with_capacity(1),
            values: Vec::with_capacity(1),
            sources,
            n_parents,
            leaf: None,
            guards: Guards::default(),
        };
        Self { fragment }
    }

    pub fn guard(&mut self, guards: &Guards) {
        self.fragment.guards.extend(guards);
    }

    /// Appends an operation whose output avals are known.
    pub fn push(&mut self, prim: Prim, inputs: SmallVec<[Source; 2]>, outs: impl ExactSizeIterator<Item = Aval>, role: Role) -> u32 {
        let f = &mut self.fragment;
        let ids: SmallVec<[Fingerprint; 4]> = inputs.iter().map(|s| f.identity(*s)).collect();
        let first_out = f.values.len() as u32;
        let identities = identities(&prim, &ids, outs.len());
        f.values.extend(outs.zip(identities).map(|(aval, identity)| ValueInfo { aval, identity }));
        f.ops.push(Op { prim, inputs, first_out, role });
        first_out
    }

    pub fn finish(self) -> Arc<Fragment> {
        Arc::new(self.fragment)
    }
}

impl Drop for Fragment {
    /// Iterative: a chain of a million fragments must not overflow the stack.
    fn drop(&mut self) {
        let mut todo = std::mem::take(&mut self.sources);
        while let Some(f) = todo.pop() {
            if let Some(mut f) = Arc::into_inner(f) {
                todo.append(&mut f.sources);
            }
        }
    }
}

impl fmt::Debug for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fragment(id {}, {} operations)", self.id, self.ops.len())
    }
}
