//! Functions of `tenferro_vmath` as kernels.

use tenferro_vmath::{CMap, CZip, Map, Map2, Zip};

use super::IMAG;

/// A function in one of vmath's signatures, chosen when planned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function<T> {
    Map(Map<T>),
    Zip(Zip<T>),
    /// A function with an integer parameter.
    Indexed(unsafe fn(usize, *const T, *mut T, usize), usize),
    /// The first result goes to the destination, the other to the second argument.
    Both(Map2<T>),
    /// The other way round.
    Swapped(Map2<T>),
    Complex(CMap<T>),
    /// A real function of the parts of a complex number.
    Parts(Zip<T>),
    Complex2(CZip<T>),
}

impl<T> Function<T> {
    /// # Safety
    /// Registers hold `n` elements of the function's types; with two results, `b` is a
    /// register of this instruction's own.
    #[inline]
    pub unsafe fn call(self, d: *mut u8, a: *const u8, b: *const u8, n: usize) {
        let im = |p: *const u8| p.wrapping_add(IMAG).cast::<T>();
        let (re, dim) = (d.cast::<T>(), d.wrapping_add(IMAG).cast::<T>());
        // SAFETY: passed on; the halves of a complex register are its parts.
        unsafe {
            match self {
                Self::Map(f) => f(a.cast(), re, n),
                Self::Zip(f) => f(a.cast(), b.cast(), re, n),
                Self::Indexed(f, k) => f(k, a.cast(), re, n),
                Self::Both(f) => f(a.cast(), re, b.cast_mut().cast(), n),
                Self::Swapped(f) => f(a.cast(), b.cast_mut().cast(), re, n),
                Self::Complex(f) => f(a.cast(), im(a), re, dim, n),
                Self::Parts(f) => f(a.cast(), im(a), re, n),
                Self::Complex2(f) => f(a.cast(), im(a), b.cast(), im(b), re, dim, n),
            }
        }
    }
}
