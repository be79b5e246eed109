//! Preparing compiled programs for registered engines, and running them.

use std::sync::{Arc, Mutex, PoisonError};

use tenferro_graph::{
    Aval, DType, Error, ExecutionEngine, Fingerprint, Interrupt, Output, Plan, Program, Registration, Result, Shape, SmallVec, Target,
    Tensor,
};

use crate::cache::{Cache, hash_of};
use crate::compile::{CompiledGraph, check_declared, fits};
use crate::handle::EngineHandle;

/// Plans that one runtime keeps.
const CACHE: usize = 256;

type Key = (Fingerprint, Vec<Aval>, Target);

/// Knows engines by their registrations; keeps plans.
pub struct Runtime {
    registrations: Vec<Registration>,
    cache: Mutex<Cache<Arc<(Key, Arc<dyn Plan>)>>>,
}

#[derive(Default)]
pub struct RuntimeBuilder {
    registrations: Vec<Registration>,
}

impl RuntimeBuilder {
    pub fn register_engine(mut self, registration: Registration) -> Self {
        self.registrations.retain(|r| r.target != registration.target);
        self.registrations.push(registration);
        self
    }

    pub fn build(self) -> Runtime {
        Runtime { registrations: self.registrations, cache: Mutex::new(Cache::new(CACHE)) }
    }
}

/// A program planned for a kind of engine and for input shapes. Runs borrow it.
#[derive(Clone, Debug)]
pub struct Prepared {
    plan: Arc<dyn Plan>,
    target: Target,
    inputs: Arc<[Slot]>,
    n_free: usize,
    n_outputs: usize,
}

#[derive(Debug)]
struct Slot {
    name: String,
    aval: Aval,
    bound: Option<Tensor>,
}

impl Runtime {
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    fn registration(&self, targets: &[Target]) -> Result<&Registration> {
        let [target] = targets else {
            return Err(Error::engine(format!("prepare: needs one target, got {}", targets.len())));
        };
        let known = || self.registrations.iter().map(|r| r.target.name()).collect::<Vec<_>>().join(", ");
        self.registrations
            .iter()
            .find(|r| r.target == *target)
            .ok_or_else(|| Error::engine(format!("prepare: no engine is registered for target {target}; registered: [{}]", known())))
    }

    /// Plans a program for the target. `signature` gives dtype and shape of each
    /// unbound input, in the order of `compiled.inputs()`; none if all are bound.
    pub fn prepare(&self, compiled: &CompiledGraph, signature: &[(DType, Vec<usize>)], targets: &[Target]) -> Result<Prepared> {
        let registration = self.registration(targets)?;
        let slots = slots(compiled, signature)?;
        let avals: Vec<Aval> = slots.iter().map(|s| s.aval.clone()).collect();
        let plan = self.plan(compiled, &avals, registration)?;
        Ok(Prepared {
            plan,
            target: registration.target.clone(),
            n_free: slots.iter().filter(|s| s.bound.is_none()).count(),
            inputs: slots.into(),
            n_outputs: compiled.n_outputs(),
        })
    }

    fn plan(&self, compiled: &CompiledGraph, avals: &[Aval], registration: &Registration) -> Result<Arc<dyn Plan>> {
        let key: Key = (compiled.fingerprint(), avals.to_vec(), registration.target.clone());
        let hash = hash_of(&key);
        let lock = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(hash, |entry| entry.0 == key) {
            return Ok(known.1.clone());
        }
        let program: Arc<Program> =
            if compiled.program().is_symbolic() { Arc::new(compiled.program().specialised(avals)?) } else { compiled.program().clone() };
        let plan = registration.planner.plan(&program, avals)?;
        lock().insert(hash, Arc::new((key, plan.clone())));
        Ok(plan)
    }

    /// Runs a prepared program; `inputs` are the unbound ones.
    pub fn run(
        &self,
        engines: &mut [&mut dyn ExecutionEngine],
        prepared: &Prepared,
        inputs: &[Tensor],
        stop: &dyn Interrupt,
    ) -> Result<Vec<Output>> {
        let [engine] = engines else {
            return Err(Error::engine(format!("run: the program has 1 slot, got {} engines", engines.len())));
        };
        prepared.run(&mut **engine, inputs, stop)
    }

