"""Products, factorizations and solves, each forward, forward mode and reverse mode."""

import numpy as np
from timing import JAX, NUMPY, OURS, Case, jax, jitted, jnp, leaf, prepared, traced

import tenferro_py as tn

RNG = np.random.default_rng(3)


def matrices(shape, kind="general"):
    """With separated singular values and eigenvalues: 1 … 4, or as 1/i²."""
    n = shape[-1]
    q = np.linalg.qr(RNG.standard_normal(shape))[0]
    p = np.linalg.qr(RNG.standard_normal(shape))[0]
    d = 1 + np.arange(n) / n * 3 if kind != "decaying" else (1.0 + np.arange(n)) ** -2
    if kind == "definite":
        a = (q * d) @ q.swapaxes(-1, -2)
        return (a + a.swapaxes(-1, -2)) / 2
    return (q * d) @ p.swapaxes(-1, -2)


def scalar(lib, result):
    """Of all factors, and the same whatever their signs, phases and order of eigenvalues."""
    parts = result if isinstance(result, tuple | list) else (result,)
    total = 0.0
    for x in parts:
        y = lib.real(x * lib.conj(x)) if str(x.dtype).startswith("complex") else x * x
        total = total + lib.sum(y * y) + lib.sum(y)
    return total


def differentiated(f, args, mode):
    """Derivatives of `scalar` of f in direction of or by its first argument."""
    v = np.cos(np.arange(args[0].size, dtype=float)).reshape(args[0].shape)
    leaves = [leaf(x) for x in args]
    y = scalar(tn, f(tn)(*leaves))
    if mode == "jvp":
        t = leaf(v)
        run, given = prepared(y.jvp(leaves[0], t), [*leaves, t]), [*args, v]
    else:
        run, given = prepared(y.grad(leaves[0]), leaves), args
    tensors = [tn.Tensor(x) for x in given]
    calls = {OURS: lambda: run(*tensors)}
    if not jax:
        return calls
    g = lambda *a: scalar(jnp, f(jnp)(*a))  # noqa: E731
    if mode == "jvp":
        calls[JAX] = jitted(lambda *a: jax.jvp(lambda x: g(x, *a[1:-1]), (a[0],), (a[-1],))[1], *given)
    else:
        calls[JAX] = jitted(jax.grad(g), *given)
    return calls


def contestants(f, args, mode):
    if mode != "forward":
        return differentiated(f, args, mode)
    by_hand = f(np)
    calls = {OURS: traced(f(tn), *args), NUMPY: lambda: by_hand(*args)}
    if jax:
        calls[JAX] = jitted(f(jnp), *args)
    return calls


