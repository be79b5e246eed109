//! Contractions of two arrays.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Shape, Val, Value};

use crate::emit::{Class, Tangents, apply};
use crate::{Expr, RuleExt, broadcast_shapes, broadcast_to, reshape, transpose};

/// Σ over the contracted axes of lhs · rhs (no conjugation), pairing `lhs_batch`
/// with `rhs_batch` and `lhs_contract` with `rhs_contract`. Output axes: batch, free
/// axes of lhs, free axes of rhs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotGeneral {
    pub lhs_batch: Vec<usize>,
    pub rhs_batch: Vec<usize>,
    pub lhs_contract: Vec<usize>,
    pub rhs_contract: Vec<usize>,
}

fn free(rank: usize, batch: &[usize], contract: &[usize]) -> Vec<usize> {
    (0..rank).filter(|a| !batch.contains(a) && !contract.contains(a)).collect()
}

impl DotGeneral {
    fn check_axes(&self, x: &[Aval]) -> Result<()> {
        let sides = [(&x[0], &self.lhs_batch, &self.lhs_contract), (&x[1], &self.rhs_batch, &self.rhs_contract)];
        for (aval, batch, contract) in sides {
            let mut axes: Vec<usize> = batch.iter().chain(contract).copied().collect();
            if let Some(a) = axes.iter().find(|a| **a >= aval.rank()) {
                return Err(Error::index("dot_general", format!("axis {a} is out of range for shape {}", aval.shape)));
            }
            axes.sort_unstable();
            if axes.windows(2).any(|w| w[0] == w[1]) {
                return Err(Error::value("dot_general", format!("an axis of {} is named twice", aval.shape)));
            }
        }
        if self.lhs_batch.len() != self.rhs_batch.len() || self.lhs_contract.len() != self.rhs_contract.len() {
            return Err(Error::value("dot_general", "both sides need as many batch and contracted axes"));
        }
        Ok(())
    }

    /// The cotangent of one side: ct contracted with the other side's free axes, then
    /// axes put back where that side has them.
    fn cotangent<'b>(&self, r: Rule<'b>, ct: Expr<'b>, side: usize) -> Expr<'b> {
        let (batch, contract) = ([&self.lhs_batch, &self.rhs_batch], [&self.lhs_contract, &self.rhs_contract]);
        let other = 1 - side;
        let frees = [0, 1].map(|i| free(r.avals[i].rank(), batch[i], contract[i]));
        let n = batch[0].len();
        let start = if side == 0 { n + frees[0].len() } else { n };
        let prim = Self {
            lhs_batch: (0..n).collect(),
            rhs_batch: batch[other].clone(),
            lhs_contract: (start..start + frees[other].len()).collect(),
            rhs_contract: frees[other].clone(),
        };
        let product = ct.keep(apply(prim, &ct, &[&r.x(other).conj()]));
        // Its axes are: batch, free of this side, then the contracted ones as the other side orders them.
        let mut pairs: Vec<usize> = (0..contract[side].len()).collect();
        pairs.sort_by_key(|i| contract[other][*i]);
        let places = batch[side].iter().chain(&frees[side]).copied().chain(pairs.iter().map(|i| contract[side][*i]));
        let mut axes = vec![0; r.avals[side].rank()];
        for (i, place) in places.enumerate() {
            axes[place] = i;
        }
        product.keep(transpose(&product, &axes))
    }
}

