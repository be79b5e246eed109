//! Gradients of eager tensors as values: nothing accumulates, and where asked the way back leaves a
//! tape of its own.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use tenferro_graph::{Error, Result, SmallVec, Value};
use tenferro_ops::{Number, add};

use super::backward::pull_plain;
use super::plans::{Mask, not_kept};
use super::session::{EagerRuntime, NoGrad};
use super::tensor::{EagerTensor, Node, Track};
use crate::substitute::replay;

/// A variable (true, by its address) or an output of a node (by its number).
type Slot = (bool, u64, u32);

fn slot(track: &Track) -> Option<Slot> {
    match track {
        Track::None => None,
        Track::Variable(v) => Some((true, Arc::as_ptr(v) as u64, 0)),
        Track::Node(n, out) => Some((false, n.number, *out)),
    }
}

impl EagerRuntime {
    /// The gradient of the sum of `outputs`, each times its cotangent (1 without), by each of
    /// `inputs`: variables or tensors on the way. `None` where no output depends on an input.
    /// Gradients of variables stay as they are. With `create_graph` the results can be
    /// differentiated again.
    ///
    /// # Errors
    /// `Value` if no output depends on a variable, or for another number of cotangents; `Shape` for
    /// outputs that are no scalars, `DType` for complex ones, unless cotangents are given, which
    /// have their shapes and dtypes.
    pub fn grad(
        &self,
        outputs: &[EagerTensor],
        inputs: &[EagerTensor],
        cotangents: Option<&[EagerTensor]>,
        create_graph: bool,
    ) -> Result<Vec<Option<EagerTensor>>> {
        let seeds = self.seeds(outputs, cotangents)?;
        if !outputs.iter().any(EagerTensor::requires_grad) {
            return Err(Error::value("grad", "no output depends on a variable"));
        }
        let _guard = (!create_graph).then(NoGrad::new);
        let wanted: HashSet<Slot> = inputs.iter().filter_map(|x| slot(x.track())).collect();
        let mut sweep = Sweep { create_graph, useful: useful(outputs, &wanted), wanted, pending: BTreeMap::new(), done: HashMap::new() };
        for (y, seed) in outputs.iter().zip(seeds) {
            sweep.give(y.track(), seed)?;
        }
        while let Some((_, (node, cts))) = sweep.pending.pop_last() {
            sweep.back(&node, &cts)?;
        }
        let found = |x: &EagerTensor| slot(x.track()).and_then(|s| sweep.done.get(&s).cloned());
        Ok(inputs.iter().map(|x| found(x).map(|g| if create_graph { g } else { g.detach() })).collect())
    }

    fn seeds(&self, outputs: &[EagerTensor], cotangents: Option<&[EagerTensor]>) -> Result<Vec<EagerTensor>> {
        if let Some(cts) = cotangents {
            if cts.len() != outputs.len() {
                return Err(Error::value("grad", format!("{} cotangents for {} outputs", cts.len(), outputs.len())));
            }
            for (y, ct) in outputs.iter().zip(cts) {
                if y.aval() != ct.aval() {
                    return Err(Error::shape("grad", format!("a cotangent of {} is {}", y.aval(), ct.aval())));
                }
            }
            return Ok(cts.to_vec());
        }
        let one = |y: &EagerTensor| {
            let aval = y.aval();
            if aval.rank() != 0 {
                return Err(Error::shape("grad", format!("needs scalars, got shape {}; sum it first, or give cotangents", aval.shape)));
            }
            if !aval.dtype.is_float() {
                return Err(Error::dtype("grad", format!("needs real floating scalars, got {}", aval.dtype)));
            }
            Ok(self.constant_from(Number::Float(1.0).tensor(aval.dtype)?))
        };
        outputs.iter().map(one).collect()
    }
}

/// Numbers of the nodes behind the outputs that one of the wanted slots leads to.
fn useful(outputs: &[EagerTensor], wanted: &HashSet<Slot>) -> HashSet<u64> {
    let node = |t: &Track| if let Track::Node(n, _) = t { Some(n.clone()) } else { None };
    let numbered = |n: Arc<Node>| (n.number, n);
    let mut todo: BTreeMap<u64, Arc<Node>> = outputs.iter().filter_map(|y| node(y.track())).map(numbered).collect();
    let mut nodes: Vec<Arc<Node>> = vec![];
    while let Some((_, n)) = todo.pop_last() {
        todo.extend(n.tracks.iter().filter_map(node).map(numbered));
        nodes.push(n);
    }
    let mut useful = HashSet::new();
    // What a node uses has a smaller number.
    for n in nodes.iter().rev() {
        if n.tracks.iter().any(|t| leads(t, wanted, &useful)) {
            useful.insert(n.number);
        }
    }
    useful
}

