//! From a program to steps.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};

use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{Aval, DType, Error, Prim, Program, Result, SmallVec, Tensor, Val};
use tenferro_linalg::{Svd, SvdSolve, SvdTrunc, SvdVals};
use tenferro_ops::{Binary, BinaryOp, Concatenate, Constant, DotGeneral, Pad, Reduce, Reshape, Unary, UnaryOp};
use tenferro_vmath::Level;

use crate::block::{CHUNK, choose, fold};
use crate::group::{GroupFold, GroupOp, Kind, build, contract, iteration_order, strides_in};
use crate::heavy::{lower_dot, lower_solve, lower_svd, lower_svd_trunc, lower_svdvals};
use crate::layout::view_of;
use crate::memory::Place;
use crate::movement::{copy, lower_concatenate, lower_pad, lower_reshape};
use crate::reduce;
use crate::schedule::{Batch, schedule};
use crate::step::{Lowering, Planning, Step, View, sizes};

/// Instructions of one fused group at most, and groups that wait at the same time.
const GROUP: usize = 48;
const OPEN: usize = 8;

/// What a base of a place stands for while planning.
pub(crate) enum Slot {
    Temporary { bytes: usize },
    Input(usize),
    Constant(Tensor),
}

/// A planned program before addresses are given. Steps of one inner list run side by
/// side.
pub(crate) struct Planned {
    pub slots: Vec<Slot>,
    pub steps: Vec<Vec<Box<dyn Step>>>,
    pub outputs: Vec<View>,
}

struct Group {
    shape: SmallVec<[usize; 6]>,
    ops: Vec<GroupOp>,
    folds: Vec<GroupFold>,
}

impl Group {
    fn makes(&self, v: Val) -> bool {
        self.ops.iter().any(|o| o.makes(v))
    }
}

fn kind(p: &Prim) -> Kind {
    match (p.downcast(), p.downcast()) {
        (Some(Unary(UnaryOp::Sin)), _) => Kind::Sin,
        (Some(Unary(UnaryOp::Cos)), _) => Kind::Cos,
        (_, Some(Binary(BinaryOp::Mul))) => Kind::Mul,
        (_, Some(Binary(BinaryOp::Add))) => Kind::Add,
        _ => Kind::Other,
    }
}

pub(crate) struct Plan<'a> {
    program: &'a Program,
    level: Level,
    slots: Vec<Slot>,
    steps: Vec<Vec<Box<dyn Step>>>,
    views: Vec<Option<View>>,
    /// Uses of each value that are still to come.
    uses: Vec<u32>,
    open: Vec<Group>,
    /// Values of open groups.
    pending: HashSet<Val>,
}

fn lowerings() -> HashMap<TypeId, Lowering> {
    let rows: [(TypeId, Lowering); 9] = [
        (TypeId::of::<Reduce>(), reduce::lower),
        (TypeId::of::<Concatenate>(), lower_concatenate),
        (TypeId::of::<Pad>(), lower_pad),
        (TypeId::of::<Reshape>(), lower_reshape),
        (TypeId::of::<DotGeneral>(), lower_dot),
        (TypeId::of::<Svd>(), lower_svd),
        (TypeId::of::<SvdVals>(), lower_svdvals),
        (TypeId::of::<SvdTrunc>(), lower_svd_trunc),
        (TypeId::of::<SvdSolve>(), lower_solve),
    ];
    rows.into_iter().collect()
}

impl Planning for Plan<'_> {
    fn level(&self) -> Level {
        self.level
    }

    fn temporary(&mut self, dtype: DType, shape: &[usize], strides: &[isize]) -> View {
        let bytes = shape.iter().product::<usize>() * dtype.size();
        let place = self.slot(Slot::Temporary { bytes });
        View { place, dtype, shape: shape.into(), strides: strides.into() }
    }

    fn scratch(&mut self, bytes: usize) -> Place {
        self.slot(Slot::Temporary { bytes })
    }

    fn packed(&mut self, view: &View) -> Result<View> {
        if view.is_c_dense() {
            return Ok(View { strides: c_strides(&view.shape), ..view.clone() });
        }
        let out = self.temporary(view.dtype, &view.shape, &c_strides(&view.shape));
        copy(self, view, &out)?;
        Ok(out)
    }

    fn push(&mut self, step: Box<dyn Step>) {
        self.steps.push(vec![step]);
    }
}

