"""Dtypes and how they meet: promotion, casts, kinds, and the limits of numbers.

Promotion is NumPy 2's: Python numbers are weak and take the dtype of the array they meet.
"""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError, DTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import DType

    DTypeLike = Any
    Kind = str | DType | tuple["Kind", ...]

_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def is_weak(x: "Any") -> bool:
    """Whether x is a Python number, which takes the dtype of the array it meets; bool counts as an array."""
    return type(x) in (int, float, complex)


def common_type(*xs: "Any") -> "DType":
    """The `result_type` of array-likes of any kind and Python numbers."""
    return result_type(*(x if is_weak(x) else asarray(x) for x in xs))


def _dtype_of(x: "Any") -> "DType":
    """The dtype of an array, or the one that is named."""
    if isinstance(x, (list, tuple)):
        return _native.Tensor(x).dtype
    return _native.DType(x.dtype if hasattr(x, "dtype") and not isinstance(x, type) else x)


def _common(x: "DType", y: "DType") -> "DType":
    return x if x == y else _native.concat([_native.full([0], False, d) for d in (x, y)], 0).dtype


def result_type(*arrays_and_dtypes: "Any") -> "DType":
    """The dtype in which arrays, dtypes and Python numbers meet.

    Parameters
    ----------
    arrays_and_dtypes : arrays, dtypes, Python numbers; at least one

    Raises
    ------
    ArgumentError
        For nothing.
    DTypeError
        For what has no dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.result_type(tn.int32, tn.float32, 1j)
    dtype('complex128')
    """
    if not arrays_and_dtypes:
        raise ArgumentError("result_type: nothing was given")
    weak = [x for x in arrays_and_dtypes if is_weak(x)]
    strong = [_native.DType("bool") if type(x) is bool else _dtype_of(x) for x in arrays_and_dtypes if not is_weak(x)]
    if not strong:
        return max((_native.DType(type(x)) for x in weak), key=lambda d: "ifc".index(d.kind))
    # The highest kind first, as NumPy: int16 and uint16 beside float32 do not meet in int32.
    strong.sort(key=lambda d: "buifc".index(d.kind), reverse=True)
    out = strong[0]
    for d in strong[1:]:
        out = _common(out, d)
    for x in weak:
        out = _native.add(_native.full([0], False, out), type(x)(0)).dtype
    return out


def can_cast(from_: "Any", to: "DTypeLike", /) -> bool:
    """Whether every number of a dtype stands in another without loss, as NumPy's safe casts count it.

    Parameters
    ----------
    from_ : array or dtype
    to : dtype

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.can_cast(tn.int32, tn.float64), tn.can_cast(tn.float64, tn.float32)
    (True, False)
    """
    source, target = _dtype_of(from_), _native.DType(to)
    return _common(source, target) == target


def isdtype(dtype: "DTypeLike", kind: "Kind") -> bool:
    """Whether a dtype is of a kind.

    Parameters
    ----------
    dtype : dtype
    kind : str, dtype, or tuple of these
        "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
        "numeric"; a dtype is the kind of itself; of a tuple, one is enough.

    Raises
    ------
    ArgumentError
        For another kind.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.isdtype(tn.float32, "real floating"), tn.isdtype(tn.int8, ("bool", tn.int16))
    (True, False)
    """
    d = _native.DType(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(d, k) for k in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return d.kind in _KINDS[kind]
    try:
        return d == _native.DType(kind)
    except DTypeError:
        raise ArgumentError(f"isdtype: {kind!r} is not a dtype, nor one of {', '.join(_KINDS)}") from None


class finfo:
    """The limits of a floating dtype, those of the parts for a complex one.

    Parameters
    ----------
    type : floating or complex dtype, or an array of one

    Attributes
    ----------
    bits : int
    eps : float
        The distance from 1 to the next number.
    max, min : float
        The largest number and its negative.
    smallest_normal, tiny : float
        Two names of the smallest positive number of full precision.
    dtype : DType
        The real dtype.

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.finfo(tn.complex64).eps
    1.1920928955078125e-07
    """

    __module__ = "tenferro_py"
    __slots__ = ("bits", "dtype", "eps", "max", "min", "smallest_normal", "tiny")

    def __init__(self, type: "Any", /) -> None:
        d = _dtype_of(type)
        if d.kind not in "fc":
            raise DTypeError(f"finfo: {d} is not a floating dtype")
        self.bits = 4 * d.itemsize if d.kind == "c" else 8 * d.itemsize
        self.dtype = _native.DType(f"float{self.bits}")
        digits, exponent = (23, 127) if self.bits == 32 else (52, 1023)
        self.eps = 2.0**-digits
        self.max = (2.0 - self.eps) * 2.0**exponent
        self.min = -self.max
        self.smallest_normal = self.tiny = 2.0 ** (1 - exponent)

    def __repr__(self) -> str:
        return f"finfo({self.dtype}, eps={self.eps}, max={self.max}, smallest_normal={self.smallest_normal})"


class iinfo:
    """The limits of an integer dtype.

    Parameters
    ----------
    type : integer dtype, or an array of one

    Attributes
    ----------
    bits, max, min : int
    dtype : DType

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.iinfo(tn.int8).max
    127
    """

    __module__ = "tenferro_py"
    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, type: "Any", /) -> None:
        d = _dtype_of(type)
        if d.kind not in "iu":
            raise DTypeError(f"iinfo: {d} is not an integer dtype")
        self.dtype, self.bits = d, 8 * d.itemsize
        signed = d.kind == "i"
        self.max = 2 ** (self.bits - signed) - 1
        self.min = -(2 ** (self.bits - 1)) if signed else 0

    def __repr__(self) -> str:
        return f"iinfo({self.dtype}, min={self.min}, max={self.max})"
