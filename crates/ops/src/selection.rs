//! What an index selects: along each axis a span, an element or an array of numbers; and
//! where the axes of the result come from.

use tenferro_graph::{DType, Dim, Error, Result, Shape, Tensor, Value};

use crate::index::{Index, Span, element, span};
use crate::reverse::reverse;
use crate::take::{OutOfBounds, normalise_index, take_rows};
use crate::{add, broadcast_shapes, broadcast_to, constant, mul, reshape, slice, transpose};

/// One entry of an index that may hold arrays.
#[derive(Clone, Debug)]
pub enum IndexEntry<V> {
    Basic(Index),
    /// Integers of any shape.
    Array(V),
    /// A bool array whose data are known, as long as the axes it stands for; without axes it keeps
    /// all or nothing.
    Mask(Tensor),
}

/// What is taken along one axis of x.
pub(crate) enum Along<V> {
    At(usize),
    Span(Span),
    /// int64 numbers inside.
    Array(V),
}

/// An index, matched with the axes of x.
pub(crate) struct Selection<V> {
    pub along: Vec<Along<V>>,
    /// Axes of the result that are not the arrays': of x, or new.
    kept: Vec<Option<usize>>,
    /// The arrays' common shape and the place of its axes among the kept ones.
    block: Option<(Shape, usize)>,
}

/// Axes that an entry uses up.
fn width<V: Value>(entry: &IndexEntry<V>) -> usize {
    match entry {
        IndexEntry::Basic(Index::NewAxis | Index::Ellipsis) => 0,
        IndexEntry::Mask(m) => m.rank(),
        _ => 1,
    }
}

fn mask_of<V: Value>(context: &V, mask: &Tensor, shape: &[Dim], axis: usize) -> Result<Vec<V>> {
    let holds = mask.to_vec::<bool>().ok_or_else(|| Error::dtype("index", format!("a mask must be bool, got {}", mask.dtype())))?;
    for (k, (n, d)) in mask.shape().iter().zip(shape).enumerate() {
        if d.as_const() != Some(*n) {
            let text = format!("a mask of shape {} does not fit: axis {} has size {d}", Shape::from(mask.shape()), axis + k);
            return Err(Error::index("index", text));
        }
    }
    let mut numbers: Vec<Vec<i64>> = vec![vec![]; mask.rank()];
    for (i, _) in holds.iter().enumerate().filter(|(_, h)| **h) {
        let mut rest = i;
        for (a, n) in mask.shape().iter().enumerate().rev() {
            numbers[a].push((rest % n) as i64);
            rest /= n;
        }
    }
    numbers.iter().map(|v| constant(context, Tensor::from_slice(&[v.len()], v)?)).collect()
}

/// x and an index without bools that have no axes: each is an array of numbers, of nothing or of
/// one, along a new axis of length 1.
pub(crate) fn without_flags<V: Value>(x: &V, index: &[IndexEntry<V>]) -> Result<(V, Vec<IndexEntry<V>>)> {
    let flag = |e: &IndexEntry<V>| if let IndexEntry::Mask(m) = e { m.rank() == 0 } else { false };
    if !index.iter().any(flag) {
        return Ok((x.clone(), index.to_vec()));
    }
    let mut shape = x.aval().shape;
    let rest = rest_of(index, shape.rank())?;
    let (mut axis, mut entries) = (0, vec![]);
    for e in index {
        match e {
            IndexEntry::Mask(m) if m.rank() == 0 => {
                let one = m.to_vec::<bool>().is_some_and(|holds| holds == [true]);
                shape.insert(axis, Dim::Const(1));
                entries.push(IndexEntry::Array(constant(x, Tensor::from_slice(&[usize::from(one)], &[0_i64][..usize::from(one)])?)?));
                axis += 1;
            }
            IndexEntry::Basic(Index::Ellipsis) => {
                entries.push(e.clone());
                axis += rest;
            }
            e => {
                entries.push(e.clone());
                axis += width(e);
            }
        }
    }
    Ok((reshape(x, &shape)?, entries))
}

/// The axes that the ellipsis stands for; missing entries are whole axes at the end.
fn rest_of<V: Value>(index: &[IndexEntry<V>], rank: usize) -> Result<usize> {
    let used: usize = index.iter().map(width).sum();
    if used > rank {
        return Err(Error::index("index", format!("{used} indices for {rank} axes")));
    }
    if index.iter().filter(|e| matches!(e, IndexEntry::Basic(Index::Ellipsis))).count() > 1 {
        return Err(Error::index("index", "more than one ellipsis"));
    }
    Ok(rank - used)
}

