"""Axes and elements in another order.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import listed, reshape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def squeeze(x: "ArrayLike", /, axis: "Axis" = None) -> "Array":
    """x without axes of length 1, all such if None.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None

    Raises
    ------
    AxisError
        For an axis out of range.
    ShapeError
        For an axis of another length.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.squeeze([[1.0, 2.0]]).tolist()
    [1.0, 2.0]
    """
    return _native.squeeze(x, axis)


def expand_dims(x: "ArrayLike", /, axis: "int | Sequence[int]" = 0) -> "Array":
    """x with axes of length 1 where the result has `axis`.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int or tuple of int

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.expand_dims([1.0, 2.0], 1).tolist()
    [[1.0], [2.0]]
    """
    return _native.expand_dims(x, axis)


def moveaxis(x: "ArrayLike", /, source: "int | Sequence[int]", destination: "int | Sequence[int]") -> "Array":
    """The axes `source` as axes `destination`; the others keep their order.

    Parameters
    ----------
    x : array, any shape; any dtype
    source, destination : int, or tuples of int of one length

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.moveaxis([[1.0, 2.0]], 0, 1).tolist()
    [[1.0], [2.0]]
    """
    return _native.moveaxis(x, source, destination)


def swapaxes(x: "ArrayLike", /, axis1: int, axis2: int) -> "Array":
    """Two axes exchanged.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis1, axis2 : int, from the end where negative

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.swapaxes([[1.0, 2.0]], 0, 1).tolist()
    [[1.0], [2.0]]
    """
    return _native.swapaxes(x, axis1, axis2)


def flip(x: "ArrayLike", /, axis: "Axis" = None) -> "Array":
    """The last element first along axes, all if None.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.flip([1.0, 2.0, 3.0]).tolist()
    [3.0, 2.0, 1.0]
    """
    return _native.flip(x, axis)


def roll(x: "ArrayLike", /, shift: "int | Sequence[int]", axis: "Axis" = None) -> "Array":
    """Elements moved on along axes; those that leave come in at the other end.

    Parameters
    ----------
    x : array, any shape; any dtype
    shift : int, or one int an axis
    axis : int, tuple of int, or None, which rolls the flattened array

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.roll([1.0, 2.0, 3.0], 1).tolist()
    [3.0, 1.0, 2.0]
    """
    shifts = listed(shift)
    if axis is None:
        return _native.roll(x, [sum(shifts)], None)
    axes = listed(axis)
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    if len(axes) == 1:
        axes = axes * len(shifts)
    return _native.roll(x, shifts, axes)


def tile(x: "ArrayLike", /, repetitions: "int | Sequence[int]") -> "Array":
    """x as a tile, so many times along each axis; axes are aligned at the end.

    Parameters
    ----------
    x : array, any shape; any dtype
    repetitions : int or tuple of int

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.tile([1.0, 2.0], 2).tolist()
    [1.0, 2.0, 1.0, 2.0]
    """
    return _native.tile(x, listed(repetitions))


def repeat(x: "ArrayLike", /, repeats: "int | Sequence[int]", axis: "int | None" = None) -> "Array":
    """Each element so many times, one after the other.

    Parameters
    ----------
    x : array, any shape; any dtype
    repeats : int, or one int for each place along the axis
    axis : int or None, which flattens x first

    Raises
    ------
    AxisError
        For an axis out of range.
    ShapeError
        For another number of repeats than elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.repeat([1.0, 2.0], [2, 1]).tolist()
    [1.0, 1.0, 2.0]
    """
    return _native.repeat(x, listed(repeats), axis)


def ravel(x: "ArrayLike", /, order: "Literal['C', 'F']" = "C") -> "Array":
    """All elements along one axis.

    Parameters
    ----------
    x : array, any shape; any dtype
    order : str
        "C" reads the last axis fastest, "F" the first

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.ravel([[1.0, 2.0], [3.0, 4.0]], order="F").tolist()
    [1.0, 3.0, 2.0, 4.0]
    """
    return reshape(x, -1, order=order)


def fliplr(x: "ArrayLike", /) -> "Array":
    """The columns in the opposite order: `flip` of the second axis.

    Parameters
    ----------
    x : array, at least two axes; any dtype

    Raises
    ------
    AxisError
        For fewer axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.fliplr([[1.0, 2.0]]).tolist()
    [[2.0, 1.0]]
    """
    return _native.flip(x, 1)


def flipud(x: "ArrayLike", /) -> "Array":
    """The rows in the opposite order: `flip` of the first axis.

    Parameters
    ----------
    x : array, at least one axis; any dtype

    Raises
    ------
    AxisError
        For no axis.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.flipud([[1.0], [2.0]]).tolist()
    [[2.0], [1.0]]
    """
    return _native.flip(x, 0)


def rot90(x: "ArrayLike", /, k: int = 1, axes: "Sequence[int]" = (0, 1)) -> "Array":
    """The plane of two axes turned k times by a right angle, from the first axis to the second.

    Parameters
    ----------
    x : array, at least two axes; any dtype
    k : int
    axes : two ints

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.rot90([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[2.0, 4.0], [1.0, 3.0]]
    """
    first, second = axes
    if k % 2 == 0:
        return _native.flip(x, [first, second] if k % 4 else [])
    turned = _native.swapaxes(x, first, second)
    return _native.flip(turned, first if k % 4 == 1 else second)
