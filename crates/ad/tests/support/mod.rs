//! A naive interpreter of programs, everything in complex doubles: slow, short,
//! and independent of every engine.
#![allow(dead_code)]

mod along;

use tenferro_graph::{Aval, Builder, Complex64, DType, Prim, Program, Tensor, Val};
use tenferro_ops::*;

#[derive(Clone, Debug)]
pub struct Arr {
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub data: Vec<Complex64>,
}

pub fn c(re: f64) -> Complex64 {
    Complex64::new(re, 0.0)
}

/// The larger one; unlike `f64::max`, NaN if either is NaN.
pub fn largest(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

fn each_index(shape: &[usize], mut f: impl FnMut(&[usize])) {
    let mut index = vec![0; shape.len()];
    for _ in 0..shape.iter().product() {
        f(&index);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            if index[axis] < shape[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

impl Arr {
    pub fn new(dtype: DType, shape: &[usize], data: Vec<Complex64>) -> Self {
        assert_eq!(shape.iter().product::<usize>(), data.len());
        Self { dtype, shape: shape.to_vec(), data }
    }

    pub fn real(shape: &[usize], data: &[f64]) -> Self {
        Self::new(DType::F64, shape, data.iter().map(|x| c(*x)).collect())
    }

    pub fn from_fn(dtype: DType, shape: &[usize], mut f: impl FnMut(&[usize]) -> Complex64) -> Self {
        let mut data = vec![];
        each_index(shape, |i| data.push(f(i)));
        Self::new(dtype, shape, data)
    }

    pub fn at(&self, index: &[usize]) -> Complex64 {
        self.data[index.iter().zip(&self.shape).fold(0, |at, (i, n)| at * n + i)]
    }

    pub fn map(&self, f: impl Fn(Complex64) -> Complex64) -> Self {
        Self::new(self.dtype, &self.shape, self.data.iter().map(|x| f(*x)).collect())
    }

    pub fn axpy(&self, h: f64, other: &Self) -> Self {
        Self::new(self.dtype, &self.shape, self.data.iter().zip(&other.data).map(|(x, y)| x + y * h).collect())
    }

    /// Re⟨self, other⟩.
    pub fn dot(&self, other: &Self) -> f64 {
        self.data.iter().zip(&other.data).map(|(x, y)| (x.conj() * y).re).sum()
    }

    /// Largest absolute value; NaN if one is NaN.
    pub fn norm(&self) -> f64 {
        self.data.iter().map(|x| x.norm()).fold(0.0, largest)
    }

    /// A fixed pseudo-random array.
    pub fn random(dtype: DType, shape: &[usize], seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
        };
        (0..8).for_each(|_| {
            next();
        });
        Self::from_fn(dtype, shape, |_| Complex64::new(next(), if dtype.is_complex() { next() } else { 0.0 }))
    }

    pub fn tensor(&self) -> Tensor {
        let re: Vec<f64> = self.data.iter().map(|x| x.re).collect();
        match self.dtype {
            DType::C128 => Tensor::from_slice(&self.shape, &self.data),
            _ => Tensor::from_slice(&self.shape, &re),
        }
        .expect("sizes agree")
    }

    fn of(t: &Tensor) -> Self {
        let wide = |x: Vec<f64>| x.into_iter().map(c).collect();
        let data = match t.dtype() {
            DType::Bool => wide(t.to_vec::<bool>().expect("bool").into_iter().map(|x| f64::from(u8::from(x))).collect()),
            DType::I64 => wide(t.to_vec::<i64>().expect("i64").into_iter().map(|x| x as f64).collect()),
            DType::F32 => wide(t.to_vec::<f32>().expect("f32").into_iter().map(f64::from).collect()),
            DType::F64 => wide(t.to_vec::<f64>().expect("f64")),
            DType::C128 => t.to_vec::<Complex64>().expect("c128"),
            d => panic!("{d} constants are not used in tests"),
        };
        Self::new(t.dtype(), t.shape(), data)
    }
}

/// Kernels that the interpreter lacks.
pub type Extra<'a> = &'a dyn Fn(&Prim, &[&Arr]) -> Option<Vec<Arr>>;

/// All values of the program.
pub fn eval_all(p: &Program, inputs: &[Arr], extra: Extra<'_>) -> Vec<Arr> {
    assert_eq!(p.n_inputs(), inputs.len());
    p.verify().expect("a legal program");
    let mut values = inputs.to_vec();
    for step in p.steps() {
        let args: Vec<&Arr> = step.args.iter().map(|a| &values[a.index()]).collect();
        let avals: Vec<Aval> = step.outs().map(|v| p.aval(v).clone()).collect();
        let outs = one(step.prim, &args, &avals[0])
            .map(|x| vec![x])
            .or_else(|| along::eval(step.prim, &args, &avals[0]))
            .or_else(|| extra(step.prim, &args));
        let outs = outs.unwrap_or_else(|| panic!("no kernel for {}", step.prim));
        for (x, a) in outs.iter().zip(&avals) {
            assert_eq!((x.dtype, tenferro_graph::Shape::from(x.shape.as_slice())), (a.dtype, a.shape.clone()), "{}", step.prim);
        }
        values.extend(outs);
    }
    values
}

pub fn eval(p: &Program, inputs: &[Arr], extra: Extra<'_>) -> Vec<Arr> {
    let all = eval_all(p, inputs, extra);
    p.outputs().iter().map(|v| all[v.index()].clone()).collect()
}

pub fn no_extra(_: &Prim, _: &[&Arr]) -> Option<Vec<Arr>> {
    None
}

/// Replays `p` in `b` on the given inputs; all of its values there.
pub fn splice(b: &Builder, p: &Program, inputs: &[Val]) -> Vec<Val> {
    assert_eq!(p.n_inputs(), inputs.len());
    let mut map = inputs.to_vec();
    for step in p.steps() {
        let args: Vec<Val> = step.args.iter().map(|a| map[a.index()]).collect();
        map.extend(b.emit(step.prim.clone(), &args).expect("replayed"));
    }
    map
}

fn divide(x: Complex64, y: Complex64) -> Complex64 {
    if y.im == 0.0 { Complex64::new(x.re / y.re, x.im / y.re) } else { x / y }
}

fn one(prim: &Prim, x: &[&Arr], out: &Aval) -> Option<Arr> {
    let shape: Vec<usize> = out.shape.concrete().expect("numbers").to_vec();
    let make = |f: &dyn Fn(&[usize]) -> Complex64| Some(Arr::from_fn(out.dtype, &shape, f));
    if let Some(Unary(op)) = prim.downcast() {
        return Some(Arr { dtype: out.dtype, ..x[0].map(|x| unary(*op, x)) });
    }
    if let Some(Binary(op)) = prim.downcast() {
        return make(&|i| binary(*op, x[0].at(i), x[1].at(i)));
    }
    if let Some(Compare(op)) = prim.downcast() {
        return make(&|i| c(f64::from(u8::from(compare(*op, x[0].at(i), x[1].at(i))))));
    }
    if let Some(Predicate(op)) = prim.downcast() {
        return make(&|i| c(f64::from(u8::from(predicate(*op, x[0].at(i).re)))));
    }
    if prim.is::<FromParts>() {
        return make(&|i| Complex64::new(x[0].at(i).re, x[1].at(i).re));
    }
    if prim.is::<Select>() {
        return make(&|i| {
            if x[0].at(i).re == 0.0 { x[2].at(i) } else { x[1].at(i) }
        });
    }
    if let Some(Cast { to }) = prim.downcast() {
        return make(&|i| {
            let x = x[0].at(i);
            match to {
                DType::Bool => c(f64::from(u8::from(x != c(0.0)))),
                to if to.is_complex() => x,
                _ => c(x.re),
            }
        });
    }
    if prim.is::<StopGradient>() || prim.is::<Reshape>() {
        return Some(Arr::new(out.dtype, &shape, x[0].data.clone()));
    }
    if let Some(k) = prim.downcast::<Constant>() {
        return Some(Arr::of(k.tensor()));
    }
    if let Some(Transpose { axes }) = prim.downcast() {
        return make(&|i| {
            let mut at = vec![0; i.len()];
            axes.iter().zip(i).for_each(|(a, i)| at[*a] = *i);
            x[0].at(&at)
        });
    }
    if let Some(BroadcastInDim { dims, .. }) = prim.downcast() {
        return make(&|i| {
            let at: Vec<usize> = dims.iter().zip(&x[0].shape).map(|(d, n)| if *n == 1 { 0 } else { i[*d] }).collect();
            x[0].at(&at)
        });
    }
    if let Some(Slice { starts, steps, .. }) = prim.downcast() {
        return make(&|i| {
            let at: Vec<usize> = i.iter().zip(starts.iter().zip(steps)).map(|(i, (a, s))| a + i * s).collect();
            x[0].at(&at)
        });
    }
    if let Some(Pad { low, interior, .. }) = prim.downcast() {
        let mut all = Arr::from_fn(out.dtype, &shape, |_| x[1].data[0]);
        each_index(&x[0].shape, |i| {
            let at = (0..i.len()).fold(0, |at, d| at * shape[d] + low[d] + i[d] * (interior[d] + 1));
            all.data[at] = x[0].at(i);
        });
        return Some(all);
    }
    if let Some(Reduce { op, axes }) = prim.downcast() {
        return Some(reduce(*op, axes, x[0], out.dtype, &shape));
    }
    prim.downcast::<DotGeneral>().map(|p| dot_general(p, x[0], x[1], out.dtype, &shape))
}

/// Without the special functions, which Python's op table holds against SciPy.
pub fn knows(op: UnaryOp) -> bool {
    use UnaryOp::{BitNot, Digamma, Erf, Erfc, Erfinv, I0e, I1e, Lgamma};
    !matches!(op, Erf | Erfc | Erfinv | Lgamma | Digamma | I0e | I1e | BitNot)
}

/// Whether the op takes complex numbers.
pub fn is_real_only(op: UnaryOp) -> bool {
    use UnaryOp::{Cbrt, Ceil, Floor, Rint, Rsqrt, Sigmoid, Sign, Trunc};
    !knows(op) || matches!(op, Cbrt | Ceil | Floor | Rint | Rsqrt | Sigmoid | Sign | Trunc)
}

fn unary(op: UnaryOp, x: Complex64) -> Complex64 {
    let one = c(1.0);
    match op {
        UnaryOp::Neg => -x,
        UnaryOp::Abs => c(x.norm()),
        UnaryOp::Sign => c(if x.re == 0.0 { 0.0 } else { x.re.signum() }),
        UnaryOp::Conj => x.conj(),
        UnaryOp::Real => c(x.re),
        UnaryOp::Imag => c(x.im),
        UnaryOp::Square => x * x,
        UnaryOp::Sqrt => x.sqrt(),
        UnaryOp::Rsqrt => one / x.sqrt(),
        UnaryOp::Cbrt => c(x.re.cbrt()),
        UnaryOp::Sin => x.sin(),
        UnaryOp::Cos => x.cos(),
        UnaryOp::Tan => x.tan(),
        UnaryOp::Asin => x.asin(),
        UnaryOp::Acos => x.acos(),
        UnaryOp::Atan => x.atan(),
        UnaryOp::Sinh => x.sinh(),
        UnaryOp::Cosh => x.cosh(),
        UnaryOp::Tanh => x.tanh(),
        UnaryOp::Asinh => x.asinh(),
        UnaryOp::Acosh => x.acosh(),
        UnaryOp::Atanh => x.atanh(),
        UnaryOp::Exp => x.exp(),
        UnaryOp::Exp2 => (x * std::f64::consts::LN_2).exp(),
        UnaryOp::Expm1 => x.exp() - one,
        UnaryOp::Log => x.ln(),
        UnaryOp::Log1p => (x + one).ln(),
        UnaryOp::Log2 => x.ln() / std::f64::consts::LN_2,
        UnaryOp::Log10 => x.ln() / std::f64::consts::LN_10,
        // Of real numbers: the exponential of a complex infinity has a NaN part.
        UnaryOp::Sigmoid => c(1.0 / (1.0 + (-x.re).exp())),
        UnaryOp::Floor => c(x.re.floor()),
        UnaryOp::Ceil => c(x.re.ceil()),
        UnaryOp::Trunc => c(x.re.trunc()),
        UnaryOp::Rint => c(x.re.round_ties_even()),
        // Of masks only.
        UnaryOp::BitNot => c(f64::from(u8::from(x.re == 0.0))),
        other => panic!("{other:?} is not interpreted"),
    }
}

fn bits(f: impl Fn(i64, i64) -> i64, x: Complex64, y: Complex64) -> Complex64 {
    c(f(x.re as i64, y.re as i64) as f64)
}

fn binary(op: BinaryOp, x: Complex64, y: Complex64) -> Complex64 {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => divide(x, y),
        BinaryOp::Maximum | BinaryOp::Fmax => c(x.re.max(y.re)),
        BinaryOp::Minimum | BinaryOp::Fmin => c(x.re.min(y.re)),
        BinaryOp::FloorDivide => c((x.re / y.re).floor()),
        BinaryOp::Remainder => c(x.re - y.re * (x.re / y.re).floor()),
        BinaryOp::Fmod => c(x.re % y.re),
        BinaryOp::Pow if x.im == 0.0 && y.im == 0.0 => c(x.re.powf(y.re)),
        BinaryOp::Pow => x.powc(y),
        BinaryOp::Hypot => c(x.re.hypot(y.re)),
        BinaryOp::Atan2 => c(x.re.atan2(y.re)),
        BinaryOp::Logaddexp => c((x.re.exp() + y.re.exp()).ln()),
        BinaryOp::Copysign => c(x.re.copysign(y.re)),
        BinaryOp::Nextafter => c(if x.re == y.re {
            y.re
        } else if x.re < y.re {
            x.re.next_up()
        } else {
            x.re.next_down()
        }),
        BinaryOp::BitAnd => bits(|x, y| x & y, x, y),
        BinaryOp::BitOr => bits(|x, y| x | y, x, y),
        BinaryOp::BitXor => bits(|x, y| x ^ y, x, y),
        BinaryOp::ShiftLeft => bits(|x, y| x << y, x, y),
        BinaryOp::ShiftRight => bits(|x, y| x >> y, x, y),
    }
}

fn predicate(op: PredicateOp, x: f64) -> bool {
    match op {
        PredicateOp::IsNan => x.is_nan(),
        PredicateOp::IsInf => x.is_infinite(),
        PredicateOp::IsFinite => x.is_finite(),
        PredicateOp::Signbit => x.is_sign_negative(),
    }
}

fn compare(op: CompareOp, x: Complex64, y: Complex64) -> bool {
    match op {
        CompareOp::Eq => x == y,
        CompareOp::Ne => x != y,
        CompareOp::Lt => x.re < y.re,
        CompareOp::Le => x.re <= y.re,
        CompareOp::Gt => x.re > y.re,
        CompareOp::Ge => x.re >= y.re,
    }
}

fn reduce(op: ReduceOp, axes: &[usize], x: &Arr, dtype: DType, shape: &[usize]) -> Arr {
    let start = match op {
        ReduceOp::Sum => 0.0,
        ReduceOp::Prod => 1.0,
        // Any and all of nothing.
        ReduceOp::Max | ReduceOp::Min if x.dtype == DType::Bool => f64::from(u8::from(op == ReduceOp::Min)),
        ReduceOp::Max => f64::NEG_INFINITY,
        ReduceOp::Min => f64::INFINITY,
    };
    let mut out = Arr::from_fn(dtype, shape, |_| c(start));
    each_index(&x.shape, |i| {
        let kept = (0..i.len()).filter(|d| !axes.contains(d));
        let at = kept.fold(0, |at, d| at * x.shape[d] + i[d]);
        let y = x.at(i);
        out.data[at] = match op {
            ReduceOp::Sum => out.data[at] + y,
            ReduceOp::Prod => out.data[at] * y,
            ReduceOp::Max => c(largest(out.data[at].re, y.re)),
            ReduceOp::Min => c(-largest(-out.data[at].re, -y.re)),
        };
    });
    out
}

fn dot_general(p: &DotGeneral, l: &Arr, r: &Arr, dtype: DType, shape: &[usize]) -> Arr {
    let free = |rank: usize, a: &[usize], b: &[usize]| -> Vec<usize> { (0..rank).filter(|d| !a.contains(d) && !b.contains(d)).collect() };
    let (lf, rf) = (free(l.shape.len(), &p.lhs_batch, &p.lhs_contract), free(r.shape.len(), &p.rhs_batch, &p.rhs_contract));
    let summed: Vec<usize> = p.lhs_contract.iter().map(|d| l.shape[*d]).collect();
    let (nb, nl) = (p.lhs_batch.len(), lf.len());
    Arr::from_fn(dtype, shape, |i| {
        let (mut li, mut ri) = (vec![0; l.shape.len()], vec![0; r.shape.len()]);
        (0..nb).for_each(|d| (li[p.lhs_batch[d]], ri[p.rhs_batch[d]]) = (i[d], i[d]));
        (0..nl).for_each(|d| li[lf[d]] = i[nb + d]);
        (0..rf.len()).for_each(|d| ri[rf[d]] = i[nb + nl + d]);
        let mut total = c(0.0);
        each_index(&summed, |s| {
            (0..s.len()).for_each(|d| (li[p.lhs_contract[d]], ri[p.rhs_contract[d]]) = (s[d], s[d]));
            total += l.at(&li) * r.at(&ri);
        });
        total
    })
}
