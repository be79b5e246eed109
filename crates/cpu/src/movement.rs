//! Ops that copy into parts of their output: concatenate and pad.

use tenferro_graph::tensor::c_strides;
use tenferro_graph::{Aval, Prim, Result, SmallVec, Val};
use tenferro_ops::{Concatenate, Pad};

use crate::block;
use crate::block::Space;
use crate::group::{GroupOp, Kind, build};
use crate::layout::{c_order, order_of};
use crate::permute::Permute;
use crate::runs::Runs;
use crate::step::{Planning, View, given, sizes};

/// Copies one view onto another of the same shape.
pub(crate) fn copy(p: &mut dyn Planning, from: &View, to: &View) -> Result<()> {
    if from.size() == 0 {
        return Ok(());
    }
    if let Some(step) = Permute::new(from, to) {
        p.push(Box::new(step));
        return Ok(());
    }
    if let Some(step) = Runs::new(from, to) {
        p.push(Box::new(step));
        return Ok(());
    }
    let (x, y) = (Val::from_index(0), Val::from_index(1));
    let (kernel, pairs) = (block::copy(from.dtype, p.level()), block::copy_of_pairs(from.dtype, p.level()));
    let ops = [GroupOp { out: y, dtype: from.dtype, args: SmallVec::from_slice(&[x]), kernel, kind: Kind::Other, second: None, pairs }];
    // Walking the destination in its order keeps writes contiguous.
    let order = order_of(to).unwrap_or_else(|| c_order(&to.shape));
    let step = build(&to.shape, &order, &[(x, from.clone())], &ops, &[(y, to.clone())], (Space::FLAT, &[]), p.level())?;
    p.push(Box::new(step));
    Ok(())
}

pub(crate) fn lower_concatenate(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let c = given::<Concatenate>(prim)?;
    let shape = sizes(&outs[0])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    let mut at = 0_isize;
    for x in args {
        let part = View { place: out.shifted(at * out.strides[c.axis]), shape: x.shape.clone(), ..out.clone() };
        copy(p, x, &part)?;
        at += x.shape[c.axis] as isize;
    }
    Ok(vec![out])
}

pub(crate) fn lower_pad(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let pad = given::<Pad>(prim)?;
    let shape = sizes(&outs[0])?;
    let out = p.temporary(outs[0].dtype, &shape, &c_strides(&shape));
    let fill = View { shape: shape.clone(), strides: shape.iter().map(|_| 0).collect(), ..args[1].clone() };
    copy(p, &fill, &out)?;
    if args[0].size() > 0 {
        let shift: isize = pad.low.iter().zip(&out.strides).map(|(l, s)| *l as isize * s).sum();
        let strides = pad.interior.iter().zip(&out.strides).map(|(i, s)| (*i as isize + 1) * s).collect();
        let inner = View { place: out.shifted(shift), shape: args[0].shape.clone(), strides, dtype: out.dtype };
        copy(p, &args[0], &inner)?;
    }
    Ok(vec![out])
}

/// A reshape that no strides express: a copy in C order under the new shape.
pub(crate) fn lower_reshape(p: &mut dyn Planning, _: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let shape = sizes(&outs[0])?;
    let packed = p.packed(&args[0])?;
    Ok(vec![View { strides: c_strides(&shape), shape, ..packed }])
}
