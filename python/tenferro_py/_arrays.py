"""Making arrays, their dtypes, shapes and parts; joining them.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError, DTypeError, ShapeError
from tenferro_py._namespace import check_device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from typing_extensions import TypeIs

    from tenferro_py._native import Array

    ArrayLike = Any


def ndim_of(x: "ArrayLike") -> int:
    """The number of axes of any array-like."""
    ndim = getattr(x, "ndim", None)
    return ndim if isinstance(ndim, int) else _native.Tensor(x).ndim


def is_whole(x: "int | Sequence[int]") -> "TypeIs[int]":
    """Whether x is one whole number, of Python's or NumPy's, and not several."""
    return hasattr(x, "__index__") and getattr(x, "ndim", 0) == 0


def listed(x: "int | Sequence[int]") -> "list[int]":
    """One whole number or several as a list."""
    return [x.__index__()] if is_whole(x) else list(x)


def length_of(op: str, x: "Array", axis: int) -> int:
    """The length of an axis that must be a number."""
    n = x.shape[axis]
    if not isinstance(n, int):
        raise ShapeError(f"{op}: the length of axis {axis} is symbolic, {n}; it must be a number")
    return n


def _is_recorded(x: "Any") -> bool:
    """Whether nested lists hold a traced or an eager tensor; it looks no deeper than arrays nest."""
    todo: list[tuple[Any, int]] = [(x, 0)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, (_native.TracedTensor, _native.EagerTensor)):
            return True
        if isinstance(item, (list, tuple)) and depth < 64:
            todo.extend((inner, depth + 1) for inner in item)
    return False


def asarray(x: "ArrayLike", /, dtype: "Any" = None, *, device: "str | None" = None, copy: "bool | None" = None) -> "Array":
    """x as an array: itself if it is a tensor of any kind and the dtype fits, else a `Tensor`.

    A list that holds traced or eager tensors is a stack of them, through which gradients flow.

    Parameters
    ----------
    dtype : dtype or None
        None keeps the dtype, or takes the one that NumPy gives lists and numbers.
    device : "cpu" or None
    copy : bool or None
        None copies memory of other libraries only. False never copies: the tensor is a view that
        follows later writes. True always copies the elements of a `Tensor`.

    Raises
    ------
    ArgumentError
        If a copy is needed and `copy` is False.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.asarray([1, 2], dtype=tn.float64).tolist()
    [1.0, 2.0]
    >>> tn.grad(lambda x: tn.sum(tn.asarray([x[1], 2 * x[0]])))([1.0, 2.0]).tolist()
    [2.0, 1.0]
    """
    if device is not None:
        check_device("asarray", device)
    if not isinstance(x, _native.Array):
        try:
            return _native.Tensor(x, dtype, copy=copy)
        except DTypeError:
            if not (isinstance(x, (list, tuple)) and _is_recorded(x)):
                raise
            x = _native.stack([asarray(item) for item in x], 0)
    if dtype is not None and x.dtype != dtype:
        if copy is False:
            raise ArgumentError(f"asarray: copy=False, but {x.dtype} must become {_native.DType(dtype)}")
        return _native.astype(x, dtype)
    return x.copy() if copy and isinstance(x, _native.Tensor) else x


def from_dlpack(x: "Any", /, *, device: "str | None" = None, copy: "bool | None" = None) -> "Array":
    """An array of another library, which offers it by DLPack; NumPy must be installed.

    Parameters
    ----------
    x : object with `__dlpack__` and `__dlpack_device__`, in the memory of the cpu
    device : "cpu" or None
    copy : bool or None
        None and False share the memory where x is not a tensor of ours: the tensor is a view that
        follows later writes. True always copies.

    Raises
    ------
    DTypeError
        For what has no `__dlpack__`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.from_dlpack(tn.Tensor([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    check_device("from_dlpack", device)
    if isinstance(x, _native.Array):
        return asarray(x, copy=copy)
    if not hasattr(x, "__dlpack__"):
        raise DTypeError(f"from_dlpack: {type(x).__name__} has no __dlpack__")
    import numpy

    return _native.Tensor(numpy.from_dlpack(x), copy=bool(copy))


def astype(x: "ArrayLike", dtype: "Any", /, *, copy: bool = True, device: "str | None" = None) -> "Array":
    """x in another dtype. Complex to real keeps the real part; to bool is x ≠ 0.

    Floats lose their fraction in integers; beyond the range they become its ends, and NaN 0, where C and NumPy leave
    the result to the machine. Integers in fewer bits wrap.

    Parameters
    ----------
    x : array, any shape; any dtype
    dtype : dtype
    copy : bool
        Arrays do not change, so that a copy makes no difference.
    device : "cpu" or None

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.astype([1.5, 0.0], "int64").tolist()
    [1, 0]
    """
    check_device("astype", device)
    return _native.astype(x, dtype)


def reshape(x: "ArrayLike", /, shape: "int | Sequence[int]", *, order: str = "C", copy: "bool | None" = None) -> "Array":
    """The elements under another shape; one length may be −1.

    Parameters
    ----------
    x : array; any dtype
    shape : int or tuple of int
    order : str
        "C" reads and writes with the last axis fastest, "F" with the first.
    copy : bool or None
        True always copies the elements of a `Tensor`.

    Raises
    ------
    ShapeError
        For another number of elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.reshape([1.0, 2.0, 3.0, 4.0], (2, -1)).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if order not in ("C", "F"):
        raise ArgumentError(f"reshape: order {order!r} is not C or F")
    y = _native.reshape(x, shape) if order == "C" else _native.reshape_f(x, shape)
    return y.copy() if copy and isinstance(y, _native.Tensor) else y


def permute_dims(x: "ArrayLike", /, axes: "Sequence[int]") -> "Array":
    """Axes in another order: axis i of the result is axis axes[i] of x.

    Parameters
    ----------
    x : array; any dtype
    axes : tuple of int, every axis once; from the end where negative

    Raises
    ------
    ArgumentError
        If an axis is missing or stands twice.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.permute_dims([[1.0, 2.0], [3.0, 4.0]], (1, 0)).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _native.permute_dims(x, list(axes))


def transpose(x: "ArrayLike", /, axes: "Sequence[int] | None" = None) -> "Array":
    """Axes in another order, as NumPy: reversed if None, else axis i of the result is axis axes[i] of x.

    Parameters
    ----------
    x : array; any dtype
    axes : tuple of int, every axis once, or None

    Raises
    ------
    ArgumentError, AxisError
        As of `permute_dims`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.transpose([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    if axes is None:
        axes = range(ndim_of(x) - 1, -1, -1)
    return _native.permute_dims(x, list(axes))


def matrix_transpose(x: "ArrayLike", /) -> "Array":
    """The last two axes exchanged.

    Parameters
    ----------
    x : array of at least two axes; any dtype

    Raises
    ------
    ShapeError
        For fewer axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.matrix_transpose([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _native.matrix_transpose(x)


def broadcast_to(x: "ArrayLike", /, shape: "int | Sequence[int]") -> "Array":
    """x repeated to a shape; axes are aligned at the end.

    Parameters
    ----------
    x : array; any dtype
    shape : int or tuple of int

    Raises
    ------
    ShapeError
        If x does not broadcast to the shape.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.broadcast_to([1.0, 2.0], (2, 2)).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    return _native.broadcast_to(x, listed(shape))


def broadcast_shapes(*shapes: "int | Sequence[int]") -> "tuple[int, ...]":
    """The shape to which shapes broadcast.

    Parameters
    ----------
    shapes : ints or tuples of int

    Raises
    ------
    ShapeError
        For shapes that do not broadcast.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    tuples = [tuple(listed(s)) for s in shapes]
    ndim = max([len(s) for s in tuples], default=0)
    out = []
    for lengths in zip(*((1,) * (ndim - len(s)) + s for s in tuples), strict=True):
        others = {n for n in lengths if n != 1}
        if len(others) > 1 or any(n < 0 for n in others):
            raise ShapeError(f"broadcast_shapes: shapes {', '.join(map(str, tuples))} do not broadcast")
        out.append(others.pop() if others else 1)
    return tuple(out)


def concat(arrays: "Sequence[ArrayLike]", /, axis: "int | None" = 0) -> "Array":
    """Arrays joined along an axis that they have; flattened first if it is None.

    Parameters
    ----------
    arrays : sequence of arrays of equal shapes outside the axis; any dtype
    axis : int, from the end where negative, or None

    Raises
    ------
    ShapeError
        If the shapes do not fit.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.concat([[1.0], [2.0, 3.0]]).tolist()
    [1.0, 2.0, 3.0]
    """
    if axis is None:
        return _native.concat([_native.ravel(x) for x in arrays], 0)
    return _native.concat(list(arrays), axis)


def stack(arrays: "Sequence[ArrayLike]", /, axis: int = 0) -> "Array":
    """Arrays of one shape joined along a new axis.

    Parameters
    ----------
    arrays : sequence of arrays of one shape; any dtype
    axis : int, the place of the new axis in the result

    Raises
    ------
    ShapeError
        If the shapes differ.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.stack([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _native.stack(list(arrays), axis)
