//! The block loop: load, test, compute, repair, store.

use crate::arith::Arith;
use std::mem::MaybeUninit;

/// Elements per block: the test for rare lanes is made once a block.
const BLOCK: usize = 256;

/// A block is a multiple of this and the last few elements are padded to it, so that only vector code runs.
const GROUP: usize = 16;

/// A function of I reals giving O reals, in double precision.
pub(crate) trait Kernel<const I: usize, const O: usize>: 'static {
    /// Whether `fast` is right at `x`.
    fn ok(x: [f64; I]) -> bool;

    /// The branch-free kernel; may give anything where `ok` fails, but must not panic.
    fn fast<A: Arith>(x: [f64; I]) -> [f64; O];

    /// Whether float64 runs in two loops, `reduce` and `finish`: long dependency chains fill the processor's
    /// schedulers, and two short loops keep more elements in flight (sincos: 2.5 to 2.1 ns an element).
    const STAGED: bool = false;

    /// The first stage: three numbers for `finish`.
    #[inline(always)]
    fn reduce<A: Arith>(_: [f64; I]) -> [f64; 3] {
        [0.0; 3]
    }

    /// The second stage; together they are `fast`.
    #[inline(always)]
    fn finish<A: Arith>(x: [f64; I], _: [f64; 3]) -> [f64; O] {
        Self::fast::<A>(x)
    }

    /// A cheaper kernel, good to 2⁻³⁰ relative, for float32.
    #[inline(always)]
    fn short<A: Arith>(x: [f64; I]) -> [f64; O] {
        Self::fast::<A>(x)
    }

    /// The scalar routine for all other arguments.
    fn slow(x: [f64; I]) -> [f64; O];
}

/// What tables are made of: float64, or float32 computed through float64.
pub(crate) trait Elem: Copy + 'static {
    const ONE: Self;
    /// Whether `fast` is evaluated, not `short`.
    const FULL: bool;
    fn widen(self) -> f64;
    fn narrow(x: f64) -> Self;
    fn eval<A: Arith, K: Kernel<I, O>, const I: usize, const O: usize>(x: [f64; I]) -> [f64; O];
}

impl Elem for f64 {
    const ONE: f64 = 1.0;
    const FULL: bool = true;

    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }

    #[inline(always)]
    fn narrow(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn eval<A: Arith, K: Kernel<I, O>, const I: usize, const O: usize>(x: [f64; I]) -> [f64; O] {
        K::fast::<A>(x)
    }
}

impl Elem for f32 {
    const ONE: f32 = 1.0;
    const FULL: bool = false;

    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn narrow(x: f64) -> f32 {
        x as f32
    }

    #[inline(always)]
    fn eval<A: Arith, K: Kernel<I, O>, const I: usize, const O: usize>(x: [f64; I]) -> [f64; O] {
        K::short::<A>(x)
    }
}

/// Applies `K` to `n` elements.
///
/// # Safety
/// Each `src` is readable and each `dst` writable for `n` elements; a `dst` may equal a `src`, with no other overlap.
#[inline(always)]
pub(crate) unsafe fn run<A: Arith, T: Elem, K: Kernel<I, O>, const I: usize, const O: usize>(
    src: [*const T; I],
    dst: [*mut T; O],
    n: usize,
) {
    let mut held = [[MaybeUninit::<T>::uninit(); BLOCK]; I];
    let mut spill = [[MaybeUninit::<T>::uninit(); GROUP]; O];
    let mut start = 0;
    while start < n {
        let rest = n - start;
        let tail = rest < GROUP;
        let count = if tail { GROUP } else { rest.min(BLOCK) / GROUP * GROUP };
        let mut x = [std::ptr::null::<T>(); I];
        for i in 0..I {
            // A source that is a destination too is copied: LLVM's test for overlap then passes, and `repair` finds
            // the arguments intact.
            let shared = dst.iter().any(|d| d.cast_const() == src[i]);
            // SAFETY: min(count, rest) elements of the source start at `start`.
            x[i] = unsafe { hold(src[i].add(start), &mut held[i], count.min(rest), tail, shared) };
        }
        let mut y = [std::ptr::null_mut::<T>(); O];
        for o in 0..O {
            // SAFETY: `count` elements of the output start at `start`, or the group is a tail.
            y[o] = if tail { spill[o].as_mut_ptr().cast() } else { unsafe { dst[o].add(start) } };
        }
        // SAFETY: `x` and `y` hold `count` elements and do not overlap.
        unsafe {
            each::<A, T, K, I, O>(x, y, count);
            if any_rare::<T, K, I, O>(x, count) {
                repair::<T, K, I, O>(&x, &y, count);
            }
        }
        if tail {
            for o in 0..O {
                // SAFETY: `rest` < GROUP elements of the output are left; `spill` has been filled.
                unsafe { std::ptr::copy_nonoverlapping(y[o], dst[o].add(start), rest) };
            }
        }
        start += count;
    }
}

