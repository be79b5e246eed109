"""Rows of the op table: Fourier transforms, against numpy.fft."""

import numpy as np
from draws import INEXACT, INTEGERS, REAL, Row, shapes

import tenferro_py as tn

COMPLEX = ("complex64", "complex128")
NUMBERS = ("bool", *INTEGERS, *INEXACT)
NORMS = ("backward", "ortho", "forward")


def transform(name, dims, dtypes=INEXACT, suffix="", eps=32, order=2, **options):
    """A function of numpy.fft with the same arguments here and there."""

    def here(x):
        return getattr(tn.fft, name)(x, **options)

    def there(x):
        return getattr(np.fft, name)(x, **options)

    return Row(f"fft_{name}{suffix}", here, there, shapes(dims), dtypes, order, eps=eps)


def one_axis(name, dtypes):
    """Default arguments, then n cut and filled, even, odd and 1, every norm, both axes."""
    rows = [transform(name, (3, 6), dtypes), transform(name, (3, 7), dtypes, "_odd")]
    for i, n in enumerate((1, 2, 3, 5, 8, 12, 31)):
        options = {"n": n, "axis": (0, -1)[i % 2], "norm": NORMS[i % 3]}
        rows.append(transform(name, (3, 6), dtypes, f"_n{n}", **options))
    return rows


def several(name, dtypes):
    return [
        transform(name, (2, 3, 4), dtypes),
        transform(name, (2, 3, 5), dtypes, "_axes", axes=(2, 0), norm="ortho"),
        transform(name, (2, 3, 4), dtypes, "_sizes", s=(4, 3), axes=(0, 1), norm="forward"),
    ]


def plane(name, dtypes):
    return [transform(name, (2, 4, 6), dtypes), transform(name, (4, 3, 6), dtypes, "_sizes", s=(5, 4), axes=(0, 2))]


def _input(dtype, *dims):
    return tn.TracedTensor.input(dtype, dims)


ERRORS = (
    (lambda: tn.fft.fft(_input("complex128", 3), n=0), "ValueError", "points"),
    (lambda: tn.fft.fft(_input("complex128", 0)), "ValueError", "points"),
    (lambda: tn.fft.irfft(_input("complex128", 1)), "ValueError", "points"),
    (lambda: tn.fft.fft(_input("complex128", 3), axis=1), "IndexError", "axis 1"),
    (lambda: tn.fft.rfft(_input("complex128", 3)), "TypeError", "real"),
    (lambda: tn.fft.fft(_input("complex128", 3), norm="unitary"), "ValueError", "norm"),
    (lambda: tn.fft.fftn(_input("complex128", 3, 3), s=(2,), axes=(0, 1)), "ValueError", "sizes"),
    (lambda: tn.fft.rfftn(_input("float64", 3), axes=()), "ValueError", "axis"),
)

REFUSED = [Row("fft_refuses", lambda x: tn.fft.fft(x), np.fft.fft, shapes((4,)), ("complex128",), eps=32, errors=ERRORS)]

FFT = [
    *one_axis("fft", INEXACT),
    *one_axis("ifft", INEXACT),
    *one_axis("rfft", REAL),
    *one_axis("irfft", INEXACT),
    *one_axis("hfft", COMPLEX),
    *one_axis("ihfft", REAL),
    *several("fftn", INEXACT),
    *several("ifftn", INEXACT),
    *several("rfftn", REAL),
    *several("irfftn", COMPLEX),
    *plane("fft2", INEXACT),
    *plane("ifft2", INEXACT),
    *plane("rfft2", REAL),
    *plane("irfft2", COMPLEX),
    transform("fft", (5,), ("bool", *INTEGERS), "_integers", eps=64, order=0),
    transform("rfft", (5,), ("bool", *INTEGERS), "_integers", eps=64, order=0),
    transform("irfft", (5,), ("bool", *INTEGERS), "_integers", eps=64, order=0),
    transform("fft", (1009,), ("complex128",), "_prime", eps=256, order=0),
    transform("fft", (0, 4), INEXACT, "_empty", order=0),
    transform("fftshift", (4, 5), NUMBERS, eps=0),
    transform("fftshift", (4, 5), NUMBERS, "_axis", eps=0, axes=1),
    transform("ifftshift", (4, 5), NUMBERS, eps=0),
    transform("ifftshift", (4, 5), NUMBERS, "_axes", eps=0, axes=(0, -1)),
    *REFUSED,
]
