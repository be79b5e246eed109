//! Which elementwise instructions and reductions become one loop.

use std::collections::HashMap;

use tenferro_graph::tensor::Strides;
use tenferro_graph::{Error, Result, SmallVec, Val};
use tenferro_ops::{Number, Reduce, ReduceOp};

use crate::block::{Space, arranged, fold};
use crate::group::{GroupFold, GroupOp, build, contract};
use crate::layout::{Order, c_order, order_of, strides_in};
use crate::memory::Place;
use crate::planner::{Plan, Slot};
use crate::step::{Planning, View, sizes};

/// Instructions of one fused group at most, and groups that wait at the same time.
const GROUP: usize = 48;
const OPEN: usize = 8;

/// A group that may still grow.
pub(crate) struct Group {
    pub shape: SmallVec<[usize; 6]>,
    pub ops: Vec<GroupOp>,
    pub folds: Vec<GroupFold>,
    /// The order of memory of what `ops` make: that of the first argument that repeats
    /// nothing. It is the one that each op would choose alone, so that reductions have
    /// the same bits in a group and alone.
    orders: HashMap<Val, Order>,
    /// What all folds reduce, in the order of memory of what they read.
    pattern: Option<(Vec<usize>, Order)>,
}

impl Group {
    pub fn makes(&self, v: Val) -> bool {
        self.ops.iter().any(|o| o.makes(v))
    }
}

