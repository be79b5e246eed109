//! Each primitive by its definition.

use tenferro_graph::{Aval, Complex64, DType, Prim};
use tenferro_ops::{
    Binary, BinaryOp, BroadcastInDim, Cast, Compare, CompareOp, Concatenate, Constant, DotGeneral, Pad, Reduce, ReduceOp, Reshape, Select,
    Slice, StopGradient, Transpose, Unary, UnaryOp,
};

use super::array::{Array, Num, indices, round};

pub fn eval(prim: &Prim, x: &[&Array], out: &Aval) -> Array {
    let shape: Vec<usize> = out.shape.concrete().expect("numbers").to_vec();
    let d = out.dtype;
    let each = |f: &dyn Fn(&[Num]) -> Num| {
        let data = (0..x[0].data.len()).map(|i| f(&x.iter().map(|a| a.data[i]).collect::<Vec<_>>())).collect();
        Array { dtype: d, shape: shape.clone(), data }
    };
    if let Some(Unary(op)) = prim.downcast() {
        return each(&|a| unary(*op, x[0].dtype, a[0]));
    }
    if let Some(Binary(op)) = prim.downcast() {
        return each(&|a| binary(*op, d, a[0], a[1]));
    }
    if let Some(Compare(op)) = prim.downcast() {
        return each(&|a| Num::B(compare(*op, a[0], a[1])));
    }
    if prim.is::<Select>() {
        return each(&|a| if a[0].b() { a[1] } else { a[2] });
    }
    if let Some(Cast { to }) = prim.downcast() {
        return each(&|a| a[0].to(*to));
    }
    if prim.is::<StopGradient>() {
        return x[0].clone();
    }
    if let Some(c) = prim.downcast::<Constant>() {
        return Array::of(c.tensor());
    }
    if prim.is::<Reshape>() {
        return Array { dtype: d, shape, data: x[0].data.clone() };
    }
    moved(prim, x, d, &shape)
}

fn moved(prim: &Prim, x: &[&Array], d: DType, shape: &[usize]) -> Array {
    if let Some(t) = prim.downcast::<Transpose>() {
        return Array::new(d, shape, |i| {
            let mut from = vec![0; i.len()];
            t.axes.iter().zip(i).for_each(|(a, k)| from[*a] = *k);
            x[0].at(&from)
        });
    }
    if let Some(b) = prim.downcast::<BroadcastInDim>() {
        return Array::new(d, shape, |i| {
            let from: Vec<usize> = b.dims.iter().zip(&x[0].shape).map(|(a, n)| if *n == 1 { 0 } else { i[*a] }).collect();
            x[0].at(&from)
        });
    }
    if let Some(s) = prim.downcast::<Slice>() {
        return Array::new(d, shape, |i| x[0].at(&(0..i.len()).map(|a| s.starts[a] + i[a] * s.steps[a]).collect::<Vec<_>>()));
    }
    if let Some(p) = prim.downcast::<Pad>() {
        return Array::new(d, shape, |i| {
            let from: Option<Vec<usize>> = (0..i.len())
                .map(|a| {
                    let k = i[a].checked_sub(p.low[a])?;
                    (k % (p.interior[a] + 1) == 0 && k / (p.interior[a] + 1) < x[0].shape[a]).then(|| k / (p.interior[a] + 1))
                })
                .collect();
            from.map_or(x[1].data[0], |f| x[0].at(&f))
        });
    }
    if let Some(c) = prim.downcast::<Concatenate>() {
        return Array::new(d, shape, |i| {
            let mut from = i.clone();
            for part in x {
                if from[c.axis] < part.shape[c.axis] {
                    return part.at(&from);
                }
                from[c.axis] -= part.shape[c.axis];
            }
            unreachable!()
        });
    }
    if let Some(r) = prim.downcast::<Reduce>() {
        return reduce(r, x[0], d, shape);
    }
    let p: &DotGeneral = prim.downcast().unwrap_or_else(|| panic!("{prim} has no definition here"));
    dot(p, x[0], x[1], d, shape)
}

fn reduce(r: &Reduce, x: &Array, d: DType, shape: &[usize]) -> Array {
    let over: Vec<usize> = r.axes.iter().map(|a| x.shape[*a]).collect();
    let inner = indices(&over);
    let op = if r.op == ReduceOp::Sum { BinaryOp::Add } else { BinaryOp::Maximum };
    Array::new(d, shape, |kept| {
        let element = |k: &Vec<usize>| {
            let (mut kept, mut k) = (kept.iter(), k.iter());
            let index: Vec<usize> =
                (0..x.shape.len()).map(|a| if r.axes.contains(&a) { k.next() } else { kept.next() }.copied().expect("an axis")).collect();
            x.at(&index)
        };
        // Sums of floats in the precision of float64, rounded once: the exact result for the data used.
        let wide = if d.real() == DType::F32 && op == BinaryOp::Add { if d.is_complex() { DType::C128 } else { DType::F64 } } else { d };
        inner.iter().map(element).reduce(|s, y| binary(op, wide, s, y)).unwrap_or(Num::I(0)).to(d)
    })
}

