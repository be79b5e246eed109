"""Trigonometric functions and their inverses, element by element.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, astype
from tenferro_py._errors import DTypeError

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


def deg2rad(x: "ArrayLike", /) -> "Array":
    """Degrees as radians, x π / 180.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.deg2rad(180.0).tolist()
    3.141592653589793
    """
    return _native.multiply(_real("deg2rad", x), 0.017453292519943295)


def rad2deg(x: "ArrayLike", /) -> "Array":
    """Radians as degrees, x 180 / π.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.rad2deg(3.141592653589793).tolist()
    180.0
    """
    return _native.multiply(_real("rad2deg", x), 57.29577951308232)


def _real(op: str, x: "ArrayLike") -> "Array":
    y = asarray(x)
    if y.dtype.kind == "c":
        raise DTypeError(f"{op}: angles are real, not {y.dtype}")
    return y if y.dtype.kind == "f" else astype(y, "float32" if y.dtype.itemsize < 4 else "float64")
