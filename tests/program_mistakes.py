"""Calls that are wrong whatever the numbers are: `mistake(ns, x, rng)` for any tensor x that `fits`."""

import numpy as np

import tenferro_py as tn


def matrix(x):
    return len(x.shape) >= 2


def line(x):
    return len(x.shape) >= 1 and x.shape[-1] >= 2


def inexact(x):
    return x.dtype.kind in "fc"


def real(x):
    return x.dtype.kind in "fiu"


def axis_past(x, rng):
    n = len(x.shape)
    return rng.choice((n, -n - 1, n + 7))


ALONG = [
    "sum",
    "prod",
    "mean",
    "max",
    "min",
    "any",
    "all",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumsum",
    "cumprod",
    "sort",
    "argsort",
    "flip",
    "softmax",
    "logsumexp",
    "median",
    "var",
    "std",
]


def along(x, rng):
    name = rng.choice([n for n in ALONG if x.dtype.kind == "f" or n in ("sum", "prod", "any", "all", "flip", "count_nonzero")])
    return getattr(tn, name)(x, axis=axis_past(x, rng))


def one_more(x):
    """As long as x along the last axis and one more."""
    return np.ones(x.shape[-1] + 1)


def elementwise(x, rng):
    name = rng.choice(("add", "subtract", "multiply", "divide", "pow", "where", "equal"))
    if name == "where":
        return tn.where(tn.equal(x, x), x, one_more(x))
    return getattr(tn, name)(x, one_more(x))


def bits(x, rng):
    return rng.choice((lambda: x & x, lambda: x | 1, lambda: ~x, lambda: x << 1, lambda: tn.bitwise_xor(x, x)))()


def unordered(x, rng):
    names = [
        "less",
        "greater_equal",
        "maximum",
        "minimum",
        "fmax",
        "floor",
        "ceil",
        "trunc",
        "floor_divide",
        "remainder",
        "fmod",
        "atan2",
        "hypot",
        "erf",
        "lgamma",
        "copysign",
    ]
    name = rng.choice(names)
    two = name in ["less", "greater_equal", "maximum", "minimum", "fmax", "floor_divide", "remainder", "fmod", "atan2", "hypot", "copysign"]
    return getattr(tn, name)(*[x] * (1 + two))


def indexed(x, rng):
    n = x.shape[-1]
    wrong = [
        n,
        -n - 1,
        10**25,
        "a",
        1.5,
        np.array([0.0]),
        (Ellipsis, Ellipsis),
        (0,) * (len(x.shape) + 1),
        slice(None, None, 0),
        slice("a", None),
        {},
        object(),
    ]
    index = rng.choice(wrong)
    return x[(Ellipsis, index)] if not isinstance(index, tuple) else x[index]


def masked(x, rng):
    return x[(Ellipsis, np.zeros(x.shape[-1] + 1, bool))]


def taken(x, rng):
    n = x.shape[-1]
    return rng.choice((lambda: tn.take(x, [n], axis=-1), lambda: tn.take(x, [0.5], axis=-1), lambda: tn.take(x, [0], mode="no")))()


def updated(x, rng):
    n = x.shape[-1]
    return rng.choice(
        (
            lambda: x.at[..., n].set(0),
            lambda: x.at[..., :].set(np.ones(n + 1)),
            lambda: x.at[..., 0].add("a"),
            lambda: x.at[..., [0]].set(np.ones((*(2,) * len(x.shape), n + 2))),
        )
    )()


def reshaped(x, rng):
    size = int(np.prod(x.shape))
    shape = rng.choice(((size + 1,), (-1, -1), (-2,), (-1, 0) if size == 0 else (-1, size + 1), ("a",), (2.5,), (10**25,), (2**62, 4)))
    return tn.reshape(x, shape)


def shaped(x, rng):
    n = len(x.shape)
    return rng.choice(
        (
            lambda: tn.permute_dims(x, (0,) * n if n > 1 else (0, 0)),
            lambda: tn.permute_dims(x, (*range(n), n)),
            lambda: tn.moveaxis(x, 0, n),
            lambda: tn.moveaxis(x, (0, 0), (0, 1)),
            lambda: tn.swapaxes(x, n, 0),
            lambda: tn.expand_dims(x, n + 5),
            lambda: tn.squeeze(x, -1),
            lambda: tn.broadcast_to(x, (x.shape[-1] + 1,)),
            lambda: tn.broadcast_to(x, (-3,)),
            lambda: tn.broadcast_to(x, ()),
            lambda: tn.flip(x, (0, 0)),
            lambda: tn.roll(x, (1, 2), (0, 0, 0)),
            lambda: tn.repeat(x, -1),
            lambda: tn.repeat(x, np.ones(x.shape[-1] + 1, int), axis=-1),
            lambda: tn.tile(x, (-1,)),
            lambda: tn.split(x, x.shape[-1] + 1, axis=-1),
            lambda: tn.split(x, 0, axis=-1),
            lambda: tn.split(x, 2**62, axis=-1),
            lambda: tn.split(x, [0.5], axis=-1),
            lambda: tn.unstack(x, axis=n),
            lambda: tn.stack([x], axis=n + 1),
            lambda: tn.concat([x, x], axis=n),
            lambda: tn.concat([x, x[..., None]], axis=0),
            lambda: tn.stack([x, x[..., None]]),
            lambda: tn.concat([]),
            lambda: tn.stack([]),
            lambda: tn.pad(x, ((-1, 0),) * n),
            lambda: tn.pad(x, ((1, 0),) * (n + 1)),
            lambda: tn.pad(x, ((1, 0),) * n, mode="nope"),
        )
    )()


