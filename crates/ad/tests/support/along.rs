//! Ops along one axis, by their definitions.

use std::cmp::Ordering;

use super::{Arr, c};
use tenferro_graph::{Aval, Complex64, DType, Prim};
use tenferro_ops::*;

fn order(x: Complex64, y: Complex64) -> Ordering {
    let nan = |z: Complex64| (z.re.is_nan(), z.im.is_nan());
    let part = |x: f64, y: f64| x.partial_cmp(&y).unwrap_or(Ordering::Equal);
    nan(x).cmp(&nan(y)).then(part(x.re, y.re)).then(part(x.im, y.im))
}

/// The positions of a line in order; NaN last.
fn positions(line: &[Complex64], descending: bool) -> Vec<usize> {
    let mut at: Vec<usize> = (0..line.len()).collect();
    let nan = |z: Complex64| z.re.is_nan() || z.im.is_nan();
    at.sort_by(|i, j| {
        let (x, y) = (line[*i], line[*j]);
        let o = order(x, y);
        if descending && !nan(x) && !nan(y) { o.reverse() } else { o }
    });
    at
}

fn join(op: CumulativeOp, a: Complex64, b: Complex64) -> Complex64 {
    match op {
        CumulativeOp::Sum => a + b,
        CumulativeOp::Prod => a * b,
        CumulativeOp::Max => c(a.re.max(b.re)),
        CumulativeOp::Min => c(a.re.min(b.re)),
        CumulativeOp::LogSumExp => c((a.re.exp() + b.re.exp()).ln()),
    }
}

impl Arr {
    /// The line along `axis` through `index`.
    fn line(&self, axis: usize, index: &[usize]) -> Vec<Complex64> {
        let at = |k: usize| {
            let mut index = index.to_vec();
            index[axis] = k;
            self.at(&index)
        };
        (0..self.shape[axis]).map(at).collect()
    }
}

pub fn eval(prim: &Prim, x: &[&Arr], out: &Aval) -> Option<Vec<Arr>> {
    let shape: Vec<usize> = out.shape.concrete().expect("numbers").to_vec();
    let make = |dtype: DType, f: &dyn Fn(&[usize]) -> Complex64| Arr::from_fn(dtype, &shape, f);
    let count = |i: usize| c(i as f64);
    if let Some(Cumulative { op, axis, reverse }) = prim.downcast() {
        let fold = |i: &[usize]| {
            let line = x[0].line(*axis, i);
            let part = if *reverse { &line[i[*axis]..] } else { &line[..=i[*axis]] };
            part.iter().copied().reduce(|a, b| join(*op, a, b)).expect("an element")
        };
        return Some(vec![make(out.dtype, &fold)]);
    }
    if let Some(ArgReduce { op, axis }) = prim.downcast() {
        let find = |i: &[usize]| {
            let mut index = i.to_vec();
            index.insert(*axis, 0);
            let line = x[0].line(*axis, &index);
            let nan = line.iter().position(|z| z.re.is_nan() || z.im.is_nan());
            count(nan.unwrap_or_else(|| positions(&line, *op == ArgOp::Max)[0]))
        };
        return Some(vec![make(out.dtype, &find)]);
    }
    if let Some(Sort { axis, descending }) = prim.downcast() {
        let at = |i: &[usize]| positions(&x[0].line(*axis, i), *descending)[i[*axis]];
        return Some(vec![make(out.dtype, &|i| x[0].line(*axis, i)[at(i)])]);
    }
    if let Some(ArgSort { axis, descending }) = prim.downcast() {
        let at = |i: &[usize]| positions(&x[0].line(*axis, i), *descending)[i[*axis]];
        return Some(vec![make(out.dtype, &|i| x[0].line(*axis, i)[at(i)]), make(DType::I64, &|i| count(at(i)))]);
    }
    if let Some(TakeAlong { axis }) = prim.downcast() {
        return Some(vec![make(out.dtype, &|i| x[0].line(*axis, i)[x[1].at(i).re as usize])]);
    }
    if let Some(PutAlong { axis, .. }) = prim.downcast() {
        let total = |i: &[usize]| {
            let pairs = x[0].line(*axis, i).into_iter().zip(x[1].line(*axis, i));
            pairs.filter(|(_, p)| p.re as usize == i[*axis]).map(|(x, _)| x).sum()
        };
        return Some(vec![make(out.dtype, &total)]);
    }
    let SearchSorted { right, batch } = prim.downcast()?;
    let place = |i: &[usize]| {
        let index: Vec<usize> = i[..*batch].iter().copied().chain([0]).collect();
        let before = |z: &Complex64| order(*z, x[1].at(i)) != Ordering::Greater && (*right || order(*z, x[1].at(i)) == Ordering::Less);
        count(x[0].line(*batch, &index).iter().filter(|z| before(z)).count())
    };
    Some(vec![make(out.dtype, &place)])
}
