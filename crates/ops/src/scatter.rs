//! Rows written to by their numbers.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Shape, Tensor, Val, Value};

use crate::emit::{Class, Tangents, apply, arity, with_batch};
use crate::reshape::moved;
use crate::scan::Scan;
use crate::sort::ordered;
use crate::take::{indices, joined, take_rows};
use crate::{Expr, RuleExt, broadcast_in_dim, concatenate, constant, reshape, slice_axis, transpose};

/// How an update meets what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScatterOp {
    /// It replaces it; of several for one row the last wins.
    Set,
    Add,
    Mul,
    /// The larger stays, NaN if one is. Ties share the derivative equally.
    Max,
    /// The smaller stays, NaN if one is. Ties share the derivative equally.
    Min,
}

impl ScatterOp {
    fn name(self) -> &'static str {
        match self {
            Self::Set => "scatter_set",
            Self::Add => "scatter_add",
            Self::Mul => "scatter_mul",
            Self::Max => "scatter_max",
            Self::Min => "scatter_min",
        }
    }
}

/// Inputs (x of shape [n, rest…], int64 numbers i of shape B, each 0 ≤ i < n, updates of
/// shape B + rest): x with the updates brought into the rows i, in C order of B. A number
/// outside is left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scatter(pub ScatterOp);

impl Primitive for Scatter {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let name = self.0.name();
        arity::<3>(name, x)?;
        indices(name, &x[1])?;
        match self.0 {
            ScatterOp::Set => {}
            ScatterOp::Add | ScatterOp::Mul => Class::Number.check(name, x[0].dtype)?,
            ScatterOp::Max | ScatterOp::Min => Class::Real.check(name, x[0].dtype)?,
        }
        if x[0].dtype != x[2].dtype {
            return Err(Error::dtype(name, format!("dtypes {} and {} differ; cast one", x[0].dtype, x[2].dtype)));
        }
        if x[0].rank() == 0 {
            return Err(Error::shape(name, "a scalar has no rows"));
        }
        let shape: Shape = x[1].shape.iter().chain(&x[0].shape[1..]).cloned().collect();
        if !g.equal_shapes(&shape, &x[2].shape) {
            return Err(Error::shape(name, format!("updates of shape {} where {shape} is needed", x[2].shape)));
        }
        Ok(vec![x[0].clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let (tx, tu) = (t[0].map(|t| r.expr(t)), t[2].map(|t| r.expr(t)));
        if tx.is_none() && tu.is_none() {
            return Ok(vec![None]);
        }
        let zeros = || r.x(0).full_like(0.0);
        let i = r.x(1);
        let rows = |op, x: Expr<'_>, u: Expr<'_>| r.expr(x.keep(scatter_rows(op, &x, &i, &u)).val());
        let added = |x: Option<_>, u: Option<_>| match (x, u) {
            (x, Some(u)) => Some(rows(ScatterOp::Add, x.unwrap_or_else(zeros), u)),
            (x, None) => x,
        };
        let t = match self.0 {
            ScatterOp::Add => added(tx, tu),
            ScatterOp::Set => {
                let u = tu.unwrap_or_else(|| r.x(2).full_like(0.0));
                Some(rows(ScatterOp::Set, tx.unwrap_or_else(zeros), u))
            }
            ScatterOp::Mul => {
                let along_x = tx.map(|t| rows(ScatterOp::Mul, t, r.x(2)));
                let along_u = tu.map(|t| r.x(0) * r.x(0).keep(products(r, t)));
                match (along_x, along_u) {
                    (Some(x), Some(u)) => Some(x + u),
                    (x, u) => x.or(u),
                }
            }
            ScatterOp::Max | ScatterOp::Min => {
                let y = r.y(0);
                let wins = |e: Expr<'_>, y: Expr<'_>| r.expr(e.eq(y).cast(e.dtype()).val());
                let (here, there) = (wins(r.x(0), y), wins(r.x(2), of_rows(y, i)));
                let count = rows(ScatterOp::Add, here, there);
                added(tx.map(|t| t * here), tu.map(|t| t * there)).map(|t| t / count)
            }
        };
        Ok(vec![t.map(|t| t.val())])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None; 3]) };
        let i = r.x(1);
        let zeros = || ct.number(0.0).broadcast_to(&r.avals[2]);
        let (x, u) = match self.0 {
            ScatterOp::Add => (linear[0].then_some(ct), linear[2].then(|| of_rows(ct, i))),
            ScatterOp::Set => {
                let x = linear[0].then(|| ct.keep(scatter_rows(ScatterOp::Set, &ct, &i, &zeros())));
                (x, linear[2].then(|| winners(ct, i, &r.avals[2].shape).select(of_rows(ct, i), zeros())))
            }
            ScatterOp::Mul if !linear[2] => {
                let by = r.x(2).conj();
                (linear[0].then(|| ct.keep(scatter_rows(ScatterOp::Mul, &ct, &i, &by))), None)
            }
            _ => return Err(Error::missing_rule(self.0.name(), "transpose")),
        };
        Ok(vec![x.map(|x| x.val()), None, u.map(|u| u.val())])
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let y = if batched[1] {
            let args = with_batch(r, batched, &[])?;
            let x = r.expr(args[0]);
            let (rows, i) = joined(&x, &r.expr(args[1]))?;
            reshape(&scatter_rows(self.0, &rows, &i, &r.expr(args[2]))?, &x.aval().shape)?
        } else {
            // The batch rides along as the first of the other axes.
            let args = with_batch(r, batched, &[1])?;
            let (x, u) = (r.expr(args[0]), r.expr(args[2]));
            let x = transpose(&x, &moved(x.aval().rank(), 0, 1))?;
            let u = transpose(&u, &moved(u.aval().rank(), 0, r.x(1).aval().rank()))?;
            let y = scatter_rows(self.0, &x, &r.x(1), &u)?;
            transpose(&y, &moved(y.aval().rank(), 1, 0))?
        };
        Ok(vec![(y.val(), true)])
    }

    fn encode(&self, _: &mut Encoder) {}
}

