//! Eigenvalues and right vectors of general matrices.

use tenferro_graph::{Aval, DType, Dim, Encoder, Guards, Narrowed, Prim, Primitive, Result, Rule, Use, Val, Value};
use tenferro_ops::{Expr, RuleExt};

use crate::algebra::{cast, conj, full_like, inverse_where, mul, per_column, per_row, real_column_sums, scale_of};
use crate::lu::system;
use crate::matrix::{Matrix, batch_one};
use crate::parts;
use crate::rule::Thresholds;

/// a v = v diag(w) of a general (…, n, n): w (…, n) and v (…, n, n), both complex.
///
/// Columns of v have norm 1, and their component of largest modulus is real. Eigenvalues are in
/// no particular order. The derivative keeps the norm and lets the phase go where it is shortest
/// to go: it is that of functions which do not see phases. Eigenvalues that tie do not mix their
/// vectors. At run the derivative of a matrix without n independent vectors is an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Eig {
    /// Whether NaN and infinity are an error; otherwise they spread.
    pub check_finite: bool,
}

/// Eigenvalues alone of a general (…, n, n): complex (…, n).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EigVals {
    /// As for [`Eig`].
    pub check_finite: bool,
}

fn complex_of(dtype: DType) -> DType {
    dtype.complex().unwrap_or(DType::C128)
}

/// V⁻¹ dA V.
fn in_eigenbasis<'b>(v: Expr<'b>, da: Expr<'b>) -> Expr<'b> {
    let da = cast(da, complex_of(da.dtype()));
    v.keep(system("derivative of eig", &v, &mul(da, v), false))
}

fn diagonal(c: Expr<'_>) -> Expr<'_> {
    c.keep(tenferro_ops::diagonal(&c, 0, -2, -1))
}

/// What belongs to `w`, in the order of the same eigenvalues as they stand in `like`: an algorithm
/// without vectors may find them in another order. Where several are nearest, their mean.
fn in_order_of<'b>(like: Expr<'b>, w: Expr<'b>, x: Expr<'b>) -> Expr<'b> {
    let far = -(per_row(like) - per_column(w)).abs();
    let axis = far.b().aval(far.val()).rank() as isize - 1;
    let near = far.ge(far.keep(tenferro_ops::max(&far, Some(&[axis]), true)));
    let weights = near.select(full_like(far, 1.0), full_like(far, 0.0));
    let share = cast(weights / far.keep(tenferro_ops::sum(&weights, Some(&[axis]), true)), x.dtype());
    let sums = share * per_column(x);
    sums.keep(tenferro_ops::sum(&sums, Some(&[axis]), false))
}

impl Eig {
    /// With C = V⁻¹ dA V and Z_ij = C_ij/(w_j − w_i): dw = diag C, dV = V Z − V diag(Re diag(V\* V Z)).
    fn tangents<'b>(w: Expr<'b>, v: Expr<'b>, da: Expr<'b>) -> [Val; 2] {
        let dtype = v.dtype();
        let c = in_eigenbasis(v, da);
        let size = w.abs();
        let rank = size.b().aval(size.val()).rank();
        let top = size.keep(tenferro_ops::max(&size, Some(&[rank as isize - 1]), true));
        let scale = cast(scale_of(top), dtype);
        let t = w / scale;
        let gap = per_column(t) - per_row(t);
        let distance = gap.abs();
        let inverse = inverse_where(distance.gt(full_like(distance, Thresholds::of(dtype).gap)), gap);
        let vz = mul(v, c / per_column(scale) * inverse);
        let longer = cast(real_column_sums(conj(v) * vz), dtype);
        [diagonal(c).val(), (vz - v * per_column(longer)).val()]
    }
}

impl Primitive for Eig {
    fn name(&self) -> &'static str {
        "eig"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::square("eig", x, g)?;
        let dtype = complex_of(x[0].dtype);
        Ok(vec![Aval::new(dtype, a.shape(&[&a.n])), x[0].with_dtype(dtype)])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].filter(|_| r.avals[0].shape.last() != Some(&Dim::Const(0))) else {
            return Ok(vec![None, None]);
        };
        Ok(Self::tangents(r.y(0), r.y(1), r.expr(da)).map(Some).to_vec())
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn narrow(&self, uses: &[Use], _: &[Aval]) -> Option<Narrowed> {
        let prim = || Prim::new(EigVals { check_finite: self.check_finite });
        (uses == [Use::Whole, Use::Dead]).then(|| Narrowed { prim: prim(), outputs: vec![Some(0), None] })
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.check_finite);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("check_finite", self.check_finite.to_string())]
    }
}

impl Primitive for EigVals {
    fn name(&self) -> &'static str {
        "eigvals"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let a = Matrix::square("eigvals", x, g)?;
        Ok(vec![Aval::new(complex_of(x[0].dtype), a.shape(&[&a.n]))])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let Some(da) = t[0].filter(|_| r.avals[0].shape.last() != Some(&Dim::Const(0))) else { return Ok(vec![None]) };
        let f = r.b.emit(Prim::new(Eig { check_finite: self.check_finite }), r.inputs)?;
        let slopes = diagonal(in_eigenbasis(r.expr(f[1]), r.expr(da)));
        Ok(vec![Some(in_order_of(r.y(0), r.expr(f[0]), slopes).val())])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        batch_one(self.clone(), r)
    }

    fn encode(&self, w: &mut Encoder) {
        w.bool(self.check_finite);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("check_finite", self.check_finite.to_string())]
    }
}

/// Eigenvalues w (…, n) and right vectors v (…, n, n) of a general a (…, n, n), complex also for
/// real a. See [`Eig`] for norms, phases and ties.
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if, with `check_finite`, a holds NaN or infinity.
pub fn eig<V: Value>(a: &V, check_finite: bool) -> Result<[V; 2]> {
    let a = parts::inexact(a)?;
    parts::order("eig", &a)?;
    parts::several(Eig { check_finite }, &[&a])
}

/// Eigenvalues alone, complex (…, n).
///
/// # Errors
/// As [`eig`].
pub fn eigvals<V: Value>(a: &V, check_finite: bool) -> Result<V> {
    let a = parts::inexact(a)?;
    parts::order("eigvals", &a)?;
    parts::one(EigVals { check_finite }, &[&a])
}
