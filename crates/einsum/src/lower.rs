//! Pairwise contraction in the given order.

use tenferro_graph::{Dim, Error, Result, Value};
use tenferro_ops::{dot_general, mul, pad, reduce_sum, reshape, scalar_like, slice_axis, transpose};

use crate::spec::Spec;

/// An operand and the letters of its axes, all different.
struct Labelled<V> {
    x: V,
    letters: Vec<char>,
}

/// Einstein summation: `einsum("ij,jk->ik", &[a, b])`. A letter twice in one operand
/// takes the diagonal; a letter that is not in the output is summed. Operands are
/// contracted from left to right.
///
/// # Errors
/// `Value` for a malformed expression, `Shape` for operands that do not fit it.
pub fn einsum<V: Value>(text: &str, operands: &[V]) -> Result<V> {
    let spec = Spec::parse(text)?;
    if spec.operands.len() != operands.len() {
        return Err(Error::value("einsum", format!("{text:?} names {} operands, got {}", spec.operands.len(), operands.len())));
    }
    check_sizes(text, &spec, operands)?;
    let mut done: Option<Labelled<V>> = None;
    for (i, (letters, x)) in spec.operands.iter().zip(operands).enumerate() {
        let later: Vec<char> = spec.operands[i + 1..].iter().flatten().chain(&spec.output).copied().collect();
        let next = diagonals(x, letters)?;
        let outside = |c: &char| later.contains(c);
        done = Some(match done {
            None => sum_out(next, |c| outside(c))?,
            Some(left) => {
                let right = sum_out(next, |c| outside(c) || left.letters.contains(c))?;
                let left = sum_out(left, |c| outside(c) || right.letters.contains(c))?;
                contract(&left, &right, &later)?
            }
        });
    }
    let done = done.ok_or_else(|| Error::value("einsum", "needs at least one operand"))?;
    let place = |c: &char| done.letters.iter().position(|d| d == c);
    let axes: Option<Vec<usize>> = spec.output.iter().map(place).collect();
    transpose(&done.x, &axes.ok_or_else(|| Error::program("einsum: an output letter was lost"))?)
}

fn check_sizes<V: Value>(text: &str, spec: &Spec, operands: &[V]) -> Result<()> {
    let mut known: Vec<(char, Dim)> = vec![];
    for (i, (letters, x)) in spec.operands.iter().zip(operands).enumerate() {
        let shape = x.aval().shape;
        if shape.rank() != letters.len() {
            let text = format!("operand {i} of {text:?} has shape {shape} for {} letters", letters.len());
            return Err(Error::shape("einsum", text));
        }
        for (c, n) in letters.iter().zip(shape.iter()) {
            match known.iter().find(|(d, _)| d == c) {
                Some((_, m)) if m != n && m.as_const().is_some() && n.as_const().is_some() => {
                    return Err(Error::shape("einsum", format!("letter {c:?} of {text:?} is {m} and {n}")));
                }
                Some(_) => {}
                None => known.push((*c, n.clone())),
            }
        }
    }
    Ok(())
}

/// Takes the diagonal of letters that occur more than once.
fn diagonals<V: Value>(x: &V, letters: &[char]) -> Result<Labelled<V>> {
    let mut out = Labelled { x: x.clone(), letters: letters.to_vec() };
    while let Some((i, j)) = repeated(&out.letters) {
        let mut axes: Vec<usize> = (0..out.letters.len()).filter(|a| *a != i && *a != j).collect();
        axes.extend([i, j]);
        let letter = out.letters[i];
        out.x = diagonal(&transpose(&out.x, &axes)?)?;
        out.letters = axes[..axes.len() - 2].iter().map(|a| out.letters[*a]).chain([letter]).collect();
    }
    Ok(out)
}

fn repeated(letters: &[char]) -> Option<(usize, usize)> {
    (0..letters.len()).find_map(|j| letters[..j].iter().position(|c| *c == letters[j]).map(|i| (i, j)))
}

/// The diagonal of the last two axes, n × n: their n² elements padded to n (n + 1)
/// stand in rows of n + 1 whose first elements are the diagonal.
fn diagonal<V: Value>(x: &V) -> Result<V> {
    let shape = x.aval().shape;
    let r = shape.rank() - 2;
    let n = shape[r].as_const().ok_or_else(|| Error::shape("einsum", "a diagonal needs a numeric size"))?;
    let with = |last: &[usize]| -> Vec<Dim> { shape[..r].iter().cloned().chain(last.iter().map(|n| Dim::Const(*n))).collect() };
    let flat = reshape(x, &with(&[n * n]))?;
    let mut widths = vec![(0, 0); r];
    widths.push((0, n));
    let padded = pad(&flat, &widths, &scalar_like(x, 0.0)?)?;
    let rows = reshape(&padded, &with(&[n, n + 1]))?;
    reshape(&slice_axis(&rows, r + 1, 0, 1)?, &with(&[n]))
}

/// Sums over the letters that are not needed.
fn sum_out<V: Value>(x: Labelled<V>, needed: impl Fn(&char) -> bool) -> Result<Labelled<V>> {
    let axes: Vec<usize> = (0..x.letters.len()).filter(|a| !needed(&x.letters[*a])).collect();
    let letters = x.letters.iter().copied().filter(|c| needed(c)).collect();
    Ok(Labelled { x: reduce_sum(&x.x, &axes)?, letters })
}

/// Letters on both sides are batch axes if needed later, else contracted.
fn contract<V: Value>(l: &Labelled<V>, r: &Labelled<V>, later: &[char]) -> Result<Labelled<V>> {
    let both: Vec<char> = l.letters.iter().copied().filter(|c| r.letters.contains(c)).collect();
    let (batch, contracted): (Vec<char>, Vec<char>) = both.iter().partition(|c| later.contains(c));
    let axes =
        |side: &Labelled<V>, of: &[char]| -> Vec<usize> { of.iter().filter_map(|c| side.letters.iter().position(|d| d == c)).collect() };
    let rest = |side: &Labelled<V>| -> Vec<char> { side.letters.iter().copied().filter(|c| !both.contains(c)).collect() };
    let letters = batch.iter().copied().chain(rest(l)).chain(rest(r)).collect();
    if both.is_empty() && (l.letters.is_empty() || r.letters.is_empty()) {
        return Ok(Labelled { x: mul(&l.x, &r.x)?, letters });
    }
    let x = dot_general(&l.x, &r.x, (&axes(l, &contracted), &axes(r, &contracted)), (&axes(l, &batch), &axes(r, &batch)))?;
    Ok(Labelled { x, letters })
}