impl Primitive for DotGeneral {
    fn name(&self) -> &'static str {
        "dot_general"
    }

    fn infer(&self, x: &[Aval], g: &mut Guards) -> Result<Vec<Aval>> {
        let [l, r] = x else {
            return Err(Error::program(format!("dot_general: takes 2 inputs, got {}", x.len())));
        };
        if l.dtype != r.dtype {
            return Err(Error::dtype("dot_general", format!("dtypes {} and {} differ; cast one", l.dtype, r.dtype)));
        }
        Class::Number.check("dot_general", l.dtype)?;
        self.check_axes(x)?;
        let pairs = [("batch", &self.lhs_batch, &self.rhs_batch), ("contracted", &self.lhs_contract, &self.rhs_contract)];
        for (what, left, right) in pairs {
            if left.iter().zip(right).any(|(a, b)| !g.equal(&l.shape[*a], &r.shape[*b])) {
                return Err(Error::shape("dot_general", format!("{what} sizes differ, {} and {}", l.shape, r.shape)));
            }
        }
        let lf = free(l.rank(), &self.lhs_batch, &self.lhs_contract);
        let rf = free(r.rank(), &self.rhs_batch, &self.rhs_contract);
        let left = self.lhs_batch.iter().chain(&lf).map(|a| &l.shape[*a]);
        let shape: Shape = left.chain(rf.iter().map(|a| &r.shape[*a])).cloned().collect();
        Ok(vec![Aval { dtype: l.dtype, shape }])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        let left = t[0].map(|t| r.b.emit_one(self.clone().into(), &[t, r.inputs[1]]));
        let right = t[1].map(|t| r.b.emit_one(self.clone().into(), &[r.inputs[0], t]));
        Ok(vec![match (left, right) {
            (Some(a), Some(b)) => Some((r.expr(a) + r.expr(b)).val()),
            (a, b) => a.or(b),
        }])
    }

    fn transpose(&self, r: Rule<'_>, linear: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let Some(ct) = ct[0].map(|ct| r.expr(ct)) else { return Ok(vec![None, None]) };
        Ok([0, 1].map(|side| linear[side].then(|| self.cotangent(r, ct, side).val())).to_vec())
    }

    fn batch(&self, r: Rule<'_>, batched: &[bool]) -> Result<Vec<(Val, bool)>> {
        let up = |axes: &[usize], by: usize| -> Vec<usize> { axes.iter().map(|a| a + by).collect() };
        let by = [usize::from(batched[0]), usize::from(batched[1])];
        let mut prim = Self {
            lhs_batch: up(&self.lhs_batch, by[0]),
            rhs_batch: up(&self.rhs_batch, by[1]),
            lhs_contract: up(&self.lhs_contract, by[0]),
            rhs_contract: up(&self.rhs_contract, by[1]),
        };
        if batched[0] && batched[1] {
            prim.lhs_batch.insert(0, 0);
            prim.rhs_batch.insert(0, 0);
            return Ok(vec![(r.b.emit_one(prim.into(), r.inputs), true)]);
        }
        // The batch is a free axis of one side; it comes out behind the batch axes, or behind lhs's axes too.
        let lhs_free = r.avals[0].rank() - by[0] - self.lhs_batch.len() - self.lhs_contract.len();
        let at = self.lhs_batch.len() + if batched[0] { 0 } else { lhs_free };
        let out = r.expr(r.b.emit_one(prim.into(), r.inputs));
        let mut axes: Vec<usize> = (0..out.aval().rank()).collect();
        axes.remove(at);
        axes.insert(0, at);
        Ok(vec![(out.keep(transpose(&out, &axes)).val(), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        for axes in [&self.lhs_batch, &self.rhs_batch, &self.lhs_contract, &self.rhs_contract] {
            w.usizes(axes);
        }
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![
            ("batch", format!("{:?}x{:?}", self.lhs_batch, self.rhs_batch)),
            ("contract", format!("{:?}x{:?}", self.lhs_contract, self.rhs_contract)),
        ]
    }
}

/// [`DotGeneral`] on arrays whose dtypes promote; of bool, whether some pair holds.
pub fn dot_general<V: Value>(l: &V, r: &V, contract: (&[usize], &[usize]), batch: (&[usize], &[usize])) -> Result<V> {
    let dtype = l.aval().dtype.promote(r.aval().dtype);
    let prim = DotGeneral {
        lhs_batch: batch.0.to_vec(),
        rhs_batch: batch.1.to_vec(),
        lhs_contract: contract.0.to_vec(),
        rhs_contract: contract.1.to_vec(),
    };
    if dtype == DType::Bool {
        let counted = apply(prim, &crate::cast(l, DType::I64)?, &[&crate::cast(r, DType::I64)?])?;
        return crate::cast(&counted, DType::Bool);
    }
    apply(prim, &crate::cast(l, dtype)?, &[&crate::cast(r, dtype)?])
}

/// NumPy's `matmul`: the last two axes are matrices, leading axes broadcast; a 1-D
/// argument is a row on the left, a column on the right, and loses that axis again.
pub fn matmul<V: Value>(l: &V, r: &V) -> Result<V> {
    let (a, b) = (l.aval().shape, r.aval().shape);
    if a.is_empty() || b.is_empty() {
        return Err(Error::shape("matmul", format!("needs at least 1 axis on both sides, got {a} and {b}")));
    }
    let contracted = (&a[a.rank() - 1], &b[b.rank().saturating_sub(2)]);
    if let (Dim::Const(x), Dim::Const(y)) = contracted
        && x != y
    {
        return Err(Error::shape("matmul", format!("contracted sizes differ, {a} and {b}")));
    }
    if a.rank() <= 2 && b.rank() <= 2 {
        return dot_general(l, r, (&[a.rank() - 1], &[b.rank().saturating_sub(2)]), (&[], &[]));
    }
    if b.rank() <= 2 {
        return dot_general(l, r, (&[a.rank() - 1], &[b.rank().saturating_sub(2)]), (&[], &[]));
    }
    let row: Shape = std::iter::once(Dim::Const(1)).chain(a.iter().cloned()).collect();
    if a.rank() == 1 {
        let out = matmul(&reshape(l, &row)?, r)?;
        let mut shape = out.aval().shape;
        shape.remove(shape.rank() - 2);
        return reshape(&out, &shape);
    }
    let batch = broadcast_shapes("matmul", &Shape::from(&a[..a.rank() - 2]), &Shape::from(&b[..b.rank() - 2]))?;
    let with = |s: &Shape| -> Shape { batch.iter().chain(&s[s.rank() - 2..]).cloned().collect() };
    let n = batch.rank();
    let axes: Vec<usize> = (0..n).collect();
    dot_general(&broadcast_to(l, with(&a))?, &broadcast_to(r, with(&b))?, (&[n + 1], &[n]), (&axes, &axes))
}
