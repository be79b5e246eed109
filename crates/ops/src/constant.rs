//! Values that a program carries.

use std::hash::{Hash, Hasher};

use tenferro_graph::{
    Aval, Complex32, Complex64, DType, Encoder, Error, Fingerprint, Guards, Prim, Primitive, Result, Rule, Tensor, Val, Value, with_element,
};

use crate::broadcast::broadcast_to;
use crate::emit::Tangents;

/// An array fixed in the program. Equal by dtype, shape and contents.
#[derive(Clone, Debug)]
pub struct Constant {
    tensor: Tensor,
    identity: Fingerprint,
}

impl Constant {
    /// Reads the whole array once, for its identity.
    pub fn new(tensor: Tensor) -> Self {
        let mut w = Encoder::new();
        w.aval(&tensor.aval());
        let mut bytes = Vec::with_capacity(tensor.size() * tensor.dtype().size());
        with_element!(tensor.dtype(), T => {
            for x in tensor.to_vec::<T>().unwrap_or_default() {
                extend(&mut bytes, x);
            }
        });
        w.fingerprint(Fingerprint::of_bytes(&bytes));
        Self { tensor, identity: w.finish() }
    }

    pub fn tensor(&self) -> &Tensor {
        &self.tensor
    }
}

/// The bits of one element.
trait Bits {
    fn bits(self) -> u128;
}

macro_rules! bits {
    ($($t:ty: |$x:ident| $e:expr),*) => {$(impl Bits for $t { fn bits(self) -> u128 { let $x = self; $e } })*};
}
bits!(
    bool: |x| u128::from(x), i8: |x| x as u128, i16: |x| x as u128, i32: |x| x as u128, i64: |x| x as u128,
    u8: |x| x as u128, u16: |x| x as u128, u32: |x| x as u128, u64: |x| x as u128, f32: |x| u128::from(x.to_bits()), f64: |x| u128::from(x.to_bits()),
    Complex32: |x| u128::from(x.re.to_bits()) << 64 | u128::from(x.im.to_bits()),
    Complex64: |x| u128::from(x.re.to_bits()) << 64 | u128::from(x.im.to_bits())
);

fn extend<T: Bits>(bytes: &mut Vec<u8>, x: T) {
    bytes.extend_from_slice(&x.bits().to_le_bytes());
}

impl PartialEq for Constant {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for Constant {}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity.hash(state);
    }
}

impl Primitive for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn infer(&self, _: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(vec![self.tensor.aval()])
    }

    fn jvp(&self, _: Rule<'_>, _: &[Option<Val>]) -> Result<Tangents> {
        Ok(vec![None])
    }

    fn batch(&self, r: Rule<'_>, _: &[bool]) -> Result<Vec<(Val, bool)>> {
        Ok(vec![(r.b.emit_one(self.clone().into(), &[]), false)])
    }

    fn encode(&self, w: &mut Encoder) {
        w.fingerprint(self.identity);
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        let text = match (self.tensor.rank(), self.tensor.dtype()) {
            (0, DType::F64) => self.tensor.to_vec::<f64>().map(|v| v[0].to_string()),
            (0, d) if d.is_integer() => with_element!(d, T => self.tensor.to_vec::<T>().map(|v| format!("{:?}", v[0]))),
            _ => None,
        };
        vec![("value", text.unwrap_or_else(|| self.tensor.aval().to_string()))]
    }
}

/// An array fixed in the program, where `context` lives.
pub fn constant<V: Value>(context: &V, tensor: Tensor) -> Result<V> {
    let mut outs = context.emit(Prim::new(Constant::new(tensor)), &[])?;
    outs.pop().ok_or_else(|| Error::program("constant: no output"))
}

/// A Python or Rust number: weakly typed, it takes the dtype of the array it meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Bool(bool),
    /// Python's integers; those that no dtype holds are refused where they meet one.
    Int(i128),
    Float(f64),
    Complex(Complex64),
}

