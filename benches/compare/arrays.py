"""Reductions and scans by axis, and transpositions."""

import itertools

import numpy as np
from timing import JAX, NUMPY, OURS, Case, jax, jitted, jnp, traced

import tenferro_py as tn


def log_sum_exp(x, axis=None):
    """As one writes it in NumPy alone; SciPy's is slower."""
    top = x.max(axis, keepdims=True)
    return np.log(np.exp(x - top).sum(axis)) + (top.ravel()[0] if axis is None else np.squeeze(top, axis))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def log_softmax(x, axis=-1):
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


PLAIN = "sum prod max min mean std var any all argmax argmin count_nonzero median ptp cumsum cumprod sort "
PLAIN += "nansum nanmax nanmean nanstd nanargmax"
NUMPY_OF = {name: getattr(np, name) for name in PLAIN.split()} | {
    "logsumexp": log_sum_exp,
    "cummax": np.maximum.accumulate,
    "cummin": np.minimum.accumulate,
    "cumlogsumexp": np.logaddexp.accumulate,
    "argsort": lambda x, axis: np.argsort(x, axis, kind="stable"),
    "softmax": softmax,
    "log_softmax": log_softmax,
    "diff": lambda x, axis: np.diff(x, axis=axis),
}
# NumPy's own take no axis=None here.
FLATTENED = {"cummax", "cummin", "cumlogsumexp"}
AXES_ONLY = {"softmax", "log_softmax", "diff"}


def jax_of(name):
    if not jax:
        return None
    of = {
        "cummax": jax.lax.cummax,
        "cummin": jax.lax.cummin,
        "cumlogsumexp": jax.lax.cumlogsumexp,
        "softmax": jax.nn.softmax,
        "log_softmax": jax.nn.log_softmax,
        "logsumexp": jax.scipy.special.logsumexp,
    }
    return of.get(name) or getattr(jnp, name)


def reduction(name, x, axis):
    flat = axis is None and name in FLATTENED
    by_hand, mine, theirs = NUMPY_OF[name], getattr(tn, name), jax_of(name)
    calls = {
        OURS: traced(lambda x: mine(x, axis=axis), x),
        NUMPY: (lambda: by_hand(x.ravel(), axis=0)) if flat else (lambda: by_hand(x, axis=axis)),
    }
    if theirs:
        calls[JAX] = jitted((lambda x: theirs(x.ravel(), axis=0)) if flat else (lambda x: theirs(x, axis=axis)), x)
    return calls


def layouts(name, dtype, quick):
    """Shapes and axes."""
    if dtype == "float64":
        yield (1000,), 0
    if quick:
        return
    yield (1000, 1000), 0
    yield (1000, 1000), 1
    if name not in AXES_ONLY:
        yield (1000, 1000), None


def reductions(quick):
    wide = np.exp(np.random.default_rng(1).uniform(-0.01, 0.01, (1000, 1000)))
    for name in NUMPY_OF:
        for dtype in ("float64", "float32"):
            for shape, axis in layouts(name, dtype, quick):
                x = wide[: shape[0]] if len(shape) == 2 else wide[0]
                yield Case(
                    "reductions and scans",
                    f"{name} {dtype} {'×'.join(map(str, shape))}, axis {axis}",
                    lambda name=name, x=x, dtype=dtype, axis=axis: reduction(name, x.astype(dtype), axis),
                    # A running logaddexp of a million float32 is off by 4e-3, NumPy's as ours; JAX's tree is not.
                    rtol=1e-9 if dtype == "float64" else 1e-2 if name == "cumlogsumexp" else 1e-3,
                    threads=x.ndim,
                    seconds=0.03 * x.ndim,
                )


def transposition(shape, axes, dtype="float64"):
    """A transposed copy: the reshape makes everyone move the elements."""
    x = np.random.default_rng(2).standard_normal(shape).astype(dtype)
    calls = {
        OURS: traced(lambda x: tn.reshape(tn.permute_dims(x, axes), (-1,)), x),
        NUMPY: lambda: x.transpose(axes).reshape(-1),
    }
    if jax:
        calls[JAX] = jitted(lambda x: x.transpose(axes).reshape(-1), x)
    return calls


def transpositions(quick):
    chosen = [((1000, 1000), (1, 0)), ((2048, 2048), (1, 0)), ((64, 64), (1, 0))]
    chosen += [((16,) * 4, axes) for axes in itertools.permutations(range(4)) if axes != (0, 1, 2, 3)]
    for shape, axes in chosen[2:8] if quick else chosen:
        for dtype in ("float64", "float32", "complex128") if axes == (1, 0) else ("float64",):
            yield Case(
                "transpositions",
                f"{'×'.join(map(str, shape))} {dtype} by {''.join(map(str, axes))}",
                lambda shape=shape, axes=axes, dtype=dtype: transposition(shape, axes, dtype),
                rtol=0,
                threads=2 if len(shape) == 2 and shape[0] >= 1000 else 1,
                seconds=0.04 if len(shape) == 4 else 0.1,
            )


def cases(quick):
    yield from reductions(quick)
    yield from transpositions(quick)
