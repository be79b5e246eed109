//! Words sorted by several threads. Equal words are the same bits, so that the result does not
//! depend on who sorts which.

use std::sync::{Mutex, PoisonError};

use tenferro_graph::{Error, Result};

use crate::step::Context;

/// Sorts parts of `x` and merges neighbours until one part is left.
pub(super) fn sort_shared<W: Ord + Copy + Send + Sync>(c: &Context<'_>, x: &mut [W]) -> Result<()> {
    let parts = c.team.threads().next_power_of_two();
    let mut run = x.len().div_ceil(parts).max(1);
    let cells: Vec<Mutex<&mut [W]>> = x.chunks_mut(run).map(Mutex::new).collect();
    c.team.run_until(cells.len(), c.stop, &|i| locked(&cells[i], <[W]>::sort_unstable))?;
    drop(cells);
    let mut spare = vec![];
    spare.try_reserve_exact(x.len()).map_err(|_| Error::value("sort", format!("no memory for {} elements", x.len())))?;
    spare.extend_from_slice(x);
    let (mut from, mut to) = (&mut *x, spare.as_mut_slice());
    let mut swapped = false;
    while run < from.len() {
        merge_pairs(c, from, to, run, parts)?;
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
        run *= 2;
    }
    if swapped {
        to.copy_from_slice(from);
    }
    Ok(())
}

fn locked<W>(cell: &Mutex<&mut [W]>, f: impl FnOnce(&mut [W])) {
    f(&mut cell.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Merges runs of `from` two by two, in pieces of the result.
fn merge_pairs<W: Ord + Copy + Send + Sync>(c: &Context<'_>, from: &[W], to: &mut [W], run: usize, threads: usize) -> Result<()> {
    let piece = from.len().div_ceil(threads).clamp(1, 2 * run);
    let mut pieces = vec![];
    for (pair, out) in from.chunks(2 * run).zip(to.chunks_mut(2 * run)) {
        let (a, b) = pair.split_at(run.min(pair.len()));
        for (i, out) in out.chunks_mut(piece).enumerate() {
            pieces.push((a, b, i * piece, Mutex::new(out)));
        }
    }
    c.team.run_until(pieces.len(), c.stop, &|i| {
        let (a, b, start, out) = &pieces[i];
        let first = from_left(a, b, *start);
        locked(out, |out| merge(&a[first..], &b[start - first..], out));
    })
}

/// How many of the first `k` of the merged sequence come from `a`.
fn from_left<W: Ord>(a: &[W], b: &[W], k: usize) -> usize {
    let (mut low, mut high) = (k.saturating_sub(b.len()), k.min(a.len()));
    while low < high {
        let middle = low + (high - low) / 2;
        if a[middle] < b[k - middle - 1] { low = middle + 1 } else { high = middle }
    }
    low
}

/// As many of the merged sequence as `out` holds, which are no more than there are.
fn merge<W: Ord + Copy>(a: &[W], b: &[W], out: &mut [W]) {
    let (mut i, mut j, mut k) = (0, 0, 0);
    while i < a.len() && j < b.len() && k < out.len() {
        let right = b[j] < a[i];
        out[k] = if right { b[j] } else { a[i] };
        i += usize::from(!right);
        j += usize::from(right);
        k += 1;
    }
    let rest = if i < a.len() { &a[i..] } else { &b[j..] };
    let out = &mut out[k..];
    out.copy_from_slice(&rest[..out.len()]);
}

#[cfg(test)]
mod tests {
    use super::sort_shared;
    use crate::memory::Memory;
    use crate::step::Context;
    use crate::team::Team;

    #[test]
    fn parts_of_any_length_are_merged() {
        let memory = Memory::new(std::ptr::null_mut(), 0);
        for threads in 1..=9 {
            let team = Team::new(threads);
            let c = Context { memory: &memory, team: &team, stop: &tenferro_graph::NoInterrupt };
            for n in (0..70).chain([1000, 4099]) {
                let mut x: Vec<u64> = (0..n).map(|i| (i * 7919 + 13) % 101 + i % 3).collect();
                let mut wanted = x.clone();
                wanted.sort_unstable();
                sort_shared(&c, &mut x).expect("sorted");
                assert_eq!(x, wanted, "{n} elements, {threads} threads");
            }
        }
    }
}
