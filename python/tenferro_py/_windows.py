"""Windows of signals: numbers that fall to both ends."""

from tenferro_py import _native
from tenferro_py._promotion import result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _cosines(m: int, *weights: float) -> "Array":
    """Σ wₖ cos(kπx) for x from −1 to 1; of one point, 1."""
    if m <= 1:
        return _native.full([max(m, 0)], 1.0, "float64")
    angle = _native.divide(_native.multiply(_native.arange(1 - m, m, 2, "float64"), 3.141592653589793), m - 1)
    y: Array = _native.full([m], weights[0], "float64")
    for k, w in enumerate(weights[1:], 1):
        y = _native.add(y, _native.multiply(_native.cos(_native.multiply(angle, float(k))), w))
    return y


def hanning(m: int, /) -> "Array":
    """The window of Hann, m points of 0.5 + 0.5 cos πx.

    Parameters
    ----------
    m : int
        None for m < 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.hanning(3).tolist()
    [0.0, 1.0, 0.0]
    """
    return _cosines(m, 0.5, 0.5)


def hamming(m: int, /) -> "Array":
    """The window of Hamming, m points of 0.54 + 0.46 cos πx.

    Parameters
    ----------
    m : int
        None for m < 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.round(tn.hamming(3), 2).tolist()
    [0.08, 1.0, 0.08]
    """
    return _cosines(m, 0.54, 0.46)


def blackman(m: int, /) -> "Array":
    """The window of Blackman, m points of 0.42 + 0.5 cos πx + 0.08 cos 2πx.

    Parameters
    ----------
    m : int
        None for m < 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.blackman(1).tolist()
    [1.0]
    """
    return _cosines(m, 0.42, 0.5, 0.08)


def bartlett(m: int, /) -> "Array":
    """The window of Bartlett, m points of 1 − |x|.

    Parameters
    ----------
    m : int
        None for m < 1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.bartlett(5).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    if m <= 1:
        return _native.full([max(m, 0)], 1.0, "float64")
    x = _native.divide(_native.arange(1 - m, m, 2, "float64"), m - 1)
    return _native.subtract(1.0, _native.abs(x))


def kaiser(m: int, beta: "ArrayLike", /) -> "Array":
    """The window of Kaiser, m points of I₀(β √(1 − x²)) / I₀(β).

    Parameters
    ----------
    m : int
        None for m < 1.
    beta : number or array without axes
        The derivative in it exists.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.kaiser(3, 0.0).tolist()
    [1.0, 1.0, 1.0]
    """
    if m <= 1:
        return _native.full([max(m, 0)], 1.0, "float64")
    x = _native.divide(_native.arange(1 - m, m, 2, "float64"), m - 1)
    b = _native.astype(beta, result_type(beta, 1.0)) if not isinstance(beta, (int, float)) else float(beta)
    z = _native.multiply(_native.sqrt(_native.subtract(1.0, _native.square(x))), b)
    # I₀ without its exponential, which would overflow.
    scaled = _native.divide(_native.i0e(z), _native.i0e(b))
    return _native.multiply(scaled, _native.exp(_native.subtract(_native.abs(z), _native.abs(b))))
