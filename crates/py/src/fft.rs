//! Bindings of `tn.fft`.

use pyo3::prelude::*;
use tenferro_fft::Norm;
use tenferro_graph::{Error, Result};

use crate::bind::functions;
use crate::errors::PyR;
use crate::functions::Axes;
use crate::operand::{Operand, Out};

type OneAxis = fn(&Operand, Option<usize>, isize, Norm) -> Result<Operand>;
type Several = fn(&Operand, Option<&[isize]>, Option<&[isize]>, Norm) -> Result<Operand>;

fn points(op: &'static str, n: isize) -> Result<usize> {
    usize::try_from(n).map_err(|_| Error::value(op, format!("the number of points must be at least 1, got {n}")))
}

fn one(f: OneAxis, op: &'static str, x: &Operand, n: Option<isize>, axis: isize, norm: &str) -> PyR<Out> {
    let n = n.map(|n| points(op, n)).transpose()?;
    Ok(Out(f(x, n, axis, Norm::from_name(norm)?)?))
}

fn several(f: Several, x: &Operand, sizes: Option<Axes>, axes: Option<Axes>, norm: &str) -> PyR<Out> {
    Ok(Out(f(x, sizes.as_ref().map(Axes::as_slice), axes.as_ref().map(Axes::as_slice), Norm::from_name(norm)?)?))
}

functions! {
    fft(x: Operand, n: Option<isize>, axis: isize, norm: &str) -> Out { one(tenferro_fft::fft, "fft", &x, n, axis, norm)? }
    ifft(x: Operand, n: Option<isize>, axis: isize, norm: &str) -> Out { one(tenferro_fft::ifft, "ifft", &x, n, axis, norm)? }
    rfft(x: Operand, n: Option<isize>, axis: isize, norm: &str) -> Out { one(tenferro_fft::rfft, "rfft", &x, n, axis, norm)? }
    irfft(x: Operand, n: Option<isize>, axis: isize, norm: &str) -> Out { one(tenferro_fft::irfft, "irfft", &x, n, axis, norm)? }
    hfft(x: Operand, n: Option<isize>, axis: isize, norm: &str) -> Out { one(tenferro_fft::hfft, "hfft", &x, n, axis, norm)? }
    ihfft(x: Operand, n: Option<isize>, axis: isize, norm: &str) -> Out { one(tenferro_fft::ihfft, "ihfft", &x, n, axis, norm)? }
    fftn(x: Operand, s: Option<Axes>, axes: Option<Axes>, norm: &str) -> Out { several(tenferro_fft::fftn, &x, s, axes, norm)? }
    ifftn(x: Operand, s: Option<Axes>, axes: Option<Axes>, norm: &str) -> Out { several(tenferro_fft::ifftn, &x, s, axes, norm)? }
    rfftn(x: Operand, s: Option<Axes>, axes: Option<Axes>, norm: &str) -> Out { several(tenferro_fft::rfftn, &x, s, axes, norm)? }
    irfftn(x: Operand, s: Option<Axes>, axes: Option<Axes>, norm: &str) -> Out { several(tenferro_fft::irfftn, &x, s, axes, norm)? }
    fftfreq(n: isize, d: f64) -> Out { Out(Operand::array(tenferro_fft::fftfreq(points("fftfreq", n)?, d)?)) }
    rfftfreq(n: isize, d: f64) -> Out { Out(Operand::array(tenferro_fft::rfftfreq(points("rfftfreq", n)?, d)?)) }
    fftshift(x: Operand, axes: Option<Axes>) -> Out { Out(tenferro_fft::fftshift(&x, axes.as_ref().map(Axes::as_slice))?) }
    ifftshift(x: Operand, axes: Option<Axes>) -> Out { Out(tenferro_fft::ifftshift(&x, axes.as_ref().map(Axes::as_slice))?) }
}
