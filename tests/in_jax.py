"""The functions of tenferro_py by JAX: what runs a row of the op table, or an edge, there."""

import contextlib
import os
import sys
import types

import numpy as np
import pytest

import tenferro_py

os.environ.setdefault("JAX_PLATFORMS", "cpu")
jax = pytest.importorskip("jax", reason="needs JAX, extra bench")

import jax.numpy as jnp  # noqa: E402
import jax.scipy as jsp  # noqa: E402

jax.config.update("jax_enable_x64", True)


def adjoint(x):
    return x.conj().swapaxes(-1, -2)


def qr(a, mode="reduced"):
    """With a real diagonal of R that is not negative, as ours."""
    q, r = jnp.linalg.qr(a, mode)
    k = min(a.shape[-2:])
    d = jnp.diagonal(r, axis1=-2, axis2=-1)
    phase = d / jnp.abs(d)
    full = jnp.concatenate([phase, jnp.ones((*phase.shape[:-1], q.shape[-1] - k), phase.dtype)], -1)
    return q * full[..., None, :], r * full.conj()[..., : r.shape[-2], None]


def lq(a):
    q, r = qr(adjoint(a))
    return adjoint(r), adjoint(q)


def svd(a, full_matrices=True, degeneracy="mask"):
    return jnp.linalg.svd(a, full_matrices)


def svd_trunc(a, k):
    u, s, vh = jnp.linalg.svd(a, full_matrices=False)
    return u[..., :, :k], s[..., :k], vh[..., :k, :]


def svd_cut_gap(a, k):
    s = jnp.linalg.svd(a, compute_uv=False)
    return (s[..., k - 1] - s[..., k]) / s[..., 0]


def lu(a):
    return jax.vmap(jsp.linalg.lu)(a) if a.ndim == 3 else jsp.linalg.lu(a)


def grid(axis, indices):
    """Places by their own indices, but for one axis."""
    places = list(np.indices(np.shape(indices)))
    places[axis] = np.asarray(indices)
    return tuple(places)


def scattering(method):
    return lambda x, axis, indices, updates: getattr(x.at[grid(axis, indices)], method)(updates)


def put_along_axis(x, indices, values, axis):
    """JAX does not broadcast the indices."""
    shape = [values.shape[i] if n == 1 else n for i, n in enumerate(indices.shape)]
    return jnp.put_along_axis(x, np.broadcast_to(indices, shape), values, axis, inplace=False)


def dot_general(x, y, contract, batch):
    return jax.lax.dot_general(x, y, (contract, batch))


class Names(types.SimpleNamespace):
    """Its own names, then those of modules in order."""

    def __init__(self, *modules, **own):
        super().__init__(**own)
        self._modules = modules

    def __getattr__(self, name):
        if name.startswith("__"):
            # What doctest and other readers of modules ask of every object.
            raise AttributeError(name)
        for module in self._modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise NotImplementedError(f"JAX has no {name}")


LINALG = Names(
    jnp.linalg,
    jsp.linalg,
    qr=qr,
    lq=lq,
    lu=lu,
    svd=svd,
    svd_trunc=svd_trunc,
    svd_cut_gap=svd_cut_gap,
    svdvals=lambda a: jnp.linalg.svd(a, compute_uv=False),
    polar=lambda a: jsp.linalg.polar(a, method="svd"),
    matrix_norm=lambda a, ord="fro": jnp.linalg.matrix_norm(a, ord=ord),
)
JAX = Names(
    jnp,
    jax.nn,
    jsp.special,
    jax.lax,
    linalg=LINALG,
    fft=jnp.fft,
    Tensor=jnp.asarray,
    dot_general=dot_general,
    gather=lambda x, axis, indices: x[grid(axis, indices)],
    scatter=scattering("set"),
    scatter_add=scattering("add"),
    scatter_mul=scattering("multiply"),
    scatter_min=scattering("min"),
    scatter_max=scattering("max"),
    put_along_axis=put_along_axis,
    bincount=lambda x, weights, **kwargs: jnp.bincount(np.asarray(x), weights, **kwargs),
    polyfit=lambda x, y, n, w=None: jnp.polyfit(x, y, n, w=None if w is None else np.asarray(w)),
    roots=lambda p: jnp.roots(p, strip_zeros=False),
    lgamma=jsp.special.gammaln,
    complex=jax.lax.complex,
    logsumexp=jax.nn.logsumexp,
    softmax=jax.nn.softmax,
    log_softmax=jax.nn.log_softmax,
    tril=jnp.tril,
    top_k=jax.lax.top_k,
    repeat=lambda x, n, axis: jnp.repeat(x, np.asarray(n), axis, total_repeat_length=int(np.broadcast_to(n, x.shape[axis]).sum())),
    take=lambda x, i, axis, mode=None: jnp.take(x, jnp.asarray(i), axis, mode=mode),
    interp=lambda x, xp, fp: jnp.interp(x, jnp.asarray(xp), jnp.asarray(fp)),
    gelu=lambda x, approximate: jax.nn.gelu(x, approximate=approximate),
)


@contextlib.contextmanager
def instead():
    """Rows and edges find JAX under the name of tenferro_py."""
    tables = [m for name, m in list(sys.modules.items()) if name.startswith(("optable", "rows_", "edges")) and hasattr(m, "tn")]
    ours = [m.tn for m in tables]
    for module in tables:
        module.tn = JAX
    try:
        yield
    finally:
        for module, tn in zip(tables, ours, strict=True):
            module.tn = tn


def counterpart(call):
    """What JAX has for a function of tenferro_py; other functions find it themselves."""
    module = getattr(call, "__module__", None) or ""
    if module.startswith("tenferro_py"):
        return getattr(LINALG if "linalg" in module else JAX, call.__name__)
    cells = getattr(call, "__closure__", None) or ()
    if not any(c.cell_contents is tenferro_py for c in cells):
        return call
    cells = tuple(types.CellType(JAX) if c.cell_contents is tenferro_py else c for c in cells)
    return types.FunctionType(call.__code__, call.__globals__, call.__name__, call.__defaults__, cells)


def vjp(call, arrays, cotangents=None):
    """Values, and the real adjoint of them on cotangents (None where they are not inexact; all
    ones unless given), by JAX.

    JAX pulls back without conjugates: its vjp of c̄ is the conjugate of ours of c.
    """
    inexact = [i for i, a in enumerate(arrays) if np.asarray(a).dtype.kind in "fc"]

    def f(*xs):
        full = [np.asarray(a) for a in arrays]
        for i, x in zip(inexact, xs, strict=True):
            full[i] = x
        with instead():
            ys = counterpart(call)(*full)
        return list(ys) if isinstance(ys, (list, tuple)) else [ys]

    @jax.jit
    def both(xs):
        values, pull = jax.vjp(f, *xs)
        given = [jnp.ones_like(v) for v in values] if cotangents is None else cotangents
        cts = [np.zeros(v.shape, jax.dtypes.float0) if c is None else jnp.conj(c) for v, c in zip(values, given, strict=True)]
        return values, pull(cts)

    values, pulled = both([arrays[i] for i in inexact])
    return [np.asarray(v) for v in values], [np.conj(np.asarray(g)) for g in pulled]
