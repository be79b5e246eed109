"""Systems of linear equations."""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def solve(a: "ArrayLike", b: "ArrayLike", /, *, check_finite: bool = True) -> "Array":
    """x with a · x = b.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
    b : (n,) or (…, n, k) array
        One axis is one right side; leading axes broadcast.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n) or (…, n, k).

    Raises
    ------
    ShapeError
        Unless a is square and fits b.
    LinAlgError
        When run on a singular matrix, or on NaN or infinity; it names the first such matrix of a batch.

    Notes
    -----
    LU factorization, which the derivative uses again: with G = A⁻* X̄, B̄ = G and Ā = −G X*.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 8.0]).tolist()
    [1.0, 2.0]
    """
    return _native.solve(a, b, check_finite)


def solve_triangular(
    a: "ArrayLike",
    b: "ArrayLike",
    /,
    trans: "int | str" = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    *,
    check_finite: bool = True,
) -> "Array":
    """x with a · x = b for triangular a.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
        Only one triangle is read.
    b : (n,) or (…, n, k) array
        One axis is one right side; leading axes broadcast.
    trans : 0 or "N", 1 or "T", 2 or "C"
        Whether a, its transpose or its adjoint multiplies x.
    lower : bool
        Whether a is lower triangular.
    unit_diagonal : bool
        Whether the diagonal counts as ones and is not read.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n) or (…, n, k).

    Raises
    ------
    ShapeError
        Unless a is square and fits b.
    ArgumentError
        For another `trans`.
    LinAlgError
        When run on a diagonal with a 0, or on NaN or infinity.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.solve_triangular([[2.0, 1.0], [0.0, 4.0]], [4.0, 8.0]).tolist()
    [1.0, 2.0]
    """
    return _native.solve_triangular(a, b, lower, trans, unit_diagonal, check_finite)


def lu_solve(lu_and_piv: "tuple[ArrayLike, ArrayLike]", b: "ArrayLike", /, trans: "int | str" = 0) -> "Array":
    """x with a · x = b from the factors of `lu_factor`.

    Parameters
    ----------
    lu_and_piv : (…, n, n) and (…, n) arrays, as `lu_factor` gives them
    b : (n,) or (…, n, k) array
        One axis is one right side; leading axes broadcast.
    trans : 0 or "N", 1 or "T", 2 or "C"
        Whether a, its transpose or its adjoint multiplies x.

    Returns
    -------
    Array
        (…, n) or (…, n, k).

    Raises
    ------
    ShapeError
        Unless the factors are square and fit b.
    ArgumentError
        For another `trans`.
    LinAlgError
        When run on singular factors.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> factors = tn.linalg.lu_factor([[0.0, 4.0], [2.0, 0.0]])
    >>> tn.linalg.lu_solve(factors, [8.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    lu, pivots = lu_and_piv
    return _native.lu_solve(lu, pivots, b, trans)


def cho_solve(c_and_lower: "tuple[ArrayLike, bool]", b: "ArrayLike", /, *, check_finite: bool = True) -> "Array":
    """x with a · x = b from the Cholesky factor of a.

    Parameters
    ----------
    c_and_lower : (…, n, n) array, as `cholesky` gives it, and whether it is the lower one
    b : (n,) or (…, n, k) array
        One axis is one right side; leading axes broadcast.
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n) or (…, n, k).

    Raises
    ------
    ShapeError
        Unless the factor is square and fits b.
    LinAlgError
        When run on a diagonal with a 0, or on NaN or infinity.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.cho_solve((tn.linalg.cholesky([[4.0]]), True), [8.0]).tolist()
    [2.0]
    """
    c, lower = c_and_lower
    return _native.cho_solve(c, lower, b, check_finite)


def inv(a: "ArrayLike", /, *, check_finite: bool = True) -> "Array":
    """The inverse of square matrices.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64
    check_finite : bool
        Whether NaN and infinity are an error; else they spread.

    Returns
    -------
    Array
        (…, n, n).

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on a singular matrix, or on NaN or infinity; it names the first such matrix of a batch.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return _native.inv(a, check_finite)
