//! From the type of a primitive to what makes steps of it.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use tenferro_fft::{Fft, Irfft, Rfft};
use tenferro_graph::{Aval, Error, Prim, Primitive, Result};
use tenferro_linalg::{
    Adjugate, Cholesky, Det, Eig, EigVals, Eigh, EighVals, Expm, Finite, HermitianFunction, LeastSquares, Lu, LuSolve, Permute, Pinv,
    Polar, Positive, Qr, SlogDet, Svd, SvdFull, SvdSolve, SvdTies, SvdTrunc, SvdVals, TieCheck, Triangular,
};
use tenferro_ops::{
    ArgReduce, ArgSort, Concatenate, Convolve, Cumulative, DotGeneral, DynamicSlice, DynamicUpdateSlice, Nonzero, NormaliseIndex, Pad,
    PutAlong, Reshape, Scatter, SearchSorted, Sort, Take, TakeAlong,
};

use crate::along::{lower_argreduce, lower_argsort, lower_cumulative, lower_put_along, lower_searchsorted, lower_sort, lower_take_along};
use crate::custom::{Custom, Kernel};
use crate::heavy::{
    lower_adjugate, lower_cholesky, lower_det, lower_dot, lower_eig, lower_eigh, lower_eigvals, lower_eigvalsh, lower_expm, lower_finite,
    lower_last, lower_lu, lower_lu_solve, lower_permute, lower_positive, lower_qr, lower_slogdet, lower_svd, lower_svd_full,
    lower_svd_solve, lower_svd_ties, lower_svd_trunc, lower_svdvals, lower_tie_check, lower_triangular,
};
use crate::indexing::{
    lower_convolve, lower_dynamic_slice, lower_dynamic_update_slice, lower_nonzero, lower_normalise_index, lower_scatter, lower_take,
};
use crate::movement::{lower_concatenate, lower_pad, lower_reshape};
use crate::spectral::{lower_fft, lower_irfft, lower_rfft};
use crate::step::{Planning, View, given};

/// Turns one instruction into steps; returns where its outputs lie.
type Lowering = dyn Fn(&mut dyn Planning, &Prim, &[View], &[Aval]) -> Result<Vec<View>> + Send + Sync;

#[derive(Clone)]
pub(crate) struct Lowerings(HashMap<TypeId, Arc<Lowering>>);

impl Default for Lowerings {
    fn default() -> Self {
        let rows: Vec<(TypeId, Arc<Lowering>)> = vec![
            (TypeId::of::<ArgReduce>(), Arc::new(lower_argreduce)),
            (TypeId::of::<Cumulative>(), Arc::new(lower_cumulative)),
            (TypeId::of::<Sort>(), Arc::new(lower_sort)),
            (TypeId::of::<ArgSort>(), Arc::new(lower_argsort)),
            (TypeId::of::<SearchSorted>(), Arc::new(lower_searchsorted)),
            (TypeId::of::<TakeAlong>(), Arc::new(lower_take_along)),
            (TypeId::of::<PutAlong>(), Arc::new(lower_put_along)),
            (TypeId::of::<Concatenate>(), Arc::new(lower_concatenate)),
            (TypeId::of::<Pad>(), Arc::new(lower_pad)),
            (TypeId::of::<Reshape>(), Arc::new(lower_reshape)),
            (TypeId::of::<Take>(), Arc::new(lower_take)),
            (TypeId::of::<NormaliseIndex>(), Arc::new(lower_normalise_index)),
            (TypeId::of::<Scatter>(), Arc::new(lower_scatter)),
            (TypeId::of::<DynamicSlice>(), Arc::new(lower_dynamic_slice)),
            (TypeId::of::<DynamicUpdateSlice>(), Arc::new(lower_dynamic_update_slice)),
            (TypeId::of::<Nonzero>(), Arc::new(lower_nonzero)),
            (TypeId::of::<Convolve>(), Arc::new(lower_convolve)),
            (TypeId::of::<DotGeneral>(), Arc::new(lower_dot)),
            (TypeId::of::<Svd>(), Arc::new(lower_svd)),
            (TypeId::of::<SvdVals>(), Arc::new(lower_svdvals)),
            (TypeId::of::<SvdTrunc>(), Arc::new(lower_svd_trunc)),
            (TypeId::of::<SvdSolve>(), Arc::new(lower_svd_solve)),
            (TypeId::of::<SvdFull>(), Arc::new(lower_svd_full)),
            (TypeId::of::<SvdTies>(), Arc::new(lower_svd_ties)),
            (TypeId::of::<TieCheck>(), Arc::new(lower_tie_check)),
            (TypeId::of::<Eigh>(), Arc::new(lower_eigh)),
            (TypeId::of::<EighVals>(), Arc::new(lower_eigvalsh)),
            (TypeId::of::<Eig>(), Arc::new(lower_eig)),
            (TypeId::of::<EigVals>(), Arc::new(lower_eigvals)),
            (TypeId::of::<Qr>(), Arc::new(lower_qr)),
            (TypeId::of::<Cholesky>(), Arc::new(lower_cholesky)),
            (TypeId::of::<Lu>(), Arc::new(lower_lu)),
            (TypeId::of::<Permute>(), Arc::new(lower_permute)),
            (TypeId::of::<LuSolve>(), Arc::new(lower_lu_solve)),
            (TypeId::of::<Triangular>(), Arc::new(lower_triangular)),
            (TypeId::of::<Det>(), Arc::new(lower_det)),
            (TypeId::of::<SlogDet>(), Arc::new(lower_slogdet)),
            (TypeId::of::<Adjugate>(), Arc::new(lower_adjugate)),
            (TypeId::of::<Expm>(), Arc::new(lower_expm)),
            (TypeId::of::<Pinv>(), Arc::new(lower_last)),
            (TypeId::of::<HermitianFunction>(), Arc::new(lower_last)),
            (TypeId::of::<Polar>(), Arc::new(lower_last)),
            (TypeId::of::<LeastSquares>(), Arc::new(lower_last)),
            (TypeId::of::<Positive>(), Arc::new(lower_positive)),
            (TypeId::of::<Finite>(), Arc::new(lower_finite)),
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
            let op = given::<P>(prim)?;
            let avals: Vec<Aval> = args.iter().map(View::aval).collect();
            Custom::lower(p, choose(op, &avals, outs)?, args, outs)
        };
        self.0.insert(TypeId::of::<P>(), Arc::new(lower));
    }
}
