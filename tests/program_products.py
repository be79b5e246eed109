"""Operations of random programs: products, linear algebra on well-conditioned matrices, Fourier transforms."""

import numpy as np
from program_elementwise import fits, named
from program_parts import Op, Refused
from program_reference import hermitian


def matmul_choice(d):
    i = d.pick("fciu", 1, where=lambda a: a.ndim < 4)
    x = d.values[i]

    def fit(b):
        if b.ndim == 0 or b.shape[-2 if b.ndim > 1 else 0] != x.shape[-1]:
            return False
        return all(m == n or 1 in (m, n) for m, n in zip(x.shape[-3::-1], b.shape[-3::-1], strict=False))

    return (i, d.pick("fciu", 1, where=fit)), {}


def gram_choice(d):
    """Any matrix fits its own transpose."""
    return (d.pick("fci", 2),), {"first": d.rng.random() < 0.5}


def gram(ns, x, first):
    y = ns.conj(ns.matrix_transpose(x))
    return y @ x if first else x @ y


def tensordot_choice(d):
    i, j = d.pick("fci", 1, 3), d.pick("fci", 1, 3)
    a, b = d.values[i], d.values[j]
    pairs = [(k, m) for k in range(a.ndim) for m in range(b.ndim) if a.shape[k] == b.shape[m]]
    d.rng.shuffle(pairs)
    axes = []
    for k, m in pairs:
        if len(axes) < 2 and all(k != p and m != q for p, q in axes):
            axes.append((k, m))
    if not axes:
        raise Refused("no axes match")
    return (i, j), {"axes": ([k for k, _ in axes], [m - b.ndim for _, m in axes])}


def einsum_choice(d):
    """Two or three operands; letters of one size may coincide, in one operand too."""
    args = [d.pick("fc", 0, 3) for _ in range(d.rng.choice((1, 2, 2, 3)))]
    sizes, terms = {}, []
    for i in args:
        term = ""
        for n in d.values[i].shape:
            old = [c for c, m in sizes.items() if m == n]
            fresh = "abcdefghijk"[len(sizes)]
            letter = d.rng.choice(old) if old and d.rng.random() < 0.7 else fresh
            sizes[letter] = n
            term += letter
        terms.append(term)
    kept = [c for c in sizes if d.rng.random() < 0.5][:4]
    d.rng.shuffle(kept)
    return tuple(args), {"subscripts": ",".join(terms) + "->" + "".join(kept)}


def two_vectors(d):
    return (d.pick("fci", 1, 1), d.pick("fci", 1, 1)), {}


def convolve_choice(d):
    args = tuple(d.pick("fci", 1, 1, lambda a: a.size > 0) for _ in range(2))
    return args, {"mode": d.rng.choice(("full", "same", "valid"))}


def polyval_choice(d):
    i = d.pick("fc", 1, 1, lambda a: 0 < a.size <= 5)
    return (i, d.within(d.pick("fc", 0, 2), "small")), {}


def last_axes(d):
    i = d.pick("fc", 1, where=lambda a: a.shape[-1] > 0)
    j = d.pick("fc", 1, where=lambda b: b.shape[-1] == d.values[i].shape[-1] and b.ndim <= 2)
    return (i, j), {}


def broadcast_vectors(d):
    (i, j), params = last_axes(d)
    if not fits(d.values[i], d.values[j]):
        raise Refused("batches differ")
    return (i, j), params


def kron_choice(d):
    i = d.pick("fci", 1, 2)
    return (i, d.pick("fci", 1, 2)), {}


def interp_choice(d):
    return (d.pick("f", 0, 2, lambda a: a.dtype == np.float64), d.pick("f", 1, 1, lambda a: a.shape == (4,) and a.dtype == np.float64)), {}


KNOTS = np.array([-1.5, -0.3, 0.4, 2.0])


def interp_branch(x, _):
    return np.searchsorted(KNOTS, x)


