"""Numbers in sequence.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def arange(start: float, /, stop: "float | None" = None, step: float = 1, *, dtype: "Any" = None) -> "Array":
    """start, start + step, … below stop (above it for a negative step); from 0 to start without stop.

    Parameters
    ----------
    start, stop, step : numbers
    dtype : dtype or None, int64 or float64

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
    if stop is None:
        start, stop = 0, start
    return _native.arange(start, stop, step, dtype)


def linspace(start: complex, stop: complex, /, num: int = 50, *, dtype: "Any" = None, endpoint: bool = True) -> "Array":
    """num numbers at equal distances from start to stop.

    Parameters
    ----------
    start, stop : numbers
    num : int, at least 0
    endpoint : bool
        Whether stop is the last number
    dtype : dtype or None, float64 or complex128

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linspace(0.0, 1.0, 3).tolist()
    [0.0, 0.5, 1.0]
    """
    return _native.linspace(start, stop, num, endpoint, dtype)


def logspace(start: float, stop: float, /, num: int = 50, *, endpoint: bool = True, base: float = 10.0, dtype: "Any" = None) -> "Array":
    """num powers of a base, their exponents at equal distances.

    Parameters
    ----------
    start, stop : numbers, the exponents
    num : int, at least 0
    endpoint : bool
        Whether stop is the last number
    dtype : dtype or None, float64

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.logspace(0.0, 2.0, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    return _native.logspace(start, stop, num, endpoint, base, dtype or "float64")


def geomspace(start: float, stop: float, /, num: int = 50, *, endpoint: bool = True, dtype: "Any" = None) -> "Array":
    """num numbers with equal quotients from start to stop.

    Parameters
    ----------
    start, stop : numbers, not 0, of one sign
    num : int, at least 0
    endpoint : bool
        Whether stop is the last number
    dtype : dtype or None, float64

    Raises
    ------
    ArgumentError
        If one is 0 or not finite, or the signs differ.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.geomspace(1.0, 4.0, 3).tolist()
    [1.0, 2.0, 4.0]
    """
    return _native.geomspace(start, stop, num, endpoint, dtype or "float64")
