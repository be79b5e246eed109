//! Matrix routines over leading axes: what is planned.

use tenferro_dense::Scalar;
use tenferro_graph::tensor::{Strides, c_strides};
use tenferro_graph::{Aval, DType, Error, Result};

use super::SHARED;
use super::leading::Leading;
use super::matrices::{Batched, Routine};
use crate::step::{Planning, View, sizes};

/// Matrices that are worked on at the same time at most, and the scratch that they may take together.
const LANES: usize = 16;
const SCRATCH: usize = 256 << 20;

/// Column-major in the last two axes: how factorizations write left vectors fastest.
fn column_major(shape: &[usize]) -> Strides {
    let mut strides = c_strides(shape);
    if let [.., rows, cols] = strides.as_mut_slice() {
        (*rows, *cols) = (1, shape[shape.len() - 2].max(1) as isize);
    }
    strides
}

/// How much longer than in float64 a dtype takes.
fn by(dtype: DType) -> f64 {
    match dtype {
        DType::F32 => 0.6,
        DType::F64 => 1.0,
        DType::C64 => 2.0,
        _ => 3.5,
    }
}

/// Matrices that may be worked on at the same time: not so many that scratch grows beyond reason.
fn lanes(count: usize, cost: f64, bytes: usize) -> usize {
    if cost < SHARED {
        return 1;
    }
    let room = SCRATCH / bytes.max(1);
    count.min(LANES).min(room).max(1)
}

/// Rows and columns of the first operand of an op.
pub(super) fn dims(op: &str, args: &[View]) -> Result<(usize, usize)> {
    match args.first().map(|a| a.shape.as_slice()) {
        Some([.., m, n]) => Ok((*m, *n)),
        _ => Err(Error::program(format!("{op}: the input is no matrix"))),
    }
}

/// The view itself, or a copy whose last axis is contiguous: it is read as a slice.
pub(super) fn as_vector(p: &mut dyn Planning, v: &View) -> Result<View> {
    let contiguous = v.strides.last().is_some_and(|s| *s == 1);
    if contiguous { Ok(v.clone()) } else { p.packed(v) }
}

/// A result: column-major if it holds left vectors, else in C order.
pub(super) fn result(p: &mut dyn Planning, aval: &Aval, left: bool) -> Result<View> {
    let shape = sizes(aval)?;
    let strides = if left { column_major(&shape) } else { c_strides(&shape) };
    Ok(p.temporary(aval.dtype, &shape, &strides))
}

/// Bytes that a function of the dtype's element type asks for.
macro_rules! bytes_of {
    ($dtype:expr, $T:ident => $e:expr) => {
        match $dtype {
            tenferro_graph::DType::F32 => {
                type $T = f32;
                $e
            }
            tenferro_graph::DType::F64 => {
                type $T = f64;
                $e
            }
            tenferro_graph::DType::C64 => {
                type $T = tenferro_graph::Complex32;
                $e
            }
            _ => {
                type $T = tenferro_graph::Complex64;
                $e
            }
        }
    };
}
pub(super) use bytes_of;

/// What a routine needs besides its operands.
pub(super) struct Needs {
    pub scratch: usize,
    /// Of one float64 matrix on one thread.
    pub nanoseconds: f64,
    /// Axes of the first operand that belong to one matrix.
    pub core: usize,
}

/// Plans a routine over `operands`: inputs, then outputs, with the same leading axes.
pub(super) fn plan<R: Routine>(p: &mut dyn Planning, routine: R, operands: Vec<View>, needs: &Needs) -> Result<()> {
    let first = &operands[0];
    let r = first.rank().checked_sub(needs.core);
    let r = r.ok_or_else(|| Error::program(format!("{}: the input is no matrix", routine.name())))?;
    let leading = Leading::new(&first.shape[..r], &operands.iter().collect::<Vec<_>>());
    if leading.count() == 0 {
        return Ok(());
    }
    let one = needs.scratch.saturating_add(63) / 64 * 64;
    if one > isize::MAX as usize / LANES / 4 {
        return Err(Error::value(routine.name(), format!("matrices of shape {:?} are too large for the address space", &first.shape[r..])));
    }
    let dtype = first.dtype;
    let cost = leading.count() as f64 * (1_000.0 + by(dtype) * needs.nanoseconds);
    let lanes = lanes(leading.count(), cost, one);
    let scratch = p.scratch(one * lanes);
    p.push(Box::new(Batched { routine, dtype, operands, leading, scratch, scratch_bytes: one, lanes, cost }));
    Ok(())
}

/// An array of `len` elements from the front of scratch memory, and the rest.
pub(super) fn carve<T: Copy>(scratch: &mut [u8], len: usize) -> (&mut [T], &mut [u8]) {
    let skip = scratch.as_ptr().align_offset(64);
    let (head, rest) = scratch[skip..].split_at_mut(len * size_of::<T>());
    // SAFETY: head is aligned to 64, long enough and initialised; T is a number, of which every
    // bit pattern is one.
    (unsafe { std::slice::from_raw_parts_mut(head.as_mut_ptr().cast(), len) }, rest)
}

/// Bytes that [`carve`] takes for arrays of these sizes.
pub(super) fn carved(parts: &[usize]) -> usize {
    parts.iter().fold(0, |sum: usize, n| sum.saturating_add(*n).saturating_add(64))
}

/// Bytes of `len` elements, saturating.
pub(super) fn elements<T: Scalar>(len: usize) -> usize {
    len.saturating_mul(size_of::<T>())
}
