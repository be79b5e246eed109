//! Copies of an array with a selected part changed.

use tenferro_graph::{DType, Dim, Error, Result, Shape, Tensor, Value, with_element};

use crate::dynamic::put_box;
use crate::emit::apply;
use crate::reverse::reverse;
use crate::scatter::{ScatterOp, scatter_rows};
use crate::selection::{Along, IndexEntry, Selection, without_flags};
use crate::{Pad, add, broadcast_to, cast, constant, div, maximum, minimum, mul, neg, ones_like, pow, reshape, select};

/// How updates meet the selected part. Elements that an index array selects several times
/// meet all of their updates; of `Set`, the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtOp {
    Set,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
}

impl AtOp {
    fn name(self) -> &'static str {
        match self {
            Self::Set => "at.set",
            Self::Add => "at.add",
            Self::Subtract => "at.subtract",
            Self::Multiply => "at.multiply",
            Self::Divide => "at.divide",
            Self::Power => "at.power",
            Self::Min => "at.min",
            Self::Max => "at.max",
        }
    }

    fn on<V: Value>(self, x: &V, u: &V) -> Result<V> {
        match self {
            Self::Set => Ok(u.clone()),
            Self::Add => add(x, u),
            Self::Subtract => add(x, &neg(u)?),
            Self::Multiply => mul(x, u),
            Self::Divide => div(x, u),
            Self::Power => pow(x, u),
            Self::Min => minimum(x, u),
            Self::Max => maximum(x, u),
        }
    }
}

/// Updates in x's dtype, if that keeps their kind.
fn fitted<V: Value>(op: AtOp, x: &V, u: &V) -> Result<V> {
    let kind = |d: DType| [d != DType::Bool, d.is_inexact(), d.is_complex()].into_iter().filter(|b| *b).count();
    let (to, from) = (x.aval().dtype, u.aval().dtype);
    if kind(from) > kind(to) || (from.is_signed() && to.is_unsigned()) {
        return Err(Error::dtype(op.name(), format!("updates are {from} and the array {to}; cast one")));
    }
    if op == AtOp::Divide && !to.is_inexact() {
        return Err(Error::dtype(op.name(), format!("quotients are not {to}; cast the array to a float dtype")));
    }
    cast(u, to)
}

/// `x` with the part `x[index]` changed by `updates`, which are broadcast to its shape.
///
/// # Errors
/// As [`index`](crate::index()); `DType` where x's dtype cannot hold the updates; `Shape`
/// where they do not broadcast.
pub fn at<V: Value>(x: &V, index: &[IndexEntry<V>], op: AtOp, updates: &V) -> Result<V> {
    let u = fitted(op, x, updates)?;
    if let [IndexEntry::Array(mask)] = index
        && mask.aval().dtype == DType::Bool
        && u.aval().rank() == 0
    {
        return masked(x, mask, &op.on(x, &u)?);
    }
    let shape = x.aval().shape;
    let (x, index) = without_flags(x, index)?;
    reshape(&changed(&x, &Selection::new(&x, &index)?, op, &u)?, &shape)
}

fn changed<V: Value>(x: &V, s: &Selection<V>, op: AtOp, u: &V) -> Result<V> {
    if s.is_basic() {
        let new = if op == AtOp::Set { u.clone() } else { op.on(&s.read(x)?, u)? };
        return put(x, s, &new);
    }
    match op {
        AtOp::Set => scattered(x, s, ScatterOp::Set, u),
        AtOp::Add => scattered(x, s, ScatterOp::Add, u),
        AtOp::Subtract => scattered(x, s, ScatterOp::Add, &neg(u)?),
        AtOp::Multiply => scattered(x, s, ScatterOp::Mul, u),
        AtOp::Min => scattered(x, s, ScatterOp::Min, u),
        AtOp::Max => scattered(x, s, ScatterOp::Max, u),
        AtOp::Divide => div(x, &scattered(&ones_like(x)?, s, ScatterOp::Mul, u)?),
        AtOp::Power => pow(x, &scattered(&ones_like(x)?, s, ScatterOp::Mul, u)?),
    }
}

/// `x` with `f` of the part `x[index]` in its place.
///
/// # Errors
/// As [`at`], and those of `f`.
pub fn at_apply<V: Value>(x: &V, index: &[IndexEntry<V>], f: impl FnOnce(&V) -> Result<V>) -> Result<V> {
    let shape = x.aval().shape;
    let (x, index) = without_flags(x, index)?;
    let s = Selection::new(&x, &index)?;
    let new = fitted(AtOp::Set, &x, &f(&s.read(&x)?)?)?;
    let y = if s.is_basic() { put(&x, &s, &new)? } else { scattered(&x, &s, ScatterOp::Set, &new)? };
    reshape(&y, &shape)
}

/// A mask whose data are not known can choose between whole arrays.
fn masked<V: Value>(x: &V, mask: &V, new: &V) -> Result<V> {
    let (shape, mut of_mask) = (x.aval().shape, mask.aval().shape);
    if of_mask.rank() > shape.rank() || of_mask.iter().zip(shape.iter()).any(|(a, b)| a != b) {
        return Err(Error::index("index", format!("a mask of shape {of_mask} does not fit an array of shape {shape}")));
    }
    (of_mask.rank()..shape.rank()).for_each(|_| of_mask.push(Dim::Const(1)));
    select(&reshape(mask, &of_mask)?, new, x)
}

