"""Arrays of one number or two.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Dtypes promote as in NumPy 2; Python numbers take the dtype of the array
they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray, listed
from tenferro_py._namespace import check_device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any


def zeros(shape: "int | Sequence[int]", dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Zeros.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype or None, float64
    device : "cpu" or None

    Raises
    ------
    OutOfMemoryError
        For more elements than fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.zeros(2).tolist()
    [0.0, 0.0]
    """
    check_device("zeros", device)
    return _native.full(listed(shape), False, dtype or "float64")


def ones(shape: "int | Sequence[int]", dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Ones.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype or None, float64
    device : "cpu" or None

    Raises
    ------
    OutOfMemoryError
        For more elements than fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.ones(2).tolist()
    [1.0, 1.0]
    """
    check_device("ones", device)
    return _native.full(listed(shape), True, dtype or "float64")


def empty(shape: "int | Sequence[int]", dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Zeros: tensors do not change, so that there is nothing to fill in later.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype or None, float64
    device : "cpu" or None

    Raises
    ------
    OutOfMemoryError
        For more elements than fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.empty(2).tolist()
    [0.0, 0.0]
    """
    check_device("empty", device)
    return _native.full(listed(shape), False, dtype or "float64")


def full(shape: "int | Sequence[int]", fill_value: "ArrayLike", dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """One number everywhere, or an array broadcast.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : number or array
    dtype : dtype or None, the fill's
    device : "cpu" or None

    Raises
    ------
    DTypeError, ArgumentError
        For a number that the dtype does not hold.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.full((1, 2), 5).tolist()
    [[5, 5]]
    """
    check_device("full", device)
    if type(fill_value) in (bool, int, float, complex):
        return _native.full(listed(shape), fill_value, dtype)
    fill_value = asarray(fill_value, dtype)
    return _native.broadcast_to(fill_value, listed(shape))


def zeros_like(x: "ArrayLike", /, dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Zeros in the shape of x.

    Parameters
    ----------
    x : array, symbolic sizes too
    dtype : dtype or None, x's
    device : "cpu" or None

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.zeros_like([1.5]).tolist()
    [0.0]
    """
    check_device("zeros_like", device)
    return _native.full_like(x, False, dtype)


def ones_like(x: "ArrayLike", /, dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Ones in the shape of x.

    Parameters
    ----------
    x : array, symbolic sizes too
    dtype : dtype or None, x's
    device : "cpu" or None

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.ones_like([1.5]).tolist()
    [1.0]
    """
    check_device("ones_like", device)
    return _native.full_like(x, True, dtype)


def empty_like(x: "ArrayLike", /, dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Zeros in the shape of x.

    Parameters
    ----------
    x : array, symbolic sizes too
    dtype : dtype or None, x's
    device : "cpu" or None

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.empty_like([1.5]).tolist()
    [0.0]
    """
    check_device("empty_like", device)
    return _native.full_like(x, False, dtype)


def full_like(x: "ArrayLike", /, fill_value: "ArrayLike", dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """One number in the shape of x, or an array broadcast to it.

    Parameters
    ----------
    x : array, symbolic sizes too
    fill_value : number or array
    dtype : dtype or None, x's
    device : "cpu" or None

    Raises
    ------
    DTypeError, ArgumentError
        For a number that the dtype does not hold.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.full_like([1.5], 2).tolist()
    [2.0]
    """
    check_device("full_like", device)
    if type(fill_value) in (bool, int, float, complex):
        return _native.full_like(x, fill_value, dtype)
    x = asarray(x)
    return _native.broadcast_to(asarray(fill_value, dtype or x.dtype), x.shape)


def eye(n_rows: int, n_cols: "int | None" = None, /, k: int = 0, dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Ones on the k-th diagonal of a matrix of zeros.

    Parameters
    ----------
    n_rows : int
    n_cols : int or None, as many as rows
    k : int, above the main diagonal if positive
    dtype : dtype or None, float64
    device : "cpu" or None

    Raises
    ------
    OutOfMemoryError
        For more elements than fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.eye(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    check_device("eye", device)
    return _native.eye(n_rows, n_rows if n_cols is None else n_cols, k, dtype or "float64")


def tri(n_rows: int, n_cols: "int | None" = None, /, k: int = 0, dtype: "Any" = None, *, device: "str | None" = None) -> "Array":
    """Ones on and below the k-th diagonal of a matrix of zeros.

    Parameters
    ----------
    n_rows : int
    n_cols : int or None, as many as rows
    k : int, above the main diagonal if positive
    dtype : dtype or None, float64
    device : "cpu" or None

    Raises
    ------
    OutOfMemoryError
        For more elements than fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.tri(2).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    check_device("tri", device)
    return _native.tri(n_rows, n_rows if n_cols is None else n_cols, k, dtype or "float64")


def identity(n: int, /, dtype: "Any" = None) -> "Array":
    """The n × n matrix with ones on the diagonal.

    Parameters
    ----------
    n : int
    dtype : dtype or None, float64

    Raises
    ------
    OutOfMemoryError
        For more elements than fit.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.identity(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return _native.eye(n, n, 0, dtype or "float64")


def array(x: "ArrayLike", /, dtype: "Any" = None, *, copy: "bool | None" = True) -> "Array":
    """x as an array of its own, as NumPy's `array`; `asarray` does not copy what is one already.

    Parameters
    ----------
    x : array, number or nested list of these
    dtype : dtype or None
        None keeps the dtype, or takes the one that NumPy gives lists and numbers.
    copy : bool or None
        As in `asarray`.

    Raises
    ------
    ArgumentError
        If a copy is needed and `copy` is False.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.array([1, 2], dtype=tn.float64).tolist()
    [1.0, 2.0]
    """
    return asarray(x, dtype, copy=copy)
