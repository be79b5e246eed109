//! One operand by itself: diagonals, axes that broadcast, and letters nobody else has.

use tenferro_graph::{Dim, Error, Result, Shape, Value};
use tenferro_ops::{reduce_sum, reshape, slice, transpose};

use crate::network::Network;

/// An operand and the letters of its axes, all different.
pub(crate) struct Labelled<V> {
    pub x: V,
    pub letters: Vec<usize>,
}

impl<V: Value> Labelled<V> {
    /// Operand i with only the letters that the output or other operands have.
    pub fn operand(net: &Network, i: usize, x: &V) -> Result<Self> {
        let alone = |c: usize| !net.output.contains(&c) && net.holders[c] == 1;
        diagonals(x, &net.terms[i])?.without_units(net)?.summed(alone)
    }

    /// Without axes of length 1 that stand for a longer letter.
    fn without_units(self, net: &Network) -> Result<Self> {
        let shape = self.x.aval().shape;
        let kept: Vec<usize> = (0..shape.rank()).filter(|axis| !net.is_repeated(self.letters[*axis], &shape[*axis])).collect();
        let lengths: Shape = kept.iter().map(|axis| shape[*axis].clone()).collect();
        Ok(Self { x: reshape(&self.x, &lengths)?, letters: kept.iter().map(|axis| self.letters[*axis]).collect() })
    }

    fn summed(self, dead: impl Fn(usize) -> bool) -> Result<Self> {
        let axes: Vec<usize> = (0..self.letters.len()).filter(|axis| dead(self.letters[*axis])).collect();
        let letters = self.letters.into_iter().filter(|c| !dead(*c)).collect();
        Ok(Self { x: reduce_sum(&self.x, &axes)?, letters })
    }
}

/// Takes the diagonal of letters that occur more than once.
fn diagonals<V: Value>(x: &V, letters: &[usize]) -> Result<Labelled<V>> {
    let mut out = Labelled { x: x.clone(), letters: letters.to_vec() };
    while let Some((i, j)) = repeated(&out.letters) {
        let mut axes: Vec<usize> = (0..out.letters.len()).filter(|a| *a != i && *a != j).collect();
        axes.extend([i, j]);
        out.x = diagonal(&transpose(&out.x, &axes)?)?;
        out.letters = axes[..axes.len() - 1].iter().map(|a| out.letters[*a]).collect();
    }
    Ok(out)
}

fn repeated(letters: &[usize]) -> Option<(usize, usize)> {
    (0..letters.len()).find_map(|j| letters[..j].iter().position(|c| *c == letters[j]).map(|i| (i, j)))
}

/// The diagonal of the last two axes, n × n: every (n + 1)st of their n² elements.
fn diagonal<V: Value>(x: &V) -> Result<V> {
    let shape = x.aval().shape;
    let r = shape.rank() - 2;
    let n = shape[r].as_const().or_else(|| shape[r + 1].as_const());
    let n = n.ok_or_else(|| Error::shape("einsum", "a diagonal needs a numeric size"))?;
    let flat: Vec<Dim> = shape[..r].iter().cloned().chain([Dim::Const(n * n)]).collect();
    let steps: Vec<usize> = (0..r).map(|_| 1).chain([n + 1]).collect();
    slice(&reshape(x, &flat)?, &vec![0; r + 1], &flat, &steps)
}
