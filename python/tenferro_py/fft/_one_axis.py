"""Transforms of one axis."""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def fft(x: "ArrayLike", /, n: "int | None" = None, axis: int = -1, norm: "str | None" = None) -> "Array":
    """The forward transform of one axis.

    Parameters
    ----------
    x : array of numbers, any shape
    n : int
        Points to transform: x is cut, or filled with zeros at the end. By default all.
    axis : int
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex; the axis has n bins, from frequency 0 up, then the negative ones.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points or another norm.

    Notes
    -----
    Xₖ = Σⱼ xⱼ exp(−2πi jk/n).

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.fft([1.0, 0.0]).tolist()
    [(1+0j), (1+0j)]
    """
    return _native.fft(x, n, axis, norm or "backward")


def ifft(x: "ArrayLike", /, n: "int | None" = None, axis: int = -1, norm: "str | None" = None) -> "Array":
    """The inverse transform of one axis.

    Parameters
    ----------
    x : array of numbers, any shape
    n : int
        Points to transform: x is cut, or filled with zeros at the end. By default all.
    axis : int
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex; the axis has n points.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points or another norm.

    Notes
    -----
    xⱼ = 1/n Σₖ Xₖ exp(2πi jk/n).

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.ifft([2.0, 0.0]).tolist()
    [(1+0j), (1+0j)]
    """
    return _native.ifft(x, n, axis, norm or "backward")


def rfft(x: "ArrayLike", /, n: "int | None" = None, axis: int = -1, norm: "str | None" = None) -> "Array":
    """The forward transform of one axis of a real array: bins 0 … n/2.

    Parameters
    ----------
    x : array of real numbers, any shape
    n : int
        Points to transform: x is cut, or filled with zeros at the end. By default all.
    axis : int
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex; the axis has n//2 + 1 bins.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points or another norm.
    DTypeError
        For complex numbers.

    Notes
    -----
    The other bins of `fft` are conjugate to these.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.rfft([1.0, 0.0, 0.0]).tolist()
    [(1+0j), (1+0j)]
    """
    return _native.rfft(x, n, axis, norm or "backward")


def irfft(x: "ArrayLike", /, n: "int | None" = None, axis: int = -1, norm: "str | None" = None) -> "Array":
    """The inverse of `rfft`: a real array from half of its bins.

    Parameters
    ----------
    x : array of numbers, any shape
    n : int
        Points of the result: the first n/2 + 1 bins are used, missing ones are 0. By default
        2(m − 1) for m bins.
    axis : int
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Real; the axis has n points.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points or another norm.

    Notes
    -----
    The imaginary part of bin 0, and of bin n/2 for even n, does not count.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.irfft([2.0, 0.0]).tolist()
    [1.0, 1.0]
    """
    return _native.irfft(x, n, axis, norm or "backward")


def hfft(x: "ArrayLike", /, n: "int | None" = None, axis: int = -1, norm: "str | None" = None) -> "Array":
    """The forward transform, real, of a signal with conjugate symmetry.

    Parameters
    ----------
    x : array of numbers, any shape; the first half of the signal
    n : int
        Points of the result: the first n/2 + 1 bins are used, missing ones are 0. By default
        2(m − 1) for m bins.
    axis : int
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Real; the axis has n points.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points or another norm.

    Notes
    -----
    `irfft` of the conjugate with the directions exchanged.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.hfft([1.0, 0.0]).tolist()
    [1.0, 1.0]
    """
    return _native.hfft(x, n, axis, norm or "backward")


def ihfft(x: "ArrayLike", /, n: "int | None" = None, axis: int = -1, norm: "str | None" = None) -> "Array":
    """The inverse of `hfft`: half of a signal with conjugate symmetry.

    Parameters
    ----------
    x : array of real numbers, any shape
    n : int
        Points to transform: x is cut, or filled with zeros at the end. By default all.
    axis : int
        Counted from the end where negative.
    norm : "backward", "ortho", "forward" or None
        Where the factor 1/n goes.

    Returns
    -------
    Array
        Complex; the axis has n//2 + 1 points.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no points or another norm.
    DTypeError
        For complex numbers.

    Notes
    -----
    The conjugate of `rfft` with the directions exchanged.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.ihfft([2.0, 2.0]).tolist()
    [(2-0j), -0j]
    """
    return _native.ihfft(x, n, axis, norm or "backward")
