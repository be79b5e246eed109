"""Arrays joined, taken apart, and brought to one shape.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import is_whole
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from tenferro_py._native import Array

    ArrayLike = Any


def hstack(arrays: "Sequence[ArrayLike]", /) -> "Array":
    """Arrays side by side: joined along the second axis, 1-D ones along the first.

    Parameters
    ----------
    arrays : sequence of arrays of equal shapes outside the axis; any dtype

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.hstack([[1.0], [2.0, 3.0]]).tolist()
    [1.0, 2.0, 3.0]
    """
    return _native.hstack(list(arrays))


def vstack(arrays: "Sequence[ArrayLike]", /) -> "Array":
    """Arrays as rows one below another.

    Parameters
    ----------
    arrays : sequence of arrays of equal shapes outside the axis; any dtype

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.vstack([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _native.vstack(list(arrays))


def dstack(arrays: "Sequence[ArrayLike]", /) -> "Array":
    """Arrays one behind another: joined along the third axis.

    Parameters
    ----------
    arrays : sequence of arrays of equal shapes outside the axis; any dtype

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.dstack([[1.0], [2.0]]).tolist()
    [[[1.0, 2.0]]]
    """
    return _native.dstack(list(arrays))


def unstack(x: "ArrayLike", /, *, axis: int = 0) -> "tuple[Array, ...]":
    """The parts of x along an axis, which is removed.

    Parameters
    ----------
    x : array; any dtype
    axis : int

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [part.tolist() for part in tn.unstack([[1.0, 2.0], [3.0, 4.0]])]
    [[1.0, 2.0], [3.0, 4.0]]
    """
    x = _native.moveaxis(x, axis, 0)
    return tuple(x[i] for i in range(x.shape[0]))


def split(x: "ArrayLike", indices_or_sections: "int | Sequence[int]", /, axis: int = 0) -> "list[Array]":
    """Equal parts along an axis, or the parts between the places given.

    Parameters
    ----------
    x : array; any dtype
    indices_or_sections : int, the number of parts, or the places to cut before
    axis : int

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no parts, or unequal ones.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [part.tolist() for part in tn.split([1.0, 2.0, 3.0], [1])]
    [[1.0], [2.0, 3.0]]
    """
    if not is_whole(indices_or_sections):
        return _native.split_at(x, list(indices_or_sections), axis)
    return _native.split(x, indices_or_sections, axis, True)


def array_split(x: "ArrayLike", indices_or_sections: "int | Sequence[int]", /, axis: int = 0) -> "list[Array]":
    """Parts along an axis, of which the first may be longer by one.

    Parameters
    ----------
    x : array; any dtype
    indices_or_sections : int, the number of parts, or the places to cut before
    axis : int

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For no parts.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [part.tolist() for part in tn.array_split([1.0, 2.0, 3.0], 2)]
    [[1.0, 2.0], [3.0]]
    """
    if not is_whole(indices_or_sections):
        return _native.split_at(x, list(indices_or_sections), axis)
    return _native.split(x, indices_or_sections, axis, False)


def broadcast_arrays(*arrays: "ArrayLike") -> "list[Array]":
    """All arrays in their common shape.

    Parameters
    ----------
    arrays : arrays, shapes that broadcast; any dtype

    Raises
    ------
    ShapeError
        For shapes that do not broadcast.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [x.tolist() for x in tn.broadcast_arrays([1.0, 2.0], 3.0)]
    [[1.0, 2.0], [3.0, 3.0]]
    """
    return _native.broadcast_arrays(list(arrays))


def meshgrid(*arrays: "ArrayLike", indexing: "Literal['xy', 'ij']" = "xy", sparse: bool = False) -> "list[Array]":
    """The coordinates of the points of a grid.

    Parameters
    ----------
    arrays : arrays of one axis; any dtype
    indexing : str
        "ij": array k varies along axis k; "xy": the first two exchanged
    sparse : bool
        Whether each has length 1 along the axes of the others

    Raises
    ------
    ArgumentError
        For another indexing.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [x.tolist() for x in tn.meshgrid([1.0, 2.0], [3.0])]
    [[[1.0, 2.0]], [[3.0, 3.0]]]
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing {indexing!r} is not xy or ij")
    return _native.meshgrid(list(arrays), indexing == "xy", sparse)
