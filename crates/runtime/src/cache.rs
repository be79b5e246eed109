//! A bounded map for plans.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use rustc_hash::FxHasher;
use tenferro_graph::SmallVec;

/// Values found by a hash and a test. When it is full, the next one that was not used
/// since it was last passed over makes room (the clock algorithm).
pub(crate) struct Cache<V> {
    slots: Vec<Slot<V>>,
    index: HashMap<u64, SmallVec<[u32; 2]>, BuildHasherDefault<FxHasher>>,
    hand: usize,
    capacity: usize,
}

struct Slot<V> {
    hash: u64,
    value: V,
    used: bool,
}

/// The hash of anything.
pub(crate) fn hash_of(x: &impl Hash) -> u64 {
    let mut h = FxHasher::default();
    x.hash(&mut h);
    h.finish()
}

impl<V: Clone> Cache<V> {
    pub fn new(capacity: usize) -> Self {
        Self { slots: Vec::new(), index: HashMap::default(), hand: 0, capacity }
    }

    /// The value with this hash that passes the test.
    pub fn get(&mut self, hash: u64, is: impl Fn(&V) -> bool) -> Option<V> {
        let found = self.index.get(&hash)?.iter().copied().find(|i| is(&self.slots[*i as usize].value))?;
        let slot = &mut self.slots[found as usize];
        slot.used = true;
        Some(slot.value.clone())
    }

    pub fn insert(&mut self, hash: u64, value: V) {
        let new = Slot { hash, value, used: false };
        let at = if self.slots.len() < self.capacity {
            self.slots.push(new);
            self.slots.len() - 1
        } else {
            let at = self.free_slot();
            let old = std::mem::replace(&mut self.slots[at], new);
            self.forget(old.hash, at as u32);
            at
        };
        self.index.entry(hash).or_default().push(at as u32);
    }

    /// The next slot that was not used since the hand passed.
    fn free_slot(&mut self) -> usize {
        loop {
            let at = self.hand;
            self.hand = (at + 1) % self.slots.len();
            if !std::mem::take(&mut self.slots[at].used) {
                return at;
            }
        }
    }

    fn forget(&mut self, hash: u64, at: u32) {
        if let Some(list) = self.index.get_mut(&hash) {
            list.retain(|i| *i != at);
            if list.is_empty() {
                self.index.remove(&hash);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_what_is_not_goes_one_by_one() {
        let mut cache = Cache::new(4);
        for i in 0..4_u64 {
            cache.insert(i % 2, i);
        }
        let get = |cache: &mut Cache<u64>, i: u64| cache.get(i % 2, |v| *v == i);
        assert_eq!(get(&mut cache, 0), Some(0));
        for i in 4..100 {
            cache.insert(i % 2, i);
            assert_eq!(get(&mut cache, 0), Some(0), "in use at every turn");
        }
        assert_eq!(get(&mut cache, 99), Some(99), "the newest");
        let alive = (0..100).filter(|i| get(&mut cache, *i).is_some()).count();
        assert_eq!(alive, 4);
        assert_eq!(cache.slots.len(), 4);
        assert_eq!(cache.index.values().map(SmallVec::len).sum::<usize>(), 4);
    }
}
