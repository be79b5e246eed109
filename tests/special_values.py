"""Special arguments and comparisons that see signs of zeros, infinities and NaN, for `test_special_values.py`."""

import numpy as np
from draws import INTEGERS

COMPLEX = ("complex64", "complex128")


def reals(dtype):
    """Zeros, subnormals, ordinary and huge numbers, edges of domains and of exactness, infinities and NaN."""
    f = np.finfo(dtype)
    tiny = [0.0, f.smallest_subnormal, 7 * f.smallest_subnormal, f.tiny / 3, f.tiny, f.eps / 4, f.eps, 1e-5]
    plain = [0.1, 0.25, 0.5, 1 - f.epsneg, 1.0, 1 + f.eps, 1.5, 2.0, 2.5, 3.0, 3.5, np.pi, 8.0, 20.0, 27.5, 88.0, 104.0]
    large = [171.5, 512.5, 709.5, 745.0, 1e5, 1e6 + 0.5, 2.0**f.nmant, 2.0**f.nmant + 1, 2.0**31, 2.0**63, 2.0**64, 1e30]
    x = np.array([*tiny, *plain, *large, f.max / 3, f.max, np.inf], dtype)
    return np.concatenate([x, -x, np.array([np.nan], dtype)])


def integers(dtype):
    """0, small numbers, the number of bits and its neighbours, both ends of the range."""
    if dtype == "bool":
        return np.array([False, True])
    i = np.iinfo(dtype)
    x = {0, 1, 2, 3, 5, 7, 8, 15, i.bits - 1, i.bits, i.bits + 1, 100, i.max // 2, i.max - 1, i.max}
    if i.min < 0:
        x |= {-1, -2, -3, -7, -8, -100, -i.bits, i.min, i.min + 1}
    return np.array(sorted(x), dtype)


def joined(re, im):
    """re + i im, both parts as they are: arithmetic would lose signs of zeros."""
    z = np.empty(np.shape(re), "complex64" if np.asarray(re).dtype == "float32" else "complex128")
    z.real, z.imag = re, im
    return z


def plane(parts, dtype):
    """All complex numbers with these parts and their negatives, and NaN."""
    x = np.asarray(parts, np.finfo(dtype).dtype)
    x = np.concatenate([x, -x, np.array([np.nan], x.dtype)])
    return joined(*(v.ravel() for v in np.meshgrid(x, x)))


def complexes(dtype):
    f = np.finfo(dtype)
    overflows = 710.0 if dtype == "complex128" else 89.0
    return plane([0.0, f.smallest_subnormal, f.tiny, 1e-20, 0.3, 1.0, 1 + f.eps, 2.0, 3.7, overflows, 1e10, f.max / 2, np.inf], dtype)


def few_complexes(dtype):
    f = np.finfo(dtype)
    return plane([0.0, f.smallest_subnormal, 0.3, 1.0, 2.0, f.max / 2, np.inf], dtype)


def points(dtype):
    if dtype in COMPLEX:
        return complexes(dtype)
    return integers(dtype) if dtype in ("bool", *INTEGERS) else reals(dtype)


def pairs(dtype):
    """The full cross product; of complex numbers a part of it."""
    x = few_complexes(dtype) if dtype in COMPLEX else points(dtype)
    # An odd step through so many complex pairs meets all combinations of kinds.
    return [v.ravel()[:: 7 if dtype in COMPLEX else 1] for v in np.meshgrid(x, x)]


def same_sign(got, want):
    return np.signbit(got) == np.signbit(want)


def unit_of(x):
    """The distance to the next number; ∞ of ∞, 0 of NaN."""
    top = np.finfo(x.dtype).max
    unit = np.spacing(np.minimum(np.abs(np.nan_to_num(x, posinf=0, neginf=0)), top / 2))
    return np.where(np.isinf(x), np.inf, np.where(np.isnan(x), 0, unit))


def real_misfit(got, want, ulps):
    """Where two arrays differ: by infinities, NaN, more than `ulps`, or the sign of a zero."""
    if got.dtype.kind != "f":
        return got != want
    with np.errstate(all="ignore"):
        close = (got == want) | (np.isfinite(got) & np.isfinite(want) & (np.abs(got - want) <= ulps * unit_of(want)))
    return ~((np.isnan(got) & np.isnan(want)) | (close & same_sign(got, want)))


def complex_misfit(got, want, ulps, zeros=True):
    """As `real_misfit` part by part, in ulps of the larger part: beside an infinite part finite is enough.

    `zeros`: whether signs of zeros count.
    """
    with np.errstate(all="ignore"):
        unit = np.maximum(unit_of(want.real), unit_of(want.imag))
        wrong = np.zeros(got.shape, bool)
        for g, w in ((got.real, want.real), (got.imag, want.imag)):
            close = (g == w) | (np.isfinite(g) & np.isfinite(w) & (np.abs(g - w) <= ulps * unit))
            if zeros:
                close &= same_sign(g, w) | ((g != 0) & (w != 0))
            wrong |= ~((np.isnan(g) & np.isnan(w)) | close)
    return wrong


def misfit(got, want, ulps, zeros=True):
    return complex_misfit(got, want, ulps, zeros) if want.dtype.kind == "c" else real_misfit(got, want, ulps)


def report(wrong, arguments, got, want, limit=12):
    """The first misfits, a line each; empty if there is none."""
    first = np.flatnonzero(wrong)[:limit]
    lines = [f"{', '.join(str(a[i]) for a in arguments)}: {got[i]}, wanted {want[i]}" for i in first]
    return "\n".join([f"{np.count_nonzero(wrong)} of {wrong.size}", *lines]) if lines else ""
