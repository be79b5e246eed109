"""Averages, spreads, medians and shares over axes.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._promotion import result_type
from tenferro_py._reductions import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def _in_float(x: "ArrayLike", dtype: "Any") -> "Array":
    """x in the dtype in which averages are taken."""
    y = asarray(x)
    return asarray(y, result_type(y, 1.0) if dtype is None else dtype)


def _number_kept(x: "Array", where: "ArrayLike", axis: "Axis", keepdims: bool) -> "Array":
    """How many elements count, in the real dtype of x."""
    ones = kept("mean", _native.full_like(x, True, _native.real(x).dtype), where, False)
    return _native.sum(ones, axis, keepdims)


def _var_where(op: str, x: "ArrayLike", axis: "Axis", correction: float, keepdims: bool, dtype: "Any", where: "ArrayLike") -> "Array":
    """The variance of the elements that count."""
    y = _in_float(x, dtype)
    center = _native.divide(_native.sum(kept(op, y, where, False), axis, True), _number_kept(y, where, axis, True))
    # What does not count is put at the centre first, so that no derivative passes through it.
    off = _native.subtract(kept(op, y, where, center), center)
    total = _native.sum(_native.real(_native.multiply(off, _native.conj(off))), axis, keepdims)
    n = _native.maximum(_native.subtract(_number_kept(y, where, axis, keepdims), correction), 0)
    return _native.divide(total, n)


def mean(
    x: "ArrayLike", /, axis: "Axis" = None, dtype: "Any" = None, *, keepdims: bool = False, where: "ArrayLike | None" = None
) -> "Array":
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
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

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
    if where is not None and where is not True:
        y = _in_float(x, dtype)
        return _native.divide(_native.sum(kept("mean", y, where, False), axis, keepdims), _number_kept(y, where, axis, keepdims))
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
    where: "ArrayLike | None" = None,
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
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

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
    if where is not None and where is not True:
        return _var_where("var", x, axis, correction if ddof is None else ddof, keepdims, dtype, where)
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
    where: "ArrayLike | None" = None,
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
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

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
    if where is not None and where is not True:
        v = _var_where("std", x, axis, correction if ddof is None else ddof, keepdims, dtype, where)
        flat = _native.equal(v, 0)
        return _native.where(flat, v, _native.sqrt(_native.where(flat, 1, v)))
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
