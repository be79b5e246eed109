//! Triangular factorizations and systems.

use tenferro_dense::{DenseError, MatMut, MatRef, Op, RealScalar, Scalar, cholesky, lu, lu_scratch, qr, qr_scratch, solve_triangular};
use tenferro_graph::{Aval, Prim, Result};
use tenferro_linalg::{Cholesky, Form, Lu, LuSolve, Permute, Qr, Triangular};

use super::factor::{Needs, as_vector, bytes_of, carve, carved, dims, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View, given};

type Done = std::result::Result<(), Fault>;

impl Routine for Qr {
    fn name(&self) -> &'static str {
        "qr"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> Done {
        Ok(qr(at.get::<T>(0), Some(at.set(1)), at.set(2), self.check_finite, scratch)?)
    }
}

impl Routine for Cholesky {
    fn name(&self) -> &'static str {
        "cholesky"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> Done {
        Ok(cholesky(at.get::<T>(0), at.set(1), self.check_finite)?)
    }
}

impl Routine for Lu {
    fn name(&self) -> &'static str {
        self.what
    }

    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> Done {
        let (a, pivots) = (at.get::<T>(0), at.values_mut::<i64>(2));
        let m = a.rows();
        let (rows, scratch) = carve::<usize>(scratch, m);
        let (now, scratch) = carve::<usize>(scratch, m);
        let (place, scratch) = carve::<usize>(scratch, m);
        lu(a, at.set(1), rows, self.check_finite, scratch)?;
        // The exchanges that bring the rows into this order one place after the other.
        (0..m).for_each(|i| (now[i], place[i]) = (i, i));
        for (i, pivot) in pivots.iter_mut().enumerate() {
            let p = place[rows[i]];
            *pivot = p as i64;
            now.swap(i, p);
            (place[now[i]], place[now[p]]) = (i, p);
        }
        Ok(())
    }
}

/// Copies b onto x.
fn copy<T: Scalar>(b: MatRef<'_, T>, x: &mut MatMut<'_, T>) {
    for j in 0..b.cols() {
        for i in 0..b.rows() {
            x.set(i, j, b.at(i, j));
        }
    }
}

/// Exchanges rows as pivots say, or back.
fn permute<T: Scalar>(x: &mut MatMut<'_, T>, pivots: &[i64], inverse: bool) -> Done {
    let rows = x.rows();
    let mut swap = |(i, p): (usize, &i64)| {
        let p = usize::try_from(*p).ok().filter(|p| *p < rows).ok_or(*p);
        let p = p.map_err(|p| Fault::Other(format!("pivot {p} is no row of {rows}")))?;
        for j in 0..x.cols() {
            let (a, b) = (x.rb().at(i, j), x.rb().at(p, j));
            x.set(i, j, b);
            x.set(p, j, a);
        }
        Ok(())
    };
    let mut all = pivots.iter().enumerate();
    if inverse { all.rev().try_for_each(swap) } else { all.try_for_each(&mut swap) }
}

impl Routine for Permute {
    fn name(&self) -> &'static str {
        "permute_rows"
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> Done {
        let mut x = at.set(2);
        copy(at.get::<T>(0), &mut x);
        permute(&mut x, at.values(1), self.inverse)
    }
}

fn op(form: Form) -> Op {
    match form {
        Form::Plain => Op::Plain,
        Form::Transposed => Op::Transposed,
        Form::Adjoint => Op::Adjoint,
    }
}

/// A diagonal element of an upper triangle that is rounding beside its column.
fn dependent_column<T: Scalar>(r: MatRef<'_, T>) -> Option<usize> {
    let rounding = T::Real::EPS * T::Real::from_f64(16.0 * r.rows() as f64);
    (0..r.rows()).find(|j| {
        let largest = (0..=*j).fold(T::Real::ZERO, |max, i| max.larger(r.at(i, *j).abs1()));
        r.at(*j, *j).abs1() <= largest * rounding
    })
}

impl Routine for Triangular {
    fn name(&self) -> &'static str {
        self.what
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> Done {
        let a = at.get::<T>(0);
        if self.dependent
            && let Some(j) = dependent_column(a)
        {
            return Err(Fault::Other(format!("the matrix has not full rank; vector {j} depends on those before it")));
        }
        let mut x = at.set(2);
        copy(at.get::<T>(1), &mut x);
        Ok(solve_triangular(a, self.lower, op(self.form), self.unit, x, self.check_finite)?)
    }
}

