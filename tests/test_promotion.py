"""Dtypes of results for all pairs of dtypes, Python numbers, NumPy scalars and 0-d arrays, as NumPy 2 has them."""

import operator

import numpy as np
import pytest
from draws import ALL, INTEGERS
from special_references import BINARY

import tenferro_py as tn

KINDS = "biufc"
NAMES = {"atan2": "arctan2", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift", "pow": "power"}


def kind(dtype):
    return np.dtype(dtype).kind


def no_half(dtype):
    """tn has no float16; float32 stands in its place."""
    return np.dtype("float32") if dtype == "float16" else np.dtype(dtype)


def float_result(*dtypes):
    """What NumPy's functions of floats make of two dtypes."""
    return no_half(np.hypot.resolve_dtypes((*(np.dtype(d) for d in dtypes), None))[-1])


def complex_result(a, b):
    return np.result_type(float_result(a, b), "complex64")


def xlogy_result(a, b):
    return np.result_type(a, b) if "c" in (kind(a), kind(b)) else float_result(a, b)


# Not ufuncs of NumPy.
OTHER = {"complex": complex_result, "isclose": lambda a, b: np.dtype(bool), "xlogy": xlogy_result}


def wanted(name, a, b):
    """NumPy's dtype, or None if the pair is refused."""
    common = np.result_type(a, b)
    if common.kind not in BINARY[name].kinds or {kind(a), kind(b)} - set(BINARY[name].kinds) - {"b"}:
        return None
    if name in OTHER:
        return OTHER[name](a, b)
    try:
        return no_half(getattr(np, NAMES.get(name, name)).resolve_dtypes((np.dtype(a), np.dtype(b), None))[-1])
    except TypeError:
        return None


def front_ends(a):
    yield tn.Tensor(a)
    yield tn.EagerRuntime().variable_from(a) if a.dtype.kind in "fc" else tn.EagerRuntime().constant_from(a)
    yield tn.TracedTensor.input(str(a.dtype), a.shape)


def check(f, arrays, want, where=""):
    """The dtype of f, or its refusal, in all three front ends."""
    for arguments in zip(*(front_ends(a) for a in arrays), strict=True):
        if want is None:
            with pytest.raises(tn.DTypeError):
                f(*arguments)
        else:
            got = f(*arguments)
            assert np.dtype(str(got.dtype)) == want, f"{where} {type(got).__name__}: {got.dtype}, wanted {want}"


@pytest.mark.parametrize("a", ALL)
@pytest.mark.parametrize("name", BINARY)
def test_functions(name, a):
    for b in ALL:
        check(getattr(tn, name), [np.ones(2, a), np.ones(2, b)], wanted(name, a, b), b)


OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "pow": operator.pow,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_left_shift": operator.lshift,
    "bitwise_right_shift": operator.rshift,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


@pytest.mark.parametrize("a", ALL)
@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name, a):
    """Also with an ndarray on either side."""
    f = OPERATORS[name]
    for b in ALL:
        x, y, want = np.ones(2, a), np.ones(2, b), wanted(name, a, b)
        check(f, [x, y], want, b)
        if want is not None:
            assert f(x, tn.Tensor(y)).dtype == want
            assert f(tn.Tensor(x), y).dtype == want


SCALARS = [True, 2, 2.5, 2j]


def scalar_wanted(name, arguments):
    """NumPy's dtype for an array and a Python number, in either order."""
    kinds = ["b" if v is True else {int: "i", float: "f", complex: "c"}[type(v)] if np.isscalar(v) else v.dtype.kind for v in arguments]
    if max(kinds, key=lambda k: KINDS.index(k)) not in BINARY[name].kinds:
        return None
    try:
        return no_half(np.asarray(getattr(np, NAMES.get(name, name))(*arguments)).dtype)
    except TypeError:
        return None


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", sorted(set(BINARY) - set(OTHER)))
def test_python_numbers_are_weak(name, dtype):
    x = np.ones(2, dtype)
    for value in SCALARS:
        want = scalar_wanted(name, [x, value])
        check(lambda t, v=value: getattr(tn, name)(t, v), [x], want, f"{value} right")
        if name in OPERATORS:
            check(lambda t, v=value: OPERATORS[name](t, v), [x], want, f"{value} right")
        want = scalar_wanted(name, [value, x])
        check(lambda t, v=value: getattr(tn, name)(v, t), [x], want, f"{value} left")
        if name in OPERATORS and name not in COMPARISONS:
            check(lambda t, v=value: OPERATORS[name](v, t), [x], want, f"{value} left")


@pytest.mark.parametrize("dtype", ALL)
def test_python_numbers_are_weak_in_where_and_clip(dtype):
    x, mask = np.ones(2, dtype), np.array([True, False])
    for value in SCALARS:
        want = np.add(x, value).dtype
        check(lambda t, v=value: tn.where(mask, t, v), [x], want, value)
        check(lambda t, v=value: tn.where(mask, v, t), [x], want, value)
        if want.kind not in "bc":
            check(lambda t, v=value: tn.clip(t, v), [x], want, value)