fn leads(track: &Track, wanted: &HashSet<Slot>, useful: &HashSet<u64>) -> bool {
    slot(track).is_some_and(|s| wanted.contains(&s)) || matches!(track, Track::Node(n, _) if useful.contains(&n.number))
}

type Cotangents = SmallVec<[Option<EagerTensor>; 2]>;

struct Sweep {
    create_graph: bool,
    useful: HashSet<u64>,
    wanted: HashSet<Slot>,
    pending: BTreeMap<u64, (Arc<Node>, Cotangents)>,
    done: HashMap<Slot, EagerTensor>,
}

impl Sweep {
    fn give(&mut self, track: &Track, ct: EagerTensor) -> Result<()> {
        let Some(s) = slot(track) else { return Ok(()) };
        let Track::Node(node, out) = track else {
            if self.wanted.contains(&s) {
                let sum = self.done.remove(&s).map_or_else(|| Ok(ct.clone()), |old| add(&old, &ct))?;
                self.done.insert(s, sum);
            }
            return Ok(());
        };
        if !self.wanted.contains(&s) && !self.useful.contains(&node.number) {
            return Ok(());
        }
        let entry = self.pending.entry(node.number).or_insert_with(|| (node.clone(), node.op.outs.iter().map(|_| None).collect()));
        let slot = &mut entry.1[*out as usize];
        *slot = Some(slot.take().map_or_else(|| Ok(ct.clone()), |old| add(&old, &ct))?);
        Ok(())
    }

    /// Largest number first: when a node's turn comes, all its users have had theirs.
    fn back(&mut self, node: &Arc<Node>, cts: &Cotangents) -> Result<()> {
        for (out, ct) in cts.iter().enumerate() {
            let s = (false, node.number, out as u32);
            if let Some(ct) = ct.as_ref().filter(|_| self.wanted.contains(&s)) {
                self.done.insert(s, ct.clone());
            }
        }
        if !self.useful.contains(&node.number) {
            return Ok(());
        }
        let active: Mask = node.tracks.iter().map(|t| leads(t, &self.wanted, &self.useful)).collect();
        let pulled = if self.create_graph { recorded(node, cts, &active)? } else { pull_plain(node, cts, &active)? };
        for (track, ct) in node.tracks.iter().zip(pulled) {
            if let Some(ct) = ct {
                self.give(track, ct)?;
            }
        }
        Ok(())
    }
}

/// Cotangents of a node's inputs by the pullback's ops one by one, which leave nodes themselves.
fn recorded(node: &Arc<Node>, cts: &Cotangents, active: &Mask) -> Result<Cotangents> {
    let with_ct: Mask = cts.iter().map(Option::is_some).collect();
    let pullback = node.op.pullback(active, &with_ct)?;
    let Some(program) = pullback.program() else { return Ok(active.iter().map(|_| None).collect()) };
    let given: Vec<&EagerTensor> = cts.iter().flatten().collect();
    let Some(&like) = given.first() else { return Ok(active.iter().map(|_| None).collect()) };
    let inputs = node.op.avals.len();
    let mut values: Vec<EagerTensor> = vec![];
    for i in &pullback.reads {
        if let Some(ct) = i.checked_sub(inputs + node.op.outs.len()) {
            values.push(given.get(ct).copied().ok_or_else(|| not_kept(&node.op))?.clone());
            continue;
        }
        let at = node.keeps.iter().position(|k| k == i).ok_or_else(|| not_kept(&node.op))?;
        let track = match i.checked_sub(inputs) {
            None => node.tracks[*i].clone(),
            Some(out) if node.op.outs[out].dtype.is_inexact() => Track::Node(node.clone(), out as u32),
            Some(_) => Track::None,
        };
        values.push(like.beside(node.kept[at].clone(), track));
    }
    let outs = replay(program, values, like)?;
    Ok(pullback.results.iter().map(|r| r.map(|i| outs[i].clone())).collect())
}
