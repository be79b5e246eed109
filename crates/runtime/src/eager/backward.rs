//! Going back over a tape: as one prepared program if its like was seen before, else
//! node by node, each pullback a prepared program.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tenferro_graph::{Error, ExecutionEngine, Interrupt, Registration, Result, SmallVec, Tensor};
use tenferro_ops::{Binary, BinaryOp, Number};

use super::plans::{Mask, Op, Plans, not_kept};
use super::session::with_engine;
use super::tape::{Walk, Whole};
use super::tensor::{EagerTensor, Node, Track, Variable, owned};

impl EagerTensor {
    /// Adds the gradient of this real scalar to every variable that it depends on.
    ///
    /// # Errors
    /// `Shape` if this is not a scalar, `DType` if complex, `Value` if no variable is
    /// involved.
    pub fn backward(&self) -> Result<()> {
        if self.data().rank() != 0 {
            return Err(Error::shape("backward", format!("needs a scalar, got shape {}; sum it first", self.data().aval().shape)));
        }
        let dtype = self.data().dtype();
        if !dtype.is_float() {
            return Err(Error::dtype("backward", format!("needs a real floating scalar, got {dtype}")));
        }
        let one = Number::Float(1.0).tensor(dtype)?;
        with_engine(|engine, registration, stop| {
            let mut sweep = Sweep { plans: &self.runtime().plans, engine, registration, stop };
            match self.track() {
                Track::None => Err(Error::value("backward", "no variable is involved")),
                Track::Variable(v) => sweep.write(&[(v, one)]),
                Track::Node(node, out) => sweep.run(node, *out, &one),
            }
        })
    }
}

/// Cotangents of a node's active inputs, without a tape.
pub(super) fn pull_plain(node: &Node, cts: &[Option<EagerTensor>], active: &Mask) -> Result<SmallVec<[Option<EagerTensor>; 2]>> {
    let Some(like) = cts.iter().flatten().next() else { return Ok(active.iter().map(|_| None).collect()) };
    let data: Slots = cts.iter().map(|ct| ct.as_ref().map(|t| t.data().clone())).collect();
    let pulled = with_engine(|engine, registration, stop| {
        Sweep { plans: &like.runtime().plans, engine, registration, stop }.pull(node, &data, active)
    })?;
    Ok(pulled.into_iter().map(|t| t.map(|t| like.runtime().constant_from(t))).collect())
}

struct Sweep<'a> {
    plans: &'a Plans,
    engine: &'a mut dyn ExecutionEngine,
    registration: &'a Registration,
    stop: &'a dyn Interrupt,
}

type Slots = SmallVec<[Option<Tensor>; 2]>;
type Pending<'t> = BTreeMap<u64, (&'t Arc<Node>, Slots)>;

