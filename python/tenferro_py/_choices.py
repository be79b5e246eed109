"""Elements chosen by conditions; questions about kinds and shapes.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError, DTypeError
from tenferro_py._promotion import is_weak, result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array, DType

    ArrayLike = Any


def select(conditions: "Sequence[ArrayLike]", choices: "Sequence[ArrayLike]", /, default: "ArrayLike" = 0) -> "Array":
    """The choice of the first condition that holds, element by element.

    Parameters
    ----------
    conditions : sequence of bool arrays
    choices : sequence of as many arrays, of shapes that broadcast with them
    default : array
        Where none holds.

    Raises
    ------
    ArgumentError
        For other numbers of conditions and choices, or none.
    ShapeError, DTypeError
        For shapes that do not broadcast, for conditions that are not bool.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> x = tn.Tensor([1.0, 2.0, 3.0])
    >>> tn.select([x < 2, x > 2], [-x, x * 10], 0.5).tolist()
    [-1.0, 0.5, 30.0]
    """
    if len(conditions) != len(choices) or len(conditions) == 0:
        raise ArgumentError(f"select: there are {len(conditions)} conditions and {len(choices)} choices")
    out = default
    for condition, choice in zip(reversed(list(conditions)), reversed(list(choices)), strict=True):
        out = _native.where(condition, choice, out)
    return asarray(out)


def _common_float(*xs: "ArrayLike") -> "DType":
    """The dtype of functions of floats: each array is its own float, of integers up to 16 bits float32; numbers are weak."""
    arrays = [asarray(x) for x in xs if not is_weak(x)]
    met = [result_type(*arrays, x) if is_weak(x) else asarray(x).dtype for x in xs]
    return result_type(*(d if d.kind in "fc" else "float32" if d.itemsize <= 2 else "float64" for d in met))


def heaviside(x: "ArrayLike", h0: "ArrayLike", /) -> "Array":
    """0 for x < 0, h0 at 0, 1 for x > 0, NaN of NaN. The derivative in x is 0.

    Parameters
    ----------
    x, h0 : arrays, real; integers and bool become floats; shapes that broadcast

    Raises
    ------
    ShapeError, DTypeError
        For shapes that do not broadcast, for complex numbers.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.heaviside([-1.0, 0.0, 2.0], 0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    dtype = _common_float(x, h0)
    if dtype.kind == "c":
        raise DTypeError(f"heaviside: {dtype} has no order")
    y, middle = asarray(x, dtype), asarray(h0, dtype)
    side = _native.where(_native.isnan(y), y, _native.astype(_native.greater(y, 0), dtype))
    return _native.where(_native.equal(y, 0), middle, side)


def isreal(x: "ArrayLike", /) -> "Array":
    """Whether the imaginary part is 0.

    Parameters
    ----------
    x : array, any shape; any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isreal([1.0, 2j]).tolist()
    [True, False]
    """
    return _native.equal(_native.imag(x), 0)


def iscomplex(x: "ArrayLike", /) -> "Array":
    """Whether the imaginary part is not 0.

    Parameters
    ----------
    x : array, any shape; any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.iscomplex([1.0, 2j]).tolist()
    [False, True]
    """
    return _native.not_equal(_native.imag(x), 0)


def iscomplexobj(x: "ArrayLike", /) -> bool:
    """Whether the dtype of x is complex.

    Parameters
    ----------
    x : array, any shape; any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.iscomplexobj([1.0, 2j])
    True
    """
    return asarray(x).dtype.kind == "c"


def isrealobj(x: "ArrayLike", /) -> bool:
    """Whether the dtype of x is not complex.

    Parameters
    ----------
    x : array, any shape; any dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isrealobj([1.0, 2j])
    False
    """
    return not iscomplexobj(x)


def isposinf(x: "ArrayLike", /) -> "Array":
    """Whether x is ∞.

    Parameters
    ----------
    x : array, any shape; real

    Raises
    ------
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isposinf([1.0, float("inf")]).tolist()
    [False, True]
    """
    return _native.logical_and(_native.isinf(x), _native.greater(x, 0))


def isneginf(x: "ArrayLike", /) -> "Array":
    """Whether x is −∞.

    Parameters
    ----------
    x : array, any shape; real

    Raises
    ------
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isneginf([1.0, -float("inf")]).tolist()
    [False, True]
    """
    return _native.logical_and(_native.isinf(x), _native.less(x, 0))


def modf(x: "ArrayLike", /) -> "tuple[Array, Array]":
    """The fraction and the whole part of x, both with its sign.

    Parameters
    ----------
    x : array, any shape; real; integers and bool become floats

    Raises
    ------
    DTypeError
        For complex x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> [y.tolist() for y in tn.modf([1.5, -2.25])]
    [[0.5, -0.25], [1.0, -2.0]]
    """
    y = asarray(x)
    y = asarray(y, result_type(y, 1.0))
    if y.dtype.kind == "c":
        raise DTypeError(f"modf: x is {y.dtype}; it must be real")
    whole = _native.trunc(y)
    # Subtracted from the other side, a negative whole number leaves −0.
    rest = _native.where(_native.signbit(y), _native.negative(_native.subtract(whole, y)), _native.subtract(y, whole))
    return _native.where(_native.isinf(y), _native.copysign(0.0, y), rest), whole
