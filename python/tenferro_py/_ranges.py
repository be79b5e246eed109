"""Numbers in a row: at equal distances, and with equal quotients.

Ends that are Python numbers make a `Tensor`. Ends may be arrays too, of any kind that the other
functions take: then the numbers stand along a new axis, and are differentiable in the ends.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError
from tenferro_py._namespace import check_device
from tenferro_py._promotion import is_weak, result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array, DType

    ArrayLike = Any


def arange(start: float, /, stop: "float | None" = None, step: float = 1, dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """start, start + step, … below stop (above it for a negative step); from 0 to start without stop.

    Parameters
    ----------
    start, stop, step : numbers
    dtype : dtype or None, int64 or float64
    device : "cpu" or None

    Raises
    ------
    ArgumentError
        For a step of 0, NaN, bounds that are not finite, or too many elements.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.arange(3).tolist()
    [0, 1, 2]
    """
    check_device("arange", device)
    if stop is None:
        start, stop = 0, start
    return _native.arange(start, stop, step, dtype)


def _is_number(x: "ArrayLike") -> bool:
    return isinstance(x, (bool, int, float, complex))


def _arrays(start: "ArrayLike", stop: "ArrayLike", ndim: int = 0) -> "tuple[list[Array], DType]":
    """Ends as inexact arrays of one dtype and number of axes, at least ndim, and the dtype."""
    weak = [x if is_weak(x) else asarray(x) for x in (start, stop)]
    dtype = result_type(*weak, 1.0)
    arrays = [asarray(x, dtype) for x in weak]
    ndim = max(ndim, *(x.ndim for x in arrays))
    return [_native.expand_dims(x, list(range(ndim - x.ndim))) for x in arrays], dtype


def _places(op: str, num: int, ndim: int, dtype: "DType") -> "Array":
    """0, 1, … along the first of ndim + 1 axes."""
    if num < 0:
        raise ArgumentError(f"{op}: num is {num}; it must not be negative")
    return _native.reshape(_native.arange(0, num, 1, dtype), (num, *([1] * ndim)))


def _line(op: str, start: "Array", stop: "Array", num: int, endpoint: bool, dtype: "DType") -> "tuple[Array, Array]":
    """The numbers, along axis 0, and the distance between them."""
    i = _places(op, num, start.ndim, dtype)
    gaps = num - 1 if endpoint else num
    whole = _native.subtract(stop, start)
    if gaps < 1:
        # As in NumPy, one number has no distance.
        return _native.add(start, _native.multiply(i, whole)), _native.full_like(whole, float("nan"), None)
    step = _native.divide(whole, gaps)
    line = _native.add(start, _native.multiply(i, step))
    return (_native.where(_native.equal(i, gaps), stop, line) if endpoint else line), step


def _finished(y: "Array", axis: int, dtype: "Any") -> "Array":
    """y with its first axis at `axis`, in another dtype; integers are rounded down."""
    if dtype is not None and _native.DType(dtype).kind in "iu" and y.dtype.kind == "f":
        y = _native.floor(y)
    y = y if dtype is None else _native.astype(y, dtype)
    return _native.moveaxis(y, 0, axis)


def linspace(
    start: "ArrayLike",
    stop: "ArrayLike",
    /,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: "Any" = None,
    axis: int = 0,
    *,
    device: "str | None" = None,
) -> "Any":
    """num numbers at equal distances from start to stop.

    Parameters
    ----------
    start, stop : numbers, or arrays whose shapes broadcast
    num : int, at least 0
    endpoint : bool
        Whether stop is the last number
    retstep : bool
        Whether to give the distance too
    dtype : dtype or None, floating or complex as the ends are; integers are rounded down
    axis : int
        Where the numbers stand in the result, if the ends are arrays
    device : "cpu" or None

    Raises
    ------
    ArgumentError
        For a negative num.
    ShapeError, AxisError
        For ends that do not broadcast, for an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linspace(0.0, 1.0, 3).tolist()
    [0.0, 0.5, 1.0]
    >>> tn.linspace([0.0, 10.0], 20.0, 3, axis=1).tolist()
    [[0.0, 10.0, 20.0], [10.0, 15.0, 20.0]]
    """
    check_device("linspace", device)
    if _is_number(start) and _is_number(stop) and axis in (0, -1) and not retstep:
        return _native.linspace(start, stop, num, endpoint, dtype)
    (low, high), common = _arrays(start, stop)
    y, step = _line("linspace", low, high, num, endpoint, common)
    y = _finished(y, axis, dtype)
    return (y, step) if retstep else y


def logspace(
    start: "ArrayLike",
    stop: "ArrayLike",
    /,
    num: int = 50,
    endpoint: bool = True,
    base: "ArrayLike" = 10.0,
    dtype: "Any" = None,
    axis: int = 0,
) -> "Array":
    """num powers of a base, their exponents at equal distances.

    Parameters
    ----------
    start, stop : numbers, or arrays whose shapes broadcast; the exponents
    num : int, at least 0
    endpoint : bool
        Whether stop is the last exponent
    base : number, or array that broadcasts with the ends
    dtype : dtype or None, floating or complex as the ends are
    axis : int
        Where the numbers stand in the result, if the ends are arrays

    Raises
    ------
    ArgumentError
        For a negative num.
    ShapeError, AxisError
        For ends that do not broadcast, for an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logspace(0.0, 2.0, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    if all(_is_number(x) and not isinstance(x, complex) for x in (start, stop, base)) and axis in (0, -1):
        return _native.logspace(start, stop, num, endpoint, base, dtype or "float64")
    root = base if _is_number(base) else asarray(base)
    (low, high), common = _arrays(start, stop, getattr(root, "ndim", 0))
    y, _ = _line("logspace", low, high, num, endpoint, common)
    return _finished(_native.pow(root, y), axis, dtype)


def _check_ratio(start: "Array", stop: "Array") -> None:
    """Refuses ends between which there are no equal quotients, where they have data."""
    if isinstance(start, _native.TracedTensor) or isinstance(stop, _native.TracedTensor):
        return
    for name, x in (("start", start), ("stop", stop)):
        if not bool(_native.all(_native.logical_and(_native.isfinite(x), _native.not_equal(x, 0)))):
            raise ArgumentError(f"geomspace: {name} is 0 or not finite")
    if start.dtype.kind == "f" and bool(_native.any(_native.less(_native.multiply(_native.sign(start), stop), 0))):
        raise ArgumentError("geomspace: start and stop have different signs")


def geomspace(
    start: "ArrayLike", stop: "ArrayLike", /, num: int = 50, endpoint: bool = True, dtype: "Any" = None, axis: int = 0
) -> "Array":
    """num numbers with equal quotients from start to stop: in the complex plane, a spiral.

    Ends of single precision make numbers of single precision (float64 in NumPy).

    Parameters
    ----------
    start, stop : numbers, or arrays whose shapes broadcast; not 0, real ones of one sign
    num : int, at least 0
    endpoint : bool
        Whether stop is the last number
    dtype : dtype or None, floating or complex as the ends are
    axis : int
        Where the numbers stand in the result, if the ends are arrays

    Raises
    ------
    ArgumentError
        If an end is 0 or not finite, or real signs differ. Traced ends are not looked at: they give NaN.
    ShapeError, AxisError
        For ends that do not broadcast, for an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.geomspace(1.0, 4.0, 3).tolist()
    [1.0, 2.0, 4.0]
    """
    if all(_is_number(x) and not isinstance(x, complex) for x in (start, stop)) and axis in (0, -1):
        return _native.geomspace(start, stop, num, endpoint, dtype or "float64")
    (low, high), common = _arrays(start, stop)
    _check_ratio(low, high)
    # Of quotients by the sign of start, so that logarithms of negative numbers are real.
    unit = _native.sign(low)
    exponents, _ = _line(
        "geomspace", _native.log(_native.divide(low, unit)), _native.log(_native.divide(high, unit)), num, endpoint, common
    )
    y = _native.multiply(_native.exp(exponents), unit)
    i = _places("geomspace", num, low.ndim, common)
    y = _native.where(_native.equal(i, 0), low, y)
    y = _native.where(_native.equal(i, num - 1), high, y) if endpoint and num > 1 else y
    return _finished(y, axis, dtype)
