"""Functions of arrays, named as in the array API and NumPy.

Each takes tensors, traced tensors, eager tensors and array-likes, and gives the kind
it was given. Shapes broadcast and dtypes promote as in NumPy 2; Python numbers take
the dtype of the array they meet.
"""

from tenferro_py import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array

    ArrayLike = Any
    Axis = int | Sequence[int] | None


def negative(x: "ArrayLike", /) -> "Array":
    """−x, element by element.

    Parameters
    ----------
    x : array, any shape; int64, floating or complex

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.negative([1.0, -2.0]).tolist()
    [-1.0, 2.0]
    """
    return _native.negative(x)


def abs(x: "ArrayLike", /) -> "Array":
    """|x|, element by element; real for complex x. The derivative at 0 is 0.

    Parameters
    ----------
    x : array, any shape; int64, floating or complex

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.abs([3 + 4j]).tolist()
    [5.0]
    """
    return _native.abs(x)


def conj(x: "ArrayLike", /) -> "Array":
    """The complex conjugate; x itself where it is real.

    Parameters
    ----------
    x : array, any shape; any number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.conj([1 + 2j]).tolist()
    [(1-2j)]
    """
    return _native.conj(x)


def real(x: "ArrayLike", /) -> "Array":
    """The real part; x itself where it is real.

    Parameters
    ----------
    x : array, any shape; any number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.real([1 + 2j]).tolist()
    [1.0]
    """
    return _native.real(x)


def imag(x: "ArrayLike", /) -> "Array":
    """The imaginary part; zeros where x is real.

    Parameters
    ----------
    x : array, any shape; any number dtype

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.imag([1 + 2j]).tolist()
    [2.0]
    """
    return _native.imag(x)


def sin(x: "ArrayLike", /) -> "Array":
    """sin x, x in radians; below 1 ulp over the whole range.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sin([0.0]).tolist()
    [0.0]
    """
    return _native.sin(x)


def cos(x: "ArrayLike", /) -> "Array":
    """cos x, x in radians; below 1 ulp over the whole range.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cos([0.0]).tolist()
    [1.0]
    """
    return _native.cos(x)


def exp(x: "ArrayLike", /) -> "Array":
    """eˣ, element by element.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.exp([0.0]).tolist()
    [1.0]
    """
    return _native.exp(x)


def log(x: "ArrayLike", /) -> "Array":
    """The natural logarithm; NaN below 0 for real x, the principal branch for complex x.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.log([1.0]).tolist()
    [0.0]
    """
    return _native.log(x)


def sqrt(x: "ArrayLike", /) -> "Array":
    """√x; NaN below 0 for real x, the principal branch for complex x. The derivative at 0 is infinite.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sqrt([4.0]).tolist()
    [2.0]
    """
    return _native.sqrt(x)


def square(x: "ArrayLike", /) -> "Array":
    """x², element by element.

    Parameters
    ----------
    x : array, any shape; int64, floating or complex

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.square([3.0]).tolist()
    [9.0]
    """
    return _native.square(x)


def sinh(x: "ArrayLike", /) -> "Array":
    """(eˣ − e⁻ˣ)/2; below |x| = 1 by its series, which does not cancel.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sinh([0.0]).tolist()
    [0.0]
    """
    return _native.sinh(x)


def cosh(x: "ArrayLike", /) -> "Array":
    """(eˣ + e⁻ˣ)/2, element by element.

    Parameters
    ----------
    x : array, any shape; floating or complex; int64 becomes float64

    Raises
    ------
    DTypeError
        For another dtype.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.cosh([0.0]).tolist()
    [1.0]
    """
    return _native.cosh(x)


