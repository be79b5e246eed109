"""Powers, exponentials, roots and logarithms of matrices; polar factors; products of many."""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def matrix_power(a: "ArrayLike", n: int, /) -> "Array":
    """The n-th power of square matrices by repeated squaring; n < 0 inverts, n = 0 is the identity.

    Parameters
    ----------
    a : (…, k, k) array of numbers
        Integers stay integers for n ≥ 0, and wrap.
    n : int

    Returns
    -------
    Array
        (…, k, k).

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run with n < 0 on a singular matrix.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.matrix_power([[1, 1], [1, 0]], 10).tolist()
    [[89, 55], [55, 34]]
    """
    return _native.matrix_power(a, n)


def expm(a: "ArrayLike", /) -> "Array":
    """The exponential of square matrices.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64

    Returns
    -------
    Array
        (…, n, n).

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    Scaling and squaring of a Padé approximant; derivatives of order k are a block of the exponential
    of a matrix with 2ᵏ×2ᵏ blocks (Higham and Relton, SIAM J. Matrix Anal. Appl. 35, 1019, 2014),
    exact whatever the eigenvalues.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return _native.expm(a)


def sqrtm(a: "ArrayLike", /) -> "Array":
    """The principal square root of Hermitian positive semidefinite matrices.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
        Only the lower triangle is read.

    Returns
    -------
    Array
        (…, n, n), Hermitian.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on a matrix with a negative eigenvalue (beyond rounding), or on NaN or infinity; in
        a derivative, with an eigenvalue 0.

    Notes
    -----
    V f(w) V*; the derivative has divided differences of f, and f′ where eigenvalues coincide. It is
    exact at a tie to first order; second derivatives at a tie are not.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return _native.sqrtm(a)


def logm(a: "ArrayLike", /) -> "Array":
    """The logarithm of Hermitian positive definite matrices.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
        Only the lower triangle is read.

    Returns
    -------
    Array
        (…, n, n), Hermitian.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on a matrix with an eigenvalue that is not positive, or on NaN or infinity.

    Notes
    -----
    As for `sqrtm`: exact at a tie to first order; second derivatives at a tie are not.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.logm([[1.0, 0.0], [0.0, 1.0]]).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    return _native.logm(a)


def polar(a: "ArrayLike", /, side: str = "right") -> "tuple[Array, Array]":
    """Polar decomposition: a = q · p, or, from the left, a = p · q.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    side : "right" or "left"
        Where p stands.

    Returns
    -------
    q : (…, m, n), with orthonormal columns or rows
    p : (…, n, n), from the left (…, m, m), Hermitian positive semidefinite

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For another side.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    First derivatives are exact also where singular values coincide. Of a matrix without full rank
    q is not unique.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> q, p = tn.linalg.polar([[-2.0]])
    >>> q.tolist(), p.tolist()
    ([[-1.0]], [[2.0]])
    """
    if side not in ("left", "right"):
        raise ArgumentError(f"polar: side must be 'left' or 'right', got {side!r}")
    return _native.polar(a, side == "left")


def multi_dot(arrays: "Sequence[ArrayLike]", /) -> "Array":
    """The product of two or more matrices in the order of fewest multiplications.

    Parameters
    ----------
    arrays : matrices of any numbers
        The first may be a row and the last a column, of one axis, which the result then lacks.

    Returns
    -------
    Array
        (m, n), (m,), (n,) or ().

    Raises
    ------
    ArgumentError
        For fewer than two arrays.
    ShapeError
        Unless neighbours fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.multi_dot([[1.0, 2.0], [[1.0, 0.0], [0.0, 1.0]], [3.0, 4.0]]).tolist()
    11.0
    """
    return _native.multi_dot(list(arrays))
