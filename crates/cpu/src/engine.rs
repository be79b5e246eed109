//! The engine: plans with addresses, and runs them.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{
    Aval, Buffer, Error, ExecutionEngine, Interrupt, Output, Plan, Planner, Primitive, Program, Registration, Result, Target, Tensor,
    check_inputs,
};
use tenferro_vmath::Level;

use crate::custom::Kernel;
use crate::lowering::Lowerings;
use crate::placed::Placed;
use crate::planner::plan;
use crate::simplify::simplified;
use crate::step::sizes;
use crate::team::{Team, granted};

/// Runs programs on the processor's cores.
pub struct CpuEngine {
    team: Arc<Team>,
    /// Memory for temporaries, kept from run to run.
    arena: Option<Buffer>,
    broken: bool,
    lowerings: Arc<Lowerings>,
}

/// Settings of a [`CpuEngine`].
#[derive(Default)]
pub struct CpuEngineBuilder {
    threads: usize,
    oversubscribed: bool,
    lowerings: Lowerings,
}

impl CpuEngineBuilder {
    /// At most `threads` threads; 0, the default, means as many as the process may use.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// As many threads as asked for even where the process may use fewer cores: for tests
    /// of parallel runs. It makes nothing faster.
    #[must_use]
    pub fn oversubscribed(mut self) -> Self {
        self.oversubscribed = true;
        self
    }

    /// Runs instructions of type `P` by the kernel that `choose` returns for the primitive
    /// and the avals of its inputs and outputs. Elementwise ops and views of this library
    /// stay what they are.
    ///
    /// ```
    /// use tenferro_cpu::{CpuEngine, Input, Kernel, OutputMut};
    /// use tenferro_graph::{Aval, Error, Guards, Interrupt, Primitive, Result};
    ///
    /// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    /// struct Reverse;
    ///
    /// impl Primitive for Reverse {
    ///     fn name(&self) -> &'static str { "reverse" }
    ///     fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> { Ok(x.to_vec()) }
    /// }
    ///
    /// impl Kernel for Reverse {
    ///     fn run(&self, x: &[Input<'_>], y: &mut [OutputMut<'_>], _: &dyn Interrupt) -> Result<()> {
    ///         let (Some(x), Some(y)) = (x[0].as_slice::<f64>(), y[0].as_mut_slice::<f64>()) else {
    ///             return Err(Error::dtype("reverse", "takes float64"));
    ///         };
    ///         y.iter_mut().zip(x.iter().rev()).for_each(|(y, x)| *y = *x);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let engine = CpuEngine::builder().threads(1).kernel(|op: &Reverse, _, _| Ok(Box::new(op.clone()))).build();
    /// assert_eq!(engine.threads(), 1);
    /// ```
    #[must_use]
    pub fn kernel<P: Primitive>(
        mut self,
        choose: impl Fn(&P, &[Aval], &[Aval]) -> Result<Box<dyn Kernel>> + Send + Sync + 'static,
    ) -> Self {
        self.lowerings.install(choose);
        self
    }

    pub fn build(self) -> CpuEngine {
        let threads = if self.oversubscribed { self.threads } else { granted(self.threads) };
        CpuEngine { team: Arc::new(Team::new(threads)), arena: None, broken: false, lowerings: Arc::new(self.lowerings) }
    }
}

/// Variants of one plan for other input strides than C order.
const VARIANTS: usize = 16;
/// The largest arena that is kept, in bytes.
const KEEP: usize = 256 << 20;

impl CpuEngine {
    /// One thread.
    pub fn serial() -> Self {
        Self::new(1)
    }

    /// At most `threads` threads (0: as many as the process may use, by its affinity mask
    /// and its cgroup's quota), which start when first needed. Results have the same bits
    /// for any number.
    pub fn new(threads: usize) -> Self {
        Self::builder().threads(threads).build()
    }

    /// An engine with settings of its own.
    pub fn builder() -> CpuEngineBuilder {
        CpuEngineBuilder::default()
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

struct CpuPlanner {
    lowerings: Arc<Lowerings>,
}

impl Planner for CpuPlanner {
    fn target(&self) -> Target {
        target()
    }

    fn plan(&self, program: &Arc<Program>, sig: &[Aval]) -> Result<Arc<dyn Plan>> {
        Ok(Arc::new(CpuPlan::new(simplified(program)?, self.lowerings.clone(), sig)?))
    }
}

pub(crate) struct CpuPlan {
    program: Arc<Program>,
    lowerings: Arc<Lowerings>,
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
    pub(crate) fn new(program: Arc<Program>, lowerings: Arc<Lowerings>, sig: &[Aval]) -> Result<Self> {
        let strides = sig.iter().map(|a| Ok(c_strides(&sizes(a)?))).collect::<Result<Vec<_>>>()?;
        let plain = Placed::new(plan(&program, &lowerings, &strides, Level::best())?)?;
        Ok(Self { program, lowerings, sig: sig.to_vec(), plain: Arc::new(plain), variants: Mutex::default() })
    }

    fn placed(&self, inputs: &[Tensor]) -> Result<Arc<Placed>> {
        if inputs.iter().all(Tensor::is_c_contiguous) {
            return Ok(self.plain.clone());
        }
        let strides: Vec<Strides> = inputs.iter().map(|t| t.strides().into()).collect();
        let lock = || self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, placed)) = lock().iter().find(|(s, _)| *s == strides) {
            return Ok(placed.clone());
        }
        let placed = Arc::new(Placed::new(plan(&self.program, &self.lowerings, &strides, Level::best())?)?);
        let mut variants = lock();
        if variants.len() == VARIANTS {
            variants.remove(0);
        }
        variants.push((strides, placed.clone()));
        Ok(placed)
    }
}

pub(crate) fn no_memory() -> Error {
    Error::memory("run", "not enough memory")
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
        Arc::new(CpuPlanner { lowerings: self.lowerings.clone() })
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
        if self.arena.as_ref().is_some_and(|a| a.len() > KEEP) {
            self.arena = None;
        }
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
