//! Moving blocks between strided memory and registers.

use tenferro_graph::DType;
use tenferro_vmath::Level;

use super::arithmetic::of;
use super::kernel::leveled_for;
use super::{IMAG, Kernel, Load, Store};

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

// Complex numbers a become a register's halves.
leveled_for!(split [T] where [T: Copy], |d, a, b, c, n| {
    let (re, im, from) = (d.cast::<T>(), d.wrapping_add(IMAG).cast::<T>(), a.cast::<[T; 2]>());
    for i in 0..n {
        let z = from.add(i).read();
        re.add(i).write(z[0]);
        im.add(i).write(z[1]);
    }
});
// A register's halves become complex numbers d.
leveled_for!(merge [T] where [T: Copy], |d, a, b, c, n| {
    let (re, im, to) = (a.cast::<T>(), a.wrapping_add(IMAG).cast::<T>(), d.cast::<[T; 2]>());
    for i in 0..n {
        to.add(i).write([re.add(i).read(), im.add(i).read()]);
    }
});

/// What fills a register from neighbours in memory.
pub(crate) fn reading(dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::C64 => split::<f32>(level),
        DType::C128 => split::<f64>(level),
        _ => moving(dtype, level),
    }
}

/// What writes a register to neighbours in memory.
pub(crate) fn writing(dtype: DType, level: Level) -> Kernel {
    match dtype {
        DType::C64 => merge::<f32>(level),
        DType::C128 => merge::<f64>(level),
        _ => moving(dtype, level),
    }
}

fn moving(dtype: DType, level: Level) -> Kernel {
    match dtype.size() {
        1 => of::copy::<u8>(level),
        2 => of::copy::<u16>(level),
        4 => of::copy::<u32>(level),
        _ => of::copy::<u64>(level),
    }
}

/// Elements that are `step` apart into a register.
///
/// # Safety
/// `src` holds `n` elements so far apart, `reg` takes as many.
#[inline(always)]
unsafe fn gather<T: Copy>(reg: *mut u8, src: *const u8, step: isize, n: usize) {
    let (to, from) = (reg.cast::<T>(), src.cast::<T>());
    for i in 0..n {
        // SAFETY: as above.
        unsafe { to.add(i).write(from.offset(i as isize * step).read()) };
    }
}

/// A register to elements that are `step` apart.
///
/// # Safety
/// As for [`gather`], the other way round.
#[inline(always)]
unsafe fn scatter<T: Copy>(reg: *const u8, dst: *mut u8, step: isize, n: usize) {
    let (from, to) = (reg.cast::<T>(), dst.cast::<T>());
    for i in 0..n {
        // SAFETY: as above.
        unsafe { to.offset(i as isize * step).write(from.add(i).read()) };
    }
}

/// Fills a register with elements `start .. start + n` of an operand.
///
/// # Safety
/// `src` is valid at every offset of the iteration space; `reg` is a register.
pub(crate) unsafe fn load(l: &Load, reg: *mut u8, src: *const u8, dims: &[usize], start: usize, n: usize) {
    let (step, size, part) = (l.strides.last().copied().unwrap_or(0), l.dtype.size(), l.dtype.real().size());
    runs(dims, &l.strides, start, n, |offset, first, length| {
        let (to, from) = (reg.wrapping_add(first * part), src.wrapping_offset(offset * size as isize));
        // SAFETY: offsets are in the iteration space; first + length ≤ n.
        unsafe {
            match (step, l.dtype) {
                (1, _) => l.kernel.call(to, from, from, from, length),
                (_, DType::C64 | DType::C128) => gather_complex(to, from, step, length, part),
                _ => match size {
                    1 => gather::<u8>(to, from, step, length),
                    2 => gather::<u16>(to, from, step, length),
                    4 => gather::<u32>(to, from, step, length),
                    _ => gather::<u64>(to, from, step, length),
                },
            }
        }
    });
}

/// # Safety
/// As for [`gather`], on both halves of the register.
unsafe fn gather_complex(reg: *mut u8, src: *const u8, step: isize, n: usize, part: usize) {
    let (im, second) = (reg.wrapping_add(IMAG), src.wrapping_add(part));
    // SAFETY: as above; parts are twice as far apart as numbers.
    unsafe {
        if part == 4 {
            gather::<u32>(reg, src, 2 * step, n);
            gather::<u32>(im, second, 2 * step, n);
        } else {
            gather::<u64>(reg, src, 2 * step, n);
            gather::<u64>(im, second, 2 * step, n);
        }
    }
}

/// Fills a register with `n` copies of one element.
///
/// # Safety
/// `src` holds an element; `reg` is a register.
pub(crate) unsafe fn splat(dtype: DType, reg: *mut u8, src: *const u8, n: usize) {
    // SAFETY: as above.
    unsafe {
        match dtype {
            DType::C64 | DType::C128 => gather_complex(reg, src, 0, n, dtype.real().size()),
            _ => match dtype.size() {
                1 => gather::<u8>(reg, src, 0, n),
                2 => gather::<u16>(reg, src, 0, n),
                4 => gather::<u32>(reg, src, 0, n),
                _ => gather::<u64>(reg, src, 0, n),
            },
        }
    }
}

/// Writes a register to elements `start .. start + n` of an operand.
///
/// # Safety
/// `dst` is valid at every offset of the iteration space; `reg` is a register.
pub(crate) unsafe fn store(s: &Store, reg: *const u8, dst: *mut u8, dims: &[usize], start: usize, n: usize) {
    let (step, size, part) = (s.strides.last().copied().unwrap_or(0), s.dtype.size(), s.dtype.real().size());
    runs(dims, &s.strides, start, n, |offset, first, length| {
        let (from, to) = (reg.wrapping_add(first * part), dst.wrapping_offset(offset * size as isize));
        // SAFETY: as for `load`.
        unsafe {
            match (step, s.dtype) {
                (1, _) => s.kernel.call(to, from, from, from, length),
                (_, DType::C64) => {
                    scatter::<u32>(from, to, 2 * step, length);
                    scatter::<u32>(from.wrapping_add(IMAG), to.wrapping_add(part), 2 * step, length);
                }
                (_, DType::C128) => {
                    scatter::<u64>(from, to, 2 * step, length);
                    scatter::<u64>(from.wrapping_add(IMAG), to.wrapping_add(part), 2 * step, length);
                }
                _ => match size {
                    1 => scatter::<u8>(from, to, step, length),
                    2 => scatter::<u16>(from, to, step, length),
                    4 => scatter::<u32>(from, to, step, length),
                    _ => scatter::<u64>(from, to, step, length),
                },
            }
        }
    });
}
