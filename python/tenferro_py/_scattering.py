"""Elements read and written by arrays of numbers along one axis.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, reshape
from tenferro_py._errors import AxisError, DTypeError, ShapeError
from tenferro_py._ranges import arange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _along(op: str, x: "ArrayLike", axis: int, indices: "ArrayLike") -> "tuple[Array, int, Array]":
    """Array, axis from 0 on, and indices; all checked but for their values."""
    y = asarray(x)
    if not -y.ndim <= axis < y.ndim:
        raise AxisError(f"{op}: axis {axis} is out of range for {y.ndim} axes")
    axis %= y.ndim
    i = asarray(indices)
    if 0 in i.shape and not isinstance(indices, _native.Array) and not hasattr(indices, "dtype"):
        i = _native.astype(i, "int64")
    if i.dtype.kind not in ("i", "u"):
        raise DTypeError(f"{op}: indices must be integers, got {i.dtype}")
    if i.ndim != y.ndim:
        raise ShapeError(f"{op}: indices of shape {i.shape} need as many axes as the array of shape {y.shape}")
    return y, axis, i


def _fitting(op: str, x: "ArrayLike", axis: int, indices: "ArrayLike") -> "tuple[Array, int, Array]":
    """As `_along`, and the indices nowhere longer than the array outside the axis."""
    y, axis, i = _along(op, x, axis, indices)
    for a, (n, size) in enumerate(zip(i.shape, y.shape, strict=True)):
        if a != axis and not (n == size or (isinstance(n, int) and isinstance(size, int) and n < size)):
            raise ShapeError(f"{op}: indices of shape {i.shape} do not fit into the array of shape {y.shape} along axis {a}")
    return y, axis, i


def _grid(op: str, i: "Array", axis: int, shape: "tuple[Any, ...]") -> "tuple[Any, ...]":
    """The index of the elements that `i` names: along the other axes their own positions."""
    grid: list[Any] = []
    for a, n in enumerate(shape):
        if a != axis and not isinstance(n, int):
            raise ShapeError(f"{op}: axis {a} has the size {n}; it needs a number")
        grid.append(i if a == axis else reshape(arange(n), [-1 if b == a else 1 for b in range(i.ndim)]))
    return tuple(grid)


def _scattered(op: str, kind: str, x: "ArrayLike", axis: int, indices: "ArrayLike", updates: "ArrayLike") -> "Array":
    y, axis, i = _fitting(op, x, axis, indices)
    return _native.at(y, _grid(op, i, axis, i.shape), kind, updates)


def gather(x: "ArrayLike", axis: int, indices: "ArrayLike") -> "Array":
    """Elements along an axis by an array of as many axes, as torch: y[i, j] = x[indices[i, j], j] for axis 0.

    Parameters
    ----------
    x : array; any dtype
    axis : int
    indices : array of integers, from the end where negative; outside the axis no longer than x
        The result has its shape.

    Raises
    ------
    ShapeError
        For indices that do not fit.
    AxisError
        For an axis or, when it runs, an index out of range.
    DTypeError
        For indices that are not integers.

    See Also
    --------
    take : the same numbers everywhere outside the axis.
    take_along_axis : NumPy's form, which broadcasts.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.gather([[1.0, 2.0], [3.0, 4.0]], 1, [[0, 0], [1, 0]]).tolist()
    [[1.0, 1.0], [4.0, 3.0]]
    """
    y, axis, i = _fitting("gather", x, axis, indices)
    part = tuple(slice(None) if a == axis or n == size else slice(n) for a, (n, size) in enumerate(zip(i.shape, y.shape, strict=True)))
    return _native.take_along_axis(y[part], i, axis)


def scatter(x: "ArrayLike", axis: int, indices: "ArrayLike", updates: "ArrayLike") -> "Array":
    """x with updates at the places that `gather` reads; of several for one place the last holds.

    Parameters
    ----------
    x : array; any dtype
    axis : int
    indices : array of integers, from the end where negative; outside the axis no longer than x
    updates : array that broadcasts to the shape of the indices

    Raises
    ------
    ShapeError
        For indices or updates that do not fit.
    AxisError
        For an axis or, when it runs, an index out of range.
    DTypeError
        For indices that are not integers, or where x's dtype cannot hold the updates.

    See Also
    --------
    Tensor.at : `x.at[index].set(updates)` and its like, by any index.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.scatter([[0.0, 0.0, 0.0]], 1, [[2, 0]], [[5.0, 6.0]]).tolist()
    [[6.0, 0.0, 5.0]]
    """
    return _scattered("scatter", "set", x, axis, indices, updates)


def scatter_add(x: "ArrayLike", axis: int, indices: "ArrayLike", updates: "ArrayLike") -> "Array":
    """x with updates added at the places that `gather` reads, all of them where a place stands several times.

    Parameters
    ----------
    x : array; any number dtype
    axis : int
    indices : array of integers, from the end where negative; outside the axis no longer than x
    updates : array that broadcasts to the shape of the indices

    Raises
    ------
    ShapeError, AxisError, DTypeError
        As of `scatter`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.scatter_add([[1.0, 1.0]], 1, [[0, 0]], [[5.0, 6.0]]).tolist()
    [[12.0, 1.0]]
    """
    return _scattered("scatter_add", "add", x, axis, indices, updates)


def scatter_mul(x: "ArrayLike", axis: int, indices: "ArrayLike", updates: "ArrayLike") -> "Array":
    """x times the updates at the places that `gather` reads, all of them where a place stands several times.

    Parameters
    ----------
    x : array; any number dtype
    axis : int
    indices : array of integers, from the end where negative; outside the axis no longer than x
    updates : array that broadcasts to the shape of the indices

    Raises
    ------
    ShapeError, AxisError, DTypeError
        As of `scatter`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.scatter_mul([[1.0, 1.0]], 1, [[0, 0]], [[5.0, 6.0]]).tolist()
    [[30.0, 1.0]]
    """
    return _scattered("scatter_mul", "multiply", x, axis, indices, updates)


def scatter_min(x: "ArrayLike", axis: int, indices: "ArrayLike", updates: "ArrayLike") -> "Array":
    """The smallest of x and the updates at the places that `gather` reads; ties share the derivative.

    Parameters
    ----------
    x : array; any real dtype
    axis : int
    indices : array of integers, from the end where negative; outside the axis no longer than x
    updates : array that broadcasts to the shape of the indices

    Raises
    ------
    ShapeError, AxisError, DTypeError
        As of `scatter`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.scatter_min([[3.0, 3.0]], 1, [[0, 0]], [[5.0, 2.0]]).tolist()
    [[2.0, 3.0]]
    """
    return _scattered("scatter_min", "min", x, axis, indices, updates)


def scatter_max(x: "ArrayLike", axis: int, indices: "ArrayLike", updates: "ArrayLike") -> "Array":
    """The largest of x and the updates at the places that `gather` reads; ties share the derivative.

    Parameters
    ----------
    x : array; any real dtype
    axis : int
    indices : array of integers, from the end where negative; outside the axis no longer than x
    updates : array that broadcasts to the shape of the indices

    Raises
    ------
    ShapeError, AxisError, DTypeError
        As of `scatter`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.scatter_max([[3.0, 3.0]], 1, [[0, 0]], [[5.0, 2.0]]).tolist()
    [[5.0, 3.0]]
    """
    return _scattered("scatter_max", "max", x, axis, indices, updates)


def put_along_axis(x: "ArrayLike", indices: "ArrayLike", values: "ArrayLike", /, axis: "int | None") -> "Array":
    """A copy of x with values at the places that `take_along_axis` reads; of several for one place the last holds.

    Parameters
    ----------
    x : array; any dtype
    indices : array of integers, which broadcasts with x outside the axis
    values : array that broadcasts to the shape of what `take_along_axis` gives
    axis : int or None, which takes x flattened

    Raises
    ------
    ShapeError, AxisError, DTypeError
        As of `scatter`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.put_along_axis([[1.0, 2.0], [3.0, 4.0]], [[1], [0]], 9.0, axis=1).tolist()
    [[1.0, 9.0], [9.0, 4.0]]
    """
    if axis is None:
        y = asarray(x)
        return reshape(put_along_axis(_native.ravel(y), indices, values, 0), y.shape)
    y, axis, i = _along("put_along_axis", x, axis, indices)
    return _native.at(y, _grid("put_along_axis", i, axis, y.shape), "set", values)
