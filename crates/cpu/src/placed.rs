//! A plan with addresses, and its runs.

use std::sync::Arc;

use tenferro_graph::{Buffer, Interrupt, Output, Result, SmallVec, Tensor};

use crate::arena::pack;
use crate::engine::no_memory;
use crate::lives::Lives;
use crate::memory::{ARENA, Memory};
use crate::planner::{Planned, Slot};
use crate::step::{Context, Step, View};
use crate::team::Team;

/// Steps run side by side from this many nanoseconds on.
const SIDE_BY_SIDE: f64 = 30_000.0;

/// A plan whose places have addresses: bases are the arena, inputs, constants and
/// output buffers.
pub(crate) struct Placed {
    pub steps: Vec<Vec<Box<dyn Step>>>,
    pub arena: usize,
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
    pub fn new(planned: Planned) -> Result<Self> {
        let Planned { slots, mut steps, outputs } = planned;
        let mut lives = Lives::new(&slots, &mut steps);
        lives.share(&slots, &mut steps, &outputs);
        let n_inputs = slots.iter().filter(|s| matches!(s, Slot::Input(_))).count();
        let n_constants = slots.iter().filter(|s| matches!(s, Slot::Constant(_))).count();
        let (offsets, arena) = pack(&lives.intervals);
        let mut constants = vec![];
        let mut base_of: Vec<(u32, isize)> = Vec::with_capacity(slots.len());
        for (i, slot) in slots.into_iter().enumerate() {
            base_of.push(match slot {
                Slot::Input(k) => (1 + k as u32, 0),
                Slot::Constant(t) => {
                    constants.push(t);
                    ((n_inputs + constants.len()) as u32, 0)
                }
                Slot::Temporary { .. } => match lives.buffer(i) {
                    Some(buffer) => ((1 + n_inputs + n_constants + buffer) as u32, 0),
                    None => (ARENA, offsets[lives.home(i)] as isize),
                },
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
        Ok(Self { steps, arena, constants, buffers: lives.buffers, outputs })
    }

    pub fn run(&self, team: &Team, arena: *mut u8, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Output>> {
        let mut memory = Memory::new(arena, inputs.len() + self.constants.len() + self.buffers.len());
        for t in inputs {
            memory.push(t.as_ptr().cast_mut());
        }
        for t in &self.constants {
            memory.push(t.as_ptr().cast_mut());
        }
        let mut buffers: SmallVec<[Arc<Buffer>; 4]> = SmallVec::new();
        for bytes in &self.buffers {
            let mut buffer = Buffer::new((*bytes).max(1)).ok_or_else(no_memory)?;
            memory.push(buffer.as_mut_ptr());
            buffers.push(Arc::new(buffer));
        }
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
    c.team.try_until(steps.len(), c.stop, &|i, stop| steps[i].run(&Context { memory: c.memory, team: c.team, stop }))
}
