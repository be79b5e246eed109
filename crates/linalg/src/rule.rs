//! The derivative of the thin and of the truncated SVD.
//!
//! With dP = U\* dA V, h = (dP + dP\*)/2, a = (dP − dP\*)/2, G_ij = 1/(s_j − s_i)
//! and H_ij = 1/(s_j + s_i), differentiating A V = U S and A\* U = V S gives
//! ds = Re diag dP, U\*dU = G∘h + H∘a, V\*dV = G∘h − H∘a. G is masked at ties; H
//! keeps its diagonal, which carries the phases of the complex case. The part of
//! dU and dV outside the kept space solves a linear system ([`SvdSolve`]; A.
//! Francuz, N. Schuch, B. Vanhecke, Phys. Rev. Research 7, 013237, 2025), which for
//! k = min(m, n) is a division by s on the longer side.
//!
//! All quotients are formed from s/s₀, so that nothing overflows at any scale.

use tenferro_graph::{DType, Dim, Prim, Val};
use tenferro_ops::Expr;

use crate::algebra::{
    adjoint, adjoint_mul, apply, aval, cast, conj, first, full_like, inverse_where, mul, mul_adjoint, per_column, per_row,
    real_column_sums, scale_of,
};
use crate::solve::SvdSolve;
use crate::ties::TieCheck;

/// A matrix and its kept singular triplets.
pub(crate) struct Triplets<'b> {
    pub a: Expr<'b>,
    pub u: Expr<'b>,
    pub s: Expr<'b>,
    pub vh: Expr<'b>,
    /// The next triplets, which precondition the solve; `None` where k = min(m, n).
    pub extra: Option<[Expr<'b>; 3]>,
    pub ties: Ties,
}

/// What happens inside a cluster of singular values that tie.
#[derive(Clone, Copy)]
pub(crate) enum Ties {
    /// Its vectors do not move against each other.
    Masked,
    /// There are none: neighbours are at least this far apart, relative to the largest.
    Lifted(f64),
    /// As masked, and an error where they would have to move.
    Checked,
}

/// Below these, differences and sums of singular values relative to the largest
/// count as zero. The sums must not use the gap's: with s_min/s₀ ≤ 5e-11 tall and
/// complex matrices would be wrong by O(1).
pub(crate) struct Thresholds {
    pub gap: f64,
    pub zero: f64,
}

impl Thresholds {
    pub fn of(dtype: DType) -> Self {
        if matches!(dtype, DType::F32 | DType::C64) { Self { gap: 1e-4, zero: 1e-15 } } else { Self { gap: 1e-10, zero: 1e-30 } }
    }
}

/// ds = Re diag(U\* (dA V)), from dA V.
fn values<'b>(u: Expr<'b>, av: Expr<'b>) -> Expr<'b> {
    real_column_sums(conj(u) * av)
}

/// The tangent of the singular values alone.
pub(crate) fn values_tangent<'b>(u: Expr<'b>, vh: Expr<'b>, da: Expr<'b>) -> Expr<'b> {
    values(u, mul_adjoint(da, vh))
}

/// Tangents of u, s and vh.
pub(crate) fn tangents<'b>(f: &Triplets<'b>, da: Expr<'b>) -> [Val; 3] {
    let dtype = aval(f.u).dtype;
    let mut limits = Thresholds::of(dtype);
    if let Ties::Lifted(eps) = f.ties {
        limits.gap = eps / 2.0;
    }
    let scale = scale(f.s);
    let scale_of_matrix = cast(per_column(scale), dtype);
    let t = f.s / scale;
    let av = mul_adjoint(da, f.vh);
    let w = av / scale_of_matrix;
    let dp = adjoint_mul(f.u, w);
    let (g_h, h_a) = inside(t, dp, &limits, f.ties);
    // What comes back to U*dU and V*dV is checked apart: in their sum it may cancel.
    let watched = |x| if matches!(f.ties, Ties::Checked) { apply(TieCheck { of_cotangent: true }, x, &[t]) } else { x };
    let mut du = mul(f.u, watched(g_h + h_a));
    let mut dvh = mul(watched(h_a - g_h), f.vh);
    let k = size(f.s, 1);
    let (tall, wide) = (size(f.a, 2) != k, size(f.a, 1) != k);
    if let Some(extra) = f.extra.filter(|_| tall && wide) {
        let [x, y] = solve(f, extra, av, adjoint(adjoint_mul(f.u, da)));
        du = du + x;
        dvh = dvh + adjoint(y);
    } else if tall {
        let inverse = cast(inverse(t, &limits), dtype);
        du = du + (w - mul(f.u, dp)) * per_column(inverse);
    } else if wide {
        let inverse = cast(inverse(t, &limits), dtype);
        let w = adjoint_mul(f.u, da) / scale_of_matrix;
        dvh = dvh + (w - mul(dp, f.vh)) * per_row(inverse);
    }
    [du.val(), values(f.u, av).val(), dvh.val()]
}

/// The size of the axis `from_end` before the end.
fn size(a: Expr<'_>, from_end: usize) -> Option<Dim> {
    aval(a).shape.iter().rev().nth(from_end - 1).cloned()
}

/// The largest singular value, or 1 if that is 0: (…, k) to (…, 1). Quotients do
/// not depend on it, so it has no derivative.
pub(crate) fn scale(s: Expr<'_>) -> Expr<'_> {
    scale_of(first(s))
}

/// G∘h and H∘a, for t and dP relative to the scale.
fn inside<'b>(t: Expr<'b>, dp: Expr<'b>, limits: &Thresholds, ties: Ties) -> (Expr<'b>, Expr<'b>) {
    let dtype = aval(dp).dtype;
    let dp_adjoint = adjoint(dp);
    let (t_j, t_i) = (per_column(t), per_row(t));
    let (gap, sum) = (t_j - t_i, t_j + t_i);
    let g = inverse_where(gap.abs().gt(full_like(gap, limits.gap)), gap);
    let h = inverse_where(sum.gt(full_like(sum, limits.zero)), sum);
    // Where a tangent would move tied vectors against each other, it is an error.
    let checked = |x| if matches!(ties, Ties::Checked) { apply(TieCheck { of_cotangent: false }, x, &[t]) } else { x };
    let g_h = checked((dp + dp_adjoint) * 0.5) * cast(g, dtype);
    let h_a = (dp - dp_adjoint) * 0.5 * cast(h, dtype);
    (g_h, h_a)
}

/// 1/t, 0 where t is 0.
fn inverse<'b>(t: Expr<'b>, limits: &Thresholds) -> Expr<'b> {
    inverse_where(t.gt(full_like(t, limits.zero)), t)
}

fn solve<'b>(f: &Triplets<'b>, [ue, se, vhe]: [Expr<'b>; 3], r1: Expr<'b>, r2: Expr<'b>) -> [Expr<'b>; 2] {
    let b = f.a.b();
    let args = [f.a, f.u, f.s, f.vh, ue, se, vhe, r1, r2].map(|x| x.val());
    let outs = b.emit(Prim::new(SvdSolve), &args).unwrap_or_else(|e| {
        b.fail(e);
        tenferro_graph::smallvec![Val::NONE; 2]
    });
    [Expr::new(b, outs[0]), Expr::new(b, outs[1])]
}
