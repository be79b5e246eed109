//! What an instruction calls, and compiling one source for every instruction-set level.

use super::function::Function;

/// Destination, up to three arguments, element count ≤ [`super::BLOCK`].
pub(crate) type Plain = unsafe fn(*mut u8, *const u8, *const u8, *const u8, usize);

/// Chosen for one level when planned, so that nothing is looked up in a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    Plain(Plain),
    F64(Function<f64>),
    F32(Function<f32>),
}

impl Kernel {
    /// # Safety
    /// The pointers hold `n` elements of the kernel's types.
    #[inline]
    pub unsafe fn call(self, d: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize) {
        // SAFETY: passed on.
        unsafe {
            match self {
                Self::Plain(f) => f(d, a, b, c, n),
                Self::F64(f) => f.call(d, a, b, n),
                Self::F32(f) => f.call(d, a, b, n),
            }
        }
    }
}

/// Defines `fn $name(level)` that returns a function: the baseline, AVX2 + FMA or AVX-512
/// version of one body.
macro_rules! leveled_fn {
    ($vis:vis $name:ident [$($g:ident),*] where [$($bounds:tt)*], ($($x:ident: $t:ty),*) $body:expr) => {
        $vis fn $name<$($g),*>(level: tenferro_vmath::Level) -> unsafe fn($($t),*) where $($bounds)* {
            #[inline(always)]
            unsafe fn body<$($g),*>($($x: $t),*) where $($bounds)* {
                // SAFETY: the caller's pointers hold what the body reads and writes.
                unsafe { $body }
            }
            unsafe fn baseline<$($g),*>($($x: $t),*) where $($bounds)* {
                // SAFETY: as for `body`.
                unsafe { body::<$($g),*>($($x),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2<$($g),*>($($x: $t),*) where $($bounds)* {
                // SAFETY: as for `body`.
                unsafe { body::<$($g),*>($($x),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
            unsafe fn avx512<$($g),*>($($x: $t),*) where $($bounds)* {
                // SAFETY: as for `body`.
                unsafe { body::<$($g),*>($($x),*) }
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                tenferro_vmath::Level::Avx2 => avx2::<$($g),*>,
                #[cfg(target_arch = "x86_64")]
                tenferro_vmath::Level::Avx512 => avx512::<$($g),*>,
                _ => baseline::<$($g),*>,
            }
        }
    };
}
pub(crate) use leveled_fn;

/// Defines `fn $name(level) -> Kernel` from one body, as [`leveled_fn`].
macro_rules! leveled {
    ($name:ident, |$d:ident, $a:ident, $b:ident, $c:ident, $n:ident| $body:expr) => {
        $crate::block::kernel::leveled_for!($name [] where [], |$d, $a, $b, $c, $n| $body);
    };
}
pub(crate) use leveled;

/// [`leveled`] of a body that is generic over types.
macro_rules! leveled_for {
    ($name:ident [$($g:ident),*] where [$($bounds:tt)*], |$d:ident, $a:ident, $b:ident, $c:ident, $n:ident| $body:expr) => {
        pub(crate) fn $name<$($g),*>(level: tenferro_vmath::Level) -> $crate::block::Kernel where $($bounds)* {
            $crate::block::kernel::leveled_fn!(chosen [$($g),*] where [$($bounds)*],
                ($d: *mut u8, $a: *const u8, $b: *const u8, $c: *const u8, $n: usize) {
                    let _ = ($a, $b, $c, $n);
                    $body
                });
            $crate::block::Kernel::Plain(chosen::<$($g),*>(level))
        }
    };
}
pub(crate) use leveled_for;

/// dst[i] = f(a[i]).
///
/// # Safety
/// Both hold `n` elements; they are equal or do not overlap.
#[inline(always)]
pub(crate) unsafe fn map<T: Copy, R>(d: *mut u8, a: *const u8, n: usize, f: impl Fn(T) -> R) {
    let (d, a) = (d.cast::<R>(), a.cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { d.add(i).write(f(a.add(i).read())) };
    }
}

/// dst[i] = f(a[i], b[i]).
///
/// # Safety
/// As for [`map`].
#[inline(always)]
pub(crate) unsafe fn zip<T: Copy, R>(d: *mut u8, a: *const u8, b: *const u8, n: usize, f: impl Fn(T, T) -> R) {
    let (d, a, b) = (d.cast::<R>(), a.cast::<T>(), b.cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { d.add(i).write(f(a.add(i).read(), b.add(i).read())) };
    }
}

/// dst[i] = f(a[i], b[i], c[i]).
///
/// # Safety
/// As for [`map`].
#[inline(always)]
pub(crate) unsafe fn zip3<T: Copy>(d: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize, f: impl Fn(T, T, T) -> T) {
    let (d, a, b, c) = (d.cast::<T>(), a.cast::<T>(), b.cast::<T>(), c.cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { d.add(i).write(f(a.add(i).read(), b.add(i).read(), c.add(i).read())) };
    }
}

/// (re, im)[i] = f((re, im)[i]).
///
/// # Safety
/// As for [`map`], on both halves of the registers.
#[inline(always)]
pub(crate) unsafe fn cmap<T: Copy>(d: *mut u8, a: *const u8, n: usize, f: impl Fn(T, T) -> (T, T)) {
    let (dr, di) = (d.cast::<T>(), d.wrapping_add(super::IMAG).cast::<T>());
    let (ar, ai) = (a.cast::<T>(), a.wrapping_add(super::IMAG).cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe {
            let (re, im) = f(ar.add(i).read(), ai.add(i).read());
            dr.add(i).write(re);
            di.add(i).write(im);
        }
    }
}

/// (re, im)[i] = f(a, b).
///
/// # Safety
/// As for [`cmap`].
#[inline(always)]
pub(crate) unsafe fn czip<T: Copy>(d: *mut u8, a: *const u8, b: *const u8, n: usize, f: impl Fn((T, T), (T, T)) -> (T, T)) {
    let (dr, di) = (d.cast::<T>(), d.wrapping_add(super::IMAG).cast::<T>());
    let (ar, ai) = (a.cast::<T>(), a.wrapping_add(super::IMAG).cast::<T>());
    let (br, bi) = (b.cast::<T>(), b.wrapping_add(super::IMAG).cast::<T>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe {
            let (re, im) = f((ar.add(i).read(), ai.add(i).read()), (br.add(i).read(), bi.add(i).read()));
            dr.add(i).write(re);
            di.add(i).write(im);
        }
    }
}
