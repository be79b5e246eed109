//! Contractions and factorizations on `tenferro_dense`.

mod dot;
mod factor;

pub(crate) use dot::lower_dot;
pub(crate) use factor::{lower_solve, lower_svd, lower_svd_trunc, lower_svdvals};

use tenferro_graph::tensor::Dims;

use crate::step::View;

/// Steps through leading axes; gives each position's element offset in every operand.
pub(crate) fn batches(shape: &[usize], operands: &[&View]) -> Vec<Vec<isize>> {
    let count: usize = shape.iter().product();
    let mut out = Vec::with_capacity(count);
    let mut index: Dims = shape.iter().map(|_| 0).collect();
    for _ in 0..count {
        out.push(operands.iter().map(|v| index.iter().zip(&v.strides).map(|(i, s)| *i as isize * s).sum()).collect());
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            if index[axis] < shape[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
    out
}
