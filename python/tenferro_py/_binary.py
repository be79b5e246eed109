"""Functions of two arrays and more, element by element; shapes broadcast.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError
from tenferro_py._indexing import nonzero

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def add(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x + y.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any number dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.add([1.0, 2.0], 1).tolist()
    [2.0, 3.0]
    """
    return _native.add(x, y)


def subtract(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x − y.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any number dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.subtract([1.0, 2.0], 1).tolist()
    [0.0, 1.0]
    """
    return _native.subtract(x, y)


def multiply(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x y.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any number dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.multiply([1.0, 2.0], 2).tolist()
    [2.0, 4.0]
    """
    return _native.multiply(x, y)


def divide(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x / y; integers are divided as float64.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any number dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.divide([1.0, 2.0], 2).tolist()
    [0.5, 1.0]
    """
    return _native.divide(x, y)


def maximum(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The larger of x and y, NaN if one is NaN. At a tie each gets half the derivative.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any real dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.maximum([1.0, 2.0], 1.5).tolist()
    [1.5, 2.0]
    """
    return _native.maximum(x, y)


def equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x = y, as bool.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.equal([1, 2], 2).tolist()
    [False, True]
    """
    return _native.equal(x, y)


def not_equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x ≠ y, as bool.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.not_equal([1, 2], 2).tolist()
    [True, False]
    """
    return _native.not_equal(x, y)


def less(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x < y, as bool; complex numbers have no order.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any real dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.less([1, 2], 2).tolist()
    [True, False]
    """
    return _native.less(x, y)


def less_equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x ≤ y, as bool; complex numbers have no order.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any real dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.less_equal([1, 2], 2).tolist()
    [True, True]
    """
    return _native.less_equal(x, y)


def greater(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x > y, as bool; complex numbers have no order.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any real dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.greater([1, 2], 1).tolist()
    [False, True]
    """
    return _native.greater(x, y)


def greater_equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x ≥ y, as bool; complex numbers have no order.

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any real dtype

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.greater_equal([1, 2], 2).tolist()
    [False, True]
    """
    return _native.greater_equal(x, y)


def where(condition: "ArrayLike", x: "ArrayLike | None" = None, y: "ArrayLike | None" = None, /) -> "Any":
    """x where the condition (bool) holds, else y; all three broadcast. Of one argument, `nonzero`.

    Parameters
    ----------
    condition : array of bool
    x, y : arrays of any dtype, or neither

    Raises
    ------
    ArgumentError
        For two arguments.
    ShapeError, DTypeError
        For shapes that do not broadcast, for a condition that is not bool.

    Notes
    -----
    Both x and y are computed everywhere, and so are their derivatives: one that is infinite
    or NaN where the other branch is taken gives 0 · ∞ or 0 · NaN, a NaN, as in JAX. A second
    `where` inside keeps the branch away from there.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.where([True, False], 1.0, [5.0, 6.0]).tolist()
    [1.0, 6.0]
    >>> tn.where([True, False])[0].tolist()
    [0]

    The root of what is positive: the derivative at 0 is a NaN, and with two it is not.

    >>> root = lambda x: tn.sum(tn.where(x > 0.0, tn.sqrt(x), 0.0))
    >>> tn.grad(root)([0.0, 4.0]).tolist()
    [nan, 0.25]
    >>> root = lambda x: tn.sum(tn.where(x > 0.0, tn.sqrt(tn.where(x > 0.0, x, 1.0)), 0.0))
    >>> tn.grad(root)([0.0, 4.0]).tolist()
    [0.0, 0.25]
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ArgumentError("where: give both x and y, or none of them")
    return _native.where(condition, x, y)
