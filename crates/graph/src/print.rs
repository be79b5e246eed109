//! Programs as text.

use std::fmt;

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

impl Program {
    /// The program in Graphviz's language.
    pub fn to_dot(&self) -> String {
        use std::fmt::Write;
        let mut out = String::from("digraph program {\n  node [shape=box];\n");
        for v in self.inputs() {
            let _ = writeln!(out, "  v{} [shape=ellipse, label=\"%{0}: {}\"];", v.index(), self.aval(v));
        }
        for (i, step) in self.steps().enumerate() {
            let _ = writeln!(out, "  s{i} [label=\"{}\"];", step.prim.to_string().replace('"', "'"));
            for a in step.args {
                let _ = writeln!(out, "  v{} -> s{i};", a.index());
            }
            for v in step.outs() {
                let _ = writeln!(out, "  v{} [shape=ellipse, label=\"%{0}: {}\"];", v.index(), self.aval(v));
                let _ = writeln!(out, "  s{i} -> v{};", v.index());
            }
        }
        out.push_str("}\n");
        out
    }
}