impl Routine for LuSolve {
    fn name(&self) -> &'static str {
        self.what
    }

    fn one<T: Scalar>(&self, at: &At<'_>, _: &mut [u8]) -> Done {
        let (packed, pivots) = (at.get::<T>(1), at.values::<i64>(2));
        let mut x = at.set(4);
        copy(at.get::<T>(3), &mut x);
        let form = op(self.form);
        let solve = |lower, x: &mut MatMut<'_, T>| solve_triangular(packed, lower, form, lower, x.rb_mut(), false);
        if self.form == Form::Plain {
            permute(&mut x, pivots, false)?;
            solve(true, &mut x)?;
            return singular(solve(false, &mut x));
        }
        singular(solve(false, &mut x))?;
        solve(true, &mut x)?;
        permute(&mut x, pivots, true)
    }
}

/// The error of a system says what it means for the matrix.
fn singular(done: std::result::Result<(), DenseError>) -> Done {
    done.map_err(|e| match e {
        DenseError::Singular { index } => Fault::Other(format!("the matrix is singular; pivot {index} of its LU factorization is 0")),
        other => Fault::Dense(other),
    })
}

pub(crate) fn lower_qr(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (m, n) = dims("qr", args)?;
    let scratch = bytes_of!(args[0].dtype, T => qr_scratch::<T>(m, n));
    let results = vec![result(p, &outs[0], true)?, result(p, &outs[1], false)?];
    let operands = args.iter().chain(&results).cloned().collect();
    let nanoseconds = 500.0 + 0.25 * m as f64 * n as f64 * m.min(n) as f64;
    plan(p, given::<Qr>(prim)?.clone(), operands, &Needs { scratch, nanoseconds, core: 2 })?;
    Ok(results)
}

pub(crate) fn lower_cholesky(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (_, n) = dims("cholesky", args)?;
    let results = vec![result(p, &outs[0], true)?];
    let operands = args.iter().chain(&results).cloned().collect();
    plan(p, given::<Cholesky>(prim)?.clone(), operands, &Needs { scratch: 0, nanoseconds: 0.05 * (n as f64).powi(3), core: 2 })?;
    Ok(results)
}

pub(crate) fn lower_lu(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (m, n) = dims("lu", args)?;
    let scratch = bytes_of!(args[0].dtype, T => carved(&[8 * m, 8 * m, 8 * m, lu_scratch::<T>(m, n)]));
    let results = vec![result(p, &outs[0], true)?, result(p, &outs[1], false)?];
    let operands = args.iter().chain(&results).cloned().collect();
    let nanoseconds = 0.1 * m as f64 * n as f64 * m.min(n) as f64;
    plan(p, given::<Lu>(prim)?.clone(), operands, &Needs { scratch, nanoseconds, core: 2 })?;
    Ok(results)
}

/// A routine without scratch whose input `pivots` is a vector.
fn system<R: Routine>(p: &mut dyn Planning, routine: R, args: &[View], outs: &[Aval], pivots: Option<usize>) -> Result<Vec<View>> {
    let (_, n) = dims(routine.name(), args)?;
    let columns = outs[0].shape.last().and_then(tenferro_graph::Dim::as_const).unwrap_or(1);
    let mut operands = args.to_vec();
    if let Some(i) = pivots {
        operands[i] = as_vector(p, &args[i])?;
    }
    let x = result(p, &outs[0], true)?;
    operands.push(x.clone());
    let nanoseconds = 0.1 * (n * n) as f64 * columns as f64;
    plan(p, routine, operands, &Needs { scratch: 0, nanoseconds, core: 2 })?;
    Ok(vec![x])
}

pub(crate) fn lower_permute(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    system(p, given::<Permute>(prim)?.clone(), args, outs, Some(1))
}

pub(crate) fn lower_triangular(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    system(p, given::<Triangular>(prim)?.clone(), args, outs, None)
}

pub(crate) fn lower_lu_solve(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    system(p, given::<LuSolve>(prim)?.clone(), args, outs, Some(2))
}
