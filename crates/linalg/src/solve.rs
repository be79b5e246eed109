//! The linear system of the SVD's derivative outside the kept space.

use tenferro_graph::{Aval, Dim, Error, Guards, Prim, Primitive, Result, Rule, Val};
use tenferro_ops::{Expr, RuleExt};

use crate::algebra::{adjoint_mul, aval, cast, full, full_like, mul, per_column};
use crate::matrix::{Matrix, batch_all};

/// Solves X S − M Y = Π R₁, Y S − M\* X = Q R₂ for X ⟂ U and Y ⟂ V, where
/// Π = 1 − U U\*, Q = 1 − V V\* and M = Π A Q.
///
/// Inputs a (…, m, n), its kept triplets u (…, m, k), s (…, k), vh (…, k, n), the
/// next ones ue, se, vhe (a preconditioner, without effect on the result and
/// without derivative), r1 (…, m, k), r2 (…, n, k). Outputs x (…, m, k) and
/// y (…, n, k). Linear and self-adjoint in (r1, r2); positive definite while the
/// smallest kept singular value exceeds the largest one that was cut off.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SvdSolve;

const NAME: &str = "svd_solve";
const N_INPUTS: usize = 9;
const R1: usize = 7;
const R2: usize = 8;

impl Primitive for SvdSolve {
    fn name(&self) -> &'static str {
        NAME
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        if x.len() != N_INPUTS {
            return Err(Error::program(format!("{NAME}: takes {N_INPUTS} inputs, got {}", x.len())));
        }
        let a = Matrix::of(NAME, &x[..1])?;
        let last = |i: usize| x[i].shape.last().cloned().unwrap_or(Dim::Const(0));
        let (k, p, dtype) = (last(2), last(5), x[0].dtype);
        let triplets = |k: &Dim| [(dtype, a.shape(&[&a.m, k])), (dtype.real(), a.shape(&[k])), (dtype, a.shape(&[k, &a.n]))];
        let right = [(dtype, a.shape(&[&a.m, &k])), (dtype, a.shape(&[&a.n, &k]))];
        let names = ["u", "s", "vh", "ue", "se", "vhe", "r1", "r2"];
        let wanted = triplets(&k).into_iter().chain(triplets(&p)).chain(right.clone());
        for ((name, got), (dtype, shape)) in names.into_iter().zip(&x[1..]).zip(wanted) {
            if got.dtype != dtype {
                return Err(Error::dtype(NAME, format!("{name} must be {dtype}, got {}", got.dtype)));
            }
            if !g.equal_shapes(&got.shape, &shape) {
                return Err(Error::shape(NAME, format!("{name} must have shape {shape}, got {}", got.shape)));
            }
        }
        Ok(right.into_iter().map(|(dtype, shape)| Aval::new(dtype, shape)).collect())
    }

    /// Differentiates the two equations, and X ⟂ U, Y ⟂ V for the part inside the
    /// kept space; dΠ = −(dU U\* + U dU\*). All inputs vary independently.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let e = Equations { a: r.x(0), u: r.x(1), vh: r.x(3), x: r.y(0), y: r.y(1), r1: r.x(R1), r2: r.x(R2) };
        let t: Vec<Option<Expr<'_>>> = t.iter().map(|t| t.map(|t| r.expr(t))).collect();
        let (rhs1, rhs2) = (e.first(&t), e.second(&t));
        let mut out = [None, None];
        if rhs1.is_some() || rhs2.is_some() {
            let mut args: Vec<Val> = r.inputs.to_vec();
            args[R1] = rhs1.unwrap_or_else(|| full_like(e.x, 0.0)).val();
            args[R2] = rhs2.unwrap_or_else(|| full_like(e.y, 0.0)).val();
            let solved = r.b.emit(Prim::new(Self), &args)?;
            out = [Some(r.expr(solved[0])), Some(r.expr(solved[1]))];
        }
        let [dx, dy] = out;
        let dx = sum([dx, t[1].map(|du| -mul(e.u, adjoint_mul(du, e.x)))]);
        let dy = sum([dy, t[3].map(|dvh| -adjoint_mul(e.vh, mul(dvh, e.y)))]);
        Ok(vec![dx.map(|x| x.val()), dy.map(|y| y.val())])
    }

    /// Its own adjoint in (r1, r2).
    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        if linear[..R1].contains(&true) {
            return Err(Error::missing(NAME, "is linear in r1 and r2 only; has no transpose rule for the others"));
        }
        let mut out = vec![None; N_INPUTS];
        if ct.iter().all(Option::is_none) {
            return Ok(out);
        }
        let zero = |i: usize| full(r.b, &r.avals[i], 0.0).val();
        let mut args: Vec<Val> = r.inputs.to_vec();
        args[R1] = ct[0].unwrap_or_else(|| zero(R1));
        args[R2] = ct[1].unwrap_or_else(|| zero(R2));
        let solved = r.b.emit(Prim::new(Self), &args)?;
        for (i, v) in [(R1, solved[0]), (R2, solved[1])] {
            out[i] = linear[i].then_some(v);
        }
        Ok(out)
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

/// What the right sides of the differentiated equations are made of.
struct Equations<'b> {
    a: Expr<'b>,
    u: Expr<'b>,
    vh: Expr<'b>,
    x: Expr<'b>,
    y: Expr<'b>,
    r1: Expr<'b>,
    r2: Expr<'b>,
}

impl<'b> Equations<'b> {
    /// dR₁ + dA Y − X dS − dU U\*(R₁ + A Y) − A V dV\* Y; the solve projects it.
    fn first(&self, t: &[Option<Expr<'b>>]) -> Option<Expr<'b>> {
        let Self { a, u, vh, x, y, .. } = *self;
        sum([
            t[R1],
            t[0].map(|da| mul(da, y)),
            t[2].map(|ds| -scaled(x, ds)),
            t[1].map(|du| -mul(du, adjoint_mul(u, self.r1 + mul(a, y)))),
            t[3].map(|dvh| -mul(a, adjoint_mul(vh, mul(dvh, y)))),
        ])
    }

    /// dR₂ + dA\* X − Y dS − dV V\*(R₂ + A\* X) − A\* U dU\* X.
    fn second(&self, t: &[Option<Expr<'b>>]) -> Option<Expr<'b>> {
        let Self { a, u, vh, x, y, .. } = *self;
        sum([
            t[R2],
            t[0].map(|da| adjoint_mul(da, x)),
            t[2].map(|ds| -scaled(y, ds)),
            t[3].map(|dvh| -adjoint_mul(dvh, mul(vh, self.r2 + adjoint_mul(a, x)))),
            t[1].map(|du| -adjoint_mul(a, mul(u, adjoint_mul(du, x)))),
        ])
    }
}

/// Columns of `x` times `s`, which is real.
fn scaled<'b>(x: Expr<'b>, s: Expr<'b>) -> Expr<'b> {
    x * per_column(cast(s, aval(x).dtype))
}

/// The sum of the terms that are there.
fn sum<const N: usize>(terms: [Option<Expr<'_>>; N]) -> Option<Expr<'_>> {
    terms.into_iter().flatten().reduce(|a, b| a + b)
}
