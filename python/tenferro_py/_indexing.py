"""Elements by number, mask and place; copies with a part changed.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _count(op: str, x: "ArrayLike") -> int:
    if isinstance(x, _native.TracedTensor):
        raise ArgumentError(f"{op}: how many elements of a traced tensor are not 0 is not known; give size=")
    return int(_native.count_nonzero(x))


def take(x: "ArrayLike", indices: "ArrayLike", /, axis: "int | None" = None, *, mode: str = "raise") -> "Array":
    """Elements along an axis by an array of numbers, whose axes replace that axis.

    Parameters
    ----------
    x : array; any dtype
    indices : array of integers, from the end where negative
    axis : int or None, which flattens x first
    mode : str
        What an index past an end means: "raise", "wrap" around, or "clip" to the end

    Raises
    ------
    AxisError
        For an axis or, when it runs, an index out of range.
    DTypeError
        For indices that are not integers.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.take([1.0, 2.0, 3.0], [2, 0]).tolist()
    [3.0, 1.0]
    """
    return _native.take(x, indices, axis, mode)


def take_along_axis(x: "ArrayLike", indices: "ArrayLike", /, axis: "int | None" = -1) -> "Array":
    """Elements along an axis by an array of as many axes: y[i, j] = x[indices[i, j], j] for axis 0.

    Parameters
    ----------
    x : array; any dtype
    indices : array of integers, which broadcasts with x outside the axis
    axis : int or None, which flattens both first

    Raises
    ------
    AxisError
        For an axis or, when it runs, an index out of range.
    DTypeError
        For indices that are not integers.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.take_along_axis([[1.0, 2.0], [3.0, 4.0]], [[1], [0]], axis=1).tolist()
    [[2.0], [3.0]]
    """
    return _native.take_along_axis(x, indices, axis)


def nonzero(x: "ArrayLike", /, *, size: "int | None" = None, fill_value: int = 0) -> "tuple[Array, ...]":
    """The indices of the elements that are not 0, one int64 array an axis, in C order.

    Parameters
    ----------
    x : array, at least one axis; any dtype
    size : int or None
        How many to give; None counts them, which needs data
    fill_value : int
        What stands where there are fewer

    Raises
    ------
    ArgumentError
        For a traced x without a size.
    ShapeError
        For a scalar.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [i.tolist() for i in tn.nonzero([[0, 1], [1, 0]])]
    [[0, 1], [1, 0]]
    """
    return tuple(_native.nonzero(x, _count("nonzero", x) if size is None else size, fill_value))


def flatnonzero(x: "ArrayLike", /, *, size: "int | None" = None, fill_value: int = 0) -> "Array":
    """The places in the flattened x, in C order, of the elements that are not 0.

    Parameters
    ----------
    x : array, at least one axis; any dtype
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
    >>> tn.flatnonzero([0, 1, 1], size=3, fill_value=-1).tolist()
    [1, 2, -1]
    """
    return _native.flatnonzero(x, _count("flatnonzero", x) if size is None else size, fill_value)


def dynamic_slice(x: "ArrayLike", starts: "Sequence[ArrayLike]", sizes: "Sequence[int]", /) -> "Array":
    """The box of `sizes` from `starts` on, moved inside where it would reach over an end.

    Parameters
    ----------
    x : array; any dtype
    starts : integer scalars, one an axis, traced ones too; negative ones count from the end
    sizes : one int an axis

    Raises
    ------
    ShapeError
        For a box that does not fit into x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.dynamic_slice([1.0, 2.0, 3.0], [9], [2]).tolist()
    [2.0, 3.0]
    """
    return _native.dynamic_slice(x, list(starts), list(sizes))


def dynamic_update_slice(x: "ArrayLike", update: "ArrayLike", starts: "Sequence[ArrayLike]", /) -> "Array":
    """x with `update` as the box from `starts` on, moved inside where it would reach over an end.

    Parameters
    ----------
    x : array; any dtype
    update : array of as many axes
    starts : integer scalars, one an axis, traced ones too; negative ones count from the end

    Raises
    ------
    ShapeError
        For an update that does not fit into x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.dynamic_update_slice([1.0, 2.0, 3.0], [9.0], [1]).tolist()
    [1.0, 9.0, 3.0]
    """
    return _native.dynamic_update_slice(x, update, list(starts))


class At:
    """`x.at[index]`: copies of x with the part `x[index]` changed.

    Indices are those of `x[index]`. Elements that an index array selects several times
    meet all of their updates; of `set`, the last.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> x = tn.Tensor([1.0, 2.0, 3.0])
    >>> x.at[0].set(9.0).tolist()
    [9.0, 2.0, 3.0]
    >>> x.at[[0, 0]].add(1.0).tolist()
    [3.0, 2.0, 3.0]
    """

    __slots__ = ("_x",)

    def __init__(self, x: "Array") -> None:
        self._x = x

    def __getitem__(self, index: "Any") -> "AtIndex":
        return AtIndex(self._x, index)


class AtIndex:
    """Updates of the part of an array that an index selects; they broadcast to its shape.

    Raises
    ------
    AxisError, ShapeError
        For an index out of range, for updates that do not broadcast.
    DTypeError
        Where the array's dtype cannot hold the updates.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.Tensor([1.0, 2.0, 3.0]).at[1:].multiply(10.0).tolist()
    [1.0, 20.0, 30.0]
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: "Array", index: "Any") -> None:
        self._x, self._index = x, index

    def set(self, values: "ArrayLike", /) -> "Array":
        """The part replaced."""
        return _native.at(self._x, self._index, "set", values)

    def add(self, values: "ArrayLike", /) -> "Array":
        """Updates added."""
        return _native.at(self._x, self._index, "add", values)

    def subtract(self, values: "ArrayLike", /) -> "Array":
        """Updates taken off."""
        return _native.at(self._x, self._index, "subtract", values)

    def multiply(self, values: "ArrayLike", /) -> "Array":
        """The part times the updates; `mul` for short."""
        return _native.at(self._x, self._index, "multiply", values)

    mul = multiply

    def divide(self, values: "ArrayLike", /) -> "Array":
        """The part over the updates."""
        return _native.at(self._x, self._index, "divide", values)

    def power(self, values: "ArrayLike", /) -> "Array":
        """The part to the power of the updates."""
        return _native.at(self._x, self._index, "power", values)

    def min(self, values: "ArrayLike", /) -> "Array":
        """The smaller of the part and the updates."""
        return _native.at(self._x, self._index, "min", values)

    def max(self, values: "ArrayLike", /) -> "Array":
        """The larger of the part and the updates."""
        return _native.at(self._x, self._index, "max", values)

    def apply(self, f: "Callable[[Array], ArrayLike]", /) -> "Array":
        """The part with f of it in its place."""
        return _native.at_apply(self._x, self._index, f)

    def get(self) -> "Array":
        """The part."""
        return self._x[self._index]
