"""Logic, bits and shifts, element by element.

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


def logical_and(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether both are non-zero.

    Parameters
    ----------
    x, y : arrays, any dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logical_and([1, 0], [2, 2]).tolist()
    [True, False]
    """
    return _native.logical_and(x, y)


def logical_or(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether one is non-zero.

    Parameters
    ----------
    x, y : arrays, any dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logical_or([1, 0], [0, 0]).tolist()
    [True, False]
    """
    return _native.logical_or(x, y)


def logical_xor(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether exactly one is non-zero.

    Parameters
    ----------
    x, y : arrays, any dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logical_xor([1, 0], [1, 1]).tolist()
    [False, True]
    """
    return _native.logical_xor(x, y)


def logical_not(x: "ArrayLike", /) -> "Array":
    """Whether x is 0.

    Parameters
    ----------
    x : array, any shape, any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logical_not([1, 0]).tolist()
    [False, True]
    """
    return _native.logical_not(x)


def bitwise_and(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """And, bit by bit.

    Parameters
    ----------
    x, y : arrays, bool or integers, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bitwise_and([6], [3]).tolist()
    [2]
    """
    return _native.bitwise_and(x, y)


def bitwise_or(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Or, bit by bit.

    Parameters
    ----------
    x, y : arrays, bool or integers, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bitwise_or([6], [3]).tolist()
    [7]
    """
    return _native.bitwise_or(x, y)


def bitwise_xor(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Exclusive or, bit by bit.

    Parameters
    ----------
    x, y : arrays, bool or integers, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bitwise_xor([6], [3]).tolist()
    [5]
    """
    return _native.bitwise_xor(x, y)


def bitwise_invert(x: "ArrayLike", /) -> "Array":
    """The complement of every bit; of bool, not.

    Parameters
    ----------
    x : array, any shape; bool or integers

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bitwise_invert([0]).tolist()
    [-1]
    """
    return _native.bitwise_invert(x)


def bitwise_left_shift(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x 2ʸ; bits that leave are lost.

    Parameters
    ----------
    x, y : arrays, bool or integers, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bitwise_left_shift([3], [2]).tolist()
    [12]
    """
    return _native.bitwise_left_shift(x, y)


def bitwise_right_shift(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """⌊x 2⁻ʸ⌋.

    Parameters
    ----------
    x, y : arrays, bool or integers, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bitwise_right_shift([13], [2]).tolist()
    [3]
    """
    return _native.bitwise_right_shift(x, y)
