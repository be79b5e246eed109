"""Sums, products, extremes and counts over axes.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError, ShapeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def kept(op: str, x: "ArrayLike", where: "ArrayLike | None", neutral: "ArrayLike") -> "ArrayLike":
    """x with what does not change the result in the places that are left out."""
    if where is None or where is True:
        return x
    y = asarray(x)
    out = _native.where(where, y, neutral)
    if out.ndim != y.ndim or out.shape != y.shape:
        raise ShapeError(f"{op}: where does not broadcast to x: they have the common shape {out.shape}, x has {y.shape}")
    return out


def _extreme(op: str, x: "ArrayLike", axis: "Axis", keepdims: bool, initial: "ArrayLike | None", where: "ArrayLike | None") -> "Array":
    """The largest or smallest of the kept elements and the initial one."""
    reduce, meet = (_native.max, _native.maximum) if op == "max" else (_native.min, _native.minimum)
    if initial is None:
        if where is not None and where is not True:
            raise ArgumentError(f"{op}: where needs initial, which is the result where nothing is kept")
        return reduce(x, axis, keepdims)
    y = asarray(kept(op, x, where, initial))
    if 0 in y.shape:
        neutral = _native.sum(y, axis, keepdims, y.dtype)
        return _native.where(_native.equal(neutral, neutral), initial, neutral)
    return meet(reduce(y, axis, keepdims), initial)


def sum(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    dtype: "Any" = None,
    *,
    keepdims: bool = False,
    initial: "ArrayLike | None" = None,
    where: "ArrayLike | None" = None,
) -> "Array":
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
    initial : number or None
        What is added.
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

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
    y = _native.sum(kept("sum", x, where, False), axis, keepdims, dtype)
    return y if initial is None else _native.add(y, initial)


def prod(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    dtype: "Any" = None,
    *,
    keepdims: bool = False,
    initial: "ArrayLike | None" = None,
    where: "ArrayLike | None" = None,
) -> "Array":
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
    initial : number or None
        What is multiplied.
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

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
    y = _native.prod(kept("prod", x, where, True), axis, keepdims, dtype)
    return y if initial is None else _native.multiply(y, initial)


def max(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    *,
    keepdims: bool = False,
    initial: "ArrayLike | None" = None,
    where: "ArrayLike | None" = None,
) -> "Array":
    """The largest element over axes, NaN if one is NaN. Ties share the derivative equally.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.
    initial : number or None
        What is compared too; the result for no elements.
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For axes without elements, or `where`, without initial.
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.max([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [2.0, 4.0]
    """
    return _extreme("max", x, axis, keepdims, initial, where)


def min(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    *,
    keepdims: bool = False,
    initial: "ArrayLike | None" = None,
    where: "ArrayLike | None" = None,
) -> "Array":
    """The smallest element over axes, NaN if one is NaN. Ties share the derivative equally.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.
    initial : number or None
        What is compared too; the result for no elements.
    where : bool array that broadcasts to x, or None
        Which elements count; None is all.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For axes without elements, or `where`, without initial.
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.min([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [1.0, 3.0]
    """
    return _extreme("min", x, axis, keepdims, initial, where)


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


def any(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False, where: "ArrayLike | None" = None) -> "Array":
    """Whether one element over axes is not 0; of none, false.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
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
    >>> tn.any([[0, 1], [0, 0]], axis=1).tolist()
    [True, False]
    """
    return _native.any(kept("any", x, where, False), axis, keepdims)


def all(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False, where: "ArrayLike | None" = None) -> "Array":
    """Whether no element over axes is 0; of none, true.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
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
    >>> tn.all([[0, 1], [2, 3]], axis=1).tolist()
    [False, True]
    """
    return _native.all(kept("all", x, where, True), axis, keepdims)


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
