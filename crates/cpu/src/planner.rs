//! From a program to steps.

use std::collections::{HashMap, HashSet};

use tenferro_graph::tensor::{Strides, c_strides, checked_size};
use tenferro_graph::{Aval, DType, Error, Program, Result, SmallVec, Tensor, Val};
use tenferro_ops::{Constant, Reduce};
use tenferro_vmath::Level;

use crate::block::{choose, pairs};
use crate::fuse::Group;
use crate::group::{GroupOp, kind};
use crate::layout::view_of;
use crate::lowering::Lowerings;
use crate::memory::Place;
use crate::movement::copy;
use crate::readers::{Reader, readers};
use crate::schedule::{Batch, schedule};
use crate::step::{Planning, Step, View, sizes};

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

pub(crate) struct Plan<'a> {
    pub(crate) program: &'a Program,
    table: &'a Lowerings,
    pub(crate) level: Level,
    slots: Vec<Slot>,
    steps: Vec<Vec<Box<dyn Step>>>,
    pub(crate) views: Vec<Option<View>>,
    /// Uses of each value that are still to come.
    pub(crate) uses: Vec<u32>,
    pub(crate) open: Vec<Group>,
    /// Values of open groups.
    pub(crate) pending: HashSet<Val>,
    /// Of products.
    readers: HashMap<Val, Vec<Reader>>,
    /// The first result of the instruction that is being lowered.
    lowered: Option<Val>,
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

    fn readers(&self) -> &[Reader] {
        self.lowered.and_then(|v| self.readers.get(&v)).map_or(&[], Vec::as_slice)
    }
}

/// Whether all values together have sizes that sums of sizes can hold.
fn addressable(program: &Program) -> Result<()> {
    let mut total = 0_usize;
    for v in (0..program.n_values()).map(Val::from_index) {
        let aval = program.aval(v);
        let bytes = checked_size(&sizes(aval)?).and_then(|n| n.checked_mul(aval.dtype.size()));
        let sum = bytes.and_then(|n| total.checked_add(n)).filter(|n| *n < isize::MAX as usize / 4);
        total = sum.ok_or_else(|| Error::memory("plan", format!("not enough memory for {aval}")))?;
    }
    Ok(())
}

/// Plans `program` for inputs with these strides.
pub(crate) fn plan(program: &Program, table: &Lowerings, input_strides: &[Strides], level: Level) -> Result<Planned> {
    let mut p = Plan {
        program,
        table,
        level,
        slots: vec![],
        steps: vec![],
        views: vec![None; program.n_values()],
        uses: vec![0; program.n_values()],
        open: vec![],
        pending: HashSet::new(),
        readers: readers(program),
        lowered: None,
    };
    for a in program.steps().flat_map(|s| s.args.to_vec()).chain(program.outputs().iter().copied()) {
        p.uses[a.index()] += 1;
    }
    addressable(program)?;
    for (i, v) in program.inputs().enumerate() {
        let place = p.slot(Slot::Input(i));
        let aval = program.aval(v);
        p.views[v.index()] = Some(View { place, dtype: aval.dtype, shape: sizes(aval)?, strides: input_strides[i].clone() });
    }
    for batch in schedule(program) {
        match batch {
            Batch::Light(i) => p.light(i)?,
            Batch::Heavy(many) => p.heavy(&many)?,
        }
    }
    while !p.open.is_empty() {
        p.close(0)?;
    }
    let outputs = program.outputs().iter().map(|v| p.output(*v)).collect::<Result<_>>()?;
    Ok(Planned { slots: p.slots, steps: p.steps, outputs })
}

impl Plan<'_> {
    pub(crate) fn slot(&mut self, slot: Slot) -> Place {
        self.slots.push(slot);
        Place { base: self.slots.len() as u32 - 1, offset: 0 }
    }

    pub(crate) fn view(&self, v: Val) -> Result<&View> {
        self.views[v.index()].as_ref().ok_or_else(|| Error::program("plan: a value is used before it is made"))
    }

    /// Views of an instruction's arguments; groups that hold them are closed.
    pub(crate) fn arguments(&mut self, args: &[Val]) -> Result<Vec<View>> {
        for a in args {
            self.settle(*a)?;
        }
        args.iter().map(|a| self.view(*a).cloned()).collect()
    }

    /// Closes the open group that computes `v`, if one does.
    pub(crate) fn settle(&mut self, v: Val) -> Result<()> {
        if self.pending.contains(&v)
            && let Some(g) = self.open.iter().position(|g| g.makes(v) || g.folds.iter().any(|f| f.out == v))
        {
            self.close(g)?;
        }
        Ok(())
    }

    pub(crate) fn used(&mut self, args: &[Val]) {
        for a in args {
            self.uses[a.index()] -= 1;
        }
    }

    fn light(&mut self, i: usize) -> Result<()> {
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
            let op = GroupOp {
                out: step.out(0),
                dtype,
                args: step.args.into(),
                kernel,
                kind: kind(step.prim),
                second: None,
                pairs: pairs(step.prim, dtypes[0], self.level),
            };
            return self.join(op);
        }
        if let Some(r) = step.prim.downcast::<Reduce>() {
            return self.reduction(r, step.args[0], step.out(0));
        }
        let args = self.arguments(step.args)?;
        if let [x] = args.as_slice()
            && let Some(view) = view_of(step.prim, x, self.program.aval(step.out(0)))?
        {
            self.views[step.out(0).index()] = Some(view);
            self.used(step.args);
            return Ok(());
        }
        self.lower(i, &args)
    }

    fn lower(&mut self, i: usize, args: &[View]) -> Result<()> {
        let step = self.program.step(i);
        let lowering = self.table.get(step.prim)?;
        let outs: Vec<Aval> = step.outs().map(|v| self.program.aval(v).clone()).collect();
        self.lowered = step.outs().next();
        let views = lowering(self, step.prim, args, &outs)?;
        for (v, view) in step.outs().zip(views) {
            self.views[v.index()] = Some(view);
        }
        self.used(step.args);
        Ok(())
    }

    /// Heavy instructions: what each needs first, then all of them side by side.
    fn heavy(&mut self, many: &[usize]) -> Result<()> {
        let mut together = vec![];
        for i in many {
            let args = self.arguments(self.program.step(*i).args)?;
            let before = self.steps.len();
            self.lower(*i, &args)?;
            if self.steps.len() > before {
                together.extend(self.steps.pop().into_iter().flatten());
            }
        }
        if !together.is_empty() {
            self.steps.push(together);
        }
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
