//! Discrete Fourier transforms: their definitions and derivative rules. No kernels.
//!
//! - [`Fft`], [`Rfft`], [`Irfft`]: one axis; complex, from real, to real.
//! - [`fft`] … [`ihfft`]: NumPy's functions of one axis, [`fftn`] … [`irfftn`] of several.
//! - [`fftfreq`], [`rfftfreq`], [`fftshift`], [`ifftshift`]: frequencies and their order.

mod frequencies;
mod norm;
mod one;
mod several;
mod transform;

pub use frequencies::{fftfreq, fftshift, ifftshift, rfftfreq};
pub use norm::Norm;
pub use one::{fft, hfft, ifft, ihfft, irfft, rfft};
pub use several::{fft2, fftn, ifft2, ifftn, irfft2, irfftn, rfft2, rfftn};
pub use transform::{Fft, Irfft, Rfft};
