//! Eigenvalues and vectors.

use tenferro_dense::{MatMut, RealScalar, Scalar, eig, eig_scratch, eigh, eigh_scratch};
use tenferro_graph::{Aval, Prim, Result};
use tenferro_linalg::{Eig, EigVals, Eigh, EighVals};

use super::factor::{Needs, bytes_of, dims, plan, result};
use super::matrices::{At, Fault, Routine};
use crate::step::{Planning, View};

#[derive(Debug)]
struct Eigen {
    hermitian: bool,
    vectors: bool,
    check_finite: bool,
}

impl Routine for Eigen {
    fn name(&self) -> &'static str {
        match (self.hermitian, self.vectors) {
            (true, true) => "eigh",
            (true, false) => "eigvalsh",
            (false, true) => "eig",
            (false, false) => "eigvals",
        }
    }

    fn one<T: Scalar>(&self, at: &At<'_>, scratch: &mut [u8]) -> std::result::Result<(), Fault> {
        let a = at.get::<T>(0);
        if !self.hermitian {
            let v = self.vectors.then(|| at.set::<T::Complex>(2));
            return Ok(eig(a, at.values_mut(1), v, self.check_finite, scratch)?);
        }
        eigh(a, at.values_mut(1), self.vectors.then(|| at.set::<T>(2)), self.check_finite, scratch)?;
        if self.vectors {
            turn(at.set::<T>(2));
        }
        Ok(())
    }
}

/// Gives each column the phase with which its largest component, the first of several, is real
/// and positive.
fn turn<T: Scalar>(mut v: MatMut<'_, T>) {
    // What rounding makes of equal components must not decide.
    let clearly = T::Real::ONE + T::Real::EPS * T::Real::from_f64(64.0);
    for j in 0..v.cols() {
        let (mut place, mut largest) = (0, T::Real::ZERO);
        for i in 0..v.rows() {
            let size = v.rb().at(i, j).abs2();
            if size > largest * clearly {
                (place, largest) = (i, size);
            }
        }
        let x = v.rb().at(place, j);
        let size = largest.sqrt();
        if x == T::new(size, T::Real::ZERO) || largest == T::Real::ZERO {
            continue;
        }
        let phase = x.conj().scale(T::Real::ONE / size);
        for i in 0..v.rows() {
            let y = v.rb().at(i, j) * phase;
            v.set(i, j, y);
        }
        v.set(place, j, T::new(size, T::Real::ZERO));
    }
}

fn lower(p: &mut dyn Planning, routine: Eigen, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let (_, n) = dims(routine.name(), args)?;
    let scratch = if routine.hermitian {
        bytes_of!(args[0].dtype, T => eigh_scratch::<T>(n))
    } else {
        bytes_of!(args[0].dtype, T => eig_scratch::<T>(n))
    };
    let each = match (routine.hermitian, routine.vectors) {
        (true, true) => 0.9,
        (true, false) => 0.3,
        (false, true) => 5.0,
        (false, false) => 2.5,
    };
    let results: Vec<View> = outs.iter().enumerate().map(|(i, a)| result(p, a, i == 1)).collect::<Result<_>>()?;
    let operands = args.iter().chain(&results).cloned().collect();
    plan(p, routine, operands, &Needs { scratch, nanoseconds: 500.0 + each * (n as f64).powi(3), core: 2 })?;
    Ok(results)
}

pub(crate) fn lower_eigh(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let check_finite = prim.downcast::<Eigh>().is_none_or(|p| p.check_finite);
    lower(p, Eigen { hermitian: true, vectors: true, check_finite }, args, outs)
}

pub(crate) fn lower_eigvalsh(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let check_finite = prim.downcast::<EighVals>().is_none_or(|p| p.check_finite);
    lower(p, Eigen { hermitian: true, vectors: false, check_finite }, args, outs)
}

pub(crate) fn lower_eig(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let check_finite = prim.downcast::<Eig>().is_none_or(|p| p.check_finite);
    lower(p, Eigen { hermitian: false, vectors: true, check_finite }, args, outs)
}

pub(crate) fn lower_eigvals(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let check_finite = prim.downcast::<EigVals>().is_none_or(|p| p.check_finite);
    lower(p, Eigen { hermitian: false, vectors: false, check_finite }, args, outs)
}
