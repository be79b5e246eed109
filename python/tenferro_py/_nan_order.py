"""Order and running sums that leave NaN out.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, length_of
from tenferro_py._errors import ArgumentError, DTypeError
from tenferro_py._quantiles import axes_of, between, joined, quantile, shares_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array
    from tenferro_py._quantiles import Method

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def nanquantile(x: "ArrayLike", q: "ArrayLike", /, axis: "Axis" = None, *, method: "Method" = "linear", keepdims: bool = False) -> "Array":
    """`quantile` of what is not NaN; NaN of nothing else.

    Parameters
    ----------
    x : array, at least one element over the axes; bool, integer or floating
    q : array of numbers in [0, 1], whose axes come first in the result
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    method : str
        As in `quantile`.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError, AxisError
        As in `quantile`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanquantile([1.0, float("nan"), 4.0], [0.0, 0.5]).tolist()
    [1.0, 2.5]
    """
    y = asarray(x)
    if y.dtype.kind == "c":
        raise DTypeError(f"nanquantile: {y.dtype} has no order")
    if y.dtype.kind != "f":
        return quantile(y, q, axis, method=method, keepdims=keepdims)
    axes = axes_of("nanquantile", axis, y.ndim)
    shares = shares_of("nanquantile", q, y, method)
    ordered = _native.sort(joined(y, axes), 0, False)
    if length_of("nanquantile", ordered, 0) == 0:
        raise ArgumentError("nanquantile: there are no elements over the axes")
    # NaN stands last: of n numbers the places are 0 … n − 1, and 0 where there is none.
    n = _native.count_nonzero(_native.logical_not(_native.isnan(ordered)), 0)
    last = _native.astype(_native.maximum(_native.subtract(n, 1), 0), shares.dtype)
    rest = ordered.ndim - 1
    flat = _native.reshape(shares, (-1, *[1] * rest)) if shares.ndim or rest else _native.reshape(shares, (1,))
    out = between(lambda places: _native.take_along_axis(ordered, places, 0), _native.multiply(flat, last), method)
    out = _native.reshape(out, (*shares.shape, *out.shape[1:]))
    return _native.expand_dims(out, [shares.ndim + a for a in sorted(axes)]) if keepdims else out


def nanpercentile(
    x: "ArrayLike", q: "ArrayLike", /, axis: "Axis" = None, *, method: "Method" = "linear", keepdims: bool = False
) -> "Array":
    """`nanquantile` of q in percent.

    Parameters
    ----------
    x : array, at least one element over the axes; bool, integer or floating
    q : array of numbers in [0, 100], whose axes come first in the result
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    method : str
        As in `quantile`.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError, AxisError
        As in `quantile`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanpercentile([1.0, float("nan"), 4.0], 50).tolist()
    2.5
    """
    shares = q / 100 if type(q) in (int, float) else _native.divide(asarray(q), 100)
    return nanquantile(x, shares, axis, method=method, keepdims=keepdims)


def nanmedian(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The median over axes of what is not NaN; NaN of nothing else.

    Parameters
    ----------
    x : array, at least one element over the axes; bool, integer or floating
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError, AxisError
        For axes without elements, for an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanmedian([1.0, float("nan"), 4.0]).tolist()
    2.5
    """
    return nanquantile(x, 0.5, axis, method="midpoint", keepdims=keepdims)


def _place(op: str, x: "ArrayLike", axis: "int | None", keepdims: bool) -> "Array":
    y = asarray(x)
    largest = op == "nanargmax"
    if y.dtype.kind == "f":
        missing = _native.isnan(y)
        if not isinstance(y, _native.TracedTensor) and bool(_native.any(_native.all(missing, axis))):
            raise ArgumentError(f"{op}: all elements are NaN")
        # An infinity of the same sign before the first number is not found instead of it: it is one too.
        y = _native.where(missing, -float("inf") if largest else float("inf"), y)
    return (_native.argmax if largest else _native.argmin)(y, axis, keepdims)


def nanargmax(x: "ArrayLike", /, axis: "int | None" = None, *, keepdims: bool = False) -> "Array":
    """The int64 position of the first largest element that is not NaN.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int or None
        Counted from the end where negative; None flattens x first.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError
        Where all elements are NaN; traced ones give 0.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanargmax([1.0, float("nan"), 4.0]).tolist()
    2
    """
    return _place("nanargmax", x, axis, keepdims)


def nanargmin(x: "ArrayLike", /, axis: "int | None" = None, *, keepdims: bool = False) -> "Array":
    """The int64 position of the first smallest element that is not NaN.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    axis : int or None
        Counted from the end where negative; None flattens x first.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError
        Where all elements are NaN; traced ones give 0.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nanargmin([1.0, float("nan"), 4.0]).tolist()
    0
    """
    return _place("nanargmin", x, axis, keepdims)


def nancumsum(x: "ArrayLike", /, axis: "int | None" = None, dtype: "Any" = None) -> "Array":
    """Running sums along an axis, with NaN as 0.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or None
        Counted from the end where negative; None flattens x first.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nancumsum([1.0, float("nan"), 4.0]).tolist()
    [1.0, 1.0, 5.0]
    """
    return _native.cumsum(_native.where(_native.isnan(x), False, x), axis, dtype)


def nancumprod(x: "ArrayLike", /, axis: "int | None" = None, dtype: "Any" = None) -> "Array":
    """Running products along an axis, with NaN as 1.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or None
        Counted from the end where negative; None flattens x first.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nancumprod([2.0, float("nan"), 4.0]).tolist()
    [2.0, 2.0, 8.0]
    """
    return _native.cumprod(_native.where(_native.isnan(x), True, x), axis, dtype)