@pytest.mark.parametrize("other", ALL)
@pytest.mark.parametrize("dtype", ALL)
def test_numpy_scalars_and_0d_arrays_are_strong(dtype, other):
    """They count as arrays, wherever they stand."""
    x, want = np.ones(3, dtype), np.result_type(dtype, other)
    for y in (np.ones((), other), np.dtype(other).type(1), tn.Tensor(np.ones((), other))):
        check(lambda t, y=y: t * y, [x], want)
        check(lambda t, y=y: y * t, [x], want)
        check(lambda t, y=y: tn.add(y, t), [x], want)
    x0 = np.ones((), dtype)
    check(lambda t: t + np.ones(3, other), [x0], want)


@pytest.mark.parametrize("front", [0, 1, 2], ids=["plain", "eager", "traced"])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_python_integers_out_of_range_are_errors(dtype, front):
    i = np.iinfo(dtype)
    x = list(front_ends(np.ones(2, dtype)))[front]
    for value in (i.max + 1, i.min - 1, 2**70, -(2**70)):
        for name in ("add", "multiply", "floor_divide", "remainder", "bitwise_and", "bitwise_left_shift", "maximum"):
            for call in (lambda f, v=value: f(x, v), lambda f, v=value: f(v, x)):
                with pytest.raises(OverflowError, match=r"out of bounds|outside the range|too large"):
                    call(getattr(tn, name))
    for value in (i.max, i.min):
        assert (x * value).dtype == dtype


@pytest.mark.parametrize("dtype", INTEGERS)
def test_comparisons_with_python_integers_out_of_range(dtype):
    """Such a comparison has an answer."""
    i = np.iinfo(dtype)
    x = np.array([i.min, 1, i.max], dtype)
    for value in (i.max + 1, i.min - 1, 2**70, -(2**70)):
        for name in COMPARISONS:
            want = getattr(np, name)(x, value)
            np.testing.assert_array_equal(np.asarray(getattr(tn, name)(x, value)), want)
            np.testing.assert_array_equal(np.asarray(OPERATORS[name](tn.Tensor(x), value)), want)


def test_comparisons_of_signed_and_unsigned_are_exact():
    a = np.array([-1, 0, 2**53 + 1, 2**63 - 1, -(2**63)])
    b = np.array([2**64 - 1, 0, 2**53, 2**63, 2**63], "uint64")
    for name in COMPARISONS:
        np.testing.assert_array_equal(np.asarray(getattr(tn, name)(a, b)), getattr(np, name)(a, b))
        np.testing.assert_array_equal(np.asarray(getattr(tn, name)(b, a)), getattr(np, name)(b, a))


JOINING = {
    "where": (lambda x, y: tn.where(np.array([True, False]), x, y), lambda x, y: np.where([True, False], x, y)),
    "concat": (lambda x, y: tn.concat([x, y]), lambda x, y: np.concatenate([x, y])),
    "stack": (lambda x, y: tn.stack([x, y]), lambda x, y: np.stack([x, y])),
    "matmul": (tn.matmul, np.matmul),
    "operator @": (operator.matmul, operator.matmul),
    "dot": (tn.dot, np.dot),
    "inner": (tn.inner, np.inner),
    "outer": (tn.outer, np.outer),
    "vecdot": (tn.vecdot, np.vecdot),
    "kron": (tn.kron, np.kron),
    "tensordot": (lambda x, y: tn.tensordot(x, y, axes=1), lambda x, y: np.tensordot(x, y, axes=1)),
    "einsum": (lambda x, y: tn.einsum("i,i->", x, y), lambda x, y: np.einsum("i,i->", x, y)),
    "einsum outer": (lambda x, y: tn.einsum("i,j", x, y), lambda x, y: np.einsum("i,j", x, y)),
    "convolve": (tn.convolve, np.convolve),
}


@pytest.mark.parametrize("a", ALL)
@pytest.mark.parametrize("name", JOINING)
def test_products_and_joins(name, a):
    ours, numpy = JOINING[name]
    for b in ALL:
        x, y = np.ones(2, a), np.ones(2, b)
        check(ours, [x, y], np.asarray(numpy(x, y)).dtype, b)


REDUCTIONS = ["sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "argmax", "argmin", "cumsum", "cumprod", "count_nonzero"]
REDUCTIONS += ["median", "sort", "argsort", "diff", "trace"]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    for dtype in ALL:
        x = np.ones((2, 2), dtype)
        if dtype.startswith("complex") and name in ("max", "min", "median", "ptp"):
            continue
        want = np.asarray(getattr(np, name)(x)).dtype
        check(getattr(tn, name), [x], want, dtype)