def windows(x, rng):
    n, last = len(x.shape), x.shape[-1]
    return rng.choice(
        (
            lambda: tn.dynamic_slice(x, (0,) * n, (*x.shape[:-1], last + 1)),
            lambda: tn.dynamic_slice(x, (0,) * (n + 1), x.shape),
            lambda: tn.dynamic_slice(x, (0.5,) * n, x.shape),
            lambda: tn.dynamic_slice(x, (0,) * n, (-1,) * n),
            lambda: tn.dynamic_update_slice(x, tn.concat([x, x], axis=-1), (0,) * n),
            lambda: tn.dynamic_update_slice(x, x, (0,) * (n + 1)),
        )
    )()


def products(x, rng):
    n, last = len(x.shape), x.shape[-1]
    letters = "abcdefgh"[:n]
    return rng.choice(
        (
            lambda: x @ np.ones((last + 1, 2)),
            lambda: x @ 2.0,
            lambda: tn.matmul(np.ones((2, last + 1)), tn.reshape(x, (-1,))[:last]),
            lambda: tn.tensordot(x, np.ones(last + 1), 1),
            lambda: tn.tensordot(x, x, (0, n)),
            lambda: tn.tensordot(x, x, n + 1),
            lambda: tn.vecdot(x, np.ones(last + 1)),
            lambda: tn.einsum(letters + "->z", x),
            lambda: tn.einsum(letters + "x->", x),
            lambda: tn.einsum(letters, x, x),
            lambda: tn.einsum(f"{letters},{letters[-1]}->", x, np.ones(last + 1)),
            lambda: tn.einsum(letters + "->" + letters[0] * 2, x),
            lambda: tn.cross(x, np.ones(5)),
            lambda: tn.convolve(x, np.ones((2, 2))),
            lambda: tn.convolve(tn.ravel(x), np.ones(2), mode="nope"),
            lambda: tn.polyval(np.ones((2, 2)), x),
            lambda: tn.vander(np.ones((2, 2)) * x[..., None, None], 2),
        )
    )()


def not_square(x):
    return x[..., :1, :] if x.shape[-1] != 1 else tn.concat([x, x], axis=-1)


def linear(x, rng):
    la = tn.linalg
    line, wide = tn.ravel(x), tn.ones((2, 3)) * tn.sum(x)
    name = rng.choice(
        [
            "cholesky",
            "eigh",
            "eigvalsh",
            "eig",
            "eigvals",
            "inv",
            "det",
            "slogdet",
            "expm",
            "matrix_power",
            "solve",
            "svd",
            "qr",
            "svdvals",
            "pinv",
            "logm",
            "sqrtm",
        ]
    )
    more = {"matrix_power": (2,), "solve": (line,)}.get(name, ())
    square = name not in ("svd", "qr", "svdvals", "pinv")
    return getattr(la, name)(wide if square and rng.random() < 0.5 else line, *more)


def singular(x, rng):
    zero = x[..., :1, :1] * 0 * np.ones((2, 2))
    nan = tn.astype(zero, "complex128") + np.nan
    la = tn.linalg
    return rng.choice(
        (
            lambda: la.inv(zero),
            lambda: la.solve(zero, np.ones((2, 1))),
            lambda: la.cholesky(zero - np.eye(2)),
            lambda: la.svd(nan),
            lambda: la.eigh(nan),
            lambda: la.qr(nan),
            lambda: la.eig(nan),
            lambda: la.matrix_power(zero, -1),
            lambda: la.svd_trunc(zero, 0),
            lambda: la.svd_trunc(zero, 3),
            lambda: la.solve(np.eye(2) + zero, np.ones((3, 1))),
            lambda: la.solve_triangular(np.eye(2) + zero, np.ones((3, 1))),
            lambda: la.matrix_norm(zero, ord="no"),
            lambda: la.lstsq(zero, np.ones(3)),
        )
    )()


def fourier(x, rng):
    return rng.choice(
        (
            lambda: tn.fft.fft(x, n=0),
            lambda: tn.fft.fft(x, n=-1),
            lambda: tn.fft.fft(x, axis=axis_past(x, rng)),
            lambda: tn.fft.ifft(x, norm="nope"),
            lambda: tn.fft.fftn(x, s=(2, 2, 2), axes=(0,)),
            lambda: tn.fft.rfft(tn.astype(x, "complex128")),
            lambda: tn.fft.fftfreq(0),
        )
    )()