impl<V: Value> Selection<V> {
    /// # Errors
    /// `Index` for too many entries, an element past the end, or a mask of another shape;
    /// `DType` for arrays that are not integers, and for masks without data.
    pub fn new(x: &V, index: &[IndexEntry<V>]) -> Result<Self> {
        let shape = x.aval().shape;
        let rest = rest_of(index, shape.rank())?;
        let arrays = index.iter().any(|e| !matches!(e, IndexEntry::Basic(_)));
        let mut s = Self { along: vec![], kept: vec![], block: None };
        // NumPy puts the arrays' axes where they stand if they stand together, integers
        // among them; otherwise first.
        let (mut apart, mut last) = (false, None);
        for (position, entry) in index.iter().enumerate() {
            let axis = s.along.len();
            let advanced = arrays && matches!(entry, IndexEntry::Array(_) | IndexEntry::Mask(_) | IndexEntry::Basic(Index::At(_)));
            if advanced {
                apart |= last.is_some_and(|p| p + 1 != position);
                last = Some(position);
                let place = s.kept.len();
                s.block.get_or_insert_with(|| (Shape::scalar(), place));
            }
            match entry {
                IndexEntry::Basic(Index::NewAxis) => s.kept.push(None),
                IndexEntry::Basic(Index::Ellipsis) => s.whole(&shape, rest),
                IndexEntry::Basic(Index::At(i)) => s.along.push(Along::At(element(&shape[axis], axis, *i)?)),
                IndexEntry::Basic(Index::Range { start, stop, step }) => {
                    s.kept.push(Some(axis));
                    s.along.push(Along::Span(span(&shape[axis], axis, (*start, *stop, *step))?));
                }
                IndexEntry::Array(i) => s.array(normalised(i, axis, &shape[axis])?)?,
                IndexEntry::Mask(m) => mask_of(x, m, &shape[axis..], axis)?.into_iter().try_for_each(|i| s.array(i))?,
            }
        }
        s.whole(&shape, shape.rank() - s.along.len());
        if let Some((_, place)) = s.block.as_mut().filter(|_| apart) {
            *place = 0;
        }
        Ok(s)
    }

    fn whole(&mut self, shape: &Shape, count: usize) {
        for _ in 0..count {
            let axis = self.along.len();
            self.kept.push(Some(axis));
            self.along.push(Along::Span(Span::whole(&shape[axis])));
        }
    }

    fn array(&mut self, i: V) -> Result<()> {
        if let Some((block, _)) = &mut self.block {
            *block = broadcast_shapes("index", block, &i.aval().shape)?;
        }
        self.along.push(Along::Array(i));
        Ok(())
    }

    pub fn is_basic(&self) -> bool {
        self.block.is_none()
    }

    pub fn spans(&self, shape: &Shape) -> Vec<Span> {
        let of = |(a, d): (&Along<V>, &Dim)| match a {
            Along::At(i) => Span::one(*i),
            Along::Span(s) => s.clone(),
            Along::Array(_) => Span::whole(d),
        };
        self.along.iter().zip(shape.iter()).map(of).collect()
    }

    /// The axes that spans turn round.
    pub fn turned(&self) -> Vec<usize> {
        let turned = |a: &Along<V>| matches!(a, Along::Span(s) if s.reversed);
        (0..self.along.len()).filter(|a| turned(&self.along[*a])).collect()
    }

    /// The spans of x; axes of elements have length 1, those of arrays are whole.
    fn part(&self, x: &V) -> Result<V> {
        let spans = self.spans(&x.aval().shape);
        let starts: Vec<usize> = spans.iter().map(|s| s.start).collect();
        let limits: Vec<Dim> = spans.iter().map(|s| s.limit.clone()).collect();
        let steps: Vec<usize> = spans.iter().map(|s| s.step).collect();
        reverse(&slice(x, &starts, &limits, &steps)?, &self.turned())
    }

