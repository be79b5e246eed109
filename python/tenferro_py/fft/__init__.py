"""Discrete Fourier transforms, as NumPy's.

float32 and complex64 stay single; integers and bool become float64 or complex128. Each function
takes tensors, traced tensors, eager tensors and array-likes, and gives the kind it was given. The
derivative of a transform, which is linear, is the transform itself; gradients are its adjoint.

The factor 1/n goes to the inverse (``norm="backward"`` or None), to the forward transform
(``"forward"``), or as 1/√n to both (``"ortho"``).
"""

from tenferro_py.fft._frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from tenferro_py.fft._one_axis import fft, hfft, ifft, ihfft, irfft, rfft
from tenferro_py.fft._several_axes import fft2, fftn, ifft2, ifftn, irfft2, irfftn, rfft2, rfftn

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
