//! Powers, roots and logarithms of matrices, and products of many.

use tenferro_graph::{Error, Result, Shape, Value};
use tenferro_ops::{DotGeneral, cast, full_like, le, log, lt, matmul, reshape, select, sqrt, stop_gradient, zeros_like};

use crate::attached::{HermitianFunction, Positive};
use crate::eigh::eigh;
use crate::lu::inv;
use crate::parts;

/// a multiplied with itself n times by repeated squaring; n < 0 inverts, n = 0 gives the identity.
/// Integer matrices stay so for n ≥ 0.
///
/// # Errors
/// `Shape` unless square; for n < 0 at run `LinAlg` if a is singular.
pub fn matrix_power<V: Value>(a: &V, n: i64) -> Result<V> {
    let size = parts::order("matrix_power", a)?;
    if n == 0 {
        return parts::eye_like(a, size, size);
    }
    let mut square = if n < 0 { inv(a, true)? } else { a.clone() };
    let mut rest = n.unsigned_abs();
    let mut power: Option<V> = None;
    loop {
        if rest & 1 == 1 {
            power = Some(power.map_or_else(|| Ok(square.clone()), |p| matmul(&p, &square))?);
        }
        rest >>= 1;
        if rest == 0 {
            return power.ok_or_else(|| Error::program("matrix_power: no factor"));
        }
        square = matmul(&square, &square)?;
    }
}

/// f(a) = V f(w) V\* with the derivative of [`HermitianFunction`].
fn hermitian<V: Value>(a: &V, kind: HermitianFunction) -> Result<V> {
    let (op, root) = if kind == HermitianFunction::Sqrt { ("sqrtm", true) } else { ("logm", false) };
    let a = parts::inexact(a)?;
    parts::order(op, &a)?;
    // What is not finite makes eigenvalues of NaN, which the check of them reports.
    let [w, v] = eigh(&a, true, false)?;
    let w = parts::one(Positive { strict: !root, what: op }, &[&w])?;
    let (wf, vf) = (stop_gradient(&w)?, stop_gradient(&v)?);
    let zero = zeros_like(&wf)?;
    let f = if root { sqrt(&select(&lt(&wf, &zero)?, &zero, &wf)?)? } else { log(&select(&le(&wf, &zero)?, &full_like(&wf, 1.0)?, &wf)?)? };
    let y = parts::recompose(&vf, &f, &parts::adjoint(&vf)?)?;
    parts::one(kind, &[&a, &w, &v, &y])
}

/// The principal square root of Hermitian positive semidefinite matrices a (…, n, n), of which the
/// lower triangle is read. Differentiable once where eigenvalues tie, not at singular matrices.
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if an eigenvalue is negative beyond rounding, in a
/// derivative if one is not positive.
pub fn sqrtm<V: Value>(a: &V) -> Result<V> {
    hermitian(a, HermitianFunction::Sqrt)
}

/// The logarithm of Hermitian positive definite matrices a (…, n, n), of which the lower triangle is
/// read. Differentiable once where eigenvalues tie.
///
/// # Errors
/// `Shape` unless square; at run `LinAlg` if an eigenvalue is not positive.
pub fn logm<V: Value>(a: &V) -> Result<V> {
    hermitian(a, HermitianFunction::Log)
}

/// The product of two or more matrices in the order of fewest multiplications; the first and the
/// last may have one axis, which is then a row or a column and gone in the result.
///
/// # Errors
/// `Value` for fewer than two, `Shape` unless neighbours fit.
pub fn multi_dot<V: Value>(arrays: &[V]) -> Result<V> {
    let [first, .., last] = arrays else {
        return Err(Error::value("multi_dot", format!("needs at least two arrays, got {}", arrays.len())));
    };
    let mut matrices = arrays.to_vec();
    let (row, column) = (first.aval().rank() == 1, last.aval().rank() == 1);
    let end = matrices.len() - 1;
    if row {
        matrices[0] = parts::per_column(first)?;
    }
    if column {
        matrices[end] = parts::per_row(last)?;
    }
    if let Some(x) = matrices.iter().find(|x| x.aval().rank() != 2) {
        return Err(Error::shape("multi_dot", format!("takes matrices, and at its ends vectors; got shape {}", x.aval().shape)));
    }
    let dtype = matrices.iter().map(|x| x.aval().dtype).fold(first.aval().dtype, tenferro_graph::DType::promote);
    let matrices: Vec<V> = matrices.iter().map(|x| cast(x, dtype)).collect::<Result<_>>()?;
    let sizes = chain_sizes(&matrices)?;
    let product = multiply(&matrices, &splits(&sizes), 0, end)?;
    let shape = product.aval().shape;
    let kept: Shape = (0..2).filter(|i| !(row && *i == 0 || column && *i == 1)).map(|i| shape[i].clone()).collect();
    reshape(&product, &kept)
}

/// n₀, n₁, … of matrices n₀×n₁, n₁×n₂, …
fn chain_sizes<V: Value>(matrices: &[V]) -> Result<Vec<usize>> {
    let mut sizes = vec![parts::size("multi_dot", &matrices[0], 2)?];
    for (i, x) in matrices.iter().enumerate() {
        let (m, n) = parts::sizes("multi_dot", x)?;
        if sizes[i] != m {
            return Err(Error::shape("multi_dot", format!("array {i} has {m} rows, the one before {} columns", sizes[i])));
        }
        sizes.push(n);
    }
    Ok(sizes)
}

/// For every run i ..= j the last matrix of its left half, by dynamic programming over lengths.
fn splits(sizes: &[usize]) -> Vec<Vec<usize>> {
    let n = sizes.len() - 1;
    let mut cost = vec![vec![0.0_f64; n]; n];
    let mut split = vec![vec![0; n]; n];
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            cost[i][j] = f64::INFINITY;
            for k in i..j {
                let work = sizes[i] as f64 * sizes[k + 1] as f64 * sizes[j + 1] as f64;
                let total = cost[i][k] + cost[k + 1][j] + work;
                if total < cost[i][j] {
                    (cost[i][j], split[i][j]) = (total, k);
                }
            }
        }
    }
    split
}

/// The product of i ..= j. Runs nest as deeply as there are matrices at most.
fn multiply<V: Value>(matrices: &[V], split: &[Vec<usize>], i: usize, j: usize) -> Result<V> {
    if i == j {
        return Ok(matrices[i].clone());
    }
    let (left, right) = (multiply(matrices, split, i, split[i][j])?, multiply(matrices, split, split[i][j] + 1, j)?);
    let prim = DotGeneral { lhs_batch: vec![], rhs_batch: vec![], lhs_contract: vec![1], rhs_contract: vec![0] };
    parts::one(prim, &[&left, &right])
}
