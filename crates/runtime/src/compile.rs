//! From traced tensors to a frozen program that knows no engine.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tenferro_graph::{Aval, Dim, Error, Fingerprint, Guard, Program, Result, Tensor, Val};

use crate::fragment::{Fragment, Leaf, LeafKey};
use crate::narrow::narrow_and_merge;
use crate::resolve::resolve;
use crate::traced::TracedTensor;

static VERIFY: AtomicBool = AtomicBool::new(cfg!(debug_assertions));

/// Whether every compiled program is verified; on in debug builds and tests.
pub fn set_verify(on: bool) {
    VERIFY.store(on, Ordering::Relaxed);
}

/// Freezes graphs.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphCompiler;

impl GraphCompiler {
    pub fn new() -> Self {
        Self
    }

    /// The program of `outputs`: equal values computed once, ops narrowed to what is
    /// read, nothing dead. Its inputs are the leaves that it needs.
    pub fn compile(&self, outputs: &[TracedTensor]) -> Result<CompiledGraph> {
        if outputs.is_empty() {
            return Err(Error::binding("compile: needs at least one output"));
        }
        let resolved = resolve(outputs)?;
        let program = narrow_and_merge(&resolved.program, &[])?.program;
        let live = needed(&program);
        let program = program.with_live_inputs(&live)?;
        if VERIFY.load(Ordering::Relaxed) {
            program.verify()?;
        }
        let input = |f: &Arc<Fragment>| f.leaf.as_ref().map(|leaf| Input { leaf: leaf.clone(), aval: f.values[0].aval.clone() });
        let kept = resolved.leaves.iter().zip(&live).filter(|(_, live)| **live);
        let inputs: Vec<Input> = kept.filter_map(|(f, _)| input(f)).collect();
        let data = inputs.iter().filter_map(|i| i.leaf.data.clone().map(|t| (i.leaf.key, t)));
        Ok(CompiledGraph { program: Arc::new(program), bindings: data.collect(), inputs })
    }
}

/// Live values, and inputs that give a symbolic size which the program uses: the
/// gradient of a sum reads no element of its input, but its shape.
fn needed(program: &Program) -> Vec<bool> {
    let mut live = program.live();
    if !program.is_symbolic() {
        return live;
    }
    let values = (0..program.n_values()).map(Val::from_index).filter(|v| live[v.index()]);
    let sizes = values.flat_map(|v| program.aval(v).shape.iter());
    let guarded = program.guards().as_slice().iter().flat_map(|g| match g {
        Guard::Equal(a, b) | Guard::AtLeast(a, b) => [a, b],
    });
    let mut open: HashSet<Arc<str>> = sizes.chain(guarded).flat_map(Dim::symbols).collect();
    let given = |v: Val| program.aval(v).shape.iter().filter_map(Dim::as_symbol);
    for v in program.inputs().filter(|v| live[v.index()]) {
        open.retain(|s| !given(v).any(|g| g == &**s));
    }
    for v in program.inputs() {
        if given(v).any(|s| open.contains(s)) {
            live[v.index()] = true;
            open.retain(|s| !given(v).any(|g| g == &**s));
        }
    }
    live
}

/// An input of a compiled program.
#[derive(Clone, Debug)]
pub struct Input {
    pub leaf: Leaf,
    pub aval: Aval,
}

impl Input {
    /// Its name, or `input 3` by position.
    pub fn describe(&self, position: usize) -> String {
        self.leaf.name.as_ref().map_or_else(|| format!("input {position}"), |n| format!("input {position} ({n})"))
    }
}

/// A program and the data bound to its inputs.
#[derive(Clone)]
pub struct CompiledGraph {
    program: Arc<Program>,
    inputs: Vec<Input>,
    bindings: HashMap<LeafKey, Tensor>,
}

impl CompiledGraph {
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The program in Graphviz's language, with the names of inputs that have one.
    pub fn to_dot(&self) -> String {
        let names: Vec<Option<&str>> = self.inputs.iter().map(|i| i.leaf.name.as_deref()).collect();
        self.program.to_dot_named(&names)
    }

    /// In the order in which the program takes them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    pub fn n_outputs(&self) -> usize {
        self.program.outputs().len()
    }

    pub fn input_keys(&self) -> Vec<LeafKey> {
        self.inputs.iter().map(|i| i.leaf.key).collect()
    }

    pub fn bindings(&self) -> &HashMap<LeafKey, Tensor> {
        &self.bindings
    }

    /// The inputs that a run must be given, with their positions.
    pub fn unbound(&self) -> impl Iterator<Item = (usize, &Input)> {
        self.inputs.iter().enumerate().filter(|(_, i)| !self.bindings.contains_key(&i.leaf.key))
    }

    pub fn fingerprint(&self) -> Fingerprint {
        self.program.fingerprint()
    }

    /// The same program with a placeholder bound to data.
    ///
    /// # Errors
    /// `Binding` for a key that is not an input or is bound already; `Shape` or
    /// `DType` for data that does not fit.
    pub fn bind(&self, key: LeafKey, data: Tensor) -> Result<Self> {
        let at = self.inputs.iter().position(|i| i.leaf.key == key);
        let at = at.ok_or_else(|| Error::binding("bind: the key is not an input of this program"))?;
        if self.bindings.contains_key(&key) {
            return Err(Error::binding(format!("bind: {} is bound already", self.inputs[at].describe(at))));
        }
        check_declared("bind", &self.inputs[at].describe(at), &self.inputs[at].aval, &data.aval())?;
        let mut out = self.clone();
        out.bindings.insert(key, data);
        Ok(out)
    }
}

/// Whether an actual aval is one of those that a declaration allows.
pub(crate) fn check_declared(op: &'static str, what: &str, declared: &Aval, actual: &Aval) -> Result<()> {
    if declared.dtype != actual.dtype {
        return Err(Error::dtype(op, format!("{what} is {} and must be {}", actual.dtype, declared.dtype)));
    }
    let fits = |(d, a): (&Dim, &Dim)| d == a || d.as_const().is_none();
    if declared.rank() != actual.rank() || !declared.shape.iter().zip(actual.shape.iter()).all(fits) {
        return Err(Error::shape(op, format!("{what} has shape {} and must have {}", actual.shape, declared.shape)));
    }
    Ok(())
}

/// Whether a tensor has this numeric dtype and shape.
pub(crate) fn fits(aval: &Aval, t: &Tensor) -> bool {
    let same = |(d, n): (&Dim, &usize)| *d == Dim::Const(*n);
    aval.dtype == t.dtype() && aval.rank() == t.rank() && aval.shape.iter().zip(t.shape()).all(same)
}

/// One line on a program's size.
pub fn summary(program: &Program) -> String {
    format!(
        "SemanticProgram {{ inputs: {}, outputs: {}, values: {}, operations: {}, shape_guards: {} }}",
        program.n_inputs(),
        program.outputs().len(),
        program.n_values(),
        program.n_steps(),
        program.guards().as_slice().len()
    )
}

impl fmt::Display for CompiledGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&summary(&self.program))
    }
}

impl fmt::Debug for CompiledGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&summary(&self.program))
    }
}
