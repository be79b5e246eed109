//! Abstract values: what is known of an array before it has data.

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

use crate::dim::Dim;
use crate::dtype::DType;

/// Axis lengths, outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Shape(SmallVec<[Dim; 4]>);

impl Shape {
    pub fn scalar() -> Self {
        Self::default()
    }

    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The lengths as numbers; `None` if one is symbolic.
    pub fn concrete(&self) -> Option<SmallVec<[usize; 4]>> {
        self.0.iter().map(Dim::as_const).collect()
    }

    /// Number of elements; 1 for a scalar.
    pub fn size(&self) -> Dim {
        self.0.iter().fold(Dim::Const(1), |n, d| &n * d)
    }

    pub fn push(&mut self, d: Dim) {
        self.0.push(d);
    }

    pub fn remove(&mut self, axis: usize) -> Dim {
        self.0.remove(axis)
    }

    pub fn insert(&mut self, axis: usize, d: Dim) {
        self.0.insert(axis, d);
    }

    pub fn set(&mut self, axis: usize, d: Dim) {
        self.0[axis] = d;
    }
}

impl Deref for Shape {
    type Target = [Dim];
    fn deref(&self) -> &[Dim] {
        &self.0
    }
}

impl FromIterator<Dim> for Shape {
    fn from_iter<I: IntoIterator<Item = Dim>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Self {
        dims.iter().map(|n| Dim::Const(*n)).collect()
    }
}

impl From<&[Dim]> for Shape {
    fn from(dims: &[Dim]) -> Self {
        dims.iter().cloned().collect()
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(dims: [usize; N]) -> Self {
        Self::from(dims.as_slice())
    }
}

impl fmt::Display for Shape {
    /// As Python prints a tuple: `()`, `(3,)`, `(2, 3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, d) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{d}")?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter()).finish()
    }
}

/// Dtype and shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Aval {
    pub dtype: DType,
    pub shape: Shape,
}

impl Aval {
    pub fn new(dtype: DType, shape: impl Into<Shape>) -> Self {
        Self { dtype, shape: shape.into() }
    }

    pub fn scalar(dtype: DType) -> Self {
        Self { dtype, shape: Shape::scalar() }
    }

    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    pub fn with_dtype(&self, dtype: DType) -> Self {
        Self { dtype, shape: self.shape.clone() }
    }
}

impl fmt::Display for Aval {
    /// `f64[2,3]`-like: `float64[2,3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.dtype)?;
        for (i, d) in self.shape.iter().enumerate() {
            write!(f, "{}{d}", if i > 0 { "," } else { "" })?;
        }
        f.write_str("]")
    }
}
