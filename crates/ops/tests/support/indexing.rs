//! Plain kernels of the indexing primitives.

use tenferro_graph::{DType, Prim};
use tenferro_ops::{Convolve, DynamicSlice, DynamicUpdateSlice, Nonzero, NormaliseIndex, Reverse, Scatter, ScatterOp, Take};

use super::interpreter::{Arr, c, largest};

/// What a primitive of this family gives; `None` for others.
pub fn kernel(prim: &Prim, x: &[&Arr]) -> Option<Arr> {
    if let Some(Reverse { axes }) = prim.downcast() {
        return Some(Arr::from_fn(x[0].dtype, &x[0].shape, |i| {
            let at: Vec<usize> = (0..i.len()).map(|a| if axes.contains(&a) { x[0].shape[a] - 1 - i[a] } else { i[a] }).collect();
            x[0].at(&at)
        }));
    }
    if let Some(NormaliseIndex { axis, size }) = prim.downcast() {
        let n = size.as_const().expect("a number") as f64;
        return Some(x[0].map(|i| {
            assert!(i.re >= -n && i.re < n, "index {} is out of bounds for axis {axis} with size {n}", i.re);
            if i.re < 0.0 { i + n } else { i }
        }));
    }
    if prim.is::<Take>() {
        let shape: Vec<usize> = x[1].shape.iter().chain(&x[0].shape[1..]).copied().collect();
        return Some(Arr::from_fn(x[0].dtype, &shape, |i| {
            let (b, rest) = i.split_at(x[1].shape.len());
            let row = (x[1].at(b).re.max(0.0) as usize).min(x[0].shape[0] - 1);
            x[0].at(&[&[row], rest].concat())
        }));
    }
    if let Some(Scatter(op)) = prim.downcast() {
        return Some(scatter(*op, x));
    }
    if let Some(Nonzero { size }) = prim.downcast() {
        let (n, batch) = x[0].shape.split_last().expect("an axis");
        let shape = [batch, &[*size]].concat();
        return Some(Arr::from_fn(DType::I64, &shape, |i| {
            let (k, lead) = i.split_last().expect("an axis");
            let mut places = (0..*n).filter(|j| x[0].at(&[lead, &[*j]].concat()).re != 0.0);
            c(places.nth(*k).unwrap_or(*n) as f64)
        }));
    }
    if prim.is::<Convolve>() {
        return Some(convolve(x));
    }
    boxes(prim, x)
}

fn scatter(op: ScatterOp, x: &[&Arr]) -> Arr {
    let mut out = x[0].clone();
    let row: usize = x[0].shape[1..].iter().product();
    for (k, i) in x[1].data.iter().enumerate() {
        if i.re < 0.0 || i.re >= x[0].shape[0] as f64 {
            continue;
        }
        for j in 0..row {
            let (at, u) = (i.re as usize * row + j, x[2].data[k * row + j]);
            let y = out.data[at];
            out.data[at] = match op {
                ScatterOp::Set => u,
                ScatterOp::Add => y + u,
                ScatterOp::Mul => y * u,
                ScatterOp::Max => c(largest(y.re, u.re)),
                ScatterOp::Min => c(-largest(-y.re, -u.re)),
            };
        }
    }
    out
}

fn convolve(x: &[&Arr]) -> Arr {
    let (m, batch) = x[0].shape.split_last().expect("an axis");
    let n = x[1].shape[batch.len()];
    Arr::from_fn(x[0].dtype, &[batch, &[m + n - 1]].concat(), |i| {
        let (k, lead) = i.split_last().expect("an axis");
        let pairs = (0..n).filter(|j| *k >= *j && k - j < *m);
        pairs.map(|j| x[0].at(&[lead, &[k - j]].concat()) * x[1].at(&[lead, &[j]].concat())).fold(c(0.0), |a, b| a + b)
    })
}

fn boxes(prim: &Prim, x: &[&Arr]) -> Option<Arr> {
    let corner = |sizes: &[usize], at: &Arr| -> Vec<usize> {
        let room = |a: usize| (x[0].shape[a] - sizes[a]) as f64;
        (0..sizes.len()).map(|a| at.data[a].re.clamp(0.0, room(a)) as usize).collect()
    };
    if let Some(DynamicSlice { sizes }) = prim.downcast() {
        let at = corner(sizes, x[1]);
        return Some(Arr::from_fn(x[0].dtype, sizes, |i| {
            let from: Vec<usize> = i.iter().zip(&at).map(|(i, a)| i + a).collect();
            x[0].at(&from)
        }));
    }
    prim.downcast::<DynamicUpdateSlice>()?;
    let at = corner(&x[1].shape, x[2]);
    Some(Arr::from_fn(x[0].dtype, &x[0].shape, |i| {
        let inside = i.iter().zip(&at).zip(&x[1].shape).all(|((i, a), n)| i >= a && i - a < *n);
        if !inside {
            return x[0].at(i);
        }
        let from: Vec<usize> = i.iter().zip(&at).map(|(i, a)| i - a).collect();
        x[1].at(&from)
    }))
}
