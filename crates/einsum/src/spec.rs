//! What an expression says: `ij,jk->ik`, or the same as lists of indices.

use std::fmt;

use tenferro_graph::{Error, Result};

/// The name of an axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Letter {
    /// An axis that `...` stands for, counted from its last one.
    Broadcast(usize),
    Char(char),
    Index(usize),
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broadcast(i) => write!(f, "axis -{} of the ellipsis", i + 1),
            Self::Char(c) => write!(f, "letter {c:?}"),
            Self::Index(i) => write!(f, "index {i}"),
        }
    }
}

/// One entry of an operand's subscripts; `None` is the ellipsis.
pub(crate) type Subscript = Option<Letter>;

/// A parsed expression, before it meets shapes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    pub(crate) text: String,
    pub(crate) operands: Vec<Vec<Subscript>>,
    pub(crate) output: Option<Vec<Subscript>>,
}

impl Spec {
    /// Reads `ij,jk->ik`. Letters are those of any alphabet; spaces do not count; `...` stands
    /// for axes that broadcast. Without `->` the result has the axes of the ellipsis and then
    /// the letters that occur once, in alphabetic order.
    ///
    /// # Errors
    /// `Value` for anything else.
    pub fn parse(text: &str) -> Result<Self> {
        let (left, right) = text.split_once("->").map_or((text, None), |(l, r)| (l, Some(r)));
        let quoted = format!("{text:?}");
        let operands = left.split(',').map(|part| subscripts(&quoted, part)).collect::<Result<Vec<_>>>()?;
        let output = right.map(|part| subscripts(&quoted, part)).transpose()?;
        Self::checked(quoted, operands, output)
    }

    /// The interleaved form: one list of indices per operand, `None` being the ellipsis.
    /// Without `output` the result has the axes of the ellipsis and then the indices that occur
    /// once, in ascending order.
    ///
    /// # Errors
    /// `Value` as for [`Spec::parse`].
    pub fn from_indices(operands: &[Vec<Option<usize>>], output: Option<&[Option<usize>]>) -> Result<Self> {
        let named = |list: &[Option<usize>]| -> Vec<Subscript> { list.iter().map(|i| i.map(Letter::Index)).collect() };
        let lists: Vec<String> = operands.iter().map(|list| show(list)).collect();
        let text = lists.join(",") + &output.map_or_else(String::new, |list| format!("->{}", show(list)));
        Self::checked(text, operands.iter().map(|list| named(list)).collect(), output.map(named))
    }

    fn checked(text: String, operands: Vec<Vec<Subscript>>, output: Option<Vec<Subscript>>) -> Result<Self> {
        let ellipses = |part: &[Subscript]| part.iter().filter(|s| s.is_none()).count();
        if let Some(i) = operands.iter().position(|part| ellipses(part) > 1) {
            return Err(bad(&text, &format!("operand {i} has more than one ellipsis")));
        }
        let out: &[Subscript] = output.as_deref().unwrap_or_default();
        if ellipses(out) > 1 {
            return Err(bad(&text, "the output has more than one ellipsis"));
        }
        for (i, letter) in out.iter().enumerate().filter_map(|(i, s)| s.map(|letter| (i, letter))) {
            if !operands.iter().flatten().any(|s| *s == Some(letter)) {
                return Err(bad(&text, &format!("output {letter} is in no operand")));
            }
            if out[..i].contains(&Some(letter)) {
                return Err(bad(&text, &format!("output {letter} is repeated")));
            }
        }
        Ok(Self { text, operands, output })
    }

    /// The number of operands that the expression names.
    pub fn operands(&self) -> usize {
        self.operands.len()
    }
}

fn show(list: &[Option<usize>]) -> String {
    let items: Vec<String> = list.iter().map(|i| i.map_or_else(|| "...".to_owned(), |i| i.to_string())).collect();
    format!("[{}]", items.join(", "))
}

pub(crate) fn bad(text: &str, what: &str) -> Error {
    Error::value("einsum", format!("{what} in {text}"))
}

/// Any character that is not ASCII may name an axis: beyond the alphabets opt_einsum's
/// symbols run through signs.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii()
}

fn subscripts(text: &str, part: &str) -> Result<Vec<Subscript>> {
    let mut out = vec![];
    let mut chars = part.chars().filter(|c| !c.is_whitespace());
    while let Some(c) = chars.next() {
        if c == '.' {
            if (chars.next(), chars.next()) != (Some('.'), Some('.')) {
                return Err(bad(text, "'.' is not part of an ellipsis '...'"));
            }
            out.push(None);
        } else if is_letter(c) {
            out.push(Some(Letter::Char(c)));
        } else {
            return Err(bad(text, &format!("{c:?} is not a letter")));
        }
    }
    Ok(out)
}
