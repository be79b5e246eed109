//! An expression that has met its operands' shapes.

use std::collections::HashMap;

use tenferro_graph::{Dim, Error, Result, Shape};

use crate::spec::{Letter, Spec, Subscript, bad};

/// A symbolic size counts as this many where orders are compared.
const SYMBOLIC: f64 = 64.0;

/// Axes by number instead of letter; an ellipsis has become its axes.
pub(crate) struct Network {
    /// The full size of each letter.
    pub sizes: Vec<Dim>,
    /// The letters of each operand's axes.
    pub terms: Vec<Vec<usize>>,
    pub output: Vec<usize>,
    /// How many operands have each letter at its full size.
    pub holders: Vec<usize>,
}

/// Numbers the letters and collects their sizes.
struct Reader<'a> {
    spec: &'a Spec,
    letters: Vec<Letter>,
    sizes: Vec<Dim>,
    /// The operand that gave each size.
    from: Vec<usize>,
    number: HashMap<Letter, usize>,
}

impl Network {
    /// # Errors
    /// `Value` for another number of operands or an output without the ellipsis that operands
    /// have; `Shape` for axes that are too few, too many, or of different sizes.
    pub fn new(spec: &Spec, shapes: &[Shape]) -> Result<Self> {
        if spec.operands.len() != shapes.len() {
            return Err(Error::value("einsum", format!("{} names {} operands, got {}", spec.text, spec.operands.len(), shapes.len())));
        }
        let mut reader = Reader { spec, letters: vec![], sizes: vec![], from: vec![], number: HashMap::new() };
        let mut terms = Vec::with_capacity(shapes.len());
        let mut broadcast = 0;
        for (i, shape) in shapes.iter().enumerate() {
            let letters = reader.axes(i, shape.rank())?;
            broadcast = broadcast.max(letters.iter().filter(|c| matches!(c, Letter::Broadcast(_))).count());
            terms.push(reader.term(i, &letters, shape)?);
        }
        let output = output(spec, broadcast)?;
        let output = output.iter().map(|c| reader.number[c]).collect();
        let mut net = Self { holders: vec![0; reader.sizes.len()], sizes: reader.sizes, terms, output };
        for (term, shape) in net.terms.iter().zip(shapes) {
            for (at, c) in term.iter().enumerate().filter(|(at, c)| !term[..*at].contains(c)) {
                net.holders[*c] += usize::from(!net.is_repeated(*c, &shape[at]));
            }
        }
        Ok(net)
    }

    /// Whether an axis of this length is repeated to the full size of letter c.
    pub fn is_repeated(&self, c: usize, length: &Dim) -> bool {
        *length == Dim::Const(1) && self.sizes[c] != Dim::Const(1)
    }

    /// Sizes as numbers.
    pub fn extents(&self) -> Vec<f64> {
        self.sizes.iter().map(|d| d.as_const().map_or(SYMBOLIC, |n| n as f64)).collect()
    }
}

impl Reader<'_> {
    /// The letters of operand i's axes.
    fn axes(&self, i: usize, rank: usize) -> Result<Vec<Letter>> {
        let subscripts = &self.spec.operands[i];
        let named = subscripts.iter().flatten().count();
        let spare = rank.checked_sub(named).filter(|spare| *spare == 0 || named < subscripts.len());
        let Some(spare) = spare else {
            let text = format!("operand {i} of {} has {rank} axes for {named} letters", self.spec.text);
            return Err(Error::shape("einsum", text));
        };
        let expand = |s: &Subscript| match s {
            Some(letter) => vec![*letter],
            None => (0..spare).rev().map(Letter::Broadcast).collect(),
        };
        Ok(subscripts.iter().flat_map(expand).collect())
    }

    /// Letters as numbers; sizes must agree, or be 1 where another operand has more.
    fn term(&mut self, i: usize, letters: &[Letter], shape: &Shape) -> Result<Vec<usize>> {
        let mut term = Vec::with_capacity(letters.len());
        for (at, (letter, n)) in letters.iter().zip(shape.iter()).enumerate() {
            if let Some(first) = letters[..at].iter().position(|c| c == letter)
                && differ(&shape[first], n)
            {
                let text = format!("{letter} of {} is both {} and {n} in operand {i}", self.spec.text, shape[first]);
                return Err(Error::shape("einsum", text));
            }
            let id = *self.number.entry(*letter).or_insert(self.letters.len());
            if id == self.letters.len() {
                self.letters.push(*letter);
                self.sizes.push(n.clone());
                self.from.push(i);
            } else if self.sizes[id] == Dim::Const(1) {
                (self.sizes[id], self.from[id]) = (n.clone(), i);
            } else if *n != Dim::Const(1) && differ(&self.sizes[id], n) {
                let text =
                    format!("{letter} of {} is {} in operand {} and {n} in operand {i}", self.spec.text, self.sizes[id], self.from[id]);
                return Err(Error::shape("einsum", text));
            }
            term.push(id);
        }
        Ok(term)
    }
}

/// Symbolic sizes may turn out to be equal; the ops that pair them note that they must.
fn differ(a: &Dim, b: &Dim) -> bool {
    a != b && a.as_const().is_some() && b.as_const().is_some()
}

/// The letters of the result, where the longest ellipsis stands for `broadcast` axes.
fn output(spec: &Spec, broadcast: usize) -> Result<Vec<Letter>> {
    let ellipsis = || (0..broadcast).rev().map(Letter::Broadcast);
    let Some(output) = &spec.output else {
        let count = |letter: Letter| spec.operands.iter().flatten().filter(|s| **s == Some(letter)).count();
        let mut once: Vec<Letter> = spec.operands.iter().flatten().flatten().copied().filter(|c| count(*c) == 1).collect();
        once.sort_unstable();
        return Ok(ellipsis().chain(once).collect());
    };
    if broadcast > 0 && !output.contains(&None) {
        return Err(bad(&spec.text, "operands have an ellipsis but the output has none"));
    }
    Ok(output.iter().flat_map(|s| s.map_or_else(|| ellipsis().collect(), |letter| vec![letter])).collect())
}
