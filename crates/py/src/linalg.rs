//! Bindings of `tn.linalg`.

use pyo3::prelude::*;
use tenferro_graph::Error;
use tenferro_linalg::{self as linalg, Degeneracy, Form, MatrixOrd};

use crate::bind::functions;
use crate::errors::PyR;
use crate::functions::{Axes, Size};
use crate::operand::{Operand, Out, together};

/// A choice that has a name or a number.
#[derive(FromPyObject)]
enum Choice {
    Name(String),
    Number(f64),
}

impl Choice {
    fn of<T: Copy>(&self, names: &[(&str, T)], numbers: &[(f64, T)]) -> Option<T> {
        match self {
            Self::Name(name) => names.iter().find(|(n, _)| n == name).map(|(_, t)| *t),
            Self::Number(x) => numbers.iter().find(|(n, _)| n == x).map(|(_, t)| *t),
        }
    }

    fn norm(&self, op: &'static str) -> PyR<MatrixOrd> {
        use MatrixOrd::{Fro, Inf, MinusInf, MinusOne, MinusTwo, Nuc, One, Two};
        let numbers = [(1.0, One), (-1.0, MinusOne), (2.0, Two), (-2.0, MinusTwo), (f64::INFINITY, Inf), (f64::NEG_INFINITY, MinusInf)];
        let found = self.of(&[("fro", Fro), ("nuc", Nuc)], &numbers);
        found.ok_or_else(|| Error::value(op, "the order must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf").into())
    }

    fn form(&self, op: &'static str) -> PyR<Form> {
        use Form::{Adjoint, Plain, Transposed};
        let found = self.of(&[("N", Plain), ("T", Transposed), ("C", Adjoint)], &[(0.0, Plain), (1.0, Transposed), (2.0, Adjoint)]);
        found.ok_or_else(|| Error::value(op, "trans must be 0 or 'N', 1 or 'T', 2 or 'C'").into())
    }
}

fn degeneracy(name: &str, gap: Option<f64>) -> PyR<Degeneracy> {
    Ok(match (name, gap) {
        ("lift", gap) => Degeneracy::Lift(gap),
        ("mask", None) => Degeneracy::Mask,
        ("raise", None) => Degeneracy::Raise,
        ("mask" | "raise", _) => return Err(Error::value("svd", "gap belongs to degeneracy=\"lift\"").into()),
        _ => return Err(Error::value("svd", format!("degeneracy must be 'mask', 'lift' or 'raise', got {name:?}")).into()),
    })
}

