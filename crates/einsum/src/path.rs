//! Contraction orders and what they cost.

use std::fmt;

use tenferro_graph::{Error, Result, Shape};

use crate::cache;
use crate::network::Network;
use crate::spec::Spec;

/// Per step the positions of the operands that are contracted, as in NumPy and opt_einsum:
/// they leave the list and their result is appended to it.
pub type Path = Vec<Vec<usize>>;

/// How to find the order of contractions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimize {
    /// The exact order up to 10 operands, beyond that the greedy one.
    #[default]
    Auto,
    /// The pair that shrinks memory most is contracted first.
    Greedy,
    /// The order with the fewest operations, by dynamic programming over all subsets; up to
    /// [`Optimize::EXACT`] operands.
    Optimal,
    /// All operands in one step, from left to right.
    Off,
    /// A known path, for instance that of an [`einsum_path`].
    Path(Path),
}

impl Optimize {
    /// The most operands whose exact order is searched for.
    pub const EXACT: usize = 16;
    /// The most operands for which `Auto` looks for the exact order.
    const AUTO: usize = 10;

    /// `auto`, `greedy` or `optimal`, as opt_einsum calls them.
    ///
    /// # Errors
    /// `Value` for another name.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "auto" => Ok(Self::Auto),
            "greedy" => Ok(Self::Greedy),
            "optimal" => Ok(Self::Optimal),
            _ => Err(Error::value("einsum", format!("optimize must be 'auto', 'greedy', 'optimal', a bool or a path, got {name:?}"))),
        }
    }
}

/// A path and its costs, counted as opt_einsum counts them: a step costs the product of its
/// letters' sizes, times the number of factors, plus one more where it sums.
#[derive(Clone, Debug, PartialEq)]
pub struct PathInfo {
    pub path: Path,
    /// Operations of one loop over all letters.
    pub naive_flops: f64,
    pub flops: f64,
    /// Elements of the largest result of a step, the last one included.
    pub largest_intermediate: f64,
}

impl fmt::Display for PathInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "path: {:?}", self.path)?;
        writeln!(f, "naive flops: {:.3e}", self.naive_flops)?;
        writeln!(f, "optimized flops: {:.3e}", self.flops)?;
        writeln!(f, "speedup: {:.3e}", self.naive_flops / self.flops.max(1.0))?;
        write!(f, "largest intermediate: {:.3e} elements", self.largest_intermediate)
    }
}

/// The order in which [`crate::einsum`] contracts operands of these shapes, and its costs.
/// A symbolic size counts as 64.
///
/// # Errors
/// Those of the expression with these shapes; `Value` for a path that does not contract all
/// operands, or where `Optimal` is asked for too many.
pub fn einsum_path(spec: &Spec, shapes: &[Shape], optimize: &Optimize) -> Result<PathInfo> {
    let sets = Sets::of(&Network::new(spec, shapes)?);
    let path = sets.path(optimize)?;
    let letters: usize = sets.terms.iter().map(Vec::len).sum();
    let naive_flops = flops(sets.sizes.iter().product(), letters > sets.sizes.len(), sets.terms.len());
    let (flops, largest_intermediate) = sets.costs(&path);
    Ok(PathInfo { path, naive_flops, flops, largest_intermediate })
}

/// opt_einsum's count for one step over `size` points.
pub(crate) fn flops(size: f64, sums: bool, factors: usize) -> f64 {
    size * (factors.saturating_sub(1).max(1) + usize::from(sums)) as f64
}

/// What orders depend on: which letters operands have, and sizes.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    /// Sorted, distinct.
    pub terms: Vec<Vec<usize>>,
    pub output: Vec<usize>,
    pub sizes: Vec<f64>,
}

impl Sets {
    pub fn of(net: &Network) -> Self {
        let distinct = |term: &Vec<usize>| {
            let mut term = term.clone();
            term.sort_unstable();
            term.dedup();
            term
        };
        Self { terms: net.terms.iter().map(distinct).collect(), output: net.output.clone(), sizes: net.extents() }
    }

    pub fn size(&self, letters: &[usize]) -> f64 {
        letters.iter().map(|c| self.sizes[*c]).product()
    }

