"""Exponentials, logarithms and powers, element by element.

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


def exp2(x: "ArrayLike", /) -> "Array":
    """2ˣ.

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
    >>> tn.exp2([3.0]).tolist()
    [8.0]
    """
    return _native.exp2(x)


def expm1(x: "ArrayLike", /) -> "Array":
    """eˣ − 1, accurate near 0.

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
    >>> tn.expm1([0.0]).tolist()
    [0.0]
    """
    return _native.expm1(x)


def log1p(x: "ArrayLike", /) -> "Array":
    """log(1 + x), accurate near 0; NaN below −1 for real x.

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
    >>> tn.log1p([0.0]).tolist()
    [0.0]
    """
    return _native.log1p(x)


def log2(x: "ArrayLike", /) -> "Array":
    """The logarithm to base 2, exact at powers of 2.

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
    >>> tn.log2([8.0]).tolist()
    [3.0]
    """
    return _native.log2(x)


def log10(x: "ArrayLike", /) -> "Array":
    """The logarithm to base 10.

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
    >>> tn.log10([100.0]).tolist()
    [2.0]
    """
    return _native.log10(x)


def cbrt(x: "ArrayLike", /) -> "Array":
    """The real cube root. The derivative at 0 is ∞.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cbrt([-27.0]).tolist()
    [-3.0]
    """
    return _native.cbrt(x)


def rsqrt(x: "ArrayLike", /) -> "Array":
    """1/√x.

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
    >>> tn.rsqrt([4.0]).tolist()
    [0.5]
    """
    return _native.rsqrt(x)


def reciprocal(x: "ArrayLike", /) -> "Array":
    """1/x; of integers in floats.

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
    >>> tn.reciprocal([4.0]).tolist()
    [0.25]
    """
    return _native.reciprocal(x)


def pow(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """xʸ; 0⁰ is 1.

    Integers wrap; a negative power of integers in an array is the integer part of the
    quotient, and a negative Python exponent of them an error. The derivative in x is 0
    where y is 0, that in y is 0 where x is 0.

    Parameters
    ----------
    x, y : arrays, any number dtype, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.pow([2.0, 9.0], [3.0, 0.5]).tolist()
    [8.0, 3.0]
    """
    return _native.pow(x, y)


def logaddexp(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """log(eˣ + eʸ) without overflow on the way.

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
    >>> tn.logaddexp([0.0], [-float("inf")]).tolist()
    [0.0]
    """
    return _native.logaddexp(x, y)


def xlogy(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x log y, and 0 where x is 0 unless y is NaN.

    Parameters
    ----------
    x, y : arrays, floating or complex; integers and bool become floats, shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.xlogy([0.0], [0.0]).tolist()
    [0.0]
    """
    return _native.xlogy(x, y)
