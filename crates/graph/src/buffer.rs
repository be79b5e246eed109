//! Memory that tensors point into: 64-byte aligned blocks from a pool of size
//! classes, or memory of somebody else's with its owner.

use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Mutex;

const ALIGN: usize = 64;
const HUGE: usize = 2 << 20;
/// Blocks from this size on are aligned to huge pages.
const HUGE_FROM: usize = 4 << 20;
/// What the pool keeps at most, in bytes per size class and in classes.
const KEEP_BYTES: usize = 64 << 20;
const CLASSES: usize = 32;
const SMALLEST: usize = 64;

/// A block of memory. Its owner frees it or gives it back to the pool on drop.
pub struct Buffer {
    ptr: NonNull<u8>,
    len: usize,
    owner: Owner,
}

enum Owner {
    Pool { class: usize },
    Foreign { _keep: Box<dyn Any + Send + Sync>, writable_elsewhere: bool },
}

// SAFETY: a Buffer is plain memory; writes happen only through `as_mut_ptr`,
// which needs `&mut`, or by a foreign owner that documents it.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

struct Block(NonNull<u8>);
// SAFETY: a free block is owned by the pool alone.
unsafe impl Send for Block {}

static POOL: [Mutex<Vec<Block>>; CLASSES] = [const { Mutex::new(Vec::new()) }; CLASSES];

fn class_of(bytes: usize) -> usize {
    (bytes.max(SMALLEST).next_power_of_two() / SMALLEST).trailing_zeros() as usize
}

fn class_bytes(class: usize) -> usize {
    SMALLEST << class
}

fn layout(bytes: usize) -> Layout {
    let align = if bytes >= HUGE_FROM { HUGE } else { ALIGN };
    Layout::from_size_align(bytes, align).expect("a size class is a power of two below isize::MAX")
}

fn lock(class: usize) -> std::sync::MutexGuard<'static, Vec<Block>> {
    POOL[class].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Buffer {
    /// Uninitialised memory of at least `bytes` bytes. `None` if there is not so much.
    pub fn new(bytes: usize) -> Option<Self> {
        let class = class_of(bytes.min(isize::MAX as usize / 4));
        if class >= CLASSES || bytes > class_bytes(class) {
            return None;
        }
        if let Some(Block(ptr)) = lock(class).pop() {
            return Some(Self { ptr, len: bytes, owner: Owner::Pool { class } });
        }
        let layout = layout(class_bytes(class));
        // SAFETY: the layout has a non-zero size.
        let ptr = NonNull::new(unsafe { alloc(layout) })?;
        advise_huge(ptr, layout.size());
        Some(Self { ptr, len: bytes, owner: Owner::Pool { class } })
    }

    /// Memory of another owner, kept alive by `keep`. `writable_elsewhere` says
    /// that the owner may write to it while it is borrowed here (a NumPy array).
    ///
    /// # Safety
    /// `ptr..ptr + len` stays readable for as long as `keep` lives.
    pub unsafe fn foreign(ptr: NonNull<u8>, len: usize, keep: Box<dyn Any + Send + Sync>, writable_elsewhere: bool) -> Self {
        Self { ptr, len, owner: Owner::Foreign { _keep: keep, writable_elsewhere } }
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.ptr.as_ptr()
    }

    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr.as_ptr()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether somebody else may change the contents.
    pub fn writable_elsewhere(&self) -> bool {
        matches!(self.owner, Owner::Foreign { writable_elsewhere: true, .. })
    }

    pub fn is_foreign(&self) -> bool {
        matches!(self.owner, Owner::Foreign { .. })
    }
}

#[cfg(target_os = "linux")]
fn advise_huge(ptr: NonNull<u8>, len: usize) {
    if len >= HUGE_FROM {
        // SAFETY: the block is ours; the advice changes no contents, and its failure is harmless.
        unsafe { libc::madvise(ptr.as_ptr().cast(), len, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge(_ptr: NonNull<u8>, _len: usize) {}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Owner::Pool { class } = self.owner {
            let mut free = lock(class);
            if (free.len() + 1) * class_bytes(class) <= KEEP_BYTES {
                free.push(Block(self.ptr));
            } else {
                drop(free);
                // SAFETY: the block came from `alloc` with this very layout.
                unsafe { dealloc(self.ptr.as_ptr(), layout(class_bytes(class))) };
            }
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_reused() {
        for bytes in [0, 1, 64, 65, 1000, 5 << 20] {
            let b = Buffer::new(bytes).expect("memory");
            assert_eq!(b.as_ptr() as usize % if bytes >= HUGE_FROM { HUGE } else { ALIGN }, 0);
            assert_eq!(b.len(), bytes);
        }
        assert!(Buffer::new(usize::MAX).is_none());
    }
}
