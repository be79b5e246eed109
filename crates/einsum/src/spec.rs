//! Reading `ij,jk->ik`.

use tenferro_graph::{Error, Result};

/// The letters of each operand and of the result.
pub(crate) struct Spec {
    pub operands: Vec<Vec<char>>,
    pub output: Vec<char>,
}

fn bad(text: &str, what: &str) -> Error {
    Error::value("einsum", format!("{what} in {text:?}"))
}

fn letters(text: &str, part: &str) -> Result<Vec<char>> {
    let out: Vec<char> = part.chars().filter(|c| !c.is_whitespace()).collect();
    if out.contains(&'.') {
        return Err(bad(text, "an ellipsis is not supported"));
    }
    match out.iter().find(|c| !c.is_alphabetic()) {
        Some(c) => Err(bad(text, &format!("{c:?} is not a letter"))),
        None => Ok(out),
    }
}

impl Spec {
    /// Without `->` the result has the letters that occur once, in alphabetic order.
    pub fn parse(text: &str) -> Result<Self> {
        let (left, right) = text.split_once("->").map_or((text, None), |(l, r)| (l, Some(r)));
        let operands: Vec<Vec<char>> = left.split(',').map(|p| letters(text, p)).collect::<Result<_>>()?;
        let count = |c: char| operands.iter().flatten().filter(|d| **d == c).count();
        let output = if let Some(r) = right {
            letters(text, r)?
        } else {
            let mut once: Vec<char> = operands.iter().flatten().copied().filter(|c| count(*c) == 1).collect();
            once.sort_unstable();
            once
        };
        for (i, c) in output.iter().enumerate() {
            if count(*c) == 0 {
                return Err(bad(text, &format!("output letter {c:?} is in no operand")));
            }
            if output[..i].contains(c) {
                return Err(bad(text, &format!("output letter {c:?} is repeated")));
            }
        }
        Ok(Self { operands, output })
    }
}
