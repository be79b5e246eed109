//! A group of elementwise instructions as one loop.

use std::collections::HashMap;

use tenferro_graph::{DType, Error, Interrupt, Prim, Result, SmallVec, Val};
use tenferro_ops::{Binary, BinaryOp, Unary, UnaryOp};
use tenferro_vmath::Level;

use crate::block::{
    Fold, FoldKernels, Instr, Kernel, Load, LoadKind, Loop, REGISTER, Space, Store, multiply_add, reading, sincos, writing,
};
use crate::layout::Order;
use crate::memory::Place;
use crate::step::{Context, Step, View};

/// One elementwise instruction before registers are given.
pub(crate) struct GroupOp {
    pub out: Val,
    pub dtype: DType,
    pub args: SmallVec<[Val; 3]>,
    pub kernel: Kernel,
    pub kind: Kind,
    /// What the kernel also makes, in the register of its second argument.
    pub second: Option<Val>,
    /// The kernel for complex numbers as they lie in memory, if all of the group is dense.
    pub pairs: Option<Kernel>,
}

/// What super-instructions are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Sin,
    Cos,
    Mul,
    Add,
    Other,
}

pub(crate) fn kind(p: &Prim) -> Kind {
    match (p.downcast(), p.downcast()) {
        (Some(Unary(UnaryOp::Sin)), _) => Kind::Sin,
        (Some(Unary(UnaryOp::Cos)), _) => Kind::Cos,
        (_, Some(Binary(BinaryOp::Mul))) => Kind::Mul,
        (_, Some(Binary(BinaryOp::Add))) => Kind::Add,
        _ => Kind::Other,
    }
}

impl GroupOp {
    pub fn makes(&self, v: Val) -> bool {
        self.out == v || self.second == Some(v)
    }

    /// Makes `other`, the cosine (sine) of the same argument, too; false if this is not
    /// its counterpart.
    pub fn absorb(&mut self, other: &Self, level: Level) -> bool {
        let counterpart = matches!((self.kind, other.kind), (Kind::Sin, Kind::Cos) | (Kind::Cos, Kind::Sin));
        if !counterpart || self.args != other.args || self.second.is_some() {
            return false;
        }
        let Some(kernel) = sincos(self.kind == Kind::Sin, self.dtype, level) else { return false };
        self.kernel = kernel;
        self.second = Some(other.out);
        self.pairs = None;
        true
    }
}

/// A reduction over the axes that the group reduces.
pub(crate) struct GroupFold {
    pub out: Val,
    pub arg: Val,
    pub dtype: DType,
    pub kernels: FoldKernels,
}

/// Turns products that only a sum reads into multiply-adds; both roundings stay.
pub(crate) fn contract(ops: &mut Vec<GroupOp>, kept: &dyn Fn(Val) -> bool, level: Level) {
    let mut i = 0;
    while i < ops.len() {
        if let Some((product, position)) = product_in(ops, i, kept)
            && let Some(kernel) = multiply_add(ops[i].dtype, level)
        {
            let rest = ops[i].args[1 - position];
            let args = SmallVec::from_slice(&[ops[product].args[0], ops[product].args[1], rest]);
            ops[i] = GroupOp { out: ops[i].out, dtype: ops[i].dtype, args, kernel, kind: Kind::Other, second: None, pairs: None };
            ops.remove(product);
        } else {
            i += 1;
        }
    }
}

/// A product that sum `i` alone reads, and as which argument.
fn product_in(ops: &[GroupOp], i: usize, kept: &dyn Fn(Val) -> bool) -> Option<(usize, usize)> {
    if ops[i].kind != Kind::Add {
        return None;
    }
    (0..2).find_map(|position| {
        let v = ops[i].args[position];
        let readers = ops.iter().flat_map(|o| &o.args).filter(|a| **a == v).count();
        let product = ops.iter().position(|o| o.out == v && o.kind == Kind::Mul)?;
        (readers == 1 && !kept(v)).then_some((product, position))
    })
}

/// Threads share a loop from this many estimated nanoseconds on.
const PARALLEL: f64 = 40_000.0;
/// Elements per claim.
const CLAIM: usize = 16 * 1024;

