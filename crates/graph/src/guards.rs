//! Facts about symbolic sizes that recording assumed and prepare checks.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::aval::Aval;
use crate::dim::Dim;
use crate::error::{Error, Result};

/// Values of the symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DimEnv(BTreeMap<Arc<str>, usize>);

impl DimEnv {
    pub fn get(&self, symbol: &str) -> Option<usize> {
        self.0.get(symbol).copied()
    }

    /// Reads symbol values off actual input shapes.
    pub fn match_inputs(declared: &[Aval], actual: &[Aval]) -> Result<Self> {
        let mut env = Self::default();
        for (i, (d, a)) in declared.iter().zip(actual).enumerate() {
            if d.dtype != a.dtype {
                return Err(Error::dtype("prepare", format!("input {i} is {} and was declared {}", a.dtype, d.dtype)));
            }
            if d.shape.len() != a.shape.len() {
                return Err(Error::shape("prepare", format!("input {i} has shape {} and was declared {}", a.shape, d.shape)));
            }
            for (x, y) in d.shape.iter().zip(a.shape.iter()) {
                let n = y.as_const().ok_or_else(|| Error::shape("prepare", format!("input {i} has a symbolic size {y}")))?;
                if let Some(s) = x.as_symbol()
                    && let Some(old) = env.0.insert(s.into(), n).filter(|old| *old != n)
                {
                    return Err(Error::shape("prepare", format!("symbolic size {s} is both {old} and {n}")));
                }
            }
        }
        env.check_inputs(declared, actual)?;
        Ok(env)
    }

    fn check_inputs(&self, declared: &[Aval], actual: &[Aval]) -> Result<()> {
        for (i, (d, a)) in declared.iter().zip(actual).enumerate() {
            for (axis, (x, y)) in d.shape.iter().zip(a.shape.iter()).enumerate() {
                if Some(x.eval(self)?) != y.as_const() {
                    return Err(Error::shape("prepare", format!("input {i} has size {y} on axis {axis} and was declared {x}")));
                }
            }
        }
        Ok(())
    }
}

impl FromIterator<(Arc<str>, usize)> for DimEnv {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, usize)>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

/// `Equal(a, b)` or `AtLeast(a, b)`: a ≥ b.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    Equal(Dim, Dim),
    AtLeast(Dim, Dim),
}

impl Guard {
    pub fn check(&self, env: &DimEnv) -> Result<()> {
        let (a, b, ok, sign) = match self {
            Self::Equal(a, b) => (a, b, a.eval(env)? == b.eval(env)?, "=="),
            Self::AtLeast(a, b) => (a, b, a.eval(env)? >= b.eval(env)?, ">="),
        };
        if ok {
            return Ok(());
        }
        Err(Error::shape("prepare", format!("the program was recorded for {a} {sign} {b}; got {} and {}", a.eval(env)?, b.eval(env)?)))
    }
}

/// Collects guards while avals are inferred.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guards(Vec<Guard>);

impl Guards {
    pub fn as_slice(&self) -> &[Guard] {
        &self.0
    }

    pub fn extend(&mut self, other: &Self) {
        for g in &other.0 {
            self.push(g.clone());
        }
    }

    fn push(&mut self, g: Guard) {
        if !self.0.contains(&g) {
            self.0.push(g);
        }
    }

    /// Whether the sizes can be equal; if one is symbolic, notes that they must be.
    pub fn equal(&mut self, a: &Dim, b: &Dim) -> bool {
        if a == b {
            return true;
        }
        if let (Dim::Const(_), Dim::Const(_)) = (a, b) {
            return false;
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.push(Guard::Equal(a.clone(), b.clone()));
        true
    }

    /// Whether `a ≥ b` can hold; if one is symbolic, notes that it must.
    pub fn at_least(&mut self, a: &Dim, b: &Dim) -> bool {
        if let (Dim::Const(a), Dim::Const(b)) = (a, b) {
            return a >= b;
        }
        if a != b {
            self.push(Guard::AtLeast(a.clone(), b.clone()));
        }
        true
    }

    /// Whether two shapes of one rank can be equal.
    pub fn equal_shapes(&mut self, a: &[Dim], b: &[Dim]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| self.equal(x, y))
    }
}
