"""Norms, condition numbers and determinants."""

from tenferro_py import _native
from tenferro_py._arrays import listed
from tenferro_py._errors import ArgumentError, AxisError
from tenferro_py.linalg._results import SlogdetResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Order = int | float | str
    Axis = int | Sequence[int] | None


def matrix_norm(a: "ArrayLike", /, *, keepdims: bool = False, ord: "Order" = "fro") -> "Array":
    """The norm of each matrix.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    keepdims : bool
        Whether the two axes stay with length 1.
    ord : "fro", "nuc", 1, -1, 2, -2, inf or -inf
        The root of the sum of squares; the sum of singular values; the largest and the smallest
        sum of a column's moduli; the largest and smallest singular value; those of a row's moduli.

    Returns
    -------
    Array
        (…), real.

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For another order, or an extreme of no elements.
    LinAlgError
        When a norm of singular values is run on NaN or infinity.

    Notes
    -----
    The derivative of the Frobenius norm of a zero matrix is 0; extremes that tie share theirs.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]).tolist()
    5.0
    """
    return _native.matrix_norm(a, ord, keepdims)


def vector_norm(x: "ArrayLike", /, *, axis: "Axis" = None, keepdims: bool = False, ord: "int | float" = 2) -> "Array":
    """The vector norm over axes, (Σ|x|ᵖ)^(1/p).

    Parameters
    ----------
    x : array, floating or complex; integers and bool become float64
    axis : int, tuple of int, or None
        All if None, as if flattened.
    keepdims : bool
        Whether reduced axes stay with length 1.
    ord : float
        p; 0 counts what is not 0, ±inf take the largest and the smallest modulus.

    Returns
    -------
    Array
        Real.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For NaN as an order, or an extreme of no elements.

    Notes
    -----
    The derivative of a vector of zeros is 0.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.vector_norm([3.0, 4.0]).tolist()
    5.0
    """
    return _native.vector_norm(x, ord, axis, keepdims)


def _counted(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise AxisError(f"norm: axis {axis} is out of range for {rank} axes")
    return axis % rank


def norm(x: "ArrayLike", /, ord: "Order | None" = None, axis: "Axis" = None, keepdims: bool = False) -> "Array":
    """A norm of vectors or matrices, as NumPy chooses it.

    Parameters
    ----------
    x : array, floating or complex; integers and bool become float64
    ord : see `vector_norm` and `matrix_norm`, or None
        None is the 2-norm of all elements along `axis`.
    axis : int, pair of int, or None
        One axis has vectors, two have matrices. None: all elements if `ord` is None, else x must
        have one or two axes.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Returns
    -------
    Array
        Real.

    Raises
    ------
    AxisError
        For an axis out of range.
    ArgumentError
        For an order or axes that do not fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.norm([[3.0, 0.0], [0.0, 4.0]], ord=2).tolist()
    4.0
    """
    if ord is None and (axis is None or not isinstance(axis, (list, tuple))):
        return _native.vector_norm(x, 2, axis, keepdims)
    a = x if isinstance(x, _native.Array) else _native.Tensor(x)
    axes = list(range(a.ndim)) if axis is None else listed(axis)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ArgumentError(f"norm: order {ord!r} is one of matrices, got vectors")
        return _native.vector_norm(a, 2 if ord is None else ord, axes, keepdims)
    if len(axes) != 2:
        raise ArgumentError(f"norm: takes one axis or two, got {len(axes)}; give axis= or use vector_norm")
    order: Order = "fro" if ord is None else ord
    rows, columns = (_counted(i, a.ndim) for i in axes)
    if rows == columns:
        raise ArgumentError(f"norm: axis {rows} is given twice")
    if (rows, columns) == (a.ndim - 2, a.ndim - 1):
        return _native.matrix_norm(a, order, keepdims)
    others = [i for i in range(a.ndim) if i not in (rows, columns)]
    back = [(*others, rows, columns).index(i) for i in range(a.ndim)]
    moved = _native.matrix_norm(_native.permute_dims(a, [*others, rows, columns]), order, keepdims)
    return _native.permute_dims(moved, back) if keepdims else moved


def cond(a: "ArrayLike", /, p: "Order | None" = None) -> "Array":
    """The condition number of each matrix, |a| · |a⁻¹|.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    p : see `matrix_norm`, or None
        For None, 2 and -2 the quotient of the largest and smallest singular value, also of matrices
        that are not square.

    Returns
    -------
    Array
        (…), real; inf for singular matrices.

    Raises
    ------
    ShapeError
        Below two axes; for other norms unless square.
    ArgumentError
        For another order, or a matrix without elements.
    LinAlgError
        When run on NaN or infinity; with other norms, on a singular matrix.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.cond([[4.0, 0.0], [0.0, 2.0]]).tolist()
    2.0
    """
    return _native.cond(a, p)


def det(a: "ArrayLike", /) -> "Array":
    """The determinant of square matrices.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64

    Returns
    -------
    Array
        (…); 1 for n = 0.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity; in a fourth derivative, on a singular matrix.

    Notes
    -----
    d det = tr(adj(A) dA) with the adjugate det(U) det(V*) V diag(products of the other s) U*: right
    for singular matrices, too, as are the second and third derivatives.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> abs(tn.linalg.det([[1.0, 2.0], [2.0, 4.0]]).item())
    0.0
    >>> tn.grad(tn.linalg.det)([[2.0, 0.0], [0.0, 0.0]]).tolist()
    [[0.0, 0.0], [0.0, 2.0]]
    """
    return _native.det(a)


def slogdet(a: "ArrayLike", /) -> "SlogdetResult":
    """Phase and logarithm of the absolute value of the determinant of square matrices.

    Parameters
    ----------
    a : (…, n, n) array, floating or complex; integers and bool become float64

    Returns
    -------
    SlogdetResult
        sign (…), of modulus 1, or 0 for a singular matrix; logabsdet (…), real, then −inf.

    Raises
    ------
    ShapeError
        Unless square.
    LinAlgError
        When run on NaN or infinity; in a derivative, on a singular matrix.

    Notes
    -----
    d log|det| = Re tr(A⁻¹ dA), d sign = i Im tr(A⁻¹ dA) · sign.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> sign, logabsdet = tn.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> sign.tolist(), logabsdet.tolist()
    (-1.0, 0.0)
    """
    return SlogdetResult(*_native.slogdet(a))