fn lengths<V: Value>(s: &Selection<V>, shape: &Shape) -> Result<Shape> {
    let length = |span: crate::index::Span| match (span.numbers(), span) {
        (Some(n), _) => Ok(Dim::Const(n.len())),
        (None, span) if span.start == 0 && span.step == 1 => Ok(span.limit),
        _ => Err(Error::index("index", format!("updates need numeric sizes, got {shape}"))),
    };
    s.spans(shape).into_iter().map(length).collect()
}

/// `x` with `new` in place of a part made of spans.
fn put<V: Value>(x: &V, s: &Selection<V>, new: &V) -> Result<V> {
    let shape = x.aval().shape;
    let lengths = lengths(s, &shape)?;
    let part = reshape(&broadcast_to(new, s.shape(&lengths))?, &lengths)?;
    let part = reverse(&part, &s.turned())?;
    if lengths == shape || lengths.contains(&Dim::Const(0)) {
        return if lengths == shape { Ok(part) } else { Ok(x.clone()) };
    }
    let spans = s.spans(&shape);
    let low: Vec<usize> = spans.iter().map(|s| s.start).collect();
    if spans.iter().all(|s| s.step == 1) {
        return put_box(x, &part, &low);
    }
    let mut high = vec![];
    for (span, (n, d)) in spans.iter().zip(lengths.iter().zip(shape.iter())) {
        let end = (n.as_const().zip(d.as_const())).map(|(n, d)| d - (span.start + (n - 1) * span.step + 1));
        high.push(end.ok_or_else(|| Error::index("index", format!("updates need numeric sizes, got {shape}")))?);
    }
    let interior: Vec<usize> = spans.iter().map(|s| s.step - 1).collect();
    let pad = Pad { low, high, interior };
    let yes = broadcast_to(&constant(x, Tensor::scalar(true))?, lengths)?;
    let inside = apply(pad.clone(), &yes, &[&constant(x, Tensor::scalar(false))?])?;
    let zero = constant(x, with_element!(x.aval().dtype, T => Tensor::scalar(T::default())))?;
    select(&inside, &apply(pad, &part, &[&zero])?, x)
}

/// `x` with updates brought into a part that arrays select.
fn scattered<V: Value>(x: &V, s: &Selection<V>, op: ScatterOp, updates: &V) -> Result<V> {
    let shape = x.aval().shape;
    let lengths = lengths(s, &shape)?;
    let u = s.block_first(&broadcast_to(updates, s.shape(&lengths))?, &lengths)?;
    // Axes behind the last that is not whole are moved row by row.
    let is_whole = |axis: usize| matches!(&s.along[axis], Along::Span(span) if *span == crate::index::Span::whole(&shape[axis]));
    let lead = (0..shape.rank()).rev().find(|a| !is_whole(*a)).map_or(0, |a| a + 1);
    let rows: Vec<Dim> =
        std::iter::once(shape[..lead].iter().fold(Dim::Const(1), |n, d| &n * d)).chain(shape[lead..].iter().cloned()).collect();
    let numbers = row_numbers(x, s, &shape, &lengths, lead)?;
    reshape(&scatter_rows(op, &reshape(x, &rows)?, &numbers, &u)?, &shape)
}

/// The numbers, in the first `lead` axes flattened, of what is selected there: of the arrays'
/// shape and the spans' lengths.
fn row_numbers<V: Value>(x: &V, s: &Selection<V>, shape: &Shape, lengths: &Shape, lead: usize) -> Result<V> {
    let spans = (0..lead).filter(|a| matches!(s.along[*a], Along::Span(_)));
    let spans: Vec<usize> = spans.collect();
    let block = s.block();
    let whole: Shape = block.iter().cloned().chain(spans.iter().map(|a| lengths[*a].clone())).collect();
    let mut sum: Option<V> = None;
    let mut stride = 1_i64;
    for axis in (0..lead).rev() {
        let term = match &s.along[axis] {
            Along::At(i) => constant(x, Tensor::scalar(*i as i64 * stride))?,
            Along::Array(i) => {
                let i = if stride == 1 { i.clone() } else { mul(i, &constant(x, Tensor::scalar(stride))?)? };
                let mut to: Vec<Dim> = i.aval().shape.to_vec();
                to.resize(to.len() + spans.len(), Dim::Const(1));
                reshape(&i, &to)?
            }
            Along::Span(span) => {
                let n = span.numbers().ok_or_else(|| Error::index("index", format!("updates need numeric sizes, got {shape}")))?;
                let n: Vec<i64> = n.into_iter().map(|k| k as i64 * stride).collect();
                let behind = spans.iter().filter(|a| **a > axis).count();
                let mut to = vec![n.len()];
                to.resize(1 + behind, 1);
                constant(x, Tensor::from_slice(&to, &n)?)?
            }
        };
        sum = Some(sum.map_or_else(|| Ok(term.clone()), |sum| add(&sum, &term))?);
        if axis > 0 {
            let n = shape[axis].as_const().ok_or_else(|| Error::index("index", format!("updates need numeric sizes, got {shape}")))?;
            stride *= n as i64;
        }
    }
    let sum = sum.ok_or_else(|| Error::program("at: nothing is selected"))?;
    broadcast_to(&sum, whole)
}
