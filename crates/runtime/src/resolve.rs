//! From fragments to one program, where equal values become one.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};
use tenferro_graph::{Builder, Fingerprint, Program, Result, Val, Vals};

use crate::fragment::{Fragment, Source};
use crate::traced::TracedTensor;

type ByIdentity = HashMap<Fingerprint, Val, BuildHasherDefault<FxHasher>>;

/// A program and where its values come from.
pub(crate) struct Resolved {
    pub program: Program,
    /// Per input, its leaf's fragment.
    pub leaves: Vec<Arc<Fragment>>,
    /// Per value, the tensor it is; `None` for values that no fragment records.
    pub origin: Vec<Option<TracedTensor>>,
    by_identity: ByIdentity,
}

impl Resolved {
    /// The number of a traced value, if the program has it.
    pub fn find(&self, t: &TracedTensor) -> Option<Val> {
        self.by_identity.get(&t.info().identity).copied()
    }
}

/// Fragments that the roots need, inputs before users. Iterative.
fn ordered(roots: &[TracedTensor]) -> Vec<Arc<Fragment>> {
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut out = Vec::new();
    for root in roots {
        let mut stack: Vec<(Arc<Fragment>, usize)> = vec![];
        if seen.insert(root.fragment.id) {
            stack.push((root.fragment.clone(), 0));
        }
        while let Some((f, next)) = stack.last_mut() {
            if let Some(child) = f.sources.get(*next).cloned() {
                *next += 1;
                if seen.insert(child.id) {
                    stack.push((child, 0));
                }
            } else if let Some((f, _)) = stack.pop() {
                out.push(f);
            }
        }
    }
    out
}

/// The program of the roots. Its outputs are the roots, in order.
pub(crate) fn resolve(roots: &[TracedTensor]) -> Result<Resolved> {
    let fragments = ordered(roots);
    let b = Builder::new();
    let mut by_identity = ByIdentity::default();
    let mut leaves = Vec::new();
    let mut origin: Vec<Option<TracedTensor>> = Vec::new();
    // Inputs are in the order in which they were made, whatever reads them first.
    let mut made: Vec<&Arc<Fragment>> = fragments.iter().filter(|f| f.leaf.is_some()).collect();
    made.sort_by_key(|f| f.id);
    for f in made {
        let info = &f.values[0];
        by_identity.insert(info.identity, b.input(info.aval.clone()));
        leaves.push(f.clone());
        origin.push(Some(TracedTensor { fragment: f.clone(), value: 0 }));
    }
    let mut args = Vals::new();
    for f in fragments.iter().filter(|f| f.leaf.is_none()) {
        b.guard(&f.guards);
        for op in &f.ops {
            if by_identity.contains_key(&f.identity(Source::Own(op.first_out))) {
                continue;
            }
            args.clear();
            args.extend(op.inputs.iter().map(|s| by_identity[&f.identity(*s)]));
            let outs = b.emit(op.prim.clone(), &args)?;
            for (i, v) in outs.into_iter().enumerate() {
                let value = op.first_out + i as u32;
                by_identity.insert(f.values[value as usize].identity, v);
                origin.push(Some(TracedTensor { fragment: f.clone(), value }));
            }
        }
    }
    let outputs = roots.iter().map(|r| by_identity[&r.info().identity]).collect();
    Ok(Resolved { program: b.finish(outputs)?, leaves, origin, by_identity })
}