/// A loop over `shape` in `order`; `loads` are the values from outside, `stores` the
/// values to keep, and `folds` reductions of `space` with places for their parts and
/// results.
pub(crate) fn build(
    shape: &[usize],
    order: &Order,
    loads: &[(Val, View)],
    ops: &[GroupOp],
    stores: &[(Val, View)],
    (space, folds): (Space, &[(GroupFold, Place, Place)]),
    level: Level,
) -> Result<Loop> {
    let operands: Vec<SmallVec<[isize; 6]>> =
        loads.iter().chain(stores).map(|(_, v)| order.iter().map(|a| v.strides[*a]).collect()).collect();
    let dims: SmallVec<[usize; 6]> = order.iter().map(|a| shape[*a]).collect();
    let (mut dims, operands) = collapsed(&dims, &operands);
    if dims.len() > 32 {
        return Err(Error::value("plan", "more than 32 axes that do not collapse"));
    }
    let dense = dims.len() == 1 && operands.iter().all(|s| s.as_slice() == [1]);
    let as_pairs = dense && folds.is_empty() && !ops.is_empty() && ops.iter().all(|o| o.pairs.is_some());
    // Complex numbers as reals, two each.
    let real = |dtype: DType| if as_pairs { dtype.real() } else { dtype };
    if as_pairs {
        dims[0] *= 2;
    }
    let fold_args: Vec<Val> = folds.iter().map(|(f, _, _)| f.arg).collect();
    let mut registers = Registers::new(ops, stores, folds);
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
        let dtype = real(view.dtype);
        let (kind, kernel) = (kind(dtype, &operands[i]), reading(dtype, level));
        let register = registers.load(*v, dtype, kind);
        Load { place: view.place, strides: operands[i].clone(), dtype, register, kind, kernel }
    };
    let planned_loads: Vec<Load> = loads.iter().enumerate().map(load).collect();
    let direct: Vec<bool> = (0..stores.len())
        .map(|i| {
            let strides = &operands[loads.len() + i];
            kind(real(stores[i].1.dtype), strides) == LoadKind::Direct && ops.iter().any(|o| o.makes(stores[i].0))
        })
        .collect();
    for ((v, _), direct) in stores.iter().zip(&direct) {
        registers.pin(*v, *direct);
    }
    let folds = folds.iter().map(|(f, parts, out)| Fold {
        kernels: f.kernels,
        dtype: f.dtype,
        register: 0,
        accumulators: registers.fresh(f.dtype),
        parts: *parts,
        out: *out,
    });
    let mut planned_folds: Vec<Fold> = folds.collect();
    let kernel = |op: &GroupOp| op.pairs.filter(|_| as_pairs).unwrap_or(op.kernel);
    let instrs = ops.iter().enumerate().map(|(i, op)| registers.instr(i, op, kernel(op))).collect();
    let store = |(i, (v, view)): (usize, &(Val, View))| Store {
        place: view.place,
        strides: operands[loads.len() + i].clone(),
        dtype: real(view.dtype),
        register: registers.of(*v),
        direct: direct[i],
        kernel: writing(real(view.dtype), level),
    };
    let planned_stores = stores.iter().enumerate().map(store).collect();
    for (planned, arg) in planned_folds.iter_mut().zip(fold_args) {
        planned.register = registers.of(arg);
    }
    let reads_memory = |f: &Fold| planned_loads.iter().any(|l| l.register == f.register && l.kind == LoadKind::Direct);
    let straight = ops.is_empty() && stores.is_empty() && planned_folds.iter().all(reads_memory);
    Ok(Loop {
        size: dims.iter().product(),
        dims,
        loads: planned_loads,
        instrs,
        stores: planned_stores,
        folds: planned_folds,
        space,
        straight,
        offsets: registers.offsets,
        scratch: registers.end,
    })
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
    of: HashMap<Val, usize>,
    last_use: HashMap<Val, usize>,
    /// Registers whose value has been read for the last time: real and complex ones.
    free: [Vec<usize>; 2],
    reusable: HashMap<Val, DType>,
    offsets: Vec<usize>,
    /// Bytes of scratch.
    end: usize,
}

impl Registers {
    fn new(ops: &[GroupOp], stores: &[(Val, View)], folds: &[(GroupFold, Place, Place)]) -> Self {
        let mut last_use = HashMap::new();
        for (i, op) in ops.iter().enumerate() {
            op.args.iter().for_each(|a| {
                last_use.insert(*a, i);
            });
        }
        for v in stores.iter().map(|(v, _)| *v).chain(folds.iter().map(|(f, _, _)| f.arg)) {
            last_use.insert(v, usize::MAX);
        }
        Self { of: HashMap::new(), last_use, free: [vec![], vec![]], reusable: HashMap::new(), offsets: vec![], end: 0 }
    }

    fn fresh(&mut self, dtype: DType) -> usize {
        self.offsets.push(self.end);
        self.end += REGISTER * if dtype.is_complex() { 2 } else { 1 };
        self.offsets.len() - 1
    }

