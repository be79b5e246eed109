//! Functions whose value is computed by other ops but whose derivative is a formula of its own:
//! the op passes the value on and carries the rule.

use tenferro_graph::{Aval, Encoder, Error, Guards, Primitive, Result, Rule, Val};
use tenferro_ops::{Expr, RuleExt, atanh, log};

use crate::algebra::{adjoint, adjoint_mul, apply, cast, full_like, hermitian_part, inverse_where, mul, mul_adjoint, per_column, per_row};
use crate::matrix::batch_all;
use crate::parts;
use crate::rule::{Thresholds, scale};

/// Passes its last input on; the derivative is that of the pseudoinverse p of a. Inputs a
/// (…, m, n), p (…, n, m).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pinv;

/// Passes its last input on; the derivative is that of f(a) for a Hermitian a. Inputs a, its w
/// and v of [`crate::Eigh`], and f(a).
///
/// First derivatives are exact also where eigenvalues tie; second ones are not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HermitianFunction {
    Sqrt,
    Log,
}

/// Passes its last input on; the derivative is that of the polar factor q = u vh of a. Inputs a,
/// its thin u, s, vh, and q. First derivatives are exact also where singular values tie.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polar;

/// w (…, n) itself, with a check at run: an error of kind `LinAlg` that speaks of `what` if an
/// element is not positive, or, unless `strict`, if one is negative beyond rounding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Positive {
    pub strict: bool,
    pub what: &'static str,
}

/// Passes its last input on, the shortest x (…, n, k) that minimises |a x − b|; its derivative is
/// that of x at constant rank. Inputs a (…, m, n), b (…, m, k), the pseudoinverse of a as thin u, the
/// real diagonal between, and vh, and x.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeastSquares;

/// Matrices (…, m, n) themselves, with a check at run: an error of kind `LinAlg` that speaks of
/// `what` if one holds NaN or infinity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finite {
    pub what: &'static str,
}

/// The aval of the last of `n` inputs.
fn last_of(op: &str, n: usize, x: &[Aval]) -> Result<Vec<Aval>> {
    match x.last() {
        Some(y) if x.len() == n => Ok(vec![y.clone()]),
        _ => Err(Error::program(format!("{op}: takes {n} inputs, got {}", x.len()))),
    }
}