def other(x, rng):
    return rng.choice(
        (
            lambda: tn.astype(x, "float16"),
            lambda: tn.astype(x, None),
            lambda: tn.astype(x, "nope"),
            lambda: x + "a",
            lambda: x * None,
            lambda: x + {},
            lambda: tn.add(x, [[1.0], [1.0, 2.0]]),
            lambda: x - object(),
            lambda: tn.add(x),
            lambda: tn.sin(x, x),
            lambda: tn.sum(x, axis=0.5),
            lambda: tn.sum(x, axis="a"),
            lambda: tn.sum(x, axis=10**25),
            lambda: tn.sum(x, dtype="nope"),
            lambda: tn.top_k(x, x.shape[-1] + 1),
            lambda: tn.top_k(x, -1),
            lambda: tn.searchsorted(tn.ones((2, 2)), x),
            lambda: tn.max(x[..., :0], axis=-1),
            lambda: tn.argmax(x[..., :0]),
            lambda: tn.diff(x, n=-1),
            lambda: tn.diagonal(x, 0, 0, 0),
            lambda: tn.trace(tn.ravel(x)),
            lambda: tn.tril(tn.sum(x)),
            lambda: tn.where(np.ones(1), x, x),
            lambda: tn.take_along_axis(x, np.zeros((1,) * (len(x.shape) + 1), int), axis=0),
            lambda: tn.interp(x, np.ones((2, 2)), np.ones((2, 2))),
            lambda: tn.clip(x, "a", None),
            lambda: tn.nonzero(x, size=-1),
            lambda: tn.flatnonzero(x, size=-1),
            lambda: int(tn.Tensor(1j)),
            lambda: float(tn.Tensor(1j)),
        )
    )()


def creation(x, rng):
    like = tn.ravel(x)
    name = rng.choice(("zeros", "ones", "empty", "full"))
    shape = rng.choice(((-1,), -1, (2, -3), (0.5,), ("a",), (2**62, 2)))
    return rng.choice(
        (
            lambda: getattr(tn, name)(shape, *[1.0] * (name == "full")),
            lambda: tn.eye(-1),
            lambda: tn.tri(-2),
            lambda: tn.linspace(0, 1, -1),
            lambda: tn.logspace(0, 1, -1),
            lambda: tn.geomspace(1, 2, -1),
            lambda: tn.arange(0, 1, 0),
            lambda: tn.arange(0, float("inf"), 1),
            lambda: tn.vander(like, -1),
            lambda: tn.fft.fftfreq(2**62),
            lambda: tn.fft.rfftfreq(2**62),
            lambda: tn.zeros((1,), dtype="nope"),
            lambda: tn.Tensor([[1.0], [1.0, 2.0]]),
            lambda: tn.Tensor("a"),
            lambda: tn.Tensor([object()]),
            lambda: tn.TracedTensor.input("float64", (-1,)),
            lambda: tn.TracedTensor.input("nope", ()),
        )
    )()


def gradients(x, rng):
    if not isinstance(x, tn.TracedTensor):
        raise TypeError("a derivative of a traced tensor is wanted")
    y = x * x
    return rng.choice(
        (
            lambda: y.grad(x),
            lambda: tn.sum(y).grad("x"),
            lambda: y.vjp(x, np.ones(x.shape[-1] + 1)),
            lambda: y.jvp(x, np.ones(x.shape[-1] + 1)),
            lambda: tn.sum(tn.astype(y, "complex128")).grad(x),
            lambda: tn.TracedTensor.vjp_many([y], [x], []),
            lambda: tn.TracedTensor.jvp_many([y], [x], []),
            lambda: tn.grad(lambda a: a)(x),
            lambda: tn.grad(lambda a: tn.sum(a), 3)(x),
            lambda: tn.grad(lambda a: 1.0)(x),
        )
    )()


# What is done wrong, and to which tensors.
MISTAKES = {
    "axis": (along, inexact),
    "broadcast": (elementwise, line),
    "bits of inexact numbers": (bits, inexact),
    "order of complex numbers": (unordered, lambda x: x.dtype.kind == "c"),
    "index": (indexed, line),
    "mask": (masked, line),
    "take": (taken, line),
    "update": (updated, lambda x: line(x) and inexact(x)),
    "reshape": (reshaped, lambda x: True),
    "shape": (shaped, line),
    "window": (windows, line),
    "product": (products, lambda x: line(x) and inexact(x)),
    "matrix": (linear, lambda x: line(x) and inexact(x)),
    "singular": (singular, lambda x: matrix(x) and line(x) and x.dtype.kind == "f" and 0 not in x.shape),
    "fourier": (fourier, lambda x: line(x) and inexact(x)),
    "other": (other, lambda x: line(x) and x.dtype.kind == "f"),
    "creation": (creation, lambda x: line(x) and inexact(x)),
    "derivative": (gradients, lambda x: line(x) and inexact(x)),
}
