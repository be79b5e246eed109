"""What differs from the array API 2024.12, and why. Every difference stands here once.

A row is (what differs, the reason, where): `name(a b)` stands for a and b of `name`.
"""

TRANSFORMS = "fft.fft({0}) fft.ifft({0}) fft.rfft({0}) fft.irfft({0}) fft.hfft({0}) fft.ihfft({0})"
TRANSFORMS_ND = "fft.fftn({0}) fft.ifftn({0}) fft.rfftn({0}) fft.irfftn({0})"

# Names of the standard that tn lacks.
MISSING = ()

# A call that the standard allows means the same in tn, but for the defaults in the last rows.
PARAMETERS = [
    (
        "also by position",
        "NumPy's functions take it so, and programs are written so: sum(x, 0)",
        "all(axis) any(axis) argmax(axis) argmin(axis) argsort(axis) count_nonzero(axis) diff(n) flip(axis) max(axis) mean(axis) min(axis) "
        "prod(axis dtype) repeat(axis) roll(axis) sort(axis) stack(axis) std(axis) sum(axis dtype) take(axis) take_along_axis(axis) var(axis) "
        "concat(axis) searchsorted(side sorter) tensordot(axes) tril(k) triu(k) linalg.qr(mode) linalg.svd(full_matrices) "
        "linalg.tensordot(axes)",
    ),
    (
        "also by position",
        "NumPy's constructors take it so: zeros(3, int)",
        "arange(dtype) asarray(dtype) empty(dtype) empty_like(dtype) eye(dtype k) full(dtype) full_like(dtype) linspace(dtype endpoint) "
        "ones(dtype) ones_like(dtype) zeros(dtype) zeros_like(dtype)",
    ),
    (
        "also by position",
        "NumPy's transforms take it so: fft(x, 8)",
        TRANSFORMS.format("axis n norm") + TRANSFORMS_ND.format("axes norm s") + "fft.fftfreq(d) fft.rfftfreq(d) fft.fftshift(axes) "
        "fft.ifftshift(axes)",
    ),
    ("also by name", "NumPy's name, or that of the standard's text", "moveaxis(destination source) repeat(repeats) tile(repetitions)"),
    ("may be left out", "NumPy's default", "linspace(num) squeeze(axis)"),
    ("may be left out", "the default of the standard's text, which array-api-strict does not have", "expand_dims(axis)"),
    ("may be left out", "where(condition) is nonzero(condition), as in NumPy", "where(x1 x2)"),
    (
        "in addition",
        "NumPy's",
        "all(where) any(where) argsort(kind) linspace(axis retstep) max(initial where) mean(dtype where) meshgrid(sparse) min(initial where) "
        "prod(initial where) reshape(order) round(decimals) sort(kind) std(ddof dtype where) sum(initial where) take(mode) "
        "var(ddof dtype where) linalg.eigh(UPLO) linalg.eigvalsh(UPLO) linalg.svd(compute_uv)",
    ),
    (
        "in addition",
        "SciPy's: False lets NaN and infinities through",
        "linalg.cholesky(check_finite) linalg.eigh(check_finite) linalg.eigvalsh(check_finite) linalg.inv(check_finite) "
        "linalg.qr(check_finite) linalg.solve(check_finite)",
    ),
    ("in addition", "the length of the result, which a traced tensor must be told", "nonzero(fill_value size)"),
    (
        "in addition",
        "what the derivative is where singular values meet, and whether a slice makes a truncated one",
        "linalg.svd(degeneracy gap narrow)",
    ),
    ("by default None for 'backward'", "NumPy's default; None is 'backward'", TRANSFORMS.format("norm") + TRANSFORMS_ND.format("norm")),
]

IN_PLACE = (
    "__iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __ior__ __ipow__ __irshift__ __isub__ __itruediv__ __ixor__"
)
IN_ALL = "Tensor({0}) TracedTensor({0}) EagerTensor({0})"

# Members of arrays.
MEMBERS = [
    ("missing", "arrays do not change; x.at[i].set(y) gives a changed copy", IN_ALL.format("__setitem__")),
    ("missing", "arrays do not change; without it Python takes x += y as x = x + y", IN_ALL.format(IN_PLACE)),
    ("missing", "no elements yet", "TracedTensor(__dlpack__ __dlpack_device__)"),
    ("missing", "a derivative would be lost; detach() says that this is meant", "EagerTensor(__dlpack__ __dlpack_device__)"),
]

COMPLEX = "(complex64 complex128)"

# No dtype of the standard is refused, and no result differs; outside, NumPy is followed but here.
DTYPES = [
    (
        "refused as by the standard, not by NumPy",
        "complex numbers have no order; NumPy compares real, then imaginary parts, which has no derivative",
        f"clip{COMPLEX} greater{COMPLEX} greater_equal{COMPLEX} less{COMPLEX} less_equal{COMPLEX} max{COMPLEX} maximum{COMPLEX} min{COMPLEX} "
        f"minimum{COMPLEX}",
    ),
    ("refused as by the standard, not by NumPy", "bool has no bounds to speak of", "clip(bool)"),
]


