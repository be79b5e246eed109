"""Rows of the op table: Fourier transforms."""

import numpy as np
from draws import ALL, INEXACT, INTEGERS, REAL, Row, shapes

import tenferro_py as tn

EXACT = (*INTEGERS, *REAL)


def line(name, row=None, dims=(3, 6), dtypes=INEXACT, errors=(), **kwargs):
    """`tn.fft.name` against `np.fft.name` with the same further arguments."""
    return Row(
        row or name,
        lambda x: getattr(tn.fft, name)(x, **kwargs),
        lambda x: getattr(np.fft, name)(x, **kwargs),
        shapes(dims),
        dtypes,
        order=2,
        errors=errors,
        eps=64,
    )


def traced(dtype, shape=(4,)):
    return tn.TracedTensor.input(dtype, shape)


ROWS = [
    line(
        "fft",
        dtypes=ALL,
        errors=(
            (lambda: tn.fft.fft(traced("float64"), axis=1), "AxisError", "fft"),
            (lambda: tn.fft.fft(traced("float64"), n=0), "ArgumentError", "number of points"),
            (lambda: tn.fft.fft(traced("float64"), n=-3), "ArgumentError", "got -3"),
            (lambda: tn.fft.fft(traced("float64"), norm="full"), "ArgumentError", "norm"),
        ),
    ),
    line("ifft", dtypes=ALL),
    line("fft", "fft_prime_axis_0", dims=(7, 2), axis=0, norm="ortho"),
    line("fft", "fft_cut", n=4, norm="forward"),
    line("ifft", "ifft_filled", n=9, axis=0, norm="forward"),
    line("rfft", dtypes=EXACT, errors=((lambda: tn.fft.rfft(traced("complex128")), "DTypeError", "rfft"),)),
    line("rfft", "rfft_odd_filled", dtypes=REAL, n=9, norm="ortho"),
    line("irfft", dtypes=ALL),
    line("irfft", "irfft_odd", n=7, norm="ortho"),
    line("irfft", "irfft_axis_0", n=8, axis=0, norm="forward"),
    line("hfft", dtypes=ALL),
    line("hfft", "hfft_odd", n=5, norm="ortho"),
    line("ihfft", dtypes=EXACT),
    line("ihfft", "ihfft_odd", dtypes=REAL, n=5, norm="forward"),
    line(
        "fftn",
        dims=(2, 3, 4),
        errors=((lambda: tn.fft.fftn(traced("float64", (3, 4)), s=(2,), axes=(0, 1)), "ArgumentError", "sizes"),),
    ),
    line("ifftn", dims=(2, 3, 4), axes=(2, 0), s=(3, 3), norm="ortho"),
    line("rfftn", dims=(2, 3, 4), dtypes=REAL),
    line("irfftn", dims=(2, 3, 4)),
    line("irfftn", "irfftn_odd", dims=(2, 3, 4), s=(3, 5), axes=(0, 1), norm="forward"),
    line("fft2", dims=(2, 3, 4)),
    line("ifft2", dims=(2, 3, 4), s=(4, 4)),
    line("rfft2", dims=(2, 3, 4), dtypes=REAL, axes=(0, 1)),
    line("irfft2", dims=(2, 3, 4)),
    line("fftshift", dims=(3, 4), dtypes=ALL),
    line("ifftshift", dims=(3, 4), dtypes=ALL, axes=0),
]
