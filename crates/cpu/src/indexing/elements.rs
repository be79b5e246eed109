//! Elements in memory, and what updates do to them.

use tenferro_graph::{Complex32, Complex64, Element, Interrupt, Result, SmallVec};

use crate::memory::Memory;
use crate::step::View;

/// An address that threads may hold; they write to different elements.
#[derive(Clone, Copy)]
pub(super) struct Shared(pub *mut u8);

impl Shared {
    pub fn at(self, bytes: usize) -> *mut u8 {
        self.0.wrapping_add(bytes)
    }
}

// SAFETY: whoever writes through it says which elements are its own.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// The elements of a view in C order.
///
/// # Safety
/// The view is dense, holds `T`, and nobody writes to it meanwhile.
pub(super) unsafe fn slice<'a, T: Element>(memory: &'a Memory, v: &View) -> &'a [T] {
    debug_assert!(v.is_c_dense() && v.dtype == T::DTYPE);
    if v.size() == 0 {
        return &[];
    }
    // SAFETY: the planned place holds the view; see above.
    unsafe { std::slice::from_raw_parts(memory.at(v.place).cast(), v.size()) }
}

/// The runs of elements that two views of one shape have in common: their length and the
/// axes outside, with both strides.
pub(super) struct Runs {
    pub length: usize,
    outer: SmallVec<[(usize, isize, isize); 6]>,
}

impl Runs {
    /// `None` for no elements.
    pub fn new(shape: &[usize], from: &[isize], to: &[isize]) -> Option<Self> {
        if shape.contains(&0) {
            return None;
        }
        let axes = shape.iter().zip(from.iter().zip(to)).filter(|(n, _)| **n > 1);
        let mut outer: SmallVec<[(usize, isize, isize); 6]> = axes.map(|(n, (a, b))| (*n, *a, *b)).collect();
        let mut length = 1;
        while let Some((n, a, b)) = outer.last().copied().filter(|(_, a, b)| *a == length as isize && a == b) {
            debug_assert_eq!(a, b);
            length *= n;
            outer.pop();
        }
        Some(Self { length, outer })
    }

    /// Calls `f` with both offsets of each run, in elements.
    pub fn each(&self, mut f: impl FnMut(isize, isize)) {
        let mut index: SmallVec<[usize; 6]> = self.outer.iter().map(|_| 0).collect();
        let (mut a, mut b) = (0, 0);
        loop {
            f(a, b);
            let mut axis = self.outer.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                let (n, from, to) = self.outer[axis];
                index[axis] += 1;
                (a, b) = (a + from, b + to);
                if index[axis] < n {
                    break;
                }
                (a, b) = (a - from * n as isize, b - to * n as isize);
                index[axis] = 0;
            }
        }
    }
}

/// How one element meets another. Integers wrap; the larger and smaller of NaN is NaN.
pub(super) trait Combine: Element {
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($t:ty),*) => {$(impl Combine for $t {
        fn add(self, other: Self) -> Self { self.wrapping_add(other) }
        fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
        fn max(self, other: Self) -> Self { Ord::max(self, other) }
        fn min(self, other: Self) -> Self { Ord::min(self, other) }
    })*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($t:ty),*) => {$(impl Combine for $t {
        fn add(self, other: Self) -> Self { self + other }
        fn mul(self, other: Self) -> Self { self * other }
        fn max(self, other: Self) -> Self { if self.is_nan() || self >= other { self } else { other } }
        fn min(self, other: Self) -> Self { if self.is_nan() || self <= other { self } else { other } }
    })*};
}
floats!(f32, f64);

/// Dtypes without an order, or without sums: inference refuses the missing ones.
macro_rules! unordered {
    ($($t:ty: |$a:ident, $b:ident| $add:expr, $mul:expr);*) => {$(impl Combine for $t {
        fn add(self, other: Self) -> Self { let ($a, $b) = (self, other); $add }
        fn mul(self, other: Self) -> Self { let ($a, $b) = (self, other); $mul }
        fn max(self, _: Self) -> Self { self }
        fn min(self, _: Self) -> Self { self }
    })*};
}
unordered!(
    bool: |a, b| a | b, a & b;
    Complex32: |a, b| a + b, a * b;
    Complex64: |a, b| a + b, a * b
);

/// Asks now and then in a loop of one thread.
pub(super) fn ask(stop: &dyn Interrupt, i: usize) -> Result<()> {
    if i % (1 << 20) == (1 << 20) - 1 { stop.poll() } else { Ok(()) }
}
