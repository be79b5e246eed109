//! A group of elementwise instructions as one loop.

use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{DType, Error, Result, SmallVec, Val};

use crate::block::{Instr, Kernel, Load, LoadKind, Loop, Store};
use crate::layout::dense_order;
use crate::memory::Place;
use crate::step::{Context, Step, View};

/// One elementwise instruction before registers are given.
pub(crate) struct GroupOp {
    pub out: Val,
    pub dtype: DType,
    pub args: SmallVec<[Val; 3]>,
    pub kernel: Kernel,
}

/// Threads share a loop from this many estimated nanoseconds on.
const PARALLEL: f64 = 40_000.0;
/// Elements per claimed chunk.
const CHUNK: usize = 16 * 1024;

/// The order in which the iteration space is walked: that of the first dense operand
/// of full size, so that it and the results are contiguous; else C order.
pub(crate) fn iteration_order<'a>(shape: &[usize], operands: impl Iterator<Item = &'a View>) -> SmallVec<[usize; 6]> {
    for v in operands {
        if v.shape.as_slice() == shape && v.size() > 1
            && let Some(order) = dense_order(&v.shape, &v.strides)
        {
            return order.iter().copied().collect();
        }
    }
    (0..shape.len()).collect()
}

/// Strides of a fresh array whose memory follows `order`.
pub(crate) fn strides_in(order: &[usize], shape: &[usize]) -> Strides {
    let permuted: SmallVec<[usize; 6]> = order.iter().map(|a| shape[*a]).collect();
    let mut out: Strides = shape.iter().map(|_| 0).collect();
    for (a, s) in order.iter().zip(c_strides(&permuted)) {
        out[*a] = s;
    }
    out
}

/// A loop over `shape` in `order`; `loads` are the values from outside and `stores`
/// the values to keep.
pub(crate) fn build(shape: &[usize], order: &[usize], loads: &[(Val, View)], ops: &[GroupOp], stores: &[(Val, View)]) -> Result<Loop> {
    let operands: Vec<SmallVec<[isize; 6]>> =
        loads.iter().chain(stores).map(|(_, v)| order.iter().map(|a| v.strides[*a]).collect()).collect();
    let dims: SmallVec<[usize; 6]> = order.iter().map(|a| shape[*a]).collect();
    let (dims, operands) = collapsed(&dims, &operands);
    if dims.len() > 32 {
        return Err(Error::value("plan", "more than 32 axes that do not collapse"));
    }
    let mut registers = Registers::new(loads, ops, stores);
    let kind = |dtype: DType, strides: &[isize]| {
        if strides.iter().all(|s| *s == 0) && !dims.is_empty() {
            LoadKind::Splat
        } else if !dtype.is_complex() && (dims.is_empty() || strides == [1]) {
            LoadKind::Direct
        } else {
            LoadKind::Strided
        }
    };
    let load = |(i, (v, view)): (usize, &(Val, View))| {
        let kind = kind(view.dtype, &operands[i]);
        Load { place: view.place, strides: operands[i].clone(), dtype: view.dtype, register: registers.load(*v, kind), kind }
    };
    let planned_loads: Vec<Load> = loads.iter().enumerate().map(load).collect();
    let direct: Vec<bool> = (0..stores.len())
        .map(|i| {
            let strides = &operands[loads.len() + i];
            kind(stores[i].1.dtype, strides) == LoadKind::Direct && ops.iter().any(|o| o.out == stores[i].0)
        })
        .collect();
    for ((v, _), direct) in stores.iter().zip(&direct) {
        registers.pin(*v, *direct);
    }
    let instrs = ops.iter().enumerate().map(|(i, op)| registers.instr(i, op)).collect();
    let store = |(i, (v, view)): (usize, &(Val, View))| Store {
        place: view.place,
        strides: operands[loads.len() + i].clone(),
        dtype: view.dtype,
        register: registers.of(*v),
        direct: direct[i],
    };
    let planned_stores = stores.iter().enumerate().map(store).collect();
    Ok(Loop { size: dims.iter().product(), dims, loads: planned_loads, instrs, stores: planned_stores, n_registers: registers.count })
}

