//! Appends instructions; never merges them.

use std::cell::RefCell;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::{SmallVec, smallvec};

use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::guards::Guards;
use crate::primitive::Prim;
use crate::program::{Program, StepRow};

/// A value's number in one program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Val(pub(crate) u32);

impl Val {
    /// Stands for "no value": what an instruction that failed returns, and the
    /// unknown inputs of a transpose.
    pub const NONE: Self = Self(u32::MAX);

    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn from_index(i: usize) -> Self {
        Self(i as u32)
    }
}

pub type Vals = SmallVec<[Val; 4]>;
type Ids = SmallVec<[u32; 4]>;

/// Builds a [`Program`]. Methods take `&self` so that several expressions can
/// hold the builder at once; the first error is kept and returned by `finish`.
#[derive(Default)]
pub struct Builder {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    program: Program,
    prim_ids: FxHashMap<Prim, u32>,
    aval_ids: FxHashMap<Aval, u32>,
    inferred: std::collections::HashMap<(u32, Ids), Ids, BuildHasherDefault<FxHasher>>,
    error: Option<Error>,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder that goes on from `program`: its values keep their numbers and
    /// are inputs of what is built.
    pub fn over(program: &Program) -> Self {
        let state = State {
            program: Program {
                avals: program.avals.clone(),
                value_aval: program.value_aval.clone(),
                n_inputs: program.n_values() as u32,
                guards: program.guards.clone(),
                ..Program::default()
            },
            aval_ids: program.avals.iter().enumerate().map(|(i, a)| (a.clone(), i as u32)).collect(),
            ..State::default()
        };
        Self { state: RefCell::new(state) }
    }

    /// A new input.
    ///
    /// # Panics
    /// After the first instruction: inputs have the first numbers.
    pub fn input(&self, aval: Aval) -> Val {
        let s = &mut *self.state.borrow_mut();
        assert!(s.program.steps.is_empty(), "inputs are declared before instructions");
        let id = s.aval_id(aval);
        s.program.value_aval.push(id);
        s.program.n_inputs += 1;
        Val(s.program.n_inputs - 1)
    }

    /// Appends an instruction.
    pub fn emit(&self, prim: Prim, args: &[Val]) -> Result<Vals> {
        self.state.borrow_mut().emit(prim, args)
    }

    /// Appends an instruction with one output. An error is kept for `finish`.
    pub fn emit_one(&self, prim: Prim, args: &[Val]) -> Val {
        match self.emit(prim, args) {
            Ok(v) => v.first().copied().unwrap_or(Val::NONE),
            Err(e) => {
                self.fail(e);
                Val::NONE
            }
        }
    }

    /// Keeps an error, unless there is one already.
    pub fn fail(&self, e: Error) {
        let s = &mut *self.state.borrow_mut();
        s.error.get_or_insert(e);
    }

    pub fn failed(&self) -> bool {
        self.state.borrow().error.is_some()
    }

    /// The aval of a value; of [`Val::NONE`], that of a float64 scalar.
    pub fn aval(&self, v: Val) -> Aval {
        let s = self.state.borrow();
        s.program.value_aval.get(v.index()).map_or_else(|| Aval::scalar(DType::F64), |id| s.program.avals[*id as usize].clone())
    }

    pub fn n_values(&self) -> usize {
        self.state.borrow().program.n_values()
    }

    pub fn n_steps(&self) -> usize {
        self.state.borrow().program.n_steps()
    }

    /// Notes equalities of sizes that the program assumes.
    pub fn guard(&self, guards: &Guards) {
        self.state.borrow_mut().program.guards.extend(guards);
    }

    /// The program, or the first error.
    pub fn finish(self, outputs: Vec<Val>) -> Result<Program> {
        let State { mut program, error, .. } = self.state.into_inner();
        if let Some(e) = error {
            return Err(e);
        }
        if let Some(v) = outputs.iter().find(|v| v.index() >= program.n_values()) {
            return Err(Error::program(format!("output {v:?} is not a value of the program")));
        }
        program.outputs = outputs;
        program.fingerprint = OnceLock::new();
        Ok(program)
    }
}

impl State {
    fn aval_id(&mut self, aval: Aval) -> u32 {
        let avals = &mut self.program.avals;
        *self.aval_ids.entry(aval).or_insert_with_key(|a| {
            avals.push(a.clone());
            avals.len() as u32 - 1
        })
    }

    fn prim_id(&mut self, prim: Prim) -> u32 {
        let prims = &mut self.program.prims;
        *self.prim_ids.entry(prim).or_insert_with_key(|p| {
            prims.push(p.clone());
            prims.len() as u32 - 1
        })
    }

    fn emit(&mut self, prim: Prim, args: &[Val]) -> Result<Vals> {
        let mut arg_avals: Ids = smallvec![];
        for a in args {
            match self.program.value_aval.get(a.index()) {
                Some(id) => arg_avals.push(*id),
                // The instruction that should have made this value failed; its error is kept.
                None if self.error.is_some() => return Ok(smallvec![Val::NONE; 8]),
                None => return Err(Error::program(format!("{}: argument {a:?} is not a value here", prim.name()))),
            }
        }
        let prim = self.prim_id(prim);
        let outs = self.infer(prim, arg_avals)?;
        let first_out = self.program.value_aval.len() as u32;
        if u64::from(first_out) + outs.len() as u64 >= u64::from(u32::MAX) {
            return Err(Error::program("more than 2^32 values"));
        }
        let row = StepRow { prim, first_arg: self.program.args.len() as u32, first_out };
        self.program.steps.push(row);
        self.program.args.extend_from_slice(args);
        self.program.value_aval.extend_from_slice(&outs);
        Ok((first_out..first_out + outs.len() as u32).map(Val).collect())
    }

    /// Once per distinct (primitive, avals).
    fn infer(&mut self, prim: u32, args: Ids) -> Result<Ids> {
        if let Some(outs) = self.inferred.get(&(prim, args.clone())) {
            return Ok(outs.clone());
        }
        let avals: SmallVec<[Aval; 4]> = args.iter().map(|i| self.program.avals[*i as usize].clone()).collect();
        let mut guards = Guards::default();
        let outs = self.program.prims[prim as usize].clone().infer(&avals, &mut guards)?;
        self.program.guards.extend(&guards);
        let ids: Ids = outs.into_iter().map(|a| self.aval_id(a)).collect();
        self.inferred.insert((prim, args), ids.clone());
        Ok(ids)
    }
}
