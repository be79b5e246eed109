"""Arrays put together and cut as rows, columns and layers; least numbers of axes.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError, ShapeError
from tenferro_py._joining import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _at_least(x: "ArrayLike", ndim: int) -> "Array":
    """x with axes of length 1 in front; as a layer of rows and columns behind too."""
    y = asarray(x)
    if y.ndim >= ndim:
        return y
    if ndim == 3:
        return _native.expand_dims(_at_least(y, 2), 2)
    return _native.expand_dims(y, list(range(ndim - y.ndim)))


def atleast_1d(*arrays: "ArrayLike") -> "Any":
    """Numbers as arrays of one axis; others as they are.

    Parameters
    ----------
    arrays : arrays, any shapes and dtypes

    Returns
    -------
    array, or a tuple of them for other than one

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.atleast_1d(1.0).tolist()
    [1.0]
    """
    out = tuple(_at_least(x, 1) for x in arrays)
    return out[0] if len(out) == 1 else out


def atleast_2d(*arrays: "ArrayLike") -> "Any":
    """Arrays of fewer than two axes as a row.

    Parameters
    ----------
    arrays : arrays, any shapes and dtypes

    Returns
    -------
    array, or a tuple of them for other than one

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.atleast_2d([1.0, 2.0]).tolist()
    [[1.0, 2.0]]
    """
    out = tuple(_at_least(x, 2) for x in arrays)
    return out[0] if len(out) == 1 else out


def atleast_3d(*arrays: "ArrayLike") -> "Any":
    """Arrays of fewer than three axes as one layer: (n,) as (1, n, 1), (m, n) as (m, n, 1).

    Parameters
    ----------
    arrays : arrays, any shapes and dtypes

    Returns
    -------
    array, or a tuple of them for other than one

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.atleast_3d([1.0, 2.0]).tolist()
    [[[1.0], [2.0]]]
    """
    out = tuple(_at_least(x, 3) for x in arrays)
    return out[0] if len(out) == 1 else out


def column_stack(arrays: "Sequence[ArrayLike]", /) -> "Array":
    """Arrays of one axis as columns beside each other; matrices as they are.

    Parameters
    ----------
    arrays : sequence of arrays of as many rows; any dtype

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.column_stack([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    columns = [asarray(x) for x in arrays]
    return _native.concat([x if x.ndim > 1 else _native.matrix_transpose(_at_least(x, 2)) for x in columns], 1)


def append(x: "ArrayLike", values: "ArrayLike", /, axis: "int | None" = None) -> "Array":
    """x and then values along an axis; both flattened first if it is None.

    Parameters
    ----------
    x, values : arrays of equal shapes outside the axis; any dtype
    axis : int or None

    Raises
    ------
    ShapeError, AxisError
        If the shapes do not fit, for an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.append([1.0, 2.0], 3.0).tolist()
    [1.0, 2.0, 3.0]
    """
    if axis is None:
        return _native.concat([_native.ravel(x), _native.ravel(values)], 0)
    return _native.concat([x, values], axis)


def block(arrays: "Any", /) -> "Array":
    """An array of blocks in nested lists: the innermost along the last axis, each list around along the one before.

    Parameters
    ----------
    arrays : array, or nested lists of arrays, all equally deep

    Raises
    ------
    ArgumentError
        For an empty list or unequal depths.
    ShapeError
        For blocks that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.block([[tn.eye(1), tn.zeros((1, 1))], [tn.ones((1, 2))]]).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    depth = _depth(arrays)
    return _blocks(arrays, depth, max(depth, _most_axes(arrays)))


def _depth(x: "Any") -> int:
    if not isinstance(x, list):
        return 0
    depths = {_depth(part) for part in x}
    if len(depths) != 1:
        raise ArgumentError(f"block: a list holds {'nothing' if not x else f'parts of depths {sorted(depths)}'}")
    return 1 + depths.pop()


def _most_axes(x: "Any") -> int:
    return max([_most_axes(part) for part in x]) if isinstance(x, list) else asarray(x).ndim


def _blocks(x: "Any", depth: int, ndim: int) -> "Array":
    if depth == 0:
        y = asarray(x)
        return _native.expand_dims(y, list(range(ndim - y.ndim)))
    return _native.concat([_blocks(part, depth - 1, ndim) for part in x], -depth)


def _cut(op: str, x: "ArrayLike", at: "int | Sequence[int]", axis: int, ndim: int) -> "list[Array]":
    y = asarray(x)
    if y.ndim < ndim:
        raise ShapeError(f"{op}: an array of shape {y.shape} has fewer than {ndim} axes")
    return split(y, at, axis)


def hsplit(x: "ArrayLike", indices_or_sections: "int | Sequence[int]", /) -> "list[Array]":
    """`split` along the second axis; along the first where it is the only one.

    Parameters
    ----------
    x : array, at least one axis; any dtype
    indices_or_sections : int, the number of parts, or the places to cut before

    Raises
    ------
    ShapeError, ArgumentError
        For no axis, for unequal parts.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [part.tolist() for part in tn.hsplit([[1.0, 2.0]], 2)]
    [[[1.0]], [[2.0]]]
    """
    y = asarray(x)
    return _cut("hsplit", y, indices_or_sections, min(1, max(y.ndim - 1, 0)), 1)


def vsplit(x: "ArrayLike", indices_or_sections: "int | Sequence[int]", /) -> "list[Array]":
    """`split` along the first axis of two or more.

    Parameters
    ----------
    x : array, at least two axes; any dtype
    indices_or_sections : int, the number of parts, or the places to cut before

    Raises
    ------
    ShapeError, ArgumentError
        For fewer axes, for unequal parts.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [part.tolist() for part in tn.vsplit([[1.0], [2.0]], 2)]
    [[[1.0]], [[2.0]]]
    """
    return _cut("vsplit", x, indices_or_sections, 0, 2)


def dsplit(x: "ArrayLike", indices_or_sections: "int | Sequence[int]", /) -> "list[Array]":
    """`split` along the third axis.

    Parameters
    ----------
    x : array, at least three axes; any dtype
    indices_or_sections : int, the number of parts, or the places to cut before

    Raises
    ------
    ShapeError, ArgumentError
        For fewer axes, for unequal parts.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [part.tolist() for part in tn.dsplit([[[1.0, 2.0]]], 2)]
    [[[[1.0]]], [[[2.0]]]]
    """
    return _cut("dsplit", x, indices_or_sections, 2, 3)