def cut(lib):
    """The k largest singular triplets; the peers cut a whole decomposition."""
    if lib is tn:
        return lambda a: tn.linalg.svd_trunc(a, max(1, a.shape[-1] // 16))

    def whole(a):
        k = max(1, a.shape[-1] // 16)
        u, s, vh = lib.linalg.svd(a, full_matrices=False)
        return u[..., :k], s[..., :k], vh[..., :k, :]

    return whole


def eigenpairs(lib):
    if lib is jnp:
        # JAX wants to be asked for derivatives of these.
        return lambda a: jax.lax.linalg.eig(a, compute_left_eigenvectors=False, enable_eigvec_derivs=True)
    return lib.linalg.eig


def rebuilt(result):
    """What a factorization stands for, whatever the signs and the order of its factors."""
    parts = [np.asarray(x) for x in result]
    if len(parts) == 3:
        u, s, vh = parts
        return [s, (u * s[..., None, :]) @ vh]
    first, second = parts
    if first.ndim == second.ndim:
        return [first @ second]
    w, v = first, second
    product = (v * w[..., None, :]) @ np.linalg.inv(v)
    return [product, np.sort(w.real, -1)]


FACTORIZATIONS = {
    "svd": (lambda lib: lambda a: lib.linalg.svd(a, full_matrices=False), "general"),
    "svd_trunc": (cut, "decaying"),
    "svd_trunc of a flat spectrum": (cut, "general"),
    "eigh": (lambda lib: lambda a: lib.linalg.eigh(a), "definite"),
    "qr": (lambda lib: lambda a: lib.linalg.qr(a), "general"),
    "cholesky": (lambda lib: lambda a: lib.linalg.cholesky(a), "definite"),
    "solve": (lambda lib: lambda a, b: lib.linalg.solve(a, b), "general"),
    "eig": (eigenpairs, "general"),
    "inv": (lambda lib: lambda a: lib.linalg.inv(a), "general"),
    "det": (lambda lib: lambda a: lib.linalg.det(a), "general"),
    "svdvals": (lambda lib: lambda a: lib.linalg.svdvals(a), "general"),
    "eigvalsh": (lambda lib: lambda a: lib.linalg.eigvalsh(a), "definite"),
}
REBUILT = {"svd", "svd_trunc", "svd_trunc of a flat spectrum", "eigh", "qr", "eig"}
MODES = ("forward", "jvp", "vjp")


def factorizations(quick):
    for name, (f, kind) in FACTORIZATIONS.items():
        for shape in ((4, 4), (32, 32)) if quick else ((4, 4), (32, 32), (256, 256), (1000, 4, 4)):
            for mode in MODES if name not in ("inv", "det", "svdvals", "eigvalsh") else ("forward",):
                yield Case(
                    "factorizations",
                    f"{name} {'×'.join(map(str, shape))} {mode}",
                    lambda f=f, kind=kind, shape=shape, mode=mode, name=name: contestants(
                        f, [matrices(shape, kind), *[RNG.standard_normal(shape)] * (name == "solve")], mode
                    ),
                    rtol=1e-7,
                    seconds=0.03 if shape[0] < 100 else 0.1,
                    view=rebuilt if mode == "forward" and name in REBUILT else lambda x: x,
                )


def product_shapes(quick):
    for n in (4, 8, 16, 32) if quick else (4, 8, 16, 32, 64, 128, 256, 512, 1024):
        yield f"{n}×{n}", (n, n), (n, n), "float64", MODES
    yield "batched 1000×4×4", (1000, 4, 4), (1000, 4, 4), "float64", MODES
    if quick:
        return
    yield "batched 64×32×32", (64, 32, 32), (64, 32, 32), "float64", MODES
    for dtype in ("float32", "complex128", "complex64", "int64"):
        yield f"256×256 {dtype}", (256, 256), (256, 256), dtype, ("forward",)
    yield "matrix 1000×1000 by vector", (1000, 1000), (1000,), "float64", MODES
    yield "vector 10⁶ by vector", (10**6,), (10**6,), "float64", MODES
    yield "256×16 by 16×256", (256, 16), (16, 256), "float64", MODES


def draw(shape, dtype):
    if dtype == "int64":
        return RNG.integers(-9, 10, shape)
    x = RNG.standard_normal(shape) / shape[-1] ** 0.5
    return (x + 1j * x[::-1] if dtype.startswith("c") else x).astype(dtype)


def products(quick):
    f = lambda lib: lambda a, b: lib.matmul(a, b)  # noqa: E731
    for name, a, b, dtype, modes in product_shapes(quick):
        for mode in modes:
            # Large ones with two threads as well, as JAX has them.
            for threads in (1, 2) if len(a) == 2 and min(a[0], b[-1]) >= 512 else (1,):
                yield Case(
                    "matmul",
                    f"{name} {mode}{', 2 threads' * (threads == 2)}",
                    lambda a=a, b=b, dtype=dtype, mode=mode: contestants(f, [draw(a, dtype), draw(b, dtype)], mode),
                    rtol=1e-3 if dtype in ("float32", "complex64") else 1e-9,
                    threads=threads,
                    seconds=0.03 if len(a) == 2 and a[0] <= 128 else 0.1,
                )


def cases(quick):
    yield from products(quick)
    yield from factorizations(quick)