PRODUCTS = [
    *(Op("matmul", lambda ns, x, y: x @ y, matmul_choice) for _ in range(2)),
    Op("gram", gram, gram_choice),
    Op("tensordot", named("tensordot"), tensordot_choice),
    *(Op("einsum", lambda ns, *xs, subscripts: ns.einsum(subscripts, *xs), einsum_choice) for _ in range(3)),
    Op("outer", named("outer"), two_vectors),
    Op("inner", named("inner"), last_axes),
    Op("vecdot", lambda ns, x, y: ns.vecdot(x, y), broadcast_vectors),
    Op("kron", named("kron"), kron_choice),
    Op("convolve", named("convolve"), convolve_choice),
    Op("polyval", named("polyval"), polyval_choice),
    Op("vander", lambda ns, x: ns.vander(x, 3), lambda d: ((d.within(d.pick("fc", 1, 1), "mild"),), {})),
    Op("interp", lambda ns, x, f: ns.interp(x, KNOTS, f), interp_choice, branch=interp_branch),
]


def matrix(d, square=True, full=True):
    """Matrices of small entries, one or a batch."""

    def fit(a):
        m, n = a.shape[-2:]
        return (m == n or not square) and a.size > 0 and max(m, n) <= 8

    return d.within(d.pick("fc", 2, where=fit), "small")


def dominant(ns, x):
    """2 on the diagonal and at most 1 beside it in each row."""
    n = x.shape[-1]
    return x / n + 2.0 * np.eye(n, dtype=x.dtype.name)


def positive(ns, x):
    n = x.shape[-2]
    return x @ ns.conj(ns.matrix_transpose(x)) / n + np.eye(n, dtype=x.dtype.name)


def gaps(w, least=0.03):
    """Refuses values that come near each other."""
    w = np.sort(w, axis=-1)
    if w.shape[-1] > 1 and np.min(np.diff(w, axis=-1)) < least:
        raise Refused("values are close")


def one_matrix(d):
    return (matrix(d),), {}


def hermitian_matrix(d):
    i = matrix(d)
    gaps(np.linalg.eigvalsh(hermitian(np, d.values[i])))
    return (i,), {}


def any_matrix(d):
    """Singular values apart from each other and from 0."""
    i = matrix(d, square=False)
    s = np.linalg.svd(d.values[i], compute_uv=False)
    gaps(np.concatenate([s, 0 * s[..., :1]], axis=-1))
    return (i,), {}


def independent(d):
    """Leading columns far from dependent."""
    i = matrix(d, square=False)
    x = d.values[i]
    k = min(x.shape[-2:])
    if np.min(np.linalg.svd(x[..., :k], compute_uv=False)) < 0.05:
        raise Refused("nearly dependent columns")
    return (i,), {}


def system(d):
    i = matrix(d)
    n = d.values[i].shape[-1]
    j = d.pick("fc", 2, 2, where=lambda b: b.shape[0] == n and b.shape[1] > 0)
    return (i, j), {}


def vector_system(d):
    i = matrix(d)
    n = d.values[i].shape[-1]
    return (i, d.pick("fc", 1, 1, where=lambda b: b.shape == (n,))), {}


def triangular_system(d):
    args, _ = system(d)
    if d.values[args[0]].ndim > 2:
        raise Refused("a batch")
    return args, {"lower": d.rng.random() < 0.5}


def eigen_function(ns, x):
    """Eigenvalues and a function of the matrix, which no phase changes."""
    w, v = ns.linalg.eigh(hermitian(ns, x))
    return [w, (v * ns.sin(w)[..., None, :]) @ ns.conj(ns.matrix_transpose(v))]


def singular_function(ns, x):
    u, s, vh = ns.linalg.svd(x, full_matrices=False)
    return [s, (u * ns.cos(s)[..., None, :]) @ vh]


def leading(ns, x):
    """The best approximation of rank 1, which asks only for the first triplet."""
    u, s, vh = ns.linalg.svd(x, full_matrices=False)
    return (u[..., :1] * s[..., None, :1]) @ vh[..., :1, :]


