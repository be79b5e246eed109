//! Programs as text.

use std::fmt::{self, Write};

use crate::builder::Val;
use crate::program::Program;

impl fmt::Display for Program {
    /// One line a step: `%3: float64[3] = mul %1 %2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("program(")?;
        for (i, v) in self.inputs().enumerate() {
            write!(f, "{}%{}: {}", if i > 0 { ", " } else { "" }, v.index(), self.aval(v))?;
        }
        f.write_str(") {\n")?;
        for step in self.steps() {
            f.write_str("  ")?;
            for (i, v) in step.outs().enumerate() {
                write!(f, "{}%{}: {}", if i > 0 { ", " } else { "" }, v.index(), self.aval(v))?;
            }
            write!(f, " = {}", step.prim)?;
            for a in step.args {
                write!(f, " %{}", a.index())?;
            }
            f.write_str("\n")?;
        }
        f.write_str("  return")?;
        for v in self.outputs() {
            write!(f, " %{}", v.index())?;
        }
        f.write_str("\n}")
    }
}

/// Text inside the quotes of a Graphviz label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

impl Program {
    /// The program in Graphviz's language: boxes are steps, ellipses values, outputs twice framed.
    pub fn to_dot(&self) -> String {
        self.to_dot_named(&[])
    }

    /// [`Program::to_dot`] with names of the inputs, in their order.
    pub fn to_dot_named(&self, names: &[Option<&str>]) -> String {
        let value = |v: Val, name: Option<&str>| {
            let text = name.map_or_else(|| format!("%{}", v.index()), str::to_owned);
            let frames = if self.outputs().contains(&v) { ", peripheries=2" } else { "" };
            format!("  v{} [label=\"{}\", shape=ellipse{frames}];\n", v.index(), label(&format!("{text}: {}", self.aval(v))))
        };
        let mut out = String::from("digraph program {\n  node [shape=box];\n");
        for (i, v) in self.inputs().enumerate() {
            out.push_str(&value(v, names.get(i).copied().flatten()));
        }
        for (i, step) in self.steps().enumerate() {
            let _ = writeln!(out, "  s{i} [label=\"{}\"];", label(&step.prim.to_string()));
            for a in step.args {
                let _ = writeln!(out, "  v{} -> s{i};", a.index());
            }
            for v in step.outs() {
                out.push_str(&value(v, None));
                let _ = writeln!(out, "  s{i} -> v{};", v.index());
            }
        }
        out.push_str("}\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_are_escaped() {
        assert_eq!(label("a \"b\\c\"\nd"), "a \\\"b\\\\c\\\"\\nd");
    }
}
