//! The engine: plans with addresses, and runs them.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{
    Aval, Buffer, Error, ExecutionEngine, Interrupt, NoInterrupt, Output, Plan, Planner, Program, Registration, Result, SmallVec, Target,
    Tensor, check_inputs,
};
use tenferro_vmath::Level;

use crate::arena::{Interval, pack};
use crate::memory::{ARENA, Memory};
use crate::planner::{Planned, Slot, plan};
use crate::step::{Context, Step, View, sizes};
use crate::team::{Team, granted};

/// Runs programs on the processor's cores.
pub struct CpuEngine {
    team: Arc<Team>,
    /// Memory for temporaries, kept from run to run.
    arena: Option<Buffer>,
    broken: bool,
}

/// Variants of one plan for other input strides than C order.
const VARIANTS: usize = 16;
/// The largest arena that is kept, in bytes.
const KEEP: usize = 256 << 20;
/// Steps run side by side from this many nanoseconds on.
const SIDE_BY_SIDE: f64 = 30_000.0;

impl CpuEngine {
    /// One thread.
    pub fn serial() -> Self {
        Self::new(1)
    }

    /// At most `threads` threads (0: as many as the process may use), which start when
    /// first needed. Results have the same bits for any number.
    pub fn new(threads: usize) -> Self {
        Self { team: Arc::new(Team::new(granted(threads))), arena: None, broken: false }
    }

    pub fn threads(&self) -> usize {
        self.team.threads()
    }

    pub fn registration(&self) -> Registration {
        Registration::of(self)
    }
}

fn target() -> Target {
    static CPU: OnceLock<Target> = OnceLock::new();
    CPU.get_or_init(|| Target::new("cpu")).clone()
}

struct CpuPlanner;

impl Planner for CpuPlanner {
    fn target(&self) -> Target {
        target()
    }

    fn plan(&self, program: &Arc<Program>, sig: &[Aval]) -> Result<Arc<dyn Plan>> {
        let strides = sig.iter().map(|a| Ok(c_strides(&sizes(a)?))).collect::<Result<Vec<_>>>()?;
        let plain = Placed::new(plan(program, &strides, Level::best())?)?;
        Ok(Arc::new(CpuPlan { program: program.clone(), sig: sig.to_vec(), plain: Arc::new(plain), variants: Mutex::default() }))
    }
}

struct CpuPlan {
    program: Arc<Program>,
    sig: Vec<Aval>,
    /// For inputs in C order.
    plain: Arc<Placed>,
    variants: Mutex<Vec<(Vec<Strides>, Arc<Placed>)>>,
}

impl fmt::Debug for CpuPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CpuPlan").field("arena", &self.plain.arena).field("steps", &self.plain.steps).finish_non_exhaustive()
    }
}

impl Plan for CpuPlan {
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn target(&self) -> Target {
        target()
    }
}

impl CpuPlan {
    fn placed(&self, inputs: &[Tensor]) -> Result<Arc<Placed>> {
        if inputs.iter().all(Tensor::is_c_contiguous) {
            return Ok(self.plain.clone());
        }
        let strides: Vec<Strides> = inputs.iter().map(|t| t.strides().into()).collect();
        let lock = || self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, placed)) = lock().iter().find(|(s, _)| *s == strides) {
            return Ok(placed.clone());
        }
        let placed = Arc::new(Placed::new(plan(&self.program, &strides, Level::best())?)?);
        let mut variants = lock();
        if variants.len() == VARIANTS {
            variants.remove(0);
        }
        variants.push((strides, placed.clone()));
        Ok(placed)
    }
}

/// A plan whose places have addresses: bases are the arena, inputs, constants and
/// output buffers.
struct Placed {
    steps: Vec<Vec<Box<dyn Step>>>,
    arena: usize,
    constants: Vec<Tensor>,
    buffers: Vec<usize>,
    outputs: Vec<Outcome>,
}

