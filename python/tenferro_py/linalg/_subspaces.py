"""Rank, pseudoinverse, least squares, bases of ranges and null spaces."""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def matrix_rank(a: "ArrayLike", /, *, rtol: "float | None" = None) -> "Array":
    """How many singular values exceed `rtol` times the largest.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    rtol : float
        By default max(m, n) times the precision of the dtype.

    Returns
    -------
    Array
        (…), int64.

    Raises
    ------
    ShapeError
        Below two axes.
    LinAlgError
        When run on NaN or infinity.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]).tolist()
    1
    """
    return _native.matrix_rank(a, rtol)


def pinv(a: "ArrayLike", /, *, rtol: "float | None" = None) -> "Array":
    """The Moore–Penrose pseudoinverse.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    rtol : float
        Singular values up to `rtol` times the largest count as 0; by default max(m, n) times the
        precision of the dtype.

    Returns
    -------
    Array
        (…, n, m).

    Raises
    ------
    ShapeError
        Below two axes.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    The derivative is that at constant rank: −P dA P + P P* dA* (1 − A P) + (1 − P A) dA* P* P (Golub
    and Pereyra, SIAM J. Numer. Anal. 10, 413, 1973); ties of singular values do not matter.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    return _native.pinv(a, rtol)


def lstsq(a: "ArrayLike", b: "ArrayLike", /, rcond: "float | None" = None) -> "tuple[Array, Array, Array, Array]":
    """Least squares: the x that minimises |a · x − b|, and of several the shortest.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    b : (m,) or (…, m, k) array
        One axis is one right side; leading axes broadcast.
    rcond : float
        Singular values up to `rcond` times the largest count as 0; by default max(m, n) times the
        precision of the dtype.

    Returns
    -------
    x : (…, n) or (…, n, k)
    residuals : sums of squares of what is left, (…, k), of one right side (…, 1); empty unless m > n
    rank : (…), int64
    s : (…, min(m, n)), the singular values

    Raises
    ------
    ShapeError
        Unless a and b fit.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    By the SVD. The derivative is that at constant rank: with the pseudoinverse P that of P · b (see
    `pinv`); ties of singular values do not matter. Where NumPy leaves the residuals empty for a
    matrix without full rank, whose shape they would then depend on, they are given all the same.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> x, residuals, rank, s = tn.linalg.lstsq([[1.0], [1.0]], [1.0, 3.0])
    >>> round(x.tolist()[0], 12), round(residuals.tolist()[0], 12)
    (2.0, 2.0)
    """
    return _native.lstsq(a, b, rcond)


def _rank(op: str, a: "ArrayLike", rank: "int | None", rtol: "float | None") -> int:
    """The rank that is given or else that of the data, which all matrices must share."""
    if rank is not None:
        if rank < 0:
            raise ArgumentError(f"{op}: the rank must be at least 0, got {rank}")
        return rank
    if isinstance(a, _native.TracedTensor):
        raise ArgumentError(f"{op}: the rank of a traced matrix is not known, and with it the shape of the result; give rank=")
    found = _native.matrix_rank(a.detach() if isinstance(a, _native.EagerTensor) else a, rtol)
    ranks = set(_native.reshape(found, (-1,)).tolist())
    if len(ranks) != 1:
        raise ArgumentError(f"{op}: the matrices have ranks {sorted(ranks)}; give rank=")
    return int(ranks.pop())


def orth(a: "ArrayLike", /, *, rank: "int | None" = None, rtol: "float | None" = None) -> "Array":
    """An orthonormal basis of the range: the leading left singular vectors.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    rank : int
        Found with `matrix_rank` by default; a traced tensor needs it.
    rtol : float
        As in `matrix_rank`.

    Returns
    -------
    Array
        (…, m, rank).

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For a rank above min(m, n), one that is missing, or matrices of different ranks.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    The derivative is that of the singular vectors, with ties as in `svd` with "mask".

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.orth([[2.0, 0.0], [0.0, 0.0]]).shape
    (2, 1)
    """
    return _native.orth(a, _rank("orth", a, rank, rtol))


def null_space(a: "ArrayLike", /, *, rank: "int | None" = None, rtol: "float | None" = None) -> "Array":
    """An orthonormal basis of the null space: the last right singular vectors.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    rank : int
        The rank of a, found with `matrix_rank` by default; a traced tensor needs it.
    rtol : float
        As in `matrix_rank`.

    Returns
    -------
    Array
        (…, n, n − rank).

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For a rank above min(m, n), one that is missing, or matrices of different ranks.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    Which basis of the space it is is a choice: the derivative has no component inside the space.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.null_space([[2.0, 0.0], [0.0, 0.0]]).shape
    (2, 1)
    """
    return _native.null_space(a, _rank("null_space", a, rank, rtol))