fn dot(p: &DotGeneral, l: &Array, r: &Array, d: DType, shape: &[usize]) -> Array {
    let free =
        |x: &Array, b: &[usize], c: &[usize]| -> Vec<usize> { (0..x.shape.len()).filter(|a| !b.contains(a) && !c.contains(a)).collect() };
    let (lf, rf) = (free(l, &p.lhs_batch, &p.lhs_contract), free(r, &p.rhs_batch, &p.rhs_contract));
    let inner = indices(&p.lhs_contract.iter().map(|a| l.shape[*a]).collect::<Vec<_>>());
    Array::new(d, shape, |i| {
        let nb = p.lhs_batch.len();
        let place = |rank: usize, batch: &[usize], free: &[usize], at: usize, contract: &[usize], k: &[usize]| {
            let mut index = vec![0; rank];
            batch.iter().zip(i).for_each(|(a, v)| index[*a] = *v);
            free.iter().zip(&i[at..]).for_each(|(a, v)| index[*a] = *v);
            contract.iter().zip(k).for_each(|(a, v)| index[*a] = *v);
            index
        };
        let term = |k: &Vec<usize>| {
            let x = l.at(&place(l.shape.len(), &p.lhs_batch, &lf, nb, &p.lhs_contract, k));
            let y = r.at(&place(r.shape.len(), &p.rhs_batch, &rf, nb + lf.len(), &p.rhs_contract, k));
            binary(BinaryOp::Mul, d, x, y)
        };
        inner.iter().map(term).reduce(|s, y| binary(BinaryOp::Add, d, s, y)).unwrap_or(Num::I(0)).to(d)
    })
}

fn unary(op: UnaryOp, d: DType, x: Num) -> Num {
    let r = |x: f64| round(d, x);
    match x {
        Num::I(i) => Num::I(match op {
            UnaryOp::Neg => i.wrapping_neg(),
            UnaryOp::Abs => i.wrapping_abs(),
            UnaryOp::Square => i.wrapping_mul(i),
            other => panic!("{other:?} of int64"),
        }),
        Num::R(x) => Num::R(r(match op {
            UnaryOp::Neg => -x,
            UnaryOp::Abs => x.abs(),
            UnaryOp::Conj | UnaryOp::Real => x,
            UnaryOp::Imag => 0.0,
            UnaryOp::Sin => x.sin(),
            UnaryOp::Cos => x.cos(),
            UnaryOp::Exp => x.exp(),
            UnaryOp::Log => x.ln(),
            UnaryOp::Sqrt => x.sqrt(),
            UnaryOp::Square => x * x,
            other => panic!("{other:?} of reals is tested from Python"),
        })),
        Num::C(a, b) => {
            let z = Complex64::new(a, b);
            let w = match op {
                UnaryOp::Abs => return Num::R(r(a.hypot(b))),
                UnaryOp::Real => return Num::R(a),
                UnaryOp::Imag => return Num::R(b),
                UnaryOp::Neg => -z,
                UnaryOp::Conj => z.conj(),
                UnaryOp::Sin => z.sin(),
                UnaryOp::Cos => z.cos(),
                UnaryOp::Exp => z.exp(),
                UnaryOp::Log => z.ln(),
                UnaryOp::Sqrt => z.sqrt(),
                UnaryOp::Square => return binary(BinaryOp::Mul, d, x, x),
                other => panic!("{other:?} of complex numbers is tested from Python"),
            };
            Num::C(r(w.re), r(w.im))
        }
        Num::B(_) => panic!("{op:?} of bool"),
    }
}

fn binary(op: BinaryOp, d: DType, x: Num, y: Num) -> Num {
    let r = |x: f64| round(d, x);
    match (x, y) {
        (Num::I(a), Num::I(b)) => Num::I(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Maximum => a.max(b),
            other => panic!("{other:?} of int64"),
        }),
        (Num::R(a), Num::R(b)) => Num::R(r(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            BinaryOp::Maximum if a.is_nan() || b.is_nan() => f64::NAN,
            BinaryOp::Maximum => {
                if a > b {
                    a
                } else {
                    b
                }
            }
            other => panic!("{other:?} of reals is tested from Python"),
        })),
        (Num::C(a, b), Num::C(c, e)) => match op {
            BinaryOp::Add => Num::C(r(a + c), r(b + e)),
            BinaryOp::Sub => Num::C(r(a - c), r(b - e)),
            BinaryOp::Mul => Num::C(r(r(a * c) - r(b * e)), r(r(a * e) + r(b * c))),
            BinaryOp::Div => {
                let q = Complex64::new(a, b) / Complex64::new(c, e);
                Num::C(r(q.re), r(q.im))
            }
            other => panic!("{other:?} of complex"),
        },
        other => panic!("{op:?} of {other:?}"),
    }
}

fn compare(op: CompareOp, x: Num, y: Num) -> bool {
    fn of<T: PartialOrd>(op: CompareOp, a: T, b: T) -> bool {
        match op {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        }
    }
    match (x, y) {
        (Num::B(a), Num::B(b)) => of(op, a, b),
        (Num::I(a), Num::I(b)) => of(op, a, b),
        (Num::R(a), Num::R(b)) => of(op, a, b),
        (Num::C(a, b), Num::C(c, d)) => match op {
            CompareOp::Ne => a != c || b != d,
            _ => a == c && b == d,
        },
        other => panic!("{op:?} of {other:?}"),
    }
}
