//! Paths that were found before.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::exact::exact;
use crate::greedy::greedy;
use crate::path::{Path, Sets, from_pairs};

/// Letters of the operands and the output, the bits of their sizes, and whether the order is exact.
type Key = (Vec<Vec<usize>>, Vec<usize>, Vec<u64>, bool);

/// When full, it starts anew: a program that uses more expressions than this finds their
/// paths again now and then.
const MOST: usize = 512;

static FOUND: LazyLock<Mutex<HashMap<Key, Path>>> = LazyLock::new(Mutex::default);

/// The exact or the greedy path, remembered by letters and sizes.
pub(crate) fn path(sets: &Sets, best: bool) -> Path {
    let key = (sets.terms.clone(), sets.output.clone(), sets.sizes.iter().map(|n| n.to_bits()).collect(), best);
    if let Some(path) = FOUND.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return path.clone();
    }
    // Not under the lock: a search may take a while.
    let pairs = if best { exact(sets) } else { greedy(sets) };
    let path = from_pairs(sets.terms.len(), &pairs);
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if found.len() >= MOST {
        found.clear();
    }
    found.insert(key, path.clone());
    path
}
