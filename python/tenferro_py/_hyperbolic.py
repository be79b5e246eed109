"""Hyperbolic functions and their inverses, element by element.

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


def tanh(x: "ArrayLike", /) -> "Array":
    """sinh x / cosh x.

    Parameters
    ----------
    x : array, any shape; floating or complex; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.tanh([0.0]).tolist()
    [0.0]
    """
    return _native.tanh(x)


def asinh(x: "ArrayLike", /) -> "Array":
    """The inverse of sinh.

    Parameters
    ----------
    x : array, any shape; floating or complex; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.asinh([0.0]).tolist()
    [0.0]
    """
    return _native.asinh(x)


def acosh(x: "ArrayLike", /) -> "Array":
    """The inverse of cosh, at least 0; NaN below 1 for real x.

    Parameters
    ----------
    x : array, any shape; floating or complex; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.acosh([1.0]).tolist()
    [0.0]
    """
    return _native.acosh(x)


def atanh(x: "ArrayLike", /) -> "Array":
    """The inverse of tanh; NaN outside −1 … 1 for real x.

    Parameters
    ----------
    x : array, any shape; floating or complex; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.atanh([0.0]).tolist()
    [0.0]
    """
    return _native.atanh(x)
