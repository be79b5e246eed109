"""A call of every function of the array API, for arrays of one dtype.

`xp` is the module under test, `x` an array of its own made by `values`; a call gives an array or
several. `CALLS` holds the functions of arrays and `MAKERS` those that only take a dtype.
"""

import numpy as np

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128")


def values(dtype, draw):
    """2 × 3 ordinary numbers: |x| < 1 unless drawn as "positive" or "above" (1); whole ones 1 … 4."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([[True, False, True], [False, False, True]])
    if kind in "iu":
        return np.array([[1, 2, 3], [4, 1, 2]], dtype)
    x = np.array([[0.25, -0.5, 0.75], [-0.125, 0.5, 0.875]])
    x = x if draw == "unit" else abs(x) + (draw == "above")
    return (x + 1j * x[::-1] if kind == "c" else x).astype(dtype)


def unary(name):
    return lambda xp, x: getattr(xp, name)(x)


def binary(name):
    return lambda xp, x: getattr(xp, name)(x, xp.flip(x, axis=1))


def along_an_axis(name):
    return lambda xp, x: getattr(xp, name)(x, axis=1)


def extension(module, name):
    return lambda xp, x: getattr(getattr(xp, module), name)(x)


def square(xp, x):
    """A well conditioned Hermitian matrix."""
    if x.dtype == xp.bool:
        return xp.logical_or(x[:, :2], xp.asarray([[True, False], [False, True]]))
    y = xp.matmul(x, xp.matrix_transpose(xp.conj(x) if "complex" in str(x.dtype) else x))
    return xp.add(y, xp.astype(xp.asarray([[4, 0], [0, 9]]), y.dtype))


def of_square(name, *args):
    return lambda xp, x: getattr(xp.linalg, name)(square(xp, x), *args)


UNARY = {
    "unit": (
        "abs acos asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan logical_not "
        "negative positive real round sign signbit sin sinh square tan tanh trunc"
    ),
    "positive": "log log10 log1p log2 reciprocal sqrt",
    "above": "acosh",
}
BINARY = {
    "unit": (
        "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign equal greater greater_equal hypot "
        "less less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal subtract"
    ),
    "positive": "divide floor_divide pow remainder",
}
ALONG_AN_AXIS = "all any argmax argmin argsort count_nonzero cumulative_prod cumulative_sum diff flip max mean min prod sort std sum var"

CALLS = {name: (unary(name), draw) for draw, names in UNARY.items() for name in names.split()}
CALLS |= {name: (binary(name), draw) for draw, names in BINARY.items() for name in names.split()}
CALLS |= {name: (along_an_axis(name), "unit") for name in ALONG_AN_AXIS.split()}


OTHERS = {
    "astype": lambda xp, x: xp.astype(x, xp.complex128),
    "broadcast_arrays": lambda xp, x: xp.broadcast_arrays(x, x[0, :]),
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, (2, 2, 3)),
    "clip": lambda xp, x: xp.clip(x, min=x[0, 0], max=x[0, 2]),
    "concat": lambda xp, x: xp.concat((x, x), axis=1),
    "empty_like": lambda xp, x: xp.multiply(xp.zeros_like(xp.empty_like(x)), 1) if x.dtype != xp.bool else xp.zeros_like(xp.empty_like(x)),
    "expand_dims": lambda xp, x: xp.expand_dims(x, axis=1),
    "from_dlpack": lambda xp, x: xp.from_dlpack(x),
    "full_like": lambda xp, x: xp.full_like(x, 1 if x.dtype != xp.bool else True),
    "matmul": lambda xp, x: xp.matmul(x, xp.matrix_transpose(x)),
    "matrix_transpose": lambda xp, x: xp.matrix_transpose(x),
    "meshgrid": lambda xp, x: xp.meshgrid(x[0, :], x[:, 0], indexing="ij"),
    "moveaxis": lambda xp, x: xp.moveaxis(x, 0, 1),
    "nonzero": lambda xp, x: xp.nonzero(x),
    "ones_like": lambda xp, x: xp.ones_like(x),
    "permute_dims": lambda xp, x: xp.permute_dims(x, (1, 0)),
    "repeat": lambda xp, x: xp.repeat(x, 2, axis=1),
    "reshape": lambda xp, x: xp.reshape(x, (3, -1)),
    "roll": lambda xp, x: xp.roll(x, 1, axis=1),
    "searchsorted": lambda xp, x: xp.searchsorted(xp.sort(x[0, :]), x[1, :], side="right"),
    "squeeze": lambda xp, x: xp.squeeze(x[None, :, :], axis=0),
    "stack": lambda xp, x: xp.stack((x, x), axis=-1),
    "take": lambda xp, x: xp.take(x, xp.asarray([2, 0]), axis=1),
    "take_along_axis": lambda xp, x: xp.take_along_axis(x, xp.asarray([[2], [0]]), axis=1),
    "tensordot": lambda xp, x: xp.tensordot(x, x, axes=((1,), (1,))),
    "tile": lambda xp, x: xp.tile(x, (2, 1)),
    "tril": lambda xp, x: xp.tril(x, k=-1),
    "triu": lambda xp, x: xp.triu(x, k=1),
    "unique_all": lambda xp, x: xp.unique_all(x),
    "unique_counts": lambda xp, x: xp.unique_counts(x),
    "unique_inverse": lambda xp, x: xp.unique_inverse(x),
    "unique_values": lambda xp, x: xp.unique_values(x),
    "unstack": lambda xp, x: xp.unstack(x, axis=1),
    "vecdot": lambda xp, x: xp.vecdot(x, x, axis=-1),
    "where": lambda xp, x: xp.where(xp.asarray([True, False, True]), x, x[0, 0]),
    "zeros_like": lambda xp, x: xp.zeros_like(x),
    "linalg.cross": lambda xp, x: xp.linalg.cross(x, xp.flip(x, axis=1)),
    "linalg.matmul": lambda xp, x: xp.linalg.matmul(x, x[0, :]),
    "linalg.matrix_transpose": lambda xp, x: xp.linalg.matrix_transpose(x),
    "linalg.outer": lambda xp, x: xp.linalg.outer(x[0, :], x[1, :]),
    "linalg.solve": lambda xp, x: xp.linalg.solve(square(xp, x), x),
    "linalg.tensordot": lambda xp, x: xp.linalg.tensordot(x, x, axes=2),
    "linalg.vecdot": lambda xp, x: xp.linalg.vecdot(x, xp.flip(x, axis=1)),
    "linalg.diagonal": lambda xp, x: xp.linalg.diagonal(xp.stack((x, x)), offset=1),
    "linalg.trace": lambda xp, x: xp.linalg.trace(xp.stack((x, x)), offset=1),
    # Of factorizations, what does not depend on the phases of vectors.
    "linalg.eigh": lambda xp, x: [xp.linalg.eigh(square(xp, x)).eigenvalues, xp.abs(xp.linalg.eigh(square(xp, x)).eigenvectors)],
    "linalg.qr": lambda xp, x: [xp.abs(y) for y in xp.linalg.qr(x)],
    "linalg.svd": lambda xp, x: [xp.abs(y) for y in xp.linalg.svd(x, full_matrices=False)],
}
CALLS |= {name: (f, "unit") for name, f in OTHERS.items()}
OF_SQUARE = "cholesky det eigvalsh inv slogdet"
OF_MATRIX = "matrix_norm matrix_rank pinv svdvals vector_norm"
TRANSFORMS = "fft ifft rfft irfft hfft ihfft fftn ifftn rfftn irfftn fftshift ifftshift"
CALLS |= {f"linalg.{name}": (of_square(name), "unit") for name in OF_SQUARE.split()}
CALLS |= {f"linalg.{name}": (extension("linalg", name), "unit") for name in OF_MATRIX.split()}
CALLS |= {f"fft.{name}": (extension("fft", name), "unit") for name in TRANSFORMS.split()}
CALLS["linalg.matrix_power"] = (of_square("matrix_power", 3), "unit")

# Functions that take a dtype and no array.
MAKERS = {
    "arange": lambda xp, dtype: xp.arange(1, 5, 2, dtype=dtype),
    "asarray": lambda xp, dtype: xp.asarray([[1, 0]], dtype=dtype),
    "empty": lambda xp, dtype: xp.zeros_like(xp.empty((2, 1), dtype=dtype)),
    "eye": lambda xp, dtype: xp.eye(2, 3, k=1, dtype=dtype),
    "full": lambda xp, dtype: xp.full((2,), True if dtype == xp.bool else 1, dtype=dtype),
    "linspace": lambda xp, dtype: xp.linspace(0, 1, 3, dtype=dtype, endpoint=False),
    "ones": lambda xp, dtype: xp.ones((2, 3), dtype=dtype),
    "zeros": lambda xp, dtype: xp.zeros(2, dtype=dtype),
    "fft.fftfreq": lambda xp, dtype: xp.fft.fftfreq(4, d=0.5, dtype=dtype),
    "fft.rfftfreq": lambda xp, dtype: xp.fft.rfftfreq(4, d=0.5, dtype=dtype),
}
# Functions of dtypes and shapes; they are tested by themselves.
ASKING = {"__array_namespace_info__", "can_cast", "finfo", "iinfo", "isdtype", "result_type"}