/// Axes of length 1 dropped and neighbours joined that every operand walks evenly.
fn collapsed(dims: &[usize], operands: &[SmallVec<[isize; 6]>]) -> (SmallVec<[usize; 6]>, Vec<SmallVec<[isize; 6]>>) {
    let mut out_dims: SmallVec<[usize; 6]> = SmallVec::new();
    let mut out: Vec<SmallVec<[isize; 6]>> = operands.iter().map(|_| SmallVec::new()).collect();
    for (axis, n) in dims.iter().enumerate().filter(|(_, n)| **n != 1) {
        let last = out_dims.len().wrapping_sub(1);
        let joins = !out_dims.is_empty() && operands.iter().zip(&out).all(|(s, o)| o[last] == s[axis] * *n as isize);
        if joins {
            out_dims[last] *= n;
            operands.iter().zip(&mut out).for_each(|(s, o)| o[last] = s[axis]);
        } else {
            out_dims.push(*n);
            operands.iter().zip(&mut out).for_each(|(s, o)| o.push(s[axis]));
        }
    }
    (out_dims, out)
}

struct Registers {
    of: std::collections::HashMap<Val, usize>,
    last_use: std::collections::HashMap<Val, usize>,
    free: Vec<usize>,
    reusable: std::collections::HashSet<Val>,
    count: usize,
}

impl Registers {
    fn new(loads: &[(Val, View)], ops: &[GroupOp], stores: &[(Val, View)]) -> Self {
        let mut last_use = std::collections::HashMap::new();
        for (i, op) in ops.iter().enumerate() {
            op.args.iter().for_each(|a| {
                last_use.insert(*a, i);
            });
        }
        stores.iter().for_each(|(v, _)| {
            last_use.insert(*v, usize::MAX);
        });
        let _ = loads;
        Self { of: Default::default(), last_use, free: vec![], reusable: Default::default(), count: 0 }
    }

    fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    /// Loaded registers are filled at the start of a block, so they come first; a
    /// strided one may be reused behind its last use.
    fn load(&mut self, v: Val, kind: LoadKind) -> usize {
        let r = self.fresh();
        self.of.insert(v, r);
        if kind == LoadKind::Strided {
            self.reusable.insert(v);
        }
        r
    }

    /// A direct store's register is the memory: it is nobody else's.
    fn pin(&mut self, v: Val, direct: bool) {
        if direct {
            let r = self.fresh();
            self.of.insert(v, r);
        }
    }

    fn of(&self, v: Val) -> usize {
        self.of[&v]
    }

    fn instr(&mut self, i: usize, op: &GroupOp) -> Instr {
        // The destination is taken before arguments are freed: kernels never run in place.
        let dst = match self.of.get(&op.out) {
            Some(r) => *r,
            None => {
                let r = self.free.pop().unwrap_or_else(|| self.fresh());
                self.of.insert(op.out, r);
                self.reusable.insert(op.out);
                r
            }
        };
        let mut args = [0; 3];
        for (slot, a) in args.iter_mut().zip(&op.args) {
            *slot = self.of[a];
        }
        let mut done: SmallVec<[Val; 3]> = op.args.clone();
        done.sort_unstable();
        done.dedup();
        for a in done {
            if self.last_use.get(&a) == Some(&i) && self.reusable.contains(&a) {
                self.free.push(self.of[&a]);
            }
        }
        Instr { kernel: op.kernel, dst, args }
    }
}

impl Step for Loop {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        if self.size == 0 {
            return Ok(());
        }
        if self.cost() < PARALLEL || c.team.threads() == 1 {
            return Loop::run(self, c.memory, 0..self.size, c.stop);
        }
        let chunks = self.size.div_ceil(CHUNK);
        let failed = std::sync::Mutex::new(None);
        c.team.run(chunks, &|i| {
            let range = i * CHUNK..((i + 1) * CHUNK).min(self.size);
            if let Err(e) = Loop::run(self, c.memory, range, &tenferro_graph::NoInterrupt)
                && let Ok(mut f) = failed.lock()
            {
                *f = Some(e);
            }
        })?;
        c.stop.poll()?;
        failed.into_inner().ok().flatten().map_or(Ok(()), Err)
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.loads.iter_mut().for_each(|l| f(&mut l.place));
        self.stores.iter_mut().for_each(|s| f(&mut s.place));
    }

    fn cost(&self) -> f64 {
        self.size as f64 * (self.instrs.len() as f64 * 0.4 + self.loads.len() as f64 * 0.3 + 0.3)
    }
}
