//! Cutting the caller's scratch memory into arrays.

use std::mem::MaybeUninit;

use crate::error::DenseError;
use crate::scalar::Scalar;

/// Arrays start on cache lines, so that vector loads do not cross them.
const ALIGN: usize = 64;

/// Bytes that [`Scratch::take`] uses for `rows × cols` elements.
pub(crate) fn bytes<T>(rows: usize, cols: usize) -> usize {
    rows.saturating_mul(cols).saturating_mul(size_of::<T>()).checked_next_multiple_of(ALIGN).unwrap_or(usize::MAX)
}

/// Bytes for several arrays and the alignment of the first.
pub(crate) fn total(parts: &[usize]) -> usize {
    parts.iter().fold(ALIGN, |sum, part| sum.saturating_add(*part))
}

/// Scratch memory not yet handed out. Public in name only: the module is private.
pub struct Scratch<'a> {
    rest: &'a mut [u8],
}

impl<'a> Scratch<'a> {
    /// All of `memory`, of which `needed` bytes must be there.
    pub(crate) fn new(memory: &'a mut [u8], needed: usize) -> Result<Self, DenseError> {
        if needed >= isize::MAX as usize {
            return Err(DenseError::TooLarge);
        }
        let got = memory.len();
        if got < needed {
            return Err(DenseError::Scratch { needed, got });
        }
        let skip = memory.as_ptr().align_offset(ALIGN).min(got);
        Ok(Self { rest: &mut memory[skip..] })
    }

    /// An array of `rows × cols` elements of arbitrary value.
    pub(crate) fn take<T: Scalar>(&mut self, rows: usize, cols: usize) -> Result<&'a mut [T], DenseError> {
        let need = bytes::<T>(rows, cols);
        if need > self.rest.len() {
            return Err(DenseError::Scratch { needed: need, got: self.rest.len() });
        }
        let (head, rest) = std::mem::take(&mut self.rest).split_at_mut(need);
        self.rest = rest;
        // SAFETY: head holds rows · cols · size_of::<T>() initialised bytes, starts at a multiple
        // of 64 because every part before it has a multiple of 64 bytes, and any bit pattern is a
        // float or a pair of floats.
        Ok(unsafe { std::slice::from_raw_parts_mut(head.as_mut_ptr().cast::<T>(), rows * cols) })
    }

    /// `len` row numbers of arbitrary value.
    #[expect(clippy::cast_ptr_alignment, reason = "parts are aligned to 64")]
    pub(crate) fn take_indices(&mut self, len: usize) -> Result<&'a mut [usize], DenseError> {
        let need = bytes::<usize>(len, 1);
        if need > self.rest.len() {
            return Err(DenseError::Scratch { needed: need, got: self.rest.len() });
        }
        let (head, rest) = std::mem::take(&mut self.rest).split_at_mut(need);
        self.rest = rest;
        // SAFETY: as in `take`; any bit pattern is a usize.
        Ok(unsafe { std::slice::from_raw_parts_mut(head.as_mut_ptr().cast::<usize>(), len) })
    }

    /// All that is left.
    pub(crate) fn take_bytes(&mut self) -> &'a mut [u8] {
        std::mem::take(&mut self.rest)
    }

    /// What is left, for a callee that cuts it itself; comes back when the result is dropped.
    pub(crate) fn lend(&mut self) -> Scratch<'_> {
        Scratch { rest: self.rest }
    }

    /// What is left, as faer wants it.
    pub(crate) fn as_uninit(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: only faer sees this; like every allocator client it writes whole values of its
        // own types and never leaves the memory uninitialised, since it has no way to do so.
        unsafe { &mut *(std::ptr::from_mut::<[u8]>(self.rest) as *mut [MaybeUninit<u8>]) }
    }
}
