"""Factorizations into triangles."""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError
from tenferro_py.linalg._results import QRResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, overload

    from tenferro_py._native import Array

    ArrayLike = Any

if TYPE_CHECKING:

    @overload
    def qr(a: ArrayLike, /, mode: Literal["reduced", "complete"] = "reduced", *, check_finite: bool = True) -> QRResult: ...
    @overload
    def qr(a: ArrayLike, /, mode: Literal["r"], *, check_finite: bool = True) -> Array: ...


def qr(a: "ArrayLike", /, mode: str = "reduced", *, check_finite: bool = True) -> "QRResult | Array":
    """a = q · r, r upper triangular with a real, non-negative diagonal.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    mode : "reduced", "complete" or "r"
        Thin factors, a square q, or r alone.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    QRResult
        Q (…, m, k) with orthonormal columns and R (…, k, n), with k = min(m, n), or k = m
        where complete. The array R for "r".

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For another mode.
    LinAlgError
        When run on NaN or infinity; in a derivative, if the first min(m, n) columns are dependent.

    Notes
    -----
    The signs differ from NumPy's, which leaves them to LAPACK: with a non-negative diagonal the
    factors of a matrix of full rank are unique, so that they have a derivative. With
    S = Q* dA R⁻¹ and dR̂ = strictly-upper(S + S*) + Re diag S: dQ = dA R⁻¹ − Q dR̂, dR = dR̂ R. The
    last m − n columns of a complete q are a choice; their derivative has no component among
    themselves.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> q, r = tn.linalg.qr([[-2.0, 1.0], [0.0, 3.0]])
    >>> r.tolist()
    [[2.0, -1.0], [0.0, 3.0]]
    """
    if mode not in ("reduced", "complete", "r"):
        raise ArgumentError(f"qr: mode must be 'reduced', 'complete' or 'r', got {mode!r}")
    q, r = _native.qr(a, mode == "complete", check_finite)
    return r if mode == "r" else QRResult(q, r)


def lq(a: "ArrayLike", /, mode: str = "reduced", *, check_finite: bool = True) -> "tuple[Array, Array]":
    """a = l · q, l lower triangular with a real, non-negative diagonal.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    mode : "reduced" or "complete"
        Thin factors, or a square q.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    l : (…, m, k), q : (…, k, n) with orthonormal rows; k = min(m, n), or k = n where complete

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For another mode.
    LinAlgError
        When run on NaN or infinity; in a derivative, if the first min(m, n) rows are dependent.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> l, q = tn.linalg.lq([[3.0, 4.0]])
    >>> l.tolist()
    [[5.0]]
    """
    if mode not in ("reduced", "complete"):
        raise ArgumentError(f"lq: mode must be 'reduced' or 'complete', got {mode!r}")
    return _native.lq(a, mode == "complete", check_finite)


def cholesky(a: "ArrayLike", /, *, upper: bool = False, check_finite: bool = True) -> "Array":
    """The triangular factor of Hermitian positive definite matrices: a = l · l*, or u* · u.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
        Only the triangle that the factor has is read.
    upper : bool
        Whether the factor is the upper triangle u.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n, n), with a positive diagonal.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on a matrix that is not positive definite, or on NaN or infinity; it names the
        first such matrix of a batch.

    Notes
    -----
    dL = L φ(L⁻¹ Herm(dA) L⁻*), φ the lower triangle with halved diagonal.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return _native.cholesky(a, upper, check_finite)


def lu(a: "ArrayLike", /, *, check_finite: bool = True) -> "tuple[Array, Array, Array]":
    """a = p · l · u with partial pivoting.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    p : (…, m, m), a permutation; l : (…, m, k), lower triangular with a unit diagonal;
    u : (…, k, n), upper triangular; k = min(m, n)

    Raises
    ------
    ShapeError
        Below two axes.
    LinAlgError
        When run on NaN or infinity; in a derivative, if the leading k×k block is singular.

    Notes
    -----
    F = L⁻¹ Pᵀ dA U⁻¹, dL = L · strictly-lower(F), dU = upper(F) · U. The permutation is constant.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> p, l, u = tn.linalg.lu([[1.0, 2.0], [2.0, 2.0]])
    >>> l.tolist(), u.tolist()
    ([[1.0, 0.0], [0.5, 1.0]], [[2.0, 2.0], [0.0, 1.0]])
    """
    return _native.lu(a, check_finite)


def lu_factor(a: "ArrayLike", /, *, check_finite: bool = True) -> "tuple[Array, Array]":
    """The factors of `lu`, packed for `lu_solve`.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    lu : (…, m, n), l below the diagonal and u on and above it
    pivots : (…, min(m, n)) int64; row i was exchanged with row pivots[i], counted from 0

    Raises
    ------
    ShapeError
        Below two axes.
    LinAlgError
        When run on NaN or infinity; in a derivative, if the leading block is singular.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> lu, pivots = tn.linalg.lu_factor([[1.0, 2.0], [2.0, 2.0]])
    >>> lu.tolist(), pivots.tolist()
    ([[2.0, 2.0], [0.5, 1.0]], [1, 1])
    """
    return _native.lu_factor(a, check_finite)
