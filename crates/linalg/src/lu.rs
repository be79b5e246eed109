//! LU factorization with partial pivoting, and systems solved by it.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Val, Value};
use tenferro_ops::{Expr, RuleExt, stop_gradient};

use crate::algebra::{adjoint, apply, columns, joined, mul, rows, triangle};
use crate::matrix::{Matrix, batch_all, batch_one};
use crate::parts::{self, Part};
use crate::triangular::{Form, Triangular, right_side, with_right_side};

/// p a = l u of a (…, m, n): packed (…, m, n), which holds u and below it l without its unit
/// diagonal, and pivots (…, min(m, n)) int64: row i was exchanged with row pivots\[i\] ≥ i, in order.
///
/// A singular matrix is no error; a derivative then is one, at run, of kind `LinAlg`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lu {
    /// Whether NaN and infinity are an error; otherwise they spread.
    pub check_finite: bool,
    /// The op that errors speak of.
    pub what: &'static str,
}

impl Primitive for Lu {
    fn name(&self) -> &'static str {
        "lu"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::of("lu", x)?;
        let k = a.min("lu")?;
        Ok(vec![x[0].clone(), Aval::new(DType::I64, a.shape(&[&k]))])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let (m, n) = parts::sizes("lu", &r.x(0))?;
        let Some(da) = t[0].filter(|_| m.min(n) > 0) else { return Ok(vec![None, None]) };
        let da = apply(Permute { inverse: false }, r.expr(da), &[r.y(1)]);
        Ok(vec![Some(packed_tangent(r.y(0), da, m, n).val()), None])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.check_finite);
        w.str(self.what);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("check_finite", self.check_finite.to_string()), ("what", self.what.to_owned())]
    }
}

/// With F = L⁻¹ P dA U⁻¹ of the leading block: dL = L·strictly-lower(F), dU = upper(F)·U; rows
/// below: dL₂ = P dA₂ U⁻¹ − L₂ upper(F); columns to the right: dU₂ = L⁻¹ P dA₂ − strictly-lower(F) U₂.
fn packed_tangent<'b>(packed: Expr<'b>, da: Expr<'b>, m: usize, n: usize) -> Expr<'b> {
    let k = m.min(n);
    let corner = |x: Expr<'b>| columns(rows(x, 0, k), 0, k);
    let factors = corner(packed);
    let left = |x| Triangular { unit: true, ..Triangular::lower("lu", Form::Plain) }.on(factors, x);
    let right = |x| adjoint(Triangular::upper("lu", Form::Adjoint).on(factors, adjoint(x)));
    let part = |x, p| triangle("lu", x, p);
    let f = right(left(corner(da)));
    let (below, above) = (part(f, Part::StrictlyLower), part(f, Part::Upper));
    let dl = mul(part(factors, Part::StrictlyLower), below) + below;
    let du = mul(above, part(factors, Part::Upper));
    let square = part(dl, Part::StrictlyLower) + part(du, Part::Upper);
    if m > k {
        let rest = right(rows(da, k, m)) - mul(rows(packed, k, m), above);
        return joined(&[square, rest], 2);
    }
    if n > k {
        let rest = left(columns(da, k, n)) - mul(below, columns(packed, k, n));
        return joined(&[square, rest], 1);
    }
    square
}

/// Rows of x (…, m, k) exchanged as pivots (…, p) of [`Lu`] say; `inverse` undoes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permute {
    pub inverse: bool,
}

impl Primitive for Permute {
    fn name(&self) -> &'static str {
        "permute_rows"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let [_, pivots] = x else {
            return Err(Error::program(format!("permute_rows: takes 2 inputs, got {}", x.len())));
        };
        let a = Matrix::of("permute_rows", &x[..1])?;
        check_pivots("permute_rows", pivots, &a, g)?;
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![t[0].map(|t| apply(self.clone(), r.expr(t), &[r.x(1)]).val())])
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![ct[0].map(|ct| apply(Self { inverse: !self.inverse }, r.expr(ct), &[r.x(1)]).val()), None])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.inverse);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("inverse", self.inverse.to_string())]
    }
}

