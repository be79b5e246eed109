//! The transforms of one axis as primitives.
//!
//! With w = e^(2πi/n): [`Fft`] is y_k = s Σ_j x_j w^(∓jk); [`Rfft`] its first n/2 + 1 values for
//! real x; [`Irfft`] the real y_j = s Σ_k x_k w^(jk) over all n bins, of which x has the first
//! n/2 + 1 and conjugate symmetry gives the others. A real transform's *edge* bins are 0 and,
//! for even n, n/2; every other bin stands for two.
//!
//! In Re⟨·,·⟩ the adjoint of `Fft` is the other direction with the same s. For `Rfft`,
//! x̄_j = s Σ_k Re(ȳ_k w^(jk)) over the bins it has, each once, where `Irfft` counts inner bins
//! twice; so the adjoint of one is the other with inner bins halved or doubled: `inner`.

use tenferro_graph::{Aval, DType, Dim, Encoder, Error, Guards, Primitive, Result, Rule, Val};

type Tangents = Vec<Option<Val>>;

/// The transform of a complex array along `axis`, times `scale`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fft {
    pub axis: usize,
    pub inverse: bool,
    scale: u64,
}

/// The forward transform of a real array along `axis`: bins 0 … n/2, times `scale`, and those
/// that stand for two also times `inner`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rfft {
    pub axis: usize,
    scale: u64,
    inner: u64,
}

/// The inverse transform to a real array of length n along `axis`, times `scale`, from bins
/// 0 … n/2, of which those that stand for two are multiplied by `inner` first. Imaginary parts
/// of the edge bins do not count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Irfft {
    pub axis: usize,
    pub n: usize,
    scale: u64,
    inner: u64,
}

impl Fft {
    pub fn new(axis: usize, inverse: bool, scale: f64) -> Self {
        Self { axis, inverse, scale: scale.to_bits() }
    }

    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }

    fn label(&self) -> &'static str {
        if self.inverse { "ifft" } else { "fft" }
    }
}

macro_rules! factors {
    ($($t:ident),*) => {$(
        impl $t {
            pub fn scale(&self) -> f64 {
                f64::from_bits(self.scale)
            }

            pub fn inner(&self) -> f64 {
                f64::from_bits(self.inner)
            }
        }
    )*};
}
factors!(Rfft, Irfft);

impl Rfft {
    pub fn new(axis: usize, scale: f64, inner: f64) -> Self {
        Self { axis, scale: scale.to_bits(), inner: inner.to_bits() }
    }
}

impl Irfft {
    pub fn new(axis: usize, n: usize, scale: f64, inner: f64) -> Self {
        Self { axis, n, scale: scale.to_bits(), inner: inner.to_bits() }
    }
}

/// The one input and its length along `axis`, at least 1.
fn line<'a>(op: &'static str, x: &'a [Aval], axis: usize) -> Result<(&'a Aval, usize)> {
    let [x] = x else {
        return Err(Error::program(format!("{op}: takes 1 input, got {}", x.len())));
    };
    let Some(length) = x.shape.get(axis) else {
        return Err(Error::index(op, format!("axis {axis} is out of range for {} axes", x.rank())));
    };
    let n = length.as_const().ok_or_else(|| Error::shape(op, format!("the size of axis {axis}, {length}, must be a number")))?;
    if n == 0 {
        return Err(Error::value(op, format!("axis {axis} of shape {} has no points to transform", x.shape)));
    }
    Ok((x, n))
}

fn needs(op: &'static str, complex: bool, dtype: DType) -> Result<()> {
    if if complex { dtype.is_complex() } else { dtype.is_float() } {
        return Ok(());
    }
    let kind = if complex { "a complex" } else { "a real floating" };
    Err(Error::dtype(op, format!("needs {kind} dtype, got {dtype}")))
}

fn resized(x: &Aval, axis: usize, n: usize, dtype: DType) -> Vec<Aval> {
    let mut out = x.with_dtype(dtype);
    out.shape.set(axis, Dim::Const(n));
    vec![out]
}

/// The op itself on the tangent, or its adjoint on the cotangent.
fn on(prim: impl Primitive, r: Rule<'_>, t: &[Option<Val>]) -> Tangents {
    vec![t[0].map(|t| r.b.emit_one(prim.into(), &[t]))]
}

impl Primitive for Fft {
    fn name(&self) -> &'static str {
        self.label()
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let (x, _) = line(self.label(), x, self.axis)?;
        needs(self.label(), true, x.dtype)?;
        Ok(vec![x.clone()])
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(on(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        Ok(on(Self { inverse: !self.inverse, ..self.clone() }, r, ct))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1, ..self.clone() }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.axis);
        w.u64(self.scale);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string()), ("scale", self.scale().to_string())]
    }
}

impl Primitive for Rfft {
    fn name(&self) -> &'static str {
        "rfft"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let (x, n) = line("rfft", x, self.axis)?;
        needs("rfft", false, x.dtype)?;
        let dtype = x.dtype.complex().ok_or_else(|| Error::dtype("rfft", format!("{} has no complex dtype", x.dtype)))?;
        Ok(resized(x, self.axis, n / 2 + 1, dtype))
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(on(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        let (_, n) = line("rfft", r.avals, self.axis)?;
        Ok(on(Irfft::new(self.axis, n, self.scale(), 0.5 * self.inner()), r, ct))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1, ..self.clone() }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.axis);
        w.u64(self.scale);
        w.u64(self.inner);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("axis", self.axis.to_string()), ("scale", self.scale().to_string()), ("inner", self.inner().to_string())]
    }
}

impl Primitive for Irfft {
    fn name(&self) -> &'static str {
        "irfft"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        let (x, bins) = line("irfft", x, self.axis)?;
        needs("irfft", true, x.dtype)?;
        if self.n == 0 || bins != self.n / 2 + 1 {
            return Err(Error::shape("irfft", format!("{} points come from {} bins, got {bins}", self.n, self.n / 2 + 1)));
        }
        Ok(resized(x, self.axis, self.n, x.dtype.real()))
    }

    fn jvp(&self, r: Rule<'_>, t: &[Option<Val>]) -> Result<Tangents> {
        Ok(on(self.clone(), r, t))
    }

    fn transpose(&self, r: Rule<'_>, _: &[bool], ct: &[Option<Val>]) -> Result<Tangents> {
        Ok(on(Rfft::new(self.axis, self.scale(), 2.0 * self.inner()), r, ct))
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(Self { axis: self.axis + 1, ..self.clone() }.into(), r.inputs), true)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.usize(self.axis);
        w.usize(self.n);
        w.u64(self.scale);
        w.u64(self.inner);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        let factors = [("scale", self.scale().to_string()), ("inner", self.inner().to_string())];
        [("axis", self.axis.to_string()), ("n", self.n.to_string())].into_iter().chain(factors).collect()
    }
}
