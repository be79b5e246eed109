//! `dot_general` as matrix products over a batch.

use tenferro_graph::tensor::{Dims, c_strides};
use tenferro_graph::{Aval, DType, Error, Prim, Result};
use tenferro_ops::DotGeneral;

use super::leading::Leading;
use super::order::best;
use super::product::{Matrix, Product};
use crate::layout::strides_in;
use crate::step::{Planning, View, sizes};

/// Which axes of one operand play which part, in this order.
pub(super) struct Roles {
    pub batch: Vec<usize>,
    pub free: Vec<usize>,
    pub contract: Vec<usize>,
}

impl Roles {
    fn new(v: &View, batch: &[usize], contract: Vec<usize>) -> Self {
        let free = (0..v.rank()).filter(|a| !batch.contains(a) && !contract.contains(a)).collect();
        Self { batch: batch.to_vec(), free, contract }
    }
}

fn size(v: &View, axes: &[usize]) -> usize {
    axes.iter().map(|a| v.shape[*a]).product()
}

/// The stride of several axes as one; `None` if they do not join.
pub(super) fn joined(v: &View, axes: &[usize]) -> Option<isize> {
    let mut out: Option<isize> = None;
    for a in axes.iter().filter(|a| v.shape[**a] != 1) {
        let (n, s) = (v.shape[*a] as isize, v.strides[*a]);
        match out {
            Some(t) if t != s * n => return None,
            _ => out = Some(s),
        }
    }
    Some(out.unwrap_or(1))
}

/// The operand with its batch axes first, and as matrices of `rows` and `cols`; copied only if
/// strides cannot express them. Axes not named are read at 0.
fn matrix(p: &mut dyn Planning, v: &View, batch: &[usize], rows: &[usize], cols: &[usize]) -> Result<(View, Matrix)> {
    let axes: Vec<usize> = batch.iter().chain(rows).chain(cols).copied().collect();
    let at_rows: Vec<usize> = (batch.len()..batch.len() + rows.len()).collect();
    let at_cols: Vec<usize> = (batch.len() + rows.len()..axes.len()).collect();
    let view = v.permuted(&axes);
    if v.size() == 0 {
        // Nothing is read through these strides.
        let none = Matrix { place: view.place, rows: 1, cols: 1 };
        return Ok((view, none));
    }
    let strides = |v: &View| Some((joined(v, &at_rows)?, joined(v, &at_cols)?));
    let view = if strides(&view).is_some() { view } else { p.packed(&view)? };
    let (rows, cols) = strides(&view).ok_or_else(|| Error::program("dot_general: a packed operand is not dense"))?;
    let matrix = Matrix { place: view.place, rows, cols };
    Ok((view, matrix))
}

/// The order of contracted pairs in which the least has to be copied.
fn pair_order(d: &DotGeneral, l: &View, r: &View) -> (Vec<usize>, Vec<usize>) {
    let pairs: Vec<(usize, usize)> = d.lhs_contract.iter().copied().zip(d.rhs_contract.iter().copied()).collect();
    let mut orders = [pairs.clone(), pairs.clone(), pairs];
    orders[1].sort_by_key(|(a, _)| std::cmp::Reverse(l.strides[*a]));
    orders[2].sort_by_key(|(_, b)| std::cmp::Reverse(r.strides[*b]));
    let copies = |order: &Vec<(usize, usize)>| {
        let (a, b): (Vec<usize>, Vec<usize>) = order.iter().copied().unzip();
        usize::from(joined(l, &a).is_none()) * l.size() + usize::from(joined(r, &b).is_none()) * r.size()
    };
    orders.into_iter().min_by_key(copies).unwrap_or_default().into_iter().unzip()
}

/// A right side that is the same for the whole batch makes one taller product: the batch axes
/// become rows. Whether it did.
fn share_right(l: &mut Roles, r: &mut Roles, left: &View, right: &View) -> bool {
    let repeats = |a: &usize| right.shape[*a] == 1 || right.strides[*a] == 0;
    if l.batch.is_empty() || !r.batch.iter().all(repeats) {
        return false;
    }
    let rows: Vec<usize> = l.batch.iter().chain(&l.free).copied().collect();
    let shared = joined(left, &rows).is_some();
    if shared {
        r.batch.clear();
        l.batch.clear();
        l.free = rows;
    }
    shared
}

pub(crate) fn lower_dot(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (Some(d), [left, right]) = (prim.downcast::<DotGeneral>(), args) else {
        return Err(Error::program("dot_general: lowered another op"));
    };
    if left.dtype == DType::Bool {
        return Err(Error::dtype("dot_general", "bool has no products; cast to int64"));
    }
    let shape = sizes(&outs[0])?;
    if shape.contains(&0) {
        return Ok(vec![p.temporary(left.dtype, &shape, &c_strides(&shape))]);
    }
    let (lc, rc) = pair_order(d, left, right);
    let (mut l, mut r) = (Roles::new(left, &d.lhs_batch, lc), Roles::new(right, &d.rhs_batch, rc));
    let mut strides = c_strides(&shape);
    let mut turned = false;
    if !share_right(&mut l, &mut r, left, right) {
        // Products of complex numbers are rounded by parts, the left factor's first.
        let order = best(left, right, &l, &r, &shape, p.readers(), !left.dtype.is_complex());
        strides = strides_in(&order.memory(&l, &r), &shape);
        (l.free, r.free, turned) = (order.left, order.right, order.turned);
    }
    let out = p.temporary(left.dtype, &shape, &strides);
    let (m, k, n) = (size(left, &l.free), size(left, &l.contract), size(right, &r.free));
    let batch: Dims = l.batch.iter().map(|a| left.shape[*a]).collect();
    let (left, lhs) = matrix(p, left, &l.batch, &l.free, &l.contract)?;
    let (right, rhs) = matrix(p, right, &r.batch, &r.contract, &r.free)?;
    let (dtype, out_place) = (out.dtype, out.place);
    let product = if turned {
        let leading = Leading::new(&batch, &[&right, &left]);
        Product { dtype, m: n, k, n: m, lhs: rhs.transposed(), rhs: lhs.transposed(), out: out_place, leading }
    } else {
        let leading = Leading::new(&batch, &[&left, &right]);
        Product { dtype, m, k, n, lhs, rhs, out: out_place, leading }
    };
    p.push(Box::new(product));
    Ok(vec![out])
}
