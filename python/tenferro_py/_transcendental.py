"""Exponential, trigonometric and hyperbolic functions, element by element.

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


def sin(x: "ArrayLike", /) -> "Array":
    """sin x, x in radians; below 1 ulp over the whole range.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sin([0.0]).tolist()
    [0.0]
    """
    return _native.sin(x)


def cos(x: "ArrayLike", /) -> "Array":
    """cos x, x in radians; below 1 ulp over the whole range.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cos([0.0]).tolist()
    [1.0]
    """
    return _native.cos(x)


def exp(x: "ArrayLike", /) -> "Array":
    """eˣ, element by element.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.exp([0.0]).tolist()
    [1.0]
    """
    return _native.exp(x)


def log(x: "ArrayLike", /) -> "Array":
    """The natural logarithm; NaN below 0 for real x, the principal branch for complex x.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.log([1.0]).tolist()
    [0.0]
    """
    return _native.log(x)


def sinh(x: "ArrayLike", /) -> "Array":
    """(eˣ − e⁻ˣ)/2; below |x| = 1 by its series, which does not cancel.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sinh([0.0]).tolist()
    [0.0]
    """
    return _native.sinh(x)


def cosh(x: "ArrayLike", /) -> "Array":
    """(eˣ + e⁻ˣ)/2, element by element.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cosh([0.0]).tolist()
    [1.0]
    """
    return _native.cosh(x)
