"""Sums, products, extremes and counts over axes.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def sum(x: "ArrayLike", /, axis: "Axis" = None, *, dtype: "Any" = None, keepdims: bool = False) -> "Array":
    """The sum over axes; of no elements, 0.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sum([[1.0, 2.0], [3.0, 4.0]], axis=0).tolist()
    [4.0, 6.0]
    """
    return _native.sum(x, axis, keepdims, dtype)


def prod(x: "ArrayLike", /, axis: "Axis" = None, *, dtype: "Any" = None, keepdims: bool = False) -> "Array":
    """The product over axes; of no elements, 1. Its derivative is right at zeros.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.prod([[1.0, 2.0], [3.0, 4.0]], axis=0).tolist()
    [3.0, 8.0]
    """
    return _native.prod(x, axis, keepdims, dtype)


def max(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The largest element over axes, NaN if one is NaN. Ties share the derivative equally.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For axes without elements.
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.max([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [2.0, 4.0]
    """
    return _native.max(x, axis, keepdims)


def min(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The smallest element over axes, NaN if one is NaN. Ties share the derivative equally.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For axes without elements.
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.min([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [1.0, 3.0]
    """
    return _native.min(x, axis, keepdims)


def ptp(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The largest minus the smallest element over axes.

    Parameters
    ----------
    x : array, any shape; integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For axes without elements.
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.ptp([[1.0, 2.5], [3.0, 4.0]], axis=1).tolist()
    [1.5, 1.0]
    """
    return _native.ptp(x, axis, keepdims)


def any(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """Whether one element over axes is not 0; of none, false.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.any([[0, 1], [0, 0]], axis=1).tolist()
    [True, False]
    """
    return _native.any(x, axis, keepdims)


def all(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """Whether no element over axes is 0; of none, true.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.all([[0, 1], [2, 3]], axis=1).tolist()
    [False, True]
    """
    return _native.all(x, axis, keepdims)


def count_nonzero(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """How many elements over axes are not 0, as int64.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.count_nonzero([[0, 1], [2, 3]], axis=1).tolist()
    [1, 2]
    """
    return _native.count_nonzero(x, axis, keepdims)


def logsumexp(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """log Σ eˣ over axes without overflow; of nothing, −∞.

    Parameters
    ----------
    x : array, any shape; any dtype; integers become floats
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logsumexp([1000.0, -1000.0]).tolist()
    1000.0
    """
    return _native.logsumexp(x, axis, keepdims)
