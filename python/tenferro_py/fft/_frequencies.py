"""The frequencies of bins, and the order with frequency 0 in the middle."""

from tenferro_py import _native
from tenferro_py._errors import DTypeError
from tenferro_py._namespace import check_device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Axes = Sequence[int] | None


def _in(op: str, f: "Array", dtype: "Any") -> "Array":
    """Frequencies in a floating dtype."""
    if dtype is None:
        return f
    if _native.DType(dtype).kind != "f":
        raise DTypeError(f"{op}: dtype {_native.DType(dtype)} is not float32 or float64")
    return _native.astype(f, dtype)


def fftfreq(n: int, /, d: float = 1.0, *, dtype: "Any" = None, device: "str | None" = None) -> "Array":
    """The frequencies of the bins of `fft`, in cycles per unit of the spacing.

    Parameters
    ----------
    n : int
        The number of points.
    d : float
        The spacing of the points.
    dtype : floating dtype
        float64 by default.
    device : "cpu" or None

    Returns
    -------
    Array
        (n,): 0 … (n−1)/2, then −n/2 … −1, over n·d.

    Raises
    ------
    ArgumentError
        For no points or spacing 0.
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    check_device("fftfreq", device)
    return _in("fftfreq", _native.fftfreq(n, d), dtype)


def rfftfreq(n: int, /, d: float = 1.0, *, dtype: "Any" = None, device: "str | None" = None) -> "Array":
    """The frequencies of the bins of `rfft`, in cycles per unit of the spacing.

    Parameters
    ----------
    n : int
        The number of points.
    d : float
        The spacing of the points.
    dtype : floating dtype
        float64 by default.
    device : "cpu" or None

    Returns
    -------
    Array
        (n//2 + 1,): 0 … n/2, over n·d.

    Raises
    ------
    ArgumentError
        For no points or spacing 0.
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.rfftfreq(4).tolist()
    [0.0, 0.25, 0.5]
    """
    check_device("rfftfreq", device)
    return _in("rfftfreq", _native.rfftfreq(n, d), dtype)


def fftshift(x: "ArrayLike", /, axes: "int | Axes" = None) -> "Array":
    """Frequency 0 moves to the middle of each axis.

    Parameters
    ----------
    x : array, any shape and dtype
    axes : int, ints, or None
        All if None.

    Returns
    -------
    Array
        The shape and dtype of x.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.fftshift([0, 1, -1]).tolist()
    [-1, 0, 1]
    """
    return _native.fftshift(x, axes)


def ifftshift(x: "ArrayLike", /, axes: "int | Axes" = None) -> "Array":
    """Undoes `fftshift`; for odd lengths the two differ.

    Parameters
    ----------
    x : array, any shape and dtype
    axes : int, ints, or None
        All if None.

    Returns
    -------
    Array
        The shape and dtype of x.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fft.ifftshift([0, 1, -1]).tolist()
    [1, -1, 0]
    """
    return _native.ifftshift(x, axes)
