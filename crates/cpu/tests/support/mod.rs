//! A second, naive evaluator: one element at a time, in the order of the definition.
#![allow(dead_code, clippy::cast_ptr_alignment)]

pub mod array;
pub mod eval;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use array::Array;
use tenferro_cpu::CpuEngine;
use tenferro_graph::{Builder, Error, ExecutionEngine, Interrupt, NoInterrupt, Output, Prim, Program, Result, Tensor, Val};

/// Interrupts once it has been polled so many times.
pub struct After(pub usize, pub AtomicUsize);

impl Interrupt for After {
    fn poll(&self) -> Result<()> {
        if self.1.fetch_add(1, Ordering::Relaxed) >= self.0 { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Plans and runs.
pub fn run(engine: &mut CpuEngine, program: &Arc<Program>, inputs: &[Tensor]) -> Result<Vec<Output>> {
    let plan = engine.planner().plan(program, &program.input_avals())?;
    engine.run(&*plan, inputs, &NoInterrupt)
}

/// A program over inputs with these avals.
pub fn program(inputs: &[Tensor], f: impl FnOnce(&Builder, &[Val]) -> Vec<Val>) -> Arc<Program> {
    let b = Builder::new();
    let vals: Vec<Val> = inputs.iter().map(|t| b.input(t.aval())).collect();
    let outs = f(&b, &vals);
    Arc::new(b.finish(outs).expect("a valid program"))
}

/// The one-instruction program; `None` if the op refuses these inputs.
pub fn single(prim: &Prim, inputs: &[Tensor]) -> Option<Arc<Program>> {
    let b = Builder::new();
    let vals: Vec<Val> = inputs.iter().map(|t| b.input(t.aval())).collect();
    let outs = b.emit(prim.clone(), &vals).ok()?;
    Some(Arc::new(b.finish(outs.to_vec()).expect("a valid program")))
}

/// Every output of `program`, one instruction at a time.
pub fn naive(program: &Program, inputs: &[Array]) -> Vec<Array> {
    let mut values: Vec<Option<Array>> = vec![None; program.n_values()];
    for (v, x) in program.inputs().zip(inputs) {
        values[v.index()] = Some(x.clone());
    }
    for step in program.steps() {
        let args: Vec<&Array> = step.args.iter().map(|a| values[a.index()].as_ref().expect("made before use")).collect();
        let out = eval::eval(step.prim, &args, program.aval(step.out(0)));
        values[step.out(0).index()] = Some(out);
    }
    program.outputs().iter().map(|v| values[v.index()].clone().expect("made")).collect()
}

/// A small deterministic generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51afd7ed558ccd) >> 20
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// In (−1, 1).
    pub fn real(&mut self) -> f64 {
        (self.next() % (1 << 24)) as f64 / f64::from(1 << 23) - 1.0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// An engine of so many threads on any machine, so that parallel paths are walked.
pub fn engine(threads: usize) -> CpuEngine {
    CpuEngine::builder().threads(threads).oversubscribed().build()
}