    /// Runs once, drops the outputs and waits for each engine.
    pub fn warm_up(
        &self,
        engines: &mut [&mut dyn ExecutionEngine],
        prepared: &Prepared,
        inputs: &[Tensor],
        stop: &dyn Interrupt,
    ) -> Result<()> {
        self.run(engines, prepared, inputs, stop)?;
        engines.iter_mut().try_for_each(|e| e.synchronize())
    }
}

fn slots(compiled: &CompiledGraph, signature: &[(DType, Vec<usize>)]) -> Result<Vec<Slot>> {
    let unbound: Vec<usize> = compiled.unbound().map(|(i, _)| i).collect();
    if unbound.len() != signature.len() {
        let names: Vec<String> = unbound.iter().map(|i| compiled.inputs()[*i].describe(*i)).collect();
        let text = format!("prepare: {} unbound inputs [{}], got {} signatures", unbound.len(), names.join(", "), signature.len());
        return Err(Error::binding(text));
    }
    let mut given = signature.iter();
    let slot = |(i, input): (usize, &crate::compile::Input)| {
        let name = input.describe(i);
        let bound = compiled.bindings().get(&input.leaf.key).cloned();
        let aval = match (&bound, bound.is_none().then(|| given.next()).flatten()) {
            (Some(t), _) => t.aval(),
            (None, Some((dtype, shape))) => Aval::new(*dtype, Shape::from(shape.as_slice())),
            (None, None) => input.aval.clone(),
        };
        check_declared("prepare", &name, &input.aval, &aval)?;
        Ok(Slot { name, aval, bound })
    };
    compiled.inputs().iter().enumerate().map(slot).collect()
}

impl Prepared {
    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn plan(&self) -> &Arc<dyn Plan> {
        &self.plan
    }

    pub fn n_outputs(&self) -> usize {
        self.n_outputs
    }

    /// Names and avals of the inputs that a run must be given.
    pub fn free_inputs(&self) -> impl Iterator<Item = (&str, &Aval)> {
        self.inputs.iter().filter(|s| s.bound.is_none()).map(|s| (s.name.as_str(), &s.aval))
    }

    /// Runs on one engine.
    ///
    /// # Errors
    /// `Engine` for an engine of another target; `Binding`, `DType` or `Shape` for
    /// inputs other than prepared for.
    pub fn run(&self, engine: &mut dyn ExecutionEngine, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Output>> {
        self.check_target(&engine.target())?;
        let filled = self.fill(inputs.len(), inputs.iter().map(|t| Ok::<_, Error>(t.clone())))?;
        engine.run(&*self.plan, &filled.0, stop)
    }

    /// The inputs of a run: `n` given ones between those that are bound.
    ///
    /// # Errors
    /// As [`Prepared::run`], or what `given` says.
    pub fn fill<E: From<Error>>(
        &self,
        n: usize,
        mut given: impl Iterator<Item = std::result::Result<Tensor, E>>,
    ) -> std::result::Result<Filled, E> {
        if n != self.n_free {
            return Err(Error::binding(format!("run: {} inputs expected, got {n}", self.n_free)).into());
        }
        let mut all = Filled(SmallVec::new());
        for slot in self.inputs.iter() {
            if let Some(t) = &slot.bound {
                all.0.push(t.clone());
            } else if let Some(t) = given.next() {
                let t = t?;
                if !fits(&slot.aval, &t) {
                    check_declared("run", &slot.name, &slot.aval, &t.aval())?;
                }
                all.0.push(t);
            }
        }
        Ok(all)
    }

    /// Waits for the engine and runs there what [`Prepared::fill`] gave.
    ///
    /// # Errors
    /// As [`Prepared::run`] and [`EngineHandle::lease`].
    pub fn run_on(&self, engine: &EngineHandle, inputs: &Filled, stop: &dyn Interrupt) -> Result<Vec<Output>> {
        self.check_target(&engine.registered().target)?;
        engine.hold(stop)?.engine().run(&*self.plan, &inputs.0, stop)
    }

    fn check_target(&self, target: &Target) -> Result<()> {
        if *target == self.target {
            return Ok(());
        }
        Err(Error::engine(format!("run: prepared for target {}, got an engine of {target}", self.target)))
    }
}

/// All inputs of one run.
pub struct Filled(SmallVec<[Tensor; 4]>);
