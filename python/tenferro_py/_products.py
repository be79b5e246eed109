"""Products over axes, convolution and polynomials.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, ndim_of
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def tensordot(x: "ArrayLike", y: "ArrayLike", /, axes: "Any" = 2) -> "Array":
    """Σ over axes of x paired with those of y; the other axes of x, then those of y.

    Parameters
    ----------
    x, y : arrays; any number dtype
    axes : int, or two lists of int
        The number of last axes of x that meet the first of y, or the axes that meet

    Raises
    ------
    ShapeError
        If paired sizes differ.
    ArgumentError
        If the lists do.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.tensordot([[1.0, 2.0]], [3.0, 4.0], axes=1).tolist()
    [11.0]
    """
    if not hasattr(axes, "__iter__"):
        if axes < 0:
            raise ArgumentError(f"tensordot: the number of axes {axes} is negative")
        return _native.tensordot_last(x, y, axes)
    pairs = [list(a) if hasattr(a, "__iter__") else [a] for a in axes]
    if len(pairs) != 2:
        raise ArgumentError(f"tensordot: axes {axes!r} are neither a number nor those of x and those of y")
    left, right = pairs
    return _native.tensordot(x, y, left, right)


def vecdot(x: "ArrayLike", y: "ArrayLike", /, *, axis: int = -1) -> "Array":
    """Σ conj(x) y along an axis; the others broadcast.

    Parameters
    ----------
    x, y : arrays; any number dtype
    axis : int, from the end where negative

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.vecdot([1j, 2.0], [1.0, 1.0]).tolist()
    (2-1j)
    """
    return _native.vecdot(x, y, axis)


def dot(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """NumPy's dot: Σ over the last axis of x and the last but one of y; with a scalar the product.

    Parameters
    ----------
    x, y : arrays; any number dtype

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.dot([1.0, 2.0], [3.0, 4.0]).tolist()
    11.0
    """
    left, right = ndim_of(x), ndim_of(y)
    if left == 0 or right == 0:
        return _native.multiply(x, y)
    return _native.tensordot(x, y, [-1], [-1] if right == 1 else [-2])


def outer(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """xᵢ yⱼ of the flattened arrays.

    Parameters
    ----------
    x, y : arrays; any number dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.outer([1.0, 2.0], [3.0]).tolist()
    [[3.0], [6.0]]
    """
    return _native.outer(x, y)


def inner(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Σ x y over the last axes; the other axes of x, then those of y. With a scalar the product.

    Parameters
    ----------
    x, y : arrays; any number dtype

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.inner([1.0, 2.0], [3.0, 4.0]).tolist()
    11.0
    """
    return _native.inner(x, y)


def kron(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The Kronecker product: each element of x times the whole of y.

    Parameters
    ----------
    x, y : arrays; any number dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.kron([1.0, 2.0], [1.0, 1.0]).tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    return _native.kron(x, y)


def cross(x: "ArrayLike", y: "ArrayLike", /, *, axis: int = -1) -> "Array":
    """The vector product of vectors with 3 components along an axis; the others broadcast.

    Parameters
    ----------
    x, y : arrays; any number dtype
    axis : int, from the end where negative

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).tolist()
    [0.0, 0.0, 1.0]
    """
    return _native.cross(x, y, axis)


def vander(x: "ArrayLike", /, N: "int | None" = None, increasing: bool = False) -> "Array":
    """The powers 0 … N − 1 of each element of a vector as a row, the highest first unless increasing.

    Integers become int64; float32 and complex64 stay, which NumPy doubles.

    Parameters
    ----------
    x : array of one axis; any number dtype
    N : int or None, as many as elements
    increasing : bool

    Raises
    ------
    ShapeError
        For another number of axes.
    ArgumentError
        For a negative N.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.vander([2.0, 3.0], 3).tolist()
    [[4.0, 2.0, 1.0], [9.0, 3.0, 1.0]]
    """
    if N is not None and N < 0:
        raise ArgumentError(f"vander: N is negative, {N}")
    return _native.vander(x, N, increasing)


def convolve(x: "ArrayLike", y: "ArrayLike", /, mode: str = "full") -> "Array":
    """The convolution of two vectors, Σⱼ xₖ₋ⱼ yⱼ.

    Parameters
    ----------
    x, y : arrays of one axis, or scalars; not empty; any dtype, of bool "and" and "or"
    mode : str
        "full": all m + n − 1 elements; "same": the middle max(m, n); "valid": where both overlap wholly

    Raises
    ------
    ShapeError
        If one has more axes.
    ArgumentError
        If one is empty, or for another mode.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.convolve([1.0, 2.0], [1.0, 1.0]).tolist()
    [1.0, 3.0, 2.0]
    """
    x, y = (_native.reshape(v, [1]) if v.ndim == 0 else v for v in (asarray(x), asarray(y)))
    if x.dtype.kind == y.dtype.kind == "b":
        return _native.not_equal(_native.convolve(_native.astype(x, "int64"), _native.astype(y, "int64"), mode), 0)
    return _native.convolve(x, y, mode)


def polyval(p: "ArrayLike", x: "ArrayLike", /) -> "Array":
    """The polynomial with coefficients p, the highest first, at x.

    Parameters
    ----------
    p : array of one axis; any number dtype
    x : array, any shape

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.polyval([1.0, 0.0, 1.0], 2.0).tolist()
    5.0
    """
    return _native.polyval(p, x)
