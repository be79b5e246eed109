"""Polynomials by their coefficients, the highest power first, as `polyval` takes them.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, length_of
from tenferro_py._errors import ArgumentError, ShapeError
from tenferro_py._promotion import result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def _coefficients(op: str, p: "ArrayLike") -> "Array":
    y = asarray(p)
    if y.ndim > 1:
        raise ShapeError(f"{op}: coefficients have one axis, not shape {y.shape}")
    return _native.reshape(y, (-1,)) if y.ndim == 0 else y


def polyadd(p: "ArrayLike", q: "ArrayLike", /) -> "Array":
    """The coefficients of the sum of two polynomials.

    Parameters
    ----------
    p, q : arrays of one axis, any dtype

    Raises
    ------
    ShapeError
        For more axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.polyadd([1.0, 0.0], [2.0]).tolist()
    [1.0, 2.0]
    """
    return _native.add(*_aligned("polyadd", p, q))


def polysub(p: "ArrayLike", q: "ArrayLike", /) -> "Array":
    """The coefficients of the difference of two polynomials.

    Parameters
    ----------
    p, q : arrays of one axis, any dtype

    Raises
    ------
    ShapeError
        For more axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.polysub([1.0, 0.0], [2.0]).tolist()
    [1.0, -2.0]
    """
    return _native.subtract(*_aligned("polysub", p, q))


def _aligned(op: str, p: "ArrayLike", q: "ArrayLike") -> "tuple[Array, Array]":
    """Both with zeros in front up to one length."""
    a, b = _coefficients(op, p), _coefficients(op, q)
    n, m = length_of(op, a, 0), length_of(op, b, 0)
    return _native.pad(a, [(max(m - n, 0), 0)], 0), _native.pad(b, [(max(n - m, 0), 0)], 0)


def polymul(p: "ArrayLike", q: "ArrayLike", /) -> "Array":
    """The coefficients of the product of two polynomials; leading zeros stay.

    Parameters
    ----------
    p, q : arrays of one axis with an element at least, any dtype

    Raises
    ------
    ShapeError
        For more axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.polymul([1.0, 1.0], [1.0, -1.0]).tolist()
    [1.0, 0.0, -1.0]
    """
    return _native.convolve(_coefficients("polymul", p), _coefficients("polymul", q), "full")


def polyder(p: "ArrayLike", /, m: int = 1) -> "Array":
    """The coefficients of the m-th derivative of a polynomial.

    Parameters
    ----------
    p : array of one axis, any dtype
    m : int, not negative

    Raises
    ------
    ArgumentError, ShapeError
        For a negative m, for more axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.polyder([1.0, 2.0, 3.0]).tolist()
    [2.0, 2.0]
    """
    if m < 0:
        raise ArgumentError(f"polyder: m is {m}; it must not be negative")
    y = _coefficients("polyder", p)
    for _ in range(min(m, length_of("polyder", y, 0))):
        n = length_of("polyder", y, 0)
        y = _native.multiply(y[:-1], _native.arange(n - 1, 0, -1, "int64"))
    return y


def polyint(p: "ArrayLike", /, m: int = 1, k: "ArrayLike" = 0) -> "Array":
    """The coefficients of the m-th integral of a polynomial.

    Parameters
    ----------
    p : array of one axis, any dtype
    m : int, not negative
    k : number, or m of them
        The constants, in the order of integration.

    Raises
    ------
    ArgumentError, ShapeError
        For a negative m or another number of constants, for more axes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.polyint([2.0, 2.0], k=3.0).tolist()
    [1.0, 2.0, 3.0]
    """
    if m < 0:
        raise ArgumentError(f"polyint: m is {m}; it must not be negative")
    y, constants = _coefficients("polyint", p), asarray(k)
    if constants.ndim == 0:
        constants = _native.broadcast_to(constants, (m,))
    if constants.shape != (m,):
        raise ArgumentError(f"polyint: constants have shape {constants.shape}; {m} are needed")
    for i in range(m):
        n = length_of("polyint", y, 0)
        y = _native.divide(y, _native.arange(n, 0, -1, "int64"))
        y = _native.concat([y, _native.astype(constants[i : i + 1], result_type(y, constants))], 0)
    return y


def polyfit(x: "ArrayLike", y: "ArrayLike", deg: int, /, *, rcond: "float | None" = None, w: "ArrayLike | None" = None) -> "Array":
    """The coefficients of the polynomial nearest to points, by least squares.

    Parameters
    ----------
    x : (n,) array
    y : (n,) or (n, k) array
    deg : int, the degree, not negative
    rcond : float or None
        Singular values below this share of the largest count as 0; n eps if None.
    w : (n,) array or None
        Weights of the residuals (not of their squares).

    Returns
    -------
    (deg + 1,) or (deg + 1, k) array

    Raises
    ------
    ArgumentError, ShapeError
        For a negative degree, for shapes that do not fit.
    LinAlgError
        When run on NaN or infinity.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.round(tn.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1), 12).tolist()
    [2.0, 1.0]
    """
    from tenferro_py.linalg import lstsq

    if deg < 0:
        raise ArgumentError(f"polyfit: the degree is {deg}; it must not be negative")
    points, values = asarray(x), asarray(y)
    if points.ndim != 1 or values.ndim not in (1, 2) or values.shape[0] != points.shape[0]:
        raise ShapeError(f"polyfit: x of shape {points.shape} and y of shape {values.shape} are not n places and n values")
    dtype = result_type(points, 1.0)
    points, values = asarray(points, dtype), asarray(values, result_type(values, 1.0))
    powers = _native.vander(points, deg + 1, False)
    if w is not None:
        weights = asarray(w)
        if weights.shape != points.shape:
            raise ShapeError(f"polyfit: weights have shape {weights.shape}, x has {points.shape}")
        powers = _native.multiply(powers, weights[:, None])
        values = _native.multiply(values, weights if values.ndim == 1 else weights[:, None])
    # Columns of one length, as NumPy, for a better condition.
    lengths = _native.vector_norm(powers, 2, 0, False)
    single = powers.dtype in ("float32", "complex64")
    share = length_of("polyfit", points, 0) * (2.0**-23 if single else 2.0**-52) if rcond is None else rcond
    c = lstsq(_native.divide(powers, lengths), values, rcond=share)[0]
    return _native.divide(c, lengths if c.ndim == 1 else lengths[:, None])


def roots(p: "ArrayLike", /) -> "Array":
    """The zeros of a polynomial, as eigenvalues of its companion matrix; complex.

    Parameters
    ----------
    p : array of one axis
        Leading zeros are left out, but of traced coefficients, whose first must not be 0.

    Raises
    ------
    ShapeError
        For more axes.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    A simple zero z has the derivative dz = −Σ dpₖ zⁿ⁻ᵏ / p′(z); at a multiple one there is none.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.round(tn.sort(tn.real(tn.roots([1.0, -3.0, 2.0]))), 12).tolist()
    [1.0, 2.0]
    """
    y = _coefficients("roots", p)
    y = _native.astype(y, result_type(y, 1.0))
    if not isinstance(y, _native.TracedTensor):
        present = _native.not_equal(y, 0)
        if not bool(_native.any(present)):
            return _native.full([0], False, result_type(y, 1j))
        y = y[int(_native.argmax(present)) :]
    n = length_of("roots", y, 0) - 1
    if n < 1:
        return _native.full([0], False, result_type(y, 1j))
    top = _native.reshape(_native.divide(_native.negative(y[1:]), y[0]), (1, n))
    return _native.eigvals(_native.concat([top, _native.eye(n - 1, n, 0, y.dtype)], 0), True)