/// Plans `program` for inputs with these strides.
pub(crate) fn plan(program: &Program, input_strides: &[Strides], level: Level) -> Result<Planned> {
    let mut p = Plan {
        program,
        level,
        slots: vec![],
        steps: vec![],
        views: vec![None; program.n_values()],
        uses: vec![0; program.n_values()],
        open: vec![],
        pending: HashSet::new(),
    };
    for a in program.steps().flat_map(|s| s.args.to_vec()).chain(program.outputs().iter().copied()) {
        p.uses[a.index()] += 1;
    }
    for (i, v) in program.inputs().enumerate() {
        let place = p.slot(Slot::Input(i));
        let aval = program.aval(v);
        p.views[v.index()] = Some(View { place, dtype: aval.dtype, shape: sizes(aval)?, strides: input_strides[i].clone() });
    }
    let table = lowerings();
    for batch in schedule(program) {
        match batch {
            Batch::Light(i) => p.light(i, &table)?,
            Batch::Heavy(many) => p.heavy(&many, &table)?,
        }
    }
    while !p.open.is_empty() {
        p.close(0)?;
    }
    let outputs = program.outputs().iter().map(|v| p.output(*v)).collect::<Result<_>>()?;
    Ok(Planned { slots: p.slots, steps: p.steps, outputs })
}

