//! From a transform to its step.

use tenferro_fft::{Fft, Irfft, Rfft};
use tenferro_graph::{Aval, DType, Error, Prim, Result};

use super::kernel::{Kind, Real, kernel};
use super::lines::Lines;
use super::transform::{BUNDLE, Transform, parts};
use crate::layout::{c_order, order_of, strides_in};
use crate::step::{Planning, View, given, sizes};

/// Work is shared among threads from this many nanoseconds on, in lanes of at least so many.
const SHARED: f64 = 40_000.0;
const LANE: f64 = 16_000.0;
const LANES: usize = 16;
/// Bytes of a bundle that stay in a core's own caches.
const NEAR: usize = 128 * 1024;
/// Lines of a strided bundle even where that is more: what a cache line holds.
const FEW: usize = 4;

/// What a primitive says of its lines.
struct Op {
    name: &'static str,
    kind: Kind,
    axis: usize,
    n: usize,
    scale: f64,
    inner: f64,
}

impl Op {
    /// Nanoseconds of one line, from lengths 16 to 2^16 on one core.
    fn line_cost(&self, size: usize) -> f64 {
        let n = self.n as f64;
        let real = matches!(self.kind, Kind::ToComplex | Kind::ToReal);
        let each = if real { 0.25 } else { 0.5 } * size as f64 / 8.0;
        30.0 + n * (each * (n + 1.0).log2() + 1.0)
    }

    fn lower<T: Real>(&self, p: &mut dyn Planning, from: &View, to: &View) -> Result<()> {
        let kernel = kernel::<T>(self.kind, self.n);
        let lines = Lines::new(from, to, self.axis);
        let count = lines.count();
        let near = NEAR / (self.n.saturating_mul(2 * size_of::<T>())).max(1);
        let bundle = near.max(if lines.is_strided() { FEW } else { 1 }).min(BUNDLE).min(count);
        let cost = count as f64 * self.line_cost(size_of::<T>());
        let most = if cost < SHARED { 1.0 } else { cost / LANE };
        let lanes = (most as usize).min(LANES).min(count.div_ceil(bundle)).max(1);
        let bytes = parts(&kernel, self.n, bundle).and_then(|p| p.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n)));
        let bytes = bytes.filter(|bytes| *bytes < isize::MAX as usize / LANES);
        let bytes = bytes.ok_or_else(|| Error::value(self.name, format!("{} points are too many for the address space", self.n)))?;
        let scratch = p.scratch(bytes * lanes);
        p.push(Box::new(Transform {
            name: self.name,
            kernel,
            from: from.place,
            to: to.place,
            lines,
            n: self.n,
            scale: T::of(self.scale),
            inner: T::of(self.inner),
            bundle,
            lanes,
            scratch,
            scratch_bytes: bytes,
            same_layout: from.dtype == to.dtype && from.shape == to.shape && from.strides == to.strides,
            cost,
        }));
        Ok(())
    }

    fn plan(&self, p: &mut dyn Planning, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
        let ([from], [out]) = (args, outs) else {
            return Err(Error::program(format!("{}: takes one input and makes one output", self.name)));
        };
        let shape = sizes(out)?;
        let order = order_of(from).unwrap_or_else(|| c_order(&shape));
        let to = p.temporary(out.dtype, &shape, &strides_in(&order, &shape));
        if to.size() > 0 {
            match out.dtype.real() {
                DType::F32 => self.lower::<f32>(p, from, &to)?,
                _ => self.lower::<f64>(p, from, &to)?,
            }
        }
        Ok(vec![to])
    }
}

fn length(args: &[View], axis: usize) -> usize {
    args.first().and_then(|v| v.shape.get(axis)).copied().unwrap_or(0)
}

pub(crate) fn lower_fft(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let f = given::<Fft>(prim)?;
    let (name, kind) = if f.inverse { ("ifft", Kind::Inverse) } else { ("fft", Kind::Forward) };
    Op { name, kind, axis: f.axis, n: length(args, f.axis), scale: f.scale(), inner: 1.0 }.plan(p, args, outs)
}

pub(crate) fn lower_rfft(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let f = given::<Rfft>(prim)?;
    let n = length(args, f.axis);
    Op { name: "rfft", kind: Kind::ToComplex, axis: f.axis, n, scale: f.scale(), inner: f.inner() }.plan(p, args, outs)
}

pub(crate) fn lower_irfft(p: &mut dyn Planning, prim: &Prim, args: &[View], outs: &[Aval]) -> Result<Vec<View>> {
    let f = given::<Irfft>(prim)?;
    Op { name: "irfft", kind: Kind::ToReal, axis: f.axis, n: f.n, scale: f.scale(), inner: f.inner() }.plan(p, args, outs)
}
