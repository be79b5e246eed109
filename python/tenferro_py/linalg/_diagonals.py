"""Diagonals and traces of the last two axes: `tn.diagonal` and `tn.trace` take the first two, as NumPy's."""

from tenferro_py import _native
from tenferro_py._reductions import sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def diagonal(x: "ArrayLike", /, *, offset: int = 0) -> "Array":
    """A diagonal of the last two axes, which it replaces.

    Parameters
    ----------
    x : (…, m, n) array, any dtype
    offset : int
        0 is the main diagonal; positive ones lie above.

    Returns
    -------
    Array
        (…, length of the diagonal).

    Raises
    ------
    AxisError
        For fewer than two axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.diagonal([[1.0, 2.0], [3.0, 4.0]], offset=1).tolist()
    [2.0]
    """
    return _native.diagonal(x, offset, -2, -1)


def trace(x: "ArrayLike", /, *, offset: int = 0, dtype: "Any" = None) -> "Array":
    """The sum of a diagonal of the last two axes.

    Parameters
    ----------
    x : (…, m, n) array, any dtype
    offset : int
        0 is the main diagonal; positive ones lie above.
    dtype : dtype or None
        To compute in and to give; None takes x's, with bool and integers in 64 bits.

    Returns
    -------
    Array
        (…).

    Raises
    ------
    AxisError
        For fewer than two axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.trace([[[1.0, 2.0], [3.0, 4.0]]]).tolist()
    [5.0]
    """
    return sum(diagonal(x, offset=offset), -1, dtype)