impl Sweep<'_> {
    /// Variables are written at the end, so that an error leaves them as they were.
    fn run(&mut self, root: &Arc<Node>, out: u32, seed: &Tensor) -> Result<()> {
        if let Some(walk) = Walk::new(root, out, self.registration) {
            let (tape, known) = self.plans.tape(walk.hash, &walk.key);
            if known && let Some(whole) = tape.whole(&walk, out, self.registration) {
                return self.run_whole(&walk, whole, seed);
            }
        }
        self.run_nodes(root, out, seed)
    }

    fn run_whole(&mut self, walk: &Walk<'_>, whole: &Whole, seed: &Tensor) -> Result<()> {
        let outs = self.engine.run(&*whole.plan, &walk.inputs(whole, seed), self.stop)?;
        let outs = outs.into_iter().map(owned).collect::<Result<Vec<_>>>()?;
        let with_grad = walk.variables.iter().zip(&whole.results).filter_map(|(v, r)| Some((*v, outs[(*r)?].clone())));
        self.write(&with_grad.collect::<Vec<_>>())
    }

    /// Largest number first: when a node's turn comes, all its users have had theirs.
    fn run_nodes(&mut self, root: &Arc<Node>, out: u32, seed: &Tensor) -> Result<()> {
        let mut pending = Pending::new();
        let mut variables: HashMap<*const Variable, (&Arc<Variable>, Tensor)> = HashMap::new();
        self.add(&mut pending, root, out, seed.clone())?;
        while let Some((_, (node, cts))) = pending.pop_last() {
            self.stop.poll()?;
            let active: Mask = node.tracks.iter().map(|t| !matches!(t, Track::None)).collect();
            for (track, ct) in node.tracks.iter().zip(self.pull(node, &cts, &active)?) {
                match (track, ct) {
                    (Track::Node(n, out), Some(ct)) => self.add(&mut pending, n, *out, ct)?,
                    (Track::Variable(v), Some(ct)) => {
                        let sum = match variables.remove(&Arc::as_ptr(v)) {
                            Some((_, old)) => self.sum(&old, &ct)?,
                            None => ct,
                        };
                        variables.insert(Arc::as_ptr(v), (v, sum));
                    }
                    _ => {}
                }
            }
        }
        self.write(&variables.into_values().collect::<Vec<_>>())
    }

    fn add<'t>(&mut self, pending: &mut Pending<'t>, node: &'t Arc<Node>, out: u32, ct: Tensor) -> Result<()> {
        let entry = pending.entry(node.number).or_insert_with(|| (node, node.op.outs.iter().map(|_| None).collect()));
        let slot = &mut entry.1[out as usize];
        *slot = Some(match slot.take() {
            Some(old) => self.sum(&old, &ct)?,
            None => ct,
        });
        Ok(())
    }

    fn sum(&mut self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        let inputs = [a.clone(), b.clone()];
        let op = self.plans.op(&Binary(BinaryOp::Add).into(), &inputs, self.registration)?;
        self.engine.run(&*op.plan, &inputs, self.stop)?.remove(0).into_tensor()
    }

    /// Adds to the gradients of variables. All sums are made before one is written; where
    /// another thread has been faster, its sum is taken up and the addition made again.
    fn write(&mut self, gradients: &[(&Arc<Variable>, Tensor)]) -> Result<()> {
        let with = |this: &mut Self, old: &Option<Tensor>, ct: &Tensor| match old {
            Some(old) => this.sum(old, ct),
            None => ct.compact(),
        };
        let mut sums: SmallVec<[(Option<Tensor>, Tensor); 2]> = SmallVec::new();
        for (v, ct) in gradients {
            let old = v.grad();
            let new = with(self, &old, ct)?;
            sums.push((old, new));
        }
        for ((v, ct), (mut old, mut new)) in gradients.iter().zip(sums) {
            while !v.replace(old.as_ref(), &new) {
                old = v.grad();
                new = with(self, &old, ct)?;
            }
        }
        Ok(())
    }

    /// Cotangents of a node's active inputs.
    fn pull(&mut self, node: &Node, cts: &Slots, active: &Mask) -> Result<Slots> {
        let op = self.op_here(node)?;
        let with_ct: Mask = cts.iter().map(Option::is_some).collect();
        let pullback = op.pullback(active, &with_ct)?;
        let Some(plan) = pullback.plan(self.registration)? else { return Ok(node.tracks.iter().map(|_| None).collect()) };
        let n = op.avals.len() + op.outs.len();
        let mut inputs: SmallVec<[Tensor; 6]> = SmallVec::new();
        for i in &pullback.reads {
            let kept = || Some(&node.kept[node.keeps.iter().position(|k| k == i)?]);
            let t = if *i < n { kept() } else { cts.iter().flatten().nth(*i - n) };
            inputs.push(t.ok_or_else(|| not_kept(&op))?.clone());
        }
        let outs = self.engine.run(&**plan, &inputs, self.stop)?;
        let outs = outs.into_iter().map(owned).collect::<Result<SmallVec<[Tensor; 2]>>>()?;
        Ok(pullback.results.iter().map(|r| r.map(|i| outs[i].clone())).collect())
    }

    /// The node's op, planned for the engine that goes back, which may be another kind
    /// than the one that went forward.
    fn op_here(&self, node: &Node) -> Result<Arc<Op>> {
        if node.op.registration.target == self.registration.target {
            return Ok(node.op.clone());
        }
        self.plans.op_for(&node.op, self.registration)
    }
}
