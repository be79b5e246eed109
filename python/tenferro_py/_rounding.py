"""Signs, rounding, division with remainder, and questions about floats, element by element.

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


def positive(x: "ArrayLike", /) -> "Array":
    """+x: x itself.

    Parameters
    ----------
    x : array, any shape; any number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.positive([1.0, -2.0]).tolist()
    [1.0, -2.0]
    """
    return _native.positive(x)


def sign(x: "ArrayLike", /) -> "Array":
    """−1, 0 or 1 by the sign of x; of complex x, x/|x|, and 0 at 0. NaN of NaN, −0 of −0.

    Parameters
    ----------
    x : array, any shape; any number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sign([-2.0, 0.0, 3.0]).tolist()
    [-1.0, 0.0, 1.0]
    """
    return _native.sign(x)


def angle(x: "ArrayLike", /) -> "Array":
    """The angle of x in the complex plane, in −π … π. The derivative at 0 is 0.

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
    >>> tn.angle([1j, -1.0]).tolist()
    [1.5707963267948966, 3.141592653589793]
    """
    return _native.angle(x)


def floor(x: "ArrayLike", /) -> "Array":
    """The largest integer ≤ x, in the dtype of x.

    Parameters
    ----------
    x : array, any shape; any real number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.floor([1.5, -1.5]).tolist()
    [1.0, -2.0]
    """
    return _native.floor(x)


def ceil(x: "ArrayLike", /) -> "Array":
    """The smallest integer ≥ x, in the dtype of x.

    Parameters
    ----------
    x : array, any shape; any real number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.ceil([1.5, -1.5]).tolist()
    [2.0, -1.0]
    """
    return _native.ceil(x)


def trunc(x: "ArrayLike", /) -> "Array":
    """x without its fraction.

    Parameters
    ----------
    x : array, any shape; any real number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.trunc([1.5, -1.5]).tolist()
    [1.0, -1.0]
    """
    return _native.trunc(x)


def rint(x: "ArrayLike", /) -> "Array":
    """The nearest integer, ties to the even one.

    Parameters
    ----------
    x : array, any shape; any real number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.rint([0.5, 1.5]).tolist()
    [0.0, 2.0]
    """
    return _native.rint(x)


def round(x: "ArrayLike", /, decimals: int = 0) -> "Array":
    """x rounded to so many decimals, ties to even; by scaling, as NumPy.

    Parameters
    ----------
    x : array, any shape, any dtype
    decimals : int
        Negative ones round before the point.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.round([2.5, 0.126], 2).tolist()
    [2.5, 0.13]
    """
    return _native.round(x, decimals)


def floor_divide(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """⌊x / y⌋; of integers by 0, 0. The derivative is 0.

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
    >>> tn.floor_divide([7, -7], 2).tolist()
    [3, -4]
    """
    return _native.floor_divide(x, y)


def remainder(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x − y ⌊x / y⌋, exact, with the sign of y; of integers by 0, 0.

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
    >>> tn.remainder([7, -7], 3).tolist()
    [1, 2]
    """
    return _native.remainder(x, y)


def fmod(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x − y trunc(x / y), exact, with the sign of x; of integers by 0, 0.

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
    >>> tn.fmod([7, -7], 3).tolist()
    [1, -1]
    """
    return _native.fmod(x, y)


def divmod(x: "ArrayLike", y: "ArrayLike", /) -> "tuple[Array, Array]":
    """floor_divide(x, y) and remainder(x, y).

    Parameters
    ----------
    x, y : arrays, shapes that broadcast; any real dtype

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [z.tolist() for z in tn.divmod([7, -7], 2)]
    [[3, -4], [1, 1]]
    """
    return _native.floor_divide(x, y), _native.remainder(x, y)


def copysign(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """|x| with the sign of y, that of −0 and NaN included.

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
    >>> tn.copysign([1.0], [-0.0]).tolist()
    [-1.0]
    """
    return _native.copysign(x, y)


def nextafter(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The next float after x towards y. The derivative in x is 1.

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
    >>> tn.nextafter([1.0], [2.0]).tolist()
    [1.0000000000000002]
    """
    return _native.nextafter(x, y)


def isnan(x: "ArrayLike", /) -> "Array":
    """Whether x is NaN (of complex x, a part).

    Parameters
    ----------
    x : array, any shape, any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isnan([1.0, float("nan")]).tolist()
    [False, True]
    """
    return _native.isnan(x)


def isinf(x: "ArrayLike", /) -> "Array":
    """Whether x is ∞ or −∞ (of complex x, a part).

    Parameters
    ----------
    x : array, any shape, any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isinf([1.0, float("inf")]).tolist()
    [False, True]
    """
    return _native.isinf(x)


def isfinite(x: "ArrayLike", /) -> "Array":
    """Whether x is neither infinite nor NaN (of complex x, both parts).

    Parameters
    ----------
    x : array, any shape, any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isfinite([1.0, float("inf")]).tolist()
    [True, False]
    """
    return _native.isfinite(x)


def signbit(x: "ArrayLike", /) -> "Array":
    """Whether the sign bit is set: also for −0.

    Parameters
    ----------
    x : array, any shape; any real number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.signbit([1.0, -0.0]).tolist()
    [False, True]
    """
    return _native.signbit(x)
