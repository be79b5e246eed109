"""Operations of random programs: elementwise functions and reductions."""

import numpy as np
from program_parts import AFFINE, SQUASH, Op, Refused
from program_reference import is_reference

INTS = "iu"
EXACT = "biu"


def named(name, f=None):
    """The function of a namespace under a name."""
    return f or (lambda ns, *xs, **params: getattr(ns, name)(*xs, **params))


def unary(name, kinds="fc", domain=None, **more):
    def choose(d):
        i = d.pick(kinds)
        return (d.within(i, domain) if domain else i,), {}

    return Op(name, named(name), choose, **more)


def fits(a, b):
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return False
    return True


def pair(d, kinds, kinds_2=None):
    """Two values that broadcast."""
    i = d.pick(kinds)
    j = d.pick(kinds_2 or kinds, where=lambda b: fits(d.values[i], b))
    return (i, j) if d.rng.random() < 0.5 or kinds_2 else (j, i)


def binary(name, kinds="fc", first=None, second=None, **more):
    def choose(d):
        i, j = pair(d, kinds)
        return (d.within(i, first) if first else i, d.within(j, second) if second else j), {}

    return Op(name, named(name), choose, **more)


def comparison(x, y):
    """On which side of each other two real arrays lie."""
    return np.sign(x - y)


def sign(x):
    return np.sign(x)


def order_of(x, axis=None, **_):
    return np.argsort(x, axis=None if isinstance(axis, tuple) else axis, stable=True)


def weak(name, call, kinds="fc", numbers=(2, 0.5, -1.5), domain=None, **more):
    """A function of a value and a Python number."""

    def choose(d):
        i = d.pick(kinds)
        return (d.within(i, domain) if domain else i,), {"n": d.rng.choice(numbers)}

    return Op(name, call, choose, **more)


def condition(d):
    """A where with an earlier condition, or one that compares two values."""
    i, j = pair(d, "fcbiu")
    shape = np.broadcast_shapes(d.values[i].shape, d.values[j].shape)

    def fit(m):
        return m.dtype == bool and fits(m, np.empty(shape, bool))

    try:
        m = d.pick("b", where=fit)
    except Refused:
        k = d.pick("fiu", where=lambda a: fits(a, np.empty(shape, bool)))
        m = d.emit(BELOW, k, n=d.rng.choice((0, 1, -0.25)))
    return (m, i, j), {}


BELOW = weak("below", lambda ns, x, n: ns.less(x, n), "fiu", (0, 1, -0.25), jumps=True)
KINDS = ("float64", "float32", "complex128", "complex64", "int32", "int64", "bool")


def cast(d):
    i = d.pick("fcbiu")
    kind = d.values[i].dtype.kind
    fit = {"c": KINDS[2:4], "f": KINDS[:4]}.get(kind, KINDS)
    return (i,), {"dtype": d.rng.choice(fit)}


def truncated(d):
    return (d.pick("f"),), {"dtype": d.rng.choice(("int32", "int64"))}


def shift_choice(d):
    return (d.pick("iu"),), {"n": d.rng.randrange(4)}


def bits_choice(d):
    i, j = pair(d, "biu")
    if np.result_type(d.values[i], d.values[j]).kind == "f":
        raise Refused("int64 and uint64 have no common integer")
    return (i, j), {}


def clip_choice(d):
    low, high = sorted((d.rng.choice((-2.0, -0.5, 0.1)), d.rng.choice((0.3, 1.0, 2.5))))
    i = d.pick("f")
    return (i,), {"low": low, "high": high}


def nonzero_pair(d, kinds="f"):
    i, j = pair(d, kinds)
    return (i, d.within(j, "nonzero")), {}


def integers_nonzero(d):
    i = d.pick("i")
    j = d.pick("i", where=lambda b: fits(d.values[i], b) and b.dtype.kind == "i")
    return (i, j), {}


