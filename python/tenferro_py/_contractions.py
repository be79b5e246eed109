"""Sums, maxima and means over axes; products of arrays.

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


def sum(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The sum over axes, all if None; of no elements, 0.

    Parameters
    ----------
    axis : int, tuple of int, or None
        Counted from the end where negative.
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
    return _native.sum(x, axis, keepdims)


def max(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The largest element over axes, NaN if one is NaN. Ties share the derivative equally.

    Parameters
    ----------
    axis : int, tuple of int, or None
        Counted from the end where negative.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.max([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [2.0, 4.0]
    """
    return _native.max(x, axis, keepdims)


def mean(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The mean over axes; integers are averaged in float64.

    Parameters
    ----------
    axis : int, tuple of int, or None
        Counted from the end where negative.
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
    return _native.mean(x, axis, keepdims)


def matmul(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The matrix product over the last two axes; leading axes broadcast.

    A 1-D argument is a row on the left and a column on the right.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.matmul([[1.0, 2.0]], [3.0, 4.0]).tolist()
    [11.0]
    """
    return _native.matmul(x, y)


def dot_general(
    x: "ArrayLike",
    y: "ArrayLike",
    /,
    *,
    contract: "tuple[Sequence[int], Sequence[int]]",
    batch: "tuple[Sequence[int], Sequence[int]]" = ((), ()),
) -> "Array":
    """Sum of products over contracted axes, with batch axes.

    Parameters
    ----------
    contract, batch : pairs of axis lists
        Axes of x and the axes of y that they meet. Axes of the result: batch, the
        others of x, the others of y.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.dot_general([1.0, 2.0], [3.0, 4.0], contract=([0], [0])).tolist()
    11.0
    """
    return _native.dot_general(x, y, (list(contract[0]), list(contract[1])), (list(batch[0]), list(batch[1])))