    /// The selected part of `x`.
    pub fn read(&self, x: &V) -> Result<V> {
        let part = self.part(x)?;
        let lengths = part.aval().shape;
        let Some((block, place)) = &self.block else {
            let shape: Vec<Dim> = self.kept.iter().map(|k| k.map_or(Dim::Const(1), |axis| lengths[axis].clone())).collect();
            return reshape(&part, &shape);
        };
        let (arrays, others): (Vec<usize>, Vec<usize>) = (0..lengths.rank()).partition(|a| matches!(self.along[*a], Along::Array(_)));
        let spans = others.iter().filter(|a| matches!(self.along[**a], Along::Span(_))).map(|a| lengths[*a].clone());
        let rows = arrays.iter().fold(Dim::Const(1), |n, a| &n * &lengths[*a]);
        let shape: Vec<Dim> = std::iter::once(rows).chain(spans).collect();
        let order: Vec<usize> = arrays.iter().chain(&others).copied().collect();
        let table = reshape(&transpose(&part, &order)?, &shape)?;
        let y = take_rows(&table, &self.numbers(&arrays, &lengths, block)?)?;
        // The arrays' axes go behind the spans that precede them.
        let before = self.kept[..*place].iter().flatten().count();
        let b = block.rank();
        let order: Vec<usize> = (b..b + before).chain(0..b).chain(b + before..y.aval().rank()).collect();
        let y = transpose(&y, &order)?;
        reshape(&y, &self.shape(&lengths))
    }

    /// The arrays as one array of numbers into their axes flattened.
    fn numbers(&self, axes: &[usize], lengths: &Shape, block: &Shape) -> Result<V> {
        let mut sum: Option<V> = None;
        for axis in axes {
            let Along::Array(i) = &self.along[*axis] else { continue };
            sum = Some(match sum {
                None => i.clone(),
                Some(before) => add(&mul(&before, &constant(i, number(&lengths[*axis])?)?)?, i)?,
            });
        }
        let sum = sum.ok_or_else(|| Error::program("index: a block without arrays"))?;
        broadcast_to(&sum, block.clone())
    }

    /// The shape of the result, from the lengths of the spans.
    pub fn shape(&self, lengths: &Shape) -> Shape {
        let length = |k: &Option<usize>| k.map_or(Dim::Const(1), |axis| lengths[axis].clone());
        let (block, place) = self.block.as_ref().map_or((Shape::scalar(), 0), |(b, p)| (b.clone(), *p));
        let (before, after) = self.kept.split_at(place);
        before.iter().map(length).chain(block.iter().cloned()).chain(after.iter().map(length)).collect()
    }

    /// A value of the result's shape with the arrays' axes first, then those of the spans.
    pub fn block_first(&self, y: &V, lengths: &Shape) -> Result<V> {
        let (block, place) = self.block.as_ref().map_or((Shape::scalar(), 0), |(b, p)| (b.clone(), *p));
        let (b, rank) = (block.rank(), y.aval().rank());
        let order: Vec<usize> = (place..place + b).chain(0..place).chain(place + b..rank).collect();
        let spans = self.kept.iter().flatten().map(|axis| lengths[*axis].clone());
        let shape: Vec<Dim> = block.iter().cloned().chain(spans).collect();
        reshape(&transpose(y, &order)?, &shape)
    }

    pub fn block(&self) -> Shape {
        self.block.as_ref().map_or_else(Shape::scalar, |(b, _)| b.clone())
    }
}

/// A size as an int64 scalar.
pub(crate) fn number(d: &Dim) -> Result<Tensor> {
    let n = d.as_const().ok_or_else(|| Error::index("index", format!("several arrays need numeric sizes, got {d}")))?;
    Ok(Tensor::scalar(n as i64))
}

fn normalised<V: Value>(i: &V, axis: usize, size: &Dim) -> Result<V> {
    if i.aval().dtype == DType::Bool {
        let text = "the size of the result of a mask depends on its data, which a traced mask does not have; \
                    use where(mask, x, y), or nonzero(mask, size=)";
        return Err(Error::value("index", text));
    }
    normalise_index(i, axis, size, OutOfBounds::Raise)
}

/// `x[index]` with NumPy's rules for arrays among slices.
///
/// # Errors
/// `Index` for too many entries, an element past the end, or a mask of another shape; `DType`
/// for arrays that are not integers; `Value` for masks without data. Array entries outside
/// are `Index` errors when it runs.
pub fn index<V: Value>(x: &V, entries: &[IndexEntry<V>]) -> Result<V> {
    let (x, entries) = without_flags(x, entries)?;
    Selection::new(&x, &entries)?.read(&x)
}
