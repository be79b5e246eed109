//! Dimensions: a number, or a polynomial with integer coefficients in named
//! symbols and floor divisions. The normal form makes equality structural:
//! `n + m - m == n`.

use std::fmt;
use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::guards::DimEnv;

/// One axis length. Never negative once its symbols are known.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    Const(usize),
    Poly(Arc<Poly>),
}

/// Sum of terms in canonical order; never a plain constant (that is `Dim::Const`).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Poly {
    terms: Vec<(Monomial, i64)>,
}

type Monomial = Vec<Atom>;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Atom {
    Symbol(Arc<str>),
    FloorDiv(Arc<Poly>, Arc<Poly>),
}

impl Poly {
    fn constant(c: i64) -> Self {
        Self { terms: if c == 0 { vec![] } else { vec![(vec![], c)] } }
    }

    fn normal(mut terms: Vec<(Monomial, i64)>) -> Self {
        terms.sort();
        let mut out: Vec<(Monomial, i64)> = Vec::with_capacity(terms.len());
        for (m, c) in terms {
            match out.last_mut() {
                Some((last, k)) if *last == m => *k += c,
                _ => out.push((m, c)),
            }
        }
        out.retain(|(_, c)| *c != 0);
        Self { terms: out }
    }

    fn as_constant(&self) -> Option<i64> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(m, c)] if m.is_empty() => Some(*c),
            _ => None,
        }
    }

    fn add(&self, other: &Self, sign: i64) -> Self {
        let scaled = other.terms.iter().map(|(m, c)| (m.clone(), sign * c));
        Self::normal(self.terms.iter().cloned().chain(scaled).collect())
    }

    fn mul(&self, other: &Self) -> Self {
        let mut terms = Vec::new();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut atoms: Monomial = m.iter().chain(n).cloned().collect();
                atoms.sort();
                terms.push((atoms, c * d));
            }
        }
        Self::normal(terms)
    }

    fn floor_div(&self, other: &Self) -> Self {
        if let Some(d) = other.as_constant().filter(|d| *d > 0)
            && self.terms.iter().all(|(_, c)| c % d == 0)
        {
            return Self { terms: self.terms.iter().map(|(m, c)| (m.clone(), c / d)).collect() };
        }
        if self == other {
            return Self::constant(1);
        }
        let atom = Atom::FloorDiv(Arc::new(self.clone()), Arc::new(other.clone()));
        Self { terms: vec![(vec![atom], 1)] }
    }

    fn eval(&self, env: &DimEnv) -> Result<i64> {
        let mut total = 0_i64;
        for (m, c) in &self.terms {
            let mut product = *c;
            for atom in m {
                product = product.saturating_mul(atom.eval(env)?);
            }
            total = total.saturating_add(product);
        }
        Ok(total)
    }

    fn symbols(&self, out: &mut Vec<Arc<str>>) {
        for atom in self.terms.iter().flat_map(|(m, _)| m) {
            match atom {
                Atom::Symbol(s) => out.push(s.clone()),
                Atom::FloorDiv(a, b) => {
                    a.symbols(out);
                    b.symbols(out);
                }
            }
        }
    }
}

impl Atom {
    fn eval(&self, env: &DimEnv) -> Result<i64> {
        match self {
            Self::Symbol(s) => env.get(s).map(|n| n as i64).ok_or_else(|| Error::binding(format!("symbolic size {s} has no value"))),
            Self::FloorDiv(a, b) => {
                let (a, b) = (a.eval(env)?, b.eval(env)?);
                if b == 0 {
                    return Err(Error::shape("floor_div", "a symbolic size is divided by 0"));
                }
                Ok(a.div_euclid(b))
            }
        }
    }
}

impl Dim {
    /// A named size, fixed at prepare.
    pub fn symbol(name: &str) -> Self {
        Self::Poly(Arc::new(Poly { terms: vec![(vec![Atom::Symbol(name.into())], 1)] }))
    }

    pub fn as_const(&self) -> Option<usize> {
        match self {
            Self::Const(n) => Some(*n),
            Self::Poly(_) => None,
        }
    }

