//! Going back over the nodes: each one's pullback is a prepared program.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tenferro_graph::{Aval, Error, ExecutionEngine, Interrupt, Registration, Result, SmallVec, Tensor};
use tenferro_ops::{Binary, BinaryOp, Number};

use super::plans::{Mask, Plans};
use super::session::with_engine;
use super::tensor::{EagerTensor, Node, Track, Variable, owned};

impl EagerTensor {
    /// Adds the gradient of this real scalar to every variable that it depends on.
    ///
    /// # Errors
    /// `Shape` if this is not a scalar, `DType` if complex, `Value` if no variable is
    /// involved.
    pub fn backward(&self) -> Result<()> {
        let aval = self.data.aval();
        if aval.rank() != 0 {
            return Err(Error::shape("backward", format!("needs a scalar, got shape {}; sum it first", aval.shape)));
        }
        if !aval.dtype.is_float() {
            return Err(Error::dtype("backward", format!("needs a real floating scalar, got {}", aval.dtype)));
        }
        let one = Number::Float(1.0).tensor(aval.dtype)?;
        match &self.track {
            Track::None => Err(Error::value("backward", "no variable is involved")),
            Track::Variable(v) => with_engine(|engine, registration, stop| {
                let grad = Sweep { plans: &self.runtime.plans, engine, registration, stop }.accumulated(v, one)?;
                v.set_grad(Some(grad));
                Ok(())
            }),
            Track::Node(node, out) => with_engine(|engine, registration, stop| {
                Sweep { plans: &self.runtime.plans, engine, registration, stop }.run(node, *out, one)
            }),
        }
    }
}

struct Sweep<'a> {
    plans: &'a Plans,
    engine: &'a mut dyn ExecutionEngine,
    registration: &'a Registration,
    stop: &'a dyn Interrupt,
}

type Slots = SmallVec<[Option<Tensor>; 2]>;

impl Sweep<'_> {
    /// Largest number first: when a node's turn comes, all its users have had theirs.
    /// Variables are written at the end, so that an error leaves them as they were.
    fn run(&mut self, root: &Arc<Node>, out: u32, one: Tensor) -> Result<()> {
        let mut pending: BTreeMap<u64, (Arc<Node>, Slots)> = BTreeMap::new();
        let mut variables: HashMap<*const Variable, (Arc<Variable>, Tensor)> = HashMap::new();
        self.add(&mut pending, root, out, one)?;
        while let Some((_, (node, cts))) = pending.pop_last() {
            self.stop.poll()?;
            for (track, ct) in node.tracks.iter().zip(self.pull(&node, &cts)?) {
                match (track, ct) {
                    (Track::Node(n, out), Some(ct)) => self.add(&mut pending, n, *out, ct)?,
                    (Track::Variable(v), Some(ct)) => {
                        let sum = match variables.remove(&Arc::as_ptr(v)) {
                            Some((_, old)) => self.sum(&old, &ct)?,
                            None => ct,
                        };
                        variables.insert(Arc::as_ptr(v), (v.clone(), sum));
                    }
                    _ => {}
                }
            }
        }
        let new = variables.into_values().map(|(v, ct)| Ok((self.accumulated(&v, ct)?, v)));
        for (grad, v) in new.collect::<Result<Vec<_>>>()? {
            v.set_grad(Some(grad));
        }
        Ok(())
    }

    fn add(&mut self, pending: &mut BTreeMap<u64, (Arc<Node>, Slots)>, node: &Arc<Node>, out: u32, ct: Tensor) -> Result<()> {
        let entry = pending.entry(node.number).or_insert_with(|| (node.clone(), node.outputs.iter().map(|_| None).collect()));
        let slot = &mut entry.1[out as usize];
        *slot = Some(match slot.take() {
            Some(old) => self.sum(&old, &ct)?,
            None => ct,
        });
        Ok(())
    }

    fn sum(&mut self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        let plan = self.plans.op(&Binary(BinaryOp::Add).into(), &[a.aval(), b.aval()], self.registration)?;
        self.engine.run(&*plan, &[a.clone(), b.clone()], self.stop)?.remove(0).into_tensor()
    }

    fn accumulated(&mut self, v: &Variable, ct: Tensor) -> Result<Tensor> {
        match v.grad() {
            Some(old) => self.sum(&old, &ct),
            None => ct.compact(),
        }
    }

    /// Cotangents of a node's inputs.
    fn pull(&mut self, node: &Node, cts: &Slots) -> Result<Vec<Option<Tensor>>> {
        let avals: SmallVec<[Aval; 3]> = node.inputs.iter().map(Tensor::aval).collect();
        let active: Mask = node.tracks.iter().zip(&avals).map(|(t, a)| !matches!(t, Track::None) && a.dtype.is_inexact()).collect();
        let with_ct: Mask = cts.iter().map(Option::is_some).collect();
        let pullback = self.plans.pullback(&node.prim, &avals, active, with_ct, self.registration)?;
        let Some(plan) = &pullback.plan else { return Ok(vec![None; node.inputs.len()]) };
        let all: SmallVec<[&Tensor; 8]> = node.inputs.iter().chain(&node.outputs).chain(cts.iter().flatten()).collect();
        let inputs: SmallVec<[Tensor; 6]> = pullback.reads.iter().map(|i| all[*i].clone()).collect();
        let outs: Vec<Tensor> = self.engine.run(&**plan, &inputs, self.stop)?.into_iter().map(owned).collect::<Result<_>>()?;
        Ok(pullback.results.iter().map(|r| r.map(|i| outs[i].clone())).collect())
    }
}