impl Plan<'_> {
    /// The order in which `v` lies; `None` if it repeats elements.
    fn order(&self, at: usize, v: Val) -> Result<Option<Order>> {
        match self.open[at].orders.get(&v) {
            Some(order) => Ok(Some(order.clone())),
            None => self.view(v).map(order_of),
        }
    }

    /// Puts an elementwise instruction into the open group of its shape.
    pub(crate) fn join(&mut self, op: GroupOp) -> Result<()> {
        let shape = sizes(self.program.aval(op.out))?;
        let at = self.group_for(&shape, &op.args)?;
        self.pending.insert(op.out);
        let mut order = None;
        for a in &op.args {
            order = order.or(self.order(at, *a)?);
        }
        let level = self.level;
        let group = &mut self.open[at];
        group.orders.insert(op.out, order.unwrap_or_else(|| c_order(&shape)));
        if group.ops.iter_mut().any(|o| o.absorb(&op, level)) {
            // The counterpart reads the argument for both.
            self.used(&op.args);
        } else {
            group.ops.push(op);
        }
        Ok(())
    }

    /// Puts a reduction into the open group of its argument's shape.
    pub(crate) fn reduction(&mut self, r: &Reduce, arg: Val, out: Val) -> Result<()> {
        let aval = self.program.aval(arg);
        let (dtype, shape) = (aval.dtype, sizes(aval)?);
        if shape.contains(&0) || r.axes.iter().all(|a| shape[*a] == 1) {
            return self.trivial(r, arg, out);
        }
        let kernels =
            fold(r.op, dtype, self.level).ok_or_else(|| Error::dtype("reduce", format!("{:?} of {dtype} is not reduced here", r.op)))?;
        let mut at = self.group_for(&shape, &[arg])?;
        let order = self.order(at, arg)?.unwrap_or_else(|| c_order(&shape));
        if self.open[at].pattern.as_ref().is_some_and(|(axes, o)| *axes != r.axes || *o != order) {
            self.close(at)?;
            at = self.group_for(&shape, &[arg])?;
        }
        self.pending.insert(out);
        let group = &mut self.open[at];
        group.pattern.get_or_insert_with(|| (r.axes.clone(), order));
        group.folds.push(GroupFold { out, arg, dtype, kernels });
        Ok(())
    }

    /// A reduction of nothing, or over axes of length 1: a view.
    fn trivial(&mut self, r: &Reduce, arg: Val, out: Val) -> Result<()> {
        let x = self.arguments(&[arg])?.remove(0);
        let kept: Vec<usize> = (0..x.rank()).filter(|a| !r.axes.contains(a)).collect();
        let mut view = x.permuted(&kept);
        if x.size() == 0 && view.size() > 0 {
            let neutral = Number::Bool(matches!(r.op, ReduceOp::Prod | ReduceOp::Min));
            view.place = self.slot(Slot::Constant(neutral.tensor(x.dtype)?));
            view.strides = kept.iter().map(|_| 0).collect::<Strides>();
        }
        self.views[out.index()] = Some(view);
        self.used(&[arg]);
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
        self.open.push(Group { shape: shape.into(), ops: vec![], folds: vec![], orders: HashMap::new(), pattern: None });
        Ok(self.open.len() - 1)
    }

    /// What the group reads from outside; its reads count as done.
    fn loads(&mut self, group: &Group) -> Result<Vec<(Val, View)>> {
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
        Ok(loads)
    }

    /// Places for what is read after the group.
    fn stores(&mut self, group: &Group) -> Vec<(Val, View)> {
        let mut stores = vec![];
        for (v, dtype) in group.ops.iter().flat_map(|o| std::iter::once(o.out).chain(o.second).map(|v| (v, o.dtype))) {
            self.pending.remove(&v);
            if self.uses[v.index()] == 0 {
                continue;
            }
            let strides = strides_in(&group.orders[&v], &group.shape);
            let view = self.temporary(dtype, &group.shape, &strides);
            self.views[v.index()] = Some(view.clone());
            stores.push((v, view));
        }
        stores
    }

    /// Places for the parts and results of reductions.
    fn results(
        &mut self,
        folds: Vec<GroupFold>,
        shape: &[usize],
        order: &Order,
        axes: &[usize],
        space: Space,
    ) -> Vec<(GroupFold, Place, Place)> {
        let kept: Vec<usize> = (0..shape.len()).filter(|a| !axes.contains(a)).collect();
        let lengths: Vec<usize> = kept.iter().map(|a| shape[*a]).collect();
        let places: Vec<usize> = order.iter().filter_map(|a| kept.iter().position(|k| k == a)).collect();
        let strides = strides_in(&places, &lengths);
        let mut out = vec![];
        for f in folds {
            self.pending.remove(&f.out);
            let view = self.temporary(f.dtype, &lengths, &strides);
            let parts = if space.parts() > 1 { self.scratch(view.size() * space.parts() * f.dtype.size()) } else { view.place };
            out.push((f, parts, view.place));
            self.views[out[out.len() - 1].0.out.index()] = Some(view);
        }
        out
    }

    /// Turns an open group into a step.
    pub(crate) fn close(&mut self, at: usize) -> Result<()> {
        let mut group = self.open.remove(at);
        let loads = self.loads(&group)?;
        let stores = self.stores(&group);
        let (axes, order) = group.pattern.take().unwrap_or_else(|| {
            let first = loads.iter().find_map(|(_, v)| order_of(v));
            (vec![], first.unwrap_or_else(|| c_order(&group.shape)))
        });
        let (order, mut space) = if axes.is_empty() { (order, Space::FLAT) } else { arranged(&group.shape, &order, &axes) };
        // Accumulators of complex numbers are apart from each other, as memory's are not.
        if group.folds.iter().all(|f| !f.dtype.is_complex()) {
            space = space.wide();
        }
        let folds = self.results(std::mem::take(&mut group.folds), &group.shape, &order, &axes, space);
        if group.shape.contains(&0) || (stores.is_empty() && folds.is_empty()) {
            return Ok(());
        }
        let kept = |v: Val| stores.iter().any(|(s, _)| *s == v) || folds.iter().any(|(f, _, _)| f.arg == v);
        contract(&mut group.ops, &kept, self.level);
        let step = build(&group.shape, &order, &loads, &group.ops, &stores, (space, &folds), self.level)?;
        self.push(Box::new(step));
        Ok(())
    }
}