fn of_rows<'b>(x: Expr<'b>, i: Expr<'b>) -> Expr<'b> {
    x.keep(take_rows(&x, &i))
}

/// The tangent of the product of each row's updates along t: the scan of
/// (p, t) ⊗ (q, u) = (pq, tq + pu) over the updates in the order of their rows, which starts
/// anew with every row. Nothing is divided, so that zeros are right to every order.
fn products<'b>(r: Rule<'b>, t: Expr<'b>) -> Result<Expr<'b>> {
    let (x, i, u) = (r.x(0), r.x(1), r.x(2));
    let numbers = i.aval().shape;
    let m = numbers.size().as_const();
    let m = m.ok_or_else(|| Error::shape("scatter_mul", "the derivative needs indices of a numeric size"))?;
    if m == 0 {
        return Ok(x.full_like(0.0));
    }
    let [row, order] = ordered(&reshape(&i, &[Dim::Const(m)])?, 0, false)?;
    let shape: Shape = std::iter::once(Dim::Const(m)).chain(u.aval().shape[numbers.rank()..].iter().cloned()).collect();
    let in_order = |e: &Expr<'b>| take_rows(&reshape(e, &shape)?, &order);
    let beside: Vec<Dim> = (0..shape.rank()).map(|a| Dim::Const(if a == 0 { m } else { 1 })).collect();
    let scan = Scan { axis: 0, reverse: false, join: &join };
    let t = scan.run(&[in_order(&u)?, in_order(&t)?, reshape(&row, &beside)?], m)?[1];
    // The last update of a row has met all of them.
    let changes = crate::ne(&slice_axis(&row, 0, 0, m - 1)?, &slice_axis(&row, 0, 1, m)?)?;
    let last = concatenate(&[changes, constant(&x, Tensor::from_slice(&[1], &[true])?)?], 0)?;
    let whole = broadcast_in_dim(&last, shape, &[0])?.select(t, t.full_like(0.0));
    scatter_rows(ScatterOp::Add, &x.full_like(0.0), &row, &whole)
}

/// Of updates and what follows them: product, tangent and row. Operands are masked as well as
/// results, or an infinity of one row would meet a 0 of another one's derivative.
fn join<'b>(a: &[Expr<'b>], b: &[Expr<'b>]) -> Vec<Expr<'b>> {
    let ((p, t), (q, u)) = ((a[0], a[1]), (b[0], b[1]));
    let (same, one) = (a[2].eq(b[2]), p.full_like(1.0));
    let (before, behind) = (same.select(p, one), same.select(q, one));
    vec![same.select(before * behind, q), same.select(t * behind + before * u, u), b[2]]
}

/// Which updates are the last of their row, as a mask of the updates' shape.
fn winners<'b>(ct: Expr<'b>, i: Expr<'b>, updates: &Shape) -> Expr<'b> {
    ct.keep(last_of_row(&ct, &i, &ct.aval().shape[0]).and_then(|last| {
        let dims: Vec<usize> = (0..last.aval().rank()).collect();
        broadcast_in_dim(&last, updates.clone(), &dims)
    }))
}

/// Every number writes its position into its row; it is the last if it finds it there.
fn last_of_row<V: Value>(context: &V, i: &V, n: &Dim) -> Result<V> {
    let shape = i.aval().shape.concrete();
    let shape = shape.ok_or_else(|| Error::shape("scatter_set", "the derivative needs indices of numeric sizes"))?;
    let count = shape.iter().product::<usize>() as i64;
    let own = constant(context, Tensor::from_slice(&shape, &(0..count).collect::<Vec<_>>())?)?;
    let none = crate::broadcast_to(&constant(context, Tensor::scalar(-1_i64))?, Shape::from(std::slice::from_ref(n)))?;
    let last = scatter_rows(ScatterOp::Set, &none, i, &own)?;
    debug_assert_eq!(last.aval().dtype, DType::I64);
    crate::eq(&take_rows(&last, i)?, &own)
}

/// [`Scatter`]: updates of the rows of `x` by numbers that lie inside.
pub fn scatter_rows<V: Value>(op: ScatterOp, x: &V, indices: &V, updates: &V) -> Result<V> {
    apply(Scatter(op), x, &[indices, updates])
}
