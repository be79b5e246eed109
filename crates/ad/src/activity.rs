//! Which values a derivative must visit, seen from both ends.

use tenferro_graph::{Error, Program, Result, Val};

/// The values of `wrt` must exist and have a dtype that carries derivatives.
pub(crate) fn check_wrt(op: &'static str, forward: &Program, wrt: &[Val]) -> Result<()> {
    for v in wrt {
        if v.index() >= forward.n_values() {
            return Err(Error::program(format!("{op}: {v:?} is not a value of the program")));
        }
        let aval = forward.aval(*v);
        if !aval.dtype.is_inexact() {
            return Err(Error::dtype(op, format!("{aval} has no derivative; cast it to a floating dtype first")));
        }
    }
    Ok(())
}

/// For each value whether its tangent is wanted: it depends on `wrt` through
/// floating values only, an output depends on it, and it is not in `wrt` itself
/// (there the derivative is cut).
pub(crate) fn active(forward: &Program, wrt: &[Val]) -> Vec<bool> {
    let n = forward.n_values();
    let mut reached = vec![false; n];
    let mut cut = vec![false; n];
    for v in wrt {
        reached[v.index()] = true;
        cut[v.index()] = true;
    }
    for step in forward.steps() {
        if step.args.iter().any(|a| reached[a.index()]) {
            for v in step.outs() {
                reached[v.index()] |= forward.aval(v).dtype.is_inexact();
            }
        }
    }
    let mut live = vec![false; n];
    for v in forward.outputs() {
        live[v.index()] = true;
    }
    for step in forward.steps().rev() {
        let wanted = |v: Val| live[v.index()] && reached[v.index()] && !cut[v.index()];
        if step.outs().any(wanted) {
            for a in step.args {
                live[a.index()] = true;
            }
        }
    }
    (0..n).map(|i| reached[i] && live[i] && !cut[i]).collect()
}