    /// The symbol's name if this is a bare symbol.
    pub fn as_symbol(&self) -> Option<&str> {
        match self {
            Self::Poly(p) => match p.terms.as_slice() {
                [(m, 1)] => match m.as_slice() {
                    [Atom::Symbol(s)] => Some(s),
                    _ => None,
                },
                _ => None,
            },
            Self::Const(_) => None,
        }
    }

    /// The size under the given symbol values.
    pub fn eval(&self, env: &DimEnv) -> Result<usize> {
        match self {
            Self::Const(n) => Ok(*n),
            Self::Poly(p) => {
                let n = p.eval(env)?;
                usize::try_from(n).map_err(|_| Error::shape("prepare", format!("symbolic size {self} is negative ({n})")))
            }
        }
    }

    pub fn symbols(&self) -> Vec<Arc<str>> {
        let mut out = Vec::new();
        if let Self::Poly(p) = self {
            p.symbols(&mut out);
        }
        out
    }

    fn poly(&self) -> Poly {
        match self {
            Self::Const(n) => Poly::constant(*n as i64),
            Self::Poly(p) => (**p).clone(),
        }
    }
}

impl From<Poly> for Dim {
    fn from(p: Poly) -> Self {
        // A negative constant cannot be represented; it saturates and fails the guard that made it.
        p.as_constant().map_or_else(|| Self::Poly(Arc::new(p)), |c| Self::Const(usize::try_from(c).unwrap_or(0)))
    }
}

impl From<usize> for Dim {
    fn from(n: usize) -> Self {
        Self::Const(n)
    }
}

macro_rules! dim_op {
    ($tr:ident, $f:ident, |$a:ident, $b:ident| $fast:expr, |$p:ident, $q:ident| $slow:expr) => {
        impl $tr for &Dim {
            type Output = Dim;
            fn $f(self, other: &Dim) -> Dim {
                if let (Dim::Const($a), Dim::Const($b)) = (self, other) {
                    return Dim::Const($fast);
                }
                let ($p, $q) = (self.poly(), other.poly());
                Dim::from($slow)
            }
        }
    };
}
dim_op!(Add, add, |a, b| a.saturating_add(*b), |p, q| p.add(&q, 1));
dim_op!(Sub, sub, |a, b| a.saturating_sub(*b), |p, q| p.add(&q, -1));
dim_op!(Mul, mul, |a, b| a.saturating_mul(*b), |p, q| p.mul(&q));
dim_op!(Div, div, |a, b| a.checked_div(*b).unwrap_or(0), |p, q| p.floor_div(&q));

impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (m, c)) in self.terms.iter().enumerate() {
            if i > 0 {
                f.write_str(if *c < 0 { " - " } else { " + " })?;
            } else if *c < 0 {
                f.write_str("-")?;
            }
            if c.abs() != 1 || m.is_empty() {
                write!(f, "{}", c.abs())?;
            }
            for (j, atom) in m.iter().enumerate() {
                if j > 0 || c.abs() != 1 {
                    f.write_str("*")?;
                }
                match atom {
                    Atom::Symbol(s) => f.write_str(s)?,
                    Atom::FloorDiv(a, b) => write!(f, "(({a})//({b}))")?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(n) => write!(f, "{n}"),
            Self::Poly(p) => write!(f, "{p}"),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(n) => write!(f, "Const({n})"),
            Self::Poly(p) => write!(f, "Sym({p})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_form_makes_equality_structural() {
        let (n, m) = (Dim::symbol("n"), Dim::symbol("m"));
        assert_eq!(&(&n + &m) - &m, n);
        assert_eq!(&n * &m, &m * &n);
        assert_eq!(&(&n * &Dim::Const(4)) / &Dim::Const(2), &n + &n);
        assert_eq!(&n - &n, Dim::Const(0));
        assert_ne!(n, m);
    }

    #[test]
    fn evaluates_and_refuses_negative_sizes() {
        let n = Dim::symbol("n");
        let env: DimEnv = [("n".into(), 5)].into_iter().collect();
        assert_eq!((&(&n * &n) / &Dim::Const(2)).eval(&env).ok(), Some(12));
        assert!((&n - &Dim::Const(6)).eval(&env).is_err());
        assert_eq!((&(&n * &Dim::Const(2)) + &Dim::Const(1)).to_string(), "1 + 2*n");
    }
}
