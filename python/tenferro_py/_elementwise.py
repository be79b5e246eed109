"""Signs, parts and powers of one array, element by element.

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


def negative(x: "ArrayLike", /) -> "Array":
    """−x, element by element.

    Parameters
    ----------
    x : array, any shape; int64, floating or complex

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.negative([1.0, -2.0]).tolist()
    [-1.0, 2.0]
    """
    return _native.negative(x)


def abs(x: "ArrayLike", /) -> "Array":
    """|x|, element by element; real for complex x. The derivative at 0 is 0.

    Parameters
    ----------
    x : array, any shape; int64, floating or complex

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.abs([3 + 4j]).tolist()
    [5.0]
    """
    return _native.abs(x)


def conj(x: "ArrayLike", /) -> "Array":
    """The complex conjugate; x itself where it is real.

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
    >>> tn.conj([1 + 2j]).tolist()
    [(1-2j)]
    """
    return _native.conj(x)


def real(x: "ArrayLike", /) -> "Array":
    """The real part; x itself where it is real.

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
    >>> tn.real([1 + 2j]).tolist()
    [1.0]
    """
    return _native.real(x)


def imag(x: "ArrayLike", /) -> "Array":
    """The imaginary part; zeros where x is real.

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
    >>> tn.imag([1 + 2j]).tolist()
    [2.0]
    """
    return _native.imag(x)


def sqrt(x: "ArrayLike", /) -> "Array":
    """√x; NaN below 0 for real x, the principal branch for complex x. The derivative at 0 is infinite.

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
    >>> tn.sqrt([4.0]).tolist()
    [2.0]
    """
    return _native.sqrt(x)


def square(x: "ArrayLike", /) -> "Array":
    """x², element by element.

    Parameters
    ----------
    x : array, any shape; int64, floating or complex

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.square([3.0]).tolist()
    [9.0]
    """
    return _native.square(x)


def stop_gradient(x: "ArrayLike", /) -> "Array":
    """x as a constant of differentiation.

    Parameters
    ----------
    x : array, any shape; any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> float(tn.grad(lambda x: x * tn.stop_gradient(x))(3.0))
    3.0
    """
    return _native.stop_gradient(x)
