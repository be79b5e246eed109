"""Arrays continued over their ends.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, broadcast_to, concat
from tenferro_py._errors import ArgumentError, ShapeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal

    from tenferro_py._native import Array

    ArrayLike = Any
    Pairs = list[tuple[Any, Any]]

_MIRRORS = ("reflect", "symmetric")
_STATISTICS = ("maximum", "mean", "median", "minimum")
_MODES = ("constant", "edge", "empty", "linear_ramp", *_MIRRORS, *_STATISTICS, "wrap")


def _pairs(name: str, given: "Any", ndim: int) -> "Pairs":
    """One pair an axis of one value, a pair for all axes, or pairs."""
    if hasattr(given, "tolist") and not isinstance(given, _native.Array):
        given = given.tolist()
    if not isinstance(given, (list, tuple)):
        return [(given, given)] * ndim
    if len(given) == 1:
        return _pairs(name, given[0], ndim)
    if len(given) == 2 and not any(isinstance(w, (list, tuple)) for w in given):
        return [(given[0], given[1])] * ndim
    pairs = [tuple(w) * (2 // len(w)) for w in given if isinstance(w, (list, tuple)) and len(w) in (1, 2)]
    if len(pairs) != len(given) or len(pairs) != ndim:
        raise ArgumentError(f"pad: {name} {given!r} is not one value, a pair, or a pair for each of {ndim} axes")
    return pairs


def _widths(given: "Any", ndim: int) -> "Pairs":
    """`pad_width` as one pair an axis."""
    if not isinstance(given, dict):
        widths = _pairs("pad_width", given, ndim)
    else:
        widths = [(0, 0)] * ndim
        for axis, pair in given.items():
            if not -ndim <= axis < ndim:
                raise ArgumentError(f"pad: pad_width names axis {axis} of {ndim} axes")
            widths[axis] = _pairs("pad_width", pair, 1)[0]
    if not all(hasattr(width, "__index__") and width >= 0 for pair in widths for width in pair):
        raise ArgumentError(f"pad: pad_width {given!r} is not made of whole numbers from 0 on")
    return widths


def _one_axis(pairs: "Pairs", axis: int) -> "Pairs":
    return [pair if a == axis else (0, 0) for a, pair in enumerate(pairs)]


def _part(y: "Array", axis: int, start: "int | None", stop: "int | None", step: int = 1) -> "Array":
    return y[(slice(None),) * axis + (slice(start, stop, step),)]


def _constants(y: "Array", widths: "Pairs", values: "Pairs") -> "Array":
    if all(value is values[0][0] for pair in values for value in pair):
        return _native.pad(y, widths, values[0][0] if values else 0)
    for axis, ((low, high), (before, after)) in enumerate(zip(widths, values, strict=True)):
        y = _native.pad(y, _one_axis([(low, 0)] * y.ndim, axis), before)
        y = _native.pad(y, _one_axis([(0, high)] * y.ndim, axis), after)
    return y


def _ramp(y: "Array", widths: "Pairs", ends: "tuple[Any, Any]") -> "Array":
    """Straight lines to the ends along the one axis that has widths."""
    if not any(isinstance(e, complex) for e in ends):
        return _native.pad_mode(y, widths, "linear_ramp", ends, None)
    before, after = (complex(e) for e in ends)
    imaginary = _native.pad_mode(_native.real(y) * 0, widths, "linear_ramp", (before.imag, after.imag), None)
    return _native.pad_mode(y, widths, "linear_ramp", (before.real, after.real), None) + imaginary * 1j


def _statistic(mode: str, part: "Array", axis: int) -> "Array":
    """What a mode puts before or behind a part, with an axis of length 1."""
    if mode in ("maximum", "minimum"):
        return (_native.max if mode == "maximum" else _native.min)(part, axis, True)
    value = _native.mean(part, axis, True, None) if mode == "mean" else _native.median(part, axis, True)
    return _native.astype(_native.rint(value) if part.dtype.kind in ("i", "u") else value, part.dtype)


def _statistics(y: "Array", axis: int, n: int, mode: str, widths: "tuple[int, int]", lengths: "tuple[Any, Any]") -> "Array":
    """A statistic of the elements at either end, repeated there."""
    sides = []
    for behind in (False, True):
        length = n if lengths[behind] is None else min(lengths[behind], n)
        if length < 1:
            raise ArgumentError(f"pad: stat_length {length} leaves no element for the {mode}")
        part = _part(y, axis, n - length, None) if behind else _part(y, axis, None, length)
        shape = list(y.shape)
        shape[axis] = widths[behind]
        sides.append(broadcast_to(_statistic(mode, part, axis), shape))
    return concat([sides[0], y, sides[1]], axis)


def _odd(y: "Array", axis: int, n: int, mode: str, width: int) -> "Array":
    """y continued before its start by 2·end − mirror image: steep signals stay steep."""
    first = 0 if mode == "symmetric" else 1
    while width:
        # The mirror stands at a multiple of the period, so a step may be as long as whole periods of what there is.
        period = n - first
        count = min(width, (y.shape[axis] - first) // period * period)
        mirrored = _native.flip(_part(y, axis, first, first + count), axis)
        y = concat([2 * _part(y, axis, 0, 1) - mirrored, y], axis)
        width -= count
    return y


def pad(
    x: "ArrayLike",
    pad_width: "int | Sequence[Any] | Mapping[int, Any]",
    /,
    mode: str = "constant",
    *,
    constant_values: "Any" = 0,
    end_values: "Any" = 0,
    stat_length: "Any" = None,
    reflect_type: "Literal['even', 'odd']" = "even",
) -> "Array":
    """x with new elements around it.

    Parameters
    ----------
    x : array; any dtype
    pad_width : int, (before, after), one such pair an axis, or a dict of axes and pairs
    mode : str
        "constant": `constant_values`; "edge": the element at the end; "reflect" and "symmetric": the
        array read backwards, without or with its end element; "wrap": the array from its other end;
        "linear_ramp": a line to `end_values`; "maximum", "minimum", "mean", "median": of the
        `stat_length` elements at the end, all if None, rounded for integers; "empty": zeros
    constant_values, end_values, stat_length : one value, (before, after), or one such pair an axis
    reflect_type : str
        "odd" takes what is reflected from twice the end element

    Raises
    ------
    ArgumentError
        For widths that are no such pairs or negative, another mode, or an empty axis to be continued.
    ShapeError
        For an axis of symbolic size in another mode than "constant".

    Notes
    -----
    As `numpy.pad`, one axis after the other, but for modes that are functions.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.pad([1.0], (1, 2)).tolist()
    [0.0, 1.0, 0.0, 0.0]
    >>> tn.pad([1.0, 2.0, 3.0], 2, mode="reflect").tolist()
    [3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0]
    >>> tn.pad([1.0, 2.0, 4.0], {0: (2, 0)}, mode="reflect", reflect_type="odd").tolist()
    [-2.0, 0.0, 1.0, 2.0, 4.0]
    """
    if mode not in _MODES:
        raise ArgumentError(f"pad: mode {mode!r} is not one of {', '.join(_MODES)}")
    if reflect_type not in ("even", "odd"):
        raise ArgumentError(f"pad: reflect_type {reflect_type!r} is not even or odd")
    y = asarray(x)
    widths = _widths(pad_width, y.ndim)
    if mode in ("constant", "empty"):
        return _constants(y, widths, _pairs("constant_values", constant_values if mode == "constant" else 0, y.ndim))
    lengths, ends = _pairs("stat_length", stat_length, y.ndim), _pairs("end_values", end_values, y.ndim)
    for axis, pair in enumerate(widths):
        if pair == (0, 0):
            continue
        n = y.shape[axis]
        if not isinstance(n, int):
            raise ShapeError(f"pad: axis {axis} has the size {n}; mode {mode!r} needs a number")
        if n == 0:
            raise ArgumentError(f'pad: axis {axis} is empty and cannot be continued; use mode "constant"')
        if mode in _STATISTICS:
            y = _statistics(y, axis, n, mode, pair, lengths[axis])
        elif mode == "linear_ramp":
            y = _ramp(y, _one_axis(widths, axis), ends[axis])
        elif mode in _MIRRORS and reflect_type == "odd" and n > 1:
            y = _odd(y, axis, n, mode, pair[0])
            y = _native.flip(_odd(_native.flip(y, axis), axis, n, mode, pair[1]), axis)
        else:
            y = _native.pad_mode(y, _one_axis(widths, axis), mode, (0.0, 0.0), None)
    return y
