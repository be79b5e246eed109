"""Quantiles, weighted averages and covariances.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, length_of, listed
from tenferro_py._errors import ArgumentError, AxisError, DTypeError, ShapeError
from tenferro_py._promotion import result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None
    Method = Literal["linear", "lower", "higher", "midpoint", "nearest"]


def axes_of(op: str, axis: "Axis", ndim: int) -> "list[int]":
    """The axes counted from the front."""
    if axis is None:
        return list(range(ndim))
    axes = listed(axis)
    for a in axes:
        if not -ndim <= a < ndim:
            raise AxisError(f"{op}: axis {a} is out of range for an array of {ndim} axes")
    if len({a % ndim for a in axes}) < len(axes):
        raise ArgumentError(f"{op}: axes {axes} name one twice")
    return [a % ndim for a in axes]


def joined(x: "Array", axes: "list[int]") -> "Array":
    """Axes as one, in front."""
    others = [a for a in range(x.ndim) if a not in axes]
    moved = _native.permute_dims(x, axes + others)
    return _native.reshape(moved, (-1, *moved.shape[len(axes) :])) if len(axes) != 1 else moved


def shares_of(op: str, q: "ArrayLike", x: "Array", method: str) -> "Array":
    """q as floats in [0, 1]; a Python number takes the precision of x."""
    if method not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise ArgumentError(f"{op}: method {method!r} is not linear, lower, higher, midpoint or nearest")
    if x.dtype.kind == "c":
        raise DTypeError(f"{op}: {x.dtype} has no order")
    shares = asarray(q, x.dtype if type(q) in (int, float) and x.dtype.kind == "f" else None)
    if shares.dtype.kind != "f":
        shares = _native.astype(shares, "float64")
    within = _native.logical_and(_native.greater_equal(shares, 0), _native.less_equal(shares, 1))
    if not isinstance(shares, _native.TracedTensor) and not bool(_native.all(within)):
        raise ArgumentError(f"{op}: q is not in [0, 1]")
    return shares


def quantile(x: "ArrayLike", q: "ArrayLike", /, axis: "Axis" = None, *, method: "Method" = "linear", keepdims: bool = False) -> "Array":
    """The numbers below which the shares q of the elements over axes lie; NaN if an element is.

    Parameters
    ----------
    x : array, at least one element over the axes; bool, integer or floating
    q : array of numbers in [0, 1], whose axes come first in the result
        Traced ones are not looked at.
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    method : str
        Between two elements, at q (n − 1): "linear" interpolates; "lower", "higher", "nearest" take one,
        "midpoint" takes their mean.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError
        For q outside [0, 1], another method, or axes without elements.
    AxisError
        For an axis out of range.
    DTypeError
        For complex x.

    Notes
    -----
    Between a number and an infinity stands the infinity (NumPy's NaN for shares from a half on).
    The derivative in x goes to the elements taken; "linear" has one in q, the slope between the two.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.quantile([1.0, 2.0, 4.0], [0.5, 0.75]).tolist()
    [2.0, 3.0]
    """
    y = asarray(x)
    axes = axes_of("quantile", axis, y.ndim)
    shares = shares_of("quantile", q, y, method)
    ordered = _native.sort(joined(y, axes), 0, False)
    n = length_of("quantile", ordered, 0)
    if n == 0:
        raise ArgumentError("quantile: there are no elements over the axes")
    at = _native.multiply(shares, n - 1)
    at = _native.reshape(at, (*shares.shape, *[1] * (ordered.ndim - 1)))

    def pick(places: "Array") -> "Array":
        return _native.take(ordered, _native.reshape(places, shares.shape), 0, "clip")

    out = between(pick, at, method)
    if y.dtype.kind == "f":
        # Sorted last.
        out = _native.where(_native.isnan(ordered[-1]), float("nan"), out)
    return _native.expand_dims(out, [shares.ndim + a for a in sorted(axes)]) if keepdims else out


def between(pick: "Callable[[Array], Array]", at: "Array", method: str) -> "Array":
    """What stands at places that are not whole, where `pick` gives the elements at whole ones."""
    if method == "nearest":
        return pick(_native.astype(_native.rint(at), "int64"))
    low = pick(_native.astype(_native.floor(at), "int64"))
    if method == "lower":
        return low
    high = pick(_native.astype(_native.ceil(at), "int64"))
    if method == "higher":
        return high
    share = _native.subtract(at, _native.floor(at))
    if low.dtype.kind != "f":
        low, high = _native.astype(low, "float64"), _native.astype(high, "float64")
    if method == "midpoint":
        return _native.where(_native.equal(share, 0), low, _native.divide(_native.add(low, high), 2))
    # Infinities on both sides are not subtracted.
    step = _native.where(_native.equal(low, high), 0, _native.subtract(high, low))
    near_low = _native.add(low, _native.multiply(step, share))
    near_high = _native.subtract(high, _native.multiply(step, _native.subtract(1, share)))
    # From the nearer side, but never from an infinite one to a number.
    upper = _native.logical_and(_native.greater_equal(share, 0.5), _native.isfinite(high))
    return _native.where(_native.logical_or(upper, _native.logical_not(_native.isfinite(low))), near_high, near_low)


def percentile(x: "ArrayLike", q: "ArrayLike", /, axis: "Axis" = None, *, method: "Method" = "linear", keepdims: bool = False) -> "Array":
    """`quantile` of q in percent.

    Parameters
    ----------
    x : array, at least one element over the axes; bool, integer or floating
    q : array of numbers in [0, 100], whose axes come first in the result
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    method : str
        As in `quantile`.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ArgumentError, AxisError
        As in `quantile`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.percentile([1.0, 2.0, 4.0], 50).tolist()
    2.0
    """
    shares = q / 100 if type(q) in (int, float) else _native.divide(asarray(q), 100)
    return quantile(x, shares, axis, method=method, keepdims=keepdims)


def average(
    x: "ArrayLike",
    /,
    axis: "Axis" = None,
    weights: "ArrayLike | None" = None,
    *,
    returned: bool = False,
    keepdims: bool = False,
) -> "Any":
    """The weighted mean over axes, Σ w x / Σ w.

    Parameters
    ----------
    x : array, any shape; any dtype
    axis : int, tuple of int, or None
        Counted from the end where negative; None is all.
    weights : array or None
        In the shape of x, or of its reduced axes; None is the mean.
    returned : bool
        Whether to give the sums of the weights too.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    ShapeError
        For weights of another shape.
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.average([1.0, 2.0], weights=[3.0, 1.0]).tolist()
    1.25
    """
    y = asarray(x)
    axes = axes_of("average", axis, y.ndim)
    if weights is None:
        w = _native.full_like(y, 1, result_type(y, 1.0))
    else:
        w = asarray(weights)
        if w.shape != y.shape:
            if w.shape != tuple(y.shape[a] for a in axes):
                raise ShapeError(f"average: weights have shape {w.shape}, x has {y.shape} with axes {axes} to reduce")
            order = sorted(range(len(axes)), key=axes.__getitem__)
            others = [a for a in range(y.ndim) if a not in axes]
            w = _native.expand_dims(_native.permute_dims(w, order), others)
    dtype = result_type(y, w, 1.0) if y.dtype.kind in "iub" else result_type(y, w)
    y = asarray(y, dtype)
    w = _native.multiply(asarray(w, dtype), _native.full_like(y, True, None))
    total = _native.sum(w, axes, keepdims)
    mean = _native.divide(_native.sum(_native.multiply(y, w), axes, keepdims), total)
    return (mean, total) if returned else mean


def cov(
    m: "ArrayLike",
    y: "ArrayLike | None" = None,
    /,
    rowvar: bool = True,
    bias: bool = False,
    ddof: "int | None" = None,
    *,
    dtype: "Any" = None,
) -> "Array":
    """The covariances of variables, Σ (xᵢ − x̄ᵢ)(xⱼ − x̄ⱼ)* / (n − ddof).

    Parameters
    ----------
    m : array of one axis or two; any dtype
        A variable a row, an observation a column.
    y : array or None
        More variables, of as many observations.
    rowvar : bool
        False exchanges rows and columns.
    bias : bool
        Whether ddof is 0 by default, and not 1.
    dtype : dtype or None
        At least float64 by default, as in NumPy.

    Raises
    ------
    ShapeError
        For more than two axes, or other numbers of observations.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    arrays = [asarray(x) for x in ((m,) if y is None else (m, y))]
    common = result_type(*arrays, "float64") if dtype is None else dtype
    rows = []
    for x in arrays:
        if x.ndim > 2:
            raise ShapeError(f"cov: an array of shape {x.shape} has more than two axes")
        x = asarray(x, common)
        x = _native.reshape(x, (1, -1)) if x.ndim < 2 else x if rowvar else _native.matrix_transpose(x)
        rows.append(x)
    z = _native.concat(rows, 0)
    z = _native.subtract(z, _native.mean(z, 1, True))
    free = z.shape[1] - ((0 if bias else 1) if ddof is None else ddof)
    product = _native.matmul(z, _native.conj(_native.matrix_transpose(z)))
    return _native.squeeze(_native.divide(product, max(free, 0)), None)


def corrcoef(m: "ArrayLike", y: "ArrayLike | None" = None, /, rowvar: bool = True, *, dtype: "Any" = None) -> "Array":
    """The correlations of variables, cᵢⱼ / √(cᵢᵢ cⱼⱼ) of their covariances.

    Parameters
    ----------
    m, y, rowvar, dtype : as in `cov`

    Raises
    ------
    ShapeError
        As in `cov`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.corrcoef([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    c = cov(m, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return _native.divide(c, c)
    spread = _native.sqrt(_native.real(_native.diagonal(c, 0, 0, 1)))
    r = _native.divide(_native.divide(c, spread[:, None]), spread[None, :])

    def bounded(part: "Array") -> "Array":
        return _native.minimum(_native.maximum(part, -1), 1)

    if r.dtype.kind == "c":
        return _native.from_parts(bounded(_native.real(r)), bounded(_native.imag(r)))
    return bounded(r)
