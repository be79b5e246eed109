"""The larger and the smaller, bounds, and numbers in place of others, element by element.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._promotion import iinfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def minimum(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The smaller of x and y; NaN if one is. At a tie each gets half the derivative.

    Parameters
    ----------
    x, y : arrays, any real number dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.minimum([1.0, 5.0], [3.0]).tolist()
    [1.0, 3.0]
    """
    return _native.minimum(x, y)


def fmax(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The larger of x and y; where one is NaN, the other.

    Parameters
    ----------
    x, y : arrays, any real number dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fmax([1.0, float("nan")], [3.0]).tolist()
    [3.0, 3.0]
    """
    return _native.fmax(x, y)


def fmin(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The smaller of x and y; where one is NaN, the other.

    Parameters
    ----------
    x, y : arrays, any real number dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fmin([1.0, float("nan")], [3.0]).tolist()
    [1.0, 3.0]
    """
    return _native.fmin(x, y)


def clip(x: "ArrayLike", /, min: "ArrayLike | None" = None, max: "ArrayLike | None" = None) -> "Array":
    """x, at least min and at most max, which wins.

    At a bound that x equals the derivative is shared, half to x and half to the bound.

    Parameters
    ----------
    x : array, any shape; any real number dtype
    min, max : arrays that broadcast with x, or None
        Python integers may lie beyond what an integer dtype holds: they bound nothing then.

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.clip([-1.0, 0.5, 2.0], 0.0, 1.0).tolist()
    [0.0, 0.5, 1.0]
    """
    if type(min) is int or type(max) is int:
        x = asarray(x)
        if x.dtype.kind in ("i", "u"):
            limits = iinfo(x.dtype)
            min = None if type(min) is int and min < limits.min else min
            max = None if type(max) is int and max > limits.max else max
    if min is not None:
        x = _native.maximum(x, min)
    if max is not None:
        x = _native.minimum(x, max)
    return _native.positive(x)


def nan_to_num(x: "ArrayLike", /, nan: float = 0.0, posinf: "float | None" = None, neginf: "float | None" = None) -> "Array":
    """NaN and infinities replaced: by the largest and lowest numbers unless given.

    Parameters
    ----------
    x : array, any shape; any number dtype; of complex numbers each part
    nan : number
    posinf, neginf : numbers or None
        None is the largest or lowest number of the dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.nan_to_num([float("nan"), float("inf")], posinf=9.0).tolist()
    [0.0, 9.0]
    """
    return _native.nan_to_num(x, nan, posinf, neginf)


def complex(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x + iy of real x and y.

    Parameters
    ----------
    x, y : arrays, real floating; integers and bool become floats, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.complex([1.0], [2.0]).tolist()
    [(1+2j)]
    """
    return _native.from_parts(x, y)
