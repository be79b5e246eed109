"""Eigenvalues and eigenvectors."""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError
from tenferro_py.linalg._results import EighResult, EigResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _lower(op: str, uplo: str) -> bool:
    if uplo not in ("L", "U", "l", "u"):
        raise ArgumentError(f"{op}: UPLO must be 'L' or 'U', got {uplo!r}")
    return uplo in ("L", "l")


def eigh(a: "ArrayLike", /, UPLO: str = "L", *, check_finite: bool = True) -> "EighResult":
    """Eigenvalues and orthonormal eigenvectors of Hermitian matrices, a = v · diag(w) · v*.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
    UPLO : "L" or "U"
        The triangle that is read; the other is taken for its adjoint.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    EighResult
        eigenvalues (…, n), real and ascending, and eigenvectors (…, n, n), as columns; of each the
        component of largest modulus is real and positive.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity, which names the first such matrix of a batch.

    Notes
    -----
    dw = Re diag(V* dA V), dV = V (G∘(V* dA V)), Gᵢⱼ = 1/(wⱼ − wᵢ), and 0 where eigenvalues
    coincide up to 1e-10 (1e-4 in single precision) of the largest modulus: vectors of such a
    cluster do not move against each other. So the derivative is finite at a tie, and exact for
    functions that do not look inside clusters: symmetric functions of w, projectors on clusters.
    A second derivative at a tie is finite too, but not exact.
    It takes the Hermitian part of a tangent; complex vectors keep their phases.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> w, v = tn.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> w.tolist()
    [1.0, 2.0]
    """
    return EighResult(*_native.eigh(a, _lower("eigh", UPLO), check_finite))


def eigvalsh(a: "ArrayLike", /, UPLO: str = "L", *, check_finite: bool = True) -> "Array":
    """Eigenvalues of Hermitian matrices, real and ascending.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
    UPLO : "L" or "U"
        The triangle that is read.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n), real. The derivative at a tie is that of symmetric functions, exact to first order.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).tolist()
    [1.0, 2.0]
    """
    return _native.eigvalsh(a, _lower("eigvalsh", UPLO), check_finite)


def eig(a: "ArrayLike", /, *, check_finite: bool = True) -> "EigResult":
    """Eigenvalues and right eigenvectors of general matrices, a · v = v · diag(w).

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    EigResult
        eigenvalues (…, n), in no particular order, and eigenvectors (…, n, n), as columns of
        norm 1 whose component of largest modulus is real. Both are complex, also for real a.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity; in a derivative, without n independent vectors.

    Notes
    -----
    With C = V⁻¹ dA V and Zᵢⱼ = Cᵢⱼ/(wⱼ − wᵢ): dw = diag C, dV = V Z − V diag(Re diag(V* V Z)). The
    norm stays 1; the phase goes the shortest way: the derivative is that of functions that do not
    see phases. Vectors of eigenvalues that coincide do not mix, so that at a tie first derivatives
    of symmetric functions are exact and second ones are not.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> w, v = tn.linalg.eig([[0.0, 1.0], [0.0, 1.0]])
    >>> sorted(w.real.tolist())
    [0.0, 1.0]
    """
    return EigResult(*_native.eig(a, check_finite))


def eigvals(a: "ArrayLike", /, *, check_finite: bool = True) -> "Array":
    """Eigenvalues of general matrices, complex, in no particular order.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n), complex also for real a.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity; in a derivative, without n independent vectors.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.eigvals([[3.0]]).tolist()
    [(3+0j)]
    """
    return _native.eigvals(a, check_finite)
