"""Order: positions of extremes, sorted elements, places in sorted arrays, neighbours.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from tenferro_py._native import Array

    ArrayLike = Any


def argmax(x: "ArrayLike", /, axis: "int | None" = None, *, keepdims: bool = False) -> "Array":
    """The int64 position of the first largest element, the first NaN if there is one.

    Parameters
    ----------
    x : array, any shape; any dtype; complex by real, then imaginary part
    axis : int or None
        Counted from the end where negative; None flattens x first.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For an axis without elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.argmax([[1.0, 5.0], [4.0, 2.0]], axis=1).tolist()
    [1, 0]
    """
    return _native.argmax(x, axis, keepdims)


def argmin(x: "ArrayLike", /, axis: "int | None" = None, *, keepdims: bool = False) -> "Array":
    """The int64 position of the first smallest element, the first NaN if there is one.

    Parameters
    ----------
    x : array, any shape; any dtype; complex by real, then imaginary part
    axis : int or None
        Counted from the end where negative; None flattens x first.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For an axis without elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.argmin([[1.0, 5.0], [4.0, 2.0]], axis=1).tolist()
    [0, 1]
    """
    return _native.argmin(x, axis, keepdims)


def sort(x: "ArrayLike", /, axis: "int | None" = -1, *, descending: bool = False, stable: bool = True) -> "Array":
    """The elements in order along an axis; NaN last. The tangent goes with its element.

    Parameters
    ----------
    x : array, any shape; any dtype; complex by real, then imaginary part
    axis : int or None
        Counted from the end where negative; None flattens x first.
    stable : bool
        Equal elements always keep their order; False is accepted.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sort([3.0, 1.0, 2.0], descending=True).tolist()
    [3.0, 2.0, 1.0]
    """
    return _native.sort(x, axis, descending)


def argsort(x: "ArrayLike", /, axis: "int | None" = -1, *, descending: bool = False, stable: bool = True) -> "Array":
    """The int64 positions that put x in order along an axis.

    Parameters
    ----------
    x : array, any shape; any dtype; complex by real, then imaginary part
    axis : int or None
        Counted from the end where negative; None flattens x first.
    stable : bool
        Equal elements always keep their order; False is accepted.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.argsort([3.0, 1.0, 2.0]).tolist()
    [1, 2, 0]
    """
    return _native.argsort(x, axis, descending)


def top_k(x: "ArrayLike", k: int, /, axis: int = -1) -> "tuple[Array, Array]":
    """The k largest elements along an axis, in descending order, and their int64 positions.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    k : int, at most the length of the axis
    axis : int
        Counted from the end where negative.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For a k beyond the length of the axis.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> values, positions = tn.top_k([1.0, 5.0, 3.0], 2)
    >>> values.tolist(), positions.tolist()
    ([5.0, 3.0], [1, 2])
    """
    return _native.top_k(x, k, axis)


def searchsorted(
    x1: "ArrayLike", x2: "ArrayLike", /, *, side: "Literal['left', 'right']" = "left", sorter: "ArrayLike | None" = None
) -> "Array":
    """The int64 positions at which the elements of x2 keep x1 in order.

    Parameters
    ----------
    x1 : array of one axis, in order (after the positions `sorter`, where given)
    x2 : array, any shape
    side : str
        "left" puts them before equal elements, "right" behind.

    Raises
    ------
    ShapeError
        If x1 has not one axis.
    ArgumentError
        For another side.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.searchsorted([1.0, 2.0, 3.0], [2.0, 2.5]).tolist()
    [1, 2]
    """
    if side not in ("left", "right"):
        raise ArgumentError(f"searchsorted: side {side!r} is not left or right")
    return _native.searchsorted(x1, x2, side == "right", sorter)


def diff(
    x: "ArrayLike",
    /,
    n: int = 1,
    *,
    axis: int = -1,
    prepend: "ArrayLike | None" = None,
    append: "ArrayLike | None" = None,
) -> "Array":
    """The n-th differences along an axis; of bool, whether neighbours differ.

    Parameters
    ----------
    x : array, any shape; any dtype
    prepend, append : arrays or None
        Joined to x first; scalars as one element.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.diff([1.0, 4.0, 9.0], prepend=0.0).tolist()
    [1.0, 3.0, 5.0]
    """
    return _native.diff(x, n, axis, prepend, append)


def unique_values(x: "ArrayLike", /) -> "Array":
    """The distinct elements in order; every NaN counts. A traced x needs `unique` with a size.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating

    Raises
    ------
    ArgumentError
        For a traced x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique_values([3, 1, 3]).tolist()
    [1, 3]
    """
    return unique(x)


def unique(x: "ArrayLike", /, *, size: "int | None" = None, fill_value: "ArrayLike | None" = None) -> "Array":
    """The distinct elements in order, of the flattened x; every NaN counts.

    Parameters
    ----------
    x : array, any shape; bool, integer or floating
    size : int or None
        How many to give; None counts them, which needs data.
    fill_value : scalar or None
        What stands where there are fewer; None is the smallest element.

    Raises
    ------
    ArgumentError
        For a traced x without a size.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique([3, 1, 3], size=3, fill_value=0).tolist()
    [1, 3, 0]
    """
    x = _native.sort(x, None, False)
    first = _native.concat([[True], _native.not_equal(x[1:], x[:-1])], 0)[: x.shape[0]]
    if size is None:
        if isinstance(x, _native.TracedTensor):
            raise ArgumentError("unique: how many elements of a traced tensor are distinct is not known; give size=")
        size = int(_native.count_nonzero(first))
    places = _native.flatnonzero(first, size, -1)
    values = _native.take(x, _native.maximum(places, 0), 0, "raise")
    if fill_value is None:
        return values
    return _native.where(_native.less(places, 0), _native.astype(fill_value, x.dtype), values)
