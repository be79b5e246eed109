//! The axes that an op runs over, one matrix at a time.

use std::fmt::Write;

use tenferro_graph::tensor::{Dims, Strides};

use crate::step::View;

/// Leading axes of several operands.
#[derive(Debug)]
pub(super) struct Leading {
    shape: Dims,
    /// Per operand, in elements.
    strides: Vec<Strides>,
}

impl Leading {
    /// The first `shape.len()` axes of each operand.
    pub fn new(shape: &[usize], operands: &[&View]) -> Self {
        let strides = operands.iter().map(|v| v.strides[..shape.len()].into()).collect();
        Self { shape: shape.into(), strides }
    }

    /// Number of matrices.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Where matrix `b`, in C order, of an operand begins, in elements.
    pub fn offset(&self, operand: usize, b: usize) -> isize {
        let strides = &self.strides[operand];
        if let [stride] = strides.as_slice() {
            return b as isize * stride;
        }
        let (mut rest, mut offset) = (b, 0);
        for (n, s) in self.shape.iter().zip(strides).rev() {
            offset += (rest % n) as isize * s;
            rest /= n;
        }
        offset
    }

    /// `" (batch index 3)"` or `" (batch index (1, 2))"` for messages; nothing without leading axes.
    pub fn name(&self, b: usize) -> String {
        let mut index = vec![0; self.shape.len()];
        let mut rest = b;
        for (i, n) in index.iter_mut().zip(&self.shape).rev() {
            *i = rest % n;
            rest /= n;
        }
        match index.as_slice() {
            [] => String::new(),
            [i] => format!(" (batch index {i})"),
            [first, others @ ..] => {
                let mut text = format!(" (batch index ({first}");
                for i in others {
                    // Writing to a String cannot fail.
                    let _ = write!(text, ", {i}");
                }
                text + "))"
            }
        }
    }
}
