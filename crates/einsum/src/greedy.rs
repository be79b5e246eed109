//! An order for many operands: the best-looking pair first.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap};

use crate::path::{Sets, from_pairs, merge};

/// A pair and how it looks; small is good.
#[derive(PartialEq)]
struct Candidate {
    score: f64,
    pair: (usize, usize),
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.pair.cmp(&other.pair))
    }
}

/// How much of the operands' sizes counts against the result's. 1 is the memory that a step
/// frees (opt_einsum's rule); smaller weights look more at the result.
const WEIGHTS: [f64; 4] = [1.0, 0.5, 0.1, 0.0];

struct Search<'a> {
    sets: &'a Sets,
    weight: f64,
    counts: Vec<usize>,
    /// Operands and results; `None` once contracted.
    terms: Vec<Option<Vec<usize>>>,
    /// Who has each letter.
    owners: Vec<BTreeSet<usize>>,
    heap: BinaryHeap<Reverse<Candidate>>,
    pairs: Vec<(usize, usize)>,
}

/// The pairs with the fewest operations among those of several weights.
pub(crate) fn greedy(sets: &Sets) -> Vec<(usize, usize)> {
    let found = WEIGHTS.map(|weight| {
        let pairs = Search::new(sets, weight).run();
        (sets.costs(&from_pairs(sets.terms.len(), &pairs)).0, pairs)
    });
    found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, pairs)| pairs).unwrap_or_default()
}

impl<'a> Search<'a> {
    fn new(sets: &'a Sets, weight: f64) -> Self {
        let mut owners = vec![BTreeSet::new(); sets.sizes.len()];
        for (i, term) in sets.terms.iter().enumerate() {
            for c in term {
                owners[*c].insert(i);
            }
        }
        let terms = sets.terms.iter().cloned().map(Some).collect();
        Self { sets, weight, counts: sets.counts(), terms, owners, heap: BinaryHeap::new(), pairs: vec![] }
    }

    fn run(mut self) -> Vec<(usize, usize)> {
        for i in 0..self.terms.len() {
            self.propose(i, |j| j > i);
        }
        while let Some(Reverse(next)) = self.heap.pop() {
            let (a, b) = next.pair;
            if self.terms[a].is_some() && self.terms[b].is_some() {
                let new = self.contract(a, b);
                self.propose(new, |_| true);
            }
        }
        self.outer_products();
        self.pairs
    }

    /// Pairs of `i` with those that share a letter with it.
    fn propose(&mut self, i: usize, wanted: impl Fn(usize) -> bool) {
        let Some(term) = &self.terms[i] else { return };
        let near: BTreeSet<usize> = term.iter().flat_map(|c| &self.owners[*c]).copied().filter(|j| *j != i && wanted(*j)).collect();
        for j in near {
            let Some(other) = &self.terms[j] else { continue };
            // A letter stays if somebody else has it.
            let others = |c: &usize| self.counts[*c] - usize::from(term.contains(c)) - usize::from(other.contains(c)) > 0;
            let mine = term.iter().filter(|c| others(c));
            let theirs = other.iter().filter(|c| !term.contains(c) && others(c));
            let result: f64 = mine.chain(theirs).map(|c| self.sets.sizes[*c]).product();
            let score = result - self.weight * (self.sets.size(term) + self.sets.size(other));
            self.heap.push(Reverse(Candidate { score, pair: (i.min(j), i.max(j)) }));
        }
    }

    fn contract(&mut self, a: usize, b: usize) -> usize {
        let (left, right) = (self.terms[a].take().unwrap_or_default(), self.terms[b].take().unwrap_or_default());
        let (union, kept) = merge(&[&left, &right], &mut self.counts);
        let new = self.terms.len();
        for c in union {
            self.owners[c].remove(&a);
            self.owners[c].remove(&b);
        }
        for c in &kept {
            self.owners[*c].insert(new);
        }
        self.terms.push(Some(kept));
        self.pairs.push((a, b));
        new
    }

    /// What is left shares no letters: the smallest are multiplied first.
    fn outer_products(&mut self) {
        let entry = |search: &Self, i: usize| {
            let score = search.terms[i].as_ref().map_or(0.0, |term| search.sets.size(term));
            Reverse(Candidate { score, pair: (i, i) })
        };
        let mut rest: BinaryHeap<_> = (0..self.terms.len()).filter(|i| self.terms[*i].is_some()).map(|i| entry(self, i)).collect();
        while let (Some(Reverse(a)), Some(Reverse(b))) = (rest.pop(), rest.pop()) {
            let new = self.contract(a.pair.0.min(b.pair.0), a.pair.0.max(b.pair.0));
            rest.push(entry(self, new));
        }
    }
}
