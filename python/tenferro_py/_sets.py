"""Distinct elements: which, where, how many; membership; counts.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. How many elements are distinct depends on the data: a traced tensor needs
`unique` with a size.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, length_of
from tenferro_py._errors import ArgumentError, DTypeError, ShapeError
from tenferro_py._promotion import common_type, result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


class _Fields(tuple["Array", ...]):
    """A tuple whose elements have names."""

    __slots__ = ()
    _fields: "tuple[str, ...]" = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={x!r}' for n, x in zip(self._fields, self, strict=True))})"

    def __getattr__(self, name: str) -> "Array":
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self[self._fields.index(name)]


class UniqueAllResult(_Fields):
    """What `unique_all` gives."""

    __slots__ = ()
    _fields = ("values", "indices", "inverse_indices", "counts")


class UniqueCountsResult(_Fields):
    """What `unique_counts` gives."""

    __slots__ = ()
    _fields = ("values", "counts")


class UniqueInverseResult(_Fields):
    """What `unique_inverse` gives."""

    __slots__ = ()
    _fields = ("values", "inverse_indices")


def _differs(op: str, x: "Array", equal_nan: bool) -> "Array":
    """Whether each element of sorted x is another than the one before it."""
    n = length_of(op, x, 0)
    new = _native.not_equal(x[1:], x[:-1])
    if equal_nan and x.dtype.kind in "fc":
        new = _native.logical_and(new, _native.logical_not(_native.logical_and(_native.isnan(x[1:]), _native.isnan(x[:-1]))))
    return _native.concat([[True], new], 0)[:n]


def _count(op: str, first: "Array") -> int:
    if isinstance(first, _native.TracedTensor):
        hint = "give size=" if op == "unique" else "use unique with size="
        raise ArgumentError(f"{op}: how many elements of a traced tensor are distinct is not known; {hint}")
    return int(_native.count_nonzero(first))


def _in_order(op: str, y: "Array", positions: bool, equal_nan: bool) -> "tuple[Array | None, Array, Array]":
    """The elements of the flattened array in order, their positions if asked for, and which differ from the one before."""
    flat = _native.ravel(y)
    if not positions:
        ordered = _native.sort(flat, None, False)
        return None, ordered, _differs(op, ordered, equal_nan)
    order = _native.argsort(flat, None, False)
    ordered = _native.take(flat, order, 0, "raise")
    return order, ordered, _differs(op, ordered, equal_nan)


def _rows_in_order(op: str, y: "Array") -> "tuple[Array, Array, Array]":
    """The parts along the first axis in lexical order, their positions, and which differ from the one before."""
    count, *lengths = (length_of(op, y, axis) for axis in range(y.ndim))
    width = 1
    for n in lengths:
        width *= n
    rows = _native.reshape(y, (count, width))
    order: Array = _native.arange(0, count, 1, "int64")
    for column in range(width - 1, -1, -1):
        again = _native.argsort(_native.take(rows[:, column], order, 0, "raise"), 0, False)
        order = _native.take(order, again, 0, "raise")
    ordered = _native.take(rows, order, 0, "raise")
    new = _native.any(_native.not_equal(ordered[1:], ordered[:-1]), 1)
    first = _native.concat([[True], new], 0)[:count]
    return order, _native.take(y, order, 0, "raise"), first


def _inverse(order: "Array", first: "Array") -> "Array":
    """Which run each element, sorted by order, lies in."""
    run = _native.subtract(_native.cumsum(first, 0, "int64"), 1)
    return _native.at(_native.full_like(order, False, "int64"), order, "set", run)


def _unique(
    op: str,
    x: "ArrayLike",
    wanted: "tuple[str, ...]",
    size: "int | None" = None,
    fill_value: "ArrayLike | None" = None,
    equal_nan: bool = False,
    axis: "int | None" = None,
) -> "tuple[Array, ...]":
    """The values, and what is wanted of the fields of `UniqueAllResult`."""
    y = asarray(x)
    if axis is not None:
        parts = _native.moveaxis(y, axis, 0)
        # Elements are no parts: their NaN may be equal.
        axis = None if y.ndim == 1 else axis
    order, ordered, first = _in_order(op, y, bool(wanted), equal_nan) if axis is None else _rows_in_order(op, parts)
    size = _count(op, first) if size is None else size
    # One place more, to know where the last run ends that is kept; −1 where there are no more.
    places = _native.flatnonzero(first, size + 1, -1)
    heads = _native.maximum(places[:size], 0)
    values = _native.take(ordered, heads, 0, "raise")
    if fill_value is not None:
        none = _native.reshape(_native.less(places[:size], 0), (size, *[1] * (values.ndim - 1)))
        values = _native.where(none, _native.astype(fill_value, y.dtype), values)
    out = [values if axis is None else _native.moveaxis(values, 0, axis)]
    if order is not None and "indices" in wanted:
        out.append(_native.take(order, heads, 0, "raise"))
    if order is not None and "inverse_indices" in wanted:
        inverse = _inverse(order, first)
        out.append(_native.reshape(inverse, y.shape) if axis is None else inverse)
    if "counts" in wanted:
        total = _native.sum(_native.full_like(first, True, "int64"))
        ends = _native.where(_native.less(places, 0), total, places)
        out.append(_native.subtract(ends[1:], ends[:-1]))
    return tuple(out)


def unique(
    x: "ArrayLike",
    /,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: "int | None" = None,
    *,
    equal_nan: bool = True,
    size: "int | None" = None,
    fill_value: "ArrayLike | None" = None,
) -> "Any":
    """The distinct elements in order, of the flattened x, or the distinct parts along an axis in lexical order.

    Parameters
    ----------
    x : array, any shape; any dtype
    return_index : bool
        Whether to give also where each is first, in the flattened x.
    return_inverse : bool
        Whether to give also, in the shape of x, which of the distinct elements each is.
    return_counts : bool
        Whether to give also how often each occurs.
    axis : int or None
        None flattens x first. Else positions and inverse count along the axis, and each element of a part is a
        key to sort by: parts should be small.
    equal_nan : bool
        Whether all NaN are one element; parts that hold NaN always differ.
    size : int or None
        How many to give; None counts them, which needs data.
    fill_value : scalar or None
        What stands where there are fewer; None is the smallest element. Their count is 0.

    Returns
    -------
    array, or tuple of it and what is asked for, as int64

    Raises
    ------
    ArgumentError
        For a traced x without a size.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique([[2, 1], [0, 3], [2, 1]], axis=0).tolist()
    [[0, 3], [2, 1]]
    >>> tn.unique([3, 1, 3], size=3, fill_value=0).tolist()
    [1, 3, 0]
    >>> [y.tolist() for y in tn.unique([3, 1, 3], return_inverse=True, return_counts=True)]
    [[1, 3], [1, 0, 1], [1, 2]]
    """
    asked = (("indices", return_index), ("inverse_indices", return_inverse), ("counts", return_counts))
    found = _unique("unique", x, tuple(field for field, flag in asked if flag), size, fill_value, equal_nan, axis)
    return found if len(found) > 1 else found[0]


def unique_values(x: "ArrayLike", /) -> "Array":
    """The distinct elements in order; every NaN counts. A traced x needs `unique` with a size.

    Parameters
    ----------
    x : array, any shape; any dtype

    Raises
    ------
    ArgumentError
        For a traced x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique_values([3, 1, 3]).tolist()
    [1, 3]
    """
    return _unique("unique_values", x, ())[0]


def unique_counts(x: "ArrayLike", /) -> UniqueCountsResult:
    """The distinct elements in order, and how often each occurs. A traced x needs `unique` with a size.

    Parameters
    ----------
    x : array, any shape; any dtype

    Raises
    ------
    ArgumentError
        For a traced x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique_counts([3, 1, 3]).counts.tolist()
    [1, 2]
    """
    return UniqueCountsResult(_unique("unique_counts", x, ("counts",)))


def unique_inverse(x: "ArrayLike", /) -> UniqueInverseResult:
    """The distinct elements in order, and which of them each element of x is.

    Parameters
    ----------
    x : array, any shape; any dtype

    Raises
    ------
    ArgumentError
        For a traced x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique_inverse([[3, 1], [3, 3]]).inverse_indices.tolist()
    [[1, 0], [1, 1]]
    """
    return UniqueInverseResult(_unique("unique_inverse", x, ("inverse_indices",)))


def unique_all(x: "ArrayLike", /) -> UniqueAllResult:
    """The distinct elements in order, where each is first, which of them each element is, how often each occurs.

    Parameters
    ----------
    x : array, any shape; any dtype

    Raises
    ------
    ArgumentError
        For a traced x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unique_all([3, 1, 3]).indices.tolist()
    [1, 0]
    """
    return UniqueAllResult(_unique("unique_all", x, UniqueAllResult._fields[1:]))


def isin(x: "ArrayLike", test_elements: "ArrayLike", /, *, invert: bool = False) -> "Array":
    """Whether each element of x is among others; NaN is not.

    Parameters
    ----------
    x, test_elements : arrays, any shapes; any dtypes
    invert : bool
        Whether to give the contrary.

    Returns
    -------
    bool array in the shape of x

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isin([1, 2, 3], [3, 1]).tolist()
    [True, False, True]
    """
    dtype = common_type(x, test_elements)
    y, others = asarray(x, dtype), _native.sort(asarray(test_elements, dtype), None, False)
    n = length_of("isin", others, 0)
    if n == 0:
        return _native.full_like(y, invert, "bool")
    places = _native.minimum(_native.searchsorted(others, y, False, None), n - 1)
    found = _native.take(others, places, 0, "raise")
    return _native.not_equal(found, y) if invert else _native.equal(found, y)


def bincount(x: "ArrayLike", /, weights: "ArrayLike | None" = None, minlength: int = 0, *, length: "int | None" = None) -> "Array":
    """How often each of 0, 1, … occurs in x, or the sums of the weights.

    Parameters
    ----------
    x : integer array of one axis, not negative
    weights : array of the same length, or None
        Real ones become float64, as in NumPy; complex ones stay complex.
    minlength : int
        The least length of the result.
    length : int or None
        The length of the result; None takes it from x, which needs data.

    Raises
    ------
    ArgumentError
        For a negative number, for a traced x without a length.
    ShapeError, DTypeError
        For x of other than one axis, or of floats.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bincount([0, 2, 2]).tolist()
    [1, 0, 2]
    """
    y = asarray(x)
    if y.ndim != 1:
        raise ShapeError(f"bincount: x has {y.ndim} axes; it needs one")
    if y.dtype.kind not in "iub" and y.shape[0] != 0:
        raise DTypeError(f"bincount: x is {y.dtype}; it needs integers")
    y = _native.astype(y, "int64")
    traced = isinstance(y, _native.TracedTensor)
    if traced and length is None:
        raise ArgumentError("bincount: the largest number in a traced tensor is not known; give length=")
    if not traced and y.shape[0] and int(_native.min(y)) < 0:
        raise ArgumentError(f"bincount: x holds {int(_native.min(y))}; it must not be negative")
    if length is None:
        length = max(minlength, int(_native.max(y)) + 1 if y.shape[0] else 0)
    if weights is None:
        return _native.at(_native.full([length], False, "int64"), y, "add", 1)
    w = asarray(weights)
    w = w if w.dtype.kind == "c" else _native.astype(w, "float64")
    if w.shape != y.shape:
        raise ShapeError(f"bincount: weights have shape {w.shape}, x has {y.shape}")
    return _native.at(_native.full([length], False, w.dtype), y, "add", w)


def union1d(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The distinct elements of both arrays, in order.

    Parameters
    ----------
    x, y : arrays, any shapes and dtypes; not traced

    Raises
    ------
    ArgumentError
        For traced tensors.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.union1d([3, 1], [2, 1]).tolist()
    [1, 2, 3]
    """
    return _unique("union1d", _native.concat([_native.ravel(x), _native.ravel(y)], 0), (), equal_nan=True)[0]


def intersect1d(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The distinct elements that both arrays have, in order.

    Parameters
    ----------
    x, y : arrays, any shapes and dtypes; not traced

    Raises
    ------
    ArgumentError
        For traced tensors.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.intersect1d([3, 1, 1], [2, 1]).tolist()
    [1]
    """
    return _part("intersect1d", x, y, False)


def setdiff1d(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The distinct elements of x that y does not have, in order.

    Parameters
    ----------
    x, y : arrays, any shapes and dtypes; not traced

    Raises
    ------
    ArgumentError
        For traced tensors.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.setdiff1d([3, 1, 1], [2, 1]).tolist()
    [3]
    """
    return _part("setdiff1d", x, y, True)


def _part(op: str, x: "ArrayLike", y: "ArrayLike", invert: bool) -> "Array":
    """The distinct elements of x that are, or are not, in y."""
    dtype = result_type(asarray(x), asarray(y)) if op == "intersect1d" else asarray(x).dtype
    values = _unique(op, asarray(x, dtype), (), equal_nan=True)[0]
    chosen = isin(values, y, invert=invert)
    return _native.take(values, _native.flatnonzero(chosen, _count(op, chosen), 0), 0, "raise")
