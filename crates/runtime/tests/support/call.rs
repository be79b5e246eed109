//! An op that holds a program and runs it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use tenferro_graph::{Aval, Builder, Error, Guards, NoInterrupt, Prim, Primitive, Program, Result, Rule, Tensor, Val};

#[derive(Clone, Debug)]
pub struct Call([Arc<Program>; 1]);

impl Call {
    pub fn new(program: Program) -> Self {
        Self([Arc::new(program)])
    }

    fn program(&self) -> &Program {
        &self.0[0]
    }
}

impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        self.program().fingerprint() == other.program().fingerprint()
    }
}

impl Eq for Call {}

impl Hash for Call {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.program().fingerprint().hash(state);
    }
}

/// Appends the steps of `p`; all of its values.
fn splice(b: &Builder, p: &Program, inputs: &[Val]) -> Result<Vec<Val>> {
    let mut map = inputs.to_vec();
    for step in p.steps() {
        let args: Vec<Val> = step.args.iter().map(|a| map[a.index()]).collect();
        map.extend(b.emit(step.prim.clone(), &args)?);
    }
    Ok(map)
}

impl Primitive for Call {
    fn name(&self) -> &'static str {
        "call"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        if x != self.program().input_avals() {
            return Err(Error::shape("call", "inputs differ from the program's"));
        }
        Ok(self.program().output_avals())
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let wrt: Vec<Val> = self.program().inputs().filter(|v| t[v.index()].is_some()).collect();
        let (derived, which) = tenferro_ad::jvp(self.program(), &wrt)?;
        let mut inputs = splice(r.b, self.program(), r.inputs)?;
        inputs.extend(t.iter().flatten());
        let values = splice(r.b, &derived, &inputs)?;
        Ok(which.iter().map(|w| w.map(|i| values[derived.outputs()[i].index()])).collect())
    }

    fn programs(&self) -> &[Arc<Program>] {
        &self.0
    }
}

pub fn kernel(prim: &Prim, x: &[&Tensor]) -> Option<Result<Vec<Tensor>>> {
    let program = prim.downcast::<Call>()?.program();
    let inputs: Vec<Tensor> = x.iter().map(|t| (*t).clone()).collect();
    let values = super::interpret(program, &inputs, &NoInterrupt);
    Some(values.map(|v| program.outputs().iter().map(|o| v[o.index()].clone()).collect()))
}
