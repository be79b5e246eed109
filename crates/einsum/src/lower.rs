//! Contractions along a path.

use tenferro_graph::{DType, Error, Result, Shape, Value};
use tenferro_ops::{broadcast_in_dim, cast, dot_general, mul, transpose};

use crate::network::Network;
use crate::order::{Tree, orientation};
use crate::path::{Optimize, Sets, to_pairs};
use crate::prepare::Labelled;
use crate::spec::Spec;

/// Einstein summation: `einsum("ij,jk->ik", &[a, b])`. A letter twice in one operand takes the
/// diagonal; a letter that is not in the output is summed, however many operands have it;
/// axes of length 1 broadcast. The order of contractions is [`Optimize::Auto`]'s.
///
/// # Errors
/// `Value` for a malformed expression, `Shape` for operands that do not fit it.
pub fn einsum<V: Value>(text: &str, operands: &[V]) -> Result<V> {
    einsum_with(&Spec::parse(text)?, operands, &Optimize::Auto)
}

/// [`einsum`] of a parsed expression with a choice of the order.
///
/// Operands get their common dtype first; bool counts with "and" and "or". A pair with a
/// letter to sum becomes one `dot_general`, any other pair a product that broadcasts.
///
/// # Errors
/// As [`einsum`]; `Value` for a path that does not fit.
pub fn einsum_with<V: Value>(spec: &Spec, operands: &[V], optimize: &Optimize) -> Result<V> {
    let shapes: Vec<Shape> = operands.iter().map(|x| x.aval().shape).collect();
    let net = Network::new(spec, &shapes)?;
    let path = Sets::of(&net).path(optimize)?;
    let dtypes = operands.iter().map(|x| x.aval().dtype);
    let dtype = dtypes.reduce(DType::promote).ok_or_else(|| Error::value("einsum", "needs at least one operand"))?;
    let number = if dtype == DType::Bool { DType::I64 } else { dtype };
    let prepared = operands.iter().enumerate().map(|(i, x)| Labelled::operand(&net, i, &cast(x, number)?));
    let mut live: Vec<Option<Labelled<V>>> = prepared.map(|x| x.map(Some)).collect::<Result<_>>()?;
    let leaves = live.iter().flatten().map(|x| x.letters.clone()).collect();
    let tree = Tree::new(leaves, to_pairs(operands.len(), &path), &net);
    for (step, (a, b)) in tree.pairs.iter().enumerate() {
        let (Some(l), Some(r)) = (live[*a].take(), live[*b].take()) else {
            return Err(Error::program("einsum: a path uses an operand twice"));
        };
        live.push(Some(contract(&net, l, r, tree.wanted_of_step(step))?));
    }
    let done = live.pop().flatten().ok_or_else(|| Error::program("einsum: the path ended early"))?;
    cast(&ordered(&done, &net.output)?, dtype)
}

/// Axes in the order of `letters`, all of which it has.
fn ordered<V: Value>(x: &Labelled<V>, letters: &[usize]) -> Result<V> {
    transpose(&x.x, &axes(x, letters))
}

fn axes<V>(x: &Labelled<V>, letters: &[usize]) -> Vec<usize> {
    letters.iter().filter_map(|c| x.letters.iter().position(|d| d == c)).collect()
}

/// Letters on both sides are batch axes if they are wanted, else contracted.
fn contract<V: Value>(net: &Network, l: Labelled<V>, r: Labelled<V>, wanted: &[usize]) -> Result<Labelled<V>> {
    let summed: Vec<usize> = l.letters.iter().copied().filter(|c| r.letters.contains(c) && !wanted.contains(c)).collect();
    if summed.is_empty() {
        let shape: Shape = wanted.iter().map(|c| net.sizes[*c].clone()).collect();
        let place = |x: &Labelled<V>| {
            let own: Vec<usize> = (0..wanted.len()).filter(|i| x.letters.contains(&wanted[*i])).collect();
            let letters: Vec<usize> = own.iter().map(|i| wanted[*i]).collect();
            broadcast_in_dim(&ordered(x, &letters)?, shape.clone(), &own)
        };
        return Ok(Labelled { x: mul(&place(&l)?, &place(&r)?)?, letters: wanted.to_vec() });
    }
    let (turned, letters) = orientation(&l.letters, &r.letters, wanted);
    let (l, r) = if turned { (r, l) } else { (l, r) };
    let batch: Vec<usize> = wanted.iter().copied().filter(|c| l.letters.contains(c) && r.letters.contains(c)).collect();
    let x = dot_general(&l.x, &r.x, (&axes(&l, &summed), &axes(&r, &summed)), (&axes(&l, &batch), &axes(&r, &batch)))?;
    Ok(Labelled { x, letters })
}
