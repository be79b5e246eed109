//! Moving blocks between strided memory and registers.

use tenferro_graph::{Complex32, Complex64, DType};

use super::IMAG;

/// A position in the iteration space, advanced run by run.
#[derive(Clone)]
pub(crate) struct Odometer {
    index: [usize; 32],
}

/// Calls `f(offset, first, length)` for each run along the innermost axis within
/// elements `start .. start + n` of the iteration space: `offset` in elements of the
/// operand, `first` counted from `start`.
#[inline]
pub(crate) fn runs(dims: &[usize], strides: &[isize], start: usize, n: usize, mut f: impl FnMut(isize, usize, usize)) {
    let rank = dims.len();
    if rank == 0 {
        f(0, 0, n);
        return;
    }
    let mut o = Odometer { index: [0; 32] };
    let mut rest = start;
    let mut offset = 0_isize;
    for axis in (0..rank).rev() {
        o.index[axis] = rest % dims[axis];
        rest /= dims[axis];
        offset += o.index[axis] as isize * strides[axis];
    }
    let inner = rank - 1;
    let mut done = 0;
    while done < n {
        let length = (dims[inner] - o.index[inner]).min(n - done);
        f(offset, done, length);
        done += length;
        offset += length as isize * strides[inner];
        o.index[inner] += length;
        let mut axis = inner;
        while axis > 0 && o.index[axis] == dims[axis] {
            offset -= strides[axis] * dims[axis] as isize;
            o.index[axis] = 0;
            axis -= 1;
            o.index[axis] += 1;
            offset += strides[axis];
        }
    }
}

/// # Safety
/// `src` is valid at every offset of the iteration space; `reg` is a register.
#[inline(always)]
unsafe fn load_real<T: Copy>(reg: *mut u8, src: *const u8, dims: &[usize], strides: &[isize], start: usize, n: usize) {
    let (reg, src) = (reg.cast::<T>(), src.cast::<T>());
    let step = strides.last().copied().unwrap_or(0);
    runs(dims, strides, start, n, |offset, first, length| {
        // SAFETY: offsets are in the iteration space; first + length ≤ n.
        unsafe {
            let (to, from) = (reg.add(first), src.offset(offset));
            if step == 1 {
                std::ptr::copy_nonoverlapping(from, to, length);
            } else {
                for i in 0..length {
                    to.add(i).write(from.offset(i as isize * step).read());
                }
            }
        }
    });
}

/// # Safety
/// As for [`load_real`].
#[inline(always)]
unsafe fn load_complex<C: Copy, T: Copy>(
    reg: *mut u8,
    src: *const u8,
    dims: &[usize],
    strides: &[isize],
    start: usize,
    n: usize,
    parts: impl Fn(C) -> (T, T),
) {
    let (re, im, src) = (reg.cast::<T>(), reg.wrapping_add(IMAG).cast::<T>(), src.cast::<C>());
    let step = strides.last().copied().unwrap_or(0);
    runs(dims, strides, start, n, |offset, first, length| {
        for i in 0..length {
            // SAFETY: as for `load_real`.
            unsafe {
                let (x, y) = parts(src.offset(offset + i as isize * step).read());
                re.add(first + i).write(x);
                im.add(first + i).write(y);
            }
        }
    });
}

/// Fills a register with elements `start .. start + n` of an operand.
///
/// # Safety
/// As for [`load_real`].
pub(crate) unsafe fn load(dtype: DType, reg: *mut u8, src: *const u8, dims: &[usize], strides: &[isize], start: usize, n: usize) {
    // SAFETY: passed on.
    unsafe {
        match dtype {
            DType::Bool | DType::I8 | DType::U8 => load_real::<u8>(reg, src, dims, strides, start, n),
            DType::I16 | DType::U16 => load_real::<u16>(reg, src, dims, strides, start, n),
            DType::F32 | DType::I32 | DType::U32 => load_real::<u32>(reg, src, dims, strides, start, n),
            DType::F64 | DType::I64 | DType::U64 => load_real::<u64>(reg, src, dims, strides, start, n),
            DType::C64 => load_complex::<Complex32, f32>(reg, src, dims, strides, start, n, |z| (z.re, z.im)),
            DType::C128 => load_complex::<Complex64, f64>(reg, src, dims, strides, start, n, |z| (z.re, z.im)),
        }
    }
}

/// # Safety
/// `dst` is valid at every offset of the iteration space; `reg` is a register.
#[inline(always)]
unsafe fn store_real<T: Copy>(reg: *const u8, dst: *mut u8, dims: &[usize], strides: &[isize], start: usize, n: usize) {
    let (reg, dst) = (reg.cast::<T>(), dst.cast::<T>());
    let step = strides.last().copied().unwrap_or(0);
    runs(dims, strides, start, n, |offset, first, length| {
        // SAFETY: as for `load_real`.
        unsafe {
            let (from, to) = (reg.add(first), dst.offset(offset));
            if step == 1 {
                std::ptr::copy_nonoverlapping(from, to, length);
            } else {
                for i in 0..length {
                    to.offset(i as isize * step).write(from.add(i).read());
                }
            }
        }
    });
}

/// # Safety
/// As for [`store_real`].
#[inline(always)]
unsafe fn store_complex<C, T: Copy>(
    reg: *const u8,
    dst: *mut u8,
    dims: &[usize],
    strides: &[isize],
    start: usize,
    n: usize,
    join: impl Fn(T, T) -> C,
) {
    let (re, im, dst) = (reg.cast::<T>(), reg.wrapping_add(IMAG).cast::<T>(), dst.cast::<C>());
    let step = strides.last().copied().unwrap_or(0);
    runs(dims, strides, start, n, |offset, first, length| {
        for i in 0..length {
            // SAFETY: as for `load_real`.
            unsafe {
                let z = join(re.add(first + i).read(), im.add(first + i).read());
                dst.offset(offset + i as isize * step).write(z);
            }
        }
    });
}

/// Writes a register to elements `start .. start + n` of an operand.
///
/// # Safety
/// As for [`store_real`].
pub(crate) unsafe fn store(dtype: DType, reg: *const u8, dst: *mut u8, dims: &[usize], strides: &[isize], start: usize, n: usize) {
    // SAFETY: passed on.
    unsafe {
        match dtype {
            DType::Bool | DType::I8 | DType::U8 => store_real::<u8>(reg, dst, dims, strides, start, n),
            DType::I16 | DType::U16 => store_real::<u16>(reg, dst, dims, strides, start, n),
            DType::F32 | DType::I32 | DType::U32 => store_real::<u32>(reg, dst, dims, strides, start, n),
            DType::F64 | DType::I64 | DType::U64 => store_real::<u64>(reg, dst, dims, strides, start, n),
            DType::C64 => store_complex::<Complex32, f32>(reg, dst, dims, strides, start, n, Complex32::new),
            DType::C128 => store_complex::<Complex64, f64>(reg, dst, dims, strides, start, n, Complex64::new),
        }
    }
}
