"""Arrays joined, taken apart, brought to one shape, and padded.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from tenferro_py._native import Array

    ArrayLike = Any


def _pairs(op: str, widths: "Any", ndim: int) -> "list[tuple[Any, Any]]":
    """One pair an axis of a number, a pair for all axes, or pairs."""
    if not isinstance(widths, (list, tuple)):
        return [(widths, widths)] * ndim
    if len(widths) == 1:
        return _pairs(op, widths[0], ndim)
    if len(widths) == 2 and not any(isinstance(w, (list, tuple)) for w in widths):
        return [(widths[0], widths[1])] * ndim
    pairs = [tuple(w) * (2 // len(w)) for w in widths if isinstance(w, (list, tuple)) and len(w) in (1, 2)]
    if len(pairs) != len(widths) or len(pairs) != ndim:
        raise ArgumentError(f"pad: {op} {widths!r} is not a number, a pair, or a pair for each of {ndim} axes")
    return pairs


def _one_axis(pairs: "list[tuple[Any, Any]]", axis: int) -> "list[tuple[Any, Any]]":
    return [pair if a == axis else (0, 0) for a, pair in enumerate(pairs)]


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
    if isinstance(indices_or_sections, int):
        return _native.split(x, indices_or_sections, axis, True)
    return _native.split_at(x, [int(i) for i in indices_or_sections], axis)


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
    if isinstance(indices_or_sections, int):
        return _native.split(x, indices_or_sections, axis, False)
    return _native.split_at(x, [int(i) for i in indices_or_sections], axis)


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


def pad(
    x: "ArrayLike",
    pad_width: "int | Sequence[Any]",
    /,
    mode: str = "constant",
    *,
    constant_values: "Any" = 0,
    end_values: "Any" = 0,
    stat_length: "int | None" = None,
) -> "Array":
    """x with new elements around it.

    Parameters
    ----------
    x : array; any dtype
    pad_width : int, (before, after), or one such pair an axis
    mode : str
        "constant": `constant_values`; "edge": the element at the end; "reflect" and "symmetric": the
        array read backwards, without or with its end element; "wrap": the array from its other end;
        "linear_ramp": a line to `end_values`; "maximum", "minimum", "mean": of the `stat_length`
        elements at the end, all if None; "empty": zeros
    constant_values, end_values : number, (before, after), or one such pair an axis
    stat_length : int or None

    Raises
    ------
    ArgumentError
        For widths that are no such pairs, another mode, or an empty axis to be continued.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.pad([1.0], (1, 2)).tolist()
    [0.0, 1.0, 0.0, 0.0]
    >>> tn.pad([1.0, 2.0, 3.0], 2, mode="reflect").tolist()
    [3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0]
    """
    y = asarray(x)
    ndim = y.ndim
    tolist = getattr(pad_width, "tolist", None)
    widths = _pairs("pad_width", tolist() if tolist else pad_width, ndim)
    if mode == "empty":
        mode, constant_values = "constant", 0
    if mode == "constant":
        if not isinstance(constant_values, (list, tuple)):
            return _native.pad(y, widths, constant_values)
        for axis, (before, after) in enumerate(_pairs("constant_values", constant_values, ndim)):
            low, high = widths[axis]
            y = _native.pad(y, _one_axis([(low, 0)] * ndim, axis), before)
            y = _native.pad(y, _one_axis([(0, high)] * ndim, axis), after)
        return y
    if mode != "linear_ramp":
        return _native.pad_mode(y, widths, mode, (0.0, 0.0), stat_length)
    for axis, ends in enumerate(_pairs("end_values", end_values, ndim)):
        y = _native.pad_mode(y, _one_axis(widths, axis), mode, ends, None)
    return y