    /// How many operands have each letter; the output counts as one.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.sizes.len()];
        self.terms.iter().flatten().chain(&self.output).for_each(|c| counts[*c] += 1);
        counts
    }

    /// # Errors
    /// As [`einsum_path`].
    pub fn path(&self, optimize: &Optimize) -> Result<Path> {
        let n = self.terms.len();
        if let Optimize::Path(path) = optimize {
            check(path, n)?;
            return Ok(path.clone());
        }
        if n <= 2 || *optimize == Optimize::Off {
            return Ok(vec![(0..n).collect()]);
        }
        let fits = |most: usize| n <= most && self.sizes.len() <= crate::exact::LETTERS;
        if *optimize == Optimize::Optimal && !fits(Optimize::EXACT) {
            let (most, letters) = (Optimize::EXACT, crate::exact::LETTERS);
            let text = format!("'optimal' takes up to {most} operands and {letters} letters, got {n} and {}", self.sizes.len());
            return Err(Error::value("einsum", text + "; use 'greedy'"));
        }
        let exact = *optimize == Optimize::Optimal || *optimize == Optimize::Auto && fits(Optimize::AUTO);
        Ok(cache::path(self, exact))
    }

    /// Operations of a legal path, and the size of its largest result.
    pub fn costs(&self, path: &Path) -> (f64, f64) {
        let mut counts = self.counts();
        let mut live = self.terms.clone();
        let (mut total, mut largest) = (0.0, 0.0_f64);
        for step in path {
            let parts = take(&mut live, step);
            let (union, kept) = merge(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut counts);
            total += flops(self.size(&union), kept.len() < union.len(), parts.len());
            largest = largest.max(self.size(&kept));
            live.push(kept);
        }
        (total, largest)
    }
}

/// Letters of several operands and those of their product that others still need; `counts` is
/// brought up to date.
pub(crate) fn merge(parts: &[&[usize]], counts: &mut [usize]) -> (Vec<usize>, Vec<usize>) {
    let mut union: Vec<usize> = parts.concat();
    for c in &union {
        counts[*c] -= 1;
    }
    union.sort_unstable();
    union.dedup();
    let kept: Vec<usize> = union.iter().copied().filter(|c| counts[*c] > 0).collect();
    for c in &kept {
        counts[*c] += 1;
    }
    (union, kept)
}

/// Removes the items at some positions, in ascending order.
pub(crate) fn take<T>(list: &mut Vec<T>, positions: &[usize]) -> Vec<T> {
    let mut sorted = positions.to_vec();
    sorted.sort_unstable();
    let mut out: Vec<T> = sorted.iter().rev().map(|at| list.remove(*at)).collect();
    out.reverse();
    out
}

/// A path of pairs, from pairs of numbers: operands first, then results in order.
pub(crate) fn from_pairs(n: usize, pairs: &[(usize, usize)]) -> Path {
    let mut live: Vec<usize> = (0..n).collect();
    let mut path = Vec::with_capacity(pairs.len());
    for (i, (a, b)) in pairs.iter().enumerate() {
        let mut step: Vec<usize> = [a, b].into_iter().filter_map(|id| live.iter().position(|l| l == id)).collect();
        step.sort_unstable();
        take(&mut live, &step);
        live.push(n + i);
        path.push(step);
    }
    path
}

/// Pairs of numbers from a legal path; a step of several contracts them from left to right.
pub(crate) fn to_pairs(n: usize, path: &Path) -> Vec<(usize, usize)> {
    let mut live: Vec<usize> = (0..n).collect();
    let mut pairs = vec![];
    for step in path {
        let result = take(&mut live, step).into_iter().reduce(|a, b| {
            pairs.push((a, b));
            n + pairs.len() - 1
        });
        live.extend(result);
    }
    pairs
}

fn check(path: &Path, n: usize) -> Result<()> {
    let mut left = n;
    for (i, step) in path.iter().enumerate() {
        let mut sorted = step.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0] == w[1]) || sorted.is_empty() {
            return Err(Error::value("einsum", format!("step {i} of the path, {step:?}, does not name distinct operands")));
        }
        if let Some(at) = sorted.last().filter(|at| **at >= left) {
            return Err(Error::value("einsum", format!("step {i} of the path names operand {at} of {left}")));
        }
        left = left - step.len() + 1;
    }
    if left != 1 {
        return Err(Error::value("einsum", format!("the path leaves {left} operands; it must contract all {n}")));
    }
    Ok(())
}