/// Where a result comes from.
enum Outcome {
    Buffer { buffer: usize, view: View },
    Input { input: usize, view: View },
    Constant(Tensor),
}

impl Placed {
    fn new(planned: Planned) -> Result<Self> {
        let Planned { slots, mut steps, outputs } = planned;
        let mut intervals: Vec<Option<Interval>> = slots.iter().map(|_| None).collect();
        for (time, step) in steps.iter_mut().enumerate() {
            for s in step {
                s.places(&mut |p| {
                    let Slot::Temporary { bytes } = slots[p.base as usize] else { return };
                    let entry = intervals[p.base as usize].get_or_insert(Interval { first: time, last: time, bytes });
                    entry.last = time;
                });
            }
        }
        let n_inputs = slots.iter().filter(|s| matches!(s, Slot::Input(_))).count();
        let n_constants = slots.iter().filter(|s| matches!(s, Slot::Constant(_))).count();
        let mut buffers: Vec<usize> = vec![];
        let mut buffer_of = vec![usize::MAX; slots.len()];
        for view in &outputs {
            let base = view.place.base as usize;
            if let Slot::Temporary { bytes } = slots[base]
                && buffer_of[base] == usize::MAX
            {
                buffer_of[base] = buffers.len();
                buffers.push(bytes);
                intervals[base] = None;
            }
        }
        let (offsets, arena) = pack(&intervals);
        let mut constants = vec![];
        let mut base_of: Vec<(u32, isize)> = Vec::with_capacity(slots.len());
        for (i, slot) in slots.into_iter().enumerate() {
            base_of.push(match slot {
                Slot::Input(k) => (1 + k as u32, 0),
                Slot::Constant(t) => {
                    constants.push(t);
                    ((n_inputs + constants.len()) as u32, 0)
                }
                Slot::Temporary { .. } if buffer_of[i] != usize::MAX => ((1 + n_inputs + n_constants + buffer_of[i]) as u32, 0),
                Slot::Temporary { .. } => (ARENA, offsets[i] as isize),
            });
        }
        steps.iter_mut().flatten().for_each(|s| {
            s.places(&mut |p| {
                let (base, offset) = base_of[p.base as usize];
                *p = crate::memory::Place { base, offset: p.offset + offset };
            });
        });
        let result = |view: View| {
            let (base, _) = base_of[view.place.base as usize];
            let at = base as usize - 1;
            if at < n_inputs {
                Ok(Outcome::Input { input: at, view })
            } else if at < n_inputs + n_constants {
                let shift = view.place.offset / view.dtype.size() as isize;
                Ok(Outcome::Constant(constants[at - n_inputs].restride(&view.shape, &view.strides, shift)?))
            } else {
                Ok(Outcome::Buffer { buffer: at - n_inputs - n_constants, view })
            }
        };
        let outputs = outputs.into_iter().map(result).collect::<Result<_>>()?;
        Ok(Self { steps, arena, constants, buffers, outputs })
    }