def _each(names, categories):
    return " ".join(f"{name}({categories})" for name in names.split())


# What is taken beyond the standard, always with NumPy.
BEYOND = [
    (
        "taken",
        "bool counts as 0 and 1, or has an order, as in NumPy",
        _each(
            "abs add bitwise_left_shift bitwise_right_shift ceil conj cumulative_prod cumulative_sum diff floor floor_divide greater "
            "greater_equal isfinite isinf isnan less less_equal linalg.outer linalg.trace max maximum min minimum multiply pow prod real "
            "remainder round square sum trunc",
            "bool",
        ),
    ),
    (
        "taken",
        "whole numbers become floats, as in NumPy",
        _each(
            "acos acosh asin asinh atan atan2 atanh copysign cos cosh divide exp expm1 hypot log log10 log1p log2 logaddexp mean nextafter "
            "reciprocal signbit sin sinh sqrt tan tanh",
            "bool integer",
        ),
    ),
    (
        "taken",
        "whole numbers become float64, as in NumPy",
        _each(
            "linalg.cholesky linalg.det linalg.eigh linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.pinv linalg.qr linalg.slogdet "
            "linalg.solve linalg.svd linalg.svdvals linalg.vector_norm",
            "bool integer",
        ),
    ),
    (
        "taken",
        "a product of bools is whether some pair holds, as in NumPy",
        _each("matmul tensordot vecdot linalg.matmul linalg.tensordot linalg.vecdot", "bool"),
    ),
    ("taken", "powers of whole matrices are exact, as in NumPy", "linalg.matrix_power(bool integer)"),
    (
        "taken",
        "what is not complex becomes so, as in NumPy",
        _each("fft.fft fft.fftn fft.hfft fft.ifft fft.ifftn fft.irfft fft.irfftn", "bool integer real"),
    ),
    (
        "taken",
        "whole numbers become float64, or are only moved, as in NumPy",
        _each("fft.ihfft fft.rfft fft.rfftn fft.fftshift fft.ifftshift", "bool integer"),
    ),
    ("taken", "0, as in NumPy", "imag(bool integer real)"),
    ("taken", "a number is true unless 0, as in NumPy", _each("logical_and logical_not logical_or logical_xor", "integer real complex")),
    ("taken", "sorted by real, then imaginary part, as in NumPy", _each("argmax argmin argsort searchsorted sort", "bool complex")),
    (
        "taken",
        "whole numbers become float64; the variance of complex ones is E|x − Ex|², as in NumPy",
        _each("std var", "bool integer complex"),
    ),
]

SMALL = "bool int8 uint8"

# Where, beyond the standard, NumPy's result is another: "ours for NumPy's".
UNLIKE_NUMPY = [
    (
        "float32 for float16",
        "there is no float16",
        _each(
            "acos acosh asin asinh atan atan2 atanh copysign cos cosh exp expm1 hypot log log10 log1p log2 logaddexp nextafter sin sinh sqrt tan tanh",
            SMALL,
        ),
    ),
    ("bool for float16", "a bool is rounded already", "round(bool)"),
    ("bool for int8", "what has no other value needs no other dtype", "conj(bool) square(bool)"),
    ("float32 for int8", "1/2 is not 0", "reciprocal(bool int8)"),
    ("float32 for uint8", "1/2 is not 0", "reciprocal(uint8)"),
    ("float32 for int16", "1/2 is not 0", "reciprocal(int16)"),
    ("float32 for uint16", "1/2 is not 0", "reciprocal(uint16)"),
    ("float64 for int32", "1/2 is not 0", "reciprocal(int32)"),
    ("float64 for uint32", "1/2 is not 0", "reciprocal(uint32)"),
    ("float64 for int64", "1/2 is not 0", "reciprocal(int64)"),
    ("float64 for uint64", "1/2 is not 0", "reciprocal(uint64)"),
]

UNSIGNED = "uint8 uint16 uint32 uint64"
FLOATING = "float32 float64 complex64 complex128"

# Dtypes that meet in another, where the standard leaves it open.
PROMOTION = [
    ("meet", "bool is the lowest dtype, as in NumPy", f"bool(int8 int16 int32 int64 {UNSIGNED} {FLOATING})"),
    (
        "meet",
        "in a float that holds both, or float64, as in NumPy",
        _each(f"int8 int16 int32 int64 {UNSIGNED}", FLOATING),
    ),
    ("meet", "in float64, as in NumPy", _each("int8 int16 int32 int64", "uint64")),
]