def add(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x + y.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.add([1.0, 2.0], 1).tolist()
    [2.0, 3.0]
    """
    return _native.add(x, y)


def subtract(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x − y.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.subtract([1.0, 2.0], 1).tolist()
    [0.0, 1.0]
    """
    return _native.subtract(x, y)


def multiply(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x y.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.multiply([1.0, 2.0], 2).tolist()
    [2.0, 4.0]
    """
    return _native.multiply(x, y)


def divide(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x / y; integers are divided as float64.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.divide([1.0, 2.0], 2).tolist()
    [0.5, 1.0]
    """
    return _native.divide(x, y)


def maximum(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The larger of x and y, NaN if one is NaN. At a tie each gets half the derivative.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.maximum([1.0, 2.0], 1.5).tolist()
    [1.5, 2.0]
    """
    return _native.maximum(x, y)


def equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x = y, as bool.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.equal([1, 2], 2).tolist()
    [False, True]
    """
    return _native.equal(x, y)


def not_equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x ≠ y, as bool.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.not_equal([1, 2], 2).tolist()
    [True, False]
    """
    return _native.not_equal(x, y)


def less(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x < y, as bool; complex numbers have no order.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.less([1, 2], 2).tolist()
    [True, False]
    """
    return _native.less(x, y)


def less_equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x ≤ y, as bool; complex numbers have no order.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.less_equal([1, 2], 2).tolist()
    [True, True]
    """
    return _native.less_equal(x, y)


def greater(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x > y, as bool; complex numbers have no order.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.greater([1, 2], 1).tolist()
    [False, True]
    """
    return _native.greater(x, y)


def greater_equal(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """Whether x ≥ y, as bool; complex numbers have no order.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    DTypeError
        For a dtype that the operation does not take.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.greater_equal([1, 2], 2).tolist()
    [False, True]
    """
    return _native.greater_equal(x, y)


def sum(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The sum over axes, all if None; of no elements, 0.

    Parameters
    ----------
    axis : int, tuple of int, or None
        Counted from the end where negative.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.sum([[1.0, 2.0], [3.0, 4.0]], axis=0).tolist()
    [4.0, 6.0]
    """
    return _native.sum(x, axis, keepdims)


def max(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The largest element over axes, NaN if one is NaN. Ties share the derivative equally.

    Parameters
    ----------
    axis : int, tuple of int, or None
        Counted from the end where negative.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.max([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [2.0, 4.0]
    """
    return _native.max(x, axis, keepdims)


def mean(x: "ArrayLike", /, axis: "Axis" = None, *, keepdims: bool = False) -> "Array":
    """The mean over axes; integers are averaged in float64.

    Parameters
    ----------
    axis : int, tuple of int, or None
        Counted from the end where negative.
    keepdims : bool
        Whether reduced axes stay with length 1.

    Raises
    ------
    AxisError
        For an axis out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.mean([[1.0, 2.0], [3.0, 4.0]], axis=0).tolist()
    [2.0, 3.0]
    """
    return _native.mean(x, axis, keepdims)


def where(condition: "ArrayLike", x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """x where the condition (bool) holds, else y; all three broadcast.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.where([True, False], 1.0, [5.0, 6.0]).tolist()
    [1.0, 6.0]
    """
    return _native.where(condition, x, y)


def astype(x: "ArrayLike", dtype: "Any", /) -> "Array":
    """x in another dtype. Complex to real keeps the real part; to bool is x ≠ 0.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.astype([1.5, 0.0], "int64").tolist()
    [1, 0]
    """
    return _native.astype(x, dtype)


def reshape(x: "ArrayLike", /, shape: "int | Sequence[int]") -> "Array":
    """The elements in C order under another shape; one length may be −1.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.reshape([1.0, 2.0, 3.0, 4.0], (2, -1)).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _native.reshape(x, shape)


def permute_dims(x: "ArrayLike", /, axes: "Sequence[int]") -> "Array":
    """Axes in another order: axis i of the result is axis axes[i] of x.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.permute_dims([[1.0, 2.0], [3.0, 4.0]], (1, 0)).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _native.permute_dims(x, list(axes))


def matrix_transpose(x: "ArrayLike", /) -> "Array":
    """The last two axes exchanged.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.matrix_transpose([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _native.matrix_transpose(x)


def broadcast_to(x: "ArrayLike", /, shape: "Sequence[int]") -> "Array":
    """x repeated to a shape; axes are aligned at the end.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.broadcast_to([1.0, 2.0], (2, 2)).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    return _native.broadcast_to(x, list(shape))


def concat(arrays: "Sequence[ArrayLike]", /, *, axis: int = 0) -> "Array":
    """Arrays joined along an axis that they have.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.concat([[1.0], [2.0, 3.0]]).tolist()
    [1.0, 2.0, 3.0]
    """
    return _native.concat(list(arrays), axis)


def stack(arrays: "Sequence[ArrayLike]", /, *, axis: int = 0) -> "Array":
    """Arrays of one shape joined along a new axis.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.stack([[1.0, 2.0], [3.0, 4.0]], axis=1).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _native.stack(list(arrays), axis)


def pad(x: "ArrayLike", pad_width: "int | Sequence[Any]", /, *, constant_values: "ArrayLike" = 0) -> "Array":
    """x with elements of a constant around it.

    Parameters
    ----------
    pad_width : int, (before, after), or one such pair per axis

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.pad([1.0], (1, 2)).tolist()
    [0.0, 1.0, 0.0, 0.0]
    """
    ndim = x.ndim if isinstance(x, _native.Array) else _native.Tensor(x).ndim
    if isinstance(pad_width, int):
        widths = [(pad_width, pad_width)] * ndim
    elif len(pad_width) == 2 and all(isinstance(w, int) for w in pad_width):
        widths = [(pad_width[0], pad_width[1])] * ndim
    else:
        widths = [(w[0], w[1]) for w in pad_width]
    return _native.pad(x, widths, constant_values)


def matmul(x: "ArrayLike", y: "ArrayLike", /) -> "Array":
    """The matrix product over the last two axes; leading axes broadcast.

    A 1-D argument is a row on the left and a column on the right.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.matmul([[1.0, 2.0]], [3.0, 4.0]).tolist()
    [11.0]
    """
    return _native.matmul(x, y)


def dot_general(
    x: "ArrayLike",
    y: "ArrayLike",
    /,
    *,
    contract: "tuple[Sequence[int], Sequence[int]]",
    batch: "tuple[Sequence[int], Sequence[int]]" = ((), ()),
) -> "Array":
    """Sum of products over contracted axes, with batch axes.

    Parameters
    ----------
    contract, batch : pairs of axis lists
        Axes of x and the axes of y that they meet. Axes of the result: batch, the
        others of x, the others of y.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.dot_general([1.0, 2.0], [3.0, 4.0], contract=([0], [0])).tolist()
    11.0
    """
    return _native.dot_general(x, y, (list(contract[0]), list(contract[1])), (list(batch[0]), list(batch[1])))


def einsum(subscripts: str, /, *operands: "ArrayLike") -> "Array":
    """Einstein summation, contracted from left to right.

    A letter twice in one operand takes the diagonal; without ``->`` the result has
    the letters that occur once, in alphabetic order.

    Raises
    ------
    ShapeError
        If a letter has two sizes.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.einsum("ij,j->i", [[1.0, 2.0]], [3.0, 4.0]).tolist()
    [11.0]
    """
    return _native.einsum(subscripts, *operands)


def stop_gradient(x: "ArrayLike", /) -> "Array":
    """x as a constant of differentiation.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> float(tn.grad(lambda x: x * tn.stop_gradient(x))(3.0))
    3.0
    """
    return _native.stop_gradient(x)
