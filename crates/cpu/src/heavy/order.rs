//! The order in memory of a product's result: that in which least is copied, of its operands
//! before it and of itself afterwards.

use crate::layout::strides_in;
use crate::readers::{Kind, Reader};
use crate::step::View;

use super::dot::{Roles, joined};

/// How the free axes lie in the result.
pub(super) struct Order {
    pub left: Vec<usize>,
    pub right: Vec<usize>,
    /// Those of the right operand first: the transposed product of the operands in turn.
    pub turned: bool,
}

impl Order {
    /// Axes of the result as they lie in memory, slowest first.
    pub fn memory(&self, l: &Roles, r: &Roles) -> Vec<usize> {
        let batch = l.batch.len();
        let place = |free: &[usize], first: usize, order: &[usize]| -> Vec<usize> {
            order.iter().filter_map(|a| free.iter().position(|b| b == a)).map(|i| first + i).collect()
        };
        let left = place(&l.free, batch, &self.left);
        let right = place(&r.free, batch + l.free.len(), &self.right);
        let (first, second) = if self.turned { (right, left) } else { (left, right) };
        (0..batch).chain(first).chain(second).collect()
    }
}

/// `axes` by falling stride.
fn by_stride(v: &View, axes: &[usize]) -> Vec<usize> {
    let mut sorted = axes.to_vec();
    sorted.sort_by_key(|a| std::cmp::Reverse(v.strides[*a].abs()));
    sorted
}

/// Elements of an operand that would be copied.
fn copied(v: &View, free: &[usize], contract: &[usize]) -> usize {
    if joined(v, free).is_some() && joined(v, contract).is_some() { 0 } else { v.size() }
}

/// Elements that a reader copies, or reads across lines of memory.
fn cost(result: &View, reader: &Reader) -> usize {
    let v = result.permuted(&reader.axes);
    match &reader.kind {
        Kind::Product { batch, contract } => {
            let free: Vec<usize> = (0..v.rank()).filter(|a| !batch.contains(a) && !contract.contains(a)).collect();
            copied(&v, &by_stride(&v, &free), &by_stride(&v, contract))
        }
        _ if v.is_c_dense() => 0,
        // Its strides say how it lies; C order is what most expect.
        Kind::Output => v.size() / 4,
        Kind::Other => v.size(),
    }
}

/// The best order. C order unless another saves copies; `symmetric` says that turning a product
/// changes no bit of it.
pub(super) fn best(left: &View, right: &View, l: &Roles, r: &Roles, shape: &[usize], readers: &[Reader], symmetric: bool) -> Order {
    let mut choice: Option<(usize, Order)> = None;
    for turned in [false, true].into_iter().take(1 + usize::from(symmetric)) {
        for left_order in [l.free.clone(), by_stride(left, &l.free)] {
            for right_order in [r.free.clone(), by_stride(right, &r.free)] {
                let order = Order { left: left_order.clone(), right: right_order, turned };
                let strides = strides_in(&order.memory(l, r), shape);
                let result = View { shape: shape.into(), strides, ..left.clone() };
                let operands = copied(left, &order.left, &l.contract) + copied(right, &order.right, &r.contract);
                let all = operands + readers.iter().map(|reader| cost(&result, reader)).sum::<usize>();
                if choice.as_ref().is_none_or(|(least, _)| all < *least) {
                    choice = Some((all, order));
                }
            }
        }
    }
    choice.map_or_else(|| Order { left: l.free.clone(), right: r.free.clone(), turned: false }, |(_, order)| order)
}
