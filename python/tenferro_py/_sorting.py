"""Order: positions of extremes, sorted elements, places in sorted arrays, neighbours.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
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


def _check_kind(op: str, kind: "str | None") -> None:
    if kind not in (None, "quicksort", "heapsort", "mergesort", "stable"):
        raise ArgumentError(f"{op}: kind {kind!r} is not quicksort, heapsort, mergesort or stable")


def sort(
    x: "ArrayLike",
    /,
    axis: "int | None" = -1,
    kind: "str | None" = None,
    *,
    descending: bool = False,
    stable: "bool | None" = True,
) -> "Array":
    """The elements in order along an axis; NaN last. The tangent goes with its element.

    Parameters
    ----------
    x : array, any shape; any dtype; complex by real, then imaginary part
    axis : int or None
        Counted from the end where negative; None flattens x first.
    kind : str or None
        NumPy's name of an algorithm, which makes no difference here.
    descending : bool
        Whether the largest element comes first.
    stable : bool or None
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
    _check_kind("sort", kind)
    return _native.sort(x, axis, descending)


def argsort(
    x: "ArrayLike",
    /,
    axis: "int | None" = -1,
    kind: "str | None" = None,
    *,
    descending: bool = False,
    stable: "bool | None" = True,
) -> "Array":
    """The int64 positions that put x in order along an axis.

    Parameters
    ----------
    x : array, any shape; any dtype; complex by real, then imaginary part
    axis : int or None
        Counted from the end where negative; None flattens x first.
    kind : str or None
        NumPy's name of an algorithm, which makes no difference here.
    descending : bool
        Whether the largest element comes first.
    stable : bool or None
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
    _check_kind("argsort", kind)
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
    x1: "ArrayLike", x2: "ArrayLike", /, side: "Literal['left', 'right']" = "left", sorter: "ArrayLike | None" = None
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


def lexsort(keys: "Sequence[ArrayLike]", /, axis: int = -1) -> "Array":
    """The int64 positions that put the last key in order along an axis, equal ones by the key before, and so on.

    Parameters
    ----------
    keys : sequence of arrays of one shape, or an array of keys; any dtype
    axis : int
        Counted from the end where negative.

    Raises
    ------
    ArgumentError
        For no keys.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.lexsort([[3, 1, 2], [0, 1, 0]]).tolist()
    [2, 0, 1]
    """
    if len(keys) == 0:
        raise ArgumentError("lexsort: there are no keys")
    order = _native.argsort(keys[0], axis, False)
    for i in range(1, len(keys)):
        again = _native.argsort(_native.take_along_axis(keys[i], order, axis), axis, False)
        order = _native.take_along_axis(order, again, axis)
    return order


def digitize(x: "ArrayLike", bins: "ArrayLike", /, right: bool = False) -> "Array":
    """The int64 numbers of the bins that elements lie in: bins[i − 1] ≤ x < bins[i], or in falling order.

    Parameters
    ----------
    x : array, any shape
    bins : array of one axis, in rising or falling order; traced ones rising
    right : bool
        Whether the right bound belongs to a bin and not the left one.

    Raises
    ------
    ArgumentError
        For bins in no order.
    ShapeError
        If bins has not one axis.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.digitize([0.5, 1.0, 9.0], [0.0, 1.0, 2.0]).tolist()
    [1, 2, 3]
    """
    edges = bins if isinstance(bins, _native.Array) else _native.Tensor(bins)
    if edges.ndim == 1 and not isinstance(edges, _native.TracedTensor):
        rising = bool(_native.any(_native.greater(edges[1:], edges[:-1])))
        falling = bool(_native.any(_native.less(edges[1:], edges[:-1])))
        if rising and falling:
            raise ArgumentError("digitize: bins are in neither rising nor falling order")
        if falling:
            behind = _native.searchsorted(_native.flip(edges, 0), x, not right, None)
            return _native.subtract(edges.shape[0], behind)
    return _native.searchsorted(edges, x, not right, None)
