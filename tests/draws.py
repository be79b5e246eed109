"""Inputs for the op table, and what a row of it is."""

from dataclasses import dataclass, field

import numpy as np

REAL = ("float32", "float64")
INEXACT = (*REAL, "complex64", "complex128")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMBERS = (*INTEGERS, *INEXACT)
ALL = ("bool", *NUMBERS)


def numbers(rng, dtype, shape):
    """Standard normal numbers; integers in −9 … 9 or 0 … 9; coin flips."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in INTEGERS:
        return rng.integers(0 if dtype.startswith("u") else -9, 10, shape).astype(dtype)
    x = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        x = x + 1j * rng.standard_normal(shape)
    return np.asarray(x, dtype=dtype)


def shapes(*dims):
    return lambda rng, dtype: [numbers(rng, dtype, d) for d in dims]


def positive(*dims):
    def draw(rng, dtype):
        return [
            (np.abs(numbers(rng, dtype, d)) + np.asarray(0.5, dtype)).astype(dtype)
            if not dtype.startswith("c")
            else numbers(rng, dtype, d) + 2
            for d in dims
        ]

    return draw


def away_from_zero(*dims):
    """No component within 0.3 of 0: kinks and poles stay out of the difference quotients."""

    def draw(rng, dtype):
        out = []
        for x in shapes(*dims)(rng, dtype):
            sign = np.where(np.real(x) < 0, -1, 1)
            out.append(
                (x + np.asarray(0.3, "float64") * sign).astype(dtype) if dtype not in INTEGERS else np.where(x == 0, 1, x).astype(dtype)
            )
        return out

    return draw


def distinct(*dims):
    """All entries different by at least 0.1, so that maxima are unique."""

    def draw(rng, dtype):
        total = sum(int(np.prod(d)) for d in dims)
        flat = rng.permutation(total) if dtype in INTEGERS else (rng.permutation(total) - total // 2) * 0.25
        cuts = np.cumsum([int(np.prod(d)) for d in dims])[:-1]
        return [np.asarray(p, dtype).reshape(d) for p, d in zip(np.split(flat, cuts), dims, strict=True)]

    return draw


@dataclass(frozen=True)
class Row:
    name: str
    call: object
    reference: object
    draw: object
    dtypes: tuple = INEXACT
    order: int = 2
    errors: tuple = field(default=())
    # Relative error allowed, in units of the dtype's epsilon.
    eps: float = 8

    def __str__(self):
        return self.name