SMOOTH = [
    *(unary(name, domain="mild") for name in ("sin", "cos", "sinh", "cosh", "exp", "expm1")),
    *(unary(name, domain="small") for name in ("tan", "tanh")),
    *(unary(name, domain="unit") for name in ("asin", "acos", "atan", "asinh", "atanh")),
    *(unary(name, domain="positive") for name in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt")),
    unary("acosh", domain="above"),
    unary("reciprocal", domain="nonzero"),
    unary("exp2", "f", "mild"),
    unary("cbrt", "f", "nonzero"),
    *(unary(name, "f") for name in ("erf", "sigmoid", "log_sigmoid", "softplus", "silu", "gelu")),
    *(unary(name, "f", branch=sign) for name in ("i0e", "i1e")),
    unary("erfc", "f", "mild"),
    unary("sinc", "f", "mild", branch=lambda x: np.abs(x) < 1e-3),
    unary("erfinv", "f", "unit"),
    unary("lgamma", "f", "positive"),
    unary("digamma", "f", "positive"),
    *(unary(name, "fciu") for name in ("square", "negative", "conj", "real", "positive")),
    unary("sin", "biu", "mild"),
    unary("imag", "fc"),
    unary("angle", "c", "positive"),
    unary("abs", "c", "nonzero"),
    *(binary(name, "fciu") for name in ("add", "subtract", "multiply")),
    *(binary(name) for name in ("add", "subtract", "multiply")),
    binary("divide", second="nonzero"),
    binary("pow", first="positive", second="small"),
    binary("hypot", "f", "nonzero"),
    binary("atan2", "f", "nonzero", "positive"),
    binary("logaddexp", "f", "mild", "mild"),
    binary("xlogy", "f", second="positive"),
    binary("complex", "f"),
    weak("times", lambda ns, x, n: x * n),
    weak("plus", lambda ns, x, n: n + x, "fciu", (2, 1, 0.5, 1j)),
    weak("minus_from", lambda ns, x, n: n - x, "fciu", (2, 1, 3, 0.5)),
    weak("over", lambda ns, x, n: x / n, "fci", (2, 3, -0.75)),
    weak("under", lambda ns, x, n: n / x, domain="nonzero"),
    weak("power", lambda ns, x, n: x**n, numbers=(2, 3, 2.0, 0.5, -1), domain="positive"),
    weak("exponent", lambda ns, x, n: n**x, "f", (2.0, 1.5, 0.5), "mild"),
    SQUASH,
    AFFINE,
]

KINKED = [
    unary("abs", "f", branch=sign),
    unary("relu", "f", branch=sign),
    unary("relu", INTS),
    unary("abs", "iu"),
    *(binary(name, "f", branch=comparison) for name in ("maximum", "minimum", "fmax", "fmin")),
    *(binary(name, "iu") for name in ("maximum", "minimum", "fmax")),
    Op("copysign", named("copysign"), lambda d: (pair(d, "f"), {}), True, lambda x, y: np.stack(np.broadcast_arrays(sign(x), sign(y)))),
    Op(
        "clip",
        lambda ns, x, low, high: ns.clip(x, low, high),
        clip_choice,
        branch=lambda x, low, high: (x > low) * 1 + (x > high),
    ),
    Op("where", named("where"), condition),
    *(Op(name, named(name), nonzero_pair, True, np.floor_divide) for name in ("remainder", "fmod")),
    Op("cast", lambda ns, x, dtype: ns.astype(x, dtype), cast),
    Op(
        "stop_gradient_sum",
        lambda ns, x: x + (x if is_reference(ns) else ns.stop_gradient(x)),
        lambda d: ((d.pick(),), {}),
        order=0,
    ),
]

STEPS = [
    *(unary(name, "f", jumps=True, branch=lambda x, f=name: getattr(np, f)(x)) for name in ("floor", "ceil", "trunc", "rint", "sign")),
    unary("sign", INTS),
    Op("truncate", lambda ns, x, dtype: ns.astype(x, dtype), truncated, True),
    *(binary(name, "f", jumps=True) for name in ("less", "less_equal", "greater", "greater_equal", "not_equal")),
    *(binary(name, "iub") for name in ("equal", "not_equal")),
    *(binary(name, "iu") for name in ("less", "greater_equal")),
    *(binary(name, "biu") for name in ("logical_and", "logical_or", "logical_xor")),
    *(Op(name, named(name), bits_choice) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")),
    unary("logical_not", "biu"),
    unary("bitwise_invert", "biu"),
    *(unary(name, "fc") for name in ("isnan", "isfinite")),
    unary("signbit", "f", jumps=True),
    Op("floor_divide", named("floor_divide"), nonzero_pair, True),
    *(Op(name, named(name), integers_nonzero) for name in ("floor_divide", "remainder", "fmod")),
    Op("left_shift", lambda ns, x, n: x << n, shift_choice),
    Op("right_shift", lambda ns, x, n: x >> n, shift_choice),
    BELOW,
]


def axes_of(d, a, tuples=True):
    """None, an axis, a negative one, or several."""
    if a.ndim == 0 or d.rng.random() < 0.25:
        return None
    axis = d.rng.randrange(-a.ndim, a.ndim)
    if not tuples or d.rng.random() < 0.7:
        return axis
    return tuple(d.rng.sample(range(a.ndim), d.rng.randrange(1, a.ndim + 1)))


def reduction(name, kinds="fc", tuples=True, full=False, **more):
    """A reduction; `full`: of at least one element."""

    def choose(d):
        i = d.pick(kinds, where=(lambda a: a.size > 0) if full else None)
        return (i,), {"axis": axes_of(d, d.values[i], tuples), "keepdims": d.rng.random() < 0.3}

    return Op(name, named(name), choose, **more)


def along(name, kinds="fc", flags=(), least=1, domain=None, **more):
    """A function along one axis, with switches."""

    def choose(d):
        i = d.pick(kinds, least, where=lambda a: a.size > 0)
        i = d.within(i, domain) if domain else i
        params = {f: True for f in flags if d.rng.random() < 0.4}
        return (i,), {"axis": d.rng.randrange(-d.values[i].ndim, d.values[i].ndim), **params}

    return Op(name, named(name), choose, **more)


def spread(ns, x, name, axis, correction):
    return getattr(ns, name)(x + 0.0, axis=axis, correction=correction)


def spread_choice(name):
    def choose(d):
        i = d.pick("fc", 1, where=lambda a: min(a.shape, default=0) > 2)
        return (i,), {"name": name, "axis": axes_of(d, d.values[i]), "correction": d.rng.choice((0, 1))}

    return choose


def varied(d):
    """A deviation is smooth where it is not 0."""
    (i,), params = spread_choice("std")(d)
    if np.min(np.std(d.values[i], axis=params["axis"])) < 0.1:
        raise Refused("no deviation")
    return (i,), params


def difference_choice(d):
    i = d.pick("fci", 1)
    axis = d.rng.randrange(d.values[i].ndim)
    n = d.rng.choice((1, 1, 2))
    if d.values[i].shape[axis] <= n:
        raise Refused("too short")
    return (i,), {"n": n, "axis": axis}


def top_choice(d):
    i = d.pick("f", 1, where=lambda a: a.shape[-1] > 0)
    return (i,), {"k": d.rng.randrange(1, d.values[i].shape[-1] + 1)}


REDUCTIONS = [
    *(reduction(name, "fciu") for name in ("sum", "sum", "prod")),
    reduction("mean", "fciu", full=True),
    *(reduction(name, "f", full=True, branch=order_of) for name in ("max", "min")),
    *(reduction(name, "iu", full=True) for name in ("max", "min")),
    reduction("median", "f", False, True, branch=order_of),
    reduction("logsumexp", "f", full=True),
    *(reduction(name, "biu") for name in ("any", "all", "count_nonzero", "sum")),
    *(reduction(name, "f", False, True, jumps=True) for name in ("argmax", "argmin")),
    *(reduction(name, "iu", False, True) for name in ("argmax", "argmin")),
    Op("var", spread, spread_choice("var")),
    Op("std", spread, varied),
    along("softmax", "f"),
    along("log_softmax", "f"),
    along("cumsum", "fciub", ("reverse",)),
    along("cumprod", "fci", ("reverse",), domain="mild"),
    *(along(name, "f", ("reverse",), branch=order_of) for name in ("cummax", "cummin")),
    along("cummax", "iu", ("reverse",)),
    along("cumlogsumexp", "f", ("reverse",), domain="mild"),
    along("sort", "f", ("descending",), branch=order_of),
    along("sort", "iub", ("descending",)),
    along("argsort", "iub", ("descending",)),
    along("argsort", "f", ("descending",), jumps=True),
    Op("top_k", lambda ns, x, k: ns.top_k(x, k), top_choice, True, lambda x, k: order_of(x, -1)),
    Op("diff", named("diff"), difference_choice),
]

OPS = SMOOTH + KINKED + STEPS + REDUCTIONS
