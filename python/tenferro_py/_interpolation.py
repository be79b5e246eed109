"""Straight lines between points."""

from tenferro_py import _native
from tenferro_py._arrays import asarray, concat, length_of
from tenferro_py._errors import ArgumentError, ShapeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _one_period(x: "ArrayLike", xp: "Array", fp: "Array", period: float) -> "tuple[Array, Array, Array]":
    """All within [0, period), the points in order, with one of the neighbouring period at either end."""
    xp = _native.remainder(xp, period)
    order = _native.argsort(xp, 0, False)
    xp, fp = _native.take(xp, order, 0, "raise"), _native.take(fp, order, 0, "raise")
    xp = concat([xp[-1:] - period, xp, xp[:1] + period])
    return _native.remainder(x, period), xp, concat([fp[-1:], fp, fp[:1]])


def _between(x: "ArrayLike", xp: "Array", fp: "Array") -> "Array":
    """The line through the points on either side of x; outside, the end points."""
    n = length_of("interp", xp, 0)
    at = _native.searchsorted(xp, x, True, None)
    x0, x1, y0, y1 = (_native.take(v, _native.minimum(_native.maximum(i, 0), n - 1), 0, "raise") for v in (xp, fp) for i in (at - 1, at))
    inside = _native.greater(x1, x0)
    # No 0/0 where both ends are one point, nor in the derivative there.
    slope = (y1 - y0) / _native.where(inside, x1 - x0, 1.0)
    line, back = y0 + slope * (x - x0), y1 + slope * (x - x1)
    # Beside infinite values: the point itself, or what the other end or equal ends say.
    known = _native.logical_or(_native.equal(x, x0), _native.equal(y0, y1))
    line = _native.where(_native.isnan(line), _native.where(known, y0, back), line)
    return _native.where(_native.not_equal(x, x), x, _native.where(inside, line, y0))


def interp(
    x: "ArrayLike",
    xp: "ArrayLike",
    fp: "ArrayLike",
    left: "ArrayLike | None" = None,
    right: "ArrayLike | None" = None,
    period: "float | None" = None,
) -> "Array":
    """Straight lines between the points (xp, fp) at x.

    At a point the derivative by x is that of the line to its right; outside all points it is 0.

    Parameters
    ----------
    x : array, any shape; any real dtype
    xp : array of one axis, increasing unless there is a period; any real dtype
    fp : array of xp's shape; any number dtype
    left, right : scalars or None, the end values of fp
        What holds before and behind all points, where there is no period.
    period : number or None
        With which xp and fp repeat.

    Raises
    ------
    ShapeError
        For points of two shapes, of another number of axes than one, or of none.
    ArgumentError
        For a period of 0.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.interp([0.5, 9.0], [0.0, 1.0], [0.0, 10.0]).tolist()
    [5.0, 10.0]
    >>> tn.interp([-90.0, 450.0], [0.0, 90.0, 180.0], [0.0, 1.0, 0.0], period=360).tolist()
    [0.0, 1.0]
    """
    xp, fp = asarray(xp), asarray(fp)
    if xp.ndim != 1 or fp.shape != xp.shape or xp.shape[0] == 0:
        raise ShapeError(f"interp: points of shapes {xp.shape} and {fp.shape}; they need one axis and a size")
    x = asarray(x)
    if period is not None:
        if period == 0:
            raise ArgumentError("interp: the period is 0")
        return _between(*_one_period(x, xp, fp, abs(period)))
    y = _between(x, xp, fp)
    y = _native.where(_native.less(x, xp[0]), fp[0] if left is None else left, y)
    return _native.where(_native.greater(x, xp[-1]), fp[-1] if right is None else right, y)
