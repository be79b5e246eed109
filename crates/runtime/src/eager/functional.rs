//! Gradients of eager tensors as eager tensors: nothing accumulates, and they can be
//! differentiated again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use tenferro_graph::{Error, Result, SmallVec};
use tenferro_ops::{Number, add};

use super::plans::{Mask, not_kept};
use super::session::NoGrad;
use super::tensor::{EagerTensor, Node, Track, Variable};
use crate::substitute::replay;

type Slots = SmallVec<[Option<EagerTensor>; 2]>;

impl EagerTensor {
    /// Per input the cotangent that `cotangents` of the outputs, 1 for a real scalar where it is
    /// `None`, give it; `None` where no output depends on it. Inputs are variables or results on
    /// the way. With `create_graph` the results are recorded, so that they can be differentiated
    /// in turn; without they are constants.
    ///
    /// # Errors
    /// `Shape` and `DType` as `backward` and for cotangents that do not fit; `Value` for an input
    /// without gradient, or if no variable is involved.
    pub fn gradients(outputs: &[Self], inputs: &[Self], cotangents: &[Option<Self>], create_graph: bool) -> Result<Vec<Option<Self>>> {
        let _constant = (!create_graph).then(NoGrad::new);
        if let Some(i) = inputs.iter().position(|x| !x.requires_grad()) {
            return Err(Error::value("grad", format!("input {i} has no gradient; make it with variable_from")));
        }
        if !outputs.iter().any(Self::requires_grad) {
            return Err(Error::value("grad", "no output depends on a variable"));
        }
        let mut sweep = Sweep::towards(inputs, outputs);
        for (i, y) in outputs.iter().enumerate() {
            let ct = seed(y, cotangents.get(i).and_then(Option::as_ref))?;
            sweep.give(y.track(), &ct)?;
        }
        while let Some((_, (node, cts))) = sweep.pending.pop_last() {
            sweep.pull(&node, &cts)?;
        }
        let results = inputs.iter().map(|x| sweep.found.remove(&Place::of(x.track())?));
        let results: Vec<Option<Self>> = results.collect();
        // The same input twice has the same gradient twice.
        let again =
            |i: usize| inputs.iter().zip(&results).find(|(x, r)| r.is_some() && Place::of(x.track()) == Place::of(inputs[i].track()));
        let all = (0..inputs.len()).map(|i| again(i).and_then(|(_, r)| r.clone()));
        Ok(all.map(|r| r.map(|r| if create_graph { r } else { r.detach() })).collect())
    }
}

/// The cotangent of an output.
fn seed(y: &EagerTensor, given: Option<&EagerTensor>) -> Result<EagerTensor> {
    let (dtype, shape) = (y.data().dtype(), y.data().aval().shape);
    if let Some(ct) = given {
        if ct.data().dtype() != dtype {
            return Err(Error::dtype("grad", format!("a cotangent is {}, its output {dtype}", ct.data().dtype())));
        }
        if ct.data().shape() != y.data().shape() {
            return Err(Error::shape("grad", format!("a cotangent has shape {}, its output {shape}", ct.data().aval().shape)));
        }
        return Ok(ct.clone());
    }
    if y.data().rank() != 0 {
        return Err(Error::shape("grad", format!("needs a scalar, got shape {shape}; sum it first, or give a cotangent")));
    }
    if !dtype.is_float() {
        return Err(Error::dtype("grad", format!("needs a real floating scalar, got {dtype}; or give a cotangent")));
    }
    Ok(y.runtime().constant_from(Number::Float(1.0).tensor(dtype)?))
}

/// Where cotangents gather.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Variable(*const Variable),
    Output(u64, u32),
}

impl Place {
    fn of(track: &Track) -> Option<Self> {
        match track {
            Track::None => None,
            Track::Variable(v) => Some(Self::Variable(Arc::as_ptr(v))),
            Track::Node(node, out) => Some(Self::Output(node.number, *out)),
        }
    }
}

struct Sweep {
    /// Cotangents of the inputs, as far as they are known.
    found: HashMap<Place, EagerTensor>,
    wanted: Vec<Place>,
    /// Nodes that lead to an input.
    needed: BTreeSet<u64>,
    /// Nodes with cotangents; the users of the last one have all had their turn.
    pending: BTreeMap<u64, (Arc<Node>, Slots)>,
}

impl Sweep {
    fn towards(inputs: &[EagerTensor], outputs: &[EagerTensor]) -> Self {
        let wanted: Vec<Place> = inputs.iter().filter_map(|x| Place::of(x.track())).collect();
        let mut behind: BTreeMap<u64, &Arc<Node>> = BTreeMap::new();
        let mut todo: Vec<&Track> = outputs.iter().map(EagerTensor::track).collect();
        while let Some(track) = todo.pop() {
            if let Track::Node(node, _) = track
                && behind.insert(node.number, node).is_none()
            {
                todo.extend(&node.tracks);
            }
        }
        let mut needed = BTreeSet::new();
        // Smaller numbers come first, and those are what larger ones use.
        for (number, node) in behind {
            let leads = |t: &Track| {
                let before = matches!(t, Track::Node(n, _) if needed.contains(&n.number));
                before || Place::of(t).is_some_and(|p| wanted.contains(&p))
            };
            if node.tracks.iter().any(leads) {
                needed.insert(number);
            }
        }
        Self { found: HashMap::new(), wanted, needed, pending: BTreeMap::new() }
    }

    /// Adds a cotangent where it is wanted and where it leads on.
    fn give(&mut self, track: &Track, ct: &EagerTensor) -> Result<()> {
        let sum = |old: Option<EagerTensor>| old.map_or_else(|| Ok(ct.clone()), |old| add(&old, ct));
        if let Some(place) = Place::of(track).filter(|p| self.wanted.contains(p)) {
            let all = sum(self.found.remove(&place))?;
            self.found.insert(place, all);
        }
        if let Track::Node(node, out) = track
            && self.needed.contains(&node.number)
        {
            let fresh = || (node.clone(), node.op.outs.iter().map(|_| None).collect());
            let slot = &mut self.pending.entry(node.number).or_insert_with(fresh).1[*out as usize];
            *slot = Some(sum(slot.take())?);
        }
        Ok(())
    }

    /// Hands the cotangents of a node's outputs on to its inputs, op by op, so that what the
    /// pullback does is recorded as any other computation.
    fn pull(&mut self, node: &Arc<Node>, cts: &Slots) -> Result<()> {
        let Some(like) = cts.iter().flatten().next() else { return Ok(()) };
        let active: Mask = node.tracks.iter().map(|t| !matches!(t, Track::None)).collect();
        let with_ct: Mask = cts.iter().map(Option::is_some).collect();
        let pullback = node.op.pullback(&active, &with_ct)?;
        let Some(program) = pullback.program() else { return Ok(()) };
        let n = node.op.avals.len() + node.op.outs.len();
        let value = |i: &usize| if *i < n { node.value(*i, like.runtime()) } else { cts.iter().flatten().nth(*i - n).cloned() };
        let values = pullback.reads.iter().map(|i| value(i).ok_or_else(|| not_kept(&node.op)));
        let outs = replay(program, values.collect::<Result<_>>()?, like)?;
        for (track, result) in node.tracks.iter().zip(&pullback.results) {
            if let Some(i) = result {
                self.give(track, &outs[*i])?;
            }
        }
        Ok(())
    }
}