    fn run(&self, team: &Team, arena: *mut u8, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Output>> {
        let mut buffers: SmallVec<[Buffer; 4]> = SmallVec::new();
        for bytes in &self.buffers {
            buffers.push(Buffer::new((*bytes).max(1)).ok_or_else(no_memory)?);
        }
        let mut memory = Memory::new(arena, inputs.len() + self.constants.len() + buffers.len());
        for t in inputs.iter().chain(&self.constants) {
            memory.push(t.as_ptr().cast_mut());
        }
        buffers.iter_mut().for_each(|b| memory.push(b.as_mut_ptr()));
        let c = Context { memory: &memory, team, stop };
        for (i, group) in self.steps.iter().enumerate() {
            if i % 64 == 63 {
                stop.poll()?;
            }
            match group.as_slice() {
                [one] => one.run(&c)?,
                many => side_by_side(many, &c)?,
            }
        }
        let buffers: SmallVec<[Arc<Buffer>; 4]> = buffers.into_iter().map(Arc::new).collect();
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for o in &self.outputs {
            outputs.push(o.collect(inputs, &buffers)?);
        }
        Ok(outputs)
    }
}

impl Outcome {
    fn collect(&self, inputs: &[Tensor], buffers: &[Arc<Buffer>]) -> Result<Output> {
        match self {
            Self::Buffer { buffer, view } => {
                let offset = view.place.offset.unsigned_abs();
                Tensor::from_buffer(buffers[*buffer].clone(), view.dtype, &view.shape, &view.strides, offset).map(Output::New)
            }
            Self::Input { input, view } => {
                let shift = view.place.offset / view.dtype.size() as isize;
                Ok(Output::Borrowed { input: *input, view: inputs[*input].restride(&view.shape, &view.strides, shift)? })
            }
            Self::Constant(t) => Ok(Output::New(t.clone())),
        }
    }
}

fn side_by_side(steps: &[Box<dyn Step>], c: &Context<'_>) -> Result<()> {
    let worth = steps.iter().filter(|s| s.cost() > SIDE_BY_SIDE).count() > 1;
    if c.team.threads() == 1 || !worth {
        return steps.iter().try_for_each(|s| s.run(c));
    }
    let failed: Mutex<Vec<(usize, Error)>> = Mutex::default();
    c.team.run(steps.len(), &|i| {
        let inner = Context { memory: c.memory, team: c.team, stop: &NoInterrupt };
        if let Err(e) = steps[i].run(&inner) {
            failed.lock().unwrap_or_else(PoisonError::into_inner).push((i, e));
        }
    })?;
    c.stop.poll()?;
    let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.sort_by_key(|(i, _)| *i);
    failed.into_iter().next().map_or(Ok(()), |(_, e)| Err(e))
}

fn no_memory() -> Error {
    Error::value("run", "not enough memory")
}

impl CpuEngine {
    /// Memory of at least `bytes` bytes for a run's temporaries.
    fn arena(&mut self, bytes: usize) -> Result<*mut u8> {
        if bytes == 0 {
            return Ok(std::ptr::NonNull::<u8>::dangling().as_ptr());
        }
        if self.arena.as_ref().is_none_or(|a| a.len() < bytes) {
            // The old one first: both at once may not fit.
            self.arena = None;
            self.arena = Some(Buffer::new(bytes).ok_or_else(no_memory)?);
        }
        Ok(self.arena.as_mut().map_or(std::ptr::null_mut(), Buffer::as_mut_ptr))
    }
}

impl ExecutionEngine for CpuEngine {
    fn target(&self) -> Target {
        target()
    }

    fn planner(&self) -> Arc<dyn Planner> {
        Arc::new(CpuPlanner)
    }

    fn run(&mut self, plan: &dyn Plan, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Output>> {
        if self.broken {
            return Err(Error::engine("cpu: the engine is broken by an earlier panic; make a new one"));
        }
        let plan: &CpuPlan = plan.as_any().downcast_ref().ok_or_else(|| Error::engine("cpu: the plan is another engine's"))?;
        check_inputs("run", &plan.sig, inputs)?;
        let placed = plan.placed(inputs)?;
        let arena = self.arena(placed.arena)?;
        let result = catch_unwind(AssertUnwindSafe(|| placed.run(&self.team, arena, inputs, stop)));
        self.arena = self.arena.take().filter(|a| a.len() <= KEEP);
        let result = result.unwrap_or_else(|_| Err(Error::engine("cpu: a kernel panicked")));
        self.broken = matches!(&result, Err(Error::Engine { message }) if message == "cpu: a kernel panicked");
        if self.broken {
            return Err(Error::engine("cpu: a kernel panicked; the engine is broken"));
        }
        result
    }

    fn synchronize(&mut self) -> Result<()> {
        Ok(())
    }
}