impl Plan<'_> {
    fn slot(&mut self, slot: Slot) -> Place {
        self.slots.push(slot);
        Place { base: self.slots.len() as u32 - 1, offset: 0 }
    }

    fn view(&self, v: Val) -> Result<&View> {
        self.views[v.index()].as_ref().ok_or_else(|| Error::program("plan: a value is used before it is made"))
    }

    /// Views of an instruction's arguments; groups that hold them are closed.
    fn arguments(&mut self, args: &[Val]) -> Result<Vec<View>> {
        for a in args {
            self.settle(*a)?;
        }
        args.iter().map(|a| self.view(*a).cloned()).collect()
    }

    /// Closes the open group that computes `v`, if one does.
    fn settle(&mut self, v: Val) -> Result<()> {
        if self.pending.contains(&v)
            && let Some(g) = self.open.iter().position(|g| g.makes(v) || g.folds.iter().any(|f| f.out == v))
        {
            self.close(g)?;
        }
        Ok(())
    }

    fn used(&mut self, args: &[Val]) {
        for a in args {
            self.uses[a.index()] -= 1;
        }
    }

    fn light(&mut self, i: usize, table: &HashMap<TypeId, Lowering>) -> Result<()> {
        let step = self.program.step(i);
        if let Some(c) = step.prim.downcast::<Constant>() {
            let t = c.tensor().clone();
            let place = self.slot(Slot::Constant(t.clone()));
            let view = View { place, dtype: t.dtype(), shape: t.shape().into(), strides: t.strides().into() };
            self.views[step.out(0).index()] = Some(view);
            return Ok(());
        }
        let dtypes: SmallVec<[DType; 3]> = step.args.iter().map(|a| self.program.aval(*a).dtype).collect();
        if !dtypes.is_empty()
            && let Some(kernel) = choose(step.prim, &dtypes, self.level)
        {
            let dtype = self.program.aval(step.out(0)).dtype;
            let op = GroupOp { out: step.out(0), dtype, args: step.args.into(), kernel, kind: kind(step.prim), second: None };
            return self.join(op);
        }
        if let Some(r) = step.prim.downcast::<Reduce>()
            && let aval = self.program.aval(step.args[0])
            && r.axes.len() == aval.rank()
            && let Some(kernels) = fold(r.op, aval.dtype, self.level)
        {
            let shape = sizes(aval)?;
            if !shape.contains(&0) {
                let at = self.group_for(&shape, step.args)?;
                self.pending.insert(step.out(0));
                self.open[at].folds.push(GroupFold { out: step.out(0), arg: step.args[0], dtype: aval.dtype, kernels });
                return Ok(());
            }
        }
        let args = self.arguments(step.args)?;
        if let [x] = args.as_slice()
            && let Some(view) = view_of(step.prim, x, self.program.aval(step.out(0)))?
        {
            self.views[step.out(0).index()] = Some(view);
            self.used(step.args);
            return Ok(());
        }
        self.lower(i, &args, table)
    }

    fn lower(&mut self, i: usize, args: &[View], table: &HashMap<TypeId, Lowering>) -> Result<()> {
        let step = self.program.step(i);
        let id = tenferro_graph::Key::as_any(&**step.prim).type_id();
        let lowering = table.get(&id).ok_or_else(|| Error::missing(step.prim.name().to_owned(), "engine cpu has no kernel for it"))?;
        let outs: Vec<Aval> = step.outs().map(|v| self.program.aval(v).clone()).collect();
        let views = lowering(self, step.prim, args, &outs)?;
        for (v, view) in step.outs().zip(views) {
            self.views[v.index()] = Some(view);
        }
        self.used(step.args);
        Ok(())
    }

    /// Heavy instructions: what each needs first, then all of them side by side.
    fn heavy(&mut self, many: &[usize], table: &HashMap<TypeId, Lowering>) -> Result<()> {
        let mut together = vec![];
        for i in many {
            let args = self.arguments(self.program.step(*i).args)?;
            let before = self.steps.len();
            self.lower(*i, &args, table)?;
            if self.steps.len() > before {
                together.extend(self.steps.pop().into_iter().flatten());
            }
        }
        if !together.is_empty() {
            self.steps.push(together);
        }
        Ok(())
    }

    /// Puts an elementwise instruction into the open group of its shape.
    fn join(&mut self, op: GroupOp) -> Result<()> {
        let shape = sizes(self.program.aval(op.out))?;
        let at = self.group_for(&shape, &op.args)?;
        self.pending.insert(op.out);
        let group = &mut self.open[at];
        if group.ops.iter_mut().any(|o| o.absorb(&op)) {
            // The counterpart reads the argument for both.
            self.used(&op.args);
        } else {
            group.ops.push(op);
        }
        Ok(())
    }

    /// The open group of this shape, in which the arguments are at hand.
    fn group_for(&mut self, shape: &[usize], args: &[Val]) -> Result<usize> {
        for a in args {
            let inside = self.open.iter().any(|g| g.shape.as_slice() == shape && g.makes(*a));
            if !inside {
                self.settle(*a)?;
            }
        }
        // An argument in one group of the shape must not be left in another: there is one per shape.
        if let Some(at) = self.open.iter().position(|g| g.shape.as_slice() == shape && g.ops.len() + g.folds.len() < GROUP) {
            return Ok(at);
        }
        for a in args {
            self.settle(*a)?;
        }
        if let Some(full) = self.open.iter().position(|g| g.shape.as_slice() == shape) {
            self.close(full)?;
        }
        if self.open.len() == OPEN {
            self.close(0)?;
        }
        self.open.push(Group { shape: shape.into(), ops: vec![], folds: vec![] });
        Ok(self.open.len() - 1)
    }

    /// Turns an open group into a step.
    fn close(&mut self, at: usize) -> Result<()> {
        let mut group = self.open.remove(at);
        let mut loads: Vec<(Val, View)> = vec![];
        let reads = group.ops.iter().map(|o| o.args.as_slice()).chain(group.folds.iter().map(|f| std::slice::from_ref(&f.arg)));
        for args in reads {
            self.used(args);
            for a in args {
                if !group.makes(*a) && loads.iter().all(|(v, _)| v != a) {
                    loads.push((*a, self.view(*a)?.clone()));
                }
            }
        }
        let made = group.ops.iter().flat_map(|o| std::iter::once(o.out).chain(o.second));
        for v in made.chain(group.folds.iter().map(|f| f.out)) {
            self.pending.remove(&v);
        }
        let order = iteration_order(&group.shape, loads.iter().map(|(_, v)| v));
        let strides = strides_in(&order, &group.shape);
        let mut stores = vec![];
        for (v, dtype) in group.ops.iter().flat_map(|o| std::iter::once(o.out).chain(o.second).map(|v| (v, o.dtype))) {
            if self.uses[v.index()] == 0 {
                continue;
            }
            let view = self.temporary(dtype, &group.shape, &strides);
            self.views[v.index()] = Some(view.clone());
            stores.push((v, view));
        }
        let parts = group.shape.iter().product::<usize>().div_ceil(CHUNK);
        let mut folds = vec![];
        for f in group.folds {
            let out = self.temporary(f.dtype, &[], &[]);
            self.views[f.out.index()] = Some(out.clone());
            folds.push((f, self.scratch(parts * out.dtype.size()), out.place));
        }
        if group.shape.contains(&0) || (stores.is_empty() && folds.is_empty()) {
            return Ok(());
        }
        let kept = |v: Val| stores.iter().any(|(s, _)| *s == v) || folds.iter().any(|(f, _, _)| f.arg == v);
        contract(&mut group.ops, &kept, self.level);
        let step = build(&group.shape, &order, &loads, &group.ops, &stores, &folds)?;
        self.push(Box::new(step));
        Ok(())
    }

    /// Where an output lies; a view that repeats or wastes memory is copied.
    fn output(&mut self, v: Val) -> Result<View> {
        let view = self.view(v)?.clone();
        let Slot::Temporary { bytes } = self.slots[view.place.base as usize] else { return Ok(view) };
        let repeats = view.shape.iter().zip(&view.strides).any(|(n, s)| *n > 1 && *s == 0);
        if repeats || view.size() * view.dtype.size() * 2 < bytes {
            let out = self.temporary(view.dtype, &view.shape, &c_strides(&view.shape));
            copy(self, &view, &out)?;
            return Ok(out);
        }
        Ok(view)
    }
}