/// Where to read a block from: the source itself, or `held` with a copy, padded if the block is a tail.
///
/// # Safety
/// `src` is readable for `count` ≤ BLOCK elements.
#[inline(always)]
unsafe fn hold<T: Elem>(src: *const T, held: &mut [MaybeUninit<T>; BLOCK], count: usize, tail: bool, shared: bool) -> *const T {
    if tail {
        for v in held.iter_mut().take(GROUP) {
            v.write(T::ONE);
        }
    } else if !shared {
        return src;
    }
    // SAFETY: the caller's promise; `held` is a local of the caller.
    unsafe { std::ptr::copy_nonoverlapping(src, held.as_mut_ptr().cast(), count) };
    held.as_ptr().cast()
}

/// The vectorised loops.
///
/// # Safety
/// `count` elements behind each pointer; no overlap; `count` is a multiple of GROUP.
#[inline(always)]
unsafe fn each<A: Arith, T: Elem, K: Kernel<I, O>, const I: usize, const O: usize>(x: [*const T; I], y: [*mut T; O], count: usize) {
    // Two elements a turn, from the two halves: as above, for the sake of the schedulers.
    let half = count / GROUP * (GROUP / 2);
    let mut state = [[MaybeUninit::<f64>::uninit(); BLOCK]; 3];
    if T::FULL && K::STAGED {
        for j in 0..half {
            // SAFETY: j + half < count.
            let (s, t) = unsafe { (gather(&x, j), gather(&x, j + half)) };
            let (s, t) = (K::reduce::<A>(s), K::reduce::<A>(t));
            for k in 0..3 {
                state[k][j].write(s[k]);
                state[k][j + half].write(t[k]);
            }
        }
    }
    for j in 0..half {
        // SAFETY: j + half < count, and the loop above has written that much.
        unsafe {
            let (s, t) = (gather(&x, j), gather(&x, j + half));
            let (s, t) = if T::FULL && K::STAGED {
                let load = |j: usize| [state[0][j], state[1][j], state[2][j]].map(|v| v.assume_init());
                (K::finish::<A>(s, load(j)), K::finish::<A>(t, load(j + half)))
            } else {
                (T::eval::<A, K, I, O>(s), T::eval::<A, K, I, O>(t))
            };
            put(&y, j, s);
            put(&y, j + half, t);
        }
    }
}

/// # Safety
/// More than `j` elements behind each pointer.
#[inline(always)]
unsafe fn put<T: Elem, const O: usize>(y: &[*mut T; O], j: usize, out: [f64; O]) {
    for o in 0..O {
        // SAFETY: the caller's promise.
        unsafe { *y[o].add(j) = T::narrow(out[o]) };
    }
}

/// # Safety
/// `count` elements behind each pointer.
#[inline(always)]
unsafe fn any_rare<T: Elem, K: Kernel<I, O>, const I: usize, const O: usize>(x: [*const T; I], count: usize) -> bool {
    let mut rare = 0u64;
    for j in 0..count / GROUP * GROUP {
        // SAFETY: j < count.
        rare |= u64::from(!K::ok(unsafe { gather(&x, j) }));
    }
    rare != 0
}

/// # Safety
/// More than `j` elements behind each pointer.
#[inline(always)]
unsafe fn gather<T: Elem, const I: usize>(x: &[*const T; I], j: usize) -> [f64; I] {
    let mut lane = [0.0; I];
    for i in 0..I {
        // SAFETY: the caller's promise.
        lane[i] = unsafe { *x[i].add(j) }.widen();
    }
    lane
}

/// Recomputes the lanes that `fast` does not cover.
///
/// # Safety
/// `count` elements behind each pointer; no overlap.
#[cold]
#[inline(never)]
unsafe fn repair<T: Elem, K: Kernel<I, O>, const I: usize, const O: usize>(x: &[*const T; I], y: &[*mut T; O], count: usize) {
    for j in 0..count {
        // SAFETY: j < count.
        let lane = unsafe { gather(x, j) };
        if !K::ok(lane) {
            // SAFETY: j < count.
            unsafe { put(y, j, K::slow(lane)) };
        }
    }
}

/// Kernels by their four expressions; `short` may be left out.  `fast` sees the arithmetic under the name in angle brackets.
macro_rules! kernels {
    ($($name:ident<$A:ident> $x:tt $i:literal -> $o:literal {
        ok: $ok:expr, fast: $fast:expr, $(short: $short:expr,)? slow: $slow:expr $(,)?
    })+) => {$(
        pub(crate) struct $name;

        impl $crate::block::Kernel<$i, $o> for $name {
            #[inline(always)]
            #[allow(unused_variables)]
            fn ok($x: [f64; $i]) -> bool {
                $ok
            }

            #[inline(always)]
            fn fast<$A: $crate::arith::Arith>($x: [f64; $i]) -> [f64; $o] {
                $fast
            }

            $(#[inline(always)]
            fn short<$A: $crate::arith::Arith>($x: [f64; $i]) -> [f64; $o] {
                $short
            })?

            fn slow($x: [f64; $i]) -> [f64; $o] {
                $slow
            }
        }
    )+};
}

pub(crate) use kernels;
