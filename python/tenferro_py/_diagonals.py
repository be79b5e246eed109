"""Diagonals and triangles of matrices.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def diag(x: "ArrayLike", /, k: int = 0) -> "Array":
    """A vector as the k-th diagonal of a square matrix of zeros, or that diagonal of a matrix.

    Parameters
    ----------
    x : array, any shape; any dtype
    k : int, above the main diagonal if positive

    Raises
    ------
    ShapeError
        For another number of axes than 1 or 2.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.diag([1.0, 2.0]).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    return _native.diag(x, k)


def diagonal(x: "ArrayLike", /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> "Array":
    """The elements (i, i + offset) of the matrices of two axes; their axis comes last.

    Parameters
    ----------
    x : array, any shape; any dtype
    offset : int
    axis1, axis2 : int

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.diagonal([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [1.0, 4.0]
    """
    return _native.diagonal(x, offset, axis1, axis2)


def trace(x: "ArrayLike", /, offset: int = 0, axis1: int = 0, axis2: int = 1, *, dtype: "Any" = None) -> "Array":
    """The sum of a diagonal of the matrices of two axes.

    Parameters
    ----------
    x : array, any shape; any dtype
    offset : int, above the main diagonal if positive
    axis1, axis2 : int
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.trace([[1.0, 2.0], [3.0, 4.0]]).tolist()
    5.0
    """
    if dtype is None:
        return _native.trace(x, offset, axis1, axis2)
    return _native.astype(_native.trace(_native.astype(x, dtype), offset, axis1, axis2), dtype)


def tril(x: "ArrayLike", /, k: int = 0) -> "Array":
    """The matrices of the last two axes with zeros above the k-th diagonal.

    Parameters
    ----------
    x : array, any shape; any dtype
    k : int

    Raises
    ------
    ShapeError
        For fewer than two axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.tril([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 0.0], [3.0, 4.0]]
    """
    return _native.tril(x, k)


def triu(x: "ArrayLike", /, k: int = 0) -> "Array":
    """The matrices of the last two axes with zeros below the k-th diagonal.

    Parameters
    ----------
    x : array, any shape; any dtype
    k : int

    Raises
    ------
    ShapeError
        For fewer than two axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.triu([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 2.0], [0.0, 4.0]]
    """
    return _native.triu(x, k)
