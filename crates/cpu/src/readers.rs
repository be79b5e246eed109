//! Who reads a product, also through transposes: what its order in memory should suit.

use std::collections::HashMap;

use tenferro_graph::{Program, Val};
use tenferro_ops::{DotGeneral, Transpose};

/// One reading of a product. Axis i of what the reader sees is axis `axes[i]` of the product.
pub(crate) struct Reader {
    pub axes: Vec<usize>,
    pub kind: Kind,
}

pub(crate) enum Kind {
    /// As an operand of another product, with these batch and contracted axes.
    Product {
        batch: Vec<usize>,
        contract: Vec<usize>,
    },
    /// As a result of the program.
    Output,
    Other,
}

/// The readers of every product in the program.
pub(crate) fn readers(program: &Program) -> HashMap<Val, Vec<Reader>> {
    let mut found: HashMap<Val, Vec<Reader>> = HashMap::new();
    // Products and their transposes: of which product, with which axes.
    let mut seen: HashMap<Val, (Val, Vec<usize>)> = HashMap::new();
    for step in program.steps() {
        let turned = step.prim.downcast::<Transpose>();
        let dot = step.prim.downcast::<DotGeneral>();
        for (i, a) in step.args.iter().enumerate() {
            let Some((product, axes)) = seen.get(a).cloned() else { continue };
            if let Some(t) = turned {
                seen.insert(step.out(0), (product, t.axes.iter().map(|i| axes[*i]).collect()));
                continue;
            }
            let kind = match (dot, i) {
                (Some(d), 0) => Kind::Product { batch: d.lhs_batch.clone(), contract: d.lhs_contract.clone() },
                (Some(d), _) => Kind::Product { batch: d.rhs_batch.clone(), contract: d.rhs_contract.clone() },
                (None, _) => Kind::Other,
            };
            found.entry(product).or_default().push(Reader { axes, kind });
        }
        if dot.is_some() {
            let out = step.out(0);
            seen.insert(out, (out, (0..program.aval(out).rank()).collect()));
        }
    }
    for v in program.outputs() {
        if let Some((product, axes)) = seen.get(v).cloned() {
            found.entry(product).or_default().push(Reader { axes, kind: Kind::Output });
        }
    }
    found
}
