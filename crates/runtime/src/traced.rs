//! Tensors that record what is done to them.

use std::fmt;
use std::sync::Arc;

use tenferro_graph::{Aval, DType, Element, Error, Guards, Prim, Result, Shape, SmallVec, Tensor, Value, smallvec};

use crate::fragment::{Fragment, Leaf, Recorder, Role, Source};

/// A value of a graph that is being recorded. Each operation makes one fragment
/// whose parents are its inputs' fragments. Cloning is cheap.
#[derive(Clone)]
pub struct TracedTensor {
    pub(crate) fragment: Arc<Fragment>,
    pub(crate) value: u32,
}

impl TracedTensor {
    /// A placeholder: an input that gets its data at run.
    pub fn input(dtype: DType, shape: impl Into<Shape>, name: Option<&str>) -> Self {
        Self::from_leaf(Fragment::leaf(Aval::new(dtype, shape), name.map(Arc::from), None))
    }

    /// A placeholder like a value.
    pub fn like(value: &impl Value) -> Self {
        Self::from_leaf(Fragment::leaf(value.aval(), None, None))
    }

    /// An input bound to data.
    pub fn from_tensor(data: Tensor) -> Self {
        Self::from_leaf(Fragment::leaf(data.aval(), None, Some(data)))
    }

    /// An input bound to elements given in column-major order.
    pub fn from_vec_col_major<T: Element>(shape: &[usize], data: &[T]) -> Result<Self> {
        Ok(Self::from_tensor(Tensor::from_vec_col_major(shape, data)?))
    }

    fn from_leaf(fragment: Arc<Fragment>) -> Self {
        Self { fragment, value: 0 }
    }

    /// The fragment that this value belongs to.
    pub fn graph(&self) -> &Arc<Fragment> {
        &self.fragment
    }

    /// The leaf, if this is one.
    pub fn leaf(&self) -> Option<&Leaf> {
        self.fragment.leaf.as_ref()
    }

    pub fn shape(&self) -> &Shape {
        &self.info().aval.shape
    }

    pub fn dtype(&self) -> DType {
        self.info().aval.dtype
    }

    pub(crate) fn info(&self) -> &crate::fragment::ValueInfo {
        &self.fragment.values[self.value as usize]
    }
}

/// Distinct fragments of some tensors, and each tensor's source among them.
pub(crate) fn sources<'a>(tensors: impl Iterator<Item = &'a TracedTensor>) -> (Vec<Arc<Fragment>>, SmallVec<[Source; 2]>) {
    let mut fragments: Vec<Arc<Fragment>> = Vec::with_capacity(2);
    let mut out = SmallVec::new();
    for t in tensors {
        let at = fragments.iter().position(|f| Arc::ptr_eq(f, &t.fragment)).unwrap_or_else(|| {
            fragments.push(t.fragment.clone());
            fragments.len() - 1
        });
        out.push(Source::Of { fragment: at as u32, value: t.value });
    }
    (fragments, out)
}

impl Value for TracedTensor {
    fn aval(&self) -> Aval {
        self.info().aval.clone()
    }

    /// Shapes and dtypes are checked here, while recording.
    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        let avals: SmallVec<[Aval; 4]> = args.iter().map(|a| a.aval()).collect();
        let mut guards = Guards::default();
        let outs = prim.infer(&avals, &mut guards)?;
        let n = outs.len() as u32;
        let (parents, inputs) = sources(args.iter().copied());
        let n_parents = parents.len();
        let mut r = Recorder::new(parents, n_parents);
        r.guard(&guards);
        r.push(prim, inputs, outs.into_iter(), Role::Primary);
        let fragment = r.finish();
        if n == 1 {
            return Ok(smallvec![Self { fragment, value: 0 }]);
        }
        Ok((0..n).map(|value| Self { fragment: fragment.clone(), value }).collect())
    }
}

tenferro_ops::impl_value_operators!(TracedTensor);

impl fmt::Debug for TracedTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TracedTensor({})", self.info().aval)
    }
}

/// Checks that `t` can stand for a tangent or cotangent of `of`.
pub(crate) fn check_like(op: &'static str, what: &str, t: &TracedTensor, of: &TracedTensor) -> Result<()> {
    if t.dtype() != of.dtype() {
        return Err(Error::dtype(op, format!("the {what} is {} and must be {}", t.dtype(), of.dtype())));
    }
    let known = |s: &Shape| s.concrete();
    let same = t.shape() == of.shape() || known(t.shape()).is_none() || known(of.shape()).is_none();
    if !same || t.shape().rank() != of.shape().rank() {
        return Err(Error::shape(op, format!("the {what} has shape {} and must have {}", t.shape(), of.shape())));
    }
    Ok(())
}
