"""Operations of random programs that are made of others: factors that are used again, gradients inside, rarer forms."""

import numpy as np
from program_elementwise import along, axes_of, bits_choice, named, nonzero_pair, order_of, pair, reduction, unary
from program_parts import Op, Refused
from program_products import any_matrix, dominant, gaps, independent, line_choice, matrix, one_matrix, plane_choice, positive, system
from program_reference import hermitian, is_reference
from program_shapes import along_choice, axis_choice


def adjoint(ns, x):
    return ns.conj(ns.matrix_transpose(x))


def apart(d):
    """A matrix whose Gram matrix has eigenvalues apart from each other."""
    i = matrix(d, square=False)
    gaps(np.linalg.eigvalsh(positive(np, d.values[i])))
    return (i,), {}


def projector(ns, basis):
    return basis @ adjoint(ns, basis)


def least_squares(d):
    (i,), _ = independent(d)
    a = d.values[i]
    if a.shape[-2] < a.shape[-1] or np.min(np.linalg.svd(a, compute_uv=False)) < 0.1:
        raise Refused("too flat")
    return (i, d.pick("fc", 2, 2, where=lambda b: b.shape[0] == a.shape[-2] and b.shape[1] > 0)), {}


def chain(d):
    i = d.pick("fc", 2, 2)
    j = d.pick("fc", 2, 2, where=lambda b: b.shape[0] == d.values[i].shape[1])
    k = d.pick("fc", 1, 2, where=lambda c: c.shape[0] == d.values[j].shape[1])
    return (i, j, k), {}


def triples(d):
    i = d.pick("fc", 1, where=lambda a: a.shape[-1] == 3)
    j = d.pick("fc", 1, 2, where=lambda b: b.shape == d.values[i].shape or b.shape == (3,))
    return (i, j), {}


def dotted(d):
    i = d.pick("fci", 1, 3)
    x = d.values[i]
    return (i, d.pick("fci", 1, 3, where=lambda b: b.shape[-2 if b.ndim > 1 else 0] == x.shape[-1])), {}


def general(d):
    """Two arrays of two or three axes that share a leading batch axis and a last axis."""
    i = d.pick("fci", 2, 3)
    x = d.values[i]
    j = d.pick("fci", 2, 3, where=lambda b: b.shape[0] == x.shape[0] and b.shape[-1] == x.shape[-1])
    return (i, j), {}


def dot_general(ns, x, y):
    if is_reference(ns):
        return np.einsum("bi...k,bj...k->bij...", x[:, None] if x.ndim < 3 else x, y[:, None] if y.ndim < 3 else y)
    n, m = len(x.shape), len(y.shape)
    z = ns.dot_general(x, y, contract=([n - 1], [m - 1]), batch=([0], [0]))
    return ns.reshape(z, (x.shape[0], x.shape[1] if n == 3 else 1, y.shape[1] if m == 3 else 1))


def nested(d):
    return (d.within(d.pick("fc"), "mild"),), {}


def nested_real(d):
    return (d.within(d.pick("f"), "mild"),), {}


def put_choice(d):
    (i,), params = along_choice(d)
    x = d.values[i]
    j = d.pick("fc", most=0, where=lambda u: np.can_cast(u.dtype, x.dtype))
    return (i, j), params


def put(ns, x, u, indices, axis):
    if not is_reference(ns):
        return ns.put_along_axis(x, indices, u, axis=axis)
    y = x.copy()
    np.put_along_axis(y, indices, u, axis)
    return y


def gather_choice(d):
    i, axis = axis_choice(d)
    shape = d.values[i].shape
    if 0 in shape:
        raise Refused("empty")
    grid = tuple(d.rng.randrange(1, n + 1) for n in shape)
    n = shape[axis]
    return (i,), {"indices": np.random.default_rng(d.rng.randrange(99)).integers(-n, n, grid), "axis": axis}


def gather(ns, x, indices, axis):
    if not is_reference(ns):
        return ns.gather(x, axis, indices)
    cut = tuple(slice(None) if k == axis % x.ndim else slice(n) for k, n in enumerate(indices.shape))
    return np.take_along_axis(x[cut], indices, axis)


def places(ns, x, size):
    if not is_reference(ns):
        return list(ns.nonzero(x, size=size, fill_value=-1))
    found = np.nonzero(x)
    return [np.concatenate([i, np.full(size, -1)])[:size] for i in found]


def distinct(ns, x, size):
    if not is_reference(ns):
        return ns.unique(x, size=size)
    y = np.unique(x)
    return np.concatenate([y, np.full(size, y[0])])[:size].astype(x.dtype)


def sized(kinds):
    return lambda d: ((d.pick(kinds, 1, where=lambda a: a.size > 0),), {"size": d.rng.randrange(1, 9)})


