//! What a legal program is.

use crate::error::{Error, Result};
use crate::guards::Guards;
use crate::program::Program;

impl Program {
    /// Checks numbering, that arguments are defined before use, and that every
    /// aval is what inference gives. For tests and debug builds.
    pub fn verify(&self) -> Result<()> {
        let mut next = self.n_inputs();
        for (i, step) in self.steps().enumerate() {
            let bad = |what: String| Error::program(format!("step {i} ({}): {what}", step.prim));
            if let Some(a) = step.args.iter().find(|a| a.index() >= next) {
                return Err(bad(format!("argument {a:?} is used before it is defined")));
            }
            let avals: Vec<_> = step.args.iter().map(|a| self.aval(*a).clone()).collect();
            let outs = step.prim.infer(&avals, &mut Guards::default())?;
            if step.outs().next().map(super::builder::Val::index) != Some(next) && !outs.is_empty() {
                return Err(bad("outputs are not numbered consecutively".into()));
            }
            if outs.len() != step.outs().len() {
                return Err(bad(format!("{} outputs, inference gives {}", step.outs().len(), outs.len())));
            }
            for (v, want) in step.outs().zip(&outs) {
                if self.aval(v) != want {
                    return Err(bad(format!("output {v:?} is {}, inference gives {want}", self.aval(v))));
                }
            }
            for p in step.prim.programs() {
                p.verify()?;
            }
            next += outs.len();
        }
        if next != self.n_values() {
            return Err(Error::program(format!("{} values are numbered, {next} are defined", self.n_values())));
        }
        if let Some(v) = self.outputs().iter().find(|v| v.index() >= next) {
            return Err(Error::program(format!("output {v:?} is not defined")));
        }
        Ok(())
    }
}
