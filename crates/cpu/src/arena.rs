//! Offsets for temporaries that live at different times.

use std::collections::{BTreeMap, BinaryHeap};

/// When a temporary is used: first and last time, and its size in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub first: usize,
    pub last: usize,
    pub bytes: usize,
}

/// Every temporary's offset, and the bytes needed in all. Offsets are multiples of 64;
/// two that live at the same time do not overlap.
pub(crate) fn pack(intervals: &[Option<Interval>]) -> (Vec<usize>, usize) {
    let mut offsets = vec![0; intervals.len()];
    let mut order: Vec<usize> = (0..intervals.len()).filter(|i| intervals[*i].is_some()).collect();
    let at = |i: usize| intervals[i].unwrap_or(Interval { first: 0, last: 0, bytes: 0 });
    order.sort_by_key(|i| at(*i).first);
    let mut free: BTreeMap<usize, usize> = BTreeMap::new(); // offset → length
    let mut busy: BinaryHeap<std::cmp::Reverse<(usize, usize, usize)>> = BinaryHeap::new();
    let mut end = 0;
    for i in order {
        let Interval { first, last, bytes } = at(i);
        let bytes = bytes.max(1).next_multiple_of(64);
        while let Some(std::cmp::Reverse((until, offset, length))) = busy.peek().copied() {
            if until >= first {
                break;
            }
            busy.pop();
            release(&mut free, offset, length);
        }
        let best = free.iter().filter(|(_, n)| **n >= bytes).min_by_key(|(_, n)| **n).map(|(o, n)| (*o, *n));
        offsets[i] = if let Some((offset, length)) = best {
            free.remove(&offset);
            if length > bytes {
                free.insert(offset + bytes, length - bytes);
            }
            offset
        } else {
            end += bytes;
            end - bytes
        };
        busy.push(std::cmp::Reverse((last, offsets[i], bytes)));
    }
    (offsets, end)
}

/// Joins a freed range with its neighbours.
fn release(free: &mut BTreeMap<usize, usize>, mut offset: usize, mut length: usize) {
    if let Some((before, n)) = free.range(..offset).next_back().map(|(o, n)| (*o, *n))
        && before + n == offset
    {
        free.remove(&before);
        offset = before;
        length += n;
    }
    if let Some(n) = free.remove(&(offset + length)) {
        length += n;
    }
    free.insert(offset, length);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lives_together_does_not_overlap() {
        let spans = [(0, 3, 100), (1, 2, 64), (3, 5, 64), (4, 6, 500), (6, 7, 1), (2, 2, 0)];
        let intervals: Vec<_> =
            spans.iter().map(|(first, last, bytes)| Some(Interval { first: *first, last: *last, bytes: *bytes })).collect();
        let (offsets, end) = pack(&intervals);
        for i in 0..spans.len() {
            for j in 0..i {
                let together = spans[i].0 <= spans[j].1 && spans[j].0 <= spans[i].1;
                let (a, b) = (offsets[i]..offsets[i] + spans[i].2, offsets[j]..offsets[j] + spans[j].2);
                assert!(!together || a.end <= b.start || b.end <= a.start, "{i} {j}");
            }
            assert!(offsets[i] % 64 == 0 && offsets[i] + spans[i].2 <= end);
        }
        assert!(end < 128 + 64 + 64 + 512 + 64 + 64);
    }
}
