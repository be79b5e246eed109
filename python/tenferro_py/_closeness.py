"""Whether arrays are equal, or nearly so.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._promotion import common_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def isclose(x: "ArrayLike", y: "ArrayLike", /, rtol: "ArrayLike" = 1e-5, atol: "ArrayLike" = 1e-8, *, equal_nan: bool = False) -> "Array":
    """Whether |x − y| ≤ atol + rtol |y|, or x = y; infinities are close to themselves.

    Parameters
    ----------
    x, y : arrays, any dtype, shapes that broadcast
    rtol, atol : arrays that broadcast with them
    equal_nan : bool
        Whether NaN is close to NaN.

    Raises
    ------
    ShapeError
        For shapes that do not broadcast.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).tolist()
    [True, False]
    """
    dtype = common_type(x, y, 1.0)
    a, b = asarray(x, dtype), asarray(y, dtype)
    within = _native.less_equal(_native.abs(_native.subtract(a, b)), _native.add(atol, _native.multiply(rtol, _native.abs(b))))
    # An infinite y would be close to everything.
    close = _native.logical_or(_native.equal(a, b), _native.logical_and(within, _native.isfinite(b)))
    if equal_nan:
        close = _native.logical_or(close, _native.logical_and(_native.isnan(a), _native.isnan(b)))
    return close


def allclose(x: "ArrayLike", y: "ArrayLike", /, rtol: "ArrayLike" = 1e-5, atol: "ArrayLike" = 1e-8, *, equal_nan: bool = False) -> "Array":
    """Whether all elements are close, as `isclose` has it; a bool array without axes.

    Parameters
    ----------
    x, y : arrays, any dtype, shapes that broadcast
    rtol, atol : arrays that broadcast with them
    equal_nan : bool
        Whether NaN is close to NaN.

    Raises
    ------
    ShapeError
        For shapes that do not broadcast.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> bool(tn.allclose([1.0, 2.0], [1.0 + 1e-9, 2.0]))
    True
    """
    return _native.all(isclose(x, y, rtol, atol, equal_nan=equal_nan))


def array_equal(x: "ArrayLike", y: "ArrayLike", /, *, equal_nan: bool = False) -> "Array":
    """Whether shapes and all elements are equal; a bool array without axes.

    Parameters
    ----------
    x, y : arrays, any shapes and dtypes
    equal_nan : bool
        Whether NaN is equal to NaN.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> bool(tn.array_equal([1, 2], [1.0, 2.0])), bool(tn.array_equal([1, 2], [[1, 2]]))
    (True, False)
    """
    a, b = asarray(x), asarray(y)
    if a.shape != b.shape:
        return _native.full([], False, "bool")
    same = _native.equal(a, b)
    if equal_nan:
        same = _native.logical_or(same, _native.logical_and(_native.isnan(a), _native.isnan(b)))
    return _native.all(same)
