//! Triangular systems.

use tenferro_graph::{Aval, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::{Expr, RuleExt, reshape};

use crate::algebra::{adjoint, apply, conj, mul, triangle};
use crate::matrix::{Matrix, batch_all};
use crate::parts::{self, Part};

/// What a matrix stands for in a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The matrix.
    Plain,
    /// Its transpose.
    Transposed,
    /// Its conjugate transpose.
    Adjoint,
}

impl Form {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Transposed => "transposed",
            Self::Adjoint => "adjoint",
        }
    }

    /// The form applied to a matrix.
    pub(crate) fn of(self, a: Expr<'_>) -> Expr<'_> {
        match self {
            Self::Plain => a,
            Self::Transposed => conj(adjoint(a)),
            Self::Adjoint => adjoint(a),
        }
    }

    /// `f(form, ct)` for the form of the adjoint system. That of the transposed one has the
    /// conjugate matrix, so both sides are conjugated.
    pub(crate) fn adjoint_of<'b>(self, ct: Expr<'b>, f: impl FnOnce(Self, Expr<'b>) -> Expr<'b>) -> Expr<'b> {
        match self {
            Self::Plain => f(Self::Adjoint, ct),
            Self::Adjoint => f(Self::Plain, ct),
            Self::Transposed => conj(f(Self::Plain, conj(ct))),
        }
    }
}

/// Solves form(a) x = b: a (…, n, n), b (…, n, k), x (…, n, k).
///
/// Only the triangle that `lower` names is read; with `unit` its diagonal counts as ones.
/// Linear in b; the adjoint system has the adjoint form. At run a 0 on the diagonal is an
/// error of kind `LinAlg` that speaks of `what`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Triangular {
    pub lower: bool,
    pub form: Form,
    pub unit: bool,
    /// Whether NaN and infinity are an error; otherwise they spread.
    pub check_finite: bool,
    /// Whether a diagonal element that is rounding beside its column counts as 0: for the R of a
    /// QR factorization that means dependent columns.
    pub dependent: bool,
    /// The op that errors speak of.
    pub what: &'static str,
}

impl Triangular {
    pub(crate) fn upper(what: &'static str, form: Form) -> Self {
        Self { lower: false, form, unit: false, check_finite: false, dependent: false, what }
    }

    pub(crate) fn lower(what: &'static str, form: Form) -> Self {
        Self { lower: true, ..Self::upper(what, form) }
    }

    pub(crate) fn on<'b>(self, a: Expr<'b>, b: Expr<'b>) -> Expr<'b> {
        apply(self, a, &[b])
    }

    fn part(&self) -> Part {
        match (self.lower, self.unit) {
            (true, false) => Part::Lower,
            (true, true) => Part::StrictlyLower,
            (false, false) => Part::Upper,
            (false, true) => Part::StrictlyUpper,
        }
    }
}

/// The right sides of a system with matrices `a`: their aval.
pub(crate) fn right_side(op: &str, a: &Aval, b: &Aval, m: &Matrix, g: &mut Guards) -> Result<Aval> {
    if a.dtype != b.dtype {
        return Err(Error::dtype(op.to_owned(), format!("dtypes {} and {} differ; cast one", a.dtype, b.dtype)));
    }
    let k = b.shape.last().cloned().unwrap_or(tenferro_graph::Dim::Const(0));
    let wanted = m.shape(&[&m.n, &k]);
    if !g.equal_shapes(&b.shape, &wanted) {
        return Err(Error::shape(op.to_owned(), format!("the right side must have shape {wanted}, got {}", b.shape)));
    }
    Ok(b.clone())
}

impl Primitive for Triangular {
    fn name(&self) -> &'static str {
        "solve_triangular"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let [a, b] = x else {
            return Err(Error::program(format!("solve_triangular: takes 2 inputs, got {}", x.len())));
        };
        let m = Matrix::square("solve_triangular", &x[..1], g)?;
        Ok(vec![right_side("solve_triangular", a, b, &m, g)?])
    }

    /// form(A) dX = dB − form(dA) X.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let pulled = t[0].map(|da| -mul(self.form.of(triangle("solve_triangular", r.expr(da), self.part())), r.y(0)));
        let rhs = match (t[1].map(|db| r.expr(db)), pulled) {
            (Some(db), Some(p)) => Some(db + p),
            (db, p) => db.or(p),
        };
        Ok(vec![rhs.map(|rhs| self.clone().on(r.x(0), rhs).val())])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        if linear[0] {
            return Err(Error::missing("solve_triangular", "is linear in b only; has no transpose rule for a"));
        }
        let solve = |form, ct| Self { form, ..self.clone() }.on(r.x(0), ct);
        Ok(vec![None, ct[0].map(|ct| self.form.adjoint_of(r.expr(ct), solve).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        for flag in [self.lower, self.unit, self.check_finite, self.dependent] {
            w.bool(flag);
        }
        w.str(self.form.name());
        w.str(self.what);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("lower", self.lower.to_string()), ("form", self.form.name().to_owned()), ("unit", self.unit.to_string())]
    }
}

/// Calls `f` with a and b in one dtype and with the same leading axes; a b of one axis is one
/// right side, and the solution has one axis too, or what broadcasting makes of it.
pub(crate) fn with_right_side<V: Value>(op: &str, a: &V, b: &V, f: impl FnOnce(&V, &V) -> Result<V>) -> Result<V> {
    let (a, b) = parts::common(a, b)?;
    parts::size(op, &a, 2)?;
    let vector = b.aval().rank() == 1;
    let b = if vector { parts::per_row(&b)? } else { b };
    let (rows, right) = (parts::size(op, &a, 2)?, parts::size(op, &b, 2)?);
    if rows != right {
        return Err(Error::shape(
            op.to_owned(),
            format!("a has {rows} rows and b {right}; shapes {} and {}", a.aval().shape, b.aval().shape),
        ));
    }
    let (a, b) = parts::aligned(op, &a, &b)?;
    let x = f(&a, &b)?;
    if !vector {
        return Ok(x);
    }
    let mut shape = x.aval().shape;
    shape.remove(shape.rank() - 1);
    reshape(&x, &shape)
}

/// [`with_right_side`] for one triangular system.
pub(crate) fn solve<V: Value>(op: &'static str, a: &V, b: &V, prim: Triangular) -> Result<V> {
    parts::order(op, a)?;
    with_right_side(op, a, b, |a, b| parts::one(Triangular { what: op, ..prim }, &[a, b]))
}

/// Solves form(a) x = b for a triangular a (…, n, n) and b (n,) or (…, n, k).
///
/// # Errors
/// `Shape` unless a is square and fits b; at run `LinAlg` if the diagonal holds a 0 or, with
/// `check_finite`, an operand NaN or infinity.
pub fn solve_triangular<V: Value>(a: &V, b: &V, lower: bool, form: Form, unit: bool, check_finite: bool) -> Result<V> {
    let prim = Triangular { lower, unit, check_finite, ..Triangular::upper("solve_triangular", form) };
    solve("solve_triangular", a, b, prim)
}
