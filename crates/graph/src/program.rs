//! Flat single-assignment programs.

use std::sync::OnceLock;

use crate::aval::Aval;
use crate::builder::Val;
use crate::fingerprint::{Encoder, Fingerprint};
use crate::guards::Guards;
use crate::primitive::Prim;

/// One instruction: indices into the program's tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepRow {
    pub prim: u32,
    pub first_arg: u32,
    pub first_out: u32,
}

/// An instruction as seen by readers.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    pub prim: &'a Prim,
    pub args: &'a [Val],
    first_out: u32,
    n_outs: u32,
}

impl Step<'_> {
    /// Output values, numbered consecutively.
    pub fn outs(&self) -> impl ExactSizeIterator<Item = Val> + DoubleEndedIterator + use<> {
        (self.first_out..self.first_out + self.n_outs).map(Val)
    }

    /// The `i`-th output.
    pub fn out(&self, i: usize) -> Val {
        debug_assert!((i as u32) < self.n_outs);
        Val(self.first_out + i as u32)
    }
}

/// A function from input values to output values. Values 0 .. `n_inputs` are the
/// inputs; each step defines the next ids. Primitives and avals are interned.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) prims: Vec<Prim>,
    pub(crate) avals: Vec<Aval>,
    pub(crate) value_aval: Vec<u32>,
    pub(crate) n_inputs: u32,
    pub(crate) steps: Vec<StepRow>,
    pub(crate) args: Vec<Val>,
    pub(crate) outputs: Vec<Val>,
    pub(crate) guards: Guards,
    pub(crate) fingerprint: OnceLock<Fingerprint>,
}

impl Program {
    pub fn n_inputs(&self) -> usize {
        self.n_inputs as usize
    }

    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Val> + use<> {
        (0..self.n_inputs).map(Val)
    }

    pub fn outputs(&self) -> &[Val] {
        &self.outputs
    }

    pub fn n_values(&self) -> usize {
        self.value_aval.len()
    }

    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    pub fn aval(&self, v: Val) -> &Aval {
        &self.avals[self.value_aval[v.index()] as usize]
    }

    pub fn input_avals(&self) -> Vec<Aval> {
        self.inputs().map(|v| self.aval(v).clone()).collect()
    }

    pub fn output_avals(&self) -> Vec<Aval> {
        self.outputs.iter().map(|v| self.aval(*v).clone()).collect()
    }

    pub fn guards(&self) -> &Guards {
        &self.guards
    }

    pub fn step(&self, i: usize) -> Step<'_> {
        let row = self.steps[i];
        let next = self.steps.get(i + 1);
        let end_arg = next.map_or(self.args.len(), |n| n.first_arg as usize);
        let end_out = next.map_or(self.value_aval.len() as u32, |n| n.first_out);
        Step {
            prim: &self.prims[row.prim as usize],
            args: &self.args[row.first_arg as usize..end_arg],
            first_out: row.first_out,
            n_outs: end_out - row.first_out,
        }
    }

    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step<'_>> + DoubleEndedIterator {
        (0..self.steps.len()).map(|i| self.step(i))
    }

    /// For each value the step that defines it; `None` for inputs.
    pub fn definitions(&self) -> Vec<Option<u32>> {
        let mut out = vec![None; self.n_values()];
        for (i, step) in self.steps().enumerate() {
            for v in step.outs() {
                out[v.index()] = Some(i as u32);
            }
        }
        out
    }

    /// Which values the outputs depend on.
    pub fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.n_values()];
        for v in &self.outputs {
            live[v.index()] = true;
        }
        for step in self.steps().rev() {
            if step.outs().any(|v| live[v.index()]) {
                for a in step.args {
                    live[a.index()] = true;
                }
            }
        }
        live
    }

    /// The program with other outputs.
    pub fn with_outputs(&self, outputs: Vec<Val>) -> Self {
        Self { outputs, fingerprint: OnceLock::new(), ..self.clone() }
    }

    /// 16 bytes over ops, attributes, shapes, dtypes and wiring.
    pub fn fingerprint(&self) -> Fingerprint {
        *self.fingerprint.get_or_init(|| {
            let mut w = Encoder::new();
            self.encode(&mut w);
            w.finish()
        })
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.n_inputs());
        for v in self.inputs() {
            w.aval(self.aval(v));
        }
        // Each distinct primitive is written once; steps refer to it by first use.
        let mut first_use = vec![u64::MAX; self.prims.len()];
        let mut seen = 0;
        for (row, step) in self.steps.iter().zip(self.steps()) {
            let slot = &mut first_use[row.prim as usize];
            if *slot == u64::MAX {
                *slot = seen;
                seen += 1;
                step.prim.encode_into(w);
                for p in step.prim.programs() {
                    w.fingerprint(p.fingerprint());
                }
            }
            w.u64(*slot);
            w.usize(step.args.len());
            for a in step.args {
                w.u64(u64::from(a.0));
            }
            for o in step.outs() {
                w.aval(self.aval(o));
            }
        }
        w.usize(self.outputs.len());
        for o in &self.outputs {
            w.u64(u64::from(o.0));
        }
    }
}
