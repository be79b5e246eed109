"""Special functions and those of neural networks, element by element.

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


def erf(x: "ArrayLike", /) -> "Array":
    """The error function 2/√π ∫₀ˣ e^−t² dt.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.erf([0.0]).tolist()
    [0.0]
    """
    return _native.erf(x)


def erfc(x: "ArrayLike", /) -> "Array":
    """1 − erf x, without cancellation.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.erfc([0.0]).tolist()
    [1.0]
    """
    return _native.erfc(x)


def erfinv(x: "ArrayLike", /) -> "Array":
    """The inverse of erf on −1 … 1; NaN outside.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.erfinv([0.0]).tolist()
    [0.0]
    """
    return _native.erfinv(x)


def lgamma(x: "ArrayLike", /) -> "Array":
    """log |Γ(x)|; ∞ at 0 and the negative integers.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.lgamma([1.0]).tolist()
    [0.0]
    """
    return _native.lgamma(x)


def digamma(x: "ArrayLike", /) -> "Array":
    """ψ(x), the derivative of log Γ.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> round(tn.digamma(1.0).item(), 12)
    -0.577215664902
    """
    return _native.digamma(x)


def polygamma(n: int, x: "ArrayLike", /) -> "Array":
    """ψ⁽ⁿ⁾(x), the n-th derivative of the digamma function (DLMF 5.15).

    Parameters
    ----------
    n : int, at least 0
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> round(tn.polygamma(1, 1.0).item(), 12)
    1.644934066848
    """
    return _native.polygamma(n, x)


def i0e(x: "ArrayLike", /) -> "Array":
    """I₀(x) e^−|x|, of the modified Bessel function of order 0.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.i0e([0.0]).tolist()
    [1.0]
    """
    return _native.i0e(x)


def i1e(x: "ArrayLike", /) -> "Array":
    """I₁(x) e^−|x|, of the modified Bessel function of order 1.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.i1e([0.0]).tolist()
    [0.0]
    """
    return _native.i1e(x)


def sigmoid(x: "ArrayLike", /) -> "Array":
    """1/(1 + e⁻ˣ).

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sigmoid([0.0]).tolist()
    [0.5]
    """
    return _native.sigmoid(x)


def log_sigmoid(x: "ArrayLike", /) -> "Array":
    """log(1/(1 + e⁻ˣ)).

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.log_sigmoid([float("inf")]).tolist()
    [-0.0]
    """
    return _native.log_sigmoid(x)


def softplus(x: "ArrayLike", /) -> "Array":
    """log(1 + eˣ).

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.softplus([-float("inf")]).tolist()
    [0.0]
    """
    return _native.softplus(x)


def relu(x: "ArrayLike", /) -> "Array":
    """x above 0, else 0. The derivative at 0 is 0.

    Parameters
    ----------
    x : array, any shape; any real number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.relu([-1.0, 2.0]).tolist()
    [0.0, 2.0]
    """
    return _native.relu(x)


def silu(x: "ArrayLike", /) -> "Array":
    """x/(1 + e⁻ˣ), also called swish.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.silu([0.0]).tolist()
    [0.0]
    """
    return _native.silu(x)


def gelu(x: "ArrayLike", /, approximate: bool = True) -> "Array":
    """x Φ(x), Φ the normal distribution function.

    Parameters
    ----------
    x : array, any shape; real floating; integers and bool become floats
    approximate : bool
        By tanh (Hendrycks and Gimpel, 2016), as JAX's default; else by erf.

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.gelu([0.0]).tolist()
    [0.0]
    """
    return _native.gelu(x, approximate)
