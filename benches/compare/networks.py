"""Fourier transforms and einsum networks."""

import numpy as np
from timing import JAX, NUMPY, OURS, Case, jax, jitted, jnp, leaf, prepared, traced

import tenferro_py as tn

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def transform(name, shape):
    rng = np.random.default_rng(4)
    x = rng.standard_normal(shape)
    if not name.startswith("r"):
        x = x + 1j * rng.standard_normal(shape)
    by_hand = getattr(np.fft, name)
    calls = {OURS: traced(lambda x: getattr(tn.fft, name)(x), x), NUMPY: lambda: by_hand(x)}
    if jax:
        calls[JAX] = jitted(getattr(jnp.fft, name), x)
    return calls


def fourier(quick):
    chosen = [("fft", (n,)) for n in (64, 1000, 1009, 2**10, 2**20)]
    chosen += [
        ("ifft", (2**10,)),
        ("rfft", (2**10,)),
        ("rfft", (2**20,)),
        ("irfft", (2**10 + 1,)),
        ("fft", (1000, 16)),
        ("fft2", (512, 512)),
    ]
    for name, shape in chosen[:4] if quick else chosen:
        title = f"{name} {'×'.join(map(str, shape))}"
        yield Case("fft", title, lambda n=name, s=shape: transform(n, s), seconds=0.05 if len(shape) == 1 else 0.15)


def mps_norm(sites, bond):
    """⟨ψ|ψ⟩ of an open matrix-product state of spins 1/2."""
    up, down, spin = LETTERS[: sites - 1], LETTERS[sites - 1 : 2 * sites - 2], LETTERS[2 * sites - 2 : 3 * sites - 2]
    terms, shapes = [], []
    for row in (up, down):
        for i in range(sites):
            left, right = row[i - 1] if i else "", row[i] if i < sites - 1 else ""
            terms.append(left + spin[i] + right)
            shapes.append((bond,) * bool(left) + (2,) + (bond,) * bool(right))
    return ",".join(terms) + "->", shapes


def peps_norm(side, bond):
    """⟨ψ|ψ⟩ of an open square projected entangled-pair state of spins 1/2."""
    letters = iter(LETTERS)
    terms, shapes = [], []
    spins = [next(letters) for _ in range(side * side)]
    for _ in range(2):
        across = {(i, j): next(letters) for i in range(side) for j in range(side - 1)}
        along = {(i, j): next(letters) for i in range(side - 1) for j in range(side)}
        for i in range(side):
            for j in range(side):
                bonds = [d[k] for d, k in ((across, (i, j - 1)), (across, (i, j)), (along, (i - 1, j)), (along, (i, j))) if k in d]
                terms.append(spins[i * side + j] + "".join(bonds))
                shapes.append((2,) + (bond,) * len(bonds))
    return ",".join(terms) + "->", shapes


NETWORKS = {
    "norm of an MPS, 16 sites, D = 16": mps_norm(16, 16),
    "norm of a 3×3 PEPS, D = 3": peps_norm(3, 3),
    "attention scores bqhd,bkhd->bhqk": ("bqhd,bkhd->bhqk", [(2, 128, 8, 32), (2, 128, 8, 32)]),
    "attention bqhd,bkhd,bkhe->bqhe": ("bqhd,bkhd,bkhe->bqhe", [(2, 128, 8, 32)] * 3),
    "bilinear form bi,oij,bj->bo": ("bi,oij,bj->bo", [(64, 32), (16, 32, 32), (64, 32)]),
    "trace of a product ij,jk,ki->": ("ij,jk,ki->", [(128, 128)] * 3),
    "diagonal ii->i": ("ii->i", [(1000, 1000)]),
    "outer product i,j->ij": ("i,j->ij", [(1000,), (1000,)]),
    "batched matrices bij,bjk->bik": ("bij,bjk->bik", [(1000, 4, 4)] * 2),
}


def contraction(spec, shapes, mode):
    """All use one path, ours, found beforehand: NumPy's greedy search stops at a memory limit."""
    rng = np.random.default_rng(5)
    args = [rng.uniform(-1, 1, s) / s[-1] ** 0.5 for s in shapes]
    path = tn.einsum_path(spec, *args)[0]
    if mode == "forward":
        calls = {
            OURS: traced(lambda *a: tn.einsum(spec, *a, optimize=path), *args),
            NUMPY: lambda: np.einsum(spec, *args, optimize=path),
        }
        if jax:
            calls[JAX] = jitted(lambda *a: jnp.einsum(spec, *a, optimize=path[1:]), *args)
        return calls
    leaves = [leaf(x) for x in args]
    y = tn.einsum(spec, *leaves, optimize=path)
    run = prepared(list(tn.sum(y * y).grad_many(leaves)), leaves)
    tensors = [tn.Tensor(x) for x in args]
    calls = {OURS: lambda: run(*tensors)}
    if jax:
        f = lambda a: jnp.sum(jnp.einsum(spec, *a, optimize=path[1:]) ** 2)  # noqa: E731
        calls[JAX] = jitted(lambda *a: jax.grad(f)(list(a)), *args)
    return calls


def path_search(spec, shapes):
    """How long the order takes to find; what is found differs."""
    args = [np.zeros(s) for s in shapes]
    return {OURS: lambda: tn.einsum_path(spec, *args), NUMPY: lambda: np.einsum_path(spec, *args, optimize="greedy")}


def contractions(quick):
    for name in list(NETWORKS)[:2]:
        spec, shapes = NETWORKS[name]
        yield Case("einsum", f"{name}, search of the path", lambda s=spec, d=shapes: path_search(s, d), view=lambda _: 0)
    for name, (spec, shapes) in NETWORKS.items():
        for mode in ("forward", "vjp"):
            build = lambda s=spec, d=shapes, m=mode: contraction(s, d, m)  # noqa: E731
            yield Case("einsum", f"{name} {mode}", build, rtol=1e-9, threads=2, seconds=0.02 if quick else 0.1)


def cases(quick):
    yield from fourier(quick)
    yield from contractions(quick)