impl Number {
    /// The dtype in which it meets an array of `dtype`, as in NumPy 2.
    pub fn dtype_with(self, dtype: DType) -> DType {
        match self {
            Self::Int(_) if dtype == DType::Bool => DType::I64,
            Self::Bool(_) | Self::Int(_) => dtype,
            Self::Float(_) if dtype.is_inexact() => dtype,
            Self::Float(_) => DType::F64,
            Self::Complex(_) => dtype.complex().unwrap_or(DType::C128),
        }
    }

    /// A rank-0 tensor.
    ///
    /// # Errors
    /// `DType` if the number has no place in the dtype.
    pub fn tensor(self, dtype: DType) -> Result<Tensor> {
        let (re, im) = match self {
            _ if dtype.is_integer() => return self.integer(dtype),
            Self::Bool(b) => (f64::from(u8::from(b)), 0.0),
            Self::Int(i) => (i as f64, 0.0),
            Self::Float(x) => (x, 0.0),
            Self::Complex(z) => (z.re, z.im),
        };
        Ok(match dtype {
            DType::Bool if matches!(self, Self::Bool(_)) => Tensor::scalar(re != 0.0),
            DType::F32 if im == 0.0 => Tensor::scalar(re as f32),
            DType::F64 if im == 0.0 => Tensor::scalar(re),
            DType::C64 => Tensor::scalar(Complex32::new(re as f32, im as f32)),
            DType::C128 => Tensor::scalar(Complex64::new(re, im)),
            _ => return Err(Error::dtype("constant", format!("{self:?} is not a {dtype}"))),
        })
    }
}

impl Number {
    fn integer(self, dtype: DType) -> Result<Tensor> {
        let value = match self {
            Self::Bool(b) => Some(i128::from(b)),
            Self::Int(i) => Some(i),
            // Exact where the float is an integer; the dtype's own bounds come after.
            Self::Float(x) => (x.fract() == 0.0 && x.abs() < 2_f64.powi(64)).then_some(x as i128),
            Self::Complex(_) => None,
        };
        let value = value.ok_or_else(|| Error::dtype("constant", format!("{self:?} is not a {dtype}")))?;
        let outside = || Error::range("constant", format!("integer {value} is out of bounds for {dtype}"));
        macro_rules! of {
            ($($d:ident $t:ty),*) => {
                match dtype {
                    $(DType::$d => <$t>::try_from(value).map(Tensor::scalar).map_err(|_| outside()),)*
                    _ => Err(Error::dtype("constant", format!("{dtype} is not an integer dtype"))),
                }
            };
        }
        of!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
    }
}

/// A number as a rank-0 array that meets `x`: in x's dtype, or the wider kind it needs.
pub fn number_like<V: Value>(x: &V, number: Number) -> Result<V> {
    constant(x, number.tensor(number.dtype_with(x.aval().dtype))?)
}

/// A real number as a rank-0 array in x's dtype (float64 if x is not inexact).
pub fn scalar_like<V: Value>(x: &V, number: f64) -> Result<V> {
    let dtype = x.aval().dtype;
    let integer = Number::Float(number);
    if dtype.is_integer()
        && let Ok(exact) = integer.tensor(dtype)
    {
        return constant(x, exact);
    }
    number_like(x, integer)
}

/// One number in the shape and dtype of x.
pub fn full_like<V: Value>(x: &V, number: f64) -> Result<V> {
    let aval = x.aval();
    let number = if aval.dtype == DType::Bool { Number::Bool(number != 0.0) } else { Number::Float(number) };
    broadcast_to(&constant(x, number.tensor(aval.dtype)?)?, aval.shape)
}

pub fn zeros_like<V: Value>(x: &V) -> Result<V> {
    full_like(x, 0.0)
}

pub fn ones_like<V: Value>(x: &V) -> Result<V> {
    full_like(x, 1.0)
}