def power_choice(d):
    return (matrix(d),), {"n": d.rng.choice((0, 1, 2, 3, 5))}


def norm_choice(d):
    i = d.pick("fc", 1, where=lambda a: a.size > 0)
    axis = d.rng.randrange(d.values[i].ndim)
    if np.min(np.linalg.norm(d.values[i], axis=axis)) < 0.1:
        raise Refused("a norm is nearly 0")
    return (i,), {"axis": axis}


def matrix_norm_choice(d):
    (i,), _ = any_matrix(d)
    return (i,), {"order": d.rng.choice(("fro", "nuc", 2, -2))}


LINALG = [
    Op("eigvalsh", lambda ns, x: ns.linalg.eigvalsh(hermitian(ns, x)), hermitian_matrix),
    Op("eigh", eigen_function, hermitian_matrix),
    Op("svdvals", lambda ns, x: ns.linalg.svdvals(x), any_matrix),
    Op("svd", singular_function, any_matrix),
    Op("leading", leading, any_matrix),
    Op("qr", lambda ns, x: list(ns.linalg.qr(x)), independent),
    Op("cholesky", lambda ns, x: ns.linalg.cholesky(positive(ns, x)), lambda d: ((matrix(d, square=False),), {})),
    Op("solve", lambda ns, a, b: ns.linalg.solve(dominant(ns, a), b), system),
    Op("solve_vector", lambda ns, a, b: ns.linalg.solve(dominant(ns, a), b), vector_system),
    Op("solve_triangular", lambda ns, a, b, lower: ns.linalg.solve_triangular(dominant(ns, a), b, lower=lower), triangular_system),
    Op("inv", lambda ns, x: ns.linalg.inv(dominant(ns, x)), one_matrix),
    Op("det", lambda ns, x: ns.linalg.det(dominant(ns, x)), one_matrix),
    Op("det_any", lambda ns, x: ns.linalg.det(x), one_matrix, order=1),
    Op("slogdet", lambda ns, x: ns.linalg.slogdet(dominant(ns, x))[1], one_matrix),
    Op("pinv", lambda ns, x: ns.linalg.pinv(x), independent),
    Op("matrix_power", lambda ns, x, n: ns.linalg.matrix_power(x, n), power_choice),
    Op("expm", lambda ns, x: ns.linalg.expm(x), one_matrix),
    Op("vector_norm", lambda ns, x, axis: ns.linalg.vector_norm(x, axis=axis), norm_choice),
    Op("matrix_norm", lambda ns, x, order: ns.linalg.matrix_norm(x, ord=order), matrix_norm_choice),
]


def line_choice(real=False, least=1):
    def choose(d):
        i = d.pick("f" if real else "fc", 1, where=lambda a: a.size > 0)
        axis = d.rng.randrange(-d.values[i].ndim, d.values[i].ndim)
        if d.values[i].shape[axis] < least:
            raise Refused("too short")
        n = d.rng.choice((None, None, d.rng.randrange(least, 8)))
        return (i,), {"n": n, "axis": axis, "norm": d.rng.choice((None, "ortho", "forward"))}

    return choose


def plane_choice(d):
    i = d.pick("fc", 1, where=lambda a: a.size > 0)
    n = d.values[i].ndim
    return (i,), {"axes": tuple(d.rng.sample(range(n), d.rng.randrange(1, n + 1))), "norm": d.rng.choice((None, "ortho"))}


def fourier(name, choose):
    return Op(name, lambda ns, x, **params: getattr(ns.fft, name)(x, **params), choose)


FFT = [
    *(fourier(name, line_choice()) for name in ("fft", "ifft")),
    *(fourier(name, line_choice(real=True)) for name in ("rfft", "ihfft")),
    *(fourier(name, line_choice(least=2)) for name in ("irfft", "hfft")),
    *(fourier(name, plane_choice) for name in ("fftn", "ifftn")),
]

OPS = PRODUCTS + LINALG + FFT
