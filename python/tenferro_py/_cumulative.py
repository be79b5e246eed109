"""Running sums, products and extremes along an axis.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import ndim_of
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _only_axis(op: str, x: "ArrayLike", axis: "int | None") -> int:
    if axis is None and ndim_of(x) != 1:
        raise ArgumentError(f"{op}: x has {ndim_of(x)} axes; say which one by axis=")
    return 0 if axis is None else axis


def cumulative_sum(x: "ArrayLike", /, *, axis: "int | None" = None, dtype: "Any" = None, include_initial: bool = False) -> "Array":
    """Running sums along an axis.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or None
        May be left out for 1-d x only.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    include_initial : bool
        Whether the value of nothing comes first.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no axis of an array that has not one.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cumulative_sum([1.0, 2.0, 3.0], include_initial=True).tolist()
    [0.0, 1.0, 3.0, 6.0]
    """
    return _native.cumsum(x, _only_axis("cumulative_sum", x, axis), dtype, False, include_initial)


def cumsum(x: "ArrayLike", /, axis: "int | None" = None, dtype: "Any" = None, *, reverse: bool = False) -> "Array":
    """Running sums along an axis.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or None
        Counted from the end where negative; None flattens x first.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    reverse : bool
        Whether to begin at the end.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cumsum([1.0, 2.0, 3.0], reverse=True).tolist()
    [6.0, 5.0, 3.0]
    """
    return _native.cumsum(x, axis, dtype, reverse)


def cumulative_prod(x: "ArrayLike", /, *, axis: "int | None" = None, dtype: "Any" = None, include_initial: bool = False) -> "Array":
    """Running products along an axis. The derivative is right at zeros.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or None
        May be left out for 1-d x only.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    include_initial : bool
        Whether the value of nothing comes first.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no axis of an array that has not one.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cumulative_prod([1.0, 2.0, 3.0]).tolist()
    [1.0, 2.0, 6.0]
    """
    return _native.cumprod(x, _only_axis("cumulative_prod", x, axis), dtype, False, include_initial)


def cumprod(x: "ArrayLike", /, axis: "int | None" = None, dtype: "Any" = None, *, reverse: bool = False) -> "Array":
    """Running products along an axis. The derivative is right at zeros.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or None
        Counted from the end where negative; None flattens x first.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    reverse : bool
        Whether to begin at the end.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cumprod([1.0, 2.0, 3.0], reverse=True).tolist()
    [6.0, 6.0, 3.0]
    """
    return _native.cumprod(x, axis, dtype, reverse)


def cummax(x: "ArrayLike", /, axis: "int | None" = None, *, reverse: bool = False) -> "Array":
    """Running maxima along an axis, NaN from the first NaN on.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int or None
        Counted from the end where negative; None flattens x first.
    reverse : bool
        Whether to begin at the end.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cummax([1.0, 3.0, 2.0]).tolist()
    [1.0, 3.0, 3.0]
    """
    return _native.cummax(x, axis, reverse)


def cummin(x: "ArrayLike", /, axis: "int | None" = None, *, reverse: bool = False) -> "Array":
    """Running minima along an axis, NaN from the first NaN on.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int or None
        Counted from the end where negative; None flattens x first.
    reverse : bool
        Whether to begin at the end.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cummin([3.0, 1.0, 2.0]).tolist()
    [3.0, 1.0, 1.0]
    """
    return _native.cummin(x, axis, reverse)


def cumlogsumexp(x: "ArrayLike", /, axis: "int | None" = None, *, reverse: bool = False) -> "Array":
    """Running log Σ eˣ along an axis, without overflow.

    Parameters
    ----------
    x : array, any shape; any dtype; integers become floats
    axis : int or None
        Counted from the end where negative; None flattens x first.
    reverse : bool
        Whether to begin at the end.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cumlogsumexp([1000.0, 0.0]).tolist()
    [1000.0, 1000.0]
    """
    return _native.cumlogsumexp(x, axis, reverse)
