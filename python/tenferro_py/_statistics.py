"""Averages, spreads, medians and shares over axes.

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


def mean(x: "ArrayLike", /, axis: "Axis" = None, *, dtype: "Any" = None, keepdims: bool = False) -> "Array":
    """The mean over axes; bool and integers are averaged in float64. Of nothing, NaN.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, or float64.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.mean([[1.0, 2.0], [3.0, 4.0]], axis=0).tolist()
    [2.0, 3.0]
    """
    return _native.mean(x, axis, keepdims, dtype)


def var(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    *,
    correction: float = 0.0,
    ddof: "float | None" = None,
    dtype: "Any" = None,
    keepdims: bool = False,
) -> "Array":
    """The variance over axes, Σ|x − mean|² / (n − correction); real for complex x.

    Parameters
    ----------
    x : array, any shape; any dtype; bool and integers become float64
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    correction, ddof : float
        Two names of what is taken from the number of elements.
    dtype : dtype or None
        To compute in and to give; None takes x's, or float64.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.var([1.0, 2.0, 3.0], correction=1).tolist()
    1.0
    """
    return _native.var(x, axis, correction if ddof is None else ddof, keepdims, dtype)


def std(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    *,
    correction: float = 0.0,
    ddof: "float | None" = None,
    dtype: "Any" = None,
    keepdims: bool = False,
) -> "Array":
    """The standard deviation over axes, √var. Its derivative is 0 where it is 0.

    Parameters
    ----------
    x : array, any shape; any dtype; bool and integers become float64
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    correction, ddof : float
        Two names of what is taken from the number of elements.
    dtype : dtype or None
        To compute in and to give; None takes x's, or float64.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.std([1.0, 2.0, 3.0], correction=1).tolist()
    1.0
    """
    return _native.std(x, axis, correction if ddof is None else ddof, keepdims, dtype)


def median(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The median over axes: of an even number the mean of the middle two; NaN if one is NaN.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating; integers become float64
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
    >>> tn.median([4.0, 1.0, 3.0, 2.0]).tolist()
    2.5
    """
    return _native.median(x, axis, keepdims)


def softmax(x: "ArrayLike", /, axis: "Axis" = -1) -> "Array":
    """eˣ / Σ eˣ over axes without overflow.

    Parameters
    ----------
    x : array, any shape; any dtype; integers become floats
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.softmax([1000.0, 1000.0]).tolist()
    [0.5, 0.5]
    """
    return _native.softmax(x, axis)


def log_softmax(x: "ArrayLike", /, axis: "Axis" = -1) -> "Array":
    """log softmax(x), accurate where that is small.

    Parameters
    ----------
    x : array, any shape; any dtype; integers become floats
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.log_softmax([0.0, 1000.0]).tolist()
    [-1000.0, 0.0]
    """
    return _native.log_softmax(x, axis)
