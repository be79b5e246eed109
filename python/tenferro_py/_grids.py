"""Places in arrays: of all elements, of triangles and diagonals, as one number or several."""

from tenferro_py import _native
from tenferro_py._arrays import asarray, listed
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def indices(dimensions: "int | Sequence[int]", /, dtype: "Any" = None, *, sparse: bool = False) -> "Any":
    """The places of all elements of a shape: y[k, i, j, …] is the k-th of i, j, ….

    Parameters
    ----------
    dimensions : int or tuple of int
    dtype : dtype or None, int64
    sparse : bool
        Whether to give a tuple of arrays, each of length 1 along the axes of the others.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.indices((2, 2)).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    shape = listed(dimensions)
    places = []
    for axis, n in enumerate(shape):
        alone = [1] * len(shape)
        alone[axis] = n
        places.append(_native.reshape(_native.arange(0, n, 1, dtype or "int64"), alone))
    if sparse:
        return tuple(places)
    if not shape:
        return _native.full([0], False, dtype or "int64")
    return _native.stack([_native.broadcast_to(p, shape) for p in places], 0)


def tril_indices(n: int, /, k: int = 0, m: "int | None" = None) -> "tuple[Array, Array]":
    """The places of the elements on and below the k-th diagonal of an n × m matrix.

    Parameters
    ----------
    n, m : int
        m is n if None.
    k : int

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [i.tolist() for i in tn.tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]
    """
    return _where(_native.tri(n, n if m is None else m, k, "bool"))


def triu_indices(n: int, /, k: int = 0, m: "int | None" = None) -> "tuple[Array, Array]":
    """The places of the elements on and above the k-th diagonal of an n × m matrix.

    Parameters
    ----------
    n, m : int
        m is n if None.
    k : int

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [i.tolist() for i in tn.triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    return _where(_native.logical_not(_native.tri(n, n if m is None else m, k - 1, "bool")))


def _where(mask: "Array") -> "tuple[Array, Array]":
    rows, columns = _native.nonzero(mask, int(_native.count_nonzero(mask)), 0)
    return rows, columns


def diag_indices(n: int, /, ndim: int = 2) -> "tuple[Array, ...]":
    """The places of the diagonal of an array of ndim axes of length n.

    Parameters
    ----------
    n, ndim : int

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [i.tolist() for i in tn.diag_indices(2)]
    [[0, 1], [0, 1]]
    """
    return (_native.arange(0, n, 1, "int64"),) * ndim


def unravel_index(indices: "ArrayLike", shape: "Sequence[int]", /) -> "tuple[Array, ...]":
    """Places in the flattened array, in C order, as one index an axis.

    Parameters
    ----------
    indices : array of integers, any shape; traced ones are not looked at
    shape : tuple of int

    Raises
    ------
    ArgumentError
        For a place outside.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [i.tolist() for i in tn.unravel_index([4, 1], (2, 3))]
    [[1, 0], [1, 1]]
    """
    rest = _native.astype(asarray(indices), "int64")
    total = 1
    for n in shape:
        total *= n
    if not isinstance(rest, _native.TracedTensor) and rest.size:
        outside = _native.logical_or(_native.less(rest, 0), _native.greater_equal(rest, total))
        if bool(_native.any(outside)):
            raise ArgumentError(f"unravel_index: a place is outside of shape {tuple(shape)}")
    out = []
    for n in reversed(list(shape)):
        out.append(_native.remainder(rest, n))
        rest = _native.floor_divide(rest, n)
    return tuple(reversed(out))


def ravel_multi_index(indices: "Sequence[ArrayLike]", shape: "Sequence[int]", /) -> "Array":
    """One index an axis as places in the flattened array, in C order.

    Parameters
    ----------
    indices : sequence of integer arrays that broadcast; traced ones are not looked at
    shape : tuple of int

    Raises
    ------
    ArgumentError
        For an index outside, or another number of them.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.ravel_multi_index(([1, 0], [1, 1]), (2, 3)).tolist()
    [4, 1]
    """
    parts = [_native.astype(asarray(i), "int64") for i in indices]
    if len(parts) != len(shape) or not parts:
        raise ArgumentError(f"ravel_multi_index: there are {len(parts)} indices for shape {tuple(shape)}")
    place: Array = _native.full([], False, "int64")
    for i, n in zip(parts, shape, strict=True):
        if not isinstance(i, _native.TracedTensor):
            outside = _native.logical_or(_native.less(i, 0), _native.greater_equal(i, n))
            if bool(_native.any(outside)):
                raise ArgumentError(f"ravel_multi_index: an index is outside of shape {tuple(shape)}")
        place = _native.add(_native.multiply(place, n), i)
    return place


def argwhere(x: "ArrayLike", /, *, size: "int | None" = None, fill_value: int = 0) -> "Array":
    """The indices of the elements that are not 0, a row each, in C order.

    Parameters
    ----------
    x : array, any dtype
    size : int or None
        How many to give; None counts them, which needs data
    fill_value : int
        What stands where there are fewer

    Raises
    ------
    ArgumentError
        For a traced x without a size.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.argwhere([[0, 1], [1, 0]]).tolist()
    [[0, 1], [1, 0]]
    """
    y = asarray(x)
    if size is None:
        if isinstance(y, _native.TracedTensor):
            raise ArgumentError("argwhere: how many elements of a traced tensor are not 0 is not known; give size=")
        size = int(_native.count_nonzero(y))
    if y.ndim == 0:
        return _native.full([size, 0], False, "int64")
    return _native.stack(_native.nonzero(y, size, fill_value), 1)
