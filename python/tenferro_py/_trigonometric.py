"""Trigonometric and hyperbolic functions and their inverses, element by element.

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


def tan(x: "ArrayLike", /) -> "Array":
    """tan x, x in radians.

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
    >>> tn.tan([0.0]).tolist()
    [0.0]
    """
    return _native.tan(x)


def asin(x: "ArrayLike", /) -> "Array":
    """The arc sine, in −π/2 … π/2; NaN outside −1 … 1 for real x.

    Complex x: cut along the real axis outside −1 … 1, with the sign of zero, as C99.

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
    >>> tn.asin([0.0]).tolist()
    [0.0]
    """
    return _native.asin(x)


def acos(x: "ArrayLike", /) -> "Array":
    """The arc cosine, in 0 … π; NaN outside −1 … 1 for real x; cuts as asin.

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
    >>> tn.acos([1.0]).tolist()
    [0.0]
    """
    return _native.acos(x)


def atan(x: "ArrayLike", /) -> "Array":
    """The arc tangent, in −π/2 … π/2.

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
    >>> tn.atan([0.0]).tolist()
    [0.0]
    """
    return _native.atan(x)


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


def atan2(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The angle of the point (y, x), in −π … π; x is the ordinate, as in NumPy.

    The derivative at the origin is 0.

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
    >>> tn.atan2([0.0], [1.0]).tolist()
    [0.0]
    """
    return _native.atan2(x, y)


def hypot(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """√(x² + y²) without overflow on the way. The derivative at the origin is 0.

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
    >>> tn.hypot([3.0], [4.0]).tolist()
    [5.0]
    """
    return _native.hypot(x, y)


def sinc(x: "ArrayLike", /) -> "Array":
    """sin(πx)/(πx), and 1 at 0.

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
    >>> tn.sinc([0.0]).tolist()
    [1.0]
    """
    return _native.sinc(x)
