//! Memory for lines that are being sorted.

use std::cell::RefCell;

use tenferro_graph::{Error, Result};

/// Up to so many words of memory stay with the thread.
const KEPT: usize = 1 << 16;

thread_local! {
    static MEMORY: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
}

/// Calls `f` with memory for `n` elements of a type no more aligned than `u128`; all of its bytes
/// were written before. `f` does not call this.
pub(super) fn with_scratch<T, R>(n: usize, f: impl FnOnce(*mut T) -> R) -> Result<R> {
    const { assert!(align_of::<T>() <= align_of::<u128>()) };
    let words = n.saturating_mul(size_of::<T>()).div_ceil(size_of::<u128>());
    MEMORY.with_borrow_mut(|kept| {
        let mut fresh = vec![];
        let memory = if words <= KEPT { kept } else { &mut fresh };
        if memory.len() < words {
            let more = words - memory.len();
            memory.try_reserve_exact(more).map_err(|_| Error::value("sort", format!("no memory for {n} elements")))?;
            memory.resize(words, 0);
        }
        Ok(f(memory.as_mut_ptr().cast()))
    })
}