    /// A register that will point into an operand's memory.
    fn pointer(&mut self) -> usize {
        self.offsets.push(0);
        self.offsets.len() - 1
    }

    /// Loaded registers are filled at the start of a block, so they come first; a
    /// strided one may be reused behind its last use.
    fn load(&mut self, v: Val, dtype: DType, kind: LoadKind) -> usize {
        let r = if kind == LoadKind::Direct { self.pointer() } else { self.fresh(dtype) };
        self.of.insert(v, r);
        if kind == LoadKind::Strided {
            self.reusable.insert(v, dtype);
        }
        r
    }

    /// A direct store's register is the memory: it is nobody else's.
    fn pin(&mut self, v: Val, direct: bool) {
        if direct {
            let r = self.pointer();
            self.of.insert(v, r);
        }
    }

    fn destination(&mut self, v: Val, dtype: DType) -> usize {
        if let Some(r) = self.of.get(&v) {
            return *r;
        }
        let r = self.free[usize::from(dtype.is_complex())].pop().unwrap_or_else(|| self.fresh(dtype));
        self.of.insert(v, r);
        self.reusable.insert(v, dtype);
        r
    }

    fn of(&self, v: Val) -> usize {
        self.of[&v]
    }

    fn instr(&mut self, i: usize, op: &GroupOp, kernel: Kernel) -> Instr {
        // The destination is taken before arguments are freed: kernels never run in place.
        let dst = self.destination(op.out, op.dtype);
        // What a kernel does not read points at what it writes.
        let mut args = [dst; 3];
        for (slot, a) in args.iter_mut().zip(&op.args) {
            *slot = self.of[a];
        }
        if let Some(v) = op.second {
            args[1] = self.destination(v, op.dtype);
        }
        let mut done: SmallVec<[Val; 3]> = op.args.clone();
        done.sort_unstable();
        done.dedup();
        for a in done {
            if let Some(dtype) = self.reusable.get(&a)
                && self.last_use.get(&a) == Some(&i)
            {
                self.free[usize::from(dtype.is_complex())].push(self.of[&a]);
            }
        }
        Instr { kernel, dst, args }
    }
}

impl Step for Loop {
    fn run(&self, c: &Context<'_>) -> Result<()> {
        if self.size == 0 {
            return Ok(());
        }
        let units = self.units();
        let each = if self.size <= CLAIM { units } else { (CLAIM * units / self.size).clamp(1, units) };
        if each == units || c.team.threads() == 1 || self.cost() < PARALLEL {
            Loop::run(self, c.memory, 0..units, c.stop)?;
        } else {
            let claim = |i: usize, stop: &dyn Interrupt| Loop::run(self, c.memory, i * each..((i + 1) * each).min(units), stop);
            c.team.try_until(units.div_ceil(each), c.stop, &claim)?;
        }
        self.finish(c.memory);
        Ok(())
    }

    fn places(&mut self, f: &mut dyn FnMut(&mut Place)) {
        self.loads.iter_mut().for_each(|l| f(&mut l.place));
        self.stores.iter_mut().for_each(|s| f(&mut s.place));
        for fold in &mut self.folds {
            f(&mut fold.parts);
            f(&mut fold.out);
        }
    }

    fn cost(&self) -> f64 {
        self.size as f64 * (self.instrs.len() as f64 * 0.4 + self.loads.len() as f64 * 0.3 + self.folds.len() as f64 * 0.2 + 0.3)
    }

    fn in_place(&self) -> Vec<(Place, Place)> {
        let mut taken = vec![];
        let mut out = vec![];
        for s in &self.stores {
            let fits = |l: &&Load| l.dtype.size() == s.dtype.size() && l.strides == s.strides && !taken.contains(&l.register);
            if let Some(l) = self.loads.iter().filter(fits).find(|l| self.may_overwrite(l, s)) {
                taken.push(l.register);
                out.push((s.place, l.place));
            }
        }
        out
    }
}

impl Loop {
    /// Whether the store may go to the memory of the load: block by block, the register
    /// is read for the last time before it is written.
    fn may_overwrite(&self, l: &Load, s: &Store) -> bool {
        match (l.kind, s.direct) {
            (LoadKind::Strided, false) => true,
            (LoadKind::Direct, true) => {
                let writes = |i: &Instr| i.dst == s.register || i.args.contains(&s.register);
                let first = self.instrs.iter().position(writes);
                let last = self.instrs.iter().rposition(|i| i.args.contains(&l.register));
                let later = self.folds.iter().any(|f| f.register == l.register) || self.stores.iter().any(|t| t.register == l.register);
                !later && first >= last
            }
            _ => false,
        }
    }
}
