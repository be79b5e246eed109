"""Products of vectors with vectors and matrices, and correlations.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, length_of
from tenferro_py._errors import ArgumentError, ShapeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def vdot(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Σ xᵢ* yᵢ over all elements.

    Parameters
    ----------
    x, y : arrays of as many elements; any number dtype

    Raises
    ------
    ShapeError
        For other numbers of elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.vdot([1j, 2.0], [1j, 1.0]).tolist()
    (3+0j)
    """
    return _native.vecdot(_native.ravel(x), _native.ravel(y), -1)


def matvec(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Matrices times vectors, Σⱼ xᵢⱼ yⱼ.

    Parameters
    ----------
    x : (…, m, n) array, any number dtype
    y : (…, n) array
        Leading axes broadcast.

    Returns
    -------
    (…, m) array

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, -1.0]).tolist()
    [-1.0, -1.0]
    """
    a, v = asarray(x), asarray(y)
    if a.ndim < 2 or v.ndim < 1:
        raise ShapeError(f"matvec: shapes {a.shape} and {v.shape} are not those of matrices and vectors")
    return _native.matmul(a, v[..., None])[..., 0]


def vecmat(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Conjugated vectors times matrices, Σᵢ xᵢ* yᵢⱼ.

    Parameters
    ----------
    x : (…, m) array, any number dtype
    y : (…, m, n) array
        Leading axes broadcast.

    Returns
    -------
    (…, n) array

    Raises
    ------
    ShapeError
        For shapes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.vecmat([1.0, -1.0], [[1.0, 2.0], [3.0, 4.0]]).tolist()
    [-2.0, -2.0]
    """
    v, a = asarray(x), asarray(y)
    if a.ndim < 2 or v.ndim < 1:
        raise ShapeError(f"vecmat: shapes {v.shape} and {a.shape} are not those of vectors and matrices")
    return _native.matmul(_native.conj(v)[..., None, :], a)[..., 0, :]


def correlate(x: "ArrayLike", y: "ArrayLike", /, mode: str = "valid") -> "Array":
    """The correlation of two vectors, cₖ = Σₙ xₙ₊ₖ yₙ*.

    Parameters
    ----------
    x, y : arrays of one axis with an element at least; any number dtype
    mode : str
        "valid": where both overlap wholly; "full": wherever they do; "same": the middle max(m, n)

    Raises
    ------
    ShapeError, ArgumentError
        For other axes or no elements, for another mode.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.correlate([1.0, 2.0, 3.0], [0.0, 1.0]).tolist()
    [2.0, 3.0]
    """
    a, v = asarray(x), asarray(y)
    if a.ndim != 1 or v.ndim != 1 or 0 in (*a.shape, *v.shape):
        raise ShapeError(f"correlate: shapes {a.shape} and {v.shape} are not those of vectors with elements")
    if mode not in ("valid", "same", "full"):
        raise ArgumentError(f"correlate: mode {mode!r} is not valid, same or full")
    if length_of("correlate", a, 0) < length_of("correlate", v, 0):
        return _native.flip(_native.conj(correlate(v, a, mode)), 0)
    return _native.convolve(a, _native.flip(_native.conj(v), 0), mode)
