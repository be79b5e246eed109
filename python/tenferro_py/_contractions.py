"""Products of arrays, summed over axes.

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


def matmul(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The matrix product over the last two axes; leading axes broadcast.

    A 1-D argument is a row on the left and a column on the right.

    Parameters
    ----------
    x, y : arrays; any dtype; at least one axis each

    Raises
    ------
    ShapeError
        For contracted sizes that differ, leading axes that do not broadcast, or a scalar.

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
