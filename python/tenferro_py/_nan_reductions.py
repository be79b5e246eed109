"""Reductions that leave NaN out. Its derivative is 0.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._reductions import max, min, prod, sum
from tenferro_py._statistics import mean, std, var

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def _numbers(x: "ArrayLike") -> "tuple[Array, Array | None]":
    """x, and which of it are not NaN: None, if none can be."""
    y = asarray(x)
    return y, _native.logical_not(_native.isnan(y)) if y.dtype.kind in "fc" else None


def nansum(x: "ArrayLike", /, axis: "Axis" = None, dtype: "Any" = None, *, keepdims: bool = False) -> "Array":
    """The sum over axes of what is not NaN; of nothing, 0.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nansum([1.0, float("nan"), 2.0]).tolist()
    3.0
    """
    y, numbers = _numbers(x)
    return sum(y, axis, dtype, keepdims=keepdims, where=numbers)


def nanprod(x: "ArrayLike", /, axis: "Axis" = None, dtype: "Any" = None, *, keepdims: bool = False) -> "Array":
    """The product over axes of what is not NaN; of nothing, 1.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanprod([2.0, float("nan"), 3.0]).tolist()
    6.0
    """
    y, numbers = _numbers(x)
    return prod(y, axis, dtype, keepdims=keepdims, where=numbers)


def nanmean(x: "ArrayLike", /, axis: "Axis" = None, dtype: "Any" = None, *, keepdims: bool = False) -> "Array":
    """The mean over axes of what is not NaN; of nothing, NaN.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, or float64.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanmean([1.0, float("nan"), 2.0]).tolist()
    1.5
    """
    y, numbers = _numbers(x)
    return mean(y, axis, dtype, keepdims=keepdims, where=numbers)


def nanvar(x: "ArrayLike", /, axis: "Axis" = None, dtype: "Any" = None, *, ddof: float = 0, keepdims: bool = False) -> "Array":
    """The variance over axes of what is not NaN; of nothing, NaN.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, or float64.
    ddof : float
        What is taken from the number of elements.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanvar([1.0, float("nan"), 3.0]).tolist()
    1.0
    """
    y, numbers = _numbers(x)
    return _none_left(var(y, axis, ddof=ddof, dtype=dtype, keepdims=keepdims, where=numbers), numbers, axis, ddof, keepdims)


def nanstd(x: "ArrayLike", /, axis: "Axis" = None, dtype: "Any" = None, *, ddof: float = 0, keepdims: bool = False) -> "Array":
    """The standard deviation over axes of what is not NaN; of nothing, NaN.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    dtype : dtype or None
        To compute in and to give; None takes x's, or float64.
    ddof : float
        What is taken from the number of elements.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanstd([1.0, float("nan"), 3.0]).tolist()
    1.0
    """
    y, numbers = _numbers(x)
    return _none_left(std(y, axis, ddof=ddof, dtype=dtype, keepdims=keepdims, where=numbers), numbers, axis, ddof, keepdims)


def _none_left(spread: "Array", numbers: "Array | None", axis: "Axis", ddof: float, keepdims: bool) -> "Array":
    """NaN where no degree of freedom is left, as NumPy has it; `var` would say ∞."""
    if numbers is None:
        return spread
    return _native.where(_native.less_equal(_native.count_nonzero(numbers, axis, keepdims), ddof), float("nan"), spread)


def _extreme(of: "Callable[..., Array]", neutral: float, x: "ArrayLike", axis: "Axis", keepdims: bool) -> "Array":
    """`of` the numbers, NaN where there is none; `neutral` stands for NaN meanwhile."""
    y, numbers = _numbers(x)
    if numbers is None:
        return of(y, axis, keepdims=keepdims)
    found = of(_native.where(numbers, y, neutral), axis, keepdims=keepdims)
    return _native.where(_native.any(numbers, axis, keepdims), found, float("nan"))


def nanmax(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The largest element over axes that is not NaN; NaN if all are.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError
        For axes without elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanmax([1.0, float("nan"), 2.0]).tolist()
    2.0
    """
    return _extreme(max, -float("inf"), x, axis, keepdims)


def nanmin(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The smallest element over axes that is not NaN; NaN if all are.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError
        For axes without elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanmin([1.0, float("nan"), 2.0]).tolist()
    1.0
    """
    return _extreme(min, float("inf"), x, axis, keepdims)
