//! Long inner products. A matrix kernel adds the terms of one element one after another, so a
//! result of a single element would wait for every addition: 7 ns a term instead of 1.

use tenferro_dense::Scalar;

/// Partial sums that do not wait for each other.
const LANES: usize = 16;
/// Terms that are added up by themselves, so that errors grow with the number of blocks.
const BLOCK: usize = 4096;

/// Whether an inner product beats the matrix kernel; from some four elements on it does not.
pub(super) fn pays(m: usize, k: usize, n: usize) -> bool {
    m * n == 1 && k >= 64
}

/// Elements `stride` apart.
pub(super) type Line<T> = (*const T, isize);

/// Σ x·y over `k` terms, added in an order that depends on `k` only.
///
/// # Safety
/// Both lines have `k` readable elements.
pub(super) unsafe fn inner<T: Scalar>((x, sx): Line<T>, (y, sy): Line<T>, k: usize) -> T {
    let mut sum = T::ZERO;
    for from in (0..k).step_by(BLOCK) {
        let n = BLOCK.min(k - from);
        let (x, y) = (x.wrapping_offset(from as isize * sx), y.wrapping_offset(from as isize * sy));
        sum += if sx == 1 && sy == 1 {
            // SAFETY: n of the k elements, side by side.
            let (x, y) = unsafe { (std::slice::from_raw_parts(x, n), std::slice::from_raw_parts(y, n)) };
            block(n, |i| x[i] * y[i])
        } else {
            // SAFETY: i < n, so this is one of the k elements.
            block(n, |i| unsafe { x.wrapping_offset(i as isize * sx).read() * y.wrapping_offset(i as isize * sy).read() })
        };
    }
    sum
}

#[inline(always)]
fn block<T: Scalar>(n: usize, term: impl Fn(usize) -> T) -> T {
    let mut sums = [T::ZERO; LANES];
    let whole = n / LANES * LANES;
    for from in (0..whole).step_by(LANES) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += term(from + lane);
        }
    }
    for (lane, i) in (whole..n).enumerate() {
        sums[lane] += term(i);
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            let other = sums[lane + width];
            sums[lane] += other;
        }
    }
    sums[0]
}
