//! From the type of a primitive to what makes steps of it.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use tenferro_fft::{Fft, Irfft, Rfft};
use tenferro_graph::{Aval, Error, Prim, Primitive, Result};
use tenferro_linalg::{Svd, SvdSolve, SvdTrunc, SvdVals};
use tenferro_ops::{Concatenate, DotGeneral, Pad, Reshape};

use crate::custom::{Custom, Kernel};
use crate::heavy::{lower_dot, lower_solve, lower_svd, lower_svd_trunc, lower_svdvals};
use crate::movement::{lower_concatenate, lower_pad, lower_reshape};
use crate::spectral::{lower_fft, lower_irfft, lower_rfft};
use crate::step::{Planning, View};

/// Turns one instruction into steps; returns where its outputs lie.
type Lowering = dyn Fn(&mut dyn Planning, &Prim, &[View], &[Aval]) -> Result<Vec<View>> + Send + Sync;

#[derive(Clone)]
pub(crate) struct Lowerings(HashMap<TypeId, Arc<Lowering>>);

impl Default for Lowerings {
    fn default() -> Self {
        let rows: [(TypeId, Arc<Lowering>); 11] = [
            (TypeId::of::<Concatenate>(), Arc::new(lower_concatenate)),
            (TypeId::of::<Pad>(), Arc::new(lower_pad)),
            (TypeId::of::<Reshape>(), Arc::new(lower_reshape)),
            (TypeId::of::<DotGeneral>(), Arc::new(lower_dot)),
            (TypeId::of::<Svd>(), Arc::new(lower_svd)),
            (TypeId::of::<SvdVals>(), Arc::new(lower_svdvals)),
            (TypeId::of::<SvdTrunc>(), Arc::new(lower_svd_trunc)),
            (TypeId::of::<SvdSolve>(), Arc::new(lower_solve)),
            (TypeId::of::<Fft>(), Arc::new(lower_fft)),
            (TypeId::of::<Rfft>(), Arc::new(lower_rfft)),
            (TypeId::of::<Irfft>(), Arc::new(lower_irfft)),
        ];
        Self(rows.into_iter().collect())
    }
}

impl Lowerings {
    pub fn get(&self, prim: &Prim) -> Result<&Lowering> {
        let id = tenferro_graph::Key::as_any(&**prim).type_id();
        self.0.get(&id).map(|l| &**l).ok_or_else(|| Error::missing(prim.name().to_owned(), "engine cpu has no kernel for it"))
    }

    /// Instructions of type `P` run kernels that `choose` makes for their input and output avals.
    pub fn install<P: Primitive>(&mut self, choose: impl Fn(&P, &[Aval], &[Aval]) -> Result<Box<dyn Kernel>> + Send + Sync + 'static) {
        let lower = move |p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]| {
            let op: &P = prim.downcast().ok_or_else(|| Error::program(format!("{}: lowered another op", prim.name())))?;
            let avals: Vec<Aval> = args.iter().map(View::aval).collect();
            Custom::lower(p, choose(op, &avals, outs)?, args, outs)
        };
        self.0.insert(TypeId::of::<P>(), Arc::new(lower));
    }
}
