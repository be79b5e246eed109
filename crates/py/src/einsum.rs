//! Bindings of Einstein summation.

use pyo3::prelude::*;
use tenferro_einsum::{Optimize, Path, Spec};
use tenferro_graph::Value;

use crate::bind::functions;
use crate::errors::PyR;
use crate::operand::{Operand, Out, together};

type Indices = Vec<Option<usize>>;

/// `ij,jk->ik`, or the indices of the operands and of the output.
#[derive(FromPyObject)]
enum Subscripts {
    Text(String),
    Lists(Vec<Indices>, Option<Indices>),
}

impl Subscripts {
    fn spec(&self) -> PyR<Spec> {
        Ok(match self {
            Self::Text(text) => Spec::parse(text)?,
            Self::Lists(operands, output) => Spec::from_indices(operands, output.as_deref())?,
        })
    }
}

/// Whether and how to look for a good order, or the order.
#[derive(FromPyObject)]
enum Order {
    Flag(bool),
    Name(String),
    Path(Path),
}

impl Order {
    fn optimize(self) -> PyR<Optimize> {
        Ok(match self {
            Self::Flag(true) => Optimize::Auto,
            Self::Flag(false) => Optimize::Off,
            Self::Name(name) => Optimize::from_name(&name)?,
            Self::Path(path) => Optimize::Path(path),
        })
    }
}

functions! {
    einsum(subscripts: Subscripts, operands: Vec<Operand>, optimize: Order) -> Out {
        Out(tenferro_einsum::einsum_with(&subscripts.spec()?, &together(operands)?, &optimize.optimize()?)?)
    }
    einsum_path(subscripts: Subscripts, operands: Vec<Operand>, optimize: Order) -> (Path, String) {
        let shapes: Vec<_> = operands.iter().map(|x| x.aval().shape).collect();
        let info = tenferro_einsum::einsum_path(&subscripts.spec()?, &shapes, &optimize.optimize()?)?;
        (info.path.clone(), info.to_string())
    }
}
