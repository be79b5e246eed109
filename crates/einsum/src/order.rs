//! The order of each result's axes, chosen to suit whoever reads it.

use crate::network::Network;
use crate::path::merge;

/// A path as a tree, and the order in which each node's letters are wanted.
pub(crate) struct Tree {
    /// Nodes that are contracted: operands first, then results in order.
    pub pairs: Vec<(usize, usize)>,
    wanted: Vec<Vec<usize>>,
    leaves: usize,
}

impl Tree {
    /// From the letters that the operands have left.
    pub fn new(leaves: Vec<Vec<usize>>, pairs: Vec<(usize, usize)>, net: &Network) -> Self {
        let n = leaves.len();
        let mut letters = leaves;
        let mut counts = vec![0; net.sizes.len()];
        letters.iter().flatten().chain(&net.output).for_each(|c| counts[*c] += 1);
        for (a, b) in &pairs {
            let (_, kept) = merge(&[&letters[*a], &letters[*b]], &mut counts);
            letters.push(kept);
        }
        // From the result down: what a step wants of its operands depends on what is wanted of it.
        let mut wanted = letters.clone();
        if let Some(last) = wanted.last_mut() {
            last.clone_from(&net.output);
        }
        for (step, (a, b)) in pairs.iter().enumerate().rev() {
            let of = operands_order(&wanted[n + step], (&letters[*a], *a < n), (&letters[*b], *b < n));
            [wanted[*a], wanted[*b]] = of;
        }
        Self { pairs, wanted, leaves: n }
    }

    pub fn wanted_of_step(&self, step: usize) -> &[usize] {
        &self.wanted[self.leaves + step]
    }
}

/// The orders of two operands from which the wanted result comes without copies: batch axes
/// first, free ones as wanted, contracted ones on the inside of a matrix product. Operands of
/// the expression (marked) have the order that they have; the other side follows it.
fn operands_order(wanted: &[usize], (a, a_fixed): (&[usize], bool), (b, b_fixed): (&[usize], bool)) -> [Vec<usize>; 2] {
    let of = |side: &[usize], other: &[usize], both: bool| -> Vec<usize> {
        wanted.iter().copied().filter(|c| side.contains(c) && other.contains(c) == both).collect()
    };
    let leading = if b_fixed && !a_fixed { b } else { a };
    let summed: Vec<usize> = leading.iter().copied().filter(|c| a.contains(c) && b.contains(c) && !wanted.contains(c)).collect();
    if summed.is_empty() {
        return [a, b].map(|side| wanted.iter().copied().filter(|c| side.contains(c)).collect());
    }
    let batch = of(a, b, true);
    let (free_a, free_b) = (of(a, b, false), of(b, a, false));
    let place = |free: &[usize]| free.first().and_then(|c| wanted.iter().position(|w| w == c)).unwrap_or(usize::MAX);
    if place(&free_a) <= place(&free_b) {
        [[batch.clone(), free_a, summed.clone()].concat(), [batch, summed, free_b].concat()]
    } else {
        [[batch.clone(), summed.clone(), free_a].concat(), [batch, free_b, summed].concat()]
    }
}

/// Whether to exchange the sides of a product, and the letters of its result.
pub(crate) fn orientation(l: &[usize], r: &[usize], wanted: &[usize]) -> (bool, Vec<usize>) {
    let result = |first: &[usize], second: &[usize]| -> Vec<usize> {
        let batch = wanted.iter().filter(|c| first.contains(c) && second.contains(c));
        let free = |side: &[usize], other: &[usize]| -> Vec<usize> {
            side.iter().copied().filter(|c| wanted.contains(c) && !other.contains(c)).collect()
        };
        batch.copied().chain(free(first, second)).chain(free(second, first)).collect()
    };
    let neighbours = |letters: &[usize]| letters.windows(2).filter(|w| wanted.windows(2).any(|v| v == *w)).count();
    let (plain, turned) = (result(l, r), result(r, l));
    if neighbours(&turned) > neighbours(&plain) { (true, turned) } else { (false, plain) }
}
