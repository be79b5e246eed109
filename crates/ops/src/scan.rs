//! Tangents of running reductions, and products of groups: the scan of an associative function of tuples, in log n
//! levels of slices and elementwise ops, which differentiate on.

use tenferro_graph::{Dim, Error, Result, Value};

use crate::binary::weight;
use crate::reshape::reshape;
use crate::slice::{concatenate, slice, slice_axis};
use crate::{Cumulative, CumulativeOp, Expr};

/// What is scanned: a value, its tangent, and what else the function needs.
type Tuple<'b> = Vec<Expr<'b>>;

/// The tangent of a running reduction of x along t.
pub(crate) fn scan_tangent<'b>(p: &Cumulative, x: Expr<'b>, t: Expr<'b>) -> Result<Expr<'b>> {
    let n = x.aval().shape[p.axis].as_const();
    let n = n.ok_or_else(|| Error::shape(p.op.name(), "the derivative needs a numeric size of the axis"))?;
    let scan = Scan { axis: p.axis, reverse: p.reverse, join: &|a, b| join(p.op, a, b) };
    if matches!(p.op, CumulativeOp::Sum | CumulativeOp::Prod) {
        return Ok(scan.run(&[x, t], n)?[1]);
    }
    // How many elements share the tangent.
    let y = scan.run(&[x, t, x.full_like(1.0)], n)?;
    Ok(if p.op == CumulativeOp::LogSumExp { y[1] } else { y[1] / y[2] })
}

fn join<'b>(op: CumulativeOp, a: &[Expr<'b>], b: &[Expr<'b>]) -> Tuple<'b> {
    let (x, t, y, u) = (a[0], a[1], b[0], b[1]);
    match op {
        CumulativeOp::Sum => vec![x + y, t + u],
        CumulativeOp::Prod => vec![x * y, t * y + x * u],
        CumulativeOp::LogSumExp => {
            // Infinities share equally; of finite numbers the counts have no say.
            let n = a[2] + b[2];
            let slope = t * weight(x, y, a[2] / n) + u * weight(y, x, b[2] / n);
            vec![x.logaddexp(y), slope, extreme(x.gt(y), a, b)(2)]
        }
        CumulativeOp::Max => shared(x.maximum(y), extreme(x.gt(y), a, b)),
        CumulativeOp::Min => shared(x.minimum(y), extreme(x.lt(y), a, b)),
    }
}

/// Sums over the elements that attain the extreme, a[0] where it `wins`: of their parts i.
fn extreme<'b>(wins: Expr<'b>, a: &[Expr<'b>], b: &[Expr<'b>]) -> impl Fn(usize) -> Expr<'b> {
    let tie = a[0].eq(b[0]);
    move |i| wins.select(a[i], tie.select(a[i] + b[i], b[i]))
}

/// An extreme, tangent and number of the elements that attain it.
fn shared<'b>(z: Expr<'b>, of_extreme: impl Fn(usize) -> Expr<'b>) -> Tuple<'b> {
    vec![z, of_extreme(1), of_extreme(2)]
}

/// A scan along an axis, from its end if `reverse`.
pub(crate) struct Scan<'a, 'b> {
    pub axis: usize,
    pub reverse: bool,
    pub join: &'a dyn Fn(&[Expr<'b>], &[Expr<'b>]) -> Tuple<'b>,
}

impl<'b> Scan<'_, 'b> {
    /// Pairs of neighbours are joined and scanned, which gives every other element; those in
    /// between follow from their predecessors.
    pub fn run(&self, x: &[Expr<'b>], n: usize) -> Result<Tuple<'b>> {
        if n < 2 {
            return Ok(x.to_vec());
        }
        let (half, evens) = (n / 2, n.div_ceil(2));
        let (even, odd) = (self.every_other(x, n, 0)?, self.every_other(x, n, 1)?);
        let odd = self.run(&(self.join)(&self.first(&even, evens, half)?, &odd), half)?;
        let before = self.first(&odd, half, evens - 1)?;
        let rest = (self.join)(&before, &self.last(&even, evens, evens - 1)?);
        let mut out = vec![];
        for (i, o) in odd.iter().enumerate() {
            let start = self.first(&even[i..=i], evens, 1)?[0];
            out.push(self.interleaved(&self.chain(start, rest[i])?, o, n)?);
        }
        Ok(out)
    }

    /// The first `k` of `n` in the order of the scan.
    fn first(&self, x: &[Expr<'b>], n: usize, k: usize) -> Result<Tuple<'b>> {
        let from = if self.reverse { n - k } else { 0 };
        x.iter().map(|x| slice_axis(x, self.axis, from, from + k)).collect()
    }

    fn last(&self, x: &[Expr<'b>], n: usize, k: usize) -> Result<Tuple<'b>> {
        let from = if self.reverse { 0 } else { n - k };
        x.iter().map(|x| slice_axis(x, self.axis, from, from + k)).collect()
    }

    /// Elements `start`, `start + 2`, … in the order of the scan.
    fn every_other(&self, x: &[Expr<'b>], n: usize, start: usize) -> Result<Tuple<'b>> {
        let from = if self.reverse { (n - 1 - start) % 2 } else { start };
        let part = |x: &Expr<'b>| {
            let shape = x.aval().shape;
            let (mut starts, mut steps) = (vec![0; shape.rank()], vec![1; shape.rank()]);
            (starts[self.axis], steps[self.axis]) = (from, 2);
            slice(x, &starts, &shape, &steps)
        };
        x.iter().map(part).collect()
    }

    /// `a` and then `b` in the order of the scan.
    fn chain(&self, a: Expr<'b>, b: Expr<'b>) -> Result<Expr<'b>> {
        concatenate(&if self.reverse { [b, a] } else { [a, b] }, self.axis as isize)
    }

    /// Even and odd elements of `n` in turn.
    fn interleaved(&self, even: &Expr<'b>, odd: &Expr<'b>, n: usize) -> Result<Expr<'b>> {
        let (half, evens) = (n / 2, n.div_ceil(2));
        let paired = self.first(std::slice::from_ref(even), evens, half)?[0];
        let pair = if self.reverse { [*odd, paired] } else { [paired, *odd] };
        let mut shape = odd.aval().shape;
        let both = crate::stack(&pair, self.axis as isize + 1)?;
        shape.set(self.axis, Dim::Const(2 * half));
        let both = reshape(&both, &shape)?;
        if half == evens {
            return Ok(both);
        }
        self.chain(both, self.last(std::slice::from_ref(even), evens, 1)?[0])
    }
}
