"""The vocabulary of random programs twice: NumPy and SciPy, and tenferro_py, under the same names."""

import numpy as np
import scipy.special as sp

import tenferro_py as tn


class Namespace:
    """Functions of a module, and others beside or instead of them."""

    def __init__(self, module, **functions):
        self.module = module
        self.__dict__.update(functions)

    def __getattr__(self, name):
        return getattr(self.module, name)


def is_reference(ns):
    return not hasattr(ns, "TracedTensor")


def hermitian(ns, x):
    """The Hermitian part of the last two axes."""
    return (x + ns.conj(ns.matrix_transpose(x))) * 0.5


def special(f):
    """A function of SciPy in the dtype of its arguments."""

    def g(*xs):
        return np.asarray(f(*xs)).astype(np.result_type(*xs))

    return g


def no_half(name):
    """A function of NumPy that gives float32 for small integers, where NumPy would give float16."""
    f = getattr(np, name)

    def g(*xs):
        y = f(*xs)
        return f(*(np.asarray(x, "float32") for x in xs)) if getattr(y, "dtype", None) == np.float16 else y

    return g


def sort(x, axis=-1, descending=False):
    y = np.sort(x, axis=axis)
    return np.flip(y, -1 if axis is None else axis) if descending else y


def argsort(x, axis=-1, descending=False):
    if not descending:
        return np.argsort(x, axis=axis, stable=True)
    # Equal elements keep their order when descending, too.
    place = np.argsort(np.flip(x, axis), axis=axis, stable=True)
    return np.flip(x.shape[axis] - 1 - place, axis)


def running(accumulate):
    """A running reduction, from either end."""

    def g(x, axis, reverse=False):
        x = np.flip(x, axis) if reverse else x
        y = accumulate(x, axis=axis)
        return np.flip(y, axis) if reverse else y

    return g


def at(x, index, method, u):
    y = x.copy()
    u = np.asarray(u).astype(x.dtype)
    if method == "set":
        y[index] = u
    else:
        {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}[method].at(y, index, u)
    return y


def box(x, starts, sizes):
    """Where a dynamic slice lies: starts count from the end if negative, and are moved so that it fits."""
    first = [int(np.clip(s + n * (s < 0), 0, n - k)) for s, n, k in zip(starts, x.shape, sizes, strict=True)]
    return tuple(slice(f, f + k) for f, k in zip(first, sizes, strict=True))


def dynamic_update_slice(x, update, starts):
    y = x.copy()
    y[box(x, starts, update.shape)] = update
    return y


def top_k(x, k, axis=-1):
    place = np.take(argsort(x, axis, descending=True), range(k), axis=axis)
    return [np.take_along_axis(x, place, axis), place]


def qr(x):
    q, r = np.linalg.qr(x)
    d = np.diagonal(r, axis1=-2, axis2=-1)
    phase = d / np.abs(d)
    return q * phase[..., None, :], r * phase.conj()[..., :, None]


def expm(x):
    """Taylor's series and four squarings in extended precision; SciPy's loses three digits of some small matrices."""
    y = x.astype(np.result_type(x, np.longdouble)) / 16
    term = total = np.broadcast_to(np.eye(x.shape[-1]), x.shape).astype(y.dtype)
    for k in range(1, 25):
        term = term @ y / k
        total = total + term
    for _ in range(4):
        total = total @ total
    return total.astype(x.dtype)


def logsumexp(x, axis=None, keepdims=False):
    # SciPy gives shape (1,) for keepdims of one number.
    return np.asarray(sp.logsumexp(x, axis=axis, keepdims=keepdims and x.ndim > 0)).astype(x.dtype)


def solve_triangular(a, b, lower):
    return np.linalg.solve(np.tril(a) if lower else np.triu(a), b)


def lq(x):
    q, r = qr(x.conj().swapaxes(-1, -2))
    return r.conj().swapaxes(-1, -2), q.conj().swapaxes(-1, -2)


def of_hermitian(f):
    def g(x):
        w, v = np.linalg.eigh(x)
        return (v * f(w)[..., None, :]) @ v.conj().swapaxes(-1, -2)

    return g


def polar(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return [u @ vh, (vh.conj().swapaxes(-1, -2) * s[..., None, :]) @ vh]


def loss(x):
    return tn.sum(tn.square(tn.real(x * tn.conj(x))))


def eig_square(x):
    """The square of a matrix by its eigenvectors."""
    w, v = tn.linalg.eig(x)
    return (v * (w * w)[..., None, :]) @ tn.linalg.inv(v)


HALVES = [
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "sqrt",
    "cbrt",
    "log",
    "log1p",
    "log2",
    "log10",
    "asinh",
    "atan",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "hypot",
    "atan2",
]

REFERENCE = Namespace(
    np,
    **{name: no_half(name) for name in HALVES},
    erf=special(sp.erf),
    erfc=special(sp.erfc),
    erfinv=special(sp.erfinv),
    lgamma=special(sp.gammaln),
    digamma=special(sp.psi),
    sigmoid=special(sp.expit),
    log_sigmoid=special(sp.log_expit),
    softplus=special(lambda x: np.logaddexp(x, 0)),
    relu=special(lambda x: np.maximum(x, 0)),
    silu=special(lambda x: x * sp.expit(x)),
    gelu=special(lambda x: x * sp.ndtr(x)),
    i0e=special(sp.i0e),
    i1e=special(sp.i1e),
    xlogy=special(sp.xlogy),
    rsqrt=special(lambda x: 1 / np.sqrt(x)),
    complex=lambda x, y: x + np.asarray(1j, "complex64") * y,
    softmax=lambda x, axis: sp.softmax(x, axis=axis),
    log_softmax=lambda x, axis: sp.log_softmax(x, axis=axis),
    logsumexp=logsumexp,
    cumsum=running(np.cumsum),
    cumprod=running(np.cumprod),
    cummax=running(np.maximum.accumulate),
    cummin=running(np.minimum.accumulate),
    cumlogsumexp=running(np.logaddexp.accumulate),
    sort=sort,
    argsort=argsort,
    top_k=top_k,
    at=at,
    dynamic_slice=lambda x, starts, sizes: x[box(x, starts, sizes)],
    dynamic_update_slice=dynamic_update_slice,
    vander=lambda x, n: np.vander(x, n).astype(x.dtype),
    polygamma_1=special(lambda x: sp.polygamma(1, x)),
    lu_solve=np.linalg.solve,
    cho_solve=np.linalg.solve,
    eig_square=lambda x: x @ x,
    slope=lambda x: 4 * (x * np.conj(x)) * x,
    curvature=lambda x: 12 * x * x,
    linalg=Namespace(
        np.linalg,
        qr=qr,
        lq=lq,
        expm=expm,
        sqrtm=of_hermitian(np.sqrt),
        logm=of_hermitian(np.log),
        lstsq=lambda a, b: [np.linalg.pinv(a) @ b],
        polar=polar,
        solve_triangular=solve_triangular,
    ),
)

TENFERRO = Namespace(
    tn,
    at=lambda x, index, method, u: getattr(x.at[index], method)(u),
    gelu=lambda x: tn.gelu(x, approximate=False),
    polygamma_1=lambda x: tn.polygamma(1, x),
    lu_solve=lambda a, b: tn.linalg.lu_solve(tn.linalg.lu_factor(a), b),
    cho_solve=lambda a, b: tn.linalg.cho_solve((tn.linalg.cholesky(a), True), b),
    eig_square=eig_square,
    slope=tn.grad(loss),
    curvature=tn.grad(lambda x: tn.sum(tn.grad(loss)(x))),
)
