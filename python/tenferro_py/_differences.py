"""Differences and integrals of samples, and angles without jumps.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, length_of, listed
from tenferro_py._errors import ArgumentError, AxisError, ShapeError
from tenferro_py._promotion import is_weak

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _at_ends(f: "Array", h: "Array", order: int) -> "tuple[Array, Array]":
    """Differences at both ends along the first axis, of distances h."""
    if order == 1:
        return _native.divide(f[1:2] - f[:1], h[:1]), _native.divide(f[-1:] - f[-2:-1], h[-1:])

    def one_sided(f0: "Array", f1: "Array", f2: "Array", a: "Array", b: "Array") -> "Array":
        return f1 * ((a + b) / (a * b)) - f0 * ((2.0 * a + b) / (a * (a + b))) - f2 * (a / (b * (a + b)))

    start = one_sided(f[:1], f[1:2], f[2:3], h[:1], h[1:2])
    return start, -one_sided(f[-1:], f[-2:-1], f[-3:-2], h[-1:], h[-2:-1])


def _along(f: "Array", spacing: "ArrayLike", axis: int, order: int) -> "Array":
    n = length_of("gradient", f, axis)
    if n < order + 1:
        raise ShapeError(f"gradient: axis {axis} has {n} samples; edge_order {order} needs {order + 1}")
    g = _native.moveaxis(f, axis, 0)
    h = asarray(spacing)
    uniform = h.ndim == 0
    if not uniform and h.shape != (n,):
        raise ShapeError(f"gradient: the positions have shape {h.shape}, axis {axis} has {n} samples")
    h = _native.broadcast_to(h, (n - 1,)) if uniform else _native.subtract(h[1:], h[:-1])
    # In the precision of the samples, as NumPy's result.
    h = _native.astype(h, _native.real(f).dtype)
    h = _native.reshape(h, (n - 1, *[1] * (g.ndim - 1)))
    first, last = _at_ends(g, h, order)
    a, b = h[:-1], h[1:]
    if uniform:
        inner = (g[2:] - g[:-2]) / (2.0 * a)
    else:
        inner = g[2:] * (a / (b * (a + b))) + g[1:-1] * ((b - a) / (a * b)) - g[:-2] * (b / (a * (a + b)))
    return _native.moveaxis(_native.concat([first, inner, last], 0), 0, axis)


def gradient(f: "ArrayLike", /, *spacing: "ArrayLike", axis: "int | Sequence[int] | None" = None, edge_order: int = 1) -> "Any":
    """Derivatives of samples along axes by differences, of second order inside.

    `grad` is what differentiates functions.

    Parameters
    ----------
    f : array, at least edge_order + 1 samples along the axes; integers become float64
    spacing : nothing, for distance 1; one number for all axes; or a number or the positions of the samples for each
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    edge_order : int
        The order at the ends, 1 or 2.

    Returns
    -------
    array for one axis, else a tuple of one for each

    Raises
    ------
    ArgumentError, ShapeError, AxisError
        For another order or number of spacings, too few samples, an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.gradient([0.0, 1.0, 4.0, 9.0], edge_order=2).tolist()
    [0.0, 2.0, 4.0, 6.0]
    """
    x = asarray(f)
    x = _native.astype(x, "float64") if x.dtype.kind not in "fc" else x
    if edge_order not in (1, 2):
        raise ArgumentError(f"gradient: edge_order is {edge_order}; it must be 1 or 2")
    axes = list(range(x.ndim)) if axis is None else listed(axis)
    for a in axes:
        if not -x.ndim <= a < x.ndim:
            raise AxisError(f"gradient: axis {a} is out of range for an array of {x.ndim} axes")
    axes = [a % x.ndim for a in axes]
    steps = list(spacing) or [1.0]
    if len(steps) == 1 and asarray(steps[0]).ndim == 0:
        steps = steps * len(axes)
    if len(steps) != len(axes):
        raise ArgumentError(f"gradient: there are {len(steps)} spacings for {len(axes)} axes")
    out = tuple(_along(x, h, a, edge_order) for h, a in zip(steps, axes, strict=True))
    return out[0] if len(out) == 1 else out


def trapezoid(y: "ArrayLike", /, x: "ArrayLike | None" = None, dx: "ArrayLike" = 1.0, axis: int = -1) -> "Array":
    """The integral of samples along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : array, any dtype
    x : array or None
        The positions: of one axis, or of a shape that broadcasts with y
    dx : number
        The distance, where x is None
    axis : int
        Counted from the end where negative.

    Raises
    ------
    ShapeError, AxisError
        For positions that do not fit, an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.trapezoid([0.0, 1.0, 4.0], dx=0.5).tolist()
    1.5
    """
    g = _native.moveaxis(asarray(y), axis, -1)
    length_of("trapezoid", g, -1)
    g = _native.astype(g, "float64") if g.dtype.kind not in "fc" else g
    if x is None:
        step = dx if is_weak(dx) else asarray(dx)
    else:
        p = asarray(x)
        step = _native.diff(p if p.ndim == 1 else _native.moveaxis(p, axis, -1), 1, -1, None, None)
    pairs = _native.divide(_native.add(g[..., 1:], g[..., :-1]), 2.0)
    return _native.sum(_native.multiply(step, pairs), -1)


def unwrap(x: "ArrayLike", /, discont: "float | None" = None, axis: int = -1, *, period: float = 6.283185307179586) -> "Array":
    """Angles without jumps: multiples of the period are added, so that neighbours are near.

    Parameters
    ----------
    x : array, floating; integers become float64
    discont : float or None
        Jumps below it stay; None, and whatever is less, is half the period.
    axis : int
        Counted from the end where negative.
    period : float

    Raises
    ------
    AxisError
        For an axis out of range.

    Notes
    -----
    The derivative is the identity: what is added is piecewise constant.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.unwrap([0.0, 3.0, 2.0], period=4.0).tolist()
    [0.0, -1.0, -2.0]
    """
    y = asarray(x)
    y = _native.astype(y, "float64") if y.dtype.kind != "f" else y
    half = period / 2
    if y.ndim:
        length_of("unwrap", _native.moveaxis(y, axis, 0), 0)
    step = _native.diff(y, 1, axis, None, None)
    near = _native.subtract(_native.remainder(_native.add(step, half), period), half)
    # Half a period up stays up.
    near = _native.where(_native.logical_and(_native.equal(near, -half), _native.greater(step, 0)), half, near)
    jump = _native.stop_gradient(_native.subtract(near, step))
    jump = _native.where(_native.less(_native.abs(step), half if discont is None else discont), 0, jump)
    moved = _native.moveaxis(_native.cumsum(jump, axis), axis, 0)
    g = _native.moveaxis(y, axis, 0)
    return _native.moveaxis(_native.concat([g[:1], _native.add(g[1:], moved)], 0), 0, axis)
