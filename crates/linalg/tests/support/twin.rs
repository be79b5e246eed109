//! The rule once more, in plain steps and with a fault to choose: the checker
//! must accept it without a fault and reject it with any.

use tenferro_graph::{Aval, Guards, Prim, Primitive, Result, Rule, Val};
use tenferro_linalg::{SvdSolve, SvdTrunc};
use tenferro_ops::{Expr, RuleExt, matmul, reshape, swap_last};

use super::constant;
use super::interpreter::{Arr, c};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    None,
    /// H without its diagonal.
    NoDiagonal,
    /// The outside part divided by s although k < min(m, n).
    NoCutPart,
    /// A missing conjugate in dM\*.
    NoConjugate,
    /// Quotients by s_j² − s_i² instead of by differences and sums.
    Squares,
}

/// `SvdTrunc` with its own rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Twin {
    pub k: usize,
    pub extra: usize,
    pub fault: Fault,
}

fn mm<'b>(l: Expr<'b>, r: Expr<'b>) -> Expr<'b> {
    matmul(&l, &r).expect("matmul")
}

fn t(x: Expr<'_>) -> Expr<'_> {
    swap_last(&x).expect("swap")
}

fn h(x: Expr<'_>) -> Expr<'_> {
    t(x.conj())
}

impl Primitive for Twin {
    fn name(&self) -> &'static str {
        "twin"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        SvdTrunc { k: self.k, extra: self.extra }.infer(x, g)
    }

    fn jvp(&self, r: Rule<'_>, tangent: &[Option<Val>]) -> Result<Vec<Option<Val>>> {
        let (Some(da), k) = (tangent[0], self.k) else {
            return Ok(vec![None; 6]);
        };
        let (u, s, vh, da) = (r.y(0), r.y(1), r.y(2), r.expr(da));
        let dtype = r.avals[0].dtype;
        let v = h(vh);
        let row = reshape(&s, &[1.into(), k.into()])?;
        let column = reshape(&s, &[k.into(), 1.into()])?;
        let eye = constant(s, &Arr::from_fn(tenferro_graph::DType::F64, &[k, k], |i| c(f64::from(u8::from(i[0] == i[1])))));
        let off = -eye + 1.0;
        let g = off / (row - column + eye);
        let mut sums = (eye * 0.0 + 1.0) / (row + column);
        if self.fault == Fault::NoDiagonal {
            sums = sums * off;
        }
        let dp = mm(mm(h(u), da), v);
        let herm = (dp + h(dp)) * 0.5 * g.cast(dtype);
        let anti = (dp - h(dp)) * 0.5 * sums.cast(dtype);
        let (inside_u, inside_v) = if self.fault == Fault::Squares {
            let f = (off / (row * row - column * column + eye)).cast(dtype);
            let (right, left) = (row.cast(dtype), column.cast(dtype));
            ((dp * right + left * h(dp)) * f, (left * dp + h(dp) * right) * f)
        } else {
            (herm + anti, herm - anti)
        };
        let ds = tenferro_ops::reduce_sum(&(dp.real() * eye), &[1])?;
        let r1 = mm(da, v);
        let r2 = mm(if self.fault == Fault::NoConjugate { t(da) } else { h(da) }, u);
        let (x, y) = if self.fault == Fault::NoCutPart {
            let s = row.cast(dtype);
            ((r1 - mm(u, mm(h(u), r1))) / s, (r2 - mm(v, mm(vh, r2))) / s)
        } else {
            let args = [r.x(0), u, s, vh, r.y(3), r.y(4), r.y(5), r1, r2].map(|x| x.val());
            let xy = r.b.emit(Prim::new(SvdSolve), &args)?;
            (r.expr(xy[0]), r.expr(xy[1]))
        };
        let du = mm(u, inside_u) + x;
        let dv = mm(v, inside_v) + y;
        Ok(vec![Some(du.val()), Some(ds.val()), Some(h(dv).val()), None, None, None])
    }
}