def parts_choice(d):
    i, axis = axis_choice(d)
    return (i,), {"parts": d.rng.randrange(1, 5), "axis": axis}


def unstack_choice(d):
    i, axis = axis_choice(d)
    if not 0 < d.values[i].shape[axis] < 5:
        raise Refused("no or many parts")
    return (i,), {"axis": axis}


def rounding(d):
    return (d.pick("f"),), {"decimals": d.rng.choice((0, 1, -1))}


def shifted_choice(d):
    i = d.pick("fci", 1)
    return (i,), {"axes": axes_of(d, d.values[i])}


def beside_array(d):
    """A tensor and an array of NumPy, on either side."""
    i = d.pick("fc", 1, where=lambda a: a.shape[-1] < 20)
    return (i,), {"left": d.rng.random() < 0.5}


def beside(ns, x, left):
    a = np.linspace(-1.0, 1.0, x.shape[-1])
    return a * x if left else x - a


LINALG = [
    Op("lu_solve", lambda ns, a, b: ns.lu_solve(dominant(ns, a), b), system),
    Op("cho_solve", lambda ns, a, b: ns.cho_solve(positive(ns, a), b), system),
    Op("lstsq", lambda ns, a, b: ns.linalg.lstsq(a, b)[0], least_squares),
    Op("lq", lambda ns, x: list(ns.linalg.lq(adjoint(ns, x))), independent),
    Op("sqrtm", lambda ns, x: ns.linalg.sqrtm(positive(ns, x)), apart),
    Op("logm", lambda ns, x: ns.linalg.logm(positive(ns, x)), apart),
    Op("polar", lambda ns, x: list(ns.linalg.polar(dominant(ns, x))), one_matrix),
    Op("cond", lambda ns, x: ns.linalg.cond(x), any_matrix),
    Op("matrix_rank", lambda ns, x: ns.astype(ns.linalg.matrix_rank(x), "int64"), any_matrix, True),
    Op("eigvals", lambda ns, x: ns.sum(ns.linalg.eigvals(hermitian(ns, x) + 0j) ** 3, axis=-1), lambda d: hermitian_apart(d)),
    Op("eig", lambda ns, x: ns.eig_square(hermitian(ns, x) + 0j), lambda d: hermitian_apart(d)),
    Op("range", lambda ns, x: projector(ns, ns.linalg.qr(x)[0]), independent),
    Op("multi_dot", lambda ns, *xs: ns.linalg.multi_dot(xs), chain),
    Op("cross", lambda ns, x, y: ns.cross(x, y), triples),
    Op("dot", named("dot"), dotted),
    Op("dot_general", dot_general, general),
]


def hermitian_apart(d):
    i = matrix(d)
    gaps(np.linalg.eigvalsh(hermitian(np, d.values[i])), 0.1)
    return (i,), {}


GRADIENTS = [
    *(Op("slope", lambda ns, x: ns.slope(x), nested) for _ in range(2)),
    Op("curvature", lambda ns, x: ns.curvature(x), nested_real),
]

RARER = [
    unary("isinf", "fc"),
    unary("nan_to_num", "fci"),
    unary("polygamma_1", "f", "positive"),
    Op("divmod", lambda ns, x, y: list(ns.divmod(x, y)), nonzero_pair, True, np.floor_divide),
    Op("round", lambda ns, x, decimals: ns.round(x, decimals), rounding, True, lambda x, decimals: np.round(x, decimals)),
    Op("bits", lambda ns, x, y: (x & y) ^ (x | y), bits_choice),
    reduction("ptp", "f", False, True, branch=order_of),
    along("cumulative_sum", "fci", ("include_initial",)),
    along("cumulative_prod", "fc", ("include_initial",), domain="mild"),
    Op("array_split", lambda ns, x, parts, axis: ns.array_split(x, parts, axis=axis), parts_choice),
    Op("unstack", lambda ns, x, axis: list(ns.unstack(x, axis=axis)), unstack_choice),
    Op("put_along_axis", put, put_choice),
    Op("gather", gather, gather_choice),
    Op("nonzero", places, sized("iub")),
    Op("unique", distinct, sized("iub")),
    Op("isclose", lambda ns, x, y: ns.isclose(x, y, rtol=0.3), lambda d: (pair(d, "f"), {}), True),
    Op("beside", beside, beside_array),
    Op("fftshift", lambda ns, x, axes: ns.fft.fftshift(x, axes), shifted_choice),
    Op("ifftshift", lambda ns, x, axes: ns.fft.ifftshift(x, axes), shifted_choice),
    Op("fft_of_real_part", lambda ns, x, **params: ns.fft.rfft(ns.real(x), **params), line_choice()),
    Op("rfftn", lambda ns, x, **params: ns.fft.rfftn(ns.real(x), **params), plane_choice),
]

OPS = LINALG + GRADIENTS + RARER
