"""Transforms of several axes: one axis after the other."""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Sizes = Sequence[int] | None
    Axes = Sequence[int] | None


def fftn(x: "ArrayLike", /, s: "Sizes" = None, axes: "Axes" = None, norm: "str | None" = None) -> "Array":
    """The forward transform of several axes.

    Parameters
    ----------
    x : array of numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
    axes : ints
        Counted from the end where negative; without, all, or as many of the last as s has entries.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.fftn([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[(10+0j), (-2+0j)], [(-4+0j), 0j]]
    """
    return _native.fftn(x, s, axes, norm or "backward")


def ifftn(x: "ArrayLike", /, s: "Sizes" = None, axes: "Axes" = None, norm: "str | None" = None) -> "Array":
    """The inverse transform of several axes.

    Parameters
    ----------
    x : array of numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
    axes : ints
        Counted from the end where negative; without, all, or as many of the last as s has entries.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.ifftn([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[(2.5+0j), (-0.5+0j)], [(-1+0j), 0j]]
    """
    return _native.ifftn(x, s, axes, norm or "backward")


def rfftn(x: "ArrayLike", /, s: "Sizes" = None, axes: "Axes" = None, norm: "str | None" = None) -> "Array":
    """The forward transform of several axes of a real array; of the last, bins 0 … n/2.

    Parameters
    ----------
    x : array of real numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
    axes : ints
        Counted from the end where negative; without, all, or as many of the last as s has entries.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.
    DTypeError
        For complex numbers.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.rfftn([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[(10+0j), (-2+0j)], [(-4+0j), 0j]]
    """
    return _native.rfftn(x, s, axes, norm or "backward")


def irfftn(x: "ArrayLike", /, s: "Sizes" = None, axes: "Axes" = None, norm: "str | None" = None) -> "Array":
    """The inverse of `rfftn`.

    Parameters
    ----------
    x : array of numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
        Without, the last axis has 2(m − 1) points for m bins.
    axes : ints
        Counted from the end where negative; without, all, or as many of the last as s has entries.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Real.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.irfftn([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[2.5, -0.5], [-1.0, 0.0]]
    """
    return _native.irfftn(x, s, axes, norm or "backward")


def fft2(x: "ArrayLike", /, s: "Sizes" = None, axes: "Sequence[int]" = (-2, -1), norm: "str | None" = None) -> "Array":
    """The forward transform of two axes.

    Parameters
    ----------
    x : array of numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
    axes : ints
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.fft2([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[(10+0j), (-2+0j)], [(-4+0j), 0j]]
    """
    return _native.fftn(x, s, axes, norm or "backward")


def ifft2(x: "ArrayLike", /, s: "Sizes" = None, axes: "Sequence[int]" = (-2, -1), norm: "str | None" = None) -> "Array":
    """The inverse transform of two axes.

    Parameters
    ----------
    x : array of numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
    axes : ints
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.ifft2([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[(2.5+0j), (-0.5+0j)], [(-1+0j), 0j]]
    """
    return _native.ifftn(x, s, axes, norm or "backward")


def rfft2(x: "ArrayLike", /, s: "Sizes" = None, axes: "Sequence[int]" = (-2, -1), norm: "str | None" = None) -> "Array":
    """The forward transform of two axes of a real array; of the last, bins 0 … n/2.

    Parameters
    ----------
    x : array of real numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
    axes : ints
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.
    DTypeError
        For complex numbers.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.rfft2([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[(10+0j), (-2+0j)], [(-4+0j), 0j]]
    """
    return _native.rfftn(x, s, axes, norm or "backward")


def irfft2(x: "ArrayLike", /, s: "Sizes" = None, axes: "Sequence[int]" = (-2, -1), norm: "str | None" = None) -> "Array":
    """The inverse of `rfft2`.

    Parameters
    ----------
    x : array of numbers, any shape
    s : ints
        Points to transform along each of the axes, −1 for all: x is cut, or filled with zeros.
        Without, the last axis has 2(m − 1) points for m bins.
    axes : ints
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Real.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points, sizes that do not match the axes, or another norm.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.irfft2([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[2.5, -0.5], [-1.0, 0.0]]
    """
    return _native.irfftn(x, s, axes, norm or "backward")