impl Primitive for Pinv {
    fn name(&self) -> &'static str {
        "pinv"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        last_of("pinv", 2, x)
    }

    /// −P dA P + P P\* dA\*(1 − A P) + (1 − P A) dA\* P\* P, for constant rank (G. H. Golub, V.
    /// Pereyra, SIAM J. Numer. Anal. 10, 413, 1973).
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].map(|da| r.expr(da)) else { return Ok(vec![None]) };
        let (a, p) = (r.x(0), r.y(0));
        let e = adjoint(da);
        let right = mul(p, mul(adjoint(p), e - mul(mul(e, a), p)));
        let left = mul(mul_adjoint(e - mul(p, mul(a, e)), p), p);
        Ok(vec![Some((right + left - mul(p, mul(da, p))).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

impl Primitive for LeastSquares {
    fn name(&self) -> &'static str {
        "lstsq"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        last_of("lstsq", 6, x)
    }

    /// With the pseudoinverse P: P (dB − dA X) + P P\* dA\* (B − A X) + (1 − P A) dA\* P\* X, the rule
    /// of [`Pinv`] times B.
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        if t[0].is_none() && t[1].is_none() {
            return Ok(vec![None]);
        }
        let (a, b, x) = (r.x(0), r.x(1), r.y(0));
        let p = a.keep(parts::recompose(&adjoint(r.x(4)), &r.x(3), &adjoint(r.x(2))));
        let p = apply(Pinv, a, &[p]);
        let along_b = t[1].map(|db| mul(p, r.expr(db)));
        let along_a = t[0].map(|da| {
            let da = r.expr(da);
            let off = mul(adjoint(p), adjoint_mul(da, b - mul(a, x)));
            let back = adjoint_mul(da, adjoint_mul(p, x));
            mul(p, off - mul(da, x)) + back - mul(p, mul(a, back))
        });
        let dx = along_a.into_iter().chain(along_b).reduce(|x, y| x + y);
        Ok(vec![dx.map(|dx| dx.val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

impl Primitive for Finite {
    fn name(&self) -> &'static str {
        "finite_check"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let y = last_of("finite_check", 1, x)?;
        if !x[0].dtype.is_inexact() || x[0].rank() < 2 {
            return Err(Error::dtype("finite_check", format!("needs matrices of floating or complex numbers, got {}", x[0])));
        }
        Ok(y)
    }

    fn jvp(&self, _: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        Ok(vec![t[0]])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.str(self.what);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("what", self.what.to_owned())]
    }
}

impl HermitianFunction {
    /// (f(w_i) − f(w_j))/(w_i − w_j), and f′ at ties, without cancellation.
    fn differences<'b>(&self, w: Expr<'b>) -> Expr<'b> {
        let (wi, wj) = (per_row(w), per_column(w));
        if *self == Self::Sqrt {
            return full_like(wi + wj, 1.0) / (wi.sqrt() + wj.sqrt());
        }
        // log(w_i/w_j) = 2 artanh z, z = (w_i − w_j)/(w_i + w_j); near ±1 the logarithms differ enough.
        let (sum, gap) = (wi + wj, wi - wj);
        let z = gap / sum;
        let near = z.abs().lt(full_like(z, 0.5));
        let small = near.select(z, full_like(z, 0.0));
        let tie = small.eq(full_like(z, 0.0));
        let one = full_like(z, 1.0);
        let ratio = tie.select(one, small.keep(atanh(&small)) / tie.select(one, small));
        let far = (sum.keep(log(&wi)) - sum.keep(log(&wj))) / near.select(one, gap);
        near.select(ratio * 2.0 / sum, far)
    }
}

impl Primitive for HermitianFunction {
    fn name(&self) -> &'static str {
        match self {
            Self::Sqrt => "sqrtm",
            Self::Log => "logm",
        }
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        last_of(self.name(), 4, x)
    }

    /// V (D∘(V\* dA V)) V\*, D the divided differences (Yu. L. Daletskii, S. G. Krein, 1951).
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].map(|da| r.expr(da)) else { return Ok(vec![None]) };
        let v = r.x(2);
        let what = if *self == Self::Sqrt { "derivative of sqrtm" } else { "derivative of logm" };
        let w = apply(Positive { strict: true, what }, r.x(1), &[]);
        let inner = adjoint_mul(v, mul(hermitian_part(da), v));
        let moved = inner * cast(self.differences(w), v.dtype());
        Ok(vec![Some(mul(v, mul_adjoint(moved, v)).val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

impl Primitive for Polar {
    fn name(&self) -> &'static str {
        "polar"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        last_of("polar", 5, x)
    }

    /// With dP = U\* dA V: U (2H∘anti(dP)) V\*, H_ij = 1/(s_i + s_j), and what lies outside,
    /// (1 − U U\*) dA V S⁻¹ V\* + U S⁻¹ U\* dA (1 − V V\*).
    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].map(|da| r.expr(da)) else { return Ok(vec![None]) };
        let (u, s, vh) = (r.x(1), r.x(2), r.x(3));
        let (m, n) = parts::sizes("polar", &r.x(0))?;
        let dtype = u.dtype();
        let top = scale(s);
        let (t, by) = (s / top, cast(per_column(top), dtype));
        let zero = Thresholds::of(dtype).zero;
        let sum = per_row(t) + per_column(t);
        let h = cast(inverse_where(sum.gt(full_like(sum, zero)), sum), dtype);
        let (av, ua) = (mul_adjoint(da, vh) / by, adjoint_mul(u, da) / by);
        let dp = adjoint_mul(u, av);
        let mut dq = mul(u, mul((dp - adjoint(dp)) * h, vh));
        let over = cast(inverse_where(t.gt(full_like(t, zero)), t), dtype);
        if m > n {
            dq = dq + mul((av - mul(u, dp)) * per_column(over), vh);
        }
        if n > m {
            dq = dq + mul(u, (ua - mul(dp, vh)) * per_row(over));
        }
        Ok(vec![Some(dq.val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }
}

impl Primitive for Positive {
    fn name(&self) -> &'static str {
        "positive_check"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let y = last_of("positive_check", 1, x)?;
        if !x[0].dtype.is_float() || x[0].rank() == 0 {
            return Err(Error::dtype("positive_check", format!("needs floats along an axis, got {}", x[0])));
        }
        Ok(y)
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let _ = r;
        Ok(vec![t[0]])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_all(self.clone(), r, batched)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.strict);
        w.str(self.what);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("strict", self.strict.to_string()), ("what", self.what.to_owned())]
    }
}
