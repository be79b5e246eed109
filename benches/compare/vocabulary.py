"""Every elementwise function of the package, at two sizes and in three dtypes."""

import contextlib
import inspect

import numpy as np
from scipy import special
from timing import EAGER, JAX, NUMPY, OURS, Case, Disagreement, bound, jax, jitted, jnp, leaf, traced

import tenferro_py as tn


def words(text):
    return set(text.split())


# What is exported and not elementwise. All else is measured, so that nothing is forgotten.
OTHERS = words(
    """all allclose amax amin any append arange argmax argmin argsort argwhere array array_equal array_split asarray
    astype atleast_1d atleast_2d atleast_3d average bartlett bincount blackman block broadcast_arrays broadcast_shapes
    broadcast_to can_cast column_stack concat concatenate convolve corrcoef correlate count_nonzero cov cross
    cumlogsumexp cummax cummin cumprod cumsum cumulative_prod cumulative_sum diag diag_indices diagonal diff digitize
    dot dot_general dsplit dstack dynamic_slice dynamic_update_slice einsum einsum_path empty empty_like expand_dims
    eye finfo flatnonzero flip fliplr flipud from_dlpack full full_like gather geomspace grad gradient hamming hanning
    hsplit hstack identity iinfo indices inner interp intersect1d iscomplexobj isdtype isin isrealobj kaiser kron
    lexsort linspace log_softmax logspace logsumexp matmul matrix_transpose matvec max mean median meshgrid min
    moveaxis nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod
    nanquantile nanstd nansum nanvar nonzero ones ones_like outer pad percentile permute_dims polyadd polyder polyfit
    polyint polymul polysub polyval prod ptp put_along_axis quantile ravel ravel_multi_index repeat reshape
    result_type roll roots rot90 scatter scatter_add scatter_max scatter_min scatter_mul searchsorted select setdiff1d
    softmax sort split squeeze stack std stop_gradient sum swapaxes take take_along_axis tensordot tile top_k trace
    transpose trapezoid tri tril tril_indices triu triu_indices union1d unique unique_all unique_counts unique_inverse
    unique_values unravel_index unstack unwrap value_and_grad vander var vdot vecdot vecmat vsplit vstack zeros
    zeros_like __array_namespace_info__"""
)

UNIT = words("acos asin atanh erfinv")
POSITIVE = words("log log2 log10 log1p sqrt rsqrt lgamma digamma polygamma xlogy pow")

# Further arguments of a function that needs them.
CALLS = {
    "polygamma": lambda lib, f: lambda x: f(1, x),
    "clip": lambda lib, f: lambda x: f(x, -1.0, 1.0),
    "where": lambda lib, f: lambda x, y: f(lib.less(x, y), x, y),
}
GELU = np.sqrt(2 / np.pi)
# What a NumPy user writes where NumPy has no such name (or gives a view).
BY_HAND = {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "complex": lambda x, y: x + 1j * y,
    "erf": special.erf,
    "erfc": special.erfc,
    "erfinv": special.erfinv,
    "lgamma": special.gammaln,
    "digamma": special.digamma,
    "polygamma": special.polygamma,
    "i0e": special.i0e,
    "i1e": special.i1e,
    "xlogy": special.xlogy,
    "sigmoid": special.expit,
    "log_sigmoid": special.log_expit,
    "softplus": lambda x: np.logaddexp(x, 0),
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: 0.5 * x * (1 + np.tanh(GELU * (x + 0.044715 * x**3))),
    "silu": lambda x: x * special.expit(x),
    "real": lambda x: np.array(np.real(x)),
    "imag": lambda x: np.array(np.imag(x)),
}


def peer_of_jax(name):
    """JAX's function of that name, or None."""
    for place in (jnp, jax.nn, jax.scipy.special, jax.lax):
        if hasattr(place, renamed := {"lgamma": "gammaln"}.get(name, name)):
            return getattr(place, renamed)
    return None


def functions():
    """Name and function, each function once."""
    seen = set()
    for name in tn.__all__:
        f = getattr(tn, name)
        if inspect.isfunction(f) and name not in OTHERS and f.__name__ == name and f not in seen:
            seen.add(f)
            yield name, f


def arity(name, f):
    if name in CALLS:
        return len(inspect.signature(CALLS[name](tn, f)).parameters)
    return sum(p.default is inspect.Parameter.empty for p in inspect.signature(f).parameters.values())


def draw(name, dtype, n, count):
    """Arrays in the function's domain."""
    rng = np.random.default_rng(0)
    if dtype == "int64":
        return [rng.integers(1, 9, n) for _ in range(count)]
    if dtype == "bool":
        return [rng.integers(0, 2, n).astype(bool) for _ in range(count)]
    low, high = (-0.95, 0.95) if name in UNIT else (0.1, 4.0) if name in POSITIVE else (1.05, 5.0) if name == "acosh" else (-3.0, 3.0)
    out = []
    for _ in range(count):
        x = rng.uniform(low, high, n)
        out.append((x + 1j * rng.uniform(-2, 2, n) if dtype == "complex128" else x).astype(dtype))
    return out


def dtypes(call, count):
    """The columns that a function has."""
    out = []
    for dtype in ("float64", "float32", "complex128", "int64", "bool"):
        if dtype in ("int64", "bool") and out:
            break
        # Whatever else a function that is not elementwise says.
        with contextlib.suppress(tn.TenferroError, TypeError):
            call(*[leaf(np.zeros(2, dtype)) for _ in range(count)])
            out.append(dtype)
    return out


def unknown(name):
    raise Disagreement(f"{name}: neither elementwise nor among the OTHERS of vocabulary.py")


def contestants(name, f, args):
    wrap = CALLS.get(name, lambda lib, f: f)
    ours = wrap(tn, f)
    tensors = [tn.Tensor(x) for x in args]
    calls = {OURS: traced(ours, *args)}
    if args[0].size == 1000:
        calls[EAGER] = bound(ours, tensors)
    by_hand = wrap(np, BY_HAND.get(name) or getattr(np, name, None) or getattr(np, name + "_", None))
    calls[NUMPY] = bound(by_hand, args)
    if jax and (theirs := peer_of_jax(name)):
        call = jitted(wrap(jnp, theirs), *args)
        try:
            call()
            calls[JAX] = call
        except (TypeError, ValueError, NotImplementedError):
            # JAX does not have this dtype.
            pass
    return quiet(calls)


def quiet(calls):
    """Warnings of the peers are not what is measured."""
    try:
        with np.errstate(all="ignore"):
            calls[NUMPY]()
    except TypeError:
        # NumPy and SciPy do not have this dtype.
        del calls[NUMPY]
    return calls


def cases(quick):
    for n in (1000,) if quick else (1000, 10**6):
        for name, f in functions():
            count = arity(name, f)
            columns = dtypes(CALLS.get(name, lambda lib, f: f)(tn, f), count)
            if not columns:
                yield Case("elementwise", name, lambda name=name: unknown(name))
            for dtype in columns:
                yield Case(
                    f"elementwise, n = {n}",
                    f"{name} {dtype}",
                    lambda name=name, f=f, dtype=dtype, n=n, count=count: contestants(name, f, draw(name, dtype, n, count)),
                    rtol=1e-4 if dtype == "float32" else 1e-10,
                    threads=1 if n < 10**5 else 2,
                    seconds=0.01 if n < 10**5 else 0.06,
                )
