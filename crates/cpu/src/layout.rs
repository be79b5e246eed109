//! Ops that move nothing: views of what is there.

use tenferro_graph::tensor::{Dims, Strides, c_strides};
use tenferro_graph::{Aval, Prim, Result, SmallVec};
use tenferro_ops::{BroadcastInDim, Reshape, Reverse, Slice, Transpose};

use crate::step::{View, sizes};

/// The view that `prim` makes of `x`; `None` if it is no view op or a copy is needed.
pub(crate) fn view_of(prim: &Prim, x: &View, out: &Aval) -> Result<Option<View>> {
    let shape = sizes(out)?;
    if let Some(t) = prim.downcast::<Transpose>() {
        return Ok(Some(x.permuted(&t.axes)));
    }
    if let Some(b) = prim.downcast::<BroadcastInDim>() {
        let mut strides: Strides = shape.iter().map(|_| 0).collect();
        for (j, d) in b.dims.iter().enumerate() {
            strides[*d] = if x.shape[j] == 1 { 0 } else { x.strides[j] };
        }
        return Ok(Some(View { shape, strides, ..x.clone() }));
    }
    if let Some(s) = prim.downcast::<Slice>() {
        let shift: isize = s.starts.iter().zip(&x.strides).map(|(i, st)| *i as isize * st).sum();
        let strides = s.steps.iter().zip(&x.strides).map(|(k, st)| *k as isize * st).collect();
        let empty = shape.contains(&0);
        let place = if empty { x.place } else { x.shifted(shift) };
        return Ok(Some(View { place, shape, strides, dtype: x.dtype }));
    }
    if let Some(r) = prim.downcast::<Reverse>() {
        let mut v = x.clone();
        if v.size() > 0 {
            let last: isize = r.axes.iter().map(|a| (x.shape[*a] as isize - 1) * x.strides[*a]).sum();
            v.place = x.shifted(last);
        }
        r.axes.iter().for_each(|a| v.strides[*a] = -v.strides[*a]);
        return Ok(Some(v));
    }
    if prim.is::<Reshape>() {
        return Ok(reshaped(&x.shape, &x.strides, &shape).map(|strides| View { shape, strides, ..x.clone() }));
    }
    Ok(None)
}

/// Strides under which the same memory has another shape, if there are any.
pub(crate) fn reshaped(old: &[usize], strides: &[isize], new: &[usize]) -> Option<Strides> {
    if old.contains(&0) {
        return Some(c_strides(new));
    }
    let source: Vec<(usize, isize)> = old.iter().copied().zip(strides.iter().copied()).filter(|(n, _)| *n != 1).collect();
    let mut out: Strides = new.iter().map(|_| 0).collect();
    let targets: Vec<usize> = (0..new.len()).filter(|i| new[*i] != 1).collect();
    let (mut i, mut j) = (0, 0);
    while i < source.len() {
        // A run of old axes and a run of new ones with as many elements.
        let (first_i, first_j) = (i, j);
        let (mut a, mut b) = (source[i].0, new[*targets.get(j)?]);
        i += 1;
        j += 1;
        while a != b {
            if a < b {
                a *= source.get(i)?.0;
                i += 1;
            } else {
                b *= new[*targets.get(j)?];
                j += 1;
            }
        }
        let joined = (first_i..i - 1).all(|k| source[k].1 == source[k + 1].1 * source[k + 1].0 as isize);
        if !joined {
            return None;
        }
        let mut step = source[i - 1].1;
        for k in (first_j..j).rev() {
            out[targets[k]] = step;
            step *= new[targets[k]] as isize;
        }
    }
    Some(out)
}

/// Axes in the order of memory, slowest first; those of length 1 come last.
pub(crate) type Order = SmallVec<[usize; 6]>;

/// C order.
pub(crate) fn c_order(shape: &[usize]) -> Order {
    let (long, short): (Order, Order) = (0..shape.len()).partition(|a| shape[*a] != 1);
    long.into_iter().chain(short).collect()
}

/// The order of an array's memory; `None` if it repeats elements.
pub(crate) fn order_of(v: &View) -> Option<Order> {
    if v.shape.iter().zip(&v.strides).any(|(n, s)| *n > 1 && *s == 0) {
        return None;
    }
    let mut order = c_order(&v.shape);
    let long = order.iter().filter(|a| v.shape[**a] != 1).count();
    order[..long].sort_by_key(|a| std::cmp::Reverse(v.strides[*a].abs()));
    Some(order)
}

/// Strides of a fresh array whose memory follows `order`.
pub(crate) fn strides_in(order: &[usize], shape: &[usize]) -> Strides {
    let permuted: Dims = order.iter().map(|a| shape[*a]).collect();
    let mut out: Strides = shape.iter().map(|_| 0).collect();
    for (a, s) in order.iter().zip(c_strides(&permuted)) {
        out[*a] = s;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reshapes_are_views_where_strides_allow() {
        assert_eq!(reshaped(&[2, 3], &[3, 1], &[6]).as_deref(), Some(&[1][..]));
        assert_eq!(reshaped(&[2, 3], &[1, 2], &[6]), None);
        assert_eq!(reshaped(&[4, 3], &[1, 4], &[2, 2, 3]).as_deref(), Some(&[2, 1, 4][..]));
        assert_eq!(reshaped(&[6], &[2], &[2, 1, 3]).as_deref(), Some(&[6, 0, 2][..]));
    }
}
