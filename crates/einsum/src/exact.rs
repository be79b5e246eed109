//! The order with the fewest operations, by dynamic programming over subsets of operands.

use crate::path::{Sets, flops};

/// Letters are bits of a word.
pub(crate) const LETTERS: usize = 128;

/// The best way to contract one subset.
#[derive(Clone, Copy)]
struct Best {
    flops: f64,
    /// The largest result on the way; decides between equal costs.
    largest: f64,
    /// One of the two parts; the other is the rest.
    part: usize,
}

fn letters(list: &[usize]) -> u128 {
    list.iter().fold(0, |word, c| word | 1 << c)
}

struct Search<'a> {
    sets: &'a Sets,
    /// Letters of each subset's product.
    kept: Vec<u128>,
    best: Vec<Best>,
}

impl Search<'_> {
    fn size(&self, mut word: u128) -> f64 {
        let mut product = 1.0;
        while word != 0 {
            product *= self.sets.sizes[word.trailing_zeros() as usize];
            word &= word - 1;
        }
        product
    }

    fn solve(&mut self, subset: usize) {
        let result = self.size(self.kept[subset]);
        let mut best = Best { flops: f64::INFINITY, largest: f64::INFINITY, part: 0 };
        // Each split once: the part that has the lowest operand.
        let lowest = subset & subset.wrapping_neg();
        let mut part = (subset - 1) & subset;
        while part != 0 {
            let rest = subset ^ part;
            let (a, b) = (self.best[part], self.best[rest]);
            // A step costs at least its result, so most splits end here.
            if part & lowest != 0 && a.flops + b.flops + result <= best.flops {
                let union = self.kept[part] | self.kept[rest];
                let cost = a.flops + b.flops + flops(self.size(union), union & !self.kept[subset] != 0, 2);
                let largest = a.largest.max(b.largest).max(result);
                if (cost, largest) < (best.flops, best.largest) || best.part == 0 {
                    best = Best { flops: cost, largest, part };
                }
            }
            part = (part - 1) & subset;
        }
        self.best[subset] = best;
    }
}

/// Pairs for up to [`crate::Optimize::EXACT`] operands with up to [`LETTERS`] letters.
pub(crate) fn exact(sets: &Sets) -> Vec<(usize, usize)> {
    let n = sets.terms.len();
    let full = (1_usize << n) - 1;
    let mut inside = vec![0_u128; full + 1];
    for subset in 1..=full {
        inside[subset] = inside[subset & (subset - 1)] | letters(&sets.terms[subset.trailing_zeros() as usize]);
    }
    let output = letters(&sets.output);
    let kept = (0..=full).map(|s| if s.count_ones() < 2 { inside[s] } else { inside[s] & (output | inside[full ^ s]) }).collect();
    let mut search = Search { sets, kept, best: vec![Best { flops: 0.0, largest: 0.0, part: 0 }; full + 1] };
    (1..=full).filter(|s| s.count_ones() > 1).for_each(|s| search.solve(s));
    pairs(n, full, &search.best)
}

/// The splits in an order in which parts come before what is made of them.
fn pairs(n: usize, full: usize, best: &[Best]) -> Vec<(usize, usize)> {
    let mut order = vec![];
    let mut open = vec![full];
    while let Some(subset) = open.pop() {
        if subset.count_ones() > 1 {
            order.push(subset);
            open.extend([best[subset].part, subset ^ best[subset].part]);
        }
    }
    order.reverse();
    let number = |subset: usize| {
        let single = subset.is_power_of_two();
        if single { subset.trailing_zeros() as usize } else { n + order.iter().position(|s| *s == subset).unwrap_or(0) }
    };
    order.iter().map(|s| (number(best[*s].part), number(s ^ best[*s].part))).collect()
}
