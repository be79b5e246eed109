//! What an operation must know about itself. Graph nodes hold a [`Prim`]; core
//! ops, factorizations, control flow and user ops are equal citizens.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::aval::Aval;
use crate::builder::{Builder, Val};
use crate::error::{Error, Result};
use crate::fingerprint::Encoder;
use crate::guards::{DimEnv, Guards};
use crate::program::Program;

/// Equality and hashing of trait objects; implemented for every primitive that
/// is `Eq + Hash`. Float attributes are kept as bits.
pub trait Key: Any {
    fn as_any(&self) -> &dyn Any;
    fn key_eq(&self, other: &dyn Primitive) -> bool;
    fn key_hash(&self, state: &mut dyn Hasher);
}

impl<T: Primitive + Eq + Hash> Key for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn key_eq(&self, other: &dyn Primitive) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn key_hash(&self, mut state: &mut dyn Hasher) {
        std::any::TypeId::of::<T>().hash(&mut state);
        self.hash(&mut state);
    }
}

/// What a rule is given: where to emit, and the values of the op it differentiates.
#[derive(Clone, Copy)]
pub struct Rule<'a> {
    pub b: &'a Builder,
    /// In `transpose`, entries of linear inputs are [`Val::NONE`] but their avals
    /// are in `avals`.
    pub inputs: &'a [Val],
    /// Empty in `transpose` and `batch`.
    pub outputs: &'a [Val],
    /// Avals of the inputs.
    pub avals: &'a [Aval],
}

/// How a program uses one output of a multi-output op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Dead,
    Whole,
    /// Only the first `k` along `axis` are read.
    Leading {
        axis: usize,
        k: usize,
    },
}

/// A cheaper op that serves the uses. `outputs[i]` is the new op's output that
/// stands for output i (already cut, where the use was `Leading`).
#[derive(Clone, Debug)]
pub struct Narrowed {
    pub prim: Prim,
    pub outputs: Vec<Option<usize>>,
}

/// One operation: pure, with fixed attributes.
pub trait Primitive: Key + fmt::Debug + Send + Sync {
    /// The name in programs, errors and documents.
    fn name(&self) -> &str;

    /// Output avals; every shape and dtype error of the op. `g` collects
    /// equalities of symbolic sizes.
    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>>;

    fn commutative(&self) -> bool {
        false
    }

    /// Output tangents from input tangents. `None` is exactly zero.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let _ = (r, t);
        Err(Error::missing_rule(self.name().to_owned(), "jvp"))
    }

    /// For an op that is linear in the inputs marked `linear`: their cotangents
    /// from the output cotangents; the adjoint in Re⟨·,·⟩. One entry per input;
    /// `None` where not linear or exactly zero.
    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let _ = (r, linear, ct);
        Err(Error::missing_rule(self.name().to_owned(), "transpose"))
    }

    /// The op over inputs of which some carry a batch as axis 0; says which outputs do.
    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let _ = (r, batched);
        Err(Error::missing_rule(self.name().to_owned(), "batch"))
    }

    /// A cheaper op for these uses of the outputs.
    fn narrow(&self, uses: &[Use], inputs: &[Aval]) -> Option<Narrowed> {
        let _ = (uses, inputs);
        None
    }

    /// The op with symbolic sizes in its attributes replaced; `None` if it has none.
    fn bind(&self, env: &DimEnv) -> Result<Option<Prim>> {
        let _ = env;
        Ok(None)
    }

    /// Programs that the op calls.
    fn programs(&self) -> &[Arc<Program>] {
        &[]
    }

    /// Name and attributes, for fingerprints and serialization. The name is
    /// written by the caller; write the attributes.
    fn encode(&self, w: &mut Encoder) {
        let _ = w;
    }

    /// Attributes as name and text, for printing and `graph.operations()`.
    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![]
    }
}

/// A shared primitive.
#[derive(Clone)]
pub struct Prim(Arc<dyn Primitive>);

impl Prim {
    pub fn new(p: impl Primitive) -> Self {
        Self(Arc::new(p))
    }

    pub fn downcast<T: Primitive>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    pub fn is<T: Primitive>(&self) -> bool {
        self.downcast::<T>().is_some()
    }

    /// Writes name and attributes.
    pub fn encode_into(&self, w: &mut Encoder) {
        w.str(self.name());
        self.encode(w);
    }
}

impl Deref for Prim {
    type Target = dyn Primitive;
    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for Prim {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.key_eq(&*other.0)
    }
}

impl Eq for Prim {}

impl Hash for Prim {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key_hash(state);
    }
}

impl<T: Primitive> From<T> for Prim {
    fn from(p: T) -> Self {
        Self::new(p)
    }
}

impl fmt::Debug for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Prim {
    /// `slice[starts=0, limits=3]`, or the bare name without attributes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let attributes = self.attributes();
        for (i, (name, value)) in attributes.iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { "[" } else { ", " })?;
        }
        f.write_str(if attributes.is_empty() { "" } else { "]" })
    }
}