/// Pivots are int64, one axis beside the leading ones, no more than there are rows.
pub(crate) fn check_pivots(op: &'static str, pivots: &Aval, a: &Matrix, g: &mut Guards) -> Result<()> {
    if pivots.dtype != DType::I64 {
        return Err(Error::dtype(op, format!("pivots must be int64, got {}", pivots.dtype)));
    }
    let k = pivots.shape.last().cloned().unwrap_or(Dim::Const(0));
    if !g.equal_shapes(&pivots.shape, &a.shape(&[&k])) || !g.at_least(&a.m, &k) {
        return Err(Error::shape(op, format!("pivots of shape {} do not fit {} rows", pivots.shape, a.m)));
    }
    Ok(())
}

/// Solves form(a) x = b given packed and pivots of [`Lu`] of a: the factors serve the derivative, too.
///
/// Inputs a (…, n, n), packed, pivots, b (…, n, k); x (…, n, k). Linear in b; the derivative is
/// through a and b, not through the factors. At run a singular a is an error of kind `LinAlg`
/// that speaks of `what`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LuSolve {
    pub form: Form,
    /// The op that errors speak of.
    pub what: &'static str,
}

impl LuSolve {
    fn on<'b>(&self, r: Rule<'b>, rhs: Expr<'b>) -> Expr<'b> {
        apply(self.clone(), r.x(0), &[r.x(1), r.x(2), rhs])
    }
}

impl Primitive for LuSolve {
    fn name(&self) -> &'static str {
        "lu_solve"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let [a, packed, pivots, b] = x else {
            return Err(Error::program(format!("lu_solve: takes 4 inputs, got {}", x.len())));
        };
        let m = Matrix::square("lu_solve", &x[..1], g)?;
        if packed.dtype != a.dtype || !g.equal_shapes(&packed.shape, &a.shape) {
            return Err(Error::shape("lu_solve", format!("the factors must be {a}, got {packed}")));
        }
        check_pivots("lu_solve", pivots, &m, g)?;
        Ok(vec![right_side("lu_solve", a, b, &m, g)?])
    }

    /// form(A) dX = dB − form(dA) X.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let pulled = t[0].map(|da| -mul(self.form.of(r.expr(da)), r.y(0)));
        let rhs = match (t[3].map(|db| r.expr(db)), pulled) {
            (Some(db), Some(p)) => Some(db + p),
            (db, p) => db.or(p),
        };
        Ok(vec![rhs.map(|rhs| self.on(r, rhs).val())])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        if linear[..3].contains(&true) {
            return Err(Error::missing("lu_solve", "is linear in b only; has no transpose rule for a"));
        }
        let solve = |form, ct| Self { form, ..self.clone() }.on(r, ct);
        Ok(vec![None, None, None, ct[0].map(|ct| self.form.adjoint_of(r.expr(ct), solve).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.str(self.form.name());
        w.str(self.what);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("form", self.form.name().to_owned()), ("what", self.what.to_owned())]
    }
}

/// packed and pivots of a without a derivative: [`LuSolve`] has its own.
pub(crate) fn factors<V: Value>(what: &'static str, a: &V, check_finite: bool) -> Result<[V; 2]> {
    parts::several(Lu { check_finite, what }, &[&stop_gradient(a)?])
}

/// Solves a x = b for aligned stacks; errors speak of `what`.
pub(crate) fn system<V: Value>(what: &'static str, a: &V, b: &V, check_finite: bool) -> Result<V> {
    let [packed, pivots] = factors(what, a, check_finite)?;
    parts::one(LuSolve { form: Form::Plain, what }, &[a, &packed, &pivots, b])
}

