//! How long an op takes, roughly.

use tenferro_graph::{Prim, Program, Val};
use tenferro_ops as ops;

/// What starting an op costs, in elements.
const START: usize = 64;

/// About how many elements an op touches if its inputs and outputs have `elements`
/// together; what is not known to be linear counts as a factorization.
pub fn work(prim: &Prim, elements: usize) -> usize {
    macro_rules! any {
        ($($t:ident),*) => { false $(|| prim.downcast::<ops::$t>().is_some())* };
    }
    let linear = any!(
        Unary,
        Binary,
        Compare,
        Select,
        Cast,
        BroadcastInDim,
        Reduce,
        Reshape,
        Transpose,
        Slice,
        Pad,
        Concatenate,
        Constant,
        StopGradient
    );
    if linear {
        return elements.saturating_add(START);
    }
    // An n × n product or factorization takes some n³ steps.
    let n = elements as f64;
    (8.0 * n * n.sqrt()) as usize + START
}

/// The same of a program; beyond any bound if sizes are symbolic.
pub fn work_of(program: &Program) -> usize {
    let size = |v: Val| program.aval(v).shape.size().as_const().unwrap_or(usize::MAX);
    let sum = |n: usize, v: Val| n.saturating_add(size(v));
    let step = |s: tenferro_graph::Step<'_>| work(s.prim, s.outs().fold(s.args.iter().copied().fold(0, sum), sum));
    program.steps().map(step).fold(program.inputs().fold(0, sum), usize::saturating_add)
}