functions! {
    svd(a: Operand, full: bool, ties: &str, gap: Option<f64>, narrow: bool) -> (Out, Out, Out) {
        linalg::svd_with(&a, full, narrow, degeneracy(ties, gap)?)?.map(Out).into()
    }
    svdvals(a: Operand) -> Out { Out(linalg::svdvals(&a)?) }
    svd_trunc(a: Operand, k: isize) -> (Out, Out, Out) {
        let k = usize::try_from(k).map_err(|_| Error::value("svd_trunc", format!("k must be at least 1, got {k}")))?;
        linalg::svd_trunc(&a, k)?.map(Out).into()
    }
    svd_cut_gap(a: Operand, k: isize) -> Out { Out(linalg::svd_cut_gap(&a, usize::try_from(k).unwrap_or(0))?) }
    svd_gauge_residual(u: Operand, s: Operand, vh: Operand, ct_u: Operand, ct_vh: Operand) -> Out {
        let [u, s, vh, ct_u, ct_vh] = together([u, s, vh, ct_u, ct_vh])?;
        Out(linalg::svd_gauge_residual([&u, &s, &vh], [&ct_u, &ct_vh])?)
    }
    eigh(a: Operand, lower: bool, check_finite: bool) -> (Out, Out) { linalg::eigh(&a, lower, check_finite)?.map(Out).into() }
    eigvalsh(a: Operand, lower: bool, check_finite: bool) -> Out { Out(linalg::eigvalsh(&a, lower, check_finite)?) }
    eig(a: Operand, check_finite: bool) -> (Out, Out) { linalg::eig(&a, check_finite)?.map(Out).into() }
    eigvals(a: Operand, check_finite: bool) -> Out { Out(linalg::eigvals(&a, check_finite)?) }
    qr(a: Operand, full: bool, check_finite: bool) -> (Out, Out) { linalg::qr(&a, full, check_finite)?.map(Out).into() }
    lq(a: Operand, full: bool, check_finite: bool) -> (Out, Out) { linalg::lq(&a, full, check_finite)?.map(Out).into() }
    cholesky(a: Operand, upper: bool, check_finite: bool) -> Out { Out(linalg::cholesky(&a, upper, check_finite)?) }
    lu(a: Operand, check_finite: bool) -> (Out, Out, Out) { linalg::lu(&a, check_finite)?.map(Out).into() }
    lu_factor(a: Operand, check_finite: bool) -> (Out, Out) { linalg::lu_factor(&a, check_finite)?.map(Out).into() }
    lu_solve(packed: Operand, pivots: Operand, b: Operand, trans: Choice) -> Out {
        let [packed, pivots, b] = together([packed, pivots, b])?;
        Out(linalg::lu_solve(&packed, &pivots, &b, trans.form("lu_solve")?)?)
    }
    solve(a: Operand, b: Operand, check_finite: bool) -> Out {
        let [a, b] = together([a, b])?;
        Out(linalg::solve(&a, &b, check_finite)?)
    }
    solve_triangular(a: Operand, b: Operand, lower: bool, trans: Choice, unit_diagonal: bool, check_finite: bool) -> Out {
        let [a, b] = together([a, b])?;
        Out(linalg::solve_triangular(&a, &b, lower, trans.form("solve_triangular")?, unit_diagonal, check_finite)?)
    }
    cho_solve(c: Operand, lower: bool, b: Operand, check_finite: bool) -> Out {
        let [c, b] = together([c, b])?;
        Out(linalg::cho_solve(&c, lower, &b, check_finite)?)
    }
    inv(a: Operand, check_finite: bool) -> Out { Out(linalg::inv(&a, check_finite)?) }
    det(a: Operand) -> Out { Out(linalg::det(&a)?) }
    slogdet(a: Operand) -> (Out, Out) { linalg::slogdet(&a)?.map(Out).into() }
    lstsq(a: Operand, b: Operand, rtol: Option<f64>) -> (Out, Out, Out, Out) {
        let [a, b] = together([a, b])?;
        linalg::lstsq(&a, &b, rtol)?.map(Out).into()
    }
    pinv(a: Operand, rtol: Option<f64>) -> Out { Out(linalg::pinv(&a, rtol)?) }
    matrix_rank(a: Operand, rtol: Option<f64>) -> Out { Out(linalg::matrix_rank(&a, rtol)?) }
    matrix_norm(a: Operand, ord: Choice, keepdims: bool) -> Out { Out(linalg::matrix_norm(&a, ord.norm("matrix_norm")?, keepdims)?) }
    vector_norm(x: Operand, ord: f64, axis: Option<Axes>, keepdims: bool) -> Out {
        Out(linalg::vector_norm(&x, ord, axis.as_ref().map(Axes::as_slice), keepdims)?)
    }
    cond(a: Operand, ord: Option<Choice>) -> Out { Out(linalg::cond(&a, ord.map(|o| o.norm("cond")).transpose()?)?) }
    matrix_power(a: Operand, n: i64) -> Out { Out(linalg::matrix_power(&a, n)?) }
    expm(a: Operand) -> Out { Out(linalg::expm(&a)?) }
    sqrtm(a: Operand) -> Out { Out(linalg::sqrtm(&a)?) }
    logm(a: Operand) -> Out { Out(linalg::logm(&a)?) }
    polar(a: Operand, left: bool) -> (Out, Out) { linalg::polar(&a, left)?.map(Out).into() }
    orth(a: Operand, rank: Size) -> Out { Out(linalg::orth(&a, rank.0)?) }
    null_space(a: Operand, rank: Size) -> Out { Out(linalg::null_space(&a, rank.0)?) }
    multi_dot(arrays: Vec<Operand>) -> Out { Out(linalg::multi_dot(&together(arrays)?)?) }
}