/// a = p l u of a (…, m, n) with partial pivoting: p (…, m, m), l (…, m, k) with a unit
/// diagonal, u (…, k, n), k = min(m, n).
///
/// # Errors
/// `Shape` below two axes; at run `LinAlg` if, with `check_finite`, a holds NaN or infinity, and
/// in a derivative if the leading k×k block of u is singular.
pub fn lu<V: Value>(a: &V, check_finite: bool) -> Result<[V; 3]> {
    let a = parts::inexact(a)?;
    let (m, n) = parts::sizes("lu", &a)?;
    let k = m.min(n);
    let [packed, pivots] = parts::several(Lu { check_finite, what: "lu" }, &[&a])?;
    let p = parts::one(Permute { inverse: true }, &[&parts::eye_like(&a, m, m)?, &pivots])?;
    let below = parts::triangle("lu", &parts::columns(&packed, 0, k)?, Part::StrictlyLower)?;
    let l = tenferro_ops::add(&below, &parts::eye(&a, m, k, a.aval().dtype)?)?;
    let u = parts::triangle("lu", &parts::rows(&packed, 0, k)?, Part::Upper)?;
    Ok([p, l, u])
}

/// [`lu`] packed: l below the diagonal and u in one matrix (…, m, n), and pivots (…, k) int64,
/// counted from 0, as LAPACK and SciPy have them.
///
/// # Errors
/// As [`lu`].
pub fn lu_factor<V: Value>(a: &V, check_finite: bool) -> Result<[V; 2]> {
    let a = parts::inexact(a)?;
    parts::sizes("lu_factor", &a)?;
    parts::several(Lu { check_finite, what: "lu_factor" }, &[&a])
}

/// Solves form(a) x = b from [`lu_factor`] of a (…, n, n); b is (n,) or (…, n, k). The
/// derivative is through the factors.
///
/// # Errors
/// `Shape` unless the factors are square and fit b; at run `LinAlg` if they are singular.
pub fn lu_solve<V: Value>(packed: &V, pivots: &V, b: &V, form: Form) -> Result<V> {
    let op = "lu_solve";
    parts::order(op, packed)?;
    with_right_side(op, packed, b, |packed, b| {
        let pivots = repeated(pivots, packed)?;
        let lower = |b: &V| parts::one(Triangular { unit: true, ..Triangular::lower(op, form) }, &[packed, b]);
        let upper = |b: &V| parts::one(Triangular::upper(op, form), &[packed, b]);
        if form == Form::Plain {
            return upper(&lower(&parts::one(Permute { inverse: false }, &[b, &pivots])?)?);
        }
        parts::one(Permute { inverse: true }, &[&lower(&upper(b)?)?, &pivots])
    })
}

/// Pivots behind the leading axes of the matrices that they belong to.
fn repeated<V: Value>(pivots: &V, packed: &V) -> Result<V> {
    let pivots = tenferro_ops::cast(pivots, DType::I64)?;
    let shape = packed.aval().shape;
    let k = pivots.aval().shape.last().cloned().unwrap_or(Dim::Const(0));
    tenferro_ops::broadcast_to(&pivots, parts::leading(&shape).iter().cloned().chain([k]).collect())
}

/// Solves a x = b for square a (…, n, n); b is (n,) or (…, n, k), leading axes broadcast.
///
/// # Errors
/// `Shape` unless a is square and fits b; at run `LinAlg` if a is singular or, with
/// `check_finite`, holds NaN or infinity.
pub fn solve<V: Value>(a: &V, b: &V, check_finite: bool) -> Result<V> {
    parts::order("solve", a)?;
    with_right_side("solve", a, b, |a, b| system("solve", a, b, check_finite))
}

/// The inverse of a square a (…, n, n).
///
/// # Errors
/// As [`solve`].
pub fn inv<V: Value>(a: &V, check_finite: bool) -> Result<V> {
    let a = parts::inexact(a)?;
    let n = parts::order("inv", &a)?;
    system("inv", &a, &parts::eye_like(&a, n, n)?, check_finite)
}
